"""Calls that a model writes as text, because it does not keep to its template's marks: Qwen 2.5
Coder puts a call into a fence of JSON, where its template asks for `<tool_call>`. Pure.

Only what is nothing but calls of offered tools is one: a word beside it, and it is a text.
"""

import json
import re
from collections.abc import Collection, Iterator

import orjson

from pipeline.analysis.code_extraction import drop_thinking
from pipeline.tool_calls import ToolCall, new_call_id

MOST_CHARS = 1_000_000
# Lines to be taken off, open or closed, around one call or several: no blocks to be read.
_FENCE = re.compile(r"^[ \t]*```\w*[ \t]*$", re.MULTILINE)
_TAG = re.compile(r"^[ \t]*</?(?:tool_call|tools)>|</?(?:tool_call|tools)>[ \t]*$", re.MULTILINE)
_KEYS = ({"name", "arguments"}, {"name", "parameters"})
_BLANK = re.compile(r"\s*")
_READER = json.JSONDecoder()


def written_calls(reply: str, offered: Collection[str]) -> tuple[ToolCall, ...]:
    """The calls that a reply consists of; () for a text."""
    if len(reply) > MOST_CHARS or '"name"' not in reply:
        return ()
    text = _TAG.sub("", _FENCE.sub("", drop_thinking(reply)))
    try:
        calls = [_call(value, offered) for value in _values(text)]
    except (ValueError, RecursionError):
        return ()
    whole = tuple(call for call in calls if call)
    return whole if len(whole) == len(calls) else ()


def _values(text: str) -> Iterator[object]:
    """The JSON values that the text consists of, those of a list one by one. Raises ValueError."""
    at = _after_blanks(text, 0)
    while at < len(text):
        found, at = _READER.raw_decode(text, at)
        yield from found if isinstance(found, list) else (found,)
        at = _after_blanks(text, at)


def _after_blanks(text: str, at: int) -> int:
    blank = _BLANK.match(text, at)
    return blank.end() if blank else at


def _call(value: object, offered: Collection[str]) -> ToolCall | None:
    if not isinstance(value, dict) or set(value) not in _KEYS:
        return None
    name, arguments = value["name"], value.get("arguments", value.get("parameters"))
    if not isinstance(name, str) or name not in offered or not isinstance(arguments, dict):
        return None
    try:
        return ToolCall(new_call_id(), name, orjson.dumps(arguments).decode())
    except TypeError:  # numbers that no JSON reader of the clients takes, lone surrogates
        return None
