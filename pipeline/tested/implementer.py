"""The coder, when there are tests: request and tests → code."""

from functools import partial

from pipeline.analysis.draft import Draft, read_draft
from pipeline.code_output import ask_draft
from pipeline.model import Message
from pipeline.model_request import ModelRequest
from pipeline.review import coder
from pipeline.run import Run
from pipeline.sampling import GREEDY
from pipeline.task import Task
from pipeline.testcases.entry_point import DEFAULT_FUNCTION
from pipeline.testcases.suite import Suite

SHOWN_TESTS = 30


def write_prompt(task: Task, suite: Suite) -> list[Message]:
    """The coder's prompt with what will be tested behind it."""
    messages = coder.write_prompt(task)
    messages[-1]["content"] += f"\n\n{contract(suite)}"
    if suite.cases:
        tests = "\n".join(f"- {suite.described(case)}" for case in suite.cases[:SHOWN_TESTS])
        messages[-1]["content"] += (
            "\n\nIt will be tested with these and other cases. Solve the problem, not the cases:\n"
            + tests
        )
    return messages


def contract(suite: Suite) -> str:
    """What the code has to define."""
    if suite.program:
        return "Write a program that reads standard input and prints its answer, nothing else."
    name = suite.function or DEFAULT_FUNCTION
    return (
        f"Define {suite.signature or name} at the top level, under exactly that name. Importing "
        "the file must do nothing else. Where it is tested there is the standard library alone."
    )


async def implement(
    run: Run,
    task: Task,
    suite: Suite,
    *,
    label: str = "",
    round: int = 1,
    temperature: float = GREEDY,
) -> Draft:
    """A new draft. `suite` is what the coder is shown of the tests. An empty answer is a draft with
    that finding; raises ModelError and ContextTooLong."""
    question = ModelRequest(
        "coder",
        partial(write_prompt, suite=suite),
        {"task": task},
        label=label,
        round=round,
        temperature=temperature,
    )
    read = partial(read_draft, "coder", request=task.prompt, language=task.language)
    return await ask_draft(run, question, read)
