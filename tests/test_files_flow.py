"""`///files` on scripted models: every branch of the flow."""

import asyncio
import json
import shutil
import sys
from itertools import pairwise

import pytest
from projects import BAD, BOTH, CLI, CORE, GOOD, PROMPT, TEST, THREE, TWO, plan, row, writes
from recorded import stages
from temperatures import record_temperatures

from laios.git_patch import read_patch
from pipeline.errors import BadRequest, Cancelled, ModelFailed, ModelNotFound, ModelUnreachable
from pipeline.projects.inspection import NO_TIME

needs_sandbox = pytest.mark.skipif(
    shutil.which("bwrap") is None, reason="the sandbox needs bubblewrap"
)


def metrics(record):
    return record["artefact"]["metrics"]


# --- the plan ----------------------------------------------------------------------------------


async def test_a_project_is_planned_and_written_file_by_file(pipeline_with):
    """The output is a patch of all files; plan, files and measures are in the record."""
    async with pipeline_with(TWO, *BOTH, GOOD) as run:
        output = await run(PROMPT)
    assert read_patch(output) == {"core.py": CORE, "cli.py": CLI}
    assert output.startswith("# Project calc: 2 of 2 files\n# Setup:\n#   python cli.py\n")
    record = run.record
    assert stages(record) == [
        "manifest",
        "coder core.py",
        "coder cli.py",
        "checks written",
        "sandbox programs",
        "judge",
    ]
    assert (record["mode"], record["final_source"]) == ("code_files", "coder")
    artefact = record["artefact"]
    assert artefact["manifest_rung"] == "read"
    first = artefact["manifest"]["files"][0]
    assert (first["semantic_unit_id"], first["component_id"]) == ("SU-001", "COMP-001")
    assert artefact["manifest"]["task_id"] == record["id"]
    assert artefact["manifest"]["total_files"] == 2
    written = artefact["files"][1]
    assert (written["path"], written["status"], written["lines"]) == ("cli.py", "written", 3)
    assert written["calls"] == 1 and written["output_tokens"] > 0
    assert metrics(record)["consistent"] and metrics(record)["lint_clean"]
    assert metrics(record)["calls"] == 4


async def test_a_file_is_shown_the_plan_and_the_signatures_of_what_it_uses(pipeline_with):
    """Not the text of the other files: their bodies stay out of the prompt."""
    body = "def add(a, b):\n    secret = a + b\n    return secret\n"
    shown = writes("cli.py", CLI)
    shown["prompt"] = (
        r"(?s)\A(?!.*secret).*core\.py \(source\): what belongs in core\.py\n  exports: add\(a, b\)"
        r".*--- core\.py ---\ndef add\(a, b\): \.\.\..*The file to write: cli\.py "
    )
    async with pipeline_with(TWO, writes("core.py", body), shown, GOOD) as run:
        assert read_patch(await run(PROMPT))["cli.py"] == CLI


async def test_independent_files_are_written_side_by_side(pipeline_with):
    """And one that uses others begins when those are done."""
    rows = [row(f"f{n}.py") for n in range(6)]
    last = row("last.py", *(f"f{n}.py" for n in range(6)))
    slow = {"role": "coder", "reply": "x = 1\n", "delay_ms": 150}
    async with pipeline_with(plan(*rows, last), slow, GOOD) as run:
        await run(PROMPT)
    steps = [step for step in run.record["steps"] if step["stage"] == "coder"]
    ends = [step["started_ms"] + step["duration_ms"] for step in steps]
    assert steps[-1]["label"] == "last.py"
    assert steps[-1]["started_ms"] >= max(ends[:-1])
    assert max(step["started_ms"] for step in steps[:-1]) < min(ends)
    assert metrics(run.record)["write_alone_ms"] > 1.5 * metrics(run.record)["write_ms"]


async def test_one_call_at_a_time_where_the_backend_bears_no_more(pipeline_with):
    """MAX_CONCURRENT_RUNS bounds the calls of a run as well."""
    rows = [row(f"f{n}.py") for n in range(3)]
    slow = {"role": "coder", "reply": "x = 1\n", "delay_ms": 20}
    async with pipeline_with(plan(*rows), slow, GOOD, MAX_CONCURRENT_RUNS=1) as run:
        await run(PROMPT)
    steps = [step for step in run.record["steps"] if step["stage"] == "coder"]
    assert all(b["started_ms"] >= a["started_ms"] + a["duration_ms"] for a, b in pairwise(steps))


@pytest.mark.parametrize(
    ("reply", "rung"),
    [
        ("```json\n{}\n```", "read"),
        ("Here is the plan:\n{}\nGood luck!", "mended"),
        ("{},", "mended"),
    ],
)
async def test_a_damaged_plan_is_mended_without_asking_again(pipeline_with, reply, rung):
    """The record says so: the raw answer, what was wrong with it, and the rung."""
    reply = reply.replace("{}", TWO["reply"].replace(', "total_files"', ',\n"total_files"'))
    async with pipeline_with({"role": "manifest", "reply": reply}, *BOTH, GOOD) as run:
        await run(PROMPT)
    assert run.record["artefact"]["manifest_rung"] == rung
    step = run.record["steps"][0]
    assert metrics(run.record)["json_read_at_once"] is (rung == "read")
    assert (step["raw"] == reply, bool(step["note"])) == ((rung == "mended",) * 2)
    assert stages(run.record).count("manifest") == 1


CUT = TWO["reply"][: TWO["reply"].index('{"file_path": "cli')].rstrip(", ")
UNREADABLE = [
    "I cannot do that.",
    CUT,  # mended it would be a plan of one file
    '{"files": []}',
    '{"files": [{"file_path": "../evil", "description": "x"}], "total_files": 1}',
    '{"files": [1]}',
    json.dumps({"files": [row(f"f{n}.py") for n in range(41)]}),
    '{"a": "' + "x" * 9000,
    TWO["reply"].replace('"dependencies": []', '"dependencies": {"a": 1}'),
]


@pytest.mark.parametrize("reply", UNREADABLE, ids=range(len(UNREADABLE)))
async def test_a_plan_that_cannot_be_used_is_asked_for_again(pipeline_with, reply):
    """With what was wrong; half a plan is never taken for a whole one."""
    first = {"role": "manifest", "reply": reply, "times": 1}
    told = TWO | {"prompt": "That could not be used"}
    async with pipeline_with(first, told, *BOTH, GOOD) as run:
        assert list(read_patch(await run(PROMPT))) == ["core.py", "cli.py"]
    assert run.record["artefact"]["manifest_rung"] == "asked again"
    assert run.record["steps"][0]["error"]["code"] == "unreadable"


async def test_a_plan_that_was_cut_off_is_not_mended(pipeline_with):
    """Its end cannot be guessed."""
    cut = {"role": "manifest", "reply": TWO["reply"][:-1], "finish_reason": "length", "times": 1}
    async with pipeline_with(cut, TWO, *BOTH, GOOD) as run:
        await run(PROMPT)
    assert run.record["artefact"]["manifest_rung"] == "asked again"


async def test_without_any_plan_the_run_fails(pipeline_with):
    """The message says why and what helps."""
    async with pipeline_with({"role": "manifest", "reply": "no"}) as run:
        with pytest.raises(ModelFailed, match=r"no plan of the project.*Ask for less"):
            await run(PROMPT)
    assert run.record["final_output"] is None


async def test_a_planner_that_is_away_is_that_error(pipeline_with):
    """Typed, as everywhere."""
    async with pipeline_with({"role": "manifest", "fault": "unreachable"}) as run:
        with pytest.raises(ModelUnreachable):
            await run(PROMPT)


async def test_the_starter_cannot_plan_and_says_so(pipeline_with):
    """It is never shown the prompt; the error is the same as in other modes that it cannot do."""
    async with pipeline_with({}, REVIEWER_MODEL_NAME="local/starter") as run:
        with pytest.raises(ModelNotFound, match=r"cannot do this.*models pull"):
            await run(PROMPT)
    async with pipeline_with(TWO, CODER_MODEL_NAME="local/starter") as run:
        with pytest.raises(ModelNotFound, match="models pull"):
            await run(PROMPT)


# --- one file ----------------------------------------------------------------------------------

FAULTS = {
    "empty": ({"reply": " "}, "nothing"),
    "thinking only": ({"reply": "", "thinking": "hm"}, "thinking only"),
    "cut off": ({"reply": CLI, "finish_reason": "length"}, "cut off"),
    "broken": ({"reply": "def f(:\n"}, "syntax error at line 1"),
    "failed": ({"fault": "failed"}, "told to be failed"),
    "torn": ({"fault": "cut", "reply": CLI}, "last frame"),
    "an empty fence": ({"reply": "```python\n```"}, "it is empty"),
    "too long a prompt": ({"fault": "too_long"}, "too_long"),
}


@pytest.mark.parametrize(("fault", "said"), FAULTS.values(), ids=FAULTS)
async def test_a_file_that_goes_wrong_is_asked_for_once_more(pipeline_with, fault, said):
    """With what was wrong; the second answer is the file."""
    wrong = {"role": "coder", "prompt": "to write: cli", "times": 1} | fault
    told = writes("cli.py", CLI)
    told["prompt"] = rf"(?s){said}.*to write: cli\.py"
    async with pipeline_with(TWO, writes("core.py", CORE), wrong, told, GOOD) as run:
        assert read_patch(await run(PROMPT)) == {"core.py": CORE, "cli.py": CLI}
    assert stages(run.record).count("coder cli.py") == 2
    if said in ("cut off", "it is empty"):
        unused = next(step for step in run.record["steps"] if step["label"] == "cli.py")
        assert unused["raw"] == fault["reply"]
    assert not run.record["escalated"]


async def test_a_prompt_that_is_too_long_takes_nothing_from_other_files(pipeline_with):
    """The second try at a file that uses another still has its signatures."""
    long = {"role": "coder", "prompt": "to write: core", "times": 1, "fault": "too_long"}
    empty = {"role": "coder", "prompt": "to write: cli", "times": 1, "reply": " "}
    told = writes("cli.py", CLI)
    told["prompt"] = r"(?s)--- core\.py ---\ndef add.*to write: cli\.py"
    async with pipeline_with(TWO, long, writes("core.py", CORE), empty, told, GOOD) as run:
        assert read_patch(await run(PROMPT)) == {"core.py": CORE, "cli.py": CLI}


async def test_one_file_that_fails_does_not_lose_the_others(pipeline_with):
    """The answer holds the others and says which is missing; so does the record."""
    rules = [TWO, writes("core.py", fault="failed"), writes("cli.py", CLI)]
    async with pipeline_with(*rules, {"role": "reviewer", "fault": "failed"}) as run:
        output = await run(PROMPT)
    assert read_patch(output) == {"cli.py": CLI}
    assert "# Project calc: 1 of 2 files\n# MISSING core.py: " in output
    record = run.record
    assert record["escalation_reason"] == "evidence: 1 of 2 files are missing"
    assert record["final_reason"] == "unreviewed: reviewer failed (model_failed)"
    assert list(record["artefact"]["failed"]) == ["core.py"]
    assert metrics(record)["files_failed"] == 1
    assert record["judge"] is None  # what is not there needs no opinion
    assert [f["status"] for f in record["artefact"]["files"]] == ["failed", "written"]


async def test_the_reviewer_writes_a_file_that_is_missing(pipeline_with):
    """Escalation goes to the files concerned alone."""
    rules = [TWO, writes("core.py", fault="failed"), writes("cli.py", CLI)]
    async with pipeline_with(*rules, writes("core.py", CORE, role="reviewer"), GOOD) as run:
        assert read_patch(await run(PROMPT)) == {"core.py": CORE, "cli.py": CLI}
    record = run.record
    assert [s for s in stages(record) if s.startswith("reviewer")] == ["reviewer core.py"]
    assert (record["final_source"], record["reviewer_judge"]["confidence_score"]) == ("reviewer", 9)


async def test_a_backend_that_is_away_ends_the_run_with_that_error(pipeline_with):
    """It is not asked for every file again."""
    rows = [row(f"f{n}.py", *([f"f{n - 1}.py"] if n else [])) for n in range(9)]
    gone = {"role": "coder", "fault": "unreachable"}
    async with pipeline_with(plan(*rows), gone) as run:
        with pytest.raises(ModelUnreachable):
            await run(PROMPT)
    assert stages(run.record).count("coder f0.py") == 1
    assert "coder f8.py" not in stages(run.record)


async def test_files_that_only_mark_a_directory_cost_no_call(pipeline_with):
    """An __init__.py that exports nothing is empty."""
    rows = [row("p/__init__.py"), row("p/a.py")]
    async with pipeline_with(plan(*rows), writes("p/a.py", "x = 1\n"), GOOD) as run:
        assert read_patch(await run(PROMPT)) == {"p/__init__.py": "", "p/a.py": "x = 1\n"}
    assert metrics(run.record)["calls"] == 3


async def test_texts_that_break_naive_formats_come_through(pipeline_with):
    """From the model's reply to the patch: not one byte is another."""
    odd = {
        "a.txt": 'a\r\n"""\\n```\n===\n',
        "b.txt": "no newline",
        "c.patch": "diff --git a/x b/x\n--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+é\n",
        "d.txt": "".join(f"漢{number}\n" for number in range(20_000)),
    }
    rules = [writes(path, text) for path, text in odd.items()]
    async with pipeline_with(plan(*map(row, odd)), *rules, GOOD) as run:
        assert read_patch(await run(PROMPT)) == odd


# --- consistency -------------------------------------------------------------------------------


async def test_findings_go_back_to_the_file_that_caused_them(pipeline_with):
    """With its present text; the others are not asked for again."""
    wrong = "from core import sub\n\nprint(sub(1, 2))\n"
    told = writes("cli.py", CLI)
    told["prompt"] = r"(?s)print\(sub.*core\.py does not define sub.*to write: cli\.py"
    rules = [TWO, writes("core.py", CORE), told, writes("cli.py", wrong), GOOD]
    async with pipeline_with(*rules) as run:
        assert read_patch(await run(PROMPT))["cli.py"] == CLI
    record = run.record
    assert stages(record).count("coder core.py") == 1
    rounds = record["artefact"]["rounds"]
    assert [(r["round"], r["serious"]) for r in rounds] == [("written", 1), ("revised 1", 0)]
    assert rounds[1]["changed"] == ["cli.py"]
    assert not record["escalated"]


async def test_there_are_two_rounds_at_most_and_the_best_text_stays(pipeline_with):
    """A revision with more faults is not taken; what remains escalates, whatever a judge says."""
    one, two = "print(x)\n", "print(x, y)\n"
    rules = [TWO, writes("core.py", CORE), writes("cli.py", one, two, two), GOOD]
    async with pipeline_with(*rules, {"role": "reviewer", "fault": "failed"}) as run:
        assert read_patch(await run(PROMPT))["cli.py"] == one
    record = run.record
    assert stages(record).count("coder cli.py") == 3
    assert record["escalation_reason"] == "evidence: 1 faults (lint)"
    assert record["evidence"][0] == {
        "stage": "coder",
        "kind": "consistency",
        "detail": "cli.py line 1: undefined name 'x'",
    }
    assert record["judge"]["confidence_score"] == 9


async def test_a_revision_that_does_not_parse_is_not_taken(pipeline_with):
    """The file that was there was at least whole."""
    rules = [TWO, writes("core.py", CORE), writes("cli.py", "print(x)\n", "def f(:\n")]
    async with pipeline_with(*rules, GOOD, {"role": "reviewer", "fault": "failed"}) as run:
        assert read_patch(await run(PROMPT))["cli.py"] == "print(x)\n"


async def test_what_is_unused_is_put_right_or_passes(pipeline_with):
    """It is told to the writer and never escalates."""
    texts = ("import os\n" + CLI,) * 3
    rules = [TWO, writes("core.py", CORE), writes("cli.py", *texts), GOOD]
    async with pipeline_with(*rules) as run:
        await run(PROMPT)
    assert not run.record["escalated"]
    assert metrics(run.record)["lint_clean"] is False
    assert metrics(run.record)["consistent"] is True


async def test_what_a_model_did_not_put_right_is_written_again_unseen(pipeline_with, monkeypatch):
    """First it is shown the fault; the second round begins afresh, varied."""
    asked = record_temperatures(monkeypatch)
    broken = "print(missing)\n"
    shown = writes("cli.py", broken) | {"prompt": r"(?s)undefined name.*to write: cli\.py"}
    once = writes("cli.py", broken) | {"times": 1}
    rules = [TWO, writes("core.py", CORE), shown, once, writes("cli.py", CLI)]
    async with pipeline_with(*rules, GOOD) as run:
        assert read_patch(await run(PROMPT))["cli.py"] == CLI
    rounds = [s["round"] for s in run.record["steps"] if s["label"] == "cli.py"]
    assert rounds == [1, 2, 3] and not run.record["escalated"]
    assert [t for _, label, t in asked if label == "cli.py"] == [0.0, 0.0, 0.8]


async def test_forgotten_imports_are_put_in(pipeline_with):
    """By rules, without a model: those of the standard library and of the project's own files. What
    the plan gives to a file, and the name of one, are not taken for the library's."""
    exports = ["Counter(path: Path) -> re"]
    one = plan(row("statistics.py"), row("core.py", exports=exports), row("cli.py", "core.py"))
    forgot = "def tidy(text):\n    return re.sub(' +', ' ', text)\n\n\nclass Counter:\n    pass\n"
    own = "def tidied():\n    return statistics.tidy()\n"
    rules = [
        one,
        writes("statistics.py", own),
        writes("core.py", forgot),
        writes("cli.py", "print(Counter())\n"),
    ]
    async with pipeline_with(*rules, GOOD) as run:
        files = read_patch(await run(PROMPT))
    assert files["statistics.py"] == own
    assert files["core.py"] == f"import re\n\n{forgot}"
    assert files["cli.py"] == "from core import Counter\n\nprint(Counter())\n"
    notes = {step["label"]: step["note"] for step in run.record["steps"] if step["note"]}
    assert notes["core.py"] == "missing imports put in: import re"
    assert notes["imports put in"] == "cli.py: from core import Counter"


@pytest.mark.parametrize(
    ("prompt", "path", "told"),
    [
        (PROMPT, "test_core.py", "Tests use unittest, and no package"),
        (f"{PROMPT} with pytest", "test_core.py", None),
        (PROMPT, "core.test.js", "Tests use node:test, and no package"),
        (PROMPT, "test_core.rb", None),
    ],
)
async def test_a_test_is_written_with_what_the_language_has(pipeline_with, prompt, path, told):
    """Tests that need packages could not be run; who asks for another tool gets it."""
    rows = plan(row("core.py"), row(path, "core.py") | {"file_type": "test"})
    text = "x = 1\n"
    asked = writes(path, text)
    if told:
        asked["prompt"] = rf"(?s)to write: {path}.*{told}"
    else:
        asked["prompt"] = rf"(?s)\A(?!.*Tests use).*to write: {path}"
    async with pipeline_with(rows, writes("core.py", CORE), asked, GOOD) as run:
        assert read_patch(await run(prompt))[path] == text


@pytest.mark.parametrize(
    ("prompt", "setup", "path", "told"),
    [
        (PROMPT, "python cli.py", "cli.py", True),
        (f"{PROMPT}: `core.py add 1 2`", "", "core.py", True),
        (f"{PROMPT}: `core.py` has add()", "python cli.py", "core.py", False),
    ],
    ids=["by the plan", "by the request", "a module"],
)
async def test_a_program_s_writer_knows_that_it_is_one(pipeline_with, prompt, setup, path, told):
    """Where the request or the plan shows the command; a small model writes functions alone."""
    rows = plan(row("core.py"), row("cli.py", "core.py"), setup_instructions=setup)
    knows = "(?=.*It is a program)" if told else "(?!.*It is a program)"
    texts = {"core.py": CORE, "cli.py": CLI}
    asked = writes(path, texts[path])
    asked["prompt"] = rf"(?s)\A{knows}.*to write: {path} "
    others = [writes(name, text) for name, text in texts.items() if name != path]
    async with pipeline_with(rows, asked, *others, GOOD) as run:
        assert read_patch(await run(prompt))[path] == texts[path]


@needs_sandbox
async def test_the_project_s_own_tests_are_run(pipeline_with):
    """Where they need no packages; how many passed is a fact for the judge."""
    told = GOOD | {"prompt": r"1 of 1 of its own tests pass"}
    rules = [THREE, *BOTH, writes("test_core.py", TEST), told]
    async with pipeline_with(*rules) as run:
        await run(PROMPT)
    assert run.record["artefact"]["tests"] == {"run": True, "reason": "", "passed": 1, "total": 1}
    assert not run.record["escalated"]


@needs_sandbox
async def test_a_failing_test_goes_back_to_what_it_tests(pipeline_with):
    """Not to the test: that says what is wanted."""
    wrong = CORE.replace("+", "-")
    told = writes("core.py", CORE)
    told["prompt"] = r"(?s)test_add fails: AssertionError: -1 != 3.*to write: core\.py"
    rules = [THREE, told, writes("core.py", wrong), writes("cli.py", CLI)]
    async with pipeline_with(*rules, writes("test_core.py", TEST), GOOD) as run:
        assert read_patch(await run(PROMPT))["core.py"] == CORE
    assert stages(run.record).count("coder test_core.py") == 1
    assert metrics(run.record)["tests_passed"] == 1


@needs_sandbox
@pytest.mark.parametrize(
    "body",
    [
        "    import unittest\n    raise unittest.SkipTest('not now')\n",
        "    import os\n    end = os._exit\n    os._exit = lambda _: end(3)\n    return a + b\n",
    ],
)
async def test_a_program_cannot_skip_its_tests_or_end_them_badly(pipeline_with, body):
    """Only tests skip themselves, and a run of them ends with status 0."""
    core = f"def add(a, b):\n{body}"
    rules = [THREE, writes("core.py", core), writes("cli.py", CLI), writes("test_core.py", TEST)]
    reviewer = {"role": "reviewer", "fault": "failed"}
    async with pipeline_with(*rules, GOOD, reviewer) as run:
        await run(PROMPT)
    tests = run.record["artefact"]["tests"]
    assert tests["run"] and tests["passed"] < tests["total"]


@needs_sandbox
async def test_plain_functions_are_tests_and_subdirectories_are_found(pipeline_with):
    """Also those in a package under src, that raise inside of it."""
    rows = [
        row("src/p/__init__.py"),
        row("src/p/core.py", exports=["half(n)"]),
        row("tests/test_p.py", "src/p/core.py", kind="test"),
    ]
    half = "def half(n):\n    return n / zero()\n\n\ndef zero():\n    return 0\n"
    test = "from p.core import half\n\n\ndef test_half():\n    assert half(2) == 1\n"
    rules = [plan(*rows), writes("src/p/core.py", half), writes("tests/test_p.py", test), GOOD]
    async with pipeline_with(*rules, {"role": "reviewer", "fault": "failed"}) as run:
        await run(PROMPT)
    fault = run.record["artefact"]["faults"][0]
    assert (fault["path"], fault["line"], fault["kind"]) == ("src/p/core.py", 2, "test")
    assert "ZeroDivisionError" in fault["detail"]


JS = "export const half = (n) => n / 2;\n"
JS_TEST = (
    'import assert from "node:assert";\nimport test from "node:test";\n'
    'import { half } from "../src/half.js";\n'
    'test("half of it", () => assert.equal(half(4), 2));\n'
    'test.skip("later", () => {});\n'
)
JS_ROWS = [
    row("package.json", kind="config"),
    row("src/half.js", exports=["half(n)"]),
    row("test/half.test.js", "src/half.js", kind="test"),
]


@needs_sandbox
@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
async def test_tests_in_javascript_are_run_too(pipeline_with):
    """By Node's own runner; a failing one goes back to what it tests."""
    told = writes("src/half.js", JS)
    told["prompt"] = r"(?s)the test half of it fails: .*1.*2.*to write: src/half\.js"
    rules = [plan(*JS_ROWS), writes("package.json", '{"type": "module"}\n'), told, GOOD]
    rules += [writes("src/half.js", JS.replace("2", "4")), writes("test/half.test.js", JS_TEST)]
    async with pipeline_with(*rules) as run:
        assert read_patch(await run(PROMPT))["src/half.js"] == JS
    tests = run.record["artefact"]["tests"]
    assert tests == {"run": True, "reason": "", "passed": 1, "total": 1}


HALF = "module.exports = { half: (n) => n / 2 };\n"


@needs_sandbox
@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
@pytest.mark.parametrize(
    ("test", "said"),
    [
        ("test('half', () => { expect(half(4)).toBe(2); });\n", "test is not defined"),
        ("describe('half', () => {});\n", "describe is not defined"),
    ],
)
async def test_tests_for_another_runner_are_no_fault(pipeline_with, test, said):
    """They cannot be run here, and the record says why."""
    rows = [row("half.js"), row("half.test.js", "half.js", kind="test")]
    test = f"const {{ half }} = require('./half');\n{test}"
    rules = [plan(*rows), writes("half.js", HALF), writes("half.test.js", test), GOOD]
    async with pipeline_with(*rules) as run:
        await run(PROMPT)
    tests, evidence = run.record["artefact"]["tests"], run.record["evidence"]
    reason = f"half.test.js could not be run here: {said}"
    assert (evidence, tests["run"], tests["reason"]) == ([], False, reason)


@needs_sandbox
@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
@pytest.mark.parametrize(
    ("test", "passed"),
    [
        ("require('node:test').skip('half', () => {});\n", False),
        ("require('node:test'); require('assert');\n", False),
        ("console.log(require('./half').half(4));\n", False),
        ("require('assert').equal(require('./half').half(4), 2);\n", True),
    ],
    ids=["skipped", "none", "no assertion", "plain assertions"],
)
async def test_a_project_has_passed_where_a_test_was_run(pipeline_with, test, passed):
    """A plain script with assertions is one; where all are skipped or none is there, it is said."""
    rows = [row("half.js"), row("half.test.js", "half.js", kind="test")]
    rules = [plan(*rows), writes("half.js", HALF), writes("half.test.js", test), GOOD]
    async with pipeline_with(*rules) as run:
        answer = json.loads(await run(PROMPT, format="json"))
    assert answer["passed"] is passed
    assert run.record["artefact"]["tests"]["reason"] == ("" if passed else "no test was run")


@needs_sandbox
async def test_a_test_that_the_plan_calls_a_source_is_run(pipeline_with):
    """Its name tells: a wrong program has not passed for it."""
    three = plan(row("core.py"), row("cli.py", "core.py"), row("test_core.py", "core.py"))
    texts = {"core.py": CORE.replace("+", "-"), "cli.py": CLI, "test_core.py": TEST}
    rules = [three, *(writes(*each) for each in texts.items()), GOOD]
    async with pipeline_with(*rules, {"role": "reviewer", "fault": "failed"}) as run:
        await run(PROMPT)
    assert run.record["artefact"]["tests"]["passed"] == 0
    assert run.record["artefact"]["tests"]["total"] == 1


@needs_sandbox
@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
async def test_what_a_script_raises_when_it_is_loaded_is_said(pipeline_with):
    """Not Node's last line, which is its version."""
    rows = [row("half.js"), row("half.test.js", "half.js", kind="test")]
    test = "require('./half').undo();\n"
    rules = [plan(*rows), writes("half.js", HALF), writes("half.test.js", test), GOOD]
    async with pipeline_with(*rules, {"role": "reviewer", "fault": "failed"}) as run:
        await run(PROMPT)
    assert "undo is not a function" in run.record["artefact"]["faults"][0]["detail"]


@needs_sandbox
async def test_tests_that_never_end_are_a_fault(pipeline_with):
    """Of the test, where nothing else shows."""
    rules = [THREE, *BOTH, writes("test_core.py", "import core, os\n\nos._exit(core.add(0, 0))\n")]
    async with pipeline_with(*rules, GOOD, {"role": "reviewer", "fault": "failed"}) as run:
        await run(PROMPT)
    fault = run.record["artefact"]["faults"][0]
    assert (fault["path"], fault["kind"]) == ("test_core.py", "test")
    assert "did not finish" in fault["detail"]


@needs_sandbox
async def test_tests_that_hang_lose_no_file(pipeline_with):
    """When the run's time is used up, its files are the answer, and the record says that the tests
    did not end."""
    hangs = TEST.replace("self.assert", "__import__('time').sleep(60); self.assert")
    rules = [THREE, *BOTH, writes("test_core.py", hangs), GOOD]
    async with pipeline_with(*rules, RUN_TIMEOUT_S=0.6) as run:
        output = await run(PROMPT)
    assert read_patch(output) == {"core.py": CORE, "cli.py": CLI, "test_core.py": hangs}
    tests = run.record["artefact"]["tests"]
    assert (tests["run"], tests["reason"]) == (False, NO_TIME)
    assert run.record["final_reason"].startswith("unreviewed")


async def test_tests_that_need_packages_are_not_run(pipeline_with):
    """The record says which they need."""
    test = "import numpy\n\nfrom core import add\n\n\ndef test_add():\n    assert numpy and add\n"
    rules = [depending_on("numpy"), *BOTH, writes("test_core.py", test), GOOD]
    async with pipeline_with(*rules) as run:
        await run(PROMPT)
    tests = run.record["artefact"]["tests"]
    assert tests["reason"] == "they need numpy, which the sandbox does not have"
    pytest.importorskip("numpy")
    async with pipeline_with(*rules, SANDBOX_VENV=sys.prefix) as run:
        await run(PROMPT)
    assert run.record["artefact"]["tests"]["passed"] == 1


def depending_on(package):
    """The plan of three files, with a dependency."""
    return THREE | {
        "reply": THREE["reply"].replace('"dependencies": []', f'"dependencies": ["{package}"]')
    }


@needs_sandbox
async def test_tests_written_with_pytest_are_run(pipeline_with):
    """With its fixtures, and those of the project's conftest.py; the examples and the programs of
    such a project are run too."""
    conftest = "import pytest\n\n\n@pytest.fixture\ndef two():\n    return 2\n"
    test = (
        "import pytest\n\nfrom core import add\n\n\n"
        "@pytest.mark.parametrize('n', [1, 2])\ndef test_add(n, two, capsys):\n"
        "    print(add(n, two))\n    assert capsys.readouterr().out == f'{n + 2}\\n'\n\n\n"
        "def test_wrong(two):\n    assert add(two, two) == 5\n"
    )
    files = [row("core.py", exports=["add(a, b)"]), row("conftest.py")]
    planned = plan(*files, row("test_core.py", "core.py", kind="test"), dependencies=["pytest"])
    written = [writes("core.py", CORE), writes("conftest.py", conftest)]
    rules = [planned, *written, writes("test_core.py", test), GOOD]
    async with pipeline_with(*rules, MAX_DRAFTS=1) as run:
        await run(PROMPT)
    tests = run.record["artefact"]["tests"]
    assert (tests["run"], tests["passed"], tests["total"]) == (True, 2, 3)


@needs_sandbox
async def test_tests_that_all_skip_themselves_say_why(pipeline_with):
    """None of them passed, and none failed."""
    rules = [THREE, *BOTH, writes("test_core.py", "def test_add(caplog):\n    assert 0\n"), GOOD]
    async with pipeline_with(*rules) as run:
        await run(PROMPT)
    tests = run.record["artefact"]["tests"]
    assert (tests["total"], tests["reason"]) == (0, "there is no fixture caplog here")


# --- judge and reviewer ------------------------------------------------------------------------


async def test_the_judge_sees_the_whole_with_the_findings_as_facts(pipeline_with):
    """Every file under its path, as the answer that it judges; the facts with what it is asked."""
    for seen in (
        r"(?s)## `core\.py`.*return a \+ b.*## `cli\.py`",
        r"(?s)JUDGE.*FACTS.*project of 2 files",
    ):
        async with pipeline_with(TWO, *BOTH, GOOD | {"prompt": seen}) as run:
            await run(PROMPT)
        assert run.record["judge"]["error"] is None


async def test_the_files_that_the_judge_names_are_reviewed(pipeline_with):
    """With what it said; the others stay as they are."""
    better = "def add(a, b):\n    return b + a\n"
    review = writes("core.py", better, role="reviewer")
    review["prompt"] = (
        r"(?s)The whole project.*print\(add.*project of 2 files.*core\.py is wrong"
        r".*to write: core\.py"
    )
    async with pipeline_with(TWO, *BOTH, BAD, GOOD, review) as run:
        assert read_patch(await run(PROMPT)) == {"core.py": better, "cli.py": CLI}
    record = run.record
    assert record["escalation_reason"] == "confidence 3 < 8; conflict 8 > 6"
    assert read_patch(record["coder_output"])["core.py"] == CORE
    assert read_patch(record["reviewer_output"])["core.py"] == better
    assert (record["final_source"], record["final_reason"]) == ("reviewer", None)


async def test_a_judge_that_names_no_file_has_all_sources_reviewed(pipeline_with):
    """Documents are left out."""
    vague = {"role": "judge", "verdict": [3, 8, "It is wrong."], "times": 1}
    rows = [row("core.py"), row("cli.py", "core.py"), row("README.md", kind="documentation")]
    rules = [plan(*rows), *BOTH, writes("README.md", "# calc\n"), vague, GOOD]
    reviews = [writes("core.py", CORE, role="reviewer"), writes("cli.py", CLI, role="reviewer")]
    async with pipeline_with(*rules, *reviews) as run:
        await run(PROMPT)
    asked = sorted(s for s in stages(run.record) if s.startswith("reviewer"))
    assert asked == ["reviewer cli.py", "reviewer core.py"]
    assert run.record["final_reason"] == "the review changed nothing"


@pytest.mark.parametrize(
    ("review", "second", "why"),
    [
        ("print(x)\n", GOOD, "the review has more faults: 2 instead of 0"),
        ("# worse\n" + CORE, {"role": "judge", "verdict": [2, 9, "No."]}, "rated lower"),
    ],
)
async def test_a_review_that_is_worse_is_not_returned(pipeline_with, review, second, why):
    """The record says why the draft was."""
    reviews = writes("core.py", review, role="reviewer")
    async with pipeline_with(TWO, *BOTH, BAD, second, reviews) as run:
        assert read_patch(await run(PROMPT))["core.py"] == CORE
    assert why in run.record["final_reason"]
    assert run.record["final_source"] == "coder"


async def test_an_unreadable_verdict_escalates(pipeline_with):
    """A score is never mended out of damaged text."""
    damaged = {"role": "judge", "reply": '{"confidence_score": 9, "conflict_score": 1,'}
    async with pipeline_with(TWO, *BOTH, damaged, {"role": "reviewer", "fault": "failed"}) as run:
        await run(PROMPT)
    assert run.record["judge"]["confidence_score"] is None
    assert "unparseable judge answer" in run.record["escalation_reason"]


# --- the run -----------------------------------------------------------------------------------


async def test_the_deadline_returns_what_there_is(pipeline_with):
    """Files that are done are handed over; the others are named as missing."""
    rules = [TWO, writes("core.py", CORE), writes("cli.py", fault="hang")]
    rules.append({"role": "reviewer", "fault": "hang"})
    async with pipeline_with(*rules, RUN_TIMEOUT_S=0.3) as run:
        output = await run(PROMPT)
    assert read_patch(output) == {"core.py": CORE}
    assert "MISSING cli.py: The run's 1.5 seconds are used up" in output
    assert run.record["final_reason"] == "unreviewed: reviewer failed (model_timeout)"


async def test_a_cancelled_run_is_recorded_and_leaves_nothing_behind(pipeline_with):
    """Also while several files are written."""
    hang = {"role": "coder", "fault": "hang"}
    async with pipeline_with(plan(row("a.py"), row("b.py")), hang) as run:
        accepted = run.submit(PROMPT)
        async for event in accepted.events():
            if event["event"] == "file" and event["path"] == "b.py":
                break
        run.scheduler.cancel(accepted.id)
        with pytest.raises(Cancelled):
            await run.scheduler.finished(accepted)
    assert run.record["error"]["code"] == "cancelled"
    assert not [task for task in asyncio.all_tasks() if "one" in repr(task.get_coro())]


async def test_events_tell_of_each_file(pipeline_with):
    """What a progress bar needs."""
    rules = [TWO, writes("core.py", CORE), writes("cli.py", fault="failed")]
    async with pipeline_with(*rules, {"role": "reviewer", "fault": "failed"}) as run:
        accepted = run.submit(PROMPT)
        await run.scheduler.finished(accepted)
        events = [event async for event in accepted.events() if event["event"] == "file"]
    first = [(e["path"], e["state"], e["total"]) for e in events[:4]]
    assert first == [
        ("core.py", "started", 2),
        ("core.py", "done", 2),
        ("cli.py", "started", 2),
        ("cli.py", "failed", 2),
    ]


async def test_history_reaches_plan_and_files(pipeline_with):
    """`///ctx` combines with the mode. The planner reads the history as a coder does: each request
    under the same words, with the answer that it had, and the one to be planned last."""
    turns = r"(?s)Earlier work[^\n]*:\n\nUser request:\na function\n.*\nUser request:\na calcul"
    rules = [TWO | {"prompt": turns}, GOOD]
    for rule in BOTH:
        rule = rule | {"prompt": r"(?s)Earlier work.*a function.*" + rule["prompt"]}
        rules.append(rule)
    async with pipeline_with({"role": "coder", "reply": "x", "times": 1}, *rules) as run:
        await run("///raw a function")
        await run("///ctx ///files a calculator of it")
        assert run.record["mode"] == "code_files_ctx"
        assert len(run.record["context_ids"]) == 1


async def test_nothing_of_the_texts_is_kept_with_no_log(pipeline_with):
    """Paths are texts of the model's too."""
    rules = [TWO, writes("core.py", fault="failed"), writes("cli.py", "print(zebra)\n")]
    async with pipeline_with(*rules, {"role": "reviewer", "fault": "failed"}) as run:
        await run(PROMPT, no_log=True)
    kept = json.dumps(run.record)
    assert not [word for word in ("zebra", "cli.py", "core.py", "calculator") if word in kept]
    assert run.record["steps"][1]["label"] == "file 1"


# --- forms -------------------------------------------------------------------------------------


async def test_markdown_is_the_other_form(pipeline_with):
    """Demanded, it is given, and what a mode has not is refused."""
    async with pipeline_with(TWO, *BOTH, GOOD) as run:
        output = await run(PROMPT, format="markdown")
        assert output.startswith(f"# calc\n\n## `core.py`\n\n```python\n{CORE}```\n\n## `cli.py`")
        with pytest.raises(BadRequest, match="Formats: patch, markdown, json"):
            run.submit(PROMPT, format="code")


NEEDY = plan(row("core.py", exports=["add(a, b)"]), row("cli.py", "core.py"), dependencies=["rich"])


@pytest.mark.parametrize("form", ["patch", "markdown", "json"])
async def test_every_form_says_which_packages_are_needed(pipeline_with, form):
    """As the plan names them."""
    async with pipeline_with(NEEDY, *BOTH, GOOD) as run:
        output = await run(PROMPT, format=form)
    said = {
        "patch": "# Dependencies: rich\n# Setup:\n",
        "markdown": "## Dependencies\n\n```\nrich\n```\n",
        "json": '"dependencies":["rich"]',
    }
    assert said[form] in output


@pytest.mark.parametrize(
    ("rules", "passed"),
    [
        ([TWO, *BOTH, GOOD], True),
        ([TWO, writes("core.py", CORE), writes("cli.py", "def (:\n")], False),
    ],
)
async def test_json_says_whether_the_project_passed(pipeline_with, rules, passed):
    """A file that does not parse, and one that is missing, have not."""
    broken = {"role": "reviewer", "fault": "failed"}
    async with pipeline_with(*rules, broken) as run:
        assert json.loads(await run(PROMPT, format="json"))["passed"] is passed


async def test_a_form_that_is_preferred_is_given_where_the_mode_has_it(pipeline_with):
    """What chat frontends do, which do not know the mode before its tag is read."""
    async with pipeline_with(TWO, *BOTH, GOOD, {"role": "coder", "reply": "x = 1"}) as run:
        assert (await run(PROMPT, prefers="markdown")).startswith("# calc\n")
        assert await run("///raw x", prefers="markdown") == "x = 1"
