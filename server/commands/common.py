"""What the commands share: settings, exits, words on stderr."""

from typing import TYPE_CHECKING, Any, NoReturn

import typer

if TYPE_CHECKING:
    from config import Settings

RUN_FAILED, USAGE, UNREACHABLE = 1, 2, 3

_USAGE_CODES = {
    "bad_request",
    "empty_prompt",
    "unknown_tag",
    "conflicting_tags",
    "unknown_mode",
    "payload_too_large",
}
_UNREACHABLE_CODES = {"model_unreachable", "unauthorized", "forbidden_host", "busy"}


def settings_or_exit(**options: Any) -> "Settings":
    """The settings in force, or exit 2 with what is wrong with them."""
    from config import ConfigError, load_settings

    try:
        return load_settings(**options)
    except ConfigError as error:
        fail(str(error), USAGE)


def fail(message: str, code: int) -> NoReturn:
    """Ends the command with a message on stderr."""
    typer.secho("Error: ", fg="red", bold=True, err=True, nl=False)
    typer.echo(message, err=True)
    raise typer.Exit(code)


def exit_code(error_code: str) -> int:
    """The exit code for an error of the API."""
    if error_code in _USAGE_CODES:
        return USAGE
    return UNREACHABLE if error_code in _UNREACHABLE_CODES else RUN_FAILED


def say(line: str) -> None:
    typer.echo(line, err=True)
