"""Requests that say that what is given must stay as it is: how they are read, and what that says of
drafts."""

import shutil

import pytest

from config import load_settings
from pipeline.analysis.draft import Draft
from pipeline.review.draft_evidence import run_evidence
from pipeline.task import Task
from pipeline.testcases.examples.kept_inputs import keeps_input
from tests.test_agreement import coder, comparing
from tools.bench.drafts.executed import run_of

pytestmark = pytest.mark.only_when(
    "pipeline/analysis/", "pipeline/review/", "pipeline/sandbox/", "pipeline/testcases/"
)
needs_sandbox = pytest.mark.skipif(
    shutil.which("bwrap") is None, reason="the sandbox needs bubblewrap"
)
needs_node = pytest.mark.skipif(
    not (shutil.which("bwrap") and shutil.which("node")), reason="it needs bubblewrap and Node"
)

# --- how they are read ---------------------------------------------------------------------------

KEPT = [
    "Merge intervals. The input must not be modified.",
    "The input may be unsorted and must not be changed; empty input gives [].",
    "The inputs and their objects must not be modified.",
    "the list that i pass in must not change",
    "The list that is passed in is not changed.",
    "The list of cards is not changed.",
    "list isnt sorted (and must not be changed), None if its empty",
    "Sort a list. Do not modify the input.",
    "Don't modify the array.",
    "Do **not** mutate the `input` list!",
    "Please don't alter the original list, return a new one",
    "It must not change its arguments.",
    "The function should never mutate its input",
    "Write a function that reverses a list without modifying the original.",
    "return the sorted list without changing the input",
    "without mutating the input array",
    "Return a new dict instead of modifying the original dict",
    "It leaves the original untouched.",
    "Leave the input list unchanged.",
    "The input stays unchanged",
    "the inputs are left unchanged",
    "The original list should remain unchanged.",
    "Returns a new list (the original unchanged).",
    "Return a new list, with the original unchanged",
    "Given two lists, return their union. Do not modify them.",
    "rotate(nums, k): returns a new list; nums must not be changed.",
    "symdiff(a, b) returning a new set. don't change a or b.",
    "deep_merge(base, data) merges. Also data itself must not change, on no level.",
    "union(a: list, b: list). Neither a nor b is changed.",
    "Rules:\n- returns a list\n- must not modify the input list\n- fast",
    "The original array\nmust not be modified.",
    "Do not sort in place.",
    "The arguments must not be modified.",
    "It does not mutate its arguments",
    "Return the total, and the cart must stay as it is; the items must not be changed.",
    "Avoid mutating the input.",
    "without any mutation",
    "Die Eingabe darf nicht verändert werden.",
    "Sortiere sie, ohne die Liste zu verändern.",
    "Die übergebene Liste soll nicht verändert werden",
    "Die ursprüngliche Liste bleibt unverändert.",
    "Verändere die Eingabeliste nicht.",
    "Bitte die Originalliste nicht ändern",
    "Écris une fonction qui trie une liste sans modifier la liste d'origine.",
    "sans modifier l'original",
    "La liste ne doit pas être modifiée.",
    "Ne modifie pas le tableau.",
    "Ordena la lista sin modificar la lista original",
    "La entrada no debe modificarse.",
    "No modifiques el arreglo.",
    "La lista original no debe ser modificada.",
]
NOT_KEPT = [
    "merge_into(target, source): merges source into target. source must not be modified.",
    "Write extend(a, b), which appends all of b to a; do not modify b.",
    "sort_inplace(items): do not change the elements.",
    "add_user(users, name). Don't overwrite the records that exist.",
    "push(list, x) appends to the list. Don't change the objects in it.",
    "Sort the list in place.",
    "Modify the list in place and return nothing.",
    "Sort the array in-place. Do not modify the input size.",
    "The input may be modified.",
    "Sort it in place, the list must not be changed otherwise",
    "Do not change the function's name.",
    "Don't change the signature.",
    "do not change other code",
    "don't change anything else",
    "Do not change the behaviour.",
    "The order must not be changed.",
    "must not change the order of the list",
    "The order of the list must not be changed.",
    "Remove duplicates from the list, the order must not change.",
    "don't change the list order",
    "Do not change the list's order.",
    "without changing case",
    "without changing the order",
    "without modifying the code",
    "Do not modify the function.",
    "Don't modify it, just explain it.",
    "Text of at most `limit` characters is returned unchanged.",
    "If n is 0, return the list unchanged.",
    "If k is 0, the list is unchanged.",
    "For an empty list the input is not changed.",
    "a failed call leaves the list unchanged",
    "The list must not be changed if the index is invalid.",
    "don't change the parameters of the function",
    "Don't change the argument names.",
    "do not change the input format",
    "Do not modify the input validation.",
    "The returned list must not be modified.",
    "The original order must not be changed.",
    "Trimming must not change the relative structure of the nodes that stay",
    "the current song must not change if another one is removed\ndef play(song): ...",
    "With no functions it returns its argument unchanged.",
    "The balance of that person must not be changed",
    "Write a script that renames all jpg files to their modification date",
    "which itself is not changed",
    "Return a modified copy of the list.",
    "The list must not be empty.",
    "sort(items, order): do not change order",
    "Ändere den Namen der Funktion nicht.",
    "ohne die Reihenfolge zu ändern",
    "Die Reihenfolge der Liste darf nicht verändert werden",
    "sans modifier l'ordre",
    "L'ordre de la liste ne doit pas être modifié.",
    "El orden de la lista no debe cambiar.",
    "Die Liste bleibt unverändert, wenn der Index fehlt.",
    "sin cambiar el orden",
    "Die Liste darf verändert werden.",
    "",
]


@pytest.mark.parametrize("request_", KEPT)
def test_a_request_says_that_its_input_is_kept(request_):
    """In usual words of four languages."""
    assert keeps_input(request_)


@pytest.mark.parametrize("request_", NOT_KEPT)
def test_what_is_said_of_other_things_is_none_of_the_input(request_):
    """Of code, order and other properties, under a condition, or where a change is wanted."""
    assert not keeps_input(request_)


# --- what it says of drafts ----------------------------------------------------------------------

MERGE = "merge overlapping intervals, sorted by start. The input must not be modified."
PYTHON = f"Write a Python function merge(intervals) to {MERGE}"
COPIES = (
    "def merge(intervals):\n    found = []\n    for start, end in sorted(intervals):\n"
    "        if found and start <= found[-1][1]:\n"
    "            found[-1][1] = max(found[-1][1], end)\n"
    "        else:\n            found.append([start, end])\n    return found\n"
)
SORTS = COPIES.replace("    found = []\n", "    intervals.sort()\n    found = []\n")
SHARES = COPIES.replace("for start, end in sorted(intervals)", "for pair in sorted(intervals)")
SHARES = SHARES.replace("start <=", "pair[0] <=").replace(", end)", ", pair[1])")
SHARES = SHARES.replace("[start, end]", "pair")
EXAMPLES = f"{PYTHON}\n\nassert merge([[5, 6], [1, 3]]) == [[1, 3], [5, 6]]\n"
SHARED = f"{PYTHON}\n\nassert merge([[1, 3], [2, 6]]) == [[1, 6]]\n"


async def examined(request, text, language="python"):
    with run_of(request, load_settings(), None) as run:
        draft = await run_evidence(run, Task(request), Draft(text, language, ()), "coder")
    return draft, run


@needs_sandbox
async def test_a_draft_that_sorts_its_input_is_accused():
    """Though it holds the example; the finding says in which call, and what is left. It is not
    decided."""
    draft, _ = await examined(EXAMPLES, SORTS)
    (found,) = draft.findings
    assert found.kind == "example" and not draft.decided
    assert found.said == (
        "it changes its input in merge([[5, 6], [1, 3]]): it leaves [[1, 3], [5, 6]]"
    )


@needs_sandbox
async def test_a_draft_that_copies_is_not():
    """It stays decided by its examples."""
    draft, run = await examined(EXAMPLES, COPIES)
    assert draft.findings == () and draft.decided
    assert [step.note for step in run.steps][-1] == "its input stays as it is"


# Request, draft, what the detail ends with; "" for one that is right.
OF_PYTHON = {
    "items within": (SHARED, SHARES, "merge([[1, 3], [2, 6]])"),
    "pops": (
        "Write last(items), the last item, without changing the list.\n\nlast([1, 2]) == 2",
        "def last(items):\n    return items.pop()\n",
        "last([1, 2])",
    ),
    "deletes keys": (
        "without(d, key) gives a new dict. It must not mutate its input.\n\n"
        "without({'a': 1, 'b': 2}, 'a') == {'b': 2}",
        "def without(d, key):\n    del d[key]\n    return d\n",
        "without({'a': 1, 'b': 2}, 'a')",
    ),
    "no examples, with annotations": (
        "Write the median. Do not modify the input list.",
        "def median(values: list[int]) -> float:\n    values.sort()\n"
        "    return values[len(values) // 2]\n",
        "])",
    ),
    "no examples, no annotations": (
        "Write median(numbers). Do not modify the list.",
        "def median(numbers):\n    numbers.sort()\n    return numbers[len(numbers) // 2]\n",
        "])",
    ),
    "a method of an exercise's class": (
        "Merge intervals without changing the input.\n\n"
        "merge([[5, 6], [1, 3]]) == [[1, 3], [5, 6]]",
        "class Solution:\n    def merge(self, intervals):\n        intervals.sort()\n"
        "        return [*intervals]\n",
        "merge([[5, 6], [1, 3]])",
    ),
    "a generator": (
        "Write drain(items), it yields the items. Don't modify the list.",
        "def drain(items: list[int]):\n    while items:\n        yield items.pop(0)\n",
        "])",
    ),
    "an object's field": (
        "Write a class Cart and a function total(cart). The input must not be changed.\n\n"
        ">>> total(Cart([3, 1]))\n4\n",
        "class Cart:\n    def __init__(self, items):\n        self.items = items\n\n\n"
        "def total(cart):\n    found = 0\n    while cart.items:\n"
        "        found += cart.items.pop()\n    return found\n",
        "total(Cart([3, 1]))",
    ),
    "a new key in a nested dict": (
        "filled(data) fills in what is missing. data itself must not change.\n\n"
        "filled({'a': {'b': 2}}) == {'a': {'b': 2, 'new': 1}}",
        "def filled(data: dict[str, dict[str, int]]):\n    for each in data.values():\n"
        "        each['new'] = 1\n    return data\n",
        "filled({'a': {'b': 2}})",
    ),
    "dictionaries like one that is shown": (
        'people is a list of dicts like {"name": "Ida", "age": 41}. Write oldest(people). Also dont'
        " change the list i give you",
        "def oldest(people):\n    people.sort(key=lambda each: -each['age'])\n"
        "    return people[0]\n",
        "}])",
    ),
    "by a key of them": (
        "rows are dicts like {'a': 1, 'b': 'x'}. Write by_key(rows, key) without modifying the"
        " input rows.",
        "def by_key(rows, key):\n    rows.sort(key=lambda each: each[key])\n    return rows\n",
        "'a')",
    ),
    "a helper that changes its own": (
        "Quicksort in Python, please. It must not modify the input list.",
        "def partition(items, low, high):\n    items[low], items[high] = items[high], items[low]\n"
        "    return low\n\n\ndef quicksort(items):\n    items = [*items]\n"
        "    partition(items, 0, -1)\n    return sorted(items)\n",
        "",
    ),
    "what it keeps in an object": (
        "Write a class Cart and a function total(cart). The input must not be changed.\n\n"
        ">>> total(Cart([3, 1]))\n4\n",
        "from functools import cached_property\n\n\nclass Cart:\n"
        "    def __init__(self, items):\n        self.items = items\n\n    @cached_property\n"
        "    def total(self):\n        return sum(self.items)\n\n\n"
        "def total(cart):\n    return cart.total\n",
        "",
    ),
    "linked nodes": (
        "Write total(head), the sum of a linked list. The list must stay as it is.",
        "class ListNode:\n    def __init__(self, val, next=None):\n        self.val = val\n"
        "        self.next = next\n\n\ndef total(head: ListNode) -> int:\n    found = head.val\n"
        "    while head.next:\n        found += head.next.val\n"
        "        head.next = head.next.next\n    return found\n",
        "]))",
    ),
    "linked nodes of an exercise": (
        "Reverse a linked list, the input must not be modified.\n\nclass ListNode:\n"
        "    def __init__(self, val=0, next=None):\n        self.val = val\n"
        "        self.next = next\n",
        "class Solution:\n    def reverse(self, head: ListNode) -> ListNode:\n"
        "        found = None\n        while head:\n"
        "            head.next, found, head = found, head, head.next\n        return found\n",
        "]))",
    ),
    "in place": (
        "Sort the list in place with sort(items).\n\nassert sort([2, 1]) is None",
        "def sort(items):\n    items.sort()\n",
        "",
    ),
    "nothing said": (
        "Write median(numbers).\n\nassert median([3, 1, 2]) == 2",
        "def median(numbers):\n    numbers.sort()\n    return numbers[len(numbers) // 2]\n",
        "",
    ),
    "it puts back what it takes": (
        "Write last(items) without changing the list.\n\nlast([1, 2]) == 2",
        "def last(items):\n    found = items.pop()\n    items.append(found)\n    return found\n",
        "",
    ),
    "it raises": (
        "Write first(items) without changing the list.",
        "def first(items):\n    items.pop()\n    raise ValueError\n",
        "",
    ),
    "two functions": (
        "Write add(cart, item), which adds to the cart, and total(cart), which must not change the"
        " cart.\n\nassert add([1], 2) == [1, 2]\nassert total([1, 2]) == 3",
        "def add(cart, item):\n    cart.append(item)\n    return cart\n\n\n"
        "def total(cart):\n    return sum(cart)\n",
        "",
    ),
    "plain values": (
        "Write twice(n: int). The input must not be modified.",
        "def twice(n: int) -> int:\n    n *= 2\n    return n\n",
        "",
    ),
    "a class alone": (
        "Write a class Pile with push(item). The list must not be changed by others.",
        "class Pile:\n    def __init__(self):\n        self.items = []\n\n"
        "    def push(self, item):\n        self.items.append(item)\n",
        "",
    ),
    "it never ends": (
        "Write spin(items: list[int]). The input must not be modified.",
        "def spin(items: list[int]):\n    items.pop()\n    while True:\n        pass\n",
        "",
    ),
}


@needs_sandbox
@pytest.mark.parametrize("case", OF_PYTHON)
async def test_what_python_changes(case):
    """Lists, dictionaries, what they hold and what objects have; examples first, else calls that
    are made. Nothing is known of what raises or never ends."""
    request, text, ends = OF_PYTHON[case]
    draft, _ = await examined(request, text)
    changes = [each for each in draft.findings if "changes its input" in each.detail]
    assert bool(changes) is bool(ends)
    assert all(each.detail.endswith(ends) and each.came for each in changes)


@needs_sandbox
async def test_nothing_is_run_where_nothing_is_said_of_the_input():
    """One start of the sandbox where it is said, and none where a draft is known to be wrong."""
    said, silent = EXAMPLES, EXAMPLES.replace("The input must not be modified.", "")
    wrong = COPIES.replace("found = []", "found = [[0, 0]]")
    notes = []
    for request, text in ((silent, SORTS), (said, wrong), (said, SORTS)):
        _, run = await examined(request, text)
        notes.append([step.note for step in run.steps])
    assert len(notes[0]) == len(notes[1]) == len(notes[2]) - 1
    assert notes[2][-1] == "it changes its input"


OBJECTS = """Write restock(shelf, more) in {}. The input must not be modified.

restock([{{ sku: "a", qty: 1 }}], 2) // [{{ sku: "a", qty: 3 }}]
"""
LISTS = "Write top(values) in {}: the numbers, largest first. Don't modify the array.{}"
TYPED = "function top(values: number[]): number[] { return VALUES.sort((a, b) => b - a); }"
PLAIN = "function top(values) { return VALUES.sort((a, b) => b - a); }"
HOLDS = "\n\ntop([1, 3]) // [3, 1]"
SETS = "Write odd(a, b) in TypeScript, a new set of what is in one of the two. Don't change a or b."
# Language, request, draft, the detail's end.
OF_SCRIPTS = {
    "typed, with an example": (
        "typescript", LISTS.format("TypeScript", HOLDS), TYPED.replace("VALUES", "values"),
        "top([1, 3])",
    ),
    "typed, a copy": (
        "typescript", LISTS.format("TypeScript", HOLDS), TYPED.replace("VALUES", "[...values]"), "",
    ),
    "typed, no example": (
        "typescript", LISTS.format("TypeScript", ""), TYPED.replace("VALUES", "values"), "])",
    ),
    "with an example": (
        "javascript", LISTS.format("JavaScript", HOLDS), PLAIN.replace("VALUES", "values"),
        "top([1, 3])",
    ),
    "a copy": (
        "javascript", LISTS.format("JavaScript", HOLDS), PLAIN.replace("VALUES", "[...values]"), "",
    ),
    "no example": (
        "javascript", LISTS.format("JavaScript", ""), PLAIN.replace("VALUES", "values"), "])",
    ),
    "an arrow function": (
        "javascript", LISTS.format("JavaScript", HOLDS),
        "const top = (values) => values.reverse();",
        "top([1, 3])",
    ),
    "an object's field": (
        "javascript", OBJECTS.format("JavaScript"),
        "function restock(shelf, more) {\n  for (const each of shelf) each.qty += more;\n"
        "  return shelf;\n}",
        'restock([{ sku: "a", qty: 1 }], 2)',
    ),
    "a new object": (
        "javascript", OBJECTS.format("JavaScript"),
        "const restock = (shelf, more) => shelf.map((e) => ({ ...e, qty: e.qty + more }));", "",
    ),
    "a helper that changes its own": (
        "javascript", "Quicksort in JavaScript. It must not modify the input array.",
        "function quicksort(items) {\n  const all = [...items];\n"
        "  partition(all, 0, 1);\n  return all.sort((a, b) => a - b);\n}\n"
        "function partition(items, low, high) { return items.reverse(); }",
        "",
    ),
    "the only function": (
        "javascript", "Quicksort in JavaScript. It must not modify the input array.",
        "function quicksort(numbers) {\n  return numbers.sort((a, b) => a - b);\n}", "])",
    ),
    "a set": (
        "typescript", SETS,
        "export function odd(a: Set<number>, b: Set<number>): Set<number> {\n"
        "  for (const each of b) if (!a.delete(each)) a.add(each);\n  return a;\n}",
        "]))",
    ),
    "another set": (
        "typescript", SETS,
        "export function odd(a: Set<number>, b: Set<number>): Set<number> {\n"
        "  const found = new Set(a);\n"
        "  for (const each of b) if (!found.delete(each)) found.add(each);\n  return found;\n}",
        "",
    ),
    "in place": (
        "javascript", f"Sort the array in place: top(values) in JavaScript.{HOLDS}",
        PLAIN.replace("VALUES", "values"), "",
    ),
}  # fmt: skip


@needs_node
@pytest.mark.parametrize("case", OF_SCRIPTS)
async def test_what_scripts_change(case):
    """Arrays, sets and objects, of lines that the request shows and of calls that are made."""
    language, request, text, ends = OF_SCRIPTS[case]
    draft, _ = await examined(request, text, language)
    changes = [each for each in draft.findings if "changes its input" in each.detail]
    assert bool(changes) is bool(ends)
    assert all(each.detail.endswith(ends) and each.came for each in changes)


# --- the default mode ----------------------------------------------------------------------------


@needs_sandbox
async def test_the_first_draft_that_keeps_its_input_is_the_answer(pipeline_with):
    """One that changes it is drawn again, whether there are examples or not."""
    for request in (EXAMPLES, PYTHON):
        async with comparing(pipeline_with, coder(SORTS, COPIES, COPIES)) as run:
            assert await run(request) == COPIES
        first, second = run.record["artefact"]["drafts"][:2]
        assert first["findings"][0].startswith("it changes its input in merge([")
        assert second["findings"] == []


@needs_sandbox
async def test_an_answer_that_changes_its_input_says_so(pipeline_with):
    """Where nothing better comes."""
    review = {"role": "reviewer", "reply": SORTS}
    async with comparing(pipeline_with, coder(SORTS), review, MAX_DRAFTS=2) as run:
        said = await run(EXAMPLES)
    note = "# REVIEWER_NOTE: it changes its input in merge([[5, 6], [1, 3]])"
    assert said.startswith(note) and said.endswith(SORTS)
    assert run.record["escalated"]
