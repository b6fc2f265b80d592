"""Code generation on scripted models: the five examples of its contract, and every branch of the
flow."""

import json
import shutil

import jsonschema_rs
import pytest
from code_examples import (
    ASYNC,
    BROKEN,
    CALLBACK,
    CLEAR,
    EMAIL,
    EMAIL_TESTS,
    EXPLAINED,
    EXPLANATION,
    FIBONACCI,
    FIBONACCI_TESTS,
    FIXED,
    GOOD,
    WARNINGS,
    code,
    coder,
    intake,
    judge,
)

from pipeline.codegen.code_schema import draft_07
from pipeline.errors import ContextTooLong, ModelFailed, ModelNotFound, ModelUnreachable

VALID = jsonschema_rs.Draft7Validator(draft_07())
ADD = "def add(a, b):\n    return a + b\n"
sandboxed = pytest.mark.skipif(shutil.which("bwrap") is None, reason="the sandbox needs bubblewrap")


def stages(pipeline):
    return [(step["stage"], step["label"], step["round"]) for step in pipeline.record["steps"]]


# --- the contract's examples ---------------------------------------------------------------------


@sandboxed
async def test_example_1_a_new_function_with_tests(pipeline_with):
    """Tests come from a raw call of their own, because a constraint asks; they are run, and all
    pass: the highest band."""
    rules = [coder(EMAIL_TESTS, prompt="The tests:$"), coder(EMAIL)]
    async with pipeline_with(CLEAR, *rules, GOOD, EXPLAINED) as run:
        answer = await code(
            run,
            instruction="Create a function that validates email addresses",
            constraints=["Include type hints", "Generate comprehensive unit tests"],
            language_version="3.11",
        )
    VALID.validate(answer)
    assert list(answer) == [
        *("success", "code", "explanation", "language", "tests", "confidence", "warnings"),
        "metadata",
    ]
    assert (answer["success"], answer["code"], answer["tests"]) == (True, EMAIL, EMAIL_TESTS)
    assert (answer["explanation"], answer["warnings"]) == (EXPLANATION, WARNINGS)
    assert answer["confidence"] == 0.95
    metadata = answer["metadata"]
    assert metadata["model"].startswith("scripted/")
    steps = run.record["steps"]
    assert metadata["tokens_used"] == sum(
        (step["prompt_tokens"] or 0) + (step["output_tokens"] or 0) for step in steps
    )
    assert 0 < metadata["duration_ms"] <= run.record["duration_ms"]
    assert (metadata["memory_hits"], metadata["episodic_memory_used"]) == (0, False)
    assert (metadata["request_type"], metadata["language_version"]) == ("generate", "3.11")
    assert "framework" not in metadata
    assert stages(run) == [
        ("intake", "", 1),
        ("coder", "", 1),
        ("coder", "tests", 1),
        ("sandbox", "tests", 1),
        ("judge", "", 1),
        ("explainer", "", 1),
    ]


async def test_example_2_existing_code_is_debugged(pipeline_with):
    """The repair keeps the name; without tests 0.94 is the most."""
    async with pipeline_with(CLEAR, coder(FIXED), judge(10), EXPLAINED) as run:
        answer = await code(
            run, request_type="debug", instruction="IndexError for a large index", code=BROKEN
        )
    VALID.validate(answer)
    assert (answer["success"], answer["code"]) == (True, FIXED)
    assert answer["confidence"] == 0.94
    assert "tests" not in answer


async def test_example_3_a_refactoring_to_async(pipeline_with):
    """In JavaScript, whose names and syntax are known as well."""
    async with pipeline_with(CLEAR, coder(f"```js\n{ASYNC}```"), GOOD, EXPLAINED) as run:
        answer = await code(
            run,
            request_type="refactor",
            language="js",
            instruction="Convert to async/await with error handling",
            code=CALLBACK,
        )
    VALID.validate(answer)
    assert (answer["success"], answer["code"]) == (True, ASYNC)
    assert (answer["language"], answer["confidence"]) == ("javascript", 0.9)


@sandboxed
async def test_example_4_tests_are_generated(pipeline_with):
    """They stand in `code` and in `tests`, and have been run against the code."""
    async with pipeline_with(CLEAR, coder(FIBONACCI_TESTS), GOOD, EXPLAINED) as run:
        answer = await code(
            run, request_type="test", instruction="Unit tests for fibonacci", code=FIBONACCI
        )
    VALID.validate(answer)
    assert answer["success"] and answer["code"] == answer["tests"] == FIBONACCI_TESTS
    assert answer["confidence"] == 0.95
    [attempt] = run.record["artefact"]["attempts"]
    assert [check["status"] for check in attempt["checks"][0]["done"]] == ["passed"] * 3


async def test_example_5_a_vague_instruction_is_not_tried(pipeline_with):
    """No coder call is spent; the caller hears what is missing."""
    vague = intake(
        "vague",
        "The request asks to 'make the code better' without saying what to improve.",
        "which aspect to improve",
    )
    async with pipeline_with(vague) as run:
        answer = await code(
            run, request_type="refactor", instruction="make the code better", code="x = 1"
        )
    VALID.validate(answer)
    assert (answer["success"], answer["code"], answer["confidence"]) == (False, "", 0.15)
    assert "without saying what to improve" in answer["explanation"]
    assert answer["warnings"] == [
        "Instruction is too vague",
        "Missing: which aspect to improve",
    ]
    assert stages(run) == [("intake", "", 1)]
    assert (run.record["final_output"], run.record["error"]) == ("", None)


# --- what cannot be used -------------------------------------------------------------------------

NOTE = "the format of the file is not known"
PROSE = "I am sorry, but I cannot write that code for you.\nPlease ask me for something else."


@pytest.mark.parametrize(
    ("reply", "language", "said", "confidence"),
    [
        (coder(PROSE), "python", "the answer is prose", 0.05),
        (coder(PROSE), "rust", "the answer is prose", 0.05),
        (coder(""), "python", "answer is empty", 0.0),
        (coder("<think>hm</think>"), "go", "answer is empty", 0.0),
        (coder(f"```python\n{ADD}```"), "rust", "written in python, not rust", 0.1),
        (coder(ADD), "kotlin", "written in python, not kotlin", 0.1),
        (coder(f"```rust\n{ADD}```"), "rust", "written in python, not rust", 0.1),
        (coder("def add(a, b:\n    return a"), "python", "syntax error at line 1", 0.3),
        (coder(ADD, finish_reason="length"), "python", "cut off", 0.2),
        (coder(f"# REVIEWER_NOTE: {NOTE}"), "python", f"no code: REVIEWER_NOTE: {NOTE}", 0.05),
        (coder(f"# REVIEWER_NOTE: {NOTE}"), "kotlin", "a note and no code", 0.05),
        (coder("// It cannot be done.\n"), "go", "no code: It cannot be done.", 0.05),
        (coder('"""To do."""\n# Later.\n'), "python", "a note and no code: To do.", 0.05),
        (coder(f"{ADD}# {list(range(9000))}"), "python", "longer than 50,000", 0.1),
    ],
)
async def test_an_answer_that_is_no_answer_is_no_success(
    pipeline_with, reply, language, said, confidence
):
    """Prose, nothing, another language, half of it: said in the warnings, never an exception."""
    failing = {"role": "reviewer", "fault": "failed"}
    async with pipeline_with(CLEAR, reply, failing, GOOD, EXPLAINED) as run:
        answer = await code(run, language=language)
    VALID.validate(answer)
    assert not answer["success"]
    assert answer["confidence"] == confidence
    assert said in answer["explanation"]
    assert any(said[1:] in warning for warning in answer["warnings"])
    assert run.record["escalated"]
    assert ("explainer", "", 1) not in stages(run)


async def test_the_reviewer_can_still_save_it(pipeline_with):
    """The draft was prose, the review is code: that is the answer, judged for itself."""
    rules = [CLEAR, coder(PROSE), {"role": "reviewer", "reply": ADD}, GOOD, EXPLAINED]
    async with pipeline_with(*rules) as run:
        answer = await code(run)
    assert (answer["success"], answer["code"], answer["confidence"]) == (True, ADD, 0.9)
    assert run.record["final_source"] == "reviewer"
    assert run.record["coder_output"] == PROSE and run.record["reviewer_output"] == ADD
    assert run.record["reviewer_judge"]["confidence_score"] == 9


async def test_a_review_in_another_language_saves_nothing(pipeline_with):
    """It is looked at like the draft."""
    rules = [CLEAR, coder(ADD), {"role": "reviewer", "reply": ADD}, GOOD, EXPLAINED]
    async with pipeline_with(*rules) as run:
        answer = await code(run, language="rust")
    assert not answer["success"]
    assert "It is written in python, not rust." in answer["warnings"]


async def test_a_review_that_is_worth_less_is_not_taken(pipeline_with):
    """The better of the two is the answer, and the record says why."""
    rules = [judge(2, 8, prompt="a - b"), judge(6, 2, "Untested.")]
    review = {"role": "reviewer", "reply": "def add(a, b):\n    return a - b\n"}
    async with pipeline_with(CLEAR, coder(ADD), *rules, review, EXPLAINED) as run:
        answer = await code(run)
    assert (answer["code"], answer["confidence"]) == (ADD, 0.6)
    assert "Judge: Untested." in answer["warnings"]
    assert run.record["escalation_reason"] == "confidence 6 < 8"
    assert run.record["final_reason"] == "the review is worth less: 0.2 < 0.6"


@pytest.mark.parametrize(
    ("fault", "error"),
    [
        ("unreachable", ModelUnreachable),
        ("not_found", ModelNotFound),
        ("failed", ModelFailed),
        ("cut", ModelFailed),
        ("too_long", ContextTooLong),
    ],
)
async def test_a_backend_that_fails_the_coder_is_an_error(pipeline_with, fault, error):
    """What no model has answered is no answer."""
    async with pipeline_with(CLEAR, coder("", fault=fault)) as run:
        with pytest.raises(error):
            await code(run)
    assert run.record["error"]["code"] == error.code


@pytest.mark.parametrize("role", ["intake", "judge", "explainer"])
async def test_the_others_may_fail(pipeline_with, role):
    """A coder's answer is not lost to a broken intake, judge or explainer."""
    rules = [rule for rule in (CLEAR, GOOD, EXPLAINED) if rule["role"] != role]
    broken = {"role": role, "fault": "unreachable"}
    review = {"role": "reviewer", "fault": "failed"}
    async with pipeline_with(*rules, broken, coder(ADD), review) as run:
        answer = await code(run)
    VALID.validate(answer)
    assert (answer["success"], answer["code"]) == (True, ADD)
    assert answer["confidence"] == (0.5 if role == "judge" else 0.9)
    if role == "judge":
        assert "It was not judged." in answer["warnings"]
    if role == "explainer":
        assert "No model explained it" in answer["explanation"]
        assert "confidence 9" in answer["explanation"]


async def test_an_explanation_that_is_too_short_is_asked_for_again(pipeline_with):
    """A structured reply's second call is there for the explainer."""
    short = {"role": "explainer", "reply": json.dumps({"explanation": "x", "warnings": []})}
    async with pipeline_with(CLEAR, coder(ADD), GOOD, short | {"times": 1}, EXPLAINED) as run:
        answer = await code(run)
    assert answer["explanation"] == EXPLANATION
    assert stages(run)[-2:] == [("explainer", "", 1), ("explainer", "again", 1)]


# --- what the types hold -------------------------------------------------------------------------

TWO = "def add(a, b):\n    return a + b\n\n\ndef sub(a, b):\n    return a - b\n"
TYPES = [
    ("debug", ADD, f"# fine\n{ADD}", "the code came back unchanged"),
    ("debug", TWO, "def add(a, b):\n    return b + a\n", "it no longer defines sub"),
    ("refactor", TWO, "def add(a, b):\n    return b + a\n", "it no longer defines sub"),
    ("optimize", ADD, ADD, "the code came back unchanged"),
    ("analyze", ADD, "def add(a, b):\n    return b + a\n", "more than comments was changed"),
    ("explain", ADD, "def add(a, b):\n    return b + a\n", "more than comments was changed"),
]


@pytest.mark.parametrize(("kind", "before", "after", "said"), TYPES)
async def test_each_type_has_its_rule(pipeline_with, kind, before, after, said):
    """Broken, it is no success, and the reviewer hears why."""
    review = {"role": "reviewer", "prompt": said, "reply": after}
    async with pipeline_with(CLEAR, coder(after), review, GOOD, EXPLAINED) as run:
        answer = await code(run, request_type=kind, instruction="see to it", code=before)
    assert not answer["success"]
    assert said in answer["explanation"]
    assert run.record["escalation_reason"] == f"evidence: {said}"


KEPT = [
    ("analyze", "python", ADD, f'"""Adds."""\n# O(1)\n{ADD}'),
    ("explain", "javascript", "function a() { return 1 }", "// One.\nfunction a() { return 1; }\n"),
    ("refactor", "python", "def add(a, b):\n    return a + b\n", "def plus(a, b):\n    return a\n"),
    ("debug", "go", "package p\nfunc f() int { return 1 }", "package p\nfunc f() int { return 2 }"),
]


@pytest.mark.parametrize(("kind", "language", "before", "after"), KEPT)
async def test_what_the_types_allow(pipeline_with, kind, language, before, after):
    """Comments and docstrings change nothing; a name may go where the instruction says so."""
    async with pipeline_with(CLEAR, coder(after), GOOD, EXPLAINED) as run:
        answer = await code(
            run, request_type=kind, language=language, instruction="rename add", code=before
        )
    assert answer["success"] and answer["code"] == after


@pytest.mark.parametrize(
    ("kind", "coder_hears", "judge_hears"),
    [
        ("generate", "Write complete code", "It is new code."),
        ("debug", "Find the cause of the fault", "It is a repair."),
        ("refactor", "every public name", "It is a refactoring."),
        ("analyze", "add comments and nothing else", "It is an analysis in comments."),
        ("test", "Write only tests", "It is tests."),
        ("explain", "documentation comments", "It is documentation in comments."),
        ("optimize", "Improve the algorithm", "It is an optimization."),
    ],
)
async def test_coder_and_judge_are_told_what_the_type_asks(
    pipeline_with, kind, coder_hears, judge_hears
):
    """The coder's prompt and the judge's rubric differ by type; both see code and constraints."""
    changed = "def test_y():\n    assert x\n" if kind == "test" else "x = 2"
    before, after = "x = 1", "x = 1" if kind in ("analyze", "explain") else changed
    rules = [
        coder(after, prompt=f"(?s){coder_hears}"),
        judge(prompt=f"(?s){judge_hears}"),
    ]
    async with pipeline_with(CLEAR, *rules, EXPLAINED) as run:
        answer = await code(run, request_type=kind, instruction="see to x", code=before)
    assert answer["success"], answer
    everything = (
        r"(?s)see to x.*What is wanted: .*Language: Python 3\.12.*Framework: FastAPI.*"
        r"- be quick.*The code:\nx = 1.*Tests that it has to pass:\ndef test_x"
    )
    rules = [coder(after, prompt=everything), judge(prompt=everything)]
    async with pipeline_with(CLEAR, *rules, EXPLAINED) as run:
        answer = await code(
            run,
            request_type=kind,
            instruction="see to x",
            code=before,
            tests="def test_x():\n    assert x",
            constraints=["be quick"],
            language_version="3.12",
            framework="FastAPI",
        )
    assert answer["success"], answer


@pytest.mark.parametrize(
    ("constraint", "wanted"),
    [
        ("Generate comprehensive unit tests", True),
        ("with tests", True),
        ("Add a test for the empty list", True),
        ("Do not use recursion and add unit tests", True),
        ("No globals, with unit tests", True),
        ("No globals\nAdd tests", True),
        ("Do not write tests", False),
        ("Do not add comments, examples or tests", False),
        ("Do not write docs and do not add tests", False),
        ("no unit tests", False),
        ("must be testable", False),
        ("use the latest version", False),
    ],
)
async def test_tests_are_written_when_a_constraint_asks(pipeline_with, constraint, wanted):
    """And only then. In a language that cannot be run here they are returned all the same, with a
    warning."""
    tests = "#[test]\nfn adds() { assert_eq!(add(1, 2), 3); }\n"
    add = "fn add(a: i32, b: i32) -> i32 { a + b }\n"
    rules = [coder(tests, prompt="The tests:$"), coder(add)]
    async with pipeline_with(CLEAR, *rules, GOOD, EXPLAINED) as run:
        answer = await code(run, language="rust", constraints=[constraint])
    assert answer.get("tests") == (tests if wanted else None)
    assert answer["confidence"] == (0.84 if wanted else 0.9)
    assert ("Tests in Rust are not run here." in answer["warnings"]) is wanted


async def test_tests_that_cannot_be_had_cost_no_answer(pipeline_with):
    """The code is there; a warning says that the tests are not."""
    for broken, said in (
        ({"fault": "failed"}, "There are no tests: the coder failed (model_failed)."),
        ({"reply": PROSE}, "There are no tests: the answer is prose and no code."),
    ):
        rules = [{"role": "coder", "prompt": "The tests:$", **broken}, coder(ADD)]
        async with pipeline_with(CLEAR, *rules, GOOD, EXPLAINED) as run:
            answer = await code(run, constraints=["with tests"])
        assert answer["success"] and "tests" not in answer
        assert said in answer["warnings"]


# --- confidence ----------------------------------------------------------------------------------

ADD_TESTS = "def test_add():\n    assert add(1, 2) == 3\n"


@sandboxed
@pytest.mark.parametrize(
    ("tests", "success", "confidence", "said"),
    [
        (ADD_TESTS, True, 0.9, None),
        (
            f"{ADD_TESTS}\ndef test_no():\n    assert add(1, 1) == 3\n",
            False,
            0.23,
            "Test test_no fails",
        ),
        (
            "import numpy\ndef test_x():\n    assert numpy.sum\n",
            True,
            0.84,
            "no module named 'numpy'",
        ),
    ],
)
async def test_the_caller_s_tests_are_run(pipeline_with, tests, success, confidence, said):
    """They raise the confidence, or there is no success; what cannot be run is said, and caps the
    confidence."""
    review = {"role": "reviewer", "fault": "failed"}
    async with pipeline_with(CLEAR, coder(ADD), GOOD, review, EXPLAINED) as run:
        answer = await code(run, tests=tests)
    assert (answer["success"], answer["confidence"]) == (success, confidence)
    assert said is None or any(said in warning for warning in answer["warnings"])


SORTED = "def order(values):\n    out = list(values)\n    out.sort()\n    return out\n"
SAME = "def order(values):\n    return sorted(values)\n"
OTHER = "def order(values: list[int]):\n    return sorted(set(values), reverse=True)\n"
RAISES = "def order(values):\n    return sorted(values[n] for n in range(9))\n"
DROPS = "def order(values):\n    return sorted(set(values))\n"
TYPED = DROPS.replace("values)", "values: list[str])", 1)


@sandboxed
@pytest.mark.parametrize(
    ("after", "confidence"),
    [(SAME, 0.9), (OTHER, 0.45), (RAISES, 0.45), (DROPS, 0.45), (TYPED, 0.45)],
    ids=["same", "other", "raises", "drops duplicates", "drops them, annotated"],
)
@pytest.mark.parametrize("kind", ["refactor", "optimize"])
async def test_a_refactoring_is_compared_with_the_original(pipeline_with, kind, after, confidence):
    """On generated arguments, outside of both programs: what they give, not what they look like."""
    failing = {"role": "reviewer", "fault": "failed"}
    async with pipeline_with(
        CLEAR, coder(after), failing, GOOD, EXPLAINED, EVIDENCE_RUN="auto"
    ) as run:
        answer = await code(run, request_type=kind, code=SORTED)
    assert answer["confidence"] == confidence
    said = [each for each in answer["warnings"] if "It does not do the same: for order(" in each]
    assert bool(said) is (after != SAME)
    [step] = [step for step in run.record["steps"] if step["label"] == "original"]
    assert "calls compared" in step["note"] and not step["note"].startswith("0 ")


DOCUMENTED = """\
/**
 * @param {number[]} values
 * @param {string} [unit]
 */
export function total(values, unit = "") {
  let sum = 0;
  for (const value of values) sum += value;
  return sum + unit;
}
"""
REDUCED = DOCUMENTED.replace(
    "  let sum = 0;\n  for (const value of values) sum += value;\n  return sum + unit;",
    "  return values.reduce((sum, value) => sum + value, 0) + unit;",
)
SHELL = 'area() {\n  local result=$(( $1 * $2 ))\n  echo "$result"\n}\n'


@sandboxed
@pytest.mark.skipif(shutil.which("node") is None, reason="it needs node")
@pytest.mark.parametrize(
    ("language", "before", "after", "same"),
    [
        ("javascript", DOCUMENTED, REDUCED, True),
        ("javascript", DOCUMENTED, REDUCED.replace(", 0)", ", 1)"), False),
        ("bash", SHELL, 'area() { echo "$(($1 * $2))"; }\n', True),
        ("bash", SHELL, 'area() { echo "$(($1 + $2))"; }\n', False),
    ],
)
async def test_a_refactoring_of_a_script_is_compared_too(
    pipeline_with, language, before, after, same
):
    """JavaScript where its JSDoc says what a function takes, Bash with words."""
    failing = {"role": "reviewer", "fault": "failed"}
    async with pipeline_with(
        CLEAR, coder(after), failing, GOOD, EXPLAINED, EVIDENCE_RUN="auto"
    ) as run:
        answer = await code(run, request_type="refactor", language=language, code=before)
    said = [each for each in answer["warnings"] if "It does not do the same: for " in each]
    assert (answer["confidence"], not said) == (0.9 if same else 0.45, same), answer["warnings"]
    [step] = [step for step in run.record["steps"] if step["label"] == "original"]
    assert "calls compared" in step["note"] and not step["note"].startswith("0 ")


@sandboxed
async def test_what_differs_by_itself_is_not_compared(pipeline_with):
    """A program that gives another value each time, and one that gives no plain data."""
    before = (
        "import random\ndef roll(n):\n    return random.random() + n\ndef gen(n):\n    yield n\n"
    )
    after = before.replace("random.random() + n", "n + random.random()")
    rules = [CLEAR, coder(after.replace("yield n", "yield n * 1")), GOOD, EXPLAINED]
    async with pipeline_with(*rules, EVIDENCE_RUN="auto") as run:
        answer = await code(run, request_type="refactor", code=before)
    assert answer["success"] and answer["confidence"] == 0.9


@sandboxed
@pytest.mark.parametrize(
    ("language", "before", "after"),
    [
        (
            "python",
            "import random\ndef coin(n: int):\n    return n + random.randint(0, 1)\n",
            "import random\ndef coin(n: int):\n    return random.randint(0, 1) + n\n",
        ),
        (
            "bash",
            "coin() { echo $(($1 + RANDOM % 2)); }\n",
            "coin() { echo $((RANDOM % 2 + $1)); }\n",
        ),
    ],
)
async def test_chance_is_no_word_against_a_refactoring(pipeline_with, language, before, after):
    """A coin often falls the same way twice, and another way in the new code."""
    rules = [CLEAR, coder(after), GOOD, EXPLAINED]
    async with pipeline_with(*rules, EVIDENCE_RUN="auto") as run:
        answer = await code(run, request_type="refactor", language=language, code=before)
    assert answer["success"] and answer["confidence"] == 0.9, answer["warnings"]


@sandboxed
@pytest.mark.parametrize(("given", "confidence"), [("set(xs)", 0.9), ("xs", 0.45)])
async def test_the_order_of_a_set_is_no_word_against_a_refactoring(
    pipeline_with, given, confidence
):
    """It is another one in each process; what is in it is compared all the same."""
    before = "def names(xs: list[str]) -> list[str]:\n    found = set(xs)\n    return list(found)\n"
    after = f"def names(xs: list[str]) -> list[str]:\n    return list({given})\n"
    failing = {"role": "reviewer", "fault": "failed"}
    rules = [CLEAR, coder(after), failing, GOOD, EXPLAINED]
    async with pipeline_with(*rules, EVIDENCE_RUN="auto") as run:
        for _ in range(4):
            answer = await code(run, request_type="refactor", code=before)
            assert answer["confidence"] == confidence, answer["warnings"]


async def test_tests_without_a_test_are_no_success(pipeline_with):
    """Helpers and constants alone test nothing."""
    helper = coder("import add\n\n\ndef check(a):\n    assert a\n")
    failing = {"role": "reviewer", "fault": "failed"}
    async with pipeline_with(CLEAR, helper, failing, GOOD, EXPLAINED) as run:
        answer = await code(run, request_type="test", code=ADD)
    assert not answer["success"] and "there is no test in it" in answer["explanation"]


async def test_tests_without_code_to_run_them_on_are_not_run(pipeline_with):
    """A warning says so, and the confidence is no more than a judge's."""
    async with pipeline_with(CLEAR, coder(ADD_TESTS), judge(10), EXPLAINED) as run:
        answer = await code(run, request_type="test")
    assert (answer["success"], answer["confidence"]) == (True, 0.84)
    assert any("there is no code to run them against" in said for said in answer["warnings"])


IDLE_TESTS = "def test_add():\n    add(1, 2)\n    assert True\n"


@sandboxed
async def test_generated_tests_that_notice_nothing_prove_nothing(pipeline_with):
    """They pass although the program is changed: the judge's word is worth less, and the next
    attempt is told."""
    told = coder(ADD_TESTS, prompt="whatever the program does")
    async with pipeline_with(CLEAR, told, coder(IDLE_TESTS), GOOD, EXPLAINED) as run:
        once = await code(run, request_type="test", code=ADD, max_attempts=1)
        again = await code(run, request_type="test", code=ADD, max_attempts=2)
    assert once["confidence"] == 0.65
    assert "The tests pass whatever the program does." in once["warnings"]
    assert (again["code"], again["confidence"]) == (ADD_TESTS, 0.95)


@sandboxed
async def test_the_judge_hears_what_came_of_the_tests(pipeline_with):
    """Facts, beside the code."""
    judging = judge(prompt=r"(?s)FACTS\) BEGINS ===\n1 of 1 tests pass\.")
    async with pipeline_with(CLEAR, coder(ADD), judging, EXPLAINED, JUDGE_WHEN="always") as run:
        answer = await code(run, tests=ADD_TESTS)
    assert answer["confidence"] == 0.95 and "judge" in str(stages(run))


async def test_where_there_is_no_sandbox_nothing_is_run(pipeline_with, monkeypatch):
    """The tests are not held against the code, and a warning says that nobody ran them."""
    monkeypatch.setenv("PATH", "/nonexistent")
    async with pipeline_with(CLEAR, coder(ADD), judge(10), EXPLAINED) as run:
        answer = await code(run, tests=ADD_TESTS)
    assert answer["confidence"] == 0.84
    assert "There is no sandbox here to run tests in." in answer["warnings"]


@pytest.mark.parametrize(
    ("scores", "confidence"),
    [((10, 1), 0.94), ((9, 1), 0.9), ((8, 2), 0.8), ((9, 6), 0.5), ((3, 1), 0.3), ((1, 10), 0.1)],
)
async def test_the_judge_s_scores_are_where_it_starts(pipeline_with, scores, confidence):
    """An answer that departs from its request is worth no more than that."""
    review = {"role": "reviewer", "fault": "failed"}
    async with pipeline_with(CLEAR, coder(ADD), judge(*scores), review, EXPLAINED) as run:
        answer = await code(run)
    assert answer["confidence"] == confidence


async def test_undefined_names_lower_it(pipeline_with):
    """It is code, but it would not run."""
    review = {"role": "reviewer", "fault": "failed"}
    missing = "def mean(xs):\n    return stats.mean(xs)\n"
    async with pipeline_with(CLEAR, coder(missing), judge(10), review, EXPLAINED) as run:
        answer = await code(run)
    assert (answer["success"], answer["confidence"]) == (True, 0.45)
    assert "The name stats is not defined." in answer["warnings"]


async def test_a_missing_import_is_put_in_by_a_rule(pipeline_with):
    """No model is asked again, and the step says so; not what stands around a fragment."""
    squeeze = "def squeeze(text):\n    return re.sub(r' +', ' ', text)\n"
    async with pipeline_with(CLEAR, coder(squeeze), GOOD, EXPLAINED) as run:
        answer = await code(run)
        assert (answer["code"], answer["confidence"]) == (f"import re\n\n{squeeze}", 0.9)
        assert run.record["steps"][1]["note"] == "missing imports put in: import re"
        fragment = squeeze.replace(" +", "  ")
        answer = await code(run, request_type="debug", code=fragment)
    assert answer["code"] == squeeze


# --- attempts ------------------------------------------------------------------------------------


async def test_it_is_tried_until_the_confidence_is_reached(pipeline_with):
    """The judge's findings and the attempt before go to the coder; every attempt is on record."""
    better = "def add(a: int, b: int) -> int:\n    return a + b\n"
    rules = [
        coder(better, prompt=r"(?s)An earlier attempt:\ndef add\(a, b\).*No type hints\."),
        coder(ADD),
        judge(9, prompt="a: int"),
        judge(6, 2, "No type hints."),
    ]
    async with pipeline_with(CLEAR, *rules, EXPLAINED) as run:
        answer = await code(run, max_attempts=5, min_confidence=0.85)
    assert (answer["code"], answer["confidence"]) == (better, 0.9)
    attempts = run.record["artefact"]["attempts"]
    assert [(each["code"], each["confidence"]) for each in attempts] == [(ADD, 0.6), (better, 0.9)]
    assert [step["round"] for step in run.record["steps"] if step["stage"] == "coder"] == [1, 2]
    assert not run.record["escalated"]


async def test_the_best_attempt_is_the_answer(pipeline_with):
    """Whichever it was; that it is not good enough is said."""
    drafts = [f"x = {n}\n" for n in range(3)]
    rules = [
        {"role": "coder", "reply": drafts},
        judge(3, prompt="x = 0"),
        judge(7, prompt="x = 1"),
        judge(2, prompt="x = 2"),
        {"role": "reviewer", "fault": "failed"},
    ]
    async with pipeline_with(CLEAR, *rules, EXPLAINED) as run:
        answer = await code(run, instruction="set x", max_attempts=3)
    assert (answer["code"], answer["confidence"]) == ("x = 1\n", 0.7)
    assert "The confidence is below the 0.80 that was wanted." in answer["warnings"]
    assert len(run.record["artefact"]["attempts"]) == 3


async def test_an_attempt_that_fails_leaves_those_before(pipeline_with):
    """A backend that goes away in the middle costs no answer."""
    rules = [
        coder(ADD, times=1),
        coder("", fault="unreachable"),
        judge(6),
        {"role": "reviewer", "fault": "unreachable"},
        EXPLAINED,
    ]
    async with pipeline_with(CLEAR, *rules) as run:
        answer = await code(run, max_attempts=3)
    assert (answer["success"], answer["code"]) == (True, ADD)
    assert "Attempt 2 failed (model_unreachable)." in answer["warnings"]


async def test_an_instruction_is_no_place_for_tags(pipeline_with):
    """A program's text is not searched for them."""
    async with pipeline_with(CLEAR, coder(ADD), GOOD, EXPLAINED) as run:
        answer = await code(run, instruction="///raw add")
    assert answer["success"]
    assert run.record["normalized_prompt"] == "///raw add"
    assert (run.record["mode"], run.record["source"]) == ("code_structured", "code")


async def test_what_was_asked_is_on_record(pipeline_with):
    """With the answer, but for the code, which stands as the final output."""
    async with pipeline_with(CLEAR, coder(ADD), GOOD, EXPLAINED) as run:
        answer = await code(run, constraints=["be quick"], framework="FastAPI")
    artefact = run.record["artefact"]
    assert artefact["request"] == {
        "request_type": "generate",
        "language": "python",
        "constraints": ["be quick"],
        "framework": "FastAPI",
    }
    assert {**artefact["answer"], "code": run.record["final_output"]} == answer


async def test_no_log_keeps_none_of_the_texts(pipeline_with):
    """Not in the attempts, not in the request, not in the answer."""
    secret = "swordfish"
    async with pipeline_with(CLEAR, coder(f"x = '{secret}'\n"), GOOD, EXPLAINED) as run:
        answer = await code(run, instruction=f"say {secret}", no_log=True)
    assert secret in answer["code"]
    assert secret not in str(run.record)
