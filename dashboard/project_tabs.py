"""The files of a `///files` run, each with what was found in it. Pure, whatever is on record."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import orjson

from dashboard.json_values import as_plain
from dashboard.shown_code import Code, shown
from history.record_values import as_table, as_tables, as_text
from laios.git_patch import BadPatch, read_patch

_MOST_FILES = 200
_MOST_FINDINGS = 100
_PATCH = re.compile(r"^diff --git ", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Finding:
    """`line` is None where it is about the file, `serious` where the code cannot work so."""

    kind: str
    detail: str
    line: int | None
    serious: bool


@dataclass(frozen=True, slots=True)
class Tab:
    """One file: its name, how many findings there are, and whether it is there."""

    path: str
    findings: int
    failed: bool


@dataclass(frozen=True, slots=True)
class ProjectFiles:
    """The files, and the one that is open; `code` is None where its text is not on record."""

    tabs: list[Tab]
    path: str
    facts: str
    problem: str | None
    findings: list[Finding]
    code: Code | None


def is_project(record: Mapping[str, Any]) -> bool:
    return bool(_rows(record))


def is_patch(text: str) -> bool:
    """Whether a text is a git patch: at its head, or behind remarks."""
    return bool(_PATCH.search(text[:4000]))


def project_files(record: Mapping[str, Any], wanted: str) -> ProjectFiles:
    """The project, of a record that `is_project`, with the file `wanted` open; the first where
    there is none of that name."""
    rows, faults = _rows(record), as_tables(as_table(record.get("artefact")).get("faults"))
    path = wanted if wanted in rows else next(iter(rows))
    text = _texts(record).get(path)
    row = rows[path]
    found = [_finding(fault) for fault in faults if fault.get("path") == path]
    return ProjectFiles(
        tabs=[_tab(each, row, faults) for each, row in rows.items()],
        path=path,
        facts=", ".join(filter(None, (as_text(row.get("type")), _lines(row)))),
        problem=as_text(row.get("error")),
        findings=found[:_MOST_FINDINGS],
        code=None if text is None else shown(text, path.rpartition(".")[2], "output"),
    )


def _rows(record: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """What is on record of each file, by its path."""
    artefact = as_table(record.get("artefact"))
    if artefact.get("kind") != "project":
        return {}
    files = as_tables(artefact.get("files"))[:_MOST_FILES]
    return {path: file for file in files if (path := as_text(file.get("path")))}


def _texts(record: Mapping[str, Any]) -> Mapping[str, str]:
    """The files of the answer, in those of its forms that can be read back (patch and JSON)."""
    whole = as_text(record.get("final_output")) or as_text(record.get("coder_output")) or ""
    try:
        return read_patch(whole) if is_patch(whole) else _of_json(whole)
    except (BadPatch, orjson.JSONDecodeError):
        return {}


def _of_json(whole: str) -> dict[str, str]:
    files = as_tables(as_table(orjson.loads(whole)).get("files"))
    pairs = ((as_text(file.get("path")), as_text(file.get("content"))) for file in files)
    return {path: text for path, text in pairs if path and text is not None}


def _tab(path: str, row: Mapping[str, Any], faults: list[dict[str, Any]]) -> Tab:
    found = sum(fault.get("path") == path for fault in faults)
    return Tab(path, found, failed=row.get("status") == "failed")


def _finding(fault: Mapping[str, Any]) -> Finding:
    line = fault.get("line")
    return Finding(
        as_plain(fault.get("kind")),
        as_plain(fault.get("detail"))[:2000],
        line if isinstance(line, int) else None,
        bool(fault.get("serious")),
    )


def _lines(row: Mapping[str, Any]) -> str:
    number = row.get("lines")
    return f"{number} {'line' if number == 1 else 'lines'}" if isinstance(number, int) else ""
