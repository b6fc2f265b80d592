"""llama.cpp in this process: a model file and its answers. For the engine's process only."""

import os
import tempfile
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

Message = dict[str, Any]

CANNOT_LOAD = (
    "llama.cpp cannot load it. The file is damaged, too new for the installed xllamacpp, or needs "
    "more memory than there is."
)
_SMALL_BYTES = 64 << 20  # below this a model is faster on one thread than on several
_BATCH_TOKENS = 512  # of the prompt; a cancel is noticed between two batches
_MAX_SOCKET_DIR = 70  # a Unix socket's whole path has to fit in 104 bytes


class EngineError(Exception):
    """What becomes an error line; `kind` is the line's `error`."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind


@dataclass
class Weights:
    """One model file. There is one slot, so its lock is held for the whole of an answer."""

    path: str
    lock: threading.Lock = field(default_factory=threading.Lock)
    server: Any = None
    window: int = 0

    def load(self, window: int) -> float:
        """Sees to it that the model is there with at least this window; milliseconds it took."""
        if self.server is not None and self.window >= window:
            return 0.0
        started = time.monotonic()
        self.server = None  # the smaller one goes before the larger comes
        self.server = start_server(self.path, window)
        self.window = window
        return (time.monotonic() - started) * 1000


def start_server(path: str, window: int) -> Any:
    """A llama-server in this process. It cannot be told not to listen, so it listens on a Unix
    socket in a private directory, which is gone by the time that this returns: no port."""
    try:
        import xllamacpp
    except ImportError as error:
        raise EngineError("no_engine", str(error)) from error
    params = xllamacpp.CommonParams()
    params.model.path = path
    params.n_ctx = window
    params.n_parallel = 1
    params.n_batch = _BATCH_TOKENS
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = thread_count(path)
    params.warmup = False
    params.offline = True
    params.ui = params.endpoint_slots = False
    params.endpoint_metrics = True
    params.n_threads_http = 1
    params.cache_ram_mib = 0  # old prompts' states, up to 8 GiB by default
    params.verbosity = -1
    base = tempfile.gettempdir()
    with tempfile.TemporaryDirectory(
        prefix="laios-", dir=base if len(base) < _MAX_SOCKET_DIR else "/tmp"
    ) as private:
        params.hostnames = [f"{private}/s.sock"]
        try:
            server = xllamacpp.Server(params)
        except RuntimeError as error:
            raise EngineError("failed", CANNOT_LOAD) from error  # it says no more than this
    # Deleting a server whose loop has not yet turned once never returns. This waits for a turn.
    server.handle_metrics()
    return server


def thread_count(path: str) -> int:
    """One thread per physical core (of many logical ones, two are one); one alone for a small
    model, where the threads' meeting points cost more than they give."""
    if Path(path).stat().st_size < _SMALL_BYTES:
        return 1
    cores = os.cpu_count() or 1
    return cores // 2 if cores > 4 else cores


def request(body: Message) -> Message:
    """Streamed and with the prompt's progress: a call can be cancelled only where it reports."""
    usage = {"include_usage": True}
    return body | {"stream": True, "return_progress": True, "stream_options": usage}


@dataclass
class Answer:
    """What the chunks of one reply have said beside the text."""

    pieces: int = 0
    finish_reason: str | None = None
    usage: Message = field(default_factory=dict)
    error: EngineError | None = None

    def take(self, chunk: Message) -> Message:
        """The chunk's piece of text, {} if it has none."""
        if "error" in chunk:
            self.error = _server_error(chunk["error"])
            return {}
        self.usage = chunk.get("usage") or self.usage
        for choice in chunk.get("choices", ()):
            self.finish_reason = choice.get("finish_reason") or self.finish_reason
            delta = choice.get("delta", {})
            said = {"text": delta.get("content"), "thinking": delta.get("reasoning_content")}
            piece = {key: value for key, value in said.items() if value}
            self.pieces += bool(piece)
            return piece
        return {}

    def last(self) -> Message:
        if self.error is not None:
            raise self.error
        if self.finish_reason is None:
            raise EngineError("failed", "llama.cpp ended the reply without saying why.")
        return {
            "end": "length" if self.finish_reason == "length" else "stop",
            "prompt_tokens": self.usage.get("prompt_tokens"),
            "output_tokens": self.usage.get("completion_tokens"),
        }


def _server_error(error: Message) -> EngineError:
    if error.get("type") == "exceed_context_size_error":
        prompt, window = error.get("n_prompt_tokens"), error.get("n_ctx")
        return EngineError(
            "context_too_long", f"The prompt has {prompt} tokens, the window {window}."
        )
    return EngineError("failed", f"llama.cpp: {error.get('message', error)}")
