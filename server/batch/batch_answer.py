"""A request's answer as it stands in the answers file, and asking until there is one."""

import asyncio
import random
from collections.abc import Mapping
from typing import Any

from pipeline.errors import Busy, LaiosError
from server.batch.answer_journal import BatchAnswer
from server.batch.batch_request import BatchRequest
from server.batch.request_caller import Caller

LONGEST_WAIT_S = 60.0
# What may go well the next time. Most other errors say what is wrong with the request.
WORTH_ANOTHER_TRY = {"daemon_unreachable", "model_unreachable", "model_failed", "model_timeout"}
# Of the daemon, not of a request: no other request would fare better.
OF_THE_DAEMON = {"daemon_unreachable", "unauthorized", "forbidden_host", "forbidden_origin"}


async def answer_to(caller: Caller, request: BatchRequest, retries: int) -> BatchAnswer:
    """Asks up to `retries` times more, each time after a longer wait. A queue that is full is
    waited for: nothing was asked. Raises LaiosError where the daemon cannot be asked at all."""
    tried = 0
    while True:
        try:
            return _answered(request, await caller.ask(request))
        except Busy as error:
            await asyncio.sleep(_about(error.retry_after_s))
        except LaiosError as error:
            if tried == retries or error.code not in WORTH_ANOTHER_TRY:
                if error.code in OF_THE_DAEMON:
                    raise
                return failed(request, error)
            await asyncio.sleep(_about(min(LONGEST_WAIT_S, 2**tried)))
            tried += 1


def failed(request: BatchRequest, error: LaiosError) -> BatchAnswer:
    said = {"code": error.code, "message": error.message}
    return {"id": request.id, "request": request.digest, "error": said}


def _answered(request: BatchRequest, answer: Mapping[str, Any]) -> BatchAnswer:
    """Of /code the code is the output where it worked, and all that was answered stands beside."""
    known: dict[str, Any] = {"id": request.id, "request": request.digest}
    if request.path == "/prompt":
        return {**known, **answer}
    results = answer.get("results")
    best = results.get(answer["best"]) if results else answer
    return known | {"output": best["code"] if best and best["success"] else None, "answer": answer}


def _about(seconds: float) -> float:
    """A little less or as much, so that those who wait do not all come back at once."""
    return seconds * random.uniform(0.5, 1.0)
