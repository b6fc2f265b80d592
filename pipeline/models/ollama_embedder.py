"""Texts as vectors, by the embedding model that an Ollama server has, if it has one."""

import asyncio
import re
import time
from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any

from pydantic import BaseModel, ValidationError

from pipeline.analysis.similarity import Vector
from pipeline.errors import LaiosError, ModelFailed, ModelNotFound
from pipeline.model_call import brief
from pipeline.models.auto import NOT_CHAT_FAMILIES, Installed
from pipeline.models.ollama_host import OllamaHost, read_at_most
from pipeline.models.ollama_library import full_tag

EMBED_S = 5.0  # a model that has to be loaded first takes seconds
LOOK_AGAIN_S = 60.0
MAX_TEXT = 2000  # characters: what is beyond says little about what a request wants
KEPT = 2000  # vectors
_NAMES = re.compile(r"embed|bge-|minilm|\be5\b|gte-")

ON_PROCESSOR = {"num_gpu": 0}  # on the graphics card it could push out the coder's model
MAX_ANSWER_BYTES = 64 * 1024 * 1024


class Embedder:
    """Keeps what it has worked out, so that a text is asked about once."""

    def __init__(self, host: OllamaHost) -> None:
        self._host = host
        self._tag: str | None = None
        self._looked_at = float("-inf")
        self._known: OrderedDict[tuple[str, str], Vector] = OrderedDict()

    async def embed(self, texts: Sequence[str]) -> list[Vector] | None:
        """A vector for each text, of length 1; None where there is no embedding model, or it does
        not answer in time."""
        with suppress(LaiosError, TimeoutError):
            async with asyncio.timeout(EMBED_S):
                if tag := await self._installed():
                    return await self._vectors(tag, [text[:MAX_TEXT] for text in texts])
        return None

    async def pass_on(self, path: str, body: Mapping[str, Any], named: str | None) -> bytes:
        """Ollama's own answer to a caller's request for vectors, by the model that is `named`, or
        by the one that is installed (None).

        Raises ModelNotFound where there is no such embedding model, and the backend's own errors.
        """
        tag = _chosen(await self._host.list_models(), named)
        given = body.get("options")
        options = ON_PROCESSOR | (given if isinstance(given, dict) else {})
        async with self._host.open("POST", path, {**body, "model": tag, "options": options}) as raw:
            answer = await read_at_most(raw, MAX_ANSWER_BYTES)
        if len(answer) == MAX_ANSWER_BYTES:
            raise ModelFailed("The vectors are too many for one answer. Send fewer texts at once.")
        return answer

    async def _installed(self) -> str | None:
        if time.monotonic() - self._looked_at > LOOK_AGAIN_S:
            self._looked_at = time.monotonic()
            self._tag = None
            self._tag = choose(await self._host.list_models())
        return self._tag

    async def _vectors(self, tag: str, texts: Sequence[str]) -> list[Vector]:
        unknown = [text for text in dict.fromkeys(texts) if (tag, text) not in self._known]
        if unknown:
            for text, vector in zip(unknown, await self._ask(tag, unknown), strict=True):
                self._known[tag, text] = vector
        vectors = [self._known[tag, text] for text in texts]
        for text in texts:
            self._known.move_to_end((tag, text))
        while len(self._known) > KEPT:
            self._known.popitem(last=False)
        return vectors

    async def _ask(self, tag: str, texts: list[str]) -> list[Vector]:
        body = {"model": tag, "input": texts, "truncate": True, "options": ON_PROCESSOR}
        async with self._host.open("POST", "/api/embed", body) as content:
            raw = await read_at_most(content, MAX_ANSWER_BYTES)
        try:
            vectors = _Embedded.model_validate_json(raw).embeddings
        except ValidationError:
            raise ModelFailed(f"Ollama's vectors of {tag} cannot be read.") from None
        if len(vectors) != len(texts):
            raise ModelFailed(f"Ollama gave {len(vectors)} vectors for {len(texts)} texts.")
        return [_unit(vector) for vector in vectors]


class _Embedded(BaseModel):
    embeddings: list[list[float]]


def choose(models: Iterable[Installed]) -> str | None:
    """The name of an embedding model on this machine, the smallest: it runs beside others."""
    found = [model for model in models if not model.remote and _embeds(model)]
    return min(found, key=lambda model: (model.size, model.name)).name if found else None


def _chosen(models: Sequence[Installed], named: str | None) -> str:
    """Raises ModelNotFound."""
    there = {model.name for model in models if not model.remote and _embeds(model)}
    tag = choose(models) if named is None else full_tag(named)
    if tag in there:
        return tag
    if there:
        raise ModelNotFound(
            f"There is no embedding model {brief(named)}. Here: {', '.join(sorted(there))}."
        )
    raise ModelNotFound(
        "laios makes no embeddings itself, and Ollama has no embedding model. Get one: `ollama "
        "pull "
        "nomic-embed-text`."
    )


def _embeds(model: Installed) -> bool:
    if model.capabilities:
        return "embedding" in model.capabilities
    return model.family in NOT_CHAT_FAMILIES or bool(_NAMES.search(model.name.lower()))


def _unit(vector: Sequence[float]) -> Vector:
    length = sum(value * value for value in vector) ** 0.5 or 1.0
    return tuple(value / length for value in vector)
