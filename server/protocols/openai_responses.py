"""`POST /v1/responses` (OpenAI's API reference, "Responses"), stateless: `store` is ignored and
nothing can be fetched again.

Readers of this protocol do not count comments as life: while a stage takes long, the heartbeat is
an event of its own.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from starlette.requests import Request as HttpRequest
from starlette.responses import Response

from pipeline.errors import BadRequest
from pipeline.run import Run
from server.http.request_body import read_object, whole_body
from server.http.server_sent_events import EVENT_STREAM
from server.protocols.answer_stream import Told
from server.protocols.chat_request import (
    Chat,
    number,
    object_in,
    read_messages,
    text_in,
    tool_choice,
    truth,
    whole_number,
)
from server.protocols.openai_chat import json_schema
from server.protocols.responses_calls import full_name, tools_of
from server.protocols.responses_stream import ResponseStream, output_of, response_object
from server.protocols.submission import read_beside, respond

Fields = Mapping[str, Any]


async def responses(http: HttpRequest) -> Response:
    body = await whole_body(http)
    fields = read_object(body)
    chat = await read_beside(read_chat, body, fields)

    def whole(run: Run) -> dict[str, Any]:
        return response_object(run, fields, output_of(run, fields))

    def told(run: Run) -> Told:
        stream = ResponseStream(run, fields)
        return stream.frames(), EVENT_STREAM, stream.heartbeat

    return await respond(http, body, chat, "openai", whole, told)


def read_chat(fields: Fields) -> Chat:
    """The body. Raises BadRequest for an input that cannot be read, and fields of a wrong type."""
    if fields.get("top_logprobs"):
        raise BadRequest("/v1/responses gives no logprobs; /v1/chat/completions does.")
    if fields.get("previous_response_id") or fields.get("conversation"):
        raise BadRequest(_NOTHING_KEPT)
    messages = _messages(fields.get("input"))
    talk = read_messages(messages)
    instructions = text_in(fields, "instructions")
    own = [{"role": "system", "content": instructions}] if instructions else []
    system = filter(None, (instructions, talk.preferences))
    return replace(
        talk,
        model=text_in(fields, "model"),
        preferences="\n\n".join(system),
        stream=truth(fields, "stream") is True,
        max_tokens=whole_number(fields, "max_output_tokens"),
        temperature=number(fields, "temperature"),
        schema=json_schema(object_in(object_in(fields, "text"), "format")),
        tools=tools_of(fields),
        tool_choice=tool_choice(fields),
        parallel=truth(fields, "parallel_tool_calls") is not False,
        messages=[*own, *messages],
        session=text_in(fields, "prompt_cache_key"),
    )


def _messages(given: object) -> list[dict[str, Any]]:
    """Input items as messages of a chat. Calls in a row are one message; what the model itself
    thought is left out."""
    if isinstance(given, str):
        return [{"role": "user", "content": given}]
    if not isinstance(given, list):
        raise BadRequest('The field "input" must be a string or a list of items.')
    messages: list[dict[str, Any]] = []
    for number_, item in enumerate(given):
        if not isinstance(item, Mapping):
            raise BadRequest(f"Item {number_} of the input must be an object.")
        kind = item.get("type") or "message"
        if kind == "message":
            messages.append({"role": item.get("role"), "content": item.get("content")})
        elif kind == "item_reference" and not _is_thought(item.get("id")):
            raise BadRequest(f"Item {number_} of the input is a reference. {_NOTHING_KEPT}")
        elif kind in _OUTPUTS:
            result = {"role": "tool", "tool_call_id": item.get("call_id")}
            messages.append(result | {"content": item.get("output")})
        elif kind in _CALLS:
            called = messages[-1].get("tool_calls") if messages else None
            if called is None:
                called = list[dict[str, Any]]()
                messages.append({"role": "assistant", "content": None, "tool_calls": called})
            called.append(_call(item))
    return messages


_NOTHING_KEPT = (
    "laios stores no responses to continue from: send the earlier turns in the input, which most "
    "clients do with store=false."
)


def _is_thought(item_id: object) -> bool:
    return isinstance(item_id, str) and item_id.startswith("rs_")


_CALLS = ("function_call", "custom_tool_call")
_OUTPUTS = ("function_call_output", "custom_tool_call_output")


def _call(item: Mapping[str, Any]) -> dict[str, Any]:
    """A call as a chat has it; a tool that takes any text is one with a field `input`."""
    arguments = item.get("arguments")
    if item.get("type") == "custom_tool_call":
        arguments = {"input": item.get("input")}
    function = {"name": full_name(item), "arguments": arguments}
    return {"id": item.get("call_id"), "type": "function", "function": function}
