"""A fake Ollama on a real socket: its routes and frames, scripted answers, and every fault that a
backend can have. `with` runs it in a thread of its own, `async with` in the test's loop."""

import asyncio
import json
import re
import socket
import threading
import time
import urllib.request
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Self
from urllib.parse import urlsplit

from aiohttp import web
from fake_answers import (
    CODE,
    FAULTS,
    Answer,
    Exchange,
    Json,
    Sender,
    full_name,
    ndjson,
    now,
    refuse,
    tokens,
    too_long,
)

__all__ = [
    "CODE",
    "FAULTS",
    "Answer",
    "FakeOllama",
    "FakeServer",
    "Json",
    "Pulled",
    "refused_url",
    "tokens",
]


class FakeServer:
    """A server on a free port of 127.0.0.1. `requests` are the chat calls' bodies in order,
    `active` the number of those that are being answered now, `ended` how each of them ended."""

    def __init__(self, *answers: Answer) -> None:
        self.answers = list(answers)
        self.requests: list[Json] = []
        self.heads: list[dict[str, str]] = []
        self.active = 0
        self.ended: list[str] = []
        self.port = 0
        self._thread: threading.Thread | None = None
        self._runner: web.AppRunner | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def app(self) -> web.Application:
        raise NotImplementedError

    def answer_for(self, model: str, messages: list[Json], structured: bool) -> Answer:
        for answer in self.answers:
            if answer.fits(model, messages, structured):
                answer.used += 1
                return answer
        return Answer()

    @contextmanager
    def recording(self, request: web.Request, body: Json) -> Iterator[None]:
        self.requests.append(body)
        peer = request.transport and request.transport.get_extra_info("peername")
        self.heads.append({**request.headers, "X-Test-Peer": str(peer)})
        self.active += 1
        try:
            yield
        except (asyncio.CancelledError, ConnectionError):
            self.ended.append("left")
            raise
        else:
            self.ended.append("done")
        finally:
            self.active -= 1

    async def __aenter__(self) -> Self:
        self._runner = web.AppRunner(
            self.app(), access_log=None, handler_cancellation=True, shutdown_timeout=0.1
        )
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", self.port).start()
        self.port = self._runner.addresses[0][1]
        return self

    async def __aexit__(self, *error: object) -> None:
        if self._runner:
            await self._runner.cleanup()
            self._runner = None

    def __enter__(self) -> Self:
        ready = threading.Event()
        self._stop: Callable[[], object] = lambda: None

        async def serve() -> None:
            stop = asyncio.Event()
            loop = asyncio.get_running_loop()
            self._stop = lambda: loop.call_soon_threadsafe(stop.set)
            async with self:
                ready.set()
                await stop.wait()

        self._thread = threading.Thread(target=lambda: asyncio.run(serve()), daemon=True)
        self._thread.start()
        assert ready.wait(10), "the fake server did not start"
        return self

    def __exit__(self, *error: object) -> None:
        self._stop()
        if self._thread:
            self._thread.join(10)


# As Ollama has it for ChatML models; one that was made from a file without any has `{{ .Prompt }}`.
CHAT_TEMPLATE = """{{- if .System }}<|im_start|>system
{{ .System }}<|im_end|>
{{ end }}<|im_start|>user
{{ .Prompt }}<|im_end|>
<|im_start|>assistant
{{ .Response }}<|im_end|>"""


@dataclass
class Pulled:
    """A model that the fake has. `remote_host`: Ollama passes its calls on to there."""

    name: str
    size: int = 4_700_000_000
    family: str = "qwen2"
    parameter_size: str = "7.6B"
    context_length: int = 32768
    capabilities: tuple[str, ...] = ("completion", "tools", "insert")
    remote_host: str | None = None
    template: str = CHAT_TEMPLATE
    modified_at: str = field(default_factory=now)

    def details(self) -> Json:
        return {
            "parent_model": "",
            "format": "gguf",
            "family": self.family,
            "families": [self.family],
            "parameter_size": self.parameter_size,
            "quantization_level": "Q4_K_M",
        }


DEFAULT_MODEL = Pulled("qwen2.5-coder:7b")
FOUND_NS = 30_000  # to find a model that is loaded
NOT_IN_PS = ("modified_at", "capabilities", "remote_host")
LAYERS = {"sha256:" + "ab" * 32: 4000, "sha256:" + "cd" * 32: 400}  # of every pull, in bytes


class FakeOllama(FakeServer):
    """`models` are those that are pulled; `loads` is each (model, num_ctx) that made it load, as a
    change of the window does. Paths of the other questions are in `asked`. A model answers
    `parallel` calls at a time, the others wait."""

    def __init__(self, *answers: Answer, models: tuple[Pulled, ...] = (DEFAULT_MODEL,)) -> None:
        super().__init__(*answers)
        self.models = {full_name(model.name): model for model in models}
        self.loads: list[tuple[str, int]] = []
        self.loaded: dict[str, int] = {}
        self.stay_s: dict[str, float] = {}  # by loaded model, when it was asked last
        self.asked: list[str] = []
        self.version = "0.40.0"
        self.slow_s = 0.0  # before the answers to everything but chat
        self.pull_fault = ""  # missing, missing_late, disk, cut, end, garbage, hang
        self.embedded: list[Json] = []  # the bodies of calls for vectors
        self.parallel = 1  # as OLLAMA_NUM_PARALLEL; read when a model is asked first
        self.on_gpu = False  # all of each model
        self.max_loaded = 9  # models, as OLLAMA_MAX_LOADED_MODELS
        self.widest = 1 << 20  # the largest window for which it has memory
        self._slots: dict[str, asyncio.Semaphore] = {}
        self.kept: dict[str, int] = {}  # bytes of each layer that pulls have brought

    def app(self) -> web.Application:
        @web.middleware
        async def note(
            request: web.Request, handler: Callable[[web.Request], Awaitable[web.StreamResponse]]
        ) -> web.StreamResponse:
            if not (is_local(request.url.host) and is_local(request.headers.get("Origin"))):
                return web.Response(status=403)
            if request.path != "/api/chat":
                self.asked.append(request.path)
                await asyncio.sleep(self.slow_s)
            return await handler(request)

        self._slots = {}  # of this event loop
        app = web.Application(middlewares=[note], client_max_size=2**26)
        app.router.add_get("/", self._root)
        app.router.add_get("/api/version", self._version)
        app.router.add_get("/api/tags", self._tags)
        app.router.add_get("/api/ps", self._ps)
        app.router.add_post("/api/show", self._show)
        app.router.add_post("/api/pull", self._pull)
        app.router.add_post("/api/chat", self._chat)
        app.router.add_post("/api/embed", self._embed)
        app.router.add_post("/api/embeddings", self._embeddings)
        return app

    async def _root(self, request: web.Request) -> web.Response:
        return web.Response(text="Ollama is running")

    async def _version(self, request: web.Request) -> web.Response:
        return web.json_response({"version": self.version})

    async def _tags(self, request: web.Request) -> web.Response:
        return web.json_response({"models": [self._entry(name) for name in self.models]})

    async def _ps(self, request: web.Request) -> web.Response:
        loaded = [
            {
                **{key: value for key, value in self._entry(name).items() if key not in NOT_IN_PS},
                "expires_at": now(self.stay_s.get(name, 300.0)),
                "size_vram": self._entry(name)["size"] if self.on_gpu else 0,
                "context_length": window,
            }
            for name, window in self.loaded.items()
        ]
        return web.json_response({"models": loaded})

    async def _show(self, request: web.Request) -> web.Response:
        body = await request.json()
        asked = body.get("model") or body.get("name")
        if not asked:
            return refuse(400, "model is required")
        model = self.models.get(full_name(asked))
        if model is None:
            return refuse(404, f"model '{asked}' not found")
        info = {
            "general.architecture": model.family,
            f"{model.family}.context_length": model.context_length,
        }
        shown = {
            "details": model.details(),
            "template": model.template,
            "modelfile": '# Modelfile generated by "ollama show"\n',
            "parameters": "num_thread                     1",
            "model_info": info,
            "capabilities": list(model.capabilities),
            "modified_at": model.modified_at,
        }
        if model.remote_host:
            shown |= {"remote_host": model.remote_host, "remote_model": model.name}
        return web.json_response(shown)

    async def _pull(self, request: web.Request) -> web.StreamResponse:
        """Two layers, the larger one in pieces; what has come stays when the pull is broken off."""
        name = full_name((await request.json())["model"])
        if self.pull_fault == "missing":
            return refuse(500, "pull model manifest: file does not exist")
        async with ndjson(request) as send:
            await send({"status": "pulling manifest"})
            if self.pull_fault == "missing_late":
                await send({"error": "pull model manifest: file does not exist"})
                return send.response
            for digest, total in LAYERS.items():
                layer = {"status": f"pulling {digest[7:19]}", "digest": digest, "total": total}
                for done in range(self.kept.get(digest, 0), total + 1, total // 4):
                    await send(layer | ({"completed": done} if done else {}))
                    self.kept[digest] = done
                    if done == total // 2 and self.pull_fault:
                        await self._break_off(send)
                        return send.response
            for status in ("verifying sha256 digest", "writing manifest"):
                await send({"status": status})
            self.models[name] = Pulled(name)
            await send({"status": "success"})
        return send.response

    async def _break_off(self, send: Sender) -> None:
        if self.pull_fault == "disk":
            await send({"error": "write /models/blobs/sha256: no space left on device"})
        elif self.pull_fault == "cut":
            send.cut()
        elif self.pull_fault == "garbage":
            await send.raw(b"<html>\n")
        elif self.pull_fault == "hang":
            await asyncio.Event().wait()

    async def _chat(self, request: web.Request) -> web.StreamResponse:
        try:
            body = json.loads(await request.read())
        except ValueError:
            return refuse(400, "missing request body")
        with self.recording(request, body):
            if refused := self._refused(body):
                return refused
            if not body["messages"]:
                return self._loaded_or_not(body)
            messages, structured = body["messages"], "format" in body
            answer = self.answer_for(body["model"], messages, structured)
            exchange = Exchange(request, body, answer, self._load(body), tokens(messages))
            async with self._slot(full_name(body["model"])):
                exchange.began = time.perf_counter()
                await FAULTS[answer.fault](exchange)
            if is_zero(body.get("keep_alive")):
                self.loaded.pop(full_name(body["model"]), None)
            return exchange.response

    def _slot(self, name: str) -> asyncio.Semaphore:
        return self._slots.setdefault(name, asyncio.Semaphore(self.parallel))

    def _loaded_or_not(self, body: Json) -> web.Response:
        """A call without messages loads or unloads: one object, streamed or not."""
        unload = is_zero(body.get("keep_alive"))
        if unload:
            self.loaded.pop(full_name(body["model"]), None)
        else:
            self._load(body)
        message = {"role": "assistant", "content": ""}
        said = {"model": body["model"], "created_at": now(), "message": message, "done": True}
        return web.json_response(said | {"done_reason": "unload" if unload else "load"})

    def ask(self, path: str) -> Json:
        with urllib.request.urlopen(self.url + path) as answer:
            said: Json = json.load(answer)
        return said

    @property
    def load_count(self) -> int:
        return len(self.loads)

    def create(self, name: str, template: str, window: int = 32768) -> None:
        thinks = ("thinking",) if ".Thinking" in template else ()
        able = ("completion", "tools", "insert", *thinks)
        self.models[full_name(name)] = Pulled(
            name, template=template, capabilities=able, context_length=window
        )

    def delete(self, name: str) -> None:
        del self.models[full_name(name)]
        self.loaded.pop(full_name(name), None)

    def vector(self, text: str) -> list[float]:
        """Of length 1, as `/api/embed` gives them."""
        return [0.6, 0.8] if len(text) % 2 else [1.0, 0.0]

    async def _embed(self, request: web.Request) -> web.Response:
        body = await request.json()
        if refused := self._no_vectors(body):
            return refused
        texts = [body["input"]] if isinstance(body["input"], str) else body["input"]
        made = {"model": body["model"], "embeddings": [self.vector(text) for text in texts]}
        spent = {"total_duration": 1000, "load_duration": FOUND_NS}
        return web.json_response(made | spent | {"prompt_eval_count": 2 * len(texts)})

    async def _embeddings(self, request: web.Request) -> web.Response:
        body = await request.json()
        refused = self._no_vectors(body)
        return refused or web.json_response({"embedding": self.vector(body["prompt"])})

    def _no_vectors(self, body: Json) -> web.Response | None:
        self.embedded.append(body)
        if full_name(body["model"]) not in self.models:
            return refuse(404, f"model '{body['model']}' not found")
        return None

    def _refused(self, body: Json) -> web.Response | None:
        name = body.get("model")
        if not name:
            return refuse(400, "model is required")
        model = self.models.get(full_name(name))
        if model is None:
            return refuse(404, f"model '{name}' not found")
        if "completion" not in model.capabilities:
            return refuse(400, f'"{name}" does not support chat')
        if body.get("tools") and "tools" not in model.capabilities:
            full = f"registry.ollama.ai/library/{full_name(name)}"
            return refuse(400, f"{full} does not support tools")
        if body.get("think") and "thinking" not in model.capabilities:
            return refuse(400, f'"{name}" does not support thinking')
        stay = body.get("keep_alive")
        if isinstance(stay, str) and re.fullmatch(r"-?[1-9]\d*", stay):
            return refuse(400, f'time: missing unit in duration "{stay}"')
        if body.get("format", "json") != "json" and not isinstance(body["format"], dict):
            said = 'invalid format: "yaml"; expected "json" or a valid JSON Schema object'
            return refuse(500, said)
        window = body.get("options", {}).get("num_ctx", 4096)
        if window > self.widest:
            said = "model requires more system memory (9.1 GiB) than is available (4.2 GiB)"
            return refuse(500, said)
        if tokens(body["messages"]) >= window and body.get("truncate") is False:
            return refuse(400, too_long(tokens(body["messages"]), window))
        return None

    def _load(self, body: Json) -> int:
        """Nanoseconds that loading took; nearly none for one that is loaded with this window."""
        name, window = full_name(body["model"]), body.get("options", {}).get("num_ctx", 4096)
        self.stay_s[name] = seconds_of(body.get("keep_alive"))
        if self.loaded.get(name) == window:
            return FOUND_NS
        self.loaded.pop(name, None)
        for other in list(self.loaded)[: max(0, len(self.loaded) + 1 - self.max_loaded)]:
            del self.loaded[other]
        self.loaded[name] = window
        self.loads.append((name, window))
        return 5_000_000

    def _entry(self, name: str) -> Json:
        model = self.models[name]
        entry = {
            "name": name,
            "model": name,
            "modified_at": model.modified_at,
            "size": model.size,
            "digest": "ab" * 32,
            "details": model.details(),
            "capabilities": list(model.capabilities),
        }
        return entry | ({"remote_host": model.remote_host} if model.remote_host else {})


def seconds_of(keep_alive: object) -> float:
    """How long a model stays: a number of seconds, or `10m`; below zero for ever."""
    text = str(keep_alive or "5m")
    seconds = float(text.rstrip("smh")) * {"m": 60, "h": 3600}.get(text[-1], 1)
    return seconds if seconds >= 0 else 1e9


def is_local(named: str | None) -> bool:
    """Whether a Host or an Origin is this machine's, or there is none."""
    return not named or (urlsplit(named).hostname or named) in ("127.0.0.1", "localhost", "::1")


def is_zero(keep_alive: object) -> bool:
    """Whether a model is to go at once."""
    return keep_alive in (0, "0", "0s", "0m") and keep_alive is not False


@contextmanager
def refused_url() -> Iterator[str]:
    """An address where nobody listens, held so that nobody else can come to listen there."""
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        yield f"http://127.0.0.1:{held.getsockname()[1]}"
