"""Tables that a request shows: one that is given and one that is to come of it are an example."""

import shutil
import sys
from textwrap import dedent

import pytest
from hypothesis import given
from hypothesis import strategies as st

from config import load_settings
from pipeline.analysis.draft import Draft
from pipeline.review.draft_evidence import examine
from pipeline.sandbox import Foreign
from pipeline.sandbox.shown_table import ShownTable
from pipeline.task import Task
from pipeline.testcases.examples.asked_examples import asked_of
from pipeline.testcases.examples.example_search import find_examples
from pipeline.testcases.examples.printed_arrays import arrays_in
from pipeline.testcases.examples.printed_tables import UNREAD, tables_in
from pipeline.testcases.examples.table_roles import roles_in
from pipeline.testcases.examples.table_source import source_of
from tests.sandboxes import require_sandbox
from tools.bench.drafts.executed import run_of

PER_CITY = (("city", "n"), (("Oslo", "2"), ("New York", "3")))
WANTED = """\
I have this:

   city     price
0  Oslo       2.0
1  Rome       1.0
2  Oslo       4.0

and I want the sum of each city, sorted by its name:

   city  price
0  Oslo    6.0
1  Rome    1.0
"""
SUMS = "import pandas as pd\ndef sums(df):\n    return df.groupby('city'){}\n"


def cells(text):
    return [(table.columns, table.rows) for table in tables_in(dedent(text))]


def asked(request, program):
    suite = asked_of(Draft(program, "python", ()), find_examples(request), request)
    return [suite.described(case) for case in suite.cases]


@pytest.mark.parametrize(
    "text",
    [
        "       city  n\n0      Oslo  2\n1  New York  3\n",
        "I have\n       city  n\n0      Oslo  2\n1  New York  3",
        "    city  n\n    Oslo  2\nNew York  3",
        "          n\ncity       \nOslo      2\nNew York  3",
        "```\ncity\tn\nOslo\t2\nNew York\t3\n```",
        "| city | n |\n|------|--:|\n| Oslo | 2 |\n| New York | 3 |",
        "+----------+---+\n| city     | n |\n+----------+---+\n| Oslo     | 2 |\n"
        "| New York | 3 |\n+----------+---+",
        'df = pd.DataFrame({"city": ["Oslo", "New York"], "n": [2, 3]})',
        "       city  n\n5      Oslo  2\n7  New York  3\n\n[2 rows x 2 columns]",
        "       city n\n0      Oslo 2\n1  New York 3",
        "city     | n\n---------+---\nOslo     | 2\nNew York | 3\n(2 rows)",
        "+-------+---+\n| city  | n |\n+=======+===+\n| Oslo  | 2 |\n+-------+---+\n"
        "| New York | 3 |\n+----------+---+",
        "city,n\nOslo,2\nNew York,3",
        "> city      n\n> Oslo      2\n> New York  3",
        "    city      n\n    --------  -\n    Oslo      2\n    New York  3",
        ">>> df\n       city  n\n0      Oslo  2\n1  New York  3\n>>> len(df)\n2",
        "┌──────────┬───┐\n│ city     │ n │\n├──────────┼───┤\n│ Oslo     │ 2 │\n"
        "│ New York │ 3 │\n└──────────┴───┘",
        '>>> df = pd.DataFrame({\n...     "city": ["Oslo", "New York"],\n...     "n": [2, 3]})',
        'df = pd.DataFrame([{"city": "Oslo", "n": 2}, {"city": "New York", "n": 3}])',
        'def f(df):\n    """For\n\n    >>> df\n           city  n\n    0      Oslo  2\n'
        '    1  New York  3\n    """\n',
        "print(df)\n#        city  n\n# 0      Oslo  2\n# 1  New York  3",
        '{"city": "Oslo", "n": 2}\n{"city": "New York", "n": 3}',
    ],
)
def test_a_table_is_read_in_the_forms_in_which_people_show_it(text):
    """Numbers of rows are no column, names of rows are one."""
    assert cells(text) == [PER_CITY]


@pytest.mark.parametrize(
    "text",
    [
        "I want the\nsum of it",
        "first  second\nand a line without gaps",
        "   a  b\n0  1\n1  2  3  4",
        "OPS-1  A report on it\nPriority: high  Reporter: me  Where: here",
        'df = pd.DataFrame({"a": make()})',
        'df = pd.DataFrame({"a": [1], "b": [1, 2]})',
        '{"a": 1}\n{"b": 1}',
        '{"a": [1]}\n{"a": [2]}',
        '{"a": 1',
    ],
)
def test_other_lines_are_no_table(text):
    """Words in lines, rows of different lengths, source that is no literal."""
    assert cells(text) == []


def test_empty_cells_are_found_by_the_ends_of_the_names_above():
    """As pandas prints texts that are empty, at the right."""
    text = "  first   last\n0   Ada  Byron\n1    Al       \n2        Plato\n"
    rows = (("Ada", "Byron"), ("Al", ""), ("", "Plato"))
    assert cells(text) == [(("first", "last"), rows)]


def test_empty_cells_are_found_by_the_beginnings_of_the_names_above():
    """As people align them, at the left."""
    text = "shop  day   price\nA     1     10\nA     2\nB           7\n"
    rows = (("A", "1", "10"), ("A", "2", ""), ("B", "", "7"))
    assert cells(text) == [(("shop", "day", "price"), rows)]


def test_two_tables_may_stand_beside_each_other():
    """The words above them say what they are; no line of either is one of both."""
    text = """\
        have          | want
        city   n      | city   n   twice
        Oslo   2      | Oslo   2   4
        Rome          | Rome
        """
    (left, right), request = tables_in(dedent(text)), dedent(text)
    assert (left.label, left.rows) == ("have", (("Oslo", "2"), ("Rome", "")))
    assert (right.label, right.rows) == ("want", (("Oslo", "2", "4"), ("Rome", "", "")))
    assert [role for role, _ in roles_in(request, (left, right))] == ["given", "wanted"]
    assert len(tables_in("one thing | another\nonly   this | that\nand   so | on\n")) < 2


SERIES = "a  1\nb  2\nName: n, dtype: int64\n"


@pytest.mark.parametrize(
    ("text", "rows", "source"),
    [
        (SERIES, (("a", "1"), ("b", "2")), "pd.Series([1, 2], index=['a', 'b'], name='n')"),
        ("key\na    x y\nb      z\ndtype: object\n", (("a", "x y"), ("b", "z")), None),
        ("s\n0    1.5\n1    NaN\ndtype: float64\n", (("1.5",), ("NaN",)), "pd.Series([1.5, None])"),
        ("0    01\n1    2\nLength: 2, dtype: str\n", (("01",), ("2",)), "pd.Series(['01', '2'])"),
        (
            "2024-01-01    1\n2024-01-02    2\nFreq: D, dtype: int64\n",
            (("2024-01-01", "1"), ("2024-01-02", "2")),
            "pd.Series([1, 2], index=pd.to_datetime(['2024-01-01', '2024-01-02']))",
        ),
    ],
)
def test_a_series_is_read_by_its_last_line(text, rows, source):
    """With its names, but where they are the numbers of its rows; texts stay texts."""
    [series] = tables_in(text)
    assert series.rows == rows
    assert source is None or source_of(series, "", "") == source


def test_what_the_names_of_a_series_are_is_no_word_before_it():
    """It stands above them, in the place of a label."""
    request = (
        f"df:\n\n   a\n0  1\n1  2\n\nlike\n\n```\n{SERIES}```\n\nI want\n\n```\nkey\n{SERIES}```"
    )
    tables = tables_in(request)
    assert [role for role, _ in roles_in(request, tables)] == ["given", "given", "wanted"]
    assert request[tables[-1].begin :].startswith("key\n")


def test_a_series_of_several_names_is_none():
    """Nor a table whose head is its first row."""
    assert tables_in("a  x  1\n   y  2\nb  x  3\nName: n, dtype: int64\n") == ()


@given(st.text(" |+-\n01ab.", max_size=120), st.sampled_from(["", "   a  b\n0  1  2\n", "|a|b|\n"]))
def test_any_text_can_be_read(text, beginning):
    """And what is found is as wide as its head, and stands where it says."""
    whole = beginning + text
    for table in tables_in(whole):
        assert all(len(row) == len(table.columns) for row in table.rows)
        assert 0 <= table.begin < table.end <= len(whole)


@pytest.mark.parametrize(
    ("said", "role"),
    [
        ("What the screen needs:", "wanted"),
        ("i'd like to have, best first:", "wanted"),
        ("so then\n\nsqlite> select * from t order by n;", "wanted"),
        ("db=> select * from rates;", "given"),
        ("my attempt\n\nselect n from t\n\ngives", "neither"),
        ("everybody keeps what is already set!! so then", "wanted"),
        ("I already get", "neither"),
        ("The legend of it should be", "neither"),
    ],
)
def test_words_before_a_table_say_what_it_is(said, role):
    """Prompts of clients are no words, and a query before a table is what gives it today."""
    request = f"t:\n\n| n |\n|---|\n| 1 |\n\n{said}\n\n| n |\n|---|\n| 2 |\n"
    (_, _), (found, _) = roles_in(request, tables_in(request))
    assert found == role


def test_a_table_with_dots_only_says_of_what_form_something_is():
    """It is neither given nor wanted."""
    request = "t:\n\n| n |\n|---|\n| 1 |\n\nso I want, like\n\n| n |\n|---|\n| ... |\n"
    assert [role for role, _ in roles_in(request, tables_in(request))] == ["given", "neither"]


@pytest.mark.parametrize(
    ("request_text", "call"),
    [
        (WANTED, "sums(df)"),
        (WANTED.replace("I want", "`sums(prices)` should give"), "sums(prices)"),
        (WANTED.replace("I want", 'sums(df, by="city") =>'), "sums(df, by='city')"),
        (f"I need `sums(df, 'city')`. {WANTED}", "sums(df, 'city')"),
    ],
)
def test_the_call_is_the_one_that_the_request_writes_or_the_function_with_the_only_table(
    request_text, call
):
    """Whatever the draft calls its function, where the request names none."""
    made = "{'city': ['Oslo', 'Rome', 'Oslo'], 'price': [2.0, 1.0, 4.0]}"
    name = call.partition("(")[2].partition(",")[0].rstrip(")")
    wanted = "city  price; Oslo  6.0; Rome  1.0"
    assert asked(request_text, SUMS.format(".sum()")) == [
        f"{name} = pd.DataFrame({made}); {call} → {wanted}"
    ]


def test_tables_are_told_apart_by_the_words_above_them():
    """Where a call names several."""
    request = (
        "users:\n\n| id | name |\n|-|-|\n| 1 | Ann |\n\n"
        "**orders**\n```\nid  price\n 1      5\n```\n"
        "`merged(users, orders)` gives\n\n  name  price\n0  Ann      5\n"
    )
    program = "import pandas as pd\ndef merged(a, b):\n    return a.merge(b, on='id')\n"
    [only] = asked(request, program)
    assert only.startswith("users = pd.DataFrame({'id': [1], 'name': ['Ann']}); orders = ")
    assert "; merged(users, orders) → name  price; Ann  5" in only


def test_a_function_of_several_tables_is_called_by_their_names():
    """Where its parameters have them; else nobody knows which is which."""
    request = (
        "a = pd.DataFrame({'x': [1]})\nb = pd.DataFrame({'y': [2]})\n\nshould give\n\n"
        "| x | y |\n|---|---|\n| 1 | 2 |\n"
    )
    program = "import pandas as pd\ndef both({}):\n    return b.join(a)\n"
    assert "; both(a=a, b=b) → " in asked(request, program.format("b, a"))[0]
    assert asked(request, program.format("left, right")) == []


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("and I want", "but I get"),
        ("and I want", "`df.groupby('city').max()` gives"),
        ("and I want", "and, as an intermediate result,"),
        ("Rome    1.0\n", "Rome    1.0\n\nbut Oslo is there twice.\n"),
        ("Rome    1.0\n", "Rome    1.0\n\nThat isn't right: it should be the mean.\n"),
        ("and I want the sum of each city", "and the cities are here"),
        ("and I want the sum of each city, sorted by its name", "that I need to join with this"),
        ("I have this", "These are the first rows of it"),
        ("6.0", "$6.00"),
        ("1  Rome    1.0\n", "1  ...     ...\n"),
    ],
)
def test_what_may_be_no_result_is_none(old, new):
    """A wrong result, a second table that is given, cells that are shown otherwise than kept."""
    head, _, tail = WANTED.rpartition(old)
    assert asked(f"{head}{new}{tail}", SUMS.format(".sum()")) == []


def test_tables_of_a_named_function_are_tests_before_anything_is_drafted():
    """Where its head or a call says what it takes."""
    named = f"Write def sums(df):\n\n{WANTED}"
    suite = find_examples(named)
    assert (suite.function, len(suite.cases)) == ("sums", 1)
    assert suite.cases[0].session.endswith("\nsums(df)")
    assert asked(named, SUMS.format(".sum()")) == asked(WANTED, SUMS.format(".sum()"))
    assert find_examples(f"Write def sums(df, by):\n\n{WANTED}").cases == ()


def test_a_wrong_result_beside_the_wanted_one_is_passed_over():
    """Before it or behind it."""
    now = "Currently I get this:\n\n   city  price\n0  Oslo    2.0\n1  Rome    1.0\n"
    before = WANTED.replace("and I want", f"{now}\nWhat I want is")
    assert asked(before, SUMS.format(".sum()")) == asked(WANTED, SUMS.format(".sum()"))
    assert asked(f"{WANTED}\n{now}", SUMS.format(".sum()")) == asked(WANTED, SUMS.format(".sum()"))


@pytest.mark.parametrize(
    ("request_text", "expected"),
    [
        (
            "x = np.array([2, 4])\n\nshould become\n\nnp.array([[2, 0],\n [0, 4]])",
            "a = np.array([2, 4]); f(a) → 2  0; 0  4",
        ),
        (
            "a is\n\n[[ 1. nan]\n [ 4.  5.]]\n\nand then it should be\n\n[[1.  5. ]\n [4.  5.5]]",
            "a = np.array([[1., np.nan], [4., 5.]]); f(a) → 1.0  5.0; 4.0  5.5",
        ),
        (
            ">>> A\narray([1, 2])\n>>> f(A)\narray([0.5, 1. ])\n",
            "A = np.array([1, 2]); f(A) → 0.5  1.0",
        ),
        (
            "a = np.array([1, 2])\n\nshould become\n\n[2 1]\n\nalso `f(np.array([5]))` is [7]",
            "a = np.array([1, 2]); f(a) → 2  1",
        ),
        ("`f(a, 2)`\n\na:\n\n[1 2]\n\nOutput: [3 4]", "a = np.array([1, 2]); f(a, 2) → 3  4"),
    ],
)
def test_arrays_are_read_as_they_are_printed_and_made(request_text, expected):
    """By the name that stands before them, or as the only one."""
    assert expected in asked(request_text, "import numpy as np\ndef f(a, n=1):\n    return a\n")


def test_what_other_calls_of_a_session_give_is_no_result():
    """Parts of what a function gives are read elsewhere."""
    request = ">>> x = np.array([1, 1])\n>>> n, m = f(x)\n>>> n\narray([2])\n>>> len(x)\n[2]\n"
    assert not [
        each for each in asked(request, "import numpy as np\ndef f(x): ...\n") if "f(x) →" in each
    ]


def test_rows_of_an_array_may_come_in_any_order_where_that_is_said():
    """As those of a table."""
    request = "x = np.array([3, 1])\n\nshould be\n\n[[1 2]\n [3 4]]\n\n{}"
    program = "import numpy as np\ndef f(x): ...\n"
    for said, ordered in (("", True), ("the order of the rows is irrelevant", False)):
        draft = Draft(program, "python", ())
        text = request.format(said)
        [case] = asked_of(draft, find_examples(text), text).cases
        assert case.expected.ordered == ordered


def test_lists_are_no_arrays():
    """Those of Python are read elsewhere."""
    assert arrays_in("xs = [1, 2]\n\nys[0] = [[1, 2], [3]]\n\n[see below] [1, two]") == []


def test_a_function_that_takes_more_than_the_tables_is_not_asked():
    """Nothing tells what else it is given."""
    assert asked(WANTED, "import pandas as pd\ndef sums(df, column):\n    return df\n") == []


def test_dates_are_texts_or_moments_as_the_draft_takes_them():
    """A printed table does not say which they are."""
    request = WANTED.replace("Oslo", "2024-01-05").replace("Rome", "2024-02-01")
    source = "import pandas as pd\ndef sums(df):\n    return df.groupby(df['city']{})\n"
    assert "pd.to_datetime(['2024-01-05'" in asked(request, source.format(".dt.month"))[0]
    assert "to_datetime" not in asked(request, source.format(".str[:7]"))[0]
    merged = "import pandas as pd\ndef sums(df):\n    return pd.merge_asof(df, df)\n"
    assert "to_datetime" in asked(request, merged)[0]


def table(*columns):
    return Foreign("DataFrame", "…", {"columns": [list(each) for each in columns]})


SHOWN = ShownTable(("city", "price"), (("Oslo", "0.33"), ("Rome", "NaN")))


@pytest.mark.parametrize(
    ("value", "is_it"),
    [
        (table(("city", ["Oslo", "Rome"]), ("price", [1 / 3, float("nan")])), True),
        (table(("price", [1 / 3, None]), ("city", ["Oslo", "Rome"])), True),
        (table(("", ["x", "y"]), ("city", ["Oslo", "Rome"]), ("price", [0.33, None])), True),
        (table(("city", ["Rome", "Oslo"]), ("price", [None, 1 / 3])), False),
        (table(("city", ["Oslo", "Rome"]), ("price", [0.34, None])), False),
        (table(("city", ["Oslo", "Rome"]), ("mean", [0.33, None])), False),
        (table(("city", ["Oslo", "Rome"])), False),
        (table(("city", ["Oslo"]), ("price", [1 / 3])), False),
        ([["Oslo", 0.33]], False),
        (None, False),
    ],
)
def test_a_value_is_the_table_shown(value, is_it):
    """Fractions as far as they are shown, columns in any order, rows in theirs."""
    assert SHOWN.is_shown_by(value) == is_it


def test_rows_come_in_any_order_where_none_is_asked_for():
    """Each once."""
    shown = ShownTable(("n",), (("1",), ("2",), ("2",)), ordered=False)
    assert shown.is_shown_by(table(("n", [2, 1, 2])))
    assert not shown.is_shown_by(table(("n", [1, 1, 2])))


def test_cells_are_compared_as_they_are_printed():
    """A moment at midnight as its date, a text of digits as the number."""
    moment = Foreign("Timestamp", "Timestamp('2024-01-05 00:00:00')")
    shown = ShownTable(("day", "n", "ok"), (("2024-01-05", "7", "True"),))
    assert shown.is_shown_by(table(("day", [moment]), ("n", ["7"]), ("ok", [True])))
    assert not shown.is_shown_by(table(("day", [moment]), ("n", [7.2]), ("ok", [True])))
    at = Foreign("Timestamp", "Timestamp('2024-01-05 09:30:00')")
    assert ShownTable(("t",), (("2024-01-05 09:30",),)).is_shown_by(table(("t", [at])))
    assert ShownTable(("ok",), (("f",),)).is_shown_by([(0,)])


@pytest.fixture
def _packages():
    pytest.importorskip("pandas")
    if shutil.which("bwrap") is None:
        pytest.skip("the sandbox needs bubblewrap")
    require_sandbox()


async def examined(program, request=WANTED):
    settings = load_settings(SANDBOX_VENV=sys.prefix)
    with run_of(request, settings, None) as run:
        return await examine(run, Task(request), Draft(program, "python", ()), "coder")


@pytest.mark.usefixtures("_packages")
@pytest.mark.parametrize(
    "program",
    [
        SUMS.format("['price'].sum()"),
        SUMS.format("[['price']].sum().reset_index()"),
        "import pandas as pd\ndef sums(df):\n    return df.groupby('city', as_index=False).sum()\n",
    ],
)
async def test_right_drafts_hold_the_table(program):
    """As a Series by name, as a table with or without its names as rows."""
    draft = await examined(program)
    assert (draft.findings, draft.decided) == ((), "the request's examples pass")


@pytest.mark.usefixtures("_packages")
@pytest.mark.parametrize(
    "program",
    [
        SUMS.format("['price'].mean().reset_index()"),
        SUMS.format("['price'].sum().reset_index().sort_values('price')"),
        SUMS.format("['price'].sum().reset_index(name='total')"),
    ],
)
async def test_wrong_drafts_fail_it(program):
    """Other values, another order, another name."""
    [finding] = (await examined(program)).findings
    assert finding.kind == "example"
    assert "city  price; Oslo  6.0; Rome  1.0 fails" in finding.detail


@pytest.mark.usefixtures("_packages")
async def test_tables_that_are_no_example_are_noted():
    """Where one may be the result of the other, and the draft's function is not called by it."""
    program = SUMS.format("['price'].sum()")
    assert (await examined(program)).unread == ""
    more = program.replace("(df)", "(df, by, how)")
    assert (await examined(more)).unread == UNREAD


MADE = """\
import pandas as pd
df = pd.DataFrame({'city': ['Oslo', 'Rome', 'Oslo'], 'price': [2, 1, 4.0]})
"""


@pytest.mark.usefixtures("_packages")
@pytest.mark.parametrize(
    ("program", "decided"),
    [
        ("print(df.groupby('city')['price'].sum())", True),
        ("print(df)\nprint(df.groupby('city', as_index=False).sum().to_string(index=False))", True),
        ("print(df.groupby('city')['price'].mean())", False),
        ("print(pd.DataFrame({'city': ['Oslo', 'Rome'], 'price': [6.0, 1.0]}))", False),
        ("total = df.groupby('city')['price'].sum()", False),
    ],
)
async def test_a_script_that_prints_the_table_is_decided(program, decided):
    """But one that has it in its source; nothing speaks against one that prints another."""
    draft = await examined(f"{MADE}{program}\n")
    assert draft.findings == ()
    assert bool(draft.decided) == decided


@pytest.mark.usefixtures("_packages")
async def test_a_script_that_prints_the_array_is_decided():
    """As numpy writes it."""
    request = "I have np.array([1, 2, 3]) and want\n\n[0.5 1.  1.5]\n\nhow?"
    program = "import numpy as np\nx = np.array([1, 2, 3])\nprint('it is', x / {})\n"
    assert (await examined(program.format(2), request)).decided
    assert not (await examined(program.format(3), request)).decided


NUMBERS = "+---+\n| n |\n+---+\n| 1 |\n| 2 |\n+---+\n"
SHELVES = "Table: Shelves\n\n| Column Name | Type |\n|-------------|------|\n| n | int |\n"


@pytest.mark.parametrize(
    "request_text",
    [
        "pandas please\n\n>>> df\n   a\n0  1\n1  2\n>>> double(df)\n   a\n0  2\n1  4\n",
        "with numpy\n\n>>> x = np.array([1, 2])\n>>> halves(x)\narray([0.5, 1. ])\n",
        f"{SHELVES}\nInput:\nShelves table:\n{NUMBERS}Output:\n{NUMBERS}",
    ],
)
def test_what_is_read_with_a_draft_is_not_said_to_be_unread(request_text):
    """Whoever reads sessions and labels cannot read the tables below them, but others can."""
    assert find_examples(request_text).warnings == ()


def test_tables_that_nobody_reads_are_said_to_be_unread():
    """The same in a request that is about neither tables of pandas nor SQL."""
    [warning] = find_examples(f"In JavaScript.\n\nInput:\n{NUMBERS}Output:\n{NUMBERS}").warnings
    assert warning == "an Input/Output pair could not be read as values"


@pytest.mark.parametrize(
    "shown",
    [
        "With pandas I have df:\n\n   a  b\n0  1  x\n1  2  y\n\ntotal(df) should be 3",
        ">>> import pandas as pd\n>>> df\n   a  b\n0  1  x\n1  2  y\n>>> total(df)\n3",
    ],
)
def test_what_a_call_gives_for_a_shown_table_is_an_example(shown):
    """Whatever it is, if no table: the table is made of what is shown."""
    [case] = find_examples(f"Write total.\n\n{shown}").cases
    made = "import pandas as pd\ndf = pd.DataFrame({'a': [1, 2], 'b': ['x', 'y']})\ntotal(df)"
    assert (case.session, case.output) == (made, "3")


def test_a_table_of_dates_is_not_made_before_a_draft_tells_of_what_kind_they_are():
    """They may be texts."""
    shown = "df:\n\n   a           day\n0  1    2024-01-01\n\ndays(df) should be 3"
    assert find_examples(f"Write days for a DataFrame.\n\n{shown}").cases == ()
