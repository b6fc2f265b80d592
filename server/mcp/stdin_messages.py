"""The messages that a client writes to the stdin of `laios mcp`, one in each line."""

import re
from collections.abc import AsyncIterator
from contextlib import suppress

from mcp.shared._stream_protocols import ReadStream, WriteStream
from mcp.shared.message import SessionMessage
from mcp_types import PARSE_ERROR, ErrorData, JSONRPCError, jsonrpc_message_adapter
from pydantic import ValidationError

# In JSON: any other escape or a whole surrogate pair, which stay; or else half of one.
_HALF = re.compile(r"(\\[^u]|\\u[dD][89abAB]..\\u[dD][c-fC-F]..)|\\u[dD][89a-fA-F]..")
_FAULT = ErrorData(code=PARSE_ERROR, message="That line is no message of JSON-RPC 2.0.")
_REFUSED = SessionMessage(JSONRPCError(jsonrpc="2.0", id=None, error=_FAULT))


async def messages(
    read: ReadStream[SessionMessage | Exception], write: WriteStream[SessionMessage]
) -> AsyncIterator[SessionMessage]:
    """A line that is none is answered with an error: the SDK lets its sender wait for ever."""
    async for heard in read:
        if message := heard if isinstance(heard, SessionMessage) else _mended(heard):
            yield message
        elif not _is_blank(heard):
            await write.send(_REFUSED)


def _mended(fault: Exception) -> SessionMessage | None:
    """The message of a line that half a surrogate pair made unreadable: JavaScript writes one for
    an emoji that was cut through."""
    line = _HALF.sub(lambda escape: escape[1] or r"\ufffd", _unreadable(fault) or "")
    with suppress(ValidationError):
        return SessionMessage(jsonrpc_message_adapter.validate_json(line, by_name=False))
    return None


def _is_blank(fault: object) -> bool:
    return (_unreadable(fault) or "-").isspace()


def _unreadable(fault: object) -> str | None:
    """The line, where it is no JSON."""
    found = fault.errors()[0] if isinstance(fault, ValidationError) else None
    return found["input"] if found and found["type"] == "json_invalid" else None
