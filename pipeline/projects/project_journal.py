"""What a run that made a project did, as its record keeps it: plan, files, rounds, measures."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from pipeline.projects.fault import Fault, serious
from pipeline.projects.manifest import Manifest
from pipeline.projects.project import Project
from pipeline.projects.project_planner import NAMED
from pipeline.projects.project_runner import ProjectTests
from pipeline.run import Run
from pipeline.step import Step


@dataclass(slots=True)
class ProjectJournal:
    """Filled as the run goes on. `level` is how the plan could be read."""

    run: Run
    manifest: Manifest
    level: str | None
    rounds: list[dict[str, Any]] = field(default_factory=list)
    write_ms: float = 0.0  # all files for the first time, from the first to the last

    def add_round(self, name: str, faults: Sequence[Fault], changed: Sequence[str]) -> None:
        """What was found after a round, and which files it had changed."""
        self.rounds.append(
            {
                "round": name,
                "changed": list(changed),
                "faults": len(faults),
                "serious": len(serious(faults)),
            }
        )

    def artefact(
        self, project: Project, faults: Sequence[Fault], tests: ProjectTests | None
    ) -> dict[str, Any]:
        """`faults` and `tests` are those of the project that is returned."""
        return {
            "kind": "project",
            "manifest": self.manifest.as_json(),
            "manifest_rung": self.level,
            "files": [self._described(project, faults, path) for path in self.manifest.paths],
            "failed": dict(project.failed),
            "faults": [asdict(fault) for fault in faults],
            "rounds": self.rounds,
            "tests": tests.as_json() if tests else None,
            "metrics": self._metrics(project, faults, tests),
        }

    def _described(self, project: Project, faults: Sequence[Fault], path: str) -> dict[str, Any]:
        text = project.texts.get(path)
        steps = self._steps(path)
        return {
            "path": path,
            "type": self.manifest[path].file_type,
            "status": "failed" if text is None else "written",
            "error": project.failed.get(path),
            "calls": len(steps),
            "prompt_tokens": sum(step.prompt_tokens or 0 for step in steps),
            "output_tokens": sum(step.output_tokens or 0 for step in steps),
            "duration_ms": round(sum(step.duration_ms or 0.0 for step in steps), 1),
            "bytes": len((text or "").encode("utf-8", "surrogatepass")),
            "lines": (text or "").count("\n"),
            "faults": sum(fault.path == path for fault in faults),
        }

    def _steps(self, path: str) -> list[Step]:
        labels = (path, f"file {self.manifest.paths.index(path) + 1}")
        return [
            step
            for step in self.run.steps
            if step.label in labels and step.stage in ("coder", "reviewer")
        ]

    def _metrics(
        self, project: Project, faults: Sequence[Fault], tests: ProjectTests | None
    ) -> dict[str, Any]:
        """The run's measures as plain numbers: what a page adds up over runs."""
        calls = [step for step in self.run.steps if step.model]
        first = [
            step.duration_ms or 0.0
            for path in self.manifest.paths
            for step in self._steps(path)
            if step.stage == "coder" and step.round == 1
        ]
        return {
            "files": len(self.manifest.files),
            "files_failed": len(project.failed),
            "lines": sum(text.count("\n") for text in project.texts.values()),
            "calls": len(calls),
            "prompt_tokens": sum(step.prompt_tokens or 0 for step in calls),
            "output_tokens": sum(step.output_tokens or 0 for step in calls),
            "json_read_at_once": self.level in ("read", NAMED),
            "lint_clean": not project.failed
            and not any(fault.kind in ("lint", "syntax") for fault in faults),
            "consistent": not serious(faults),
            "tests_run": bool(tests and tests.run),
            "tests_passed": tests.passed if tests else 0,
            "tests_total": tests.total if tests else 0,
            "write_ms": round(self.write_ms, 1),
            "write_alone_ms": round(sum(first), 1),
        }
