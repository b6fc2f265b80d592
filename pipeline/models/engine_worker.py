"""The embedded engine's process: llama.cpp, through xllamacpp, between two pipes.

Started by `engine_process.Child`, for no one else. One JSON object is one line. In, on stdin:

    {"op": "chat", "id": 1, "model": "/models/m.gguf", "adapters": [], "window": 16384,
     "usual": 2048, "body": {…}}
    {"op": "cancel", "id": 1}

`window` is in tokens and the most that it may be; it begins smaller, with room for as much of an
answer as is `usual`. `body` is a chat completion request as llama-server takes it; its `n` is how
many answers are wanted. Out, on stdout, for each chat any number of pieces, an end for each answer,
and one last line, that it is done or an error:

    {"id": 1, "answer": 0, "text": "…", "thinking": "…", "calls": [{"index": 0, …}]}
    {"id": 1, "answer": 0, "end": "stop", "prompt_tokens": 9, "cached_tokens": 4,
     "output_tokens": 5, "load_ms": 12.5, "window": 4096}
    {"id": 1, "done": true}
    {"id": 1, "error": "failed", "message": "…"}

`calls` are pieces of tool calls in OpenAI's form. `end` is stop or length; `error` is failed,
context_too_long, no_engine or cancelled. The process ends when its stdin does.
"""

import ctypes
import json
import os
import signal
import sys
import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, BinaryIO

from pipeline.models.engine_slots import Work
from pipeline.models.llama_cpp import Answers, EngineError, Message, Weights
from pipeline.models.machine import total_memory

MAX_ERROR_CHARS = 2000
_PR_SET_PDEATHSIG = 1


def encode(message: Mapping[str, Any]) -> bytes:
    return json.dumps(message, separators=(",", ":")).encode() + b"\n"


def decode(line: bytes) -> Message:
    message: Message = json.loads(line)
    return message


class Worker:
    """The chats that are being answered, each in a thread of its own."""

    def __init__(self, out: BinaryIO) -> None:
        self._out = out
        self._writing = threading.Lock()
        self._weights: dict[tuple[str, ...], Weights] = {}
        self._works: dict[int, Work] = {}

    def serve(self, lines: BinaryIO) -> None:
        for line in lines:
            message = decode(line)
            if message["op"] == "cancel":
                self._cancel(message["id"])
                continue
            work = Work.of(message["body"], message["window"], message["usual"])
            self._works[message["id"]] = work
            files = _files_of(message)
            new = Weights(files[0], adapters=files[1:], make_room=self._make_room)
            weights = self._weights.setdefault(files, new)
            weights.used_at = time.monotonic()
            weights.slots.line_up(work)  # here: threads do not begin in the order of their start
            threading.Thread(target=self._work, args=(message,), daemon=True).start()

    def _make_room(self, loading: Weights, window: int) -> None:
        """Lets go of models that nobody asks now, the last used last, until the one that is to be
        loaded with this window fits beside the others."""
        others = [each for each in list(self._weights.values()) if each.window]
        if not others or (memory := total_memory()) is None:
            return
        needs = [(each, _memory_of(each, each.window)) for each in others]
        left = memory - _memory_of(loading, window)
        for each in sorted(others, key=lambda weights: weights.used_at):
            if sum(need for other, need in needs if other.window) <= left:
                break
            each.unload()

    def _loaded(self) -> list[list[str]]:
        """The files of each model that is there."""
        return [[*files] for files, each in list(self._weights.items()) if each.window]

    def _cancel(self, number: int) -> None:
        if work := self._works.get(number):
            work.cancelled.set()
            for weights in self._weights.values():
                weights.slots.wake()

    def _work(self, chat: Message) -> None:
        try:
            self._answer(chat)
            last: Message = {"done": True}
        except EngineError as error:
            last = {"error": error.kind, "message": str(error)[:MAX_ERROR_CHARS]}
        except Exception as error:  # a constrained reply that broke off, a schema that is none, …
            last = {"error": "failed", "message": f"llama.cpp: {error}"[:MAX_ERROR_CHARS]}
        del self._works[chat["id"]]
        self._send({"id": chat["id"], **last})

    def _answer(self, chat: Message) -> None:
        weights, work = self._weights[_files_of(chat)], self._works[chat["id"]]
        answers = Answers(work.answers)

        def on_chunk(chunk: Message) -> bool:
            for line in answers.take(chunk):
                if not work.cancelled.is_set():
                    if "end" in line:
                        line |= {"load_ms": work.load_ms, "window": weights.window}
                        line["loaded"] = self._loaded()
                    self._send({"id": chat["id"], **line})
            return work.cancelled.is_set() or answers.error is not None

        weights.answer(chat["body"], work, on_chunk)
        if work.cancelled.is_set():
            raise EngineError("cancelled", f"after {answers.pieces} pieces")
        answers.check()

    def _send(self, message: Message) -> None:
        try:
            with self._writing:
                self._out.write(encode(message))
                self._out.flush()
        except BrokenPipeError:
            os._exit(0)


def _memory_of(weights: Weights, window: int) -> int:
    """The bytes that it takes; none where its file has gone, which loading it will say."""
    from pipeline.models.gguf import NotGguf
    from pipeline.models.model_file import memory_for  # most use one model

    with suppress(OSError, NotGguf):
        return memory_for(Path(weights.path), window)
    return 0


def _files_of(chat: Message) -> tuple[str, ...]:
    """The model and its adapters: with others it is another model."""
    return chat["model"], *chat["adapters"]


def die_with(parent: int) -> None:
    """Linux: the kernel kills this process when the parent's thread that started it ends. The
    end of stdin says the same everywhere, but not to a process that is deep in a load."""
    if sys.platform != "linux":
        return
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:  # it was gone before the line above
        os._exit(0)


def main() -> None:
    die_with(int(sys.argv[1]))
    # A terminal and a service manager signal the whole group; the parent may still finish a run.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what llama.cpp prints must not get among the lines
    Worker(out).serve(sys.stdin.buffer)
    os._exit(0)  # at once: the servers' destructors may wait for each other
