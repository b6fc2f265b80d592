"""llama.cpp in this process: a model file and its answers. For the engine's process only."""

import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pipeline.models.engine_slots import MOST_COPIED, Slots, Work
from pipeline.models.machine import core_count, free_cores
from pipeline.models.unfinished_answer import UnfinishedAnswer

Message = dict[str, Any]

CANNOT_LOAD = (
    "llama.cpp cannot load it. The file is damaged, too new for the installed xllamacpp, or needs "
    "more memory than there is."
)
_SMALL_BYTES = 64 << 20  # below this a model is faster on one thread than on several
_BATCH_TOKENS = 512  # of the prompt; a cancel is noticed between two batches
_AT_ONCE = 128  # tokens of a batch: the buffers of 512 take 30 MB more and read no faster
MOST_ANSWERS = 4  # written side by side; as many conversations stay in the cache
_ENOUGH_TOKENS = 16  # of an answer, to say how fast it was written
_CROWDED = 4  # times slower than it once was
_ALIKE, _LEAST_COPIED = 16, 4  # tokens that have to be alike before others are copied; of these
_MAX_SOCKET_DIR = 70  # a Unix socket's whole path has to fit in 104 bytes


class EngineError(Exception):
    """What becomes an error line; `kind` is the line's `error`."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind


@dataclass
class Weights:
    """One model file, and the calls that it works on."""

    path: str
    server: Any = None
    window: int = 0
    threads: int = 1  # that write
    fastest: float = 0.0  # tokens a second that one answer was written with
    crowded: bool = False
    adapters: tuple[str, ...] = ()  # LoRAs on top of it
    loaded: tuple[object, ...] = ()  # the files that it was loaded from
    used_at: float = 0.0  # when it was asked last
    make_room: Callable[["Weights", int], None] = lambda weights, window: None  # before it loads
    slots: Slots = field(init=False)

    def __post_init__(self) -> None:
        self.slots = Slots(MOST_ANSWERS, self.room)

    def room(self, window: int) -> int:
        """Tokens of the cache; 0 where it has to be loaded before a call with this window."""
        fit = self.server is not None and self.window >= window and not self.crowded
        return self.window if fit and self.loaded == self._files() else 0

    def _files(self) -> tuple[object, ...]:
        return tuple(map(_file_at, (self.path, *self.adapters)))

    def load(self, window: int) -> float:
        """Sees to it that the model is there with at least this window, and with no more threads
        than the machine has room for; milliseconds it took."""
        if self.room(window):
            return 0.0
        started = time.monotonic()
        self.server = None  # the smaller one goes before the larger comes
        window, self.window, self.crowded = max(window, self.window), 0, False
        self.make_room(self, window)
        self.threads = min(thread_count(self.path), free_cores())
        self.loaded = self._files()
        self.server = start_server(self.path, window, self.threads, adapters=self.adapters)
        self.window = window  # not of one that failed: the next call's may be smaller
        self.slots.forget()
        return (time.monotonic() - started) * 1000

    def unload(self) -> None:
        """Lets the model go, unless it is asked just now."""
        self.slots.while_idle(self._let_go)

    def _let_go(self) -> None:
        self.server, self.window = None, 0

    def answer(self, body: Message, work: Work, on_chunk: Callable[[Message], bool]) -> None:
        """Has the server answer when it is the turn of the call, which has lined up; `on_chunk`
        says after each chunk whether to stop."""
        answer = UnfinishedAnswer(body)
        done = False
        while not done and self.slots.enter(work):
            try:
                if work.alone:  # who begins beside others found it loaded
                    work.load_ms += self.load(work.window)
                self.slots.wake()
                done = self._ask(answer, work, on_chunk)
                if not done:
                    self.slots.line_up(work, first=True)
            finally:
                self.slots.leave(work)

    def _ask(
        self, answer: UnfinishedAnswer, work: Work, on_chunk: Callable[[Message], bool]
    ) -> bool:
        """False where it has to be asked again: the prompt turned out too long for the window or to
        stand beside the others, and nothing was read of it; or the answer has filled the window,
        and a larger one may be had."""
        fits = True

        def watch(chunk: Message) -> bool:
            nonlocal fits
            if (total := _prompt_tokens(chunk)) not in (None, work.prompt):
                fits = self.slots.counted(work, total)
            if work.alone:
                self.look_at(chunk.get("timings") or {})
            return not fits or any(map(on_chunk, answer.take(chunk, work.window < work.most)))

        self.server.handle_chat_completions(request(answer.body, work.slot), watch)
        if answer.is_cut and work.window < work.most:
            work.window, fits = work.most, False
        return fits

    def look_at(self, timings: Message) -> None:
        """Whether the machine has become so busy that the threads wait for each other: two of them
        on two cores write 27 tokens a second alone and 2 beside a compiler, where one writes 15.
        The next call then loads the model anew, with as many as there is room for."""
        if timings.get("predicted_n", 0) >= _ENOUGH_TOKENS:
            rate = timings["predicted_per_second"]
            self.fastest = max(self.fastest, rate)
            self.crowded = self.threads > 1 and rate * _CROWDED < self.fastest


def _file_at(path: str) -> object:
    """Tells a file from another one that has taken its place: a pull replaces models."""
    try:
        status = Path(path).stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns


def _prompt_tokens(chunk: Message) -> int | None:
    """How long the prompt is, where the chunk says so: before it is read, or refused."""
    said = chunk.get("prompt_progress") or {}
    tokens: int | None = said.get("total", chunk.get("error", {}).get("n_prompt_tokens"))
    return tokens


def start_server(
    path: str,
    window: int,
    threads: int,
    *,
    lookup: bool = True,
    adapters: Sequence[str] = (),
    trial: bool = False,
) -> Any:
    """A llama-server in this process; `threads` write. `lookup`: what stands in the conversation
    already is copied in one go, as far as the model would write the same (prompt lookup decoding;
    llama.cpp's ngram_mod): a review is most of its draft. It cannot be told not to listen, so
    it listens on a Unix socket in a private directory, which is gone by the time that this returns:
    no port. `trial`: it is only to be seen whether the model can be loaded; the weights stay as
    they are in the file, and why it cannot is printed."""
    try:
        import xllamacpp
    except ImportError as error:
        raise EngineError("no_engine", str(error)) from error
    params = xllamacpp.CommonParams()
    params.model.path = path
    params.n_ctx = window
    params.lora_adapters = [xllamacpp.CommonAdapterLoraInfo(each, 1.0) for each in adapters]
    # One cache for all slots. Old prompts' states (`cache_ram_mib`) are not kept beside it: with
    # several slots llama.cpp has restored another conversation's (its issue 27148).
    params.n_parallel, params.kv_unified, params.cache_ram_mib = MOST_ANSWERS, True, 0
    params.n_batch, params.n_ubatch = _BATCH_TOKENS, _AT_ONCE
    # Those that read seldom wait for each other.
    params.cpuparams.n_threads, params.cpuparams_batch.n_threads = threads, thread_count(path)
    if lookup:
        kind = xllamacpp.common_speculative_type.COMMON_SPECULATIVE_TYPE_NGRAM_MOD
        params.speculative.types = [kind]
        copying = params.speculative.ngram_mod
        copying.n_match, copying.n_min, copying.n_max = _ALIKE, _LEAST_COPIED, MOST_COPIED
    params.warmup = False
    params.offline = True
    params.ui = params.endpoint_slots = False
    params.endpoint_metrics = True
    params.n_threads_http = 1
    params.no_extra_bufts, params.verbosity = trial, 1 if trial else -1
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
    """One thread per physical core that we may use (of many logical ones, two are one); one alone
    for a small model, where the threads' meeting points cost more than they give."""
    if Path(path).stat().st_size < _SMALL_BYTES:
        return 1
    cores = core_count()
    return cores // 2 if cores > 4 else cores


def request(body: Message, slot: int) -> Message:
    """Streamed and with the prompt's progress: a call can be cancelled only where it reports."""
    usage = {"include_usage": True}
    how = {"stream": True, "return_progress": True, "stream_options": usage, "id_slot": slot}
    return body | how


@dataclass
class Answers:
    """The chunks of one call, for one answer or for several side by side, as lines. `ended` are the
    answers that are complete, with the reason; the server gives each one's counts right after."""

    wanted: int
    pieces: int = 0
    ended: list[tuple[int, str]] = field(default_factory=list)
    error: EngineError | None = None

    def take(self, chunk: Message) -> Iterator[Message]:
        """The chunk as lines: a piece of an answer, or its end."""
        if "error" in chunk:
            self.error = _server_error(chunk["error"])
            return
        for choice in chunk.get("choices", ()):
            number, delta = choice.get("index", 0), choice.get("delta", {})
            said = {
                "text": delta.get("content"),
                "thinking": delta.get("reasoning_content"),
                "calls": delta.get("tool_calls"),
                "logprobs": (choice.get("logprobs") or {}).get("content"),
            }
            if piece := {key: value for key, value in said.items() if value}:
                self.pieces += 1
                yield {"answer": number, **piece}
            if reason := choice.get("finish_reason"):
                self.ended.append((number, reason))
        if usage := chunk.get("usage"):
            yield self._end(usage)

    def _end(self, usage: Message) -> Message:
        number, reason = self.ended[-1]
        prompt = usage.get("prompt_tokens")
        cached = (usage.get("prompt_tokens_details") or {}).get("cached_tokens")
        return {
            "answer": number,
            "end": "length" if reason == "length" else "stop",
            "prompt_tokens": prompt,
            # It is read for the first answer; llama.cpp says the same of all.
            "cached_tokens": prompt if number else cached,
            "output_tokens": usage.get("completion_tokens"),
        }

    def check(self) -> None:
        """Raises EngineError where the server said one, or left an answer without an end."""
        if self.error is not None:
            raise self.error
        if len(self.ended) < self.wanted:
            raise EngineError("failed", "llama.cpp ended the reply without saying why.")


def _server_error(error: Message) -> EngineError:
    if error.get("type") == "exceed_context_size_error":
        prompt, window = error.get("n_prompt_tokens"), error.get("n_ctx")
        return EngineError(
            "context_too_long", f"The prompt has {prompt} tokens, the window {window}."
        )
    return EngineError("failed", f"llama.cpp: {error.get('message', error)}")
