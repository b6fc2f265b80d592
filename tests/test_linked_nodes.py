"""Functions of compiled languages that take linked nodes: lists and trees are made of the program's
own type, and what comes is shown."""

import json
from asyncio import to_thread
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from config import load_settings
from pipeline.analysis.compilable import wholes
from pipeline.analysis.draft import Draft
from pipeline.analysis.shown_types import with_shown_types
from pipeline.analysis.signatures.call_signatures import entry_among, signatures
from pipeline.review.compile_evidence import examine_compiled
from pipeline.review.compiled_calls import results_of_calls
from pipeline.review.compiled_runs import results_of_compiled
from pipeline.sandbox import ANY_VALUE, Arguments, Case
from pipeline.task import Task
from pipeline.testcases.behaviour import Behaviour
from pipeline.testcases.call_slots import slots_of
from pipeline.testcases.linked_calls import with_nodes
from pipeline.testcases.linked_values import (
    as_mirrored,
    as_nearly_search_tree,
    as_search_tree,
    as_tree,
    nested,
)
from pipeline.testcases.typed_calls import called_in, calls_of_compiled
from pipeline.testcases.typed_sessions import sessions_of_compiled, type_of
from tests.compilers import in_one_worker, kept_packages, needs  # noqa: F401
from tools.bench.drafts.executed import run_of

pytestmark = [
    in_one_worker(__name__),
    pytest.mark.only_when(
        "pipeline/analysis/",
        "pipeline/review/",
        "pipeline/sandbox/",
        "pipeline/testcases/",
        "tools/",
    ),
]
ROWS = [
    json.loads(line)
    for line in (Path(__file__).parent / "fixtures/linked_nodes.jsonl").read_text().splitlines()
]
NODE = "struct Node { int data; struct Node *next; };\n"


# --- what there is -------------------------------------------------------------------------------

TYPES = {
    "c": ("typedef struct Node { int data; struct Node *next; } Node;", ("data", ("next",), "")),
    "a doubly linked list": (
        "struct D { double v; struct D *prev; struct D *next; };",
        ("v", ("next",), "prev"),
    ),
    "cpp": (
        "struct T { std::string s; T *right; T *left = nullptr; T(std::string x) : s(x) {} };",
        ("s", ("left", "right"), ""),
    ),
    "owned": (
        "class N { public: int key; std::unique_ptr<N> left, right; int f() { return 1; } };",
        ("key", ("left", "right"), ""),
    ),
    "go": ("type T struct { Val int; Left, Right *T }", ("Val", ("Left", "Right"), "")),
    "java": ("class A { static class N { private char c; N next; static int n; } }",
             ("c", ("next",), "")),
    "rust": ("type L = Option<Box<N>>;\nstruct N { val: i32, next: L }", ("val", ("next",), "")),
}  # fmt: skip
LANGUAGE_OF = {"a doubly linked list": "c", "owned": "cpp"}
FUNCTIONS = {
    "c": "int f(int n) { return n; }",
    "cpp": "int f(int n) { return n; }",
    "go": "func f(n int) int { return n }",
    "java": "class B { static int f(int n) { return n; } }",
    "rust": "fn f(n: i32) -> i32 { n }",
}


@pytest.mark.parametrize("case", TYPES)
def test_types_of_nodes_are_known_by_their_fields(case):
    """One that holds a value, and those that link it, whatever they are called and owned by."""
    text, expected = TYPES[case]
    language = LANGUAGE_OF.get(case, case)
    (function,) = signatures(language, f"{text}\n{FUNCTIONS[language]}\n")
    (node,) = function.nodes
    assert (node.value, node.links, node.back) == expected


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("c", "struct N { int n; };"),
        ("c", "struct N { int height; int n; struct N *left, *right; };"),
        ("c", "struct N { int n; struct N *parent; };"),
        ("cpp", "class N { int n; N *next; };"),
        ("cpp", "template <class T> struct N { T n; N *next; };"),
        ("go", "type N struct { n int; next, other *N }"),
        ("java", "class N { int n; java.util.List<N> children; }"),
        ("rust", "struct N { n: i32, children: Vec<N> }"),
    ],
)
def test_what_has_to_be_kept_in_order_is_no_node(language, text):
    """Heights, parents, several links, what is hidden, open types."""
    (function,) = signatures(language, f"{text}\n{FUNCTIONS[language]}\n")
    assert function.nodes == ()


def test_what_makes_and_shows_nodes_is_not_what_was_asked_for():
    """Unless the request speaks of nothing else."""
    text = (
        f"{NODE}struct Node *new_node(int d) {{ return 0; }}\n"
        "struct Node *rev(struct Node *h) { return h; }\nvoid print_list(struct Node *h) {}\n"
    )
    found = signatures("c", text)
    assert entry_among(found, "", "turn a list round").name == "rev"
    assert entry_among(found, "", "with new_node and rev").name == "rev"
    assert entry_among(found, "", "write print_list").name == "print_list"
    assert entry_among(found[:1], "", "a list").name == "new_node"


# --- values --------------------------------------------------------------------------------------

VALUES = st.lists(st.integers(-5, 5), max_size=20)


def in_order(tree):
    return [] if tree is None else [*in_order(tree[1]), tree[0], *in_order(tree[2])]


def turned(tree):
    return None if tree is None else (tree[0], turned(tree[2]), turned(tree[1]))


@given(VALUES, st.integers())
def test_a_tree_holds_all_its_values(values, seed):
    """Wherever a place is left free."""
    tree = nested(as_tree(values, Random(seed)))
    assert sorted(in_order(tree)) == sorted(values)


@given(VALUES)
def test_a_search_tree_has_them_in_order_and_once(values):
    """From left to right."""
    assert in_order(nested(as_search_tree(values))) == sorted(set(values))


@given(st.lists(st.integers(-5, 5), max_size=20, unique=True))
def test_a_nearly_searched_tree_has_one_value_out_of_order(values):
    """Which no neighbour tells."""

    def neighbours_are_in_order(tree):
        if tree is None:
            return True
        held, left, right = tree
        beside = (left is None or left[0] < held) and (right is None or right[0] > held)
        return beside and neighbours_are_in_order(left) and neighbours_are_in_order(right)

    tree = nested(as_nearly_search_tree(values))
    assert neighbours_are_in_order(tree)
    found = in_order(tree)
    assert len(values) < 2 or any(a >= b for a, b in pairwise(found))


@given(VALUES)
def test_a_mirrored_tree_is_itself_from_the_other_side(values):
    """All of its values are there, those below the first twice."""
    tree = nested(as_mirrored(values))
    assert turned(tree) == tree
    assert len(in_order(tree)) == max(0, 2 * len(values) - 1)


def test_rows_are_read_as_leetcode_writes_them():
    """None has nothing below it."""
    assert nested([1, None, 2, 3]) == (1, None, (2, (3, None, None), None))
    assert nested([]) is None and nested([None]) is None


def made(request, parameters, *values):
    """What comes of these values in 40 calls."""
    text = f"{NODE}struct T {{ int v; struct T *left, *right; }};\nint f({parameters}) {{}}\n"
    (function,) = signatures("c", text)
    slots = [slot for slot in slots_of("c", function) if slot.role == "value"]
    return [with_nodes(values, slots, request, Random(seed)) for seed in range(40)]


LIST, TREE = "struct Node *head", "struct T *root"


def test_lists_that_are_said_to_be_sorted_are():
    """Not those that are to be sorted, or are said not to be."""
    for request in ("in a sorted list", "die Liste ist sortiert", "une liste triée"):
        assert all(row == sorted(row) for (row,) in made(request, LIST, [3, 1, 2]))
    rows = [row for (row,) in made("sort it, so that it is sorted", LIST, [3, 1, 2])]
    assert {row == sorted(row) for row in rows} == {True, False}
    assert all(row != sorted(row) for (row,) in made("it is not sorted", LIST, [3, 1, 2]))


def test_trees_to_be_searched_are():
    """In half of the calls not, where that is what is asked."""
    for request, kinds in (("a BST", {True}), ("check whether it is a BST", {True, False})):
        trees = [in_order(nested(row)) for (row,) in made(request, TREE, [3, 1, 2, 5])]
        assert {each == sorted(each) for each in trees} == kinds


def test_what_stands_beside_a_list_has_to_do_with_it():
    """A place in it, in order where they are two; mostly a value that it has; digits are such."""
    rows = made("from left to right", f"{LIST}, int left, int right", [7, 8, 9], 100, -1)
    assert all(1 <= left <= right <= 3 for _, left, right in rows)
    assert {first for _, first in made("index k", f"{LIST}, int k", [7, 8, 9], 50)} == {0, 1, 2}
    values = [each in row for row, each in made("delete", f"{LIST}, int value", [7, 8, 9], 50)]
    assert 20 < sum(values) < 40
    assert {row for (each,) in made("digits", LIST, [12, -5]) for row in each} == {2, 5}


def test_an_empty_list_is_tried_where_the_request_speaks_of_it():
    """Right programs may do anything with one else."""
    assert [] in [row for (row,) in made("null for an empty list", LIST, [])]
    assert [] not in [row for (row,) in made("the middle", LIST, [])]


def test_palindromes_and_equal_trees_are_there():
    """Nearly none would be one by chance."""
    rows = [row for (row,) in made("is it a palindrome?", LIST, [1, 2, 3])]
    assert 5 < sum(row == row[::-1] for row in rows) < 35
    pairs = made("are they the same tree?", "struct T *a, struct T *b", [1, 2], [3, 4])
    assert 5 < sum(a == b for a, b in pairs) < 35


# --- types that the request shows ----------------------------------------------------------------

LEETCODE = """Reverse it.
/**
 * Definition for singly-linked list.
 * struct ListNode {
 *     int val;
 *     ListNode *next;
 *     ListNode(int x) : val(x), next(nullptr) {}
 * };
 */"""
SOLUTION = "class Solution {\npublic:\n    ListNode* turn(ListNode* h) { return h; }\n};\n"
SHOWN = {
    "cpp": (LEETCODE, SOLUTION),
    "c": ("With struct P { int n; struct P *next; };", "int f(struct P *h) { return h->n; }"),
    "a typedef": ("typedef struct N { int n; struct N *next; } N;", "int f(N *h) { return 1; }"),
    "go": ("type N struct { V int; Next *N }", "func f(h *N) int { return h.V }"),
    "java": ("class N { int v; N next; N(int v) { this.v = v; } }",
             "class Solution { public int f(N h) { List<N> x = null; return h.v; } }"),
    "rust": ("// #[derive(Debug)]\n// pub struct N {\n//   pub next: Option<Box<N>>\n// }",
             "impl Solution { pub fn f(h: Option<Box<N>>) -> bool { h.is_some() } }"),
}  # fmt: skip


async def examined(language, request, text):
    with run_of(request, load_settings(), None) as run:
        return await examine_compiled(run, Task(request), Draft(text, language, ()), "coder")


@pytest.mark.parametrize(
    "case",
    [
        pytest.param(case, marks=needs("c" if case == "a typedef" else case), id=case)
        for case in SHOWN
    ],
)
async def test_an_answer_may_leave_out_what_the_request_shows(case):
    """It compiles with it, and is not changed; what is wrong in it is told by its own lines."""
    request, text = SHOWN[case]
    language = "c" if case == "a typedef" else case
    draft = await examined(language, request, text)
    assert (draft.text, draft.findings, draft.unrun) == (text, (), "")
    alone = await examined(language, "Write it.", text.replace("ListNode", "Item"))
    assert alone.unrun or alone.findings


@needs("cpp")
@pytest.mark.parametrize(
    ("request_text", "text"),
    [
        (LEETCODE, SOLUTION.replace("return h;", "return h->nxt2();")),
        ("struct ListNode { int val; Foo x; };", SOLUTION),
        ("struct pair is to be std::pair: struct pair { int a, b; };",
         "#include <utility>\nusing namespace std;\nint f(pair<int, int> p) { return p.first; }\n"),
    ],
)  # fmt: skip
async def test_what_does_not_compile_with_them_is_no_evidence(request_text, text):
    """The types that the answer means may be others; and what compiles alone needs none."""
    assert not (await examined("cpp", request_text, text)).findings


@pytest.mark.parametrize("text", ["struct Node { int n; };\nint f(struct Node h) {}", "int f() {}"])
def test_what_is_defined_or_not_used_is_not_put_in(text):
    """Nor is a class that is to be written."""
    assert with_shown_types("c", text, SHOWN["c"][0]) == text
    assert with_shown_types("cpp", "class Solution { };", "class Solution { };").count("{") == 1


async def test_leetcodes_own_nodes_need_not_be_shown():
    """Hardly anybody pastes them. A program with `main` has to define all that it uses."""
    assert "struct ListNode {" in with_shown_types("cpp", SOLUTION, "Reverse it.")
    whole = f"{SOLUTION}int main() {{ }}"
    assert with_shown_types("cpp", whole, "Reverse it.") == whole


# --- calls ---------------------------------------------------------------------------------------


async def outcomes(row, text, calls):
    with run_of(row["request"], load_settings(), None) as run:
        function = await to_thread(called_in, row["language"], text, "", row["request"])
        results = await results_of_compiled(run, row["language"], text, calls, function)
        return Behaviour.of(results, row["request"], text).outcomes


@pytest.mark.parametrize(
    "row", [pytest.param(row, marks=needs(row["language"]), id=row["id"]) for row in ROWS]
)
async def test_right_programs_answer_alike_and_a_wrong_one_does_not(row):
    """Whatever their types of nodes are called, and their fields; calls are made of the first."""
    first, second = row["right"]
    n = 12 if row["language"] == "java" else 20
    made = (row["language"], first, "", row["request"], n)
    calls = await to_thread(calls_of_compiled, *made)
    seen = await outcomes(row, first, calls)
    assert len(calls) > 9 and not any("unusable" in each for each in seen)
    assert seen == await outcomes(row, second, calls)
    assert seen != await outcomes(row, row["wrong"], calls)


PRINTS = """\
#include <stdio.h>
#include <stdlib.h>
struct Node { int data; struct Node *next; };
void print_list(struct Node *head) {
    for (; head; head = head->next) printf("%d;", head->data);
}
struct Node *round_and_round(struct Node *head) { head->next = head; return head; }
"""


@needs("c")
async def test_what_is_printed_of_a_list_counts():
    """It is what such a function is for. A circle has an end."""

    async def shown(function):
        with run_of("Write it.", load_settings(), None) as run:
            cases = [Case(Arguments(([1, 2],)), ANY_VALUE, name="call 1")]
            (came,) = await results_of_calls(run, "c", PRINTS, cases, function)
            return came.value

    assert await shown("print_list") == "1;2;"
    assert str(await shown("round_and_round")).startswith("1 -> 1 -> 1")


TREES = """\
#include <stdlib.h>
struct node { int key; struct node *left, *right; };
struct node *insert(struct node *root, int key) {
    if (!root) { root = calloc(1, sizeof *root); root->key = key; }
    else if (key < root->key) root->left = insert(root->left, key);
    else if (key > root->key) root->right = insert(root->right, key);
    return root;
}
int height(struct node *root) { return root ? 1 + height(root->right) : 0; }
"""


@needs("c")
async def test_a_tree_that_functions_fill_is_shown_at_the_end():
    """What they have made of it is what they were for."""
    request = "a binary search tree: struct node, insert(root, key) and height(root)"
    kind = await to_thread(type_of, "c", TREES, "", request)
    calls = await to_thread(sessions_of_compiled, "c", kind, TREES, request, 5)
    with run_of(request, load_settings(), None) as run:
        results = await results_of_calls(run, "c", TREES, calls, "")
    assert len(calls) == 5 and any("(" in str(each.value) for each in results)


def test_a_program_is_read_with_the_types_of_its_request():
    """They are what its functions take."""
    alone, whole = wholes("cpp", SOLUTION, LEETCODE)
    assert [node.word for (each,) in [signatures("cpp", alone)] for node in each.nodes] == []
    (turn,) = signatures("cpp", whole)
    assert [node.word for node in turn.nodes] == ["ListNode"]


TWO = """\
int twice(int n) { return 2 * n; }
int half(int n) { return n / 2; }
void free_all(int n) {}
"""


@needs("c")
async def test_other_functions_that_the_request_names_are_called_too():
    """A mistake may be in one of them alone; not those that only end what others work on."""
    request = "C functions twice(n), half(n) and free_all(n)."
    calls = await to_thread(calls_of_compiled, "c", TWO, "", request, 20)
    names = [each.function for each in calls]
    assert set(names) == {"", "half"} and len(calls) > 15
    row = {"language": "c", "request": request}
    seen = await outcomes(row, TWO, calls)
    assert seen != await outcomes(row, TWO.replace("n / 2", "n / 3"), calls)
    lacks = await outcomes(row, TWO.replace("int half", "int other"), calls)
    assert all("unusable" in each for each in lacks)
    alone = await to_thread(calls_of_compiled, "c", TWO, "", "A C function twice(n).", 20)
    assert {each.function for each in alone} == {""}
