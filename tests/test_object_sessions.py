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
