"""Compare two pieces of code by their text: all but comments, blanks, semicolons and Python's
docstrings is equal."""

import ast

from pipeline.analysis.grammar import parsed, walk
from pipeline.analysis.python_syntax import ERRORS, Definition, parse
from pipeline.analysis.syntax_process import Unread, in_syntax_process


def is_bare(language: str, text: str) -> bool:
    """Whether there is nothing in a text but comments, blanks and, in Python, texts."""
    tree = parse(text) if language == "python" else None
    return _same_words(language, text, "") if tree is None else all(map(_is_text, tree.body))


def _is_text(node: ast.stmt) -> bool:
    value = node.value if isinstance(node, ast.Expr) else None
    return isinstance(value, ast.Constant) and isinstance(value.value, str)


def same_code(language: str, one: str, other: str) -> bool:
    if language == "python":
        trees = _python_shape(one), _python_shape(other)
        if None not in trees:
            return trees[0] == trees[1]
    return _same_words(language, one, other)


def _python_shape(text: str) -> str | None:
    """The syntax tree without positions and docstrings; None where it does not parse."""
    tree = parse(text)
    if tree is None:
        return None
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | Definition) and node.body and _is_text(node.body[0]):
            node.body = node.body[1:] or [ast.Pass()]
    try:
        return ast.dump(tree)
    except ERRORS:
        return None


def _same_words(language: str, one: str, other: str) -> bool:
    """Whether the tokens are equal; of a text that cannot be parsed in time, the words."""
    try:
        return _same_tokens(language, one, other)
    except Unread:
        return one.split() == other.split()


@in_syntax_process
def _same_tokens(language: str, one: str, other: str) -> bool:
    return _tokens(language, one) == _tokens(language, other)


def _tokens(language: str, text: str) -> list[bytes]:
    """The tokens that are no comment; without a grammar, the words."""
    tree = parsed(language, text)
    if tree is None:
        return text.encode("utf-8", "replace").split()
    leaves = (node.text or b"" for node in walk(tree.root_node, "comment") if not node.children)
    return [token for token in leaves if token.strip(b" \t\r\n;")]
