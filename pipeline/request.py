"""What a caller asked for, and the id that its run goes by."""

import os
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from pipeline.run_limits import RunLimits

if TYPE_CHECKING:
    from pipeline.modes import Mode
    from pipeline.task import Task

Source = Literal["native", "openai", "ollama", "anthropic", "cli", "code", "query", "judge"]
Kind = Literal["run", "auxiliary", "agent"]
CHATS = ("openai", "ollama", "anthropic")  # the sources that are chat frontends


@dataclass(frozen=True, slots=True)
class Turn:
    """One earlier message of a chat."""

    role: Literal["user", "assistant"]
    text: str


@dataclass(frozen=True, slots=True)
class Request:
    """What a caller asked for, before its tags are read. `mode` is the choice beside the text;
    where the text is `literal`, nothing in it is a tag. `format` is a form that the answer must
    have, `prefers` one that it gets where the mode has it.

    From a chat frontend: `conversation` is the earlier turns, oldest first, `preferences` its
    system messages (`preferences_are_shared` as in `Task`), `streams` says that the model's text is
    wanted while it arrives, `logprobs` is a call's (verbatim modes have them alone). `temperature`
    holds for a plain answer and for the first draft, `max_tokens` and `stop` where one model's
    plain answer is asked for (`code_raw`, auxiliary calls), `schema` (a JSON Schema of the answer)
    for auxiliary calls alone: a judged draft has to be whole, whatever a frontend's defaults are.

    `limits` are those settings that hold for this run alone.

    From a route of its own, such as `POST /code`: `row` is its mode, which no tag names, and `task`
    what its flow takes, with this prompt; then no tags are read.
    """

    prompt: str
    mode: str | None = None
    session: str | None = None
    source: Source = "native"
    kind: Kind = "run"
    format: str | None = None
    prefers: str | None = None
    no_log: bool = False
    id: str = ""
    conversation: tuple[Turn, ...] = ()
    preferences: str = ""
    preferences_are_shared: bool = True
    streams: bool = False
    max_tokens: int | None = None
    temperature: float | None = None
    stop: tuple[str, ...] = ()
    schema: Mapping[str, Any] | None = None
    logprobs: int | None = None
    limits: RunLimits | None = None
    literal: bool = False
    row: "Mode | None" = None
    task: "Task | None" = None

    @property
    def last_answer(self) -> str:
        """The newest one of the chat, "" for none."""
        answers = (turn.text for turn in reversed(self.conversation) if turn.role == "assistant")
        return next(answers, "")

    def format_of(self, formats: Sequence[str]) -> str:
        """The form of the answer, out of those that the mode has, its own first."""
        if self.format:
            return self.format
        return self.prefers if self.prefers and self.prefers in formats else formats[0]


_ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"  # Crockford's base 32


def new_id() -> str:
    """A ULID: 48 bits of milliseconds, 80 random bits, 26 characters that sort by time."""
    value = (time.time_ns() // 1_000_000) << 80 | int.from_bytes(os.urandom(10))
    return "".join(_ALPHABET[value >> shift & 31] for shift in range(125, -1, -5))


def is_fresh(run_id: str, within_s: float = 600.0) -> bool:
    """Whether an id was made within so many seconds before or after now, by default ten minutes:
    a caller's own must not stand far from its time, nor come twice."""
    return abs(as_number(run_id[:10]) - time.time() * 1000) < within_s * 1000


def as_number(id: str) -> int:
    """The bits of an id, or of its first letters."""
    number = 0
    for letter in id:
        number = number << 5 | _ALPHABET.index(letter)
    return number


def is_id(text: str) -> bool:
    return len(text) == 26 and all(letter in _ALPHABET for letter in text) and text[0] <= "7"
