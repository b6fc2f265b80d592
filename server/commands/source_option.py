"""Source files on the command line: reading them, and writing them after their change is shown."""

import sys
from pathlib import Path

import typer

from server.terminal.console import RUN_FAILED, USAGE, confirmed, fail, say
from server.terminal.source_file import SourceFile

STDIN = Path("-")


def read_or_exit(path: Path) -> SourceFile:
    """The file, or what comes on stdin for `-`."""
    return stdin_or_exit() if path == STDIN else file_or_exit(path)


def file_or_exit(path: Path) -> SourceFile:
    try:
        return SourceFile.of(path, path.read_bytes())
    except OSError as error:
        fail(f"{path} cannot be read: {error.strerror}.", USAGE)
    except UnicodeDecodeError:
        fail(f"{path} is not UTF-8 text.", USAGE)


def stdin_or_exit() -> SourceFile:
    try:
        return SourceFile.of(Path("stdin"), sys.stdin.buffer.read())
    except UnicodeDecodeError:
        fail("The code on stdin is not UTF-8 text.", USAGE)


def write_or_exit(target: SourceFile, new: str, *, ask: bool) -> None:
    """Puts the new code into the file in one step; with `ask`, after a yes."""
    from server.client_setup.edit import EditError

    if ask and not confirmed(f"Write {target.path}?"):
        raise typer.Abort
    try:
        target.replace(new)
    except EditError as error:
        fail(f"{target.path} was left as it is: {error}.", RUN_FAILED)
    say(f"Written: {target.path}")
