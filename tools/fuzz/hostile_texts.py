"""Texts that make readers slow: what repeats, what never ends, what is nested. Pure."""

from collections.abc import Callable, Iterator
from functools import partial
from itertools import product

# What some reader gives a meaning to and may look for the end of, or for what belongs to it.
BEGINNINGS = (
    *("x", "#include ", "f(", "def f(", "assert f(", ">>> ", "Input: ", "{", "[", "/*", '"', "'"),
    *('"""', "`", "<!--", "int f(", "https://", "import ", "from x import ", "$(cat <<A\n", "- "),
    *("```python\n", "~~~\n", "<think>", "<attached_files>", "| a | result |\n|---|---|\n", "> "),
)
PUMPS = (
    *(" ", "\n", "\t", "\r", "\r\n", " \n", "\n ", "\n\n\n ", "\u2028", "\x00", "\ufeff", "é"),
    *("a", "a ", "a\n", "A", "\U0001f600", "_", "0", "deadbeef", "a.b", "a.", ".a", "9.", "a,"),
    *("x y z. ", "aA1_", "a b.csv ", "a/b.py ", "https://", "///ask ", "test ", "a,b", "'", "--"),
    *list('.,;:-=+*/#%\\"`<>()[]{}|&!'),
    *("->", "/*", "*/", '\\"', '"""', "'''", "$(", "[]", "()", "{}", "[1]", "[[", "([{", ")]}"),
    *("(\n", ")\n", "[a](", "[a]: b\n", '{"":', "<a>", "<a ", "</", "<!--", "<think>", "</think>"),
    *("<|", "```", "```\n", "~~~\n", "``` ", "> ", ">>> f(1)\n2\n", "- ", "1. ", "  - a\n", "# "),
    *("a\n=\n", "| a ", "|-", "user: a\n", "f(1)", "f(1) == 2\n", "assert f(1) == 1\n", "+a\n"),
    *("Input: 1\nOutput: 1\n", "for 1 it is 2. ", "def f(a): return a\n", "class A: pass\n"),
    *(
        "import a\n",
        "x = 1\n",
        "lambda:",
        "not ",
        "if x:\n ",
        "#include ",
        "int f(int a) {}\n",
        "<<A\n",
    ),
    *("ok 1 - a\n", "ValueError: a\n", '"a":1,', "diff --git a b\n", 'File "a", line 1\n', "@a\n"),
)
_BEHIND = ("\n", " ", "a", "\\", ")\n", "(", "[", "a ", '\\"')
_PAIRS = (("(", ")"), ("[", "]"), ("{", "}"), ("<a>", "</a>"), ('{"a":', "}"), ("f(", ")"))


def pumped(beginning: str, pump: str, end: str, length: int) -> str:
    """The pump as often as it makes `length` characters, between the two."""
    return beginning + pump * (length // len(pump)) + end


def _nested(opening: str, closing: str, length: int) -> str:
    times = length // (len(opening) + len(closing))
    return opening * times + closing * times


def _words(kinds: int, length: int) -> str:
    return "\n".join(f"w{n % (kinds or length)}" for n in range(length // 8))


def _texts() -> Iterator[tuple[str, Callable[[int], str]]]:
    for pump in PUMPS:
        yield f"{pump!r} × n", partial(pumped, "", pump, "x")
        yield f"lines of {pump!r}", partial(pumped, "", pump * 99 + "\n", "")
    for beginning, pump in product(BEGINNINGS, _BEHIND):
        yield f"{beginning!r} and {pump!r} × n", partial(pumped, beginning, pump, "x")
    for beginning in BEGINNINGS:
        yield f"{beginning!r} × n", partial(pumped, "", beginning, "x")
    for opening, closing in _PAIRS:
        yield f"{opening!r} nested", partial(_nested, opening, closing)
    for name, kinds in (("2 words", 2), ("99 words", 99), ("words, none twice", 0)):
        yield f"lines of {name}", partial(_words, kinds)


TEXTS = dict(_texts())
"""By name, each made with about so many characters."""
