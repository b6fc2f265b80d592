"""Functions that take or give functions, decorate them, or take linked nodes: drafts are compared
by sessions, as no plain value says anything of them."""

import ast
import shutil

import pytest

from pipeline.sandbox import Limits, run_calls
from pipeline.testcases.behaviour import Behaviour, classes
from pipeline.testcases.function_sessions import deals_in_functions, sessions_of_function
from pipeline.testcases.node_sessions import sessions_with_nodes, takes_nodes
from pipeline.testcases.object_sessions import sessions_of_class
from tests.test_agreement import JUDGED, NO_TESTS, coder, comparing, models_asked

needs_sandbox = pytest.mark.skipif(
    shutil.which("bwrap") is None, reason="the sandbox needs bubblewrap"
)
RETRY = """\
def retry(times):
    def wrap(f):
        def inner(*args, **kwargs):
            for n in range(times):
                try:
                    return f(*args, **kwargs)
                except Exception:
                    if n == times - 1:
                        raise
        return inner
    return wrap
"""
ALSO_RETRY = RETRY.replace("range(times)", "range(0, times)")
SWALLOWS = RETRY.replace(
    "                    if n == times - 1:\n                        raise\n",
    "                    pass\n",
)
ASKED = "Write a Python decorator retry(times) that raises the last exception at last."
MEMO = """\
def memoize(f):
    seen = {}
    def inner(*args):
        if args not in seen:
            seen[args] = f(*args)
        return seen[args]
    return inner
"""
COMPOSE = """\
def compose(*functions):
    def run(value):
        for f in reversed(functions):
            value = f(value)
        return value
    return run
"""
PARTITION = """\
def partition(predicate, items):
    return [x for x in items if predicate(x)], [x for x in items if not predicate(x)]
"""
NODE = """\
class Node:
    def __init__(self, value, next=None):
        self.value = value
        self.next = next

"""
REVERSE = (
    NODE
    + """
def reverse(head):
    last = None
    while head:
        head.next, last, head = last, head, head.next
    return last
"""
)
TREE = """\
class TreeNode:
    def __init__(self, val=0, left=None, right=None):
        self.val = val
        self.left = left
        self.right = right


def insert(root, value):
    if root is None:
        return TreeNode(value)
    if value < root.val:
        root.left = insert(root.left, value)
    else:
        root.right = insert(root.right, value)
    return root
"""


async def behaviours(sessions, *programs):
    limits = Limits(wall_s=10, cpu_s=10, memory_mb=256, processes=8, output_bytes=65536, files_mb=8)
    done = [
        await run_calls(each, sessions, limits, entry="f", language="python") for each in programs
    ]
    return [Behaviour.of(each) for each in done]


@pytest.mark.parametrize(
    ("program", "name", "deals"),
    [
        (RETRY, "retry", True),
        (MEMO, "memoize", True),
        (COMPOSE, "compose", True),
        (PARTITION, "partition", True),
        (
            MEMO.replace("def memoize(f)", "def memoize(cls)").replace("f(*", "cls(*"),
            "memoize",
            True,
        ),
        ("def by(items, key): return sorted(items, key=key)", "by", True),
        ("def each(f, xs): return list(map(f, xs))", "each", True),
        ("def adder(n): return lambda x: x + n", "adder", True),
        ("def read(f): return f.read()", "read", False),
        ("def top(xs, key=None): return max(xs, key=key)", "top", False),
        ("def add(a, b): return a + b", "add", False),
        ("def add(a", "add", False),
    ],
)
def test_which_functions_deal_in_functions(program, name, deals):
    """Those that call what a call has to give them, or give one of their own."""
    assert deals_in_functions(program, name) is deals
    assert bool(sessions_of_function(program, name, "", 20)) is deals


@pytest.mark.parametrize(
    ("program", "name", "request_", "line"),
    [
        (RETRY, "retry", ASKED, "subject = retry(3)(subject)"),
        (MEMO, "memoize", "memoize", "subject = memoize(subject)"),
        (COMPOSE, "compose", "compose", "made = compose(lambda n: n > 2, lambda n: n * 2)"),
        ("def adder(n): return lambda x: x + n", "adder", "adder", "made = adder("),
    ],
)
def test_what_a_session_does(program, name, request_, line):
    """Decorates a function that notes its calls; gives small functions; calls what it is given. The
    same each time, none twice, each a program of its own."""
    sessions = sessions_of_function(program, name, request_, 30)
    assert sessions == sessions_of_function(program, name, request_, 30)
    assert len({each.session for each in sessions}) == len(sessions)
    assert any(f"\n{line}" in f"\n{each.session}" for each in sessions)
    assert all(ast.parse(f"{each.setup}\n{each.session}") for each in sessions)


def test_what_a_decorated_function_is_asked_for():
    """Attributes that the request calls so; exceptions that it names, and that are there, are part
    of what comes."""
    request = "decorator count with an attribute `calls`; raises LimitError or OSError after 3"
    first = sessions_of_function(MEMO, "memoize", request, 5)[0]
    assert first.session.endswith(", calls, subject.calls]")
    assert "OSError" in first.setup and "LimitError" not in first.setup
    program = f"class LimitError(Exception): ...\n{MEMO}"
    assert "LimitError" in sessions_of_function(program, "memoize", request, 5)[0].setup


@needs_sandbox
@pytest.mark.parametrize(
    ("name", "right", "same", "wrong"),
    [
        ("retry", RETRY, ALSO_RETRY, SWALLOWS),
        ("memoize", MEMO, MEMO.replace("seen", "known"), MEMO.replace("args not in seen", "True")),
        (
            "compose",
            COMPOSE,
            COMPOSE.replace("reversed(functions)", "functions[::-1]"),
            COMPOSE.replace("reversed(functions)", "functions"),
        ),
        (
            "partition",
            PARTITION,
            PARTITION.replace("x", "each"),
            PARTITION.replace("not predicate(x)", "predicate(x)"),
        ),
    ],
)
async def test_wrong_functions_do_something_else(name, right, same, wrong):
    """Two that are written otherwise do the same, and say something."""
    sessions = sessions_of_function(right, name, name, 20)
    found = await behaviours(sessions, right, same, wrong)
    assert not found[0].says_nothing and not found[0].lack
    assert classes(found) == [[0, 1], [2]]


@needs_sandbox
async def test_what_a_decorator_prints_counts_where_it_is_asked_for():
    """Elsewhere drafts may say what they like."""
    speaks = MEMO.replace("seen[args] = f", "print('new')\n            seen[args] = f")
    for request, found in (("memoize", [[0, 1]]), ("memoize, log new calls", [[0], [1]])):
        sessions = sessions_of_function(MEMO, "memoize", request, 20)
        assert classes(await behaviours(sessions, MEMO, speaks)) == found


@needs_sandbox
async def test_the_right_decorator_is_chosen(pipeline_with):
    """Of two that do the same on sessions, without the judge; no tests are asked for."""
    drafts = coder(SWALLOWS, RETRY, ALSO_RETRY)
    async with comparing(pipeline_with, NO_TESTS, drafts, JUDGED) as run:
        assert await run(ASKED) == RETRY
    agreement = run.record["artefact"]["agreement"]
    assert agreement["classes"] == [[1, 2], [0]]
    assert all("retry(" in call for call in agreement["calls"])
    assert "tests" not in models_asked(run.record)
    assert any("came(" in each["call"] for each in run.record["artefact"]["differences"])


@needs_sandbox
async def test_a_draft_may_call_the_function_otherwise(pipeline_with):
    """Where the request names none, a session calls it by the draft's own name."""
    other = ALSO_RETRY.replace("retry", "try_again")
    async with comparing(pipeline_with, NO_TESTS, coder(RETRY, other), JUDGED) as run:
        assert await run("Write a Python decorator that tries so many times.") == RETRY
    assert run.record["artefact"]["agreement"]["classes"] == [[0, 1]]


@needs_sandbox
async def test_nobody_waits_for_a_decorator_that_sleeps():
    """Between two tries."""
    slow = "import time\n" + RETRY.replace(
        "        raise\n", "        raise\n                    time.sleep(60)\n"
    )
    sessions = sessions_of_function(slow, "retry", ASKED, 20)
    (found,) = await behaviours(sessions, slow)
    assert len(found.outcomes) == 20 and not found.says_nothing


# --- linked nodes ---------------------------------------------------------------------------------


def test_sessions_with_nodes():
    """Lists and trees of the program's own class, other parameters by their kind; in order where
    the request says so. Nothing where the program has no such class."""
    asked = {each.session for each in sessions_with_nodes(REVERSE, "reverse", "reverse it", 20)}
    assert len(asked) == 20 and all(each.startswith("called(reverse, linked([") for each in asked)
    trees = sessions_with_nodes(TREE, "insert", "insert into a binary search tree", 20)
    assert all(
        each.session.startswith("called(insert, tree([") or "None" in each.session for each in trees
    )
    assert takes_nodes(TREE, "insert") and not takes_nodes(NODE, "reverse")
    assert not takes_nodes("def first(head): return head[0]", "first")
    begun = (
        NODE
        + "def last(of):\n    p, n = of, 0\n    while p.next:\n        p = p.next\n    return p\n"
    )
    assert takes_nodes(begun, "last")
    merged = sessions_with_nodes(REVERSE, "reverse", "two sorted linked lists", 20)
    lists = [ast.parse(each.session).body[0].value.args[1].args[0] for each in merged]
    values = [ast.literal_eval(each) for each in lists]
    assert all(each == sorted(each) for each in values) and any(values)


@needs_sandbox
@pytest.mark.parametrize(
    ("program", "name", "change"),
    [
        (REVERSE, "reverse", ("return last", "return head")),
        (TREE, "insert", ("value < root.val", "value > root.val")),
    ],
)
async def test_wrong_functions_of_nodes_do_something_else(program, name, change):
    """What comes is written node by node, so that it can be compared."""
    sessions = sessions_with_nodes(program, name, name, 20)
    same = program.replace("is None", "== None").replace("while head:", "while head is not None:")
    found = await behaviours(sessions, program, same, program.replace(*change))
    assert classes(found) == [[0, 1], [2]] and not found[0].lack


# --- classes whose methods raise ------------------------------------------------------------------

ACCOUNT = """\
class Account:
    def __init__(self):
        self.balance = 0

    def deposit(self, amount: int):
        if amount <= 0:
            raise ValueError("not positive")
        self.balance += amount
        return self.balance

    def withdraw(self, amount: int):
        if amount > self.balance:
            raise ValueError("not enough")
        self.balance -= amount
        return self.balance
"""
WANTED = "Write a class Account with deposit(amount), withdraw(amount) and balance."


@needs_sandbox
async def test_sessions_go_on_where_methods_raise(pipeline_with):
    """As most calls of a class that refuses much would end a session."""
    wrong = ACCOUNT.replace("amount > self.balance", "amount >= self.balance")
    drafts = coder(ACCOUNT, wrong, ACCOUNT.replace("not enough", "too much"))
    async with comparing(pipeline_with, NO_TESTS, drafts, JUDGED) as run:
        assert await run(WANTED) == ACCOUNT
    agreement = run.record["artefact"]["agreement"]
    assert agreement["classes"] == [[0, 2], [1]]
    assert any("tried(lambda: it.withdraw(" in call for call in agreement["calls"])


@needs_sandbox
async def test_mistakes_of_a_class_end_a_session():
    """What falls over its own code has not refused anything."""
    broken = ACCOUNT.replace("amount > self.balance", "amount > self.total")
    sessions = sessions_of_class(broken, "Account", WANTED, 20, may_raise=True)
    (found,) = await behaviours(sessions, broken)
    assert "raised AttributeError" in found.outcomes


@needs_sandbox
async def test_a_class_that_falls_over_its_own_names_agrees_with_nobody(pipeline_with):
    """Nobody is asked for an opinion on it: another one is drawn, and is the answer."""
    broken = ACCOUNT.replace("ValueError", "InsufficientFunds").replace("not positive", "")
    broken = broken.replace("amount <= 0", "True")
    request = f"{WANTED} Too much raises InsufficientFunds."
    drafts = coder(broken, ACCOUNT, ACCOUNT.replace("not enough", "too much"))
    async with comparing(pipeline_with, NO_TESTS, drafts, JUDGED) as run:
        assert await run(request) == ACCOUNT
    assert run.record["artefact"]["agreement"]["classes"] == [[1, 2], [0]]


def test_methods_that_keep_functions_are_given_some():
    """By the names of their parameters."""
    program = "class Bus:\n    def on(self, handler):\n        self.h = handler\n        return 1\n"
    asked = {each.session for each in sessions_of_class(program, "Bus", "class Bus", 20)}
    assert any("it.on(lambda" in each or "it.on(str)" in each for each in asked)
