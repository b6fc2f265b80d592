"""The page of one run, whether it is over or going on."""

import asyncio
from collections.abc import Mapping
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from dashboard import diff, query_view, run_detail, timeline_rows
from dashboard.artefact_tables import tables
from dashboard.filters import filter_or_all
from dashboard.page_context import PageContext, context_of
from dashboard.project_tabs import project_files
from dashboard.templating import page


async def show(request: Request) -> Response:
    """`?tab=` one of the run's parts, `?view=` of the diff, `?file=` one of a project, `?q=` the
    filter to go on in."""
    context, asked = context_of(request), request.query_params
    id = request.path_params["id"]
    wanted, _ = filter_or_all(asked.get("q", ""))  # a broken one only costs the way
    try:
        record = await find_record(request)
    except HTTPException:  # not on record yet, perhaps
        live = next((run for run in context.running() if run.id == id), None)
        if live is None:
            raise
        return page(request, "running.html", run=timeline_rows.live_view(live))
    newer, older = await asyncio.to_thread(context.index.neighbours, id, wanted)
    chosen, file = asked.get("tab", ""), asked.get("file", "")
    rating = await asyncio.to_thread(context.ratings.of, str(record["id"]))
    made = await asyncio.to_thread(_panel, record, chosen, file)
    return page(
        request,
        "run.html",
        q=wanted.text,
        newer=newer,
        older=older,
        rating=rating,
        view=diff.chosen_view(asked),
        asked_tab=chosen,
        choices=context.daemon.modes() if context.daemon else {},
        **made,
    )


async def find_record(request: Request) -> Mapping[str, Any]:
    """The record that the address names. Raises HTTPException."""
    context = context_of(request)
    await context.index_sync.refresh()
    return await asyncio.to_thread(record_of, context, request.path_params["id"])


def record_of(context: PageContext, id: str) -> Mapping[str, Any]:
    """The record with this id. Raises HTTPException."""
    record = context.index.get(id)
    if record is None and not context.index.state().complete:
        record = context.reader.get(id)  # slow, but there while a first index is made
    if record is None:
        raise HTTPException(404, f"There is no run {id} in this history.")
    return record


def _panel(record: Mapping[str, Any], chosen: str, file: str) -> dict[str, Any]:
    """What the template shows of a record with this tab open."""
    run = run_detail.detail(record)
    tab = chosen if chosen in run.parts else run.parts[0]
    made: dict[str, Any] = {"run": run, "tab": tab, "code": None, "diff": None}
    made |= {"made": None, "query": None, "files": None}  # beyond its text
    if tab == "files":
        made["files"] = project_files(record, file)
    elif tab in ("diff", "change"):
        change = run_detail.change_of(record) if tab == "change" else None
        before, after = change or (run.text("draft") or "", run.text("review") or "")
        made["diff"] = diff.diff(before, after, run_detail.language_of(record, before))
    elif tab == "artefact":
        artefact = record.get("artefact")
        query = query_view.query_of(record)
        whole = artefact if isinstance(artefact, dict) else {"artefact": artefact}
        made |= {"query": query, "made": tables(query.rest if query else whole)}
    elif tab != "verdict":
        made["code"] = run_detail.code(record, tab)
    return made
