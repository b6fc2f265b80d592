"""The report of the scripts that run in the sandbox, a line of JSON for each call, read as results.
The program may have written it."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from pipeline.sandbox.outcome import Outcome
from pipeline.sandbox.sandbox_scripts.value_json import decode
from pipeline.sandbox.test_result import CaseResult, Ending, without_result
from pipeline.sandbox.testcase import Case

_SHOWN = 300
_REPORT_BYTES = 1 << 18  # to read 1 MB would hold up the event loop for 0.2 s


def reported(cases: Sequence[Case], outcome: Outcome) -> list[CaseResult]:
    """What the report of calls says; the program may have written it."""
    lines = outcome.report.splitlines() if len(outcome.report) <= _REPORT_BYTES else []
    results = [_read(case, line, outcome) for case, line in zip(cases, lines, strict=False)]
    return results + [without_result(case, outcome) for case in cases[len(results) :]]


def _read(case: Case, line: bytes, outcome: Outcome) -> CaseResult:
    try:
        report = json.loads(line)
        result = _given(case, report) or _failed(case, report)
        wrote = _wrote(report["wrote"]) if "wrote" in report else {}
        return replace(result, wrote=wrote, duration_ms=outcome.duration_ms)
    except (ValueError, KeyError, TypeError, IndexError, RecursionError):
        return without_result(case, outcome)


def _given(case: Case, report: Mapping[str, Any]) -> CaseResult | None:
    """Of a call or a program that came to its end. Raises what `decode` raises."""
    if "said" in report:
        return CaseResult(case, "printed", str(report["said"]), ended=str(report["ended"]))
    if "value" not in report:
        return None
    left = tuple(map(decode, report.get("left", ())))
    said = str(report.get("printed", ""))
    return CaseResult(case, "returned", decode(report["value"]), printed=said, left=left)


def _failed(case: Case, report: Mapping[str, Any]) -> CaseResult:
    names, number = tuple(str(name) for name in report["error"]), report["line"]
    where = f" (line {number:d})" if number is not None else ""
    error = f"{names[0]}: {report['message']!s}"[:_SHOWN] + where
    stage = report["stage"]
    came: Ending = "raised" if stage in ("call", "value") else "unusable"
    return CaseResult(case, came, error=error, raised=() if stage == "value" else names)


def _wrote(reported: Any) -> dict[str, str | None]:
    """Raises ValueError for anything but texts by their names."""
    files = decode(reported)
    if not isinstance(files, dict):
        raise ValueError("these are no files")
    return {str(name): None if text is None else str(text) for name, text in files.items()}
