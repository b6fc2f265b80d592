"""Texts that make readers slow: what repeats, what never ends, what is nested. Pure."""

from collections.abc import Iterator
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
    *("import a\n", "x = 1\n", "lambda:", "not ", "if x:\n ", "#include ", "int f() {}\n", "<<A\n"),
    *("ok 1 - a\n", "ValueError: a\n", '"a":1,', "diff --git a b\n", 'File "a", line 1\n', "@a\n"),
)
_BEHIND = ("\n", " ", "a", "\\", ")\n", "(", "[", "a ", '\\"')
_PAIRS = (("(", ")"), ("[", "]"), ("{", "}"), ("<a>", "</a>"), ('{"a":', "}"), ("f(", ")"))


def texts(length: int) -> Iterator[tuple[str, str]]:
    """Each with a name and about `length` characters."""
    for pump in PUMPS:
        yield f"{pump!r} × n", pumped("", pump, "x", length)
        yield f"lines of {pump!r}", pumped("", pump * 99 + "\n", "", length)
    for beginning, pump in product(BEGINNINGS, _BEHIND):
        yield f"{beginning!r} and {pump!r} × n", pumped(beginning, pump, "x", length)
    for beginning in BEGINNINGS:
        yield f"{beginning!r} × n", pumped("", beginning, "x", length)
    for opening, closing in _PAIRS:
        times = length // (len(opening) + len(closing))
        yield f"{opening!r} nested", opening * times + closing * times
    for kinds in (2, 99, length):
        yield f"lines of {kinds} kinds", "\n".join(f"w{n % kinds}" for n in range(length // 8))


def pumped(beginning: str, pump: str, end: str, length: int) -> str:
    """The pump as often as it makes `length` characters, between the two."""
    return beginning + pump * (length // len(pump)) + end
