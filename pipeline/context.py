"""What goes before a run's prompt: records of the history, a chat's earlier turns, or earlier
solved requests that resemble it. Trimmed to the budget and to what the coder's window leaves."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from laios.tested_json import code_alone
from pipeline.exchange import Exchange
from pipeline.history_context import of_conversation, of_history
from pipeline.memory import Memory
from pipeline.roles import Models
from pipeline.run import Run
from pipeline.tokens import estimate


class RecordReader(Protocol):
    """Where the records of earlier runs are read."""

    def load_recent_records(
        self, n: int, session: str | None = None
    ) -> Sequence[Mapping[str, Any]]: ...


@dataclass(frozen=True, slots=True)
class Context:
    """`exchanges` go before the prompt, `ids` are those of them that are records.
    `previous_output`: what the newest of the runs before this one gave, whole, even where there is
    no room for it. `left_out`: how many of a chat's exchanges have none."""

    exchanges: tuple[Exchange, ...] = ()
    ids: Sequence[str] = ()
    previous_output: str = ""
    left_out: int = 0


class ContextBuilder:
    def __init__(self, models: Models, reader: RecordReader, memory: Memory | None) -> None:
        self._models = models
        self._reader = reader
        self._memory = memory

    async def build(self, run: Run) -> Context:
        request, mode, settings = run.request, run.mode, run.settings
        conversation = request.conversation if mode.takes_conversation else ()
        if not (mode.with_context or conversation or mode.takes_memory):
            return Context()
        room = await self._room(run)
        if mode.takes_memory:
            return await self._recall(run, min(settings.MEMORY_TOKENS, room))
        budget = min(settings.HISTORY_CONTEXT_TOKENS, room)
        talk, left_out = await asyncio.to_thread(of_conversation, conversation, budget)
        if not mode.with_context:  # an agent's coder is shown all of it as messages
            return Context(tuple(talk), left_out=0 if request.task else left_out)
        records = await asyncio.to_thread(
            self._reader.load_recent_records, settings.HISTORY_CONTEXT_RECORDS, request.session
        )
        said = {turn.text for turn in request.conversation}
        unsaid = [record for record in records if record["original_prompt"] not in said]
        found, ids = of_history(unsaid, budget - sum(estimate(str(each)) for each in talk))
        previous = code_alone(records[-1])["final_output"] if records else ""
        return Context((*found, *talk), ids, previous, left_out)

    async def _room(self, run: Run) -> int:
        """The tokens that the coder's window leaves beside the request itself."""
        request, settings = run.request, run.settings
        room = await self._models.longest_prompt("coder", settings)
        asked = request.task.material if request.task else f"{run.prompt}\n{request.preferences}"
        profile = self._models.for_role("coder", settings).profile
        return room - estimate(asked) - profile.instruction_tokens

    async def _recall(self, run: Run, budget: int) -> Context:
        """Earlier solved requests that resemble this one."""
        if self._memory is None:
            return Context()
        found, ids = await self._memory.recall(
            run.prompt,
            language=run.request.task.language if run.request.task else None,
            session=run.request.session,
            most=run.settings.MEMORY_MAX_HITS,
            budget=budget,
        )
        return Context(tuple(found), ids)
