"""Carrying out a batch in one process: so many requests at a time, each answer written at once."""

import asyncio
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from pipeline.errors import Cancelled
from server.batch.answer_journal import BatchAnswer, error_code
from server.batch.batch_answer import answer_to
from server.batch.batch_request import BatchRequest
from server.batch.group_commit import GroupCommit
from server.batch.request_caller import Caller

Chain = Sequence[BatchRequest]


@dataclass(frozen=True, slots=True)
class BatchPolicy:
    """How a batch is carried out. `concurrency`: requests at a time; `retries` of one request,
    beside the first try; `fail_fast`: the first request that fails ends the batch."""

    concurrency: int
    retries: int
    fail_fast: bool = False


class RequestFailed(Exception):
    """The first request that failed, where that ends the batch: its id, and with what."""


async def run_batch(
    requests: Iterable[BatchRequest],
    caller: Caller,
    commit: GroupCommit,
    policy: BatchPolicy,
    tell: Callable[[BatchAnswer], None],
) -> None:
    """Answers all requests, in no order but that of each session; `tell` gets each answer when it
    is safe. A request that somebody else cancelled, such as a daemon that stops, has none: it and
    the rest of its session are left for later. Raises RequestFailed, the LaiosError of an
    unreachable daemon, and what `commit` raises; then what was under way is cancelled."""

    async def work(chains: Iterator[Chain]) -> None:
        for chain in chains:
            for request in chain:
                answer = await answer_to(caller, request, policy.retries)
                if error_code(answer) == Cancelled.code:
                    break  # nobody answered it, and what follows in its session waits for it
                await commit.write(answer)
                tell(answer)
                if policy.fail_fast and error_code(answer):
                    raise RequestFailed(f"{answer['id']}: {answer['error']['message']}")

    chains = iter(by_session(requests))
    try:
        async with asyncio.TaskGroup() as group:
            for _ in range(policy.concurrency):
                group.create_task(work(chains))
    except ExceptionGroup as broken:
        raise broken.exceptions[0] from None


def by_session(requests: Iterable[BatchRequest]) -> list[Chain]:
    """Requests of one session have to follow each other, because `///ctx` reads what came before;
    all others stand alone."""
    chains: list[Chain] = []
    of_session: dict[str, list[BatchRequest]] = {}
    for request in requests:
        if request.session in of_session:
            of_session[request.session].append(request)
            continue
        chain = [request]
        chains.append(chain)
        if request.session:
            of_session[request.session] = chain
    return chains
