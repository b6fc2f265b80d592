"""Tool calls as items of OpenAI's Responses API. Pure.

A tool of type `custom` takes any text: its model calls it with a field `input`, and the caller gets
that text alone.
"""

from collections.abc import Mapping
from typing import Any

from pipeline.tool_calls import CallPiece, ToolCall
from server.protocols.chat_request import mapping, sequence

Event = tuple[str, dict[str, Any]]
"""The kind of an event, and its own fields."""


class CallItem:
    """The item of one call, while its arguments arrive."""

    def __init__(self, first: CallPiece, fields: Mapping[str, Any]) -> None:
        self._first = first
        self._is_custom = first.name in custom_tools(fields)
        self._arguments: list[str] = []
        self.id = f"{'ctc' if self._is_custom else 'fc'}_{first.id}"

    def item(self, status: str = "completed") -> dict[str, Any]:
        head = {"id": self.id, "call_id": self._first.id, "name": self._first.name}
        head["status"] = status
        if self._is_custom:
            return {"type": "custom_tool_call", **head, "input": self._input()}
        return {"type": "function_call", **head, "arguments": "".join(self._arguments)}

    def take(self, arguments: str) -> list[Event]:
        """The events of one more piece. A custom tool's text is known in the end alone."""
        self._arguments.append(arguments)
        if self._is_custom or not arguments:
            return []
        return [("response.function_call_arguments.delta", {"delta": arguments})]

    def end(self) -> list[Event]:
        if self._is_custom:
            kind, text = "response.custom_tool_call_input", self._input()
            return [(f"{kind}.delta", {"delta": text}), (f"{kind}.done", {"input": text})]
        done = {"name": self._first.name, "arguments": "".join(self._arguments)}
        return [("response.function_call_arguments.done", done)]

    def _input(self) -> str:
        values = ToolCall("", "", "".join(self._arguments)).values() or {}
        text = values.get("input")
        return text if isinstance(text, str) else ""


def custom_tools(fields: Mapping[str, Any]) -> set[str]:
    """The names of the request's tools that take any text."""
    tools = (mapping(tool) for tool in sequence(fields.get("tools")))
    return {str(tool.get("name")) for tool in tools if tool.get("type") == "custom"}


def call_item(call: CallPiece, fields: Mapping[str, Any]) -> dict[str, Any]:
    """A whole call's item."""
    item = CallItem(call, fields)
    item.take(call.arguments)
    return item.item()
