"""What real clients send, replayed: tests/fixtures/frontends/ holds a file for each client."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

CODE = "async def add(a, b):\n    return a + b\n"  # that of the turns before is not async
FENCED = f"```python\n{CODE}```"
TITLE = '{"title": "Adding numbers"}'
FIXTURES = sorted((Path(__file__).parent / "fixtures" / "frontends").glob("*.json"))
SOURCES = {"/v1": "openai", "/api": "ollama"}


def requests(path: Path, asks_a_model: bool) -> list[dict[str, Any]]:
    """Those that are answered by a model, or those that look around."""
    found = json.loads(path.read_text())["requests"]
    return [request for request in found if ("kind" in request["expect"]) == asks_a_model]


ASKING = [
    pytest.param(request, id=f"{path.stem}: {request['name']}")
    for path in FIXTURES
    for request in requests(path, asks_a_model=True)
]
LOOKING = [
    pytest.param(found, id=path.stem)
    for path in FIXTURES
    if (found := requests(path, asks_a_model=False))
]


def rules(expect: dict[str, Any]) -> list[dict[str, Any]]:
    """A model for the request: an auxiliary one is answered by any role; a run only if the coder is
    shown what the earlier turns said."""
    if expect["kind"] == "auxiliary":
        return [{"reply": TITLE, "chunk": 5}]
    if "calls" in expect:
        told = "held back and not carried out"
        return [{"prompt": told, "calls": expect["calls"]}, {"calls": expect["first"]}]
    shown = re.escape(expect.get("context", ""))
    return [
        {"role": "coder", "prompt": shown, "reply": FENCED, "chunk": 5},
        {"role": "judge", "verdict": [9, 1, "It is right."]},
    ]


async def ask(http, request):
    """Sends it as the client does: headers and bytes of JSON."""
    body = request.get("body")
    headers = request.get("headers", {}) | ({"Content-Type": "application/json"} if body else {})
    content = json.dumps(body).encode() if body else None
    return await http.request(request["method"], request["path"], content=content, headers=headers)


@pytest.mark.parametrize("path", FIXTURES, ids=lambda path: path.stem)
def test_a_fixture_says_what_it_is(path):
    """Client, version and source: a shape that nobody can trace proves nothing."""
    fixture = json.loads(path.read_text())
    assert all(fixture[key] for key in ("client", "version", "source", "requests"))
    names = [request["name"] for request in fixture["requests"]]
    assert len(set(names)) == len(names)


@pytest.mark.parametrize("request_", ASKING)
async def test_a_clients_request_is_answered_and_recorded_as_what_it_is(daemon_with, request_):
    """The answer has the shape of its protocol; the record has the right kind, mode, prompt,
    session and source."""
    expect = request_["expect"]
    async with daemon_with(*rules(expect)) as (daemon, http):
        answer = await ask(http, request_)
        assert answer.status_code == 200, answer.text
        record = daemon.parts.reader.get(answer.headers["x-laios-run-id"])
        if "calls" in expect:
            assert read_calls(request_, answer) == expect["calls"]
            assert record["artefact"]["held_back"] and record["session"]
        else:
            text = TITLE if expect["kind"] == "auxiliary" else FENCED
            assert read(request_, answer) == text
        assert record["kind"] == expect["kind"]
        assert record["source"] == SOURCES["/" + request_["path"].split("/")[1]]
        assert record["session"] == expect.get("session", record["session"])
        if expect.get("mode"):
            assert record["mode"] == expect["mode"]
        if expect.get("prompt"):
            assert record["normalized_prompt"] == expect["prompt"]
        assert "///raw" not in (record["normalized_prompt"] if "mode" in expect else "")


@pytest.mark.parametrize("looks", LOOKING)
async def test_what_a_client_looks_at_first_is_there(daemon_with, looks):
    """The fields without which the client leaves the model out, or refuses the server."""
    async with daemon_with(*rules({"kind": "run"})) as (_, http):
        for look in looks:
            answer = await ask(http, look)
            assert answer.status_code == 200, answer.text
            if "text" in look["expect"]:
                assert answer.text == look["expect"]["text"]
            for path in look["expect"].get("fields", []):
                found = field(answer.json(), path)
                assert found is not None and found != "", (look["name"], path)


def field(value: Any, path: str) -> Any:
    """`models.0.name` of a JSON value; `~` stands for a dot inside a name."""
    for step in path.split("."):
        value = value[int(step)] if step.isdigit() else value[step.replace("~", ".")]
    return value


# --- answers, read strictly -------------------------------------------------------------------


def read(request, answer) -> str:
    """The text of an answer. Fails where its shape is not the protocol's."""
    body, path = request["body"], request["path"]
    if path == "/v1/chat/completions":
        return read_chat(answer) if not body.get("stream") else read_chat_stream(body, answer)
    if path == "/v1/responses":
        return read_responses_stream(answer)
    return read_ollama(body, answer, "response" if path == "/api/generate" else "message")


def read_calls(request, answer) -> list[dict[str, Any]]:
    """The calls of a stream, whole; the model's first ones, which were held back, are not among
    them."""
    if request["path"] == "/api/chat":
        messages = [json.loads(line)["message"] for line in answer.text.splitlines()]
        calls = [call for message in messages for call in message.get("tool_calls", ())]
        return [{key: call["function"][key] for key in ("name", "arguments")} for call in calls]
    chunks = [json.loads(data) for _, data in events(answer) if data != "[DONE]"]
    deltas = [choice["delta"] for chunk in chunks for choice in chunk["choices"]]
    pieces = [piece["function"] for delta in deltas for piece in delta.get("tool_calls", ())]
    return [
        {"name": piece["name"], "arguments": json.loads(piece["arguments"])} for piece in pieces
    ]


def read_chat(answer) -> str:
    value = answer.json()
    assert value["object"] == "chat.completion"
    assert value["usage"]["prompt_tokens"] > 0
    choice = value["choices"][0]
    assert (choice["message"]["role"], choice["finish_reason"]) == ("assistant", "stop")
    return choice["message"]["content"]


def events(answer) -> list[tuple[str | None, str]]:
    """Name and data of each server-sent event. An `id:` makes SDKs take a ping for an event."""
    assert answer.headers["content-type"].startswith("text/event-stream")
    found, name = [], None
    for line in answer.text.splitlines():
        key, _, value = line.partition(": ")
        assert not line or key in ("data", "event", ""), line
        if key == "event":
            name = value
        elif key == "data":
            found.append((name, value))
            name = None
    return found


def read_chat_stream(body, answer) -> str:
    *parts, last = [data for _, data in events(answer)]
    assert last == "[DONE]"
    chunks = [json.loads(part) for part in parts]
    assert all(chunk["object"] == "chat.completion.chunk" for chunk in chunks)
    with_usage = [chunk for chunk in chunks if chunk.get("usage")]
    if (body.get("stream_options") or {}).get("include_usage"):
        assert with_usage == [chunks[-1]] and chunks.pop()["choices"] == []
    else:
        assert not with_usage
    choices = [chunk["choices"][0] for chunk in chunks]
    assert choices[0]["delta"]["role"] == "assistant"
    assert [choice["finish_reason"] for choice in choices] == [None] * (len(choices) - 1) + ["stop"]
    return "".join(choice["delta"].get("content") or "" for choice in choices)


def read_responses_stream(answer) -> str:
    named = [(name, json.loads(data)) for name, data in events(answer)]
    assert all(name == value["type"] for name, value in named)
    assert [value["sequence_number"] for _, value in named] == list(range(len(named)))
    last = named[-1][1]
    assert last["type"] == "response.completed"
    message = next(item for item in last["response"]["output"] if item["type"] == "message")
    text = message["content"][0]["text"]
    deltas = [value["delta"] for name, value in named if name == "response.output_text.delta"]
    assert "".join(deltas) == text
    return text


def read_ollama(body, answer, key: str) -> str:
    def text(frame) -> str:
        return frame["response"] if key == "response" else frame["message"]["content"]

    if body.get("stream") is False:
        frames = [answer.json()]
    else:
        assert answer.headers["content-type"].startswith("application/x-ndjson")
        frames = [json.loads(line) for line in answer.text.splitlines()]
    assert [frame["done"] for frame in frames] == [False] * (len(frames) - 1) + [True]
    assert all(frame["model"] == body["model"] and frame["created_at"] for frame in frames)
    last = frames[-1]
    assert last["done_reason"] == "stop" and last["eval_count"] > 0
    return "".join(text(frame) for frame in frames)
