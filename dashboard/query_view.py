"""What came of a query (a record's `artefact`) → plan, citations, sources and change, as a page
shows them. Pure, and whatever is in it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

from dashboard import highlight
from dashboard.json_values import as_plain
from dashboard.run_detail import language_of
from history.record_values import as_table, as_tables, as_text

_MOST = 100  # items of a list
_TEXT = 8000  # characters of one
_CODE = ("code", "code_changed", "code_added")
# What stands elsewhere on the page: as a step, a source, the output, the prompt or the change.
_TOLD = {
    *("result", "documentation", "decomposition", "modification", "response_type", "query"),
    *("steps", "modifications", "citations", "chunk_ids_used", "explanation", "content_type"),
    *("code", "original_code", "final_code", "diff", "improved_explanation"),
}


@dataclass(frozen=True, slots=True)
class StepView:
    """A step of a plan or of a change; `lines` is its code as HTML."""

    number: str
    title: str
    text: str
    citations: list[str]
    lines: list[Markup]


@dataclass(frozen=True, slots=True)
class CitedSource:
    """What a number in the text leads to; `reason` is the model's word, the others are the
    index's."""

    number: str
    name: str
    kind: str
    title: str
    reason: str
    content: str


@dataclass(frozen=True, slots=True)
class Query:
    """`rest` is what is not told by the other two: facts, findings, notes."""

    steps: list[StepView]
    sources: list[CitedSource]
    rest: dict[str, Any]


def query_of(record: Mapping[str, Any]) -> Query | None:
    """None for what is no query's record."""
    made = as_table(record.get("artefact"))
    result = made.get("result")
    if not isinstance(result, dict):
        return None
    facts = {name: value for name, value in (result | made).items() if name not in _TOLD}
    steps, sources = list(_steps(record, result)), list(_sources(result, made))
    return Query(steps, sources, facts | _planned(made.get("decomposition")))


def _planned(plan: object) -> dict[str, Any]:
    """What was planned, beside what came of it."""
    made = as_table(plan)
    steps = as_tables(made.get("steps")) + as_tables(made.get("modification_steps"))
    return {"planned": steps, "preserved": made.get("preserved_elements")}


def _steps(record: Mapping[str, Any], result: Mapping[str, Any]) -> Iterator[StepView]:
    for step in [*as_tables(result.get("steps")), *as_tables(result.get("modifications"))][:_MOST]:
        code = "\n".join(filter(None, (_text(step.get(name)) for name in _CODE)))
        lines = highlight.lines(code, language_of(record, code)) if code else []
        yield StepView(
            as_plain(step.get("step_number")),
            _text(step.get("description")) or _text(step.get("modification")),
            _text(step.get("understanding")) or _text(step.get("explanation")),
            _numbers(step.get("citations")),
            [highlight.to_html(line) for line in lines],
        )


def _sources(result: Mapping[str, Any], artefact: Mapping[str, Any]) -> Iterator[CitedSource]:
    """What was cited, with what is known of it."""
    offered = {_number(each): each for each in as_tables(artefact.get("documentation"))}
    cited = {_number(each): each for each in as_tables(result.get("citations"))}
    for step in as_tables(result.get("steps")):
        for number in _numbers(step.get("citations")):
            cited.setdefault(number, {})
    for number, said in list(cited.items())[:_MOST]:
        chunk = offered.get(number, {})
        yield CitedSource(
            number,
            _text(said.get("chunk_id")) or _text(chunk.get("chunk_id")),
            _text(chunk.get("content_type")),
            _text(chunk.get("title")),
            _text(said.get("reason")),
            _text(chunk.get("content")),
        )


# --- plain values --------------------------------------------------------------------------------


def _text(value: object) -> str:
    return (as_text(value) or "")[:_TEXT]


def _number(item: Mapping[str, Any]) -> str:
    return as_plain(item.get("number", item.get("index")))


def _numbers(value: object) -> list[str]:
    return [as_plain(each) for each in value[:_MOST]] if isinstance(value, list) else []
