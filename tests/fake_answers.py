"""How the fake Ollama answers a chat call: its frames, and every fault that a backend can have."""

import asyncio
import json
import re
import socket
import struct
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any

from aiohttp import web

Json = dict[str, Any]
CODE = "def add(a, b):\n    return a + b\n"
CHARACTERS_PER_TOKEN = 4
FLOOD_BYTES = 50_000_000
ALIKE = 30


@dataclass
class Answer:
    """What the fake says to the calls that fit: `model` and `prompt` are regular expressions
    searched in the model's name and in the last message; `structured`: only calls with a schema, or
    only those without; `times`: how often it can be used. `delay_s` is before the first piece,
    `pause_s` before each other one. `calls` are {"name", "arguments"}, the arguments an object.
    `fault` is a name in FAULTS."""

    text: str = CODE
    thinking: str = ""
    calls: list[Json] = field(default_factory=list)
    done_reason: str = "stop"
    fault: str | None = None
    model: str = ""
    prompt: str = ""
    structured: bool | None = None
    times: int | None = None
    delay_s: float = 0
    pause_s: float = 0
    used: int = 0

    def fits(self, model: str, messages: list[Json], structured: bool) -> bool:
        return (
            self.used != self.times
            and self.structured in (None, structured)
            and re.search(self.model, model) is not None
            and re.search(self.prompt, str(messages[-1].get("content"))) is not None
        )

    async def pieces(self, stop: Sequence[str]) -> AsyncIterator[tuple[str, str]]:
        """(kind, piece) of four characters each, kind `thinking` or `content`. The text ends before
        any of `stop`."""
        ends = [at for each in stop if (at := self.text.find(each)) >= 0]
        await asyncio.sleep(self.delay_s)
        first = True
        for kind, text in (
            ("thinking", self.thinking),
            ("content", self.text[: min(ends, default=None)]),
        ):
            for piece in cut(text):
                if self.pause_s and not first:
                    await asyncio.sleep(self.pause_s)
                first = False
                yield kind, piece


class TokenRepeat(Exception):
    """The model gives the same token over and over: the answer ends without its last frame."""


class Sender:
    """Writes NDJSON lines, and whatever is no line."""

    def __init__(self, request: web.Request, content_type: str) -> None:
        self.request = request
        self.response = web.StreamResponse(headers={"Content-Type": content_type})

    async def __call__(self, frame: Json) -> None:
        await self.raw(json.dumps(frame).encode() + b"\n")

    async def raw(self, data: bytes) -> None:
        await self.response.write(data)

    def cut(self, *, reset: bool = False) -> None:
        """Closes the connection; with `reset` so that the other side gets an error for it."""
        assert self.request.transport
        if reset:
            sock = self.request.transport.get_extra_info("socket")
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.request.transport.abort()


@asynccontextmanager
async def ndjson(
    request: web.Request, content_type: str = "application/x-ndjson"
) -> AsyncIterator[Sender]:
    send = Sender(request, content_type)
    await send.response.prepare(request)
    yield send
    with suppress(ConnectionError):
        await send.response.write_eof()


@dataclass
class Exchange:
    """One chat call while it is answered."""

    request: web.Request
    body: Json
    answer: Answer
    load_ns: int
    prompt_tokens: int
    response: web.StreamResponse = field(default_factory=web.Response)
    started: float = field(default_factory=time.perf_counter)
    began: float = 0.0  # when its turn came
    read: float = 0.0  # when its first piece was there

    def frame(self, **message: Any) -> Json:
        return {
            "model": self.body["model"],
            "created_at": now(),
            "message": {"role": "assistant", "content": "", **message},
            "done": False,
        }

    def scores(self, piece: str) -> Json:
        """What a piece, which is one token, has of probabilities."""
        if not self.body.get("logprobs"):
            return {}
        own = {"token": piece, "logprob": -0.25, "bytes": [*piece.encode()]}
        others = [own | {"logprob": -0.25 - n} for n in range(self.body.get("top_logprobs", 0))]
        return {"logprobs": [own | ({"top_logprobs": others} if others else {})]}

    def last(self, reason: str, count: int) -> Json:
        ended = time.perf_counter()
        read = self.read or ended
        metrics = {
            "total_duration": round((ended - self.started) * 1e9),
            "load_duration": self.load_ns,
            "prompt_eval_count": self.prompt_tokens,
            "prompt_eval_duration": round((read - (self.began or read)) * 1e9),
            "eval_count": count,
            "eval_duration": round((ended - read) * 1e9),
        }
        shown = {name: value for name, value in metrics.items() if value}
        return self.frame() | {"done": True, "done_reason": reason} | shown

    @asynccontextmanager
    async def sending(self, content_type: str = "application/x-ndjson") -> AsyncIterator[Sender]:
        async with ndjson(self.request, content_type) as send:
            self.response = send.response
            with suppress(TokenRepeat):
                yield send

    async def write(self, send: Sender) -> Json:
        """The answer up to its last frame, which is returned."""
        options = self.body.get("options", {})
        limit = options.get("num_predict", -1)
        count, alike, before = 0, 0, ""
        async for kind, piece in self.answer.pieces(options.get("stop", ())):
            if kind == "thinking" and self.body.get("think") is False:
                continue
            self.read = self.read or time.perf_counter()
            if count == limit:
                return self.last("length", count)
            count += 1
            alike = alike + 1 if piece.strip() == before else 0
            before = piece.strip()
            if alike > ALIKE:
                raise TokenRepeat
            await send(self.frame(**{kind: piece}) | self.scores(piece))
        for index, call in enumerate(self.answer.calls):
            count += 1
            function = {"index": index, **call}
            message = {"tool_calls": [{"id": f"call_{index}", "function": function}]}
            await send(self.frame(**message) | self.scores(call["name"]))
        return self.last(self.answer.done_reason, count)


Fault = Callable[[Exchange], Awaitable[None]]
FAULTS: dict[str | None, Fault] = {}


def fault(name: str | None) -> Callable[[Fault], Fault]:
    def add(function: Fault) -> Fault:
        FAULTS[name] = function
        return function

    return add


@fault(None)
async def _none(exchange: Exchange) -> None:
    async with exchange.sending() as send:
        await send(await exchange.write(send))


def _status(status: int, text: str) -> Fault:
    async def refuse_it(exchange: Exchange) -> None:
        exchange.response = refuse(status, text)

    return refuse_it


FAULTS["404"] = _status(404, "model 'x' not found")
FAULTS["500"] = _status(500, "llama runner process has terminated: signal: killed")
FAULTS["429"] = _status(429, "you have reached your hourly usage limit")
FAULTS["503"] = _status(503, "server busy, please try again.  maximum pending requests exceeded")
FAULTS["too_long_old"] = _status(400, "the input length exceeds the context length")


@fault("too_long")
async def _too_long(exchange: Exchange) -> None:
    exchange.response = refuse(400, too_long(9000, exchange.body["options"]["num_ctx"]))


def _html(status: int) -> Fault:
    async def answer_html(exchange: Exchange) -> None:
        page = "<!doctype html>\n<html><body>Welcome to nginx!</body></html>\n"
        exchange.response = web.Response(status=status, text=page, content_type="text/html")

    return answer_html


FAULTS["html"] = _html(200)
FAULTS["html_404"] = _html(404)
FAULTS["html_502"] = _html(502)
FAULTS["html_429"] = _html(429)  # of a proxy that counts requests


@fault("redirect")
async def _redirect(exchange: Exchange) -> None:
    exchange.response = web.Response(status=307, headers={"Location": "/api/chat"})


@fault("drop")
async def _drop(exchange: Exchange) -> None:
    """The connection is closed before a head was sent."""
    Sender(exchange.request, "").cut()


@fault("not_http")
async def _not_http(exchange: Exchange) -> None:
    transport = exchange.request.transport
    assert isinstance(transport, asyncio.Transport)
    transport.write(b"\x16\x03\x01\x00\xa5 what is this\r\n\r\n")
    transport.close()


@fault("hang")
async def _hang(exchange: Exchange) -> None:
    await asyncio.Event().wait()


@fault("hang_midway")
async def _hang_midway(exchange: Exchange) -> None:
    async with exchange.sending() as send:
        await exchange.write(send)
        await asyncio.Event().wait()


@fault("trickle")
async def _trickle(exchange: Exchange) -> None:
    """A byte of text every few milliseconds, for ever."""
    async with exchange.sending() as send:
        while True:
            await send(exchange.frame(content="x"))
            await asyncio.sleep(0.02)


@fault("cut")
async def _cut(exchange: Exchange) -> None:
    """The connection breaks before the last frame."""
    async with exchange.sending() as send:
        await exchange.write(send)
        send.cut()


@fault("reset")
async def _reset(exchange: Exchange) -> None:
    async with exchange.sending() as send:
        await exchange.write(send)
        send.cut(reset=True)


@fault("no_last_frame")
async def _no_last_frame(exchange: Exchange) -> None:
    """The body ends properly, but without its last frame."""
    async with exchange.sending() as send:
        await exchange.write(send)


@fault("half_line")
async def _half_line(exchange: Exchange) -> None:
    async with exchange.sending() as send:
        await exchange.write(send)
        await send.raw(b'{"model":"x","message":{"role":"assist')


@fault("error")
async def _error(exchange: Exchange) -> None:
    async with exchange.sending() as send:
        await send({"error": "an error was encountered while running the model: CUDA error"})


@fault("error_midway")
async def _error_midway(exchange: Exchange) -> None:
    async with exchange.sending() as send:
        await exchange.write(send)
        await send({"error": "an error was encountered while running the model: CUDA error"})


@fault("error_too_long")
async def _error_too_long(exchange: Exchange) -> None:
    async with exchange.sending() as send:
        await send({"error": too_long(9000, exchange.body["options"]["num_ctx"])})


@fault("error_not_found")
async def _error_not_found(exchange: Exchange) -> None:
    async with exchange.sending() as send:
        await send({"error": 'model "x" not found, try pulling it first'})


@fault("empty")
async def _empty(exchange: Exchange) -> None:
    exchange.answer = Answer(text="")
    await _none(exchange)


@fault("thinking_only")
async def _thinking_only(exchange: Exchange) -> None:
    exchange.answer = Answer(text="", thinking="Let me see what was asked for. ")
    await _none(exchange)


@fault("flood")
async def _flood(exchange: Exchange) -> None:
    """50 MB in many lines."""
    async with exchange.sending() as send:
        for number in range(FLOOD_BYTES // 8000):
            line = json.dumps(exchange.frame(content=Random(number).randbytes(4000).hex()))
            await send.raw(line.encode() + b"\n")
        await send(exchange.last("stop", 9))


@fault("flood_line")
async def _flood_line(exchange: Exchange) -> None:
    """50 MB in one line."""
    async with exchange.sending() as send:
        await send.raw(b'{"message":{"role":"assistant","content":"')
        for _ in range(FLOOD_BYTES // 8000):
            await send.raw(b"x" * 8000)
        await send.raw(b'"},"done":true}\n')


@fault("overfull")
async def _overfull(exchange: Exchange) -> None:
    """The prompt was cut to the window: only the count tells."""
    exchange.prompt_tokens = exchange.body["options"]["num_ctx"]
    await _none(exchange)


@fault("bad_json")
async def _bad_json(exchange: Exchange) -> None:
    async with exchange.sending() as send:
        await exchange.write(send)
        await send.raw(b'{"message": {"content": NaN}, }\n')
        await send(exchange.last("stop", 9))


@fault("not_a_frame")
async def _not_a_frame(exchange: Exchange) -> None:
    async with exchange.sending() as send:
        await send({"choices": [{"delta": {"content": "x"}}]})


@fault("wrong_shape")
async def _wrong_shape(exchange: Exchange) -> None:
    async with exchange.sending() as send:
        await send({"message": "x", "done": "perhaps"})


@fault("surrogate")
async def _surrogate(exchange: Exchange) -> None:
    """Half of a surrogate pair, which is no text."""
    async with exchange.sending() as send:
        await send.raw(b'{"message":{"role":"assistant","content":"a\\ud83d"},"done":false}\n')
        await send(exchange.last("stop", 9))


@fault("wrong_type")
async def _wrong_type(exchange: Exchange) -> None:
    """A good answer under a wrong content type."""
    async with exchange.sending("text/plain") as send:
        await send(await exchange.write(send))


@fault("odd_counts")
async def _odd_counts(exchange: Exchange) -> None:
    """A good answer whose numbers are none."""
    counts: Json = {"prompt_eval_count": -3, "eval_count": 2**70}
    times: Json = {"load_duration": None, "prompt_eval_duration": 1.5}
    async with exchange.sending() as send:
        await send(await exchange.write(send) | counts | times)


@fault("load")
async def _load(exchange: Exchange) -> None:
    async with exchange.sending() as send:
        await send(exchange.last("load", 0))


@fault("late_end")
async def _late_end(exchange: Exchange) -> None:
    """A good answer whose body ends a moment after the last frame, as from any server that
    flushes each frame."""
    async with exchange.sending() as send:
        await send(await exchange.write(send))
        await asyncio.sleep(0.02)


@fault("went_on")
async def _went_on(exchange: Exchange) -> None:
    """A good answer whose body does not end after the last frame."""
    async with exchange.sending() as send:
        await send(await exchange.write(send))
        await asyncio.Event().wait()


def too_long(prompt: int, window: int) -> str:
    """llama-server's own error object, passed on as a text, as Ollama does since 2026."""
    said = f"request ({prompt} tokens) exceeds the available context size ({window} tokens)"
    error = {"code": 400, "message": said, "type": "exceed_context_size_error"}
    return json.dumps({"error": error | {"n_prompt_tokens": prompt, "n_ctx": window}})


def refuse(status: int, text: str) -> web.Response:
    return web.json_response({"error": text}, status=status)


def full_name(name: str) -> str:
    """As Ollama finds a model: capitals do not count, and its own library need not be named."""
    full = name if ":" in name.rpartition("/")[2] else f"{name}:latest"
    return full.lower().removeprefix("registry.ollama.ai/").removeprefix("library/")


def now(later_s: float = 0.0) -> str:
    """RFC 3339 with nanoseconds."""
    return (datetime.now(UTC) + timedelta(seconds=later_s)).strftime(
        "%Y-%m-%dT%H:%M:%S.%f"
    ) + "000Z"


def cut(text: str) -> Iterator[str]:
    for start in range(0, len(text), CHARACTERS_PER_TOKEN):
        yield text[start : start + CHARACTERS_PER_TOKEN]


def tokens(messages: list[Json]) -> int:
    characters = sum(len(str(message.get("content"))) for message in messages)
    return characters // CHARACTERS_PER_TOKEN + 4 * len(messages)
