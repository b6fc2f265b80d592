"""Earlier requests and answers → the exchanges that go before a prompt. Pure."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from laios.tested_json import code_alone
from pipeline.analysis.code_extraction import extract_code
from pipeline.errors import BadRequest, EmptyPrompt
from pipeline.exchange import UNKNOWN, Exchange
from pipeline.modes import extract_mode_and_prompt
from pipeline.request import Turn
from pipeline.tokens import estimate

READ_PER_TOKEN = 48  # characters of answers, for each token of the budget: most of it prose
_PROJECT = re.compile(r"^## `[^`\n]+`", re.MULTILINE)  # a file, as `write_markdown` writes it


def _newest(exchanges: Iterable[Exchange], budget: int) -> list[Exchange]:
    """As many of them, which come newest first, as fit into `budget` tokens; oldest first.

    One is taken whole or not at all, and nothing older than one that did not fit: a gap would
    mislead the model.
    """
    fit: list[Exchange] = []
    for exchange in exchanges:
        budget -= estimate(str(exchange))
        if budget < 0:
            break
        fit.append(exchange)
    return fit[::-1]


def exchange_of(record: Mapping[str, Any]) -> Exchange:
    return Exchange(record["normalized_prompt"] or UNKNOWN, code_alone(record)["final_output"])


def of_history(
    records: Sequence[Mapping[str, Any]], budget: int
) -> tuple[list[Exchange], list[str]]:
    """The newest records that fit into `budget` tokens, oldest first, and their ids."""
    fit = _newest(map(exchange_of, records[::-1]), budget)
    return fit, [record["id"] for record in records[len(records) - len(fit) :]]


def of_conversation(turns: Sequence[Turn], budget: int) -> tuple[list[Exchange], int]:
    """The newest exchanges of a chat that fit into `budget` tokens, oldest first; and how many
    there are before them."""
    fit = _newest(_exchanges(turns, budget), budget)
    begins_with_answer = bool(turns) and turns[0].role != "user"
    return fit, sum(turn.role == "user" for turn in turns) + begins_with_answer - len(fit)


def _exchanges(turns: Sequence[Turn], budget: int) -> Iterable[Exchange]:
    """Each request with its answer, newest first. A request that got no answer (the frontend's
    user stopped it) stands with an empty one; some frontends leave out the request of the first
    answer. Ends where more is to be read than can have a place:
    frontends send megabytes, and to parse them all would hold up everybody else."""
    unread = READ_PER_TOKEN * budget
    answers: list[str] = []
    for turn in reversed(turns):
        if turn.role == "user":
            yield Exchange(without_tags(turn.text) or UNKNOWN, "\n".join(reversed(answers)))
            answers = []
            continue
        unread -= len(turn.text)
        if unread < 0:
            return
        answers.append(_code_of(turn.text))
    if answers:
        yield Exchange(UNKNOWN, "\n".join(reversed(answers)))


def _code_of(answer: str) -> str:
    """An answer without its prose. A project's headings are its files' paths, so it stays whole."""
    return answer if _PROJECT.search(answer) else extract_code(answer).text


def without_tags(text: str) -> str:
    """A person's message as its model was shown it; what cannot be read is left as it is."""
    try:
        return extract_mode_and_prompt(text)[1]
    except EmptyPrompt:
        return ""
    except BadRequest:
        return text
