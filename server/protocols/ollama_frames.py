"""What Ollama's chat routes send: frames, each with the model's name as it was asked for, and in
the last one the counts (nanoseconds, tokens; Ollama leaves out what is zero)."""

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from pipeline.run import Run
from server.http.json_response import dumps
from server.protocols.chat_answer import calls_of, content_of, finish_reason, thinking_of, usage_of

Part = Callable[[str, str], dict[str, Any]]  # (text, thinking) → the field that holds them
Logprobs = Sequence[Mapping[str, Any]]
Ending = Callable[[Run], dict[str, Any]]  # what the last frame has beside


def message(text: str, thinking: str) -> dict[str, Any]:
    """`/api/chat`'s field."""
    said = {"role": "assistant", "content": text}
    return {"message": said | {"thinking": thinking} if thinking else said}


def response(text: str, thinking: str) -> dict[str, Any]:
    """`/api/generate`'s fields."""
    return {"response": text, "thinking": thinking} if thinking else {"response": text}


class Frames:
    """The frames of one answer."""

    def __init__(self, model: str, part: Part, ending: Ending = lambda run: {}) -> None:
        self._model = model
        self._part = part
        self._ending = ending

    def line(self, text: str = "", thinking: str = "", logprobs: Logprobs = ()) -> bytes:
        """A piece of the answer; without text it is a sign of life."""
        scores = {"logprobs": logprobs} if logprobs else {}
        return dumps(self._frame(self._part(text, thinking), done=False, **scores)) + b"\n"

    def calls(self, run: Run) -> bytes:
        """The calls of the caller's tools; `/api/chat` alone has any."""
        said = {"role": "assistant", "content": "", "tool_calls": tool_calls(run)}
        return dumps(self._frame({"message": said}, done=False)) + b"\n"

    def last(self, run: Run) -> bytes:
        """The end of a stream: its text has been sent."""
        return dumps(self._ended(run)) + b"\n"

    def whole(self, run: Run, *, thinks: bool) -> dict[str, Any]:
        """The answer in one piece, with what was thought on the way if the caller `thinks`."""
        answer = self._ended(run, content_of(run), thinking_of(run) if thinks else "")
        if calls := tool_calls(run):
            answer["message"]["tool_calls"] = calls
        return answer | ({} if run.request.logprobs is None else {"logprobs": run.logprobs})

    def without_run(self, reason: str) -> dict[str, Any]:
        """The answer to a request that asks nothing."""
        return self._frame(self._part("", ""), done=True, done_reason=reason)

    def _ended(self, run: Run, text: str = "", thinking: str = "") -> dict[str, Any]:
        reason = "length" if finish_reason(run) == "length" else "stop"
        more = self._ending(run) | counts(run)
        return self._frame(self._part(text, thinking), done=True, done_reason=reason, **more)

    def _frame(self, part: dict[str, Any], **rest: Any) -> dict[str, Any]:
        return {"model": self._model, "created_at": timestamp(time.time_ns()), **part, **rest}


def tool_calls(run: Run) -> list[dict[str, Any]]:
    """Arguments are objects here. A call whose arguments are none never gets so far."""
    return [
        {
            "id": call.id,
            "function": {"index": number, "name": call.name, "arguments": call.values() or {}},
        }
        for number, call in enumerate(calls_of(run))
    ]


def timestamp(at_ns: int) -> str:
    """RFC 3339 in UTC with nanoseconds, as Go writes it."""
    seconds, ns = divmod(at_ns, 1_000_000_000)
    return f"{datetime.fromtimestamp(seconds, UTC).isoformat()[:19]}.{ns:09d}Z"


def counts(run: Run) -> dict[str, int]:
    """Of all of the run's calls together. `total_duration` has the time in the queue in it."""
    used = usage_of(run)
    calls = [step for step in run.steps if step.first_token_ms is not None]
    found = {
        "total_duration": _ns([run.elapsed_ms]),
        "load_duration": _ns(step.load_ms for step in calls),
        "prompt_eval_count": used.prompt,
        "prompt_eval_duration": _ns(
            (step.first_token_ms or 0) - (step.load_ms or 0) for step in calls
        ),
        "eval_count": used.output,
        "eval_duration": _ns(
            (step.duration_ms or 0) - (step.first_token_ms or 0) for step in calls
        ),
    }
    return {name: value for name, value in found.items() if value > 0}


def _ns(times_ms: Iterable[float | None]) -> int:
    return round(sum(time_ms or 0 for time_ms in times_ms) * 1_000_000)
