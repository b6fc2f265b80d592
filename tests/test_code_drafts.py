"""Code generation draws again what fails, from the same prompt, and asks nobody what running
it has decided."""

import shutil

import pytest
from code_examples import (
    CLEAR,
    EXPLAINED,
    EXPLANATION,
    asked,
    code,
    coder,
    explainer,
    judge,
    request_of,
)
from recorded import stages

from history.open_questions import open_questions
from pipeline.codegen.contract import read_code_request
from pipeline.codegen.flow import answer_of
from pipeline.models.scripted import ScriptedModel

pytestmark = pytest.mark.skipif(
    shutil.which("bwrap") is None, reason="the sandbox needs bubblewrap"
)
ASKED = "Write add. add(1, 2) == 3 and add(0, 5) == 5"
RIGHT = "def add(a, b):\n    return a + b\n"
WRONG = "def add(a, b):\n    return a - b\n"
HALF = "def add(a, b):\n    return b if a == 0 else 0\n"
FAILS = "the example add(1, 2) → 3 fails"
TESTS = "def test_add():\n    assert add(1, 2) == 3\n"


def drafting(pipeline_with, *rules, **settings):
    mine = {"MAX_DRAFTS": 5, "EVIDENCE_RUN": "auto"}
    return pipeline_with(CLEAR, *rules, EXPLAINED, **mine | settings)


@pytest.fixture
def calls(monkeypatch):
    """The calls of the coder's model, in order."""
    seen, stream = [], ScriptedModel.stream

    async def watched(self, call):
        if call.role == "coder":
            seen.append(call)
        async for frame in stream(self, call):
            yield frame

    monkeypatch.setattr(ScriptedModel, "stream", watched)
    return seen


async def test_a_draft_that_fails_an_example_is_drawn_again(pipeline_with, calls):
    """From the same prompt, varied, without the program that failed. Nobody is asked about the one
    that holds the examples, and a later request may build on it."""
    async with drafting(pipeline_with, coder([WRONG, RIGHT])) as run:
        answer = await code(run, instruction=ASKED)
    assert (answer["success"], answer["code"], answer["confidence"]) == (True, RIGHT, 0.85)
    first, second = calls
    assert first.messages == second.messages
    assert (first.temperature, second.temperature) == (0.0, 0.8)
    assert stages(run.record) == [
        "intake",
        *("coder", "sandbox evidence", "coder draft 2", "sandbox evidence"),
        "explainer",
    ]
    failed, held = run.record["artefact"]["attempts"]
    assert (failed["code"], failed["confidence"]) == (WRONG, 0.45)
    assert (held["code"], held["confidence"]) == (RIGHT, 0.85)
    assert held["made_of"] == ["the request's examples pass"]
    assert run.record["final_reason"] == "not judged: the request's examples pass"
    assert run.record["evidence"] == [] and not run.record["escalated"]


@pytest.mark.skipif(shutil.which("node") is None, reason="there is no Node")
async def test_javascript_is_called_with_the_instruction_s_examples(pipeline_with):
    """As in the default mode."""
    wrong, right = (f"const add = (a, b) => a {sign} b;\n" for sign in "-+")
    async with drafting(pipeline_with, coder([wrong, right])) as run:
        answer = await code(run, language="js", instruction="Write add. add(1, 2) === 3")
    assert (answer["code"], answer["confidence"]) == (right, 0.85)


async def test_the_same_program_is_not_run_twice(pipeline_with, calls):
    """A model that repeats itself costs calls and no runs, and is one attempt of the record."""
    rules = (coder([WRONG, WRONG, RIGHT]), judge())
    async with drafting(pipeline_with, *rules) as run:
        answer = await code(run, instruction=ASKED)
    assert answer["code"] == RIGHT and len(calls) == 3
    assert stages(run.record).count("sandbox evidence") == 2
    assert [each["code"] for each in run.record["artefact"]["attempts"]] == [WRONG, RIGHT]


async def test_where_nothing_passes_the_best_goes_on_and_says_so(pipeline_with, calls):
    """The one that fails the fewest examples is reviewed, once, and nothing worse replaces it."""
    review = {
        "role": "reviewer",
        "prompt": r"found wrong.*\n.*add\(1, 2\)",
        "reply": WRONG,
    }
    async with drafting(pipeline_with, coder([WRONG, HALF, WRONG]), review, MAX_DRAFTS=3) as run:
        answer = await code(run, instruction=ASKED)
    assert (answer["code"], answer["confidence"]) == (HALF, 0.45)
    assert f"{FAILS[0].upper()}{FAILS[1:]}." in answer["warnings"]
    assert len(calls) == 3 and stages(run.record).count("reviewer") == 1
    record = run.record
    assert (record["coder_output"], record["judge"]) == (HALF, None)
    assert record["final_reason"] == "the review is worth less: more speaks against it"
    assert [each["detail"] for each in record["evidence"] if each["stage"] == "coder"] == [FAILS]


async def test_later_parts_go_on_in_the_coder_s_conversation(pipeline_with, monkeypatch):
    """So a backend that has read request and code reads the part's own rules alone: what is known
    of the code comes last."""
    asked_of, stream = {}, ScriptedModel.stream

    async def watched(self, call):
        asked_of.setdefault(call.role, call)
        async for frame in stream(self, call):
            yield frame

    monkeypatch.setattr(ScriptedModel, "stream", watched)
    fenced = f"```python\n{RIGHT}```"
    rules = (coder(fenced), judge(3), {"role": "reviewer", "reply": RIGHT})
    async with drafting(pipeline_with, *rules, JUDGE_WHEN="always") as run:
        await code(run, instruction=ASKED, tests=TESTS)
    for role, told in (
        ("judge", "FACTS"),
        ("reviewer", "found wrong"),
        ("explainer", "tests pass"),
    ):
        *begun, answer, rules = asked_of[role].messages
        assert begun == list(asked_of["coder"].messages)
        assert answer["content"].strip() == (RIGHT if role == "explainer" else fenced).strip()
        assert rules["content"].startswith(role.upper()) and told in rules["content"]


async def test_a_small_model_is_not_asked_whether_a_request_is_clear(pipeline_with, script):
    """It refuses clear ones."""
    vague = {"role": "intake", "reply": '{"verdict": "vague", "reason": "No.", "missing": []}'}
    small = script(vague, coder([RIGHT]), EXPLAINED, name="tiny-0.5b")
    names = {f"{role}_MODEL_NAME": small for role in ("CODER", "JUDGE", "REVIEWER")}
    async with drafting(pipeline_with, **names) as run:
        answer = await code(run, instruction=ASKED)
    assert answer["success"] and answer["code"] == RIGHT


async def test_a_small_model_s_warnings_are_not_passed_on(pipeline_with, script):
    """It warns of what the request's own example refutes, and is asked for none: it would go on
    about them in its explanation."""
    warned = explainer(warnings=["It fails for 5."], prompt="no advice")
    small = script(CLEAR, coder([RIGHT]), warned, name="tiny-0.5b")
    names = {f"{role}_MODEL_NAME": small for role in ("CODER", "JUDGE", "REVIEWER")}
    async with drafting(pipeline_with, **names) as run:
        answer = await code(run, instruction=ASKED)
    assert answer["success"] and answer["warnings"] == []
    assert answer["explanation"] == EXPLANATION


async def test_a_small_model_is_not_shown_what_fails(pipeline_with, script, calls):
    """Neither as the reviewer nor where more confidence is wanted: it would repeat the program."""
    small = script(CLEAR, coder([WRONG, HALF]), EXPLAINED, name="tiny-0.5b")
    names = {f"{role}_MODEL_NAME": small for role in ("CODER", "JUDGE", "REVIEWER")}
    async with drafting(pipeline_with, **names, MAX_DRAFTS=2) as run:
        answer = await code(run, instruction=ASKED, max_attempts=3)
    assert answer["code"] == HALF and f"{FAILS[0].upper()}{FAILS[1:]}." in answer["warnings"]
    assert len({str(call.messages) for call in calls}) == 1
    assert [call.temperature for call in calls] == [0.0, 0.8, 0.8]
    assert "drew 3 drafts itself" in run.record["final_reason"]
    assert run.record["escalated"] and run.record["reviewer_output"] is None


async def test_tests_of_the_request_are_evidence_like_its_examples(pipeline_with, calls):
    """What fails one is drawn again; where all pass and one is compared, nobody is asked."""
    async with drafting(pipeline_with, coder([WRONG, RIGHT])) as run:
        request = read_code_request(asked(instruction="adds two numbers", tests=TESTS))
        running = run.scheduler.submit(request_of(request))
        drawn = [event async for event in running.events() if event["event"] == "draft"]
        answer = answer_of(running.result)
    assert (answer["code"], answer["confidence"]) == (RIGHT, 0.9)
    assert [event["why"] for event in drawn] == ["evidence: the test test_add fails"]
    assert len(calls) == 2 and "judge" not in stages(run.record)
    assert run.record["final_reason"] == "not judged: the request's tests pass"


@pytest.mark.parametrize(
    ("fields", "settings"),
    [
        ({}, {"JUDGE_WHEN": "always"}),
        ({"min_confidence": 0.9}, {}),
        ({"constraints": ["short names"]}, {}),
        ({"request_type": "refactor", "code": "def add(a, b):\n    return b + a\n"}, {}),
    ],
    ids=["settings", "more confidence", "constraints", "refactor"],
)
async def test_the_judge_is_asked_of_what_running_does_not_show(pipeline_with, fields, settings):
    """Rules of the caller's and how good a structure is are no matter of examples; and where the
    settings want it always, or the caller wants to be surer than examples are."""
    async with drafting(pipeline_with, coder(RIGHT), judge(10), **settings) as run:
        answer = await code(run, instruction=ASKED, **fields)
    assert answer["confidence"] == 0.94 and "judge" in stages(run.record)
    assert run.record["final_reason"] is None


async def test_no_more_is_drawn_than_the_caller_allows(pipeline_with, calls):
    """`max_attempts` counts the drafts of all kinds."""
    review = {"role": "reviewer", "reply": RIGHT}
    async with drafting(pipeline_with, coder(WRONG), review) as run:
        answer = await code(run, instruction=ASKED, max_attempts=1)
    assert answer["code"] == RIGHT and len(calls) == 1


async def test_another_code_with_the_same_instruction_is_no_repetition(pipeline_with, calls):
    """In one session; the very same request is drawn anew."""
    async with drafting(pipeline_with, coder(RIGHT), judge()) as run:
        for text in (WRONG, HALF, HALF):
            await code(run, request_type="debug", instruction=ASKED, code=text, session="s")
    assert [call.temperature for call in calls] == [0.0, 0.0, 0.8]


@pytest.mark.parametrize(
    ("kind", "reply"), [("test", TESTS), ("explain", f"# It subtracts.\n{WRONG}")]
)
async def test_what_others_wrote_is_no_reason_to_draw_again(pipeline_with, calls, kind, reply):
    """A test file defines nothing that the instruction's examples could call; comments cannot mend
    the code that fails them, or its tests."""
    given = {"tests": TESTS} if kind == "explain" else {}
    rules = (coder([reply, "x = 1"]), judge(), {"role": "reviewer", "reply": reply})
    async with drafting(pipeline_with, *rules) as run:
        answer = await code(run, request_type=kind, instruction=ASKED, code=WRONG, **given)
    assert answer["code"] == reply and len(calls) == 1
    assert not any("example" in each for each in answer["warnings"])


TYPED = "def add(a: int, b: int) -> int:\n    return {}\n"
PLUS, ALSO_PLUS, MINUS = (TYPED.format(each) for each in ("a + b", "sum((a, b))", "a - b"))
OPEN = "Write a function add of two numbers."
NO_TESTS = coder("NONE", prompt="Do not write the code")


ALONE = {"COMPARE_DRAFTS": "off"}


async def test_without_examples_drafts_that_do_the_same_need_no_opinion(pipeline_with, calls):
    """As in the default mode, from /code's own prompt; the record has what they were called
    with."""
    async with drafting(pipeline_with, coder([PLUS, ALSO_PLUS])) as run:
        answer = await code(run, instruction=OPEN)
    assert (answer["code"], answer["confidence"]) == (PLUS, 0.85)
    assert calls[0].messages == calls[1].messages and len(calls) == 2
    why = "2 of 2 drafts agree on 20 calls"
    assert run.record["final_reason"] == f"not judged: {why}" and not run.record["escalated"]
    made = run.record["artefact"]
    assert made["chosen_because"] == why and len(made["agreement"]["calls"]) == 20
    assert [each["made_of"] for each in made["attempts"]] == [[why], []]


async def test_drafts_that_differ_are_told_apart_by_tests_and_the_doubt_is_said(
    pipeline_with, script, calls
):
    """The tests are asked for in the conversation that the coder has read. A small model neither
    judges nor reviews what its own drafts left open: the answer says in what they differ."""
    written = "1. assert add(1, 2) == 3\n2. assert add(0, 5) == 5\n3. assert add(2, 2) == 4"
    tests = coder(written, prompt="Do not write the code")
    small = script(CLEAR, tests, coder([MINUS, PLUS]), EXPLAINED, name="tiny-0.5b")
    names = {f"{role}_MODEL_NAME": small for role in ("CODER", "JUDGE", "REVIEWER")}
    async with drafting(pipeline_with, **names) as run:
        answer = await code(run, instruction=OPEN)
    assert (answer["code"], answer["confidence"]) == (PLUS, 0.5)
    assert "judge" not in stages(run.record) and "reviewer" not in stages(run.record)
    assert run.record["escalation_reason"].startswith("undecided: ")
    assert any(each.startswith("add(") and "other drafts" in each for each in answer["warnings"])
    made = run.record["artefact"]["chosen_because"]
    assert "3 of 3 model-written tests pass" in made
    [asked_tests] = [call for call in calls if "Do not write the code" in str(call.messages)]
    head = calls[0].messages[-1]["content"]
    assert asked_tests.messages[0] == calls[0].messages[0]
    assert asked_tests.messages[1]["content"].startswith(head)


async def test_what_three_drafts_leave_open_is_judged_with_what_they_do(pipeline_with, calls):
    """Constraints are judged whatever the drafts do."""
    seen = judge(9, prompt="2 of 3 drafts agree")
    async with drafting(pipeline_with, NO_TESTS, coder([MINUS, PLUS, ALSO_PLUS]), seen) as run:
        answer = await code(run, instruction=OPEN)
    assert (answer["code"], answer["confidence"]) == (PLUS, 0.9)
    assert any(each.startswith("add(") and "other drafts" in each for each in answer["warnings"])
    rules = (coder([PLUS, ALSO_PLUS]), judge(7))
    async with drafting(pipeline_with, *rules) as run:
        answer = await code(run, instruction=OPEN, constraints=["short names"])
    assert (answer["confidence"], stages(run.record).count("judge")) == (0.7, 1)


async def test_a_repair_that_does_what_the_code_did_is_drawn_again(pipeline_with, calls):
    """However it is written; where none does otherwise, the answer says so and is worth less."""
    same = MINUS.replace("a - b", "-b + a")
    rules = (coder([same, PLUS]), judge())
    async with drafting(pipeline_with, *rules, **ALONE) as run:
        answer = await code(run, request_type="debug", instruction="It is wrong.", code=MINUS)
    assert answer["code"] == PLUS and len(calls) == 2
    failing = {"role": "reviewer", "fault": "failed"}
    async with drafting(pipeline_with, coder(same), failing, MAX_DRAFTS=2) as run:
        answer = await code(run, request_type="debug", instruction="It is wrong.", code=MINUS)
    assert (answer["success"], answer["confidence"]) == (True, 0.45)
    assert "It still does what the original code did, in all 12 calls." in answer["warnings"]


async def test_a_moved_line_is_nothing_that_a_repair_does_otherwise(pipeline_with, calls):
    """Where an exception was raised is not what it says."""
    before = (
        "def at(xs: list[int], i: int) -> int:\n"
        "    if not 0 <= i < len(xs):\n        raise IndexError('no')\n    return xs[i - 1]\n"
    )
    same = before.replace("    if", "    # The place is checked.\n    if")
    same = same.replace("xs[i - 1]", "xs[-1 + i]")
    right = before.replace("xs[i - 1]", "xs[i]")
    async with drafting(pipeline_with, coder([same, right]), judge(), **ALONE) as run:
        answer = await code(run, request_type="debug", instruction="It is wrong.", code=before)
    assert answer["code"] == right and len(calls) == 2


@pytest.mark.parametrize("body", ["print(a)", "return a['x']"])
async def test_calls_that_say_nothing_are_no_word_against_a_repair(pipeline_with, calls, body):
    """What only prints gives the same always; so does what no generated call fits."""
    before = f"def show(a):\n    {body}\n"
    after = before.replace(body, f"a = a\n    {body}")
    async with drafting(pipeline_with, coder(after), judge(), **ALONE) as run:
        answer = await code(run, request_type="debug", instruction="It is wrong.", code=before)
    assert answer["code"] == after and len(calls) == 1


SIZE = "def size(xs: list[int]) -> int:\n    return len(xs)\n"
UNSEEN = {
    "a class": (SIZE + "class Twice:\n    def of(self, n):\n        return {}\n", "n + 1", "2 * n"),
    "async": (SIZE + "async def next_of(n):\n    return {}\n", "n - 1", "n + 1"),
    "no call fits": (SIZE + "def name(user):\n    return user[{}]\n", "'nmae'", "'name'"),
    "the program": (SIZE + "if __name__ == '__main__':\n    print({})\n", "size(1)", "size([1])"),
    "the arguments": (
        "def down(xs: list[int]) -> None:\n"
        "    if not xs:\n        raise ValueError('empty')\n    xs.sort({})\n",
        "",
        "reverse=True",
    ),
    "a keyword": (
        "def keep(x: int, *, least: int = 0) -> int:\n    return x if not least else {}\n",
        "x",
        "max(x, least)",
    ),
    "the message": (
        "def at(xs: list[int], i: int) -> int:\n"
        "    if not 0 <= i < len(xs):\n        raise IndexError({})\n    return xs[i]\n",
        "'no'",
        "f'no place {i}'",
    ),
    "what is printed": (
        "def told(n: int) -> int:\n    print({})\n    return n\n",
        "n + 1",
        "n",
    ),
}


@pytest.mark.parametrize(("frame", "wrong", "right"), UNSEEN.values(), ids=UNSEEN)
async def test_what_calls_do_not_reach_is_no_word_against_a_repair(
    pipeline_with, calls, frame, wrong, right
):
    """They speak of the functions that they call, of what these return and raise; what a repair
    changed anywhere else shows in none."""
    before, after = frame.format(wrong), frame.format(right)
    async with drafting(pipeline_with, coder(after), judge(), **ALONE) as run:
        answer = await code(run, request_type="debug", instruction="It is wrong.", code=before)
    assert (answer["code"], answer["confidence"], len(calls)) == (after, 0.9, 1)


async def test_a_draft_that_nobody_judged_is_judged_when_it_comes_again(pipeline_with, calls):
    """What was drawn to compare has no verdict, and does not win by that against a judged one."""
    rules = (coder([PLUS, ALSO_PLUS]), judge(3), {"role": "reviewer", "fault": "failed"})
    async with drafting(pipeline_with, *rules) as run:
        answer = await code(run, instruction=OPEN, min_confidence=0.9)
    assert (answer["code"], answer["confidence"]) == (PLUS, 0.3)
    assert run.record["escalated"] and stages(run.record).count("judge") == 2
    assert [each["confidence"] for each in run.record["artefact"]["attempts"]] == [0.3, 0.3]


MEAN = "def mean(xs: list[int]) -> float:\n    return {}\n\n\n"


async def test_repairs_are_not_compared_by_a_function_that_they_left_alone(pipeline_with, calls):
    """That both give the same there decides nothing: the judge is asked of the first. One that the
    request names is called."""
    wrong, half, right = (
        MEAN.format(f"sum(xs){each}") + SIZE for each in ("", " / 2", " / max(1, len(xs))")
    )
    async with drafting(pipeline_with, coder([half, right]), judge(9)) as run:
        answer = await code(run, request_type="debug", instruction="It is wrong.", code=wrong)
    assert (answer["code"], answer["confidence"], len(calls)) == (half, 0.9, 1)
    assert run.record["final_reason"] is None
    named = {"request_type": "debug", "instruction": "mean gives wrong values.", "code": wrong}
    async with drafting(pipeline_with, NO_TESTS, coder([half, right, right]), judge(9)) as run:
        answer = await code(run, **named)
    assert answer["code"] == right
    assert any(each.startswith("mean([") for each in answer["warnings"])


@pytest.mark.skipif(shutil.which("node") is None, reason="there is no Node")
async def test_a_class_beside_a_called_function_is_no_word_against_a_script(pipeline_with, calls):
    """In JavaScript as in Python; and a function that calls reach, is, where nothing changed."""
    half = "/** @param {{number}} n */\nexport function half(n) {{ return {}; }}\n"
    twice = "class Twice {{ of(n) {{ return {}; }} }}\n"
    before = half.format("n / 2") + twice.format("n + 1")
    fields = {"request_type": "debug", "language": "js", "instruction": "It is wrong."}
    for mended, drawn in (
        (half.format("n / 2") + twice.format("2 * n"), 1),
        (half.format("0.5 * n") + twice.format("n + 1"), 5),
    ):
        failing = {"role": "reviewer", "fault": "failed"}
        async with drafting(pipeline_with, coder(mended), judge(), failing, **ALONE) as run:
            await code(run, **fields, code=before)
        assert len(calls) == drawn
        calls.clear()


NINE = "total([1, 1, 1, 1, 1, 1, 1, 1, 1]) == 9"


@pytest.mark.parametrize(
    "fields",
    [
        {"instruction": f"Long lists: {NINE}"},
        {"instruction": "It is wrong.", "tests": f"def test_a():\n    assert {NINE}\n"},
    ],
    ids=["examples", "tests"],
)
async def test_what_the_caller_gave_tells_whether_a_repair_mends_it(pipeline_with, calls, fields):
    """Where the code fails it and the repair does not, generated calls need not show the fault."""
    before = "def total(xs: list[int]) -> int:\n    return sum(xs[:8])\n"
    after = before.replace("[:8]", "")
    async with drafting(pipeline_with, coder(after)) as run:
        answer = await code(run, request_type="debug", code=before, **fields)
    assert answer["code"] == after and answer["confidence"] >= 0.85 and len(calls) == 1
    assert not any("still does" in each for each in answer["warnings"])


IN_WORDS = "Write add(a, b). Adding 1 and 2 makes 3."


@pytest.mark.parametrize("drafts", [[WRONG, RIGHT], [WRONG, HALF, WRONG]])
async def test_examples_that_a_model_reads_decide_too(pipeline_with, drafts):
    """In words that no rule reads: the draft that holds them is the answer, and where none does,
    that is a warning."""
    read = {"role": "coder", "prompt": "Copy the examples", "reply": "1. assert add(1, 2) == 3"}
    no_tests = {"role": "coder", "prompt": "tests of it, a line each", "reply": "NONE"}
    settings = {"COMPARE_DRAFTS": "auto", "MAX_DRAFTS": len(drafts)}
    rules = read, no_tests, coder(drafts), judge(5)
    async with drafting(pipeline_with, *rules, **settings) as run:
        answer = await code(run, instruction=IN_WORDS)
    held = RIGHT in drafts
    assert answer["code"] == (RIGHT if held else WRONG)
    assert (answer["confidence"] >= 0.85) is held
    told = "not all examples that a model found in the request pass: add(1, 2) → 3."
    assert (told in answer["warnings"]) is not held
    examples = run.record["artefact"]["read_examples"]
    assert examples == [{"test": "add(1, 2) → 3", "held_by": [2] if held else []}]


async def test_a_later_attempt_is_held_against_them_as_well(pipeline_with, script):
    """A large model is told what does not hold; the attempt that holds it is the answer. One that
    would loop when greedy is asked at its lowest temperature, and the record says so."""
    read = {"role": "coder", "prompt": "Copy the examples", "reply": "1. assert add(1, 2) == 3"}
    no_tests = {"role": "coder", "prompt": "tests of it, a line each", "reply": "NONE"}
    told = {"role": "coder", "prompt": "not all examples that a model found", "reply": RIGHT}
    rules = read, no_tests, told, coder(WRONG), judge(5)
    names = {"CODER_MODEL_NAME": script(CLEAR, *rules, EXPLAINED, name="deepseek-r1-7b")}
    async with drafting(pipeline_with, *rules, **names, COMPARE_DRAFTS="auto", MAX_DRAFTS=2) as run:
        answer = await code(run, instruction=IN_WORDS, max_attempts=3)
    assert answer["code"] == RIGHT and answer["confidence"] >= 0.85
    made = run.record["artefact"]
    assert [each["temperature"] for each in made["drafts"]] == [0.6, 0.8, 0.6]
    assert [each["chosen"] for each in made["drafts"]] == [False, False, True]
    assert made["read_examples"] == [{"test": "add(1, 2) → 3", "held_by": [3]}]
    assert open_questions(run.record) == []


async def test_an_attempt_that_holds_them_is_worth_more_than_one_that_is_judged_better(
    pipeline_with,
):
    """However sure the judge is of the other, which is told of what does not hold; also where the
    same program comes again."""
    read = {"role": "coder", "prompt": "Copy the examples", "reply": "1. assert add(1, 2) == 3"}
    no_tests = {"role": "coder", "prompt": "tests of it, a line each", "reply": "NONE"}
    scores = {"role": "judge", "verdict": [5, 1, "So so."]}, judge(10)
    rules = read, no_tests, coder([RIGHT, WRONG, WRONG]), *({**each, "times": 1} for each in scores)
    async with drafting(pipeline_with, *rules, COMPARE_DRAFTS="auto", MAX_DRAFTS=5) as run:
        answer = await code(run, instruction=IN_WORDS, max_attempts=3, min_confidence=0.99)
    assert answer["code"] == RIGHT
    assert not any("examples" in each for each in answer["warnings"])
