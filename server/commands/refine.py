"""`laios refine`"""

import sys
from pathlib import Path

import typer

from server.commands import querying
from server.commands.common import RUN_FAILED, USAGE, fail, safe_text, say


def refine(
    file: Path = typer.Argument(help="The code to change; - for stdin."),
    words: list[str] = typer.Argument(None, metavar="CHANGE", help="What to change."),
    write: bool = typer.Option(
        False, "--write", "-w", help="Write the change into the file; a terminal is asked first."
    ),
    yes: bool = typer.Option(False, "--yes", "-y", help="Write without asking."),
    session: str = querying.SESSION,
    no_log: bool = querying.NO_LOG,
    as_json: bool = querying.AS_JSON,
    quiet: bool = querying.QUIET,
) -> None:
    """Change code as far as is asked and no further; shows the difference.

    The new code goes to stdout, or with --write into the file.
    """
    from server.answer_text import refined_text
    from server.commands.source import STDIN, read_or_exit, write_or_exit

    if write and file == STDIN:
        fail("There is no file to write: the code comes from stdin.", USAGE)
    if not words:
        fail('What is to be changed? laios refine FILE "…"', USAGE)
    source = read_or_exit(file)
    if not source.text.strip():
        name = "stdin" if file == STDIN else file
        fail(f"{name} is empty. New code is written by `laios code` or `laios plan`.", USAGE)
    asked = {
        "query": querying.words_or_exit(words, ""),
        "type": "refine",
        "code": source.text,
        "session": session,
        "no_log": no_log,
    }
    answer = querying.answer_or_exit(asked, as_json=as_json, quiet=quiet)
    diff = source.diff(answer["code"])
    said = (diff or "Nothing was changed.", refined_text(answer))
    say(safe_text("\n\n".join(filter(None, said))) + "\n")
    say(f"confidence: {answer['confidence']}")
    querying.say_warnings(answer)
    if write and diff:
        asking = sys.stdin.isatty() and not yes
        if answer["confidence"] == "low" and not (asking or yes):
            fail(f"{file} was left as it is, for that. --yes writes it all the same.", RUN_FAILED)
        write_or_exit(source, answer["code"], ask=asking)
    elif not (write or as_json):
        querying.print_text(answer["code"])
