"""`laios:raw` over each protocol: what a model says, in one piece as well as streamed."""

import json

import pytest

BROKEN = "def add(a, b:\n    return a + b\n"
OPENAI, RESPONSES = "/v1/chat/completions", "/v1/responses"
ANTHROPIC, OLLAMA = "/v1/messages", "/api/chat"
PATHS = [OPENAI, RESPONSES, ANTHROPIC, OLLAMA]


def body_of(path, stream, **fields):
    asked = {"messages": [{"role": "user", "content": "add"}], "max_tokens": 500}
    if path == RESPONSES:
        asked = {"input": "add"}
    return {"model": "laios:raw", "stream": stream, **asked, **fields}


def said_whole(path, value):
    """The text of an answer in one piece."""
    if path == OPENAI:
        return value["choices"][0]["message"]["content"]
    if path == OLLAMA:
        return value["message"]["content"]
    if path == ANTHROPIC:
        return "".join(block.get("text", "") for block in value["content"])
    return "".join(part["text"] for item in value["output"] for part in item.get("content", ()))


def said_in_pieces(path, told):
    """The text of a streamed one."""
    if path == OLLAMA:
        return "".join(json.loads(line)["message"]["content"] for line in told.splitlines())
    data = [line[6:] for line in told.split("\n") if line.startswith("data: {")]
    events = [json.loads(each) for each in data]
    if path == OPENAI:
        return "".join(event["choices"][0]["delta"].get("content", "") for event in events)
    if path == ANTHROPIC:
        return "".join(event.get("delta", {}).get("text", "") for event in events)
    kind = "response.output_text.delta"
    return "".join(event["delta"] for event in events if event["type"] == kind)


@pytest.mark.parametrize("path", PATHS)
async def test_a_reply_in_one_piece_is_the_streamed_one(daemon_with, path):
    """As it came, where the reply is bare code with a fault too: laios' note on the fault is for
    who gets code, and no word of the model's."""
    async with daemon_with({"reply": BROKEN}) as (_, http):
        whole = (await http.post(path, json=body_of(path, stream=False))).json()
        told = (await http.post(path, json=body_of(path, stream=True))).text
        native = await http.post("/prompt", json={"prompt": "///raw add"})
    assert said_whole(path, whole) == said_in_pieces(path, told) == BROKEN
    assert native.json()["output"].startswith("# REVIEWER_NOTE: ")


@pytest.mark.parametrize("path", PATHS)
async def test_a_line_of_a_stream_is_one_for_readers_that_know_more_ends(daemon_with, path):
    """Python's str.splitlines(), by which httpx and with it the package `ollama` read, ends a line
    at U+0085, U+2028 and U+2029 too, which JSON allows in a text: they are escaped."""
    said = "s = 'a\x85b\u2028c\u2029d'\n"
    body = body_of(path, stream=True)
    async with (
        daemon_with({"reply": said}) as (_, http),
        http.stream("POST", path, json=body) as answer,
    ):
        lines = [line async for line in answer.aiter_lines()]
    assert said_in_pieces(path, "\n".join(lines)) == said


WITH_THOUGHTS = {ANTHROPIC: {"thinking": {"type": "adaptive"}}}
WITHOUT = {ANTHROPIC: {}, OLLAMA: {"think": False}}


def thought_in(path, value):
    """What a reasoning model thought, in an answer in one piece."""
    if path == OPENAI:
        return value["choices"][0]["message"].get("reasoning_content")
    if path == OLLAMA:
        return value["message"].get("thinking")
    if path == ANTHROPIC:
        return next((each["thinking"] for each in value["content"] if "thinking" in each), None)
    (item,) = (item for item in value["output"] if item["type"] == "reasoning")
    return item["summary"][0]["text"]


@pytest.mark.parametrize("path", PATHS)
async def test_thoughts_come_in_one_piece_as_well(daemon_with, path):
    """Where the stream tells them: not to a caller of Anthropic's protocol that does not ask for
    them, nor to one of Ollama's that says no."""
    rule = {"reply": "x = 1", "thinking": "One will do.", "chunk": 3}
    async with daemon_with(rule) as (_, http):
        body = body_of(path, stream=False, **WITH_THOUGHTS.get(path, {}))
        value = (await http.post(path, json=body)).json()
        assert thought_in(path, value) == "One will do."
        assert said_whole(path, value) == "x = 1"
        if path in WITHOUT:
            silent = await http.post(path, json=body_of(path, stream=False, **WITHOUT[path]))
            assert thought_in(path, silent.json()) is None
