"""The flows of `code_reviewed` and `code_raw` for callers that offer tools. They have no rows of
their own in the table of modes: the names are the same, the flows are others."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from config import Settings
from pipeline.agents.agent_task import AgentTask
from pipeline.agents.agent_turn import AgentTurn, ask_turn
from pipeline.agents.code_answer import is_code_answer
from pipeline.agents.held_back import LookedAt, judged, look_at, told
from pipeline.agents.known_files import KnownFiles, files_of
from pipeline.analysis.draft import read_draft
from pipeline.errors import ContextTooLong, ModelError
from pipeline.modes import DEFAULT_MODE, MODES, Mode
from pipeline.review.draft_evidence import examine
from pipeline.review.flow import judge_and_review
from pipeline.run import Run
from pipeline.task import Result

RAW = "code_raw"
TEXT = "text"
TAKING_TOOLS = (DEFAULT_MODE, RAW)
"""The modes in which tools pass through. In the others they are left out, as a chat has none."""


def agent_row(mode: str, settings: Settings) -> Mode | None:
    """The mode's row for a caller with tools, None where it takes none."""
    if mode not in TAKING_TOOLS:
        return None
    if mode == RAW or settings.AGENT_REVIEW == "off":
        return replace(MODES[mode], flow=plain_turn, verbatim=True, roles=("coder",))
    return replace(MODES[mode], flow=reviewed_turn)


async def plain_turn(run: Run, task: AgentTask) -> Result:
    """The model's turn as it came, piece by piece."""
    turn = await ask_turn(run, task, task.messages)
    turn.refuse_faults()
    return _result(run, turn)


async def reviewed_turn(run: Run, task: AgentTask) -> Result:
    """A text is judged where it is the code that was asked for; calls that write are checked, and
    what fails goes back to the model once."""
    turn = await ask_turn(run, task, task.messages, reads_texts=True)
    if not turn.calls and not turn.faults:
        is_asked = task.schema is None and task.answers_a_person and not turn.cut_off
        asked = is_asked and await asyncio.to_thread(is_code_answer, turn.text)
        return await _reviewed_code(run, task, turn) if asked else _result(run, turn)
    files = await asyncio.to_thread(files_of, task.messages)
    looked = await look_at(run, task, turn, files)
    if run.settings.AGENT_REVIEW == "judge" and looked.writes and not looked.objections:
        looked = await judged(run, task, looked)
    if not looked.objections:
        return _result(run, turn)
    again = await _corrected(run, task, looked, files)
    best = max((looked, *again), key=lambda each: each.rank)  # the earlier one of equals
    best.turn.refuse_faults()
    run.add_evidence(best.findings())
    return _result(run, best.turn, {"held_back": looked.as_rows()})


async def _corrected(
    run: Run, task: AgentTask, looked: LookedAt, files: KnownFiles
) -> Sequence[LookedAt]:
    """The turn that the model makes in its place, or none: a turn that can be carried out is not
    lost because a second one could not be had."""
    try:
        messages = (*task.messages, *told(looked))
        turn = await ask_turn(run, task, messages, label="held back", reads_texts=True)
    except (ModelError, ContextTooLong):
        if looked.turn.faults:
            raise
        return ()
    return (await look_at(run, task, turn, files),)


async def _reviewed_code(run: Run, task: AgentTask, turn: AgentTurn) -> Result:
    """As `code_reviewed` does it, but that the draft is there already."""
    draft = await asyncio.to_thread(
        read_draft, "coder", turn.text, task.prompt, task.language, complete=True
    )
    draft = await examine(run, task, draft, "coder")
    run.keep(coder_output=draft.text)
    run.add_evidence(draft.findings)
    return await judge_and_review(run, task, draft)


def _result(run: Run, turn: AgentTurn, more: Mapping[str, Any] | None = None) -> Result:
    run.keep(coder_output=turn.text)
    calls = [call.as_json() for call in turn.calls]
    artefact = ({"tool_calls": calls} if calls else {}) | dict(more or {})
    return Result(turn.text, format=TEXT, artefact=artefact or None, calls=turn.calls)
