"""Models that run on this machine without a server: `local/<path.gguf>`.

llama.cpp runs in a child process (`engine_worker.py`), because a crash in it must not take the
daemon along, and because a load or a prompt that is being read can only be stopped by ending it.
"""

import asyncio
import importlib.util
import logging
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path

from pipeline.errors import ContextTooLong, LaiosError, ModelFailed, ModelUnreachable
from pipeline.model import GENERAL, Call, Delta, End, Facts, Frame, Profile
from pipeline.model_residence import LoadedModel, StoredModel
from pipeline.models import gguf
from pipeline.models.adapter import adapter_path, check_adapters
from pipeline.models.engine_process import Child, is_last
from pipeline.models.gguf_vocabulary import read_control_tokens
from pipeline.models.llama_cpp import CANNOT_LOAD, MOST_ANSWERS
from pipeline.models.llama_cpp import Message as Line
from pipeline.models.machine import core_count
from pipeline.models.model_file import parts_of, read_header, refuse_too_large
from pipeline.models.openai_form import fields_of, pieces_of

PROVIDER = "local/"
_FEW_CORES = 4  # up to here answers side by side wait for the processor, not for the memory
USUAL_ANSWER = 2048  # tokens; a cache for the longest would be four times as large
CANCEL_GRACE_S = 0.5  # a cancelled call that is still at work then costs the process its life
WRITING_GRACE_S = 5.0  # where it writes: it looks at each token, slow as that may be
STUCK_S = 30.0  # then also where others wait for it: it looks for cancels between two batches

NO_ENGINE = (
    "The embedded engine is not installed. `pip install xllamacpp` adds it (Linux x86_64 and "
    "aarch64, macOS on Apple silicon); or use a model server, such as ollama/qwen2.5-coder:7b."
)

log = logging.getLogger(__name__)


class Engine:
    """The child's life: started by the first call, stopped after `idle_s` seconds without one,
    started again by the call after a crash. All models of a process share one, and whoever made
    it closes it."""

    def __init__(self, idle_s: float, runs: int = 1) -> None:
        """`runs`: how many share it at a time."""
        self._idle_s, self._runs = idle_s, runs
        self._start: asyncio.Task[Child] | None = None
        self._stops: set[asyncio.Task[None]] = set()
        self._idle: asyncio.TimerHandle | None = None
        self._crashes = 0  # since a child last answered
        self._crashed_child: Child | None = None
        self._closed = False

    async def stream(
        self,
        model: Path,
        window: int,
        body: Line,
        adapters: Sequence[Path] = (),
        usual: int | None = None,
    ) -> AsyncGenerator[tuple[int, Frame]]:
        """Answers a chat completion request, each frame with its answer's number. `window`: its
        most tokens; `usual`: of an answer that goes on in a larger one where it has to, those that
        the first one has room for (where several runs share it, it is as large as it may be).

        Raises ContextTooLong, ModelFailed and ModelUnreachable (not installed, or a first crash
        before any of the answer was given out: another try may go well).
        """
        child = await self._running()
        usual = window if usual is None or self._runs > 1 else usual
        call, over, given = child.open(model, window, usual, body, adapters), False, False
        try:
            while not over:
                line = await child.next(call)
                over = line is None or is_last(line)
                if line is None:
                    raise await self._crashed(child, model, given)
                if over:
                    self._crashes = 0
                given = True
                if "end" in line:
                    child.windows[(model, *adapters)] = line["window"]
                    child.keep(line["loaded"])
                if "done" not in line:
                    yield line.get("answer", 0), _frame(line, model, window)
        finally:
            self._leave(child, call, over, WRITING_GRACE_S if given else CANCEL_GRACE_S)

    def window_of(self, model: Path, adapters: Sequence[Path] = ()) -> int | None:
        """The tokens of the window with which a model is loaded now; None: it is not."""
        child = self._child
        return child.windows.get((model, *adapters)) if child else None

    @property
    def rests_at(self) -> datetime | None:
        """When the process ends if nobody calls; None where that is not known."""
        if self._idle is None or self._idle.cancelled():
            return None
        left = self._idle.when() - asyncio.get_running_loop().time()
        return datetime.now(UTC) + timedelta(seconds=left)

    async def close(self) -> None:
        """Ends the process within a second, with whatever it is doing."""
        self._closed = True
        self._disarm()
        if self._start is not None:
            with suppress(ModelUnreachable):
                child = await self._start
                if child.alive:
                    self._retire(child)
        await asyncio.gather(*self._stops)

    @property
    def _child(self) -> Child | None:
        start = self._start
        if start is None or not start.done() or start.exception() or not start.result().alive:
            return None
        return start.result()

    async def _running(self) -> Child:
        if self._closed:
            raise ModelUnreachable("The embedded engine is closed, because laios is stopping.")
        self._disarm()
        if self._start is None or (self._start.done() and self._child is None):
            self._start = asyncio.create_task(Child.start())
        # Shielded: a caller that goes away must not take the start from the others.
        return await asyncio.shield(self._start)

    def _leave(self, child: Child, call: int, over: bool, grace_s: float) -> None:
        if over:
            child.forget(call)
        else:
            child.cancel(call)
            stuck_at = asyncio.get_running_loop().time() + STUCK_S
            self._later(grace_s, self._reap, child, call, stuck_at)
        self._disarm()
        if not self._closed:
            self._idle = self._later(self._idle_s, self._rest)

    def _rest(self) -> None:
        child = self._child
        if child is None:
            return
        if child.busy:
            self._idle = self._later(self._idle_s, self._rest)
        else:
            log.info("engine idle pid=%d", child.pid)
            self._retire(child)

    def _reap(self, child: Child, call: int, stuck_at: float) -> None:
        """A cancelled call that goes on is ended with its process: where others wait for that one,
        only when nothing else can help them. They ask the next one, but those to whom some of an
        answer was given out."""
        if not child.alive or not child.works_on(call):
            return
        if child.wanted and asyncio.get_running_loop().time() < stuck_at:
            self._later(CANCEL_GRACE_S, self._reap, child, call, stuck_at)
        else:
            log.info("engine ended pid=%d: a cancelled call went on", child.pid)
            self._retire(child)

    def _retire(self, child: Child) -> None:
        """Stops the child in the background; the next call starts another."""
        stop = asyncio.create_task(child.stop())
        child.stopping = True
        self._stops.add(stop)
        stop.add_done_callback(self._stops.discard)

    async def _crashed(self, child: Child, model: Path, given: bool) -> LaiosError:
        text = f"The embedded engine was stopped while {model.name} answered."
        if not child.stopping:
            if child is not self._crashed_child:  # several calls may see the same crash
                self._crashed_child = child
                self._crashes += 1
            how = await child.ended()
            log.warning("engine crashed pid=%d model=%s: %s", child.pid, model.name, how)
            text = f"The embedded engine crashed while {model.name} answered: {how}. "
            if self._crashes > 1:
                return ModelFailed(
                    f"{text}That makes {self._crashes} crashes in a row: check the file, use a "
                    "smaller model or a model server, such as Ollama."
                )
            text += "It starts again at the next call."
        return ModelFailed(text) if given else ModelUnreachable(text)

    def _disarm(self) -> None:
        if self._idle is not None:
            self._idle.cancel()

    @staticmethod
    def _later(delay_s: float, then: Callable[..., None], *args: object) -> asyncio.TimerHandle:
        return asyncio.get_running_loop().call_later(delay_s, then, *args)


def _frame(line: Line, model: Path, window: int) -> Frame:
    match line:
        case {"end": reason}:
            tokens = (line["prompt_tokens"], line["output_tokens"])
            return End(reason, *tokens, line["load_ms"], line["cached_tokens"])
        case {"error": "context_too_long", "message": message}:
            made_for = gguf.read_header(model).context_length
            more = (
                "or use a model with a longer window: this one was made for no more"
                if made_for and window >= made_for
                else f"or raise MAX_CONTEXT_TOKENS if {model.name} takes more"
            )
            raise ContextTooLong(f"{message} Shorten it, {more}.")
        case {"error": "no_engine", "message": message}:
            raise ModelUnreachable(f"{NO_ENGINE} ({message})")
        case {"error": _, "message": message} if message == CANNOT_LOAD:
            kind = gguf.read_header(model).architecture
            raise ModelFailed(f"{model.name}: {message} Its architecture is {kind}.")
        case {"error": _, "message": message}:
            raise ModelFailed(f"{model.name}: {message}")
    calls = pieces_of(line.get("calls"))
    return Delta(line.get("text", ""), line.get("thinking", ""), calls, line.get("logprobs", ()))


class LocalModel:
    """A GGUF file in the engine. It can play any role, with the stages' general prompts."""

    profile: Profile = GENERAL
    roles: frozenset[str] | None = None
    shares_memory = True
    most_answers = MOST_ANSWERS
    scored_tokens = 1  # llama.cpp says nothing of those that lookup copied

    def __init__(self, name: str, engine: Engine, path: Path, adapters: Sequence[str] = ()) -> None:
        """`adapters` are the paths of its LoRAs. Whether there are such files, `facts` says."""
        self.name = name
        self._path = path.absolute()
        self._adapters = [adapter_path(each, self._path) for each in adapters]
        self._engine = engine

    async def cheap_answers(self) -> int:
        """See `SideBySide.cheap_answers`: two cores write four answers in three times the time of
        one (docs/engine.md)."""
        return MOST_ANSWERS if core_count() > _FEW_CORES else 1

    async def stream(self, call: Call) -> AsyncGenerator[Frame, None]:
        async with aclosing(self.stream_several(call, 1)) as answers:
            async for _, frame in answers:
                yield frame

    async def stream_several(self, call: Call, n: int) -> AsyncGenerator[tuple[int, Frame]]:
        """See `SideBySide.stream_several`."""
        facts = await self.facts()
        window = min(call.context_tokens, facts.context_length or call.context_tokens)
        refuse_too_large(self._path, window)
        # Only a text can be gone on with, no JSON in a form, no thinking, no tool's call.
        plain = n == 1 and facts.goes_on and not (call.schema or call.tools)
        usual = USUAL_ANSWER if plain else call.max_tokens
        body = request(call, n)
        frames = self._engine.stream(self._path, window, body, self._adapters, usual)
        async with aclosing(frames) as answers:
            async for numbered in answers:
                yield numbered

    async def read_ahead(self, messages: Sequence[Line], context_tokens: int) -> None:
        """See `ReadsAhead.read_ahead`."""
        refuse_too_large(self._path, context_tokens)
        body: Line = {"messages": list(messages), "max_tokens": 0}
        frames = self._engine.stream(self._path, context_tokens, body, self._adapters, 0)
        async with aclosing(frames) as answer:
            async for _ in answer:
                pass

    async def facts(self) -> Facts:
        """Reads the file's header. Raises ModelUnreachable without the engine, ModelNotFound
        where there is no model file or adapter, one that writes no text or is too large."""
        if importlib.util.find_spec("xllamacpp") is None:
            raise ModelUnreachable(NO_ENGINE)
        header = await asyncio.to_thread(read_header, self._path)
        await asyncio.to_thread(check_adapters, self._adapters, header.architecture)
        refuse_too_large(self._path)
        tokens = await asyncio.to_thread(read_control_tokens, self._path)
        return Facts(
            header.context_length,
            tokens,
            takes_tools=header.takes_tools,
            takes_images=False,  # pictures need a second file, which is not loaded
            has_chat_template=header.has_chat_template,
            goes_on=header.has_chat_template and not header.may_think,
        )

    async def stored(self) -> StoredModel | None:
        """See `Stored.stored`."""
        with suppress(OSError):
            found = [part.stat() for part in (*parts_of(self._path), *self._adapters)]
            newest = max(each.st_mtime for each in found)
            size = sum(each.st_size for each in found)
            return StoredModel(size, datetime.fromtimestamp(newest, UTC))
        return None

    async def loaded(self) -> dict[str, LoadedModel]:
        """See `Residing.loaded`: this one, while the engine has it."""
        window, files = self._engine.window_of(self._path, self._adapters), await self.stored()
        if window is None or files is None:
            return {}
        header = await asyncio.to_thread(gguf.read_header, self._path)
        size = files.size + (header.cache_bytes or 0) * window
        until = self._engine.rests_at
        return {self.name: LoadedModel(self.name, size, 0, window, until)}


def request(call: Call, n: int = 1) -> Line:
    """The call as llama-server's chat completion request, for `n` answers."""
    body: Line = fields_of(call) | {"n": n}
    if call.schema is not None:
        body["response_format"] = {
            "type": "json_schema",
            "json_schema": {"schema": dict(call.schema)},
        }
    if call.logprobs is not None:
        body |= {"logprobs": True, "top_logprobs": call.logprobs}
    if call.think is not None:
        body["chat_template_kwargs"] = {"enable_thinking": call.think}
    return body
