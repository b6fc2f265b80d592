"""Structured model replies: schema → ask → read strictly → repair, where that is allowed → ask once
more. One way for every stage that needs JSON."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar

from pipeline.errors import ContextTooLong, LaiosError, ModelError, ModelFailed, Unreadable
from pipeline.json_repair import repaired
from pipeline.model import Message
from pipeline.model_answer import Answer
from pipeline.model_request import ModelRequest
from pipeline.run import Run

T = TypeVar("T")

QUOTED = 2000  # characters of an unreadable answer that are shown to the model again
THINKING_TOKENS = 4096  # room for a model that thinks before its JSON
LEVELS = ("read", "asked again")
MENDED = "mended"


@dataclass(frozen=True, slots=True)
class Structured(Generic[T]):
    """What asking came to: a value, or None and why. `raw` is the last answer as it came.
    `level` of fallback that gave it: `read`, `mended`, `asked again`, `asked again, mended`.
    `fault` is what the backend raised last, where that ended it."""

    value: T | None
    raw: str | None
    error: str | None
    level: str | None = None
    fault: LaiosError | None = None


async def ask_structured(
    run: Run,
    question: ModelRequest,
    read: Callable[[str], T],
    read_repaired: Callable[[str], T] | None = None,
) -> Structured[T]:
    """Asks for JSON that fits the question's schema and hands it to `read`, which raises
    Unreadable. `read_repaired` reads an answer whose JSON had to be repaired; without it, none is.

    First with thinking switched off. Some models ignore the schema then (ollama#14645), so the
    second and last time thinking is left to the model, with room for it, and the fault is named.
    Backend failures that could pass count as an unreadable answer; the others end it.
    """
    role = question.role
    result: Structured[T] = Structured(None, None, None)
    for level in range(2):
        try:
            answer = await run.ask(_second(question, result) if level else _first(question))
        except ModelFailed as error:
            result = Structured(None, result.raw, f"{role} failed ({error.code})", fault=error)
            continue
        except (ModelError, ContextTooLong) as error:
            return Structured(None, result.raw, f"{role} failed ({error.code})", fault=error)
        try:
            if answer.truncated:
                raise Unreadable("the answer was cut off by the token limit")
            return Structured(read(answer.text), answer.text, None, LEVELS[level])
        except Unreadable as error:
            value = await _repaired(answer, read_repaired, error) if read_repaired else None
            if value is not None:
                named = ", ".join([*LEVELS[1 : level + 1], MENDED])
                return Structured(value, answer.text, None, named)
            answer.unusable(str(error))
            result = Structured(None, answer.text, f"unparseable {role} answer: {error}")
    return result


def required(answer: Structured[T], plan: str) -> T:
    """The value of an answer that has to be there, the `plan`. Raises what the backend raised, and
    ModelFailed for an answer that could not be read the second time either."""
    if answer.fault:
        raise answer.fault
    if answer.value is None:
        raise ModelFailed(
            f"There is no {plan} to go by ({answer.error}). Ask for less at once, or use a larger "
            "model."
        )
    return answer.value


async def _repaired(answer: Answer, read: Callable[[str], T], fault: Unreadable) -> T | None:
    """The value of an answer whose JSON could be repaired; the step says so. A cut-off answer's
    end cannot be guessed."""
    text = None if answer.truncated else await repaired(answer.text)
    if text is None:
        return None
    try:
        value = read(text)
    except Unreadable:
        return None
    answer.step.note = f"{MENDED}: {fault}"
    answer.step.raw = answer.text
    return value


def _first(question: ModelRequest) -> ModelRequest:
    return replace(question, temperature=0, think=False)


def _second(question: ModelRequest, before: Structured[Any]) -> ModelRequest:
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
