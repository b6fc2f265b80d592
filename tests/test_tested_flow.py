"""`///test` on scripted models and the real sandbox: every branch of the flow."""

import asyncio
import json
import shutil

import pytest
from recorded import stages

from pipeline.errors import Cancelled, ModelFailed, ModelUnreachable
from pipeline.request import Request
from pipeline.sandbox import SandboxUnavailable

pytestmark = pytest.mark.skipif(
    shutil.which("bwrap") is None, reason="the sandbox needs bubblewrap"
)

PROMPT = "///test Write add. add(1, 2) == 3"
# The first line of an answer that is known to be wrong.
FAILS = "# REVIEWER_NOTE: the example add(1, 2) → 3 fails: it gave -1\n"
RIGHT = "def add(a, b):\n    return a + b\n"
OTHER = "def add(x, y):\n    return y + x\n"
WRONG = "def add(a, b):\n    return a - b\n"
WORSE = "def add(a, b):\n    return None\n"
GOOD = {"role": "judge", "verdict": [9, 1, "It is right."]}


def wrote(*tests, kind="function", function="add"):
    """A tester's answer: each test is (input, expected)."""
    if kind == "program":
        lines = [f"assert program({given!r}) == {expected!r}" for given, expected in tests]
    else:
        lines = [asserted(function, *test) for test in tests]
    return {"role": "tester", "reply": "\n".join(lines)}


def asserted(function, given, expected):
    call = f"{function}({given})"
    return f"{call} {expected}" if expected.startswith("raises") else f"assert {call} == {expected}"


def coder(*replies, **rule):
    return {"role": "coder", "reply": list(replies), **rule}


def repairs(*replies, **rule):
    return {"role": "reviewer", "reply": list(replies), **rule}


NEGATIVE = ("-1, -2", "-3")


def status(record):
    return {test["name"]: test["status"] for test in record["artefact"]["tests"]}


# --- green and red ---------------------------------------------------------------------------


async def test_a_draft_whose_tests_pass_is_the_answer(pipeline_with):
    """The output is the code; tests, results and why it stopped are in the record."""
    async with pipeline_with(wrote(NEGATIVE), coder(RIGHT), GOOD) as run:
        assert await run(PROMPT) == RIGHT
    record = run.record
    assert stages(record) == ["tester", "coder", "sandbox tests"]
    assert record["steps"][2]["note"] == "2 of 2 tests pass"
    assert record["artefact"]["stopped"] == "all tests pass"
    example, generated = record["artefact"]["tests"]
    assert (example["input"], example["expected"], example["anchor"]) == ("1, 2", "3", True)
    assert (generated["name"], generated["anchor"]) == ("test 1", False)
    assert example["status"] == generated["status"] == "passed"
    assert (record["final_source"], record["escalated"]) == ("coder", False)


async def test_the_coder_is_shown_the_request_and_no_generated_test(pipeline_with):
    """Drafts that know a test would agree with it for that reason alone."""
    shown = r"(?s)\A(?!.*-1, -2)(?!.*Define add).*Write add"
    async with pipeline_with(wrote(NEGATIVE), coder(RIGHT, prompt=shown), GOOD) as run:
        assert await run(PROMPT) == RIGHT


async def test_a_failing_draft_is_repaired(pipeline_with):
    """The repair is told each failure: what went in, what was expected, what came."""
    told = r"(?s)example of the user's 'example 1': add\(1, 2\) → 3, but it gave -1"
    rules = [wrote(NEGATIVE), coder(WRONG), repairs(RIGHT, prompt=told), GOOD]
    async with pipeline_with(*rules) as run:
        assert await run(PROMPT) == RIGHT
    record = run.record
    assert [each["passed"] for each in record["artefact"]["rounds"]] == [0, 2]
    assert (record["final_source"], record["reviewer_output"]) == ("reviewer", RIGHT)
    assert record["coder_output"] == WRONG


# --- drafts and tests say what of each other can be believed ------------------------------------

BAD_TEST = ("2, 2", "5")
MANY = {"MAX_DRAFTS": 5}
ALWAYS = {"JUDGE_WHEN": "always"}


async def test_a_test_that_every_draft_passes_is_said_to_tell_nothing(pipeline_with):
    """The record has how many drafts pass each generated test; with one draft nothing is told."""
    rules = [wrote(BAD_TEST, NEGATIVE), coder(RIGHT, OTHER), GOOD]
    async with pipeline_with(*rules, **MANY) as run:
        await run(PROMPT)
    artefact = run.record["artefact"]
    example, generated = artefact["tests"]
    assert (generated["passed_by"], generated["drafts"]) == (2, 2)
    assert "passed_by" not in example
    told = "1 test passes with every draft: it does not tell the drafts apart"
    assert artefact["notes"] == [told]
    async with pipeline_with(wrote(NEGATIVE), coder(RIGHT), GOOD, **MANY) as run:
        await run(PROMPT)
    artefact = run.record["artefact"]
    generated = artefact["tests"][1]
    assert (generated["passed_by"], generated["drafts"], artefact["notes"]) == (1, 1, [])


async def test_a_test_that_some_draft_fails_is_counted(pipeline_with):
    """Nothing is noted of it."""
    rules = [wrote(BAD_TEST, NEGATIVE), coder(RIGHT, WRONG, OTHER), GOOD]
    async with pipeline_with(*rules, **MANY) as run:
        await run("///test Write a function add.")
    artefact = run.record["artefact"]
    [generated] = artefact["tests"]
    assert (generated["passed_by"], generated["drafts"], artefact["notes"]) == (2, 3, [])


async def test_a_generated_test_that_no_two_drafts_pass_does_not_count(pipeline_with):
    """It is left out, and the record says how many drafts passed it."""
    rules = [wrote(BAD_TEST, NEGATIVE), coder(RIGHT, OTHER), GOOD]
    async with pipeline_with(*rules, **MANY) as run:
        assert await run(PROMPT) == RIGHT
    artefact = run.record["artefact"]
    [out] = artefact["left_out"]
    assert (out["input"], out["expected"]) == BAD_TEST
    assert (out["passed_by"], out["drafts"]) == (0, 2)
    assert status(run.record) == {"example 1": "passed", "test 2": "passed"}
    assert artefact["stopped"] == "all tests pass"
    assert stages(run.record).count("sandbox tests") == 2  # two that do the same are enough


async def test_a_wrong_draft_is_outvoted(pipeline_with):
    """What most drafts do is the answer, where the examples do not tell them apart."""
    lucky = "def add(a, b):\n    return abs(a) + abs(b)\n"
    rules = [wrote(NEGATIVE), coder(lucky, RIGHT, OTHER), GOOD]
    async with pipeline_with(*rules, **MANY) as run:
        assert await run(PROMPT) == RIGHT
    assert [each["passed"] for each in run.record["artefact"]["rounds"]] == [1, 2]


async def test_without_a_majority_as_many_are_drawn_as_may_be(pipeline_with):
    """The one that passes most is repaired; only tests that two of them pass count."""
    drafts = [f"def add(a, b):\n    return {n}\n" for n in (0, 1, 2, 4, 5)]
    rules = [wrote(("0, 1", "1"), ("2, 2", "4")), coder(*drafts), repairs(RIGHT), GOOD]
    async with pipeline_with(*rules, **MANY, TEST_MAX_ROUNDS=9) as run:
        assert await run(PROMPT) == RIGHT
    assert stages(run.record).count("sandbox tests") == 6
    assert status(run.record) == {"example 1": "passed"}


async def test_a_draft_that_passes_most_tests_ends_the_drawing(pipeline_with):
    """A wrong draft seldom does, so a third one that agrees with it need not be waited for."""
    rules = [wrote(("0, 1", "1"), ("2, 2", "4"), ("3, 3", "7")), coder(WRONG, RIGHT, OTHER), GOOD]
    async with pipeline_with(*rules, **MANY) as run:
        assert await run("///test Write add(a, b).") == RIGHT
    assert stages(run.record).count("sandbox tests") == 2


async def test_where_no_test_can_be_believed_nothing_has_passed(pipeline_with):
    """No example, and the drafts agree with each other and not with the tests."""
    rules = [wrote(BAD_TEST), coder(RIGHT, OTHER), GOOD]
    async with pipeline_with(*rules, **MANY) as run:
        answer = json.loads(await run("///test Write add.", format="json"))
    assert (answer["code"], answer["passed"], answer["tests"]) == (RIGHT, False, [])
    assert run.record["artefact"]["stopped"] == "no test can be trusted"


async def test_a_small_model_does_not_repair_what_it_drew_in_vain(pipeline_with, script):
    """Several drafts fail an example: no repair and no review by the same model, and a note. It
    draws as many as there are rounds."""
    small = script(wrote(), coder(WRONG, WORSE, WRONG), repairs(RIGHT), GOOD, name="tiny-0.5b")
    names = {f"{role}_MODEL_NAME": small for role in ("CODER", "JUDGE", "REVIEWER")}
    async with pipeline_with(**names, MAX_DRAFTS=5, TEST_MAX_ROUNDS=3) as run:
        assert await run(PROMPT) == FAILS + WRONG
    assert run.record["escalated"] and run.record["reviewer_output"] is None
    assert "drew 3 drafts itself" in run.record["artefact"]["stopped"]  # none is kept for a repair


async def test_examples_and_a_second_draft_decide(pipeline_with):
    """Where the examples hold, drafts that differ on other tests are drawn no further."""
    other = "def add(a, b):\n    return 3\n"
    rules = [wrote(NEGATIVE, ("0, 0", "1")), coder(RIGHT, other), repairs(RIGHT), GOOD]
    async with pipeline_with(*rules, **MANY) as run:
        assert await run(PROMPT) == RIGHT
    assert [step for step in stages(run.record) if step.startswith("coder")] == [
        "coder",
        "coder draft 2",
    ]
    assert status(run.record) == {"example 1": "passed"}


async def test_one_draft_alone_says_nothing_of_a_test(pipeline_with):
    """Where only one may be drawn, its failures stand, and are no verdict on it."""
    async with pipeline_with(wrote(BAD_TEST), coder(RIGHT), repairs(RIGHT), GOOD) as run:
        assert await run(PROMPT) == RIGHT
    artefact = run.record["artefact"]
    assert artefact["left_out"] == [] and artefact["tests"][1]["status"] == "wrong"
    assert artefact["stopped"] == "the same program was written again"
    assert not run.record["escalated"]


async def test_tests_that_pass_need_no_judge(pipeline_with):
    """Examples or confirmed tests decide, as in the default mode."""
    async with pipeline_with(wrote(NEGATIVE), coder(RIGHT), JUDGE_WHEN="undecided") as run:
        assert await run(PROMPT) == RIGHT
    assert run.record["final_reason"] == "not judged: 2 of 2 tests pass"


async def test_a_huge_number_is_a_wrong_value_and_no_fault(pipeline_with):
    """Python refuses to write numbers of more than 4300 digits."""
    huge = "def add(a, b):\n    return 10 ** 20000\n"
    async with pipeline_with(wrote(), coder(huge), repairs(RIGHT), GOOD) as run:
        assert await run(PROMPT) == RIGHT
    [result] = run.record["artefact"]["rounds"][0]["results"]
    assert (result["status"], result["got"]) == ("wrong", "a value with a huge number")


async def test_an_example_of_the_user_s_is_never_left_out(pipeline_with):
    """However many drafts fail it."""
    rules = [wrote(), coder(RIGHT, OTHER), repairs(RIGHT), GOOD]
    async with pipeline_with(*rules, MAX_DRAFTS=2) as run:
        await run("///test Write add. add(1, 2) == 4")
    assert [test["expected"] for test in run.record["artefact"]["tests"]] == ["4"]


async def test_a_generated_test_never_overrules_an_example(pipeline_with):
    """The same question with another answer is left out, and so is one that stands twice."""
    tests = [("1,2", "7"), NEGATIVE, ("-1,  -2", "9")]
    async with pipeline_with(wrote(*tests), coder(RIGHT), GOOD) as run:
        assert await run(PROMPT) == RIGHT
    assert list(status(run.record)) == ["example 1", "test 2"]


async def test_five_hundred_tests_are_capped_with_a_note(pipeline_with, monkeypatch):
    """A model that ignores the schema cannot make the run last for ever."""
    monkeypatch.setattr("pipeline.review.tester.MAX_CASES", 8)  # each one costs a process
    many = [(f"{n}, 1", str(n + 1)) for n in range(500)]
    async with pipeline_with(wrote(*many), coder(RIGHT), GOOD) as run:
        assert await run(PROMPT) == RIGHT
    assert len(status(run.record)) == 9
    assert any("500 tests" in note for note in run.record["artefact"]["notes"])


@pytest.mark.parametrize("reply", ["NONE", "I would test it.", "assert add(x, 1)", "print(1)"])
async def test_tests_that_cannot_be_read_leave_the_examples_alone(pipeline_with, reply):
    """And that is noted."""
    async with pipeline_with({"role": "tester", "reply": reply}, coder(RIGHT), GOOD) as run:
        assert await run(PROMPT) == RIGHT
    record = run.record
    assert list(status(record)) == ["example 1"]
    assert "the tester adds no tests" in record["artefact"]["notes"]


async def test_an_answer_of_more_tests_than_were_asked_for_ends_before_them(pipeline_with):
    """Small models go on to any limit; what is numbered beyond the last one is not even written."""
    said = "\n".join(f"{n}. assert add({n}, 1) == {n + 1}" for n in range(1, 9))
    async with pipeline_with({"role": "tester", "reply": said}, coder(RIGHT), GOOD) as run:
        assert await run(PROMPT) == RIGHT
    assert list(status(run.record)) == ["example 1", *(f"test {n}" for n in range(1, 5))]
    [tester] = [step for step in run.record["steps"] if step["stage"] == "tester"]
    assert tester["output_tokens"] < len(said) // 4


async def test_a_tester_that_cannot_be_had_leaves_the_examples_alone(pipeline_with):
    """The run goes on without it."""
    tester = {"role": "tester", "fault": "unreachable"}
    async with pipeline_with(tester, coder(RIGHT), GOOD) as run:
        assert await run(PROMPT) == RIGHT
    assert "tester failed (model_unreachable)" in run.record["artefact"]["notes"][0]


async def test_single_tests_that_are_no_data_are_left_out(pipeline_with):
    """Code in an input is never evaluated."""
    tests = [NEGATIVE, ("__import__('os').getpid(), 1", "1"), ("1, 2 ** 9", "5")]
    async with pipeline_with(wrote(*tests), coder(RIGHT), GOOD) as run:
        assert await run(PROMPT) == RIGHT
    assert list(status(run.record)) == ["example 1", "test 1"]
    assert "2 tests could not be read" in run.record["artefact"]["notes"][0]


@pytest.mark.parametrize(
    "test",
    [
        "assert add(-1, -2) == -3",
        "assert -3 == add(-1, -2), 'they are negative'",
        "assert.strictEqual(add(-1, -2), -3);",
        "add(-1, -2) == -3",
        "`add(-1, -2)` returns -3",
    ],
)
async def test_tests_are_read_in_every_form_that_models_write(pipeline_with, test):
    """As an assert, with the sides exchanged, with a message, in JavaScript's form, or as people
    write examples."""
    tester = {"role": "tester", "reply": f"The tests:\n```python\n{test}\n```"}
    async with pipeline_with(tester, coder(RIGHT), GOOD) as run:
        assert await run(PROMPT) == RIGHT
    assert [test["input"] for test in run.record["artefact"]["tests"]] == ["1, 2", "-1, -2"]


async def test_a_test_of_another_function_is_left_out(pipeline_with):
    """It need not be there."""
    tests = ["assert add(-1, -2) == -3", "assert helper(1) == 2"]
    tester = {"role": "tester", "reply": "\n".join(tests)}
    async with pipeline_with(tester, coder(RIGHT), GOOD) as run:
        assert await run(PROMPT) == RIGHT
    assert list(status(run.record)) == ["example 1", "test 1"]


async def test_an_exception_can_be_what_is_expected(pipeline_with):
    """By its class or one above it; a value in its place is a failure."""
    code = "def add(a, b):\n    if b == 0:\n        raise KeyError(b)\n    return a + b\n"
    tests = [("1, 0", "raises LookupError"), ("1, 1", "raises ValueError")]
    async with pipeline_with(wrote(*tests), coder(code), GOOD, TEST_MAX_ROUNDS=1) as run:
        assert await run("///test Write add. add(1, 2) == 3. `add(2, 0)` raises KeyError") == code
    results = status(run.record)
    assert results["example 2"] == results["test 1"] == "passed"
    assert results["test 2"] == "wrong"


# --- when to stop, and with what ---------------------------------------------------------------


async def test_the_same_program_again_ends_it(pipeline_with):
    """A model that is shown its failures and repeats itself is not asked again."""
    async with pipeline_with(wrote(), coder(WRONG), repairs(WRONG), GOOD) as run:
        await run(PROMPT)
    record = run.record
    assert stages(record)[:4] == ["tester", "coder", "sandbox tests", "reviewer repair"]
    assert record["artefact"]["stopped"] == "the same program was written again"
    assert len(record["artefact"]["rounds"]) == 2  # the draft, and the review at the end


async def test_a_repair_that_does_not_help_is_the_last_one(pipeline_with):
    """One that helps is followed by another."""
    none = "def add(a, b):\n    return 0\n"
    one = "def add(a, b):\n    return 3\n"
    worse = "def add(a, b):\n    return -1\n"
    tests = wrote(NEGATIVE, ("0, 0", "0"))
    rules = [tests, coder(WORSE), repairs(none, one, worse), GOOD]
    async with pipeline_with(*rules, TEST_MAX_ROUNDS=9) as run:
        assert await run(PROMPT) == one
    artefact = run.record["artefact"]
    assert [each["passed"] for each in artefact["rounds"]][:3] == [0, 1, 1]
    assert artefact["stopped"] == "a repair did not help"


@pytest.mark.parametrize("most", [1, 2, 3])
async def test_the_rounds_are_bounded(pipeline_with, most):
    """TEST_MAX_ROUNDS counts the runs of the tests, the first included."""
    better = [f"def add(a, b):\n    return 0 if b <= {n} else None\n" for n in range(6)]
    rules = [wrote(*((f"0, {n}", "0") for n in range(6))), coder(WORSE), repairs(*better), GOOD]
    async with pipeline_with(*rules, TEST_MAX_ROUNDS=most) as run:
        await run(PROMPT)
    record = run.record
    assert stages(record).count("sandbox tests") == most
    assert record["artefact"]["stopped"] == f"all {most} rounds are used up"


async def test_the_best_version_is_returned_and_not_the_last(pipeline_with):
    """Most examples first, then most tests."""
    tests = wrote(NEGATIVE, ("0, 0", "0"))
    one = "def add(a, b):\n    return 3\n"  # the example alone
    two = "def add(a, b):\n    return -3 if a < 0 else 0\n"  # both generated tests, not the example
    rules = [tests, coder(one), repairs(two, WORSE), GOOD]
    async with pipeline_with(*rules, TEST_MAX_ROUNDS=3) as run:
        assert await run(PROMPT) == one
    assert [each["passed"] for each in run.record["artefact"]["rounds"]] == [1, 2]
    assert status(run.record) == {"example 1": "passed", "test 1": "wrong", "test 2": "wrong"}


async def test_a_model_that_fails_later_leaves_the_best_version(pipeline_with):
    """Only the first draft's failure is the caller's."""
    rules = [wrote(), coder(WRONG), {"role": "reviewer", "fault": "unreachable"}, GOOD]
    async with pipeline_with(*rules) as run:
        assert await run(PROMPT) == FAILS + WRONG
    record = run.record
    assert record["artefact"]["stopped"] == "a model failed (model_unreachable)"
    assert record["final_reason"].startswith("unreviewed: ")
    assert record["escalation_reason"] == "evidence: 1 of 1 examples fail"


async def test_a_model_that_fails_after_a_repair_that_helped_leaves_the_repair(pipeline_with):
    """What was better than all drafts is not forgotten."""
    one = "def add(a, b):\n    return 3\n"  # the example alone
    tests = wrote(NEGATIVE)
    gone = {"role": "reviewer", "fault": "unreachable"}
    rules = [tests, coder(WORSE), repairs(one, times=1), gone, GOOD]
    async with pipeline_with(*rules, TEST_MAX_ROUNDS=4) as run:
        assert await run(PROMPT) == one
    record = run.record
    assert record["artefact"]["stopped"] == "a model failed (model_unreachable)"
    assert record["final_source"] == "reviewer"


async def test_a_coder_that_is_not_there_is_the_caller_s_error(pipeline_with):
    """There is nothing to test."""
    async with pipeline_with(wrote(), {"role": "coder", "fault": "unreachable"}) as run:
        with pytest.raises(ModelUnreachable):
            await run(PROMPT)


@pytest.mark.parametrize(
    "first", [{"reply": ""}, {"reply": "def add(", "finish_reason": "length"}, {"reply": "def f("}]
)
async def test_a_draft_that_cannot_be_run_is_repaired(pipeline_with, first):
    """Its tests count as not run, and the repair is told what is wrong."""
    told = repairs(RIGHT, prompt="evidence: ")
    async with pipeline_with(wrote(), {"role": "coder", **first}, told, GOOD) as run:
        assert await run(PROMPT) == RIGHT
    assert run.record["artefact"]["rounds"][0]["results"][0]["status"] == "not run"


async def test_without_any_whole_program_the_run_fails(pipeline_with):
    """An empty answer is never handed out; what was tried is on record."""
    async with pipeline_with(wrote(), coder(""), repairs(""), GOOD) as run:
        with pytest.raises(ModelFailed):
            await run(PROMPT)
    assert run.record["artefact"]["rounds"]


async def test_out_of_time_returns_the_best_version(pipeline_with):
    """The run's deadline holds for its tests as well."""
    rules = [wrote(), coder(WRONG), {"role": "reviewer", "fault": "hang"}, GOOD]
    async with pipeline_with(*rules, RUN_TIMEOUT_S=1) as run:
        assert await run(PROMPT) == FAILS + WRONG
    assert run.record["artefact"]["stopped"] == "a model failed (model_timeout)"


# --- the judge and the review ------------------------------------------------------------------


async def test_the_judge_is_told_the_facts(pipeline_with):
    """And a green draft that it does not trust is reviewed all the same."""
    told = r"(?s)FACTS.*2 of 2 tests pass\.\n1 of 1 examples of the user's pass\."
    bad = {"role": "judge", "verdict": [3, 8, "Slow."], "times": 1, "prompt": told}
    async with pipeline_with(
        wrote(NEGATIVE), coder(RIGHT), bad, repairs(OTHER), GOOD, **ALWAYS
    ) as run:
        assert await run(PROMPT) == OTHER
    assert run.record["escalation_reason"] == "confidence 3 < 8; conflict 8 > 6"
    assert status(run.record) == {"example 1": "passed", "test 1": "passed"}


async def test_a_review_that_fails_a_test_which_the_draft_passes_is_not_taken(pipeline_with):
    """Whatever the judge thinks of it."""
    bad = {"role": "judge", "verdict": [3, 8, "Slow."]}
    async with pipeline_with(wrote(NEGATIVE), coder(RIGHT), bad, repairs(WRONG), **ALWAYS) as run:
        assert await run(PROMPT) == RIGHT
    record = run.record
    assert (
        "the review fails evidence that the draft passes: the example add(1, 2)"
        in (record["final_reason"])
    )
    assert (record["final_source"], record["reviewer_output"]) == ("coder", WRONG)


async def test_a_failing_example_escalates_without_a_judge(pipeline_with):
    """Evidence needs no opinion. The reviewer gets a last try, and its text is tested."""
    rules = [wrote(), coder(WRONG), repairs(WORSE, RIGHT), GOOD]
    async with pipeline_with(*rules, TEST_MAX_ROUNDS=2) as run:
        assert await run(PROMPT) == RIGHT
    record = run.record
    assert record["judge"] is None
    assert record["escalation_reason"] == "evidence: 1 of 1 examples fail"
    assert record["artefact"]["rounds"][-1]["passed"] == 1
    assert status(record) == {"example 1": "passed"}


async def test_a_failing_generated_test_is_a_fact_for_the_judge_and_no_verdict(pipeline_with):
    """It may be wrong: it does not escalate by itself."""
    rules = [wrote(BAD_TEST), coder(RIGHT), GOOD]
    async with pipeline_with(*rules, TEST_MAX_ROUNDS=1) as run:
        assert await run(PROMPT) == RIGHT
    assert not run.record["escalated"]


# --- what is not tested ------------------------------------------------------------------------


async def test_nothing_testable_falls_back_to_the_reviewed_mode(pipeline_with):
    """And the record says so."""
    rules = [wrote(), coder("<html>"), GOOD]
    async with pipeline_with(*rules) as run:
        assert await run("///test A page that says hello") == "<html>"
    artefact = run.record["artefact"]
    assert artefact["fallback"] == "code_reviewed"
    assert "add an example" in artefact["reason"]
    assert stages(run.record) == ["tester", "coder", "judge"]


async def test_a_language_that_cannot_be_tested_falls_back(pipeline_with):
    """No tester is asked for functions in Rust."""
    code = "fn add(a: i32, b: i32) -> i32 { a + b }"
    async with pipeline_with(coder(code), GOOD) as run:
        assert await run("///test Write add in Rust. add(1, 2) == 3") == code
    assert run.record["artefact"]["reason"] == "tests in rust cannot be run here"


@pytest.mark.parametrize(
    ("language", "wrong", "right"),
    [
        ("Python", "print(input())", "print(sum(map(int, open(0).read().split())))"),
        ("bash", "cat", 'read a b; echo "$((a + b))"'),
    ],
)
async def test_programs_are_tested_by_what_they_read_and_print(
    pipeline_with, language, wrong, right
):
    """In any language that the sandbox has."""
    prompt = (
        f"///test Write a {language} program that reads two numbers from standard input and prints "
        "their sum.\n\nInput:\n1 2\n\nOutput:\n3\n"
    )
    tests = wrote(("20 30\n", "50"), kind="program")
    async with pipeline_with(tests, coder(wrong), repairs(right), GOOD) as run:
        assert await run(prompt) == right
    assert [each["passed"] for each in run.record["artefact"]["rounds"]] == [0, 2]


async def test_without_a_name_the_code_s_own_function_is_tested(pipeline_with):
    """The coder is asked for run_code, and one that calls it otherwise is not failed
    for its name."""
    prompt = "///test Add two numbers.\n\nInput: a = 1, b = 2\nOutput: 3"
    asked = coder(RIGHT, prompt="Define run_code")
    async with pipeline_with(wrote(function="run_code"), asked, GOOD) as run:
        assert await run(prompt) == RIGHT
    assert status(run.record) == {"example 1": "passed"}


async def test_a_class_solution_is_called_by_its_method(pipeline_with):
    """As LeetCode asks for it, with or without the method's name in the request."""
    code = "class Solution:\n    def addUp(self, a, b):\n        return a + b\n"
    examples = "Input: a = 1, b = 2\nOutput: 3"
    for prompt in (f"Write the function `addUp`.\n\n{examples}", f"Add.\n\n{examples}"):
        async with pipeline_with(wrote(function="addUp"), coder(code), GOOD) as run:
            assert await run(f"///test {prompt}") == code
        assert status(run.record) == {"example 1": "passed"}


async def test_a_cancelled_run_ends_its_tests(pipeline_with):
    """At once, and what was known so far is on record."""
    endless = "def add(a, b):\n    while True:\n        pass\n"
    async with pipeline_with(wrote(), coder(WRONG), repairs(endless), GOOD) as run:
        going = run.submit(PROMPT)
        async for event in going.events():
            if event["event"] == "step" and event["stage"] == "sandbox" and event["round"] == 2:
                break
        run.scheduler.cancel(going.id)
        async with asyncio.timeout(10):
            with pytest.raises(Cancelled):
                await run.scheduler.finished(going)
    assert len(run.record["artefact"]["rounds"]) == 1


async def test_a_name_that_the_request_gives_must_be_there(pipeline_with):
    """`total` is asked for, `add` does not do."""
    prompt = "///test Write a function called total.\n>>> total(1, 2)\n3"
    right = RIGHT.replace("add", "total")
    async with pipeline_with(wrote(), coder(RIGHT), repairs(right), GOOD) as run:
        assert await run(prompt) == right
    [first, _] = run.record["artefact"]["rounds"]
    assert first["results"][0]["status"] == "unusable"


# --- hostile code and a missing sandbox ----------------------------------------------------------

HOSTILE = {
    "exits at once": "import os\nos._exit(0)\n",
    "prints a report": "print('{\"value\": 3}')\nraise SystemExit(0)\n",
    "equal to everything": (
        "class Any:\n    def __eq__(self, other):\n        return True\n"
        "def add(a, b):\n    return Any()\n"
    ),
    "kills its parent": "import os\nos.kill(os.getppid(), 9)\n" + WRONG,
    "eats memory": "def add(a, b):\n    return len(bytearray(10**12))\n",
}


@pytest.mark.parametrize("code", HOSTILE.values(), ids=HOSTILE)
async def test_hostile_code_ends_as_failed_tests(pipeline_with, code):
    """Not as a pass, and the pipeline goes on to a repair that is right."""
    async with pipeline_with(wrote(), coder(code), repairs(RIGHT), GOOD) as run:
        assert await run(PROMPT) == RIGHT
    assert [each["passed"] for each in run.record["artefact"]["rounds"]] == [0, 1]


async def test_tests_that_never_end_cost_a_bounded_time(pipeline_with):
    """After a few of them the rest is not run."""
    endless = "def add(a, b):\n    while True:\n        pass\n"
    many = wrote(*((f"{n}, 1", str(n + 1)) for n in range(20)))
    rules = [many, coder(endless), {"role": "reviewer", "fault": "unreachable"}, GOOD]
    async with pipeline_with(*rules, SANDBOX_WALL_S=0.3) as run:
        note, _, code = (await run(PROMPT)).partition("\n")
    assert note.startswith(FAILS.replace("it gave -1\n", "not done after ")) and code == endless
    results = [each["status"] for each in run.record["artefact"]["rounds"][0]["results"]]
    assert set(results) == {"timeout", "not run"}
    assert results.count("timeout") < 10


async def test_without_a_sandbox_the_mode_refuses(daemon_with, monkeypatch, tmp_path):
    """With the fix, before any model is asked; nothing is ever run bare."""
    trace = tmp_path / "trace"
    monkeypatch.setenv("PATH", str(tmp_path))
    bad = f"open({str(trace)!r}, 'w')\n{RIGHT}"
    async with daemon_with(wrote(), coder(bad), GOOD) as (_, http):
        answer = await http.post("/prompt", json={"prompt": PROMPT})
        assert answer.status_code == 501
        assert answer.json()["error"]["code"] == "sandbox_unavailable"
        assert "apt install bubblewrap" in answer.json()["error"]["message"]
    assert not trace.exists()


async def test_a_sandbox_that_goes_away_ends_the_run_with_its_error(pipeline_with, monkeypatch):
    """Whatever happens, code is not run without it."""

    async def gone(*args, **options):
        raise SandboxUnavailable("It is gone.")

    async with pipeline_with(wrote(), coder(RIGHT), GOOD) as run:
        monkeypatch.setattr("pipeline.sandbox.run_case", gone)
        with pytest.raises(SandboxUnavailable):
            await run(PROMPT)


# --- around it -----------------------------------------------------------------------------------


async def test_every_test_is_an_event(daemon_with):
    """Those who watch a run see each test end."""
    async with daemon_with(wrote(NEGATIVE), coder(RIGHT), GOOD) as (daemon, _):
        run = daemon.parts.scheduler.submit(Request(PROMPT))
        seen = [event async for event in run.events()]
    tests = [(e["name"], e["status"], e["round"]) for e in seen if e["event"] == "test"]
    assert sorted(tests) == [("example 1", "passed", 1), ("test 1", "passed", 1)]


async def test_history_goes_before_the_request(pipeline_with):
    """`///ctx ///test` is a mode of its own; tester and coder see the earlier work."""
    seen = r"(?s)user: first\n\nassistant: .*user: .*Write add"
    rules = [
        {**wrote(NEGATIVE), "prompt": seen},
        coder(RIGHT, prompt=seen),
        coder("x = 1"),
        GOOD,
    ]
    async with pipeline_with(*rules) as run:
        await run("///raw first")
        assert await run("///ctx " + PROMPT) == RIGHT
    assert run.record["mode"] == "code_tested_ctx"
    assert run.record["artefact"]["notes"] == []


async def test_no_log_keeps_no_tests(pipeline_with):
    """They are texts."""
    async with pipeline_with(wrote(NEGATIVE), coder(RIGHT), GOOD) as run:
        await run(PROMPT, no_log=True)
    assert "-1, -2" not in json.dumps(run.record)
    assert run.record["artefact"] is None


# --- as JSON -----------------------------------------------------------------------------------


async def test_json_has_the_code_and_its_tests_as_values(pipeline_with):
    """Arguments and results are values, whatever language reads them; what JSON lacks is marked
    with its type. The record's language is that of what the caller got."""
    rules = [wrote(("(1, {2}), 0", "[1, None]")), coder(WORSE), coder(WORSE), GOOD]
    failing = [*rules, repairs(WORSE)]
    async with pipeline_with(*failing, TEST_MAX_ROUNDS=1) as run:
        answer = json.loads(await run(PROMPT, format="json"))
    assert not answer["passed"] and answer["rounds"] >= 1
    assert answer["code"].endswith(WORSE) and answer["language"] == "python"
    given, generated = answer["tests"]
    assert (given["test"], given["given"]) == ("add(1, 2) → 3", True)
    assert (given["arguments"], given["expected"], given["got"]) == ([1, 2], 3, None)
    assert given["status"] == "wrong"
    assert generated["arguments"] == [[1, {"set": [2]}], 0]
    assert generated["expected"] == [1, None]
    assert run.record["language"] == "json"


async def test_json_says_that_all_tests_pass(pipeline_with):
    """The code is the answer that the same request has as text."""
    async with pipeline_with(wrote(NEGATIVE), coder(RIGHT), GOOD) as run:
        answer = json.loads(await run(PROMPT, format="json"))
    assert (answer["passed"], answer["code"], answer["rounds"]) == (True, RIGHT, 1)
    assert {test["status"] for test in answer["tests"]} == {"passed"}


async def test_json_says_why_there_are_no_tests(pipeline_with):
    """Then nothing has passed."""
    rules = [wrote(), coder(RIGHT), GOOD]
    async with pipeline_with(*rules) as run:
        answer = json.loads(await run("///test a poem of a function", format="json"))
    assert (answer["passed"], answer["tests"], answer["code"]) == (False, [], RIGHT)
    assert "add an example" in answer["reason"]
