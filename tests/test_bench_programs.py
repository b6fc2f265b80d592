"""The bench of `///files`, `///plan`, `///refine` and `POST /code` (`tools/bench/programs.py`), but
for the model's part, and what it has in common with that of `///ask`
(`tools/bench/daemon_answers.py`)."""

import asyncio
import json
import os
import shutil
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from subprocess import Popen
from types import SimpleNamespace
from typing import cast
from urllib.parse import urlsplit

import pytest
from processes import daemon_here

from tools.bench import daemon_answers
from tools.bench.daemon_answers import answers, ask
from tools.bench.processes import Server
from tools.bench.programs import PROGRAM, Wanted, requests, summary

pytestmark = pytest.mark.only_when("tools/")
needs_sandbox = pytest.mark.skipif(
    shutil.which("bwrap") is None, reason="the sandbox needs bubblewrap"
)

SUM = Wanted("plan/sum", "Print 1 + 1.", "assert numbers(output()) == [2]\n", {})
ROW = {"model": "m.gguf", "revision": "r1 of pipeline r1 of retrieval", "seconds": 1.0}
ROW |= {"id": SUM.id, "prompt": SUM.prompt}


def test_there_are_as_many_requests_as_the_documents_say() -> None:
    """None twice."""
    every = requests()
    assert Counter(each.mode for each in every) == {
        "files": 32,
        "plan": 31,
        "refine": 20,
        "code": 21,
    }
    assert len({each.id for each in every}) == len({each.prompt for each in every}) == 104


@needs_sandbox
@pytest.mark.timeout(300)  # two hundred programs
async def test_a_check_accepts_the_solution_and_nothing_else() -> None:
    """Every check can be met, and an answer without code, or the given code as
    it was, meets none."""
    every = requests()
    accepted = await asyncio.gather(*(each.fault(each.solution) for each in every))
    assert [(each.id, fault) for each, fault in zip(every, accepted, strict=True) if fault] == []
    empty = await asyncio.gather(*(each.fault(each.files("")) for each in every))
    assert [each.id for each, fault in zip(every, empty, strict=True) if not fault] == []
    changes = [each for each in every if each.mode == "refine"]
    given = [{PROGRAM: each.prompt.partition("```python\n")[2].rstrip("`")} for each in changes]
    left = await asyncio.gather(*map(Wanted.fault, changes, given))
    assert [each.id for each, fault in zip(changes, left, strict=True) if not fault] == []
    changes = [each for each in every if "code" in each.request]
    left = await asyncio.gather(*(each.fault({PROGRAM: each.body["code"]}) for each in changes))
    assert [each.id for each, fault in zip(changes, left, strict=True) if not fault] == []


@needs_sandbox
@pytest.mark.parametrize(
    ("program", "fault"),
    [
        ("print(1 + 1)", ""),
        ("print(3)", "AssertionError (assert numbers(output()) == [2])"),
        ("raise KeyError('sum')", "AssertionError: program.py ended with 1: KeyError: 'sum'"),
    ],
    ids=["right", "wrong", "broken"],
)
async def test_an_answer_is_run_beside_its_check(program: str, fault: str) -> None:
    """What is wrong is said in a line."""
    assert (await SUM.fault({PROGRAM: program})).startswith(fault)
    assert bool(await SUM.fault({PROGRAM: program})) == bool(fault)


@needs_sandbox
async def test_an_answer_that_ends_the_check_is_no_usable_one() -> None:
    """A module that exits with status 0 as it is imported."""
    wanted = Wanted("plan/end", "End.", "import program\nassert False\n", {})
    assert await wanted.fault({PROGRAM: "import sys\nsys.exit(0)"})


@needs_sandbox
async def test_a_project_s_files_are_found_wherever_they_stand() -> None:
    """In a folder of their own, with the tests in another; the tests have to hold."""
    calculator = next(each for each in requests() if each.id == "files/calculator")
    code, tests = calculator.solution["calculator.py"], calculator.solution["test_calculator.py"]
    moved = {"app/calculator.py": code, "app/tests/test_calculator.py": tests}
    assert await calculator.fault(moved) == ""
    wrong = {**moved, "app/tests/test_calculator.py": tests.replace("3)", "4)")}
    assert "1 of 1 own tests fail" in await calculator.fault(wrong)
    none = {**moved, "app/tests/test_calculator.py": "import calculator\n"}
    assert "there are no tests" in await calculator.fault(none)


def test_what_counts_is_usable_and_in_time() -> None:
    """A usable answer that came late is counted, but not among those in time; one that waited for
    others on a busy machine is in time."""
    took = ((90, 80, ""), (400, 190, ""), (300, 170, ""), (60, 50, "no"))
    rows = [({"seconds": clock, "cpu_s": core}, fault) for clock, core, fault in took]
    assert summary("plan", rows) == (
        "plan: 3 of 4 usable, 2 of them within 180 s; "
        "60–400 s (median 195) by the clock, 50–190 s (median 125) of one core"
    )


def test_what_was_answered_is_not_asked_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of the same model, code and request; the bench prepares what is left alone."""

    def prepare(left: Sequence[Wanted], place: Path) -> Mapping[str, object]:
        pytest.fail(f"{[each.id for each in left]} in {place}")

    monkeypatch.setattr(daemon_answers, "revision", lambda package: f"r1 of {package.name}")
    results = tmp_path / "results.jsonl"
    older = ROW | {"revision": "r1 of pipeline r0 of retrieval"}
    other = ROW | {"prompt": "Print 1 + 2."}
    results.write_text("".join(json.dumps(each) + "\n" for each in (older, other, ROW)))
    assert list(answers(Path("m.gguf"), results, [SUM], prepare)) == [ROW]
    with pytest.raises(pytest.fail.Exception, match=r"\['plan/sum'\]"):
        list(answers(Path("other.gguf"), results, [SUM], prepare))


@dataclass(frozen=True, slots=True)
class Raw:
    """A request of another mode."""

    id: str = "raw/sum"
    prompt: str = "Print 1 + 1."
    path: str = "/prompt"
    body: Mapping[str, object] = field(
        default_factory=lambda: {"prompt": "Print 1 + 1.", "mode": "raw"}
    )


def test_a_request_is_asked_with_its_body(tmp_path: Path) -> None:
    """What came of it is a row: the answer or the error, the run's id, the seconds."""
    (tmp_path / "script.json").write_text(json.dumps([{"reply": "print(2)\n"}]))
    model = f"scripted/{tmp_path / 'script.json'}"
    roles = {f"LAIOS_{role}_MODEL_NAME": model for role in ("CODER", "JUDGE", "REVIEWER")}
    with daemon_here(**roles) as address:
        here = cast("Popen[str]", SimpleNamespace(pid=os.getpid()))
        row = ask(Server(here, urlsplit(address).port or 0), Raw())
    assert (row["answer"], row["error"]) == ("print(2)\n", None)
    assert row["run"] and row["seconds"] >= 0 and row["cpu_s"] >= 0
