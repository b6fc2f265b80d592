"""The two GGUF files in the embedded engine, one request at a time, greedy."""

from pathlib import Path
from typing import Any

import xllamacpp

CONTEXT = 1024
LIMIT = 400

Message = dict[str, str]
VERDICT = {
    "type": "object",
    "additionalProperties": False,
    "required": ["confidence_score", "conflict_score", "judgement_summary"],
    "properties": {
        "confidence_score": {"type": "integer", "minimum": 1, "maximum": 10},
        "conflict_score": {"type": "integer", "minimum": 1, "maximum": 10},
        "judgement_summary": {"type": "string", "maxLength": 120},
    },
}


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

    def reply(self, user: str, schema: dict[str, Any] | None = None) -> str:
        """The model's reply to one user message, constrained to `schema` if there is one.

        Raises RuntimeError for an error of the engine or a reply that does not end.
        """
        request: dict[str, Any] = {
            "messages": [{"role": "user", "content": user}],
            "max_tokens": LIMIT,
            "temperature": 0,
        }
        if schema:
            request["response_format"] = {"type": "json_schema", "json_schema": {"schema": schema}}
        answer = self._server.handle_chat_completions(request)
        if "error" in answer:
            raise RuntimeError(answer["error"]["message"])
        choice = answer["choices"][0]
        return str(choice["message"]["content"])
