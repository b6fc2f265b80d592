"""The fake backend with OpenAI's protocol beside Ollama's: `python -m tools.bench.openai_backend`;
prints its port. The same answer at once, in one piece or as a stream, whichever is asked for."""

import asyncio
import json
import re

import uvloop

from tools.bench.backend import CODE, Backend, plain

PATH = b"/v1/chat/completions"
MODEL = "fake"
USAGE = {"prompt_tokens": 300, "completion_tokens": 1, "total_tokens": 301}

_STREAMED = re.compile(rb'"stream":\s*true')


def whole() -> bytes:
    """The answer in one piece."""
    message = {"role": "assistant", "content": CODE}
    choice = {"index": 0, "message": message, "finish_reason": "stop"}
    return plain(_head("chat.completion") | {"choices": [choice], "usage": USAGE})


def stream() -> bytes:
    """The answer as server-sent events: text, finish reason, token counts, end."""
    piece = {"index": 0, "delta": {"role": "assistant", "content": CODE}, "finish_reason": None}
    last = {"index": 0, "delta": {}, "finish_reason": "stop"}
    chunk = _head("chat.completion.chunk")
    shown = [
        chunk | {"choices": [piece]},
        chunk | {"choices": [last]},
        chunk | {"choices": [], "usage": USAGE},
    ]
    body = b"".join(b"data: %b\n\n" % json.dumps(event).encode() for event in shown)
    body += b"data: [DONE]\n\n"
    head = f"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Length: {len(body)}"
    return head.encode() + b"\r\n\r\n" + body


def _head(kind: str) -> dict[str, object]:
    return {"id": "chatcmpl-1", "object": kind, "created": 1, "model": MODEL}


WHOLE, STREAM = whole(), stream()


class OpenAI(Backend):
    """A connection that takes both protocols."""

    def on_message_complete(self) -> None:
        if self._path == PATH:
            self._write(STREAM if _STREAMED.search(self._body) else WHOLE)
        else:
            super().on_message_complete()


async def serve() -> None:
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: OpenAI(None), "127.0.0.1", 0, backlog=1024)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    uvloop.run(serve())
