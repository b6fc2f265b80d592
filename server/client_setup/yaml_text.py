"""YAML, changed where it stands: PyYAML says where each node is, the text around it stays. (A round
trip by ruamel.yaml writes indentation, blanks and flow lists of the whole file anew.)"""

import json
from collections.abc import Iterator
from itertools import islice
from typing import Any

import yaml

from server.client_setup.edit import Unreadable
from server.client_setup.syntax_node import Node, Syntax, newline

MOST_NODES = 100_000  # those behind an alias counted each time: few bytes can stand for billions
_ENDLESS = 1 << 30  # no line is folded


class Yaml(Syntax):
    """The format; it has no state."""

    def load(self, text: str) -> Any:
        try:
            loader = yaml.SafeLoader(text)  # which refuses control characters
            root = loader.get_single_node()
            if root is None:
                return None
            if len([*islice(_nodes(root), MOST_NODES)]) == MOST_NODES:
                raise Unreadable("with its aliases written out it is far too long")
            return loader.construct_document(root)
        except (yaml.YAMLError, ValueError, RecursionError) as error:
            raise Unreadable(_said(error)) from None
        except (LookupError, AttributeError, TypeError):  # PyYAML's, of `!!bool x` for example
            raise Unreadable("a value is not of the type that its tag names") from None

    def parse(self, text: str) -> Node | None:
        root = yaml.compose(text, yaml.SafeLoader)
        return None if root is None else _node(text, root)

    def start(self, text: str, value: Any) -> str:
        return _after(text, len(text), _block(value, 0))

    def add_member(self, text: str, node: Node, key: str, value: Any) -> str:
        return self._add(text, node, {key: value})

    def add_item(self, text: str, node: Node, value: Any) -> str:
        return self._add(text, node, [value])

    def _add(self, text: str, node: Node, more: Any) -> str:
        if not node.spans:
            return self.replace(text, node, more)
        if node.flow:
            last = node.spans[-1][1]
            return f"{text[:last]}, {json.dumps(more, ensure_ascii=False)[1:-1]}{text[last:]}"
        first = node.spans[0][0]
        column = first - (text.rfind("\n", 0, first) + 1)
        return _after(text, node.end, _block(more, column))

    def replace(self, text: str, node: Node, value: Any) -> str:
        before, after = text[: node.start], text[node.end :]
        if not isinstance(value, dict | list):
            gap = " " if before.endswith(":") else ""
            end = newline(text) if text[node.start : node.end].endswith("\n") else ""
            return before + gap + _scalar(value) + end + after
        rest = after.partition("\n")[0].strip()
        if rest and not rest.startswith("#"):  # inside a flow collection
            return f"{before} {json.dumps(value, ensure_ascii=False)}{after}"
        cut = before.rstrip(" \t")
        return _after(cut + after, len(cut), _block(value, node.column + 2 if cut else 0))


def _nodes(root: yaml.Node) -> Iterator[yaml.Node]:
    """All of them, those behind an alias each time that it is named (without an end in a loop)."""
    todo = [root]
    while todo:
        yield (node := todo.pop())
        if isinstance(node, yaml.MappingNode):
            todo += [each for pair in node.value for each in pair]
        elif isinstance(node, yaml.SequenceNode):
            todo += node.value


def _node(text: str, found: Any, column: int = 0) -> Node:
    """PyYAML's node as ours. A block's own end lies after the comments that follow it, so that of
    its last leaf is taken."""
    start, end = found.start_mark.index, found.end_mark.index
    if isinstance(found, yaml.ScalarNode):
        value = yaml.constructor.SafeConstructor().construct_object(found)
        return Node("empty" if value is None else "scalar", start, end, value, column=column)
    flow = bool(found.flow_style)
    if isinstance(found, yaml.MappingNode):
        made = Node("map", start, end, flow=flow, column=column)
        for key, value in found.value:
            member = _node(text, value, key.start_mark.column)
            made.keys[key.value if isinstance(key, yaml.ScalarNode) else ""] = member
            made.spans.append((key.start_mark.index, max(member.end, key.end_mark.index)))
    else:
        made = Node("list", start, end, flow=flow, column=column)
        for item in found.value:
            made.items.append(_node(text, item, column))
            dash = text.rfind("-", 0, item.start_mark.index)
            made.spans.append((item.start_mark.index if flow else dash, made.items[-1].end))
    if not flow and made.spans:
        made.end = made.spans[-1][1]
    return made


def _after(text: str, at: int, block: str) -> str:
    """The text with the block on lines of its own, after the line that ends at or behind `at`."""
    end = newline(text)
    block = block.replace("\n", end)
    if at and text[at - 1] != "\n":
        line = text.find("\n", at)
        if line < 0:
            return text + end + block
        at = line + 1
    return text[:at] + block + text[at:]


class _Dumper(yaml.SafeDumper):
    """Lists are indented below their key; those of single values stand on its line."""

    def increase_indent(self, flow: bool = False, indentless: bool = False) -> Any:
        return super().increase_indent(flow, False)


def _list(dumper: _Dumper, data: list[Any]) -> yaml.Node:
    plain = not any(isinstance(each, dict | list) for each in data)
    return dumper.represent_sequence("tag:yaml.org,2002:seq", data, flow_style=plain)


_Dumper.add_representer(list, _list)


def _block(value: Any, column: int) -> str:
    plain = yaml.dump(value, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=_ENDLESS)
    return "".join(" " * column + line for line in plain.splitlines(keepends=True))


def _scalar(value: Any) -> str:
    plain: str = yaml.safe_dump(value, allow_unicode=True, width=_ENDLESS)
    return plain.partition("\n")[0]


def _said(error: Exception) -> str:
    mark = getattr(error, "problem_mark", None)
    problem = getattr(error, "problem", None) or str(error).partition("\n")[0]
    return f"line {mark.line + 1}: {problem}" if mark else problem
