"""The page that compares any two runs."""

import asyncio
from collections import Counter
from collections.abc import Mapping
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from dashboard import diff, run_detail, timeline_rows
from dashboard.diff import Diff
from dashboard.filters import Filter
from dashboard.formatting import duration
from dashboard.page_context import PageContext, context_of
from dashboard.run_page import record_of
from dashboard.stage_bars import stage_name
from dashboard.templating import page
from history.index_row import Row, row_of

_CANDIDATES = 25


async def show(request: Request) -> Response:
    """`?a=` and `?b=` are ids; without one of them the page lets choose."""
    context, asked = context_of(request), request.query_params
    a, b = asked.get("a", ""), asked.get("b", "")
    await context.index_sync.refresh()
    if not (a and b):
        return page(request, "choose.html", a=a, **await asyncio.to_thread(_choices, context, a))
    made = await asyncio.to_thread(_compare, context, a, b)
    return page(request, "compare.html", a=a, b=b, view=diff.chosen_view(asked), **made)


def _choices(context: PageContext, a: str) -> dict[str, Any]:
    """The runs to compare with."""
    record = context.index.get(a) if a else None
    rows = context.index.page(Filter(), limit=_CANDIDATES).rows
    return {
        "first": timeline_rows.row_view(row_of(record)) if record else None,
        "rows": [timeline_rows.row_view(row) for row in rows if row.id != a],
    }


def _compare(context: PageContext, a: str, b: str) -> dict[str, Any]:
    return {"replay": None, **beside(record_of(context, a), record_of(context, b))}


def beside(old: Mapping[str, Any], new: Mapping[str, Any]) -> dict[str, Any]:
    """What the page shows of two records, of whatever histories."""
    longest = max(_whole_ms(row_of(old)), _whole_ms(row_of(new)))
    one, two = run_detail.detail(old, longest), run_detail.detail(new, longest)
    return {
        "runs": [one, two],
        "pairs": _pairs(one, two),
        "diffs": [
            (name, made) for name, part in _PARTS if (made := _diff_of(one, two, part)) is not None
        ],
    }


_PARTS = (("Prompt", "prompt"), ("Draft", "draft"), ("Output", "output"))


def _whole_ms(row: Row) -> float:
    return (row.queue_ms or 0.0) + (row.duration_ms or 0.0)


def _diff_of(one: run_detail.Detail, two: run_detail.Detail, part: str) -> Diff | None:
    a, b = one.text(part), two.text(part)
    if a is None and b is None:
        return None
    language = None if part == "prompt" else run_detail.language_of(one.record, a or b or "")
    return diff.diff(a or "", b or "", language)


def _pairs(one: run_detail.Detail, two: run_detail.Detail) -> list[tuple[str, str, str]]:
    """The names of what either run has, with what each has there."""
    a, b = _facts(one), _facts(two)
    return [(name, a.get(name, "–"), b.get(name, "–")) for name in a | b]


def _facts(run: run_detail.Detail) -> dict[str, str]:
    row = run.row
    facts = {
        "mode": timeline_rows.mode_word(row.mode),
        "session": row.session or "–",
        "outcome": row.error or "ok",
        "took": duration(row.duration_ms),
        "waited": duration(row.queue_ms),
    }
    seen: Counter[str] = Counter()
    for stage in row.stages:
        seen[name := stage_name(stage)] += 1
        turn = f" {seen[name]}" if seen[name] > 1 else ""
        tokens = f", {stage.output_tokens} tokens" if stage.output_tokens is not None else ""
        facts[name + turn] = f"{stage.model or '–'}, {duration(stage.duration_ms)}{tokens}"
    for judged in run.verdicts:
        scores = judged.scores
        marks = f"{scores.confidence} / {scores.conflict}" if scores else judged.error or "–"
        facts[f"{judged.title.lower()}: verdict"] = f"{marks}. {judged.summary or ''}".strip()
    facts["escalated"] = (row.escalation_reason or "yes") if row.escalated else "no"
    facts["returned"] = row.final_source or "–"
    return facts
