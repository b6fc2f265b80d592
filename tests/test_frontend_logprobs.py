"""Token probabilities: passed on where one model's reply is, refused everywhere else."""

import json

import pytest
from fakes import CODE, Answer, FakeOllama

ROLES = {"CODER_MODEL_NAME": "ollama/qwen2.5-coder:7b"}
WANTED = {"logprobs": True, "top_logprobs": 2}
OLLAMA = ("/api/chat", "/api/generate")
PATH = {"type": "object", "properties": {"path": {"type": "string"}}}
TOOLS = [{"type": "function", "function": {"name": "read", "parameters": PATH}}]


@pytest.fixture
async def fake():
    async with FakeOllama(Answer(CODE)) as server:
        yield server


@pytest.fixture
async def http(daemon_with, fake):
    async with daemon_with(OLLAMA_HOST=fake.url, **ROLES) as (_, client):
        yield client


def body(model="laios:raw", **more):
    messages = [{"role": "user", "content": "add"}]
    return {"model": model, "messages": messages, "prompt": "add", **WANTED, **more}


def read(path, answer):
    """The tokens' probabilities of an answer, streamed or not."""
    if path in OLLAMA:
        frames = [json.loads(line) for line in answer.text.splitlines()]
        return [row for frame in frames for row in frame.get("logprobs", ())]
    lines = [line.removeprefix("data: ") for line in answer.text.splitlines() if line]
    chunks = [json.loads(line) for line in lines if line.startswith("{")]
    found = [choice.get("logprobs") for chunk in chunks for choice in chunk["choices"]]
    return [row for each in found if each for row in each["content"]]


@pytest.mark.parametrize("stream", [True, False])
@pytest.mark.parametrize("path", [*OLLAMA, "/v1/chat/completions"])
async def test_raw_passes_the_probabilities_on(fake, http, path, stream):
    """As many as there are tokens, with their alternatives, in the protocol's own place."""
    found = read(path, await http.post(path, json=body(stream=stream)))
    assert "".join(row["token"] for row in found) == CODE
    assert {row["logprob"] for row in found} == {-0.25}
    assert all(len(row["top_logprobs"]) == 2 for row in found)
    assert (fake.requests[0]["logprobs"], fake.requests[0]["top_logprobs"]) == (True, 2)


@pytest.mark.parametrize("path", [*OLLAMA, "/v1/chat/completions"])
async def test_elsewhere_they_are_refused(fake, http, path):
    """A judged answer is put together of several: the way to one model's reply is named."""
    answer = await http.post(path, json=body("laios"))
    assert answer.status_code == 400 and "laios:raw" in answer.text
    assert not fake.requests


@pytest.mark.parametrize("most", [-1, 21, "x", True, 1.5])
async def test_a_number_of_alternatives_that_is_none_is_refused(fake, http, most):
    """From 0 to 20, as OpenAI and Ollama have it."""
    answer = await http.post("/api/chat", json=body(top_logprobs=most))
    assert answer.status_code == 400 and "top_logprobs" in answer.text
    assert not fake.requests


@pytest.mark.parametrize("stream", [True, False])
@pytest.mark.parametrize("path", ["/api/chat", "/v1/chat/completions"])
async def test_calls_and_probabilities_stand_side_by_side(fake, http, path, stream):
    """An agent's turn in raw has its text, its calls, and the probabilities of both."""
    fake.answers = [Answer("Let me look.", calls=[{"name": "read", "arguments": {"path": "a.py"}}])]
    answer = await http.post(path, json=body(tools=TOOLS, stream=stream))
    assert "".join(row["token"] for row in read(path, answer)) == "Let me look.read"
    assert '"tool_calls"' in answer.text and "a.py" in answer.text
    assert fake.requests[0]["tools"] and fake.requests[0]["logprobs"]


async def test_a_checked_turn_of_an_agent_gives_none(fake, http):
    """What it writes may be corrected: no model's reply as it came."""
    answer = await http.post("/api/chat", json=body("laios", tools=TOOLS))
    assert answer.status_code == 400 and "laios:raw" in answer.text
    assert not fake.requests


async def test_calls_without_probabilities_are_an_answer(fake, http, monkeypatch):
    """Some servers take a call out of the text, and its tokens with it."""
    monkeypatch.setattr("fake_answers.Exchange.scores", lambda exchange, piece: {})
    fake.answers = [Answer("", calls=[{"name": "read", "arguments": {"path": "a.py"}}])]
    answer = await http.post("/api/chat", json=body(tools=TOOLS, stream=False))
    assert answer.json()["message"]["tool_calls"] and answer.json()["logprobs"] == []


async def test_responses_refuse_them(fake, http):
    """That protocol's form of them is not here; the one that has them is named."""
    asked = {"model": "laios:raw", "input": "add", "top_logprobs": 2}
    answer = await http.post("/v1/responses", json=asked)
    assert answer.status_code == 400 and "/v1/chat/completions" in answer.text


async def test_a_model_that_has_none_says_so(daemon_with):
    """Never an answer without them, as if they had not been asked for."""
    async with daemon_with({"role": "coder", "reply": CODE}) as (_, http):
        answer = await http.post("/api/chat", json=body(stream=False))
        assert answer.status_code == 400 and "gives no logprobs" in answer.text


async def test_an_old_ollama_that_ignores_them_is_found_out(fake, http, monkeypatch):
    """It sends the answer alone, and no error."""
    monkeypatch.setattr("fake_answers.Exchange.scores", lambda exchange, piece: {})
    answer = await http.post("/api/chat", json=body(stream=False))
    assert answer.status_code == 502 and "gives no logprobs" in answer.text


@pytest.mark.parametrize("given", [{"logprobs": False}, {"logprobs": None, "top_logprobs": 0}])
async def test_not_wanted_is_not_asked(fake, http, given):
    """Fields that clients always send change nothing."""
    answer = await http.post("/api/chat", json=body("laios") | given)
    assert answer.status_code == 200
    assert all("logprobs" not in request for request in fake.requests)
