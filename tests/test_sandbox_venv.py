"""Packages of a virtual environment in the sandbox, and what comes out of it of their values."""

import shutil
import sys
from pathlib import Path

import pytest

from config import load_settings
from pipeline.review.agreement import results_of
from pipeline.sandbox import ANY_VALUE, Arguments, Case, Foreign, Limits, run, run_calls
from pipeline.sandbox.test_files import run_test_files
from pipeline.sandbox.value_comparison import same
from pipeline.sandbox.venv_packages import ONE_THREAD, need_packages, packages_in
from pipeline.testcases.behaviour import Behaviour
from pipeline.testcases.printed_frames import without_layout
from server.doctor.sandbox_venv import check_sandbox_venv
from server.runtime.record_details import details_of
from tests.sandboxes import require_sandbox
from tools.bench.drafts.executed import run_of

pytest.importorskip("pandas")
pytestmark = pytest.mark.usefixtures("_sandbox")
WITH = Limits.of(load_settings(SANDBOX_VENV=sys.prefix))
WITHOUT = Limits.of(load_settings())
FRAME = "import pandas as pd\nD = pd.DataFrame({'city': ['x', 'y', 'x'], 'price': [1, 2, 4.5]})\n"
BY_CITY = "D.groupby('city')['price'].mean()"


@pytest.fixture(scope="module")
def _sandbox():
    if shutil.which("bwrap") is None:
        pytest.skip("the sandbox needs bubblewrap")
    require_sandbox()


async def values(program, *expressions, limits=WITH):
    """What comes of each, in one process."""
    names = [f"f{n}" for n in range(len(expressions))]
    made = "".join(
        f"def {name}():\n    return {each}\n" for name, each in zip(names, expressions, strict=True)
    )
    cases = [Case(Arguments(), ANY_VALUE, function=name) for name in names]
    return await run_calls(program + made, cases, limits)


async def test_a_program_that_imports_packages_has_those_of_the_environment():
    """Without the setting it lacks them, and its error says so."""
    [found] = await values("import numpy as np\n", "np.arange(3).sum()")
    assert (found.came, found.value) == ("returned", 3)
    [missing] = await values("import numpy as np\n", "np.arange(3).sum()", limits=WITHOUT)
    assert missing.raised[0] == "ModuleNotFoundError"


async def test_packages_are_one_thread_and_cannot_be_changed():
    """The program reads them, and writes nothing there."""
    look = "import numpy, os, pathlib\n"
    at = "pathlib.Path(numpy.__file__).parent / 'laios-was-here'"
    threads, wrote = await values(
        look, f"os.environ[{next(iter(ONE_THREAD))!r}]", f"open({at}, 'w')"
    )
    assert threads.value == "1"
    assert wrote.raised[0] == "OSError"


async def test_a_program_without_packages_starts_without_them():
    """Neither its processor time nor what it sees is another than before."""
    [found] = await values("import sys\n", "any('site-packages' in each for each in sys.path)")
    assert found.value is False


@pytest.mark.parametrize(
    ("program", "needs"),
    [
        ("import os, re as r\nfrom collections import Counter\n", set()),
        ("import os, numpy as np, pandas\n", {"numpy", "pandas"}),
        ("def f():\n    from pandas.api import types\n", {"pandas"}),
        ("from .shapes import area\n", set()),
        ("import __future__\nimported = 1\n", set()),
        ("", set()),
    ],
)
def test_which_packages_programs_import(program, needs):
    """Anything but the standard library, wherever it is imported."""
    assert packages_in(program) == needs


def test_files_beside_a_program_are_no_packages():
    """Nor are the folders that they lie in."""
    files = {"main.py": "import tools.parse, shapes\n", "shapes.py": "", "tools/parse.py": "x"}
    assert not need_packages(files)
    assert need_packages({**files, "shapes.py": "import numpy"})
    assert not need_packages({"README.md": "import numpy"})


async def test_tests_find_the_packages_too():
    """Those of `POST /code` and of projects, which have a runner of their own."""
    files = {
        "test_it.py": "import numpy as np\ndef test_sum():\n    assert np.ones(3).sum() == 3\n"
    }
    [done], _ = await run_test_files(files, ["test_it.py"], WITH)
    assert done.status == "passed"
    [left], _ = await run_test_files(files, ["test_it.py"], WITHOUT)
    assert left.status != "passed"


async def test_a_directory_that_is_no_environment_is_named():
    """By the sandbox, and by `laios doctor` with what makes one."""
    settings = load_settings(SANDBOX_VENV="/nonexistent/venv")
    with pytest.raises(Exception, match="/nonexistent/venv is no virtual environment"):
        await run({"a.py": "import numpy"}, ["python", "a.py"], Limits.of(settings))
    [finding] = check_sandbox_venv(settings)
    assert finding.level == "problem" and "python3 -m venv /nonexistent/venv" in finding.fix
    [finding] = check_sandbox_venv(load_settings(SANDBOX_VENV=sys.prefix))
    assert finding.level == "ok" and finding.facts["packages"] > 2
    assert [*check_sandbox_venv(load_settings())] == []


async def test_numbers_of_numpy_are_numbers():
    """An array is a list of its items, of which a test says so; a list it is not."""
    program = "import numpy as np\n"
    came = await values(
        program, "np.int64(3)", "np.float32(0.5)", "np.bool_(True)", "np.array([[1, 2], [3, 4]])"
    )
    assert [each.value for each in came[:3]] == [3, 0.5, True]
    array = came[3].value
    assert isinstance(array, Foreign) and array.kind == "ndarray"
    assert same(array, [[1, 2], [3, 4]]) and same(array, ((1, 2), (3, 4.0000000001)))
    assert not same(array, [[1, 2], [3, 5]]) and not same(array, 1) and not same(array, [1, 2])


async def test_what_only_looks_like_an_array_is_what_it_was():
    """A class that says it is numpy's, and one whose items cannot be had."""
    program = (
        "class A:\n    size = 1\n    def tolist(self): raise ValueError\n"
        "A.__module__ = 'numpy'\n"
        "class B:\n    size = 10 ** 9\nB.__module__ = 'pandas'\n"
    )
    came = await values(program, "A()", "B()")
    assert [(each.value.kind, each.value.held) for each in came] == [("A", None), ("B", None)]


@pytest.mark.parametrize(
    ("one", "other", "request_text", "alike"),
    [
        (BY_CITY, f"{BY_CITY}.reset_index()", "mean price by city", True),
        (BY_CITY, f"{BY_CITY}.iloc[::-1]", "mean price by city", True),
        (BY_CITY, f"{BY_CITY}.iloc[::-1]", "mean price by city, sorted by city", False),
        (BY_CITY, f"{BY_CITY}.rename('mean')", "an average for each city", True),
        (BY_CITY, f"{BY_CITY}.to_frame('mean')", "a column mean by city", False),
        (BY_CITY, "D.groupby('city')['price'].sum()", "mean price by city", False),
        ("D['price']", "D['price'].to_numpy()", "the prices", True),
        ("D['price']", "D['price'].tolist()", "the prices", True),
        ("D", "D[['price', 'city']]", "the table", True),
        ("D", "D.iloc[[2, 1, 0]].reset_index(drop=True)", "the table", True),
        ("D", "D.head(2)", "the table", False),
        ("D.shift(1)", "D.shift(1).astype(object).where(D.shift(1).notna(), None)", "it", True),
        ("pd.to_datetime(pd.Series(['2024-01-01']))", "pd.Series(['2024-01-01'])", "it", False),
        ("(1e-17, 0.1 + 0.2)", "(0.0, 0.3)", "it", True),
    ],
)
async def test_what_of_tables_counts(one, other, request_text, alike):
    """Their values: neither how rows are numbered, nor names that nobody asked for, nor an order of
    which the request does not speak."""
    came = await values(FRAME, one, other)
    first, second = Behaviour.of(came, request_text).outcomes
    assert (first == second) is alike, (first, second)


async def test_drafts_of_one_request_may_call_their_function_otherwise():
    """A name that another one has as a variable is not its function's."""
    case = Case(Arguments(), ANY_VALUE, session="total([1, 2])")
    program = "def add_up(values):\n    total = sum(values)\n    return total\n"
    with run_of("Add up a list.", load_settings(), None) as job:
        [came] = await results_of(job, program, [case], "total")
    assert came.value == 3


def test_the_layout_of_a_printed_table_says_nothing():
    """Neither the lines on types nor the numbers of rows; any other text stays as it is."""
    series = "date\n2024-02    3\n2024-03   -4\nFreq: M, Name: amount, dtype: int64\n"
    assert without_layout(series).split() == ["2024-02", "3", "2024-03", "-4"]
    table = "  city  price\n0    x    1.0\n1    y    2.5\n"
    assert without_layout(table).split() == ["x", "1.0", "y", "2.5"]
    for plain in ("3 apples\n0  of them\n", "Name: Ann\n", "[1 2]\n"):
        assert without_layout(plain) == plain.rstrip("\n")


async def test_a_package_that_is_missing_is_said_with_what_helps(pipeline_with):
    """In the record; with the setting the draft is run."""
    draft = "import numpy as np\n\n\ndef total(values):\n    return np.sum(values)\n"
    rule = {"role": "coder", "reply": draft}
    judge = {"role": "judge", "verdict": [9, 1, "It is right."]}
    for venv, note in ((None, True), (Path(sys.prefix), False)):
        async with pipeline_with(rule, judge, EVIDENCE_RUN="auto", SANDBOX_VENV=venv) as job:
            await job("Write total(values) that adds up: total([1, 2]) == 3")
        said = " ".join((job.record["artefact"] or {}).get("notes", []))
        assert ("SANDBOX_VENV can name a virtual environment" in said) is note


async def test_a_chat_is_told_why_nothing_could_be_compared(pipeline_with, script):
    """Where only a small model's own yes speaks for its code."""
    draft = "import numpy as np\n\n\ndef center(x):\n    return x - np.mean(x)\n"
    judge = {"role": "judge", "verdict": [9, 1, "It is right."]}
    name = script({"role": "coder", "reply": draft}, judge, name="x-1.5b")
    names = {f"{role}_MODEL_NAME": name for role in ("CODER", "JUDGE", "REVIEWER")}
    asked = {"EVIDENCE_RUN": "auto", "COMPARE_DRAFTS": "auto", "JUDGE_WHEN": "undecided"}
    async with pipeline_with(**names, **asked) as job:
        await job("center(x) subtracts the mean, with numpy")
    only, why = details_of(job.record).open_questions
    assert only.endswith("nothing of it could be compared")
    assert "No module named 'numpy'" in why and "SANDBOX_VENV" in why
