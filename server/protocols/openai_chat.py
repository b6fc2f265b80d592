"""`POST /v1/chat/completions` (OpenAI's API reference, "Chat").

A stream is: a chunk with the role at once, progress as `reasoning_content`, the answer as
`content`, a chunk with the finish reason, usage in a chunk of its own with `choices: []` if it was
asked for, `[DONE]`. Comments keep it alive; there are no `id:` lines, which break SDKs.
"""

from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import aclosing
from dataclasses import replace
from typing import Any

from starlette.requests import Request as HttpRequest
from starlette.responses import Response

from pipeline.errors import BadRequest, LaiosError
from pipeline.run import Run
from pipeline.tool_calls import as_openai
from server.http.errors import openai_body
from server.http.json_response import dumps
from server.http.request_body import read_object, whole_body
from server.http.server_sent_events import EVENT_STREAM
from server.protocols.answer_stream import Told
from server.protocols.chat_answer import (
    Piece,
    calls_of,
    content_of,
    finish_reason,
    pieces,
    thinking_of,
    usage_of,
)
from server.protocols.chat_request import (
    ANY_OBJECT,
    Chat,
    list_in,
    logprobs,
    number,
    object_in,
    read_messages,
    text_in,
    texts,
    tool_choice,
    truth,
    whole_number,
)
from server.protocols.mode_names import model_name
from server.protocols.submission import read_beside, respond

PING = b": ping\n\n"
DONE = b"data: [DONE]\n\n"


async def chat_completions(http: HttpRequest) -> Response:
    body = await whole_body(http)
    fields = read_object(body)
    chat = await read_beside(read_chat, body, fields)
    with_usage = bool(object_in(fields, "stream_options").get("include_usage"))

    def told(run: Run) -> Told:
        return stream_frames(run, with_usage), EVENT_STREAM, lambda: PING

    return await respond(http, body, chat, "openai", completion, told)


def read_chat(fields: Mapping[str, Any]) -> Chat:
    """The body. Raises BadRequest for messages that cannot be read, for fields of a wrong type and
    for several answers."""
    if number(fields, "n") not in (None, 1):
        raise BadRequest(
            'laios gives one answer: leave "n" out. The model laios:best writes several drafts and '
            "chooses one."
        )
    return replace(
        read_messages(fields.get("messages")),
        model=text_in(fields, "model"),
        stream=truth(fields, "stream") is True,
        max_tokens=whole_number(fields, "max_completion_tokens")
        or whole_number(fields, "max_tokens"),
        temperature=number(fields, "temperature"),
        stop=texts(fields, "stop"),
        schema=json_schema(object_in(fields, "response_format")),
        tools=list_in(fields, "tools"),
        tool_choice=tool_choice(fields),
        parallel=truth(fields, "parallel_tool_calls") is not False,
        logprobs=logprobs(fields),
        session=text_in(fields, "prompt_cache_key"),
    )


def json_schema(wanted: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """The schema of `response_format`, None for text."""
    if wanted.get("type") == "json_object":
        return ANY_OBJECT
    if wanted.get("type") == "json_schema":
        return object_in(object_in(wanted, "json_schema") or wanted, "schema")
    return None


def completion(run: Run) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": content_of(run), "refusal": None}
    if thought := thinking_of(run):
        message["reasoning_content"] = thought
    if calls := calls_of(run):
        message["content"] = message["content"] or None
        message["tool_calls"] = [as_openai(piece) for piece in calls]
    choice = {
        "index": 0,
        "message": message,
        "logprobs": None if run.request.logprobs is None else {"content": run.logprobs},
        "finish_reason": finish_reason(run),
    }
    return _head(run, "chat.completion") | {"choices": [choice], "usage": usage(run)}


def _head(run: Run, kind: str) -> dict[str, Any]:
    return {
        "id": f"chatcmpl-{run.id}",
        "object": kind,
        "created": int(run.accepted_at.timestamp()),
        "model": model_of(run),
    }


def delta_of(piece: Piece) -> bytes:
    """A piece as a chunk's delta."""
    if piece.call is None:
        return dumps({"reasoning_content" if piece.thinking else "content": piece.text})
    more = {"function": {"arguments": piece.call.arguments}}
    call = as_openai(piece.call) if piece.call.name else more
    return dumps({"tool_calls": [{"index": piece.call.index, **call}]})


def model_of(run: Run) -> str:
    """The model's name for the mode that the run was in: a tag may have changed it."""
    return "laios" if run.request.kind == "auxiliary" else model_name(run.mode)


def usage(run: Run) -> dict[str, Any]:
    counted = usage_of(run)
    return {
        "prompt_tokens": counted.prompt,
        "completion_tokens": counted.output,
        "total_tokens": counted.prompt + counted.output,
        "completion_tokens_details": {"reasoning_tokens": counted.hidden},
    }


async def stream_frames(run: Run, with_usage: bool) -> AsyncGenerator[bytes, None]:
    """The run as server-sent events."""
    frames = _Frames(run)
    yield frames.delta(b'{"role":"assistant","content":""}')
    try:
        async with aclosing(pieces(run)) as parts:
            async for piece in parts:
                yield frames.delta(delta_of(piece), logprobs=piece.logprobs)
    except LaiosError as error:
        yield b"data: " + dumps(openai_body(error)) + b"\n\n"
    else:
        yield frames.delta(b"{}", dumps(finish_reason(run)))
        if with_usage:
            yield frames.last(b'"choices":[],"usage":' + dumps(usage(run)))
    yield DONE


class _Frames:
    """Chunks of one completion. All but the delta is the same in each: it is written once."""

    def __init__(self, run: Run) -> None:
        self._head = b"data: " + dumps(_head(run, "chat.completion.chunk"))[:-1] + b","

    def delta(
        self,
        delta: bytes,
        finish: bytes = b"null",
        logprobs: Sequence[Mapping[str, Any]] = (),
    ) -> bytes:
        scores = b',"logprobs":' + dumps({"content": logprobs}) if logprobs else b""
        choice = b'{"index":0,"delta":' + delta + scores + b',"finish_reason":' + finish + b"}"
        return self.last(b'"choices":[' + choice + b"]")

    def last(self, rest: bytes) -> bytes:
        return self._head + rest + b"}\n\n"
