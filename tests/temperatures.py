"""What the stages of a run ask for, as far as no scripted model can tell."""

from typing import Any

import pytest

from pipeline.model_answer import Answer
from pipeline.model_request import ModelRequest
from pipeline.run import Run


def record_temperatures(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, str, float | None]]:
    """A list that fills with role, label and temperature of each call."""
    asked: list[tuple[str, str, float | None]] = []
    ask = Run.ask

    async def noted(self: Any, question: ModelRequest) -> Answer:
        asked.append((question.role, question.label, question.temperature))
        return await ask(self, question)

    monkeypatch.setattr(Run, "ask", noted)
    return asked
