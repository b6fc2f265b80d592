"""What laios says it knows of a run: `details` of POST /prompt and GET /runs/{id}."""

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st
from projects import BOTH, CORE, GOOD, TWO, writes
from test_server import CODE, RULES, SLOW

from pipeline.request import new_id
from server.runtime.record_details import details_of
from server.terminal.record_sections import sections

BROKEN = "def add(a, b:\n    return a + b\n"
PROJECT = {"kind": "project", "failed": {}, "faults": [], "files": [], "tests": None}
RECORD = {
    "id": "0" * 26,
    "mode": "code_tested",
    "final_source": "coder",
    "final_reason": None,
    "escalation_reason": None,
    "judge": None,
    "reviewer_judge": None,
    "evidence": [],
    "steps": [],
    "artefact": None,
    "error": None,
    "duration_ms": 1500.0,
}


def record(**keys):
    return {**RECORD, **keys}


def outcomes(*statuses):
    rows = [{"name": f"t{n}", "status": each} for n, each in enumerate(statuses)]
    return {"tests": rows, "rounds": []}


def fault(kind, detail, *, line=None, serious=True):
    return {"path": "todo.py", "kind": kind, "detail": detail, "line": line, "serious": serious}


def finding(kind, detail, stage="coder"):
    return {"stage": stage, "kind": kind, "detail": detail}


def generated(*statuses, success=True):
    """What a code generation makes: the attempt that is its answer has tests."""
    rows = [{"test": f"t{n}", "status": each, "message": ""} for n, each in enumerate(statuses)]
    checks = [{"done": rows, "problem": None, "given": True}] if rows else []
    attempts = [{"code": "other", "checks": []}, {"code": "x", "checks": checks}]
    answer = {"success": success, "explanation": "Unable to generate code: it is a service."}
    return {"answer": answer, "attempts": attempts}


WARNINGS = [
    ({"artefact": generated("failed", "passed"), "final_output": "x"}, ["1 of 2 tests fail"]),
    (
        {"artefact": generated(success=False), "final_output": ""},
        ["Unable to generate code: it is a service."],
    ),
    ({}, []),
    ({"artefact": outcomes("passed", "passed")}, []),
    ({"artefact": outcomes("passed", "wrong", "raised")}, ["2 of 3 tests fail"]),
    (
        {"artefact": {"fallback": "code_reviewed", "reason": "tests in go cannot be run here"}},
        ["not tested: tests in go cannot be run here"],
    ),
    (
        {"evidence": [finding("syntax", "syntax error at line 1")]},
        ["it does not parse: syntax error at line 1"],
    ),
    ({"evidence": [finding("syntax", "of the draft", "reviewer")]}, []),
    (
        {"evidence": [finding("example", "the example f(1) → 2 fails")]},
        ["the example f(1) → 2 fails"],
    ),
    (
        {"evidence": [finding("example", "…")], "artefact": outcomes("wrong")},
        ["1 of 1 tests fail"],
    ),
    (
        {"artefact": PROJECT | {"faults": [fault("syntax", "syntax error at line 3")]}},
        ["todo.py does not parse"],
    ),
    ({"artefact": PROJECT | {"failed": {"todo.py": "cut off"}}}, ["todo.py is missing"]),
    (
        {"artefact": PROJECT | {"faults": [fault("import", "x.py does not define y", line=2)]}},
        ["todo.py line 2: x.py does not define y"],
    ),
    ({"artefact": PROJECT | {"faults": [fault("lint", "x is unused", serious=False)]}}, []),
    (
        {
            "artefact": PROJECT
            | {
                "tests": {"run": True, "passed": 1, "total": 3, "reason": ""},
                "files": [{"path": "test_todo.py", "type": "test"}],
            }
        },
        ["2 of 3 tests fail"],
    ),
    (
        {
            "artefact": PROJECT
            | {
                "tests": {"run": False, "passed": 0, "total": 0, "reason": "they need flask"},
                "files": [{"path": "test_todo.py", "type": "test"}],
            }
        },
        ["not tested: they need flask"],
    ),
    (
        {
            "artefact": PROJECT
            | {"tests": {"run": False, "passed": 0, "total": 0, "reason": "there are none"}}
        },
        [],
    ),
    (
        {"artefact": {"findings": [{"type": "NameError", "message": "x is unknown", "line": 3}]}},
        ["NameError at line 3: x is unknown"],
    ),
    ({"artefact": outcomes("wrong"), "error": {"code": "cancelled", "message": None}}, []),
]


@pytest.mark.parametrize(("keys", "warnings"), WARNINGS)
def test_what_is_known_to_be_wrong_is_a_line_each(keys, warnings):
    """Failing tests, files that are missing or do not parse, facts against the returned text; not
    the judge's opinion, and nothing of a text that was replaced."""
    assert details_of(record(**keys)).warnings == warnings


@pytest.mark.parametrize(
    ("keys", "passed"),
    [
        ({}, True),
        ({"artefact": outcomes("passed")}, True),
        ({"artefact": outcomes("passed", "timeout")}, False),
        ({"evidence": [finding("example", "the example f(1) → 2 fails")]}, False),
        ({"evidence": [finding("example", "of the draft", "reviewer")]}, True),
        ({"evidence": [finding("syntax", "syntax error at line 1")]}, True),
        ({"artefact": {"fallback": "code_reviewed", "reason": "there is no node"}}, False),
        ({"artefact": PROJECT | {"failed": {"todo.py": "cut off"}}}, False),
        ({"artefact": PROJECT | {"faults": [fault("import", "it lacks x")]}}, True),
        ({"artefact": generated("passed"), "final_output": "x"}, True),
        ({"artefact": generated("passed", "failed"), "final_output": "x"}, False),
        ({"artefact": generated(success=False), "final_output": ""}, False),
        ({"artefact": {"judgement": {"valid": False}}}, False),
        ({"artefact": {"judgement": {"valid": True}}}, True),
        ({"error": {"code": "cancelled", "message": None}}, False),
    ],
)
def test_a_run_passes_when_the_checks_that_were_asked_for_do(keys, passed):
    """Tests hold and were run, so do examples, files are there and parse; what else was found is
    told, no more."""
    assert details_of(record(**keys)).passed is passed


def test_the_drafts_and_why_one_of_them_won_are_told():
    """What speaks against each, or how many tests it passes; of one draft nothing."""
    rows = [
        {"number": 1, "code": "a", "findings": ["syntax error at line 1"], "chosen": False},
        {"number": 3, "code": "b", "temperature": 0.8, "findings": [], "chosen": True},
    ]
    made = {"drafts": rows, "chosen_because": "there is no evidence against it"}
    told = details_of(record(artefact=made)).as_json()
    assert told["drafts"] == [
        {"number": 1, "chosen": False, "against": ["syntax error at line 1"]},
        {"number": 3, "chosen": True, "against": []},
    ]
    assert told["chosen_because"] == "there is no evidence against it"
    shown = dict(sections(record(artefact=made)))
    assert shown["chosen because"] == "there is no evidence against it"
    assert shown["drafts"].splitlines() == [
        "1. findings syntax error at line 1, chosen False",
        "3. temperature 0.8, chosen True",
    ]
    tried = [{"round": n, "code": c, "passed": n, "tests": 2} for n, c in ((1, "a"), (2, "b"))]
    tested = record(coder_output="b", artefact={"rounds": tried})
    first, second = details_of(tested).as_json()["drafts"]
    assert first == {"number": 1, "chosen": False, "passed": 1, "total": 2, "against": []}
    assert (second["chosen"], second["passed"]) == (True, 2)
    alone = details_of(record(artefact={"rounds": tried[:1]}))
    assert (alone.drafts, alone.chosen_because) == ([], None)


def test_many_findings_are_cut_short():
    """A footer is read by a person."""
    faults = [fault("import", f"it lacks {n}") for n in range(9)]
    warnings = details_of(record(artefact=PROJECT | {"faults": faults})).warnings
    assert len(warnings) == 6 and warnings[-1] == "and 4 more findings"


def test_the_verdict_is_that_on_the_returned_text_and_fall_backs_are_named():
    """A review has its own; a second model, an unreviewed draft and a missing sandbox are told."""
    low = {"confidence_score": 3, "conflict_score": 8, "judgement_summary": "no", "error": None}
    steps = [
        {"stage": "coder", "model": "a/b", "error": {"code": "model_unreachable", "message": ""}},
        {"stage": "coder", "model": "c/d", "error": None},
    ]
    steps = [{"prompt_tokens": 5, "output_tokens": None, **step} for step in steps]
    known = details_of(record(judge=low, steps=steps, final_reason="unreviewed: reviewer failed"))
    assert known.verdict and known.verdict.confidence_score == 3
    assert known.fallbacks == [
        "the draft, unreviewed: reviewer failed",
        "coder: c/d instead of a/b (model_unreachable)",
    ]
    assert (known.tokens.prompt, known.tokens.output, known.seconds) == (10, 0, 1.5)
    assert details_of(record(judge=low, final_source="reviewer")).verdict is None


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=8,
)
KEYS = st.sampled_from(["tests", "faults", "findings", "failed", "fallback", "files", "kind"])
KEYS |= st.sampled_from(["drafts", "rounds", "notes", "chosen_because"])


@given(st.dictionaries(KEYS, JSON | st.lists(st.dictionaries(KEYS, JSON), max_size=3)))
def test_any_artefact_can_be_read(artefact):
    """An add-on's mode keeps what it likes under the same names."""
    details_of(record(artefact=artefact))


async def test_details_are_given_to_those_who_ask(daemon_with):
    """A second key, with `details: true` alone; a run that is over says the same later."""
    async with daemon_with(*RULES) as (_, http):
        assert (await http.post("/prompt", json={"prompt": "add"})).json() == {"output": CODE}
        asked = {"prompt": "add", "details": True}
        answer = await http.post("/prompt", json=asked)
        assert list(answer.json()) == ["output", "details"]
        details = answer.json()["details"]
        assert (details["mode"], details["state"], details["final_source"]) == (
            "code_reviewed",
            "done",
            "coder",
        )
        assert details["verdict"]["confidence_score"] == 9
        later = await http.get(f"/runs/{answer.headers['x-laios-run-id']}")
        assert later.json() == answer.json()
        assert (await http.post("/prompt", json=asked | {"details": 1})).status_code == 400


async def test_a_run_that_goes_on_is_told_too_and_an_unknown_one_is_not_found(daemon_with):
    """What is known so far; then the error that it ended with."""
    async with daemon_with(*SLOW) as (_daemon, http):
        run_id = new_id()
        posted = asyncio.create_task(
            http.post("/prompt", json={"prompt": "add"}, headers={"X-Laios-Run-Id": run_id})
        )
        while (answer := await http.get(f"/runs/{run_id}")).json().get("output", 0) is not None:
            await asyncio.sleep(0.01)
        assert answer.json()["details"]["state"] in ("queued", "running")
        await http.delete(f"/runs/{run_id}")
        await posted
        ended = (await http.get(f"/runs/{run_id}")).json()
        assert ended["output"] is None and ended["details"]["error"]["code"] == "cancelled"
        assert (await http.get("/runs/nothing")).status_code == 404


async def test_without_texts_the_caller_is_told_and_the_record_is_not(daemon_with):
    """`no_log` is about what is kept: the details of the answer itself are whole."""
    async with daemon_with(*RULES) as (_, http):
        asked = {"prompt": "add", "details": True, "no_log": True}
        answer = await http.post("/prompt", json=asked)
        assert answer.json()["details"]["verdict"]["judgement_summary"] == "It is right."
        later = (await http.get(f"/runs/{answer.headers['x-laios-run-id']}")).json()
        assert later["output"] is None
        assert "judgement_summary" not in later["details"]["verdict"]


async def test_a_project_s_broken_file_is_named(daemon_with):
    """A file that does not parse is wrong whatever the judge thinks."""
    rules = [TWO, writes("core.py", CORE), writes("cli.py", BROKEN), GOOD]
    reviewer = writes("cli.py", BROKEN) | {"role": "reviewer"}
    async with daemon_with(*rules, reviewer) as (_, http):
        asked = {"prompt": "///files a calculator", "details": True}
        details = (await http.post("/prompt", json=asked)).json()["details"]
        assert details["warnings"] == ["cli.py does not parse"]
        assert details["failed_files"][0]["path"] == "cli.py"
    async with daemon_with(TWO, *BOTH, GOOD) as (_, http):
        details = (await http.post("/prompt", json=asked)).json()["details"]
        assert details["warnings"] == []


def test_what_goes_on_has_not_passed():
    """Nothing was checked yet."""
    assert details_of(record()).passed and not details_of(record(), "running").passed
