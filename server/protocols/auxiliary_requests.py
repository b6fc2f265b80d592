"""Which requests a frontend makes by itself: titles, tags, follow-ups, completions. Pure.

They are told by their shape, never by their wording, which changes with every release and with the
user's language. Each rule below is one shape; a request that fits none of them is a person's.
"""

import re
from collections.abc import Callable, Mapping

from pipeline.analysis.fences import ends_in_fence
from pipeline.modes import Mode
from pipeline.review.flow import AUXILIARY, FEW_TOKENS
from server.protocols.chat_request import Chat

LOOKED_AT = 200_000  # characters of a prompt: a transcript tells itself soon
FEW = 32  # tokens; nobody asks for a program in so few: a connection test, or a label

# Open WebUI: a Markdown heading, the instructions, then the whole chat in a block of its own.
_TASK = re.compile(r"\s*### Task:")
_CHAT_BLOCK = ("<chat_history>", "</chat_history>")
# LibreChat and others: the chat as lines that name their speakers. Logs and YAML have `user:`, too.
_PERSON = re.compile(r"^(?:\|\|>)?(?:User|USER|Human|HUMAN):", re.MULTILINE)
_MODEL = re.compile(r"^(?:(?:\|\|>)?(?:Assistant|ASSISTANT|AI)|\|\|>Response):", re.MULTILINE)
# What editors put around the gap that a model is to fill: nothing stands before or behind it.
_GAP_BEGINS = re.compile(
    r"\s*(?:<\|?(?:fim[_-](?:prefix|begin|suffix)|repo_?name|file_sep)\|?>|<｜fim▁begin｜>|<PRE>)"
)
_GAP_ENDS = re.compile(r"(?:<\|?fim[_-](?:middle|hole|end)\|?>|<｜fim▁end｜>|<MID>)\s*\Z")
_LAST = 64  # characters
_CODESTRAL = ("[SUFFIX]", "[PREFIX]")

# A person's wish for code that has to do with chats, which stands before an example of one.
_WANTS_CODE = re.compile(
    r"\b(?:build|create|implement|make|write)\b[^.\n]{0,80}"
    r"\b(?:class|code|function|module|parser|program|regex|script)\b",
    re.IGNORECASE,
)
_WANTS_WORDS = re.compile(r"\b(?:titles?|topics?|tags?|summar\w+|quer(?:y|ies))\b", re.IGNORECASE)

Rule = Callable[[Chat], bool]


def row_of(chat: Chat, headers: Mapping[str, str]) -> Mode | None:
    """How it is answered; None for a person's request. `headers`: the request's, by lower-case
    name. What nothing but its few tokens tells is mostly a connection test, for which the starter's
    answer will do."""
    # opencode offers its tools with each real request, and none with its titles and summaries.
    if headers.get("user-agent", "").startswith("opencode/") and not chat.tools:
        return AUXILIARY
    telling = [rule for rule in RULES if rule(chat)]
    return FEW_TOKENS if telling == [_wants_few_tokens] else AUXILIARY if telling else None


def _is_task_about_a_chat(chat: Chat) -> bool:
    return bool(_TASK.match(chat.prompt)) and _in_order(chat.prompt, *_CHAT_BLOCK)


def _quotes_a_chat(chat: Chat) -> bool:
    """A transcript inside the only message, to be answered in one piece."""
    said = chat.prompt[:LOOKED_AT]
    if chat.stream or chat.turns or not (person := _PERSON.search(said)):
        return False
    lead = said[: person.start()]
    if _WANTS_CODE.search(lead) and not _WANTS_WORDS.search(lead):
        return False
    answered = _MODEL.search(said, person.end())
    return bool(answered) and not ends_in_fence(lead)


def _wants_json(chat: Chat) -> bool:
    """A reply in the caller's own schema is for a program."""
    return chat.schema is not None


def _wants_few_tokens(chat: Chat) -> bool:
    return chat.max_tokens is not None and chat.max_tokens <= FEW


def _fills_a_gap(chat: Chat) -> bool:
    if chat.suffix:
        return True
    if chat.prompt.startswith(_CODESTRAL[0]):
        return _in_order(chat.prompt, *_CODESTRAL)
    return bool(_GAP_BEGINS.match(chat.prompt) and _GAP_ENDS.search(chat.prompt[-_LAST:]))


def _has_its_own_template(chat: Chat) -> bool:
    """Nothing may be put around such a prompt, as every mode would."""
    return chat.raw


def _in_order(text: str, first: str, then: str) -> bool:
    """Whether one stands somewhere behind the other. As a pattern this would take a time that grows
    with the square of the text's length."""
    start = text.find(first)
    return start >= 0 and text.find(then, start + len(first)) >= 0


RULES: tuple[Rule, ...] = (
    _is_task_about_a_chat,
    _quotes_a_chat,
    _wants_json,
    _wants_few_tokens,
    _fills_a_gap,
    _has_its_own_template,
)
