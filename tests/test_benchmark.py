"""`laios bench`: statistics, problems, results on the disk, and a whole measurement on scripted
models."""

import gzip
import json
import os
import re
import shutil
import signal
import subprocess
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from processes import LAIOS, invoke, wait_for

from config import Settings
from history.bench_results import KEY, ResultFile
from history.bench_summary import Rates, summarise
from history.reader import Reader
from history.statistics import auroc, mcnemar, wilson
from pipeline.models.registry import Registry
from pipeline.testcases.examples.example_search import find_examples
from server.benchmark.engine_facts import engine_facts
from server.benchmark.measurement import Bench, in_turn
from server.benchmark.problems import (
    BUILTIN,
    ProblemsError,
    chosen,
    find,
    numbered,
    read_problems,
    without_examples,
)
from server.inventory.model_inventory import starter_facts
from server.runtime.async_closing import async_closing
from server.terminal.counting import counting

pytestmark = pytest.mark.only_when(
    "server/benchmark/",
    "server/commands/bench.py",
    "server/commands/calibrate.py",
    "server/commands/model_option.py",
    "server/inventory/",
    "server/terminal/counting.py",
    "history/",
    "pipeline/testcases/",
)

needs_sandbox = pytest.mark.skipif(
    shutil.which("bwrap") is None, reason="the sandbox needs bubblewrap"
)
ADD = {
    "task_id": "x/1",
    "prompt": "Write add. add(1, 2) == 3",
    "entry_point": "add",
    "test": "def check(candidate):\n    assert candidate(2, 2) == 4\n",
}
MUL = ADD | {
    "task_id": "x/2",
    "prompt": "Write mul, which multiplies.",
    "entry_point": "mul",
    "test": "def check(candidate):\n    assert candidate(2, 3) == 6\n",
}
MBPP = {
    "task_id": 7,
    "text": "Write a function to add.",
    "code": "def add(a, b): return a + b",
    "test_list": ["assert add(1, 2) == 3", "assert add(0, 0) == 0"],
}


# --- statistics --------------------------------------------------------------------------------


def test_intervals_and_tests_are_those_of_the_textbooks():
    """Wilson for 28 of 30 and for none; McNemar for 1 against 9 and none; AUROC with ties."""
    assert wilson(28, 30) == pytest.approx((0.7868, 0.9815), abs=5e-4)
    assert wilson(0, 10) == pytest.approx((0.0, 0.2775), abs=5e-4)
    assert wilson(0, 0) == (0.0, 1.0)
    assert mcnemar(1, 9) == pytest.approx(22 / 1024)
    assert mcnemar(0, 0) == 1.0
    assert auroc([9, 9, 8], [9, 1]) == pytest.approx((0.5 + 0.5 + 0 + 1 + 1 + 1) / 6)
    assert auroc([], [1]) is None


@given(st.integers(0, 200), st.integers(0, 200))
def test_statistics_stay_in_their_range(one, other):
    """A share lies in its interval, p in (0, 1], and the order of the arms does not matter."""
    low, high = wilson(one, one + other)
    share = one / (one + other) if one + other else 0.5
    assert 0 <= low <= share + 1e-9 and share - 1e-9 <= high <= 1
    assert 0 < mcnemar(one, other) <= 1
    assert mcnemar(one, other) == mcnemar(other, one)


# --- problems ----------------------------------------------------------------------------------


NO_CALL = '{"task_id": 1, "text": "x", "test_list": ["assert 1"]}'


def written(path, *rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def test_problems_are_read_in_both_formats(tmp_path):
    """HumanEval's beginning of a program is asked to be completed; of MBPP's tests the first is
    shown, and all are hidden tests."""
    unfinished = ADD | {"prompt": "def add(a, b):\n    '''adds'''\n"}
    [problem] = read_problems(written(tmp_path / "a.jsonl", unfinished))
    assert problem.prompt.startswith("Complete this function.")
    [problem] = read_problems(written(tmp_path / "b.jsonl", MBPP))
    assert (problem.id, problem.entry_point) == ("mbpp/7", "add")
    assert problem.prompt.endswith("assert add(1, 2) == 3") and "add(0, 0)" not in problem.prompt
    assert "assert add(0, 0) == 0" in problem.test
    packed = tmp_path / "c.jsonl.gz"
    packed.write_bytes(gzip.compress(json.dumps(ADD).encode()))
    assert read_problems(packed)[0].id == "x/1"


def test_mbpp_is_read_as_it_comes(tmp_path):
    """The sanitized problems as one array; a function may have a builtin's name, and one of the
    test's helpers stands around it."""
    tests = ["assert set(sum(2, 3)) == {5}", "assert isclose(sum(0.1, 0.2), 0.3)"]
    own = MBPP | {"task_id": 8, "test_list": tests, "code": "def sum(a, b):\n    return {a + b}"}
    (tmp_path / "sanitized-mbpp.json").write_text(json.dumps([MBPP, own], indent=2))
    problems = read_problems(find("mbpp", tmp_path))
    assert [each.entry_point for each in problems] == ["add", "sum"]


def test_a_file_of_problems_may_be_written_by_hand(tmp_path):
    """With a byte order mark, a line separator in a text, and the language though it is Python."""
    rows = [ADD | {"prompt": "Write add.\u2028It adds.", "language": "python"}, MUL]
    text = "\ufeff" + "\r\n".join(json.dumps(row, ensure_ascii=False) for row in rows)
    (tmp_path / "p.jsonl").write_bytes(text.encode())
    first, second = read_problems(tmp_path / "p.jsonl")
    assert (first.prompt, first.entry_point) == ("Write add.\u2028It adds.", "add")
    assert (second.id, first.language) == ("x/2", "python")


@pytest.mark.parametrize(
    ("row", "why"),
    [
        (MUL | {"prompt": " \n"}, "x/2: nothing is asked"),
        (MUL | {"prompt": ["a"]}, "is not a file of problems"),
        (MUL | {"test": None}, "is not a file of problems"),
        (MUL | {"test": "assert mul(2, 3) == 6"}, r"x/2: its test defines no check\(candidate\)"),
        (MUL | {"task_id": "x/\ud800"}, "surrogates not allowed"),
        (MUL | {"language": "cobol"}, "tests in 'cobol' cannot be run"),
        (MUL | {"language": "c", "test": ""}, "x/2: nothing checks it"),
        (MBPP | {"text": ["a"]}, "is not a file of problems"),
        (
            {"task_id": 1, "prompt": "Add.", "language": "python", "runs": [["1 2", "3"]]},
            "is not a file of problems",
        ),
    ],
)
def test_a_problem_that_cannot_be_asked_or_checked_is_refused_before_any_is(tmp_path, row, why):
    """The message says what is wrong with it."""
    with pytest.raises(ProblemsError, match=why):
        read_problems(written(tmp_path / "p.jsonl", ADD, row))


@needs_sandbox
async def test_a_string_with_lines_of_its_own_is_the_same_in_a_hidden_test(tmp_path):
    """MBPP's asserts stand in no function; names that they define are not the program's."""
    test = 'assert lines("""a\nb""") == ["a", "b"]'
    row = MBPP | {
        "test_list": [test],
        "test_setup_code": "kept = 1",
        "code": "def lines(text): pass",
    }
    [problem] = read_problems(written(tmp_path / "p.jsonl", row))
    bench = Bench(Settings(_env_file=None))
    assert await bench.passes(problem, "def lines(text):\n    return text.split('\\n')\n")
    assert not await bench.passes(problem, "def lines(text):\n    return [text, kept]\n")


@pytest.mark.parametrize(
    "text",
    ["{}", "no json", '{"task_id": 1, "test_list": ["x ="]}', "[1]", "[{]", NO_CALL],
)
def test_what_is_no_file_of_problems_is_refused(tmp_path, text):
    """The message names the file and what would be read."""
    (tmp_path / "p.jsonl").write_text(text)
    with pytest.raises(ProblemsError, match=r"p\.jsonl is not a file of problems.*HumanEval"):
        read_problems(tmp_path / "p.jsonl")


@pytest.mark.parametrize("damage", [lambda raw: raw[:-20], lambda raw: raw[:20] + b"?" + raw[21:]])
def test_a_damaged_archive_of_problems_is_refused(tmp_path, damage):
    """One that was cut off, or has another byte: no traceback, but the file's name."""
    (tmp_path / "p.jsonl.gz").write_bytes(damage(gzip.compress(b'{"task_id": 1}\n' * 50)))
    with pytest.raises(ProblemsError, match=r"p\.jsonl\.gz cannot be read"):
        read_problems(tmp_path / "p.jsonl.gz")


def test_a_known_set_is_looked_for_where_the_user_puts_it(tmp_path):
    """It does not come with laios; the message says where it belongs."""
    with pytest.raises(ProblemsError, match=r"HumanEval\.jsonl"):
        find("humaneval", tmp_path)
    file = written(tmp_path / "HumanEval.jsonl", ADD)
    assert find("humaneval", tmp_path) == file
    assert find(str(file), tmp_path) == file


def test_a_seed_draws_the_same_problems_again(tmp_path):
    """Without one the first are taken."""
    rows = [ADD | {"task_id": str(n)} for n in range(20)]
    problems = read_problems(written(tmp_path / "p.jsonl", *rows))
    assert [each.id for each in chosen(problems, 2, None)] == ["0", "1"]
    assert chosen(problems, 5, 1) == chosen(problems, 5, 1) != chosen(problems, 5, 2)
    with pytest.raises(ProblemsError, match="appears twice"):
        numbered([problems[0], problems[0]])


def test_examples_can_be_taken_out(tmp_path):
    """The words of the request stay."""
    prompt = (
        "def add(a, b):\n    '''Adds.\n    Examples:\n    >>> add(1, 2)\n    3\n\n"
        "    add(0, 0) == 0\n    Wrong input raises TypeError.\n    '''\n"
    )
    [problem] = read_problems(written(tmp_path / "p.jsonl", ADD | {"prompt": prompt}))
    [stripped] = without_examples([problem])
    assert stripped.id != problem.id
    assert "Adds." in stripped.prompt and "raises TypeError" in stripped.prompt
    assert "def add(a, b):" in stripped.prompt
    assert not any(gone in stripped.prompt for gone in (">>>", "== 0", "Examples", "3"))


@needs_sandbox
def test_a_problem_that_is_nothing_but_examples_is_left_out_without_them(tmp_path, roles):
    """It is said how many are; the others are measured."""
    roles({"role": "coder", "reply": "def mul(a, b):\n    return a * b\n"})
    words = ("--problems", str(written(tmp_path / "p.jsonl", ADD, MUL)), "--modes", "raw")
    results = ("--no-resample", "--results", str(tmp_path / "r.jsonl"))
    done = invoke("bench", *words, *results, "--without-examples")
    assert done.returncode == 0 and "raw   1/1" in done.stdout
    assert "1 of 2 problems ask nothing without their examples: left out." in done.stderr


@pytest.mark.parametrize("problem", read_problems(BUILTIN), ids=lambda problem: problem.id)
def test_our_own_problems_keep_their_request_without_examples(problem):
    """What is asked for stands in one line with the call's signature; nothing that is read as an
    example is left, but for what is to be where a list is empty."""
    [bare] = without_examples([problem])
    stripped = bare.prompt
    assert stripped.startswith(problem.prompt.split("\n\n")[0])
    assert all(case.is_of_nothing for case in find_examples(stripped).cases)


# --- results -----------------------------------------------------------------------------------

ROW = {
    "revision": "a",
    "problem": "x/1",
    "arm": "raw",
    "models": {"coder": "m"},
    "settings": {},
    "seed": None,
}


def test_a_torn_result_is_none_and_does_not_harm_the_next(tmp_path):
    """A measurement that was killed in a write goes on."""
    file = ResultFile(tmp_path / "deep" / "results.jsonl")
    file.append(ROW)
    with file.path.open("a") as torn:
        torn.write('{"revision": "a", "prob')
    file.append(ROW | {"problem": "x/2"})
    assert [row["problem"] for row in file] == ["x/1", "x/2"]


def result(problem, arm, passed, **facts):
    return ROW | {
        "problem": problem,
        "arm": arm,
        "passed": passed,
        "draft_passed": passed,
        "confidence": None,
        "conflict": None,
        "escalated": False,
        "error": None,
        "calls": 1,
        "prompt_tokens": 10,
        "cached_tokens": 0,
        "output_tokens": 5,
        "seconds": 2.0,
        **facts,
    }


def test_arms_are_compared_on_the_same_problems():
    """What is gained and lost against raw, mended and spoilt on the way, and the judge's rates."""
    rows = [
        result("1", "raw", False),
        result("2", "raw", True),
        result("3", "raw", True),
        result("1", "reviewed", True, draft_passed=False, escalated=True, confidence=2, conflict=8),
        result("2", "reviewed", True, confidence=9, conflict=1, seconds=6.0),
        result("3", "reviewed", False, draft_passed=True, escalated=True, confidence=9, conflict=1),
    ]
    raw, reviewed = summarise(rows)
    assert (raw.right, raw.of) == (2, 3)
    assert (reviewed.gained, reviewed.lost, reviewed.p) == (1, 1, 1.0)
    assert (reviewed.mended, reviewed.spoilt) == (1, 1)
    assert reviewed.ratio == pytest.approx(10 / 6)
    judged = reviewed.judged
    assert (judged.accepted_right, judged.right, judged.rejected_wrong, judged.wrong) == (
        1,
        2,
        1,
        1,
    )
    assert judged.auroc == 1.0


def test_seconds_are_compared_where_each_arm_was_asked_first():
    """An engine copies a draft that it has just written: of a problem on which raw comes second,
    its time says little."""
    turns = [("raw", "reviewed") if n % 2 else ("reviewed", "raw") for n in range(10)]
    takes = {("raw", True): 4.0, ("raw", False): 1.0, ("reviewed", True): 8.0}
    rows = [
        result(str(n), arm, True, seconds=takes.get((arm, arm == arms[0]), 5.0))
        for n, arms in enumerate(turns)
        for arm in arms
    ]
    raw, reviewed = summarise(rows)[::-1]
    assert (raw.arm, raw.ratio, reviewed.ratio) == ("raw", 1.0, 2.0)
    assert [each.ratio for each in summarise(rows[:8])] == [6.5 / 2.5, 1.0]


def test_an_arm_that_was_measured_later_was_asked_first_as_well():
    """A row says it of its own process: with the same command and one mode more nothing of the
    problem has been asked yet."""
    rows = [
        result(str(n), arm, True, seconds=took, first=True)
        for arm, took in (("raw", 4.0), ("reviewed", 8.0))
        for n in range(5)
    ]
    rows.append(result("5", "reviewed", True, seconds=99.0, first=False))
    assert [each.ratio for each in summarise(rows)] == [1.0, 2.0]


def test_evidence_and_drawing_are_held_against_the_executed_drafts():
    """Each draft where its findings are on record, else the chosen one; never where no evidence is
    looked at. Drawing mends from the first draft to the chosen one."""
    drawn = {"mode": "code_reviewed", "evidence": []}
    rows = [
        result("1", "reviewed", True, drafts=[False, True], faulted=[True, False], **drawn),
        result("2", "reviewed", False, drafts=[True, False], faulted=[False, False], **drawn),
        result("3", "reviewed", True, drafts=[], faulted=[], **drawn | {"evidence": ["coder:x"]}),
        result("4", "reviewed", False, source=None, error="busy", **drawn),
        result("1", "resample", True, mode="code_raw", drafts=[False, True], evidence=[]),
    ]
    reviewed, resample = summarise(rows)
    assert reviewed.evidence == Rates(2, 3, 1, 2)
    assert (reviewed.drawn_mended, reviewed.drawn_spoilt) == (1, 1)
    assert resample.evidence is None and resample.drawn_mended == 0


def test_thousands_of_pairs_are_compared_in_no_time():
    """The p of a large bench is asked for on a page."""
    began = time.process_time()
    assert mcnemar(4900, 5100) == pytest.approx(0.0466, abs=1e-4)
    assert auroc([1.0] * 5000, [0.0] * 5000) == 1.0
    assert time.process_time() - began < 1


# --- the command -------------------------------------------------------------------------------


@needs_sandbox
def test_a_measurement_is_resumed_and_shown(tmp_path, roles):
    """Each answer is executed; what was measured is not measured again; JSON has the figures; runs
    are kept where that is asked for, and count as none of the user's."""
    roles(
        {"role": "coder", "prompt": "mul", "reply": "def mul(a, b):\n    return a + b\n"},
        {"role": "coder", "reply": "def add(a, b):\n    return a + b\n"},
        {"role": "judge", "verdict": [9, 1, "It is right."]},
    )
    problems = str(written(tmp_path / "p.jsonl", ADD, MUL))
    words = ("bench", "--problems", problems, "--results", str(tmp_path / "r.jsonl"))
    shown = invoke(*words, "--limit", "1")
    assert shown.returncode == 0, shown.stderr
    assert shown.stderr.splitlines() == ["x/1 raw", "x/1 reviewed", "x/1 resample"]
    again = invoke(*words, "--json", "--keep-runs", LAIOS_HISTORY_DIR=str(tmp_path / "kept"))
    assert len((tmp_path / "r.jsonl").read_text().splitlines()) == 6
    raw, reviewed, resample = json.loads(again.stdout)
    assert (raw["right"], raw["of"], raw["calls"]) == (1, 2, 2)
    assert (reviewed["right"], reviewed["calls"]) == (1, 3)
    assert (resample["right"], resample["calls"]) == (1, 3)
    shown = invoke(*words, "--show")
    assert "1/2" in shown.stdout and not shown.stderr
    assert "reviewed: evidence accepted 1 of 1 right drafts" in shown.stdout
    fewer = invoke(*words, "--show", "--json", "--limit", "1", "--modes", "raw", "--no-resample")
    assert [each["of"] for each in json.loads(fewer.stdout)] == [1]
    others = "--modes resample,reviewed; 1 other problems such as x/2 (--problems, --limit,"
    assert others in fewer.stderr
    kept = {each["id"]: each for each in Reader(tmp_path / "kept")}
    rows = list(ResultFile(tmp_path / "r.jsonl"))
    assert [row["first"] for row in rows] == [True, False, False] * 2
    assert {row["run"] for row in rows[3:5]} < kept.keys() and rows[0]["run"] not in kept
    assert {(each["kind"], each["session"]) for each in kept.values()} == {("auxiliary", "bench")}


@needs_sandbox
def test_what_is_measured_is_what_is_printed(tmp_path, roles):
    """Also where other settings were measured since; `--show` has the newest."""
    roles({"role": "coder", "reply": "def add(a, b):\n    return a + b\n"})
    rows = (ADD, ADD | {"task_id": "x/2"})
    words = ("--problems", str(written(tmp_path / "p.jsonl", *rows)), "--modes", "raw", "--json")
    words = (*words, "--no-resample", "--results", str(tmp_path / "r.jsonl"))

    def counted(*more, drafts):
        done = invoke("bench", *words, *more, LAIOS_MAX_DRAFTS=drafts)
        assert done.returncode == 0, done.stderr
        return [each["of"] for each in json.loads(done.stdout)]

    assert counted(drafts="5") == [2]
    assert counted("--limit", "1", drafts="3") == [1]
    assert counted(drafts="5") == [2]
    assert counted("--show", drafts="5") == [1]


def test_a_terminal_is_told_how_long_the_rest_takes(monkeypatch, capsys):
    """What was measured last, how many of how many, the time since the start, and the time that the
    others take if they take as long."""
    now = 0.0
    monkeypatch.setattr("rich.console.monotonic", lambda: now)
    monkeypatch.setenv("FORCE_COLOR", "1")  # what is captured counts as a terminal
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "100")
    with counting(5) as advance:
        for done in ("x/1 raw", "x/1 reviewed"):
            now += 10
            advance(done)
    shown = re.sub(r"\x1b\[[\d;?]*[A-Za-z]", "", capsys.readouterr().err).splitlines()[-1]
    assert re.fullmatch(r"x/1 reviewed \S+ +2/5 0:00:20 0:00:30\s*", shown)


@needs_sandbox
@pytest.mark.parametrize(
    ("name", "code", "said"),
    [
        ("nonsense", 2, "--model: 'nonsense' is not a model name; write provider/name"),
        ("nosuch/foo", 2, "No backend is called 'nosuch'"),
        ("local/nope", 1, "nope"),
        ("ollama/foo", 3, "Ollama does not answer"),
    ],
)
def test_a_model_that_cannot_be_had_ends_it_before_anything_is_written(
    tmp_path, roles, free_port, name, code, said
):
    """Not even what another model of the same command would answer; a mistyped name is no model
    that is always wrong."""
    roles({"role": "coder", "reply": "def add(a, b):\n    return a + b\n"})
    file = tmp_path / "r.jsonl"
    words = ("--problems", str(written(tmp_path / "p.jsonl", ADD)), "--results", str(file))
    models = ("-m", os.environ["LAIOS_CODER_MODEL_NAME"], "-m", name)
    nobody = {"LAIOS_OLLAMA_HOST": f"127.0.0.1:{free_port}"}
    done = invoke("bench", *words, *models, "--modes", "raw", "--no-resample", **nobody)
    assert (done.returncode, done.stdout) == (code, "") and said in done.stderr
    assert not file.exists()


@needs_sandbox
def test_ctrl_c_says_how_to_go_on(tmp_path, roles):
    """With the exit code of all that is ended so, and without a trace."""
    roles(
        {"role": "coder", "prompt": "mul", "reply": "x", "delay_ms": 600_000},
        {"role": "coder", "reply": "def add(a, b):\n    return a + b\n"},
    )
    file = tmp_path / "r.jsonl"
    words = ("--problems", str(written(tmp_path / "p.jsonl", ADD, MUL)), "--results", str(file))
    process = subprocess.Popen(
        [LAIOS, "bench", *words, "--modes", "raw", "--no-resample"],
        stderr=subprocess.PIPE,
        text=True,
    )
    wait_for(lambda: file.exists() and file.stat().st_size)
    process.send_signal(signal.SIGINT)
    said = process.communicate(timeout=30)[1]
    assert process.returncode == 130 and "The same command continues" in said
    assert "Traceback" not in said


@needs_sandbox
def test_runs_that_fail_are_counted_and_those_that_no_model_was_there_for_are_asked_again(
    tmp_path, roles
):
    """A model that goes away ends the command, which goes on later; rows of before that only say
    so are no results; other failures are wrong answers, in a column of their own."""
    roles(
        {"role": "coder", "prompt": "mul", "fault": "unreachable"},
        {"role": "coder", "reply": "def add(a, b):\n    return a + b\n"},
    )
    file = tmp_path / "r.jsonl"
    words = ("--problems", str(written(tmp_path / "p.jsonl", ADD, MUL)), "--results", str(file))
    stopped = invoke("bench", *words, "--modes", "raw", "--no-resample")
    assert stopped.returncode == 3 and len(file.read_text().splitlines()) == 1
    [row] = ResultFile(file).results()
    ResultFile(file).append(row | {"problem": "x/2", "error": "model_unreachable"})
    assert "1/1" in invoke("bench", *words, "--modes", "raw", "--no-resample", "--show").stdout
    roles(
        {"role": "coder", "prompt": "mul", "fault": "failed"},
        {"role": "coder", "reply": "def add(a, b):\n    return a + b\n"},
    )
    done = invoke("bench", *words, "--modes", "raw", "--no-resample")
    assert done.returncode == 0, done.stderr
    head, line = done.stdout.splitlines()[1:3]
    assert "1/2" in line and (head.split()[-1], line.split()[-1]) == ("FAILED", "1")


def test_what_is_shown_has_the_figures_of_the_page_and_fits_a_terminal(tmp_path):
    """What is right and what it took stand in a table each, for each set of models under its name:
    drawing beside reviews, and tokens as they were read, had from a cache, and written."""
    tokens = {"prompt_tokens": 900_000, "cached_tokens": 800_000, "output_tokens": 70_000}
    drawn = {"mode": "code_reviewed", "drafts": [False, True], "faulted": [True, False], **tokens}
    long = {"coder": "local/qwen2.5-coder-0.5b-instruct-q4_k_m.gguf"}
    rows = [
        result("x/1", "raw", False, models=long, engine="local", quantization="Q4_K_M"),
        result("x/2", "raw", True, models=long),
        result("x/1", "reviewed", True, models=long, **drawn),
        result("x/2", "reviewed", True, models=long, draft_passed=False, **tokens),
        result("x/1", "raw", True),
    ]
    file = written(tmp_path / "r.jsonl", *rows)
    words = ("--problems", str(written(tmp_path / "p.jsonl", ADD, MUL)), "--results", str(file))
    shown = invoke("bench", *words, "--show").stdout
    assert shown.splitlines() == [
        "local/qwen2.5-coder-0.5b-instruct-q4_k_m.gguf: local, Q4_K_M",
        "MODE      RIGHT  95 %      AGAINST RAW  DRAWN AGAIN  REVIEWED",
        "raw       1/2    9%-91%                 +0 -0        +0 -0",
        "reviewed  2/2    34%-100%  +1 -0 (p 1)  +1 -0        +1 -0",
        "",
        "MODE      CALLS  READ       CACHED     WRITTEN  SECONDS  TIME",
        "raw       1.00   20         0          10       4        x 1.00",
        "reviewed  1.00   1,800,000  1,600,000  140,000  4        x 1.00",
        "reviewed: evidence accepted 1 of 1 right drafts and rejected 1 of 1 wrong ones.",
        "",
        "m",
        "MODE  RIGHT  95 %      AGAINST RAW  DRAWN AGAIN  REVIEWED",
        "raw   1/1    21%-100%               +0 -0        +0 -0",
        "",
        "MODE  CALLS  READ  CACHED  WRITTEN  SECONDS  TIME",
        "raw   1.00   10    0       5        2        x 1.00",
    ]


@needs_sandbox
def test_blind_resampling_is_measured_beside_any_modes(tmp_path, roles):
    """What as many calls are worth without looking; not where it is not wanted. Rows and figures
    say what ran the models, and that is no part of what a result is told by."""
    roles({"role": "coder", "reply": "def add(a, b):\n    return a + b\n"})
    file = tmp_path / "r.jsonl"
    words = ("--problems", str(written(tmp_path / "p.jsonl", ADD)), "--results", str(file))
    alone = invoke("bench", *words, "--modes", "raw", "--no-resample")
    assert alone.stderr.splitlines()[0] == "x/1 raw" and "resample" not in alone.stdout
    beside = invoke("bench", *words, "--modes", "raw", "--json")
    assert [each["arm"] for each in json.loads(beside.stdout)] == ["raw", "resample"]
    rows = list(ResultFile(file))
    assert [(row["arm"], row["engine"], row["quantization"]) for row in rows] == [
        ("raw", "scripted", ""),
        ("resample", "scripted", ""),
    ]
    assert {each["engine"] for each in json.loads(beside.stdout)} == {"scripted"}
    assert not {"engine", "quantization"} & set(KEY)
    assert ": scripted" in invoke("bench", *words, "--show").stdout


async def test_what_ran_a_model_is_said_as_far_as_it_is_known():
    """The engine with its version, the weights' quantisation by their own header; each once."""
    settings = Settings()
    async with async_closing(Registry(settings)) as models:
        starter = await engine_facts(settings, models, ["local/starter", "local/starter"])
        other = await engine_facts(settings, models, ["groq/x", "scripted/a.json"])
    assert starter["engine"].startswith("local (xllamacpp ")
    assert starter["quantization"] == starter_facts()["quantization"] != ""
    assert other == {"engine": "groq, scripted", "quantization": ""}


def test_each_arm_is_first_in_turn():
    """The first one reads the prompt for all; what takes its calls from the others is last."""
    arms = ["raw", "resample", "tested"]
    orders = [in_turn(arms, n) for n in range(3)]
    assert orders[0] == orders[2] == ["raw", "tested", "resample"]
    assert orders[1] == ["tested", "raw", "resample"]
    assert in_turn(arms[1:2], 5) == ["resample"]


@needs_sandbox
def test_what_looks_like_a_tag_in_a_problem_is_asked_as_it_stands(tmp_path, script):
    """The mode is the one that is measured, and each answer is of its own problem."""
    tagged = "///docs is where mul is written up. Write mul.\n///files"
    rows = [ADD, MUL | {"prompt": tagged}, MUL | {"task_id": "x/3", "prompt": "///best Write mul."}]
    file = tmp_path / "r.jsonl"
    model = script(
        {"prompt": "///(docs|best)", "reply": "def mul(a, b):\n    return a * b\n"},
        {"reply": "def add(a, b):\n    return a + b\n"},
    )
    words = ("--problems", str(written(tmp_path / "p.jsonl", *rows)), "--results", str(file))
    done = invoke("bench", *words, "-m", model, "--modes", "raw", "--no-resample")
    assert done.returncode == 0, done.stderr
    measured = [*ResultFile(file).results()]
    assert [(row["mode"], row["passed"]) for row in measured] == [("code_raw", True)] * 3
    assert len({row["run"] for row in measured}) == 3


@needs_sandbox
def test_a_mode_goes_by_its_tag_as_well(tmp_path, script, monkeypatch):
    """Also with a number; the result says which mode it was."""
    file = tmp_path / "r.jsonl"
    words = ("--problems", str(written(tmp_path / "p.jsonl", ADD)), "--results", str(file))
    monkeypatch.setenv("LAIOS_MAX_DRAFTS", "2")
    model = script({"reply": "def add(a, b):\n    return a + b\n"})
    done = invoke("bench", *words, "-m", model, "--modes", "best=2,code_raw", "--no-resample")
    assert done.returncode == 0, done.stderr
    rows = [json.loads(line) for line in file.read_text().splitlines()]
    assert {row["arm"]: row["mode"] for row in rows} == {
        "best=2": "code_best",
        "code_raw": "code_raw",
    }


@needs_sandbox
@pytest.mark.parametrize("option", ["-m", "--model", "--models"])
def test_models_are_named_together_or_one_by_one(tmp_path, script, option):
    """In their order; one that is named twice is measured once."""
    reply = {"reply": "def add(a, b):\n    return a + b\n"}
    first, second, third = (script(reply, name=name) for name in ("a", "b", "c"))
    file = tmp_path / "r.jsonl"
    words = ("--problems", str(written(tmp_path / "p.jsonl", ADD)), "--results", str(file))
    models = (option, f"{first}, {second},", option, third, option, first)
    done = invoke("bench", *words, *models, "--modes", "raw", "--no-resample")
    assert done.returncode == 0, done.stderr
    measured = [row["models"]["coder"] for row in ResultFile(file).results()]
    assert measured == [first, second, third]


@needs_sandbox
def test_a_mode_that_is_named_twice_is_measured_once(tmp_path, roles):
    """A mode has one row for each problem."""
    roles({"role": "coder", "reply": "def add(a, b):\n    return a + b\n"})
    file = tmp_path / "r.jsonl"
    words = ("--problems", str(written(tmp_path / "p.jsonl", ADD)), "--results", str(file))
    done = invoke("bench", *words, "--modes", "raw, raw", "--no-resample")
    assert done.returncode == 0, done.stderr
    assert [row["arm"] for row in ResultFile(file).results()] == ["raw"]


def test_bad_words_are_refused_before_anything_is_measured(tmp_path):
    """An unknown mode, an unknown set, a file that is not there."""
    for words, said in (
        (
            ("--modes", "rew", "--problems", str(written(tmp_path / "p.jsonl", ADD))),
            "There is no mode 'rew'",
        ),
        (("--problems", str(tmp_path / "none.jsonl")), "cannot be read"),
        (("--problems", "humaneval"), "do not come with laios"),
        (("--modes", ""), "--modes is empty"),
        (("--modes", " ,"), "--modes is empty"),
    ):
        done = invoke("bench", *words)
        assert done.returncode == 2 and said in done.stderr


def test_a_file_that_is_none_of_results_is_left_as_it_is(tmp_path):
    """The problems, say, or what is no file at all; nothing is measured before that is known, and
    for a directory it says what to give. A result that was torn is one."""
    problems = written(tmp_path / "p.jsonl", ADD)
    before = problems.read_bytes()
    asked = ("bench", "--problems", str(problems), "--results")
    os.mkfifo(pipe := tmp_path / "pipe")
    directory = f"it is a directory; give a file, such as {tmp_path / 'results.jsonl'}."
    for results, said in (
        (problems, "not a results file of laios bench"),
        (pipe, "it is not a regular file."),
        (tmp_path, f"{tmp_path} cannot be used: {directory}"),
    ):
        done = invoke(*asked, str(results))
        assert done.returncode == 2 and said in done.stderr
    assert problems.read_bytes() == before
    said = invoke("calibrate", "--results", str(tmp_path)).stderr
    assert f"{tmp_path} cannot be read: {directory}" in said
    (tmp_path / "torn.jsonl").write_text('{"revision": "1')
    assert invoke(*asked, str(tmp_path / "torn.jsonl"), "--show").returncode == 0


def test_a_file_without_problems_is_said_to_have_none(tmp_path):
    """It is no measurement without results."""
    done = invoke("bench", "--problems", str(written(tmp_path / "p.jsonl")))
    assert done.returncode == 2 and "p.jsonl has no problems in it" in done.stderr
