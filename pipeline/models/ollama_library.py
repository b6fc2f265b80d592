"""What an Ollama server has: its models in detail, those in memory, and getting more of them."""

import asyncio
import re
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import aiohttp
from pydantic import BaseModel, Field, ValidationError

from pipeline.errors import LaiosError, ModelFailed, ModelNotFound
from pipeline.model_call import brief
from pipeline.model_residence import LoadedModel
from pipeline.models.ollama_host import Details, OllamaHost, lines

STALL_S = 600.0  # without a frame of a pull; checking a large file is silent for minutes
NO_SUCH_MODEL = re.compile(
    r"manifest.*(does not exist|not found)|invalid model name", re.IGNORECASE
)
_LIBRARY_HOST, _LIBRARY = "registry.ollama.ai/", "library/"
_PROMPT = re.compile(r"\.Prompt\b")
_PLACE_FOR_RULES = re.compile(r"\.(System|Messages)\b")


@dataclass(frozen=True, slots=True)
class Shown:
    """A model in detail; "", None and no capabilities where Ollama does not say. `context_length`
    is the trained window in tokens, `remote_host` where Ollama passes its calls on to."""

    family: str
    parameter_size: str
    quantization: str
    context_length: int | None
    capabilities: tuple[str, ...]
    remote_host: str | None
    parameters: str
    template: str
    has_chat_template: bool

    def can(self, capability: str) -> bool | None:
        return capability in self.capabilities if self.capabilities else None


class PullFrame(BaseModel):
    """A piece of news of a pull. With `digest` it is about one layer, in bytes."""

    status: str = ""
    digest: str | None = None
    total: int | None = Field(default=None, ge=0)
    completed: int | None = Field(default=None, ge=0)
    error: Any = None


def has_chat_template(template: str | None, renderer: str | None) -> bool:
    """Whether Ollama puts a system message into the prompt. It does not where its template takes
    the prompt and has no place for rules, as `{{ .Prompt }}`, which a model has that was made of a
    file without one; unless a renderer of its own writes the prompt. Newer servers show the Jinja
    template of the file instead: its names are others."""
    if not template or renderer or _PLACE_FOR_RULES.search(template):
        return True
    return _PROMPT.search(template) is None


def full_tag(tag: str) -> str:
    """The name as Ollama lists it: `x` is `x:latest`."""
    return tag if ":" in tag.rpartition("/")[2] else f"{tag}:latest"


def same_tag(one: str, other: str) -> bool:
    """Whether two names are those of one model: capitals do not count, and Ollama's own library
    need not be named."""
    return _plain_tag(one) == _plain_tag(other)


def _plain_tag(tag: str) -> str:
    return full_tag(tag).lower().removeprefix(_LIBRARY_HOST).removeprefix(_LIBRARY)


async def version(host: OllamaHost) -> str:
    """The server's version. Raises ModelUnreachable or ModelFailed."""
    return (await host.ask(_Version, "GET", "/api/version")).version


async def loaded(host: OllamaHost) -> list[LoadedModel]:
    """The models in memory, the longest-lived first. Those that were made of the same file are
    there once, under the name of the one that was asked first. Raises ModelUnreachable or
    ModelFailed."""
    answer = await host.ask(_Ps, "GET", "/api/ps")
    return [
        LoadedModel(
            each.name,
            each.size,
            each.size_vram,
            each.context_length,
            each.expires_at,
            each.digest,
        )
        for each in answer.models or []
    ]


async def show(host: OllamaHost, tag: str) -> Shown:
    """One model in detail. Raises ModelNotFound, ModelUnreachable or ModelFailed."""
    answer = await host.ask(_Show, "POST", "/api/show", model=tag)
    info, details = answer.model_info or {}, answer.details or Details()
    length = info.get(f"{info.get('general.architecture')}.context_length")
    return Shown(
        family=details.family or "",
        parameter_size=details.parameter_size or "",
        quantization=details.quantization_level or "",
        context_length=length if isinstance(length, int) and length > 0 else None,
        capabilities=tuple(answer.capabilities or ()),
        remote_host=answer.remote_host or None,
        parameters=answer.parameters or "",
        template=answer.template or "",
        has_chat_template=has_chat_template(answer.template, answer.renderer),
    )


def is_base_model(model: Shown) -> bool:
    """Whether it writes text and has no chat template."""
    return model.can("completion") is not False and not model.has_chat_template


async def pull(host: OllamaHost, tag: str) -> AsyncGenerator[PullFrame, None]:
    """Has Ollama fetch a model, and yields its news up to `success`. Leaving early stops the
    download; what has come is kept, and the next pull goes on there.

    Raises ModelNotFound (its library has no such model), ModelUnreachable and ModelFailed.
    """
    try:
        async with (
            host.open("POST", "/api/pull", {"model": tag, "stream": True}) as content,
            aclosing(_frames(content)) as frames,
        ):
            async for frame in frames:
                if frame.error is not None:
                    raise _refused(tag, brief(frame.error))
                yield frame
                if frame.status == "success":
                    return
    except TimeoutError:
        raise ModelFailed(
            f"Ollama has not said anything about {tag} for {STALL_S:g} s. Try again: it continues "
            "where it stopped."
        ) from None
    except LaiosError as error:
        if NO_SUCH_MODEL.search(error.message):  # refused before the first frame
            raise _refused(tag, error.message) from None
        raise
    raise ModelFailed(f"The download of {tag} broke off. Try again: it continues where it stopped.")


async def _frames(content: aiohttp.StreamReader) -> AsyncGenerator[PullFrame, None]:
    """The news up to its end, in whatever way that comes. Raises TimeoutError, ModelFailed."""
    async with aclosing(lines(content)) as received:
        while raw := await _next(received):
            try:
                yield PullFrame.model_validate_json(raw)
            except ValidationError:
                raise ModelFailed(
                    "Ollama's progress report of the pull cannot be read. Is OLLAMA_HOST an Ollama "
                    "server?"
                ) from None


async def _next(received: AsyncGenerator[bytes, None]) -> bytes | None:
    """None at the end, also when that is a connection that broke."""
    try:
        return await asyncio.wait_for(anext(received, None), STALL_S)
    except aiohttp.ClientError:
        return None


def _refused(tag: str, said: str) -> LaiosError:
    if NO_SUCH_MODEL.search(said):
        return ModelNotFound(
            f"There is no model {tag} in Ollama's library. Look up its name on ollama.com/library."
        )
    return ModelFailed(f"Ollama could not pull {tag}: {said}")


class _Version(BaseModel):
    version: str


class _Process(BaseModel):
    name: str
    size: int = 0
    size_vram: int = 0
    digest: str = ""
    context_length: int | None = None
    expires_at: datetime | None = None


class _Ps(BaseModel):
    models: list[_Process] | None = None


class _Show(BaseModel):
    details: Details | None = None
    model_info: dict[str, Any] | None = None
    capabilities: list[str] | None = None  # servers of before 2025 do not say
    remote_host: str | None = None
    parameters: str | None = None
    template: str | None = None
    renderer: str | None = None
