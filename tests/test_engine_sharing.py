"""Calls of several runs in the engine: beside each other where the cache has room, else in turn."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import aclosing
from typing import Any

import pytest

from config import load_settings
from pipeline.call_plan import CallPlan
from pipeline.model import Call, End
from pipeline.model_request import ModelRequest
from pipeline.models.engine_slots import Slots, Work
from pipeline.models.local import Engine, request
from pipeline.models.registry import Registry
from pipeline.models.starter import DIRECTORY
from pipeline.prompts import messages
from tests.test_local import until

pytestmark = pytest.mark.only_when(
    "pipeline/models/", "pipeline/model.py", "pipeline/model_call.py"
)

WEIGHTS = DIRECTORY / "coder.gguf"
NUMBERS = {"type": "array", "items": {"enum": [1, 2]}, "minItems": 1000}  # ends at its limit alone
WINDOW = 512
RULES = {"role": "system", "content": "Rules that are the same for all runs. " * 3}


@pytest.fixture
async def engine() -> AsyncIterator[Engine]:
    """With the model loaded, so that calls reach it in the order in which they are made."""
    engine = Engine(idle_s=600)
    await answer(engine, "first", body("hello", 1))
    yield engine
    await engine.close()


def body(prompt: str, tokens: int, *turns: str) -> dict[str, Any]:
    """A request for so many tokens; `turns` come after the prompt, the coder's first."""
    said = zip(("user", "assistant", "user"), (prompt, *turns), strict=False)
    messages: Any = [RULES, *({"role": role, "content": text} for role, text in said)]
    return request(Call("coder", messages, WINDOW, tokens, temperature=0.0, schema=NUMBERS))


async def answer(
    engine: Engine, name: str, asked: dict[str, Any], ended: list[str] | None = None
) -> End:
    async with asyncio.timeout(120), aclosing(engine.stream(WEIGHTS, WINDOW, asked)) as frames:
        *_, (_, end) = [frame async for frame in frames]
    assert isinstance(end, End)
    if ended is not None:
        ended.append(name)
    return end


async def in_order(engine: Engine, **asked: dict[str, Any]) -> tuple[list[str], list[End]]:
    """Asks all at once; in which order they were complete, and their ends as they were asked."""
    ended: list[str] = []
    calls = (answer(engine, name, one, ended) for name, one in asked.items())
    return ended, await asyncio.gather(*calls)


async def test_calls_stand_beside_each_other_where_they_fit(engine: Engine) -> None:
    """A short answer does not wait for a long one. One that could fill the cache comes alone, and
    those behind it after it; one that is taken back while it waits holds up nobody."""
    ended, ends = await in_order(engine, long=body("x", 250), short=body("y", 3))
    assert ended == ["short", "long"]
    assert [end.output_tokens for end in ends] == [250, 3]
    ended, _ = await in_order(engine, long=body("x", 250), all=body("y", 440), short=body("z", 3))
    assert ended == ["long", "all", "short"]
    ended.clear()
    asked = {"long": body("x", 250), "all": body("y", 440), "short": body("z", 3)}
    long, taken_back, short = (
        asyncio.create_task(answer(engine, name, one, ended)) for name, one in asked.items()
    )
    await until(lambda: engine._child is not None and len(engine._child._calls) == 3)
    taken_back.cancel()
    await asyncio.gather(long, short)
    assert ended == ["short", "long"]


async def test_a_prompt_that_is_longer_than_it_looks_fails_nobody(engine: Engine) -> None:
    """Signs of many tokens each: the call begins beside another, is counted, and waits."""
    odd, long = body("𝄞" * 60, 3), body("x", 200)
    works = [Work.of(each, WINDOW, WINDOW) for each in (odd, long)]
    guessed = sum(each.tokens for each in works)
    ended, (_, end) = await in_order(engine, long=long, odd=odd)
    assert guessed < WINDOW < guessed + (end.prompt_tokens or 0) - works[0].prompt
    assert ended == ["long", "odd"]


async def test_conversations_at_a_time_keep_what_was_read_of_each(engine: Engine) -> None:
    """Two runs that begin alike have a slot each: the second turns read nothing twice, and drafts
    that were written in between take other slots."""
    words = "Write a function that adds two numbers. ", "Count the words of a text. "
    one, two = (body(text * 2, 4) for text in words)
    _, first = await in_order(engine, one=one, two=two)
    drafts = body("Subtract.", 4) | {"n": 2}
    drafts["messages"] = drafts["messages"][1:]
    await answer(engine, "drafts", drafts)
    one, two = (body(text * 2, 4, "[1,", "JUDGE") for text in words)
    _, second = await in_order(engine, two=two, one=one)
    for before, after in zip(first, reversed(second), strict=True):
        assert before.prompt_tokens and after.cached_tokens
        assert after.cached_tokens >= before.prompt_tokens - 8  # the template's last words


def test_nobody_begins_beside_a_call_that_has_still_to_load() -> None:
    """The model that is there now, and has room, is about to go for one with a larger window."""
    slots = Slots(3, lambda window: 1000 if window <= 100 else 0)
    large, small = (
        Work(window, window, prompt=1, usual=10, longest=10, answers=1, said=("a",))
        for window in (200, 100)
    )
    slots.line_up(large)
    assert slots.enter(large)
    assert not slots._fits([large, small])


def test_a_conversation_goes_where_it_was() -> None:
    """Else to the last used that begins alike, to an empty slot, to the one unused for longest."""
    slots = Slots(3, lambda window: 1000)

    def enter(*said: str) -> Work:
        work = Work(100, 100, prompt=1, usual=10, longest=10, answers=1, said=said)
        slots.line_up(work)
        assert slots.enter(work)
        return work

    one, two = enter("rules", "a"), enter("rules", "b")
    assert (one.slot, two.slot) == (2, 1)
    slots.leave(two)
    slots.leave(one)
    for said, slot in (
        (("rules", "b", "judge"), 1),
        (("rules", "c"), 1),
        (("rules", "a", "judge"), 2),
        (("other",), 0),
        (("others",), 1),
    ):
        work = enter(*said)
        slots.leave(work)
        assert work.slot == slot


@pytest.mark.parametrize(("prompt", "share"), [("add", 512), ("add " * 200, 1024)])
async def test_runs_at_a_time_share_the_window(prompt: str, share: int) -> None:
    """An answer may fill its run's share; behind a long prompt it has the window to itself."""
    settings = load_settings(CODER_MODEL_NAME=f"local/{WEIGHTS}", MAX_CONCURRENT_RUNS=2)
    models = Registry(settings)
    plan = CallPlan(models, settings, ["coder"])
    asked = ModelRequest("coder", messages, {"rules": RULES["content"], "request": prompt})
    call = await plan.call(models.for_role("coder", settings), asked, time.monotonic() + 60)
    assert share * 0.4 < call.max_tokens < share
    assert (2 * Work.of(request(call), 1024, 1024).tokens <= 1024) is (share < 1024)
    await models.close()
