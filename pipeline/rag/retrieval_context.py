"""The documentation of one run: the chunks that models were offered, their numbers, and which of
them they may cite."""

import asyncio
import logging
import sys
from collections.abc import Awaitable, Callable, Collection, Iterable, Sequence
from pathlib import Path
from typing import Any, TypeVar

from laios.types.answers import DataFile
from laios.types.generation import DocumentationChunk
from laios.types.schema import Citation
from pipeline.retriever import InventedName, KnownFile, Passage, Retriever
from pipeline.run import Run
from pipeline.tokens import estimate

# As few as answer a question: a small model on two cores reads 75 tokens a second.
DOCUMENTATION_TOKENS = 1200  # of a prompt, at most
INSTRUCTION_TOKENS = 1024  # of the instructions behind which it stands
MOST = 4  # chunks in a prompt
MAX_QUERY = 2000  # characters; what is looked up is a few words
_SHOWN = 300
# As models write it, too: a list that should be empty.
_STANDARD = {name.lower() for name in sys.stdlib_module_names}
_STANDARD |= {"", "none", "python", "n/a", "stdlib", "standard library", "built-in", "builtins"}

T = TypeVar("T")

log = logging.getLogger("laios.queries")


class RetrievalContext:
    """Chunks keep their numbers through the whole run, from 1 in the order in which they were
    offered. `there`: there is documentation. `warnings` say what went wrong with it; none of that
    ends a run."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._numbers: dict[str, int] = {}
        self._passages: dict[int, Passage] = {}
        self._cited: dict[int, None] = {}
        self._silent = False
        self.there = False
        self.dropped = 0
        self.warnings: list[str] = []

    @classmethod
    async def of(cls, run: Run) -> "RetrievalContext":
        retrieval = cls(run)
        retrieval.there = not await retrieval._asked(lambda source: source.is_empty(), True)
        return retrieval

    async def look_up_only_for(self, request: str, libraries: Iterable[str]) -> None:
        """Nothing is looked up for a plan that needs nothing but the standard library, unless the
        request itself is about what is indexed: a step's few words fit something by chance."""
        modules = {name.partition(".")[0].lower() for name in libraries}
        if not self.there or modules - _STANDARD:
            return
        found: Sequence[Passage] = await self._asked(
            lambda source: source.search(request[:MAX_QUERY], limit=1), ()
        )
        self._silent = not found

    async def room(self, role: str, beside: str) -> int:
        """The tokens that documentation may take in a prompt of the role, with what stands there
        beside it."""
        left = await self._run.room(role) - estimate(beside) - INSTRUCTION_TOKENS
        return max(0, min(DOCUMENTATION_TOKENS, left))

    async def offer(
        self,
        query: str,
        label: str,
        *,
        budget: int,
        sketch: str = "",
    ) -> list[DocumentationChunk]:
        """The best chunks for a query that fit into `budget` tokens, whole ones alone; a step of
        the record. `sketch`: code that uses what is looked for, where libraries are named."""
        if not self.there or self._silent:
            return []
        with self._run.step("documentation", label) as step:
            found: Sequence[Passage] = await self._asked(
                lambda source: source.search(query[:MAX_QUERY], limit=MOST, sketch=sketch), ()
            )
            fit = list(_within(found, budget))
            step.note = f"{len(fit)} of {len(found)} chunks"
        return [self._numbered(each) for each in fit]

    async def libraries(self, query: str) -> Sequence[str]:
        """The modules of those that the query names, and that can be looked up by what code uses
        of them."""
        return await self._asked(lambda source: source.libraries(query[:MAX_QUERY]), ())

    def cite(self, numbers: Iterable[int], offered: Iterable[DocumentationChunk]) -> list[int]:
        """The numbers that name a chunk of those that were offered, each once; the others are
        counted in `dropped`."""
        known = {each.index for each in offered}
        asked = list(dict.fromkeys(numbers))
        kept = [number for number in asked if number in known]
        self.dropped += len(asked) - len(kept)
        self._cited |= dict.fromkeys(kept)
        return kept

    def citation(self, number: int, reason: str, shown_as: int | None = None) -> Citation:
        """What an entry of a list of sources says; the title where no reason is given."""
        passage = self._passages[number]
        self._cited[number] = None
        return Citation(
            number=shown_as or number,
            reason=reason or _title(passage),
            chunk_id=passage.id,
            title=_title(passage),
        )

    def ids(self, numbers: Iterable[int]) -> list[str]:
        return [self._passages[number].id for number in numbers]

    def cited(self, budget: int) -> str:
        """What was cited, as far as it fits into `budget` tokens."""
        cited = [self._passages[number] for number in self._cited]
        return as_reference(_within(cited, budget))

    @property
    def text(self) -> str:
        """All that was offered."""
        return "\n".join(each.content for each in self._passages.values())

    async def invented_names(self, code: str) -> Sequence[InventedName]:
        return await self._asked(lambda source: source.unknown_names(code), ())

    async def data_files(self, query: str) -> list[DataFile]:
        known: Sequence[KnownFile] = await self._asked(
            lambda source: source.data_files(query[:MAX_QUERY]), ()
        )
        names = DataFile.model_fields
        return [DataFile(**{name: getattr(each, name) for name in names}) for each in known]

    async def environment(self, modules: Collection[str]) -> Path | None:
        """Where these modules are installed, if that is known."""
        return await self._asked(lambda source: source.environment(modules), None)

    def as_json(self, first: Iterable[int] = ()) -> list[dict[str, Any]]:
        """The chunks that were offered, for the record; with their content where they are cited.
        `first`: those that an answer cites, which counts them anew; the others come behind."""
        order = dict.fromkeys((*first, *self._passages))
        return [self._row(number, index) for index, number in enumerate(order, 1)]

    def _row(self, number: int, index: int) -> dict[str, Any]:
        passage = self._passages[number]
        row = {
            "index": index,
            "chunk_id": passage.id,
            "content_type": passage.content_type,
            "title": _title(passage),
            "path": passage.path,
            "source": passage.source,
        }
        return row | ({"content": passage.content} if number in self._cited else {})

    def _numbered(self, passage: Passage) -> DocumentationChunk:
        number = self._numbers.setdefault(passage.id, len(self._numbers) + 1)
        self._passages[number] = passage
        return DocumentationChunk(
            index=number,
            chunk_id=passage.id,
            content_type=passage.content_type,
            content=passage.content,
            title=_title(passage),
        )

    async def _asked(self, ask: Callable[[Retriever], Awaitable[T]], none: T) -> T:
        """What the documentation says; `none` where there is none, and where it is broken: then a
        warning says what mends it."""
        if self._run.documentation is None:
            return none
        try:
            async with asyncio.timeout_at(self._run.deadline):
                return await ask(self._run.documentation)
        except Exception as error:
            log.exception("the documentation broke")
            self.there = False
            said = str(error)[:_SHOWN] or type(error).__name__
            warning = f"The documentation could not be asked: {said}"
            if warning not in self.warnings:
                self.warnings.append(warning)
            return none


def as_reference(passages: Iterable[Passage | DocumentationChunk]) -> str:
    """As coder, judge and reviewer are shown it beside a request."""
    return "\n\n".join(f"{_title(each)}\n{each.content}" for each in passages)


def _title(passage: Passage | DocumentationChunk) -> str:
    return " ".join((passage.title or "").split())[:_SHOWN]


def _within(passages: Iterable[Passage], budget: int) -> Iterable[Passage]:
    """Those that fit, the first ones first; one that is too long leaves its place to others."""
    for passage in passages:
        cost = estimate(passage.content)
        if cost <= budget:
            budget -= cost
            yield passage
