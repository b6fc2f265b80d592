"""Runs on which drafts in Bash are compared, and what they come to."""

import asyncio
import re
from collections.abc import Sequence
from dataclasses import replace

from pipeline import sandbox
from pipeline.analysis.draft import Draft
from pipeline.run import Run
from pipeline.sandbox import Case, CaseResult
from pipeline.testcases.shell_arguments import functions_of, taken_by_script
from pipeline.testcases.shell_cases import shell_runs
from pipeline.testcases.shell_needs import is_elsewhere, with_usual_names
from pipeline.testcases.shell_outcomes import FAILED, NOTHING, SUCCEEDED, outcomes_of_shell

RUNS, KEPT = 40, 30  # that are tried, and those on which drafts are compared
LEAST_RUNS = 3  # that it answers; fewer say nothing of a script
_KEEPING = {"add", "list", "remove", "delete", "done", "get", "set", "show", "del", "rm"}
_FUNCTION = re.compile(r"\b(?:\w+-)?fun[ck]tion(?:s|en)?\b", re.IGNORECASE)
_PRINTS = re.compile(
    r"\b(?:prints?|outputs?|shows?|displays?|reports?|echo(?:es)?|counts?|how many|list(?:s|ing)?"
    r"|ausg[ea]b\w*|aus(?:gibt|geben)|gibt|zeigt?|zähl\w*)\b",
    re.IGNORECASE,
)
_MOST_READ = 20_000  # characters of a request


async def runs_of_shell(run: Run, request: str, draft: Draft, function: str) -> tuple[Case, ...]:
    """Runs of a script, or of the function that is asked for, those of which different things come
    first. () where it needs what a sandbox has not, hardly answers, or shows nothing by what it
    does, though nothing is to be printed. Raises SandboxUnavailable."""
    if not sandbox.can_run_shell() or await asyncio.to_thread(is_elsewhere, draft.text):
        return ()
    with run.step("sandbox", "runs") as step:
        made = await asyncio.to_thread(_made, draft.text, request, function)
        results = await results_of_shell(run, draft.text, made, function)
        came = await asyncio.to_thread(outcomes_of_shell, results, request, draft.text)
        answered = [pair for pair in zip(came, results, strict=True) if pair[1].gave]
        told = {outcome for outcome, _ in answered}
        step.note = f"it answers {len(answered)} of {len(made)} runs, {len(told)} differently"
    is_silent = told in ({NOTHING}, {FAILED}, {SUCCEEDED})
    if (
        (is_silent and not _PRINTS.search(request[:_MOST_READ]))  # else another draft may speak
        or len(answered) * 2 < len(made)
        or len(answered) < min(LEAST_RUNS, len(made))
    ):
        return ()
    distinct: dict[str, Case] = {}
    for outcome, result in answered:
        distinct.setdefault(outcome, result.case)
    alike = [each.case for _, each in answered if each.case not in distinct.values()]
    return tuple([*distinct.values(), *alike][:KEPT])


def _made(script: str, request: str, function: str) -> tuple[Case, ...]:
    script = with_usual_names(script, request)
    name = function_asked_for(script, request, function)
    taken = taken_by_script(script, request, name)
    if len(_KEEPING.intersection(taken.commands)) > 1 and taken.places:
        return ()  # what one run does tells nothing of it: the next one shows it
    return shell_runs(taken, request, script, RUNS, name)


def function_asked_for(script: str, request: str, named: str) -> str:
    """What is called where a function is asked for, "" where the script is run."""
    if not _FUNCTION.search(request[:_MOST_READ]):
        return ""
    known = functions_of(script)
    if named in known:
        return named
    return next((name for name in reversed(known) if name not in ("main", "usage")), "")


async def results_of_shell(
    run: Run, script: str, calls: Sequence[Case], function: str
) -> Sequence[CaseResult]:
    """What comes of the runs; where a command is not there, of none of them anything. Nothing where
    the run's time is used up. Raises SandboxUnavailable."""
    request = run.request.prompt
    try:
        async with asyncio.timeout_at(run.deadline):
            script = await asyncio.to_thread(with_usual_names, script, request)
            name = await asyncio.to_thread(function_asked_for, script, request, function)
            limits = sandbox.Limits.of(run.settings)
            results = await sandbox.run_shell(script, calls, limits, function=name)
    except TimeoutError:
        return ()
    lacks = next((each for each in results if "CommandNotFound" in each.raised), None)
    return [replace(lacks, case=each.case) for each in results] if lacks else results
