"""`laios code`: the structured coder on the command line."""

import json
import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import typer

from server.commands.common import (
    RUN_FAILED,
    UNREACHABLE,
    USAGE,
    exit_code,
    fail,
    safe_text,
    say,
    settings_or_exit,
)

if TYPE_CHECKING:
    from server.source_file import SourceFile

TYPES = ("generate", "debug", "refactor", "analyze", "test", "explain", "optimize")
IN_PLACE = ("debug", "refactor", "analyze", "explain", "optimize")
# What is meant where nothing is said.
INSTRUCTIONS = {
    "debug": "Find the fault in this code and put it right.",
    "refactor": "Improve the structure and readability of this code; it must do the same.",
    "analyze": "Analyze this code: complexity, faults, risks and missing checks.",
    "test": "Write tests for this code: ordinary cases, edge cases and errors.",
    "explain": "Document this code for a reader who does not know it.",
    "optimize": "Make this code faster; it must give the same results.",
}


def _types(incomplete: str) -> list[str]:
    return [name for name in TYPES if name.startswith(incomplete)]


def code(
    words: list[str] = typer.Argument(
        None, metavar="[INSTRUCTION]", help="What the code has to do, or what is wrong with it."
    ),
    request_type: str = typer.Option(
        "generate", "--type", "-t", help=", ".join(TYPES) + ".", autocompletion=_types
    ),
    language: list[str] = typer.Option(
        None, "--language", "-l", help="Language; none: as the file's name says. May be repeated."
    ),
    file: Path = typer.Option(None, "--file", "-f", help="The code in question; none: stdin."),
    tests: Path = typer.Option(None, "--tests", help="Tests that the code has to pass."),
    constraint: list[str] = typer.Option(
        None, "--constraint", "-c", help="A rule that the code has to keep. May be repeated."
    ),
    language_version: str = typer.Option(None, "--language-version", help="As 3.11."),
    framework: str = typer.Option(None, "--framework", help="As FastAPI."),
    min_confidence: float = typer.Option(
        None, "--min-confidence", help="Try again until the confidence is this high (0 to 1)."
    ),
    max_attempts: int = typer.Option(None, "--max-attempts", help="Drafts at most (1 to 5)."),
    session: str = typer.Option(None, "--session", "-s", help="Whose earlier runs come first."),
    write: bool = typer.Option(
        False, "--write", "-w", help="Show the change, ask, and write it into the file."
    ),
    output: Path = typer.Option(None, "--output", "-o", help="Another file for --write."),
    yes: bool = typer.Option(False, "--yes", "-y", help="Write without asking."),
    no_log: bool = typer.Option(False, "--no-log", help="Keep no texts in the history."),
    as_json: bool = typer.Option(False, "--json", help="Print the whole answer as JSON."),
    quiet: bool = typer.Option(False, "--quiet", "-q", help="Show no progress."),
) -> None:
    """Write, debug, refactor, analyze, test, explain or optimize code, with what is known of it."""
    if output and not write:
        fail("--output names the file for --write; to see the code alone, leave it out.", USAGE)
    source = _source(file, request_type)
    target = _target(request_type, source, file, output) if write else None
    asked: dict[str, Any] = {
        "request_type": request_type,
        "instruction": " ".join(words or ()) or INSTRUCTIONS.get(request_type, ""),
        "code": source.text if source else None,
        "tests": _read(tests).text if tests else None,
        "constraints": constraint or [],
        "language_version": language_version,
        "framework": framework,
        "min_confidence": min_confidence,
        "max_attempts": max_attempts,
        "session": session,
        "no_log": no_log,
    }
    languages = language or _language_of(file or output)
    asked |= {"languages": languages} if len(languages) > 1 else {}
    asked |= {"language": languages[0]} if len(languages) == 1 else {}
    if target and len(languages) > 1:
        fail("--write writes code in one language.", USAGE)
    if write and not (yes or sys.stdin.isatty()):
        fail("Nobody is there to be asked: add --yes to write it.", USAGE)
    answer = _answer(asked, as_json=as_json, quiet=quiet)
    if as_json:
        typer.echo(json.dumps(answer))
    if "results" in answer:
        _show_all(answer, as_json=as_json)
    else:
        _show(answer, to_stdout=not (as_json or write))
        if not answer["success"]:
            raise typer.Exit(RUN_FAILED)
        if target:
            _write(target, answer["code"], yes=yes)


# --- what is asked -------------------------------------------------------------------------------


def _source(file: Path | None, request_type: str) -> "SourceFile | None":
    """The code in question: of the file, else from stdin where something comes from there."""
    from server.source_file import SourceFile

    if file:
        return _read(file)
    if request_type == "generate" or sys.stdin.isatty():
        return None
    text = sys.stdin.buffer.read()
    try:
        return SourceFile.of(Path("stdin"), text) if text.strip() else None
    except UnicodeDecodeError:
        fail("The code on stdin is not UTF-8 text.", USAGE)


def _read(path: Path) -> "SourceFile":
    from server.source_file import SourceFile

    try:
        return SourceFile.of(path, path.read_bytes())
    except OSError as error:
        fail(f"{path} cannot be read: {error.strerror}.", USAGE)
    except UnicodeDecodeError:
        fail(f"{path} is not UTF-8 text.", USAGE)


def _target(
    request_type: str, source: "SourceFile | None", file: Path | None, output: Path | None
) -> "SourceFile":
    """The file to write: named by --output, else the one that the code came from."""
    from server.source_file import SourceFile

    if output:
        try:
            is_there = output.exists()
        except OSError as error:
            fail(f"{safe_text(str(output))} cannot be written: {error.strerror}.", USAGE)
        return _read(output) if is_there else SourceFile(output, "", "")
    if not (file and source) or request_type not in IN_PLACE:
        fail(f"Say where the code of `{request_type}` goes: --write --output FILE", USAGE)
    return source


def _language_of(path: Path | None) -> list[str]:
    from server.source_file import EXTENSIONS

    found = EXTENSIONS.get(path.suffix.lower()) if path else None
    return [found] if found else []


# --- the run -------------------------------------------------------------------------------------


def _answer(asked: dict[str, Any], *, as_json: bool, quiet: bool) -> dict[str, Any]:
    """On the daemon if it is there, else in this process."""
    import asyncio

    settings = settings_or_exit()
    from pipeline.errors import LaiosError
    from pipeline.request import new_id
    from server.client import Refused, Unreachable
    from server.code_client import ask
    from server.progress import Progress

    signal.signal(signal.SIGTERM, lambda *_: signal.raise_signal(signal.SIGINT))
    try:
        with Progress(enabled=sys.stderr.isatty() and not quiet) as progress:
            return asyncio.run(ask(settings, asked, new_id(), progress))
    except Unreachable as error:
        _failed("model_unreachable", str(error), as_json)
    except (Refused, LaiosError) as error:
        _failed(error.code, str(error), as_json)
    except KeyboardInterrupt:
        say("Cancelled.")
        raise typer.Exit(130) from None


def _failed(code: str, message: str, as_json: bool) -> NoReturn:
    status = UNREACHABLE if code == "model_unreachable" else exit_code(code)
    if as_json:
        typer.echo(json.dumps({"error": {"code": code, "message": message}}))
        raise typer.Exit(status) from None
    fail(message, status)


# --- the answer ----------------------------------------------------------------------------------

BANDS = ((0.95, "very high"), (0.85, "high"), (0.7, "medium"), (0.5, "low"), (0.0, "very low"))


def _show(answer: dict[str, Any], *, to_stdout: bool) -> None:
    """The code on stdout, what is known of it on stderr. Without success there is nothing that a
    pipe should get."""
    if to_stdout and answer["success"]:
        text = safe_text(answer["code"]) if sys.stdout.isatty() else answer["code"]
        typer.echo(text.encode("utf-8", "replace"), nl=not text.endswith("\n"))
    confidence, facts = answer["confidence"], answer["metadata"]
    band = next(name for least, name in BANDS if confidence >= least)
    if not answer["success"]:
        say("It did not work.")
    say(
        f"confidence {confidence:.2f} ({band}), {facts['tokens_used']:,} tokens, "
        f"{facts['duration_ms'] / 1000:.1f} s, {facts['model']}"
    )
    say(safe_text(answer["explanation"]))
    for warning in answer["warnings"]:
        say(safe_text(f"- {warning}"))
    if to_stdout and answer.get("tests", answer["code"]) != answer["code"]:
        say(f"\nTests:\n{safe_text(answer['tests'])}")


def _show_all(answer: dict[str, Any], *, as_json: bool) -> None:
    """The best answer's code on stdout, each one's worth on stderr."""
    for language, each in answer["results"].items():
        worth = f"{each['confidence']:.2f}" if each["success"] else "did not work"
        say(f"{language}: {worth}{' (best)' if language == answer['best'] else ''}")
    if answer["best"] is None:
        raise typer.Exit(RUN_FAILED)
    _show(answer["results"][answer["best"]], to_stdout=not as_json)


def _write(target: "SourceFile", new: str, *, yes: bool) -> None:
    from server.connect.edit import EditError

    diff = target.diff(new)
    if not diff:
        say(f"{target.path} has this text already.")
        return
    say(safe_text(diff))
    if not yes:
        typer.confirm(f"Write {target.path}?", abort=True, err=True)
    try:
        target.replace(new)
    except EditError as error:
        fail(f"{target.path} was left as it is: {error}.", RUN_FAILED)
    say(f"Written: {target.path}")
