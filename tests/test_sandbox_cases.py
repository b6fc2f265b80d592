"""A program's tests in the sandbox: what counts as passed, and that no program can lie."""

import asyncio
import json
import math
import secrets
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sandboxes import SMALL, processes, require_sandbox

from pipeline.sandbox import ANY_VALUE, Arguments, Case, CaseResult, Raises, run_calls, run_case
from pipeline.sandbox.sandbox_scripts.value_json import Foreign, decode, encode
from pipeline.sandbox.value_comparison import same, same_text

PROGRAM = """
import collections, enum
print("imported")
def double(x, *, times=2): return times * x
def fails(x): raise FileNotFoundError("no " + x)
async def later(x): return {x: (x, None)}
def counted(text): return collections.Counter(text)
def stays():
    import threading, time
    threading.Thread(target=time.sleep, args=(60,)).start()
    return 1
class Stack:
    def __init__(self): self.items = []
    def push(self, x): self.items.append(x); return self.items
class Solution:
    def two_sum(self, numbers, target):
        at = {number: index for index, number in enumerate(numbers)}
        return sorted(at[number] for number in numbers if target - number in at)
if __name__ == "__main__":
    print("you said", input())
"""


@pytest.fixture(scope="module")
def a_sandbox():
    require_sandbox()


async def test(
    program: str, expected: Any, *args: Any, function: str = "f", **options
) -> CaseResult:
    case = Case(Arguments(args), expected, function)
    return await run_case(program, case, options.pop("limits", SMALL), **options)


test.__test__ = False  # type: ignore[attr-defined]


def call(name, expected, function, args=(), kwargs=None):
    return Case(
        Arguments(tuple(args), tuple((kwargs or {}).items())), expected, function, name=name
    )


def fed(name, expected, stdin=""):
    return Case(Arguments(), expected, stdin=stdin, name=name)


COLLATZ = """
def steps(n):
    return 0 if n == 1 else 1 + steps(n // 2 if n % 2 == 0 else 3 * n + 1) if n else endless()
def endless():
    while True: pass
def down(n):
    while n: print(n); n -= 1
    return "done"
"""


@pytest.mark.usefixtures("a_sandbox")
async def test_a_call_that_never_ends_takes_no_other_call_with_it():
    """Those behind it are made in another process, until half of all have given something or
    nothing comes of two in turn."""

    async def came(*numbers, of="steps"):
        cases = [Case(Arguments((n,)), 0, of, name=str(n)) for n in numbers]
        results = await run_calls(COLLATZ, cases, SMALL)
        assert [result.case for result in results] == cases
        return [result.value if result.gave else result.came for result in results]

    assert await came(0, 1, 2, 4) == ["cpu", 0, 1, 2]
    assert await came(1, 0, 2, 0, 4) == [0, "cpu", 1, "cpu", 2]
    assert await came(1, 2, 0, 4) == [0, 1, "cpu", "cpu"]
    assert await came(0, 0, 1) == ["cpu"] * 3
    assert await came(-1, 1, 2, of="down") == ["output", "done", "done"]


@pytest.mark.usefixtures("a_sandbox")
async def test_what_comes_of_one_call_is_not_said_of_others():
    """A function may be missing where the next call ends the process; a program that cannot be
    loaded fails in each."""
    functions = "missing", "endless", "down"
    cases = [Case(Arguments(), ANY_VALUE, name, name=name) for name in functions]
    cases[2] = replace(cases[2], arguments=Arguments((1,)))
    came = [each.came for each in await run_calls(COLLATZ, cases, SMALL)]
    assert came == ["unusable", "cpu", "returned"]
    broken = await run_calls("import nonsense", cases, SMALL)
    assert [(each.case, each.came) for each in broken] == [(case, "unusable") for case in cases]


@pytest.mark.usefixtures("a_sandbox")
async def test_each_case_has_its_own_result():
    """With its status, and what happened where it did not pass."""
    not_found = "FileNotFoundError: no x (line 5)"
    not_there = "AttributeError: 'Solution' object has no attribute 'nothing'"
    no_input = "status 1: EOFError: EOF when reading a line"
    table: list[tuple[Case, str, str | None]] = [
        (call("right", 6, "double", [3]), "passed", None),
        (call("keyword", 9, "double", [3], {"times": 3}), "passed", None),
        (call("text", "abab", "double", ["ab"]), "passed", None),
        (call("wrong", 7, "double", [3]), "wrong", "it gave 6"),
        (call("raises", Raises("FileNotFoundError"), "fails", ["x"]), "passed", None),
        (call("raises its base", Raises("OSError"), "fails", ["x"]), "passed", None),
        (call("raises another", Raises("ValueError"), "fails", ["x"]), "raised", not_found),
        (call("raises, unexpected", 1, "fails", ["x"]), "raised", not_found),
        (
            call("raises not", Raises("OSError"), "double", [3]),
            "wrong",
            "it gave 6",
        ),
        (call("coroutine", {1: (1, None)}, "later", [1]), "passed", None),
        (call("plain base", {"a": 2}, "counted", ["aa"]), "passed", None),
        (call("method", [5], "Stack.push", [5]), "passed", None),
        (call("of Solution", [0, 1], "two_sum", [[2, 7, 11], 9]), "passed", None),
        (call("a thread goes on", 1, "stays"), "passed", None),
        (call("missing", 1, "nothing"), "unusable", not_there),
        (fed("printed", "imported\nyou said hello  \n\n", stdin="hello\n"), "passed", None),
        (
            fed("printed other", "hello", stdin="hi"),
            "wrong",
            "it gave 'imported\\nyou said hi\\n'",
        ),
        (fed("no input", "hello"), "died", no_input),
    ]
    cases = [case for case, _, _ in table]
    results = await asyncio.gather(*(run_case(PROGRAM, case, SMALL) for case in cases))
    for result, (case, status, said) in zip(results, table, strict=True):
        assert (result.case, result.status) == (case, status), result
        assert said is None or result.said == said
        assert result.passed == (result.status == "passed")


@pytest.mark.usefixtures("a_sandbox")
async def test_a_program_that_cannot_be_imported_is_unusable():
    """With what is wrong with it, and where."""
    assert (await test("def f(:", 1)).said.startswith("SyntaxError: invalid syntax")
    result = await test("x = 1\nimport nonsense", 1)
    assert (result.status, result.said) == (
        "unusable", "ModuleNotFoundError: No module named 'nonsense' (line 2)",
    )  # fmt: skip
    result = await test("raise ValueError", Raises("ValueError"))
    assert result.status == "unusable"  # it is the call that has to raise


LIARS = {
    "exits at once": "import os; os._exit(0)",
    "exits politely": "import sys; sys.exit(0)",
    "exits in the call": "import os\ndef f(x): os._exit(0)",
    "prints that it is well": "print('{\"value\":42}'); print('ok, passed')\ndef f(x): pass",
    "is equal to everything": "class Yes:\n  def __eq__(self, o): return True\n"
    "  __hash__ = None\ndef f(x): return Yes()",
    "looks like it": "class Yes:\n  def __repr__(self): return '42'\ndef f(x): return Yes()",
    "is a number that lies": "class Yes(int):\n  def __eq__(self, o): return True\n"
    "  def __repr__(self): return '42'\n  __index__ = __int__ = lambda self: 42\n"
    "def f(x): return Yes(1)",
    "has a class that lies": "class Yes:\n  __class__ = int\ndef f(x): return Yes()",
    "replaces the comparison": "import builtins\nbuiltins.isinstance = lambda *a: True\n"
    "builtins.len = lambda x: 1\nbuiltins.map = builtins.all = lambda *a: True\n"
    "def f(x): return 1",
    "replaces the report's form": "import values\nvalues.encode = lambda *a: 'true'\n"
    "def f(x): return 1",
    "replaces the caller": "import sys\nm = sys.modules['__main__']\n"
    "m.encode = m._raised = m._send = lambda *a: None\ndef f(x): return 1",
    "reports that it passed": "import os\nos.write(int(os.environ['REPORT_FD']),"
    ' b\'{"status": "passed", "passed": true}\')\ndef f(x): os._exit(0)',
    "reports the expected": "import os\nos.write(int(os.environ['REPORT_FD']),"
    ' b\'{"value": {"expected": true}}\')\ndef f(x): os._exit(0)',
    "reports twice": "import os\nos.write(int(os.environ['REPORT_FD']), b'{\"value\":41}')\n"
    "def f(x): return 42",
    "reports in another thread": "import os, threading\ndef f(x):\n"
    "  threading.Thread(target=lambda: [os.write(int(os.environ['REPORT_FD']), b'1')"
    " for _ in range(999)]).start()\n  __import__('time').sleep(.1)\n  return 41",
    "reports without end": "import os\ndef f(x):\n"
    "  while True: os.write(int(os.environ['REPORT_FD']), b'[' * 65536)",
    "reports something deep": "import os\ndef f(x):\n  os.write(int(os.environ['REPORT_FD']),"
    " b'{\"value\":' + b'[' * 60000)\n  os._exit(0)",
    "reports more than is read": "import os\ndef f(x):\n"
    "  os.write(int(os.environ['REPORT_FD']), b'{\"value\":42}' + b' ' * 300_000)\n  os._exit(0)",
    "reports keys of one hash": "import os\ndef f(x):\n"
    "  keys = ','.join(str((2**61 - 1) * n) for n in range(1, 9000))\n"
    "  os.write(int(os.environ['REPORT_FD']), ('{\"value\":{\"set\":[%s]}}' % keys).encode())\n"
    "  os._exit(0)",
    "closes the channel": "import os\ndef f(x): os.closerange(0, 99); return 41",
    "returns itself": "def f(x):\n  x = []\n  x.append(x)\n  return x",
    "returns too much": "def f(x): return 'x' * 2_000_000",
    "returns a huge number": "def f(x): return 10 ** 20000",
    "raises what cannot be shown": "class E(Exception):\n  def __str__(self): raise self\n"
    "def f(x): raise E",
    "waits": "def f(x):\n  while True: __import__('time').sleep(1)",
    "takes memory": "def f(x): return [bytearray(10**8)]",
    "kills everybody": "import os\ndef f(x):\n  os.kill(-1, 9); os.kill(os.getpid(), 9)",
    "prints without end": "def f(x):\n  while True: print('x' * 9999)",
}


@pytest.mark.usefixtures("a_sandbox")
@pytest.mark.parametrize("program", LIARS.values(), ids=[n.replace(" ", "-") for n in LIARS])
async def test_a_program_that_does_not_return_the_value_does_not_pass(program):
    """Whatever it does to whatever there is in its process."""
    limits = replace(SMALL, wall_s=1) if "sleep(1)" in program else SMALL
    result = await test(program, 42, 21, limits=limits)
    assert result.status != "passed", result
    assert result.said
    assert len(result.said) < 1000


@pytest.mark.usefixtures("a_sandbox")
async def test_what_is_expected_never_enters_the_sandbox():
    """A program that returns all it can find has not found it."""
    word = secrets.token_hex()
    code = """
import gc, os, re, sys
def f(x):
    found = []
    for folder, _, names in os.walk("."):
        found += [open(os.path.join(folder, name), "rb").read().decode("latin-1") for name in names]
    frame = sys._getframe()
    while frame:
        found.append(str({**frame.f_locals, **frame.f_globals}))
        frame = frame.f_back
    found += [str(thing) for thing in gc.get_objects() if isinstance(thing, dict)][:1000]
    found += [open(f"/proc/{pid}/cmdline").read() for pid in (1, os.getpid())]
    text = "".join(found)
    return "the argument" in text, re.findall("[0-9a-f]{64}", text)
"""
    result = await test(code, word, "the argument")
    found_argument, words = result.value
    assert found_argument
    assert word not in words
    assert result.status == "wrong"


@pytest.mark.usefixtures("a_sandbox")
async def test_a_cancellation_ends_the_cases():
    """No process of theirs is left, also of those that became another program."""
    tag = secrets.token_hex(8)
    code = f"import os, time\ndef f(): os.execv('/bin/sh', ['sh', '-c', 'sleep 60; true', {tag!r}])"
    tasks = [asyncio.create_task(run_case(code, call("x", 1, "f"), SMALL)) for _ in range(8)]
    while not processes(tag):
        await asyncio.sleep(0.01)
    for task in tasks:
        task.cancel()
    ended = await asyncio.gather(*tasks, return_exceptions=True)
    assert all(isinstance(error, asyncio.CancelledError) for error in ended)
    assert processes(tag) == []


PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.binary()
    | st.complex_numbers(allow_nan=False),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.lists(inner, max_size=4).map(tuple)
        | st.dictionaries(st.text() | st.integers() | st.booleans(), inner, max_size=4)
        | st.sets(st.integers() | st.text(), max_size=4)
        | st.frozensets(st.integers(), max_size=4)
    ),
    max_leaves=10,
)  # fmt: skip


@given(PLAIN)
def test_plain_data_comes_out_as_it_was(value):
    """With its types, through the JSON text."""
    back = decode(json.loads(encode(value)))
    assert same(back, value)
    assert type(back) is type(value)


@pytest.mark.parametrize(
    "text",
    [
        '{"int": "z"}', '{"int": 5}', '{"set": [[1]]}', '{"dict": [1]}', '{"dict": [[[1], 2]]}',
        '{"tuple": 5}', '{"complex": ["i"]}', '{"float": []}', '{"bytes": "zz"}', '{"object": [1]}',
        '{}', '{"a": 1, "b": 2}', '{"import": "os"}', "[" * 900 + "]" * 900, '{"tuple": ' * 400
        + "[]" + "}" * 400,
        json.dumps({"set": [(2**61 - 1) * n for n in range(1, 99)]}),
        json.dumps({"dict": [[(2**61 - 1) * n, 1] for n in range(1, 99)]}),
    ],
)  # fmt: skip
def test_data_that_nobody_encoded_is_refused(text):
    """Keys of one hash among it: 40,000 of them would hold up the event loop for seconds."""
    with pytest.raises(ValueError, match=r"."):
        decode(json.loads(text))


@pytest.mark.parametrize(
    ("actual", "expected", "verdict"),
    [
        (1, 1, True), (1, 2, False), (1, 1.0, True), (2.0, 2, True), (1, "1", False),
        (True, 1, False), (1, True, False), (True, True, True), ([True], [1], False),
        (0.1 + 0.2, 0.3, True), (0.3333333, 1 / 3, True), (0.333, 1 / 3, False),
        (math.nan, math.nan, True), (math.inf, math.inf, True), (math.inf, 1e308, False),
        (10**400, 1.0, False), (10**400, 10**400, True), ("a", "a", True), ("a", b"a", False),
        ([1, 2], [1, 2], True), ([1, 2], (1, 2), False), ([1], [1, 2], False),
        ({"a": [0.1 + 0.2]}, {"a": [0.3]}, True), ({"a": 1}, {"b": 1}, False), ({}, [], False),
        ({1: "x", 2: "y"}, {2: "y", 1: "x"}, True), ({1, 2}, {2, 1}, True), (None, None, True),
        ({1}, frozenset({1}), True), (None, 0, False), (Foreign("X", "1"), 1, False),
        (Foreign("X", "1"), Foreign("X", "1"), False), ([Foreign("X", "1")], [1], False),
    ],
)  # fmt: skip
def test_values_are_compared_as_python_compares_them(actual, expected, verdict):
    """But that True is not 1, and that floats need not agree to the last digit."""
    assert same(actual, expected) is verdict


def test_printed_text_is_compared_without_blanks_at_the_ends_of_lines():
    """Blank lines at the end do not count either; those between and blanks in front do."""
    assert same_text("a \nb\n\n", "a\nb")
    assert not same_text("a\n\nb", "a\nb")
    assert not same_text(" a", "a")
