"""The `llm` program, in an environment of its own (its openai is not ours), against a daemon over a
real socket."""

import asyncio

import pytest
from installed_clients import needs

from tools.clients.client_home import ClientFailed, ClientHome
from tools.clients.install import INSTALLED

pytestmark = needs("llm", "llm", "bin", "llm")

CODE = "def add(a, b):\n    return a + b\n"
FENCED = f"```python\n{CODE}```"
REPLY = f"Here it is:\n\n{FENCED}"
RULES = [
    {"role": "coder", "reply": REPLY, "chunk": 7},
    {"role": "judge", "verdict": [9, 1, "It is right."]},
]


async def llm(daemon, tmp_path, *words: str) -> str:
    """`llm openai endpoint URL …`, which needs no settings."""
    home = ClientHome(daemon.address, tmp_path, INSTALLED)
    command = (home.program("llm", "bin", "llm"), "openai", "endpoint", f"{home.url}/v1")
    return await asyncio.to_thread(home.run, *command, *words)


WAYS = [
    ("laios", [], FENCED),
    ("laios:raw", ["--no-stream"], REPLY),
    ("laios", ["--responses"], FENCED),
]


@pytest.mark.parametrize(("model", "how", "answer"), WAYS)
async def test_llm_prints_the_code(daemon_with, tmp_path, model, how, answer):
    """Streamed, in one piece, and by the Responses API."""
    async with daemon_with(*RULES) as (daemon, _):
        assert (await llm(daemon, tmp_path, "write add", "-m", model, *how)).strip() == answer


async def test_llm_lists_the_models(daemon_with, tmp_path):
    """One a line."""
    async with daemon_with(*RULES) as (daemon, _):
        names = (await llm(daemon, tmp_path, "--models")).split()
        assert names[0] == "laios" and "laios:raw" in names


async def test_llm_says_what_was_wrong(daemon_with, tmp_path):
    """Our message, and an exit code."""
    async with daemon_with(*RULES) as (daemon, _):
        with pytest.raises(ClientFailed, match="///raw"):
            await llm(daemon, tmp_path, "///rav x", "-m", "laios")
