"""The page of `laios bench`: what was measured, read anew each time, also while it is measured."""

import asyncio
import logging
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from dashboard.bench_sheets import MOST_PROBLEMS, MOST_SHEETS, Sheet, problem_rows, sheets_of
from dashboard.page_context import PageContext, context_of
from dashboard.templating import page, url
from history.bench_results import ResultRow, result_files

logger = logging.getLogger("laios.dashboard")


async def show(request: Request) -> Response:
    """`?set=` and `?models=` name a sheet, by default the newest; `?only=different` leaves out the
    problems in which all arms are alike."""
    context = context_of(request)
    await context.index_sync.refresh()
    return await asyncio.to_thread(_shown, request, context)


def _shown(request: Request, context: PageContext) -> Response:
    """In a thread: ten thousand results take a while to read and to write out."""
    sheets = sheets_of(_rows(context))
    if not sheets:
        return page(request, "bench.html", sheet=None)
    sheet = _chosen(sheets, request)
    return page(
        request, "bench.html", sheets=sheets[:MOST_SHEETS], **_values(request, context, sheet)
    )


def _values(request: Request, context: PageContext, sheet: Sheet) -> dict[str, Any]:
    rows = problem_rows(sheet, context.index.known(sheet.runs))
    different = [row for row in rows if row.differs]
    only = request.query_params.get("only") == "different"
    wanted = different if only else rows
    return {
        "sheet": sheet,
        "only": only,
        "counts": (len(rows), len(different)),
        "different_href": url(
            "/dashboard/bench", set=sheet.problems, models=sheet.models, only="different"
        ),
        "rows": wanted[:MOST_PROBLEMS],
        "more": max(0, len(wanted) - MOST_PROBLEMS),
        "linked": any(cell.href for row in wanted[:MOST_PROBLEMS] for cell in row.cells),
    }


def _rows(context: PageContext) -> list[ResultRow]:
    """Oldest first, whichever file they are in."""
    rows: list[ResultRow] = []
    for file in result_files(context.bench_dir):
        try:
            rows.extend(file.results())
        except OSError as error:
            logger.warning("bench: %s left out: %s", file.path.name, error.strerror)
    return sorted(rows, key=lambda row: str(row.get("at", "")))


def _chosen(sheets: list[Sheet], request: Request) -> Sheet:
    """Raises HTTPException."""
    problems, models = request.query_params.get("set"), request.query_params.get("models")
    fit = (
        each
        for each in sheets
        if problems in (None, each.problems) and models in (None, each.models)
    )
    found = next(fit, None)
    if found is None:
        raise HTTPException(404, "There are no results for these problems with these models.")
    return found
