"""An Ollama server: its address, the connections to it, and its refusals as typed errors."""

import asyncio
import json
import re
from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from contextlib import asynccontextmanager
from datetime import datetime
from typing import Any, TypeVar
from urllib.parse import urlsplit

import aiohttp
import orjson
from pydantic import BaseModel, ValidationError

from config import LOOPBACK_HOSTS
from pipeline.errors import (
    ContextTooLong,
    LaiosError,
    ModelBusy,
    ModelFailed,
    ModelNotFound,
    ModelUnreachable,
    ToolsNotTaken,
)
from pipeline.model_call import TOO_LONG, brief
from pipeline.models.auto import Installed, parameter_count

CONNECT_S = 5.0
BUSY = (429, 503)  # 429: a proxy that counts requests, or a limit of use
ASK_S = 2.0  # for the small questions: what is there, what can it do
MAX_LINE_BYTES = 1024 * 1024
MAX_ERROR_BYTES = 64 * 1024
MAX_ANSWER_BYTES = 16 * 1024 * 1024  # of a small question; a list of thousands of models fits
NO_THINKING = "does not support thinking"
NO_TOOLS = "does not support tools"
NOT_FOUND = re.compile(r"\bmodel\b.*\bnot found\b", re.IGNORECASE)

Shape = TypeVar("Shape", bound=BaseModel)


class ThinkingUnsupported(ModelFailed):
    """The model has no thinking to switch on or off."""


class OllamaHost:
    """A server and the connections to it, shared by its models; opened at first need, in the event
    loop that runs then. `url` has no slash at its end; `token` is sent with each request."""

    def __init__(self, url: str, token: str | None = None) -> None:
        self.url = url
        self._token = token
        self._session: aiohttp.ClientSession | None = None

    @property
    def shown_url(self) -> str:
        """The address without the password that may stand in it."""
        user = urlsplit(self.url).netloc.rpartition("@")[0]
        return self.url.replace(f"{user}@", "", 1) if user else self.url

    @property
    def is_local(self) -> bool:
        """Whether its models live in this machine's memory."""
        return urlsplit(self.url).hostname in LOOPBACK_HOSTS

    @asynccontextmanager
    async def open(
        self,
        method: str,
        path: str,
        body: Mapping[str, Any] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> AsyncIterator[aiohttp.StreamReader]:
        """The body of an answer with status 200, for as long as the block lasts; leaving it early
        ends the work at the server. Every failure, also while reading, is raised typed."""
        try:
            response = await self._connections().request(
                method, self.url + path, json=body, headers=headers, allow_redirects=False
            )
        except aiohttp.ClientConnectionError:
            raise ModelUnreachable(
                f"Ollama does not answer at {self.shown_url}. Start it with `ollama serve`, or set "
                "OLLAMA_HOST to where it listens."
            ) from None
        except aiohttp.ClientError as error:
            raise self._not_ollama(f"with no proper HTTP ({brief(error)})") from None
        async with response:
            try:
                if response.status != 200:
                    raw = await read_at_most(response.content, MAX_ERROR_BYTES)
                    raise self._refusal(response.status, raw, body or {})
                yield response.content
            except aiohttp.ClientError:
                raise ModelFailed(
                    "Ollama's answer broke off before its end. Its log says why; too little "
                    "memory is the usual reason."
                ) from None

    async def ask(self, shape: type[Shape], method: str, path: str, **body: Any) -> Shape:
        """A small question with one JSON object as its answer, within two seconds."""
        try:
            async with asyncio.timeout(ASK_S), self.open(method, path, body or None) as content:
                return shape.model_validate_json(await read_at_most(content, MAX_ANSWER_BYTES))
        except TimeoutError:
            raise ModelUnreachable(
                f"Ollama at {self.shown_url} did not answer {path} within {ASK_S:g} s. If this "
                "continues, restart it."
            ) from None
        except ValidationError:
            raise self._not_ollama(f"{path} with something else than Ollama's JSON") from None

    async def list_models(self) -> list[Installed]:
        """What Ollama has on disk, and the names that it passes on to the cloud."""
        tags = await self.ask(_Tags, "GET", "/api/tags")
        return [tag.installed() for tag in tags.models or []]

    async def close(self) -> None:
        if self._session:
            await self._session.close()
            self._session = None

    def _connections(self) -> aiohttp.ClientSession:
        if self._session is None:
            self._session = aiohttp.ClientSession(
                connector=aiohttp.TCPConnector(limit=0),  # how many at a time is not decided here
                timeout=aiohttp.ClientTimeout(total=None, sock_connect=CONNECT_S),
                cookie_jar=aiohttp.DummyCookieJar(),
                json_serialize_bytes=_encode,
                headers=self._headers(),
                trust_env=False,  # a proxy of the environment is not for one's own server
            )
        return self._session

    def _headers(self) -> dict[str, str]:
        """`identity`: a small body cannot grow to a huge one."""
        headers = {"Accept-Encoding": "identity"}
        return headers | ({"Authorization": f"Bearer {self._token}"} if self._token else {})

    def _refusal(self, status: int, raw: bytes, body: Mapping[str, Any]) -> LaiosError:
        """The error for a status other than 200."""
        if status in (401, 403):
            return ModelUnreachable(
                f"{self.shown_url} refuses laios (HTTP {status}). Set OLLAMA_TOKEN to the token "
                "that it asks for. Ollama itself asks for none, but refuses foreign host names."
            )
        try:
            said = orjson.loads(raw)["error"]
        except (orjson.JSONDecodeError, KeyError, TypeError):
            if status in BUSY:
                return ModelBusy(
                    f"{self.shown_url} has no room now (HTTP {status}). Try again later."
                )
            return self._not_ollama(f"with HTTP {status} and no word of Ollama's")
        return error_for(said, body, status)

    def _not_ollama(self, how: str) -> ModelFailed:
        return ModelFailed(
            f"{self.shown_url} answered {how}. Is it an Ollama server? Set OLLAMA_HOST to one."
        )


def error_for(said: object, body: Mapping[str, Any], status: int = 200) -> LaiosError:
    """The error for what Ollama said went wrong with the request `body`; status 200: said in the
    middle of an answer, where only the words tell what it is."""
    text = brief(said)
    tag = body.get("model", "")
    if TOO_LONG.search(text):
        window = body.get("options", {}).get("num_ctx", "its")
        return ContextTooLong(
            f"The prompt does not fit the window of {window} tokens of {tag}; nothing was cut. "
            f"Shorten it, or raise MAX_CONTEXT_TOKENS if the model takes more. (Ollama: {text})"
        )
    if NO_TOOLS in text:
        return ToolsNotTaken(f"ollama/{tag}")
    if NO_THINKING in text:
        return ThinkingUnsupported(f"Ollama: {text}")
    if status == 404 or NOT_FOUND.search(text):
        return ModelNotFound(
            f"Ollama does not have {tag}. Get it with `ollama pull {tag}`, or choose one from "
            "`laios models`."
        )
    if status in BUSY:
        return ModelBusy(f"Ollama is busy: {text.rstrip('.')}. Try again later.")
    where = "in the middle of its answer" if status == 200 else f"HTTP {status}"
    return ModelFailed(f"Ollama failed at {tag} ({where}): {text}")


async def lines(content: aiohttp.StreamReader) -> AsyncGenerator[bytes, None]:
    """The lines of a body that are not blank, each at most MAX_LINE_BYTES long."""
    rest = b""
    async for chunk in content.iter_any():
        *whole, rest = (rest + chunk).split(b"\n")
        if len(rest) > MAX_LINE_BYTES:
            raise ModelFailed(
                f"Ollama sent a line of more than {MAX_LINE_BYTES:,} bytes; it was stopped."
            )
        for line in whole:
            if line.strip():
                yield line
    if rest.strip():
        yield rest


def _encode(body: object) -> bytes:
    try:
        return orjson.dumps(body)
    except TypeError:  # a lone surrogate in a text
        return json.dumps(body).encode("ascii")


def is_cloud(tag: str) -> bool:
    """Whether a name (`x:cloud`, `x:20b-cloud`) says that Ollama passes calls on to its cloud."""
    return tag.lower().endswith((":cloud", "-cloud"))


class Details(BaseModel):
    """What Ollama says of a model's file."""

    family: str | None = None
    parameter_size: str | None = None  # as "7.6B", "137M"
    quantization_level: str | None = None


class _Tag(BaseModel):
    name: str
    size: int = 0
    details: Details = Details()
    capabilities: list[str] | None = None
    remote_host: str | None = None
    modified_at: datetime | None = None

    def installed(self) -> Installed:
        return Installed(
            name=self.name,
            size=self.size,
            family=self.details.family or "",
            parameters=parameter_count(self.details.parameter_size or ""),
            capabilities=frozenset(self.capabilities or ()),
            remote=bool(self.remote_host) or is_cloud(self.name),
            quantization=self.details.quantization_level or "",
            modified_at=self.modified_at,
        )


class _Tags(BaseModel):
    models: list[_Tag] | None = None


async def read_at_most(content: aiohttp.StreamReader, limit: int) -> bytes:
    """The whole body, or its first `limit` bytes."""
    raw = bytearray()
    async for chunk in content.iter_any():
        raw += chunk
        if len(raw) >= limit:
            break
    return bytes(raw[:limit])
