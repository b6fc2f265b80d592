"""Where a batch's requests are carried out: by the daemon that runs, or in this process."""

from dataclasses import replace
from typing import Any, Protocol

import httpx

from config import Settings
from laios.api_call import ApiCall
from laios.errors import Unauthorized
from laios.transport import answer_of, no_answer
from pipeline.codegen.contract import read_code_request
from pipeline.request import new_id
from pipeline.run import Run
from server.api import code, prompt
from server.api.prompt_request import read_request
from server.batch.batch_request import BatchRequest
from server.http.disconnect import cancel_all
from server.runtime.container import assemble
from server.terminal.daemon_client import TOKEN_WANTED, http_options

ApiAnswer = dict[str, Any]


class Caller(Protocol):
    """Asks one request at a time, or many beside each other. Cancelling `ask` cancels the run."""

    async def ask(self, request: BatchRequest) -> ApiAnswer:
        """What the API answers, of prompts with `details`. Raises LaiosError."""
        ...

    async def close(self) -> None: ...


class DaemonCaller:
    """Over HTTP, as many connections as are asked at once."""

    def __init__(self, settings: Settings) -> None:
        self._http = httpx.AsyncClient(
            **http_options(settings), limits=httpx.Limits(max_connections=None), timeout=None
        )

    async def ask(self, request: BatchRequest) -> ApiAnswer:
        more = {"details": True} if request.path == "/prompt" else {}
        body = {**request.body, **more}
        call = ApiCall("POST", request.path, dict[str, Any], body, is_run=True)
        try:
            return answer_of(call, await self._http.post(call.path, json=call.body))
        except Unauthorized:
            raise Unauthorized(TOKEN_WANTED) from None
        except httpx.HTTPError as error:
            raise no_answer(error, call) from None

    async def close(self) -> None:
        await self._http.aclose()


class LocalCaller:
    """In this process, with the history and the models of the settings."""

    def __init__(self, settings: Settings) -> None:
        self._parts = assemble(settings)

    async def ask(self, request: BatchRequest) -> ApiAnswer:
        scheduler, runs = self._parts.scheduler, list[Run]()
        try:
            if request.path == "/code":
                code_request = read_code_request(request.body)
                runs += code.submit(scheduler, code_request, new_id())
                return await code.finished(scheduler, code_request, runs)
            asked = replace(read_request(request.body, new_id()), source="cli")
            runs.append(scheduler.submit(asked))
            await scheduler.finished(runs[0])
            return prompt.answer_of(runs[0], details=True)
        finally:
            cancel_all(scheduler, runs)  # one that is over is not there any more

    async def close(self) -> None:
        """Ends what runs; all of it is on record when it returns."""
        await self._parts.scheduler.drain(0)
        await self._parts.close()
