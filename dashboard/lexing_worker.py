"""The process that lexes texts: one request and one answer after the other, until its caller ends.

It is a process because a lexer's single match may take minutes, and nothing but the end of the
process stops it.
"""

import sys
import time
from collections.abc import Iterator
from functools import lru_cache
from multiprocessing.connection import Connection
from typing import Any

import orjson

BUDGET_S = 0.15
"""After so long the rest of a text stays plain: there are texts that no lexer reads quickly."""


def main() -> None:
    """Serves the connection whose file descriptor is the only argument."""
    connection = Connection(int(sys.argv[1]))
    connection.send_bytes(b"")  # ready: what comes now is not the time of starting
    try:
        while True:
            text, lexer = orjson.loads(connection.recv_bytes())
            connection.send_bytes(orjson.dumps(list(tokens(text, lexer))))
    except (EOFError, OSError):
        return


def tokens(text: str, lexer: str) -> Iterator[tuple[str, int]]:
    """The tokens' types (`Name.Function`) and lengths, as far as they are found in time and stand
    one behind the other from the text's beginning."""
    found = _lexer(lexer).get_tokens_unprocessed(text)
    done, until = 0, time.monotonic() + BUDGET_S
    for start, kind, value in found:
        if start != done or time.monotonic() > until:
            return
        yield ".".join(kind), len(value)
        done += len(value)


@lru_cache
def _lexer(name: str) -> Any:
    from pygments.lexers import get_lexer_by_name  # type: ignore[import-untyped]

    return get_lexer_by_name(name, stripnl=False, ensurenl=False)
