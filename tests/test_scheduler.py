"""Turns and ends of runs: what is accepted is carried out in order and put on record."""

import asyncio

import pytest

from pipeline.errors import (
    BadRequest,
    Cancelled,
    ContextTooLong,
    LaiosError,
    RoleNotPlayed,
    RunTimeout,
)
from pipeline.exchange import Exchange
from pipeline.history_context import of_history
from pipeline.models.auto import Installed
from pipeline.models.registry import Registry
from pipeline.models.scripted import ScriptedModel
from pipeline.modes import Mode
from pipeline.request import new_id
from pipeline.tested.tests_json import write_untested

CODER = {"role": "coder", "reply": "x = 1"}
SLOW = {"role": "coder", "prompt": "slow", "reply": "x = 1", "delay_ms": 60_000}


async def place_in_queue(run, accepted, position):
    """Waits until the run stands there."""
    async with asyncio.timeout(5):
        while run.scheduler.queue.position(accepted) != position:
            await asyncio.sleep(0)


async def test_a_run_that_is_cancelled_at_once_is_recorded(pipeline_with):
    """Also in the moment between its acceptance and its first step."""
    async with pipeline_with(CODER) as run:
        accepted = run.submit("///raw add")
        run.scheduler.cancel(accepted.id)
        with pytest.raises(Cancelled):
            await run.scheduler.finished(accepted)
        assert run.scheduler.runs() == []
        assert run.record["error"]["code"] == "cancelled"


async def test_a_run_cancelled_at_its_turn_gives_the_turn_to_nobody_twice(pipeline_with):
    """Whichever comes first, the turn or the cancel: never more runs at a time than allowed."""
    for cancelled_first in (True, False):
        async with pipeline_with(SLOW, CODER, MAX_CONCURRENT_RUNS=1) as run:
            first, second = run.submit("///raw slow"), run.submit("///raw slow")
            await place_in_queue(run, second, 1)
            for each in (second, first) if cancelled_first else (first, second):
                run.scheduler.cancel(each.id)
            for each in (first, second):
                with pytest.raises(Cancelled):
                    await run.scheduler.finished(each)
            last = [run.submit("///raw slow") for _ in range(3)]
            await place_in_queue(run, last[2], 2)
            states = [each.state for each in last]
            assert states == ["running", "queued", "queued"]


async def test_a_cancelled_run_leaves_the_queue_to_the_others(pipeline_with):
    """The next one has its turn as if it had never been there."""
    async with pipeline_with(SLOW, CODER, MAX_CONCURRENT_RUNS=1) as run:
        slow, waiting, last = (run.submit(f"///raw {word}") for word in ("slow", "slow", "add"))
        await place_in_queue(run, last, 2)
        run.scheduler.cancel(waiting.id)
        run.scheduler.cancel(slow.id)
        assert await run.scheduler.finished(last) == "x = 1"
        outcomes = [(r["error"] or {}).get("code") for r in run.history.records]
        assert outcomes == ["cancelled", "cancelled", None]
        durations = {r["id"]: r["duration_ms"] for r in run.history.records}
        assert durations[waiting.id] == 0.0  # it never had its turn


async def test_the_first_run_waits_for_the_look_that_is_under_way(pipeline_with, monkeypatch):
    """A prompt that comes while the daemon looks for a real model gets that model."""
    async with pipeline_with(CODER) as run:
        settings = run.scheduler.settings.model_copy(update={"CODER_MODEL_NAME": ("auto",)})
        models = Registry(settings)
        looks = []

        async def installed(now):
            looks.append(now)
            await asyncio.sleep(0.02)
            return [Installed("ollama/real", 1)]

        monkeypatch.setattr(models._backends, "installed", installed)

        async def name():
            await models.resolve(settings)
            return models.name_for("coder", settings)

        assert await asyncio.gather(name(), name(), name()) == ["ollama/real"] * 3
        assert looks == ["local/starter"]


async def test_an_id_that_is_in_use_is_refused(pipeline_with):
    """Two runs under one id could not be told apart."""
    async with pipeline_with(SLOW) as run:
        first = run.submit("///raw slow", id="01ARZ3NDEKTSV4RRFFQ69G5FAV")
        with pytest.raises(BadRequest, match="in use"):
            run.submit("///raw slow", id=first.id)
        assert run.scheduler.runs() == [first]


async def test_a_used_id_is_refused_however_many_runs_there_were_since(pipeline_with):
    """As long as a caller could give it, whoever made it up; one of long ago is let go."""
    old = "01ARZ3NDEKTSV4RRFFQ69G5FAV"
    async with pipeline_with(CODER) as run:
        run.scheduler.refuse_ids([old])
        given = run.submit("///raw add", id=new_id())
        made = run.submit("///raw add")
        await asyncio.gather(*map(run.scheduler.finished, (given, made)))
        run.scheduler.refuse_ids(new_id() for _ in range(2000))
        for used in (given, made):
            with pytest.raises(BadRequest, match="in use"):
                run.submit("///raw add", id=used.id)
        assert await run("///raw add", id=old) == "x = 1"


async def test_a_flow_that_does_not_end_itself_is_ended(pipeline_with, monkeypatch):
    """Its deadline holds also where it asks no model."""

    async def hang(*asked, **more):
        await asyncio.Event().wait()

    monkeypatch.setattr("pipeline.scheduler.FLOW_GRACE_S", 0.05)
    monkeypatch.setattr("pipeline.review.flow.run_coder", hang)
    async with pipeline_with(CODER, RUN_TIMEOUT_S=0.05) as run:
        async with asyncio.timeout(5):
            with pytest.raises(RunTimeout):
                await run("///raw add")
    assert run.record["error"]["code"] == "model_timeout"


async def test_a_time_out_of_the_flow_s_own_is_not_the_run_s(pipeline_with):
    """An add-on's that gave itself a moment: to raise RUN_TIMEOUT_S would help nobody."""

    async def hurry(run, task):
        async with asyncio.timeout(0):
            await asyncio.Event().wait()

    async with pipeline_with(CODER) as run:
        with pytest.raises(LaiosError):
            await run("add", row=Mode("hurries", hurry, "Hurries."))
    assert run.record["error"]["code"] == "internal"


def test_history_has_no_gaps():
    """Nothing older than a record that does not fit goes in: a gap would mislead the model."""
    sizes = (10, 9000, 10, 10)
    records = [
        {"id": str(n), "normalized_prompt": "p", "final_output": "x" * size}
        for n, size in enumerate(sizes)
    ]
    assert of_history(records, 200) == ([Exchange("p", "x" * 10)] * 2, ["2", "3"])


def test_of_code_in_a_json_the_history_has_the_code():
    """`///test` as `json` answers with its tests; a program that is JSON stays as it is."""
    asked = {"id": "1", "normalized_prompt": "p", "language": "json"}
    tested = asked | {"final_output": write_untested("x = 1", "python", "no test")}
    others = [asked | {"final_output": text} for text in ('{"code": "x = 1"}', "[" * 9, "[1]")]
    found, _ = of_history([tested, *others], 200)
    assert [each.answer for each in found] == ["x = 1", '{"code": "x = 1"}', "[" * 9, "[1]"]


async def test_history_leaves_the_window_to_the_prompt(pipeline_with):
    """In a small window less history goes in than its budget allows, and the run succeeds."""
    rules = [{"role": "coder", "reply": "y" * 900}]
    async with pipeline_with(*rules, MAX_CONTEXT_TOKENS=4096) as run:
        for _ in range(5):
            await run("///raw fill")
        await run("///ctx ///raw add")
        assert 1 <= len(run.record["context_ids"]) <= 3
        await run("///ctx ///raw add" + " word" * 1500)
        assert run.record["context_ids"] == []


async def test_models_in_this_machine_s_memory_run_one_at_a_time(pipeline_with, monkeypatch):
    """Several would push each other out; elsewhere runs go on side by side."""
    for shared, states in ((True, ["running", "queued"]), (False, ["running", "running"])):
        monkeypatch.setattr(ScriptedModel, "shares_memory", shared)
        async with pipeline_with(SLOW) as run:
            runs = [run.submit("///raw slow") for _ in range(2)]
            async with asyncio.timeout(5):
                while [each.state for each in runs] != states:
                    await asyncio.sleep(0)
            assert run.scheduler.queue.position(runs[1]) == (1 if shared else None)


async def test_a_role_that_a_model_cannot_play_is_refused_with_a_way_out(
    pipeline_with, monkeypatch
):
    """The message says what gets a model that can, and which settings may stand in its way."""
    monkeypatch.setattr(ScriptedModel, "roles", frozenset({"judge"}))
    async with pipeline_with(CODER) as run:
        with pytest.raises(RoleNotPlayed, match=r"laios models pull.*CODER_MODEL_NAME"):
            await run("///raw add")


async def test_a_prompt_that_leaves_no_room_for_an_answer_is_refused(pipeline_with):
    """It would fit, but nothing could be said to it."""
    async with pipeline_with(CODER, MAX_CONTEXT_TOKENS=1024) as run:
        assert await run("///raw " + "x" * 1500) == "x = 1"
        with pytest.raises(ContextTooLong):
            await run("///raw " + "x" * 2100)
