"""Running drafts in the sandbox, against the tests of their problem."""

import asyncio
import builtins
import os
from collections.abc import AsyncIterator, Sequence
from dataclasses import replace
from shutil import which

from config import Settings
from pipeline import sandbox
from pipeline.run import Run
from pipeline.testing.attempt import Attempt, Result, Return
from pipeline.testing.entry import entry_of
from pipeline.testing.testcase import Case, Raises, Suite

ENDLESS = 4  # programs that use up their time cost much of it: after so many no more are run
AT_A_TIME = max(2, os.cpu_count() or 2)


async def require_sandbox(settings: Settings) -> None:
    """Raises SandboxUnavailable, with the fix, where code cannot be run safely."""
    await sandbox.run({}, ["python", "-c", ""], sandbox.Limits.of(settings))


def can_run(language: str, *, programs: bool) -> bool:
    """Whether tests of that language can be run here: calls in Python alone, whole programs in any
    language of the sandbox that is installed."""
    if language == "python" or not programs:
        return language == "python"
    known = sandbox.LANGUAGES.get(language)
    return known is not None and which(known.command[0]) is not None


class Trial:
    """The tests of a run's problem, and their execution. `suite` changes where it is decided that
    a generated test was wrong."""

    def __init__(self, run: Run, suite: Suite, language: str = "python") -> None:
        self._run = run
        self._language = language
        self._limits = sandbox.Limits.of(run.settings)
        self.suite = suite

    def change(self, case: Case) -> None:
        """Puts a case in the place of the one of its name."""
        cases = tuple(case if each.name == case.name else each for each in self.suite.cases)
        self.suite = replace(self.suite, cases=cases)

    async def attempt(
        self,
        attempt: Attempt,
        round: int = 1,
        label: str = "tests",
        cases: Sequence[Case] | None = None,
    ) -> Attempt:
        """The attempt with what came back of all tests, or of the given ones; one step of the
        record, and an event for each test.

        A draft whose fault shows without running it is not run, and what the run's time does not
        suffice for counts as not run. Raises SandboxUnavailable.
        """
        if attempt.draft.fault:
            return attempt
        cases = self.suite.cases if cases is None else cases
        returns = dict(attempt.returns)
        passed = 0
        with self._run.step("sandbox", label, round) as step:
            async for case, back in self._returns(attempt.draft.text, cases):
                result = Result(case, back)
                returns[case.name] = back
                passed += result.passed
                self._run.emit(
                    "test", name=case.name, status=result.status, round=round, label=label
                )
            step.note = f"{passed} of {len(cases)} tests pass"
        return replace(attempt, returns=returns)

    async def _returns(
        self, code: str, cases: Sequence[Case]
    ) -> AsyncIterator[tuple[Case, Return]]:
        """What comes back of each case, as it comes; the cases begin in their order."""
        turn = asyncio.Semaphore(AT_A_TIME)
        endless = 0

        async def one(case: Case) -> tuple[Case, Return]:
            nonlocal endless
            async with turn:
                if endless >= ENDLESS:
                    return case, Return("not run", error=f"{endless} tests before it never ended")
                back = await self._execute(code, case)
                endless += back.came in ("timeout", "cpu")
                return case, back

        tasks = [asyncio.create_task(one(case)) for case in cases]
        try:
            for done in asyncio.as_completed(tasks):
                yield await done
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _execute(self, code: str, case: Case) -> Return:
        try:
            async with asyncio.timeout_at(self._run.deadline):
                if case.stdin is None:
                    return await self._call(code, case)
                return await self._feed(code, case.stdin)
        except TimeoutError:
            return Return("not run", error="the run's time is used up")

    async def _call(self, code: str, case: Case) -> Return:
        """Calls the function, in Python."""
        expected = case.expected
        raises = isinstance(expected, Raises)
        test = sandbox.Case(
            case.name,
            sandbox.Raises(expected.name) if raises else expected,
            case.function or entry_of(code, self.suite.function),
            case.arguments.args,
            dict(case.arguments.kwargs),
        )
        [result] = await sandbox.run_tests(code, [test], self._limits)
        took = round(result.outcome.duration_s * 1000, 1)
        status, actual = result.status, result.actual
        if isinstance(actual, sandbox.Raises) and (status == "raised" or result.passed):
            names = (*classes(actual.name), *((expected.name,) if result.passed else ()))
            said = result.message or actual.name
            return Return("raised", error=said, raised=names, duration_ms=took)
        if status == "passed" or status == "wrong":
            return Return("returned", actual, duration_ms=took)
        return Return(status, error=result.message, duration_ms=took)

    async def _feed(self, code: str, stdin: str) -> Return:
        """Runs the whole program, in its language."""
        language = sandbox.LANGUAGES[self._language]
        outcome = await sandbox.run(
            {language.file: code},
            language.command,
            self._limits,
            stdin=stdin.encode("utf-8", "surrogatepass"),
        )
        took = round(outcome.duration_s * 1000, 1)
        if outcome.ended == "exited" and outcome.exit == 0:
            return Return("printed", outcome.stdout, duration_ms=took)
        said = (outcome.stderr.strip().splitlines() or [""])[-1]
        if outcome.ended == "exited" or outcome.ended == "signal":
            return Return("died", error=f"status {outcome.exit}: {said}", duration_ms=took)
        return Return(outcome.ended, error=f"ended for its {outcome.ended} limit", duration_ms=took)


def classes(name: str) -> tuple[str, ...]:
    """An exception's name and those of the builtin classes above it."""
    kind = getattr(builtins, name, None)
    if isinstance(kind, type) and issubclass(kind, BaseException):
        return tuple(each.__name__ for each in kind.__mro__)
    return (name,)
