"""A text that says the same over and over is seen, and nothing else is."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.errors import ModelFailed
from pipeline.repetition import (
    DEFINED,
    EXAMPLES,
    REPEATED,
    TIMES,
    before_definitions,
    before_examples,
    before_repetition,
)

HEAD = "def total(numbers):\n    return sum(numbers)\n\n"


@given(
    # One that ends as the head does would begin in it.
    piece=st.text(min_size=1, max_size=300).filter(lambda piece: piece[-1] != HEAD[-1]),
    size=st.integers(1, 7),
    cut=st.integers(0, 299),
)
def test_a_piece_over_and_over_is_found_however_it_arrives(piece: str, size: int, cut: int) -> None:
    """Whatever the piece and wherever it stops, one copy of it is kept and what stood before."""
    times = max(TIMES, -(-REPEATED // len(piece))) + 1
    text = HEAD + piece * times + piece[: cut % len(piece)]
    kept = before_repetition([text[at : at + size] for at in range(0, len(text), size)])
    assert kept is not None
    assert text.startswith(kept)
    assert len(HEAD) <= len(kept) <= len(HEAD) + 2 * len(piece)


def test_what_is_alike_and_not_the_same_goes_on() -> None:
    """Rows of a table, a long list, cases that differ, a piece that stands three times."""
    rows = "".join(f"    ({n}, {n * n}, 'row'),\n" for n in range(200))
    cases = "".join(f"assert add({n}, 1) == {n + 1}\n" for n in range(200))
    for text in (rows, cases, HEAD * 3, "0, " * 300, "#" * 800, "", "x"):
        assert before_repetition([text]) is None


def test_one_function_defined_again_and_again_is_found() -> None:
    """As tests that a small model goes on with, each a little different: the first is kept."""
    tests = [
        f"    def test_add(self):\n        self.assertEqual(add({10**n}, 0), {10**n})\n\n"
        for n in range(DEFINED)
    ]
    head = f"{HEAD}class TestAdd(TestCase):\n    def test_zero(self):\n        pass\n\n"
    assert before_definitions([head, *tests[:-1]]) is None
    assert before_definitions([head, *tests]) == head + tests[0]
    classes = [f"class A{n}:\n    def area(self):\n        return {n}\n\n" for n in range(5)]
    assert before_definitions([*classes, *tests]) == "".join(classes) + tests[0]


def test_one_body_under_new_names_is_found() -> None:
    """As variants that nobody asked for, with docstrings of their own; short ones may be alike."""
    body = "    total = 0\n    for each in find(text):\n        total += each\n    return total\n\n"
    variants = [
        f'def parse_{"x" * n}(text):\n    """Variant {n}."""\n{body}' for n in range(DEFINED + 1)
    ]
    assert before_definitions([HEAD, *variants[:-2], "def parse_a(text):\n    to"]) is None
    assert (
        before_definitions([HEAD, *variants[:-1], "def parse_a(text):\n    to"])
        == HEAD + variants[0]
    )
    stubs = [f"    def area_{n}(self):\n        raise NotImplementedError\n\n" for n in range(20)]
    assert before_definitions(["class A:\n", *stubs]) is None


def test_endless_examples_are_found() -> None:
    """Each another one, with comments between them: the first is kept. Fewer, and what calls others
    or does something else, goes on."""
    lines = [f"print(is_email('{'a.' * n}b'))  # False\n# and\n\n" for n in range(EXAMPLES)]
    assert before_examples([HEAD, *lines[:-1], "print(is_em"]) is None
    assert before_examples([HEAD, *lines, "print(is_em"]) == HEAD + lines[0]
    asserts = [f"    assert add({n}, 0) == {n}\n" for n in range(EXAMPLES)]
    assert before_examples([HEAD, *asserts]) == HEAD + asserts[0]
    rows = [f"add({n}, 'row')\n" for n in range(200)]
    others = [f"print(add_{n}(1))\n" for n in range(200)]
    for text in (rows, others, [*asserts[:20], "x = 1\n", *asserts[20:]]):
        assert before_examples([HEAD, *text]) is None


@pytest.mark.parametrize(
    "piece",
    [
        "@then('{n}')\ndef step(context):\n    pass\n\n",
        "class A{n}:\n    def get(self):\n        pass\n\n",
        "def handler(request):\n    return {n}\n\napp.add('/{n}', handler)\n\n",
        "if system == {n}:\n    def clear():\n        pass\n",
        "{n}. Way {n}:\n\n```python\ndef reverse(s):\n    return s[::{n}]\n```\n\n",
        "def main():\n    print({n})\n\nmain()\n\n",
        "def to_roman(n) when n >= {n}, do: to_roman(n - {n})\n",
        "  def add(a: T{n}, b: Int): Int = b\n",
        "module A{n}\n  def call(x)\n    {n}\n  end\nend\n",
        "def f{n}(x):\n    return {n}\n\n",
    ],
    ids=range(10),
)
def test_functions_of_one_name_that_are_meant_go_on(piece: str) -> None:
    """What registers each, makes one of each kind, shows ways, or is no Python."""
    text = "".join(piece.replace("{n}", str(n)) for n in range(2 * DEFINED))
    assert before_definitions([text]) is None


async def test_what_repeats_itself_and_is_no_program_counts_as_cut_off(pipeline_with) -> None:
    """It is no answer, and the error says why."""
    over_and_over = "def total(numbers):\n    return (0" + " + numbers[0]" * 300
    async with pipeline_with({"role": "coder", "reply": over_and_over, "chunk": 40}) as run:
        with pytest.raises(ModelFailed, match="evidence: cut off by the token limit"):
            await run("///raw write total(numbers)")
    assert run.record["steps"][0]["finish_reason"] == "repetition"


async def test_a_line_that_does_not_end_is_left_out(pipeline_with) -> None:
    """Where what stood before it is a program: that is the draft."""
    code = f"{HEAD}print(total([1]))\n"
    reply = f"{code}print(total([{'0123456789' * 300}"
    async with pipeline_with({"role": "coder", "reply": reply, "chunk": 40}) as run:
        assert await run("///raw write total(numbers)") == code.rstrip()
    assert run.record["steps"][0]["finish_reason"] == "repetition"
