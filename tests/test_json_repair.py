"""Damaged JSON before it is asked for again: what is repaired, what is not, and its bounds."""

import asyncio
import json
import time

import pytest

from pipeline import json_repair
from pipeline.errors import Unreadable
from pipeline.json_repair import MAX_BYTES, repaired
from pipeline.review.verdict import read_verdict

REPAIRED = [
    ("{'a': 1, b: True}", {"a": 1, "b": True}),
    ('{"a": [1, 2,],}', {"a": [1, 2]}),
    ('Here: {"a": 1} Enjoy.', {"a": 1}),
    ('{"a": "say "hi" now"}', {"a": 'say "hi" now'}),
    ('<think>{"b": 2}</think>{"a": 1,}', {"a": 1}),
    ('{"a": "line\nbreak"}', {"a": "line\nbreak"}),
]
LEFT_ALONE = ["", "no JSON", '{"a": 1}', "[1, 2,]", '{"a": "' + "x" * MAX_BYTES + '"']


@pytest.mark.parametrize(("text", "value"), REPAIRED)
async def test_usual_damage_is_repaired(text, value):
    """Quotes, commas, words around it, line breaks in strings."""
    assert json.loads(await repaired(text)) == value


@pytest.mark.parametrize("text", LEFT_ALONE, ids=range(len(LEFT_ALONE)))
async def test_what_needs_no_repair_or_is_too_much_is_left_alone(text):
    """Nothing is made of what is no object, is whole, or is beyond 8 kB."""
    assert await repaired(text) is None


async def test_a_repair_that_takes_too_long_is_ended(monkeypatch):
    """Its process too: nothing of it is left."""
    monkeypatch.setattr(json_repair, "DEADLINE_S", 0.001)
    begun = time.monotonic()
    assert await repaired('{"a": 1,}') is None
    assert time.monotonic() - begun < 10


async def test_a_cancelled_repair_leaves_no_process(monkeypatch):
    """The caller went away."""
    started = []
    start = asyncio.create_subprocess_exec

    async def keep(*words, **more):
        started.append(await start(*words, **more))
        return started[-1]

    monkeypatch.setattr(asyncio, "create_subprocess_exec", keep)
    task = asyncio.create_task(repaired('{"a": 1,}'))
    while not started:
        await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert started[0].returncode is not None


@pytest.mark.parametrize(
    "text",
    [
        '{"confidence_score": 1',
        '{"confidence_score": 9, "conflict_score": 1, "judgement_summary": "x",}',
        "{'confidence_score': 9, 'conflict_score': 1}",
    ],
)
def test_a_verdict_is_never_repaired(text):
    """A truncated 10 reads as 1."""
    with pytest.raises(Unreadable):
        read_verdict(text)


async def test_the_judge_is_asked_again_where_a_plan_would_be_mended(pipeline_with):
    """The same damage, the stricter reading: the raw text stays, the second answer counts."""
    damaged = '{"confidence_score": 9, "conflict_score": 1, "judgement_summary": "x",}'
    rules = [
        {"role": "coder", "reply": "x = 1"},
        {"role": "judge", "reply": damaged, "times": 1},
        {"role": "judge", "verdict": [8, 2, "Fine."]},
    ]
    async with pipeline_with(*rules) as run:
        await run("one")
    steps = [step for step in run.record["steps"] if step["stage"] == "judge"]
    assert [step["label"] for step in steps] == ["", "again"]
    assert steps[0]["raw"] == damaged and steps[0]["note"] is None
    assert run.record["judge"]["confidence_score"] == 8
