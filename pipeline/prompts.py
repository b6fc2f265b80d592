"""What the stages' prompts are made of: titled sections, the caller's preferences, earlier work,
and material that is data and nothing else. Pure."""

import hashlib
import secrets
from collections.abc import Iterable, Sequence
from string import ascii_lowercase

from pipeline.exchange import Exchange
from pipeline.model import Message

_KEY = secrets.token_bytes(32)
EARLIER_WORK = "Earlier work that the request may refer to"


def messages(rules: str, request: str) -> list[Message]:
    return [{"role": "system", "content": rules}, {"role": "user", "content": request}]


def conversation(
    rules: str, request: str, *later: str, talk: Sequence[Exchange] = ()
) -> list[Message]:
    """The order in which parts that work on one text are asked: first what is the same in all runs,
    then what is the same in one, last what this part alone wants. Backends keep what they have read
    of a beginning, so only the end is read anew. `later`: answer and next message, in turn. `talk`
    goes before the request; one that got no answer is said together with the next."""
    turns: list[Message] = [{"role": "system", "content": rules}]
    unanswered: list[str] = []
    for each in talk:
        unanswered.append(each.request)
        if answer := each.answer.rstrip():  # as a model ends its turn
            turns.append({"role": "user", "content": "\n\n".join(unanswered)})
            turns.append({"role": "assistant", "content": answer})
            unanswered = []
    turns.append({"role": "user", "content": "\n\n".join([*unanswered, request])})
    for number, text in enumerate(later):
        turns.append({"role": "user" if number % 2 else "assistant", "content": text})
    return turns


def rules_in_first_turn(messages: Sequence[Message]) -> list[Message]:
    """The same for a model that would never see a system message: rules before the first request.
    They stay at the head, so what backends keep of a beginning is kept."""
    rules = [each["content"] for each in messages if each["role"] == "system"]
    turns = [each for each in messages if each["role"] != "system"]
    if not rules:
        return turns
    first, *others = turns or [{"role": "user", "content": ""}]
    if first["role"] != "user":
        return [{"role": "user", "content": "\n\n".join(rules)}, first, *others]
    asked = "\n\n".join([*rules, first["content"]])
    return [{"role": "user", "content": asked}, *others]


def with_preferences(rules: str, preferences: str) -> str:
    """A stage's rules with what the caller's frontend says about style."""
    if not preferences:
        return rules
    return f"{rules}\n\nThe user's preferences, as far as they fit the rules above:\n{preferences}"


def sections(parts: Iterable[tuple[str, str | None]]) -> str:
    """Titles and texts; what has no text is left out."""
    return "\n\n".join(f"{title}:\n{text}" for title, text in parts if text)


def after_earlier_work(context: str, request: str) -> str:
    """A request with the block of earlier ones before it, in the block's own form; alone where
    there is none."""
    if not context:
        return request
    return f"{EARLIER_WORK}:\n\n{context}\nUser request:\n{request}"


def marked(parts: Sequence[tuple[str, str]]) -> tuple[str, str]:
    """Titles and texts as data between marks, which no text can close; and the mark. What has no
    text is left out.

    The mark is a keyed hash of what it encloses, in letters, which are few tokens. Nobody can know
    it who does not have the key; a text that has seen it is another text, with another mark; and a
    prompt that is written twice is the same, so that a backend need not read it again."""
    told = [(title, text) for title, text in parts if text]
    digest = hashlib.blake2b(repr(told).encode(), digest_size=14, key=_KEY).digest()
    mark = "".join(ascii_lowercase[byte % len(ascii_lowercase)] for byte in digest)
    material = "\n".join(
        f"=== {mark} {title} BEGINS ===\n{text}\n=== {mark} {title} ENDS ==="
        for title, text in told
    )
    return mark, material
