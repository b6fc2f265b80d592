"""A fake Ollama that answers at once, fast enough not to be what is measured:
`python -m tools.bench.backend [--faults SHARE]`; prints its port.

Calls with a schema get a verdict that does not escalate, all others a small program. A prompt says
by a phrase in it how the program is sent: `backend: 500 frames, 50 ms` is 500 pieces, 50 ms after
the call; `backend: 500 tokens, 2 ms apart` is as many numbers, one by one. With `--faults`, answers
come in pieces with pauses, verdicts vary, and that share of them goes wrong in one of the ways of
`FAULTS`.
"""

import argparse
import asyncio
import json
import random
import re
from collections.abc import Awaitable, Callable
from functools import cache
from typing import Any, cast

import httptools
import uvloop

MODEL = "qwen2.5-coder:7b"
CODE = "def add(a, b):\n    return a + b\n"
VERDICT = '{"confidence_score": 9, "conflict_score": 1, "judgement_summary": "It adds."}'
POOR = '{"confidence_score": 3, "conflict_score": 8, "judgement_summary": "It does not add."}'
SHOWN = {
    "capabilities": ["completion"],
    "model_info": {"general.architecture": "qwen2", "qwen2.context_length": 32768},
}
TAGS = {"models": [{"name": MODEL, "size": 4_700_000_000, "capabilities": ["completion"]}]}
OUTPUT = {"output": CODE}  # to POST /prompt: how fast can a load client get at all?

_HEAD = (
    b"HTTP/1.1 200 OK\r\nContent-Type: application/x-ndjson\r\nTransfer-Encoding: chunked\r\n\r\n"
)
_END = b"0\r\n\r\n"
_WISH = re.compile(rb"backend: (\d+) frames, (\d+) ms")
_TOKENS = re.compile(rb"backend: (\d+) tokens, ([\d.]+) ms apart")


def plain(value: object, status: str = "200 OK") -> bytes:
    """A whole answer with a JSON body."""
    body = json.dumps(value).encode()
    head = f"HTTP/1.1 {status}\r\nContent-Type: application/json\r\nContent-Length: {len(body)}"
    return head.encode() + b"\r\n\r\n" + body


def frames(text: str, pieces: int) -> list[bytes]:
    """The chunks of an answer: its text in so many frames, then the last frame."""
    message: dict[str, Any] = {"role": "assistant", "content": ""}
    base = {"model": MODEL, "created_at": "2026-01-01T00:00:00.000000000Z"}
    size = -(-len(text) // pieces)
    parts = [text[i * size : (i + 1) * size] for i in range(pieces)]
    shown = [base | {"message": message | {"content": part}, "done": False} for part in parts]
    last = base | {
        "message": message,
        "done": True,
        "done_reason": "stop",
        "total_duration": 2_000_000,
        "load_duration": 1_000_000,
        "prompt_eval_count": 300,
        "eval_count": pieces,
    }
    return [_chunk(json.dumps(frame).encode() + b"\n") for frame in (*shown, last)]


def numbers(count: int) -> str:
    """A text of `count` words of the same length."""
    return "".join(f"{number:05} " for number in range(count))


def _chunk(data: bytes) -> bytes:
    return b"%x\r\n%b\r\n" % (len(data), data)


@cache
def instant(text: str, pieces: int) -> bytes:
    """A whole answer in one write."""
    return _HEAD + b"".join(frames(text, pieces)) + _END


class Backend(asyncio.Protocol):
    """A connection. `faults` is the share of chat calls that go wrong, None for instant answers."""

    def __init__(self, faults: float | None) -> None:
        self._faults = faults
        self._parser = httptools.HttpRequestParser(self)
        self._task: asyncio.Task[None] | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)

    def connection_lost(self, exc: Exception | None) -> None:
        if self._task:
            self._task.cancel()

    def data_received(self, data: bytes) -> None:
        self._parser.feed_data(data)

    def on_message_begin(self) -> None:
        self._path, self._body = b"", b""

    def on_url(self, url: bytes) -> None:
        self._path += url

    def on_body(self, body: bytes) -> None:
        self._body += body

    def on_message_complete(self) -> None:
        if self._path == b"/api/chat":
            self._chat(b'"format"' in self._body)
        else:
            self._write(OTHERS.get(self._path) or plain({"error": "not found"}, "404 Not Found"))

    def _chat(self, structured: bool) -> None:
        if self._faults is not None:
            self._task = asyncio.create_task(self._unreliable(structured, self._faults))
            return
        if tokens := _TOKENS.search(self._body):
            self._task = asyncio.create_task(self._one_by_one(int(tokens[1]), float(tokens[2])))
            return
        wish = _WISH.search(self._body)
        pieces, ms = (int(wish[1]), int(wish[2])) if wish else (1, 0)
        answer = instant(VERDICT, 1) if structured else instant(CODE, pieces)
        if ms:
            asyncio.get_running_loop().call_later(ms / 1000, self._write, answer)
        else:
            self._write(answer)

    async def _one_by_one(self, count: int, apart_ms: float) -> None:
        """Tokens by the clock: what oversleeps catches up."""
        self._write(_HEAD)
        clock = asyncio.get_running_loop().time
        begun = clock()
        for number, chunk in enumerate(frames(numbers(count), count)):
            await asyncio.sleep(begun + number * apart_ms / 1000 - clock())
            self._write(chunk)
        self._write(_END)

    async def _unreliable(self, structured: bool, faults: float) -> None:
        text = random.choice((VERDICT, VERDICT, POOR)) if structured else CODE
        go = random.choice(FAULTS) if random.random() < faults else _well
        await go(self._transport, frames(text, 8))

    def _write(self, data: bytes) -> None:
        if not self._transport.is_closing():
            self._transport.write(data)


OTHERS = {
    b"/api/show": plain(SHOWN),
    b"/api/tags": plain(TAGS),
    b"/api/version": plain({"version": "0.40.0"}),
    b"/prompt": plain(OUTPUT),
}

Fault = Callable[[asyncio.Transport, list[bytes]], Awaitable[None]]


async def _pour(transport: asyncio.Transport, chunks: list[bytes]) -> None:
    transport.write(_HEAD)
    for chunk in chunks:
        await asyncio.sleep(random.random() * 0.01)
        transport.write(chunk)


async def _well(transport: asyncio.Transport, chunks: list[bytes]) -> None:
    await _pour(transport, chunks)
    transport.write(_END)


async def _broken_off(transport: asyncio.Transport, chunks: list[bytes]) -> None:
    await _pour(transport, chunks[: random.randrange(len(chunks))])
    transport.abort()


async def _no_last_frame(transport: asyncio.Transport, chunks: list[bytes]) -> None:
    await _well(transport, chunks[:-1])


async def _half_a_line(transport: asyncio.Transport, chunks: list[bytes]) -> None:
    await _well(transport, [*chunks[:3], _chunk(b'{"message":{"role":"assist')])


async def _error_midway(transport: asyncio.Transport, chunks: list[bytes]) -> None:
    await _well(transport, [*chunks[:3], _chunk(b'{"error":"CUDA error"}\n')])


async def _nothing(transport: asyncio.Transport, chunks: list[bytes]) -> None:
    await _well(transport, chunks[-1:])


async def _hang(transport: asyncio.Transport, chunks: list[bytes]) -> None:
    await _pour(transport, chunks[:2])
    await asyncio.sleep(60)


async def _trickle(transport: asyncio.Transport, chunks: list[bytes]) -> None:
    await _well(transport, chunks[:1] * 400)


async def _flood(transport: asyncio.Transport, chunks: list[bytes]) -> None:
    await _well(transport, frames("x" * 400_000, 50))


async def _refuse(transport: asyncio.Transport, chunks: list[bytes]) -> None:
    status = random.choice(("500 Internal Server Error", "503 Service Unavailable"))
    transport.write(plain({"error": "server busy, please try again."}, status))


async def _drop(transport: asyncio.Transport, chunks: list[bytes]) -> None:
    transport.abort()


async def _page(transport: asyncio.Transport, chunks: list[bytes]) -> None:
    transport.write(b"HTTP/1.1 200 OK\r\nContent-Length: 13\r\n\r\n<html></html>")


FAULTS: tuple[Fault, ...] = (
    _broken_off,
    _no_last_frame,
    _half_a_line,
    _error_midway,
    _nothing,
    _hang,
    _trickle,
    _flood,
    _refuse,
    _drop,
    _page,
)


async def serve(faults: float | None) -> None:
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: Backend(faults), "127.0.0.1", 0, backlog=1024)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--faults", type=float, help="share of calls that go wrong")
    uvloop.run(serve(options.parse_args().faults))


if __name__ == "__main__":
    main()
