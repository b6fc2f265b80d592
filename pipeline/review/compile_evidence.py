"""What a compiler says against a draft: types, names and syntax that it does not take."""

import asyncio
import re
from collections.abc import Sequence
from dataclasses import replace

from pipeline import sandbox
from pipeline.analysis.compilable import compilable, is_whole
from pipeline.analysis.compile_errors import CompileError, compile_errors
from pipeline.analysis.compile_surroundings import (
    has_main,
    has_own_code,
    is_for_another_compiler,
    is_for_others,
    is_meant,
    names_as_code,
    wants_several,
)
from pipeline.analysis.compiler_repairs import repaired
from pipeline.analysis.draft import Draft, DraftSource
from pipeline.analysis.evidence import Finding, named_language
from pipeline.analysis.grammar import GIVEN_UP, syntax_error
from pipeline.analysis.shown_types import with_shown_types
from pipeline.analysis.syntax_process import Unread
from pipeline.analysis.undefined_names import words_in
from pipeline.run import Run
from pipeline.sandbox import Outcome
from pipeline.step import Step
from pipeline.task import Task

COMPILE = "compile"  # the kind of what a compiler refuses
_ROUNDS = 3  # of repairs: what is put in may need more

_OF_CPP = re.compile(
    r"^[ \t]*#[ \t]*include[ \t]*(?:<\w+>|[<\"][^>\"\n]*\.(?:hh|hpp|hxx)\b)|\bstd::", re.MULTILINE
)


async def examine_compiled(run: Run, task: Task, draft: Draft, source: DraftSource) -> Draft:
    """The draft with what its compiler says against it, where this machine has one, and with the
    imports and the like in it that the compiler asks for. A package, a header or a newer compiler
    that is not here is no fault, nor is a name that the request's own code may define. Raises
    SandboxUnavailable."""
    if draft.language == "cpp" and named_language(task.prompt) == "c" and _is_c(draft.text):
        draft = replace(draft, language="c")  # as it is labelled it may be no program
    language = draft.language or ""
    if not sandbox.compiler_of(language):
        return draft
    try:
        if not await asyncio.to_thread(compilable, language, draft.text):
            return draft
        with run.step("sandbox", "compile") as step:
            async with asyncio.timeout_at(run.deadline):
                draft, errors = await _compiled(run, draft, step)
                if errors and await _compiles_as_shown(run, draft, task.prompt):
                    step.note, errors = "it compiles with the request's types", []
    except (TimeoutError, Unread):
        return draft
    if not errors:
        return draft
    if why := await asyncio.to_thread(_excuse, errors, task, draft):
        return replace(draft, unrun=why)
    fault = Finding(source, COMPILE, f"it does not compile: {errors[0]}")
    return replace(draft, findings=(fault,))


async def _compiles_as_shown(run: Run, draft: Draft, request: str) -> bool:
    """Whether it does with types that the request shows. Raises Unread and SandboxUnavailable."""
    language = draft.language or ""
    shown = with_shown_types(language, draft.text, request)
    if shown == draft.text:
        return False
    program = await asyncio.to_thread(compilable, language, shown)
    limits = sandbox.Limits.of(run.settings)
    outcomes = await sandbox.compile_program(language, program or shown, limits)
    return outcomes[-1].exit == 0


async def _compiled(run: Run, draft: Draft, step: Step) -> tuple[Draft, list[CompileError]]:
    """The draft, with what the compiler asks for where it compiles then, and its errors by the
    usual standard of the language; none where it is a program by any. Raises Unread and
    SandboxUnavailable."""
    language, text = draft.language or "", draft.text
    errors, put_in = list[CompileError](), list[str]()
    for _ in range(_ROUNDS):
        program = await asyncio.to_thread(compilable, language, text)
        limits = sandbox.Limits.of(run.settings)
        outcomes = await sandbox.compile_program(language, program or text, limits)
        if outcomes[-1].exit == 0:
            step.note = "it compiles"
            return replace(draft, text=text, put_in=(*draft.put_in, *put_in)), []
        errors = errors or compile_errors(language, _said(outcomes))
        if program != text:
            break  # the compiler's places are those of another text
        text, pieces = repaired(language, text, _said(outcomes))
        if not pieces:
            break
        put_in += pieces
    step.note = str(errors[0]) if errors else f"the compiler did not end: {outcomes[0].ended}"
    return draft, errors


def _said(outcomes: Sequence[Outcome]) -> str:
    return outcomes[0].stdout + outcomes[0].stderr


def _excuse(errors: Sequence[CompileError], task: Task, draft: Draft) -> str:
    """Which of the errors may be due to the surroundings; "" where none is. What follows from it
    cannot be told from a mistake."""
    language, text, said = draft.language or "", draft.text, f"{task.said}\n{task.context}"
    is_part = not (is_whole(language, text) or _is_broken(draft))
    if is_part or is_for_another_compiler(said, text):
        return str(errors[0])
    is_alone = "\n" not in said.strip() and has_main(text)
    known = names_as_code(said) if is_alone else words_in(said)  # code that it may go with
    is_of_more, are_several = has_own_code(task.said), wants_several(task.said)
    for error in errors:
        name = error.name
        is_known = name and (is_of_more or name in known or is_for_others(name, text))
        is_note = name and f"@{name}" in text
        is_version = error.is_twice and are_several
        if error.is_elsewhere or is_note or is_known or is_version or is_meant(text, error.line):
            return str(error)
    return ""


def _is_c(text: str) -> bool:
    """Whether it has the headers of C alone."""
    return "#include" in text and not _OF_CPP.search(text)


def _is_broken(draft: Draft) -> bool:
    """Whether it is no text of its language at all, whatever stands around it."""
    error = syntax_error(draft.language or "", draft.text)
    return error is not None and error != GIVEN_UP
