"""The messages of an agent's conversation, in the form of OpenAI's chat completions or of Ollama.
Pure.

Nothing of them is lost: models are shown the calls that were made and what came of each, in their
places.
"""

import re
from collections import defaultdict, deque
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import orjson

from pipeline.errors import BadRequest
from pipeline.history_context import without_tags
from pipeline.model import Message
from pipeline.tool_calls import ToolCall
from server.protocols.answer_footer import without_footer
from server.protocols.chat_request import ANSWERS, SYSTEM, mapping, string, text_of
from server.protocols.message_images import images_of, without_images

_ID = re.compile(r"[\w.:/|+=-]{1,256}")
NAME = re.compile(r"[\w.:/-]{1,128}")  # a tool's
_RESULTS = ("tool", "function")


def read_conversation(given: Sequence[Any], with_images: bool = False) -> list[Message]:
    """The messages, each as it is read in every later turn, too: an engine that finds one changed
    reads all behind it anew. A person's are without their tags. Without its images each leaves a
    mark. Raises BadRequest, naming the message that is wrong."""
    return _with_one_head(list(_read(given, with_images)))


def _with_one_head(messages: list[Message]) -> list[Message]:
    """System messages before the first answer as one, at the head: many chat templates know no
    other. Those that come later stay in their places, or each turn would be read anew."""
    roles = [message["role"] for message in messages]
    begun = roles.index("assistant") if "assistant" in roles else len(roles)
    head = [each["content"] for each in messages[:begun] if each["role"] == "system"]
    rest = [each for each in messages[:begun] if each["role"] != "system"]
    one: list[Message] = [{"role": "system", "content": "\n\n".join(head)}] if head else []
    return [*one, *rest, *messages[begun:]]


def _read(given: Sequence[Any], with_images: bool) -> Iterator[Message]:
    open_calls = _OpenCalls()
    for number, message in enumerate(given):
        role, said_or_shown = message["role"], message.get("content")
        content = text_of(without_images(said_or_shown) if with_images else said_or_shown)
        if role in SYSTEM:
            yield {"role": "system", "content": content}
        elif role in ANSWERS:
            calls = [_call(number, *made) for made in enumerate(_calls_in(number, message))]
            open_calls.add(calls)
            said: Message = {"role": "assistant", "content": without_footer(content)}
            yield {**said, "calls": calls} if calls else said
        elif role in _RESULTS:
            answered = _answered(number, message, open_calls)
            result: Message = {"role": "tool", "content": content, "result_of": answered}
            yield _with_images(result, message) if with_images else result
        else:
            asked: Message = {"role": "user", "content": without_tags(content)}
            yield _with_images(asked, message) if with_images else asked


def _calls_in(number: int, message: Mapping[str, Any]) -> Sequence[Any]:
    """`function_call` is OpenAI's first form of one."""
    calls, first_form = message.get("tool_calls"), message.get("function_call")
    if calls is not None and not isinstance(calls, list):
        raise BadRequest(f'Message {number}: the field "tool_calls" must be a list.')
    return [{"function": first_form}] if first_form and not calls else calls or ()


def _with_images(read: Message, message: Mapping[str, Any]) -> Message:
    images = images_of(message)
    return {**read, "images": images} if images else read


def _call(number: int, place: int, given: object) -> ToolCall:
    function = mapping(mapping(given).get("function"))
    name, call_id = function.get("name"), mapping(given).get("id")
    if not isinstance(name, str) or not NAME.fullmatch(name):
        raise BadRequest(f"Message {number} has a tool call without the name of a tool.")
    if call_id and not (isinstance(call_id, str) and _ID.fullmatch(call_id)):
        raise BadRequest(f"Message {number} has a tool call whose id is not plain text.")
    own_id = call_id or f"call_{number}_{place}"  # Ollama's clients send none, or ""
    call = ToolCall(own_id, name, _arguments(function.get("arguments")))
    if call.values() is None:
        raise BadRequest(
            f"Message {number}: the arguments of the call of {name!r} are not a JSON object."
        )
    return call


def _arguments(given: object) -> str:
    """As JSON text; Ollama has objects. What is neither is no JSON object either."""
    if isinstance(given, str):
        return given.strip() or "{}"
    try:
        return "{}" if given is None else orjson.dumps(given).decode()
    except orjson.JSONEncodeError:
        return ""


class _OpenCalls:
    """The calls that have no result yet, in their order. Ollama's results name their tool, or
    nothing: each call is looked at once, however many there are."""

    def __init__(self) -> None:
        self._by_id: dict[str, ToolCall] = {}
        self._by_name: defaultdict[str | None, deque[ToolCall]] = defaultdict(deque)

    def add(self, calls: Sequence[ToolCall]) -> None:
        for call in calls:
            self._by_id[call.id] = call
            for name in (call.name, None):
                self._by_name[name].append(call)

    def take(self, call_id: str | None, name: str | None) -> ToolCall | None:
        """The call with this id; without one, the first that fits the name."""
        return self._by_id.pop(call_id, None) if call_id else self._first(name)

    def _first(self, name: str | None) -> ToolCall | None:
        waiting = self._by_name[name]
        while waiting:
            call = waiting.popleft()
            if self._by_id.get(call.id) is call:
                return self._by_id.pop(call.id)
        return None


def _answered(number: int, message: Mapping[str, Any], open_calls: _OpenCalls) -> ToolCall:
    """The call that a result is of, which is answered by it."""
    call_id = string(message.get("tool_call_id"))
    name = string(message.get("tool_name")) or string(message.get("name"))
    found = open_calls.take(call_id, name)
    if found is None:
        which = f" {(call_id or name or '')[:128]!r}" if call_id or name else ""
        raise BadRequest(
            f"Message {number} is the result of a tool call{which} that no earlier message makes. "
            "Send the assistant's message with its tool_calls, too."
        )
    return found
