"""The coder, when there are tests: request and tests → code."""

from functools import partial

from pipeline.draft import Draft, read_draft
from pipeline.errors import EmptyAnswer
from pipeline.models.base import Message
from pipeline.question import Question
from pipeline.run import Run
from pipeline.stages import coder
from pipeline.task import Task
from pipeline.testing.entry import DEFAULT_FUNCTION
from pipeline.testing.testcase import Suite

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
    temperature: float | None = None,
) -> Draft:
    """A new draft. `suite` is what the coder is shown of the tests. An empty answer is a draft with
    that finding; raises ModelError and ContextTooLong."""
    question = Question(
        "coder",
        partial(write_prompt, suite=suite),
        {"task": task},
        label=label,
        round=round,
        temperature=temperature,
    )
    try:
        answer = await run.ask(question)
    except EmptyAnswer:
        return read_draft("coder", "", task.prompt)
    draft = read_draft("coder", answer.text, task.prompt, task.language, truncated=answer.truncated)
    answer.used_as(draft.text)
    return draft
