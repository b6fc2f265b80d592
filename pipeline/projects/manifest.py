"""The plan of a project: its files with what each is for, depends on and exports.

Pure. The paths are checked here; what else a model leaves out of a plan is filled in.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import PurePosixPath
from typing import Any

from laios.safe_paths import MAX_PATH, BadPath, check_paths
from pipeline.analysis.file_types import FILE_TYPES, FileType, type_of_path
from pipeline.errors import Unreadable
from pipeline.reply_schema import INTEGER, listed, one_of, table, text
from pipeline.strict_json import list_of, read_object

MAX_FILES = 40
MAX_DEPENDENCIES = 60
MAX_ID, MAX_LINE, MAX_TEXT = 40, 300, 1000  # characters

_NAME = re.compile(
    r"(?:(?:async|class|const|def|enum|export|function|interface|let|type|var)\s+)*([A-Za-z_$][\w$]*)"
)
_NAMES = listed(text(MAX_PATH), 40)
_FILE = table(
    file_path=text(MAX_PATH),
    file_type=one_of(FILE_TYPES),
    description=text(MAX_TEXT),
    semantic_unit_id=text(MAX_ID),
    component_id=text(MAX_ID),
    depends_on=_NAMES,
    exports=_NAMES,
) | {"required": ["file_path", "file_type", "description", "depends_on", "exports"]}
MANIFEST_SCHEMA = table(
    task_id=text(MAX_ID),
    project_id=text(MAX_ID),
    files=listed(_FILE, MAX_FILES, 1),
    dependencies=listed(text(100), MAX_DEPENDENCIES),
    setup_instructions=text(MAX_TEXT),
    total_files=INTEGER | {"minimum": 1, "maximum": MAX_FILES},
) | {"required": ["files", "dependencies", "setup_instructions", "total_files"]}


@dataclass(frozen=True, slots=True)
class PlannedFile:
    """A file that is to be written. `depends_on` are paths of the project, `exports` the names
    that other files use of it, as the model wrote them (`add(a, b)` as well as `add`), `requested`
    those that the request itself says it has."""

    file_path: str
    file_type: FileType
    description: str
    semantic_unit_id: str
    component_id: str
    depends_on: tuple[str, ...] = ()
    exports: tuple[str, ...] = ()
    requested: tuple[str, ...] = ()

    @property
    def path(self) -> str:
        return self.file_path

    @property
    def promised(self) -> frozenset[str]:
        """The names of the exports, without parameters."""
        names = (_NAME.match(export) for export in self.exports)
        return frozenset(name[1] for name in names if name)


@dataclass(frozen=True, slots=True)
class Manifest:
    """`dependencies` are packages of others, as a requirements file names them; `programs` are the
    files that are started, `given` those of them that are given arguments."""

    task_id: str
    project_id: str
    files: tuple[PlannedFile, ...]
    dependencies: tuple[str, ...] = ()
    setup_instructions: str = ""
    programs: tuple[str, ...] = ()
    given: tuple[str, ...] = ()

    @property
    def paths(self) -> tuple[str, ...]:
        return tuple(file.path for file in self.files)

    def __getitem__(self, path: str) -> PlannedFile:
        return next(file for file in self.files if file.path == path)

    def as_json(self) -> dict[str, Any]:
        return asdict(self) | {"total_files": len(self.files)}

    def outline(self) -> str:
        """The plan as the writer of a file is shown it."""
        lines = [f"Project {self.project_id}, {len(self.files)} files:"]
        for file in self.files:
            lines.append(f"- {file.path} ({file.file_type}): {file.description}")
            if file.exports:
                lines.append(f"  exports: {', '.join(file.exports)}")
            if file.depends_on:
                lines.append(f"  uses: {', '.join(file.depends_on)}")
        lines.append(f"Packages: {', '.join(self.dependencies) or 'none'}")
        return "\n".join(lines)


def read_manifest(text: str, task_id: str = "TASK-001", *, counted: bool = False) -> Manifest:
    """Reads a model's plan. Raises Unreadable for what is no plan: not one JSON object, no files,
    too many, a path that leads elsewhere or stands twice. Ids, types and lists that are missing
    are filled in; `task_id` is ours, for a plan without one. `counted`: the text was repaired, so
    that a part of it may be lost: it has to say how many files there are, and rightly."""
    value = read_object(text)
    items = list_of(value, "files")
    if counted and value.get("total_files") != len(items):
        raise Unreadable("total_files is not the number of files")
    if not items:
        raise Unreadable("files is empty")
    if len(items) > MAX_FILES:
        raise Unreadable(f"there are {len(items)} files; {MAX_FILES} are the most")
    paths = [_path(item) for item in items]
    try:
        check_paths(paths)
    except BadPath as error:
        raise Unreadable(str(error)) from None
    return Manifest(
        task_id=_line(value, "task_id", MAX_ID) or task_id,
        project_id=_line(value, "project_id", MAX_ID) or "project",
        files=tuple(_file(n, item, paths) for n, item in enumerate(items)),
        dependencies=_lines(value, "dependencies")[:MAX_DEPENDENCIES],
        setup_instructions=_text(value, "setup_instructions").strip()[:MAX_TEXT],
    )


def _path(item: Any) -> str:
    if not isinstance(item, dict):
        raise Unreadable("a file is no object")
    path = item.get("file_path")
    if not isinstance(path, str):
        raise Unreadable("file_path of a file is no string")
    return path.removeprefix("./")  # which models like to write


def _file(place: int, item: Mapping[str, Any], paths: Sequence[str]) -> PlannedFile:
    path, number = paths[place], place + 1
    uses = (name.removeprefix("./") for name in _lines(item, "depends_on"))
    return PlannedFile(
        file_path=path,
        file_type=_type(item.get("file_type"), path),
        description=_line(item, "description", MAX_TEXT) or path,
        semantic_unit_id=_line(item, "semantic_unit_id", MAX_ID) or f"SU-{number:03}",
        component_id=_line(item, "component_id", MAX_ID) or f"COMP-{number:03}",
        depends_on=tuple(dict.fromkeys(use for use in uses if use in paths and use != path)),
        exports=_lines(item, "exports"),
    )


def _type(said: object, path: str) -> FileType:
    """What a file's path tells where the plan says nothing, or calls a file of tests a source; but
    `typing_test.py` may be one."""
    name = PurePosixPath(path).name
    is_test = name.startswith("test_") or ".test." in name or ".spec." in name
    if said not in FILE_TYPES or (said == "source" and is_test):
        return type_of_path(path)
    return said


def _text(value: Mapping[str, Any], key: str) -> str:
    text = value.get(key)
    if text is not None and not isinstance(text, str):
        raise Unreadable(f"{key} is not a string")
    return text or ""


def _line(value: Mapping[str, Any], key: str, most: int) -> str:
    return " ".join(_text(value, key).split())[:most]


def _lines(value: Mapping[str, Any], key: str) -> tuple[str, ...]:
    items = value.get(key)
    if items is None:
        return ()
    if not isinstance(items, list) or not all(isinstance(item, str) for item in items):
        raise Unreadable(f"{key} is not a list of strings")
    flat = (" ".join(item.split())[:MAX_LINE] for item in items)
    return tuple(dict.fromkeys(filter(None, flat)))
