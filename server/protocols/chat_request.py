"""A chat frontend's request, whichever protocol it came by: what is the prompt, what is context,
what are preferences. Pure.

The last message of the user is the prompt, and tags are looked for in it alone; the turns before it
are context; system messages are preferences. Fields that laios has no use for never refuse a
request: frontends send them without asking anybody. Those that it goes by have to be of the right
type.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from pipeline.errors import BadRequest
from pipeline.request import Turn
from server.protocols.answer_footer import without_footer
from server.protocols.message_images import has_images, without_images

T = TypeVar("T")

SYSTEM = ("system", "developer")
ANSWERS = ("assistant", "model")
ANY_OBJECT = {"type": "object"}  # what OpenAI's "json_object" and Ollama's "json" allow
MAX_LOGPROBS = 20
SHOWN = 128  # characters of a wrong word
_NO_TEXT = (
    "laios only reads text and images, and the message contains {kind!r}. Send its text, or use a "
    "model that takes such parts."
)


@dataclass(frozen=True, slots=True)
class Chat:
    """`model` as it was asked for; `turns` are the earlier messages, oldest first.

    `max_tokens`, `temperature`, `schema` (a JSON Schema, {} for any JSON) and `suffix` (text after
    the gap that is to be filled) are None where they were not given; `raw` says that the prompt is
    written in a model's own template, `logprobs` how many alternatives to each token are wanted
    (None: no probabilities at all), `has_image` that the prompt comes with one. The answer ends
    before any text of `stop`. `tools`,
    `tool_choice` and `messages` (in the form of OpenAI's chat completions) are as they came:
    `agent_request.py` reads them.
    """

    model: str | None
    prompt: str
    turns: tuple[Turn, ...] = ()
    preferences: str = ""
    stream: bool = False
    max_tokens: int | None = None
    temperature: float | None = None
    stop: tuple[str, ...] = ()
    schema: Mapping[str, Any] | None = None
    suffix: str | None = None
    tools: Sequence[Any] = ()
    tool_choice: Any = None
    parallel: bool = True
    messages: Sequence[Any] = ()
    raw: bool = False
    logprobs: int | None = None
    session: str | None = None
    has_image: bool = False


def read_messages(messages: object) -> Chat:
    """A chat of messages as OpenAI and Ollama send them, sorted by what they are to us, and of
    nothing else. Raises BadRequest, naming the message that is wrong.

    What stands behind the last message of the user (a tool's result, the beginning of an answer)
    counts as context too: an answer that was begun as one to the prompt.
    """
    if not isinstance(messages, list):
        raise BadRequest('The field "messages" must be a list of {"role", "content"}.')
    read = [_read(number, message) for number, message in enumerate(messages)]
    users = [number for number, (role, _) in enumerate(read) if role == "user"]
    if not users:
        raise BadRequest("There is no user message. Send one: its text is the prompt.")
    last = users[-1]
    _refuse_parts(messages[last])
    is_begun = any(text.strip() for _, text in read[last + 1 :]) and all(
        role in ANSWERS for role, _ in read[last + 1 :]
    )
    turns = tuple(
        Turn("assistant", without_footer(text)) if role in ANSWERS else Turn("user", text)
        for number, (role, text) in enumerate(read)
        if (number != last or is_begun) and role not in SYSTEM and text.strip()
    )
    system = [text for role, text in read if role in SYSTEM and text.strip()]
    prompt = text_of(without_images(messages[last].get("content")))
    return Chat(
        None,
        prompt,
        turns,
        "\n\n".join(system),
        messages=messages,
        has_image=has_images(messages[last]),
    )


def _read(number: int, message: object) -> tuple[str, str]:
    if not isinstance(message, Mapping) or not isinstance(message.get("role"), str):
        raise BadRequest(f'Message {number} must be an object with a "role".')
    try:
        return message["role"], text_of(message.get("content"))
    except BadRequest as error:
        raise BadRequest(f"Message {number}: {error.message}") from None


def text_of(content: object) -> str:
    """A message's content as text: a string, or a list of parts. Parts that are no text leave a
    mark: what was left out must be seen. Raises BadRequest."""
    if content is None:
        return ""
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        raise BadRequest('The field "content" must be a string or a list of parts.')
    return "\n".join(_part_text(part) for part in content)


def _part_text(part: object) -> str:
    if isinstance(part, str):
        return part
    if not isinstance(part, Mapping):
        raise BadRequest('A part of "content" must be an object with a "type".')
    text = part.get("text", part.get("refusal"))
    return text if isinstance(text, str) else f"[{_kind(part)} left out]"


def _refuse_parts(message: Mapping[str, Any]) -> None:
    """A sound or a file in the prompt itself would be answered past the point. One in an earlier
    turn leaves a mark instead: refusing it would refuse the whole chat for ever."""
    content = without_images(message.get("content"))
    parts: Iterable[object] = content if isinstance(content, list) else ()
    for part in parts:
        if isinstance(part, Mapping) and not isinstance(part.get("text"), str):
            raise BadRequest(_NO_TEXT.format(kind=_kind(part)))


def refuse_image(chat: Chat) -> None:
    """Raises BadRequest where the prompt comes with an image: what takes none would answer past the
    point."""
    if chat.has_image:
        raise BadRequest(
            "Only laios and laios:raw take images, if the coder's model can see them: choose one "
            "of these, or send text."
        )


def _kind(part: Mapping[str, Any]) -> str:
    kind = part.get("type")
    return kind[:SHOWN] if isinstance(kind, str) else "a part without type"


# --- fields ------------------------------------------------------------------------------------


def string(value: object) -> str | None:
    return value if isinstance(value, str) and value else None


def _given(fields: Mapping[str, Any], name: str, kind: type[T], called: str) -> T | None:
    """None where there is no such field. Raises BadRequest for what is of another kind."""
    value = fields.get(name)
    if value is None or isinstance(value, kind):
        return value
    raise BadRequest(f'The field "{name}" must be {called}.')


def text_in(fields: Mapping[str, Any], name: str) -> str | None:
    """None for an empty one, too. Raises BadRequest for what is none."""
    return _given(fields, name, str, "a string") or None


def list_in(fields: Mapping[str, Any], name: str) -> Sequence[Any]:
    """Raises BadRequest for what is none."""
    return _given(fields, name, list, "a list") or ()


def object_in(fields: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    """Raises BadRequest for what is none."""
    return _given(fields, name, dict, "an object") or {}


def whole_number(fields: Mapping[str, Any], name: str) -> int | None:
    """A positive whole number; another number counts as not given (some clients send -1). Raises
    BadRequest for what is none."""
    value = number(fields, name)
    return int(value) if value is not None and value >= 1 else None


def number(fields: Mapping[str, Any], name: str) -> float | None:
    """Raises BadRequest for what is none."""
    value = fields.get(name)
    if value is None or (isinstance(value, int | float) and not isinstance(value, bool)):
        return value
    raise BadRequest(f'The field "{name}" must be a number.')


def truth(fields: Mapping[str, Any], name: str) -> bool | None:
    """Raises BadRequest for what is neither true nor false."""
    return _given(fields, name, bool, "true or false")


def tool_choice(fields: Mapping[str, Any]) -> str | Mapping[str, Any] | None:
    """As OpenAI has it. Raises BadRequest for what is neither a word nor a tool."""
    value = fields.get("tool_choice")
    if value is None or isinstance(value, str | dict):
        return value
    raise BadRequest('The field "tool_choice" must be a string or an object.')


def logprobs(fields: Mapping[str, Any]) -> int | None:
    """`logprobs` with `top_logprobs`, which OpenAI and Ollama have alike. Raises BadRequest."""
    if truth(fields, "logprobs") is not True:
        return None
    most = number(fields, "top_logprobs") or 0
    if not isinstance(most, int) or not 0 <= most <= MAX_LOGPROBS:
        raise BadRequest(
            f'The field "top_logprobs" must be a whole number from 0 to {MAX_LOGPROBS}.'
        )
    return most


def texts(fields: Mapping[str, Any], name: str) -> tuple[str, ...]:
    """A text, or a list of them; empty ones count as not given. Raises BadRequest for what is
    none."""
    value = fields.get(name)
    found = [value or ""] if value is None or isinstance(value, str) else value
    if isinstance(found, list) and all(isinstance(each, str) for each in found):
        return tuple(filter(None, found))
    raise BadRequest(f'The field "{name}" must be a string or a list of strings.')


def sequence(value: object) -> Sequence[Any]:
    return value if isinstance(value, list) else ()


def mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}
