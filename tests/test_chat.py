"""What holds for every backend's call."""

import asyncio
import time
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from dataclasses import replace
from typing import Any

import pytest

from pipeline.errors import (
    ContextTooLong,
    EmptyAnswer,
    LaiosError,
    ModelBusy,
    ModelFailed,
    ModelNotFound,
    ModelTimeout,
    ModelUnreachable,
)
from pipeline.model import GENERAL, Call, Delta, End, Facts, Frame, Message, Model, Reply
from pipeline.model_call import LEAST_CAP, chat, chat_several

ASK: list[Message] = [{"role": "user", "content": "add two numbers"}]
CALL = Call(role="coder", messages=ASK, context_tokens=4096, max_tokens=100)
Script = Callable[[], AsyncGenerator[Frame, None]]


class Backend:
    """Plays one script for each attempt, the last one for good."""

    name = "test/model"
    profile = GENERAL
    roles = None
    shares_memory = False

    def __init__(self, *scripts: Script) -> None:
        self.scripts = scripts
        self.attempts = 0
        self.open = 0

    async def stream(self, call: Call) -> AsyncGenerator[Frame, None]:
        script = self.scripts[min(self.attempts, len(self.scripts) - 1)]
        self.attempts += 1
        self.open += 1
        try:
            async for frame in script():
                yield frame
        finally:
            self.open -= 1

    async def facts(self) -> Facts:
        return Facts()


def says(*frames: Frame) -> Script:
    async def play() -> AsyncGenerator[Frame, None]:
        for frame in frames:
            yield frame

    return play


def fails(error: Exception, *before: Frame) -> Script:
    async def play() -> AsyncGenerator[Frame, None]:
        for frame in before:
            yield frame
        raise error

    return play


def hangs(*before: Frame) -> Script:
    async def play() -> AsyncGenerator[Frame, None]:
        for frame in before:
            yield frame
        await asyncio.Event().wait()

    return play


GOOD = says(Delta("pa"), Delta("ss"), End("stop", 12, 2, 1.5))


async def call(model: Model, seconds: float = 5, **options: Any) -> Reply:
    return await chat(model, CALL, deadline=asyncio.get_running_loop().time() + seconds, **options)


async def test_reply_holds_the_whole_answer_and_its_cost() -> None:
    """Text and thinking are joined, counts are the backend's, times are in order."""
    seen: list[Delta] = []
    frames = (Delta(thinking="hm"), Delta("pa"), Delta("ss"), End("stop", 12, 2, 1.5))
    reply = await call(Backend(says(*frames)), on_delta=seen.append)
    assert (reply.text, reply.thinking, reply.finish_reason) == ("pass", "hm", "stop")
    assert (reply.prompt_tokens, reply.output_tokens, reply.load_ms) == (12, 2, 1.5)
    assert reply.first_token_ms is not None and 0 <= reply.first_token_ms <= reply.duration_ms
    assert seen == list(frames[:3])


async def test_an_answer_cut_off_by_length_is_a_reply() -> None:
    """What to do with it is the flow's choice."""
    reply = await call(Backend(says(Delta("def f("), End("length", 9, 100))))
    assert (reply.text, reply.finish_reason) == ("def f(", "length")


@pytest.mark.parametrize(
    ("script", "error", "words"),
    [
        (says(Delta("pass")), ModelFailed, "before its last frame"),
        (says(), ModelFailed, "before its last frame"),
        (says(Delta("a"), End("stop"), Delta("b")), ModelFailed, "went on"),
        (says(Delta("a"), End("stop"), End("stop")), ModelFailed, "went on"),
        (says(End("stop")), EmptyAnswer, "nothing"),
        (says(Delta(" \n"), End("stop")), EmptyAnswer, "nothing"),
        (says(Delta(thinking="hm"), End("stop")), EmptyAnswer, "thinking only"),
        (says(Delta(thinking="hm"), End("length")), EmptyAnswer, "MAX_OUTPUT_TOKENS"),
        (says(Delta("a"), End("stop", prompt_tokens=4096)), ContextTooLong, "4,096"),
        (fails(KeyError("choices")), ModelFailed, "KeyError: 'choices'"),
        (fails(TimeoutError()), ModelFailed, "TimeoutError"),
        (fails(ModelNotFound("gone")), ModelNotFound, "gone"),
    ],
)
async def test_useless_answers_are_typed_errors(
    script: Script, error: type[LaiosError], words: str
) -> None:
    """No broken answer counts as a success, and no foreign exception comes through."""
    backend = Backend(script)
    with pytest.raises(error) as caught:
        await call(backend)
    assert type(caught.value) is error and words in caught.value.message
    assert (backend.attempts, backend.open) == (1, 0)


async def test_a_foreign_error_is_told_on_one_short_line() -> None:
    """No trace and no page of text gets into the message."""
    with pytest.raises(ModelFailed) as caught:
        await call(Backend(fails(RuntimeError("Traceback\n  File x\n" + "y" * 9999))))
    assert "\n" not in caught.value.message and len(caught.value.message) < 400


@pytest.mark.parametrize("kind", ["text", "thinking"])
async def test_an_endless_answer_is_stopped_at_the_cap(kind: str) -> None:
    """Neither text nor thinking goes on much beyond what was asked for."""
    taken = 0

    async def endless() -> AsyncGenerator[Frame, None]:
        nonlocal taken
        while True:
            taken += 1000
            yield Delta(**{kind: f"{taken:01000}"})

    backend = Backend(endless)
    with pytest.raises(ModelFailed, match="65,536 characters"):
        await call(backend)
    assert taken < LEAST_CAP + 2000
    assert backend.open == 0


@pytest.mark.parametrize("first", [ModelUnreachable("away"), ModelBusy("busy")])
async def test_a_missing_or_busy_backend_is_tried_once_more(first: Exception) -> None:
    """The second attempt's answer is the answer."""
    backend = Backend(fails(first), GOOD)
    assert (await call(backend)).text == "pass"
    assert backend.attempts == 2


async def test_two_refusals_are_the_error() -> None:
    """There is one retry, not more."""
    backend = Backend(fails(ModelBusy("busy")))
    with pytest.raises(ModelBusy):
        await call(backend)
    assert backend.attempts == 2


@pytest.mark.parametrize(
    "script", [fails(ModelUnreachable("away"), Delta("a")), fails(ModelFailed("no"))]
)
async def test_no_second_attempt_after_a_piece_or_another_error(script: Script) -> None:
    """A piece that was used cannot be taken back, and other errors come again anyway."""
    backend = Backend(script)
    with pytest.raises(LaiosError):
        await call(backend)
    assert backend.attempts == 1


async def test_the_pause_before_the_retry_does_not_pass_the_deadline() -> None:
    """Without time for a second attempt the reason is told, not that time ran out."""
    backend = Backend(fails(ModelUnreachable("away")))
    with pytest.raises(ModelUnreachable, match="away"):
        await call(backend, seconds=0.1)
    assert backend.attempts == 1


@pytest.mark.parametrize("before", [(), (Delta("abc"),)])
async def test_the_deadline_ends_a_hanging_backend(before: tuple[Delta, ...]) -> None:
    """Before the first piece or after it; the message says how far it came."""
    backend = Backend(hangs(*before))
    started = time.monotonic()
    with pytest.raises(ModelTimeout) as caught:
        await call(backend, seconds=0.05)
    assert time.monotonic() - started < 10
    assert ("3 characters" if before else "nothing had arrived") in caught.value.message
    assert "MODEL_TIMEOUT_S" in caught.value.message
    assert backend.open == 0


async def test_a_backend_that_fails_on_being_stopped_is_still_a_timeout() -> None:
    """What a backend makes of its cancellation does not hide the reason."""

    async def stubborn() -> AsyncGenerator[Frame, None]:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            raise ModelFailed("connection lost") from None
        yield End("stop")

    with pytest.raises(ModelTimeout):
        await call(Backend(stubborn), seconds=0.05)


async def test_a_cancelled_call_closes_its_stream() -> None:
    """The caller's cancellation goes through and nothing stays open."""
    backend = Backend(hangs(Delta("a")))
    begun = asyncio.Event()
    task = asyncio.create_task(call(backend, on_delta=lambda _: begun.set()))
    await begun.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert backend.open == 0
    assert asyncio.all_tasks() == {asyncio.current_task()}


async def test_an_answer_that_repeats_itself_without_end_is_stopped() -> None:
    """At once, with what came before; the backend is told to stop, and its last frame is not
    waited for. Thinking that does so is no answer, but it may try one function again and again."""
    line = "    total += 1\n"
    pieces = [Delta("def f():\n"), *[Delta(line) for _ in range(200)]]
    model = Backend(hangs(*pieces))
    reply = await call(model)
    assert reply.finish_reason == "repetition"
    assert reply.text == f"def f():\n{line}"
    assert model.open == 0
    with pytest.raises(EmptyAnswer, match="was thinking only"):
        await call(Backend(hangs(*[Delta(thinking=line) for _ in range(200)])))
    tries = [Delta(thinking=f"def f():\n    return {n}  # no\n\n") for n in range(60)]
    assert (await call(Backend(says(*tries, Delta("pass"), End("stop"))))).text == "pass"


async def test_an_answer_that_was_begun_is_whole_with_its_beginning() -> None:
    """Listeners are given it with the first piece; one to which nothing was added is empty."""
    seen: list[Delta] = []
    begun = replace(CALL, begun="def f():\n")
    deadline = asyncio.get_running_loop().time() + 5
    backend = Backend(says(Delta("    pa"), Delta("ss"), End("stop")))
    reply = await chat(backend, begun, deadline=deadline, on_delta=seen.append)
    assert reply.text == "def f():\n    pass"
    assert [delta.text for delta in seen] == ["def f():\n    pa", "ss"]
    with pytest.raises(EmptyAnswer):
        await chat(Backend(says(End("stop"))), begun, deadline=deadline)
    with pytest.raises(EmptyAnswer):
        await chat(Backend(says(Delta("\n```\n"), End("stop"))), begun, deadline=deadline)


class Several(Backend):
    """Plays its scripts side by side, a frame of each in turn."""

    async def cheap_answers(self) -> int:
        return 4

    async def stream_several(self, call: Call, n: int) -> AsyncGenerator[tuple[int, Frame]]:
        self.attempts += 1
        self.open += 1
        streams = {number: self.scripts[number]() for number in range(n)}
        try:
            while streams:
                for number, stream in tuple(streams.items()):
                    if (frame := await anext(stream, None)) is None:
                        del streams[number]
                    else:
                        yield number, frame
        finally:
            self.open -= 1


async def test_answers_side_by_side_are_replies_each() -> None:
    """An empty one is no failure of the others; one that repeats itself ends alone; one that has
    no end fails all."""
    repeats = says(*[Delta("ab " * 20)] * 60, End("length"))
    good = says(Delta("pa"), Delta("ss"), End("stop", 5, 2))
    answers = await asked_for_several(Several(good, says(End("stop")), repeats), 3)
    first, empty, third = answers
    assert isinstance(first, Reply) and isinstance(third, Reply)
    assert (first.text, first.prompt_tokens) == ("pass", 5)
    assert isinstance(empty, EmptyAnswer)
    assert (third.text, third.finish_reason) == ("ab ", "repetition")
    with pytest.raises(ModelFailed, match="before its last frame"):
        await asked_for_several(Several(good, says(Delta("x"))), 2)


async def test_answers_side_by_side_are_asked_for_once_more() -> None:
    """As one is, where the backend could not be reached before anything came."""
    model = Several(fails(ModelUnreachable("gone")))
    with pytest.raises(ModelUnreachable):
        await asked_for_several(model, 1)
    assert model.attempts == 2


async def test_an_empty_answer_of_several_has_come() -> None:
    """The backend goes away when one of them is complete, though it says nothing: none is asked for
    again, and the error is the backend's."""
    model = Several(says(End("stop")), fails(ModelUnreachable("gone")))
    with pytest.raises(ModelUnreachable, match="gone"):
        await asked_for_several(model, 2)


async def asked_for_several(model: Several, n: int) -> list[Reply | EmptyAnswer]:
    deadline = asyncio.get_running_loop().time() + 5
    answers = {
        number: reply
        async for number, reply in chat_several(
            model, CALL, n, deadline=deadline, on_delta=lambda *_: None
        )
    }
    return [answers[number] for number in sorted(answers)]


async def test_an_answer_of_several_comes_when_it_is_complete() -> None:
    """Whoever has enough ends the others by closing; nothing is left behind."""
    model = Several(says(Delta("pass"), End("stop")), hangs(Delta("x")))
    deadline = asyncio.get_running_loop().time() + 5
    pieces: list[int] = []
    replies = chat_several(
        model, CALL, 2, deadline=deadline, on_delta=lambda number, _: pieces.append(number)
    )
    async with aclosing(replies):
        number, reply = await anext(replies)
        assert model.open == 1
    assert number == 0 and isinstance(reply, Reply) and reply.text == "pass"
    assert pieces == [0, 1]
    assert model.open == 0
