"""A run as an answer for a chat frontend: its text as Markdown, its pieces, its costs."""

import re
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from typing import Any, Literal

from laios.markdown_text import fenced
from pipeline.analysis.code_document import is_code_document
from pipeline.analysis.evidence import named_language
from pipeline.analysis.prose import reads_as_prose
from pipeline.errors import ModelFailed
from pipeline.run import Run
from pipeline.task import CODE
from pipeline.tokens import estimate
from pipeline.tool_calls import CallPiece, ToolCall
from server.protocols.answer_footer import footer_of
from server.runtime.stage_labels import drawing_label, left_out_label, stage_label

_LOADS = re.compile(r"!\[|<\w")  # an image, or HTML


@dataclass(frozen=True, slots=True)
class Piece:
    """Text of the answer, or (`thinking`) what is shown while it is made; or a piece of a call of
    one of the caller's tools. `logprobs` are those of its tokens, where the caller asked for
    them."""

    text: str = ""
    thinking: bool = False
    call: CallPiece | None = None
    logprobs: Sequence[Mapping[str, Any]] = ()


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of all calls of a run together. `hidden` are those of the output that the caller does
    not see: the judge's, and a draft's that was replaced."""

    prompt: int
    output: int
    hidden: int


async def pieces(run: Run) -> AsyncGenerator[Piece, None]:
    """The answer as it comes: a verbatim mode's text token by token, a judged one's in one piece,
    after the run is on record. Raises the LaiosError that the run ended with."""
    verbatim = run.mode.verbatim
    progress = run.settings.FRONTEND_PROGRESS and not verbatim
    async with aclosing(run.events(text=verbatim)) as events:
        async for event in events:
            kind = event["event"]
            if kind == "delta":
                logprobs = event.get("logprobs", ())
                if event["thinking"]:
                    own = () if event["text"] else logprobs
                    yield Piece(event["thinking"], thinking=True, logprobs=own)
                if event["text"] or (logprobs and not event["thinking"]):
                    yield Piece(event["text"], logprobs=logprobs)
                for call in event.get("calls", ()):
                    yield Piece(call=call)
            elif progress and kind == "queued":
                yield Piece(f"waiting, number {event['position']} in the queue…\n", thinking=True)
            elif progress and kind == "left_out":
                yield Piece(f"{left_out_label(event['exchanges'])}\n", thinking=True)
            elif progress and kind == "draft":
                yield Piece(f"{drawing_label(event)}\n", thinking=True)
            elif progress and kind == "step" and event["state"] == "started":
                yield Piece(f"{stage_label(event)}…\n", thinking=True)
    raise_if_failed(run)
    if not verbatim:
        if text := content_of(run):
            yield Piece(text)
        for number, call in enumerate(calls_of(run)):
            yield Piece(call=CallPiece(number, call.arguments, call.id, call.name))


def calls_of(run: Run) -> Sequence[ToolCall]:
    """The calls of the caller's tools."""
    return run.result.calls if run.result else ()


def raise_if_failed(run: Run) -> None:
    """A verbatim answer that the token limit cut off is an answer here: `finish_reason` says it."""
    if run.error and not (isinstance(run.error, ModelFailed) and _was_cut_off(run)):
        raise run.error


def content_of(run: Run) -> str:
    """What the frontend shows: a verbatim mode's reply as it came; code as one fenced block, words
    as they are. What is known to be wrong, or not certain, stands below it, but never behind bare
    code, which that would spoil."""
    if run.mode.verbatim:
        return _reply(run)
    result = run.result
    assert result is not None
    if result.format != CODE:
        return result.text.rstrip("\n") + footer if (footer := footer_of(run)) else result.text
    if result.language == "markdown" and _is_read(result.text, run.prompt):
        return result.text.rstrip("\n") + footer_of(run)
    if run.settings.FRONTEND_FENCES:
        return fenced(result.text, result.language) + footer_of(run)
    return result.text


def _is_read(text: str, request: str) -> bool:
    """Whether Markdown is to be read as it is: its code is in fences already, or it is words in
    answer to a request that asks for no document; not if a frontend would load something for it."""
    if is_code_document(text):
        return True
    is_words = named_language(request) != "markdown" and reads_as_prose(text)
    return is_words and not _LOADS.search(text)


def thinking_of(run: Run) -> str:
    """What a verbatim mode's model thought, as its stream tells it."""
    return "".join(run.thinking) if run.mode.verbatim else ""


def finish_reason(run: Run) -> Literal["stop", "length", "tool_calls"]:
    if calls_of(run):
        return "tool_calls"
    plain = run.mode.verbatim or run.request.kind == "agent"
    cut = plain and bool(run.steps) and run.steps[-1].finish_reason == "length"
    return "length" if cut else "stop"


def usage_of(run: Run) -> Usage:
    """Backends that do not count get our estimate: clients choke on a missing number."""
    shown = estimate(run.output or "")
    counts = [step.output_tokens for step in run.steps if step.output_tokens is not None]
    prompts = [step.prompt_tokens for step in run.steps if step.prompt_tokens is not None]
    whole = (step for step in run.steps if step.finish_reason != "unneeded")
    final = [step for step in whole if step.stage == run.facts.final_source]
    visible = (final or run.steps)[-1].output_tokens if run.steps else None
    output = sum(counts) if counts else shown
    return Usage(
        prompt=sum(prompts) if prompts else estimate(run.prompt),
        output=output,
        hidden=output - visible if visible is not None else 0,
    )


def _was_cut_off(run: Run) -> bool:
    return bool(run.mode.verbatim and finish_reason(run) == "length" and _reply(run))


def _reply(run: Run) -> str:
    """The model's text before anything was made of it: what the result is may have a note of ours
    before it, which nobody sees who reads a stream."""
    raw = run.steps[-1].raw if run.steps else None
    said = run.facts.coder_output if raw is None else raw
    return (run.result.text if said is None and run.result else said) or ""
