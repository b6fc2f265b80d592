"""The bench of requests as people write them."""

import pytest

from tools.bench.everyday import drafts_of, ending_of, figures, requests

pytestmark = pytest.mark.only_when("tools/")

JUDGED = {"role": "judge", "verdict": [9, 1, "It is right."]}
BROKEN = {"role": "coder", "reply": ["def f(:\n", "def f():\n    return 1\n"]}


def test_each_request_stands_once():
    """By its id and by its words."""
    every = requests()
    assert len({each.id for each in every}) == len({each.prompt for each in every}) == len(every)


async def test_what_a_run_took_is_counted_from_its_record(pipeline_with):
    """Drafts by their steps, calls and tokens, and how the answer stands."""
    async with pipeline_with(BROKEN, JUDGED, MAX_DRAFTS=3) as run:
        await run("Write a Python function f.")
    assert (drafts_of(run.record), ending_of(run.record)) == (2, "judged")
    said = figures([run.record], [1.5])
    assert said[0].startswith("1 requests, 2 drafts (0 of one), 3 calls, ")
    assert said[1:] == ["2 s, median 1.5, longest 2", "1 judged"]


@pytest.mark.parametrize(
    ("fields", "ending"),
    [
        ({"error": {"code": "model_timeout"}}, "error"),
        ({"evidence": [{"kind": "syntax"}], "escalated": True}, "wrong"),
        ({"escalated": True}, "open"),
        ({"final_reason": "not judged: the request's examples pass"}, "decided"),
        ({"final_reason": "unreviewed: it is small"}, "judged"),
        ({}, "judged"),
    ],
)
def test_an_answer_stands_as_its_record_says(fields, ending):
    """In one word, the worst first."""
    plain = {"error": None, "evidence": [], "escalated": False, "final_reason": None}
    assert ending_of(plain | fields) == ending
