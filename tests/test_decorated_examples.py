"""Requests for a decorator that show what it does on a function of their own: a draft need not have
that function."""

import shutil
import time

import pytest

from config import load_settings
from pipeline.analysis.draft import Draft
from pipeline.review.draft_evidence import run_evidence
from pipeline.task import Task
from pipeline.testcases.examples.example_search import find_examples
from tools.bench.drafts.executed import run_of

pytestmark = pytest.mark.only_when("pipeline/review/", "pipeline/sandbox/", "pipeline/testcases/")

TWICE = """Write a Python decorator `twice` that doubles what comes.

@twice
def add(a, b):
    return a + b

add(1, 2)  # 6
add(0, 1)  # 2
"""
RIGHT = "def twice(f):\n    return lambda *given: 2 * f(*given)\n"
FIRST = """Write a Python decorator `first` that keeps the first result.

>>> @first
... def half(n):
...     return n / 2
>>> half(4)
2.0
>>> half(8)
2.0
"""
KEEPS = """def first(f):
    kept = []
    def wrapper(n):
        kept.append(f(n))
        return kept[0]
    return wrapper
"""
ONE = """Write a Python class decorator `singleton`:

@singleton
class Config:
    pass

Config() is Config()  # True
"""
KEPT = "def singleton(cls):\n    made = cls()\n    return lambda: made\n"


@pytest.mark.parametrize(
    ("request_", "name"), [(TWICE, "twice"), (FIRST, "first"), (ONE, "singleton")]
)
def test_what_is_asked_for_is_the_decorator(request_, name):
    """Not what stands below it, however often that is called."""
    assert find_examples(request_).function == name


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (
            "from tools import memo\n\n@memo\ndef fib(n):\n    return n\n\nfib(3) == 2",
            "fib",
        ),
        ("def memo(f):\n    return f\n\n@memo\ndef fib(n):\n    return n\n\nfib(3) == 2", "fib"),
        ("Mend it:\n\n@cache\ndef fib(n):\n    return n\n\nfib(3) should be 2", "fib"),
        (
            "Write a function `say` with `loud` above.\n\n@loud\ndef say(): ...\n\nsay() == 1",
            "say",
        ),
    ],
)
def test_what_is_to_be_mended_may_have_a_decorator(text, name):
    """One that is there, or that the request does not ask for."""
    assert find_examples(text).function == name


def test_many_decorators_take_no_time():
    """They are hostile, too."""
    began = time.process_time()
    text = "".join(f"@a{n}\ndef b{n}(): a{n}\n" for n in range(1000))
    for hostile in (
        text,
        "@a\n" * 6000,
        "@a\ndef b():\n" + "\n" * 19_000,
        "@a\ndef b\n" + " x\n" * 6000,
    ):
        find_examples(hostile)
    assert time.process_time() - began < 5


@pytest.mark.skipif(shutil.which("bwrap") is None, reason="the sandbox needs bubblewrap")
@pytest.mark.parametrize(
    ("request_", "draft", "fails"),
    [
        (TWICE, RIGHT, ()),
        (TWICE, f"{RIGHT}\n@twice\ndef add(a, b):\n    return a + b\n", ()),
        (TWICE, "def twice(f):\n    return f\n", ("add(1, 2) → 6", "add(0, 1) → 2")),
        (FIRST, KEEPS, ()),
        (FIRST, f"{KEEPS}\n@first\ndef half(n):\n    return n / 2\n", ()),
        (FIRST, "def first(f):\n    return f\n", ("half(8) → 2.0",)),
        (ONE, KEPT, ()),
        (ONE, "def singleton(cls):\n    return cls\n", ("Config() is Config() → True",)),
    ],
)
async def test_a_draft_is_asked_below_what_the_request_decorates(request_, draft, fails):
    """One example after the other, as the decorator may remember."""
    with run_of(request_, load_settings(), None) as run:
        found = await run_evidence(run, Task(request_), Draft(draft, "python", ()), "coder")
    assert [each.detail for each in found.findings] == [f"the example {f} fails" for f in fails]
    assert bool(found.decided) == (not fails)
