"""What `laios ask`, `plan` and `refine` share, in part with `code` and `judge`: options, the
question, its run, and showing the answer."""

import os
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import typer

from server.terminal.console import USAGE, fail, say, settings_or_exit
from server.terminal.output import print_json, print_text

SESSION = typer.Option(None, "--session", "-s", help="The session that the run belongs to.")
NO_LOG = typer.Option(False, "--no-log", help="Keep no texts in the history.")
AS_JSON = typer.Option(False, "--json", help="Print the whole answer as JSON.")
DATA = typer.Option(
    None, "--data", "-d", help="A data file; the model sees its beginning. May be repeated."
)
QUIET = typer.Option(False, "--quiet", "-q", help="Show no progress.")

HEAD_BYTES = 4000  # of a data file; few are text that needs more to be understood


def words_or_exit(words: list[str] | None, missing: str, *, or_stdin: bool = False) -> str:
    """What the words say, or stdin without any; `missing` asks for it where neither says a
    thing."""
    text = os.fsencode(" ".join(words or ()))
    if or_stdin and not (text.strip() or sys.stdin.isatty()):
        text = sys.stdin.buffer.read()
    if not text.strip():
        fail(missing, USAGE)
    try:
        return text.decode("utf-8").strip()
    except UnicodeDecodeError:
        fail("The request is not UTF-8 text.", USAGE)


def ask_or_exit(
    asked: dict[str, Any], path: str = "/query", *, as_json: bool, quiet: bool
) -> dict[str, Any]:
    """What a POST to this path answers: of the daemon if it is there, else of this process.
    `as_json` prints it at once."""
    settings = settings_or_exit(as_json=as_json)
    from pipeline.request import new_id
    from server.terminal.plan_progress import PlanProgress
    from server.terminal.request_client import answer_or_exit

    progress = PlanProgress(enabled=sys.stderr.isatty() and not quiet)
    answer = answer_or_exit(settings, path, asked, new_id(), progress, as_json=as_json)
    if as_json:
        print_json(answer)
    return answer


def given_files(paths: Iterable[Path] | None) -> list[dict[str, str]]:
    """The files by their names, with their heads where they are text."""
    return [{"name": _name(path), "head": _head(path)} for path in paths or ()]


def _name(path: Path) -> str:
    return os.fsencode(path).decode("utf-8", "replace")


def _head(path: Path) -> str:
    try:
        with path.open("rb") as file:
            beginning = file.read(HEAD_BYTES)
    except OSError as error:
        fail(f"{path} cannot be read: {error.strerror}.", USAGE)
    return "" if b"\0" in beginning else beginning.decode("utf-8", "ignore")


def ask_and_show(asked: dict[str, Any], *, as_json: bool, quiet: bool) -> None:
    """An answer's text with its sources on stdout. Of a plan the code alone, so that it can be
    piped, and the rest on stderr, as what is wrong always is."""
    from server.terminal.answer_text import answer_text, plan_text

    answer = ask_or_exit(asked, as_json=as_json, quiet=quiet)
    is_plan = "final_code" in answer
    if is_plan:
        say(f"{plan_text(answer)}\n")
    if not as_json:
        print_text(answer["final_code"]["complete"] if is_plan else answer_text(answer))
    if not is_plan:
        say(f"confidence: {answer['confidence']}")
    say_warnings(answer)


def say_warnings(answer: Mapping[str, Any]) -> None:
    for warning in answer.get("warnings") or ():
        say(f"- {warning}")
