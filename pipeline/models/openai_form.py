"""Messages and calls in the form of OpenAI's chat completions: llama.cpp and litellm speak it."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from pipeline.image import Image
from pipeline.model import Call, Message
from pipeline.tool_calls import CallPiece, as_openai

FROM_TOOL = "What the tool has shown:"


def messages_of(messages: Iterable[Message]) -> Iterator[dict[str, Any]]:
    """A tool's pictures stand in a message of their own behind all results: a result is a text."""
    for are_results, group in groupby(messages, lambda message: message["role"] == "tool"):
        turns = list(group)
        yield from map(_message, turns)
        shown = [image for turn in turns for image in turn.get("images", ())]
        if are_results and shown:
            yield {"role": "user", "content": _parts(FROM_TOOL, shown)}


def _parts(text: str, images: Iterable[Image]) -> list[dict[str, Any]]:
    pictures = [{"type": "image_url", "image_url": {"url": image.url}} for image in images]
    return [{"type": "text", "text": text}, *pictures]


def _message(message: Message) -> dict[str, Any]:
    written: dict[str, Any] = {"role": message["role"], "content": message["content"]}
    images = message.get("images")
    if images and message["role"] != "tool":
        written["content"] = _parts(message["content"], images)
    if calls := message.get("calls"):
        written["tool_calls"] = [as_openai(call) for call in calls]
    if answered := message.get("result_of"):
        written |= {"tool_call_id": answered.id, "name": answered.name}
    return written


def fields_of(call: Call) -> dict[str, Any]:
    """The request's fields but for the answer's form, which the servers write differently."""
    messages = list(messages_of(call.messages))
    fields: dict[str, Any] = {"messages": messages, "max_tokens": call.max_tokens}
    if call.temperature is not None:
        fields["temperature"] = call.temperature
    if call.stop:
        fields["stop"] = list(call.stop)
    if call.tools:
        choice = "required" if call.tools.required else "auto"
        fields |= {"tools": call.tools.as_json(), "tool_choice": choice}
        if not call.tools.parallel:
            fields["parallel_tool_calls"] = False
    return fields


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
