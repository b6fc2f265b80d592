"""The reviewer: what it is told, and what its answer is taken for."""

import pytest

DRAFT = "def add(a, b):\n    return a - b\n"
REVIEW = "def add(a, b):\n    return a + b\n"
CODER = {"role": "coder", "reply": DRAFT}
BAD = {"role": "judge", "verdict": [3, 8, "It subtracts."]}
DOUBT = {"role": "judge", "yes": 0.3}
ASKED = r"(?s)Is anything wrong with the last answer\?.*UNCHANGED"
BROKEN = "def f():\n    return 1 / 0\n\nif __name__ == '__main__':\n    f()\n"
WHOLE = r"(?s)\A(?!.*UNCHANGED).*The complete final code:"


def small_reviewer(script, *rules):
    """The name of a scripted model that is taken for a small one."""
    return script(*({"role": "reviewer", **rule} for rule in rules), name="reviewer-1.5b")


@pytest.mark.parametrize("reply", ["UNCHANGED", "`unchanged`.\n", "```python\nUNCHANGED\n```"])
async def test_a_small_reviewer_may_say_in_a_word_that_a_draft_is_right(
    pipeline_with, script, reply
):
    """The draft is the answer, and is not judged a second time."""
    small = small_reviewer(script, {"prompt": ASKED, "reply": reply})
    settings = {"JUDGE_FORM": "yes_no", "REVIEWER_MODEL_NAME": small}
    async with pipeline_with(CODER, DOUBT, **settings) as run:
        assert await run("add") == DRAFT
    record = run.record
    assert (record["final_source"], record["reviewer_output"]) == ("coder", DRAFT)
    assert record["final_reason"] == "the review changes nothing"
    assert [step["stage"] for step in record["steps"]] == ["coder", "judge", "reviewer"]


async def test_a_small_reviewer_s_code_is_its_review(pipeline_with, script):
    """Where it says what is right in place of the word."""
    small = small_reviewer(script, {"prompt": ASKED, "reply": f"```python\n{REVIEW}```"})
    settings = {"JUDGE_FORM": "yes_no", "REVIEWER_MODEL_NAME": small}
    async with pipeline_with(CODER, DOUBT, **settings) as run:
        assert await run("add") == REVIEW
    assert run.record["final_source"] == "reviewer"


async def test_a_small_reviewer_that_is_told_a_fault_is_asked_for_code(pipeline_with, script):
    """Nobody is asked whether there is one that is known; no small model is asked for notes."""
    words = r"(?s)\A(?!.*(UNCHANGED|REVIEWER_NOTE)).*found wrong.*:\nIt subtracts\."
    small = script(CODER, {"role": "reviewer", "prompt": words, "reply": REVIEW}, name="any-1.5b")
    roles = {"CODER_MODEL_NAME": small, "REVIEWER_MODEL_NAME": small}  # one: all is in one turn
    async with pipeline_with(BAD, **roles, JUDGE_REVIEW=False) as run:
        assert await run("add") == REVIEW


async def test_larger_reviewers_are_asked_for_the_whole_code(pipeline_with):
    """As is one that no size is known of."""
    whole = {"role": "reviewer", "prompt": WHOLE, "reply": REVIEW}
    async with pipeline_with(CODER, DOUBT, whole, JUDGE_FORM="yes_no") as run:
        assert await run("add") == REVIEW


async def test_a_person_s_own_rules_ask_a_small_reviewer_too(pipeline_with, script, tmp_path):
    """They stand in place of the question for a word."""
    (tmp_path / "reviewer.txt").write_text("Mine.")
    small = small_reviewer(script, {"prompt": WHOLE, "reply": REVIEW})
    settings = {"REVIEWER_MODEL_NAME": small, "PROMPTS_DIR": tmp_path, "JUDGE_FORM": "yes_no"}
    async with pipeline_with(CODER, DOUBT, **settings) as run:
        assert await run("add") == REVIEW


async def test_a_review_that_changes_nothing_is_not_judged_again(pipeline_with):
    """Of a larger model, too: the same text had its verdict."""
    same = {"role": "reviewer", "reply": DRAFT}
    async with pipeline_with(CODER, BAD, same) as run:
        assert await run("add") == DRAFT
    assert run.record["reviewer_judge"] is None
    assert run.record["final_reason"] == "the review changes nothing"


async def test_a_small_reviewer_of_a_person_s_code_is_told_that_it_has_a_bug(pipeline_with, script):
    """Asked whether there is one it finds none."""
    asked = r"(?s)There is a bug in the last answer\.(?!.*found wrong)"
    small = small_reviewer(script, {"prompt": asked, "reply": REVIEW})
    async with pipeline_with(CODER, REVIEWER_MODEL_NAME=small) as run:
        assert await run(f"///review-only {DRAFT}") == REVIEW


@pytest.mark.parametrize(
    ("code", "known"),
    [
        ("def add(a, b) return a", "syntax error at line 1"),
        ("from math import multiply\n", "cannot import name"),
        (BROKEN, "ZeroDivisionError"),
    ],
)
async def test_code_that_does_not_run_is_reviewed_with_that_fact(pipeline_with, code, known):
    """`///review-only` looks before it asks."""
    told = {"role": "reviewer", "prompt": f"(?s)found wrong.*{known}", "reply": REVIEW}
    async with pipeline_with(told, EVIDENCE_RUN="auto") as run:
        assert await run(f"///review-only ```python\n{code}\n```") == REVIEW


@pytest.mark.parametrize("second", [{"reply": BROKEN}, {"fault": "failed"}])
async def test_a_review_that_does_not_run_says_so(pipeline_with, second):
    """Where the reviewer leaves code as broken as it was, twice, or cannot be asked again, its
    answer is not handed out without a word."""
    rules = {"reply": BROKEN, "times": 1}, second
    rules = [{"role": "reviewer", **rule} for rule in rules]
    async with pipeline_with(*rules, EVIDENCE_RUN="auto") as run:
        answer = await run(f"///review-only {BROKEN}")
    assert answer.startswith("# REVIEWER_NOTE: it crashes when it is run: ")
    assert answer.endswith(BROKEN)
    assert run.record["evidence"][0]["stage"] == "reviewer"


async def test_code_that_still_crashes_is_reviewed_once_more_without_the_fact(pipeline_with):
    """The review that runs is the answer and stands in the record."""
    told = {"role": "reviewer", "prompt": "found wrong", "reply": BROKEN}
    untold = {"role": "reviewer", "reply": REVIEW}
    async with pipeline_with(told, untold, EVIDENCE_RUN="auto") as run:
        assert await run(f"///review-only {BROKEN}") == REVIEW
    assert run.record["reviewer_output"] == REVIEW
    assert run.record["evidence"] == []


async def test_a_review_that_breaks_code_is_not_handed_out(pipeline_with):
    """The code that was given is, and the record says why."""
    async with pipeline_with({"role": "reviewer", "reply": BROKEN}, EVIDENCE_RUN="auto") as run:
        assert await run(f"///review-only {DRAFT}") == DRAFT.rstrip()
    assert run.record["final_reason"].startswith("the review fails evidence that the code passes")


async def test_a_part_of_a_program_is_not_accused_of_what_stands_elsewhere(pipeline_with):
    """Its names may be defined in the rest."""
    part = "total = add(1, 2)\nprint(total)\n"
    told = {"role": "reviewer", "prompt": r"(?s)\A(?!.*found wrong)", "reply": part}
    async with pipeline_with(told, EVIDENCE_RUN="auto") as run:
        assert await run(f"///review-only {part}") == part
