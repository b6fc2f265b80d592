"""What the commands share: settings, exit codes, messages on stderr."""

import json
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NoReturn
from unicodedata import category

import typer

if TYPE_CHECKING:
    from config import Settings

RUN_FAILED, USAGE, UNREACHABLE = 1, 2, 3
INTERRUPTED = 130  # by Ctrl-C

_USAGE_CODES = {
    "bad_request",
    "empty_prompt",
    "unknown_tag",
    "conflicting_tags",
    "unknown_mode",
    "payload_too_large",
}
_UNREACHABLE_CODES = {"model_unreachable", "unauthorized", "forbidden_host", "busy"}


def settings_or_exit(*, as_json: bool = False, **options: Any) -> "Settings":
    """The settings in force, or exit 2 with what is wrong with them."""
    from config import ConfigError, load_settings

    try:
        return load_settings(**options)
    except ConfigError as error:
        refuse("invalid_settings", str(error), USAGE, as_json=as_json)


def fail(message: str, code: int) -> NoReturn:
    """Ends the command with a message on stderr."""
    typer.secho("Error: ", fg="red", bold=True, err=True, nl=False)
    typer.echo(safe_text(message), err=True)
    raise typer.Exit(code)


def refuse(code: str, message: str, status: int, *, as_json: bool, **more: str) -> NoReturn:
    """Ends the command: with the API's error object and `more` on stdout, or the message on
    stderr."""
    if not as_json:
        fail(message, status)
    typer.echo(json.dumps(more | {"error": {"code": code, "message": message}}))
    raise typer.Exit(status) from None


def exit_code(error_code: str) -> int:
    """The exit code for an error of the API."""
    if error_code in _USAGE_CODES:
        return USAGE
    return UNREACHABLE if error_code in _UNREACHABLE_CODES else RUN_FAILED


def say(line: str) -> None:
    """A line on stderr, without anything that a terminal would obey."""
    typer.echo(safe_text(line), err=True)


def tell(line: str) -> None:
    """The same on stdout: whatever a command answers in words."""
    typer.echo(safe_text(line))


def end_like_ctrl_c() -> None:
    """`timeout`, a closing session and a closing terminal end the command like Ctrl-C, so that its
    run is recorded as cancelled. What nohup has it ignore, it ignores."""
    for number in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, lambda *_: signal.raise_signal(signal.SIGINT))


def confirmed(question: str, *, default: bool = False) -> bool:
    """What is answered on the terminal. Typer ends the command, as where nobody answers, at Ctrl-C
    too: here that raises KeyboardInterrupt, as anywhere else."""
    try:
        return typer.confirm(question, default=default, err=True)
    except typer.Abort as error:
        if isinstance(error.__context__, KeyboardInterrupt):
            raise KeyboardInterrupt from None
        raise


def one_line(text: str, width: int) -> str:
    """The text on one line, without anything that a terminal would obey."""
    plain = "".join(letter if letter.isprintable() else " " for letter in text[: 4 * width])
    flat = " ".join(plain.split())
    return flat if len(flat) <= width else flat[: width - 1] + "…"


def safe_text(text: str) -> str:
    """Any text from outside as a terminal may have it: with line ends, tabs and blanks of every
    width, without terminal controls."""
    return "".join(
        letter
        if letter.isprintable() or letter in "\n\t" or category(letter) == "Zs"
        else "\N{REPLACEMENT CHARACTER}"
        for letter in text
    )


@contextmanager
def progress_bar(title: str) -> Iterator[Callable[[int, int], None]]:
    """A bar on stderr for long work, told as (done, of how many). Work that is over within a
    moment shows none, and what is not a terminal gets none."""
    from rich.console import Console
    from rich.progress import Progress

    console = Console(stderr=True)
    with Progress(console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task(title, visible=False)

        def advance(done: int, total: int) -> None:
            bar.update(
                task, completed=done, total=total, visible=(bar.tasks[task].elapsed or 0) > 0.5
            )

        yield advance
