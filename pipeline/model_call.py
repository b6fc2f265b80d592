"""Call any model: deadlines, caps and errors that hold for every backend.

A call ends in a Reply or in a typed error, before its deadline, and leaves nothing behind: a stream
without its last frame, an answer without text and an answer beyond the cap are failures.
"""

import asyncio
import re
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from pipeline.control_tokens import TokenMender
from pipeline.errors import (
    BadRequest,
    ContextTooLong,
    EmptyAnswer,
    LaiosError,
    ModelFailed,
    ModelTimeout,
    ModelUnreachable,
)
from pipeline.model import Call, Delta, End, Frame, Model, Reply, Scoring, SideBySide
from pipeline.repetition import (
    before_definitions,
    before_examples,
    before_repetition,
    without_copies,
)
from pipeline.tool_calls import CallCollector

RETRY_PAUSE_S = 0.3
LEAST_CAP = 64 * 1024  # characters
COUNTS = ("prompt_tokens", "output_tokens", "cached_tokens", "load_ms")  # of an End
MOST_TOKENS = 10**9  # more are no count
CHARACTERS_PER_TOKEN = 32  # far more than any tokenizer's longest usual run
ERROR_CHARACTERS = 300
_FENCE = "`~"
LOOK_AFTER = 256  # characters more: is it repeating itself?

# How servers say it: "the input length exceeds the context length" (Ollama), "request (9 tokens)
# exceeds the available context size", "exceed_context_size_error" (llama-server), "maximum context
# length is 9 tokens" (vLLM, OpenAI), "prompt is too long".
TOO_LONG = re.compile(
    r"exceed\w*\W(the )?(\w+ )?context|exceed_context|maximum context length"
    r"|(prompt|input)\b.{0,20}\btoo long",
    re.IGNORECASE,
)


async def chat(
    model: Model,
    call: Call,
    *,
    deadline: float,
    on_delta: Callable[[Delta], None] | None = None,
) -> Reply:
    """Has the model answer. `deadline` is on the event loop's clock; `on_delta` gets each piece as
    it arrives and must not raise.

    A backend that cannot be reached or is busy is tried once more, unless a piece of its answer
    was used. An answer that was cut off by `max_tokens` is a Reply with finish_reason `length`, one
    that repeats itself without end is stopped: `repetition`. Raises ModelTimeout, ContextTooLong,
    EmptyAnswer, ModelFailed, BadRequest (for logprobs) and the backend's own errors.
    """
    if call.logprobs is not None and not is_scored(model, call.max_tokens):
        raise BadRequest(f"{model.name} gives no logprobs; Ollama's models do.")
    answer = _Answer(model, call, on_delta)
    await _collect([answer], partial(_collect_one, answer), deadline)
    return answer.reply()


def is_scored(model: Model, tokens: int) -> bool:
    """Whether the model says of each of so many tokens how likely it was."""
    if not isinstance(model, Scoring):
        return False
    return model.scored_tokens is None or tokens <= model.scored_tokens


async def chat_several(
    model: SideBySide,
    call: Call,
    n: int,
    *,
    deadline: float,
    on_delta: Callable[[int, Delta], None],
) -> AsyncGenerator[tuple[int, Reply | EmptyAnswer]]:
    """Has the model write `n` answers side by side; gives each one's number, from 0, and the answer
    as soon as it is complete. Who closes this ends those that are not. Raises as `chat` does, but
    that one of them is empty is no failure of the others."""
    answers = [_Answer(model, call, partial(on_delta, number)) for number in range(n)]
    complete: asyncio.Queue[int | None] = asyncio.Queue()
    collect = partial(_collect_several, model, call, answers, complete.put_nowait)
    # In a task of its own: answers go on arriving while the caller looks at one.
    collecting = asyncio.create_task(_collect(answers, collect, deadline))
    collecting.add_done_callback(lambda _: complete.put_nowait(None))
    try:
        while (number := await complete.get()) is not None:
            yield number, answers[number].reply_or_empty()
        await collecting
    finally:
        collecting.cancel()
        await asyncio.wait([collecting])
        if not collecting.cancelled():
            collecting.exception()  # raised above, or of no interest any more


async def _collect(
    answers: Sequence["_Answer"], collect: Callable[[], Awaitable[None]], deadline: float
) -> None:
    """Takes every frame, once more where the backend could not be reached before any was used.
    Whatever a backend raises leaves here typed."""
    limit = asyncio.timeout_at(deadline)
    try:
        async with limit:
            try:
                await collect()
            except ModelUnreachable:
                begun = any(answer.size or answer.end for answer in answers)
                if begun or asyncio.get_running_loop().time() + RETRY_PAUSE_S >= deadline:
                    raise
                await asyncio.sleep(RETRY_PAUSE_S)
                await collect()
    except Exception as error:
        # A backend may make an error of its own out of the cancellation by the deadline.
        if limit.expired():
            raise answers[0].too_late() from None
        if isinstance(error, LaiosError):
            raise
        raise ModelFailed(f"{answers[0].model.name} failed: {brief(error)}") from error


async def _collect_one(answer: "_Answer") -> None:
    async with aclosing(answer.model.stream(answer.call)) as frames:
        async for frame in frames:
            answer.take(frame)
            if answer.is_stopped:
                return


async def _collect_several(
    model: SideBySide,
    call: Call,
    answers: Sequence["_Answer"],
    complete: Callable[[int], None],
) -> None:
    """Until all are complete, each of which is told. One that repeats itself only takes no more."""
    left = set(range(len(answers)))
    async with aclosing(model.stream_several(call, len(answers))) as frames:
        async for number, frame in frames:
            answer = answers[number]
            if not answer.is_stopped:
                answer.take(frame)
            if number in left and (answer.end or answer.is_stopped):
                left.remove(number)
                complete(number)
            if not left:
                return
    for number in left:
        complete(number)  # whose reply then says that it has no end


@dataclass(slots=True)
class _Answer:
    """An answer while it arrives."""

    model: Model
    call: Call
    on_delta: Callable[[Delta], None] | None
    text: list[str] = field(default_factory=list)
    thinking: list[str] = field(default_factory=list)
    logprobs: list[Mapping[str, Any]] = field(default_factory=list)
    size: int = 0  # characters, thinking included
    first_token_ms: float | None = None
    end: End | None = None
    repeats: str | None = None  # what came before it began to say the same over and over
    looked_at: int = 0  # characters of the text when it was last looked at for that
    # Not the event loop's clock, which stands still while callbacks run (uvloop).
    started: float = field(default_factory=time.monotonic)
    mender: TokenMender = field(init=False)
    collector: CallCollector = field(init=False)

    def __post_init__(self) -> None:
        self.mender = TokenMender(self.call.broken)
        self.collector = CallCollector(self.call.broken, parallel=self.call.tools.parallel)

    def take(self, frame: Frame) -> None:
        if self.end:
            raise ModelFailed(f"{self.model.name} went on after the last frame of its answer.")
        if isinstance(frame, End):
            self.end = _with_true_counts(frame)
            self.give(Delta(self.mender.rest(), calls=self.collector.end()))
            if frame.finish_reason == "repetition":
                self.repeats = without_copies(self.text)
            return
        self.size += len(frame.text) + len(frame.thinking)
        self.size += sum(len(piece.name) + len(piece.arguments) for piece in frame.calls)
        cap = max(LEAST_CAP, CHARACTERS_PER_TOKEN * self.call.max_tokens)
        if self.size > cap:
            raise ModelFailed(
                f"{self.model.name} wrote more than {cap:,} characters, far beyond the "
                f"{self.call.max_tokens:,} tokens that it was asked for; it was stopped."
            )
        if self.size and self.first_token_ms is None:
            self.first_token_ms = self.elapsed_ms()
        calls = tuple(each for piece in frame.calls for each in self.collector.take(piece))
        text = self.mender.mend(frame.text)
        self.give(Delta(text, frame.thinking, calls, frame.logprobs))
        if self.size - self.looked_at >= LOOK_AFTER:
            self.looked_at = self.size
            self.repeats = self._before_repetition()

    def give(self, delta: Delta) -> None:
        """Its first text comes after what it was begun with."""
        if delta.text and not self.text:
            delta = replace(delta, text=self.call.begun + delta.text)
        self.text += [delta.text] if delta.text else []
        self.thinking += [delta.thinking] if delta.thinking else []
        self.logprobs += delta.logprobs
        if self.on_delta and (delta.text or delta.thinking or delta.calls or delta.logprobs):
            self.on_delta(delta)

    def _before_repetition(self) -> str | None:
        """What there is up to where it repeats itself; "" where only thoughts do. They may well
        try one function after the other, and a tester's answer is examples."""
        if not self.text:
            return None if before_repetition(self.thinking) is None else ""
        found = before_repetition(self.text) or before_definitions(self.text)
        return found or (before_examples(self.text) if self.call.role != "tester" else None)

    @property
    def is_stopped(self) -> bool:
        return self.repeats is not None

    def reply_or_empty(self) -> Reply | EmptyAnswer:
        try:
            return self.reply()
        except EmptyAnswer as error:
            return error

    def reply(self) -> Reply:
        """The whole answer. Raises what makes a whole answer useless."""
        end = End("repetition") if self.is_stopped else self.end
        if end is None:
            raise ModelFailed(
                f"{self.model.name}: the stream ended before its last frame. The answer is "
                "incomplete and was not used; look into the backend's log."
            )
        if end.prompt_tokens is not None and end.prompt_tokens >= self.call.context_tokens:
            raise ContextTooLong(
                f"The prompt filled the whole window of {self.call.context_tokens:,} tokens of "
                f"{self.model.name} and was cut there. Shorten it, or raise MAX_CONTEXT_TOKENS if "
                "the model takes more."
            )
        reply = Reply(
            text="".join(self.text) if self.repeats is None else self.repeats,
            thinking="".join(self.thinking),
            finish_reason=end.finish_reason,
            prompt_tokens=end.prompt_tokens,
            output_tokens=end.output_tokens,
            load_ms=end.load_ms,
            first_token_ms=self.first_token_ms,
            duration_ms=self.elapsed_ms(),
            cached_tokens=end.cached_tokens,
            calls=self.collector.calls,
            logprobs=tuple(self.logprobs),
        )
        added = reply.text.removeprefix(self.call.begun).strip()
        if self.call.begun:
            added = added.strip(_FENCE)  # the end of a fence is no answer
        if not (added or reply.calls):
            raise EmptyAnswer(self.why_empty(reply), reply)
        return reply

    def why_empty(self, reply: Reply) -> str:
        name = self.model.name
        if not reply.thinking.strip():
            return f"{name} answered with nothing."
        if reply.finish_reason == "length":
            return (
                f"{name} used up its {self.call.max_tokens:,} tokens thinking and gave no answer. "
                "Raise MAX_OUTPUT_TOKENS or use a model that does not think."
            )
        return f"{name} was thinking only and gave no answer."

    def too_late(self) -> ModelTimeout:
        come = f"{self.size:,} characters had arrived" if self.size else "nothing had arrived"
        return ModelTimeout(
            f"{self.model.name} was not finished after {self.elapsed_ms() / 1000:.3g} s ({come}). "
            "Raise MODEL_TIMEOUT_S or use a smaller model."
        )

    def elapsed_ms(self) -> float:
        return (time.monotonic() - self.started) * 1000


def _with_true_counts(end: End) -> End:
    """None for numbers that nothing can have: a server that counts wrongly has answered all the
    same, and what is on record is summed up."""
    untrue: dict[str, Any] = {
        name: None for name in COUNTS if not 0 <= (getattr(end, name) or 0) <= MOST_TOKENS
    }
    return replace(end, **untrue)


def brief(error: object) -> str:
    """An error of foreign code on one line of bounded length."""
    text = " ".join(str(error).split())
    if isinstance(error, BaseException):
        text = f"{type(error).__name__}: {text}" if text else type(error).__name__
    return text if len(text) <= ERROR_CHARACTERS else text[: ERROR_CHARACTERS - 1] + "…"
