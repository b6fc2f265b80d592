"""Evidence for requests that change code. What it did tells what the draft has to do where only how
it is written is to change; else what gave a value must not crash."""

import ast
import asyncio
from dataclasses import replace

from pipeline.analysis.draft import Draft, DraftSource
from pipeline.analysis.evidence import Finding
from pipeline.analysis.python_syntax import parse
from pipeline.given_code import split_code
from pipeline.review.edit_intent import (
    excused_crashes,
    keeps_results,
    may_keep_results,
    may_raise,
    wants_no_recursion,
)
from pipeline.review.last_answer import answered_in, python_of
from pipeline.review.original_comparison import Original, kept, new_crash
from pipeline.run import Run
from pipeline.task import Task


def original_of(task: Task) -> Original | None:
    """The code that is to do what it did, in the request or the last answer; None where there is
    none, or something else is wanted as well."""
    said = task.prompt
    if not may_keep_results(said):
        return None
    if (given := split_code(task.prompt)).code:
        said, code, language = given.request, given.code, given.language
    elif task.talk:
        code, language = task.talk[-1].answer, answered_in(task.talk[-1])
    else:
        return None
    return Original(code, language, task.prompt) if language and keeps_results(said) else None


def recursive_function(code: str) -> str:
    """The first function of Python that calls itself by its name; "" where there is none."""
    tree = parse(code)
    for node in ast.walk(tree) if tree else ():
        if isinstance(node, ast.FunctionDef):
            called = (each.func for each in ast.walk(node) if isinstance(each, ast.Call))
            if any(isinstance(each, ast.Name) and each.id == node.name for each in called):
                return node.name
    return ""


async def held_against_original(run: Run, task: Task, draft: Draft, source: DraftSource) -> Draft:
    """The draft with what it does otherwise than the code that it is made of, and must not; where
    it is to do the same and nothing differs, that decides."""
    original = await asyncio.to_thread(original_of, task)
    if not original:
        return await _held_against_last(run, task, draft, source)
    if original.language != draft.language:
        return draft
    is_to_go = wants_no_recursion(task.prompt)
    if is_to_go and (name := await asyncio.to_thread(recursive_function, draft.text)):
        return replace(draft, findings=(Finding(source, "unchanged", f"{name} calls itself"),))
    came = await kept(run, original, draft.text)
    if came.difference:
        return replace(draft, findings=(Finding(source, "differs", came.difference),))
    if not came.is_enough:
        return draft
    return replace(draft, decided=f"it does what the original code did, in {came.calls} calls")


async def _held_against_last(run: Run, task: Task, draft: Draft, source: DraftSource) -> Draft:
    """Python that changes a chat's last answer in any other way."""
    if not task.talk or draft.language != "python" or may_raise(task.prompt):
        return draft
    if not (last := await asyncio.to_thread(python_of, task.talk)):
        return draft
    said = "\n".join([*(each.request for each in task.talk), task.prompt])
    original = Original(last, "python", said)
    crash = await new_crash(run, original, draft.text, excused_crashes(task.prompt))
    return replace(draft, findings=(Finding(source, "crash", crash),)) if crash else draft
