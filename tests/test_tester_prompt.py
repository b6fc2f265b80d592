"""How the tester is asked: a small model says that nothing can be tested where it may."""

import pytest

from pipeline.model import Reply
from pipeline.review.tester import write_tests
from pipeline.task import Task
from pipeline.testcases.example_search import find_examples


class Asked:
    """A run that keeps the question and gives one answer."""

    def __init__(self, reply):
        self.reply = reply
        self.question = None

    async def ask(self, question):
        self.question = question
        return Reply(self.reply, "", "stop", None, None, None, None, 1.0)


async def asked(prompt, reply):
    run = Asked(reply)
    task, anchors = Task(prompt), find_examples(prompt)
    suite = await write_tests(run, task, anchors)
    rules, *_ = run.question.write(**run.question.brief)
    return run.question.begun, "NONE" in rules["content"], suite


async def test_of_a_function_it_begins_with_the_call():
    """Its answer is begun, so there is nothing to refuse."""
    prompt = "Write a function `add(a, b)` that adds two numbers."
    begun, may_refuse, suite = await asked(prompt, "assert add(1, 2) == 3\nassert add(0, 0) == 0")
    assert (begun, may_refuse) == ("assert add(", False)
    assert [case.expected for case in suite.cases] == [3, 0]


@pytest.mark.parametrize(
    "prompt",
    [
        "Write a web page with a red button.",
        "Write a class `Tally` with add() and total().",
        "Read numbers from standard input and print their sum.",
    ],
)
async def test_of_anything_else_it_may_say_that_it_has_none(prompt):
    """A page has no values, an object is made first, and a program is given its input."""
    begun, may_refuse, suite = await asked(prompt, "NONE")
    assert (begun, may_refuse, suite.cases) == ("", True, ())
