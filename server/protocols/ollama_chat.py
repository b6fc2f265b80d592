"""`POST /api/chat` and `POST /api/generate` (Ollama's API reference).

A stream, which is the default, is lines of JSON: an empty frame at once, progress as `thinking`,
the answer as content, the last frame with the reason and the counts. Empty frames keep it alive.
An error in mid-stream is a line of its own, and the end.
"""

from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing
from dataclasses import replace
from functools import partial
from typing import Any

from starlette.requests import Request as HttpRequest
from starlette.responses import Response

from pipeline.errors import BadRequest, LaiosError
from pipeline.request import Turn
from pipeline.run import Run
from server.http.errors import ollama_body
from server.http.json_response import dumps, json_response
from server.http.request_body import read_object, whole_body
from server.protocols.answer_footer import without_footer
from server.protocols.answer_stream import Told
from server.protocols.chat_answer import calls_of, content_of, pieces
from server.protocols.chat_request import (
    ANY_OBJECT,
    Chat,
    list_in,
    logprobs,
    mapping,
    number,
    object_in,
    read_messages,
    text_in,
    texts,
    truth,
    whole_number,
)
from server.protocols.generate_context import context_of, turns_of
from server.protocols.message_images import has_images
from server.protocols.mode_names import LATEST, NAME, mode_of
from server.protocols.ollama_frames import Frames, Part, message, response
from server.protocols.submission import read_beside, respond

NDJSON = "application/x-ndjson"
_NO_TIME = (0, "0", "0s", "0m", "0h", "0ms")


async def post_chat(http: HttpRequest) -> Response:
    body = await whole_body(http)
    fields = read_object(body)
    if fields.get("messages") in (None, []):
        return nothing_asked(fields, message)
    frames = Frames(asked_for(fields), message)
    chat = await read_beside(read_chat, body, fields)
    return await answer(http, body, fields, chat, frames)


async def post_generate(http: HttpRequest) -> Response:
    body = await whole_body(http)
    fields = read_object(body)
    chat = read_generate(fields)
    if not (chat.prompt or chat.suffix or chat.has_image):
        return nothing_asked(fields, response)
    frames = Frames(asked_for(fields), response, partial(with_context, chat))
    return await answer(http, body, fields, chat, frames)


async def answer(
    http: HttpRequest, body: bytes, fields: Mapping[str, Any], chat: Chat, frames: Frames
) -> Response:
    thinks = fields.get("think") is not False

    def told(run: Run) -> Told:
        return stream_lines(run, frames, thinks=thinks), NDJSON, frames.line

    return await respond(http, body, chat, "ollama", partial(frames.whole, thinks=thinks), told)


async def stream_lines(run: Run, frames: Frames, *, thinks: bool) -> AsyncGenerator[bytes, None]:
    """The run as NDJSON; what is thought on the way only if the caller `thinks`."""
    yield frames.line()
    try:
        async with aclosing(pieces(run)) as parts:
            async for piece in parts:
                if piece.call:
                    continue  # this protocol has whole calls alone
                if not piece.thinking:
                    yield frames.line(piece.text, logprobs=piece.logprobs)
                elif thinks:
                    yield frames.line(thinking=piece.text, logprobs=piece.logprobs)
    except LaiosError as error:
        yield dumps(ollama_body(error)) + b"\n"
    else:
        if calls_of(run):
            yield frames.calls(run)
        yield frames.last(run)


def with_context(chat: Chat, run: Run) -> dict[str, Any]:
    """What lets a caller of `/api/generate` go on from here. As in Ollama, a prompt in a template
    of its own (`raw`) has none."""
    if chat.raw:
        return {}
    said = (Turn("user", chat.prompt), Turn("assistant", without_footer(content_of(run))))
    return {"context": context_of((*chat.turns, *said))}


def nothing_asked(fields: Mapping[str, Any], part: Part) -> Response:
    """Ollama's clients load and unload a model with an empty request. A mode has nothing to load:
    its models are loaded when a run needs them, and stay for KEEP_ALIVE. Raises HttpError for a
    model that does not exist."""
    model = asked_for(fields)
    mode_of(model)
    kept = fields.get("keep_alive")
    unload = kept in _NO_TIME and kept is not False
    return json_response(Frames(model, part).without_run("unload" if unload else "load"))


def asked_for(fields: Mapping[str, Any]) -> str:
    """The model's name as the caller wrote it: clients compare it with what they sent."""
    return text_in(fields, "model") or f"{NAME}:{LATEST}"


def read_chat(fields: Mapping[str, Any]) -> Chat:
    """The body of `/api/chat`. Raises BadRequest for messages that cannot be read."""
    chat = read_messages(fields.get("messages"))
    return replace(chat, tools=list_in(fields, "tools"), **_common(fields))


def read_generate(fields: Mapping[str, Any]) -> Chat:
    """The body of `/api/generate`. Raises BadRequest for a prompt that is no text, and for a
    `context` that is none of ours."""
    prompt, system = text_in(fields, "prompt") or "", text_in(fields, "system") or ""
    turns = turns_of(fields.get("context"))
    head = [{"role": "system", "content": system}] if system.strip() else []
    earlier = [{"role": turn.role, "content": turn.text} for turn in turns]
    asked = {"role": "user", "content": prompt, "images": fields.get("images")}
    return Chat(
        messages=[*head, *earlier, asked],
        has_image=has_images(asked),
        prompt=prompt,
        turns=turns,
        preferences=system,
        suffix=text_in(fields, "suffix"),
        raw=truth(fields, "raw") is True,
        **_common(fields),
    )


def _common(fields: Mapping[str, Any]) -> dict[str, Any]:
    options = object_in(fields, "options")
    return {
        "model": text_in(fields, "model"),
        "stream": truth(fields, "stream") is not False,
        "max_tokens": whole_number(options, "num_predict"),
        "temperature": number(options, "temperature"),
        "stop": texts(options, "stop"),
        "schema": _schema(fields.get("format")),
        "logprobs": logprobs(fields),
    }


def _schema(wanted: object) -> Mapping[str, Any] | None:
    """The schema of `format`, None where the answer is text; so are forms that laios does not
    know. Raises BadRequest for what is no form."""
    if wanted is not None and not isinstance(wanted, str | dict):
        raise BadRequest('The field "format" must be "json" or a JSON Schema.')
    return ANY_OBJECT if wanted == "json" else mapping(wanted) or None
