"""`no_log`: the record keeps numbers and modes, and no texts."""

import json
import shutil

import pytest

from history.index_row import row_of
from pipeline.errors import ModelFailed
from pipeline.run_record import without_texts
from server.runtime.metrics import escalation_kind

FOUND = {"real": [], "more": [{"kind": "path", "detail": "swordfish reaches a shell."}]}
PLAN = {
    "understanding": "x",
    "requires_visualization": False,
    "libraries_needed": [],
    "data_files": [],
    "steps": [
        {"step_number": n, "description": "Print it", "search_query": "", "focus": ""}
        for n in (1, 2, 3)
    ],
}


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
    kinds = ", ".join(dict.fromkeys(each["kind"] for each in run.record["evidence"]))
    assert run.record["escalated"] and run.record["escalation_reason"] == f"evidence: {kinds}"
    assert escalation_kind(run.record) == row_of(run.record).reason == "evidence"


@pytest.mark.parametrize("tag", ["", "///secure ", "///plan ", "///files "])
async def test_no_log_changes_no_answer(pipeline_with, tag):
    """It is about what is kept: neither the caller nor a reviewer is told less."""
    manifest = {"files": [{"file_path": "a.py", "file_type": "source"}], "total_files": 1}
    rules = [
        {"role": "manifest", "reply": json.dumps({"project_id": "x", **manifest})},
        {"role": "planner", "reply": json.dumps(PLAN)},
        {"role": "coder", "reply": "print(swordfish)\n"},
        {"role": "judge", "verdict": [3, 8, "swordfish is missing"]},
        {"role": "security_reviewer", "reply": json.dumps(FOUND)},
        {"role": "reviewer", "prompt": "swordfish is missing", "reply": "print(swordfish)  # 2\n"},
        {"role": "reviewer", "reply": "print(1)\n"},
    ]
    outputs = []
    for private in (False, True):
        async with pipeline_with(*rules) as run:
            outputs.append(await run(f"{tag}Print it", no_log=private))
    assert outputs[0] == outputs[1]


REASONS = {
    "confidence 3 < 8; conflict 8 > 6": "confidence 3 < 8; conflict 8 > 6",
    "the review is rated lower: confidence 3 < 8, conflict 8 > 2": "the review is rated lower: "
    "confidence 3 < 8, conflict 8 > 2",
    "unreviewed: reviewer failed (model_timeout)": "unreviewed: reviewer failed (model_timeout)",
    "judge failed (model_timeout); security: secret": "judge failed (model_timeout); security",
    "unreviewed: local/x-1.5b is a small model and drew 5 drafts itself": "unreviewed: "
    "local/x-1.5b is a small model and drew 5 drafts itself",
    "unreviewed: local/x-1.5b is a small model and wrote it itself": "unreviewed: local/x-1.5b is "
    "a small model and wrote it itself",
    "the review has more faults: 2 instead of 0": "the review has more faults: 2 instead of 0",
    "the review is worth less: 0.3 < 0.55": "the review is worth less: 0.3 < 0.55",
    "the review changed nothing": "the review changed nothing",
    "undecided: 1 test fails with every draft; undecided: drafts of 2 files differ": "undecided: "
    "1 test fails with every draft; undecided: drafts of 2 files differ",
    "not judged: 3 of 4 model-written tests pass": "not judged: 3 of 4 model-written tests pass",
    "not judged: the request's examples pass": "not judged: the request's examples pass",
    "not judged: the request's tests pass": "not judged: the request's tests pass",
    "unconfirmed: only its writer, local/x-1.5b, calls it right; secret": "unconfirmed: only its "
    "writer, local/x-1.5b, calls it right",
    "unconfirmed: 2 of 2 drafts agree on 7 calls, secret": "unconfirmed: 2 of 2 drafts agree",
    "not judged: the examples that a model found in the request pass": "not judged: the examples "
    "that a model found in the request pass",
    "undecided: not all examples that a model found in the request pass: f(secret) → 1": "undecided"
    ": not all examples that a model found in the request pass",
    "undecided: none of 3 drafts returns a value in 20 calls": "undecided: none of 3 drafts "
    "returns a value in 20 calls",
    "not judged: 2 of 2 drafts agree on 7 calls": "not judged: 2 of 2 drafts agree",
    "undecided: 2 of 5 drafts agree on 20 calls": "undecided: 2 of 5 drafts agree",
    "undecided: no two of 2 drafts print the same": "undecided: no two of 2 drafts print the same",
    "evidence: f('a; b') fails; confidence 3 < 8": "evidence: example; confidence 3 < 8",
    "the review fails evidence that the draft passes: secret": "the review fails evidence that the "
    "draft passes",
    "the review fails evidence that the code passes: secret": "the review fails evidence that the "
    "code passes",
    "the review changes nothing": "the review changes nothing",
    "not judged: it does what the original code did, in 12 calls": "not judged: it does "
    "what the original code did, in 12 calls",
    "secret words of a model": None,
    None: None,
}


@pytest.mark.parametrize(("reason", "kept"), REASONS.items(), ids=str)
def test_no_log_keeps_of_a_reason_what_is_no_text(reason, kept):
    """Scores, codes and kinds, by which the numbers page and the filters go."""
    known = {"judge": None, "reviewer_judge": None, "steps": [], "error": None}
    evidence = [{"stage": "coder", "kind": "example", "detail": "f('a; b') fails"}]
    record = without_texts(
        known | {"evidence": evidence, "escalation_reason": reason, "final_reason": reason}
    )
    assert record["escalation_reason"] == record["final_reason"] == kept


async def test_no_log_keeps_the_numbers_of_a_reason(pipeline_with):
    """By how much a threshold was missed is no text."""
    rules = [{"role": "coder", "reply": "x = 1\n"}, {"role": "reviewer", "reply": "x = 2\n"}]
    judge = {"role": "judge", "verdict": [3, 8, "swordfish"]}
    async with pipeline_with(*rules, judge) as run:
        await run("x", no_log=True)
    assert run.record["escalation_reason"] == "confidence 3 < 8; conflict 8 > 6"
