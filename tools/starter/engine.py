"""A GGUF file in the embedded engine, one request at a time, greedy."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple

import xllamacpp

from pipeline.model import Message

CONTEXT = 1024
LIMIT = 400


class Answer(NamedTuple):
    """A reply and how it ended."""

    text: str
    finish_reason: Literal["stop", "length"]


class Engine:
    """One weight file, loaded."""

    def __init__(self, path: Path) -> None:
        params = xllamacpp.CommonParams()
        params.model.path = str(path)
        params.n_ctx = CONTEXT
        params.n_parallel = 1
        params.cpuparams.n_threads = params.cpuparams_batch.n_threads = 1
        params.warmup = False
        params.verbosity = -1
        self._server = xllamacpp.Server(params)

    def reply(self, user: str, schema: Mapping[str, Any] | None = None) -> str:
        """The model's reply to one user message, constrained to `schema` if there is one.

        Raises RuntimeError for an error of the engine.
        """
        return self.answer([{"role": "user", "content": user}], LIMIT, schema).text

    def answer(
        self, messages: Sequence[Message], limit: int, schema: Mapping[str, Any] | None = None
    ) -> Answer:
        """The reply to a conversation, of at most `limit` tokens. Raises RuntimeError."""
        request: dict[str, Any] = {
            "messages": list(messages),
            "max_tokens": limit,
            "temperature": 0,
        }
        if schema:
            wanted = {"schema": dict(schema)}
            request["response_format"] = {"type": "json_schema", "json_schema": wanted}
        answer = self._server.handle_chat_completions(request)
        if "error" in answer:
            raise RuntimeError(answer["error"]["message"])
        choice = answer["choices"][0]
        ended: Literal["stop", "length"] = (
            "length" if choice["finish_reason"] == "length" else "stop"
        )
        return Answer(str(choice["message"]["content"] or ""), ended)
