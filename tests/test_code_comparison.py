"""Tests of a program that are held against what it really gives, where none of its code runs."""

import ast
import shutil

import pytest
from hypothesis import given
from hypothesis import strategies as st
from test_code_evidence import Bare

from config import Settings
from pipeline.analysis.draft import Draft
from pipeline.review.confidence import confidence
from pipeline.review.verdict import Verdict
from pipeline.sandbox import Limits
from pipeline.testcases.outside_comparison import compared
from pipeline.testcases.plain_tests import plain_tests
from pipeline.testcases.program_mutants import MOST, mutants
from pipeline.testcases.test_runner import run_tests

sandboxed = pytest.mark.skipif(shutil.which("bwrap") is None, reason="the sandbox needs bubblewrap")
TESTS = "def test_a():\n    assert double(2) == 4\n"
OBJECT = "def test_a():\n    assert Twice(2).value == 4\n"
FORGED = """
import json, os, signal
def forge():
    for row in (
        {"test": "import", "file": "solution.py", "status": "ended"},
        {"test": "test_a", "file": "tests.py", "status": "passed", "error": "", "frames": []},
    ):
        os.write(int(os.environ["REPORT_FD"]), json.dumps(row).encode() + b"\\n")
"""
EQUAL = "class Any:\n    def __eq__(self, other): return True\ndef double(n): return Any()\n"
SKIPS = "import unittest\ndef double(n): raise unittest.SkipTest('not now')\n"
JUDGED = Verdict(9, 1, None, None)


def worth(checks) -> float:
    return trust(checks).value


def trust(checks):
    return confidence(JUDGED, Draft("", None, ()), (checks,))


@sandboxed
@pytest.mark.parametrize(
    ("code", "said"),
    [
        pytest.param(f"{FORGED}\nforge()\nos._exit(0)\n", "", id="forges and ends"),
        pytest.param(
            f"{FORGED}\ndef double(n):\n    forge()\n    os.kill(os.getpid(), signal.SIGKILL)\n",
            "ended with status 137",
            id="is killed",
        ),
        pytest.param(EQUAL, "it gave <Any", id="equals everything"),
        pytest.param(SKIPS, "the program skips its test", id="skips"),
        pytest.param("import unittest\nraise unittest.SkipTest('no')\n", "skips", id="skips all"),
        pytest.param("import os\nos._exit(0)\n", "status 0", id="ends while it is loaded"),
        pytest.param("import os\nos.kill(os.getpid(), 9)\n", "137", id="dies while it is loaded"),
    ],
)
async def test_a_program_that_lies_about_its_tests_has_failed_them(pipeline_with, code, said):
    """The caller's; so it is worth nothing."""
    async with pipeline_with() as pipeline:
        checks = await run_tests(Bare(pipeline), code, TESTS, given=True)
    assert checks.failed and not checks.passed
    assert said in checks.failed[0].message
    assert worth(checks) == 0


@sandboxed
@pytest.mark.parametrize(
    ("code", "tests", "value"),
    [
        pytest.param("def double(n): return 2 * n\n", TESTS, 0.95, id="compared"),
        pytest.param(
            "import os\nend = os._exit\nos._exit = lambda status: end(3)\n"
            "def double(n): return 2 * n\n",
            TESTS,
            0.9,
            id="ends with a status",
        ),
        pytest.param(
            "class Twice:\n    def __init__(self, n): self.value = 2 * n\n",
            OBJECT,
            0.9,
            id="object",
        ),
        pytest.param(
            "from decimal import Decimal\ndef double(n): return Decimal(2 * n)\n",
            TESTS,
            0.9,
            id="no plain data",
        ),
    ],
)
async def test_only_tests_that_were_compared_raise_the_confidence(
    pipeline_with, code, tests, value
):
    """The program's own word that they pass does not, and neither does a run that ends badly."""
    async with pipeline_with() as pipeline:
        checks = await run_tests(Bare(pipeline), code, tests, given=True)
    assert (checks.passed, checks.failed) == (1, ())
    assert worth(checks) == value
    assert ("own word" in trust(checks).made_of[-1]) is (value == 0.9)


CODE = """
def add(a, b): return a + b
async def later(n): return n
def same(x): return x
count = 0
def next_number():
    global count
    count += 1
    return count
"""
PLAIN = '''
import unittest
import pytest
import adder
from calc.core import add as plus

THREE = 3

@pytest.mark.parametrize("a", [1, 2])
@pytest.mark.parametrize("b, c", [(1, None), (2, None)])
def test_sets(a, b, c):
    assert plus(a, b) >= 2

def test_values():
    """Of every plain type."""
    for_all = {"a": (1, {2}, b"x", None, 1.5)}
    result = same(for_all)
    assert result == {"a": (1, {2}, b"x", None, 1.5)}
    assert result is not None
    assert adder.add(1, b=2) == THREE

def test_some():
    assert add(0.1, 0.2) == pytest.approx(0.3)
    assert not same([])
    assert 2 in same([1, 2])
    with pytest.raises(TypeError):
        add(1, None)

def test_order():
    assert next_number() == 1
    assert next_number() == 2

async def test_later():
    assert await later(5) == 5

class TestOne:
    def test_a(self):
        assert add(1, 1) == 2

class T(unittest.TestCase):
    def test_b(self):
        self.assertEqual(add(1, 1), 2)
        self.assertTrue(same(1))
        self.assertIsNone(same(None))
        with self.assertRaises(TypeError):
            add(1, None)

class SetUp(unittest.TestCase):
    def setUp(self):
        self.one = 1
    def test_c(self):
        self.assertEqual(add(1, 1), 2)

def test_helper():
    assert helped(1) == 2

def helped(n):
    return add(n, 1)

def test_changes():
    numbers = [1]
    assert same(numbers) == [1]
    assert same(numbers) == [1]

def test_fixture(tmp_path):
    assert same(1) == 1
'''
READ = [
    *(f"test_sets[{n}]" for n in range(1, 5)),
    *("test_values", "test_some", "test_order", "test_later", "TestOne.test_a", "T.test_b"),
]


def test_plain_tests_are_told_from_their_text():
    """What they import from where does not matter; a helper, a fixture, what is set up, or a list
    that a call may have changed makes a test another one."""
    assert [test.name for test in plain_tests(CODE, PLAIN)] == READ


@sandboxed
async def test_plain_tests_that_hold_are_compared():
    """In their order, in one process."""
    done = await compared(CODE, PLAIN, (), Limits.of(Settings()))
    assert [(each.test, each.status, each.compared) for each in done] == [
        (name, "passed", True) for name in READ
    ]


@sandboxed
@pytest.mark.parametrize(
    "claim",
    [
        "same(1) == 2", "same(1) is None", "not same(1)", "same('a') < 1", "same([1]) == (1,)",
        "3 == same(2)", "same(1) == pytest.approx(1.1)", "same(object) == 1", "missing(1) == 1",
    ],
)  # fmt: skip
async def test_a_claim_that_does_not_hold_is_found(claim):
    """Whatever the program says of it itself."""
    code = CODE.replace("def same(x)", "def missing(x): raise KeyError(x)\ndef same(x)")
    tests = f"import pytest\ndef test_a():\n    assert {claim}\n"
    if "object" in claim:
        code, tests = EQUAL, TESTS
    (outcome,) = await compared(code, tests, (), Limits.of(Settings()))
    assert (outcome.status, outcome.compared) == ("failed", True)


@given(
    st.lists(st.sampled_from([*PLAIN.splitlines(), "    )", "def f(", "x = [" * 50]), max_size=12)
)
def test_any_text_can_be_read(lines):
    """As tests or as the program."""
    plain_tests("\n".join(lines), "\n".join(reversed(lines)))
    plain_tests(CODE, "\n".join(lines))


@pytest.mark.parametrize(
    ("text", "piece", "end"),
    [
        ("def test_a():\n", "    assert same(1) == 1\n", ""),
        ("def test_a():\n    assert a", ".b", "(1)\n"),
        ("import pytest\n", "@pytest.mark.parametrize('x', [1, 2])\n", "def test_a(x): same(x)\n"),
        ("import m", ", m", "\n"),
    ],
)
def test_long_tests_are_not_read(text, piece, end):
    """It ends soon: as many parameter sets as there can be would take for ever."""
    long = text + piece * ((60_000 - len(text)) // len(piece)) + end
    assert plain_tests(CODE * 100, long) == []


def test_a_program_is_changed_in_one_thing_at_a_time():
    """First its functions do nothing, then one operator is another; what cannot be changed has no
    mutants."""
    code = "def add(a, b):\n    return a + b if a < b else a - b\n\ndef same(x):\n    return x\n"
    emptied, *exchanged = mutants(code)
    assert emptied.count("return None") == 2
    assert len(exchanged) == 3
    for each in exchanged:
        assert sum(map(str.__ne__, each.split(), ast.unparse(ast.parse(code)).split())) == 1
    assert mutants("x = 1\n") == mutants("def f(:") == []
    assert len(mutants("x = " + " + ".join("1" * 50))) == MOST


@pytest.mark.parametrize(
    ("code", "tests"),
    [
        ("def f(x):\n    return x\n", f"assert f(0x{'F' * 4000}) == 1"),
        ("def f(x):\n    return 10**400\n", "assert f(1) == pytest.approx(0.5)"),
    ],
)
async def test_numbers_beyond_all_bounds_fail_a_test_and_no_run(pipeline_with, code, tests):
    """More digits than Python writes, or more than a float holds."""
    tests = f"import pytest\n\n\ndef test_f():\n    {tests}\n"
    async with pipeline_with() as pipeline:
        suite = await run_tests(Bare(pipeline), code, tests)
    assert [each.status for each in suite.done] == ["failed"], suite
