"""Looking at a project: what the checks find, and what its own tests and programs do."""

import asyncio
from contextlib import suppress
from dataclasses import dataclass

from pipeline.projects.consistency import check
from pipeline.projects.fault import RUN_KINDS, Fault, serious
from pipeline.projects.program_starts import start_faults
from pipeline.projects.project import Project
from pipeline.projects.project_examples import example_faults
from pipeline.projects.project_journal import ProjectJournal
from pipeline.projects.project_runner import ProjectTests, python_needs, run_tests
from pipeline.run import Run

NO_TIME = "the run's time was used up before they ended"
SHOWN = 20  # faults that the judge is told


@dataclass(frozen=True, slots=True)
class Inspected:
    """A project with all that is known to be wrong with it. `tests`: None where a fault showed
    before they could be run."""

    project: Project
    faults: tuple[Fault, ...]
    tests: ProjectTests | None

    @property
    def broken(self) -> bool:
        """Files are missing or do not parse: no judge is needed to see that."""
        return bool(self.project.failed) or any(fault.kind == "syntax" for fault in self.faults)

    @property
    def skipped(self) -> int:
        """How many tests are skipped because no draft passes them."""
        return len(self.project.remarks)

    @property
    def passed(self) -> bool:
        """Nothing is missing or broken, and tests, where there are any, were run and hold."""
        tests = self.tests
        if self.broken or self.skipped or not self.project.has_tests:
            return not self.broken and not self.skipped
        return bool(tests and tests.run and tests.passed == tests.total and not tests.reason)

    @property
    def score(self) -> tuple[int, int, int, int]:
        """Smaller is better: missing files, serious faults without those that show when it is run
        (as is done only where there are no others), those with them, all."""
        found = serious(self.faults)
        plain = [fault for fault in found if fault.kind not in RUN_KINDS]
        return len(self.project.failed), len(plain), len(found), len(self.faults)

    @property
    def facts(self) -> str:
        """For the judge."""
        plan = self.project.manifest
        lines = [
            f"It is a project of {len(plan.files)} files. Name the file that a defect is in.",
            f"Checks of syntax, imports, names, calls and packages: {len(self.faults)} findings.",
            *(f"- {fault}" for fault in self.faults[:SHOWN]),
        ]
        if self.tests and self.tests.run:
            lines.append(f"{self.tests.passed} of {self.tests.total} of its own tests pass.")
        return "\n".join(lines)


class Inspection:
    def __init__(self, run: Run, request: str, journal: ProjectJournal) -> None:
        self._run, self._request, self._journal = run, request, journal
        self._looks = 0

    async def look(self, name: str, project: Project, before: Inspected | None = None) -> Inspected:
        """Checks a project, and where nothing serious was found runs its tests, the request's
        examples and its programs; what is known so far goes into the run's artefact, in case it is
        its end."""
        self._looks += 1
        with self._run.step("checks", name, self._looks) as step:
            faults = [*await asyncio.to_thread(check, project), *project.remarks]
            step.note = f"{len(faults)} findings, {len(serious(faults))} serious"
        tests = None
        if not serious(faults) and not project.failed:
            tests = await self._ran(project, faults)
        seen = Inspected(project, tuple(faults), tests)
        old = before.project.texts if before else {}
        changed = [path for path, text in project.texts.items() if old.get(path) != text]
        self._journal.add_round(name, seen.faults, changed)
        self._run.keep(artefact=self._journal.artefact(project, seen.faults, tests))
        return seen

    async def _ran(self, project: Project, faults: list[Fault]) -> ProjectTests:
        """What came of the tests; what running showed is added to the faults. Until the run's time
        is used up: its files are not lost for a test that hangs."""
        run, round = self._run, self._looks
        tests = ProjectTests(False, NO_TIME)
        with suppress(TimeoutError):
            async with asyncio.timeout_at(run.deadline):
                tests = await run_tests(run, project, round)
                faults += tests.faults
                if not await asyncio.to_thread(python_needs, project, run.settings.SANDBOX_VENV):
                    faults += await example_faults(run, self._request, project, round)
                    faults += await start_faults(run, self._request, project, round)
        return tests
