"""`laios ask`"""

from pathlib import Path

import typer

from server.commands import querying

TYPES = ("api", "explanation", "data_to_code", "code_to_data", "enrich")
EXPLAIN = "Explain this code."


def _types(incomplete: str) -> list[str]:
    return [name for name in TYPES if name.startswith(incomplete)]


def ask(
    words: list[str] = typer.Argument(None, metavar="[QUESTION]", help="None: from stdin."),
    kind: str = typer.Option(
        None,
        "--type",
        "-t",
        help=f"{', '.join(TYPES)}; none: as the question says.",
        autocompletion=_types,
    ),
    code: Path = typer.Option(None, "--code", "-c", help="Code that the question is about."),
    data: list[Path] = querying.DATA,
    session: str = querying.SESSION,
    no_log: bool = querying.NO_LOG,
    as_json: bool = querying.AS_JSON,
    quiet: bool = querying.QUIET,
) -> None:
    """Ask about an API, a concept, data or code; the indexed documentation is cited (laios docs).

    With --code and no question, the code is explained.
    """
    from server.commands.source import read_or_exit

    source = read_or_exit(code) if code else None
    if source and not words:
        words, kind = [EXPLAIN], kind or "enrich"
    asked = {
        "query": querying.words_or_exit(words, 'laios ask "what does … do?"'),
        "type": kind or "ask",
        "code": source.text if source else None,
        "data_files": querying.given_files(data),
        "session": session,
        "no_log": no_log,
    }
    querying.show(querying.answer_or_exit(asked, as_json=as_json, quiet=quiet), as_json=as_json)
