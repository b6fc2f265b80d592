"""`laios judge`: judge given code against a request."""

from pathlib import Path
from typing import Any

import typer

from server.commands import completion, query_commands
from server.terminal.console import RUN_FAILED, USAGE, fail, one_line, tell

LINE = 300  # characters of an issue: a judge says no more in one sentence


def judge(
    file: Path = typer.Argument(metavar="FILE", help="The code to judge; - for stdin."),
    words: list[str] = typer.Argument(None, metavar="REQUEST", help="What it should do."),
    tests: Path = typer.Option(None, "--tests", help="Tests that the code has to pass."),
    language: str = typer.Option(
        None,
        "--language",
        "-l",
        help="Language. Default: from the file's name.",
        autocompletion=completion.languages,
    ),
    session: str = query_commands.SESSION,
    no_log: bool = query_commands.NO_LOG,
    as_json: bool = query_commands.AS_JSON,
    quiet: bool = query_commands.QUIET,
) -> None:
    """Judge existing code: is it right, and what did the checks find?

    Exit status: 0 if the code is valid, 1 if not, with a line for each issue.
    """
    from pipeline.analysis.languages import language_of_ending
    from server.commands.source_option import file_or_exit, read_or_exit

    missing = 'What should the code do? laios judge FILE "…"'
    request = query_commands.words_or_exit(words, missing)
    source = read_or_exit(file)
    if not source.text.strip():
        fail(f"{source.path} is empty: there is nothing to judge.", USAGE)
    asked = {
        "request": request,
        "code": source.text,
        "tests": file_or_exit(tests).text if tests else None,
        "language": language or language_of_ending(file.suffix),
        "session": session,
        "no_log": no_log,
    }
    answer = query_commands.ask_or_exit(asked, "/judge", as_json=as_json, quiet=quiet)
    if not as_json:
        _show(answer)
    if not answer["valid"]:
        raise typer.Exit(RUN_FAILED)


def _show(answer: dict[str, Any]) -> None:
    scores = "not scored"
    if answer["confidence_score"] is not None:
        scores = f"confidence {answer['confidence_score']}, conflict {answer['conflict_score']}"
    word = "valid" if answer["valid"] else "not valid"
    tell(f"{word} ({scores}; quality {answer['quality_score']:.2f})")
    for issue in answer["issues"]:
        tell(f"- {one_line(issue['message'], LINE)}")
