"""A response of OpenAI's Responses API: the object, and the events that tell it."""

import time
from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing
from typing import Any

from pipeline.errors import LaiosError
from pipeline.run import Run
from pipeline.tool_calls import CallPiece
from server.http.errors import openai_body
from server.http.json_response import dumps
from server.http.server_sent_events import event
from server.protocols.chat_answer import (
    calls_of,
    content_of,
    finish_reason,
    pieces,
    thinking_of,
    usage_of,
)
from server.protocols.chat_request import mapping, number, string, whole_number
from server.protocols.openai_chat import model_of
from server.protocols.responses_calls import CallItem, call_item

Fields = Mapping[str, Any]


def response_object(
    run: Run, fields: Fields, output: list[Any], status: str = ""
) -> dict[str, Any]:
    """The response as it stands; a finished one carries its usage."""
    over = run.state == "done" and not status
    cut = over and finish_reason(run) == "length"
    return {
        "id": f"resp_{run.id}",
        "object": "response",
        "created_at": int(run.accepted_at.timestamp()),
        "completed_at": int(time.time()) if over and not cut else None,
        "status": status or ("incomplete" if cut else "completed"),
        "background": False,
        "error": None,
        "incomplete_details": {"reason": "max_output_tokens"} if cut else None,
        "instructions": string(fields.get("instructions")),
        "max_output_tokens": whole_number(fields, "max_output_tokens"),
        "metadata": _metadata(fields),
        "model": model_of(run),
        "output": output,
        "parallel_tool_calls": fields.get("parallel_tool_calls") is not False,
        "previous_response_id": None,
        "reasoning": {"effort": None, "summary": None},
        "store": False,
        "temperature": number(fields, "temperature"),
        "text": _echoed(fields.get("text"), {"format": {"type": "text"}}),
        "tool_choice": _echoed(fields.get("tool_choice"), "auto"),
        "tools": _echoed(fields.get("tools"), []),
        "top_p": None,
        "truncation": "disabled",
        "usage": _usage(run) if over else None,
    }


def _metadata(fields: Fields) -> dict[str, str]:
    """The caller's own notes, which are texts by OpenAI's rules; anything else (it may be nested
    deeper than can be written) is left out."""
    given = mapping(fields.get("metadata"))
    return {name: value for name, value in given.items() if isinstance(value, str)}


def _echoed(given: object, default: object) -> object:
    """What the request says of it, unless that is nothing or nested deeper than can be written."""
    try:
        return given if given and dumps(given) else default
    except (TypeError, ValueError, RecursionError):
        return default


def _usage(run: Run) -> dict[str, Any]:
    counted = usage_of(run)
    return {
        "input_tokens": counted.prompt,
        "input_tokens_details": {"cached_tokens": 0},
        "output_tokens": counted.output,
        "output_tokens_details": {"reasoning_tokens": counted.hidden},
        "total_tokens": counted.prompt + counted.output,
    }


def output_of(run: Run, fields: Fields) -> list[dict[str, Any]]:
    """The items of an answer that comes in one piece."""
    text, calls = content_of(run), [call_item(call, fields) for call in calls_of(run)]
    thought = thinking_of(run)
    reasoning = [_item(run, "reasoning", [_part("reasoning", thought)])] if thought else []
    message = [_item(run, "message", [_part("message", text)])] if text or not calls else []
    return [*reasoning, *message, *calls]


def _item(run: Run, kind: str, parts: list[dict[str, Any]]) -> dict[str, Any]:
    """A message or the reasoning before it; without parts one that begins."""
    item = {"id": _item_id(run, kind), "type": kind}
    if kind == "reasoning":
        return item | {"summary": parts}
    is_cut = run.state == "done" and finish_reason(run) == "length"
    status = ("incomplete" if is_cut else "completed") if parts else "in_progress"
    return item | {"role": "assistant", "status": status, "content": parts}


def _item_id(run: Run, kind: str) -> str:
    return f"{'rs' if kind == 'reasoning' else 'msg'}_{run.id}"


def _part(kind: str, text: str) -> dict[str, Any]:
    if kind == "reasoning":
        return {"type": "summary_text", "text": text}
    return {"type": "output_text", "text": text, "annotations": [], "logprobs": []}


class ResponseStream:
    """A response told as events: created, the progress as a reasoning item, the answer as a message
    item, completed. Numbered in the order in which they leave."""

    def __init__(self, run: Run, fields: Fields) -> None:
        self._run = run
        self._fields = fields
        self._number = -1
        self._output: list[dict[str, Any]] = []
        self._text: list[str] = []
        self._open = ""  # the kind of the item that is being told
        self._call: CallItem | None = None  # the one of them that is a call

    def heartbeat(self) -> bytes:
        return self._event("response.in_progress", response=self._response("in_progress"))

    async def frames(self) -> AsyncGenerator[bytes, None]:
        yield self._event("response.created", response=self._response("in_progress"))
        yield self.heartbeat()
        try:
            async with aclosing(pieces(self._run)) as parts:
                async for piece in parts:
                    if piece.call:
                        yield self._tell_call(piece.call)
                        continue
                    yield self._tell("reasoning" if piece.thinking else "message", piece.text)
        except LaiosError as error:
            yield self._failure(error)
        else:
            silent = not (self._open == "message" or calls_of(self._run))
            closed = (self._begin("message") if silent else b"") + self._close()
            response = response_object(self._run, self._fields, self._output)
            yield closed + self._event(f"response.{response['status']}", response=response)

    def _tell(self, kind: str, text: str) -> bytes:
        opened = b"" if self._open == kind else self._begin(kind)
        self._text.append(text)
        told = self._event(_TEXT[kind] + ".delta", **self._place(), delta=text, **_MORE[kind])
        return opened + told

    def _tell_call(self, piece: CallPiece) -> bytes:
        """A call's first piece has its name, and begins its item."""
        opened = b""
        if piece.name:
            opened = self._close()
            self._call = CallItem(piece, self._fields)
            item, index = self._call.item("in_progress"), len(self._output)
            opened += self._event("response.output_item.added", output_index=index, item=item)
        assert self._call
        return opened + self._events_of_call(self._call, self._call.take(piece.arguments))

    def _events_of_call(self, call: CallItem, events: list[tuple[str, dict[str, Any]]]) -> bytes:
        place = {"item_id": call.id, "output_index": len(self._output)}
        return b"".join(self._event(kind, **place, **fields) for kind, fields in events)

    def _close_call(self, call: CallItem) -> bytes:
        told, index, item = self._events_of_call(call, call.end()), len(self._output), call.item()
        self._output.append(item)
        self._call = None
        return told + self._event("response.output_item.done", output_index=index, item=item)

    def _begin(self, kind: str) -> bytes:
        closed = self._close()
        self._open = kind
        index, item, part = len(self._output), _item(self._run, kind, []), _part(kind, "")
        return (
            closed
            + self._event("response.output_item.added", output_index=index, item=item)
            + self._event(_PART[kind] + ".added", **self._place(), part=part)
        )

    def _close(self) -> bytes:
        """Ends the item that is being told, if there is one."""
        if self._call:
            return self._close_call(self._call)
        kind, text = self._open, "".join(self._text)
        if not kind:
            return b""
        part = _part(kind, text)
        item = _item(self._run, kind, [part])
        place, index = self._place(), len(self._output)
        self._output.append(item)
        self._open, self._text = "", []
        return (
            self._event(_TEXT[kind] + ".done", **place, text=text, **_MORE[kind])
            + self._event(_PART[kind] + ".done", **place, part=part)
            + self._event("response.output_item.done", output_index=index, item=item)
        )

    def _place(self) -> dict[str, Any]:
        place = {"item_id": _item_id(self._run, self._open), "output_index": len(self._output)}
        return place | {"summary_index" if self._open == "reasoning" else "content_index": 0}

    def _failure(self, error: LaiosError) -> bytes:
        detail = openai_body(error)["error"]
        response = self._response("failed")
        response["error"] = {"code": detail["code"], "message": detail["message"]}
        return self._event("response.failed", response=response)

    def _response(self, status: str) -> dict[str, Any]:
        return response_object(self._run, self._fields, self._output, status)

    def _event(self, kind: str, **fields: Any) -> bytes:
        self._number += 1
        return event(kind, sequence_number=self._number, **fields)


_TEXT = {"reasoning": "response.reasoning_summary_text", "message": "response.output_text"}
_PART = {"reasoning": "response.reasoning_summary_part", "message": "response.content_part"}
_MORE: dict[str, dict[str, Any]] = {"reasoning": {}, "message": {"logprobs": []}}
