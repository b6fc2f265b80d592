"""`laios refine`: change given code as far as is asked, and show the difference."""

import sys
from pathlib import Path

import typer

from server.commands import query_commands
from server.terminal.console import RUN_FAILED, USAGE, fail, say
from server.terminal.output import print_text


def refine(
    file: Path = typer.Argument(metavar="FILE", help="The code to change; - for stdin."),
    words: list[str] = typer.Argument(None, metavar="CHANGE", help="What to change."),
    write: bool = typer.Option(
        False, "--write", "-w", help="Write the change into the file; in a terminal it asks first."
    ),
    yes: bool = typer.Option(False, "--yes", "-y", help="Write without asking."),
    session: str = query_commands.SESSION,
    no_log: bool = query_commands.NO_LOG,
    as_json: bool = query_commands.AS_JSON,
    quiet: bool = query_commands.QUIET,
) -> None:
    """Make only the change you ask for, and show the diff.

    The new code goes to stdout, or with --write into the file.
    """
    from server.commands.source_option import STDIN, read_or_exit, write_or_exit
    from server.terminal.answer_text import refined_text

    if write and file == STDIN:
        fail("There is no file to write: the code comes from stdin.", USAGE)
    change = query_commands.words_or_exit(words, 'What should change? laios refine FILE "…"')
    source = read_or_exit(file)
    if not source.text.strip():
        fail(f"{source.path} is empty. New code is written by `laios code` or `laios plan`.", USAGE)
    asked = {
        "query": change,
        "type": "refine",
        "code": source.text,
        "session": session,
        "no_log": no_log,
    }
    answer = query_commands.ask_or_exit(asked, as_json=as_json, quiet=quiet)
    diff = source.diff(answer["code"])
    said = (diff or "Nothing was changed.", refined_text(answer))
    say("\n\n".join(filter(None, said)) + "\n")
    say(f"confidence: {answer['confidence']}")
    query_commands.say_warnings(answer)
    if write and diff:
        asking = sys.stdin.isatty() and not yes
        if answer["confidence"] == "low" and not (asking or yes):
            fail(f"{file} was left as it is because of that. --yes writes it anyway.", RUN_FAILED)
        write_or_exit(source, answer["code"], ask=asking)
    elif not (write or as_json):
        print_text(answer["code"])
