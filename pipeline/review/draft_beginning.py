"""How further drafts begin: as the first one does, up to where its own work starts. What a small
model writes there is mostly a copy of the request, a third of its tokens, and read again it costs
next to nothing. Pure.

Nothing of the solution is given away: imports only of `typing` or of the request, the function's
head, and its documentation where that stands in the request."""

import ast
from itertools import takewhile

from pipeline.analysis.draft import Draft
from pipeline.analysis.python_syntax import parse


def beginning_of(draft: Draft, request: str, function: str) -> str:
    """The beginning of the reply that the draft came in, whole lines; "" where the function is not
    its first definition or something else stands before it."""
    tree = parse(draft.text) if draft.language == "python" else None
    body = tree.body if tree else []
    before = list(takewhile(lambda node: isinstance(node, ast.Import | ast.ImportFrom), body))
    first = body[len(before)] if len(before) < len(body) else None
    if not isinstance(first, ast.FunctionDef) or first.name != function or first.decorator_list:
        return ""
    if not all(_is_given(node, request) for node in before):
        return ""
    lines = draft.text.splitlines(keepends=True)
    begun = "".join(lines[: _end_of_head(first, request)])
    if not begun.rstrip().endswith((":", '"', "'")):
        return ""  # a comment behind the head, a body on its line
    said = draft.as_said or draft.text
    at = said.find(begun)
    return said[: at + len(begun)] if at >= 0 else ""


def _is_given(node: ast.stmt, request: str) -> bool:
    return (isinstance(node, ast.ImportFrom) and node.module == "typing") or ast.unparse(
        node
    ) in request


def _end_of_head(function: ast.FunctionDef, request: str) -> int:
    """The number of its last line."""
    first = function.body[0]
    said = ast.get_docstring(function, clean=False)
    if said is not None and " ".join(said.split()) in " ".join(request.split()):
        return first.end_lineno or first.lineno
    given = [*ast.walk(function.args), *([function.returns] if function.returns else [])]
    ends = (getattr(node, "end_lineno", None) or 0 for node in given)
    return max(function.lineno, *ends)
