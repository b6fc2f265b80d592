"""What a stage wants of its role's model."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from pipeline.control_tokens import BrokenTokens, break_control_tokens
from pipeline.errors import RoleNotPlayed
from pipeline.model import Facts, Message, Model, PromptWriter
from pipeline.prompts import rules_in_first_turn
from pipeline.sampling import GREEDY


@dataclass(frozen=True, slots=True)
class ModelRequest:
    """One thing to ask. `write(**brief)` makes the messages, unless the model has its own way of
    being asked for this role (its profile). `temperature`: None leaves it to the backend.
    `max_tokens`: None means MAX_OUTPUT_TOKENS. `label` and `round` tell the step apart from others
    of its stage. `general`: it is no part of a role, so a model that is asked in its own way cannot
    answer it. `turn`: which of the role's models is asked first, by number. The rest as in
    `Call`."""

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

    def prompt_for(self, model: Model, facts: Facts) -> tuple[list[Message], BrokenTokens]:
        """The messages as they go to the model, without control tokens, and those that they had.
        Raises RoleNotPlayed. May take a second: for a thread."""
        messages = self._messages_for(model)
        if not facts.has_chat_template:
            messages = rules_in_first_turn(messages)
        contents = (each["content"] for each in messages)
        texts, broken = break_control_tokens(contents, facts.control_tokens)
        pairs = zip(messages, texts, strict=True)
        return [{"role": each["role"], "content": text} for each, text in pairs], broken

    def _messages_for(self, model: Model) -> list[Message]:
        """Raises RoleNotPlayed for a general question to a model with prompts of its own."""
        if self.general and self.role in model.profile.writers:
            raise RoleNotPlayed(
                f"{model.name} answers requests for code and nothing else.",
                "A general model, such as ollama/qwen2.5-coder:7b, can answer this.",
            )
        return model.profile.writers.get(self.role, self.write)(**self.brief)
