"""`POST /v1/responses` (OpenAI's API reference, "Responses"), stateless: `store` is ignored and
nothing can be fetched again.

Readers of this protocol do not count comments as life: while a stage takes long, the heartbeat is
an event of its own.
"""

from collections.abc import Mapping
from contextlib import ExitStack
from typing import Any

from starlette.requests import Request as HttpRequest
from starlette.responses import Response
from starlette.routing import Route

from pipeline.errors import BadRequest
from server.http.json_response import RUN_ID, json_response
from server.http.request_body import read_object, whole_body
from server.protocols.answer_stream import Stream
from server.protocols.chat_answer import content_of
from server.protocols.chat_request import Chat, mapping, number, read_messages, string, whole_number
from server.protocols.openai_chat import EVENT_STREAM, json_schema
from server.protocols.responses_stream import ResponseStream, message_item, response_object
from server.protocols.submission import finished, take

Fields = Mapping[str, Any]


async def responses(http: HttpRequest) -> Response:
    body = await whole_body(http)
    fields = read_object(body)
    chat = read_chat(fields)
    with ExitStack() as held:
        ticket = held.enter_context(take(http, body, chat, "openai"))
        headers = {RUN_ID: ticket.run.id}
        if chat.stream:
            stream = ResponseStream(ticket.run, fields)
            frames = stream.frames(ticket)
            return Stream(frames, EVENT_STREAM, stream.heartbeat, held.pop_all(), headers)
        run = await finished(http, ticket)
        item = message_item(run, content_of(run))
        return json_response(response_object(run, fields, [item]), headers=headers)


def read_chat(fields: Fields) -> Chat:
    """The body. Raises BadRequest for an input that cannot be read, and for nothing else."""
    if fields.get("top_logprobs"):
        raise BadRequest("/v1/responses gives no logprobs here; /v1/chat/completions does.")
    talk = read_messages(_messages(fields.get("input")))
    system = filter(None, (string(fields.get("instructions")), talk.preferences))
    return Chat(
        model=string(fields.get("model")),
        prompt=talk.prompt,
        turns=talk.turns,
        preferences="\n\n".join(system),
        stream=fields.get("stream") is True,
        max_tokens=whole_number(fields.get("max_output_tokens")),
        temperature=number(fields.get("temperature")),
        schema=json_schema(mapping(mapping(fields.get("text")).get("format"))),
        tools=bool(fields.get("tools")),
        session=string(fields.get("prompt_cache_key")),
    )


def _messages(given: object) -> list[dict[str, Any]]:
    """Input items as messages. What a tool gave back counts as the user's text; items without text
    (reasoning, calls) are what the model itself wrote down and are left out."""
    if isinstance(given, str):
        return [{"role": "user", "content": given}]
    if not isinstance(given, list):
        raise BadRequest('The field "input" must be a string or a list of items.')
    messages: list[dict[str, Any]] = []
    for number_, item in enumerate(given):
        if not isinstance(item, Mapping):
            raise BadRequest(f"Item {number_} of the input must be an object.")
        kind = item.get("type", "message")
        if kind == "message":
            messages.append({"role": item.get("role"), "content": item.get("content")})
        elif kind == "function_call_output":
            messages.append({"role": "tool", "content": item.get("output")})
    return messages


ROUTES = [Route("/v1/responses", responses, methods=["POST"])]
