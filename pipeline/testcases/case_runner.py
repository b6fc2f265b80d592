"""Running drafts in the sandbox, against the tests of their problem."""

import asyncio
import os
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from shutil import which

from config import Settings
from pipeline import sandbox
from pipeline.analysis.missing_imports import with_import_lines
from pipeline.run import Run
from pipeline.sandbox import Case, CaseResult
from pipeline.sandbox.value_comparison import shown
from pipeline.testcases.entry_point import entry_of
from pipeline.testcases.suite import Suite
from pipeline.testcases.tested_draft import TestedDraft

ENDLESS = 4  # programs that use up their time cost much of it: after so many no more are run
AT_A_TIME = max(2, os.cpu_count() or 2)
# Put before a program: what it asks for is no part of what it prints.
_UNASKED = ("_input = input", "def input(prompt=''):", "    return _input()")


async def require_sandbox(settings: Settings) -> None:
    """Raises SandboxUnavailable, with the fix, where code cannot be run safely."""
    await sandbox.run({}, ["python", "-c", ""], sandbox.Limits.of(settings))


def can_run(language: str, *, programs: bool) -> bool:
    """Whether tests of that language can be run here, where its interpreter or compiler is
    installed: whole programs in any language of the sandbox, calls in Python, JavaScript,
    TypeScript and Bash."""
    if programs and sandbox.compiler_of(language):
        return True
    if programs and language == "bash":  # which starts others
        return sandbox.can_run_shell()
    known = sandbox.INTERPRETERS.get(language)
    if known is None or not (programs or sandbox.is_callable(language)):
        return False
    return language == "python" or which(known.command[0]) is not None


def _with_packages(suite: Suite, settings: Settings) -> Suite:
    """Without the cases whose sessions import what the sandbox does not have."""
    needed = [sandbox.packages_in(case.session) for case in suite.cases]
    if not any(needed):
        return suite
    known = sandbox.modules_in(settings.SANDBOX_VENV)
    pairs = zip(suite.cases, needed, strict=True)
    return replace(suite, cases=tuple(case for case, packages in pairs if packages <= known))


class CaseRunner:
    """The tests of a run's problem, and their execution. `suite` changes where it is decided that
    a generated test does not count."""

    def __init__(self, run: Run, suite: Suite, language: str = "python") -> None:
        self._run = run
        self._language = language
        self._limits = sandbox.Limits.of(run.settings)
        self.suite = _with_packages(suite.in_language(language), run.settings)

    async def attempt(
        self,
        attempt: TestedDraft,
        round: int = 1,
        label: str = "tests",
        cases: Sequence[Case] | None = None,
    ) -> TestedDraft:
        """The attempt with what came of all tests, or of the given ones; one step of the
        record, and an event for each test.

        A draft whose fault shows without running it is not run, and what the run's time does not
        suffice for counts as not run. Raises SandboxUnavailable.
        """
        if attempt.draft.fault:
            return attempt
        cases = self.suite.cases if cases is None else cases
        ran = dict(attempt.ran)
        with self._run.step("sandbox", label, round) as step:
            async for result in self._results(attempt.draft.text, cases):
                name = result.case.name
                ran[name] = result
                self._run.emit("test", name=name, status=result.status, round=round, label=label)
            step.note = self._said_of(ran, cases)
            if unusable := [each for each in ran.values() if each.came == "unusable"]:
                step.note += f": {shown(unusable[0].error)}"
        return replace(attempt, ran=ran)

    def _said_of(self, ran: Mapping[str, CaseResult], cases: Sequence[Case]) -> str:
        """How the tests went; that a program loads is none."""
        own = {case.name for case in self.suite.cases}
        passed = [ran[case.name].passed for case in cases if case.name in own]
        if passed:
            return f"{sum(passed)} of {len(passed)} tests pass"
        return "it runs" if all(ran[case.name].passed for case in cases) else "it does not run"

    async def _results(self, code: str, cases: Sequence[Case]) -> AsyncIterator[CaseResult]:
        """What comes of each case, as it comes; the cases begin in their order."""
        turn = asyncio.Semaphore(AT_A_TIME)
        endless = 0

        async def one(case: Case) -> CaseResult:
            nonlocal endless
            async with turn:
                if endless >= ENDLESS:
                    return CaseResult(
                        case, "not run", error=f"{endless} tests before it never ended"
                    )
                result = await self._execute(code, case)
                endless += result.came in ("timeout", "cpu")
                return result

        tasks = [asyncio.create_task(one(case)) for case in cases]
        try:
            for done in asyncio.as_completed(tasks):
                yield await done
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _execute(self, code: str, case: Case) -> CaseResult:
        language = self._language
        entry = await asyncio.to_thread(entry_of, code, self.suite.function, language)
        run = partial(sandbox.run_case, limits=self._limits, entry=entry, language=language)
        asks = case.stdin is not None and language == "python" and "input(" in code
        try:
            async with asyncio.timeout_at(self._run.deadline):
                result = await run(code, case)
                if asks and result.gave and not result.passed:
                    mute = await asyncio.to_thread(with_import_lines, code, _UNASKED)
                    unasked = await run(mute, case)
                    return unasked if unasked.passed else result
                return result
        except TimeoutError:
            return CaseResult(case, "not run", error="the run's time is used up")
