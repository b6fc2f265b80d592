"""Syntax of many languages, by tree-sitter. Grammars are loaded at first need; trees stay in the
process that makes them (`syntax_process.py`).

A grammar forgives what its compiler would not and stumbles over what some compilers take (macros,
the newest syntax): what it finds is a strong hint, not proof.
"""

from collections.abc import Iterator
from functools import cache, lru_cache
from importlib import import_module
from time import thread_time
from typing import TYPE_CHECKING

from laios.language_table import TABLE
from pipeline.analysis.python_syntax import MAX_PARSED
from pipeline.analysis.syntax_process import Unread, in_syntax_process

if TYPE_CHECKING:
    from tree_sitter import Language, Node, Tree

PARSING_S = 0.1  # of processor time; a long text without errors takes a fifth of that
_BLOCK = 4096
GIVEN_UP = "syntax error: it takes too long to parse"

_GRAMMARS = {row.name: row.grammar for row in TABLE if row.grammar}


@lru_cache(maxsize=8)  # one text is asked for its errors, its names and its statements
def parsed(language: str, text: str) -> "Tree | None":
    """The text's syntax tree; None for a language without a grammar, and for texts that are very
    long. Raises Unread."""
    if language not in _GRAMMARS or len(text) > MAX_PARSED:
        return None
    return tree_of(grammar_of(language), _bytes(language, text))


def tree_of(grammar: "Language", raw: bytes) -> "Tree":
    """Raises Unread where it takes longer than PARSING_S: the time that a parser takes to recover
    from errors can grow with their square. It looks at the clock after each hundred of its own
    steps alone; when that is much later, the process ends before."""
    from tree_sitter import Parser

    end = thread_time() + PARSING_S
    try:
        return Parser(grammar).parse(
            lambda at, _: raw[at : at + _BLOCK],  # of bytes in one piece it tells no progress
            progress_callback=lambda *_: thread_time() > end,
        )
    except ValueError:
        raise Unread from None


def syntax_error(language: str, text: str) -> str | None:
    """The first error: `syntax error at line 3`; None where there is none, or nothing is known of
    the language. A text that cannot be parsed in time has not passed."""
    if language not in _GRAMMARS or len(text) > MAX_PARSED:
        return None
    try:
        line = _first_error(language, text)
    except Unread:
        return GIVEN_UP
    return f"syntax error at line {line}" if line else None


@in_syntax_process
def _first_error(language: str, text: str) -> int | None:
    tree = parsed(language, text)
    line = error_line(tree.root_node) if tree else None
    if line is None or (language == "typescript" and _first_error("tsx", text) is None):
        return None
    return line


def error_line(root: "Node") -> int | None:
    """The line of the first syntax error, from 1; None where there is none."""
    if not root.has_error:
        return None
    first = next((node for node in walk(root) if node.is_error or node.is_missing), root)
    return first.start_point[0] + 1


def walk(node: "Node", without: str = "\0") -> Iterator["Node"]:
    """The node and all below it, in the text's order; none whose type has `without` in it, nor
    anything below such."""
    stack = [node]
    while stack:
        node = stack.pop()
        if without not in node.type:
            yield node
            stack += reversed(node.children)


def text_of(node: "Node | None") -> str:
    return (node.text or b"").decode("utf-8", "replace") if node else ""


@cache
def grammar_of(language: str) -> "Language":
    from tree_sitter import Language

    module, _, function = _GRAMMARS[language].partition(":")
    return Language(getattr(import_module(module), function)())


def _bytes(language: str, text: str) -> bytes:
    """PHP is template text until its opening tag, and a snippet often comes without one."""
    if language == "php" and "<?" not in text:
        text = f"<?php {text}"
    return text.encode("utf-8", "replace")
