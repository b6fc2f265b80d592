"""Episodic memory: earlier solved requests that resemble a new one, as examples for the coder.

What has been is asked of whoever keeps it (`Past`); here it is decided what resembles the request
closely enough, and what fits into the budget.
"""

import asyncio
import logging
import math
import threading
import time
from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, Protocol

from laios.tested_json import code_alone
from pipeline.analysis.evidence import language_of
from pipeline.analysis.languages import normal_language
from pipeline.analysis.python_syntax import is_python
from pipeline.analysis.similarity import Vector, alike, cosine, words_of
from pipeline.confirmation import confirmed
from pipeline.exchange import Exchange
from pipeline.history_context import exchange_of
from pipeline.tokens import estimate

CANDIDATES = 50  # looked at; of them few are near enough
ALIKE = 0.5  # of the words in two requests, counted twice where they are in both
HALF_LIFE_S = 90 * 86400.0  # what was right then may be another version's now
WAIT_S = 2.0  # a history that is not indexed yet is not waited for
MEANT_ALIKE = 0.75  # the cosine of two vectors; models differ in what they call near
log = logging.getLogger("laios.memory")

Record = Mapping[str, Any]
Embed = Callable[[Sequence[str]], Awaitable[Sequence[Vector] | None]]
"""Texts → vectors of length 1; None where there is no model for it."""


class Past(Protocol):
    """Where earlier runs are found."""

    def resembling(
        self, beginnings: Collection[str], *, session: str | None, limit: int
    ) -> Sequence[Record]:
        """Records of runs that did not fail and that somebody judged, whose texts have words with
        these beginnings; those of the session first, then the most alike. Without beginnings: any,
        the newest. Reads files."""
        ...


class Memory:
    """Finds by words alone, or by meaning as well where `embed` has a model."""

    def __init__(self, past: Past, embed: Embed | None = None) -> None:
        self._past = past
        self._embed = embed
        self._turn = threading.Lock()

    async def recall(
        self, request: str, *, language: str | None, session: str | None, most: int, budget: int
    ) -> tuple[list[Exchange], list[str]]:
        """Up to `most` solved requests in the same language that fit into `budget` tokens, the
        best last, and their records' ids; the session's own come before others, then those that
        are alike, trusted and young. Nothing where the history cannot be asked in time."""
        if not (most and budget > 0):
            return [], []
        try:
            found = await self._near(request, language, session)
        except TimeoutError:
            log.info("the history is not indexed yet: nothing is remembered")
            return [], []
        except Exception:
            log.exception("memory broke")
            return [], []
        now = time.time()
        near = [
            (record.get("session") == session, score * _worth(record, now), record)
            for record, score in found
        ]
        near.sort(key=lambda each: each[:2], reverse=True)
        return _within(_apart(record for *_, record in near), most, budget)

    async def _near(
        self, request: str, language: str | None, session: str | None
    ) -> list[tuple[Record, float]]:
        """Records that resemble the request, with how much."""
        wanted = words_of(request)
        own = await self._embed([request]) if self._embed else None
        records: dict[str, Record] = {}
        for beginnings in (wanted, ()) if own else (wanted,):
            if beginnings or own:
                found = map(code_alone, await self._found(beginnings, session))
                records |= {each["id"]: each for each in found if _speaks(each, language)}
        kept = [record for record in records.values() if confirmed(record)]
        scores = [alike(wanted, words_of(record["normalized_prompt"])) for record in kept]
        near = {n: score for n, score in enumerate(scores) if score >= ALIKE}
        if self._embed and own:
            vectors = await self._embed([record["normalized_prompt"] for record in kept])
            for n, vector in enumerate(vectors or ()):
                if (meant := cosine(own[0], vector)) >= MEANT_ALIKE:
                    near[n] = max(near.get(n, 0.0), meant)
        return [(kept[n], score) for n, score in near.items()]

    async def _found(self, beginnings: Collection[str], session: str | None) -> Sequence[Record]:
        async with asyncio.timeout(WAIT_S):
            return await asyncio.to_thread(self._ask, beginnings, session)

    def _ask(self, beginnings: Collection[str], session: str | None) -> Sequence[Record]:
        """One at a time: while a long history is taken in for the first time, no threads pile up
        that wait for it."""
        if not self._turn.acquire(timeout=WAIT_S):
            raise TimeoutError
        try:
            return self._past.resembling(beginnings, session=session, limit=CANDIDATES)
        finally:
            self._turn.release()


def _worth(record: Record, now: float) -> float:
    """How far a solved request can be trusted, half as much after HALF_LIFE_S."""
    try:
        made = datetime.fromisoformat(record["ts"]).timestamp()
    except (KeyError, TypeError, ValueError, OverflowError):
        made = 0.0
    age: float = max(0.0, now - made)
    return confirmed(record) * math.pow(2, -age / HALF_LIFE_S)


def _speaks(record: Record, language: str | None) -> bool:
    """Whether the record's code is in the language. Records without texts (`no_log`) are of no
    use."""
    prompt, output = record.get("normalized_prompt"), record.get("final_output")
    if not (isinstance(prompt, str) and isinstance(output, str) and output.strip()):
        return False
    spoken = record["language"] if "language" in record else _guessed(record)
    if not isinstance(spoken, str):
        spoken = None
    if spoken is None and language == "python":
        return is_python(output)
    return language is None or normal_language(spoken) == normal_language(language)


def _guessed(record: Record) -> str | None:
    """The language of a record that was written before there was a key for it."""
    artefact = record.get("artefact")
    asked = artefact.get("request") if isinstance(artefact, dict) else None
    own = asked.get("language") if isinstance(asked, dict) else None
    return own or language_of(record["final_output"], None, record["normalized_prompt"])


def _apart(records: Iterable[Record]) -> Iterable[Record]:
    """Without those that say what an earlier one says already."""
    first: dict[str, Record] = {}
    for record in records:
        first.setdefault(record["final_output"].strip(), record)
    return first.values()


def _within(records: Iterable[Record], most: int, budget: int) -> tuple[list[Exchange], list[str]]:
    """Whole records alone, the best one last: next to the request."""
    found: list[Exchange] = []
    ids: list[str] = []
    for record in records:
        exchange = exchange_of(record)
        cost = estimate(str(exchange))
        if len(found) < most and cost <= budget:
            budget -= cost
            found.append(exchange)
            ids.append(record["id"])
    return found[::-1], ids[::-1]
