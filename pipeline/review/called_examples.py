"""The request's examples of a function in a typed language: it is called as they say, and what
comes is compared as far as it is plain data."""

import asyncio
import json
import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

from pipeline.analysis.compilable import wholes
from pipeline.analysis.draft import Draft, DraftSource
from pipeline.analysis.evidence import Finding
from pipeline.analysis.python_syntax import read_literal
from pipeline.analysis.signatures.call_signatures import entry_among, signatures
from pipeline.analysis.syntax_process import Unread
from pipeline.review.compiled_calls import results_of_calls
from pipeline.run import Run
from pipeline.sandbox import Case, CaseResult, Raises
from pipeline.task import Task
from pipeline.testcases.call_slots import slots_of
from pipeline.testcases.linked_calls import CIRCULAR, takes_nodes
from pipeline.testcases.linked_values import read_shown
from pipeline.testcases.suite import Suite
from pipeline.testcases.tested_draft import TestedDraft
from pipeline.testcases.typed_calls import called_in

HOLD = "the request's examples pass"
_AROUND = re.compile(r"(?:Ok|Some)\((.*)\)", re.DOTALL)
# Or called, but for an object's; TypeScript's constants are functions, too.
_DEFINED = r"(?<![.\w>]){0}[ \t]*(?:<[^(){{}}\n]*>)?[ \t]*\(|\bconst[ \t]+{0}\b"
_NONE = ("None", "null", "NULL", "nil", "<nil>")


async def with_called_examples(
    run: Run, task: Task, draft: Draft, source: DraftSource, suite: Suite
) -> Draft:
    """The draft with the examples that fail, or without the function that they name; decided, where
    all hold. Those that the function does not take, or of which no plain data comes, say nothing.
    Raises SandboxUnavailable."""
    plain = (case for case in suite.cases if case.stdin is None and not case.session)
    cases = (*plain, *(() if CIRCULAR.search(task.prompt) else suite.linked))
    if not cases:
        return draft
    word = re.escape(suite.function.rpartition(".")[2])
    if word and not re.search(_DEFINED.format(word), draft.text):
        lacks = f"it does not define {suite.function}"
        return replace(draft, findings=(Finding(source, "import", lacks),))
    language = draft.language or ""
    name = await asyncio.to_thread(called_in, language, draft.text, suite.function, task.prompt)
    if language == "typescript" and not await asyncio.to_thread(_takes_nodes, draft, name, task):
        return draft
    with run.step("sandbox", "evidence") as step:
        results = await results_of_calls(run, language, draft.text, cases, name)
        known = {each.case.name: each for each in _known(results)}
        known_cases = tuple(case for case in cases if case.name in known)
        suite = replace(suite, function=suite.function or name, cases=known_cases)
        tried = TestedDraft(draft, source, known)
        failing = tuple(tried.findings(suite))
        step.note = f"{len(known) - len(failing)} of {len(known)} tests pass"
    if not known:
        return draft
    hold = not failing and any(not case.is_of_nothing for case in suite.cases)
    facts = tried.facts(suite)
    return replace(draft, findings=failing, facts=facts, decided=HOLD if hold else "")


def _takes_nodes(draft: Draft, name: str, task: Task) -> bool:
    """Whether it is known to: TypeScript's engine takes lists in their place, too."""
    with suppress(Unread):
        for whole in wholes("typescript", draft.text, task.prompt):
            found = entry_among(signatures("typescript", whole), name, task.prompt)
            slots = slots_of("typescript", found) if found else None
            if slots and takes_nodes(slots):
                return True
    return False


def _known(results: Sequence[CaseResult]) -> list[CaseResult]:
    """Those that can be compared."""
    values = (
        (each, _linked(_plain(each.value), each.case.expected))
        for each in results
        if each.came == "returned"
    )
    given = [replace(each, value=value) for each, value in values if _is_like(value, each.case)]
    crashed = [each for each in results if each.came == "raised" and not _raises(each.case)]
    return given + crashed


def _plain(shown: Any) -> Any:
    """`[1, 2]`, `Some("a")`, `true` → the value; as it is, where it is none of these."""
    text = str(shown).strip()
    if found := _AROUND.fullmatch(text):
        text = found[1]
    if text in _NONE:
        return None
    for read in (json.loads, read_literal):
        try:
            return read(text)
        except (ValueError, RecursionError):
            continue
    return shown


def _linked(value: Any, expected: Any) -> Any:
    """The values of nodes, where a list is expected: of one that has no other `5` is the first."""
    if not isinstance(expected, list) or isinstance(value, list):
        return value
    return [] if value is None else read_shown(str(value)) or value


def _is_like(value: Any, case: Case) -> bool:
    """Whether it is of the same kind as what is expected: a text in place of a list may be its
    language's way to write one."""
    if _raises(case):
        return False
    numbers = (int, float)
    if isinstance(value, numbers) and isinstance(case.expected, numbers):
        return isinstance(value, bool) == isinstance(case.expected, bool)
    return type(value) is type(case.expected) or value is None


def _raises(case: Case) -> bool:
    return isinstance(case.expected, Raises)
