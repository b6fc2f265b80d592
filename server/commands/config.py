"""`laios config`: show settings and where they come from, and change them."""

from pathlib import Path
from typing import Any

import typer

from server.terminal.console import (
    RUN_FAILED,
    USAGE,
    confirmed,
    fail,
    say,
    settings_or_exit,
    tell,
)
from server.terminal.output import print_json, print_table

app = typer.Typer(help="Show, check and edit the settings.", no_args_is_help=True)


@app.command()
def show(
    with_sources: bool = typer.Option(False, "--sources", help="Say where each value comes from."),
    as_json: bool = typer.Option(False, "--json", help="Print JSON, sources included."),
) -> None:
    """Show the current settings. A hot setting needs no restart when it changes."""
    settings = settings_or_exit(as_json=as_json)
    from config import hot_settings
    from server.runtime.config_file import shown, sources

    rows = {
        name: {"value": shown(name, settings), "hot": name in hot_settings(), "source": source}
        for name, source in sources(settings).items()
    }
    if as_json:
        print_json(rows)
        return
    last = 4 if with_sources else 3
    head = ("SETTING", "VALUE", "CHANGE", "SOURCE")
    print_table(head[:last], (_row(name, rows[name])[:last] for name in rows))


def _row(name: str, row: dict[str, Any]) -> tuple[str, ...]:
    return name, _text(row["value"]), "hot" if row["hot"] else "restart", row["source"]


def _text(value: Any) -> str:
    if value is None or value == []:
        return "none"
    if isinstance(value, bool):
        return str(value).lower()
    return ", ".join(value) if isinstance(value, list) else str(value)


@app.command()
def path() -> None:
    """Print the path of config.toml."""
    from config import config_path

    tell(str(config_path()))


@app.command()
def check(
    file: Path | None = typer.Argument(
        None, metavar="FILE", help="A config file. Default: the current settings."
    ),
) -> None:
    """Check a config file, or the current settings. Exit code 2 if something is wrong."""
    from config import config_path
    from server.runtime.config_file import problems

    if file is None:
        settings_or_exit()
        if config_path().is_file():
            tell(f"{config_path()}, with the environment: ok")
        else:
            tell(f"There is no {config_path()}; the defaults, with the environment: ok")
    elif not file.exists():
        fail(f"There is no file {file}.", USAGE)
    elif wrong := problems(file):
        fail("\n".join(wrong), USAGE)
    else:
        tell(f"{file}: ok")


@app.command()
def edit() -> None:
    """Open config.toml in your editor ($VISUAL, $EDITOR); it is created if it does not exist."""
    from config import config_path
    from server.runtime.config_file import problems, template, write_private

    file = config_path()
    if not file.exists():
        try:
            write_private(file, template())
        except OSError as error:
            fail(f"{file} cannot be written: {error.strerror}.", RUN_FAILED)
    while True:
        _edit(file)
        wrong = problems(file)
        if not wrong:
            tell(f"{file}: ok")
            return
        say("\n".join(wrong))
        if not _again():
            say(
                "The file was left as it is. laios will not start with it; a running daemon "
                "ignores it."
            )
            raise typer.Exit(USAGE)


def _edit(file: Path) -> None:
    import click

    try:
        click.edit(filename=str(file))
    except click.ClickException as error:
        if isinstance(error.__cause__, OSError):
            fail(f"{error.message}. Set EDITOR to an editor that is installed.", RUN_FAILED)
        fail(f"{error.message}. The file is as the editor left it.", RUN_FAILED)


def _again() -> bool:
    try:
        return confirmed("Edit it again?", default=True)
    except typer.Abort:  # nobody is there to answer
        return False
