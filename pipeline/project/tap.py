"""What Node's test runner prints (TAP version 13) → a row for each test. Pure."""

import re
from typing import Any

_POINT = re.compile(r"(not ok|ok) \d+ - (.*)")
_FRAME = re.compile(r"(?:file://)?/tmp/program/([^\s():]+):(\d{1,7})\b")
_ERROR = 300  # characters


def read_tap(text: str, file: str) -> list[dict[str, Any]]:
    """The top-level tests of a file: `{"name", "file", "status", "error", "frames"}`, the frames in
    the project's files with the innermost last. A suite counts as one test."""
    rows: list[dict[str, Any]] = []
    details: list[list[str]] = []  # of each row
    for line in text.splitlines():
        point = _POINT.fullmatch(line)
        if point:
            details.append([])
            name, _, directive = point[2].partition(" # ")
            status = "passed" if point[1] == "ok" else "failed"
            if directive.upper().startswith(("SKIP", "TODO")):
                status = "skipped"
            row: dict[str, Any] = {
                "name": name,
                "file": file,
                "status": status,
                "error": "",
                "frames": [],
            }
            rows.append(row)
        elif rows and line.startswith("  ") and rows[-1]["status"] == "failed":
            details[-1].append(line)
    for row, lines in zip(rows, details, strict=True):
        row |= {"error": _error(lines), "frames": _frames(lines)}
    return rows


def _error(details: list[str]) -> str:
    """The text behind `error:`, which may go on below."""
    start = next((n for n, line in enumerate(details) if line.startswith("  error:")), None)
    if start is None:
        return ""
    first = details[start].partition(":")[2].strip().strip("'\"")
    if not first.startswith("|"):
        return first[:_ERROR]
    body = []
    for line in details[start + 1 :]:
        if line.strip() and not line.startswith("    "):
            break
        body.append(line.strip())
    return " ".join(" ".join(body).split())[:_ERROR]


def _frames(details: list[str]) -> list[tuple[str, int]]:
    start = next((n for n, line in enumerate(details) if line.startswith("  stack:")), None)
    found = _FRAME.findall("\n".join(details[start:])) if start is not None else []
    return [(path, int(line)) for path, line in reversed(found)]
