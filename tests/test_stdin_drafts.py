"""Drafts of programs that read standard input: compared by input of the form that the request
describes."""

import shutil

import pytest

from config import load_settings
from pipeline.analysis.draft import Draft
from pipeline.review.described_inputs import described_forms, runs_of_form
from pipeline.review.draft_comparison import Comparison
from pipeline.review.draft_evidence import examine
from pipeline.task import Task
from tests.compilers import needs
from tests.test_agreement import JUDGED, NO_TESTS, coder, comparing
from tools.bench.drafts.executed import run_of

needs_sandbox = pytest.mark.skipif(
    shutil.which("bwrap") is None, reason="the sandbox needs bubblewrap"
)
PAIRS = """\
Python, from standard input. The first line contains two integers n and m (1 <= n <= 1000,
0 <= m <= 1000). Each of the next m lines has two integers u and v (1 <= u, v <= n), a road between
two villages numbered 1 to n. Print the number of villages without any road.
"""
BY_TOKENS = """\
import sys

data = sys.stdin.read().split()
n, m = int(data[0]), int(data[1])
touched = set(data[2 : 2 + 2 * m])
print(n - len(touched))
"""
BY_LINES = """\
n, m = map(int, input().split())
roads = [0] * (n + 1)
for _ in range(m):
    u, v = map(int, input().split())
    roads[u] += 1
    roads[v] += 1
print(sum(1 for village in range(1, n + 1) if roads[village] == 0), end="")
"""
ONE_END = BY_LINES.replace("    roads[v] += 1\n", "")
FALLS = BY_LINES.replace("roads =", "first = 1 // m\nroads =")  # where there is no road
SUMS = """\
Write a C program. The first line has n (1 <= n <= 1000), the second line has n integers, each
between -1000000000 and 1000000000. Print their sum.

Input
3
1 2 3

Output
6
"""
IN_C = """\
#include <stdio.h>

int main(void) {{
    int n;
    {0} sum = 0, x;
    scanf("%d", &n);
    for (int i = 0; i < n; i++) {{
        scanf("{1}", &x);
        sum += x;
    }}
    printf("{1}\\n", sum);
    return 0;
}}
"""
SMALL, LARGE = IN_C.format("int", "%d"), IN_C.format("long long", "%lld")


async def compared(request, *programs, language="python"):
    drafts = {n: Draft(each, language, ()) for n, each in enumerate(programs)}
    with run_of(request, load_settings(), None) as run:
        comparison = Comparison(run, Task(request))
        assert await comparison.may_be_with(drafts[0])
        return await comparison.of(drafts, in_time=False)


@needs_sandbox
@pytest.mark.parametrize("programs", [(BY_TOKENS, BY_LINES), (BY_LINES, BY_TOKENS)])
async def test_right_programs_do_the_same(programs):
    """However they read what they are given: it has the form that the request describes. With words
    and lines at random they never did."""
    agreement = await compared(PAIRS, *programs)
    assert agreement.classes == ((0, 1),)
    assert agreement.convinces


@needs_sandbox
async def test_a_wrong_program_differs():
    """And the input in which it does is told."""
    agreement = await compared(PAIRS, BY_TOKENS, BY_LINES, ONE_END)
    assert agreement.classes == ((0, 1), (2,))
    assert agreement.differences


@needs_sandbox
async def test_who_falls_over_input_that_is_described_convinces_nobody():
    """Two that do are alike in that."""
    agreement = await compared(PAIRS, FALLS, FALLS.replace("first", "one"))
    assert agreement.classes == ((0, 1),)
    assert not agreement.convinces
    assert "with an error" in str(agreement)


TALL = """\
import csv
rows = [*csv.DictReader(open("people.csv"))]
print(max(rows, key=lambda row: float(row["{}"]))["name"])
"""


@needs_sandbox
async def test_a_program_that_falls_over_all_of_its_files_is_held_against_another():
    """Nobody could tell whether the files or the program are wrong, but another answers them."""
    request = "a script that reads people.csv (columns name, height) and prints who is the tallest"
    agreement = await compared(request, TALL.format("size"), TALL.format("height"))
    assert agreement.classes in (((0,), (1,)), ((1,), (0,)))
    assert not agreement.convinces


@needs_sandbox
async def test_how_a_program_ends_is_no_matter_of_words():
    """What prints the same and ends otherwise is another one."""
    agreement = await compared(PAIRS, BY_LINES, f"{BY_LINES}raise SystemExit(3)\n")
    assert len(agreement.classes) == 2


@needs_sandbox
async def test_the_answer_is_chosen_by_it(pipeline_with):
    """The first of those that agree."""
    drafts = coder(ONE_END, BY_TOKENS, BY_LINES)
    async with comparing(pipeline_with, NO_TESTS, drafts, JUDGED) as run:
        assert await run(PAIRS) == BY_TOKENS
    assert run.record["artefact"]["agreement"]["classes"][0] == [1, 2]


@needs("c")
@needs_sandbox
@pytest.mark.parametrize(("program", "fault"), [(SMALL, True), (LARGE, False)])
async def test_an_example_says_nothing_of_large_values(program, fault):
    """A program that holds it is given other input of its form; a sum that is too large for its
    type is a fault."""
    with run_of(SUMS, load_settings(), None) as run:
        draft = await examine(run, Task(SUMS), Draft(program, "c", ()), "coder")
    assert [finding.kind for finding in draft.findings] == (["input"] if fault else [])
    assert bool(draft.decided) is not fault
    assert not fault or draft.findings[0].detail.startswith("for the input '")
    assert not fault or draft.findings[0].detail.endswith("a sum is too large for its type")


SHARES = """\
Python. The first line has a and b (0 <= a, b <= 9). Print a // b; b may not be 0.

Input
7 2

Output
3
"""


@needs_sandbox
async def test_what_else_it_falls_over_decides_nothing():
    """A word that was not read may rule that input out: the draft is compared with another one, and
    not accused. So are all whose text is wrong for their own reasons."""
    program = "a, b = map(int, input().split())\nprint(a // b)\n"
    with run_of(SHARES, load_settings(), None) as run:
        draft = await examine(run, Task(SHARES), Draft(program, "python", ()), "coder")
    assert not draft.decided
    assert not draft.findings


@needs_sandbox
@pytest.mark.parametrize(
    "request_",
    [
        "Python: the first line has n and k, the second line n integers. Print the k-th largest.",
        "Python: the first line has n and k (1 <= k <= n <= 9), the second line n integers between"
        " 1 and 5. There are always k different ones. Print the k-th largest of these.",
    ],
)
async def test_who_falls_over_what_nobody_gives_is_not_accused(request_):
    """Values that the request does not bound, or rules out in words."""
    program = "n, k = map(int, input().split())\nprint(sorted(set(input().split()))[-k])\n"
    asked = f"{request_}\n\nInput\n2 1\n4 5\n\nOutput\n5\n"
    with run_of(asked, load_settings(), None) as run:
        draft = await examine(run, Task(asked), Draft(program, "python", ()), "coder")
    assert draft.decided
    assert not draft.findings


def test_runs_are_of_the_form_that_the_examples_have():
    """Else the request was misunderstood."""
    (form,) = described_forms(BY_LINES, PAIRS)
    runs = runs_of_form(form, PAIRS, 10)
    assert len(runs) == len({run.stdin for run in runs}) == 10
    other = f"{PAIRS}\nSample Input\n5\n\nSample Output\n5\n"
    assert described_forms(BY_LINES, other) == ()
    assert described_forms("print(1)", PAIRS) == ()
