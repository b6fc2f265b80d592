"""The reviewer, when tests fail: request, code and failures → better code."""

from functools import partial

from pipeline.analysis.draft import Draft, read_draft
from pipeline.code_output import ask_draft
from pipeline.model import Message
from pipeline.model_request import ModelRequest
from pipeline.prompts import EARLIER_WORK, messages, sections, with_preferences
from pipeline.run import Run
from pipeline.task import Task
from pipeline.testcases.suite import Suite
from pipeline.tested.coder_contract import contract

INSTRUCTIONS = """\
You repair code in an automated pipeline. Your answer is saved to a file and run as it is.
The code was run and some of its tests failed. Find the cause of each failure in the code and put \
it right for every input of that kind; never handle a test's input as a special case. What passes \
must go on passing. Examples of the user are certainly right.
If the code is beyond repair, write it anew in another way.
Return ONLY the complete final code: no commentary, no Markdown fences, no diff."""


def write_prompt(task: Task, draft: str, reason: str, suite: Suite, failures: str) -> list[Message]:
    parts = [
        (EARLIER_WORK, task.context),
        ("User request", task.request),
        ("What the code has to define", contract(suite)),
        ("Code", draft or "(there is none yet)"),
        (f"Failing tests ({reason})", failures),
    ]
    rules = with_preferences(INSTRUCTIONS, task.shared_preferences)
    return messages(rules, f"{sections(parts)}\n\nThe complete final code:")


async def repair(
    run: Run, task: Task, draft: Draft, suite: Suite, reason: str, failures: str, *, round: int
) -> Draft:
    """A repaired draft. An empty answer is a draft with that finding; raises ModelError and
    ContextTooLong."""
    question = ModelRequest(
        "reviewer",
        partial(write_prompt, suite=suite, failures=failures),
        {"task": task, "draft": draft.text, "reason": reason},
        label="repair",
        round=round,
    )
    read = partial(read_draft, "reviewer", request=task.prompt, language=task.language)
    return await ask_draft(run, question, read)
