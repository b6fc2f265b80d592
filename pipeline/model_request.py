"""A stage's request to its role's model."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import orjson

from pipeline.control_tokens import BrokenTokens, break_control_tokens
from pipeline.errors import GeneralModelNeeded
from pipeline.model import Facts, Message, Model, PromptWriter
from pipeline.prompts import rules_in_first_turn
from pipeline.sampling import GREEDY
from pipeline.tool_calls import NO_TOOLS, Tool, Toolbox


class Prompt(NamedTuple):
    """What a model is shown, and the control tokens that it had; `begun` as in `Call`."""

    messages: list[Message]
    tools: Toolbox
    broken: BrokenTokens
    begun: str = ""


@dataclass(frozen=True, slots=True)
class ModelRequest:
    """One thing to ask. `write(**brief)` makes the messages, unless the model has its own way of
    being asked for this role (its profile). `temperature`: None leaves it to the backend.
    `max_tokens`: None means MAX_OUTPUT_TOKENS. `label` and `round` tell the step apart from others
    of its stage. `general`: it is no part of a role, so a model that is asked in its own way cannot
    answer it. `turn`: which of the role's models is asked first, by number. `tools` are those that
    the model may call; `images` says that the messages hold some. `begun`: how the answer begins,
    for a model that goes on with it; others begin by themselves. `logprobs`: None where only the
    run's request decides. The rest as in `Call`."""

    role: str
    write: PromptWriter
    brief: Mapping[str, Any] = field(default_factory=dict)
    label: str = ""
    round: int = 1
    max_tokens: int | None = None
    temperature: float | None = GREEDY
    schema: Mapping[str, Any] | None = None
    think: bool | None = None
    general: bool = False
    turn: int = 0
    tools: Toolbox = NO_TOOLS
    images: bool = False
    begun: str = ""
    stop: tuple[str, ...] = ()
    logprobs: int | None = None

    def prompt_for(self, model: Model, facts: Facts) -> Prompt:
        """What goes to the model, without control tokens. Raises GeneralModelNeeded. May take a
        second: for a thread."""
        messages, begun = self._messages_for(model), self.begun if facts.goes_on else ""
        if begun:
            messages = [*messages, {"role": "assistant", "content": begun}]
        if not facts.has_chat_template:
            messages = rules_in_first_turn(messages)
        contents = [*_texts(messages), self.tools.text]
        texts, broken = break_control_tokens(contents, facts.control_tokens)
        rest = iter(texts)
        written = [_with_texts(message, rest) for message in messages]
        return Prompt(written, _tools_of(next(rest), self.tools), broken, begun)

    def _messages_for(self, model: Model) -> list[Message]:
        """Raises GeneralModelNeeded for a general question to a model with prompts of its own."""
        if self.general and self.role in model.profile.writers:
            raise GeneralModelNeeded(model.name)
        return model.profile.writers.get(self.role, self.write)(**self.brief)


def _texts(messages: Iterable[Message]) -> Iterator[str]:
    """What others wrote, in the order in which `_with_texts` takes it."""
    for message in messages:
        yield message["content"]
        yield from (call.arguments for call in message.get("calls", ()))


def _with_texts(message: Message, texts: Iterator[str]) -> Message:
    written: Message = {**message, "content": next(texts)}
    if calls := message.get("calls"):
        written["calls"] = [replace(call, arguments=next(texts)) for call in calls]
    return written


def _tools_of(text: str, tools: Toolbox) -> Toolbox:
    """The tools as the text has them now."""
    if text == tools.text:
        return tools
    read = (each["function"] for each in orjson.loads(text))
    return replace(tools, tools=tuple(Tool(**function) for function in read))
