"""The brief for the writer of a file of a project."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from pipeline.analysis.file_types import language_of_path
from pipeline.projects.manifest import Manifest, PlannedFile
from pipeline.task import Task

_TEST_TOOLS = {"python": "unittest", "javascript": "node:test"}
_TEST_PACKAGES = re.compile(r"\b(pytest|nose2?|jest|mocha|vitest|jasmine)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class FileBrief:
    """`offered` are the signatures of the files that it uses. `review`: it is a reviewer who is
    told, and `whole` the project as that one sees it, with what is known of it. `before` is the
    file's present text, `complaint` what is wrong with that or with the last answer. `varied`: it
    is written once more, and shall differ. With an `order`, all files in it are asked for in turn,
    and `earlier` are the texts of those before this one."""

    task: Task
    manifest: Manifest
    plan: PlannedFile
    offered: str = ""
    whole: str = ""
    review: bool = False
    before: str | None = None
    complaint: str = ""
    varied: bool = False
    order: tuple[str, ...] = ()
    earlier: Mapping[str, str] = field(default_factory=dict)


def test_tool(task: Task, manifest: Manifest, plan: PlannedFile) -> str | None:
    """What the language itself has for tests, unless others are wanted: these could not be run."""
    said = (task.material, manifest.setup_instructions, plan.description, *manifest.dependencies)
    if plan.file_type != "test" or _TEST_PACKAGES.search("\n".join(said)):
        return None
    return _TEST_TOOLS.get(language_of_path(plan.path) or "")
