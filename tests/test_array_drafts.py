"""Functions that take arrays or tables of numpy and pandas: what they are tried with, and that
drafts are compared by what they give."""

import ast
import asyncio
import json
import shutil
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from config import load_settings
from pipeline.analysis.draft import Draft
from pipeline.review.draft_comparison import Comparison
from pipeline.task import Task
from pipeline.testcases.array_parameters import table_kinds, takes_tables
from pipeline.testcases.array_sessions import fallbacks_of, sessions_with_arrays
from pipeline.testcases.entry_point import function_of
from pipeline.testcases.examples.example_search import find_examples
from pipeline.testcases.frame_columns import columns_of
from pipeline.testcases.shown_cells import cells_shown
from tests.test_agreement import JUDGED, coder, comparing, models_asked
from tools.bench.drafts.executed import run_of

pytest.importorskip("pandas")
needs_sandbox = pytest.mark.skipif(
    shutil.which("bwrap") is None, reason="the sandbox needs bubblewrap"
)
ROWS = {  # two right programs and two wrong ones for each request of the bench
    row["id"]: row
    for row in map(
        json.loads,
        (Path(__file__).parent / "fixtures/data_frames.jsonl").read_text("utf-8").splitlines(),
    )
}
COMPARED = (
    *("cosine", "rotate", "gruppen_mittel", "customer_totals", "weekly_average", "split_names"),
    *("umsatz", "to_long"),
)
AT_ONCE = 2
MEAN = "import numpy as np\n\n\ndef center(x):\n    return x - np.mean(x)\n"
ALSO_MEAN = (
    "import numpy as np\n\n\ndef center(x):\n    return np.asarray(x) - np.asarray(x).mean()\n"
)
MEDIAN = MEAN.replace("mean", "median")


def kinds(source, request):
    [function] = ast.parse(source).body
    return table_kinds(function, request)


def columns(source, request, parameter="df"):
    [function] = ast.parse(source).body
    return columns_of(function, parameter, request, is_only=True)


@pytest.mark.parametrize(
    ("source", "request_text", "expected"),
    [
        ("def f(df: pd.DataFrame, n: int): ...", "", {"df": "frame", "n": "plain"}),
        ("def f(x: np.ndarray): ...", "", {"x": "array"}),
        ('def f(x):\n    """Args:\n        x (np.ndarray): the input\n    """', "", {"x": "array"}),
        ("def f(data): return data.groupby('a')['b'].sum()", "", {"data": "frame"}),
        ("def f(s): return s.str.lower()", "", {"s": "series"}),
        ("def f(a, b): return a @ b", "", {"a": "array", "b": "array"}),
        (
            "def f(x, degrees): return x * np.cos(degrees)",
            "numpy array",
            {"degrees": "plain", "x": "array"},
        ),
        (
            "def f(grid, q): ...",
            "numpy: grid is a sorted 1D array",
            {"grid": "array", "q": "plain"},
        ),
        ("def f(n): return np.zeros(n)", "", {"n": ""}),
        ("def f(nums): return sum(nums)", "a list of numbers", {"nums": ""}),
        ("def f(values): return np.mean(values)", "a list of numbers", {"values": ""}),
        ("def f(m): m = np.array(m); return m.shape", "a matrix as a list of lists", {"m": ""}),
        ("def f(arr, w): return arr[:w]", "numpy: windows of w", {"arr": "array", "w": "plain"}),
        ("def f(cars): t = cars.copy(); return t['a']", "", {"cars": "frame"}),
        ("def f(cars): return other(cars)", "a pandas DataFrame", {"cars": "frame"}),
        ("def f(load): return load.resample('D')", "load: a Series", {"load": "series"}),
    ],
)
def test_what_parameters_take(source, request_text, expected):
    """By annotation, docstring, use, the request's words, and their names."""
    assert kinds(source, request_text) == expected


@pytest.mark.parametrize(
    ("request_text", "expected"),
    [
        ("a DataFrame with columns city and price", ["city", "price"]),
        ("df has region, store and sales", ["region", "store", "sales"]),
        ("the columns account, date (like 2024-03-05) and amount", ["account", "date", "amount"]),
        ("einen DataFrame mit den Spalten Produkt, Menge und Preis", ["Produkt", "Menge", "Preis"]),
        ("I have this:\n\n         date  amount\n0  2023-12-30    20.0\n", ["date", "amount"]),
        ('df = pd.DataFrame({"a": [1], "b": [2]})', ["a", "b"]),
        ("columns x and y. It returns the columns c and d", ["x", "y"]),
        ("a table of people", ["name", "age", "price"]),
    ],
)
def test_columns_that_a_request_lists(request_text, expected):
    """In words, as code, as a printed table; those of the result are none that are given."""
    assert columns("def f(df): ...", request_text) == expected


def test_columns_that_a_program_asks_for_are_there_and_those_that_it_makes_are_not():
    """Whether the request lists them or not."""
    source = (
        "def f(df):\n    df['total'] = df['price'] * df['count']\n    return df.groupby('city')"
    )
    assert columns(source, "") == ["price", "count", "city"]


@pytest.mark.parametrize(
    ("request_text", "column", "expected"),
    [
        ('cars has a column plate like "AB-12"', "plate", ("AB-12", "AB-23")),
        (
            'entries such as phone such as "+4 1", "(0) 5"',
            "phone",
            ("+4 1", "(0) 5", "+5 2", "(1) 6"),
        ),
        ('pd.DataFrame({"n": [1], "code": ["x1", "y1"]})', "code", ("x1", "y1", "x2", "y2")),
        ("paid is yes or no", "paid", ("yes", "no")),
        ("paid is None or a date", "paid", ()),
        ('product, month (like "2024-01")', "product", ()),
        ('product, month (like "2024-01")', "month", ()),
    ],
)
def test_texts_of_a_column_that_a_request_shows(request_text, column, expected):
    """And others of their form; dates are made elsewhere."""
    assert cells_shown(column, request_text) == expected


def test_what_was_given_counts_where_the_request_speaks_of_its_change():
    """Beside what the function gives."""
    program = "import numpy as np\ndef f(arr):\n    arr *= 2\n    return len(arr)\n"
    request = "a numpy array, which is changed in place"
    sessions = sessions_with_arrays(program, "f", request, 4, "items, texts")
    assert all(each.session.endswith("(gave, given)") for each in sessions)


@given(st.text(max_size=300), st.text("df array columns,(){}'\"\n0 ", max_size=120))
def test_any_request_can_be_read(text, more):
    """Whatever stands in it: sessions or none, the same each time, each of them Python."""
    program = "import pandas as pd\ndef f(df, arr, n): return df['a'], arr.T\n"
    for fallback in fallbacks_of(text):
        made = sessions_with_arrays(program, "f", text + more, 2, fallback)
        assert made == sessions_with_arrays(program, "f", text + more, 2, fallback)
        for case in made:
            ast.parse(case.session)


def test_functions_of_plain_values_are_left_to_plain_calls():
    """Also where numpy does the work."""
    program = "import numpy as np\ndef mean(nums): return np.mean(nums) if nums else 0\n"
    assert takes_tables(program, "mean", "the mean of an array, with numpy")
    assert not takes_tables("def mean(nums): ...", "mean", "the mean of a list")
    assert not takes_tables("import numpy\ndef f(n): ...", "f", "the first n primes")


def test_arrays_of_one_call_fit_together():
    """A matrix and a vector that is multiplied with it have one length in common."""
    program = "def f(M, q): return M @ q\n"
    for case in sessions_with_arrays(f"import numpy as np\n{program}", "f", "", 10, "items, texts"):
        matrix, vector = (ast.literal_eval(each.args[0]) for each in _arrays(case.session))
        assert {len(row) for row in matrix} == {len(vector)}, case.session


def _arrays(session):
    return [
        node
        for node in ast.walk(ast.parse(session))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
    ]


def test_a_function_that_gives_nothing_is_asked_for_what_it_was_given():
    """What it changed is what counts."""
    program = "import pandas as pd\ndef f(df):\n    df['b'] = df['a'] * 2\n"
    [case] = sessions_with_arrays(program, "f", "", 1, "items, texts")
    assert case.session.startswith("given = pd.DataFrame(") and case.session.endswith("\ngiven")
    assert function_of(program, "f") is not None


@needs_sandbox
@pytest.mark.only_when("pipeline/review/", "pipeline/sandbox/", "pipeline/testcases/")
async def test_right_programs_do_the_same_and_wrong_ones_something_else():
    """Programs that were written apart from the rules: as many as are known to."""
    free = asyncio.Semaphore(AT_ONCE)
    settings = load_settings(SANDBOX_VENV=sys.prefix)

    async def one(name):
        row = ROWS[name]
        programs = [Draft(each, "python", ()) for each in [*row["right"], *row["wrong"]]]
        async with free:
            with run_of(row["prompt"], settings, None) as job:
                comparison = Comparison(job, Task(row["prompt"]))
                found = await comparison.of(dict(enumerate(programs)), in_time=False)
        return name, found

    for name, found in await asyncio.gather(*map(one, COMPARED)):
        assert found and {0, 1} <= {*found.classes[0]}, (name, found and found.classes)
        assert len(found.classes) > 1, name
        assert found.tells, name


@needs_sandbox
async def test_two_drafts_of_arrays_that_agree_need_no_opinion(pipeline_with):
    """The record has the calls; where they differ, it has on which."""
    request = "Write center(x) with numpy: subtract the mean from an array."
    venv = Path(sys.prefix)
    async with comparing(pipeline_with, coder(MEAN, ALSO_MEAN), JUDGED, SANDBOX_VENV=venv) as run:
        assert await run(request) == MEAN
    assert models_asked(run.record) == ["coder", "coder"]
    assert "2 of 2 drafts agree on 20 calls" in run.record["final_reason"]
    async with comparing(
        pipeline_with, coder(MEAN, MEDIAN, MEAN), JUDGED, SANDBOX_VENV=venv
    ) as run:
        await run(request)
    assert "np.array([" in json.dumps(run.record["artefact"])


SCALE = "Write scale(x, n) that multiplies an array.\n\n>>> scale(np.array([1, 2]), 3)\n{}\n"
TABLE = """\
Write domains(df).

import pandas as pd

df = pd.DataFrame({"email": ["a@x.com", "b@y.org"]})
assert domains(df) == ["x.com", "y.org"]
"""


@pytest.mark.parametrize(
    ("request_text", "session", "expected"),
    [
        (SCALE.format("array([3, 6])"), "scale(np.array([1, 2]), 3)", [3, 6]),
        (SCALE.format("array([3., inf])"), "scale(np.array([1, 2]), 3)", [3.0, float("inf")]),
        (SCALE.format("array([[3.0,\n       6.5]])"), "scale(np.array([1, 2]), 3)", [[3.0, 6.5]]),
        (TABLE, "domains(df)", ["x.com", "y.org"]),
        ("f(a) doubles:\nassert np.allclose(f(np.array([1])), [2])", "np.allclose(", True),
    ],
)
def test_examples_with_arrays_and_tables_are_read(request_text, session, expected):
    """Their modules are imported by the names that everybody gives them; an array is its items."""
    [case] = find_examples(request_text).cases
    assert case.session.startswith("import ") and session in case.session
    assert case.expected == expected


@needs_sandbox
async def test_an_example_decides_where_its_packages_are(pipeline_with):
    """Where they are not, it accuses nobody, not even a draft that needs none."""
    right = "def scale(x, n):\n    return x * n\n"
    wrong = "def scale(x, n):\n    return x + n\n"
    request = SCALE.format("array([3, 6])")
    venv = Path(sys.prefix)
    async with comparing(pipeline_with, coder(wrong, right), JUDGED, SANDBOX_VENV=venv) as run:
        assert await run(request) == right
    assert run.record["final_reason"] == "not judged: the request's examples pass"
    async with comparing(pipeline_with, coder(wrong, wrong), JUDGED) as run:
        assert await run(request) == wrong
    assert not any(each["kind"] == "example" for each in run.record["evidence"] or ())
