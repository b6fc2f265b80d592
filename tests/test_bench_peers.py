"""The comparison with other gateways (`tools/bench/peers.py`), as far as it goes without them."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import aiohttp
import pytest

from tests.processes import wait_for
from tools.bench.backend import CODE
from tools.bench.load import Load
from tools.bench.peers import GATEWAY, PROXY, SYNCED, UNSYNCED, orientation, ratios
from tools.bench.processes import Server, free_port, module
from tools.bench.sides import CHAT, Side, started, written

pytestmark = pytest.mark.only_when("tools/")


@pytest.fixture(scope="module")
def backend() -> Iterator[Server]:
    with module("tools.bench.openai_backend") as server:
        yield server


async def test_the_fake_answers_in_the_form_that_is_asked_for(backend: Server) -> None:
    """In one piece, as a stream that ends as OpenAI's do, and Ollama's way beside it."""
    async with aiohttp.ClientSession(backend.url) as http:
        async with http.post("/v1/chat/completions", json=CHAT) as whole:
            assert (await whole.json())["choices"][0]["message"]["content"] == CODE
        async with http.post("/v1/chat/completions", json={**CHAT, "stream": True}) as stream:
            *events, end = (await stream.text()).strip().split("\n\n")
            pieces = [json.loads(event.removeprefix("data: ")) for event in events]
        async with http.post("/api/chat", json=CHAT) as ollama:
            assert (await ollama.text()).count('"done": true') == 1
    choices = [choice for piece in pieces for choice in piece["choices"]]
    assert "".join(choice["delta"].get("content", "") for choice in choices) == CODE
    assert (choices[-1]["finish_reason"], end) == ("stop", "data: [DONE]")


def test_a_load_counts_answers_with_the_code_and_refuses_any_other(
    backend: Server, tmp_path: Path
) -> None:
    """A side that answers with errors, quickly, is not a fast side. One request goes out at least,
    however little time there is."""
    side = Side(backend, written(tmp_path, backend, "/v1/chat/completions", CHAT))
    side.measure_one(0)

    def has_taken_time() -> bool:  # a busy machine's clock counts it late
        side.measure_many(0.3)
        return side.cpu_ms[-1] > 0

    wait_for(has_taken_time)
    assert side.one[0].succeeded and side.many[0].succeeded
    astray = Side(backend, written(tmp_path, backend, "/v1/nothing", CHAT))
    with pytest.raises(AssertionError, match="404"):
        astray.load(1, 0)


def test_a_peer_that_does_not_come_up_is_an_error_with_its_own_words(tmp_path: Path) -> None:
    """Not a row that is missing from the table."""
    command = [sys.executable, "-c", "raise SystemExit('no master key is set')"]
    with (
        pytest.raises(RuntimeError, match="no master key is set"),
        started(tmp_path, command, free_port(), {}, "/"),
    ):
        pass


def test_ratios_are_of_the_same_round_and_a_peer_that_is_not_there_is_named(
    backend: Server, tmp_path: Path
) -> None:
    """Half the time and twice the rate of the gateway, in each of two rounds of different speed."""

    def side(times: tuple[float, float], rates: tuple[float, float]) -> Side:
        one, many = (
            [Load(9, rate, ms, ms, {}) for ms, rate in zip(times, rates, strict=True)],
        ) * 2
        return Side(backend, tmp_path, one, many, [1.0, 1.0])

    ours = side((1.0, 3.0), (400, 100))
    sides = {UNSYNCED: ours, SYNCED: ours, GATEWAY: side((2.0, 6.0), (200, 50))}
    found = ratios(sides)
    assert [figure.measured for figure in found] == ["0.50×", "2.00×"] * 2
    assert all(figure.met for figure in found)
    missing = {figure.name: figure.measured for figure in orientation(sides)}
    assert "pip install 'litellm[proxy]'" in missing[PROXY]
    assert missing[GATEWAY].startswith("4.00 ms; 125/s at 64")
