"""Evidence from what a program prints, where the request shows the table or array that is to come
and asks for no function. Nothing speaks against one that prints another: it may have other data."""

import asyncio
from dataclasses import replace

from pipeline.analysis.draft import Draft
from pipeline.review.agreement import AS_PROGRAM, is_program
from pipeline.review.called_examples import HOLD
from pipeline.run import Run
from pipeline.sandbox import Limits, run_case
from pipeline.testcases.examples.printed_tables import UNREAD
from pipeline.testcases.examples.table_results import prints, result_shown, shows_several


async def with_printed_result(run: Run, request: str, draft: Draft) -> Draft:
    """The draft, decided if it prints that; told of tables that say nothing of it. Raises
    SandboxUnavailable."""
    if draft.fault or draft.decided or draft.unrun:
        return draft
    wanted = await asyncio.to_thread(result_shown, request, draft.text)
    if wanted is None or not await asyncio.to_thread(is_program, draft.text):
        is_unread = await asyncio.to_thread(shows_several, request, draft.text)
        return replace(draft, unread=UNREAD) if is_unread else draft
    with run.step("sandbox", "evidence") as step:
        try:
            async with asyncio.timeout_at(run.deadline):
                ran = await run_case(draft.text, AS_PROGRAM, Limits.of_calls(run.settings))
        except TimeoutError:
            return draft
        hold = ran.gave and await asyncio.to_thread(prints, wanted, draft.text, ran.value)
        step.note = f"it {'prints' if hold else 'does not print'} the result that the request shows"
    return replace(draft, decided=HOLD, facts=step.note) if hold else draft
