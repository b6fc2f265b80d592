"""Turns that are held back: the evidence against them, and what the model is told of it."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import orjson

from pipeline.agents.agent_task import AgentTask
from pipeline.agents.agent_turn import NO_CALL, AgentTurn
from pipeline.agents.known_files import KnownFiles
from pipeline.agents.write_evidence import facts_against
from pipeline.agents.writing_tools import FileWrite, writes_of
from pipeline.analysis.evidence import Finding
from pipeline.model import Message
from pipeline.review.judge import run_judge
from pipeline.run import Run
from pipeline.task import Task
from pipeline.tool_calls import ToolCall

Objections = dict[str, list[str]]  # by the call's id
HELD = (
    "This call was held back and not carried out: {why}. Correct it and make the call again, whole."
)
WAITED = "This call was not carried out yet, because another one was held back. Make it again."
CALL_ONE = "You {why}. Call one of the tools now."


@dataclass(frozen=True, slots=True)
class LookedAt:
    """A turn with what it writes and what speaks against it, by the call's id."""

    turn: AgentTurn
    writes: Mapping[str, Sequence[FileWrite]]
    objections: Objections = field(default_factory=dict)

    @property
    def rank(self) -> tuple[bool, bool, int]:
        """Larger is better: it can be carried out, it does something, little is against it."""
        against = sum(len(each) for each in self.objections.values())
        return not self.turn.faults, bool(self.writes), -against

    def findings(self) -> list[Finding]:
        details = [detail for each in self.objections.values() for detail in each]
        return [Finding("coder", "write", detail) for detail in details]

    def as_rows(self) -> list[dict[str, Any]]:
        """For the record: each call that something is against."""
        called = {call.id: call for call in self.turn.calls}
        return [
            {
                "tool": called[key].name if key in called else "",
                "files": ", ".join(write.path for write in self.writes.get(key, ())),
                "why": "; ".join(why),
                "arguments": called[key].arguments if key in called else "",
            }
            for key, why in self.objections.items()
        ]


async def look_at(run: Run, task: AgentTask, turn: AgentTurn, files: KnownFiles) -> LookedAt:
    """The turn with the facts against it."""
    objections: Objections = {key: [why] for key, why in turn.faults.items()}
    writes = await asyncio.to_thread(_writes, turn, files)
    for key, each in writes.items():
        for write in each:
            facts = await facts_against(run, task, write)
            if facts:
                objections.setdefault(key, []).extend(f"{write.path}: {fact}" for fact in facts)
    return LookedAt(turn, writes, objections)


def _writes(turn: AgentTurn, files: KnownFiles) -> dict[str, Sequence[FileWrite]]:
    """By the calls that write and that nothing is wrong with."""
    found = {call.id: writes_of(call, files) for call in turn.calls if call.id not in turn.faults}
    return {key: each for key, each in found.items() if each}


async def judged(run: Run, task: AgentTask, looked: LookedAt) -> LookedAt:
    """With the judge's objection, where it has one. A judge that cannot be had is none."""
    code = "\n\n".join(
        f"# {write.path}\n{write.text or write.written}"
        for each in looked.writes.values()
        for write in each
    )
    verdict = await run_judge(run, Task(task.prompt, exchanges=task.exchanges), code)
    run.keep(judge=verdict.as_json())
    against = None if verdict.error else verdict.escalation(run.settings)
    if not against:
        return looked
    why = f"the judge says: {verdict.judgement_summary} ({against})"
    return replace(looked, objections={key: [why] for key in looked.writes})


def told(looked: LookedAt) -> list[Message]:
    """The turn as the model's own, with what came of each call."""
    turn, objections = looked.turn, looked.objections
    calls = [_as_sent(call) for call in turn.calls]
    messages: list[Message] = [{"role": "assistant", "content": turn.text, "calls": calls}]
    for call in calls:
        why = objections.get(call.id)
        content = HELD.format(why="; ".join(why)) if why else WAITED
        messages.append({"role": "tool", "content": content, "result_of": call})
    if why := objections.get(NO_CALL):
        messages.append({"role": "user", "content": CALL_ONE.format(why=why[0])})
    return messages


def _as_sent(call: ToolCall) -> ToolCall:
    """Backends take arguments that are an object alone."""
    if call.values() is not None:
        return call
    broken = orjson.dumps({"unreadable": call.arguments[:2000]}).decode()
    return ToolCall(call.id, call.name, broken)
