"""The trace that a caller's request belongs to (W3C Trace Context)."""

from collections.abc import Mapping
from contextvars import ContextVar

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

# Of the request's task, and so of the run that it starts: its two headers.
CALLER: ContextVar[Mapping[str, str] | None] = ContextVar("caller_trace", default=None)


class CallerTrace:
    """Keeps the request's `traceparent` for whoever accepts a run of it."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            CALLER.set(_of(scope))
        await self._app(scope, receive, send)


def _of(scope: Scope) -> Mapping[str, str] | None:
    """None where there is not exactly one parent, as the standard has it."""
    headers = Headers(scope=scope)
    parents = headers.getlist("traceparent")
    if len(parents) != 1:
        return None
    return {"traceparent": parents[0], "tracestate": ",".join(headers.getlist("tracestate"))}
