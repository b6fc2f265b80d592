"""Methods that a request names have to be there."""

import pytest

from pipeline.analysis.requested_methods import lacking_methods
from pipeline.testcases.object_sessions import sessions_of_class

CODE = "class Vec2:\n    def __add__(self, other):\n        return self\n"
WANTED = "Write a class Vec2 with __add__, __eq__ and __repr__."
DATA = "@dataclass\nclass Vec2:\n    x: int\n"


@pytest.mark.parametrize(
    ("request_", "code", "lacking"),
    [
        (WANTED, CODE, ["__eq__", "__repr__"]),
        ("Add `__hash__` to my class.", CODE, ["__hash__"]),
        ("A Vec2 with __add__, __sub__ that raises ValueError if it is empty.", CODE, ["__sub__"]),
        (WANTED, DATA, ["__add__"]),
        ("A class with __lt__.", DATA, ["__lt__"]),
        ("A class with __lt__.", DATA.replace("dataclass", "dataclass(order=True)"), []),
        ("A class with __le__ and __lt__.", f"@total_ordering\n{CODE}", []),
        ("A class with __str__.", CODE.replace("add", "repr"), []),
        ("A class with __radd__ and __add__.", f"{CODE}    __radd__ = __add__\n", []),
        ("A class Vec2 with an add method.", CODE, []),
        ("A class Vec2(x, y) with scaled(by) and length().", CODE, ["scaled", "length"]),
        ("A class Vec2 with the methods dotProduct(v), len().", f"{CODE}# dot_product\n", []),
        ("A class Vec2 with x and y. Then call plot(v).", CODE, []),
        ("A class Vec2 that has norm(), like hypot(x, y).", CODE, []),
        ("A class Vec2 with v.norm() and math.sqrt(x).", CODE, []),
    ],
)
def test_what_a_class_lacks(request_, code, lacking):
    """In the request's order; what a decorator adds, or another method does for it, is there."""
    assert lacking_methods(request_, code) == lacking


@pytest.mark.parametrize(
    "request_",
    [
        "A class Vec2 without __eq__.",
        "A Vec2, please don't define __eq__.",
        "A sortable Vec2 with __lt__ or __gt__.",
        "A Vec2 with operators like __sub__.",
        'Fix: File "a.py", line 3, in __call__',
        "Rewrite it, replacing __cmp__ and __eq__.",
    ],
)
def test_what_need_not_be_there(request_):
    """What is ruled out, a choice or an example."""
    assert lacking_methods(request_, CODE) == []


@pytest.mark.parametrize(
    "code",
    [
        *(
            "def add(a, b):\n    return a + b\n",
            "class Vec2(",
            "class Vec2(NamedTuple):\n    x: int\n",
        ),
        *("class TestVec2:\n    def test_sum(self): ...\n", f"{CODE}# no __eq__, no __repr__\n"),
    ],
)
def test_code_that_may_have_them_elsewhere(code):
    """No class, one that is made of another, tests of one; and what it says itself is known."""
    assert lacking_methods(WANTED, code) == []


async def test_what_lacks_a_method_is_drawn_again(pipeline_with):
    """A fact against the draft, also where nothing can be run."""
    whole = f"{CODE}\n    __eq__ = __repr__ = __add__\n"
    drafts = {"role": "coder", "reply": [CODE, whole]}
    judged = {"role": "judge", "verdict": [9, 1, "It is right."]}
    async with pipeline_with(drafts, judged, MAX_DRAFTS=2, EVIDENCE_RUN="off") as run:
        assert await run(WANTED) == whole
    first, _ = run.record["artefact"]["drafts"]
    assert first["findings"] == ["it does not define __eq__, __repr__"]


@pytest.mark.parametrize("chain", [".b", "|b", "[b]"])
def test_code_that_is_nested_too_deep_to_be_written_out(chain):
    """It parses, and is no more than another class."""
    deep = f"a{chain * 900}"
    code = f"@{deep}\nclass V({deep}):\n    def __add__(self, other: {deep}):\n        return 1\n"
    assert lacking_methods(WANTED, code) == []
    assert sessions_of_class(code, "V", "class V", 5)
