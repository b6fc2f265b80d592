"""Requests that ask for words, and what is said beside the code of their answers."""

import pytest

from pipeline.analysis.draft import read_draft
from pipeline.analysis.questions import asks_for_words, wants_no_code, words_beside
from pipeline.exchange import Exchange
from pipeline.review.coder import write_prompt
from pipeline.review.conversation import write_conversation
from pipeline.review.tester import write_coder_prompt
from pipeline.task import Task
from pipeline.testcases.suite import Suite

CODE = "def f(x):\n    x.sort()\n\n\nprint(f([3, 1, 2]))\n"
WHY = f"Why does this print None?\n\n{CODE}"
SAYS = f"`sort` sorts in place and returns None.\n\nHere is the code:\n\n```python\n{CODE}```\n"


@pytest.mark.parametrize(
    ("request_", "asks"),
    [
        (WHY, True),
        ("what does this do? `print(*map(chr, range(97, 123)))`", True),
        ("Please explain list comprehension with an example", True),
        ("How does a hash map work?", True),
        ("Was ist der Unterschied zwischen Liste und Tupel?", True),
        ("为什么 sort 返回 None", True),
        ("Which is faster for membership tests, list or set, and why?", True),
        ("Is it safe to modify a list while iterating over it?", True),
        ("How does this regex work? `^a+$`", True),
        ("What does this script do?\n\nls | wc -l", True),
        ("Which command deletes a branch?", False),
        ("Is there a way to sort by two keys?", False),
        ("How is the script for the backup run? Write it", False),
        ("How do I read a CSV file?", False),
        ("What is the git command to undo a commit?", False),
        ("what's the best way to reverse a list", False),
        ("Explain and fix this: f(1", False),
        (f"{WHY}\nPlease fix it.", False),
        ("whyever", False),
        ("Write a function that explains why.", False),
    ],
)
def test_which_requests_ask_for_words(request_, asks):
    """A question about something, not one that wants code, a command or a change."""
    assert asks_for_words(request_) is asks


@pytest.mark.parametrize(
    ("request_", "no_code"),
    [
        ("what is its time complexity?", True),
        ("is this right?", True),
        ("thanks!", True),
        ("ok, perfect", True),
        ("thanks, now write tests for it", False),
        ("can you make it faster?", False),
        ("descending", False),
        ("it should also count uppercase vowels", False),
    ],
)
def test_which_follow_ups_want_no_code(request_, no_code):
    """A question or thanks; the coder is asked for the complete code of all others, last, unless
    the last answer was none."""
    assert wants_no_code(request_) is no_code
    others = "It is linear in the length of both.", "## `a.py`\n\n```python\na = 1\n```\n"
    for answer, is_asked in ((CODE, not no_code), *((other, False) for other in others)):
        task = Task(request_, exchanges=(Exchange("write it", answer),))
        ends = [write_prompt(task, wanted)[-1]["content"] for wanted in ("", "In Go.")]
        assert [end.endswith("\n\nThe complete code:") for end in ends] == [is_asked] * 2
        assert "In Go." in ends[1]
    assert write_prompt(Task(request_))[-1]["content"] == request_


def test_who_writes_no_code_is_not_asked_for_it():
    """A tester goes on with the same talk, but ends with what it is to do; a judge has the code
    behind it."""
    task = Task("now iterative", exchanges=(Exchange("write fib(n)", CODE),))
    *_, before, asked = write_coder_prompt(task, Suite(function="fib"), 4)
    assert before["content"] == CODE.rstrip()
    assert asked["content"].startswith("now iterative\n\nDo not write the code.")
    assert "complete code" not in asked["content"]
    *_, asked, draft, _ = write_conversation(task, "def fib(n): ...", "JUDGE")
    assert asked == write_prompt(task)[-1] and draft["content"] == "def fib(n): ..."


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("* **Bold**: the value is `n**2`, and 2**3**2", "Bold: the value is `n**2`, and 2**3**2"),
        ("## **A** and **B b**", "A and B b"),
        ("`f(*a, **k)` takes **anything**", "`f(*a, **k)` takes anything"),
    ],
)
def test_markup_goes_and_code_stays(line, said):
    """Of a heading, a list and words in bold; a power and keyword arguments are none."""
    assert words_beside(line) == [said]


def test_what_is_said_beside_the_code_is_a_part_of_the_answer():
    """As comments, of a readable width; what only leads to the code is left out."""
    said = "# `sort` sorts in place and returns None.\n"
    assert read_draft("coder", SAYS, WHY).text == said + CODE
    long = read_draft("coder", SAYS.replace("place", "place, " + "word " * 60), WHY).text
    assert max(map(len, long.splitlines())) <= 100 and long.endswith(CODE)


@pytest.mark.parametrize(
    ("reply", "request_", "text"),
    [
        (SAYS, "Make this print the list", CODE),
        ("It returns None.", WHY, "It returns None."),
        (CODE, WHY, CODE),
        (f"<think>hm</think>\n```python\n{CODE}```", WHY, CODE),
        ('Yes, "*/" ends it.\n```css\na {}\n```', "why?", '/* Yes, " " ends it. */\na {}\n'),
        ('So:\n\nIt is.\n```json\n{"a": 1}\n```', "what is this", '{"a": 1}\n'),
    ],
)
def test_elsewhere_words_are_left_out(reply, request_, text):
    """Where code is asked for, where there is nothing but words, in what has no comments; and no
    comment ends before its end."""
    assert read_draft("coder", reply, request_).text == text


def test_words_alone_are_no_program_with_a_mistake():
    """Where they answer a question; what is no sentence may still be broken code."""
    asked = "What is the difference between a list and a tuple in python?"
    said = read_draft("coder", "A list can be changed, while a tuple can not be changed.", asked)
    assert (said.language, said.findings) == ("markdown", ())
    broken = read_draft("coder", "def f(:\n    pass\n", "Why does this python function fail?")
    assert [finding.kind for finding in broken.findings] == ["syntax"]


async def test_an_answer_in_words_is_drawn_once(pipeline_with):
    """Nothing that the code in it does tells whether the words are right: the judge is asked."""
    rules = {"role": "coder", "reply": [SAYS, CODE]}, {"role": "judge", "verdict": [9, 1, "Right."]}
    mine = {"EVIDENCE_RUN": "auto", "COMPARE_DRAFTS": "auto", "MAX_DRAFTS": 5}
    async with pipeline_with(*rules, **mine) as run:
        assert (await run(WHY)).startswith("# `sort` sorts in place")
    assert [step["stage"] for step in run.record["steps"] if step["model"]] == ["coder", "judge"]
