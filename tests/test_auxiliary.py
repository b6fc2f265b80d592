"""What chat frontends ask for by themselves: told by its shape, answered by one plain call."""

import json

import pytest

CHAT = "/v1/chat/completions"
TITLE = '{"title": "Adding"}'
RULES = [
    {"role": "coder", "prompt": "automated pipeline", "reply": "x = 1"},
    {"role": "coder", "reply": TITLE},
    {"role": "judge", "verdict": [9, 1, "Right."]},
]
TASK = (
    "### Task:\nErzeuge einen Titel.\n### Ausgabe:\nJSON\n### Chat:\n<chat_history>\n"
    "USER: ///raw write hello\nASSISTANT: x = 1\n</chat_history>"
)
TRANSCRIPT = "A title, please.\n\nUser: ///raw write hello\nAI: x = 1"
SCHEMA = {"type": "json_schema", "json_schema": {"name": "t", "schema": {"type": "object"}}}


def ask(text, **fields):
    return {"model": "laios", "messages": [{"role": "user", "content": text}], **fields}


SHAPES = [
    (ask(TASK), {}),
    (ask(TASK, stream=True), {}),
    (ask(TRANSCRIPT), {}),
    (ask("name it", response_format={"type": "json_object"}), {}),
    (ask("name it", response_format=SCHEMA), {}),
    (ask("hi", max_tokens=1), {}),
    (ask("hi", max_completion_tokens=16), {}),
    (ask("<|fim_prefix|>def add(<|fim_suffix|>): pass<|fim_middle|>"), {}),
    (ask("<PRE> def add( <SUF>): pass <MID>"), {}),
    (ask("<|repo_name|>r\n<|file_sep|>a.py\n<|fim_prefix|>a<|fim_suffix|>\n<|fim_middle|>"), {}),
    (ask("[SUFFIX]): pass[PREFIX]def add("), {}),
    (ask('A title.\n\n||>User:\n"write hello"\n||>Response:\n"x = 1"'), {}),
    (ask("write hello", stream=True), {"User-Agent": "opencode/1.18.33 ai-sdk/5"}),
]


@pytest.mark.parametrize(("body", "headers"), SHAPES)
async def test_a_frontend_s_own_question_is_one_plain_call(daemon_with, body, headers):
    """No instructions of ours, no judge, no tags; its own kind in the history."""
    async with daemon_with(*RULES) as (daemon, http):
        answer = await http.post(CHAT, json=body, headers=headers)
        record = daemon.parts.reader.get(answer.headers["x-laios-run-id"])
    assert answer.status_code == 200
    assert json.dumps(TITLE)[1:-1] in answer.text
    assert (record["kind"], record["mode"]) == ("auxiliary", "auxiliary")
    assert [(step["stage"], step["label"]) for step in record["steps"]] == [("coder", "auxiliary")]
    assert record["final_output"] == TITLE
    assert record["context_ids"] == []


@pytest.mark.parametrize(
    ("body", "headers"),
    [
        (ask("### Task:\nwrite a parser"), {}),
        (ask("parse <chat_history>x</chat_history>"), {}),
        (ask(TRANSCRIPT, stream=True), {}),
        (ask("add", max_tokens=1024), {}),
        (ask("Convert this YAML to JSON:\n\nuser: root\nmodel: x1"), {}),
        (ask("Parse log lines like\nUser: bob\nResponse: 200 OK\ninto a dict."), {}),
        (ask("Split this\n```\nUser: hi\nAssistant: hello\n```\ninto turns."), {}),
        (ask("Write a parser for logs like\nUser: hi\nAssistant: hello\nthat gives pairs."), {}),
        (ask("AI: a robot\nUser: a person\nWrite an enum of these."), {}),
        (ask("What is <|fim_prefix|> in Qwen's template, and what <|fim_middle|>?"), {}),
        (ask("Rename each NAME[SUFFIX] to [PREFIX]NAME."), {}),
        (ask("Write a function that puts <PRE> before and <SUF> behind a text."), {}),
        (ask("add", response_format={"type": "text"}), {}),
        (
            ask("add", tools=[{"type": "function", "function": {"name": "x"}}]),
            {"User-Agent": "opencode/1.18.33"},
        ),
    ],
)
async def test_a_person_s_request_is_none(daemon_with, body, headers):
    """What only looks a little like one goes the whole way."""
    async with daemon_with(*RULES) as (daemon, http):
        answer = await http.post(CHAT, json=body, headers=headers)
        record = daemon.parts.reader.get(answer.headers["x-laios-run-id"])
    kind = "agent" if "tools" in body else "run"
    assert (record["kind"], record["mode"]) == (kind, "code_reviewed")


async def test_auxiliary_runs_are_no_context(daemon_with):
    """`///ctx` knows the person's request alone."""
    async with daemon_with(*RULES) as (daemon, http):
        session = {"X-OpenWebUI-Chat-Id": "chat-1"}
        first = await http.post(CHAT, json=ask("write hello"), headers=session)
        await http.post(CHAT, json=ask(TASK), headers=session)
        answer = await http.post(CHAT, json=ask("///ctx go on"), headers=session)
        record = daemon.parts.reader.get(answer.headers["x-laios-run-id"])
    assert record["context_ids"] == [first.headers["x-laios-run-id"]]
    assert record["session"] == "chat-1"


async def test_the_starter_says_that_it_cannot(daemon_with):
    """A model that writes code and nothing else is not asked for titles: an error, which frontends
    take for `no title`."""
    models = {f"{role}_MODEL_NAME": "local/starter" for role in ("CODER", "JUDGE", "REVIEWER")}
    async with daemon_with(**models) as (_, http):
        answer = await http.post(CHAT, json=ask(TASK))
        assert answer.status_code == 502
        assert answer.json()["error"]["code"] == "model_not_found"
        assert "laios models pull" in answer.json()["error"]["message"]


async def test_a_connection_test_goes_well_with_the_starter(daemon_with):
    """A request that nothing but its few tokens tells gets the beginning of the starter's answer;
    one in a form that the starter does not have is still refused."""
    models = {f"{role}_MODEL_NAME": "local/starter" for role in ("CODER", "JUDGE", "REVIEWER")}
    async with daemon_with(**models) as (_, http):
        for text in ("hi", "reverse a string"):
            answer = await http.post(CHAT, json=ask(text, max_tokens=1))
            assert answer.status_code == 200
            assert answer.json()["choices"][0]["finish_reason"] == "length"
        answer = await http.post(
            CHAT, json=ask(SHAPES[7][0]["messages"][0]["content"], max_tokens=9)
        )
        assert answer.status_code == 502
