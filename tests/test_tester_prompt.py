"""How the tester is asked: a small model says that nothing can be tested where it may, and what the
coder is asked is read once for both."""

import pytest

from pipeline.model import Reply
from pipeline.review import coder
from pipeline.review.tester import write_tests
from pipeline.task import Task
from pipeline.testcases.examples.example_search import find_examples


class Asked:
    """A run that keeps the question and gives one answer."""

    def __init__(self, reply, apart):
        self.reply = reply
        self.apart = apart
        self.question = None

    def is_apart(self, role):
        return self.apart

    async def ask(self, question):
        self.question = question
        return Reply(self.reply, "", "stop", None, None, None, None, 1.0)


async def asked(prompt, reply, apart):
    run = Asked(reply, apart)
    task, anchors = Task(prompt), find_examples(prompt)
    suite = await write_tests(run, task, anchors)
    messages = run.question.write(**run.question.brief)
    return run.question.begun, messages, suite


def texts(messages):
    return "\n".join(message["content"] for message in messages)


@pytest.mark.parametrize("apart", [True, False])
async def test_of_a_function_it_begins_with_the_call(apart):
    """Its answer is begun, so there is nothing to refuse."""
    prompt = "Write a function `add(a, b)` that adds two numbers."
    reply = "1. assert add(1, 2) == 3\n2. assert add(0, 0) == 0"
    begun, messages, suite = await asked(prompt, reply, apart)
    assert (begun, "NONE" in texts(messages)) == ("1. assert add(", False)
    assert [case.expected for case in suite.cases] == [3, 0]


async def test_of_the_coder_s_model_it_is_asked_with_the_coder_s_own_words():
    """What stands before the tests is what the coder is asked, so it is read once; another model
    is given the tester's rules, which its backend keeps from run to run."""
    prompt = "Write a function `add(a, b)` that adds two numbers."
    _, (rules, request), _ = await asked(prompt, "assert add(1, 2) == 3", apart=False)
    own_rules, own_request = coder.write_prompt(Task(prompt))
    assert rules == own_rules and request["content"].startswith(own_request["content"])
    _, (rules, _), _ = await asked(prompt, "assert add(1, 2) == 3", apart=True)
    assert rules["content"].startswith("You are the tester")


@pytest.mark.parametrize("apart", [True, False])
@pytest.mark.parametrize(
    "prompt",
    [
        "Write a web page with a red button.",
        "Write a class `Tally` with add() and total().",
        "Read numbers from standard input and print their sum.",
    ],
)
async def test_of_anything_else_it_may_say_that_it_has_none(prompt, apart):
    """A page has no values, an object is made first, and a program is given its input."""
    begun, messages, suite = await asked(prompt, "NONE", apart)
    assert (begun, "NONE" in texts(messages), suite.cases) == ("", True, ())
