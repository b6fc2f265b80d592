"""Examples in words that no rule reads ("Merging [1, 3] and [2] gives [1, 2, 3]"): the coder's
model copies them as tests, and what does not stand in the request is left out.

A model may pair the wrong values, so these examples are no evidence: the first draft that holds all
of them is the answer; where none does, that is told, and the drafts are compared."""

import asyncio
from dataclasses import replace

from pipeline.analysis.code_extraction import drop_thinking
from pipeline.errors import ContextTooLong, ModelError
from pipeline.model import Message
from pipeline.model_request import ModelRequest
from pipeline.review import coder
from pipeline.review.tester import TOKENS_EACH, is_called, read_tests
from pipeline.run import Run
from pipeline.task import Task
from pipeline.testcases.entry_point import function_of
from pipeline.testcases.example_search import find_examples
from pipeline.testcases.grounded_examples import begun_call, grounded, most_examples
from pipeline.testcases.suite import Suite

_LONGEST = 100  # tokens of a value
HOLD = "the examples hold that a model reads in the request"
UNHELD = "no draft holds all examples that a model reads in the request"
# As the tester's, numbered: a small model goes on to any limit.
ASKED = """\
Do not write the code. Copy the examples that the request states as tests, a line each and \
numbered: 1. assert {function}(<input>) == <result>
Only inputs and results that stand in the request as they are. Only the lines:"""


def write_prompt(task: Task, function: str) -> list[Message]:
    """The coder's own, up to what is asked for: its backend has read that."""
    return coder.write_prompt(task, ASKED.format(function=function))


async def read_examples(run: Run, task: Task, program: str, function: str) -> Suite:
    """The request's examples as tests of the program's function; none of what is not called by a
    name, where the model copies none, and where none can be had."""
    asked = replace(find_examples(task.prompt), function=function)
    if not is_called(asked):
        return Suite()
    most = most_examples(task.prompt, function)
    question = ModelRequest(
        "coder",
        write_prompt,
        {"task": task, "function": function},
        label="examples",
        max_tokens=_LONGEST + most * TOKENS_EACH,
        general=True,
        think=False,
        begun=f"1. assert {begun_call(task.prompt, function, _parameters(program, function))}",
        stop=(f"\n{most + 1}.",),
    )
    try:
        answer = await run.ask(question)
    except (ModelError, ContextTooLong):
        return Suite()
    copied = read_tests(drop_thinking(answer.text)).cases
    own = [replace(case, function="") for case in copied if case.function == function]
    return replace(asked, cases=await asyncio.to_thread(grounded, own, task.prompt))


def _parameters(program: str, function: str) -> int | None:
    found = function_of(program, function)
    return None if found is None or found.args.vararg else len(found.args.args)
