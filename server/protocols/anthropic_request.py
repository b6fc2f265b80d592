"""A request of Anthropic's Messages API as a chat. Pure.

Its messages become those of a chat completion: a call is part of the assistant's message, a result
a message of its own.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from pipeline.errors import BadRequest
from server.protocols.chat_request import (
    Chat,
    list_in,
    mapping,
    number,
    object_in,
    read_messages,
    sequence,
    text_in,
    text_of,
    texts,
    truth,
    whole_number,
)

Fields = Mapping[str, Any]
REMINDER = "<system-reminder>"  # what Claude Code says to its model in the person's message
ACCOUNTING = "x-anthropic-billing-header:"
_ROLES = ("user", "assistant", "system")
_THOUGHTS = ("thinking", "redacted_thinking")


def read_chat(fields: Fields) -> Chat:
    """The body. Raises BadRequest for messages that cannot be read and fields of a wrong type."""
    system = _said(fields.get("system"))
    head = [{"role": "system", "content": system}] if system.strip() else []
    messages = [*head, *_messages(fields.get("messages"))]
    return replace(
        read_messages(messages),
        model=text_in(fields, "model"),
        stream=truth(fields, "stream") is True,
        max_tokens=whole_number(fields, "max_tokens"),
        temperature=number(fields, "temperature"),
        stop=texts(fields, "stop_sequences"),
        schema=_schema(object_in(object_in(fields, "output_config"), "format")),
        tools=list_in(fields, "tools"),
        tool_choice=object_in(fields, "tool_choice") or None,
        session=text_in(object_in(fields, "metadata"), "user_id"),
    )


def _schema(wanted: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """The schema of `output_config.format`, None for text."""
    return object_in(wanted, "schema") if wanted.get("type") == "json_schema" else None


def _said(system: object) -> str:
    """Without what Claude Code tells Anthropic's accounting: it changes from session to session,
    and what stands behind it would be read anew each time. Raises BadRequest."""
    if isinstance(system, list):
        system = [each for each in system if not _starts(each, ACCOUNTING)]
    try:
        return text_of(system)
    except BadRequest:
        raise BadRequest('The field "system" must be a string or a list of blocks.') from None


def _messages(given: object) -> Iterator[dict[str, Any]]:
    if not isinstance(given, list):
        raise BadRequest('The field "messages" must be a list of {"role", "content"}.')
    for place, message in enumerate(given):
        if not isinstance(message, Mapping) or message.get("role") not in _ROLES:
            raise BadRequest(
                f'Message {place} must be an object with the "role" user, assistant or system.'
            )
        blocks = _blocks(place, message.get("content"))
        if message["role"] == "system":  # Claude Code's, among its messages
            yield {"role": "system", "content": blocks}
        elif message["role"] == "assistant":
            yield _answer(blocks)
        else:
            yield from _asked(place, blocks)


def _blocks(place: int, content: object) -> list[Mapping[str, Any]]:
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    blocks = [block for block in sequence(content) if isinstance(block, Mapping)]
    if not isinstance(content, list) or len(blocks) < len(content):
        raise BadRequest(f'Message {place}: "content" must be a string or a list of blocks.')
    return blocks


def _answer(blocks: list[Mapping[str, Any]]) -> dict[str, Any]:
    calls = [_call(block) for block in blocks if block.get("type") == "tool_use"]
    said = [block for block in blocks if block.get("type") not in ("tool_use", *_THOUGHTS)]
    message = {"role": "assistant", "content": said}
    return message | {"tool_calls": calls} if calls else message


def _call(block: Mapping[str, Any]) -> dict[str, Any]:
    """Without an input the arguments are empty; null would be read as none given."""
    function = {"name": block.get("name"), "arguments": block.get("input", "")}
    return {"id": block.get("id"), "function": function}


def _asked(place: int, blocks: list[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    """Results first, each a message, then what the person says. Beside results a reminder is no
    word of the person's: it goes with the last of them."""
    results = [_result(place, block) for block in blocks if block.get("type") == "tool_result"]
    rest = [block for block in blocks if block.get("type") != "tool_result"]
    if results:
        results[-1]["content"] += [block for block in rest if _is_reminder(block)]
        rest = [block for block in rest if not _is_reminder(block)]
    yield from results
    if rest:
        yield {"role": "user", "content": rest}


def _result(place: int, block: Mapping[str, Any]) -> dict[str, Any]:
    given = block.get("content")
    content = list[Any]() if given is None else [*_blocks(place, given)]
    if block.get("is_error") is True:
        content.insert(0, {"type": "text", "text": "Error:"})
    return {"role": "tool", "tool_call_id": block.get("tool_use_id"), "content": content}


def _is_reminder(block: Mapping[str, Any]) -> bool:
    return _starts(block, REMINDER)


def _starts(block: object, beginning: str) -> bool:
    text = mapping(block).get("text")
    return isinstance(text, str) and text.lstrip().startswith(beginning)
