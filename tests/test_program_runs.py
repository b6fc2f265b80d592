"""Programs that read input or arguments: drafts are compared by runs with both."""

import shutil

import pytest

from pipeline.sandbox import ANY_VALUE, Arguments, Case, Limits, run_built, run_calls
from pipeline.testcases.behaviour import Behaviour, classes
from pipeline.testcases.program_runs import reads, sample_runs
from tests.test_agreement import JUDGED, NO_TESTS, coder, comparing, models_asked

needs_sandbox = pytest.mark.skipif(
    shutil.which("bwrap") is None, reason="the sandbox needs bubblewrap"
)
LIMITS = Limits(wall_s=10, cpu_s=10, memory_mb=256, processes=8, output_bytes=65536, files_mb=8)
TOTAL = """\
import sys

numbers = [float(line) for line in sys.stdin if line.strip()]
print(sum(numbers))
"""
ALSO_TOTAL = """\
def main():
    total = 0
    while True:
        try:
            line = input("Number: ")
        except EOFError:
            break
        if line.strip():
            total += float(line)
    print("The sum is:", total)


if __name__ == "__main__":
    main()
"""
STOPS = ALSO_TOTAL.replace(
    "        if line.strip():", "        if not line.strip():\n            break\n        else:"
)
CONVERT = """\
import sys

value, unit = float(sys.argv[1]), sys.argv[2]
if unit == "C":
    print(value * 9 / 5 + 32)
elif unit == "F":
    print((value - 32) * 5 / 9)
else:
    print("unknown unit")
    sys.exit(1)
"""
COUNT = """\
import argparse

parser = argparse.ArgumentParser()
parser.add_argument("file")
parser.add_argument("--words", action="store_true")
args = parser.parse_args()
with open(args.file) as file:
    text = file.read()
print(len(text.split()) if args.words else len(text))
"""
TODO = """\
import sys
from pathlib import Path

file = Path("todo.txt")
tasks = file.read_text().splitlines() if file.exists() else []
if sys.argv[1] == "add":
    tasks.append(" ".join(sys.argv[2:]))
elif sys.argv[1] == "list":
    for number, task in enumerate(tasks, 1):
        print(number, task)
file.write_text("".join(task + "\\n" for task in tasks))
"""


def run(words=(), stdin="", files=()):
    return Case(Arguments(), ANY_VALUE, stdin=stdin, words=words, files=files)


@pytest.mark.parametrize(
    ("program", "does"),
    [
        (TOTAL, True),
        (ALSO_TOTAL, True),
        (CONVERT, True),
        ("print(1)", False),
        ("import requests, sys\nprint(requests.get(sys.argv[1]))", False),
    ],
)
def test_which_programs_read_something(program, does):
    """Input or arguments, and nothing that is not there."""
    assert reads(program, "") is does
    assert len(sample_runs(program, "", 30)) == (30 if does else 0)
    assert sample_runs(program, "", 30) == sample_runs(program, "", 30)


def test_runs_are_of_the_forms_that_the_request_shows():
    """Its lines and usages, with words, numbers and files in the place of what stands for them, the
    words that the program compares with, and the word that ends it."""
    menu = "while (line := input()) != 'quit':\n    if line in ('show', 'add'):\n        print(1)\n"
    asked = sample_runs(menu, "commands `add NAME`, `show`, and `quit` ends it", 60)
    lines = [each.stdin.splitlines() for each in asked]
    assert any(line in ("add cat", "add dog") for each in lines for line in each)
    assert sum(each[-1] == "quit" for each in lines) > 40
    asked = sample_runs(CONVERT, "`convert.py 20 C` gives Fahrenheit", 60)
    assert {"C", "F"} <= {word for each in asked for word in each.words}
    assert ("20", "C") in [each.words for each in asked]
    asked = sample_runs(COUNT, "count the words of a text file, `count.py FILE`", 60)
    named = [each for each in asked if each.words == ("a.txt",)]
    assert named and named[0].files[0][0] == "a.txt"
    asked = sample_runs(TODO, "keeps tasks in todo.txt, `todo.py add TEXT` adds one", 60)
    assert {"todo.txt" in dict(each.files) for each in asked} == {True, False}
    mean = "print(len(open('data.csv').read()))"
    assert reads(mean, "the mean of data.csv") and not reads(mean, "the mean of a file")
    asked = sample_runs(mean, "the mean of the column price in data.csv", 60)
    assert len({dict(each.files).get("data.csv") for each in asked}) > 2
    asked = sample_runs(mean, "data.csv (columns day, price): the mean price", 60)
    heads = {dict(each.files).get("data.csv", "day,price").split("\n")[0] for each in asked}
    assert heads == {"day,price"}


def test_input_begins_with_how_many_lines_there_are_where_that_is_asked_for():
    """In most runs; each of the lines may be an entry of several words."""
    program = "n = int(input())\nfor _ in range(n):\n    name, points = input().split()\n"
    asked = sample_runs(program, "The first line is the number n of people, then n lines", 60)
    lines = [each.stdin.splitlines() for each in asked]
    counted = [each for each in lines if each[0] == str(len(each) - 1)]
    assert len(counted) > 45 and any("Bob 4" in each for each in counted)


@needs_sandbox
async def test_what_comes_of_a_run():
    """What was printed but for what it asks for, the status, the files; each run begins anew."""
    program = "import sys\nprint(input('name? ') * len(sys.argv))\nopen('f', 'a').write('x')\n"
    first, second = await run_calls(program, [run(("a",), "ab\n"), run((), "c\n")], LIMITS)
    assert first.value == "abab\n" and first.wrote == second.wrote == {"f": "x"}
    assert second.value == "c\n" and not second.ended
    (ended,) = await run_calls("print(1)\nraise SystemExit('no')", [run()], LIMITS)
    assert ended.value == "1\n" and ended.ended == "1"
    (wanting,) = await run_calls("print(2)\ninput()", [run()], LIMITS)
    assert wanting.value == "2\n" and wanting.ended == "EOFError"
    (raising,) = await run_calls("print(2)\n{}['a']", [run()], LIMITS)
    assert raising.raised[0] == "KeyError" and "line 2" in raising.error
    (endless,) = await run_calls("while True: print('x' * 999)", [run()], LIMITS)
    assert endless.raised[0] == "OverflowError"
    waiting = "from time import sleep\nsleep(60)\nprint(4)"
    assert [each.value for each in await run_calls(waiting, [run(), run()], LIMITS)] == ["4\n"] * 2
    (closing,) = await run_calls("import sys\nprint(3)\nsys.stdout.close()", [run()], LIMITS)
    assert closing.value == "3\n"


@needs_sandbox
@pytest.mark.skipif(shutil.which("gcc") is None, reason="it needs gcc")
async def test_the_files_of_a_compiled_program_are_told():
    """With those that are gone, and a folder that is new and empty."""
    program = (
        "#include <stdio.h>\n#include <sys/stat.h>\nint main(void) {\n"
        '    fputs("x", fopen("new", "w"));\n    remove("a");\n    mkdir("d", 0777);\n}\n'
    )
    (result,) = await run_built("c", program, [run(files=(("a", "x"),))], LIMITS)
    assert result.wrote == {"a": None, "d/": "", "new": "x"}


@needs_sandbox
async def test_a_file_that_is_gone_is_told():
    """With None in place of its text."""
    program = "import os\nos.remove('a')\n"
    (result,) = await run_calls(program, [run(files=(("a", "x"), ("b/", "")))], LIMITS)
    assert result.wrote == {"a": None}


@needs_sandbox
async def test_programs_that_do_the_same_are_alike():
    """Whatever they ask in, and with labels of their own; not one that ends at another line."""
    asked = sample_runs(TOTAL, "sum numbers", 60)
    said = [
        Behaviour.of(await run_calls(each, asked, LIMITS), "sum numbers", each)
        for each in (TOTAL, ALSO_TOTAL, STOPS)
    ]
    assert classes(said) == [[0, 1], [2]]


@needs_sandbox
async def test_the_right_program_is_chosen(pipeline_with):
    """By runs that each draft answers; no tests are asked for, and the caller hears of the run in
    which they differ."""
    request = "Write a program that reads numbers from standard input and prints their sum."
    drafts = coder(STOPS, TOTAL, ALSO_TOTAL)
    async with comparing(pipeline_with, NO_TESTS, drafts, JUDGED) as run:
        assert await run(request) == TOTAL
    made = run.record["artefact"]
    assert made["agreement"]["classes"] == [[1, 2], [0]]
    assert made["differences"] and "the program with '" in made["differences"][0]["call"]
    assert "tests" not in models_asked(run.record)
