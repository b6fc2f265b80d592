"""Python functions of linked nodes: the request's examples are run with nodes of the program's own
class, or of the one that the request shows, and drafts are compared so."""

import ast

import pytest

from config import load_settings
from pipeline.analysis.draft import Draft
from pipeline.analysis.shown_classes import before_code, shown_classes, with_shown_classes
from pipeline.analysis.undefined_names import undefined_names
from pipeline.review.draft_evidence import examine
from pipeline.task import Task
from pipeline.testcases.examples.example_search import OF_NODES
from pipeline.testcases.node_sessions import nodes_taken, sessions_with_nodes
from tests.test_agreement import JUDGED, coder, comparing, needs_sandbox
from tests.test_linked_nodes import in_order
from tools.bench.drafts.executed import run_of

SHOWN = """\
# Definition for singly-linked list.
# class ListNode:
#     def __init__(self, val=0, next=None):
#         self.val = val
#         self.next = next
"""
REVERSE = f"""\
Given the head of a singly linked list, reverse the list, and return the reversed list.

Example 1:

Input: head = [1,2,3]
Output: [3,2,1]

Example 2:

Input: head = []
Output: []

{SHOWN}class Solution:
    def reverseList(self, head: Optional[ListNode]) -> Optional[ListNode]:
"""
LOOP = """\
from typing import Optional
class Solution:
    def reverseList(self, head: Optional[ListNode]) -> Optional[ListNode]:
        prev = None
        while head:
            head.next, prev, head = prev, head, head.next
        return prev
"""
RECURSIVE = """\
from typing import Optional
class Solution:
    def reverseList(self, head: Optional[ListNode]) -> Optional[ListNode]:
        if not head or not head.next:
            return head
        last = self.reverseList(head.next)
        head.next.next = head
        head.next = None
        return last
"""
LOSES = RECURSIVE.replace("return last", "return head")
OWN = f"{SHOWN.replace('# ', '').replace('Definition', '# Definition')}{LOOP}"


async def examined(request, text):
    with run_of(request, load_settings(), None) as run:
        return await examine(run, Task(request), Draft(text, "python", ()), "coder_output")


# --- examples ------------------------------------------------------------------------------------


@needs_sandbox
@pytest.mark.parametrize("text", [LOOP, RECURSIVE, OWN])
async def test_examples_of_nodes_are_run(text):
    """With nodes of the request's class, or of the draft's own; the answer stays as it is."""
    draft = await examined(REVERSE, text)
    assert (draft.text, draft.findings, draft.unrun) == (text, (), "")
    assert draft.decided and "2 of 2 examples" in draft.facts


@needs_sandbox
async def test_one_that_fails_is_told_as_it_was_written():
    """Not as the session that it was run as."""
    draft = await examined(REVERSE, LOSES)
    (fault,) = draft.findings
    assert fault.detail == "the example reverseList([1, 2, 3]) → [3, 2, 1] fails"


@needs_sandbox
async def test_a_crash_is_told_by_the_drafts_own_line():
    """What is put in for it to run stands in none of its lines."""
    draft = await examined(REVERSE, f"{LOOP}\nprint(undefined_thing)\n")
    assert any("(line 9)" in fault.detail for fault in draft.findings)


TREES = "Input: root = [4,2,7,1,null,6,9]\nOutput: {}\n\n{}"
OF_TREES = {
    "[4,7,2,9,6,null,1]": """\
    def turn(self, root: Optional[TreeNode]) -> Optional[TreeNode]:
        if root:
            root.left, root.right = self.turn(root.right), self.turn(root.left)
        return root
""",
    "3": """\
    def depth(self, root: Optional[TreeNode]) -> int:
        return 1 + max(self.depth(root.left), self.depth(root.right)) if root else 0
""",
    "[[4],[2,7],[1,6,9]]": """\
    def levels(self, root: Optional[TreeNode]) -> list[list[int]]:
        rows, row = [], [root] if root else []
        while row:
            rows.append([node.val for node in row])
            row = [each for node in row for each in (node.left, node.right) if each]
        return rows
""",
    "[4,null,7]": """\
    def prune(self, root: Optional[TreeNode]) -> None:
        root.left = root.right.left = root.right.right = None
""",
    "false": """\
    def is_one(self, root: Optional[TreeNode]) -> bool:
        return not (root.left or root.right)
""",
}


@needs_sandbox
@pytest.mark.parametrize("wanted", OF_TREES)
async def test_whatever_comes_of_a_tree_is_compared(wanted):
    """A tree row by row, as LeetCode writes it, or what it has become where nothing is given; its
    class need not be shown."""
    method = OF_TREES[wanted]
    skeleton = f"class Solution:\n{method.partition(chr(10))[0]}\n"
    text = f"from typing import Optional\nclass Solution:\n{method}"
    draft = await examined(TREES.format(wanted, skeleton), text)
    assert not draft.findings and "1 of 1 examples" in draft.facts
    other = "[[4]]" if wanted[0] == "[" else "17"
    assert (await examined(TREES.format(other, skeleton), text)).findings


@needs_sandbox
async def test_lists_of_lists_and_functions_are_called_too():
    """As a plain function, and with what stands beside the nodes."""
    request = """Merge: def merge(lists, most) keeps at most `most` values.

class ListNode:
    def __init__(self, val, next):
        self.val, self.next = val, next

Input: lists = [[1,4],[2]], most = 2
Output: [1,2]
"""
    text = """\
def merge(lists: list[ListNode], most: int) -> ListNode:
    values = []
    for head in lists:
        while head:
            values.append(head.val)
            head = head.next
    head = None
    for value in sorted(values)[:most][::-1]:
        head = ListNode(value, head)
    return head
"""
    draft = await examined(request, text)
    assert draft.decided and not draft.findings
    assert (await examined(request, text.replace("[:most]", ""))).findings


@needs_sandbox
@pytest.mark.parametrize(
    ("given", "text"),
    [
        ("head = [1,2], p = 2", LOOP),  # one value too many
        ("head = 3", LOOP),
        (
            "head = [1,2]",
            "def reverse(head):\n    return head\n",
        ),
    ],
)
async def test_what_a_program_cannot_be_asked_says_nothing(given, text):
    """A node that is to be one of a list's, a value that is no list, nodes of no known class."""
    request = f"Reverse the linked list.\n\nInput: {given}\nOutput: [2,1]\n"
    draft = await examined(request, text)
    assert not (draft.findings or draft.decided)


OWN_CLASS = """\
I use this class:

class Node:
    def __init__(self, data):
        self.data = data
        self.next = None

Write rotate(head, k): it rotates the list to the right by k places.

rotate([1, 2, 3], 1) -> [3, 1, 2]
rotate([], 3) -> None
"""
ROTATES = """\
def rotate(head, k):
    nodes = []
    while head:
        nodes.append(head)
        head = head.next
    if not nodes:
        return None
    k %= len(nodes)
    nodes = nodes[-k:] + nodes[:-k] if k else nodes
    for one, other in zip(nodes, nodes[1:] + [None]):
        one.next = other
    return nodes[0]
"""


@needs_sandbox
async def test_examples_in_any_form_may_speak_of_nodes():
    """A function that takes nodes is not called with plain lists, whatever the request writes."""
    draft = await examined(OWN_CLASS, ROTATES)
    assert draft.decided and "2 of 2 examples" in draft.facts
    assert (await examined(OWN_CLASS, ROTATES.replace("[-k:]", "[k:]"))).findings


# --- calls ----------------------------------------------------------------------------------------

DATACLASS = """\
from dataclasses import dataclass
@dataclass
class T:
    key: int
    left: "T | None" = None
    right: "T | None" = None
def kth(root, k):
    return sorted(values(root))[k - 1]
"""


def given(text, name, request, n=20):
    return [each.session for each in sessions_with_nodes(text, name, request, n)]


def test_calls_have_to_do_with_the_nodes():
    """A place is one in the tree, and a tree to be searched is one; of dataclasses, too."""
    for each in given(DATACLASS, "kth", "the kth smallest of a BST"):
        tree, k = ast.literal_eval(f"({each.removeprefix('called(kth, tree')[:-1]})")
        values = in_order(tree)
        assert values == sorted(values) and 1 <= k <= len(values)


def test_lists_of_lists_are_given_where_they_are_wanted():
    """Annotated as such, or called so."""
    for head in ("lists", "some: list[ListNode]"):
        text = f"{OWN}\ndef merge({head}):\n    return {head.partition(':')[0]}[0].next\n"
        assert all("[" in each.partition("merge, ")[2][:1] for each in given(text, "merge", ""))


def test_of_several_classes_the_one_that_is_worked_on_is_made():
    """By what is said of a parameter, its name, or the links that are followed."""
    both = OWN.partition("from typing")[0] + DATACLASS.partition("def kth")[0]
    assert nodes_taken(f"{both}def f(x: T): return x", "f").kind.is_tree
    assert nodes_taken(f"{both}def f(root): return root", "f").kind.is_tree
    assert not nodes_taken(f"{both}def f(a):\n    a = a.next\n    return a", "f").kind.is_tree
    assert nodes_taken(f"{both}def f(n: int): return n", "f") is None


# --- classes that the request shows ---------------------------------------------------------------


def test_what_a_request_shows_is_put_in_on_lines_that_are_there():
    """The code's own lines keep their numbers."""
    whole = with_shown_classes(LOOP, REVERSE)
    assert whole.count("\n") == LOOP.count("\n") and "class ListNode" in whole
    assert with_shown_classes(OWN, REVERSE) == OWN
    text = f"x = 1\r# old\r\n{LOOP}"
    assert with_shown_classes(text, REVERSE).splitlines()[4:] == text.splitlines()[4:]
    bare = LOOP.partition("\n")[2].replace("Optional[ListNode]", "ListNode")
    assert with_shown_classes(bare, REVERSE).endswith(bare)


@pytest.mark.parametrize(
    ("text", "request_text"),
    [
        ("print(Foo)", "class Foo:\n    oh no\n"),  # it does not parse
        ("def f(h):\n    return ListNode(1)", "Reverse a list."),  # no class `Solution`
        ("oh no", SHOWN),
        ("class ListNode:\n    pass\nListNode()", SHOWN),
        ("print(Solution)", "class Solution:\n    x = 1\n"),  # it is what is to be written
    ],
)
def test_nothing_else_is_put_in(text, request_text):
    """Neither what cannot be, nor what nobody meant."""
    assert shown_classes(text, request_text) == ""


def test_a_shown_class_may_need_names_of_typing():
    """They come with it, and hide no name that the code lacks."""
    shown = "class Item:\n    def __init__(self, up: Optional[int]):\n        self.next = up\n"
    whole = before_code("print(Item(1), lacking)\n", shown)
    assert undefined_names(whole) == ["lacking"]


# --- drafts ---------------------------------------------------------------------------------------

ASKED = REVERSE.replace(REVERSE[REVERSE.index("Example 1") : REVERSE.index("# Def")], "")


def fenced(*texts):
    return [f"```python\n{text}```" for text in texts]


@needs_sandbox
async def test_drafts_that_do_the_same_need_no_judge(pipeline_with):
    """They are called with lists of nodes, through the class that exercises have."""
    async with comparing(pipeline_with, coder(*fenced(LOOP, RECURSIVE)), JUDGED) as run:
        assert await run(ASKED) == LOOP
    assert run.record["final_reason"] == "not judged: 2 of 2 drafts agree on 20 calls"


@needs_sandbox
async def test_drafts_that_differ_are_told_apart(pipeline_with):
    """And the caller sees for which list."""
    async with comparing(pipeline_with, coder(*fenced(LOSES, LOOP, RECURSIVE)), JUDGED) as run:
        assert await run(ASKED) == LOOP
    assert run.record["artefact"]["chosen_because"] == "2 of 3 drafts agree on 20 calls"


@needs_sandbox
async def test_one_that_fails_the_examples_is_drawn_again(pipeline_with):
    """As with any other example; that they were not run is only said where they were not."""
    async with comparing(pipeline_with, coder(*fenced(LOSES, LOOP)), JUDGED) as run:
        assert await run(REVERSE) == LOOP
    assert "notes" not in run.record["artefact"]
    nothing = "class Solution:\n    def reverseList(self, a, b):\n        return a\n"
    async with comparing(pipeline_with, coder(*fenced(nothing)), JUDGED) as run:
        await run(REVERSE)
    assert OF_NODES in run.record["artefact"]["notes"]


KEYS = """\
class Node:
    def __init__(self, key):
        self.key = key
        self.next = None
"""
EITHER = {
    "a list that becomes nodes": (
        f"{KEYS}\nturn([1, 2]) -> [2, 1]",
        f"""{KEYS}
def turn(head):
    last = None
    for key in head:
        node = Node(key)
        node.next, last = last, node
    head, found = last, []
    while head:
        found.append(head.key)
        head = head.next
    return found
""",
    ),
    "a helper that gives something": (
        f"Input: head = [1,2]\nOutput: [2,1]\n\n{SHOWN}",
        """\
class Solution:
    def turn(self, head):
        def pair(a, b):
            return b, a
        head.val, head.next.val = pair(head.val, head.next.val)
        return None
""",
    ),
}
UNASKED = {
    "a list of Python's": (
        "Input: head = [3, 1]\nOutput: [1, 3]\n\n(a plain list, not a linked list)",
        "def tidy(head):\n    return sorted(head)\n",
    ),
    "a node of the tree": (
        "Input: root = [3,5,1], p = 5, q = 1\nOutput: 3\n\nbinary tree",
        "class Solution:\n    def lca(self, root, p, q):\n        return root or p\n",
    ),
    "a link back": (
        "Input: head = [1,2]\nOutput: [2,1]\n\nlinked list",
        """\
class Node:
    def __init__(self, v):
        self.v, self.next, self.prev = v, None, None
def turn(head: Node):
    return head.next.prev.next
""",
    ),
    "a circle": (
        f"Input: head = [1,2]\nOutput: [1,2]\n\nMake it circular.\n{SHOWN}",
        """\
class Solution:
    def ring(self, head: ListNode):
        head.next.next = head
        return head
""",
    ),
    "nodes of two kinds": (
        f"Input: head = [1,2]\nOutput: [2,1]\n\nlinked list to binary tree\n{SHOWN}",
        """\
class Solution:
    def grow(self, head: ListNode):
        return TreeNode(head.next.val)
""",
    ),
    "several lists": (
        f"Input: head = [1,2]\nOutput: ([1], [2])\n\n{SHOWN}",
        """\
class Solution:
    def split(self, head: ListNode):
        rest, head.next = head.next, None
        return head, rest
""",
    ),
}


@needs_sandbox
@pytest.mark.parametrize("case", EITHER)
async def test_a_list_may_be_one_whatever_it_is_called(case):
    """What holds in either way holds; what a function changes and does not give is shown."""
    draft = await examined(*EITHER[case])
    assert not draft.findings and "1 of 1 examples" in draft.facts


@needs_sandbox
@pytest.mark.parametrize("case", UNASKED)
async def test_what_no_values_say_is_not_asked(case):
    """A right answer would be accused."""
    draft = await examined(*UNASKED[case])
    assert not (draft.findings or draft.facts)


@needs_sandbox
@pytest.mark.parametrize(
    ("request_text", "text"),
    [
        ("class Item:\n    def __init__(self, a):\n        self.next = a\n\nas a namedtuple",
         "from collections import namedtuple\nItem = namedtuple('Item', 'a')\nprint(Item(1).a)\n"),
        ("class Paddle(pygame.Sprite):\n    def __init__(self):\n        self.left = 1\n\nclamp(n)",
         "def clamp(n):\n    return max(0, n)\n"),
        ("class Song:\n    def __init__(self, by: Artist):\n        self.next = by\n\nfmt(n)",
         "def fmt(n):\n    return str(n)\n"),
    ],
)  # fmt: skip
async def test_what_a_draft_has_or_does_not_need_is_left_alone(request_text, text):
    """Names that it binds itself, classes of packages, classes that need others."""
    draft = await examined(request_text, text)
    assert shown_classes(text, request_text) == "" and not (draft.findings or draft.unrun)


@needs_sandbox
async def test_imports_of_the_future_stay_first(pipeline_with):
    """What is put in stands behind a draft's imports where drafts are compared."""
    future = f"from __future__ import annotations\n{RECURSIVE}"
    async with comparing(pipeline_with, coder(*fenced(future, LOOP)), JUDGED) as run:
        assert await run(ASKED) == future
    assert run.record["final_reason"] == "not judged: 2 of 2 drafts agree on 20 calls"
