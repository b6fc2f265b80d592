"""Turns: bounded, first come first served, the loaded model's runs first, nobody starves."""

import asyncio
import os
import subprocess
import sys
from pathlib import Path

import pytest

from pipeline.modes import Mode
from pipeline.task import Result

SLOW = {"delay_ms": 30}


async def order_of(pipeline, *prompts):
    """The prompts in the order in which their runs ended."""
    runs = [pipeline.submit(prompt) for prompt in prompts]
    await asyncio.gather(*(pipeline.scheduler.finished(run) for run in runs))
    return [record["normalized_prompt"] for record in pipeline.history.records]


async def test_runs_of_one_model_are_served_as_they_came(pipeline_with):
    """Nothing to gain, nothing reordered."""
    async with pipeline_with({"reply": "x", **SLOW}, MAX_CONCURRENT_RUNS=1) as run:
        prompts = [f"///raw {n}" for n in range(6)]
        assert await order_of(run, *prompts) == [str(n) for n in range(6)]


@pytest.fixture
def two_models(pipeline_with, script, monkeypatch):
    """Coder and reviewer on models of their own, which count as living in memory."""
    monkeypatch.setattr("pipeline.models.scripted.ScriptedModel.shares_memory", True)
    coder = script({"reply": "x", **SLOW}, name="coder")
    reviewer = script({"reply": "y", **SLOW}, name="reviewer")
    return pipeline_with({"reply": "z"}, CODER_MODEL_NAME=coder, REVIEWER_MODEL_NAME=reviewer)


async def test_runs_for_the_loaded_model_go_first(two_models):
    """Two loads instead of five."""
    async with two_models as run:
        prompts = ["///raw a", "///review-only b", "///raw c", "///review-only d", "///raw e"]
        assert await order_of(run, *prompts) == ["a", "c", "e", "b", "d"]


async def test_nobody_is_overtaken_for_ever(two_models):
    """After four others the one that waited goes first."""
    async with two_models as run:
        prompts = ["///raw first", "///review-only waits", *(f"///raw {n}" for n in range(8))]
        order = await order_of(run, *prompts)
        assert order.index("waits") == 5


async def test_position_and_wait_are_told(pipeline_with):
    """From how long runs of the mode took; unknown at first."""
    async with pipeline_with({"reply": "x", "delay_ms": 200}, MAX_CONCURRENT_RUNS=1) as run:
        queue = run.scheduler.queue
        first = [run.submit("///raw a"), run.submit("///raw b")]
        await asyncio.sleep(0.05)
        assert queue.position(first[1]) == 1 and queue.wait_s(first[1]) is None
        assert queue.position(first[0]) is None
        await run.scheduler.finished(first[1])
        later = [run.submit(f"///raw {n}") for n in range(3)]
        await asyncio.sleep(0.05)
        waits = [queue.wait_s(each) for each in later]
        assert waits[0] is None
        assert 0 < waits[1] < waits[2] < 1


async def test_a_mode_that_asks_no_model_waits_like_any_other(pipeline_with):
    """An add-on's, say: its run has its turn, and whoever waits behind it."""

    async def say(run, task):
        return Result("said")

    no_model = Mode("says", say, "Says it.", roles=())
    async with pipeline_with({"reply": "x", **SLOW}, MAX_CONCURRENT_RUNS=1) as run:
        runs = [run.submit("///raw a"), run.submit("b", row=no_model), run.submit("///raw c")]
        async with asyncio.timeout(5):
            assert [await run.scheduler.finished(each) for each in runs] == ["x", "said", "x"]


async def until_running(accepted):
    async with asyncio.timeout(5):
        while accepted.state != "running":
            await asyncio.sleep(0)


async def test_a_limit_that_has_grown_counts_at_the_next_request(pipeline_with):
    """What waits and what comes need not wait for the end of what runs."""
    async with pipeline_with({"reply": "x", "delay_ms": 60_000}, MAX_CONCURRENT_RUNS=1) as run:
        runs = [run.submit(f"///raw {n}") for n in range(3)]
        await until_running(runs[0])
        grown = run.scheduler.settings.model_copy(update={"MAX_CONCURRENT_RUNS": 3})
        run.scheduler.settings = grown
        runs.append(run.submit("///raw 3"))
        await until_running(runs[2])
        assert [each.state for each in runs] == ["running"] * 3 + ["queued"]
        assert run.scheduler.queue.position(runs[3]) == 1


async def test_a_run_that_is_cancelled_while_it_waits_leaves_no_gap(pipeline_with):
    """The others move up, and the slot is not lost."""
    async with pipeline_with({"reply": "x", **SLOW}, MAX_CONCURRENT_RUNS=1) as run:
        runs = [run.submit(f"///raw {n}") for n in range(5)]
        await asyncio.sleep(0.01)
        for each in (runs[1], runs[3]):
            run.scheduler.cancel(each.id)
        await asyncio.gather(
            *(run.scheduler.finished(each) for each in runs), return_exceptions=True
        )
        codes = [(r["error"] or {}).get("code") for r in run.history.records]
        assert sorted(codes, key=str) == [None, None, None, "cancelled", "cancelled"]
        assert await run("///raw after") == "x"


async def test_cancelling_at_random_never_loses_a_slot_or_a_record(pipeline_with):
    """Cancelled before the first step, in the queue, at the turn, at work, while recording."""
    async with pipeline_with({"reply": "x", "delay_ms": 2}, MAX_CONCURRENT_RUNS=2) as run:
        for round_ in range(20):
            runs = [run.submit(f"///raw {n}") for n in range(6)]
            for n, each in enumerate(runs):
                if n % 2:
                    await asyncio.sleep(0.001 * (round_ % 5))
                    run.scheduler.cancel(each.id)
            await asyncio.gather(
                *(run.scheduler.finished(each) for each in runs), return_exceptions=True
            )
        assert len(run.history.records) == 120
        assert len(run.scheduler.queue) == 0 and not run.scheduler.queue._running


async def test_runs_and_ps_tell_position_and_wait(daemon_with):
    """A caller who waits is told how long, over HTTP and on the command line."""
    rules = [
        {"prompt": "^quick$", "reply": "x", "delay_ms": 150},
        {"reply": "x", "delay_ms": 60_000},
    ]
    async with daemon_with(*rules, MAX_CONCURRENT_RUNS=1) as (daemon, http):
        await http.post("/prompt", json={"prompt": "///raw quick"})
        posts = [
            asyncio.create_task(http.post("/prompt", json={"prompt": f"///raw {word}"}))
            for word in ("long", "quick", "quick")
        ]
        async with asyncio.timeout(10):
            while len(daemon.parts.scheduler.queue) < 2:
                await asyncio.sleep(0.01)
        runs = (await http.get("/runs")).json()["runs"]
        assert [run["queue_position"] for run in runs] == [None, 1, 2]
        assert runs[0]["wait_s"] is None and runs[2]["wait_s"] >= 0.1
        ps = await asyncio.to_thread(
            subprocess.run,
            [str(Path(sys.executable).with_name("laios")), "ps"],
            env={**os.environ, "LAIOS_PORT": str(daemon.settings.PORT)},
            capture_output=True,
            text=True,
        )
        assert "queued, number 2, about 0." in ps.stdout
        for run in daemon.parts.scheduler.runs():
            daemon.parts.scheduler.cancel(run.id)
        await asyncio.gather(*posts)
