"""The coder of a code generation: writes the code once more, and in a call of its own the tests."""

from functools import partial

from pipeline.analysis.draft import Draft
from pipeline.code_output import ask_draft
from pipeline.codegen.code_facts import read_code
from pipeline.codegen.code_task import CodeTask
from pipeline.model import Message
from pipeline.model_request import ModelRequest
from pipeline.prompts import messages
from pipeline.run import Run


def wanted_again(before: Draft, faults: str) -> str:
    """What is said behind the request where an attempt has to be bettered. `faults`: what was found
    wrong with it."""
    return (
        f"An earlier attempt:\n{before.text or '(it was empty)'}\n\n"
        f"What was found wrong with it:\n{faults}\n\nWrite it again without these faults."
    )


def write_tests_prompt(task: CodeTask, code: str) -> list[Message]:
    body = f"{task.request}\n\nThe code that was written for it:\n{code}\n\nThe tests:"
    return messages(task.for_tests().coder_rules, body)


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
