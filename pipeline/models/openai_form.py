"""Messages and calls in the form of OpenAI's chat completions: llama.cpp and litellm speak it."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from pipeline.model import Call, Message
from pipeline.tool_calls import CallPiece, ToolCall


def messages_of(messages: Iterable[Message]) -> list[dict[str, Any]]:
    return [_message(message) for message in messages]


def _message(message: Message) -> dict[str, Any]:
    written: dict[str, Any] = {"role": message["role"], "content": message["content"]}
    if calls := message.get("calls"):
        written["tool_calls"] = [_call(call) for call in calls]
    if answered := message.get("result_of"):
        written |= {"tool_call_id": answered.id, "name": answered.name}
    return written


def _call(call: ToolCall) -> dict[str, Any]:
    function = {"name": call.name, "arguments": call.arguments}
    return {"id": call.id, "type": "function", "function": function}


def tools_of(call: Call) -> dict[str, Any]:
    """The request's fields about tools; {} where there are none."""
    if not call.tools:
        return {}
    choice = "required" if call.tools.required else "auto"
    fields: dict[str, Any] = {"tools": call.tools.as_json(), "tool_choice": choice}
    return fields if call.tools.parallel else fields | {"parallel_tool_calls": False}


def pieces_of(calls: Sequence[Mapping[str, Any]] | None) -> list[CallPiece]:
    """The `tool_calls` of a stream's delta."""
    return [_piece(place, call) for place, call in enumerate(calls or ())]


def _piece(place: int, call: Mapping[str, Any]) -> CallPiece:
    function, index = call.get("function") or {}, call.get("index")
    return CallPiece(
        place if index is None else index,
        function.get("arguments") or "",
        call.get("id") or "",
        function.get("name") or "",
    )
