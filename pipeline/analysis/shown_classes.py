"""Classes that a request shows and Python code takes for granted: the nodes of an exercise's lists
and trees. Pure."""

import ast
import re
from collections.abc import Iterator

from pipeline.analysis.python_syntax import parse, top_level
from pipeline.analysis.undefined_names import undefined_names

_MARGIN = re.compile(r"^[ \t]*#[ \t]?", re.MULTILINE)  # of a comment
_CLASS = re.compile(
    r"^class[ \t]{1,9}(\w{1,60})\b[^\n]*\n(?:(?:[ \t][^\n]*)?\n){1,60}", re.MULTILINE
)
_LINE_ENDS = re.compile(r"\r\n|\r|\n")
_EXERCISE = "Solution"
_MOST_READ = 20_000  # characters of a request
_IS_NODE = re.compile(r"\bself\.(?:next|left)\b")
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
    names = {getattr(each, "name", "") for each in body}
    said = request[:_MOST_READ]
    if not body or not (_EXERCISE in names or "class " in said):
        return ""
    unknown = {*undefined_names(text)}
    usual = {
        name: each
        for name, each in _classes(_USUAL)
        if name in unknown or _SPEAKS_OF[name].search(said)
    }
    shown = {
        name: each
        for name, each in _classes(_MARGIN.sub("", said))
        if name in unknown or _IS_NODE.search(each)
    }
    found = (usual if _EXERCISE in names else {}) | shown
    return "".join(each for name, each in found.items() if name not in {*names, _EXERCISE})


def _classes(text: str) -> Iterator[tuple[str, str]]:
    for found in _CLASS.finditer(f"{text}\n"):
        source = f"{found[0].rstrip()}\n"
        if parse(source):
            yield found[1], source


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
