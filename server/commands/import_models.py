"""`laios models import`: use model files that other programs have downloaded."""

from contextlib import suppress
from typing import TYPE_CHECKING

import typer

from server.runtime.units import in_bytes
from server.terminal.console import say, settings_or_exit
from server.terminal.output import print_table, refuse_with

if TYPE_CHECKING:
    from server.downloads.found_models import FoundModel


def import_models(
    name: str = typer.Argument(
        "",
        metavar="NAME|FILE",
        help="A model from the list, or the path of a GGUF file. Default: list them.",
        show_default=False,
    ),
) -> None:
    """Use model files that Hugging Face, LM Studio or Ollama left on this machine.

    They are linked, not copied.
    """
    settings = settings_or_exit()
    from config import expanded
    from pipeline.errors import LaiosError
    from pipeline.models.auto import size_note
    from pipeline.models.local import PROVIDER
    from pipeline.models.local_library import LocalLibrary
    from pipeline.models.machine import total_memory
    from server.downloads.found_models import find_models, link, model_at
    from server.downloads.replaced_model import let_go

    if not name:
        _list(find_models())
        return
    try:
        is_path = name.endswith(".gguf")
        found = model_at(expanded(name)) if is_path else _named(find_models(), name)
        library = LocalLibrary(settings.MODELS_DIR)
        before = library.find(found.name)
        entry = link(library, found)
    except LaiosError as error:
        refuse_with(error, as_json=False)
    full_name = f"{PROVIDER}{entry.name}"
    if said := let_go(before, entry):
        say(said)
    if note := size_note(full_name, entry.size, total_memory()):
        say(note)
    typer.echo(full_name)


def _list(found: "list[FoundModel]") -> None:
    if not found:
        typer.echo("No chat models of Hugging Face, LM Studio or Ollama were found here.")
        return
    rows = ((model.name, in_bytes(model.size), model.owner) for model in found)
    print_table(("NAME", "SIZE", "OF"), rows)
    typer.echo("\nUse one: laios models import NAME")


def _named(found: "list[FoundModel]", name: str) -> "FoundModel":
    from config import expanded
    from pipeline.errors import ModelNotFound

    for model in found:
        if model.name == name:
            return model
    path = expanded(name)
    with suppress(OSError):  # one that may not be looked at, or is too long for a path
        if path.is_dir():
            raise ModelNotFound(f"{name} is a directory. Name the .gguf file in it.")
        if path.exists():
            raise ModelNotFound(f"{name} is not a GGUF model: its name has to end in .gguf.")
    raise ModelNotFound(
        f"There is no {name} to import. Name a model from `laios models import`, or the path of a "
        ".gguf file."
    )
