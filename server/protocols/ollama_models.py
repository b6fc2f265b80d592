"""What Ollama's clients look at before they chat: whether it runs, its version, its models.

The models are the modes. A mode has no weights of its own, so its size is 0 and what its weights
are like is not said; its digest changes with laios' version.
"""

import time
from hashlib import sha256
from importlib.metadata import version
from typing import Any

from starlette.requests import Request as HttpRequest
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route

from pipeline.agents.flow import TAKING_TOOLS
from pipeline.errors import BadRequest
from pipeline.modes import MODES, Mode
from server.http.errors import HttpError
from server.http.json_response import json_response
from server.http.request_body import read_object, whole_body
from server.protocols.chat_request import string
from server.protocols.mode_names import LATEST, NAME, mode_of, model_name
from server.protocols.ollama_frames import timestamp
from server.protocols.openai_models import CREATED
from server.runtime.container import Container, container_of

# The newest Ollama whose chat routes are all here: 0.13.4 brought /v1/responses, 0.14 /v1/messages.
# Clients ask for 0.6.4 (Copilot) and 0.13.4 (Codex) at least.
OLLAMA_VERSION = "0.13.5"
CAPABILITIES = ("completion", "thinking")
DETAILS = {
    "parent_model": "",
    "format": NAME,
    "family": NAME,
    "families": [NAME],
    "parameter_size": "unknown",  # Ollama's own word where it does not know; Zed needs a text
    "quantization_level": "unknown",
}


async def get_root(http: HttpRequest) -> Response:
    """What Ollama's clients look for; a person with a browser is shown the dashboard."""
    if "text/html" in http.headers.get("accept", ""):
        return RedirectResponse("/dashboard", 303)
    return PlainTextResponse("Ollama is running")


async def get_version(http: HttpRequest) -> Response:
    return json_response({"version": OLLAMA_VERSION})


async def list_tags(http: HttpRequest) -> Response:
    parts, modified = container_of(http), timestamp(CREATED * 1_000_000_000)
    rows = [
        _entry(mode) | {"modified_at": modified, "capabilities": await capabilities_of(parts, mode)}
        for mode in MODES.values()
    ]
    return json_response({"models": rows})


async def list_running(http: HttpRequest) -> Response:
    """The modes that have a run now. They are gone when it is over, at the latest at its
    deadline."""
    scheduler = container_of(http).scheduler
    settings, now = scheduler.settings, time.time_ns()
    busy = {run.mode.name: run.mode for run in scheduler.runs() if run.mode.name in MODES}
    rows = [
        _entry(mode)
        | {
            "expires_at": timestamp(
                now + round(settings.RUN_TIMEOUT_S * mode.timeout_factor * 1_000_000_000)
            ),
            "size_vram": 0,
            "context_length": settings.MAX_CONTEXT_TOKENS,
        }
        for mode in busy.values()
    ]
    return json_response({"models": rows})


async def show(http: HttpRequest) -> Response:
    """`{"model"}`, or `{"name"}` as older clients send it."""
    fields = read_object(await whole_body(http))
    asked = string(fields.get("model")) or string(fields.get("name"))
    if not asked:
        raise BadRequest('The field "model" is missing. Send {"model": "laios"}.')
    mode = MODES[mode_of(asked)]
    window = container_of(http).scheduler.settings.MAX_CONTEXT_TOKENS
    return json_response(
        {
            "modelfile": f"# {mode.help}\nFROM {tagged(mode)}\n",
            "parameters": f"num_ctx {window}",
            "template": "{{ .Prompt }}",
            "details": DETAILS,
            "model_info": {
                "general.architecture": NAME,
                "general.basename": model_name(mode),
                f"{NAME}.context_length": window,
            },
            "capabilities": await capabilities_of(container_of(http), mode),
            "modified_at": timestamp(CREATED * 1_000_000_000),
        }
    )


async def capabilities_of(parts: Container, mode: Mode) -> list[str]:
    """With `tools` where the mode passes them on to a model that calls them: who is told so sends
    its own, and waits for calls."""
    takes = mode.name in TAKING_TOOLS and await parts.models.can_call_tools(
        "coder", parts.scheduler.settings
    )
    return [*CAPABILITIES, "tools"] if takes else [*CAPABILITIES]


def tagged(mode: Mode) -> str:
    """The mode's name as Ollama lists it: never without a tag."""
    name = model_name(mode)
    return name if ":" in name else f"{name}:{LATEST}"


def _entry(mode: Mode) -> dict[str, Any]:
    name = tagged(mode)
    digest = sha256(f"{name} {version('laios')}".encode()).hexdigest()
    return {"name": name, "model": name, "size": 0, "digest": digest, "details": DETAILS}


_FIXED = (
    "The models here are laios' modes: they cannot be changed. To fetch a model for laios to use, "
    "run `laios models pull NAME`; for everything else ask Ollama itself (OLLAMA_HOST)."
)
_NO_VECTORS = "laios makes no embeddings. Ask Ollama itself for them (OLLAMA_HOST)."
_NOT_HERE = {
    "/api/pull": _FIXED,
    "/api/push": _FIXED,
    "/api/create": _FIXED,
    "/api/copy": _FIXED,
    "/api/delete": _FIXED,
    "/api/blobs/{digest:path}": _FIXED,
    "/api/embed": _NO_VECTORS,
    "/api/embeddings": _NO_VECTORS,
}


def _absent(path: str, why: str) -> Route:
    """What Ollama has and laios has not, with the way to it."""

    async def refuse(http: HttpRequest) -> Response:
        raise HttpError("not_found", why)

    return Route(path, refuse, methods=["GET", "POST", "DELETE"])


ROUTES = [
    Route("/", get_root, methods=["GET"]),
    Route("/api/version", get_version, methods=["GET"]),
    Route("/api/tags", list_tags, methods=["GET"]),
    Route("/api/ps", list_running, methods=["GET"]),
    Route("/api/show", show, methods=["POST"]),
    *(_absent(path, why) for path, why in _NOT_HERE.items()),
]
