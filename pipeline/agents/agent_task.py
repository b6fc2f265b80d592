"""An agent's request: its own conversation, and the tools that it carries out."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pipeline.model import Message
from pipeline.task import Task
from pipeline.tool_calls import NO_TOOLS, Toolbox


@dataclass(frozen=True, slots=True)
class AgentTask(Task):
    """`messages` are the conversation as it came, system messages and tools' results included, but
    for the tags; `prompt` is the last message of the person in it. Judge and reviewer are shown
    that one, with the others as context, but never system messages. `schema` is the form of the
    caller's own that a text has ({}: any JSON), in which no review may touch it."""

    messages: tuple[Message, ...] = ()
    tools: Toolbox = NO_TOOLS
    schema: Mapping[str, Any] | None = None

    @property
    def material(self) -> str:
        texts = [message["content"] for message in self.messages]
        return "\n".join((*texts, self.tools.text))

    @property
    def answers_a_person(self) -> bool:
        """Whether the last word was a person's, and not a tool's; an image alone is no word, and
        nothing that a judge could read."""
        return bool(self.prompt and self.messages) and self.messages[-1]["role"] == "user"
