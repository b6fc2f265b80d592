"""Tool calls as items of OpenAI's Responses API. Pure.

A tool of type `custom` takes any text: its model calls it with a field `input`, and the caller gets
that text alone. A tool of a namespace (Codex has one for each server of tools) is shown to the
model by both names in one, and its calls come back with the two apart.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pipeline.tool_calls import CallPiece, ToolCall
from server.protocols.chat_request import list_in, mapping, sequence

Event = tuple[str, dict[str, Any]]
"""The kind of an event, and its own fields."""


class CallItem:
    """The item of one call, while its arguments arrive."""

    def __init__(self, first: CallPiece | ToolCall, fields: Mapping[str, Any]) -> None:
        self._first = first
        tool = next((tool for tool in tools_of(fields) if tool.get("name") == first.name), {})
        self._is_custom = tool.get("type") == "custom"
        self._named = tool.get("named", {"name": first.name})
        self._arguments: list[str] = []
        self.id = f"{'ctc' if self._is_custom else 'fc'}_{first.id}"

    def item(self, status: str = "completed") -> dict[str, Any]:
        head = {"id": self.id, "call_id": self._first.id, **self._named, "status": status}
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
        done = {"name": self._named["name"], "arguments": "".join(self._arguments)}
        return [("response.function_call_arguments.done", done)]

    def _input(self) -> str:
        values = ToolCall("", "", "".join(self._arguments)).values() or {}
        text = values.get("input")
        return text if isinstance(text, str) else ""


def tools_of(fields: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The request's tools, those of namespaces among them; `named` is what their calls are called
    by."""
    return [*_tools(list_in(fields, "tools"))]


def _tools(given: Sequence[Any]) -> Iterator[Mapping[str, Any]]:
    for tool in given:
        if not isinstance(tool, Mapping):
            yield tool
            continue
        if tool.get("type") != "namespace":
            yield {**tool, "named": {"name": tool.get("name")}}  # whatever the caller has there
            continue
        for each in map(mapping, sequence(tool.get("tools"))):
            named = {"name": each.get("name"), "namespace": tool.get("name")}
            yield {**each, "name": full_name(named), "named": named}


def full_name(named: Mapping[str, Any]) -> Any:
    """The name of a tool, or of one that is called, with its namespace's before it."""
    space, name = named.get("namespace"), named.get("name")
    both = isinstance(space, str) and isinstance(name, str) and space
    return f"{space}__{name}" if both else name


def call_item(call: ToolCall, fields: Mapping[str, Any]) -> dict[str, Any]:
    """A whole call's item."""
    item = CallItem(call, fields)
    item.take(call.arguments)
    return item.item()
