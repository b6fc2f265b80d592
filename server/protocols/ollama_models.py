"""What Ollama's clients look at before they chat: whether it runs, its version, its models.

The models are the modes. A mode's size is that of the models behind it, and it was changed when the
newest of them was; what weights are like is not said, and its digest changes with laios' version.
Loaded are the models themselves.
"""

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from typing import Any

from starlette.requests import Request as HttpRequest
from starlette.responses import PlainTextResponse, RedirectResponse, Response

from pipeline.agents.flow import TAKING_TOOLS
from pipeline.errors import BadRequest
from pipeline.model_residence import LoadedModel, StoredModel
from pipeline.modes import MODES, Mode
from server.http.errors import HttpError
from server.http.json_response import json_response
from server.http.request_body import read_object, whole_body
from server.protocols.chat_request import text_in
from server.protocols.mode_names import LATEST, NAME, mode_of, model_name
from server.protocols.ollama_frames import timestamp
from server.runtime.container import Container, container_of

OLLAMA_VERSION = "0.24.0"  # the newest that was compared with this, route by route
# The oldest that clients accept: Copilot asks for 0.6.4, Codex for 0.13.4.
OLDEST_VERSION = (0, 13, 4)
# When this laios came here: the last change of a mode whose models' files are not known.
CHANGED_AT = datetime.fromtimestamp(Path(__file__).stat().st_mtime, UTC)
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
    """The version of the Ollama behind, where there is one: its own client warns of any other."""
    behind = await container_of(http).models.ollama_version()
    fits = behind is not None and _numbers(behind) >= OLDEST_VERSION
    return json_response({"version": behind if fits else OLLAMA_VERSION})


def _numbers(version: str) -> tuple[int, ...]:
    """Of `0.24.0-rc1`: (0, 24, 0); of what is no version, ()."""
    found = re.match(r"(\d{1,6})\.(\d{1,6})\.(\d{1,6})", version)
    return tuple(map(int, found.groups())) if found else ()


async def list_tags(http: HttpRequest) -> Response:
    parts = container_of(http)
    settings, models = parts.scheduler.settings, parts.models
    await models.resolve(settings)
    roles = {role for mode in MODES.values() for role in mode.roles}
    files = await models.stored_models(settings, sorted(roles))
    rows = []
    for mode in MODES.values():
        names = {models.name_for(role, settings) for role in mode.roles}
        row = _entry(mode, {name: files[name] for name in names if name in files})
        rows.append(row | {"capabilities": await capabilities_of(parts, mode)})
    return json_response({"models": rows})


async def list_running(http: HttpRequest) -> Response:
    """The roles' models that are in memory, by the names that `laios status` has for them."""
    parts = container_of(http)
    loaded = await parts.models.loaded_models(parts.scheduler.settings)
    return json_response({"models": [_loaded(model) for model in loaded]})


def _loaded(model: LoadedModel) -> dict[str, Any]:
    row = {
        "name": model.name,
        "model": model.name,
        "size": model.size,
        "digest": model.digest or sha256(model.name.encode()).hexdigest(),
        "details": DETAILS,
        "size_vram": model.vram,
        "context_length": model.context or 0,
    }
    return row | ({"expires_at": _stamp(model.expires_at)} if model.expires_at else {})


def _stamp(at: datetime) -> str:
    return timestamp(round(at.timestamp() * 1_000_000) * 1000)


async def show(http: HttpRequest) -> Response:
    """`{"model"}`, or `{"name"}` as older clients send it."""
    fields = read_object(await whole_body(http))
    asked = text_in(fields, "model") or text_in(fields, "name")
    if not asked:
        raise BadRequest('The field "model" is missing. Send {"model": "laios"}.')
    parts, mode = container_of(http), MODES[mode_of(asked)]
    window = await _window(parts, mode)
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
            "capabilities": await capabilities_of(parts, mode),
            "modified_at": _stamp(CHANGED_AT),
        }
    )


async def _window(parts: Container, mode: Mode) -> int:
    """The tokens that go through all of the mode's stages: clients shorten their prompts to it."""
    settings = parts.scheduler.settings
    await parts.models.resolve(settings)
    return min([await parts.models.longest_window(role, settings) for role in mode.roles])


async def capabilities_of(parts: Container, mode: Mode) -> list[str]:
    """With `tools` where the mode passes them on to a model that calls them (who is told so sends
    its own, and waits for calls), and `vision` where that model sees images."""
    if mode.name not in TAKING_TOOLS:
        return [*CAPABILITIES]
    models, settings = parts.models, parts.scheduler.settings
    tools = ["tools"] if await models.can_take("coder", settings, tools=True) else []
    vision = ["vision"] if await models.can_take("coder", settings, images=True) else []
    return [*CAPABILITIES, *tools, *vision]


def tagged(mode: Mode) -> str:
    """The mode's name as Ollama lists it: never without a tag."""
    name = model_name(mode)
    return name if ":" in name else f"{name}:{LATEST}"


def _entry(mode: Mode, files: Mapping[str, StoredModel]) -> dict[str, Any]:
    """`files` are those of the mode's models, by name."""
    name = tagged(mode)
    changed = max((each.modified_at for each in files.values()), default=CHANGED_AT)
    return {
        "name": name,
        "model": name,
        "modified_at": _stamp(changed),
        "size": sum(each.size for each in files.values()),
        "digest": sha256(f"{name} {version('laios')}".encode()).hexdigest(),
        "details": DETAILS,
    }


_FIXED = (
    "The models here are laios' modes: they cannot be changed. To fetch a model for laios to use, "
    "run `laios models pull NAME`; for everything else ask Ollama itself (OLLAMA_HOST)."
)


async def refuse_absent(http: HttpRequest) -> Response:
    """What Ollama has and laios has not, with the way to it."""
    raise HttpError("not_found", _FIXED)
