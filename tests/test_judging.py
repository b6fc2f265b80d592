"""`POST /judge`, `laios judge` and the clients' `judge`: judge and evidence as a service."""

import json
import shutil

import pytest
from code_examples import judge
from processes import invoke
from recorded import records

import laios
from laios import types

ADD = "def add(a, b):\n    return a + b\n"
WRONG = "def add(a, b):\n    return a - b\n"
TESTS = "def test_add():\n    assert add(1, 2) == 3\n"
REQUEST = "add two numbers"
sandboxed = pytest.mark.skipif(shutil.which("bwrap") is None, reason="it needs bubblewrap")
NOT_ASKED = {"role": "judge", "fault": "failed"}


async def judged(daemon_with, *rules, **body):
    """The answer to REQUEST and ADD, unless the body says otherwise, and its record."""
    async with daemon_with(*rules) as (daemon, http):
        answer = await http.post("/judge", json={"request": REQUEST, "code": ADD} | body)
        [record] = records(daemon)
    assert answer.status_code == 200, answer.text
    return types.Judgement.model_validate(answer.json()), record


async def test_code_that_the_judge_believes_in_is_valid(daemon_with):
    """With its scores; the record has the request, the code and the verdict."""
    judgement, record = await judged(daemon_with, judge(9, 1), session="mine")
    assert (judgement.valid, judgement.issues) == (True, [])
    assert (judgement.confidence_score, judgement.conflict_score) == (9, 1)
    assert judgement.quality_score == 0.9
    assert (record["source"], record["mode"], record["session"]) == ("judge", "code_judged", "mine")
    assert (record["original_prompt"], record["final_output"]) == (REQUEST, ADD)
    assert record["judge"]["confidence_score"] == 9 and record["language"] == "python"


async def test_what_the_judge_finds_is_an_issue(daemon_with):
    """By the thresholds of the settings, in its own words."""
    judgement, _ = await judged(daemon_with, judge(4, 2, "It subtracts."), code=WRONG)
    [issue] = judgement.issues
    assert not judgement.valid
    assert (issue.kind, issue.message) == ("judge", "It subtracts. (confidence 4 < 8)")


async def test_a_verdict_that_cannot_be_read_is_not_valid(daemon_with):
    """A judge that says nothing believable has not judged."""
    nonsense = {"role": "judge", "reply": "It is fine, 10 of 10!"}
    judgement, _ = await judged(daemon_with, nonsense)
    assert (judgement.valid, judgement.confidence_score) == (False, None)
    assert [issue.kind for issue in judgement.issues] == ["not_judged"]


@pytest.mark.parametrize(
    ("fault", "status"), [("unreachable", 502), ("not_found", 502), ("too_long", 422)]
)
async def test_a_judge_that_cannot_be_asked_is_an_error(daemon_with, fault, status):
    """It says nothing of the code."""
    async with daemon_with({"role": "judge", "fault": fault}) as (_, http):
        answer = await http.post("/judge", json={"request": REQUEST, "code": ADD})
    assert answer.status_code == status


async def test_the_starter_is_no_judge_of_given_code(daemon_with):
    """It would make faults up: an error that says what gets a model that can, or, where tests and
    examples were run, what came of them, not judged."""
    async with daemon_with(JUDGE_MODEL_NAME="local/starter") as (_, http):
        nothing_known = await http.post("/judge", json={"request": REQUEST, "code": ADD})
        wrong = await http.post("/judge", json={"request": REQUEST, "code": "def add(:\n"})
        checked = await http.post("/judge", json={"request": REQUEST, "code": ADD, "tests": TESTS})
    assert nothing_known.status_code == 502
    assert "laios models pull" in nothing_known.json()["error"]["message"]
    assert [issue["kind"] for issue in wrong.json()["issues"]] == ["syntax"]
    assert not checked.json()["valid"]
    assert "laios models pull" in checked.json()["issues"][-1]["message"]


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        ({"code": "def add(:\n    pass\n"}, "syntax"),
        ({"code": "def add(a, b):\n    return total(a, b)\n"}, "names"),
        ({"code": "func Add( {\n", "language": "golang"}, "syntax"),
    ],
)
async def test_facts_need_no_judge(daemon_with, body, kind):
    """What does not parse, or names what nothing defines, is not valid whatever a judge would say:
    it is not asked."""
    judgement, record = await judged(daemon_with, NOT_ASKED, **body)
    assert not judgement.valid and judgement.confidence_score is None
    assert [issue.kind for issue in judgement.issues] == [kind]
    assert [(fact.kind, fact.holds) for fact in judgement.evidence] == [(kind, False)]
    assert not record["steps"]


@sandboxed
async def test_the_callers_tests_are_run(daemon_with):
    """Those that pass are evidence and raise the quality; one that fails needs no judge."""
    judgement, record = await judged(daemon_with, judge(9, 1), tests=TESTS)
    assert judgement.valid and judgement.quality_score == 0.95
    assert [(fact.kind, fact.holds) for fact in judgement.evidence] == [("test", True)]
    assert record["artefact"]["tests"] == [{"name": "test_add", "status": "passed", "error": None}]


@sandboxed
@pytest.mark.parametrize("code", [WRONG, f"import os\n{ADD}os._exit(0)\n"])
async def test_tests_that_fail_need_no_judge(daemon_with, code):
    """Nor does code that ends the process before its tests can fail."""
    judgement, record = await judged(daemon_with, NOT_ASKED, code=code, tests=TESTS)
    assert not judgement.valid and judgement.quality_score < 0.5
    assert "test" in {issue.kind for issue in judgement.issues}
    assert "test" in {finding["kind"] for finding in record["evidence"]}


@sandboxed
@pytest.mark.parametrize(
    ("code", "said"), [(ADD, "the asserts pass"), (WRONG, "the tests fail: AssertionError (line 1")]
)
async def test_asserts_without_a_function_are_several(daemon_with, code, said):
    """And are spoken of so."""
    judgement, _ = await judged(daemon_with, judge(9, 1), code=code, tests="assert add(1, 2) == 3")
    [fact] = judgement.evidence
    assert fact.detail.startswith(said)


async def test_tests_that_cannot_be_run_are_not_passed(daemon_with):
    """Whatever the judge says of the code."""
    go = "package main\n\nfunc Add(a, b int) int { return a + b }\n"
    judgement, _ = await judged(daemon_with, judge(9, 1), code=go, language="go", tests="x")
    assert not judgement.valid
    [issue] = judgement.issues
    assert (issue.kind, issue.message) == ("not_run", "Tests in Go are not run here.")


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ({"code": " "}, 'The field "code" is blank'),
        ({"request": None}, 'The field "request" must be a string'),
        (
            {"language": "pyhton"},
            "cannot be 'pyhton'. Did you mean 'python'? Languages: python, jsx,",
        ),
        ({"tests": ""}, 'The field "tests" is blank'),
        ({"test": "x"}, "Did you mean 'tests'?"),
    ],
)
async def test_bad_input_is_refused_with_its_field(daemon_with, body, said):
    """400, and nothing is run."""
    async with daemon_with(judge()) as (daemon, http):
        answer = await http.post("/judge", json={"request": REQUEST, "code": ADD} | body)
        assert answer.status_code == 400 and said in answer.json()["error"]["message"]
        assert not records(daemon)


def test_the_command_says_valid_or_why_not(roles, tmp_path):
    """Exit status 0 and 1, a line for each issue; `--json` is the answer. So says the history."""
    source, tests = tmp_path / "add.py", tmp_path / "test_add.py"
    source.write_text(ADD)
    tests.write_text(TESTS)
    roles(judge(9, 1))
    done = invoke("judge", str(source), REQUEST)
    assert (done.returncode, done.stdout) == (
        0,
        "valid (confidence 9, conflict 1; quality 0.90)\n",
    )
    source.write_text(f"{ADD})")
    done = invoke("judge", str(source), REQUEST, "--tests", str(tests))
    assert done.returncode == 1
    assert done.stdout.splitlines() == [
        "not valid (not scored; quality 0.30)",
        "- syntax error at line 3",
    ]
    assert [line.split()[5:7] for line in invoke("history").stdout.splitlines()] == [
        ["s", "valid"],
        ["s", "not"],
    ]
    done = invoke("judge", "-", REQUEST, "-l", "python", "--json", stdin=ADD)
    assert done.returncode == 0 and json.loads(done.stdout)["valid"]
    assert invoke("judge", str(source)).returncode == 2
    assert invoke("judge", str(tmp_path / "none.py"), REQUEST).returncode == 2


async def test_the_clients_judge(daemon_with):
    """With the same answer as the API's."""
    async with daemon_with(judge()) as (daemon, _), laios.AsyncClient(daemon.address) as client:
        judgement = await client.judge(REQUEST, ADD, language="py")
    assert judgement.valid and judgement.confidence_score == 9
