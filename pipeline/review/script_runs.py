"""A draft in JavaScript or TypeScript, run with lines below it that tell what comes."""

import asyncio
import json
from typing import Any

from pipeline import sandbox
from pipeline.analysis.draft import Draft
from pipeline.run import Run
from pipeline.sandbox.node_programs import NotRunnable, javascript_of, node_file


async def javascript_text(draft: Draft) -> str:
    """The draft's; "" where its types cannot be taken out."""
    if draft.language != "typescript":
        return draft.text
    try:
        return await javascript_of(draft.text)
    except NotRunnable:
        return ""


async def told_by(run: Run, text: str, mark: str) -> list[dict[str, Any]]:
    """What the program tells, an object of JSON behind `mark` on a line; less, where the time is up
    or it ends before. Raises SandboxUnavailable."""
    file, limits = node_file(text), sandbox.Limits.of_calls(run.settings)
    try:
        async with asyncio.timeout_at(run.deadline):
            outcome = await sandbox.run({file: text}, ["node", file], limits)
    except TimeoutError:
        return []
    lines = (each.partition(mark) for each in outcome.stdout.splitlines())
    try:
        told = [json.loads(said) for _, own, said in lines if own]
    except (ValueError, RecursionError):
        return []
    return [each for each in told if isinstance(each, dict)]
