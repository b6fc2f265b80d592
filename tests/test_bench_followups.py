"""The bench of follow-ups in a chat."""

import asyncio
import shutil

import pytest

from tools.bench.followups import FollowUp, requests, summary

pytestmark = pytest.mark.only_when("tools/")


@pytest.mark.skipif(shutil.which("bwrap") is None, reason="the sandbox needs bubblewrap")
async def test_a_check_accepts_the_solution_and_not_what_there_was():
    """So that a follow-up which changes nothing is wrong, and a right one is not."""

    async def faults(each: FollowUp) -> tuple[str, str]:
        return await each.fault(each.solution), await each.fault(each.turns[-2])

    every = requests()
    found = await asyncio.gather(*map(faults, every))
    assert {e.id: f for e, (f, _) in zip(every, found, strict=True) if f} == {}
    assert [e.id for e, (_, f) in zip(every, found, strict=True) if not f] == []


def test_it_is_asked_as_a_chat_app_does():
    """The turns with their code in fences; each mode by its model's name."""
    first = requests("raw")[0]
    model, messages = first.body["model"], first.body["messages"]
    assert (first.id, model, messages[-1]) == (
        "followup/001/raw",
        "laios:raw",
        {"role": "user", "content": first.prompt},
    )
    assert messages[1]["content"].startswith("```python\ndef count_vowels")


def test_what_is_right_is_counted():
    """Beside the seconds that it took."""
    rows = [({"seconds": 2.0}, ""), ({"seconds": 4.0}, "AssertionError")]
    assert summary("raw", rows) == "raw: 1 of 2 right, 6 s (median 3.0)"
