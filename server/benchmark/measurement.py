"""One problem in one arm: the run, and whether its drafts and its answer pass the hidden tests."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from config import Settings
from history.record import PASSING
from history.store import Store
from pipeline.errors import LaiosError
from pipeline.models.registry import Registry
from pipeline.request import Request
from pipeline.roles import ROLES
from pipeline.sandbox import Arguments, Case, Limits, run_case
from pipeline.scheduler import Scheduler
from server.benchmark.compiled_tests import passes_compiled
from server.benchmark.engine_facts import engine_facts
from server.benchmark.problems import Problem

HIDDEN = """

{test}

def laios_hidden_tests():
    check({entry_point})
    return True
"""
# Blind resampling: as many drafts as another arm made calls, one of which is taken without looking.
RESAMPLE = "resample"
SESSION = "bench"  # of runs that are kept
TEMPERATURE = 0.8
# The short names of modes as arms that are compared; any other mode goes by its own name.
ARMS = {
    "raw": "code_raw",
    "reviewed": "code_reviewed",
    "tested": "code_tested",
    "best": "code_best",
}


def in_turn(arms: Sequence[str], number: int) -> list[str]:
    """The arms in the order of the problem with this number: each is first in turn, because the
    first one reads the prompt, and the others find it in the model's cache; resampling, which takes
    its calls from the others, is last."""
    others = [arm for arm in arms if arm != RESAMPLE]
    first = number % len(others) if others else 0
    return [*others[first:], *others[:first], *(arm for arm in arms if arm == RESAMPLE)]


class LastRecord:
    """A history that keeps the last record alone: a measurement is none of the user's runs. With a
    store each goes there too, where it counts as no more than a call that a frontend makes for
    itself."""

    def __init__(self, store: Store | None = None) -> None:
        self.record: Mapping[str, Any] = {}
        self._store = store

    async def append(self, record: Mapping[str, Any]) -> bool:
        self.record = record
        if self._store is None:
            return True
        return await self._store.append({**record, "kind": "auxiliary", "session": SESSION})

    def load_recent_records(
        self, n: int, session: str | None = None
    ) -> Sequence[Mapping[str, Any]]:
        return ()


class Bench:
    """The pipeline in this process, asked one problem after the other. `async with`."""

    def __init__(self, settings: Settings, store: Store | None = None) -> None:
        """`store`: where the runs are kept as well; it is closed with the bench."""
        self.settings = settings
        self.models = Registry(settings)
        self._store = store
        self._history = LastRecord(store)
        self._scheduler = Scheduler(settings, self.models, self._history, self._history)
        self._engine: dict[str, str] = {}

    async def __aenter__(self) -> "Bench":
        await self.models.resolve(self.settings)
        self._engine = await engine_facts(self.settings, self.models, self.names().values())
        return self

    async def __aexit__(self, *error: object) -> None:
        await self._scheduler.drain(0)
        await self.models.close()
        if self._store:
            await self._store.close()

    def names(self) -> dict[str, str]:
        """The model of each role."""
        return {role: self.models.name_for(role, self.settings) for role in ROLES}

    async def measure(self, problem: Problem, arm: str, *, calls: int = 1) -> dict[str, Any]:
        """The result as a row. `calls`: how many drafts blind resampling draws. Raises
        SandboxUnavailable: without hidden tests there is nothing to say. Raises as well what keeps
        the model from being asked at all: more of the same would follow."""
        if arm == RESAMPLE:
            return await self._resampled(problem, calls) | self._engine
        record = await self.run(problem.prompt, ARMS.get(arm, arm))
        drafts = _drafts(record)
        return {
            **_facts(record),
            **self._engine,
            "passed": await self.passes(problem, record["final_output"]),
            "drafts": [await self.passes(problem, each["code"]) for each in drafts],
            "faulted": [bool(each["findings"]) for each in drafts if "findings" in each],
            "draft_passed": await self.passes(problem, record["coder_output"]),
        }

    async def _resampled(self, problem: Problem, calls: int) -> dict[str, Any]:
        rows = [await self.run(problem.prompt, ARMS["raw"], TEMPERATURE) for _ in range(calls)]
        passed = [await self.passes(problem, row["final_output"]) for row in rows]
        facts = [_facts(row) for row in rows]
        summed = ("calls", "prompt_tokens", "cached_tokens", "output_tokens", "seconds")
        return facts[-1] | {
            "passed": passed[-1],
            "drafts": passed,
            "draft_passed": passed[-1],
            **{name: sum(each[name] for each in facts) for name in summed},
        }

    async def run(
        self, prompt: str, mode: str, temperature: float | None = None
    ) -> Mapping[str, Any]:
        """The record of one run, however it ended, unless no model was there to be asked: then
        that error is raised. The prompt is another's, and nothing in it is a tag."""
        request = Request(prompt.strip(), mode, literal=True, temperature=temperature)
        run = self._scheduler.submit(request)
        try:
            await self._scheduler.finished(run)
        except LaiosError as error:
            if error.code in PASSING:
                raise
            # The record says which other it was.
        return self._history.record

    async def passes(self, problem: Problem, code: str | None) -> bool:
        """Whether the hidden tests hold, in the sandbox."""
        if not code:
            return False
        if problem.language != "python":
            return await passes_compiled(problem, code, Limits.of(self.settings))
        case = Case(Arguments(), True, "laios_hidden_tests", name="hidden")
        return (await run_case(_with_tests(problem, code), case, Limits.of(self.settings))).passed


def _with_tests(problem: Problem, code: str) -> str:
    """A program of its own is not run beside its tests: they are given its text and run it."""
    hidden = HIDDEN.format(test=problem.test, entry_point=problem.entry_point or repr(code))
    return hidden if not problem.entry_point else code + hidden


def _drafts(record: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The programs that were drawn or written on the way, in their order."""
    artefact = record["artefact"] or {}
    tried = artefact.get("drafts") or artefact.get("rounds") or []
    return [each for each in tried if isinstance(each, dict) and "code" in each]


def _facts(record: Mapping[str, Any]) -> dict[str, Any]:
    """What the record says of the run, in numbers and words; no text of prompt or model."""
    steps = [step for step in record["steps"] if step["model"]]
    judge = record["judge"] or {}
    return {
        "at": datetime.now(UTC).isoformat(timespec="seconds"),
        "run": record["id"],
        "mode": record["mode"],
        "error": (record["error"] or {}).get("code"),
        "escalated": record["escalated"],
        "reason": record["escalation_reason"],
        "source": record["final_source"],
        "confidence": judge.get("confidence_score"),
        "conflict": judge.get("conflict_score"),
        "p_correct": judge.get("p_correct"),
        "evidence": sorted({f"{each['stage']}:{each['kind']}" for each in record["evidence"]}),
        "calls": len(steps),
        "prompt_tokens": _sum(steps, "prompt_tokens"),
        "cached_tokens": _sum(steps, "cached_tokens"),
        "output_tokens": _sum(steps, "output_tokens"),
        "seconds": round(record["duration_ms"] / 1000, 3),
    }


def _sum(steps: Sequence[Mapping[str, Any]], name: str) -> int:
    return sum(step.get(name) or 0 for step in steps)
