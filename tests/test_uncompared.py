"""Drafts of which nothing can be seen where they are run: no further one is drawn to compare."""

import shutil

import pytest

from server.runtime.record_details import details_of

needs_sandbox = pytest.mark.skipif(
    shutil.which("bwrap") is None, reason="the sandbox needs bubblewrap"
)
pytestmark = needs_sandbox

JUDGED = {"role": "judge", "verdict": [9, 1, "It is right."]}
OTHER = "OTHER = 1\n"
SHOP = "import a_shop_of_flasks\n\napp = a_shop_of_flasks.App()\n\n\ndef home(it):\n    return it\n"
TOOL = """\
import argparse


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("path")
    print(parser.parse_args().path)


if __name__ == "__main__":
    main()
"""
UNCOMPARED = [
    ("Make a web page in Python with a shop.", SHOP),
    ("A window in Python.", "import tkinter, sys\n\ntkinter.Tk().title(sys.argv[1])\n"),
    ("Print the first line of a file in Python.", "print(open('a.txt').readline())\n"),
    ("Write a file in Python.", "with open('a.txt', 'w') as file:\n    file.write('a')\n"),
    ("Roll a die in Python.", "import random\n\nprint(random.randint(1, 6))\n"),
]


def models_asked(record):
    return [step["stage"] for step in record["steps"] if step["model"]]


def as_a_user_has_it(pipeline_with, *rules):
    settings = {"EVIDENCE_RUN": "auto", "COMPARE_DRAFTS": "auto", "JUDGE_WHEN": "undecided"}
    return pipeline_with(*rules, MAX_DRAFTS=5, **settings)


@pytest.mark.parametrize(("asked", "draft"), UNCOMPARED)
@pytest.mark.parametrize("tag", ["", "///best=3 "])
async def test_what_shows_nothing_is_drawn_once_and_judged(pipeline_with, tag, asked, draft):
    """It lacks a package, opens a window, looks for a file, prints nothing, throws dice: others
    that do so as well would cost their time and say nothing. That holds for `///best` too."""
    coder = {"role": "coder", "reply": [draft, OTHER, OTHER]}
    async with as_a_user_has_it(pipeline_with, coder, JUDGED) as run:
        assert await run(tag + asked) == draft
    assert models_asked(run.record) == ["coder", "judge"]
    assert not run.record["escalated"]


@pytest.mark.parametrize(
    ("asked", "draft"),
    [
        ("A command line tool in Python that prints its argument.", TOOL),
        ("Ask for a name in Python.", "name = input('Name? ')\nprint(f'Hello {name}')\n"),
    ],
)
async def test_what_asks_is_compared_with_input_and_arguments(pipeline_with, asked, draft):
    """With a draft that does the same it agrees; those that print nothing, whatever they are given,
    agree with nobody."""
    again = draft.replace("Hello", "Hello,") + "\n"
    coder = {"role": "coder", "reply": [draft, again]}
    async with as_a_user_has_it(pipeline_with, coder, JUDGED) as run:
        assert await run(asked) == draft
    assert run.record["final_reason"].startswith("not judged: 2 of 2 drafts agree on ")
    coder = {"role": "coder", "reply": [draft, OTHER, OTHER]}
    async with as_a_user_has_it(pipeline_with, coder, JUDGED) as run:
        assert await run(asked) == draft
    assert models_asked(run.record) == ["coder", "coder", "coder", "judge"]


async def test_no_calls_are_asked_for_of_a_program(pipeline_with):
    """Its runs may all give the same: it has no function that could be called in other ways."""
    draft = "import sys\n\n\ndef main():\n    print(len(sys.argv) > 0)\n\n\nmain()\n"
    again = draft.replace("> 0", ">= 1")
    coder = {"role": "coder", "reply": [draft, again]}
    async with as_a_user_has_it(pipeline_with, coder, JUDGED) as run:
        assert await run("A tool in Python that prints whether it was started.") == draft
    assert "calls" not in [step["label"] for step in run.record["steps"]]
    runs = [step for step in run.record["steps"] if step["label"] == "runs"]
    assert len(runs) == 1 and models_asked(run.record)[-1] == "judge"


async def test_the_record_says_why_a_draft_could_not_be_run(pipeline_with):
    """What is missing is named where the step says how the tests went, and whoever asks for
    details is told; it is no fault."""
    asked, draft = UNCOMPARED[0]
    async with as_a_user_has_it(pipeline_with, {"role": "coder", "reply": draft}, JUDGED) as run:
        await run(asked)
    [ran] = [step for step in run.record["steps"] if step["label"] == "evidence"]
    assert ran["note"].startswith("it does not run: ModuleNotFoundError: No module named 'a_shop")
    assert not run.record["evidence"]
    [note] = details_of(run.record).notes
    assert note.startswith("not run here: ModuleNotFoundError: No module named 'a_shop")


async def test_a_program_that_prints_has_run_well(pipeline_with):
    """Its end is no failed test, whatever it prints."""
    draft = "if __name__ == '__main__':\n    print(1 + 1)\n"
    async with as_a_user_has_it(pipeline_with, {"role": "coder", "reply": draft}, JUDGED) as run:
        await run("Print the sum of 1 and 1 in Python.")
    [ran, *_] = [step for step in run.record["steps"] if step["label"] == "evidence"]
    assert ran["note"] == "it runs"


TRIES = "value = {'a': 1}\ntry:\n    print(value['b'])\nexcept KeyError:\n    print('none')\n"


async def test_what_tries_something_is_a_program(pipeline_with):
    """It is compared by what it prints; nobody is asked for calls or tests of a function that is
    not there."""
    async with as_a_user_has_it(pipeline_with, {"role": "coder", "reply": TRIES}, JUDGED) as run:
        await run("Print what is under b, or none, in Python.")
    assert run.record["final_reason"] == "not judged: 2 of 2 drafts print the same"
    assert {step["label"] for step in run.record["steps"]} == {
        *("", "evidence", "agreement", "draft 2")
    }


VALUES = "NAMES = ['a', 'b']\nCOUNT = 2\n"


async def test_values_alone_are_not_called(pipeline_with):
    """Where nothing is defined that could be called, no model names calls of it, and no other
    draft is drawn."""
    async with as_a_user_has_it(pipeline_with, {"role": "coder", "reply": VALUES}, JUDGED) as run:
        await run("Two names as a Python list, and how many there are.")
    assert models_asked(run.record) == ["coder", "judge"]
