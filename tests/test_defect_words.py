"""A judge that names a defect beside good scores."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from config import load_settings
from pipeline.review.defect_words import defect_in
from pipeline.review.verdict import Verdict


@pytest.mark.parametrize(
    ("sentence", "words"),
    [
        ("The code does not run, it contains a logical error in its last line.", "does not"),
        ("It should return an error message for negative inputs.", "should return"),
        ("The regular expression is incorrect.", "incorrect"),
        ("It raises a ValueError for an empty list.", "raises a ValueError"),
        ("There are errors, and the import of re is missing.", "missing"),
        ("It contains several errors in the loop.", "contains several errors"),
        ("Doesn't merge overlapping intervals as requested.", "Doesn't"),
    ],
)
def test_a_named_defect_is_found(sentence, words):
    """In the words that small judges use."""
    assert defect_in(sentence) == words


@pytest.mark.parametrize(
    "sentence",
    [
        "",
        "It is right.",
        "The code does what was asked, also for empty, extreme and wrong input, and is safe.",
        "It runs without errors and has no bugs.",
        "It does not crash for an empty list, and does not raise an error.",
        "Handles missing values and invalid arguments; free of any defects.",
    ],
)
def test_praise_and_denied_defects_name_none(sentence):
    """ "No errors", "does not crash", "wrong input" are no defects."""
    assert defect_in(sentence) == ""


@given(st.text(max_size=300))
def test_a_defect_is_found_in_any_surroundings(sentence):
    """Whatever a judge writes before it."""
    assert defect_in(f"{sentence}. It does not run.")


def test_a_verdict_that_contradicts_itself_does_not_pass():
    """Its reason quotes the words; scores that already escalate stay the reason."""
    settings = load_settings()
    summary = "The code does not run."
    assert Verdict(10, 1, summary, "").escalation(settings) == (
        "the verdict contradicts itself: 'does not' beside confidence 10, conflict 1"
    )
    assert Verdict(10, 1, "It is right.", "").escalation(settings) is None
    assert Verdict(3, 1, summary, "").escalation(settings) == "confidence 3 < 8"
