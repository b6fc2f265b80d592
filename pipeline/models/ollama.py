"""Models of an Ollama server, over its own protocol.

Ollama's own client is not used for it: it cannot send `truncate`, and takes a cut stream for a
complete answer.
"""

import asyncio
import time
from collections.abc import AsyncGenerator, Mapping
from contextlib import AsyncExitStack, aclosing, suppress
from dataclasses import replace
from typing import Annotated, Any, Literal

import aiohttp
import orjson
from pydantic import BaseModel, Field, ValidationError, ValidatorFunctionWrapHandler, WrapValidator

from pipeline.control_tokens import of_template
from pipeline.errors import ModelError, ModelFailed, ModelNotFound, ModelUnreachable
from pipeline.model import GENERAL, Call, Delta, End, Facts, Frame, Message
from pipeline.model_residence import LoadedModel, StoredModel
from pipeline.models import ollama_library
from pipeline.models.concurrent_answers import stream_concurrently
from pipeline.models.ollama_host import (
    MAX_ANSWER_BYTES,
    OllamaHost,
    ThinkingUnsupported,
    error_for,
    is_cloud,
    lines,
    read_at_most,
)
from pipeline.models.ollama_library import same_tag
from pipeline.models.parallel_calls import AnsweredCall, ParallelCalls
from pipeline.tool_calls import CallPiece

FACTS_KEPT_S = 5.0
SETTLE_S = 0.2  # for the end of a body after its last frame
ALIKE = 30  # tokens after the first: then Ollama ends an answer, without its last frame
FINISH: dict[str | None, Literal["stop", "length"]] = {
    "stop": "stop",
    "length": "length",
    None: "stop",  # servers of before 2024 give no reason
}


class _Function(BaseModel):
    name: str
    arguments: dict[str, Any] | None = None


class _ToolCall(BaseModel):
    """A whole call: Ollama sends none in pieces."""

    id: str = ""
    function: _Function


class _Message(BaseModel):
    content: str | None = None
    thinking: str | None = None
    tool_calls: list[_ToolCall] | None = None


def _or_none(value: Any, validate: ValidatorFunctionWrapHandler) -> Any:
    with suppress(ValidationError):
        return validate(value)
    return None


# Beside the answer: one that cannot be read makes it no worse.
_Number = Annotated[int | None, Field(ge=0), WrapValidator(_or_none)]


class _Line(BaseModel):
    """A frame of /api/chat. Times are nanoseconds; a field that is zero is left out."""

    message: _Message | None = None
    done: bool = False
    done_reason: str | None = None
    prompt_eval_count: _Number = None
    prompt_eval_duration: _Number = None
    eval_count: _Number = None
    load_duration: _Number = None
    logprobs: list[dict[str, Any]] | None = None
    error: Any = None


class OllamaModel:
    """The model behind `ollama/<tag>`, or `ollama@host:port/<tag>` for another server. One that
    Ollama passes on to its cloud is refused, unless `allow_cloud`; by its name in `stream`, in
    `facts` also when it hides behind another name."""

    profile = GENERAL
    roles = None
    scored_tokens = None

    def __init__(self, name: str, host: OllamaHost, *, allow_cloud: bool = False) -> None:
        self.name = name
        self.shares_memory = host.is_local
        self._provider, _, self._tag = name.partition("/")
        self._host = host
        self._allow_cloud = allow_cloud
        self._takes_think = True
        self._calls = ParallelCalls()
        self._facts: Facts | None = None
        self._asked_at = 0.0

    async def stream(self, call: Call) -> AsyncGenerator[Frame, None]:
        """See `Model.stream`. `think` is left out for a model that has said that it cannot."""
        self._refuse_cloud(is_cloud(self._tag))
        body = _body(self._tag, call)
        sent, first = time.monotonic(), None
        async with AsyncExitStack() as stack:
            content = await self._post(stack, body, call.headers)
            received = await stack.enter_async_context(aclosing(lines(content)))
            said, scored, calls, alike = False, False, 0, _Alike()
            async for raw in received:
                line = _parse(raw)
                if line.error is not None:
                    raise error_for(line.error, body)
                if delta := _delta(line, calls):
                    first = first or time.monotonic()
                    alike.count(delta)
                    said = said or bool(delta.text or delta.calls)
                    scored = scored or bool(delta.logprobs)
                    calls += len(delta.calls)
                    yield delta
                if line.done:
                    self._calls.add(_times(sent, first, line))
                    await _settle(content)
                    if call.logprobs is not None and said and not (scored or calls):
                        raise ModelFailed("This Ollama gives no logprobs. Update it.")
                    yield _end(line, said)
                    return
            if alike.stopped_by_server:
                yield End("repetition")

    async def facts(self) -> Facts:
        """The trained window, asked of the server at most every few seconds. Raises
        ModelUnreachable, ModelNotFound (also for a cloud model) and ModelFailed."""
        self._refuse_cloud(is_cloud(self._tag))
        if self._facts is None or time.monotonic() - self._asked_at > FACTS_KEPT_S:
            shown = await ollama_library.show(self._host, self._tag)
            self._refuse_cloud(bool(shown.remote_host))
            self._facts = Facts(
                shown.context_length,
                of_template(shown.template),
                takes_tools=shown.can("tools"),
                takes_images=shown.can("vision"),
                has_chat_template=shown.has_chat_template,
            )
            self._asked_at = time.monotonic()
        return self._facts

    def calls_at_a_time(self) -> int:
        """See `Parallel.calls_at_a_time`."""
        return self._calls.limit

    async def cheap_answers(self) -> int:
        """See `SideBySide.cheap_answers`: as many as the server answers at a time, where the whole
        model is on a GPU. On a processor each costs nearly what one alone does (docs/engine.md)."""
        with suppress(ModelError):
            now = (await self.loaded()).get(self.name)
            if now and now.vram >= now.size > 0:
                return self._calls.limit
        return 1

    def stream_several(self, call: Call, n: int) -> AsyncGenerator[tuple[int, Frame]]:
        """See `SideBySide.stream_several`."""
        return stream_concurrently(self.stream, call, n)

    async def stored(self) -> StoredModel | None:
        """See `Stored.stored`: as Ollama lists it."""
        listed = await self._host.list_models()
        own = (each for each in listed if same_tag(each.name, self._tag))
        return next((StoredModel(m.size, m.modified_at) for m in own if m.modified_at), None)

    async def loaded(self) -> dict[str, LoadedModel]:
        """See `Residing.loaded`, of this model's host: `x:latest` by its short name as well, this
        model by its own."""
        found: dict[str, LoadedModel] = {}
        for each in await ollama_library.loaded(self._host):
            name = f"{self._provider}/{each.name}"
            found[name] = found[name.removesuffix(":latest")] = replace(each, name=name)
            if same_tag(each.name, self._tag):
                found[self.name] = replace(each, name=self.name)
        return found

    async def preload(self, context_tokens: int, keep_alive: str) -> None:
        """See `Resident.preload`: a call without messages loads, with the options that the real
        call will have (Ollama would load again for others)."""
        options = {"num_ctx": context_tokens}
        body = {"model": self._tag, "messages": [], "keep_alive": keep_alive, "options": options}
        async with self._host.open("POST", "/api/chat", body | {"stream": False}) as content:
            await read_at_most(content, MAX_ANSWER_BYTES)

    async def _post(
        self, stack: AsyncExitStack, body: dict[str, Any], headers: Mapping[str, str]
    ) -> aiohttp.StreamReader:
        if not self._takes_think:
            body.pop("think", None)
        try:
            answer = self._host.open("POST", "/api/chat", body, headers)
            return await stack.enter_async_context(answer)
        except (ModelUnreachable, ModelNotFound):
            self._facts = None  # whoever asks for them is told whether it is there again
            raise
        except ThinkingUnsupported:
            if "think" not in body:
                raise
            self._takes_think = False
            return await self._post(stack, body, headers)

    def _refuse_cloud(self, cloud: bool) -> None:
        if cloud and not self._allow_cloud:
            raise ModelNotFound(
                f"{self.name} does not run on this machine: Ollama would send your prompts to its "
                "cloud. Choose a local model, or set ALLOW_CLOUD_MODELS to allow that."
            )


def _body(tag: str, call: Call) -> dict[str, Any]:
    """The request. `truncate` and `shift` off: an error rather than a prompt or an answer that
    lost its head."""
    options: dict[str, Any] = {"num_ctx": call.context_tokens, "num_predict": call.max_tokens}
    if call.temperature is not None:
        options["temperature"] = call.temperature
    if call.stop:
        options["stop"] = list(call.stop)
    body: dict[str, Any] = {
        "model": tag,
        "messages": [_message(message) for message in call.messages],
        "stream": True,
        "truncate": False,
        "shift": False,
        "options": options,
    }
    if call.tools:
        body["tools"] = call.tools.as_json()
    if call.schema is not None:
        body["format"] = dict(call.schema)
    if call.think is not None:
        body["think"] = call.think
    if call.logprobs is not None:
        body |= {"logprobs": True, "top_logprobs": call.logprobs}
    if call.keep_alive is not None:
        body["keep_alive"] = call.keep_alive
    return body


def _message(message: Message) -> dict[str, Any]:
    """Arguments are objects here, and a result names its tool."""
    written: dict[str, Any] = {"role": message["role"], "content": message["content"]}
    if calls := message.get("calls"):
        written["tool_calls"] = [
            {"id": call.id, "function": {"name": call.name, "arguments": call.values() or {}}}
            for call in calls
        ]
    if images := message.get("images"):
        written["images"] = [image.data for image in images]
    if answered := message.get("result_of"):
        written |= {"tool_name": answered.name, "tool_call_id": answered.id}
    return written


def _parse(raw: bytes) -> _Line:
    with suppress(ValidationError):
        line = _Line.model_validate_json(raw)
        if line.message or line.done or line.error is not None:
            return line
    raise ModelFailed(
        "Ollama's answer has a line that Ollama does not send. Is OLLAMA_HOST an Ollama server?"
    )


def _delta(line: _Line, calls_before: int) -> Delta | None:
    message = line.message
    scores = line.logprobs or ()
    if message is None or not (message.content or message.thinking or message.tool_calls or scores):
        return None
    calls = [_piece(n, call) for n, call in enumerate(message.tool_calls or (), calls_before)]
    return Delta(message.content or "", message.thinking or "", calls, scores)


class _Alike:
    """Counts how many of the last pieces are alike, as Ollama does."""

    def __init__(self) -> None:
        self._last, self._copies = "", 0

    def count(self, delta: Delta) -> None:
        piece = (delta.text or delta.thinking).strip()
        self._copies = self._copies + 1 if piece == self._last else 0
        self._last = piece

    @property
    def stopped_by_server(self) -> bool:
        """Of a stream that has ended without a last frame."""
        return self._copies >= ALIKE


def _piece(number: int, call: _ToolCall) -> CallPiece:
    arguments = orjson.dumps(call.function.arguments or {}).decode()
    return CallPiece(number, arguments, call.id, call.function.name)


def _end(line: _Line, said: bool) -> End:
    """The last frame. Other reasons than stop and length (`load`, `unload`) end no answer."""
    if line.done_reason not in FINISH and not said:
        raise ModelFailed(f"Ollama ended without an answer (done_reason {line.done_reason!r}).")
    return End(
        FINISH.get(line.done_reason, "stop"),
        line.prompt_eval_count,
        line.eval_count,
        (line.load_duration or 0) / 1e6,
    )


def _times(sent: float, first: float | None, line: _Line) -> AnsweredCall:
    """Of a call whose first piece was there at `first` and whose last frame is there now."""
    now = time.monotonic()
    began = (first or now) - (line.prompt_eval_duration or 0) / 1e9
    return AnsweredCall(sent, began, now, (line.load_duration or 0) / 1e9)


async def _settle(content: aiohttp.StreamReader) -> None:
    """Reads the end of the body, which is on its way, so that the connection can be used again.
    The answer is complete: whatever comes instead only costs the connection."""
    if content.at_eof():
        return
    with suppress(TimeoutError, aiohttp.ClientError):
        async with asyncio.timeout(SETTLE_S):
            while not content.at_eof() and not await content.readany():
                pass
