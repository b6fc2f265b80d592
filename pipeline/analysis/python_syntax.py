"""Python's own parser and compiler, guarded: bounded, silent, and nothing is executed. Pure."""

import ast
import re
import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from math import inf
from typing import Any

MAX_PARSED = 64 * 1024  # characters; longer code is not parsed, to keep every run's cost bounded
_MOST_LAMBDAS = 100
_MOST_SCOPES = 1000  # to compile 7,000 lambdas takes a second, and no other thread runs meanwhile
_SCOPE = re.compile("lambda|class|def|for")
Function = ast.FunctionDef | ast.AsyncFunctionDef
Definition = Function | ast.ClassDef
# What parsing hostile text, or walking its tree, can raise.
ERRORS = (SyntaxError, ValueError, RecursionError, MemoryError, OverflowError)


# Before 3.13 CPython counts the depth of a tree that it makes in one place for all threads, and
# gives SystemError where two make one at once (python/cpython#106905); the filter of warnings is
# one for all of them too. The parser holds the interpreter's lock anyway: to wait costs nothing.
_PARSER = threading.RLock()


@dataclass(frozen=True, slots=True)
class SyntaxFault:
    """What the compiler says against a text; no line where it cannot be parsed at all."""

    message: str
    line: int | None

    def __str__(self) -> str:
        if self.line is None:
            return f"syntax error: {self.message}"
        return f"syntax error at line {self.line}"


@contextmanager
def _parsing() -> Iterator[None]:
    with _PARSER, warnings.catch_warnings(action="ignore"):
        yield


def _tree(code: str) -> ast.Module:
    """Raises what parsing raises (`ERRORS`)."""
    with _parsing():
        try:
            return ast.parse(code)
        except SystemError:  # a thread of somebody else's parsed, as the printing of traces does
            return ast.parse(code)


def parse(code: str, most: int = MAX_PARSED) -> ast.Module | None:
    """A text's tree; None where there is none, or where it is too long or too deep."""
    if len(code) > most:
        return None
    try:
        return _tree(code)
    except ERRORS:
        return None


def top_level(code: str) -> list[ast.stmt]:
    """The statements of its tree; [] where there is none."""
    tree = parse(code)
    return tree.body if tree else []


def parsed_statements(code: str) -> list[ast.stmt]:
    """Those of code that is known to be a program. Raises what parsing raises (`ERRORS`)."""
    return _tree(code).body


def parse_expression(text: str) -> ast.expr:
    """The text as one expression. Raises ValueError."""
    try:
        with _parsing():
            return ast.parse(text, mode="eval").body
    except ERRORS as error:
        raise ValueError(f"not a Python expression: {type(error).__name__}") from None


def read_literal(text: str) -> Any:
    """The value of a text that is one of Python's literals. Raises ValueError."""
    try:
        return ast.literal_eval(parse_expression(text.lstrip(" \t")))
    except (*ERRORS, TypeError) as error:  # `{[1]: 2}`, as Rust shows a map
        raise ValueError(f"not a Python literal: {type(error).__name__}") from None


def dotted_name(node: ast.AST, most: float = inf) -> str:
    """`a.b.c`, where that is all names and no more than `most`; "" of any other expression."""
    names: list[str] = []
    while isinstance(node, ast.Attribute) and len(names) < most:
        names.append(node.attr)
        node = node.value
    return ".".join([node.id, *reversed(names)]) if isinstance(node, ast.Name) else ""


def first_line(node: ast.stmt | ast.expr) -> int:
    """With the decorators of a definition."""
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    return min([node.lineno, *(each.lineno for each in decorators)])


def syntax_fault(text: str) -> SyntaxFault | None:
    """What is wrong with the text as a program. The compiler has its own guards against hostile
    nesting."""
    flags = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
    if len(_SCOPE.findall(text)) > _MOST_SCOPES:
        flags |= ast.PyCF_ONLY_AST  # what the grammar says must do
    if text.count("lambda") > _MOST_LAMBDAS and _lambdas_deep(text):
        return SyntaxFault(f"more than {_MOST_LAMBDAS} lambdas in each other", None)
    try:
        with _parsing():
            compile(text, "<draft>", "exec", flags=flags, dont_inherit=True)
    except SyntaxError as error:
        return SyntaxFault(error.msg, error.lineno or 1)
    except ERRORS:
        return SyntaxFault("it cannot be parsed", None)
    return None


def _lambdas_deep(text: str) -> bool:
    """Whether too many lie in each other: the compiler's time grows with the square of the depth of
    scopes, and of all of them these alone may be nested without end."""
    try:
        waiting: list[tuple[ast.AST, int]] = [(_tree(text), 0)]
    except (RecursionError, MemoryError):  # the compiler itself would go on
        return True
    except ERRORS:
        return False
    while waiting:
        node, depth = waiting.pop()
        depth += isinstance(node, ast.Lambda)
        if depth > _MOST_LAMBDAS:
            return True
        waiting += [(child, depth) for child in ast.iter_child_nodes(node)]
    return False


def python_error(text: str) -> str | None:
    """`syntax error at line 3`, or None."""
    fault = syntax_fault(text)
    return str(fault) if fault else None


def is_python(text: str) -> bool:
    """Whether the text as a whole parses as Python."""
    return len(text) <= MAX_PARSED and syntax_fault(text) is None
