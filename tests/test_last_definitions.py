"""A draft that goes on with a chat's last answer is made as whole as that."""

import ast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.analysis.draft import Draft
from pipeline.analysis.evidence import Finding
from pipeline.analysis.undefined_names import undefined_names
from pipeline.exchange import Exchange
from pipeline.request import Turn
from pipeline.review.last_answer import in_its_language
from pipeline.review.last_definitions import completed

PRIME = "def is_prime(n):\n    return n > 1 and all(n % i for i in range(2, n))\n"
UP_TO = "def primes(n):\n    return [i for i in range(n) if is_prime(i)]\n"
SEARCH = "def find(items, target):\n    return items.index(target)\n"
DESCENDING = "def find_descending(items, target):\n    return items[::-1].index(target)\n"
RATES = (
    "import math\nfrom shop import prices\n\nRATE = 0.2\n\n\n"
    "def rounded(x):\n    return math.ceil(x)\n\n\n"
    "@cached\ndef taxed(x):\n    return rounded(prices[x] * RATE)\n"
)


def draft_after(last, request, code, language="python", findings=()):
    talk = (Exchange("write a python function", last),)
    return completed(Draft(code, language, findings), request, talk)


@pytest.mark.parametrize(
    ("request_", "code", "whole"),
    [
        ("and one for all primes up to n", UP_TO, f"{PRIME}\n\n{UP_TO}"),
        ("now all primes up to n", f"import os\n{UP_TO}", f"import os\n\n\n{PRIME}\n\n{UP_TO}"),
    ],
)
def test_what_it_uses_of_the_last_answer_stands_before_it(request_, code, whole):
    """A function that is called and not defined, behind what is imported."""
    found = draft_after(PRIME, request_, code)
    assert found.text == whole.rstrip("\n")
    assert found.mended == ("put in of the last answer: is_prime",)


def test_what_that_uses_comes_along():
    """Constants, imports and decorated functions, in the order that they had."""
    found = draft_after(RATES, "now for a list", "def total(xs):\n    return sum(map(taxed, xs))\n")
    assert found.text.startswith("import math\n")
    assert undefined_names(found.text) == ["cached"]
    order = [found.text.index(each) for each in ("RATE =", "def rounded", "@cached", "def total")]
    assert order == sorted(order)


def test_it_stands_behind_what_it_needs_at_once():
    """A route behind the application that it is of, a class behind its base."""
    last = "app = Flask(__name__)\n\n@app.route('/hello')\ndef hello():\n    return 'hello'\n"
    more = "@app.post('/echo')\ndef echo():\n    return request.json\n"
    head = "from flask import Flask, request\n\napp = Flask(__name__)"
    found = draft_after(last, "add a POST endpoint /echo", f"{head}\n\n{more}").text
    order = [found.index(each) for each in ("import", "app = ", "@app.route", "@app.post")]
    assert order == sorted(order)
    last = "class Base: ...\n\nclass Dog(Base): ...\n"
    found = draft_after(last, "add Cat", "class Base: ...\n\nclass Cat(Base): ...\n").text
    classes = [line for line in found.splitlines() if line]
    assert classes == ["class Base: ...", "class Dog(Base): ...", "class Cat(Base): ..."]


def test_what_is_to_stay_is_put_in():
    """Where the request adds to the last answer, and the draft is the new part alone."""
    found = draft_after(SEARCH, "also add is_prime, keep find", PRIME)
    assert found.text == f"{SEARCH}\n\n{PRIME}".rstrip("\n")


@pytest.mark.parametrize(
    ("request_", "stays"),
    [("now add a function to decrypt", True), ("add a function to decrypt and fix it", False)],
)
def test_what_another_function_is_added_to_stays_as_it_was(request_, stays):
    """Unless the request has a word against it, or it takes something else now."""
    last = "def code(text, by):\n    return shifted(text, by)\n"
    more = "\n\ndef decrypt(text, by):\n    return code(text, -by)\n"
    found = draft_after(last, request_, last.replace("by)\n", "-by)  # back\n") + more)
    if stays:
        assert found.text == f"{last}{more}"
        assert found.mended == ("as before: code",)
    else:
        assert found.mended == ()
    other = "def code(text):\n    return text\n"
    assert draft_after(last, request_, f"{other}{more}").text == f"{other}{more}"


@pytest.mark.parametrize(
    ("request_", "name"),
    [
        ("rename it to find_first", "find_first"),
        ("please rename the function find to `index_of`", "index_of"),
        ("rename items to xs", "find"),
        ("rename it to class", "find"),
        ("rename other to xs", "find"),
    ],
)
def test_a_draft_that_was_not_renamed_is(request_, name):
    """As the request says it, if it can be so."""
    found = draft_after(SEARCH, request_, SEARCH).text
    assert [each.name for each in ast.parse(found).body] == [name]
    assert ("xs.index" in found) is (request_ == "rename items to xs")


@pytest.mark.parametrize(
    ("request_", "last", "code", "name"),
    [
        ("my list is sorted in descending order", SEARCH, DESCENDING, "find"),
        ("make it faster", PRIME, PRIME.replace("is_prime", "prime"), "is_prime"),
        ("add type hints", PRIME, PRIME.replace("is_prime", "prime"), "is_prime"),
        ("mach sie schneller", PRIME, PRIME.replace("is_prime", "prime"), "is_prime"),
        # These want another one, or name it, or it takes something else.
        ("rename it to prime", PRIME, PRIME.replace("is_prime", "prime"), "prime"),
        ("now one for descending lists", SEARCH, DESCENDING, "find_descending"),
        ("now for cubes", PRIME, PRIME.replace("is_prime", "cubes"), "cubes"),
        ("find_descending please", SEARCH, DESCENDING, "find_descending"),
        ("ignore case", SEARCH, DESCENDING.replace("items", "words"), "find_descending"),
        ("search from the end", f"{SEARCH}{PRIME}", DESCENDING, "find_descending"),
    ],
)
def test_a_function_keeps_its_name(request_, last, code, name):
    """Where the last answer has one, the draft one that takes the same, and nothing says that it is
    to have another name."""
    tree = ast.parse(draft_after(last, request_, code).text)
    assert [each.name for each in tree.body if isinstance(each, ast.FunctionDef)][-1] == name


@pytest.mark.parametrize(
    ("request_", "language", "findings"),
    [
        ("how do I use it?", "python", ()),
        ("write a second script that imports it", "python", ()),
        ("only the new function please", "python", ()),
        ("all primes up to n", "go", ()),
        ("all primes up to n", "python", (Finding("coder", "truncated", "it was cut off"),)),
    ],
)
def test_what_wants_something_else_stays(request_, language, findings):
    """Code that shows the use of the last answer, that stands apart from it, that is not whole."""
    assert draft_after(PRIME, request_, UP_TO, language, findings).text == UP_TO
    assert completed(Draft(UP_TO, "python", ()), "all primes up to n", ()).text == UP_TO


PIECES = st.lists(
    st.sampled_from(
        [
            "def f(x):\n    return g(x)\n",
            "g = f\n",
            "import g\n",
            "x = (\n",
            ")\n",
            "\r",
            "@g\n",
            "class g: h = f\n",
            "'''",
            "f(g(h))\n",
        ]
    )
)


@given(PIECES.map("".join), PIECES.map("".join))
def test_it_still_parses(last, code):
    """Whatever the last answer is, and the draft."""
    found = draft_after(last, "go on", code).text
    try:
        ast.parse(code)
    except SyntaxError:
        return
    ast.parse(found)


async def test_the_record_says_what_was_put_in(pipeline_with):
    """The step has the reply as it came and a note; the answer is whole."""
    turns = (Turn("user", "is n prime"), Turn("assistant", f"```python\n{PRIME}```"))
    rules = ({"role": "coder", "reply": UP_TO}, {"role": "judge", "verdict": [9, 1, "ok"]})
    async with pipeline_with(*rules) as run:
        assert await run("all primes below n", conversation=turns) == f"{PRIME}\n\n{UP_TO}".rstrip(
            "\n"
        )
    coder = run.record["steps"][0]
    assert coder["note"] == "put in of the last answer: is_prime"
    assert coder["raw"] == UP_TO


SUM = "function sum(values) {\n  return values.reduce((a, b) => a + b, 0);\n}\n"


@pytest.mark.parametrize(
    ("code", "language"),
    [
        (SUM.replace("a + b", "a + (typeof b === 'number' ? b : 0)"), "javascript"),
        (SUM.replace("sum", "add"), None),
        ("It returns 0 for an empty array.", None),
    ],
)
def test_a_block_without_a_label_is_in_the_last_answer_s_language(code, language):
    """Where it defines what that does; nothing else tells."""
    talk = (Exchange("write sum in javascript", SUM),)
    assert in_its_language(Draft(code, None, ()), talk).language == language
    assert in_its_language(Draft(code, "text", ()), talk).language == "text"
    assert in_its_language(Draft(code, None, ()), ()).language is None
