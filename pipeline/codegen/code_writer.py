"""The coder of a code generation: writes the code, and in a call of its own the tests."""

from functools import partial

from pipeline.analysis.draft import Draft
from pipeline.analysis.languages import title
from pipeline.code_output import ask_draft
from pipeline.codegen.code_facts import read_code
from pipeline.codegen.code_task import CodeTask
from pipeline.codegen.request_types import KINDS
from pipeline.model import Message
from pipeline.model_request import ModelRequest
from pipeline.prompts import messages
from pipeline.run import Run

INSTRUCTIONS = """\
You are the coder of an automated pipeline. Your answer is saved to a file and used as it is.
Output ONLY {language} code: no explanations, no greeting, no Markdown fences.
{rules}
Do what the request asks and nothing beyond it. If it names a function, class or file, use exactly \
that. Say what has to be said to the reader in short comments inside the code."""


def write_prompt(
    task: CodeTask, before: Draft | None = None, faults: str = "", wanted: str = ""
) -> list[Message]:
    """`before` is the attempt that has to be bettered, and `faults` what was found wrong with
    it. `wanted`: what else is asked for, said last."""
    language = title(task.spoken)
    system = INSTRUCTIONS.format(language=language, rules=task.kind.rules)
    parts = []
    if task.context:
        parts.append(
            "Requests that were solved before and resemble this one; take from them what fits and "
            f"nothing else:\n\n{task.context}"
        )
    parts.append(f"The request:\n{task.request}" if task.context else task.request)
    if before:
        parts.append(
            f"An earlier attempt:\n{before.text or '(it was empty)'}\n\n"
            f"What was found wrong with it:\n{faults}\n\nWrite it again without these faults."
        )
    return messages(system, "\n\n".join([*parts, *filter(None, [wanted])]))


def write_tests_prompt(task: CodeTask, code: str) -> list[Message]:
    language = title(task.spoken)
    system = INSTRUCTIONS.format(language=language, rules=KINDS["test"].rules)
    body = f"{task.request}\n\nThe code that was written for it:\n{code}\n\nThe tests:"
    return messages(system, body)


async def write_tests(run: Run, task: CodeTask, code: str) -> Draft:
    """Tests for finished code, as raw code. Raises ModelError and ContextTooLong."""
    question = ModelRequest(
        "coder",
        write_tests_prompt,
        {"task": task, "code": code},
        label="tests",
        general=True,
    )
    return await ask_draft(run, question, partial(read_code, "coder", task.for_tests()))
