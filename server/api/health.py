"""`/healthz`, `/readyz` and `/metrics`."""

from asyncio import gather
from dataclasses import asdict
from importlib.metadata import version

from starlette.requests import Request as HttpRequest
from starlette.responses import Response

from pipeline.roles import ROLES
from server.http.json_response import json_response
from server.runtime.container import container_of
from server.runtime.metrics import CONTENT_TYPE


async def healthz(http: HttpRequest) -> Response:
    """The process is alive."""
    return json_response({"name": "laios", "status": "ok", "version": version("laios")})


async def readyz(http: HttpRequest) -> Response:
    """Whether a prompt would be answered and recorded now: 503 with the reasons if not."""
    parts = container_of(http)
    settings = parts.scheduler.settings
    # At once, since a backend that does not answer is waited for.
    found = await gather(parts.models.problems(settings), parts.models.notices(settings))
    reasons, notices = ([asdict(each) for each in kind] for kind in found)
    history = parts.store.state()
    if not history.ok:
        reasons.append({"code": "history", "message": history.error or "cannot be written"})
    models = {role: parts.models.name_for(role, settings) for role in ROLES}
    body = {
        "status": "ready" if not reasons else "not ready",
        "reasons": reasons,
        "notices": notices,
        "models": models,
        "history": {"ok": history.ok, "pending": history.pending, "lost": history.lost},
        "runs": len(parts.scheduler.runs()),
    }
    return json_response(body, 200 if not reasons else 503)


async def metrics(http: HttpRequest) -> Response:
    """Prometheus' text format."""
    return Response(container_of(http).metrics.text(), media_type=CONTENT_TYPE)
