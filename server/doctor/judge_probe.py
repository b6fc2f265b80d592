"""Check whether a model can judge, by a tiny fixed request that is asked as a run asks its
judge."""

from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from typing import Any

import pipeline.capabilities  # noqa: F401  (fills MODES)
from config import Settings
from pipeline.errors import ContextTooLong, ModelError, ModelTimeout, Unreadable
from pipeline.model_request import ModelRequest
from pipeline.models.registry import Registry
from pipeline.modes import MODES
from pipeline.request import Request
from pipeline.review.judge import VERDICT_TOKENS, run_judge, write_prompt
from pipeline.review.verdict import VERDICT_SCHEMA, Verdict, read_verdict
from pipeline.review.yes_no import ask_yes_no, is_asked_for_a_word
from pipeline.run import Run
from pipeline.small_models import NO_JUDGE, is_small
from pipeline.step import Step
from pipeline.structured_output import THINKING_TOKENS
from pipeline.task import Task
from server.doctor.check_context import CheckContext
from server.doctor.check_result import CheckResult, Level

REQUEST = "write a function that adds up a list of numbers"
# Without a line end, as drafts reach a judge; in a form that the starter has learnt as well.
RIGHT = """\
def sum_list(numbers):
    total = 0
    for number in numbers:
        total += number
    return total"""
OTHER_JUDGE = "Choose another judge: laios models use judge MODEL"


@dataclass(frozen=True, slots=True)
class ProbeCall:
    """One call: `error` is None for a verdict that could be read; `answered` is False when the
    backend failed."""

    error: str | None
    answered: bool
    duration_ms: float


@dataclass(frozen=True, slots=True)
class Probe:
    """A model as a judge: with thinking switched off, and with thinking left to it (None: there
    was no time for it). `word`: its verdict in one word, where runs ask for that."""

    off: ProbeCall
    left: ProbeCall | None
    verdict: Verdict
    word: Verdict | None = None

    @property
    def answers(self) -> bool:
        return self.off.answered or bool(self.left and self.left.answered)

    @property
    def judges(self) -> bool:
        return self.off.error is None or bool(self.left and self.left.error is None)


async def probe_judge(models: Registry, settings: Settings, name: str, seconds: float) -> Probe:
    """Has the model judge code that is plainly right; all of it within `seconds`."""
    bounded = settings.model_copy(update={"JUDGE_MODEL_NAME": (name,), "RUN_TIMEOUT_S": seconds})
    run = Run(Request(REQUEST), MODES["code_raw"], REQUEST, bounded, models)
    task = Task(REQUEST)
    run.plan_window(task)  # that of an ordinary run, so that Ollama need not load again for it
    run.begin()
    verdict = await run_judge(run, task, RIGHT)
    if len(run.steps) == 1 and run.steps[0].error is None:
        await _ask_with_thinking(run, task)
    off, left = (_probe_call(run.steps[i], bounded) if i < len(run.steps) else None for i in (0, 1))
    word = await ask_yes_no(run, task, RIGHT) if is_asked_for_a_word(run, task) else None
    return Probe(off or ProbeCall(verdict.error, False, 0.0), left, verdict, word)


async def _ask_with_thinking(run: Run, task: Task) -> None:
    """The second call, which a run makes only where the first one gave nothing to be read."""
    try:
        answer = await run.ask(
            ModelRequest(
                "judge",
                write_prompt,
                {"task": task, "draft": RIGHT},
                max_tokens=VERDICT_TOKENS + THINKING_TOKENS,
                temperature=0,
                schema=VERDICT_SCHEMA,
            )
        )
        if answer.truncated:
            raise Unreadable("the answer was cut off by the token limit")
        read_verdict(answer.text)
    except Unreadable as error:
        answer.unusable(str(error))
    except (ModelError, ContextTooLong):
        pass  # its step says so


def _probe_call(step: Step, bounded: Settings) -> ProbeCall:
    duration, limit = step.duration_ms or 0.0, bounded.RUN_TIMEOUT_S
    if step.error is None:
        return ProbeCall(None, True, duration)
    if step.error["code"] == ModelTimeout.code and limit <= bounded.MODEL_TIMEOUT_S:
        said = f"no complete answer within {limit:g} s (see --timeout)"  # no setting does
        return ProbeCall(said, False, duration)
    return ProbeCall(step.error["message"], step.error["code"] == "unreadable", duration)


async def check_judges(
    context: CheckContext, seconds: float, doing: Callable[[str], None]
) -> AsyncIterator[CheckResult]:
    """Probes each model; only the judge has to be fit for it, but all have to answer."""
    for name, roles in context.distinct.items():
        doing(f"asking {name} for a verdict")
        found = await probe_judge(context.models, context.settings, name, seconds)
        yield probe_results(name, roles, found, context.settings)


def probe_results(name: str, roles: list[str], found: Probe, settings: Settings) -> CheckResult:
    check = f"judge.{name}"
    facts = _facts(name, roles, found)
    if not found.answers:
        fix = "See the checks above, and the backend's log."
        why = (found.off.error or "").removesuffix(".")
        return CheckResult(check, "problem", f"{name} does not answer: {why}.", fix, facts)
    if "judge" not in roles:
        fit = "could judge too" if found.judges else "could not judge, and does not have to"
        return CheckResult(check, "ok", f"{name} answers ({_times(found)}); it {fit}.", "", facts)
    if found.word:
        return CheckResult(check, *_of_word(name, found.word, settings), facts)
    if not found.judges:
        seen = f"{name} does not give valid verdicts, so every run escalates: "
        return CheckResult(check, "problem", f"{seen}{found.off.error}.", OTHER_JUDGE, facts)
    if found.off.error is not None:
        seen = (
            f"{name} gives a verdict only when thinking is left to it ({found.off.error}): each "
            "one costs two calls."
        )
        return CheckResult(check, "warning", seen, OTHER_JUDGE, facts)
    verdict = found.verdict
    scores = f"{verdict.confidence_score}/{verdict.conflict_score}"
    if reason := verdict.escalation(settings):
        seen = f"{name} rates code that is clearly right {scores}, which escalates ({reason})."
        fix = f"{OTHER_JUDGE}; or set the thresholds to its scale."
        return CheckResult(check, "warning", seen, fix, facts)
    seen = f"{name} gives valid verdicts ({_times(found)}) and rates right code {scores}."
    if is_small(name):
        return CheckResult(check, "warning", f"{seen} It {NO_JUDGE}", OTHER_JUDGE, facts)
    return CheckResult(check, "ok", seen, "", facts)


def _of_word(name: str, word: Verdict, settings: Settings) -> tuple[Level, str, str]:
    """Of a judge that says yes or no: how bad, what was seen, and what helps."""
    seen = f"{name} gives a yes to code that is clearly right a probability of {word.p_correct}"
    if word.escalation(settings):
        fix = f"{OTHER_JUDGE}; or measure it: laios calibrate --write"
        return "warning", f"{seen}, less than JUDGE_YES_THRESHOLD.", fix
    if is_small(name):
        return "warning", f"{seen}. It {NO_JUDGE}", OTHER_JUDGE
    return "ok", f"{seen}.", ""


def _facts(name: str, roles: list[str], found: Probe) -> dict[str, Any]:
    calls = {"thinking_off": found.off, "thinking_left": found.left}
    shown = {
        key: call and {"ok": call.error is None, "error": call.error, "ms": round(call.duration_ms)}
        for key, call in calls.items()
    }
    verdict = found.verdict
    scores = {"confidence": verdict.confidence_score, "conflict": verdict.conflict_score}
    word = {"p_correct": found.word.p_correct} if found.word else {}
    return {"model": name, "roles": roles, **shown, **scores, **word}


def _times(found: Probe) -> str:
    left = f"{found.left.duration_ms / 1000:.1f} s" if found.left else "not tried"
    if found.left and found.left.error:
        left = f"failed: {found.left.error}"
    return f"thinking off {found.off.duration_ms / 1000:.1f} s, thinking left to it {left}"
