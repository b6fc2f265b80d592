"""An actor of Ray Data that holds one pipeline."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from typing import Any

import pyarrow

from config import load_settings
from pipeline.add_ons import load_add_ons
from server.batch.answer_journal import BatchAnswer, error_code
from server.batch.answer_parts import AnswerParts
from server.batch.batch_answer import answer_to
from server.batch.batch_request import BatchRequest
from server.batch.batch_runner import BatchPolicy
from server.batch.group_commit import GroupCommit
from server.batch.ray_requests import request_of
from server.batch.request_caller import LocalCaller

OUTCOME = pyarrow.schema([("id", pyarrow.string()), ("error", pyarrow.string())])


class PipelineActor:
    """Answers the rows that it is given and says of each how it went; the answers go to the
    output's files. Rows that are given once more, because a node was lost before Ray knew what had
    become of them, are not asked again."""

    def __init__(
        self,
        options: Mapping[str, Any],
        output: str,
        job: str,
        policy: BatchPolicy,
        wanted: frozenset[str] | None,
    ) -> None:
        """`options` are settings that go before those of the node; of `wanted` ids alone there is
        an answer, None is all."""
        load_add_ons()
        self._caller = LocalCaller(load_settings(**options))
        self._parts = AnswerParts(output)
        self._job, self._policy, self._wanted = job, policy, wanted
        self._turns = asyncio.Semaphore(policy.concurrency)

    async def __call__(self, table: pyarrow.Table) -> AsyncIterator[pyarrow.Table]:
        """A table of `SCHEMA` → one of `OUTCOME`."""
        requests = [request_of(row) for row in table.to_pylist()]
        part = self._parts.part(self._job, [request.id for request in requests])
        known = await asyncio.to_thread(part.answers)
        async with GroupCommit(part.append) as commit:

            async def outcome(request: BatchRequest) -> dict[str, str | None]:
                answer = known.get(request.id) or await self._ask(request, commit)
                return {"id": request.id, "error": error_code(answer)}

            found = await asyncio.gather(*map(outcome, filter(self._is_wanted, requests)))
        yield pyarrow.Table.from_pylist(found, OUTCOME)

    def _is_wanted(self, request: BatchRequest) -> bool:
        return self._wanted is None or request.id in self._wanted

    async def _ask(self, request: BatchRequest, commit: GroupCommit) -> BatchAnswer:
        async with self._turns:
            answer = await answer_to(self._caller, request, self._policy.retries)
        await commit.write(answer)
        return answer
