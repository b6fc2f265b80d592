"""The home page: the runs that fit a filter, newest first."""

import asyncio
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from dashboard import timeline_rows
from dashboard.filter_keys import KEYS
from dashboard.filters import Filter, filter_or_all, with_term, without_term
from dashboard.page_context import PageContext, context_of
from dashboard.templating import page
from history.index_query import RunQuery
from history.results import Facets

ROWS = 50
_FACETS = {
    "verdict": "Verdict",
    "escalated": "Escalated",
    "mode": "Mode",
    "model": "Model",
    "error": "Error",
    "source": "Source",
    "session": "Session",
}
EXAMPLES = [*(key.example for key in KEYS.values()), "words", '"a phrase"', "-mode:raw"]
_EVERYTHING = RunQuery(auxiliary=True)


async def show(request: Request) -> Response:
    """`?q=` filter, `?before=` and `?after=` page, `?group=session`."""
    context, asked = context_of(request), request.query_params
    wanted, problem = filter_or_all(asked.get("q", ""))
    if problem:
        return page(request, "timeline.html", 400, **_nothing(request, problem))
    level = await context.index_sync.refresh()
    by_session = asked.get("group") == "session"
    before, after = asked.get("before") or None, asked.get("after") or None
    found = await asyncio.to_thread(_found, context, wanted, before, after, by_session)
    return page(
        request,
        "timeline.html",
        q=wanted.text,
        problem=None,
        examples=[],
        chips=_chips(wanted),
        group="session" if by_session else "",
        # Live rows belong on the first page, under today.
        follows=not (by_session or before or after),
        running=[timeline_rows.live_view(run) for run in context.running()],
        directory=str(context.directory),
        reading=not level and not found["state"].complete,
        **found,
    )


def _nothing(request: Request, problem: str) -> dict[str, Any]:
    """A page without rows, because the filter cannot be understood."""
    text = request.query_params.get("q", "")
    return {
        "q": text, "problem": problem, "chips": [], "group": "", "follows": False, "running": [],
        "directory": "", "groups": [], "facets": [], "counted": None, "older": None,
        "newer": None, "newest": "", "state": None, "reading": False, "examples": EXAMPLES,
    }  # fmt: skip


def _found(
    context: PageContext, wanted: Filter, before: str | None, after: str | None, by_session: bool
) -> dict[str, Any]:
    """What the index says."""
    today = datetime.now().astimezone().date()
    newest = newest_id(context)  # first: what comes meanwhile is not lost but shown as new
    if by_session:
        sessions = context.index.session_groups(wanted, before=before)
        groups = [timeline_rows.session_group(group, wanted.text) for group in sessions.groups]
        older, newer = sessions.older, None
    else:
        rows = context.index.page(wanted, before=before, after=after, limit=ROWS)
        groups = timeline_rows.by_day(rows.rows, today)
        older, newer = rows.older, rows.newer
    facets = context.index.facets(wanted)
    return {
        "groups": groups,
        "older": older,
        "newer": newer,
        "newest": newest,
        "today": today,
        "facets": _facets(wanted, facets),
        "counted": (facets.runs, facets.exact),
        "state": context.index.state(),
    }


def newest_id(context: PageContext) -> str:
    """The id of the run that came in last, or ""."""
    rows = context.index.page(_EVERYTHING, limit=1).rows
    return rows[0].id if rows else ""


@dataclass(frozen=True, slots=True)
class FacetValue:
    """A value of a facet. `q` is the filter with it, or without it where it is chosen."""

    text: str
    name: str
    runs: int
    share: float
    chosen: bool
    q: str


def _facets(wanted: Filter, facets: Facets) -> list[tuple[str, list[FacetValue]]]:
    """The facets in which there is something to choose, by their names."""
    made = []
    for key, name in _FACETS.items():
        values = facets.counts.get(key, ())
        chosen = {term.value for term in wanted.terms if term.key == key and not term.negated}
        values = values or [(value, 0) for value in chosen]
        if len(values) > 1 or chosen:
            most = max(1, *(runs for _, runs in values))
            choices = [_choice(wanted, key, value, runs, most, chosen) for value, runs in values]
            made.append((name, choices))
    return made


def _choice(
    wanted: Filter, key: str, value: str, runs: int, most: int, chosen: set[str]
) -> FacetValue:
    is_chosen = value in chosen
    words = {"mode": timeline_rows.mode_word, "model": timeline_rows.short_model}
    shown = words[key](value) if key in words else value
    q = without_term(wanted.text, key) if is_chosen else with_term(wanted.text, key, value)
    return FacetValue(shown, f"{key}:{value}", runs, round(100 * runs / most, 1), is_chosen, q)


def _chips(wanted: Filter) -> list[tuple[str, str]]:
    """Each part of the filter, and the filter without it."""
    terms = wanted.terms
    return [
        (str(term), " ".join(str(other) for other in terms if other is not term)) for term in terms
    ]
