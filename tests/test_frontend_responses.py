"""OpenAI's Responses API over a real socket."""

import json

import pytest

from server.protocols import answer_stream

CODE = "def add(a, b):\n    return a + b\n"
BLOCK = f"```python\n{CODE}```"
RULES = [{"role": "coder", "reply": CODE}, {"role": "judge", "verdict": [9, 1, "It is right."]}]
URL = "/v1/responses"


def ask(given="add", model="laios", **fields):
    return {"model": model, "input": given, **fields}


def events(body: str):
    """The events of a stream; each says its type twice, and they are numbered without a gap."""
    found = []
    for number, block in enumerate(filter(None, body.split("\n\n"))):
        name, data = block.split("\n")
        event = json.loads(data.removeprefix("data: "))
        assert name == f"event: {event['type']}"
        assert event["sequence_number"] == number
        found.append(event)
    return found


async def test_a_response_is_one_message_with_its_costs(daemon_with):
    """Stateless, whatever `store` says; the session is the caller's cache key."""
    async with daemon_with(*RULES) as (daemon, http):
        answer = await http.post(URL, json=ask(store=True, prompt_cache_key="s1"))
        value = answer.json()
        record = daemon.parts.reader.get(answer.headers["x-laios-run-id"])
    assert (value["object"], value["status"], value["store"]) == ("response", "completed", False)
    (message,) = value["output"]
    assert message["role"] == "assistant"
    assert message["content"][0]["text"] == BLOCK
    usage = value["usage"]
    assert usage["total_tokens"] == usage["input_tokens"] + usage["output_tokens"] > 0
    assert (record["source"], record["session"]) == ("openai", "s1")


async def test_instructions_and_items_are_preferences_and_context(daemon_with):
    """As Codex sends them: developer messages, earlier turns, reasoning and tool calls between."""
    wanted = r"Be brief\.\n\nUse tabs\."
    rules = [
        {"role": "coder", "prompt": wanted, "reply": CODE},
        {
            "role": "judge",
            "prompt": r"write fetch[\s\S]*def fetch[\s\S]*42",
            "verdict": [9, 1, "R"],
        },
    ]
    text = {"type": "output_text", "text": "```python\ndef fetch(): ...\n```"}
    items = [
        {
            "type": "message",
            "role": "developer",
            "content": [{"type": "input_text", "text": "Use tabs."}],
        },
        {"role": "user", "content": [{"type": "input_text", "text": "write fetch"}]},
        {"type": "reasoning", "summary": [], "encrypted_content": "x"},
        {"type": "message", "role": "assistant", "content": [text]},
        {"type": "function_call", "name": "shell", "call_id": "1", "arguments": "{}"},
        {"type": "function_call_output", "call_id": "1", "output": "42"},
        {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "go on"}]},
    ]
    async with daemon_with(*rules) as (daemon, http):
        more = {"instructions": "Be brief.", "include": ["x"], "parallel_tool_calls": False}
        answer = await http.post(URL, json=ask(items, **more))
        assert answer.status_code == 200, answer.text
        told = answer.json()
        assert (told["instructions"], told["parallel_tool_calls"]) == ("Be brief.", False)
        record = daemon.parts.reader.get(answer.headers["x-laios-run-id"])
    assert record["normalized_prompt"] == "go on"


async def test_a_stream_tells_the_whole_story(daemon_with):
    """Created, the stages as a reasoning item, the answer as a message item, completed; what the
    deltas say is what the items hold."""
    async with daemon_with(*RULES) as (_, http):
        answer = await http.post(URL, json=ask(stream=True))
    told = events(answer.text)
    kinds = [event["type"].removeprefix("response.") for event in told]
    assert kinds == [
        "created",
        "in_progress",
        "output_item.added",
        "reasoning_summary_part.added",
        "reasoning_summary_text.delta",
        "reasoning_summary_text.delta",
        "reasoning_summary_text.done",
        "reasoning_summary_part.done",
        "output_item.done",
        "output_item.added",
        "content_part.added",
        "output_text.delta",
        "output_text.done",
        "content_part.done",
        "output_item.done",
        "completed",
    ]
    final = told[-1]["response"]
    assert [item["type"] for item in final["output"]] == ["reasoning", "message"]
    assert final["output"][0]["summary"][0]["text"] == "drafting…\njudging…\n"
    assert final["output"][1]["content"][0]["text"] == BLOCK == told[-5]["delta"]
    assert final["usage"]["total_tokens"] > 0
    assert [told[index]["output_index"] for index in (2, 9)] == [0, 1]


async def test_raw_is_told_token_by_token(daemon_with):
    """The deltas together are the reply as it came."""
    rule = {"role": "coder", "reply": "Sure:\n```\nx\n```", "chunk": 3}
    async with daemon_with(rule) as (_, http):
        told = events((await http.post(URL, json=ask(model="laios:raw", stream=True))).text)
    deltas = [event["delta"] for event in told if event["type"].endswith("text.delta")]
    assert len(deltas) > 3
    assert "".join(deltas) == "Sure:\n```\nx\n```"


async def test_a_cut_off_answer_is_incomplete(daemon_with):
    """With OpenAI's reason, streamed and not."""
    rule = {"role": "coder", "reply": "x = [", "finish_reason": "length"}
    async with daemon_with(rule) as (_, http):
        value = (await http.post(URL, json=ask(model="laios:raw"))).json()
        told = events((await http.post(URL, json=ask(model="laios:raw", stream=True))).text)
    for response in (value, told[-1]["response"]):
        assert response["status"] == "incomplete"
        assert response["incomplete_details"] == {"reason": "max_output_tokens"}
        assert response["completed_at"] is None
        assert [item["status"] for item in response["output"]] == ["incomplete"]
    assert told[-1]["type"] == "response.incomplete"


async def test_what_was_asked_is_said_again(daemon_with):
    """As clients expect it; what says nothing, or is nested endlessly, has its usual value."""
    form = {"format": {"type": "json_schema", "name": "n", "schema": {"type": "object"}}}
    async with daemon_with({"role": "coder", "reply": "{}"}) as (_, http):
        told = (await http.post(URL, json=ask(text=form, tool_choice="none"))).json()
        assert (told["text"], told["tool_choice"], told["tools"]) == (form, "none", [])
        told = (await http.post(URL, json=ask())).json()
        assert (told["text"], told["tool_choice"]) == ({"format": {"type": "text"}}, "auto")


async def test_a_failure_is_an_event_or_an_error(daemon_with):
    """In mid-stream `response.failed`; before it an error object with its status."""
    async with daemon_with({"fault": "failed"}) as (_, http):
        told = events((await http.post(URL, json=ask(stream=True))).text)
        assert told[-1]["type"] == "response.failed"
        assert told[-1]["response"]["error"]["code"] == "model_failed"
        answer = await http.post(URL, json=ask())
        assert (answer.status_code, answer.json()["error"]["code"]) == (502, "model_failed")


@pytest.mark.parametrize("given", [None, 5, [], [5], [{"role": "assistant", "content": "x"}]])
async def test_an_input_that_cannot_be_read_is_a_400(daemon_with, given):
    """In OpenAI's shape."""
    async with daemon_with(*RULES) as (_, http):
        answer = await http.post(URL, json=ask(given))
        assert answer.status_code == 400
        assert answer.json()["error"]["type"] == "invalid_request_error"


@pytest.mark.parametrize(
    "body",
    [
        ask(previous_response_id="resp_1"),
        ask(conversation="conv_1"),
        ask(conversation={"id": "conv_1"}),
        ask([{"type": "item_reference", "id": "msg_1"}, {"role": "user", "content": "go on"}]),
    ],
)
async def test_what_was_said_before_is_not_left_out_in_silence(daemon_with, body):
    """Nothing is kept here: who refers to an earlier turn is told to send it, and no model is asked
    without it."""
    async with daemon_with(*RULES) as (daemon, http):
        answer = await http.post(URL, json=body)
        assert answer.status_code == 400
        assert "send the earlier turns in the input" in answer.json()["error"]["message"]
        assert daemon.parts.reader.get(answer.headers["x-laios-run-id"]) is None


async def test_references_to_thoughts_and_to_nothing_are_left_out(daemon_with):
    """As thoughts themselves are."""
    thought = {"type": "item_reference", "id": "rs_1"}
    async with daemon_with(*RULES) as (_, http):
        items = [thought, {"role": "user", "content": "add"}]
        answer = await http.post(URL, json=ask(items, previous_response_id=None, conversation=None))
        assert answer.status_code == 200


async def test_silence_is_filled_with_events(daemon_with, monkeypatch):
    """Readers of this protocol do not count comments."""
    monkeypatch.setattr(answer_stream, "SILENCE_S", 0.05)
    async with daemon_with({"reply": CODE, "delay_ms": 400}) as (_, http):
        told = events((await http.post(URL, json=ask(model="laios:raw", stream=True))).text)
    beats = [event for event in told if event["type"] == "response.in_progress"]
    assert len(beats) >= 4
