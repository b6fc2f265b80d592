"""Calls with the large numbers of programs and requests: 1024 bytes, 3600 seconds."""

import shutil

import pytest

from pipeline.testcases.sample_calls import calls_by_annotation
from pipeline.testcases.seed_constants import seeds_of

needs_sandbox = pytest.mark.skipif(
    shutil.which("bwrap") is None, reason="the sandbox needs bubblewrap"
)
BYTES = """def format_bytes(n: int) -> str:
    for unit in ("B", "KB"):
        if n < {0}:
            return f"{{n:.1f}} {{unit}}"
        n /= {0}
    return f"{{n:.1f}} MB"
"""
COUNTS = "def f(n: int):\n    return sum(1 for _ in range(n)) > 1000\n"
CALLS_ITSELF = "def f(n: int):\n    return n > 5000 or f(n + 1)\n"
JUDGED = {"role": "judge", "verdict": [9, 1, "It is right."]}


def test_a_call_in_four_has_a_large_number():
    """Those of the programs and the request, the numbers beside them, and what is half of them
    more; last, so that a call that is killed there takes no answers with it."""
    seeds = seeds_of("1,048,576 bytes are 1.0 MB, 99999999 more.", [BYTES.format(1024)])
    assert seeds.large == (1024, 1_048_576) and seeds.numbers == ()
    calls = calls_by_annotation([BYTES.format(1024)], "format_bytes", 20, seeds)
    numbers = [call.arguments.args[0] for call in calls]
    assert numbers[-5:] == [1024, 1_048_576, 1537, 1_572_865, 1023]
    assert len(set(numbers)) == 20 and max(numbers[:-5]) <= 500


@pytest.mark.parametrize("program", [COUNTS, CALLS_ITSELF])
def test_what_counts_or_calls_itself_has_no_large_numbers(program):
    """A loop up to a million takes the time of all calls, a recursion ends in an exception; not
    for other drafts either, which are called with the same."""
    assert seeds_of("f(100000)", [BYTES.format(1024), program]).large == ()


@pytest.mark.parametrize(
    "program",
    [
        "def f(n: int):\n    for at in range(len(str(n)) - 1, -1, -1):\n        print(at)\n",
        "def f(n: int):\n    return [n for _ in range(3)]\n",
    ],
)
def test_what_counts_to_little_has_them(program):
    """To the length of something, or to a number that stands there."""
    assert seeds_of("f(100000)", [program]).large == (100_000,)


def test_a_function_of_several_numbers_has_none():
    """One of them may say how often something is done."""
    program = "def f(n: int, m: int):\n    return n < 1024\n"
    calls = calls_by_annotation([program], "f", 20, seeds_of("", [program]))
    assert all(number <= 500 for call in calls for number in call.arguments.args)


@pytest.mark.parametrize(
    ("said", "numbers"),
    [
        ("up to 3,999 and 12_000", (3999, 12_000)),
        ("2000.", (2000,)),
        ("1000.5 v1.1000 x1000 1000ms 12345678 404", ()),
    ],
)
def test_numbers_that_a_request_writes(said, numbers):
    """Whole ones, not too large."""
    assert seeds_of(said, ()).large == numbers


@needs_sandbox
async def test_drafts_that_differ_in_large_numbers_alone_differ(pipeline_with):
    """Nothing up to a hundred tells bytes by 1000 from those by 1024."""
    right, same = BYTES.format(1024), BYTES.format("(1024.0)")
    drafts = {"role": "coder", "reply": [BYTES.format(1000), right, same]}
    mine = {"MAX_DRAFTS": 3, "EVIDENCE_RUN": "auto", "COMPARE_DRAFTS": "auto"}
    async with pipeline_with(drafts, JUDGED, JUDGE_WHEN="undecided", **mine) as run:
        await run("Write a Python function format_bytes(n).")
    assert run.record["artefact"]["agreement"]["classes"] == [[1, 2], [0]]


@needs_sandbox
async def test_a_later_draft_that_counts_is_compared_all_the_same(pipeline_with):
    """Five loops up to a million are no more than a part of the time that the calls have."""
    plain = "def f(n: int) -> int:\n    return n + (n > 1000000)\n"
    loop = "def f(n: int) -> int:\n    i = 0\n    while i < n:\n        i += 1\n"
    loop += "    return n + (i > 1000000)\n"
    drafts = {"role": "coder", "reply": [plain, loop, plain.replace("n + ", "0 + n + ")]}
    mine = {"MAX_DRAFTS": 3, "EVIDENCE_RUN": "auto", "COMPARE_DRAFTS": "auto"}
    async with pipeline_with(drafts, JUDGED, JUDGE_WHEN="undecided", **mine) as run:
        await run("Write a Python function f(n).")
    agreement = run.record["artefact"]["agreement"]
    assert agreement["classes"] in ([[0, 1, 2]], [[0, 1]])
