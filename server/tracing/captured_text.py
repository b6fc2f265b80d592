"""Prompts and answers as attributes of spans: JSON in the shape of the GenAI conventions."""

from collections.abc import Sequence
from typing import Any

import orjson

from pipeline.model import Message, Reply
from pipeline.unicode_text import values_without_surrogates

Part = dict[str, Any]


def input_of(messages: Sequence[Message]) -> str:
    return _json([{"role": message["role"], "parts": _parts(message)} for message in messages])


def output_of(reply: Reply) -> str:
    parts = [{"type": "reasoning", "content": reply.thinking}] if reply.thinking else []
    parts += _text(reply.text)
    parts += [_call(call.id, call.name, call.arguments) for call in reply.calls]
    return said("assistant", parts, finish_reason=reply.finish_reason)


def said(role: str, parts: str | list[Part], **more: str) -> str:
    """One message, of a plain text or of these parts."""
    whole = _text(parts) if isinstance(parts, str) else parts
    return _json([{"role": role, "parts": whole, **more}])


def _parts(message: Message) -> list[Part]:
    answered = message.get("result_of")
    if answered:
        response = message["content"]
        return [{"type": "tool_call_response", "id": answered.id, "response": response}]
    calls = message.get("calls") or ()
    return _text(message["content"]) + [_call(c.id, c.name, c.arguments) for c in calls]


def _text(text: str) -> list[Part]:
    return [{"type": "text", "content": text}] if text else []


def _call(id: str, name: str, arguments: str) -> Part:
    return {"type": "tool_call", "id": id, "name": name, "arguments": arguments}


def _json(value: Any) -> str:
    try:
        return orjson.dumps(value).decode()
    except orjson.JSONEncodeError:
        return orjson.dumps(values_without_surrogates(value)).decode()
