"""The AI SDK of Node (`ai`, `@ai-sdk/openai-compatible`), on which Cline, opencode and many web
applications stand, against a daemon over a real socket."""

import asyncio
from typing import Any

from installed_clients import needs

from tools.clients.client_home import ClientHome
from tools.clients.install import INSTALLED
from tools.clients.sdks import ask_ai_sdk

pytestmark = needs("ai-sdk", "npm", "node_modules", "ai", program="node")

CODE = "def add(a, b):\n    return a + b\n"
FENCED = f"```python\n{CODE}```"
REPLY = f"Here it is:\n\n{FENCED}\n"
RULES = [
    {"role": "coder", "reply": REPLY, "chunk": 7},
    {"role": "judge", "verdict": [9, 1, "It is right."]},
]


async def ask(daemon, tmp_path, model: str, text: str = "write add", stream: bool = True):
    """The parts of the answer, as the SDK hands them to a program."""
    home = ClientHome(daemon.address, tmp_path, INSTALLED)
    messages = [{"role": "user", "content": text}]
    asked: dict[str, Any] = {"url": home.url, "model": model, "messages": messages}
    return await asyncio.to_thread(ask_ai_sdk, home, asked | {"stream": stream})


def texts(parts, kind: str) -> list[str]:
    return [part["text"] for part in parts if part["type"] == kind]


async def test_generate_text(daemon_with, tmp_path):
    """In one piece, with token counts that it can read."""
    async with daemon_with(*RULES) as (daemon, _):
        (answer,) = await ask(daemon, tmp_path, "laios", stream=False)
        assert (answer["text"], answer["finishReason"]) == (FENCED, "stop")
        used = answer["usage"]
        assert used["totalTokens"] == used["inputTokens"] + used["outputTokens"] > 0


async def test_stream_text_shows_progress_as_reasoning_then_the_code(daemon_with, tmp_path):
    """Stages are reasoning, the judged code is one piece of text, and usage comes at the end."""
    async with daemon_with(*RULES) as (daemon, _):
        parts = await ask(daemon, tmp_path, "laios")
        assert "drafting" in "".join(texts(parts, "reasoning-delta"))
        assert texts(parts, "text-delta") == [FENCED]
        assert parts[-1]["type"] == "finish" and parts[-1]["totalUsage"]["totalTokens"] > 0


async def test_stream_text_of_a_raw_model_comes_in_pieces(daemon_with, tmp_path):
    """As the model gave them."""
    async with daemon_with(*RULES) as (daemon, _):
        said = texts(await ask(daemon, tmp_path, "laios:raw"), "text-delta")
        assert "".join(said) == REPLY and len(said) > 3


async def test_a_refusal_is_an_error_with_our_message(daemon_with, tmp_path):
    """Status and text, in both ways of asking."""
    async with daemon_with(*RULES) as (daemon, _):
        for stream in (True, False):
            parts = await ask(daemon, tmp_path, "laios", "///rav x", stream)
            error = next(part["error"] for part in parts if part["type"] == "error")
            assert error["status"] == 400 and "///raw" in error["message"]


async def test_an_error_in_midstream_is_an_error_part_after_the_text(daemon_with, tmp_path):
    """What came before it is not lost."""
    cut = {"role": "coder", "reply": REPLY, "chunk": 7, "fault": "cut"}
    async with daemon_with(cut) as (daemon, _):
        parts = await ask(daemon, tmp_path, "laios:raw")
        assert REPLY.startswith("".join(texts(parts, "text-delta")))
        assert texts(parts, "text-delta") and any(part["type"] == "error" for part in parts)
