"""`laios models catalog`: list the models that can be pulled by name."""

from typing import TYPE_CHECKING

import typer

from server.runtime.units import in_bytes
from server.terminal.output import print_json, print_table

if TYPE_CHECKING:
    from pipeline.models.catalog import CatalogModel


def catalog(as_json: bool = typer.Option(False, "--json", help="Print JSON.")) -> None:
    """List models that can be pulled by name, and which one fits this machine."""
    from dataclasses import asdict

    from pipeline.models.catalog import CATALOG
    from pipeline.models.recommendation import command_here, recommended_here

    best = recommended_here()
    if as_json:
        rows = ({**asdict(each), "need": each.need, "fits_best": each is best} for each in CATALOG)
        print_json(list(rows))
        return
    head = ("", "NAME", "SIZE", "MEMORY", "LICENCE", "GOOD FOR")
    print_table(head, (_row(each, each is best) for each in CATALOG))
    typer.echo(f"\n* fits this machine: {command_here()}")
    typer.echo("Any other GGUF of Hugging Face: laios models pull hf.co/USER/REPO[:QUANT]")


def _row(model: "CatalogModel", best: bool) -> tuple[str, ...]:
    sizes = in_bytes(model.size), in_bytes(model.need)
    return "*" if best else "", model.name, *sizes, model.licence, model.good_for
