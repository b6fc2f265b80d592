"""`laios plan`"""

from pathlib import Path

import typer

from server.commands import querying


def plan(
    words: list[str] = typer.Argument(None, metavar="[REQUEST]", help="None: from stdin."),
    data: list[Path] = querying.DATA,
    session: str = querying.SESSION,
    no_log: bool = querying.NO_LOG,
    as_json: bool = querying.AS_JSON,
    quiet: bool = querying.QUIET,
) -> None:
    """Plan a program and write it step by step, from the indexed documentation (laios docs).

    The code goes to stdout, the plan and its sources to stderr.
    """
    asked = {
        "query": querying.words_or_exit(words, 'laios plan "a program that …"'),
        "type": "plan",
        "data_files": querying.given_files(data),
        "session": session,
        "no_log": no_log,
    }
    querying.show(querying.answer_or_exit(asked, as_json=as_json, quiet=quiet), as_json=as_json)
