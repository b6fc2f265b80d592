"""The test generator in the default flow: tests of the request, written before its code, and what
they say of a draft (GENERATED_TESTS).

A model wrote them, so they may be wrong: what fails is told to the judge, and escalates by the
judge's word alone. Examples of the request are evidence already.
"""

import asyncio
from dataclasses import replace
from weakref import WeakKeyDictionary

from pipeline.analysis.draft import Draft, DraftSource
from pipeline.analysis.evidence import named_language
from pipeline.review.draft_evidence import may_run
from pipeline.review.tester import write_tests
from pipeline.run import Run
from pipeline.task import Task
from pipeline.testcases.case_runner import CaseRunner, can_run
from pipeline.testcases.examples.example_search import find_examples
from pipeline.testcases.suite import Suite
from pipeline.testcases.tested_draft import TestedDraft

WRITTEN = "Tests that a model wrote for the request, which may be wrong themselves:"
_SUITES: WeakKeyDictionary[Run, Suite] = WeakKeyDictionary()


async def write_suite(run: Run, task: Task) -> Task:
    """The task as it is; its tests wait for a draft."""
    examples = await asyncio.to_thread(find_examples, task.prompt)
    language = task.language or named_language(task.prompt) or "python"
    programs = examples.program or not examples.cases
    if can_run(language, programs=programs) and await may_run(run):
        suite = await write_tests(run, task, examples)
        written = tuple(case for case in suite.cases if not case.anchor)
        _SUITES[run] = replace(suite, cases=written)
    return task


async def run_suite(run: Run, task: Task, draft: Draft, source: DraftSource) -> Draft:
    """The draft with what the tests say of it, as a fact for the judge."""
    suite, language = _SUITES.get(run, Suite()), draft.language or "python"
    if not suite.cases or draft.fault or not can_run(language, programs=suite.program):
        return draft
    tried = TestedDraft(draft, source)
    tried = await CaseRunner(run, suite, language).attempt(tried, label="generated tests")
    failing = tried.findings(suite)
    run.add_evidence(failing)
    _keep(run, tried, suite)
    facts = f"{draft.facts}\n{WRITTEN}\n{tried.facts(suite)}".strip()
    return replace(draft, facts=facts, decided="" if failing else draft.decided)


def _keep(run: Run, tried: TestedDraft, suite: Suite) -> None:
    """The record's artefact has the tests of both texts."""
    text = "draft" if tried.source == "coder" else "review"
    rows = [
        {"text": text} | result.case.as_json() | result.as_json() for result in tried.results(suite)
    ]
    known = run.facts.artefact or {}
    rows = [*known.get("generated_tests", ()), *rows]
    run.keep(artefact={**known, "generated_tests": rows})
