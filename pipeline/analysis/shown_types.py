"""Types that a request shows and a draft takes for granted: the nodes of an exercise's lists and
trees. Pure."""

import re
from collections.abc import Iterator
from itertools import islice

_MARGIN = re.compile(r"^[ \t]*(?:\*(?!/)|//+)[ \t]?", re.MULTILINE)  # of a comment
_COMMENT = re.compile(r"//[^\n]*|/\*.*?(?:\*/|\Z)", re.DOTALL)
_HEADS = {
    "c": re.compile(r"\b(?:typedef\s{1,9})?struct\s{1,9}(\w{1,60})\s{0,9}\{"),
    "cpp": re.compile(r"\b(?:struct|class)\s{1,9}(\w{1,60})\s{0,9}\{"),
    "go": re.compile(r"\btype\s{1,9}(\w{1,60})\s{1,9}struct\s{0,9}\{"),
    "java": re.compile(r"\bclass\s{1,9}(\w{1,60})\s{0,9}\{"),
    "rust": re.compile(
        r"(?:#\[derive\([\w\s,]{0,80}\)\]\s{0,9})?\b(?:pub\s{1,9})?"
        r"(?:struct|impl)\s{1,9}(\w{1,60})\s{0,9}\{"
    ),
    "typescript": re.compile(r"\b(?:class|interface|type)\s{1,9}(\w{1,60})\s{0,9}(?:=\s{0,9})?\{"),
}
# What LeetCode has, and hardly anybody shows.
_USUAL = {
    "c": "struct ListNode { int val; struct ListNode *next; };\n"
    "struct TreeNode { int val; struct TreeNode *left; struct TreeNode *right; };\n",
    "cpp": "struct ListNode { int val; ListNode *next; ListNode() : val(0), next(nullptr) {}"
    " ListNode(int x) : val(x), next(nullptr) {}"
    " ListNode(int x, ListNode *n) : val(x), next(n) {} };\n"
    "struct TreeNode { int val; TreeNode *left; TreeNode *right;"
    " TreeNode() : val(0), left(nullptr), right(nullptr) {}"
    " TreeNode(int x) : val(x), left(nullptr), right(nullptr) {}"
    " TreeNode(int x, TreeNode *l, TreeNode *r) : val(x), left(l), right(r) {} };\n",
    "go": "type ListNode struct { Val int; Next *ListNode }\n"
    "type TreeNode struct { Val int; Left *TreeNode; Right *TreeNode }\n",
    "java": "class ListNode { int val; ListNode next; ListNode() {} ListNode(int v) { val = v; }"
    " ListNode(int v, ListNode n) { val = v; next = n; } }\n"
    "class TreeNode { int val; TreeNode left; TreeNode right; TreeNode() {}"
    " TreeNode(int v) { val = v; }"
    " TreeNode(int v, TreeNode l, TreeNode r) { val = v; left = l; right = r; } }\n",
    "rust": "#[derive(PartialEq, Eq, Clone, Debug)]\n"
    "pub struct ListNode { pub val: i32, pub next: Option<Box<ListNode>> }\n"
    "impl ListNode { fn new(val: i32) -> Self { ListNode { val, next: None } } }\n"
    "#[derive(PartialEq, Eq, Clone, Debug)]\n"
    "pub struct TreeNode { pub val: i32, pub left: Option<Rc<RefCell<TreeNode>>>,"
    " pub right: Option<Rc<RefCell<TreeNode>>> }\n"
    "impl TreeNode { fn new(val: i32) -> Self { TreeNode { val, left: None, right: None } } }\n",
    "typescript": "class ListNode { val: number; next: ListNode | null;"
    " constructor(val?: number, next?: ListNode | null) {"
    " this.val = val ?? 0; this.next = next ?? null; } }\n"
    "class TreeNode { val: number; left: TreeNode | null; right: TreeNode | null;"
    " constructor(val?: number, left?: TreeNode | null, right?: TreeNode | null) {"
    " this.val = val ?? 0; this.left = left ?? null; this.right = right ?? null; } }\n",
}
_MAIN = re.compile(r"\bmain\s{0,9}\(")
# What such an exercise's file begins with, which nobody writes.
_BEGINNINGS = {
    "c": "#include <limits.h>\n#include <math.h>\n#include <stdbool.h>\n#include <stdio.h>\n"
    "#include <stdlib.h>\n#include <string.h>\n",
    "cpp": "#include <bits/stdc++.h>\nusing namespace std;\n",
    "java": "import java.util.*; ",
    "rust": "use std::{cell::RefCell, collections::*, rc::Rc}; ",
}
_BEGUN = re.compile(r"^[ \t]*(?:#[ \t]*include|import|use)\b", re.MULTILINE)
_LAST_BEGUN = re.compile(r"^[ \t]*(?:#[ \t]*include|using namespace)[^\n]*\n", re.MULTILINE)
_END = re.compile(r"\s{0,9}(\w{0,60})\s{0,9};")
_EXERCISE = "Solution"
_LEFT_OUT = re.compile(r"\{\s{0,9}(?:\.{3}|…)\s{0,9}\}")  # the body of a constructor
_MOST_READ = 20_000  # characters of a request
_MOST_CODE = 30_000  # characters; more is not compiled
_MOST = 4  # types


def with_shown_types(language: str, text: str, request: str) -> str:
    """The code, and those types of the request's that it uses and does not define, of a part of a
    program also LeetCode's; then also what an exercise's file begins with, if it begins with
    nothing."""
    if not request or language not in _HEADS or len(text) > _MOST_CODE:
        return text
    shown = [*_missing(language, text, _MARGIN.sub("", request[:_MOST_READ]))]
    if not (shown or _MAIN.search(text)):
        shown = [*_missing(language, text, _USUAL[language])]
    if not shown:
        return text
    types = "".join(f"{each}\n" for each in shown)
    begins = "" if _BEGUN.search(_COMMENT.sub(" ", text)) else _BEGINNINGS.get(language, "")
    if language == "rust" and f"impl {_EXERCISE}" in text and not _defines(text, _EXERCISE):
        types += f"struct {_EXERCISE};\n"
    if language in ("c", "cpp"):
        at = max((found.end() for found in _LAST_BEGUN.finditer(text)), default=0)
        return f"{begins}{text[:at]}{types}{text[at:]}"
    return f"{begins}{text}\n{types}"


def _missing(language: str, text: str, said: str) -> Iterator[str]:
    code = _COMMENT.sub(" ", text)
    for head in islice(_HEADS[language].finditer(said), 2 * _MOST):
        name, end = head[1], _closing(said, head.end())
        is_used = re.search(rf"\b{name}\b", code) is not None
        is_whole = end and not _LEFT_OUT.search(said, head.end(), end)
        if is_whole and is_used and name != _EXERCISE and not _defines(code, name):
            yield said[head.start() : end] + _rest(language, said[end:])


def _rest(language: str, after: str) -> str:
    """The end of C's and C++'s declarations, with the name that a typedef gives."""
    if language not in ("c", "cpp"):
        return ""
    found = _END.match(after)
    return f" {found[1]};" if found else ";"


def _closing(text: str, start: int) -> int:
    """Behind the bracket that closes the one before `start`; 0 where there is none."""
    depth = 1
    for found in re.compile(r"[{}]").finditer(text, start):
        depth += 1 if found[0] == "{" else -1
        if not depth:
            return found.end()
    return 0


def _defines(code: str, name: str) -> bool:
    kinds = r"(?:struct|class|record|enum|union|interface|using|type)"
    return bool(
        re.search(rf"\b{kinds}\s{{1,9}}{name}\b\s{{0,9}}(?:[{{:=(;<]|struct\b|extends\b)", code)
        or re.search(rf"\}}\s{{0,9}}{name}\s{{0,9}};", code)
    )
