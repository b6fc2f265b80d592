"""Examples in words that no rule reads ("Merging [1, 3] and [2] gives [1, 2, 3]"): the coder's
model copies them as tests, and what does not stand in the request is left out.

What drafts do with them is in `held_examples.py`."""

import asyncio
from dataclasses import replace

from pipeline.analysis.code_extraction import drop_thinking
from pipeline.errors import ContextTooLong, ModelError
from pipeline.model import Message
from pipeline.model_request import ModelRequest
from pipeline.review.conversation import write_conversation
from pipeline.review.tester import TOKENS_EACH, is_called, read_tests
from pipeline.run import Run
from pipeline.sandbox.testcase import Case
from pipeline.task import Task
from pipeline.testcases.entry_point import Takes, function_of, taken_by
from pipeline.testcases.examples.example_search import find_examples
from pipeline.testcases.examples.grounded_examples import begun_call, grounded, most_examples
from pipeline.testcases.suite import Suite

_LONGEST = 100  # tokens of a value
# As the tester's, numbered: a small model goes on to any limit.
ASKED = """\
Do not write the code. Copy the examples that the request states as tests, a line each and \
numbered: 1. assert {function}(<input>) == <result>
Only inputs and results that stand in the request as they are. Only the lines:"""


def write_prompt(task: Task, function: str) -> list[Message]:
    """The coder's own, up to what is asked for: its backend has read that."""
    return write_conversation(task, instead=ASKED.format(function=function))


async def read_examples(run: Run, task: Task, program: str, function: str) -> Suite:
    """The request's examples as tests of the program's function; none of what is not called by a
    name, where the model copies none, and where none can be had."""
    asked = replace(find_examples(task.prompt), function=function)
    if not is_called(asked):
        return Suite()
    takes = _takes(asked, program)
    if takes[1] == 0:
        return Suite()
    most = await asyncio.to_thread(most_examples, task.prompt, function)
    call = await asyncio.to_thread(begun_call, task.prompt, function, _exactly(takes))
    question = ModelRequest(
        "coder",
        write_prompt,
        {"task": task, "function": function},
        label="examples",
        max_tokens=_LONGEST + most * TOKENS_EACH,
        general=True,
        think=False,
        begun=f"1. assert {call}",
        stop=(f"\n{most + 1}.",),
    )
    try:
        answer = await run.ask(question)
    except (ModelError, ContextTooLong):
        return Suite()
    copied = read_tests(drop_thinking(answer.text)).cases
    own = [
        replace(case, function="")
        for case in copied
        if case.function == function and _fits(case, takes)
    ]
    return replace(asked, cases=await asyncio.to_thread(grounded, own, task.prompt))


def _takes(asked: Suite, program: str) -> Takes:
    """As the head says that the request has, else the program's."""
    head = f"def {asked.signature}: ..." if asked.signature else program
    found = function_of(head, asked.function) or function_of(program, asked.function)
    return taken_by(found) if found else (0, None)


def _exactly(takes: Takes) -> int | None:
    least, most = takes
    return least if least == most else None


def _fits(case: Case, takes: Takes) -> bool:
    """Whether a call may give so many: what else the model wrote is of another function."""
    given, (least, most) = len(case.arguments.args) + len(case.arguments.kwargs), takes
    return least <= given and (most is None or given <= most)
