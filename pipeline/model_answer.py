"""A model's answer to a stage, and the step that records it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pipeline.analysis.code_extraction import extract_code
from pipeline.analysis.python_syntax import is_python
from pipeline.errors import EmptyAnswer
from pipeline.model import Call, Reply
from pipeline.step import Step
from pipeline.tokens import estimate_messages
from pipeline.tool_calls import ToolCall

FAR_BELOW = 0.25  # a backend's count under this part of the estimate is noted


@dataclass(frozen=True, slots=True)
class Answer:
    """A model's reply and the step that it belongs to."""

    text: str
    truncated: bool
    step: Step
    calls: tuple[ToolCall, ...] = ()
    logprobs: tuple[Mapping[str, Any], ...] = ()

    def used_as(self, text: str, put_in: Sequence[str] = (), mended: Sequence[str] = ()) -> None:
        """Keeps the reply as it came, where something else was made of it; the import lines that a
        rule put in, and what else one did."""
        if text != self.text:
            self.step.raw = self.text
        imports = [f"missing imports put in: {'; '.join(put_in)}"] if put_in else []
        if said := "; ".join([*imports, *mended]):
            self.step.note = said

    def unusable(self, fault: str, code: str = "unreadable") -> None:
        """Keeps the reply, of which nothing was made, and why."""
        self.step.raw = self.text
        self.step.error = {"code": code, "message": fault}


def answer_of(step: Step, reply: Reply | EmptyAnswer, call: Call) -> Answer:
    """Fills the step in. An answer that is empty has no text, and the step says so."""
    if isinstance(reply, EmptyAnswer):
        step.fail(reply)
        return Answer("", False, step)
    step.fill(reply)
    step.note = _count_note(reply, estimate_messages(call.messages))
    text, is_cut_off = _as_far_as_whole(reply)
    return Answer(text, is_cut_off, step, reply.calls, reply.logprobs)


def _as_far_as_whole(reply: Reply) -> tuple[str, bool]:
    """The text, and whether it was cut off: at its limit; or where it was stopped for repeating
    itself, which may have begun within a line, and what came before is no whole program."""
    if reply.finish_reason != "repetition":
        return reply.text, reply.finish_reason == "length"
    tried = (reply.text, reply.text.rpartition("\n")[0])
    whole = (text for text in tried if text.strip() and is_python(extract_code(text).text))
    found = next(whole, None)
    return (reply.text, True) if found is None else (found, False)


def _count_note(reply: Reply, estimated: int) -> str | None:
    """Some servers leave cached tokens out of their count, so this is a note and no error."""
    if reply.prompt_tokens is None or reply.prompt_tokens >= estimated * FAR_BELOW:
        return None
    return f"the backend counted {reply.prompt_tokens} prompt tokens, about {estimated} were sent"
