"""How a coder is asked in a conversation."""

import pytest

from pipeline.exchange import Exchange
from pipeline.review.conversation import CODER, PYTHON_CODER, WHOLE, write_conversation
from pipeline.task import Task

CODE = "def count(text):\n    return len(text)\n"


def asked_after(first, request, answer=CODE):
    return write_conversation(Task(request, exchanges=(Exchange(first, answer),)))


@pytest.mark.parametrize(
    ("first", "request_", "rules"),
    [
        ("a python function that counts", "return a dict instead", PYTHON_CODER),
        ("a function that counts", "return a dict instead", CODER),
        ("a python function that counts", "now in Go", CODER),
        ("a function in Go that counts", "now in Python", PYTHON_CODER),
    ],
)
def test_a_talk_goes_on_by_the_rules_that_it_began_with(first, request_, rules):
    """So that a backend has read them, until a request names another language."""
    assert asked_after(first, request_)[0]["content"] == rules
    same = write_conversation(Task(first))[0]["content"] == rules
    assert same is (request_ == "return a dict instead")


@pytest.mark.parametrize(
    ("answer", "request_", "whole"),
    [
        (CODE, "ignore case", True),
        ("SELECT name FROM users;", "sort them", True),
        ("ok", "ignore case", False),
        ("sunny", "now write code", False),
        ("It counts all of the letters.", "ignore case", False),
        (CODE, "thanks!", False),
    ],
)
def test_the_whole_code_is_asked_for_where_there_is_some(answer, request_, whole):
    """Not where the last answer is a word, or nothing is to be changed."""
    said = asked_after("count", request_, answer)[-1]["content"]
    assert said == (f"{request_}\n\n{WHOLE}" if whole else request_)
