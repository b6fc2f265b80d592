"""Structured model replies: schema → ask → read strictly → ask once more. One ladder for every
stage that needs JSON."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar

from pipeline.errors import ContextTooLong, ModelError, ModelFailed, Unreadable
from pipeline.models.base import Message
from pipeline.question import Question
from pipeline.run import Run

T = TypeVar("T")

QUOTED = 2000  # characters of an unreadable answer that are shown to the model again
THINKING_TOKENS = 4096  # room for a model that thinks before its JSON


@dataclass(frozen=True, slots=True)
class Structured(Generic[T]):
    """What the ladder came to: a value, or None and why. `raw` is the last answer as it came."""

    value: T | None
    raw: str | None
    error: str | None


async def ask_structured(run: Run, question: Question, read: Callable[[str], T]) -> Structured[T]:
    """Asks for JSON that fits the question's schema and hands it to `read`, which raises
    Unreadable.

    First with thinking switched off. Some models ignore the schema then (ollama#14645), so the
    second and last time thinking is left to the model, with room for it, and the fault is named.
    Backend failures that could pass count as an unreadable answer; the others end the ladder.
    """
    role = question.role
    result: Structured[T] = Structured(None, None, None)
    for rung in range(2):
        try:
            answer = await run.ask(_second(question, result) if rung else _first(question))
        except ModelFailed as error:
            result = Structured(None, result.raw, f"{role} failed ({error.code})")
            continue
        except (ModelError, ContextTooLong) as error:
            return Structured(None, result.raw, f"{role} failed ({error.code})")
        try:
            if answer.truncated:
                raise Unreadable("the answer was cut off by the token limit")
            return Structured(read(answer.text), answer.text, None)
        except Unreadable as error:
            answer.step.error = {"code": "unreadable", "message": str(error)}
            answer.step.raw = answer.text
            result = Structured(None, answer.text, f"unparseable {role} answer: {error}")
    return result


def _first(question: Question) -> Question:
    return replace(question, temperature=0, think=False)


def _second(question: Question, before: Structured[Any]) -> Question:
    """The same prompt, with the answer that could not be read and what was wrong with it."""

    def again(**brief: Any) -> list[Message]:
        messages = question.write(**brief)
        if before.raw:
            messages.append({"role": "assistant", "content": before.raw[:QUOTED]})
        complaint = f"That could not be used: {before.error}. Answer with the JSON object alone."
        messages.append({"role": "user", "content": complaint})
        return messages

    return replace(
        question,
        write=again,
        label=f"{question.label} again".strip(),
        max_tokens=(question.max_tokens or 0) + THINKING_TOKENS,
        temperature=0,
    )
