"""A fake OpenAI-compatible server on a real socket: streamed chat completions and their faults."""

import asyncio
import gzip
import json
from collections.abc import Iterator

from aiohttp import web
from fake_answers import Sender, cut
from fakes import Answer, FakeServer, Json, tokens

REFUSALS: dict[str, tuple[int, str, str | None]] = {
    "401": (401, "Incorrect API key provided: sk-no***key.", "invalid_api_key"),
    "404": (404, "The model `x` does not exist.", "model_not_found"),
    "429": (429, "Rate limit reached.", "rate_limit_exceeded"),
    "500": (500, "The server had an error.", None),
    "503": (503, "The engine is overloaded.", None),
    "too_long": (
        400,
        "This model's maximum context length is 4096 tokens. However, your messages resulted in "
        "9000 tokens. Please reduce the length of the messages.",
        "context_length_exceeded",
    ),
    "no_tools": (
        400,
        '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set',
        None,
    ),
}


class FakeOpenAI(FakeServer):
    """Faults: those in REFUSALS, and drop (before a head is sent), hang, hang_midway, cut,
    no_last_frame, error_midway, silent, html, no_usage, odd_usage, endless_line, endless_error,
    packed, redirect (to `elsewhere`)."""

    elsewhere = ""

    def app(self) -> web.Application:
        app = web.Application()
        app.router.add_post("/v1/chat/completions", self._chat)
        return app

    async def _chat(self, request: web.Request) -> web.StreamResponse:
        body = json.loads(await request.read())
        with self.recording(request, body):
            answer = self.answer_for(body["model"], body["messages"], "response_format" in body)
            if answer.fault in REFUSALS:
                return refuse(*REFUSALS[answer.fault])
            if answer.fault == "silent":
                return web.Response(status=500)
            if answer.fault == "html":
                return web.Response(text="<html>Welcome to nginx!</html>", content_type="text/html")
            if answer.fault == "drop":
                Sender(request, "").cut()
                return web.Response()
            if answer.fault == "redirect":
                path = "/v1/chat/completions"
                return web.Response(status=307, headers={"Location": self.elsewhere + path})
            if answer.fault == "hang":
                await asyncio.Event().wait()
            if answer.fault == "endless_error":
                return await endless_error(request)
            return await self._stream(request, body, answer)

    async def _stream(self, request: web.Request, body: Json, answer: Answer) -> web.StreamResponse:
        response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
        if answer.fault == "packed":  # though the request says that it takes none
            response.headers["Content-Encoding"] = "gzip"
        await response.prepare(request)
        if answer.fault == "packed":
            while True:
                await response.write(gzip.compress(bytes(65536)))

        async def send(choices: list[Json], **more: object) -> None:
            head = {"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1}
            chunk = head | {"model": body["model"], "choices": choices} | more
            await response.write(b"data: " + json.dumps(chunk).encode() + b"\n\n")

        def choice(delta: Json, reason: str | None = None) -> list[Json]:
            return [{"index": 0, "delta": delta, "finish_reason": reason}]

        count = 0
        await send(choice({"role": "assistant", "content": ""}))
        async for kind, piece in answer.pieces(body.get("stop", ())):
            count += 1
            await send(choice({"reasoning_content" if kind == "thinking" else kind: piece}))
        for index, call in enumerate(answer.calls):
            for piece in call_pieces(index, call):
                count += 1
                await send(choice({"tool_calls": [piece]}))
        match answer.fault:
            case "endless_line":
                await response.write(b"data: ")
                while True:
                    await response.write(bytes(65536))
            case "hang_midway":
                await asyncio.Event().wait()
            case "cut":
                assert request.transport
                request.transport.abort()
                return response
            case "no_last_frame":
                return response
            case "error_midway":
                error = {"message": "CUDA error", "type": "server_error", "code": 500}
                await response.write(b"data: " + json.dumps({"error": error}).encode() + b"\n\n")
                return response
        await send(choice({}, "tool_calls" if answer.calls else answer.done_reason))
        if answer.fault != "no_usage" and body.get("stream_options", {}).get("include_usage"):
            prompt = tokens(body["messages"])
            if answer.fault == "odd_usage":
                prompt, count = -prompt, 2**70
            await send(
                [],
                usage={
                    "prompt_tokens": prompt,
                    "completion_tokens": count,
                    "total_tokens": prompt + count,
                    "prompt_tokens_details": {"cached_tokens": prompt // 2},
                },
            )
        await response.write(b"data: [DONE]\n\n")
        return response


def call_pieces(index: int, call: Json) -> Iterator[Json]:
    """Id and name first, then the arguments in pieces of four characters."""
    function = {"name": call["name"], "arguments": ""}
    yield {"index": index, "id": f"call_{index}", "type": "function", "function": function}
    for piece in cut(json.dumps(call["arguments"])):
        yield {"index": index, "function": {"arguments": piece}}


async def endless_error(request: web.Request) -> web.StreamResponse:
    response = web.StreamResponse(status=500)
    await response.prepare(request)
    await response.write(b"it all went wrong\n")
    while True:
        await response.write(b"\n" * 65536)


def refuse(status: int, text: str, code: str | None) -> web.Response:
    kind = "server_error" if status >= 500 else "invalid_request_error"
    error = {"message": text, "type": kind, "param": None, "code": code}
    return web.json_response({"error": error}, status=status)
