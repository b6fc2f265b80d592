"""Between callers and llama.cpp's server: passes every call on as it is and counts it, with the
tokens that the server itself counts."""

import asyncio
import re
from dataclasses import astuple, dataclass
from typing import Any, Self

import aiohttp
from aiohttp import web

from pipeline.models.llama_cpp import MOST_ANSWERS
from tools.bench.processes import Server

_IDLE_S = 120.0  # longest that an answer nobody waits for is written
_HEADERS = {"Content-Type": "application/json"}
_COUNTER = re.compile(r"^llamacpp:(\w+_total) ([\d.e+]+)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Spent:
    """`read`: tokens of prompts, without those that the server had in its cache."""

    calls: int
    read: int
    cached: int
    written: int

    def since(self, other: "Spent") -> "Spent":
        pairs = zip(astuple(self), astuple(other), strict=True)
        return Spent(*(now - then for now, then in pairs))


class CountingRelay:
    """`async with`; `url` is where to ask. Answers go back piece by piece."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self._calls = 0

    async def __aenter__(self) -> Self:
        self._http = aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(None))
        app = web.Application(client_max_size=16 << 20)
        app.router.add_post("/v1/chat/completions", self._pass_on)
        # A caller that has gone ends its call, as it would without a relay.
        self._runner = web.AppRunner(app, handler_cancellation=True)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", 0)
        await site.start()
        host, port = self._runner.addresses[0][:2]
        self.url = f"http://{host}:{port}/v1"
        return self

    async def __aexit__(self, *error: object) -> None:
        await self._runner.cleanup()
        await self._http.close()

    async def spent(self) -> Spent:
        """Since the server started. Waits for what it still writes for a caller that has gone;
        raises TimeoutError where that does not end."""
        async with asyncio.timeout(_IDLE_S):
            text = await self._when_idle()
        found = {name: int(float(value)) for name, value in _COUNTER.findall(text)}
        return Spent(
            self._calls,
            found["prompt_tokens_total"],
            found["prompt_tokens_cached_total"],
            found["tokens_predicted_total"],
        )

    async def _when_idle(self) -> str:
        """What it says of itself then."""
        while True:
            async with self._http.get(f"{self._server.url}/metrics") as answer:
                text = await answer.text()
            if "llamacpp:requests_processing 0" in text:
                return text
            await asyncio.sleep(0.2)

    async def forget(self) -> None:
        """Puts a short conversation in the place of each that the server keeps."""
        said = {"messages": [{"role": "user", "content": "."}], "max_tokens": 1}
        for slot in range(MOST_ANSWERS):
            url = f"{self._server.url}/v1/chat/completions"
            async with self._http.post(url, json=said | {"id_slot": slot}) as answer:
                answer.raise_for_status()

    async def _pass_on(self, request: web.Request) -> web.StreamResponse:
        self._calls += 1
        body: Any = await request.read()
        url = f"{self._server.url}{request.path}"
        async with self._http.post(url, data=body, headers=_HEADERS) as answer:
            kind = {"Content-Type": answer.headers["Content-Type"]}
            given = web.StreamResponse(status=answer.status, headers=kind)
            await given.prepare(request)
            async for piece in answer.content.iter_any():
                await given.write(piece)
            await given.write_eof()
            return given
