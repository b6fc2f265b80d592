"""From a frontend's HTTP request to its run, and to the answer."""

import asyncio
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, ExitStack
from dataclasses import replace
from hashlib import blake2b
from typing import Any, Literal

from starlette.requests import Request as HttpRequest
from starlette.responses import Response

from pipeline.errors import Cancelled
from pipeline.modes import Mode
from pipeline.request import Request
from pipeline.run import Run
from server.api.prompt_request import MAX_SESSION
from server.http.disconnect import unless_gone
from server.http.json_response import RUN_ID, json_response
from server.protocols.agent_request import read_turn
from server.protocols.answer_stream import Stream, Told
from server.protocols.auxiliary_requests import row_of
from server.protocols.chat_answer import raise_if_failed
from server.protocols.chat_request import Chat, refuse_image
from server.protocols.mode_names import choice_of
from server.runtime.container import Container, container_of
from server.runtime.deduplication import SharedRun

MARKDOWN = "markdown"  # of a mode with several forms, what a chat can show
# The native header, then the ids that frontends send of their own accord.
_SESSION_HEADERS = (
    *("x-laios-session", "x-openwebui-chat-id", "x-session-id", "session-id"),
    "x-claude-code-session-id",
)
_CREDENTIALS = ("authorization", "x-api-key")
LARGE = 256 * 1024  # bytes
Protocol = Literal["openai", "ollama", "anthropic"]
Fields = Mapping[str, Any]


async def read_beside(read: Callable[[Fields], Chat], body: bytes, fields: Fields) -> Chat:
    """The chat, as `read` takes it from the body's fields: beside the event loop where the body is
    large, since 100,000 messages take their time. Raises BadRequest."""
    return await asyncio.to_thread(read, fields) if len(body) > LARGE else read(fields)


async def respond(
    http: HttpRequest,
    body: bytes,
    chat: Chat,
    source: Protocol,
    whole: Callable[[Run], Any],
    told: Callable[[Run], Told],
) -> Response:
    """The answer to a chat, by its protocol: what is `whole` as JSON, or as it is `told` on the
    way. Raises what `take` and `finished` raise."""
    with ExitStack() as held:
        shared = held.enter_context(await take(http, body, chat, source))
        headers = {RUN_ID: shared.run.id}
        if chat.stream:
            return Stream(told(shared.run), shared, held.pop_all(), headers)
        return json_response(whole(await finished(http, shared)), headers=headers)


async def take(
    http: HttpRequest, body: bytes, chat: Chat, source: Protocol
) -> AbstractContextManager[SharedRun]:
    """Accepts a chat as a run, or as a share in the identical one that is under way.

    Raises HttpError for a model that does not exist, BadRequest and Busy like `POST /prompt`, and
    ToolsNotTaken and ImagesNotTaken where the coder's model takes none.
    """
    parts = container_of(http)
    headers = http.headers
    client = http.client.host if http.client else ""
    marks = [client, http.scope["path"]]
    marks += [headers.get(name, "") for name in (*_CREDENTIALS, *_SESSION_HEADERS)]
    sees_in_form = chat.has_image and chat.schema is not None
    auxiliary = None if chat.tools or sees_in_form else row_of(chat, headers)
    most = parts.scheduler.settings.MAX_OUTPUT_TOKENS
    plain = Request(
        prompt=chat.prompt,
        session=session_of(chat, headers),
        source=source,
        prefers=MARKDOWN,
        id=http.state.run_id,
        conversation=chat.turns,
        streams=chat.stream,
        max_tokens=min(chat.max_tokens or most, most),
        temperature=chat.temperature,
        stop=chat.stop,
        logprobs=chat.logprobs,
    )
    request = None if auxiliary else await read_turn(parts, chat, plain)
    if request is None:
        if chat.schema is not None:
            auxiliary = row_of(chat, headers)  # its tools are left out, its form is not
        request = of_person(plain, chat, auxiliary, parts)
    return parts.deduplicator.share([*(mark.encode("latin-1") for mark in marks), body], request)


def of_person(plain: Request, chat: Chat, auxiliary: Mode | None, parts: Container) -> Request:
    """What the pipeline is asked for; `auxiliary` is the mode of a frontend's own request. A tag in
    the prompt wins over the model's name there. Raises BadRequest for an image."""
    refuse_image(chat)
    with_turns = (
        auxiliary is not None or parts.scheduler.settings.FRONTEND_CONTEXT == "conversation"
    )
    return replace(
        plain,
        prompt=_gap(chat.prompt, chat.suffix) if chat.suffix else chat.prompt,
        mode=choice_of(chat.model),
        kind="auxiliary" if auxiliary else "run",
        row=auxiliary,
        conversation=chat.turns if with_turns else (),
        preferences=chat.preferences,
        preferences_are_shared=not chat.tools,
        schema=chat.schema or None,
    )


def _gap(before: str, after: str) -> str:
    """Code with a hole, for a chat model: fill-in-the-middle marks differ from model to model."""
    return f"Write what belongs at <GAP/> and nothing else.\n\n{before}<GAP/>{after}"


def session_of(chat: Chat, headers: Mapping[str, str]) -> str | None:
    """What scopes `///ctx`. An id beyond our limit is as good as its digest."""
    named = (headers.get(name) for name in _SESSION_HEADERS)
    session = next(filter(None, named), None) or chat.session
    if session and len(session) > MAX_SESSION:
        return blake2b(session.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
    return session


async def finished(http: HttpRequest, shared: SharedRun) -> Run:
    """The run once it is on record; its answer counts as delivered. Raises the error that it ended
    with, and Cancelled if the caller does not wait so long."""
    run = shared.run
    try:
        await unless_gone(http.receive, container_of(http).scheduler.over(run))
    except Cancelled:
        if run.state != "done":
            raise
    shared.delivered = True
    raise_if_failed(run)
    return run
