"""Classes that nobody gave an example of are compared by what their objects answer."""

import re
import shutil

import pytest

from pipeline.testcases.object_sessions import class_asked_for, sessions_of_class

needs_sandbox = pytest.mark.skipif(
    shutil.which("bwrap") is None, reason="the sandbox needs bubblewrap"
)
REQUEST = (
    "Write a Python class Stack with push(item), pop() and size(). pop() of an empty one: None."
)
RIGHT = """class Stack:
    def __init__(self):
        self.items = []

    def push(self, item):
        self.items.append(item)

    def pop(self):
        return self.items.pop() if self.items else None

    def size(self):
        return len(self.items)
"""
SAME = RIGHT.replace("self.items", "self._all")
WRONG = RIGHT.replace("self.items.pop() if", "self.items[-1] if")
QUEUE = RIGHT.replace("self.items.pop() if", "self.items.pop(0) if")
JUDGED = {"role": "judge", "verdict": [9, 1, "It is right."]}


def lines(program, request=REQUEST, n=20):
    return [case.session.split("\n") for case in sessions_of_class(program, "Stack", request, n)]


def test_an_object_is_made_called_and_asked():
    """Each session ends with a question; twenty, none twice, the same every time."""
    sessions = lines(RIGHT)
    assert len(sessions) == 20 and sessions == lines(RIGHT)
    assert all(first == "it = Stack()" for first, *_ in sessions)
    assert {last for *_, last in sessions} == {"it.pop()", "it.size()"}
    assert any(len(each) > 4 for each in sessions)
    assert len(set(map(tuple, sessions))) == 20


@pytest.mark.parametrize(
    ("changed", "asked"),
    [
        (("def size(self):", "@property\n    def size(self):"), "it.size"),
        (("def size(self):", "def __len__(self):"), "len(it)"),
        (("self.items", "self.size"), "it.size"),
        (("return len(self.items)", "yield from self.items"), "it.pop()"),
    ],
)
def test_what_an_object_can_be_asked(changed, asked):
    """Properties, attributes that the request names, its length; methods that return something."""
    assert any(last == asked for *_, last in lines(RIGHT.replace(*changed)))


def test_helpers_and_arguments_that_were_given_are_no_questions():
    """What other drafts need not have: a method that the request does not name, an attribute that
    holds what came in."""
    program = RIGHT.replace("__init__(self)", "__init__(self, limit)").replace(
        "self.items = []", "self.items, self.limit = [], limit"
    )
    program += "\n    def peek(self):\n        return self.items[-1]\n"
    said = {line for each in lines(program, f"{REQUEST} It has a limit.") for line in each[1:]}
    assert not any("peek" in line or "limit" in line for line in said)


@pytest.mark.parametrize(
    "program",
    (
        *("class Stack:\n    pass\n", "class Other:\n    def size(self): return 1\n", "def f(", ""),
        "class Stack:\n    def push(self, item): self.items = item\n",
    ),
)
def test_a_class_that_answers_nothing_has_no_sessions(program):
    """Nothing to ask, another class, no Python."""
    assert lines(program) == []


VECTOR = """class Vec2:
    def __init__(self, x: int, y: int):
        self.x, self.y = x, y

    def __add__(self, other):
        return Vec2(self.x + other.x, self.y + other.y)

    def __eq__(self, other):
        return self.x == other.x and self.y == other.y

    def __repr__(self):
        return f"Vec2({self.x}, {self.y})"

    def length(self):
        return (self.x**2 + self.y**2) ** 0.5
"""
SUMS = "Write a Python class Vec2(x, y) with __add__, __eq__ and length()."


def last_lines(program, request, name="Vec2"):
    return {each.session.split("\n")[-1] for each in sessions_of_class(program, name, request, 30)}


def test_objects_are_asked_by_the_operators_of_their_class():
    """With another object, equal to the first one or not; how they are written only where the
    request speaks of it, and else what an operator makes is compared by its attributes."""
    sessions = [each.session for each in sessions_of_class(VECTOR, "Vec2", SUMS, 30)]
    added = [each for each in sessions if "made = it + Vec2(" in each]
    assert added and all(
        each.endswith("\n[*getattr(made, '__dict__', dict()).values()] or made") for each in added
    )
    compared = [re.findall(r"Vec2\(.*?\)", each) for each in sessions if "it == " in each]
    assert {one == other for one, other in compared} == {True, False}
    assert not any("repr(" in each for each in sessions)
    said = last_lines(VECTOR, f"{SUMS} Add a __repr__ such as Vec2(1, 2).")
    assert "repr(it)" in said and any(each.startswith("it + Vec2(") for each in said)


@pytest.mark.parametrize(
    ("method", "pattern"),
    [
        ("__mul__(self, by: float)", r"it \* -?[\d.]+"),
        ("__mul__(self, by)", r"it \* Vec2\(.*\)"),
        ("__lt__(self, other: 'Vec2')", r"it < Vec2\(.*\)"),
        ("__contains__(self, key)", r"'.*' in it"),
        ("__getitem__(self, index)", r"it\[-?\d+\]"),
        ("__call__(self, n)", r"it\(-?\d+\)"),
        ("__bool__(self)", r"bool\(it\)"),
    ],
)
def test_operators_and_what_they_are_given(method, pattern):
    """As the method is annotated; another object, a number or both, where nothing tells."""
    program = f"class Vec2:\n    def {method}:\n        return 1\n"
    sessions = [each.session for each in sessions_of_class(program, "Vec2", "Vec2", 30)]
    assert any(re.search(pattern, each) for each in sessions)


def test_objects_that_methods_make_are_compared_by_their_attributes():
    """Without a `__repr__` each is written like any other; with one, that says more."""
    program = VECTOR.replace("__add__", "add")
    last = last_lines(program.replace("__repr__", "name"), "Vec2 with add(other)")
    assert last >= {"[*getattr(made, '__dict__', dict()).values()] or made"}
    assert any(each.startswith("it.add(") for each in last_lines(program, "Vec2 with add(other)"))


def test_data_classes_are_compared_where_the_request_names_it():
    """They are equal by themselves, which no method says."""
    compared = re.compile(r"it == Point\(.*\)")
    assert any(map(compared.fullmatch, last_lines(POINT, "A Point with __eq__.", "Point")))
    assert not any(map(compared.fullmatch, last_lines(POINT, "A Point.", "Point")))


def test_what_is_set_by_an_operator_alone_is_set_before_it_is_asked():
    """A class without other methods."""
    program = """class Table:
    def __init__(self):
        self.rows = {}

    def __setitem__(self, key, value):
        self.rows[key] = value

    def __len__(self):
        return len(self.rows)
"""
    sessions = [each.session for each in sessions_of_class(program, "Table", "a table", 20)]
    assert any("it.__setitem__(" in each for each in sessions)
    assert "it = Table()\nlen(it)" in sessions


TREE = "class Node:\n    pass\n\n\nclass BinarySearchTree:\n    pass\n"
POINT = """\
from dataclasses import dataclass


@dataclass
class Point:
    x: float
    y: float
    name: str = ""

    def distance(self, other):
        return ((self.x - other.x) ** 2 + (self.y - other.y) ** 2) ** 0.5
"""


def test_data_classes_are_made_of_their_fields():
    """Of those without a value; and what a method takes as the other one is such an object."""
    sessions = sessions_of_class(POINT, "Point", "A point with a distance method.", 20)
    assert len(sessions) == 20
    for session in sessions:
        first, *_, last = session.session.split("\n")
        assert re.fullmatch(r"it = Point\([\d.-]+, [\d.-]+\)", first)
        assert re.fullmatch(r"it\.distance\(Point\([\d.-]+, [\d.-]+\)\)", last)


@pytest.mark.parametrize(
    ("request_", "program", "function", "name"),
    [
        (REQUEST, RIGHT, "", "Stack"),
        (REQUEST, f"class Node:\n    pass\n\n{RIGHT}", "", "Stack"),
        ("a stack with push and pop", RIGHT, "run_code", "Stack"),
        ("a stack", f"class Node:\n    pass\n\n{RIGHT}", "", "Stack"),
        ("a pile", f"class Node:\n    pass\n\n{RIGHT}", "", ""),
        ("A binary search tree of nodes", TREE, "", "BinarySearchTree"),
        ("Write solve(text)", f"{RIGHT}\ndef solve(text):\n    return text\n", "solve", ""),
        ("class Stack", f"{RIGHT}\ndef demo():\n    pass\n", "push", "Stack"),
    ],
)
def test_which_class_is_asked_for(request_, program, function, name):
    """The one that the request names, in its own words too, or the only one; none where a
    function is asked for."""
    assert class_asked_for(request_, program, function) == name


@needs_sandbox
async def test_classes_that_answer_alike_are_the_answer(pipeline_with):
    """No example and no call that a model names: the class that most drafts behave like."""
    drafts = {"role": "coder", "reply": [WRONG, RIGHT, SAME]}
    mine = {"MAX_DRAFTS": 5, "EVIDENCE_RUN": "auto", "COMPARE_DRAFTS": "auto"}
    async with pipeline_with(drafts, JUDGED, JUDGE_WHEN="undecided", **mine) as run:
        assert await run(REQUEST) == RIGHT
    agreement = run.record["artefact"]["agreement"]
    assert agreement["classes"] == [[1, 2], [0]] and len(agreement["calls"]) == 20
    assert run.record["artefact"]["differences"]


@needs_sandbox
async def test_classes_that_all_answer_otherwise_decide_nothing(pipeline_with):
    """The judge is asked then."""
    drafts = {"role": "coder", "reply": [WRONG, RIGHT, QUEUE]}
    mine = {"MAX_DRAFTS": 3, "EVIDENCE_RUN": "auto", "COMPARE_DRAFTS": "auto"}
    async with pipeline_with(drafts, JUDGED, JUDGE_WHEN="undecided", **mine) as run:
        await run(REQUEST)
    assert run.record["judge"]["confidence_score"] == 9


@needs_sandbox
@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("self.y + other.y", "self.y - other.y"),
        ("self.x == other.x and", "self.x == other.x or"),
    ],
)
async def test_drafts_whose_operators_differ_do_not_agree(pipeline_with, right, wrong):
    """Methods that are the same hide nothing; how objects are written, unasked, says nothing."""
    own = VECTOR.replace('f"Vec2({self.x}, {self.y})"', '"a vector"')
    drafts = {"role": "coder", "reply": [VECTOR.replace(right, wrong), VECTOR, own]}
    mine = {"MAX_DRAFTS": 3, "EVIDENCE_RUN": "auto", "COMPARE_DRAFTS": "auto"}
    async with pipeline_with(drafts, JUDGED, JUDGE_WHEN="undecided", **mine) as run:
        await run(SUMS)
    assert run.record["artefact"]["agreement"]["classes"] == [[1, 2], [0]]


CACHE = """class Cache:
    def __init__(self, {0}):
        if not isinstance({0}, str) and {0} < 1:
            raise ValueError({0})
        self.{0}, self.kept = {0}, {{}}

    def put(self, key, value):
        self.kept[key] = value
        while isinstance(self.{0}, int) and len(self.kept) > self.{0}:
            self.kept.pop(next(iter(self.kept)))

    def get(self, key):
        return self.kept.get(key)
"""


def test_what_one_method_puts_in_another_finds():
    """What a method takes alone, and another beside something else, has three values."""
    program = CACHE.format("bound")
    sessions = sessions_of_class(program, "Cache", "put(key, value) and get(key)", 30)
    last = [(each.session, each.session.split("it.get(")[-1][:-1]) for each in sessions]
    assert len({key for _, key in last}) == 3
    assert sum(f"it.put({key}, " in session for session, key in last) > 6


@needs_sandbox
async def test_what_has_little_room_is_filled(pipeline_with):
    """A cache that keeps everything is another one than that which keeps so much."""
    right = CACHE.format("capacity")
    keeps_all = right.replace("> self.capacity", "> 50")
    drafts = {"role": "coder", "reply": [right, keeps_all, right.replace("kept", "store")]}
    mine = {"MAX_DRAFTS": 3, "EVIDENCE_RUN": "auto", "COMPARE_DRAFTS": "auto"}
    async with pipeline_with(drafts, JUDGED, JUDGE_WHEN="undecided", **mine) as run:
        await run("Write a class Cache(capacity) with put(key, value) and get(key).")
    assert run.record["artefact"]["agreement"]["classes"] == [[0, 2], [1]]


@needs_sandbox
@pytest.mark.parametrize("parameter", ["capacity", "bound"])
async def test_numbers_of_which_some_are_refused_are_tried_before_texts(pipeline_with, parameter):
    """What never looks at its argument until later takes any; the likeliest kind need not answer
    more often than the others."""
    program = CACHE.format(parameter)
    drafts = {"role": "coder", "reply": [program, program.replace("kept", "store"), program]}
    mine = {"MAX_DRAFTS": 3, "EVIDENCE_RUN": "auto", "COMPARE_DRAFTS": "auto"}
    async with pipeline_with(drafts, JUDGED, JUDGE_WHEN="undecided", **mine) as run:
        await run(f"Write a class Cache({parameter}) with put(key, value) and get(key).")
    made = {call.split("\n")[0] for call in run.record["artefact"]["agreement"]["calls"]}
    assert made and all(re.fullmatch(r"it = Cache\(-?\d+\)", each) for each in made)
