"""By which rules a coder writes in a conversation."""

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
