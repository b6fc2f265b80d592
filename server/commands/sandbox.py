"""`laios sandbox check`: test with hostile programs what the sandbox holds back here."""

import asyncio
import textwrap
from typing import TYPE_CHECKING

import typer

from server.terminal.console import RUN_FAILED, safe_text
from server.terminal.output import print_json

if TYPE_CHECKING:
    from pipeline.sandbox import Check

app = typer.Typer(help="Check the sandbox that runs generated code.", no_args_is_help=True)


@app.callback()
def _sandbox() -> None:
    """A group: `check` is its only command so far."""


@app.command()
def check(as_json: bool = typer.Option(False, "--json", help="Print JSON.")) -> None:
    """Run hostile programs and show what the sandbox on this machine blocks.

    Exit code 1 if code cannot be run safely here.
    """
    from pipeline.sandbox import check as checked

    rows = asyncio.run(checked())
    safe = all(row.enforced for row in rows)
    if as_json:
        print_json({"safe": safe, "checks": [row.as_json() for row in rows]})
    else:
        _print(rows, safe)
    raise typer.Exit(0 if safe else RUN_FAILED)


def _print(rows: "list[Check]", safe: bool) -> None:
    from rich.console import Console
    from rich.text import Text

    out = Console(highlight=False)
    width = max(len(row.name) for row in rows)
    for row in rows:
        mark, style = ("✓", "green") if row.enforced else ("✗", "bold red")
        line = Text(f"  {mark} {row.name:{width}}  {safe_text(row.proof)}")
        line.stylize(style, 2, 3)
        out.print(line, soft_wrap=True)
        if row.fix:
            fix = textwrap.indent(safe_text(row.fix), "    → ", lambda _: True)
            out.print(Text(fix, style="dim"), soft_wrap=True)
    verdict = f"Code can{'' if safe else 'not'} be run safely here."
    out.print(f"\n{verdict}", soft_wrap=True)
