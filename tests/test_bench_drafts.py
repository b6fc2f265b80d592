"""`tools/bench/drafts`: drafts that are drawn and executed, the rules of choosing among them, and
judges that are asked about them."""

import json
import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar

import pytest

from config import Settings
from history.bench_results import ResultFile
from history.statistics import auroc_interval
from pipeline.analysis.draft import Draft
from pipeline.analysis.evidence import Finding
from pipeline.models.starter import DIRECTORY
from pipeline.review.agreement import Agreement
from pipeline.review.drawing import Drawn
from pipeline.testcases.behaviour import Behaviour, classes
from tools.bench.drafts import judge
from tools.bench.drafts.__main__ import main
from tools.bench.drafts.choose import RULES, Compared, in_turn, rule_rows, trust_rows
from tools.bench.drafts.executed import Executed, conditions
from tools.bench.engine_calls import Spoken

pytestmark = pytest.mark.only_when("tools/")
needs_sandbox = pytest.mark.skipif(
    shutil.which("bwrap") is None, reason="the sandbox needs bubblewrap"
)
PROMPT = "Write a Python function add(a, b)."
ADD = {
    "task_id": "x/1",
    "prompt": PROMPT,
    "entry_point": "add",
    "test": "def check(candidate):\n    assert candidate(2, 2) == candidate(1, 3) == 4\n",
}
RIGHT = "def add(a: int, b: int) -> int:\n    return a + b\n"
ALSO_RIGHT = 'def add(a: int, b: int) -> int:\n    """Sums."""\n    return sum((a, b))  # both\n'
TIMES = "def add(a: int, b: int) -> int:\n    return a * b\n"
MINUS = "def add(a: int, b: int) -> int:\n    return a - b\n"
CRASHES = "def add(a: int, b: int) -> int:\n    return plus(a, b)\n"


# --- hand-made drafts --------------------------------------------------------------------------


def executed(
    number: int, text: str, *, right: bool, fault: str = "", decided: str = ""
) -> Executed:
    findings = (Finding("coder", "names", fault),) if fault else ()
    draft = Draft(text, "python", findings, decided=decided, as_said=text)
    temperature = 0.8 if number > 1 else 0.0
    return Executed("m", "x/1", PROMPT, Drawn(number, draft, temperature, 1.0, 9), right)


def of(*drafts: str, decided: str = "") -> Compared:
    """A problem's drafts as words: what each gives for each of three calls, a letter a call, with
    "!" behind those that are right; "-" for one that evidence speaks against."""
    found = [
        executed(n, word, right="!" in word, fault=word.replace("-", "bad") * ("-" in word))
        for n, word in enumerate(drafts, 1)
    ]
    if decided:
        found[0] = executed(1, drafts[0], right="!" in drafts[0], decided=decided)
    did = {
        n: Behaviour(tuple(f"gave {letter}" for letter in word.strip("!")), 3)
        for n, word in enumerate(drafts)
        if "-" not in word
    }
    after = {}
    for drawn in range(1, len(drafts) + 1):
        among = [n for n in did if n < drawn]
        alike = classes(did[n] for n in among)
        after[drawn] = Agreement(tuple(tuple(among[at] for at in each) for each in alike))
    return Compared(found, 3, did, after)


def chosen_by(compared: Compared) -> dict[str, tuple[int, int]]:
    choices = {rule: choose(compared) for rule, choose in RULES.items()}
    return {rule: (each.at, each.drawn) for rule, each in choices.items()}


GREEDY, THIRD, FIVE, TESTED, TESTED_FIVE, LARGEST, CALLS, ANY = RULES


def test_the_rules_differ_where_the_drafts_do() -> None:
    """Two that do the same are enough for the rules in turn; where they differ, a third decides
    with one of them, five only by three alike; the largest class may be another one, and so may
    be the draft that has most in common with the others call by call."""
    same = chosen_by(of("abc", "abc", "xyz!", "xyz!", "xyz!"))
    two = dict.fromkeys((THIRD, FIVE, TESTED, TESTED_FIVE), (0, 2))
    assert same == {GREEDY: (0, 1), **two} | dict.fromkeys((LARGEST, CALLS, ANY), (2, 5))
    differ = chosen_by(of("abc", "xyz!", "abc", "xyz!", "xyz!"))
    assert (differ[THIRD], differ[FIVE]) == ((0, 3), (1, 5))
    early = chosen_by(of("abc", "xyz!", "xyz!", "xyz!", "abc"))
    assert (early[THIRD], early[FIVE]) == ((1, 3), (1, 4))
    none = chosen_by(of("abc", "xyz", "pqr", "uvw", "mno"))
    assert (none[THIRD], none[FIVE], none[ANY]) == ((0, 3), (0, 5), (0, 5))
    by_call = chosen_by(of("abc", "xbq", "abz", "xyz", "pqr"))
    assert (by_call[LARGEST], by_call[CALLS]) == ((0, 5), (2, 5))


def test_tests_tell_apart_what_differs() -> None:
    """The first that holds more than half of them ends the drawing, a long one alone if it holds
    all; else the class wins that has most drafts times tests. Where nobody differs they are not
    asked."""
    differ = of("abc", "xyz!", "pqr", "abc", "uvw")
    assert in_turn(differ, 5, tested=True) == in_turn(differ, 5) == (0, 5, "2 of 5 alike")
    none, some, most = [False] * 3, [True, False, False], [True, True, False]
    held = {0: none, 1: most, 2: none, 3: none, 4: none}
    found = replace(differ, held=held)
    assert in_turn(found, 5, tested=True) == (1, 2, "none of 2 alike, it holds most tests")
    assert in_turn(found, 5) == (0, 5, "2 of 5 alike")
    found = replace(differ, held=held | {1: some})
    assert in_turn(found, 5, tested=True) == (1, 5, "none of 5 alike")
    assert in_turn(replace(of("abc", "abc!"), held=held), 5, tested=True).drawn == 2
    long = replace(of("abc!", "xyz", "pqr"), held={0: most, 1: none, 2: none})
    assert in_turn(long, 3, tested=True) == (0, 2, "none of 2 alike, it holds most tests")
    long = replace(long, is_long=True)
    assert in_turn(long, 3, tested=True).drawn == 2
    whole = replace(long, held=held | {0: [True] * 3})
    assert in_turn(whole, 3, tested=True) == (0, 1, "it holds all tests")
    assert in_turn(replace(long, held={}), 3, tested=True).drawn == 3


def test_evidence_goes_before_agreement() -> None:
    """A draft with a finding is not compared, one of which examples hold is not compared further,
    and where all have findings the one with the least is it."""
    assert chosen_by(of("-", "abc!", "abc!"))[FIVE] == (1, 3)
    assert in_turn(of("abc!", "xyz", "pqr", decided="examples hold"), 5) == (0, 1, "examples hold")
    assert in_turn(of("abc!", "-", "--"), 5) == (0, 3, "no other draft runs")
    assert in_turn(of("-", "--"), 5) == (0, 2, "evidence speaks against each")
    drafts = [executed(n, "", right=False) for n in (1, 2, 3)]
    assert in_turn(Compared(drafts), 5) == (0, 2, "not compared")


def test_rules_are_counted_against_the_greedy_draft() -> None:
    """Gained, lost and McNemar's p of three problems, drafts after the first a problem, and the
    mean of those at 0.8; what agreement says, right of how many."""
    every = [
        of("abc", "xyz!", "xyz!", "xyz!", "xyz!"),
        of("abc!", "abc!", "pqr", "pqr", "pqr"),
        of("abc", "pqr", "xyz", "uvw", "mno!"),
    ]
    rows = {row["rule"]: row for row in rule_rows(every)}
    assert rows["one at 0.8 (mean)"]["right"] == 1 + 0.25 + 0.25
    assert rows[GREEDY] == {"rule": GREEDY, "right": 1, "gained": 0, "lost": 0} | {
        "p": 1.0,
        "further": 0,
    }
    five, largest = rows[FIVE], rows[LARGEST]
    assert (five["right"], five["gained"], five["lost"]) == (2, 1, 0)
    assert five["further"] == pytest.approx((3 + 1 + 4) / 3)
    assert (largest["right"], largest["gained"], largest["lost"], largest["p"]) == (1, 1, 1, 1.0)
    trust = [(row["told"], row["right"], row["of"]) for row in trust_rows(every)]
    assert trust == [("2 of 3 alike", 1, 1), ("nobody differs", 1, 1), ("none of 3 alike", 0, 1)]


# --- drawing and choosing, over the commands ---------------------------------------------------


@needs_sandbox
def test_drafts_are_drawn_executed_and_chosen_from(
    script: Callable[..., str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The first draft is greedy, the others are not; each is executed, examined and a line; the
    same command draws nothing again, and goes on with what is new. Choosing runs the drafts on
    calls and says what each rule has right of the problems whose drafts are all there."""
    problems, results = tmp_path / "p.jsonl", tmp_path / "d.jsonl"
    problems.write_text(json.dumps(ADD) + "\n" + json.dumps(ADD | {"task_id": "x/2"}) + "\n")
    model = script({"role": "coder", "reply": [TIMES, RIGHT, ALSO_RIGHT, CRASHES]})
    words = ["draw", "--model", model, "--problems", str(problems), "--results", str(results)]
    for _ in range(2):
        main([*words, "--limit", "1", "--varied", "3"])
        rows = list(ResultFile(results))
        assert [row["right"] for row in rows] == [False, True, True, False]
    assert [row["temperature"] for row in rows] == [0.0, 0.8, 0.8, 0.8]
    assert [[each["kind"] for each in row["findings"]] for row in rows] == [[], [], [], ["names"]]
    assert all(row["tokens"] > 0 for row in rows)
    main([*words, "--varied", "1"])
    found = {(row["problem"], row["arm"]): row for row in ResultFile(results)}
    assert [name for name in found if name[0] == "x/2"] == [("x/2", "draft 1"), ("x/2", "draft 2")]
    assert len(found) == len(list(ResultFile(results))) == 6
    capsys.readouterr()
    main(["choose", "--drafts", str(results), "--json"])
    said = json.loads(capsys.readouterr().out)
    assert (said["model"], said["problems"]) == (model, 1)
    right = {row["rule"]: row["right"] for row in said["rules"]}
    assert right == {"one at 0.8 (mean)": pytest.approx(2 / 3), GREEDY: 0} | dict.fromkeys(
        (THIRD, FIVE, TESTED, TESTED_FIVE, LARGEST, CALLS, ANY), 1
    )
    assert [row["told"] for row in said["trust"]] == ["2 of 3 alike"]
    main(["choose", "--drafts", str(results)])
    text = capsys.readouterr().out
    assert "1 problems, 4 drafts each; 1 have fewer" in text
    assert f"| {FIVE} | 1 of 1 | +1 −0, p 1 | 3.0 |" in text


@needs_sandbox
def test_the_model_s_tests_are_asked_once_and_choose(
    script: Callable[..., str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Of each problem, by whom wrote its drafts; a line says what was written and which drafts hold
    which of them. Choosing with them is a rule beside the others."""
    drafts, results = tmp_path / "d.jsonl", tmp_path / "t.jsonl"
    said = "assert add(1, 2) == 3\nassert add(2, 2) == 4\nassert add(1, 5) == 9"
    model = script({"role": "coder", "prompt": "4 tests of it", "reply": said})
    texts = (TIMES, RIGHT, CRASHES)
    fault = {CRASHES: "plus is not defined"}
    for n, text in enumerate(texts, 1):
        one = executed(n, text, right=text == RIGHT, fault=fault.get(text, ""))
        recorded(drafts, replace(one, model=model))
    for _ in range(2):
        main(["tests", "--drafts", str(drafts), "--results", str(results)])
    (row,) = ResultFile(results)
    assert row["tests"] == ["add(1, 2) → 3", "add(2, 2) → 4", "add(1, 5) → 9"]
    assert row["held"] == {"1": [False, True, False], "2": [True, True, False]}
    capsys.readouterr()
    main(["choose", "--drafts", str(drafts), "--tests", str(results), "--json"])
    right = {row["rule"]: row["right"] for row in json.loads(capsys.readouterr().out)["rules"]}
    assert (right[FIVE], right[TESTED], right[TESTED_FIVE]) == (0, 1, 1)


@needs_sandbox
def test_a_failing_model_is_a_wrong_draft_or_ends_the_command(
    script: Callable[..., str], tmp_path: Path
) -> None:
    """What a model does wrong is a draft without code; one that is not there ends it, and nothing
    is written."""
    problems, results = tmp_path / "p.jsonl", tmp_path / "d.jsonl"
    problems.write_text(json.dumps(ADD) + "\n")
    words = ["draw", "--problems", str(problems), "--results", str(results), "--varied", "1"]
    with pytest.raises(SystemExit, match="unreachable"):
        main([*words, "--model", script({"fault": "unreachable"})])
    assert not results.exists()
    main([*words, "--model", script({"fault": "failed"})])
    rows = list(ResultFile(results))
    assert [(row["right"], row["error"], row["text"]) for row in rows] == [
        (False, "model_failed", "")
    ] * 2


def test_commands_say_what_is_missing(tmp_path: Path) -> None:
    """No drafts, no further ones, no judge."""
    file = tmp_path / "d.jsonl"
    with pytest.raises(SystemExit, match="There are no drafts"):
        main(["choose", "--drafts", str(file)])
    with pytest.raises(SystemExit, match="name the judge"):
        main(["judge", "--drafts", str(file)])
    recorded(file, executed(1, RIGHT, right=True))
    with pytest.raises(SystemExit, match="no further drafts"):
        main(["choose", "--drafts", str(file)])


# --- judging -----------------------------------------------------------------------------------


def recorded(file: Path, *drafts: Executed) -> None:
    """The drafts as `draw` writes them."""
    for each in drafts:
        key = conditions("coder", each.model, Settings())
        arm = {"problem": each.problem, "arm": f"draft {each.drawn.number}"}
        ResultFile(file).append(key | arm | each.as_json())


class Scripted:
    """Stands in for llama.cpp's server: answers by what the code in the question does."""

    asked: ClassVar[list[Sequence[Mapping[str, Any]]]] = []  # of all of them

    def __init__(self, model: Path, *, lookup: bool) -> None:
        assert not lookup

    def ask(self, messages: Sequence[Mapping[str, Any]], **more: Any) -> Spoken:
        self.asked.append(messages)
        is_sum = any("a + b" in each["content"] or "sum((" in each["content"] for each in messages)
        schema = more.get("response_format", {}).get("json_schema", {}).get("schema")
        if schema is None:
            likely = {"Yes": 0.6, " yes": 0.1, "No": 0.1} if is_sum else {"No": 0.5, "yes": 0.1}
            return Spoken(0, 9, 0.1, 1, 0.1, "Yes", (("Yes", likely),))
        if "answer" in schema["properties"]:
            said = {"reason": "It adds.", "answer": "right" if is_sum else "wrong"}
            return Spoken(0, 9, 0.1, 20, 0.1, json.dumps(said))
        sure = 9 if is_sum else 8
        scores = {"confidence_score": sure, "conflict_score": 1}
        text = json.dumps(scores | {"judgement_summary": "Right."})
        likely_of = (
            {"9": 0.8, "8": 0.2} if is_sum else {"8": 0.5, " 2": 0.5},
            {"1": 0.75, "3": 0.25},
        )
        digits = ((str(sure), likely_of[0]), (",", {}), ("1", likely_of[1]), ("}", {}))
        return Spoken(0, 9, 0.1, 20, 0.1, text, digits)


@needs_sandbox
@pytest.mark.parametrize("form", judge.FORMS)
def test_a_judge_is_asked_once_about_each_program(
    form: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """In each form: the same program is not asked twice, nor what stands in the file; the table has
    the area over right and wrong drafts, and how many of each it accepts."""
    drafts, results = tmp_path / "d.jsonl", tmp_path / "j.jsonl"
    texts = [(RIGHT, True), (TIMES, False), (RIGHT, True), (ALSO_RIGHT, True), (MINUS, False)]
    recorded(drafts, *(executed(n, text, right=ok) for n, (text, ok) in enumerate(texts, 1)))
    monkeypatch.setattr(judge, "Bare", Scripted)
    monkeypatch.setattr(Scripted, "asked", [])
    words = ["judge", "--drafts", str(drafts), "--results", str(results), "--json"]
    for _ in range(2):
        main([*words, "--model", "m.gguf", "--form", form])
        (row,) = json.loads(capsys.readouterr().out.splitlines()[-1])
        assert len(Scripted.asked) == 4
    assert (row["judge"], row["form"], row["right"], row["wrong"]) == ("m.gguf", form, 2, 2)
    assert (row["auroc"], row["accepted_right"], row["unread"]) == (1.0, 2, 0)
    assert row["accepted_wrong"] == (2 if form in ("scores", "scores-apart", "digits") else 0)
    main(["judge", "--table", str(results)])
    assert f"| m.gguf, {form} | 1.00 (1.00–1.00) | 2 of 2, " in capsys.readouterr().out
    last = [messages[-1]["content"] for messages in Scripted.asked]
    assert any('"""Sums."""' in each for each in last) == (form == "yes-no-apart")
    if form == "facts":
        assert "20 calls; of other programs for this request 2 give the same values, 2" in last[0]


def test_a_judge_is_asked_in_the_real_engine(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The starter's coder, which has never seen such a question, is asked as any model; an answer
    that has neither word in it counts as unread."""
    drafts, results = tmp_path / "d.jsonl", tmp_path / "j.jsonl"
    recorded(drafts, executed(1, RIGHT, right=True), executed(2, TIMES, right=False))
    words = ["--model", str(DIRECTORY / "coder.gguf"), "--form", "blind", "--json"]
    main(["judge", "--drafts", str(drafts), "--results", str(results), *words])
    (row,) = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert (row["right"], row["wrong"], row["tokens"]) == (1, 1, 1)
    scores = [each["score"] for each in ResultFile(results)]
    assert row["unread"] == scores.count(None)


def test_scores_are_means_over_the_digits_of_a_verdict() -> None:
    """A 1 is a ten where 10 was written; other words are no digits; a digit that is not among the
    likely ones was forced by the schema and counts by itself."""
    ten = [("1", {"1": 0.5, "9": 0.5}), ("0", {"0": 1.0}), (", ", {})]
    one = [("1", {"1": 0.6, "2": 0.2, "x": 0.2}), ("}", {})]
    assert judge.expected_scores([*ten, *one]) == pytest.approx([9.5, 1.25])
    forced = [("7", {"a": 1.0}), (" 3", {" 3": 0.25, "3": 0.25})]
    assert judge.expected_scores(forced) == [7.0, 3.0]


def test_what_cannot_be_read_has_no_score() -> None:
    """A verdict or a reason that is no JSON, a first word that is neither yes nor no: none is
    accepted, and the area leaves them out."""
    for form in judge.FORMS:
        said = judge.opinion(
            form, Spoken(0, 1, 0, 1, 0, "It depends", (("It", {"It": 1.0}),)), Settings()
        )
        assert said == (None, False), form


def test_comments_and_docstrings_are_taken_out() -> None:
    """Code that does not parse is left as it is."""
    assert (
        judge.blind(ALSO_RIGHT).strip()
        == ALSO_RIGHT.replace('    """Sums."""\n', "").replace("  # both", "").strip()
    )
    assert judge.blind("def f(:") == "def f(:"


def test_the_interval_of_an_area_is_hanley_and_mcneil_s() -> None:
    """0.63 of 42 right and 27 wrong drafts, as docs/studies/judges.md has it; none without both."""
    low, high = auroc_interval(0.63, 42, 27)
    assert (low, high) == (pytest.approx(0.50, abs=0.005), pytest.approx(0.76, abs=0.005))
    assert auroc_interval(None, 3, 0) == (None, None)
