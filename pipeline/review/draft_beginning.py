"""How further drafts begin: as the first one does, up to where its own work starts. What a small
model writes there is mostly a copy of the request, a third of its tokens, and read again it costs
next to nothing. Pure.

Little of the solution is given away: imports of `typing` or of the request alone, the function's
name and parameters, and its documentation where that stands in the request."""

import ast
from itertools import takewhile

from pipeline.analysis.draft import Draft
from pipeline.analysis.python_syntax import top_level


def beginning_of(draft: Draft, request: str, function: str) -> str:
    """The beginning of the reply that the draft is, whole lines; "" where the reply says more than
    the draft, the function is not its first definition, or what stands before its body is more than
    a head."""
    body = top_level(draft.text) if draft.language == "python" else []
    imports = list(takewhile(lambda node: isinstance(node, ast.Import | ast.ImportFrom), body))
    first = body[len(imports)] if len(imports) < len(body) else None
    if not isinstance(first, ast.FunctionDef) or first.name != function:
        return ""
    if not (_is_plain(first, request) and all(_is_given(node, request) for node in imports)):
        return ""
    is_documented = _is_documented(first, request)
    work = first.body[is_documented:]
    lines = draft.text.splitlines(keepends=True)
    end = first.body[0].end_lineno if is_documented else first.body[0].lineno - 1
    head = lines[: first.body[0].lineno - 1]
    if not work or end is None or work[0].lineno <= end or not _ends_head(head):
        return ""
    begun = "".join(lines[:end])
    at = draft.as_said.find(begun)
    return draft.as_said[: at + len(begun)] if at >= 0 else ""


def _is_plain(function: ast.FunctionDef, request: str) -> bool:
    """Without decorators, and without defaults that the request does not name."""
    has_defaults = function.args.defaults or any(function.args.kw_defaults)
    return not function.decorator_list and (
        not has_defaults or ast.unparse(function.args) in request
    )


def _is_given(node: ast.stmt, request: str) -> bool:
    if isinstance(node, ast.ImportFrom) and node.module == "typing":
        return True
    return ast.unparse(node) in map(str.strip, request.splitlines())


def _is_documented(function: ast.FunctionDef, request: str) -> bool:
    """Whether it begins with documentation, in the words of the request."""
    said = ast.get_docstring(function, clean=False)
    return said is not None and " ".join(said.split()) in " ".join(request.split())


def _ends_head(lines: list[str]) -> bool:
    """Whether the last of them ends a function's head, and none is a comment, perhaps a plan."""
    return (
        bool(lines)
        and lines[-1].rstrip().endswith(":")
        and not any(line.lstrip().startswith("#") for line in lines)
    )
