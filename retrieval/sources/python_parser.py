"""Parse Python that may be no program, or a hostile one, without warnings. Pure."""

import ast
import warnings

MAX_CODE = 200_000  # characters; longer code is not parsed
# What the parser raises: for a null byte, and for nesting beyond its stack too.
_ERRORS = (SyntaxError, ValueError, RecursionError, MemoryError)


def parsed(code: str) -> ast.Module | None:
    """The program's tree; None where it has none."""
    if len(code) > MAX_CODE:
        return None
    try:
        with warnings.catch_warnings(action="ignore"):
            return ast.parse(code)
    except _ERRORS:
        return None


def parsed_expression(text: str) -> ast.expr | None:
    """The text as one expression; None where it is none."""
    if len(text) > MAX_CODE:
        return None
    try:
        with warnings.catch_warnings(action="ignore"):
            return ast.parse(text, mode="eval").body
    except _ERRORS:
        return None
