"""The reviewer, when tests fail: request, code and failures → better code."""

from functools import partial

from pipeline.draft import Draft, read_draft
from pipeline.errors import EmptyAnswer
from pipeline.models.base import Message
from pipeline.question import Question
from pipeline.run import Run
from pipeline.stages.implementer import contract
from pipeline.task import Task
from pipeline.testing.testcase import Suite

INSTRUCTIONS = """\
You repair code in an automated pipeline. Your answer is saved to a file and run as it is.
The code was run and some of its tests failed. Find the cause of each failure in the code and put \
it right for every input of that kind; never handle a test's input as a special case. What passes \
must go on passing. Examples of the user are certainly right.
If the code is beyond repair, write it anew in another way.
Return ONLY the complete final code: no commentary, no Markdown fences, no diff."""


def write_prompt(task: Task, draft: str, reason: str, suite: Suite, failures: str) -> list[Message]:
    parts = [
        ("Earlier work that the request may refer to", task.context),
        ("User request", task.request),
        ("What the code has to define", contract(suite)),
        ("Code", draft or "(there is none yet)"),
        (f"Failing tests ({reason})", failures),
    ]
    system = INSTRUCTIONS
    if task.preferences:
        system += (
            f"\n\nThe user's preferences, as far as they fit the rules above:\n{task.preferences}"
        )
    body = "\n\n".join(f"{title}:\n{text}" for title, text in parts if text)
    return [
        {"role": "system", "content": system},
        {"role": "user", "content": f"{body}\n\nThe complete final code:"},
    ]


async def repair(
    run: Run, task: Task, draft: Draft, suite: Suite, reason: str, failures: str, *, round: int
) -> Draft:
    """A repaired draft. An empty answer is a draft with that finding; raises ModelError and
    ContextTooLong."""
    question = Question(
        "reviewer",
        partial(write_prompt, suite=suite, failures=failures),
        {"task": task, "draft": draft.text, "reason": reason},
        label="repair",
        round=round,
    )
    try:
        answer = await run.ask(question)
    except EmptyAnswer:
        return read_draft("reviewer", "", task.prompt)
    repaired = read_draft(
        "reviewer", answer.text, task.prompt, task.language, truncated=answer.truncated
    )
    answer.used_as(repaired.text)
    return repaired
