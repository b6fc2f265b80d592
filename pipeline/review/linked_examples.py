"""Examples whose lists may stand for linked nodes, as the draft takes them."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace

from pipeline.analysis.draft import Draft
from pipeline.analysis.shown_classes import before_code
from pipeline.review.agreement import results_of
from pipeline.run import Run
from pipeline.sandbox import Case, CaseResult
from pipeline.testcases.entry_point import entry_of
from pipeline.testcases.node_examples import examples_of_nodes
from pipeline.testcases.node_sessions import nodes_taken
from pipeline.testcases.suite import Suite


def with_linked(draft: Draft, suite: Suite, request: str) -> Suite:
    """With the examples of linked nodes that the draft can be asked."""
    return replace(suite, cases=(*suite.cases, *_of_nodes(draft, suite, suite.linked, request)))


def _of_nodes(draft: Draft, suite: Suite, cases: Sequence[Case], request: str) -> tuple[Case, ...]:
    """The cases, if the lists in them stand for the nodes that the draft's function takes."""
    program = before_code(draft.text, request)
    taken = nodes_taken(program, entry_of(draft.text, suite.function))
    return examples_of_nodes(program, taken, cases, request) if taken else ()


async def as_other_lists(
    run: Run, draft: Draft, suite: Suite, results: Sequence[CaseResult], request: str
) -> list[CaseResult]:
    """Of examples that fail: what comes where their lists stand for linked nodes, or for none."""
    failed = [each.case for each in results if not each.passed]
    called = [each for each in failed if each.kind == "call" and not each.function]
    others = list(await asyncio.to_thread(_of_nodes, draft, suite, called, request))
    linked = {each.name: each for each in suite.linked}
    others += [linked[each.name] for each in failed if each.session and each.name in linked]
    if not others:
        return []
    function = entry_of(draft.text, suite.function)
    came = await results_of(run, draft.text, others, function)
    return [each for each in came if each.passed]
