"""`no_log`: the record keeps numbers and modes, and no texts (DESIGN A2)."""

import shutil

import pytest

from pipeline.errors import ModelFailed


async def test_no_log_keeps_numbers_and_no_texts(pipeline_with):
    """Modes, scores and times are kept; nothing that a person or a model wrote is."""
    secret = "swordfish"
    rules = [
        {"role": "coder", "reply": f"```\n{secret}\n```"},
        {"role": "judge", "verdict": [2, 9, secret]},
        {"role": "reviewer", "reply": secret},
    ]
    async with pipeline_with(*rules) as run:
        assert secret in await run(f"say {secret}", no_log=True)
    assert secret not in str(run.record)
    assert run.record["judge"]["confidence_score"] == 2
    assert run.record["escalated"] and run.record["mode"] == "code_reviewed"
    assert run.record["original_prompt"] is run.record["final_output"] is None


async def test_no_log_keeps_the_codes_of_errors_without_their_words(pipeline_with):
    """A backend may quote the prompt in what it says."""
    async with pipeline_with({"role": "coder", "fault": "failed"}) as run:
        with pytest.raises(ModelFailed):
            await run("add", no_log=True)
    nothing_said = {"code": "model_failed", "message": None}
    assert run.record["error"] == run.record["steps"][0]["error"] == nothing_said


WRONG = "def add(a, b):\n    return a\n"
CRASHING = f"{WRONG}\n\nraise ValueError('swordfish')\n"


@pytest.mark.skipif(shutil.which("bwrap") is None, reason="the sandbox needs bubblewrap")
@pytest.mark.parametrize("code", [WRONG, CRASHING], ids=["example", "import"])
@pytest.mark.parametrize("tag", ["", "///test ", "///best=2 "])
async def test_no_log_keeps_no_words_of_what_was_found(pipeline_with, code, tag):
    """An example is the prompt's, and an error message the program's: evidence, reasons and the
    steps' notes have the kind alone."""
    rules = [{"role": role, "reply": code} for role in ("coder", "reviewer", "tester")]
    judge = {"role": "judge", "verdict": [9, 1, "Fine."]}
    async with pipeline_with(*rules, judge, EVIDENCE_RUN="auto", MAX_DRAFTS=2) as run:
        await run(f"{tag}Write add: add('swordfish', 2) == 'swordfish2'", no_log=True)
    assert "swordfish" not in str(run.record)
    assert {each["detail"] for each in run.record["evidence"]} <= {"example", "import", "names"}
    assert run.record["evidence"]
    assert run.record["escalated"] and run.record["escalation_reason"].startswith("evidence")


async def test_no_log_keeps_the_numbers_of_a_reason(pipeline_with):
    """By how much a threshold was missed is no text."""
    rules = [{"role": "coder", "reply": "x = 1\n"}, {"role": "reviewer", "reply": "x = 2\n"}]
    judge = {"role": "judge", "verdict": [3, 8, "swordfish"]}
    async with pipeline_with(*rules, judge) as run:
        await run("x", no_log=True)
    assert run.record["escalation_reason"] == "confidence 3 < 8; conflict 8 > 6"
