"""What the daemon is measured against: the least that answers a prompt with two model calls.
`python -m tools.bench.bare OLLAMA_URL [--libraries]`; prints its port.

Starlette and aiohttp as anybody would write it, with the daemon's prompts and schema, so that the
same bytes go to the backend. No checks, no deadline, no streaming, no history. With `--libraries`
it has imported what any daemon on these libraries does, for the memory that they take.
"""

import socket
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib import import_module
from typing import Any

import aiohttp
import orjson
import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from pipeline.prompts import conversation
from pipeline.review.conversation import CODER, JUDGE
from pipeline.review.verdict import VERDICT_SCHEMA
from tools.bench.backend import MODEL

LIBRARIES = (
    *("aiohttp", "httptools", "orjson", "prometheus_client", "pydantic_settings", "sqlite3"),
    *("starlette.applications", "typer", "uvicorn.server", "uvloop", "watchfiles"),
)
OPTIONS = {"num_ctx": 16384, "num_predict": 8192}


def application(ollama: str) -> Starlette:
    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)) as session:
            app.state.session = session
            yield

    async def ask(request: Request, *turns: str, **more: Any) -> str:
        messages = conversation(CODER, *turns)
        body = {"model": MODEL, "messages": messages, "stream": True, "options": OPTIONS} | more
        async with request.app.state.session.post(f"{ollama}/api/chat", json=body) as response:
            raw: bytes = await response.read()
        return "".join(orjson.loads(line)["message"]["content"] for line in raw.splitlines())

    async def prompt(request: Request) -> JSONResponse:
        asked = (await request.json())["prompt"]
        code = await ask(request, asked)
        verdict = orjson.loads(await ask(request, asked, code, JUDGE, format=VERDICT_SCHEMA))
        assert verdict["confidence_score"] == 9
        return JSONResponse({"output": code})

    return Starlette(routes=[Route("/prompt", prompt, methods=["POST"])], lifespan=lifespan)


def main() -> None:
    for name in LIBRARIES if "--libraries" in sys.argv else ():
        import_module(name)
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    listener.listen(1024)
    config = uvicorn.Config(
        application(sys.argv[1]), loop="uvloop", http="httptools", log_level="error"
    )
    print(listener.getsockname()[1], flush=True)
    uvicorn.Server(config).run(sockets=[listener])


if __name__ == "__main__":
    main()
