"""Reading the judge: strict, and never a score out of damaged text."""

import json
import time
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.errors import Unreadable
from pipeline.review.verdict import Verdict, read_verdict

GOOD = '{"confidence_score": 9, "conflict_score": 2, "judgement_summary": "Right."}'
THRESHOLDS = SimpleNamespace(ESCALATION_CONFIDENCE_THRESHOLD=8, ESCALATION_CONFLICT_THRESHOLD=6)


@pytest.mark.parametrize(
    "text",
    [
        GOOD,
        f"\n {GOOD}\n",
        f"\ufeff{GOOD}",
        f"<think>10? {{}}</think>{GOOD}",
        f"```json\n{GOOD}\n```",
        f"```\n{GOOD}```",
        json.dumps(json.loads(GOOD) | {"reasoning": {"a": [1]}}, indent=4),
    ],
)
def test_a_whole_verdict_is_read(text):
    """One JSON object, with what may stand around it."""
    verdict = read_verdict(text)
    assert (verdict.confidence_score, verdict.conflict_score) == (9, 2)
    assert (verdict.judgement_summary, verdict.raw_response) == ("Right.", text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "  ",
        "The code is good: 9/10.",
        f"Here you go: {GOOD}",
        f"{GOOD} I hope that helps.",
        f"{GOOD}\n{GOOD}",
        f"[{GOOD}]",
        GOOD[:-1],
        GOOD[:22],
        "{" + GOOD,
        "null",
        '"9"',
        "<think>" + GOOD,
        f"```json\n{GOOD}\n```\n```json\n{GOOD}\n```",
        GOOD.replace("9", "NaN"),
        GOOD.replace("9", "Infinity"),
        GOOD.replace("9", "9.0"),
        GOOD.replace("9", "9.5"),
        GOOD.replace("9", '"9"'),
        GOOD.replace("9", "true"),
        GOOD.replace("9", "null"),
        GOOD.replace("9", "0"),
        GOOD.replace("9", "11"),
        GOOD.replace("9", "85"),
        GOOD.replace("9", "-9"),
        GOOD.replace("9", "9" * 5000),
        GOOD.replace('"conflict_score": 2, ', ""),
        GOOD.replace("conflict_score", "confidence_score"),
        GOOD.replace('"Right."', "7"),
        '{"verdict": ' + GOOD + "}",
        "[" * 100_000 + "]" * 100_000,
        '{"a":' * 50_000 + "1" + "}" * 50_000,
    ],
)
def test_anything_else_is_unreadable(text):
    """Prose, damage, doubles, wrong types and ranges never become a score."""
    with pytest.raises(Unreadable):
        read_verdict(text)


@given(st.text())
def test_random_text_is_never_a_verdict(text):
    """Only the exact shape is one."""
    with pytest.raises(Unreadable):
        read_verdict(text)


@given(st.integers(0, len(GOOD) - 1))
def test_a_cut_off_verdict_is_never_read(length):
    """No prefix of a verdict is a verdict: a cut-off 10 must not be read as 1."""
    with pytest.raises(Unreadable):
        read_verdict(GOOD.replace("9", "10")[:length])


@pytest.mark.parametrize(
    "junk",
    [
        "x" * 1_000_000,
        "{" * 1_000_000,
        '{"a":"' + "\\u0041" * 160_000 + '"}',
        "```" * 330_000,
        "<think>" * 140_000,
        "`" * 1_000_000,
        "{" + '"a":1,' * 150_000 + '"b":2}',
        " " * 1_000_000,
        "```\n" + " \n" * 500_000,
        "```\n" + " " * 1_000_000 + "x",
        "~" * 1_000_000 + "x",
        "~~~\n" * 250_000 + "x",
    ],
)
def test_a_megabyte_of_junk_is_refused_in_no_time(junk):
    """Reading costs less than 100 ms of CPU time on any megabyte (best of three)."""

    def seconds():
        started = time.process_time()
        with pytest.raises(Unreadable):
            read_verdict(junk)
        return time.process_time() - started

    assert min(seconds() for _ in range(3)) < 0.1


@pytest.mark.parametrize(
    ("confidence", "conflict", "reason"),
    [
        (8, 6, None),
        (10, 1, None),
        (7, 6, "confidence 7 < 8"),
        (8, 7, "conflict 7 > 6"),
        (6, 7, "confidence 6 < 8; conflict 7 > 6"),
    ],
)
def test_escalation_names_what_and_by_how_much(confidence, conflict, reason):
    """Below or above a threshold escalates; equality does not."""
    assert Verdict(confidence, conflict, "", "").escalation(THRESHOLDS) == reason


def test_a_verdict_without_scores_always_escalates():
    """What cannot be believed is no approval."""
    assert Verdict(None, None, None, "x", "unparseable").escalation(THRESHOLDS) == "unparseable"
    assert Verdict(None, 1, None, "x").escalation(THRESHOLDS)


def test_worse_means_both_scores():
    """A review loses against the draft only if it is less confident and more conflicting."""
    draft = Verdict(7, 3, "", "")
    assert Verdict(6, 4, "", "").worse_than(draft)
    assert not Verdict(6, 3, "", "").worse_than(draft)
    assert not Verdict(7, 4, "", "").worse_than(draft)
    assert not Verdict(None, None, None, "", "failed").worse_than(draft)


def test_a_summary_is_kept_to_its_bound():
    """What a backend without schemas writes too long does not reach the reviewer's prompt."""
    verdict = read_verdict(GOOD.replace("Right.", "long " * 500))
    assert verdict.judgement_summary == ("long " * 500)[:300]
