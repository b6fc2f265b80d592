"""JSON with comments and trailing commas, as VS Code, Zed and opencode read it."""

import json
import re
from collections.abc import Callable
from typing import Any

from server.client_setup.edit import Unreadable
from server.client_setup.syntax_node import Node, Syntax, newline

_TRIVIA = re.compile(r"(?:[\s\ufeff]+|//[^\r\n]*|/\*.*?\*/)*+", re.DOTALL)
_SCALAR = re.compile(r'"(?:[^"\\\x00-\x1f]|\\.)*+"|-?[0-9][0-9.eE+-]*+|true|false|null')
_BLOCK = r"(?:/\*[^\r\n]*?\*/[ \t]*)*"
# What follows a value on its line: comments, and the comma if it is there.
_REST = re.compile(rf"[ \t]*{_BLOCK}(,?)[ \t]*{_BLOCK}(?://[^\r\n]*)?")
_INDENTED = re.compile(r'^([ \t]+)["{\[]', re.MULTILINE)
DEEPEST = 100
WIDTH = 90


class Jsonc(Syntax):
    """The format; it has no state."""

    def load(self, text: str) -> Any:
        root = self.parse(text)
        return None if root is None else _plain(root)

    def parse(self, text: str) -> Node | None:
        return _Reader(text).document()

    def start(self, text: str, value: Any) -> str:
        end = newline(text)
        gap = end if text.strip() and not text.endswith("\n") else ""
        return text + gap + _dumped(text, value, "") + end

    def add_member(self, text: str, node: Node, key: str, value: Any) -> str:
        name = json.dumps(key, ensure_ascii=False)
        return _add(text, node, lambda indent: f"{name}: {_dumped(text, value, indent)}")

    def add_item(self, text: str, node: Node, value: Any) -> str:
        return _add(text, node, lambda indent: _dumped(text, value, indent))

    def replace(self, text: str, node: Node, value: Any) -> str:
        new = _dumped(text, value, _indent(text, node.start))
        return text[: node.start] + new + text[node.end :]


def _add(text: str, node: Node, written: Callable[[str], str]) -> str:
    """The text with one more member or item, in the layout of those that are there."""
    end = newline(text)
    outer = _indent(text, node.start)
    inner = outer + _unit(text)
    if not node.spans:
        inside = text[node.start + 1 : node.end - 1].rstrip()
        new = f"{inside}{end}{inner}{written(inner)}{end}{outer}"
        return text[: node.start + 1] + new + text[node.end - 1 :]
    first, last = node.spans[0][0], node.spans[-1][1]
    if "\n" not in text[node.start : node.end]:
        return _add_to_line(text, node, written, outer, inner)
    lead = text[text.rfind("\n", 0, first) + 1 : first]
    if lead.isspace() or not lead:
        inner = lead
    rest = _REST.match(text, last)
    assert rest  # it can be empty
    comma = rest[1]
    head = text[:last] + ("" if comma else ",") + text[last : rest.end()].rstrip()
    return f"{head}{end}{inner}{written(inner)}{comma}{text[rest.end() :]}"


def _add_to_line(
    text: str, node: Node, written: Callable[[str], str], outer: str, inner: str
) -> str:
    """To a map or list that stands on one line: there, if it fits, else each on its own line."""
    end = newline(text)
    last = node.spans[-1][1]
    new = written(outer)
    inside = [text[start:stop] for start, stop in node.spans]
    plain = re.sub(r"[ ,]", "", text[node.start + 1 : node.end - 1])
    comments = plain != re.sub(r"[ ,]", "", "".join(inside))
    fits = "\n" not in new and node.end - node.start + len(outer) + len(new) <= WIDTH
    if fits or comments:
        return f"{text[:last]}, {new}{text[last:]}"
    rows = f",{end}".join(inner + row for row in (*inside, written(inner)))
    return f"{text[: node.start + 1]}{end}{rows}{end}{outer}{text[node.end - 1 :]}"


def _dumped(text: str, value: Any, indent: str) -> str:
    """The value as it stands in a line with that indentation: on that line, if it fits."""
    plain = json.dumps(value, ensure_ascii=False)
    if not isinstance(value, dict | list) or not value or len(indent) + len(plain) <= WIDTH:
        return plain
    inner = indent + _unit(text)
    if isinstance(value, dict):
        rows = [
            f"{json.dumps(key, ensure_ascii=False)}: {_dumped(text, each, inner)}"
            for key, each in value.items()
        ]
    else:
        rows = [_dumped(text, each, inner) for each in value]
    end = newline(text)
    opening, closing = "{}" if isinstance(value, dict) else "[]"
    return opening + end + f",{end}".join(inner + row for row in rows) + end + indent + closing


def _unit(text: str) -> str:
    """One level of indentation, as the text has it."""
    found = _INDENTED.search(text)
    return found[1] if found else "  "


def _indent(text: str, at: int) -> str:
    """The blanks at the start of the line."""
    line = text[text.rfind("\n", 0, at) + 1 : at]
    return line[: len(line) - len(line.lstrip(" \t"))]


def _plain(node: Node) -> Any:
    if node.kind == "map":
        return {key: _plain(child) for key, child in node.keys.items()}
    return [_plain(item) for item in node.items] if node.kind == "list" else node.value


class _Reader:
    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        self._depth = 0

    def document(self) -> Node | None:
        self._skip()
        if self._at == len(self._text):
            return None
        root = self._value()
        self._skip()
        if self._at < len(self._text):
            raise self._wrong("the end")
        return root

    def _value(self) -> Node:
        opening = self._text[self._at : self._at + 1]
        if opening in ("{", "["):
            self._depth += 1
            if self._depth > DEEPEST:
                raise self._wrong("less nesting")
            node = self._map() if opening == "{" else self._list()
            self._depth -= 1
            return node
        return self._scalar()

    def _scalar(self) -> Node:
        found = _SCALAR.match(self._text, self._at)
        try:
            value = json.loads(found[0]) if found else None
        except ValueError:
            found = None
        if not found:
            raise self._wrong("a value")
        start, self._at = self._at, found.end()
        return Node("empty" if found[0] == "null" else "scalar", start, self._at, value)

    def _map(self) -> Node:
        node = Node("map", self._at, self._at)
        while not self._closed("}", node):
            start = self._at
            if self._text[start : start + 1] != '"':
                raise self._wrong("a key in quotes")
            key = self._scalar().value
            self._skip()
            if self._text[self._at : self._at + 1] != ":":
                raise self._wrong("a colon")
            self._at += 1
            self._skip()
            node.keys[key] = self._value()
            node.spans.append((start, self._at))
        return node

    def _list(self) -> Node:
        node = Node("list", self._at, self._at)
        while not self._closed("]", node):
            item = self._value()
            node.items.append(item)
            node.spans.append((item.start, item.end))
        return node

    def _closed(self, bracket: str, node: Node) -> bool:
        """Steps over the opening bracket or a comma; over the closing bracket if it is next."""
        if not node.spans:
            self._at += 1
        self._skip()
        if node.spans and self._text[self._at : self._at + 1] == ",":
            self._at += 1
            self._skip()
        elif node.spans and self._text[self._at : self._at + 1] != bracket:
            raise self._wrong(f"a comma or {bracket}")
        if self._text[self._at : self._at + 1] != bracket:
            return False
        self._at += 1
        node.end = self._at
        return True

    def _skip(self) -> None:
        found = _TRIVIA.match(self._text, self._at)
        self._at = found.end() if found else self._at

    def _wrong(self, expected: str) -> Unreadable:
        line = self._text.count("\n", 0, self._at) + 1
        return Unreadable(f"line {line}: expected {expected}")
