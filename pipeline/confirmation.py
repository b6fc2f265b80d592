"""Whether the final answer of a run on record was confirmed by anybody, and how far it can be
trusted. Pure, and of any record: a history is a file that anybody may have written."""

from collections.abc import Mapping
from typing import Any

Record = Mapping[str, Any]

BY_TESTS = 0.9  # the trust in an answer whose tests all pass, where no judge gave more
_LEAST, _MOST = 8, 6  # thresholds of a record that names none


def confirmed(record: Record) -> float:
    """From 0 (by nobody, or it is known to be wrong) to 1. A judge confirms who lets the answer
    that was returned pass, escalated or not; tests do that were run and all pass."""
    source = record.get("final_source")
    evidence = record.get("evidence")
    findings = evidence if isinstance(evidence, list) else []
    if any(_map(each).get("stage") in (source or "coder", None) for each in findings):
        return 0.0
    made = _map(record.get("artefact"))
    if _map(made.get("judgement")).get("valid") is False:
        return 0.0
    answer = _map(made.get("answer"))
    if answer.get("success") is False:
        return 0.0
    tests = _by_tests(record, made)
    if tests is False:
        return 0.0
    judged = _by_judge(
        record, _map(record.get("reviewer_judge" if source == "reviewer" else "judge"))
    )
    trust = max(judged, BY_TESTS if tests else 0.0)
    own = answer.get("confidence")
    return min(trust, float(own)) if isinstance(own, int | float) else trust


def _by_judge(record: Record, verdict: Record) -> float:
    """The verdict on the answer as a share, where it is no reason to review it; that of a small
    model on its own code is no confirmation."""
    if str(record.get("final_reason")).startswith("unconfirmed: "):
        return 0.0
    sure, torn = verdict.get("confidence_score"), verdict.get("conflict_score")
    if type(sure) is not int or type(torn) is not int:
        return 0.0
    limits = _map(record.get("thresholds"))
    least, most = limits.get("confidence", _LEAST), limits.get("conflict", _MOST)
    if not isinstance(least, int) or not isinstance(most, int) or sure < least or torn > most:
        return 0.0
    return min(1.0, sure / 10)


def _by_tests(record: Record, made: Record) -> bool | None:
    """Whether all tests pass; None where there were none."""
    rows = made.get("tests")
    statuses = [_map(row).get("status") for row in rows] if isinstance(rows, list) else []
    if statuses:
        return all(status == "passed" for status in statuses)
    held = str(record.get("final_reason")).startswith("not judged: ")  # examples, drafts
    return True if held else None


def _map(value: Any) -> Record:
    return value if isinstance(value, Mapping) else {}
