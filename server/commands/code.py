"""`laios code`: generate, change, debug or explain code by `POST /code`."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from server.commands import completion, query_commands
from server.terminal.console import RUN_FAILED, USAGE, fail, say
from server.terminal.output import print_text

if TYPE_CHECKING:
    from server.terminal.source_file import SourceFile

# What is meant where nothing is said.
INSTRUCTIONS = {
    "debug": "Find the fault in this code and put it right.",
    "refactor": "Improve the structure and readability of this code; it must do the same.",
    "analyze": "Analyze this code: complexity, faults, risks and missing checks.",
    "test": "Write tests for this code: ordinary cases, edge cases and errors.",
    "explain": "Document this code for a reader who does not know it.",
    "optimize": "Make this code faster; it must give the same results.",
}
TYPES = ("generate", *INSTRUCTIONS)
IN_PLACE = ("debug", "refactor", "analyze", "explain", "optimize")


def code(
    words: list[str] = typer.Argument(
        None, metavar="INSTRUCTION", help="What the code has to do, or what is wrong with it."
    ),
    request_type: str = typer.Option(
        "generate",
        "--type",
        "-t",
        help=", ".join(TYPES) + ".",
        autocompletion=completion.offer(lambda: TYPES),
    ),
    language: list[str] = typer.Option(
        None,
        "--language",
        "-l",
        help="Language. Default: from the file's name. May be repeated.",
        autocompletion=completion.languages,
    ),
    file: Path = typer.Option(None, "--file", "-f", help="The code in question. Default: stdin."),
    tests: Path = typer.Option(None, "--tests", help="Tests that the code has to pass."),
    constraint: list[str] = typer.Option(
        None, "--constraint", "-c", help="A rule that the code has to follow. May be repeated."
    ),
    language_version: str = typer.Option(None, "--language-version", help="Such as 3.11."),
    framework: str = typer.Option(None, "--framework", help="Such as FastAPI."),
    min_confidence: float = typer.Option(
        None, "--min-confidence", help="Try again until the confidence is this high (0 to 1)."
    ),
    max_attempts: int = typer.Option(
        None, "--max-attempts", help="Maximum number of drafts (1 to 5)."
    ),
    session: str = typer.Option(
        None, "--session", "-s", help="Session whose earlier runs come before the request."
    ),
    write: bool = typer.Option(
        False, "--write", "-w", help="Show the change, ask, and write it into the file."
    ),
    output: Path = typer.Option(
        None, "--output", "-o", help="Write into this file instead, with --write."
    ),
    yes: bool = typer.Option(False, "--yes", "-y", help="Write without asking."),
    no_log: bool = query_commands.NO_LOG,
    as_json: bool = query_commands.AS_JSON,
    quiet: bool = query_commands.QUIET,
) -> None:
    """Write, debug, refactor, analyze, test, explain or optimize code, and rate the result."""
    from server.commands.source_option import file_or_exit

    if output and not write:
        fail("--output names the file for --write; to see the code alone, leave it out.", USAGE)
    source = _source(file, request_type)
    target = _target(request_type, source, file, output) if write else None
    asked: dict[str, Any] = {
        "request_type": request_type,
        "instruction": " ".join(words or ()).strip() or INSTRUCTIONS.get(request_type, ""),
        "code": source.text if source else None,
        "tests": file_or_exit(tests).text if tests else None,
        "constraints": constraint or [],
        "language_version": language_version,
        "framework": framework,
        "min_confidence": min_confidence,
        "max_attempts": max_attempts,
        "session": session,
        "no_log": no_log,
    }
    if not asked["instruction"] and request_type in TYPES:
        fail('What should the code do? laios code -l python "a function that …"', USAGE)
    languages = language or _language_of(file or output)
    if not languages:
        fail("In which language? Add it: -l python", USAGE)
    several = len(languages) > 1
    asked |= {"languages": languages} if several else {"language": languages[0]}
    if target and several:
        fail("--write writes code in one language.", USAGE)
    if write and not (yes or sys.stdin.isatty()):
        fail("Cannot ask without a terminal: add --yes to write it.", USAGE)
    answer = query_commands.ask_or_exit(asked, "/code", as_json=as_json, quiet=quiet)
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
    from server.commands.source_option import file_or_exit, stdin_or_exit

    if file:
        return file_or_exit(file)
    if request_type == "generate" or sys.stdin.isatty():
        return None
    source = stdin_or_exit()
    return source if source.text.strip() else None


def _target(
    request_type: str, source: "SourceFile | None", file: Path | None, output: Path | None
) -> "SourceFile":
    """The file to write: named by --output, else the one that the code came from."""
    from server.commands.source_option import file_or_exit
    from server.terminal.source_file import SourceFile

    if output:
        try:
            is_there = output.exists()
        except OSError as error:
            fail(f"{output} cannot be written: {error.strerror}.", USAGE)
        return file_or_exit(output) if is_there else SourceFile(output, "", "")
    if not (file and source) or request_type not in IN_PLACE:
        fail(f"Say where the code of `{request_type}` goes: --write --output FILE", USAGE)
    return source


def _language_of(path: Path | None) -> list[str]:
    from pipeline.analysis.languages import LANGUAGES, language_of_ending

    found = language_of_ending(path.suffix, LANGUAGES.values()) if path else None
    return [found] if found else []


# --- the answer ----------------------------------------------------------------------------------

BANDS = ((0.95, "very high"), (0.85, "high"), (0.7, "medium"), (0.5, "low"), (0.0, "very low"))


def _show(answer: dict[str, Any], *, to_stdout: bool) -> None:
    """The code on stdout, what is known of it on stderr. Without success there is nothing that a
    pipe should get."""
    if to_stdout and answer["success"]:
        print_text(answer["code"])
    confidence, facts = answer["confidence"], answer["metadata"]
    band = next(name for least, name in BANDS if confidence >= least)
    if not answer["success"]:
        say("It failed.")
    say(
        f"confidence {confidence:.2f} ({band}), {facts['tokens_used']:,} tokens, "
        f"{facts['duration_ms'] / 1000:.1f} s, {facts['model']}"
    )
    say(answer["explanation"])
    query_commands.say_warnings(answer)
    if to_stdout and answer.get("tests", answer["code"]) != answer["code"]:
        say(f"\nTests:\n{answer['tests']}")


def _show_all(answer: dict[str, Any], *, as_json: bool) -> None:
    """The best answer's code on stdout, each one's worth on stderr, or why there is none."""
    for language, each in answer["results"].items():
        worth = f"{each['confidence']:.2f}" if each["success"] else _failure(each)
        say(f"{language}: {worth}{' (best)' if language == answer['best'] else ''}")
    if answer["best"] is None:
        raise typer.Exit(RUN_FAILED)
    _show(answer["results"][answer["best"]], to_stdout=not as_json)


def _failure(answer: dict[str, Any]) -> str:
    why = [answer["explanation"], *(f"- {warning}" for warning in answer["warnings"])]
    return "\n  ".join(["failed", *why])


def _write(target: "SourceFile", new: str, *, yes: bool) -> None:
    from server.commands.source_option import write_or_exit

    diff = target.diff(new)
    if not diff:
        say(f"{target.path} already has this text.")
        return
    say(diff)
    write_or_exit(target, new, ask=not yes)
