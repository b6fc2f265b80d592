"""Values and calls as a person or a model writes them → Python values. Pure; nothing is evaluated.

A literal is what `ast.literal_eval` reads, JSON's `true`, `false` and `null`, `set()`, and
`float("inf")` or `float("nan")`; at most `MAX_LITERAL` characters long.
"""

import ast
import builtins
import re
from collections.abc import Iterator
from typing import Any

from pipeline.analysis import python_syntax
from pipeline.sandbox.testcase import Arguments

# Characters; a longer value is no example. No number of that length has more digits than Python
# writes (4300), also where it stands in base 16.
MAX_LITERAL = 1000
_DEPTH = 20  # brackets in brackets, likewise

MARKS = r"[`*]{0,3}"  # of Markdown, which may stand around a value
ERROR_NAME = r"[A-Z]\w*(?:Error|Exception|Iteration)"
BUILTINS = frozenset(dir(builtins))
_JSON_NAMES = {"true": True, "false": False, "null": None}

_STRING = (
    r"[rbuRBU]{0,2}(?:'''(?:\\.|[^\\])*?'''|\"\"\"(?:\\.|[^\\])*?\"\"\""
    r"|'(?:\\.|[^'\\\n])*'|\"(?:\\.|[^\"\\\n])*\")"
)
_PIECE = re.compile(rf"{_STRING}|[\[\](){{}}]|[^\[\](){{}}'\"]+|.", re.DOTALL)
_WORD = re.compile(r"[A-Za-z][\w-]*")
_NO_TEXT = re.compile(
    r"\w*(?:error|exception)|nothing|empty|undefined|nan|any|varies|int|integer|float|number|string"
    r"|str|text|bool|boolean|list|array|tuple|dict|dictionary|object",
    re.IGNORECASE,
)
# `1,000` is one number or two, `007` and `000` are texts.
_ZEROS = re.compile(rf"{_STRING}|(?P<zeros>(?<![\w.])0[0_]+(?![\w.]))", re.DOTALL)
_SCALAR = re.compile(
    rf"{_STRING}|(?:True|False|None|true|false|null)\b|set\(\)"
    r"|-?float\((?:'[-+]?\w+'|\"[-+]?\w+\")\)"
    r"|[-+]?(?:0[xX][\da-fA-F]+|0[bB][01]+|0[oO][0-7]+|(?:\d[\d_]*(?:\.\d+)?|\.\d+)(?:[eE][-+]?\d+)?j?)",
    re.DOTALL,
)


def read_literal(text: str) -> Any:
    """The value of a literal. Raises ValueError for anything else."""
    _refuse_zeros(text)
    return value_of(_parse(text.strip()))


def read_arguments(text: str) -> Arguments:
    """The arguments that stand between a call's parentheses. Raises ValueError."""
    _refuse_zeros(text)
    return arguments_of(_parse(f"f({text}\n)"))


def _refuse_zeros(text: str) -> None:
    if "00" in text and any(piece["zeros"] for piece in _ZEROS.finditer(text[: MAX_LITERAL + 4])):
        raise ValueError("no number is written so")


def arguments_of(call: ast.expr, names: dict[str, Any] | None = None) -> Arguments:
    """The arguments of a parsed call; `names` are variables whose value is known. Raises
    ValueError for what is no literal."""
    if not isinstance(call, ast.Call):
        raise ValueError("no call")
    args = tuple(value_of(each, names) for each in call.args)
    kwargs = []
    for each in call.keywords:
        if each.arg is None:
            raise ValueError("** is no literal")
        kwargs.append((each.arg, value_of(each.value, names)))
    return Arguments(args, tuple(kwargs))


def value_of(node: ast.expr, names: dict[str, Any] | None = None) -> Any:
    """The value of a parsed literal. Raises ValueError."""
    try:
        found = ast.literal_eval(_Plain(names or {}).visit(node))
        repr(found)  # a number that Python does not write could be told to nobody
        return found
    except (*python_syntax.ERRORS, TypeError) as error:
        raise ValueError(f"not a literal: {type(error).__name__}") from None


def read_word(text: str) -> str:
    """A text that stands there without quotation marks: one word. Raises ValueError for anything
    else, and for words that say what kind of value comes, or that none does."""
    if not _WORD.fullmatch(text) or _NO_TEXT.fullmatch(text):
        raise ValueError("no word")
    return text


def parse_expression(text: str) -> ast.expr | None:
    """The text as one Python expression, or None."""
    try:
        return _parse(text)
    except ValueError:
        return None


def matching(text: str, start: int, most: int = MAX_LITERAL) -> int | None:
    """Where the bracket that opens at `start` has been closed (the index after it), or None if that
    is not so within `most` characters."""
    closing = {"(": ")", "[": "]", "{": "}"}
    open_ones: list[str] = []
    for piece in _PIECE.finditer(text, start, start + most):
        mark = piece[0]
        if mark in ("'", '"') or len(open_ones) > _DEPTH:
            return None  # a text that does not end here
        if mark in closing:
            open_ones.append(closing[mark])
        elif mark in (")", "]", "}") and open_ones.pop() != mark:
            return None
        if not open_ones:
            return piece.end()
    return None


def calls_of(function: str, text: str) -> Iterator[re.Match[str]]:
    """Where its name stands with the bracket of a call."""
    return re.finditer(rf"(?<![\w.]){re.escape(function)}\(", text)


def parenthesised(text: str, start: int) -> tuple[ast.Call, int] | None:
    """What stands in the parentheses that open there, as arguments of a call, and where they have
    been closed."""
    end = matching(text, start)
    call = parse_expression(f"f{text[start:end]}") if end else None
    return (call, end) if end and isinstance(call, ast.Call) else None


def literal_end(text: str, start: int) -> int | None:
    """Where a literal that begins at `start` ends, judged by its looks; None if none begins."""
    if text[start : start + 1] in ("[", "(", "{"):
        return matching(text, start)
    found = _SCALAR.match(text, start, start + MAX_LITERAL)
    return found.end() if found else None


def literal_at(text: str, start: int) -> tuple[Any, int] | None:
    """The literal that begins at `start`, and where it ends; None if none does."""
    end = literal_end(text, start)
    if end is None:
        return None
    try:
        return read_literal(text[start:end]), end
    except ValueError:
        return None


def _parse(text: str) -> ast.expr:
    if len(text) > MAX_LITERAL + 4:
        raise ValueError("too long")
    return python_syntax.parse_expression(text)


class _Plain(ast.NodeTransformer):
    """Puts constants in the place of what literal_eval does not know."""

    def __init__(self, names: dict[str, Any]) -> None:
        self._names = _JSON_NAMES | names

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return ast.Constant(self._names[node.id]) if node.id in self._names else node

    def visit_Constant(self, node: ast.Constant) -> ast.expr:
        if node.value is ...:
            raise ValueError("`f(...)` leaves something out")
        return node

    def visit_Call(self, node: ast.Call) -> ast.expr:
        match node:
            case ast.Call(ast.Name("float"), [ast.Constant(str(text))], []):
                return ast.Constant(float(text))
        return node
