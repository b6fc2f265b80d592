"""Classes that a request shows and Python code takes for granted: the nodes of an exercise's lists
and trees. Pure."""

import ast
import re
from collections.abc import Iterator, Sequence

from pipeline.analysis.python_syntax import parse, top_level
from pipeline.analysis.undefined_names import undefined_names

_MARGIN = re.compile(r"^[ \t]*#[ \t]?", re.MULTILINE)  # of a comment
_CLASS = re.compile(
    r"^class[ \t]{1,9}(\w{1,60})\b[^\n]*\n(?:(?:[ \t][^\n]*)?\n){1,60}", re.MULTILINE
)
_LINE_ENDS = re.compile(r"\r\n|\r|\n")
_EXERCISE = "Solution"
_OF_TYPING = {"List", "Optional"}
_MOST_READ = 20_000  # characters of a request
_LINKS = re.compile(r"\bself\.(?:next|left)\b")
_SPEAKS_OF = {
    "ListNode": re.compile(r"\bListNode\b|\blinked list\b", re.IGNORECASE),
    "TreeNode": re.compile(r"\bTreeNode\b|\bbinary (?:search )?tree\b|\bBST\b", re.IGNORECASE),
}
_USUAL = """\
class ListNode:
    def __init__(self, val=0, next=None):
        self.val = val
        self.next = next

class TreeNode:
    def __init__(self, val=0, left=None, right=None):
        self.val = val
        self.left = left
        self.right = right

"""


def shown_classes(text: str, request: str) -> str:
    """Those that the code uses and does not define, and nodes: that it is given some may stand in
    none of its lines. Where it defines the class that exercises have, also the nodes of LeetCode
    that the request speaks of. "" for none."""
    body = top_level(text)
    said = request[:_MOST_READ]
    is_exercise = any(getattr(each, "name", "") == _EXERCISE for each in body)
    if not body or not (is_exercise or "class " in said):
        return ""
    unknown, bound = {*undefined_names(text)}, _bound(body)
    usual = {
        name: each
        for name, each in _classes(_USUAL)
        if name in unknown or _SPEAKS_OF[name].search(said)
    }
    shown = {
        name: each
        for name, each in _classes(_MARGIN.sub("", said))
        if name in unknown or _is_node(each)
    }
    found = (usual if is_exercise else {}) | shown
    wanted = "".join(each for name, each in found.items() if name not in {*bound, _EXERCISE})
    needs = undefined_names(wanted) if wanted else []
    # Not all of it: pyflakes would take any name for one of those.
    return f"from typing import List, Optional\n{wanted}" if _OF_TYPING & {*needs} else wanted


def _bound(body: Sequence[ast.stmt]) -> set[str]:
    """What the names of a program stand for, whatever it is."""
    names = {getattr(each, "name", "") for each in body}
    for each in (inner for statement in body for inner in ast.walk(statement)):
        if isinstance(each, ast.alias):
            names.add((each.asname or each.name).partition(".")[0])
        elif isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store):
            names.add(each.id)
    return names


def _is_node(source: str) -> bool:
    """Whether a class does no more than to hold and link something."""
    made = next(iter(top_level(source)), None)
    is_alone = isinstance(made, ast.ClassDef) and not made.bases and len(made.body) == 1
    is_whole = {*undefined_names(source)} <= _OF_TYPING
    return is_alone and is_whole and _LINKS.search(source) is not None


def _classes(text: str) -> Iterator[tuple[str, str]]:
    """Each by its name; not those that something above decorates."""
    whole = f"\n{text}\n"
    for found in _CLASS.finditer(whole):
        source = f"{found[0].rstrip()}\n"
        above = whole[: found.start()].rstrip("\n").rpartition("\n")[2]
        if parse(source) and not above.startswith("@"):
            yield found[1], source


def before_code(text: str, request: str) -> str:
    """The code with those classes behind its first imports, on lines of their own."""
    classes = shown_classes(text, request)
    if not classes:
        return text
    end = 0
    for each in top_level(text):
        if not isinstance(each, (ast.Import, ast.ImportFrom)):
            break
        end = each.end_lineno or 0
    lines = _LINE_ENDS.split(text)
    return "\n".join([*lines[:end], classes.rstrip("\n"), *lines[end:]])


def with_shown_classes(text: str, request: str) -> str:
    """The code with those classes, each line of it where it was: they are put behind the last
    statement before it defines something, in its line; else in a line before."""
    classes = shown_classes(text, request)
    if not classes:
        return text
    made = f"exec({classes!r})"
    before = None
    for each in top_level(text):
        if isinstance(each, (ast.Import, ast.ImportFrom, ast.Expr, ast.Assign)):
            before = each
            continue
        break
    if before is None or before.end_lineno is None or before.end_col_offset is None:
        return f"{made}\n{text}"
    lines = _LINE_ENDS.split(text)  # as Python counts them
    line = lines[before.end_lineno - 1].encode()
    end = before.end_col_offset
    lines[before.end_lineno - 1] = (line[:end] + f"; {made}".encode() + line[end:]).decode()
    return "\n".join(lines)
