"""`laios ask`: ask about an API, a concept, data or code, with citations of the indexed
documentation."""

from pathlib import Path

import typer

from server.commands import completion, query_commands

TYPES = ("api", "explanation", "data_to_code", "code_to_data", "enrich")
EXPLAIN = "Explain this code."
MISSING = 'What is the question? laios ask "what does … do?"'


def ask(
    words: list[str] = typer.Argument(None, metavar="QUESTION", help="Default: stdin."),
    kind: str = typer.Option(
        None,
        "--type",
        "-t",
        help=f"{', '.join(TYPES)}; default: as the question suggests.",
        autocompletion=completion.offer(lambda: TYPES),
    ),
    code: Path = typer.Option(None, "--code", "-c", help="Code that the question is about."),
    data: list[Path] = query_commands.DATA,
    session: str = query_commands.SESSION,
    no_log: bool = query_commands.NO_LOG,
    as_json: bool = query_commands.AS_JSON,
    quiet: bool = query_commands.QUIET,
) -> None:
    """Ask about an API, a concept, data or code; answers cite indexed docs (laios docs).

    With --code and no question, it explains the code.
    """
    from server.commands.source_option import read_or_exit

    source = read_or_exit(code) if code else None
    if source and not "".join(words or ()).strip():
        words, kind = [EXPLAIN], kind or "enrich"
    asked = {
        "query": query_commands.words_or_exit(words, MISSING, or_stdin=True),
        "type": kind or "ask",
        "code": source.text if source else None,
        "data_files": query_commands.given_files(data),
        "session": session,
        "no_log": no_log,
    }
    query_commands.ask_and_show(asked, as_json=as_json, quiet=quiet)
