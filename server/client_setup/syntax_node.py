"""A config file's text as nodes with their positions, and edits at those positions."""

from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from server.client_setup.edit import KeyPath, PathStep, nested


@dataclass(slots=True)
class Node:
    """`text[start:end]` is the node. `spans` are the members (from their key on) or items in
    order; `keys` and `items` their nodes. `column` is where a member's key starts (YAML)."""

    kind: Literal["map", "list", "scalar", "empty"]
    start: int
    end: int
    value: Any = None
    flow: bool = True
    column: int = 0
    spans: list[tuple[int, int]] = field(default_factory=list)
    keys: dict[str, "Node"] = field(default_factory=dict)
    items: list["Node"] = field(default_factory=list)

    def child(self, step: PathStep) -> "Node | None":
        if isinstance(step, str):
            return self.keys.get(step)
        rows = (row for row in self.items if row.kind == "map" and step.key in row.keys)
        return next((row for row in rows if row.keys[step.key].value == step.name), None)


class Syntax(Protocol):
    """How a format writes; each function gives the new text."""

    def parse(self, text: str) -> Node | None:
        """The root, None where there is nothing but comments. Raises Unreadable."""

    def start(self, text: str, value: Any) -> str:
        """The value into a text that has none."""

    def add_member(self, text: str, node: Node, key: str, value: Any) -> str: ...

    def add_item(self, text: str, node: Node, value: Any) -> str: ...

    def replace(self, text: str, node: Node, value: Any) -> str:
        """Another value for a scalar, or one for an empty node."""

    def put(self, text: str, path: KeyPath, value: Any) -> str:
        """The text with the value at the path; what is missing on the way is added in one piece."""
        node = self.parse(text)
        if node is None:
            return self.start(text, nested(path, value))
        for depth, step in enumerate(path):
            if node.kind == "empty":
                return self.replace(text, node, nested(path[depth:], value))
            found = node.child(step)
            if found is None:
                if isinstance(step, str):
                    return self.add_member(text, node, step, nested(path[depth + 1 :], value))
                return self.add_item(text, node, nested(path[depth:], value)[0])
            node = found
        if isinstance(value, dict) and node.kind == "map":
            for key in value:
                text = self.put(text, (*path, key), value[key])
            return text
        stands = node.kind == "scalar" and node.value == value
        return text if stands else self.replace(text, node, value)


def newline(text: str) -> str:
    """The line end that the text uses."""
    return "\r\n" if "\r\n" in text else "\n"
