"""Examples that take more than one call with literals (`session_examples.py`)."""

import shutil

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from selection import examples

from config import load_settings
from pipeline.review.tester import read_tests
from pipeline.sandbox import Limits, run_case
from pipeline.testcases.examples.example_search import find_examples
from pipeline.testcases.examples.ipython_prompts import as_python_session

needs_sandbox = pytest.mark.skipif(
    shutil.which("bwrap") is None, reason="the sandbox needs bubblewrap"
)
TALLY = """Write a Python class `Tally` that counts votes.

>>> t = Tally()
>>> t.add("tea")
>>> t.add("coffee", 3)
>>> t.count("coffee")
3
>>> t.winner()
'coffee'

winner() is the name with the most votes. Without votes it is None."""
RIGHT = """class Tally:
    def __init__(self):
        self.votes = {}

    def add(self, name, n=1):
        self.votes[name] = self.votes.get(name, 0) + n

    def count(self, name):
        return self.votes.get(name, 0)

    def winner(self):
        return max(self.votes, key=self.votes.get, default=None)
"""
WRONG = RIGHT.replace("max(", "min(")
JUDGED = {"role": "judge", "verdict": [9, 1, "It is right."]}


def described(prompt):
    suite = find_examples(prompt)
    return [suite.described(case) for case in suite.cases]


@pytest.mark.parametrize(
    ("prompt", "expected"),
    [
        (TALLY, ['t = Tally(); t.add("tea"); t.add("coffee", 3); t.count("coffee") → 3']),
        ("With r = Rate(2):\nr.allow(0) == True", ["r = Rate(2); r.allow(0) → True"]),
        (
            "E.g. t = Tally(); t.add('a'); t.total() == 1; t.votes == {'a': 1}.",
            [
                "t = Tally(); t.add('a'); t.total() → 1",
                "t = Tally(); t.add('a'); t.total(); t.votes → {'a': 1}",
            ],
        ),
        ("c = Contador(); c.sube(); c.valor debe ser 1", ["c = Contador(); c.sube(); c.valor → 1"]),
        (
            "After\nnums = [2, 1]\nsort_it(nums)\nnums should be [1, 2]",
            ["nums = [2, 1]; sort_it(nums); nums → [1, 2]"],
        ),
        (
            "A class Draft:\n\n    d = Draft()\n    d.type('a')  # types\n    d.text  # 'a'",
            ["d = Draft(); d.type('a'); d.text → 'a'"],
        ),
        (
            "assert f(date(2024, 5, 1)) == date(2024, 5, 6)",
            ["f(date(2024, 5, 1)) → date(2024, 5, 6)"],
        ),
        (">>> f(date(2024, 5, 1))\n23", ["f(date(2024, 5, 1)) → 23"]),
        ("f('5.3.24') -> date(2024, 3, 5)", ["f('5.3.24') → date(2024, 3, 5)"]),
        ("- `f(1)` returns `Decimal('1.5')`", ["f(1) → Decimal('1.5')"]),
        ("list(Steps(0, 2)) == [0, 1]", ["list(Steps(0, 2)) → [0, 1]"]),
        ("assert [1, 2] == list(Steps(1, 3))", ["list(Steps(1, 3)) → [1, 2]"]),
        ("assert not f(Point(1))", ["bool(f(Point(1))) → False"]),
        ("add(1, 2) == add(2, 1)", ["add(1, 2) → add(2, 1)"]),
        (
            "c = LRU(1)\nc.put(1, 1)  # evicts nothing\nc.get(2)  # returns -1 (not found)",
            ["c = LRU(1); c.put(1, 1); c.get(2) → -1"],
        ),
        (
            "b = Box()\nb.shape() -> (2, 3) (rows, columns)\nb.full()  # False (empty)",
            ["b = Box(); b.shape() → (2, 3)", "b = Box(); b.shape(); b.full() → False"],
        ),
        ("b = Box()\nb.area()  # 9 (or 9.0)\nb.left()  # 2 (approximately)", []),
        ("s = Stack()\ns.pop()  # raises IndexError", ["s = Stack(); s.pop() → raises IndexError"]),
        (
            "b = Bank(5)\nb.take(9)  # raises NoMoney\nb.rest  # 5",
            [
                "b = Bank(5); b.take(9) → raises NoMoney",
                "b = Bank(5); with suppress(NoMoney): b.take(9); b.rest → 5",
            ],
        ),
        (
            ">>> d = Door()\n>>> d.go()\nTraceback (most recent call last):\n  ...\n"
            "RuntimeError: no\n>>> d.state\n'shut'",
            [
                "d = Door(); d.go() → raises RuntimeError",
                "d = Door(); with suppress(RuntimeError): d.go(); d.state → 'shut'",
            ],
        ),
        (
            ">>> d = Door()\n>>> d.go()\nTraceback (most recent call last):\n  ...\n"
            "RuntimeError: no\n\nThis should go away.\n\n>>> d.state\n'shut'",
            ["d = Door(); d.go(); d.state → 'shut'"],
        ),
        (">>> p = Point(1, 2)\n>>> print(p)\n(1, 2)", ["p = Point(1, 2); str(p) → '(1, 2)'"]),
        (
            "V(1) + V(2) -> V(3)\nV(1).x -> 1",
            ["V(1) + V(2) → V(3)", "V(1).x → 1"],
        ),
        (
            "It gives currently:\n    c = Clock(1)\n    c.hour -> 2\nIt should give:\n"
            "    c = Clock(1)\n    c.hour -> 1",
            ["c = Clock(1); c.hour → 1"],
        ),
        (
            "This does not hold today:\n```\ns = Stack()\nassert s.pop() == 1\n```",
            ["s = Stack(); s.pop() → 1"],
        ),
        (
            "one = counter()\none() -> 1\none() -> 2",
            ["one = counter(); one() → 1", "one = counter(); one(); one() → 2"],
        ),
        ("v = V(1)\nw = v\nw.x = 5\nv.x == 5", ["v = V(1); w = v; w.x = 5; v.x → 5"]),
        (
            "p = Path2()\np.add(2)\nprint(p)  # 1 -> 2\nlen(p) -> 2",
            ["p = Path2(); p.add(2); print(p); len(p) → 2"],
        ),
        ("q = Q()\nq.add(1); q.add(2)\nq.pop() -> 1", ["q = Q(); q.add(1); q.add(2); q.pop() → 1"]),
        (
            "t = Temp(0)\nt.celsius = 10\nt.celsius -> 10\nt.celsius += 1\nt.celsius -> 11",
            [
                "t = Temp(0); t.celsius = 10; t.celsius → 10",
                "t = Temp(0); t.celsius = 10; t.celsius += 1; t.celsius → 11",
            ],
        ),
        (
            "bus = Bus()\nout = []\nbus.on(out.append)\nbus.emit(1)\nout == [1]",
            ["bus = Bus(); out = []; bus.on(out.append); bus.emit(1); out → [1]"],
        ),
        (
            "print(f(2))  # 4\nprint(f(3)) -> [1,2]\nprint(f(4))  # 3.50",
            ["str(f(2)) → '4'", "str(f(3)) → '[1, 2]'", "str(f(4)) → '3.50'"],
        ),
        (
            "```\nclass Door:\n    def go(self):\n        ...\n\nd = Door()\nd.go() -> 1\n```",
            ["d = Door(); d.go() → 1"],
        ),
        (
            "b = Bank(9)\nprint(b.rest)  # Output: 9\nb.take(10)  # Raises ValueError: too much",
            [
                "b = Bank(9); str(b.rest) → '9'",
                "b = Bank(9); str(b.rest); b.take(10) → raises ValueError",
            ],
        ),
        ("E.g. t = Temp(5); t.kelvin() should return 278", ["t = Temp(5); t.kelvin() → 278"]),
        (
            "def test_f():\n    # given\n    xs = [2, 1]\n    f(xs)\n    assert xs == [1, 2]\n",
            ["xs = [2, 1]; f(xs); xs → [1, 2]"],
        ),
        (
            "class TestBox(unittest.TestCase):\n    def test_it(self) -> None:\n"
            "        box = Box(2)\n        assert box.size == 2\n",
            ["box = Box(2); box.size → 2"],
        ),
        (">>> q = f([1])\n>>> len(q)\n1", ["q = f([1]); len(q) → 1"]),
        (
            "steps = [(1, 2)]\n\ntax(5, steps) → 1\nother = 3\ntax(6, steps) → 2",
            ["steps = [(1, 2)]; tax(5, steps) → 1"],
        ),
    ],
)
def test_forms_of_sessions(prompt, expected):
    """A session, asserts, code with comments, arrows; of what came before, what they rest on."""
    assert described(f"Write it.\n\n{prompt}\n")[: len(expected)] == expected


@pytest.mark.parametrize(
    "text",
    [
        "result == f(x)",
        "f(text) -> int. It says how many there are.",
        "t.add(name) returns True",
        "def g(a):\n    s = Stack()\n    s.push(1) == 2",
        "f(Item(...)) == Item(2)",
        "import numpy as np\nnp.sum(np.array([1])) == 1",
        "s = Stack()\nit is not s.pop() == 3",
        "s = Stack()\ncurrently s.pop() == 4, which is a bug",
        "x = = 3\nx.a() == 3",
        "print(f(x))",
        "t = Tree()\nfor x in [3, 1]:\n    t.insert(x)\nassert t.items() == [1, 3]",
        "b = Bank()\ntry:\n    b.take(5)\nexcept ValueError:\n    b.close()\nb.rest() == 0",
        "c = Cart()\nAfter `c.add(2)` the sum is 2.\nc.sum() == 2",
        "s = Stack()\ns.pop()  # an error\ns.size() == 0",
        "s = Square(2)\ns.area() -> 4, 5\ns.area() -> 'a', not 'b'\ns.area() # 1, 2\ns.area() ->",
        "s = Square(2)\ns.area() -> [1, ...]\ns.area() -> ~4.1\ns.area() -> 1/2",
        "s = Square(2)\ns.area() -> 4 (or 5)\ns.area() -> 4 or 5\ns.area() -> 4-5",
        "print(f(1), f(2))  # 1 2",
        "print(f(1))  # Hello, World",
        "```\nclass A:\n    def f(self):\n        return 1\n\na = A()\na.f() -> 1\n```\nMake it 2.",
        "Why does this fail?\ns = Stack()\ns.pop()  # IndexError: pop from empty list",
        "It was:\ng = Grid(3)\ng.size == 9",
        "Refactor:\n```\nuser = get_user(1)\nuser.name == 'x'\n```",
        "The old code did:\n```\nd = parse('x')\nd.x == 1\n```\nbut I want d.x to be 2",
        "roll(2) -> random.randint(1, 6)",
        "make_id() == uuid.uuid4()",
        "now_s() == time.time()",
    ],
)
def test_what_only_looks_like_a_session(text):
    """Signatures, bodies of definitions, names that nothing sets, packages, what is denied in the
    line or in what leads to the code, a value that is another one each time, words that may be
    printed or only say something, what is said of code that is there already, objects to which
    something happened that was not read."""
    assert described(f"Write it.\n\n{text}\n") == []


def test_a_name_of_the_library_that_is_asked_for_is_not_imported():
    """The class that the request wants is tested, not Python's own of that name."""
    [case] = find_examples("Write a class Counter.\n\nc = Counter()\nc.top() == None").cases
    assert case.session == "c = Counter()\nc.top()"


def test_what_a_session_says_is_no_note():
    """What one form cannot read and another one can was read."""
    assert find_examples(">>> f(date(2024, 5, 1))\n23").warnings == ()
    assert find_examples("assert f(Point(1)) == 2\nassert rest == 3").warnings


@settings(max_examples=examples(300), deadline=None)
@given(
    st.lists(
        st.sampled_from(
            (
                *(">>> t = T(1)", ">>> t.a()", "3", "t.a() == g(2)", "x = f(", "# 3", ""),
                *("assert T()", "def f():", "    t.b  # 2", "`t.a()` -> Raises", "import os"),
            )
        ),
        max_size=12,
    )
)
def test_no_text_breaks_the_reader(lines):
    """Whatever stands next to what: cases whose sessions are Python."""
    for case in find_examples("\n".join(lines)).cases:
        compile(case.session, "", "exec")


@needs_sandbox
@pytest.mark.parametrize(
    ("prompt", "code", "passes"),
    [
        (TALLY, RIGHT, [True, True]),
        (TALLY, WRONG, [True, False]),
        (
            "f(1) -> Point(2)",
            "class Point:\n    def __init__(s, x): pass\ndef f(x): return 1",
            [False],
        ),
        (
            "f(1) -> Point(x=2)",
            "from dataclasses import dataclass\n@dataclass\nclass Point:\n    x: int\n"
            "def f(x): return Point(2)",
            [True],
        ),
        (
            "f(1) -> Point(2)",
            "class Point:\n    def __init__(s, x): pass\n    def __repr__(s): return 'Point(2)'\n"
            "def f(x): return Point(x)",
            [True],
        ),
        (
            "assert f(date(2024, 5, 1)) == date(2024, 5, 2)",
            "import datetime\ndef f(day): return day + datetime.timedelta(1)",
            [True],
        ),
        ("assert not f(1)\nassert f(2)", "def f(x):\n    return [0] * (x - 1)", [True, True]),
        ("print(f(2))  # 4", "def f(x):\n    return x * x", [True]),
        ("assert not f(1)\nassert f(2)", "def f(x):\n    return [0] * (2 - x)", [False, False]),
        (
            "assert not Box()\nassert Box(1)",
            "class Box(tuple):\n    __new__ = lambda c, *x: x",
            [True] * 2,
        ),
        ("s = Stack()\ns.pop()  # raises IndexError", "class Stack:\n    pop = [].pop", [True]),
        ("s = Stack()\ns.pop()  # raises IndexError", "class Stack:\n    pop = {}.pop", [False]),
    ],
)
async def test_sessions_are_run_in_the_sandbox(prompt, code, passes):
    """By equality, or as the value is written; what an example imports is its own. An assert that
    compares nothing asks for what is true."""
    limits = Limits.of(load_settings())
    suite = find_examples(prompt)
    results = [await run_case(code, case, limits, entry=suite.function) for case in suite.cases]
    assert [result.passed for result in results] == passes


@needs_sandbox
@pytest.mark.parametrize(
    ("example", "right", "wrong"),
    [
        ("f(2) should print 'Hi 2'", "print('Hi', n)", "print('Hi')"),
        ("f(2) should print 'Hi 2'", "return f'Hi {n}'", "return n"),
        ("f(2) prints 2.50", "print(f'{n / 0.8:.2f}')", "print(n)"),
        ("it should print n squared. f(2) -> 4", "print(n * n)", "print(n)"),
        ("f(2) outputs [2]", "return [n]", "print(n)"),
        ("f(7) -> 0.86", "return 6 / n", "return 0.87"),
        ("f(7) == [0.86, 0.29]", "return [6 / n, 2 / n]", "return [6 / n]"),
        ("f(7) == (0.86, 1)", "return 6 / n, 1", "return 6 / n, 2"),
        ("f(7) == (0.25, True)", "return 0.25, True", "return 0.25, False"),
        ("f(7) ≈ 0.857", "return 6 / n", "return 0.85"),
        ("so list(f(2)) == [2, 2].", "yield from [n, n]", "yield n"),
        ("\nf(7 + 0) -> 0.86", "return 6 / n", "return 0.87"),
        ("f(7) -> 0.86, rounded", "return round(6 / n, 2)", "return 6 / n"),
        ("f('a1b2') -> 12", "return n[1] + n[3]", "return n"),
        ("f('a1b2') -> 12", "return int(n[1] + n[3])", "return 3"),
    ],
)
async def test_what_a_call_prints_and_numbers_that_are_cut_off(example, right, wrong):
    """What should be printed may be returned; more digits than were written may come, unless the
    request says how many there shall be; what a generator gives is compared as a list; digits of a
    text may come as a text or as a number."""
    (case,) = find_examples(f"Write f(n): {example}").cases
    for body, passes in ((right, True), (wrong, False)):
        result = await run_case(
            f"def f(n):\n    {body}\n", case, Limits.of(load_settings()), entry="f"
        )
        assert result.passed is passes, result.said


@needs_sandbox
async def test_a_class_that_fails_its_session_is_drawn_again(pipeline_with):
    """The session decides: the first class for which it holds is the answer, unjudged."""
    drafts = {"role": "coder", "reply": [WRONG, RIGHT]}
    mine = {"MAX_DRAFTS": 5, "EVIDENCE_RUN": "auto", "JUDGE_WHEN": "undecided"}
    async with pipeline_with(drafts, JUDGED, **mine) as run:
        assert await run(TALLY) == RIGHT
    first, second = run.record["artefact"]["drafts"]
    assert len(first["findings"]) == 1 and "t.winner() → 'coffee' fails" in first["findings"][0]
    assert second["chosen"] and not run.record["escalated"]


@needs_sandbox
async def test_a_session_of_what_the_code_does_not_define_says_nothing(pipeline_with):
    """A class of the user's own, which the draft works with, is not there."""
    prompt = "Write dist(a, b) for my points. dist(Point(0, 0), Point(3, 4)) == 5.0 must hold.\n\n"
    code = "def dist(a, b):\n    return ((a.x - b.x) ** 2 + (a.y - b.y) ** 2) ** 0.5\n"
    mine = {"EVIDENCE_RUN": "auto"}
    async with pipeline_with({"role": "coder", "reply": code}, JUDGED, **mine) as run:
        assert await run(f"{prompt}dist(Point(0, 0), Point(3, 4)) == 5.0") == code
    assert run.record["evidence"] == []


def test_tests_of_a_class_are_read():
    """A tester makes an object, calls it and asserts."""
    suite = read_tests("```python\nt = Tally()\nt.add('tea')\nassert t.count('tea') == 1\n```")
    [case] = suite.cases
    assert case.session == "t = Tally()\nt.add('tea')\nt.count('tea')" and case.expected == 1
    assert suite.warnings == ()


NOTEBOOK = """\
In [1]: till = Till()

In [2]: till.add("tea",
   ...:          2)

In [3]: till.total()
Out[3]: 2

In [4]: till.take(9)
---------------------------------------------------------------------------
ValueError                                Traceback (most recent call last)
Cell In[4], line 1
----> 1 till.take(9)

ValueError: only 2

In [5]: till.total()
Out[5]:
2
"""


def test_sessions_of_notebooks_are_read_as_those_of_python():
    """With their prompts, lines that go on, and errors."""
    text = as_python_session(NOTEBOOK)
    assert "In [" not in text and "Out[" not in text
    assert "till.take(9)\nTraceback (most recent call last):\n  ...\nValueError: only 2\n" in text
    first, *_ = find_examples(f"A class Till.\n\n{NOTEBOOK}").cases
    assert first.session == 'till = Till()\ntill.add("tea",\n2)\ntill.total()'
    assert first.output == "2"


@pytest.mark.parametrize(
    ("lead", "behind", "error"),
    [
        ("I'd like to be able to work like this:", "", True),
        ("This is how it goes:", "The message of the error is up to you.", True),
        ("I'd like it to work:", "", False),
    ],
)
def test_an_error_in_a_session_is_wanted_or_complained_of(lead, behind, error):
    """By the words before and behind it."""
    cases = find_examples(f"A class Till.\n\n{lead}\n\n{NOTEBOOK}\n{behind}").cases
    assert ("raises ValueError" in [case.output for case in cases]) == error


@given(st.text("In[]1: Out.\n>-Traceback(most recent call last)E", max_size=200))
def test_any_text_may_look_like_a_notebook(text):
    """And stays as it is where it is none."""
    assert as_python_session(text) == text or "In" in text
