"""Runs of a program with input of the form that the request describes, and whether one that holds
the examples falls over them: an example or two are small, and say nothing of large values."""

import asyncio
import re
from collections.abc import Sequence
from itertools import islice

from pipeline.analysis.draft import Draft
from pipeline.review.agreement import results_of
from pipeline.run import Run
from pipeline.sandbox import ANY_VALUE, Arguments, Case, CaseResult
from pipeline.task import Task
from pipeline.testcases.examples.example_search import find_examples
from pipeline.testcases.inputs.described_input import inputs_described
from pipeline.testcases.inputs.input_match import matches
from pipeline.testcases.inputs.input_shapes import Input
from pipeline.testcases.program_runs import numbers_shown, reads_input_alone

_TRIED, _TRIED_OF_JAVA = 16, 6
# What a sandbox has less of than others, and what the request rules out in words.
_OF_SANDBOX = re.compile(r"\btime|does not end|without end|MemoryError", re.IGNORECASE)
_PROMISED = re.compile(
    r"\bguarantee|\balways\b|\bat least one\b|\bassume\b|\bvalid\b|\bnever\b|\bgarantiert"
    r"|\bimmer\b|\bfits?\b|\boverflow",
    re.IGNORECASE,
)
_TRAPPED = re.compile(r"\bsignal 6\b")  # by `-ftrapv`
_LONGEST = 120  # characters of an input that is shown


def described_forms(program: str, request: str) -> tuple[Input, ...]:
    """The forms of input that the request may mean, the likelier ones first; () where it describes
    none that is understood, or has examples of another one, or the program reads none."""
    if not reads_input_alone(program):
        return ()
    samples = [case.stdin for case in find_examples(request).cases if case.stdin]
    forms = inputs_described(request)
    return tuple(form for form in forms if all(matches(form, sample) for sample in samples))


def runs_of_form(form: Input, request: str, n: int) -> tuple[Case, ...]:
    """`n` runs with input of it, the same for the same request."""
    texts = enumerate(_texts(form, [*map(int, numbers_shown(request))], n), 1)
    return tuple(
        Case(Arguments(), ANY_VALUE, name=f"run {number}", stdin=given) for number, given in texts
    )


def _texts(form: Input, constants: Sequence[int], n: int) -> list[str]:
    made = (form.written(str(number), constants) for number in range(3 * n))
    return list(islice(filter(None, dict.fromkeys(made)), n))


async def fall_over_input(run: Run, task: Task, draft: Draft) -> str | None:
    """What it ends with for which input where a sum is too large for its type, which the sizes of
    the values tell; "" where it raises something else, which may come of a word that was not read.
    None where it raises nothing, or answers less than half: then the form is misunderstood. Raises
    SandboxUnavailable."""
    if _PROMISED.search(task.prompt):
        return None
    language = draft.language or ""
    n = _TRIED_OF_JAVA if language == "java" else _TRIED
    forms = await asyncio.to_thread(described_forms, draft.text, task.prompt)
    bounded = [form for form in forms if form.is_bounded]  # no other value has to be answered
    if not bounded:
        return None
    runs = await asyncio.to_thread(runs_of_form, bounded[0], task.prompt, n)
    with run.step("sandbox", "other input") as step:
        results = await results_of(run, draft.text, runs, "", language)
        raised = [each for each in results if each.raised and not _OF_SANDBOX.search(each.error)]
        step.note = f"it raises in {len(raised)} of {len(results)} runs"
    if not raised or sum(each.gave for each in results) * 2 < len(results):
        return None
    trapped = [each for each in raised if _TRAPPED.search(each.error)]
    return _said(min(trapped, key=lambda each: len(each.case.stdin or ""))) if trapped else ""


def _said(result: CaseResult) -> str:
    given = repr(result.case.stdin or "")
    shown = given if len(given) <= _LONGEST else f"{given[:_LONGEST]}…"
    why = "as where a sum is too large for its type"
    return f"for the input {shown} it ends with {result.error}, {why}"
