"""The exported weights inside the daemon's own pipeline, in this process."""

import asyncio
import re
import time
from collections.abc import AsyncGenerator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pipeline.capabilities  # noqa: F401  (fills MODES)
from config import Settings
from pipeline.errors import LaiosError, Unreadable
from pipeline.model import Call, Delta, End, Facts, Frame, Model
from pipeline.models.registry import Registry
from pipeline.models.starter import PROFILE, STARTER, WEIGHTS
from pipeline.modes import MODES
from pipeline.request import Request as Asked
from pipeline.review.verdict import VERDICT_SCHEMA, read_verdict
from pipeline.run import Run
from pipeline.task import Task
from tools.starter.engine import CONTEXT, Engine
from tools.starter.execute import Job
from tools.starter.family import BASH, JAVASCRIPT, PYTHON
from tools.starter.phrasing import Request

SEED = 4711
SETTINGS = Settings.model_construct()  # the daemon's defaults, whatever this machine's settings are
_DEFINITIONS = {
    PYTHON: re.compile(r"^(?:def|class) (\w+)", re.MULTILINE),
    JAVASCRIPT: re.compile(r"^(?:function\*?|class|const|let) (\w+)", re.MULTILINE),
    BASH: re.compile(r"^(?:function )?(\w+)(?: ?\(\)| ?\{)", re.MULTILINE),
}


class LoadedStarter:
    """`local/starter` as the daemon has it, but for the child process and the folder."""

    name = STARTER
    profile = PROFILE
    roles: frozenset[str] | None = frozenset(WEIGHTS)
    shares_memory = True

    def __init__(self, folder: Path) -> None:
        engines = {file: Engine(folder / file) for file in sorted(set(WEIGHTS.values()))}
        self.engines = {role: engines[file] for role, file in WEIGHTS.items()}

    async def stream(self, call: Call) -> AsyncGenerator[Frame, None]:
        answer = self.engines[call.role].answer(call.messages, call.max_tokens, call.schema)
        yield Delta(answer.text)
        yield End(answer.finish_reason)

    async def facts(self) -> Facts:
        return Facts(CONTEXT)


class OneModel(Registry):
    """The daemon's table of models with nothing but one model in it."""

    def __init__(self, model: Model) -> None:
        super().__init__(SETTINGS)
        self._model = model

    def candidates(self, role: str, settings: Settings) -> list[Model]:
        return [self._model]


@dataclass(frozen=True)
class Outcome:
    """What came of a run: `final` is "" for one that failed; `confidence` is the judge's in the
    draft, None where it was not asked because evidence spoke first, or cannot be read."""

    draft: str
    final: str
    escalated: bool
    confidence: int | None
    milliseconds: float

    @property
    def doubted(self) -> bool:
        """Whether the judge's confidence in the draft was below the threshold."""
        least = SETTINGS.ESCALATION_CONFIDENCE_THRESHOLD
        return self.confidence is not None and self.confidence < least


class Bench:
    """Both weight files of a folder, loaded."""

    def __init__(self, folder: Path) -> None:
        self._model = LoadedStarter(folder)
        self._models = OneModel(self._model)

    def run(self, asked: Request) -> Outcome:
        """A request through coder, judge and, where it is escalated, reviewer."""
        return asyncio.run(self._run(asked))

    async def _run(self, asked: Request) -> Outcome:
        before = (asked.history,) if asked.history else ()
        row, task = MODES["code_reviewed"], Task(asked.text, exchanges=before)
        run = Run(Asked(asked.text), row, asked.text, SETTINGS, self._models)
        run.plan_window(task)
        run.begin()
        began = time.perf_counter()
        final = ""
        with suppress(LaiosError):
            final = (await row.flow(run, task)).text
        took = (time.perf_counter() - began) * 1000
        facts = run.facts
        confidence = facts.judge["confidence_score"] if facts.judge else None
        return Outcome(facts.coder_output or "", final, facts.escalated, confidence, took)

    def accepts(self, message: str) -> bool | None:
        """Whether the judge lets a draft through; None for a verdict that cannot be read."""
        reply = self.reply("judge", message, VERDICT_SCHEMA)
        try:
            return read_verdict(reply).escalation(SETTINGS) is None
        except Unreadable:
            return None

    def reply(self, role: str, message: str, schema: Mapping[str, Any] | None = None) -> str:
        """One role's reply to one user message."""
        return self._model.engines[role].reply(message, schema)


def job(asked: Request, code: str) -> Job:
    """The check of code against its request; where no name was asked for, any is right."""
    family = asked.family
    assert family
    found = _DEFINITIONS[asked.language].search(code)
    name = asked.name or (found[1] if found else "")
    return Job(code, name, family.checks, family.driver, asked.language)


def percent(hits: list[bool]) -> float:
    """The share of true values, in percent."""
    return round(100 * sum(hits) / len(hits), 1)
