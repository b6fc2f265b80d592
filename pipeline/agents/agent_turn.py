"""A turn of an agent's model: text, calls, and what makes a call impossible to carry out."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from pipeline.agents.agent_task import AgentTask
from pipeline.agents.written_calls import written_calls
from pipeline.errors import ModelFailed
from pipeline.model import Message
from pipeline.model_request import ModelRequest
from pipeline.run import Run
from pipeline.tool_calls import ToolCall

NO_CALL = ""  # whose fault it is that no tool was called
SHOWN_NAME = 64  # characters of a wrong name


@dataclass(frozen=True, slots=True)
class AgentTurn:
    """`faults` are by the call's id: it calls what was not offered, or its arguments are no JSON
    object. `model` is whose turn it is."""

    text: str
    calls: tuple[ToolCall, ...]
    cut_off: bool
    faults: dict[str, str]
    model: str

    def refuse_faults(self) -> None:
        """Raises ModelFailed for a turn that no client could carry out."""
        if self.faults:
            raise ModelFailed(
                f"{self.model} {'; '.join(self.faults.values())}. Ask again, or use a model that "
                "is better with tools."
            )


async def ask_turn(
    run: Run,
    task: AgentTask,
    messages: Sequence[Message],
    label: str = "",
    *,
    reads_texts: bool = False,
) -> AgentTurn:
    """Has the model go on with the conversation; `reads_texts`: a text that is nothing but calls
    counts as them. Raises ModelError and ContextTooLong."""
    asked = run.request
    question = ModelRequest(
        "coder",
        partial(list, messages),
        label=label,
        max_tokens=asked.max_tokens,
        temperature=asked.temperature,
        stop=() if task.tools else asked.stop,  # it could end in the middle of a call
        schema=None if task.tools else task.schema or None,  # held to it no tool can be called
        general=True,
        tools=task.tools,
        images=any("images" in message for message in messages),
    )
    answer = await run.ask(question)
    text, calls = answer.text, answer.calls
    if reads_texts and not calls:
        calls = written_calls(text, {tool.name for tool in task.tools.tools})
        calls = calls if task.tools.parallel else calls[:1]
        text = "" if calls else text
        answer.used_as(text)
    faults = dict(_faults(task, calls, answer.truncated))
    return AgentTurn(text, calls, answer.truncated, faults, answer.step.model or "")


def _faults(task: AgentTask, calls: Sequence[ToolCall], cut_off: bool) -> Iterator[tuple[str, str]]:
    offered = {tool.name for tool in task.tools.tools}
    for call in calls:
        name = call.name[:SHOWN_NAME]
        if call.name not in offered:
            yield call.id, f"called the tool {name!r}, which was not offered"
        elif call.values() is None:
            why = "the token limit cut it off" if cut_off else "its arguments are not a JSON object"
            yield call.id, f"made a call of {name!r} that cannot be used: {why}"
    if task.tools.required and not calls:
        yield NO_CALL, "called no tool, though the request asks for a call"
