"""Anthropic's Messages API over a real socket: messages, events, tools, tokens and errors."""

import json

import pytest
from test_frontend_fixtures import events

from server.protocols.agent_messages import read_conversation
from server.protocols.anthropic_request import read_chat

MESSAGES = "/v1/messages"
GOOD = "def add(a, b):\n    return a + b\n"
RULES = [{"role": "coder", "reply": GOOD}, {"role": "judge", "verdict": [9, 1, "It is right."]}]
SCHEMA = {
    "type": "object",
    "properties": {"file_path": {"type": "string"}, "content": {"type": "string"}},
}
TOOLS = [
    {"name": "Read", "description": "Reads.", "input_schema": SCHEMA},
    {"name": "Write", "description": "Writes.", "input_schema": SCHEMA},
    {"type": "web_search_20250305", "name": "web_search"},
]
READ = {"name": "Read", "arguments": {"file_path": "/p/calc.py"}}


def ask(*messages, **fields):
    talk = messages or ({"role": "user", "content": "write add"},)
    return {"model": "laios", "max_tokens": 1024, "messages": list(talk), **fields}


def told(answer):
    """The events' data; each one's name is its type."""
    named = [(name, json.loads(data)) for name, data in events(answer)]
    assert all(name == data["type"] for name, data in named)
    return [data for _, data in named if data["type"] != "ping"]


async def test_a_message_comes_back_with_what_it_cost(daemon_with):
    """As on the other protocols: judged code in one block, on record with its source."""
    async with daemon_with(*RULES) as (daemon, http):
        answer = await http.post(MESSAGES, json=ask(system="Be brief."))
        record = daemon.parts.reader.get(answer.headers["x-laios-run-id"])
    value = answer.json()
    assert (value["type"], value["role"], value["model"]) == ("message", "assistant", "laios")
    assert value["content"] == [{"type": "text", "text": f"```python\n{GOOD}```"}]
    assert (value["stop_reason"], value["stop_sequence"]) == ("end_turn", None)
    assert value["usage"]["input_tokens"] > 0 and value["usage"]["output_tokens"] > 0
    assert (record["source"], record["kind"], record["mode"]) == (
        *("anthropic", "run"),
        "code_reviewed",
    )


async def test_a_raw_answer_ends_before_the_text_at_which_it_is_to_stop(daemon_with):
    """Not where tools are there: it could end in the middle of a call. Backends do not tell an
    answer that ended at such a text from one that ended by itself."""
    sent = ask(model="laios:raw", stop_sequences=["= 2"])
    async with daemon_with({"role": "coder", "reply": "x = 1\ny = 2\n"}) as (_, http):
        for tools, text in ([], "x = 1\ny "), (TOOLS, "x = 1\ny = 2\n"):
            answer = await http.post(MESSAGES, json=sent | {"tools": tools})
            assert answer.json()["content"][0]["text"] == text
            ended = answer.json()["stop_reason"], answer.json()["stop_sequence"]
            assert ended == ("end_turn", None)


async def test_a_stream_tells_blocks_and_partial_input(daemon_with):
    """Text and calls are blocks of their own, in order; the input comes in pieces of JSON."""
    rule = {"reply": "Let me look.", "calls": [READ, READ], "chunk": 5}
    body = ask(model="laios:raw", tools=TOOLS, stream=True)
    async with daemon_with(rule) as (_, http):
        found = told(await http.post(MESSAGES, json=body))
    assert (found[0]["type"], found[-1]["type"]) == ("message_start", "message_stop")
    assert found[-2]["delta"]["stop_reason"] == "tool_use"
    starts = [each["content_block"] for each in found if each["type"] == "content_block_start"]
    assert [start["type"] for start in starts] == ["text", "tool_use", "tool_use"]
    assert starts[1]["name"] == "Read" and starts[1]["id"] != starts[2]["id"]
    pieces = [
        each["delta"]["partial_json"]
        for each in found
        if each["type"] == "content_block_delta" and each["index"] == 1
    ]
    assert len(pieces) > 3 and json.loads("".join(pieces)) == READ["arguments"]
    stops = [each["index"] for each in found if each["type"] == "content_block_stop"]
    assert stops == [0, 1, 2]


async def test_thoughts_are_a_block_with_a_signature(daemon_with):
    """Empty, as nobody signs here; clients read it, whole and in a stream."""
    body = ask(model="laios:raw", thinking={"type": "adaptive"})
    async with daemon_with({"reply": "x = 1", "thinking": "One will do."}) as (_, http):
        whole = (await http.post(MESSAGES, json=body)).json()["content"][0]
        found = told(await http.post(MESSAGES, json=body | {"stream": True}))
    begun = next(each for each in found if each["type"] == "content_block_start")["content_block"]
    assert whole == {"type": "thinking", "thinking": "One will do.", "signature": ""}
    assert begun == whole | {"thinking": ""}


async def test_results_go_back_and_reminders_are_no_prompt(daemon_with):
    """As Claude Code sends them: the prompt on record is the person's, whatever stands beside the
    results, and a tag behind a reminder counts."""
    rules = [{"prompt": "x = 1[\\s\\S]*remember", "reply": "An x."}, {"calls": [READ]}]
    asked = {
        "role": "user",
        "content": [
            {"type": "text", "text": "<system-reminder>today is Monday</system-reminder>"},
            {"type": "text", "text": "///raw what is in calc.py?"},
        ],
    }
    async with daemon_with(*rules) as (daemon, http):
        first = await http.post(MESSAGES, json=ask(asked, tools=TOOLS))
        (use,) = first.json()["content"]
        result = [
            {"type": "tool_result", "tool_use_id": use["id"], "content": "x = 1"},
            {"type": "text", "text": "<system-reminder>remember</system-reminder>"},
        ]
        talk = (asked, {"role": "assistant", "content": [use]}, {"role": "user", "content": result})
        second = await http.post(MESSAGES, json=ask(*talk, tools=TOOLS))
        record = daemon.parts.reader.get(second.headers["x-laios-run-id"])
    assert use["input"] == READ["arguments"]
    assert second.json()["content"] == [{"type": "text", "text": "An x."}]
    assert (record["kind"], record["mode"]) == ("agent", "code_raw")
    assert record["normalized_prompt"].endswith("what is in calc.py?")
    assert "remember" not in record["normalized_prompt"].rpartition("</")[2]


async def test_system_messages_among_the_others_stand_at_the_head(daemon_with):
    """Claude Code has one behind the person's first message; chat templates know none there. One
    that comes after an answer stays where it is, and what is for Anthropic alone is left out."""
    talk = [
        {"role": "user", "content": "look"},
        {"role": "system", "content": "second rule"},
        {"role": "assistant", "content": "I looked."},
        {"role": "system", "content": "third rule"},
        {"role": "user", "content": "go on"},
    ]
    own = [{"type": "text", "text": "x-anthropic-billing-header: cc_version=2.1.197.0df;"}]
    system = [*own, {"type": "text", "text": "first rule"}]
    read = read_conversation(read_chat(ask(*talk, system=system)).messages)
    assert [(message["role"], message["content"]) for message in read] == [
        ("system", "first rule\n\nsecond rule"),
        ("user", "look"),
        ("assistant", "I looked."),
        ("system", "third rule"),
        ("user", "go on"),
    ]
    async with daemon_with({"prompt": "second rule", "reply": "Yes."}) as (_, http):
        answer = await http.post(MESSAGES, json=ask(*talk[:2], tools=TOOLS))
        assert answer.json()["content"][0]["text"] == "Yes."


async def test_a_system_text_that_is_none_is_left_out_however_deep_it_is(daemon_with):
    """It is not written out to see how it begins, which would take more levels than there are."""
    text = "[" * 1000 + "]" * 1000
    asked = json.dumps(ask({"role": "user", "content": "look"}, system=["HERE"]))
    body = asked.replace('"HERE"', f'{{"type": "text", "text": {text}}}')
    async with daemon_with({"reply": "Yes."}) as (_, http):
        headers = {"Content-Type": "application/json"}
        answer = await http.post(MESSAGES, content=body, headers=headers)
    assert answer.status_code == 200


async def test_a_broken_file_is_held_back_here_too(daemon_with):
    """`Write` is Claude Code's tool; the client sees the corrected one alone."""
    broken = {"name": "Write", "arguments": {"file_path": "/p/a.py", "content": "def f(:\n"}}
    good = {"name": "Write", "arguments": {"file_path": "/p/a.py", "content": "def f(): ...\n"}}
    rules = [{"prompt": "held back", "calls": [good]}, {"calls": [broken]}]
    async with daemon_with(*rules) as (_, http):
        value = (await http.post(MESSAGES, json=ask(tools=TOOLS))).json()
    assert value["content"][0]["input"] == good["arguments"]


async def test_tokens_are_counted_without_a_model(daemon_with):
    """An estimate that grows with what is sent; a model that does not exist is an error."""
    async with daemon_with({"fault": "failed"}) as (daemon, http):
        path = f"{MESSAGES}/count_tokens"
        short = (await http.post(path, json=ask())).json()["input_tokens"]
        long = (await http.post(path, json=ask(tools=TOOLS))).json()["input_tokens"]
        assert 0 < short < long
        assert (await http.post(path, json=ask(model="gpt"))).status_code == 404
        assert not list(daemon.parts.reader)


async def test_a_picture_counts_as_one_and_not_as_its_letters(daemon_with):
    """Clients shorten their conversation to what they are told: one screenshot, a tool's result or
    the person's own, would be more than any window."""
    source = {"type": "base64", "media_type": "image/png", "data": "iVBORw0K" * 50_000}
    picture = {"type": "image", "source": source}
    asked = {"role": "user", "content": [picture, {"type": "text", "text": "what is it"}]}
    call = {"type": "tool_use", "id": "1", "name": "Read", "input": {}}
    result = {"type": "tool_result", "tool_use_id": "1", "content": [picture]}
    turns = ({"role": "assistant", "content": [call]}, {"role": "user", "content": [result]})
    async with daemon_with({"fault": "failed"}) as (_, http):
        path = f"{MESSAGES}/count_tokens"
        one = (await http.post(path, json=ask(asked))).json()["input_tokens"]
        two = (await http.post(path, json=ask(asked, *turns))).json()["input_tokens"]
    assert 1000 < one < 2000 < two < 4000


async def test_the_token_may_come_as_an_api_key(daemon_with):
    """`x-api-key`, as Anthropic's clients send it; a wrong one is refused in their form."""
    async with daemon_with(*RULES, API_TOKEN="secret-token") as (_, http):
        right = await http.post(MESSAGES, json=ask(), headers={"x-api-key": "secret-token"})
        wrong = await http.post(MESSAGES, json=ask(), headers={"x-api-key": "secret"})
        mixed = await http.post(
            MESSAGES,
            json=ask(),
            headers={"x-api-key": "secret-token", "Authorization": "Bearer x"},
        )
    assert right.status_code == 200
    assert (wrong.status_code, mixed.status_code) == (401, 401)
    assert wrong.json()["type"] == "error"
    assert wrong.json()["error"]["type"] == "authentication_error"


CALL = {"type": "tool_use", "id": "t1", "name": "Read", "input": {}}


@pytest.mark.parametrize(
    ("body", "status", "kind", "why"),
    [
        (ask(model="claude-x"), 404, "not_found_error", "Models: laios"),
        ({"model": "laios"}, 400, "invalid_request_error", "messages"),
        (ask({"role": "tool", "content": "x"}), 400, "invalid_request_error", "role"),
        (ask({"role": "user", "content": [1]}), 400, "invalid_request_error", "blocks"),
        (ask({"role": "user", "content": 1}), 400, "invalid_request_error", "blocks"),
        (
            ask(
                {"role": "user", "content": "x"},
                {
                    "role": "user",
                    "content": [{"type": "tool_result", "tool_use_id": "t9", "content": "y"}],
                },
                tools=TOOLS,
            ),
            *(400, "invalid_request_error", "'t9' that no earlier message makes"),
        ),
        (
            ask(
                {"role": "user", "content": "x"},
                {"role": "assistant", "content": [CALL | {"input": [1]}]},
                tools=TOOLS,
            ),
            *(400, "invalid_request_error", "not a JSON object"),
        ),
        (
            ask({"role": "user", "content": "x " * 200_000}, tools=TOOLS),
            *(400, "invalid_request_error", "prompt is too long"),
        ),
        (ask(tools=[TOOLS[0], TOOLS[0]]), 400, "invalid_request_error", "Two tools"),
    ],
)
async def test_errors_have_anthropic_s_shape(daemon_with, body, status, kind, why):
    """A type that its clients know, and the words that say what to do."""
    async with daemon_with({"reply": "x"}) as (_, http):
        answer = await http.post(MESSAGES, json=body)
    assert (answer.status_code, answer.json()["error"]["type"]) == (status, kind)
    assert why in answer.json()["error"]["message"]


async def test_an_error_in_mid_stream_is_an_event(daemon_with):
    """It is the last one: neither the block of half a call nor the message is ended."""
    rule = {"calls": [READ], "chunk": 5, "fault": "cut"}
    body = ask(model="laios:raw", tools=TOOLS, stream=True)
    async with daemon_with(rule) as (_, http):
        found = told(await http.post(MESSAGES, json=body))
    assert [each["type"] for each in found[-2:]] == ["content_block_delta", "error"]
    assert found[-1]["error"]["type"] == "api_error"
