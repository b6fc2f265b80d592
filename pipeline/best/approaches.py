"""Different ways to solve a request, for a draft each: a modest tree of thought (arXiv 2305.10601).
Drafts from one prompt repeat each other's mistake; a plan leads elsewhere."""

import re

from pipeline.errors import ContextTooLong, ModelError
from pipeline.model import Message
from pipeline.model_request import ModelRequest
from pipeline.prompts import messages
from pipeline.run import Run
from pipeline.sampling import VARIED
from pipeline.task import Task

_LINE = re.compile(r"^\s*(?:\d+[.)]|[-*•])\s+(.{8,})$")
_LONGEST = 300  # characters of a plan
_TOKENS_EACH = 80
PLANNER = """\
You are the planner of an automated pipeline. Name {n} different ways to write the code that is \
asked for, which differ in algorithm or data structure. One numbered line each, at most thirty \
words, no code."""


def write_prompt(task: Task, n: int) -> list[Message]:
    """The general prompt."""
    return messages(PLANNER.format(n=n), f"{task.asked}\n\nThe {n} ways:")


async def write_plans(run: Run, task: Task, n: int) -> list[str]:
    """At most `n`; none of a model that cannot be had or answers in no such form."""
    question = ModelRequest(
        "coder",
        write_prompt,
        {"task": task, "n": n},
        label="plans",
        max_tokens=_TOKENS_EACH * n,
        temperature=VARIED,
        general=True,
    )
    try:
        answer = await run.ask(question)
    except (ModelError, ContextTooLong):
        return []
    return read_plans(answer.text)[:n]


def read_plans(text: str) -> list[str]:
    """The numbered or bulleted lines of an answer, each once."""
    found = [_LINE.match(line) for line in text.splitlines()]
    return list(dict.fromkeys(each[1].strip()[:_LONGEST] for each in found if each))
