"""What the daemon costs a chat frontend's stream: `python -m tools.bench.streams`.

`laios:raw` over /v1/chat/completions against the same fake backend called directly: how much later
the first piece of content comes, how much processor time a token takes, and whether many streams at
once arrive complete and in order. A token that comes by itself wakes the process up and is a write
of its own: what that alone costs here shows a relay that only copies bytes.
"""

import argparse
import asyncio
import json
import statistics
import time
from contextlib import ExitStack

import aiohttp

from tools.bench.backend import MODEL, numbers
from tools.bench.figures import Figure, at_most, table
from tools.bench.processes import Server, daemon, module, on, work_directory

TURNS = 60  # first tokens, each side
TOKENS, STREAMS = 2000, 5
MANY, MANY_TOKENS = 64, 300
CHAT = "/v1/chat/completions"


def figures() -> list[Figure]:
    with ExitStack() as stack:
        directory = stack.enter_context(work_directory())
        backend = stack.enter_context(module("tools.bench.backend"))
        relay = stack.enter_context(module("tools.bench.relay", backend.url))
        server = stack.enter_context(daemon(directory, **on(backend)))
        return asyncio.run(measure(backend, relay, server))


async def measure(backend: Server, relay: Server, server: Server) -> list[Figure]:
    connector = aiohttp.TCPConnector(force_close=True)
    async with aiohttp.ClientSession(connector=connector) as session:
        later_ms = await first_tokens(session, backend, server)
        token_us = await processor_time(session, server, 0)
        single_us = await processor_time(session, server, 1)
        relayed_us = await processor_time(session, relay, 1)
        whole = await crowd(session, server)
    return [
        at_most(
            "stream: delay of the first content compared with a direct call, p50",
            later_ms,
            5.0,
            "{:.2f} ms",
        ),
        at_most(
            f"stream of {TOKENS:,} tokens: processor time a token", token_us, 30.0, "{:.1f} µs"
        ),
        Figure(
            "the same, one token every millisecond (in brackets: a relay that only copies bytes)",
            f"{single_us:.0f} µs ({relayed_us:.0f} µs)",
        ),
        Figure(
            f"{MANY} streams at once: complete and in order",
            f"{whole} of {MANY}",
            f"{MANY}",
            whole == MANY,
        ),
    ]


async def first_tokens(session: aiohttp.ClientSession, backend: Server, server: Server) -> float:
    """Milliseconds from the request to the first content, more than the direct call's."""
    prompt = "backend: 3 tokens, 5 ms apart"
    direct = {
        "model": MODEL,
        "messages": [{"role": "user", "content": prompt}],
        "stream": True,
    }
    more = []
    for turn in range(TURNS):
        plain = await first_ms(session, f"{backend.url}/api/chat", direct, b'"content": "0')
        through = body(f"{prompt} ({turn})")
        laios = await first_ms(session, server.url + CHAT, through, b'"content":"0')
        more.append(laios - plain)
    return statistics.median(more)


async def first_ms(session: aiohttp.ClientSession, url: str, request: object, mark: bytes) -> float:
    begun = time.perf_counter()
    async with session.post(url, json=request) as answer:
        async for line in answer.content:
            if mark in line:
                took = time.perf_counter() - begun
                await answer.read()
                return took * 1000
    raise RuntimeError(f"{url} sent no content")


async def processor_time(session: aiohttp.ClientSession, server: Server, apart_ms: float) -> float:
    """Microseconds of the server's processor time for each token of a stream, all in all."""
    before = server.cpu_s()
    for turn in range(STREAMS):
        text = await content(session, server, TOKENS, apart_ms, turn)
        assert text == numbers(TOKENS)
    return (server.cpu_s() - before) / STREAMS / TOKENS * 1e6


async def crowd(session: aiohttp.ClientSession, server: Server) -> int:
    texts = await asyncio.gather(
        *(content(session, server, MANY_TOKENS, 2.0, turn) for turn in range(MANY))
    )
    return sum(text == numbers(MANY_TOKENS) for text in texts)


async def content(
    session: aiohttp.ClientSession, server: Server, tokens: int, apart_ms: float, turn: int
) -> str:
    """The text of one stream; `turn` keeps it from joining another one."""
    request = body(f"backend: {tokens} tokens, {apart_ms} ms apart ({turn})")
    pieces = []
    async with session.post(server.url + CHAT, json=request) as answer:
        async for line in answer.content:
            if line.startswith(b"data: {"):
                choice = json.loads(line[6:])["choices"][0]
                pieces.append(choice["delta"].get("content", ""))
            elif line.startswith(b"{"):
                pieces.append(json.loads(line)["message"]["content"])
    return "".join(pieces)


def body(prompt: str) -> dict[str, object]:
    messages = [{"role": "user", "content": prompt}]
    return {"model": "laios:raw", "messages": messages, "stream": True}


def main() -> None:
    argparse.ArgumentParser(description=__doc__).parse_args()
    print(table(figures()))


if __name__ == "__main__":
    main()
