"""What Node's test runner prints (TAP version 13) → the report of each test. Pure."""

import re

from pipeline.sandbox.test_files import ReportedTest, Status

_POINT = re.compile(r"(not ok|ok) \d+ - (.*)")
_FRAME = re.compile(r"(?:file://)?/tmp/program/([^\s():]+):(\d{1,7})\b")
_ERROR = 300  # characters


def read_tap(text: str, file: str) -> list[ReportedTest]:
    """The top-level tests of a file, with the frames in the project's files. A suite counts as one
    test."""
    points: list[tuple[str, Status, list[str]]] = []  # with the lines of its details
    for line in text.splitlines():
        point = _POINT.fullmatch(line)
        if point:
            name, _, directive = point[2].partition(" # ")
            status: Status = "passed" if point[1] == "ok" else "failed"
            if directive.upper().startswith(("SKIP", "TODO")):
                status = "skipped"
            points.append((name, status, []))
        elif points and line.startswith("  ") and points[-1][1] == "failed":
            points[-1][2].append(line)
    return [
        ReportedTest(name, file, status, _error(lines), _frames(lines))
        for name, status, lines in points
    ]


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


def _frames(details: list[str]) -> tuple[tuple[str, int], ...]:
    start = next((n for n, line in enumerate(details) if line.startswith("  stack:")), None)
    found = _FRAME.findall("\n".join(details[start:])) if start is not None else []
    return tuple((path, int(line)) for path, line in reversed(found))
