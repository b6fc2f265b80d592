"""Comments that a request wants gone."""

import ast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.analysis.draft import read_draft
from pipeline.analysis.python_syntax import parse
from pipeline.analysis.unwanted_comments import wants_no_comments, without_comments

CODE = '''\
#!/usr/bin/env python
# Sums up.
import re  # noqa: F401

def total(values):
    # one by one
    """The sum. # of all"""
    return sum(  # of numbers
        # all of them
        values,
    )
    # REVIEWER_NOTE: what is no number is not known
print("#", total([1]))  # 1'''
BARE = '''\
#!/usr/bin/env python
import re  # noqa: F401

def total(values):
    """The sum. # of all"""
    return sum(
        values,
    )
    # REVIEWER_NOTE: what is no number is not known
print("#", total([1]))'''
PIECES = [
    "# a",
    "#",
    "\n",
    "  ",
    "x",
    "(",
    ")",
    "'",
    '"""',
    "\\",
    ":",
    "\f",
    "\r",
    "if x:",
    "\u2028",
]


@pytest.mark.parametrize(
    ("request_", "wants"),
    [
        ("remove the comments", True),
        ("please get rid of all the comments", True),
        ("fizzbuzz in python, no comments", True),
        ("Don't add any comments.", True),
        ("bitte ohne Kommentare", True),
        ("sans commentaires", True),
        ("don't remove the comments", False),
        ("add comments", False),
        ("write a function that removes comments from a string", False),
        ("a function to strip comments from a python file", False),
        ("parse an ini file, skip comments and blank lines", False),
        ("Django query for posts without comments", False),
        ("a script to delete comments older than 30 days", False),
        ("there are no comments in it, add them", False),
        ("The code has no comments, please document it", False),
        ("Never delete comments", False),
        ("nicht ohne Kommentare", False),
        ("bitte ohne Kommentare", True),
    ],
)
def test_who_wants_no_comments(request_, wants):
    """Said of the answer, in a few languages; not of what a program has to do."""
    assert wants_no_comments(request_) is wants


def test_comments_are_left_out_where_they_are_not_wanted():
    """With their lines; docstrings, text, tools' own and laios' notes stay. Else all of them do."""
    reply = f"```python\n{CODE}\n```"
    assert read_draft("coder", reply, "remove the comments", complete=True).text == BARE
    assert read_draft("coder", reply, "a sum", complete=True).text == f"{CODE}\n"


@pytest.mark.parametrize("code", ["# alone", "f('''", "  x\n y # z", "x = 1 \\\n\n# a\n"])
def test_what_cannot_be_read_stays(code):
    """So does a text that would be gone."""
    assert without_comments(code) == code


@given(st.lists(st.sampled_from(PIECES)).map("".join))
def test_the_program_stays_the_same(code):
    """Whatever its blanks, quotes and continued lines."""
    tree = parse(code)
    if tree is not None:
        bare = parse(without_comments(code))
        assert bare is not None
        assert ast.dump(bare) == ast.dump(tree)
