"""Stages that hook into the default flow at its named places: the security reviewer, voting
reviewers, the test generator, and those of installed packages."""

import json
import re
import shutil
from pathlib import Path

import pytest

from config import load_settings
from pipeline.add_ons import load_add_ons
from pipeline.analysis.evidence import Finding
from pipeline.errors import Unreadable
from pipeline.review import stages
from pipeline.security import bandit_scan
from pipeline.security.bandit_scan import read_report
from pipeline.security.security_reviewer import read_opinion
from pipeline.security.security_stages import is_installed
from server.doctor.examination import check_security
from server.runtime.record_details import details_of

ROOT = Path(__file__).parent.parent
needs_sandbox = pytest.mark.skipif(
    shutil.which("bwrap") is None, reason="the sandbox needs bubblewrap"
)
PROMPT = "Write a Python function ping(host)."
SHELL = """\
import subprocess


def ping(host):
    return subprocess.run("ping -c1 " + host, shell=True).returncode  # nosec
"""
SAFE = """\
import subprocess


def ping(host):
    return subprocess.run(["ping", "-c1", "--", host]).returncode
"""
PLAIN = "def ping(host):\n    return 0\n"
JUDGED = {"role": "judge", "verdict": [9, 1, "It is right."]}
DOUBTED = {"role": "judge", "verdict": [3, 1, "It adds wrongly."], "times": 1}
B602 = "subprocess call with shell=True identified, security issue (bandit B602)"


def coder(*replies):
    return {"role": "coder", "reply": list(replies)}


def reviewer(*replies):
    return {"role": "reviewer", "reply": list(replies)}


def security(*replies):
    return {"role": "security_reviewer", "reply": list(replies)}


def asked(record):
    return [step["stage"] for step in record["steps"] if step["model"]]


@pytest.fixture
def no_other_stages():
    """Stages that a test enters are gone after it."""
    before = [list(place.stages) for place in stages.PLACES]
    yield
    for place, known in zip(stages.PLACES, before, strict=True):
        place.stages[:] = known


# --- the security reviewer -----------------------------------------------------------------------


async def test_what_bandit_finds_and_a_model_confirms_is_reviewed(pipeline_with):
    """By default, whatever a comment in the code says: the judge's praise does not help, the
    reviewer is told the weakness, and the record says in which text it was."""
    rules = [coder(SHELL), JUDGED, security('{"real": [1], "more": []}'), reviewer(SAFE)]
    async with pipeline_with(*rules) as run:
        assert await run(PROMPT) == SAFE
    record = run.record
    assert asked(record) == ["coder", "judge", "security_reviewer", "reviewer", "judge"]
    assert record["escalation_reason"] == f"security: {B602}"
    assert record["evidence"] == [{"stage": "coder", "kind": "security", "detail": B602}]
    [row] = record["artefact"]["security"]
    assert (row["line"], row["found_by"], row["counts"]) == (5, "bandit B602", True)
    assert not details_of(record).warnings, "the review is without it"


async def test_what_the_model_does_not_confirm_is_no_evidence(pipeline_with):
    """The draft is returned; the record has what bandit found."""
    rules = [coder(SHELL), JUDGED, security('{"real": [], "more": []}')]
    async with pipeline_with(*rules) as run:
        assert await run(PROMPT) == SHELL
    assert not run.record["escalated"] and not run.record["evidence"]
    assert [row["counts"] for row in run.record["artefact"]["security"]] == [False]


async def test_what_a_small_model_adds_unasked_is_not_heard(pipeline_with, script):
    """It invents; in one answer the same weakness under each name. Who asks for a security review
    hears it once."""
    more = [{"kind": kind, "detail": "The input is used."} for kind in ("path", "secret", "path")]
    says = security(json.dumps({"real": [], "more": more}))
    small = script(coder(SHELL), JUDGED, says, reviewer(SHELL), name="tiny-0.5b")
    names = {f"{role}_MODEL_NAME": small for role in ("CODER", "JUDGE", "REVIEWER")}
    async with pipeline_with(**names, SECURITY_REVIEW="auto", JUDGE_WHEN="always") as run:
        assert await run(PROMPT) == SHELL
        assert run.record["evidence"] == [] and not run.record["escalated"]
        assert "The input is used (path)" in await run(f"///secure {PROMPT}")
    assert run.record["escalation_reason"] == "security: The input is used (path)"


async def test_a_security_reviewer_that_fails_confirms_everything(pipeline_with):
    """Fail closed. A review with the same weakness is no better, and the answer says what is known
    to be wrong with it."""
    broken = {"role": "security_reviewer", "fault": "failed"}
    async with pipeline_with(coder(SHELL), JUDGED, broken, reviewer(SHELL)) as run:
        output = await run(PROMPT)
    assert output.startswith(f"# REVIEWER_NOTE: {B602}; security not reviewed\n")
    known, unread = details_of(run.record).warnings
    assert unread.startswith("security not reviewed: ") and known == B602


@pytest.mark.parametrize(
    ("language", "code", "noted"),
    [
        ("go", "package main\n", "// REVIEWER_NOTE: security not reviewed\npackage main\n"),
        ("sql", "SELECT 1;\n", "-- REVIEWER_NOTE: security not reviewed\nSELECT 1;\n"),
        ("html", "<p>\n", "<!-- REVIEWER_NOTE: security not reviewed -->\n<p>\n"),
        ("php", "<?php\nx();\n", "<?php\n# REVIEWER_NOTE: security not reviewed\nx();\n"),
        ("json", "{}\n", "{}\n"),
        (
            "docker",
            "# syntax=docker/dockerfile:1\nFROM a\n",
            "# syntax=docker/dockerfile:1\n# REVIEWER_NOTE: security not reviewed\nFROM a\n",
        ),
        (
            "md",
            "---\ntitle: a\n---\n# A\n",
            "---\ntitle: a\n---\n<!-- REVIEWER_NOTE: security not reviewed -->\n# A\n",
        ),
        (
            "css",
            '@charset "utf-8";\nb {}\n',
            '@charset "utf-8";\n/* REVIEWER_NOTE: security not reviewed */\nb {}\n',
        ),
        ("postgresql", "SELECT 1;\n", "-- REVIEWER_NOTE: security not reviewed\nSELECT 1;\n"),
        ("ocaml", "let a = 1\n", "(* REVIEWER_NOTE: security not reviewed *)\nlet a = 1\n"),
        ("php", "<p>\n<?php\n", "<!-- REVIEWER_NOTE: security not reviewed -->\n<p>\n<?php\n"),
        ("cmd", "@echo off\ndir\n", "@echo off\nREM REVIEWER_NOTE: security not reviewed\ndir\n"),
        ("lisp", "(f)\n", "; REVIEWER_NOTE: security not reviewed\n(f)\n"),
        ("vhdl", "end;\n", "-- REVIEWER_NOTE: security not reviewed\nend;\n"),
        ("protobuf", "a {}\n", "// REVIEWER_NOTE: security not reviewed\na {}\n"),
        ("csv", "a,b\n", "a,b\n"),
        ("regex", "^a+$\n", "^a+$\n"),
        ("php", "<?php", "<?php\n# REVIEWER_NOTE: security not reviewed\n"),
    ],
)
async def test_what_is_noted_is_a_comment_of_the_code_s_language(
    pipeline_with, language, code, noted
):
    """With a line that its compiler does not take for one the code would not run; JSON, tables and
    patterns have none. What has to be the first line stays that."""
    away = {"role": "security_reviewer", "fault": "not_found"}
    async with pipeline_with(coder(f"```{language}\n{code}```"), JUDGED, away) as run:
        assert await run(f"///secure {PROMPT}") == noted


@pytest.mark.parametrize(
    ("code", "sign"), [("const a = 1;\n", "//"), ("echo hi\n", "#"), ("f {\n  x\n}\n", "//")]
)
async def test_what_is_noted_looks_like_a_comment_of_code_without_a_label(
    pipeline_with, code, sign
):
    """Where lines end as in C, a comment begins as in C."""
    away = {"role": "security_reviewer", "fault": "not_found"}
    async with pipeline_with(coder(f"```\n{code}```"), JUDGED, away) as run:
        noted = f"{sign} REVIEWER_NOTE: security not reviewed\n{code}"
        assert await run("///secure Write it") == noted


async def test_a_security_reviewer_that_cannot_be_had_is_nothing_against_the_code(pipeline_with):
    """The draft stays, nobody is told to mend it; the answer says that nobody has looked, and the
    check that was asked for has not passed."""
    away = {"role": "security_reviewer", "fault": "not_found"}
    async with pipeline_with(coder(PLAIN), JUDGED, away, reviewer("x = 1\n")) as run:
        assert (
            await run(f"///secure {PROMPT}") == "# REVIEWER_NOTE: security not reviewed\n" + PLAIN
        )
    details = details_of(run.record)
    [said] = details.unchecked
    assert said.startswith("security not reviewed: ") and details.warnings == [said]
    assert not details.passed and not run.record["escalated"]


async def test_a_review_that_is_safer_is_taken_though_nobody_could_read_it(pipeline_with):
    """What is known against the draft weighs more; the record says that nobody has read it."""
    rules = [coder(SHELL), JUDGED, security('{"real": [1], "more": []}', "no idea")]
    async with pipeline_with(*rules, reviewer(SAFE)) as run:
        assert await run(f"///secure {PROMPT}") == "# REVIEWER_NOTE: security not reviewed\n" + SAFE
    [warning] = details_of(run.record).warnings
    assert warning.startswith("security not reviewed: unparseable")


async def test_without_texts_a_model_s_words_are_not_kept(pipeline_with):
    """Evidence and reasons name the kind."""
    found = '{"real": [], "more": [{"kind": "path", "detail": "secret words"}]}'
    async with pipeline_with(coder(PLAIN), JUDGED, security(found), reviewer(PLAIN)) as run:
        await run(f"///secure {PROMPT}", no_log=True)
    assert run.record["escalation_reason"] == "security"
    assert "secret words" not in str(run.record)


@pytest.mark.parametrize("setting", ["off", "auto"])
async def test_plain_code_costs_no_model_call_and_no_process(pipeline_with, setting):
    """Records of those who did not ask for a security review stay as they were."""
    async with pipeline_with(coder(PLAIN), JUDGED, SECURITY_REVIEW=setting) as run:
        assert await run(PROMPT) == PLAIN
    assert [step["stage"] for step in run.record["steps"]] == ["coder", "judge"]
    assert run.record["artefact"] is None


async def test_secure_always_asks_and_says_that_bandit_is_missing(pipeline_with, monkeypatch):
    """`///secure` reads what is returned, too: a review that brings a weakness is not taken."""
    monkeypatch.setattr(bandit_scan, "is_installed", lambda: False)
    found = '{"real": [], "more": [{"kind": "injection", "detail": "host reaches a shell."}]}'
    rules = [coder(PLAIN), DOUBTED, JUDGED, security('{"real": [], "more": []}', found)]
    async with pipeline_with(*rules, reviewer(SHELL)) as run:
        assert await run(f"///secure {PROMPT}") == PLAIN
    record = run.record
    assert record["mode"] == "code_secure"
    assert asked(record)[2:] == ["security_reviewer", "reviewer", "security_reviewer"]
    why = "the review fails evidence that the draft passes: host reaches a shell (injection)"
    assert record["final_reason"] == why
    assert details_of(record).fallbacks[0].startswith("only a model reviewed the security: ")


def test_reports_and_opinions_are_read_strictly():
    """What cannot be read is no all-clear."""
    assert is_installed(), "the tests need the extra `security`"
    for report in (b"", b"[]", b'{"errors": [], "results": [{}]}', b"[" * 100_000):
        assert read_report(report).problem
    opinions = ['{"real": [2], "more": []}', '{"real": [true], "more": []}', '{"real": []}']
    for opinion in [*opinions, '{"real": [], "more": [{"kind": "style", "detail": "x"}]}']:
        with pytest.raises(Unreadable):
            read_opinion(opinion, n=1)


def test_doctor_names_a_missing_bandit_where_it_is_asked_for(monkeypatch):
    """Not where nobody asked: it is an extra."""
    monkeypatch.setattr(bandit_scan, "is_installed", lambda: False)
    assert not [*check_security(load_settings())]
    [result] = check_security(load_settings(SECURITY_REVIEW="on"))
    assert result.level == "warning" and "bandit" in result.fix


# --- voting reviewers ----------------------------------------------------------------------------

ADD = "Write a Python function add(a, b)."
RIGHT = "def add(a: int, b: int) -> int:\n    return a + b\n"
ALSO_RIGHT = "def add(a: int, b: int) -> int:\n    return sum((a, b))\n"
MINUS = "def add(a: int, b: int) -> int:\n    return a - b\n"
BROKEN = "def add(a, b):\n    return plus(a, b)\n"


@needs_sandbox
async def test_the_review_that_most_agree_with_is_returned(pipeline_with):
    """What fails evidence has no vote, the others are run; nobody need judge a majority."""
    rules = [coder(MINUS), DOUBTED, reviewer(MINUS, RIGHT, BROKEN, ALSO_RIGHT)]
    mine = {"REVIEWER_VOTES": 4, "EVIDENCE_RUN": "auto"}
    async with pipeline_with(*rules, JUDGE_WHEN="undecided", **mine) as run:
        assert await run(ADD) == RIGHT
    record = run.record
    assert asked(record) == ["coder", "judge"] + 4 * ["reviewer"]
    assert record["reviewer_output"] == RIGHT
    assert [row["chosen"] for row in record["artefact"]["reviews"]] == [False, True, False, False]
    why = "2 of 4 reviews agree on 20 calls"
    assert record["artefact"]["review_chosen_because"] == why


@needs_sandbox
async def test_reviews_that_agree_on_nothing_are_judged(pipeline_with):
    """Functions that give nothing do the same whatever they do: that most do it says nothing."""
    doubles = [f"def add(a, b):\n    {name} = a + b\n" for name in ("total", "both", "found")]
    rules = [coder("def add(a, b):\n    pass\n"), DOUBTED, reviewer(*doubles)]
    mine = {"REVIEWER_VOTES": 3, "EVIDENCE_RUN": "auto"}
    async with pipeline_with(*rules, JUDGED, JUDGE_WHEN="undecided", **mine) as run:
        assert await run(ADD) == doubles[0]
    assert asked(run.record)[-1] == "judge"
    why = "3 of 3 reviews agree on 20 calls, which all give the same result"
    assert run.record["artefact"]["review_chosen_because"] == why


async def test_reviews_that_cannot_be_run_are_compared_by_their_texts(pipeline_with, script):
    """Several reviewers have their turns; between single texts the judge chooses, asked in both
    orders."""
    first = script(reviewer("echo a\n"), name="first")
    second = script(reviewer("echo b\n"), name="second")
    prefers = [
        {"role": "judge", "prompt": r"PROGRAM A BEGINS ===\necho b", "reply": '{"better": "A"}'},
        {"role": "judge", "prompt": r"PROGRAM A BEGINS ===\necho a", "reply": '{"better": "B"}'},
    ]
    settings = {"REVIEWER_VOTES": 2, "REVIEWER_MODEL_NAME": f"{first},{second}"}
    async with pipeline_with(coder("echo c\n"), DOUBTED, *prefers, JUDGED, **settings) as run:
        assert await run("Write a Bash script that says b.") == "echo b\n"
    models = [step["model"] for step in run.record["steps"] if step["stage"] == "reviewer"]
    assert models == [first, second]


async def test_a_small_judge_is_not_asked_which_review_is_the_better_one(pipeline_with, script):
    """One of 1.5B or less has no say, as with drafts: the earliest of equals is returned."""
    doubts = {"role": "judge", "verdict": [2, 9, "It says c."], "times": 2}
    prefers = {"role": "judge", "prompt": "PROGRAM A BEGINS", "reply": '{"better": "B"}'}
    small = script(prefers, doubts, JUDGED, name="x-1.5b")
    rules = [coder("echo c\n"), reviewer("echo longer\n", "echo b\n")]
    async with pipeline_with(*rules, REVIEWER_VOTES=2, JUDGE_MODEL_NAME=small) as run:
        assert await run("Write a Bash script that says b.") == "echo longer\n"
    labels = {step["label"] for step in run.record["steps"] if step["stage"] == "judge"}
    assert not labels & {"first order", "second order"}


# --- the test generator --------------------------------------------------------------------------

TESTS = "assert add(1, 2) == 3\nassert add(0, 0) == 0"


@needs_sandbox
async def test_generated_tests_are_told_to_the_judge(pipeline_with):
    """They are written before the code and may be wrong, so that the judge decides; what fails in
    the returned text is evidence of the record."""
    tester = {"role": "tester", "reply": TESTS}
    told = {"role": "judge", "prompt": "may be wrong themselves:\n1 of 2 tests pass"}
    rules = [tester, coder(MINUS), told | {"verdict": [2, 1, "It subtracts."]}, JUDGED]
    mine = {"GENERATED_TESTS": True, "EVIDENCE_RUN": "auto"}
    async with pipeline_with(*rules, reviewer(RIGHT), **mine) as run:
        assert await run(ADD) == RIGHT
    record = run.record
    assert asked(record) == ["tester", "coder", "judge", "reviewer", "judge"]
    fault = {"stage": "coder", "kind": "test", "detail": "the test add(1, 2) → 3 fails"}
    assert record["evidence"] == [fault | {"came": "it gave -1"}]
    rows = [(row["text"], row["status"]) for row in record["artefact"]["generated_tests"]]
    assert rows == [("draft", "wrong"), ("draft", "passed"), *2 * [("review", "passed")]]


# --- stages of others ----------------------------------------------------------------------------


@pytest.mark.usefixtures("no_other_stages")
async def test_the_example_stage_works_as_it_stands(pipeline_with, tmp_path, monkeypatch):
    """PIPELINE.md's stage, in a package that names it in the group `laios.stages`."""
    text = (ROOT / "PIPELINE.md").read_text()
    [example] = [e for e in re.findall(r"```python\n(.*?)```", text, re.DOTALL) if "stages" in e]
    installed(tmp_path, monkeypatch, example)
    assert load_add_ons() == []
    rules = [coder("def f():\n    return 1  # TODO\n"), JUDGED, reviewer("f = lambda: 1\n")]
    async with pipeline_with(*rules) as run:
        assert await run("Write f.") == "f = lambda: 1\n"
    assert run.record["escalation_reason"] == "unfinished: it has a TODO"


@pytest.mark.usefixtures("no_other_stages")
async def test_each_place_is_reached_and_gives_what_follows(pipeline_with):
    """Task, facts for the judge, second opinion, review."""

    @stages.before_coder("x")
    async def before(run, task):
        return type(task)(f"{task.prompt} In blue.")

    @stages.after_draft("x")
    async def facts(run, task, draft, source):
        return type(draft)(draft.text, draft.language, draft.findings, f"{source}: it is blue")

    @stages.after_verdict("x")
    async def opinion(run, task, draft, verdict):
        return [Finding("coder", "taste", f"{verdict.confidence_score} is too much")]

    @stages.after_review("x")
    async def review(run, task, draft, review, told):
        return type(draft)(f"# {told}\n{review.text}", review.language, ())

    rules = [coder("x = 1\n") | {"prompt": "In blue"}, reviewer("x = 2\n")]
    judge = JUDGED | {"prompt": "(coder|reviewer): it is blue"}
    async with pipeline_with(*rules, judge) as run:
        assert await run("Paint.") == "# taste: 9 is too much\nx = 2\n"
    assert run.record["reviewer_output"] == run.record["final_output"]


@pytest.mark.usefixtures("no_other_stages")
async def test_a_stage_that_fails_is_left_out(pipeline_with):
    """The run goes on; its record and its details say so. A name can be taken once, and a stage
    that gives nothing changes nothing."""

    @stages.before_coder("nothing")
    async def silent(run, task):
        return None

    @stages.after_verdict("colours")
    async def broken(run, task, draft, verdict):
        raise KeyError("blue")

    with pytest.raises(ValueError, match="colours"):
        stages.after_verdict("colours")(broken)
    async with pipeline_with(coder("x = 1\n"), JUDGED) as run:
        assert await run("Paint.") == "x = 1\n"
    assert details_of(run.record).fallbacks == ["the stage colours was left out (internal)"]


def installed(folder: Path, monkeypatch: pytest.MonkeyPatch, module: str) -> None:
    """A package of somebody else's that offers the module."""
    (folder / "add_on.py").write_text(module)
    about = folder / "add_on-1.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Name: add_on\nVersion: 1\n")
    (about / "entry_points.txt").write_text("[laios.stages]\nmine = add_on\n")
    monkeypatch.syspath_prepend(str(folder))
