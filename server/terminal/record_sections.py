"""A record as titled sections for people. Pure; what is empty is left out."""

from collections.abc import Iterator, Mapping
from typing import Any

from laios.types.run_details import CaseResult, RunDetails
from server.runtime.record_details import details_of

Record = Mapping[str, Any]
Section = tuple[str, str]

_TRIED = "drafts", "rounds", "attempts"  # how modes call what they tried, one after the other


def sections(record: Record) -> Iterator[Section]:
    """What is on record of a run, in the order in which it came about."""
    details = details_of(record)
    yield "prompt", record["original_prompt"] or "(not kept)"
    yield from _texts(record)
    yield from _verdicts(record)
    for title, lines in _checks(record, details):
        if lines:
            yield title, "\n".join(lines)
    yield "steps", "\n".join(map(_step, record["steps"]))
    if record["error"]:
        yield "error", f"{record['error']['code']}: {record['error']['message']}"
    if record["final_output"] is not None:
        yield "output", record["final_output"]


def _texts(record: Record) -> Iterator[Section]:
    for title, key in (("draft", "coder_output"), ("review", "reviewer_output")):
        if record[key] is not None and record[key] != record["final_output"]:
            yield title, record[key]


def _verdicts(record: Record) -> Iterator[Section]:
    for title, key in (("verdict", "judge"), ("verdict on the review", "reviewer_judge")):
        if verdict := record[key]:
            scores = f"{verdict['confidence_score']}/{verdict['conflict_score']}"
            yield title, verdict["error"] or f"{scores} {verdict['judgement_summary'] or ''}"
    if record["escalated"]:
        yield "escalated", record["escalation_reason"]
    if record.get("final_reason"):
        yield "returned the draft", record["final_reason"]


def _checks(record: Record, details: RunDetails) -> Iterator[tuple[str, list[str]]]:
    yield "known to be wrong", details.warnings
    yield "in place of what was asked", details.fallbacks
    yield "tests", [*_tests(details)]
    yield "rounds", [*_rounds(record)]
    yield "findings", [each.detail for each in details.evidence] + details.findings
    yield "citations", [*_citations(record)]


def _tests(details: RunDetails) -> Iterator[str]:
    if tests := details.tests:
        yield f"{tests.passed} of {tests.total} pass{f'; {tests.reason}' if tests.reason else ''}"
        yield from map(_case, tests.cases)


def _case(case: CaseResult) -> str:
    return f"  {case.status:<9} {case.name}{f': {case.error}' if case.error else ''}"


def _rounds(record: Record) -> Iterator[str]:
    """What was tried, a line each: its numbers and its words, without its texts."""
    made = record["artefact"] or {}
    for tried in (made.get(name) for name in _TRIED):
        for number, each in enumerate(tried if isinstance(tried, list) else (), 1):
            if isinstance(each, dict):
                yield f"{number}. " + ", ".join(_facts(each))


def _facts(round: Record) -> Iterator[str]:
    for name, value in round.items():
        is_text = isinstance(value, str) and "\n" in value
        if isinstance(value, str | int | float) and name not in ("round", "code") and not is_text:
            yield f"{name} {value}"


def _citations(record: Record) -> Iterator[str]:
    """Of the documentation that was offered, what is cited: only that is kept with its text."""
    chunks = (record["artefact"] or {}).get("documentation")
    for chunk in chunks if isinstance(chunks, list) else ():
        if isinstance(chunk, dict) and "content" in chunk:
            place = " ".join(str(chunk.get(key) or "") for key in ("source", "path")).strip()
            yield f"[{chunk.get('index')}] {chunk.get('title') or chunk.get('chunk_id')}  {place}"


def _step(step: Record) -> str:
    name = f"{step['stage']} {step['label'] or ''}".strip()
    tokens = ""
    if step["output_tokens"] is not None:
        tokens = f"  {step['prompt_tokens']} → {step['output_tokens']} tokens"
    failed = f"  {step['error']['code']}" if step["error"] else ""
    return f"{name:<14} {step['duration_ms'] or 0:>8.0f} ms  {step['model'] or ''}{tokens}{failed}"
