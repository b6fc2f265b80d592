"""A record as titled sections for people. Pure; what is empty is left out."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from history.index_row import Row, Stage, row_of
from history.record_values import as_table, as_tables, as_text, as_texts
from laios.git_patch import BadPatch, read_patch
from laios.model_names import shown_name
from laios.types.run_details import CaseResult, RunDetails
from server.runtime.record_details import details_if_whole

Record = Mapping[str, Any]
Section = tuple[str, str]

_WIDEST = 28  # characters of a step's name, so that the other columns stand below each other
_TRIED = "drafts", "rounds", "attempts"  # how modes call what they tried, one after the other


def sections(record: Record, *, folded: bool = False) -> Iterator[Section]:
    """What is on record of a run, in the order in which it came about. Any line that is one JSON
    object can be shown. `folded`: of a patch, its files."""
    row, details = row_of(record), details_if_whole(record)
    output = as_text(record.get("final_output"))
    yield "prompt", as_text(record.get("original_prompt")) or "(not kept)"
    fold = _folded if folded else str
    for title, text in _texts(record, output):
        yield title, fold(text)
    yield from _verdicts(record, row)
    for title, lines in _checks(record, details) if details else ():
        if lines:
            yield title, "\n".join(lines)
    yield "steps", "\n".join(_steps(row.stages))
    if row.error:
        yield "error", f"{row.error}: {as_text(record['error'].get('message'))}"
    if output is not None:
        yield "output", fold(output)


def _folded(text: str) -> str:
    """The files of a patch, a line each; any other text as it is."""
    try:
        files = read_patch(text)
    except BadPatch:
        return text
    sizes = {path: len(content.splitlines()) for path, content in files.items()}
    lines = [f"{path}  {size} {'line' if size == 1 else 'lines'}" for path, size in sizes.items()]
    return "\n".join([*lines, "(a patch; --full prints it)"])


def _texts(record: Record, output: str | None) -> Iterator[Section]:
    for title, key in (("draft", "coder_output"), ("review", "reviewer_output")):
        text = as_text(record.get(key))
        if text is not None and text != output:
            yield title, text


def _verdicts(record: Record, row: Row) -> Iterator[Section]:
    scores = (row.confidence, row.conflict), (row.review_confidence, row.review_conflict)
    titles = (("verdict", "judge"), ("verdict on the review", "reviewer_judge"))
    for (title, key), (confidence, conflict) in zip(titles, scores, strict=True):
        if judge := as_table(record.get(key)):
            said = as_text(judge.get("judgement_summary")) or ""
            marks = f"confidence {confidence or '–'}, conflict {conflict or '–'}: {said}"
            yield title, as_text(judge.get("error")) or marks
    if row.escalated:
        yield "escalated", row.escalation_reason or ""
    if row.final_reason:
        yield "returned the draft", row.final_reason


def _checks(record: Record, details: RunDetails) -> Iterator[tuple[str, list[str]]]:
    yield "known to be wrong", [each for each in details.warnings if each not in details.unchecked]
    yield "not checked", details.unchecked
    yield "not certain", details.open_questions
    yield "instead of what was asked", details.fallbacks
    yield "notes", details.notes
    yield "tests", [*_tests(details)]
    made = record["artefact"] or {}
    yield from ((name, [*_tried(made.get(name))]) for name in _TRIED)
    yield "examples that a model found", [*_read(made.get("read_examples"))]
    yield "chosen because", [details.chosen_because] if details.chosen_because else []
    yield "findings", [each.said for each in details.evidence] + details.findings
    yield "citations", [*_citations(record)]


def _tests(details: RunDetails) -> Iterator[str]:
    if tests := details.tests:
        yield f"{tests.passed} of {tests.total} pass{f'; {tests.reason}' if tests.reason else ''}"
        yield from map(_case, tests.cases)


def _case(case: CaseResult) -> str:
    return f"  {case.status:<9} {case.name}{f': {case.error}' if case.error else ''}"


def _tried(tried: object) -> Iterator[str]:
    """What was tried, a line each: its numbers and its words, without its texts."""
    for place, each in enumerate(as_tables(tried), 1):
        yield f"{each.get('number', place)}. " + ", ".join(_facts(each))


def _read(examples: object) -> Iterator[str]:
    """`merge([1], [2]) → [1, 2], passed by 1, 3`: the numbers are the drafts'."""
    for each in as_tables(examples):
        holding = each.get("held_by")
        numbers = ", ".join(map(str, holding)) if isinstance(holding, list) else ""
        yield f"{each.get('test')}, passed by {numbers or 'none'}"


def _facts(tried: Record) -> Iterator[str]:
    for name, value in tried.items():
        said = _said(value)
        if said and "\n" not in said and name not in ("number", "round", "code"):
            yield f"{name.replace('_', ' ')} {said}"


def _said(value: object) -> str:
    """A word or a number as it is, of a list its texts and what its findings say."""
    if isinstance(value, list):
        told = [each.get("detail") if isinstance(each, dict) else each for each in value]
        return "; ".join(as_texts(told))
    return str(value) if isinstance(value, str | int | float) else ""


def _citations(record: Record) -> Iterator[str]:
    """Of the documentation that was offered, what is cited: only that is kept with its text."""
    for chunk in as_tables((record["artefact"] or {}).get("documentation")):
        if "content" in chunk:
            place = " ".join(str(chunk.get(key) or "") for key in ("source", "path")).strip()
            yield f"[{chunk.get('index')}] {chunk.get('title') or chunk.get('chunk_id')}  {place}"


def _steps(stages: Sequence[Stage]) -> Iterator[str]:
    names = [f"{step.stage} {step.label or ''}".strip() for step in stages]
    width = min(_WIDEST, max(map(len, names), default=0))
    return (_step(step, f"{name:<{width}}") for step, name in zip(stages, names, strict=True))


def _step(step: Stage, name: str) -> str:
    tokens = ""
    if step.output_tokens is not None:
        tokens = f"  {step.prompt_tokens or '–'} → {step.output_tokens} tokens"
    failed = f"  {step.error}" if step.error else ""
    model = shown_name(step.model or "")
    return f"{name} {step.duration_ms or 0:>8.0f} ms  {model}{tokens}{failed}"
