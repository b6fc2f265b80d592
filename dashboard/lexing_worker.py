"""The process that lexes texts: one request and one answer after the other, until its caller ends.

It is a process because a lexer's single match may take minutes, and nothing but the end of the
process stops it.
"""

import time
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import orjson

from laios.answering_process import answer_questions

BUDGET_S = 0.15
"""After so long the rest of a text stays plain: there are texts that no lexer reads quickly."""
MOST_S = 0.5  # of processor time: no token of an honest text takes so long


def main() -> None:
    answer_questions(_answer, MOST_S)


def _answer(question: bytes) -> bytes:
    text, lexer = orjson.loads(question)
    return orjson.dumps(list(tokens(text, lexer)))


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
