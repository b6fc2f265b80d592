"""Assembly: the dashboard's routes over a history directory. It reads the history and writes
nothing but its index and users' ratings."""

import sqlite3
from collections.abc import Callable
from pathlib import Path

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route
from starlette.types import Scope

from dashboard import (
    actions,
    assets,
    bench_pages,
    comparison,
    event_stream,
    exports,
    numbers_pages,
    replay_pages,
    run_page,
    thread,
    timeline,
)
from dashboard.index_sync import IndexSync
from dashboard.live import Daemon
from dashboard.page_context import PageContext
from dashboard.sessions import Sessions
from dashboard.templating import page
from history.ratings import Ratings
from history.reader import Reader
from history.run_index import Index


def create_app(
    directory: Path,
    cache_dir: Path,
    bench_dir: Path,
    sessions: Sessions,
    is_token: Callable[[str, Scope], bool],
    daemon: Daemon | None = None,
) -> Starlette:
    """The application at `/dashboard`. Whoever serves it has checked host, origin and session."""
    app = Starlette(routes=ROUTES, exception_handlers=HANDLERS)
    app.router.redirect_slashes = False
    index, reader = Index(directory, cache_dir), Reader(directory)
    app.state.context = PageContext(
        directory,
        bench_dir,
        index,
        reader,
        Ratings(directory),
        IndexSync(index, reader),
        sessions,
        is_token,
        daemon,
    )
    return app


async def _asset(request: Request) -> Response:
    found = assets.contents().get(request.path_params["name"])
    if found is None or request.path_params["version"] != assets.version():
        raise HTTPException(404)
    body, media_type = found
    return Response(body, media_type=media_type, headers=assets.HEADERS)


async def _without_slash(request: Request) -> Response:
    """To the same page without the slash; its host and scheme are those of a proxy, maybe."""
    query = request.url.query
    return RedirectResponse(f"/dashboard?{query}" if query else "/dashboard")


async def _refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    said = error.detail if error.status_code != 404 or error.detail != "Not Found" else ""
    return page(request, "message.html", error.status_code, code=error.status_code, said=said)


async def _no_index(request: Request, error: Exception) -> Response:
    said = f"The index of the history cannot be used: {error}. The history itself is untouched."
    return page(request, "message.html", 500, code=500, said=said)


async def _broken(request: Request, error: Exception) -> Response:
    return page(request, "message.html", 500, code=500, said="")


HANDLERS = {
    HTTPException: _refused,
    sqlite3.Error: _no_index,
    OSError: _no_index,
    Exception: _broken,
}
ROUTES = [
    Route("/dashboard", timeline.show),
    Route("/dashboard/", _without_slash),
    Route("/dashboard/events", event_stream.stream),
    Route("/dashboard/compare", comparison.show),
    Route("/dashboard/thread", thread.show),
    Route("/dashboard/numbers", numbers_pages.numbers),
    Route("/dashboard/thresholds", numbers_pages.thresholds),
    Route("/dashboard/bench", bench_pages.show),
    Route("/dashboard/replays", replay_pages.listing),
    Route("/dashboard/replays/{name}", replay_pages.show),
    Route("/dashboard/replays/{name}/{id:path}", replay_pages.difference),
    Route("/dashboard/login", actions.login, methods=["GET", "POST"]),
    Route("/dashboard/logout", actions.logout, methods=["POST"]),
    Route("/dashboard/theme", actions.theme, methods=["POST"]),
    Route("/dashboard/static/{version}/{name}", _asset),
    Route("/dashboard/runs/{id:path}.json", exports.as_json),
    Route("/dashboard/runs/{id:path}.md", exports.as_markdown),
    Route("/dashboard/runs/{id:path}/text/{part}", exports.as_text),
    Route("/dashboard/runs/{id:path}/again", actions.again, methods=["POST"]),
    Route("/dashboard/runs/{id:path}/rating", actions.rate, methods=["POST"]),
    Route("/dashboard/runs/{id:path}/cancel", actions.cancel, methods=["POST"]),
    Route("/dashboard/runs/{id:path}", run_page.show),
]
