"""A run as a message of Anthropic's Messages API, whole or as the events that tell it."""

from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Any

from pipeline.errors import LaiosError
from pipeline.run import Run
from pipeline.tokens import estimate
from pipeline.tool_calls import CallPiece
from server.http.errors import anthropic_body
from server.http.server_sent_events import event
from server.protocols.chat_answer import (
    calls_of,
    content_of,
    finish_reason,
    pieces,
    thinking_of,
    usage_of,
)
from server.protocols.openai_chat import model_of

STOP = {"stop": "end_turn", "length": "max_tokens", "tool_calls": "tool_use"}


def message_of(run: Run, *, thinks: bool) -> dict[str, Any]:
    """The answer in one piece, with what was thought on the way if the caller `thinks`."""
    text, thought = content_of(run), thinking_of(run) if thinks else ""
    blocks: list[dict[str, Any]] = []
    if thought:
        blocks.append(_block("thinking", thought))
    if text:
        blocks.append(_block("text", text))
    for call in calls_of(run):
        given = call.values() or {}
        blocks.append({"type": "tool_use", "id": call.id, "name": call.name, "input": given})
    return _message(run) | {
        "content": blocks,
        "stop_reason": STOP[finish_reason(run)],
        "usage": _usage(run),
    }


def _block(kind: str, text: str) -> dict[str, Any]:
    """Of a text or of thoughts, which are signed: by nobody, here."""
    return {"type": kind, kind: text} | ({"signature": ""} if kind == "thinking" else {})


def _message(run: Run) -> dict[str, Any]:
    return {
        "id": f"msg_{run.id}",
        "type": "message",
        "role": "assistant",
        "model": model_of(run),
        "content": [],
        "stop_reason": None,
        "stop_sequence": None,
    }


def _usage(run: Run) -> dict[str, int]:
    counted = usage_of(run)
    return {"input_tokens": counted.prompt, "output_tokens": counted.output}


class MessageStream:
    """The events of one message: its blocks come one after the other. What is thought on the way is
    told if the caller `thinks`."""

    def __init__(self, run: Run, *, thinks: bool) -> None:
        self._run = run
        self._thinks = thinks
        self._index = -1
        self._open = ""  # the kind of the block that is being told

    async def frames(self) -> AsyncGenerator[bytes, None]:
        usage = {"input_tokens": estimate(self._run.prompt), "output_tokens": 0}
        yield event("message_start", message=_message(self._run) | {"usage": usage})
        try:
            async with aclosing(pieces(self._run)) as parts:
                async for piece in parts:
                    if piece.call:
                        yield self._tell_call(piece.call)
                    elif not piece.thinking:
                        yield self._tell("text", piece.text)
                    elif self._thinks:
                        yield self._tell("thinking", piece.text)
        except LaiosError as error:
            yield event("error", error=anthropic_body(error)["error"])
        else:
            reason = {"stop_reason": STOP[finish_reason(self._run)], "stop_sequence": None}
            told = event("message_delta", delta=reason, usage=_usage(self._run))
            yield self._close() + told + event("message_stop")

    def _tell(self, kind: str, text: str) -> bytes:
        begin = b"" if self._open == kind else self._begin(kind, _block(kind, ""))
        return begin + self._delta({"type": f"{kind}_delta", kind: text})

    def _tell_call(self, piece: CallPiece) -> bytes:
        begin = b""
        if piece.name:
            block = {"type": "tool_use", "id": piece.id, "name": piece.name, "input": {}}
            begin = self._begin("tool_use", block)
        if not piece.arguments:
            return begin
        return begin + self._delta({"type": "input_json_delta", "partial_json": piece.arguments})

    def _begin(self, kind: str, block: dict[str, Any]) -> bytes:
        closed = self._close()
        self._index += 1
        self._open = kind
        return closed + event("content_block_start", index=self._index, content_block=block)

    def _delta(self, delta: dict[str, Any]) -> bytes:
        return event("content_block_delta", index=self._index, delta=delta)

    def _close(self) -> bytes:
        """Ends the block that is being told, if there is one."""
        if not self._open:
            return b""
        self._open = ""
        return event("content_block_stop", index=self._index)
