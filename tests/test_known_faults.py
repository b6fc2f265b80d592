"""What the command line says of an answer that is known to be wrong."""

import json
import shutil

import pytest
from processes import daemon_here, invoke
from projects import BOTH, CORE, GOOD, PROMPT, TWO, writes
from test_run_details import RECORD
from test_tested_flow import NEGATIVE, RIGHT, WORSE, WRONG, coder, repairs, wrote

from history.open_questions import open_questions
from server.terminal.record_sections import sections

BROKEN = "def add(a, b:\n    return a + b\n"
TESTED = "///test Write add. add(1, 2) == 3"
sandboxed = pytest.mark.skipif(shutil.which("bwrap") is None, reason="it needs bubblewrap")


def last_line(done):
    return (done.stderr.splitlines() or [""])[-1]


@sandboxed
def test_failing_tests_are_a_line_on_stderr_and_exit_status_1(roles):
    """The code is on stdout all the same; `history show` lists the tests and the rounds."""
    roles(wrote(NEGATIVE), coder(WRONG), repairs(WORSE), GOOD)
    done = invoke("run", "--json", TESTED, LAIOS_TEST_MAX_ROUNDS="2", LAIOS_MAX_DRAFTS="1")
    answer = json.loads(done.stdout)
    assert (done.returncode, answer["details"]["passed"]) == (1, False)
    assert last_line(done) == "Known to be wrong: 2 of 2 tests fail"
    shown = invoke("history", "show", answer["id"]).stdout
    assert "tests\n0 of 2 pass\n  wrong " in shown
    assert "rounds\n1. label tests, source coder, passed 0, tests 2\n2. label" in shown


@sandboxed
def test_tests_that_hold_are_not_mentioned(roles):
    """Nothing on stderr, exit status 0."""
    roles(wrote(NEGATIVE), coder(RIGHT), GOOD)
    done = invoke("run", TESTED)
    assert (done.returncode, done.stdout, done.stderr) == (0, RIGHT, "")


@sandboxed
def test_a_check_that_could_not_be_run_is_a_failure(roles):
    """`///test` was asked for and nothing was tested."""
    roles({"role": "coder", "reply": "package main\n"}, GOOD)
    done = invoke("run", "///test write add in Kotlin. add(1, 2) == 3")
    assert (done.returncode, done.stdout) == (1, "package main\n")
    assert last_line(done) == "Not tested: tests in kotlin cannot be run here"


@sandboxed
def test_calls_on_which_the_drafts_differ_are_a_line_on_stderr(script):
    """The code is on stdout and the exit status is 0: nothing is known to be wrong. `history show`
    has a line for each."""
    adds, takes = (f"def add(a: int, b: int) -> int:\n    return a {sign} b\n" for sign in "+-")
    small = script({"role": "coder", "reply": [adds, takes, adds]}, name="x-1.5b")
    names = {f"LAIOS_{role}_MODEL_NAME": small for role in ("CODER", "JUDGE", "REVIEWER")}
    asked = ("run", "--json", "Write a Python function add(a, b).")
    mine = {"LAIOS_MAX_DRAFTS": "5", "LAIOS_EVIDENCE_RUN": "auto", "LAIOS_COMPARE_DRAFTS": "auto"}
    done = invoke(*asked, **names, **mine)
    answer = json.loads(done.stdout)
    assert (done.returncode, answer["output"]) == (0, adds)
    first, *_ = questions = answer["details"]["open_questions"]
    assert last_line(done).startswith(f"Not certain: {first}; ")
    assert last_line(done).endswith("An example in the prompt would decide.")
    shown = invoke("history", "show", answer["id"]).stdout
    assert "not certain\n" + "\n".join(questions) in shown


@pytest.mark.parametrize(
    "differences",
    [
        None,
        1,
        "f(1)",
        [None, 1, {}],
        [{"call": "f(1)"}],
        [{"call": "f", "here": "", "elsewhere": 1}],
    ],
)
def test_a_line_of_the_history_that_says_no_difference_has_no_open_questions(differences):
    """Anybody may have written it."""
    assert open_questions({"final_source": "coder", "artefact": {"differences": differences}}) == []
    assert open_questions({"artefact": {"differences": differences}}) == []


def test_a_review_has_no_open_questions_of_its_draft():
    """What the drafts do says nothing of the text that was returned."""
    made = {"differences": [{"call": "f(1)", "here": "gives 1", "elsewhere": "gives 2"}]}
    assert open_questions({"final_source": "coder", "artefact": made}) == [
        "f(1) gives 1, in other drafts it gives 2"
    ]
    assert open_questions({"final_source": "reviewer", "artefact": made}) == []


def test_a_file_that_does_not_parse_is_a_failure(roles, monkeypatch):
    """In this process and over the daemon."""
    reviewed = writes("cli.py", BROKEN) | {"role": "reviewer"}
    roles(TWO, writes("core.py", CORE), writes("cli.py", BROKEN), reviewed, GOOD)
    for done in (invoke("run", PROMPT), _by_daemon(monkeypatch, "run", PROMPT)):
        assert (done.returncode, last_line(done)) == (
            1,
            "Known to be wrong: cli.py does not parse",
        )


def _by_daemon(monkeypatch, *words):
    with daemon_here() as address:
        monkeypatch.setenv("LAIOS_PORT", address.rpartition(":")[2])
        return invoke(*words)


def test_other_facts_are_told_and_are_no_failure(roles):
    """No check was asked for; terminal controls in what a model wrote are not obeyed."""
    roles({"role": "coder", "reply": BROKEN}, {"role": "reviewer", "reply": BROKEN})
    done = invoke("run", "add")
    assert done.returncode == 0
    assert last_line(done).startswith("Known to be wrong: it does not parse: ")
    roles(TWO, *BOTH, GOOD)
    assert invoke("run", PROMPT).stderr == ""


def test_a_record_s_citations_findings_and_rounds_are_listed():
    """Documentation that was offered and not cited is left out; so are the rounds' texts."""
    cited = {"index": 1, "chunk_id": "c1", "title": "Ducks", "source": "guide", "path": "a.md"}
    made = {
        "documentation": [cited | {"content": "They quack."}, {"index": 2, "chunk_id": "c2"}],
        "findings": [{"type": "NameError", "message": "x is unknown", "line": 3}],
        "attempts": [
            {
                "source": "coder",
                "code": "x = 1",
                "confidence": 0.5,
                "made_of": ["it parses", "nothing calls it"],
                "findings": [{"stage": "coder", "kind": "name", "detail": "y is not defined"}],
            }
        ],
    }
    texts = dict.fromkeys(("original_prompt", "coder_output", "reviewer_output", "final_output"))
    shown = dict(sections({**RECORD, **texts, "escalated": False, "artefact": made}))
    assert shown["citations"] == "[1] Ducks  guide a.md"
    assert shown["findings"] == shown["known to be wrong"] == "NameError at line 3: x is unknown"
    assert shown["attempts"] == (
        "1. source coder, confidence 0.5, made of it parses; nothing calls it, "
        "findings y is not defined"
    )
