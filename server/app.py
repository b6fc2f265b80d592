"""Assembly: the ASGI application from its parts, in one visible place."""

from collections.abc import Sequence

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp

from dashboard.sessions import Sessions
from pipeline.errors import LaiosError
from server import dashboard_mount
from server.http.errors import HttpError, error_response
from server.http.guard import Guard
from server.http.json_response import RUN_ID
from server.http.token_check import TokenCheck
from server.routes import ROUTES
from server.runtime.container import Container
from server.tracing.caller_trace import CallerTrace


def create_app(parts: Container, mcp: ASGIApp | None = None) -> ASGIApp:
    """The application over its parts and what answers `/mcp`, which the caller owns and closes
    after it.

    The guard stands outside of everything, so that no answer leaves without its headers.
    """
    sessions, tokens = Sessions(parts.settings.PORT), TokenCheck(parts.settings.API_TOKEN)
    pages = dashboard_mount.routes(parts.settings, sessions, tokens, parts.scheduler)
    tools = [Route("/mcp", mcp)] if mcp else []
    app = Starlette(
        routes=[*ROUTES, *tools, *pages],
        exception_handlers={
            LaiosError: _refused,
            HTTPException: _no_route,
            ClientDisconnect: _nobody_there,
            Exception: _broken,
        },
    )
    app.router.redirect_slashes = False  # a redirect has no error shape, and /runs/ is no route
    app.state.parts = parts
    followed = CallerTrace(app) if parts.traces else app
    guarded = Guard(followed, parts.settings, sessions, tokens)
    return _with_cors(guarded, parts.settings.ALLOWED_ORIGINS)


def _with_cors(app: ASGIApp, origins: Sequence[str]) -> ASGIApp:
    """Web pages of these origins may read the answers (Fetch standard, "CORS protocol"). It stands
    before the guard, because a browser's preflight carries no token."""
    if not origins:
        return app
    return CORSMiddleware(
        app,
        allow_origins=[origin.lower().rstrip("/") for origin in origins],
        allow_methods=["GET", "POST", "DELETE"],
        allow_headers=["*"],
        expose_headers=[RUN_ID, "Retry-After", "Mcp-Session-Id"],
        allow_private_network=True,
    )


async def _refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, LaiosError)
    return error_response(error, request.scope["path"])


async def _no_route(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    path = request.scope["path"]
    if error.status_code == 405:
        allowed = (error.headers or {}).get("Allow", "")
        message = f"{request.method} does not work on {path}. Use {allowed}."
        return error_response(HttpError("method_not_allowed", message, {"Allow": allowed}), path)
    return error_response(HttpError("not_found", f"There is nothing at {path}."), path)


async def _nobody_there(request: Request, error: Exception) -> Response:
    ours = HttpError("bad_request", "The body did not arrive completely.")
    return error_response(ours, request.scope["path"])


async def _broken(request: Request, error: Exception) -> Response:
    ours = LaiosError("Internal error in laios. The log has the details.")
    return error_response(ours, request.scope["path"])
