"""`laios plan`: plan a program and write it step by step from the indexed documentation."""

from pathlib import Path

import typer

from server.commands import query_commands

MISSING = 'What should the program do? laios plan "a program that …"'


def plan(
    words: list[str] = typer.Argument(None, metavar="REQUEST", help="Default: stdin."),
    data: list[Path] = query_commands.DATA,
    session: str = query_commands.SESSION,
    no_log: bool = query_commands.NO_LOG,
    as_json: bool = query_commands.AS_JSON,
    quiet: bool = query_commands.QUIET,
) -> None:
    """Plan a program and write it step by step, using the indexed documentation (laios docs).

    The code goes to stdout, the plan and its sources to stderr.
    """
    asked = {
        "query": query_commands.words_or_exit(words, MISSING, or_stdin=True),
        "type": "plan",
        "data_files": query_commands.given_files(data),
        "session": session,
        "no_log": no_log,
    }
    query_commands.ask_and_show(asked, as_json=as_json, quiet=quiet)
