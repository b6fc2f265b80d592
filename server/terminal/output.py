"""How the commands answer: aligned columns for people, JSON for programs."""

import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NoReturn

import typer

from server.terminal.console import UNREACHABLE, USAGE, exit_code, fail, refuse, safe_text, tell

if TYPE_CHECKING:
    from config import Settings
    from laios.errors import LaiosError
    from server.terminal.daemon_client import DaemonClient


def print_json(value: Any) -> None:
    """One JSON value on one line."""
    typer.echo(json.dumps(value))


def print_text(text: str) -> None:
    """To the letter for a pipe; a terminal gets it without what it would obey."""
    shown = safe_text(text) if sys.stdout.isatty() else text
    typer.echo(shown.encode("utf-8", "replace"), nl=not shown.endswith("\n"))


def refuse_with(error: "LaiosError", *, as_json: bool, **more: str) -> NoReturn:
    """Ends the command with an error of the API, as `refuse` does."""
    refuse(error.code, error.message, exit_code(error.code), as_json=as_json, **more)


def refuse_options_before(context: typer.Context, command: str) -> None:
    """Ends a command that lists by itself where one of its options stands before a subcommand,
    which would go on without it."""
    sources = map(context.get_parameter_source, context.params)
    if any(source is not None and source.name == "COMMANDLINE" for source in sources):
        called = f"laios {command} {context.invoked_subcommand}"
        fail(f"Options of {called} go after it; see {called} --help.", USAGE)


@contextmanager
def daemon_or_exit(settings: "Settings", *, as_json: bool) -> Iterator["DaemonClient"]:
    """The daemon that the settings point to. Where there is none, and where it refuses what it is
    asked in the block, the command ends."""
    from laios.errors import LaiosError
    from server.terminal.daemon_client import DaemonClient, Unreachable

    try:
        with DaemonClient(settings) as client:
            client.health()
            yield client
    except Unreachable as error:
        refuse("daemon_unreachable", str(error), UNREACHABLE, as_json=as_json)
    except LaiosError as error:
        refuse_with(error, as_json=as_json)


def print_table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """The rows below their titles, on stdout."""
    for line in columns([head, *rows]):
        tell(line)


def columns(rows: Iterable[Sequence[str]]) -> Iterator[str]:
    """The rows as lines with aligned columns, without anything that a terminal would obey."""
    table = [[safe_text(cell).replace("\n", " ") for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    for row in table:
        line = "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        yield line.rstrip()
