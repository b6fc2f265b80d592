"""`laios models remove`: delete a model's files."""

import typer

from server.commands.completion import kept_names
from server.runtime.units import in_bytes
from server.terminal.console import RUN_FAILED, fail, settings_or_exit
from server.terminal.output import refuse_with


def remove(
    name: str = typer.Argument(
        metavar="NAME",
        help="A model that `laios models pull` or `import` added.",
        autocompletion=kept_names,
    ),
) -> None:
    """Delete a model's files. Files that are only linked stay where they are."""
    settings = settings_or_exit()
    from pipeline.errors import LaiosError
    from pipeline.models.local import PROVIDER
    from pipeline.models.local_library import LocalLibrary

    name = name.removeprefix(PROVIDER)
    try:
        freed = LocalLibrary(settings.MODELS_DIR).remove(name)
    except LaiosError as error:
        refuse_with(error, as_json=False)
    except OSError as error:
        fail(f"{name} cannot be deleted: {error.strerror}.", RUN_FAILED)
    typer.echo(f"{PROVIDER}{name} removed, {in_bytes(freed)} freed")
