"""A record → what its page shows. Pure, and whatever is in the record: any line of JSON with an id
is one."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from dashboard import highlight
from dashboard.display_text import Clipped, clip
from dashboard.filters import with_term
from dashboard.formatting import runs
from dashboard.json_values import as_json, as_plain
from dashboard.project_tabs import is_patch, is_project
from dashboard.shown_code import Code, shown
from dashboard.stage_bars import Lane, Waterfall, waterfall
from dashboard.timeline_rows import (
    RowView,
    Scores,
    mode_word,
    review_scores_of,
    row_view,
    scores_of,
)
from history.index_row import Row, row_of
from history.open_questions import example_decides, open_questions
from history.record_values import as_table, as_tables, as_text, as_texts, judged_valid
from history.whole_prompt import is_prompt_all

PARTS = ("output", "draft", "review", "prompt", "verdict")
"""The texts of a run, by the names that they have in addresses."""
_KEYS = {"output": "final_output", "draft": "coder_output", "review": "reviewer_output"}
_STAGES = {"draft": "coder", "review": "reviewer", "verdict": "judge"}
_WHOSE = {"coder": "the draft", "reviewer": "the review"}
_MOST_STEPS = 64
_REPLY_CHARS = 8000


@dataclass(frozen=True, slots=True)
class Judged:
    """A verdict. `scores` is None where it could not be read; `error` says why."""

    title: str
    scores: Scores | None
    summary: str | None
    error: str | None
    raw: Clipped | None


@dataclass(frozen=True, slots=True)
class Fact:
    name: str
    value: str
    query: str | None = None
    """The filter that finds the runs which have the same."""


@dataclass(frozen=True, slots=True)
class Detail:
    view: RowView
    row: Row
    record: Mapping[str, Any]
    waterfall: Waterfall
    verdicts: list[Judged]
    evidence: list[str]
    open_questions: list[str]
    error: str | None
    parts: list[str]
    facts: list[Fact]

    def text(self, part: str) -> str | None:
        return text_of_part(self.record, part)

    @property
    def valid(self) -> bool | None:
        """Whether its judgement found the code valid; None where it is none."""
        return judged_valid(self.record)

    @property
    def example_decides(self) -> bool:
        """Whether an example in the prompt would answer the open questions."""
        return example_decides(self.open_questions)

    @property
    def may_run_again(self) -> bool:
        """Whether its prompt is there, and says all that was asked for."""
        return self.text("prompt") is not None and is_prompt_all(self.record)

    def replies(self, part: str) -> list[Clipped]:
        """What the models really said, where something else was made of it."""
        steps = _steps(self.record)
        raws = [step.get("raw") for step in steps if step.get("stage") == _STAGES.get(part)]
        return [clip(raw, _REPLY_CHARS) for raw in as_texts(raws) if raw]


def detail(record: Mapping[str, Any], total_ms: float | None = None) -> Detail:
    """`total_ms` stretches the waterfall's axis."""
    row = row_of(record)
    verdicts = list(_verdicts(record, row))
    parts = [part for part in PARTS if part == "verdict" or text_of_part(record, part) is not None]
    if record.get("artefact"):
        parts.append("artefact")
    if {"draft", "review"} <= set(parts):
        parts.insert(3, "diff")
    if change_of(record):
        parts.insert(1, "change")
    if is_project(record):
        parts.insert(0, "files")
    return Detail(
        view=row_view(row),
        row=row,
        record=record,
        waterfall=waterfall(row, _hollow(row, verdicts), total_ms),
        verdicts=verdicts,
        evidence=list(_evidence(record)),
        open_questions=open_questions(record),
        error=_error(record),
        parts=parts,
        facts=list(dict.fromkeys(_facts(record, row))),  # steps may have the same to say
    )


def text_of_part(record: Mapping[str, Any], part: str) -> str | None:
    """A text of the run exactly as it is stored; None where there is none."""
    if part == "prompt":
        return as_text(record.get("original_prompt")) or as_text(record.get("normalized_prompt"))
    if part == "verdict":
        raw = [judged.get("raw_response") for judged in _judgements(record).values()]
        return "\n\n".join(as_texts(raw)) or None
    return as_text(record.get(_KEYS.get(part, "")))


def change_of(record: Mapping[str, Any]) -> tuple[str, str] | None:
    """The code before and after a refinement; None for other runs."""
    result = as_table(as_table(record.get("artefact")).get("result"))
    before = as_text(result.get("original_code"))
    after = as_text(record.get("final_output"))
    return None if before is None or after is None else (before, after)


def code(record: Mapping[str, Any], part: str) -> Code:
    """A text of the run, coloured and with its lines apart."""
    text = text_of_part(record, part) or ""
    return shown(text, None if part == "prompt" else language_of(record, text), part)


def language_of(record: Mapping[str, Any], text: str) -> str | None:
    """What is on record; older records do not say, and it is told by the looks of the text. A patch
    says so itself."""
    if is_patch(text):
        return "diff"
    if "language" in record:
        return as_text(record["language"])
    return highlight.language_of(text, as_text(record.get("normalized_prompt")))


# --- the judge -----------------------------------------------------------------------------------


def _judgements(record: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
    found = {"The draft": record.get("judge"), "The review": record.get("reviewer_judge")}
    return {name: value for name, value in found.items() if isinstance(value, dict)}


def _verdicts(record: Mapping[str, Any], row: Row) -> Iterator[Judged]:
    scores = {"The draft": scores_of(row), "The review": review_scores_of(row)}
    for title, judged in _judgements(record).items():
        raw = as_text(judged.get("raw_response"))
        yield Judged(
            title,
            scores[title],
            as_text(judged.get("judgement_summary")),
            as_text(judged.get("error")),
            clip(raw, _REPLY_CHARS) if raw else None,
        )


def _hollow(row: Row, verdicts: list[Judged]) -> Lane | None:
    """The reviewer that was not needed, and why."""
    reviewable = (row.mode or "").removesuffix("_ctx") == "code_reviewed"
    if not reviewable or row.escalated or row.error or not verdicts:
        return None
    scores, summary = verdicts[0].scores, verdicts[0].summary
    marks = f"confidence {scores.confidence}, conflict {scores.conflict}" if scores else ""
    why = "; ".join(filter(None, [marks, summary]))
    return Lane("reviewer", "reviewer", why, "not needed", (), hollow=True)


def _steps(record: Mapping[str, Any]) -> list[dict[str, Any]]:
    return as_tables(record.get("steps"))[:_MOST_STEPS]


def _evidence(record: Mapping[str, Any]) -> Iterator[str]:
    findings = record.get("evidence")
    for finding in findings[:20] if isinstance(findings, list) else []:
        if isinstance(finding, dict):
            said = [finding.get(key) for key in ("stage", "kind", "detail", "came")]
            yield ": ".join(as_texts(said))
        else:
            yield as_json(finding)[:300]


# --- facts ---------------------------------------------------------------------------------------


def _error(record: Mapping[str, Any]) -> str | None:
    error = record.get("error")
    if not error:
        return None
    if not isinstance(error, dict):
        return as_json(error)[:500]
    code_, message = as_text(error.get("code")), as_text(error.get("message"))
    return ": ".join(filter(None, [code_, message])) or "error"


def _facts(record: Mapping[str, Any], row: Row) -> Iterator[Fact]:
    yield Fact("time", row_view(row).when)
    yield Fact("mode", mode_word(row.mode), _term("mode", row.mode))
    if row.session is not None:
        yield Fact("session", row.session, _term("session", row.session))
    if row.source:
        yield Fact("source", row.source, _term("source", row.source))
    if row.host:
        yield Fact("host", row.host, _term("host", row.host))
    thresholds = record.get("thresholds")
    if isinstance(thresholds, dict):
        confidence, conflict = (as_plain(thresholds.get(k)) for k in ("confidence", "conflict"))
        yield Fact("thresholds", f"confidence {confidence}, conflict {conflict}")
    if row.final_source:
        yield Fact("returned", _WHOSE.get(row.final_source, row.final_source))
    for step in _steps(record):
        if note := as_text(step.get("note")):
            yield Fact(f"note on the {as_plain(step.get('stage'))}", note)
        if (end := as_text(step.get("finish_reason"))) and end != "stop":
            yield Fact(f"finish reason of the {as_plain(step.get('stage'))}", end)
    context = record.get("context_ids")
    if isinstance(context, list) and context:
        yield Fact("history before the prompt", runs(len(context)))


def _term(key: str, value: str | None) -> str | None:
    return with_term("", key, value) if value else None
