"""The pages of numbers: what the runs that fit a filter add up to, and what other thresholds would
have done to them."""

import asyncio
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from dashboard import charts, timeline_rows
from dashboard import numbers as counting
from dashboard.filters import Filter, and_term, filter_or_all, with_term
from dashboard.numbers import SCORES, Bar, Numbers
from dashboard.page_context import PageContext, context_of
from dashboard.project_measures import projects
from dashboard.templating import page
from dashboard.thresholds import what_if
from dashboard.timeline import newest_id
from history.record_values import as_table

_CONFIDENCE, _CONFLICT = 8, 6  # where no run says what was in force
_SCORES = {str(score) for score in SCORES}
_MOST_BARS = 12  # of a list


async def numbers(request: Request) -> Response:
    """`?q=` filter."""
    context = context_of(request)
    wanted, told = _read(request)
    await context.index_sync.refresh()
    made = await asyncio.to_thread(_numbers, context, wanted)
    return page(request, "numbers.html", **told, **made)


def _numbers(context: PageContext, wanted: Filter) -> dict[str, Any]:
    found, said = counting.numbers(context.index, wanted), context.index.rated(wanted)
    confidence, conflict = _in_force(context)
    return {
        "numbers": found,
        "days": charts.days(found.days),
        "confidence": charts.scores(found.confidence, confidence, low_is_bad=True),
        "conflict": charts.scores(found.conflict, conflict, low_is_bad=False),
        "stages": charts.stage_times(found.stages),
        "speeds": charts.speeds(found.models[:_MOST_BARS]),
        "failed": with_term(wanted.text, "error", "yes"),
        "lists": _lists(found),
        "projects": projects(context.index, wanted),
        "ratings": [(runs, and_term(wanted.text, "rating", mark)) for mark, runs in said.items()],
    }


def _lists(found: Numbers) -> list[tuple[str, list[charts.Span]]]:
    modes = [Bar(timeline_rows.mode_word(bar.label), bar.runs, bar.filter) for bar in found.modes]
    lists = [("Modes", modes), ("Why runs escalated", found.reasons), ("Errors", found.errors)]
    return [(name, charts.bars(bars[:_MOST_BARS])) for name, bars in lists]


async def thresholds(request: Request) -> Response:
    """`?q=` filter, `?confidence=` and `?conflict=` from 1 to 10."""
    context, asked = context_of(request), request.query_params
    wanted, told = _read(request)
    await context.index_sync.refresh()
    made = await asyncio.to_thread(
        _thresholds, context, wanted, asked.get("confidence", ""), asked.get("conflict", "")
    )
    return page(request, "thresholds.html", **told, among=wanted.text, **made)


def _thresholds(
    context: PageContext, wanted: Filter, confidence: str, conflict: str
) -> dict[str, Any]:
    in_force = _in_force(context)
    chosen = (_score(confidence, in_force[0]), _score(conflict, in_force[1]))
    found = what_if(context.index, wanted, *chosen)
    return {"found": found, "in_force": in_force, "grid": charts.grid(found.cells)}


def _in_force(context: PageContext) -> tuple[int, int]:
    """The thresholds of the newest run."""
    newest = newest_id(context)
    record = context.index.get(newest) if newest else None
    values = as_table(record.get("thresholds")) if record else {}
    return _score(values.get("confidence"), _CONFIDENCE), _score(values.get("conflict"), _CONFLICT)


def _score(value: object, otherwise: int) -> int:
    text = str(value)
    return int(text) if text in _SCORES else otherwise


def _read(request: Request) -> tuple[Filter, dict[str, Any]]:
    """The filter, and what the page says of it."""
    text = request.query_params.get("q", "")
    wanted, problem = filter_or_all(text)
    if problem:
        return wanted, {"status": 400, "q": text, "problem": problem}
    return wanted, {"q": wanted.text, "problem": None}
