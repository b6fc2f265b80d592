"""The calls that drafts are tried with: made from annotations where there are some, which costs no
model call; else the coder's model names them."""

import asyncio
from collections.abc import Sequence
from functools import partial

from pipeline.analysis.draft import Draft
from pipeline.errors import ContextTooLong, ModelError
from pipeline.model import Message
from pipeline.model_request import ModelRequest
from pipeline.review.conversation import write_conversation
from pipeline.run import Run
from pipeline.sandbox import Case
from pipeline.task import Task
from pipeline.testcases.sample_calls import calls_by_annotation, read_calls

CALLS = 20
ASKED_FOR = 10  # by a small model; more are repetitions
_TOKENS = 160  # ten calls have a hundred; small models go on to any limit
CALLER = """\
TESTER. Write {n} calls of {function} that show how it behaves: ordinary, empty, smallest, \
largest, negative and repeated input. One call a line, with literal arguments; no results, nothing \
else."""


def write_prompt(task: Task, draft: Draft, function: str) -> list[Message]:
    """The general prompt; it goes on where the draft ended, as the judge's."""
    asked = CALLER.format(n=ASKED_FOR, function=function)
    return write_conversation(task, draft.as_said or draft.text, asked)


async def find_calls(
    run: Run, task: Task, drafts: Sequence[Draft], function: str
) -> tuple[Case, ...]:
    """At most CALLS; () where nobody can name one."""
    programs = [task.prompt, *(draft.text for draft in drafts)]
    made = await asyncio.to_thread(calls_by_annotation, programs, function, CALLS)
    return made or await _named(run, task, drafts[0], function)


async def _named(run: Run, task: Task, draft: Draft, function: str) -> tuple[Case, ...]:
    """A model that cannot be had names none."""
    question = ModelRequest(
        "coder",
        partial(write_prompt, draft=draft, function=function),
        {"task": task},
        label="calls",
        max_tokens=_TOKENS,
        general=True,
    )
    try:
        answer = await run.ask(question)
    except (ModelError, ContextTooLong):
        return ()
    return read_calls(answer.text, function)[:CALLS]
