"""What agents and their models get wrong, over each protocol: an error in its own form, and nothing
hangs."""

import time

import pytest
from test_agents import BROKEN, CHAT, GOOD, MESSAGES, OLLAMA, READ, RESPONSES, TOOLS, tool, writing

from server.protocols.agent_messages import read_conversation

PATHS = (CHAT, RESPONSES, OLLAMA, MESSAGES)
ASKED = {"role": "user", "content": "look"}


def offered(path, tools):
    """The tools in the protocol's form."""
    functions = [each["function"] for each in tools]
    if path == RESPONSES:
        return [{"type": "function", **each} for each in functions]
    if path == MESSAGES:
        return [{"name": each["name"], "input_schema": each["parameters"]} for each in functions]
    return tools


def body(path, *talk, tools=TOOLS, **fields):
    said = {"input" if path == RESPONSES else "messages": [ASKED, *talk]}
    given = {"model": "laios", "stream": False, "max_tokens": 999} | said
    return given | {"tools": offered(path, tools)} | fields


def orphan(path):
    """A result of a call that nobody made."""
    if path == RESPONSES:
        return {"type": "function_call_output", "call_id": "c9", "output": "x"}
    if path == MESSAGES:
        part = {"type": "tool_result", "tool_use_id": "c9", "content": "x"}
        return {"role": "user", "content": [part, {"type": "text", "text": "go on"}]}
    return {"role": "tool", "tool_call_id": "c9", "content": "x"}


def error_of(path, answer):
    """Its message. Fails where the shape is not the protocol's."""
    said = answer.json()
    if path == OLLAMA:
        assert said.keys() == {"error"}
        return said["error"]
    error = said["error"]
    assert error["type"] and (path != MESSAGES or said["type"] == "error")
    return error["message"]


async def test_what_no_model_should_see_is_refused_in_every_protocol(daemon_with):
    """Before anything runs: names that collide, no tools at all in the list, too many of them,
    schemas of a megabyte or nested without end, a result without a call, tools that are none."""
    deep: dict[str, object] = {}
    for _ in range(400):
        deep = {"properties": deep}
    large = tool("large", path={"description": "x" * 1_000_000})
    cases = [
        ({"tools": [TOOLS[0], TOOLS[0]]}, (), "Two tools are called 'read'"),
        ({"tools": [large]}, (), "tokens"),
        ({"tools": [tool(f"t{n}") for n in range(1001)]}, (), "Offer at most 1,000"),
        ({"tools": [tool("a b")]}, (), "needs a name"),
        ({"tools": [tool("deep", path=deep)]}, (), "nested too deeply"),
    ]
    async with daemon_with({"reply": "x"}) as (daemon, http):
        for path in PATHS:
            for fields, talk, why in [*cases, ({}, (orphan(path),), "no earlier message makes")]:
                answer = await http.post(path, json=body(path, *talk, **fields))
                assert 400 <= answer.status_code < 500, (path, answer.text[:300])
                assert why in error_of(path, answer), (path, answer.text[:300])
        assert not [each for each in daemon.parts.reader if each["error"] is None]


async def test_a_schema_is_shown_to_the_model_or_refused_at_every_depth(daemon_with):
    """Also where it can just be read, and cannot be written among the tools any more."""
    async with daemon_with({"reply": "x"}) as (_, http):
        seen = set()
        for levels in range(240, 256):
            deep: dict[str, object] = {}
            for _ in range(levels):
                deep = {"properties": deep}
            answer = await http.post(CHAT, json=body(CHAT, tools=[tool("deep", path=deep)]))
            assert answer.status_code == 200 or "nested too deeply" in error_of(CHAT, answer)
            seen.add(answer.status_code)
        assert seen == {200, 400}


@pytest.mark.parametrize("path", PATHS)
async def test_a_call_that_the_backend_cuts_is_an_error_in_every_protocol(daemon_with, path):
    """Streams as well, raw and reviewed: never half a call as a whole one."""
    async with daemon_with({"calls": [writing(GOOD)], "chunk": 9, "fault": "cut"}) as (_, http):
        for model in ("laios:raw", "laios"):
            answer = await http.post(path, json=body(path, model=model))
            assert answer.status_code == 502 and "error" in answer.json()
            told = (await http.post(path, json=body(path, model=model, stream=True))).text
            assert '"error"' in told
            ends = ("message_stop", "response.completed", '"done":true', '"finish_reason":"')
            assert not any(end in told for end in ends), told


@pytest.mark.parametrize("path", PATHS)
async def test_calls_that_were_not_offered_are_an_error_in_every_protocol(daemon_with, path):
    """After the model was told; so are arguments that are no JSON."""
    for call in ({"name": "nuke"}, {"name": "read", "arguments": "{"}):
        async with daemon_with({"calls": [call]}) as (_, http):
            answer = await http.post(path, json=body(path))
            assert answer.status_code == 502 and call["name"] in error_of(path, answer)


async def test_a_client_that_never_sends_the_result_holds_nothing(daemon_with):
    """The turn is over and on record with its call; the same session begins anew, and may come back
    to the call later."""
    rules = [{"prompt": "^late$", "reply": "Thanks."}, {"calls": [READ]}]
    async with daemon_with(*rules) as (daemon, http):
        first = await http.post(CHAT, json=body(CHAT))
        assert not (await http.get("/runs")).json()["runs"]
        again = await http.post(CHAT, json=body(CHAT, {"role": "user", "content": "well?"}))
        assert again.json()["choices"][0]["finish_reason"] == "tool_calls"
        said = first.json()["choices"][0]["message"]
        result = {"role": "tool", "tool_call_id": said["tool_calls"][0]["id"], "content": "late"}
        done = await http.post(CHAT, json=body(CHAT, said, result))
        assert done.json()["choices"][0]["message"]["content"] == "Thanks."
        records = list(daemon.parts.reader)
    assert len(records) == 3 and len({record["session"] for record in records}) == 1
    assert records[0]["artefact"]["tool_calls"][0]["name"] == "read"


async def test_a_client_that_goes_away_ends_its_turn(daemon_with):
    """Whatever the turn waits for: the model is not asked on for nobody."""
    import asyncio

    rules = [{"prompt": "held back", "fault": "hang"}, {"calls": [writing(BROKEN)]}]
    async with daemon_with(*rules, JOIN_LINGER_S=0) as (daemon, http):
        asking = asyncio.create_task(http.post(CHAT, json=body(CHAT)))
        while not (await http.get("/runs")).json()["runs"]:
            await asyncio.sleep(0.02)
        asking.cancel()
        while (await http.get("/runs")).json()["runs"]:
            await asyncio.sleep(0.02)
        [record] = list(daemon.parts.reader)
    assert record["error"]["code"] == "cancelled"


@pytest.mark.timeout(60)
def test_results_of_thousands_of_calls_find_theirs_at_once():
    """By their tool's name, in the calls' order: each looked through all that were still open, a
    minute of the event loop for one request of 4 MB."""
    many = 20_000
    names = ["a"] * many + ["b"] * many
    calls = [{"function": {"name": name, "arguments": {}}} for name in names]
    talk = [{"role": "user", "content": "x"}, {"role": "assistant", "tool_calls": calls}]
    results = [{"role": "tool", "tool_name": "b"}] * many + [{"role": "tool"}] * many
    began = time.process_time()
    read = read_conversation([*talk, *results])
    assert time.process_time() - began < 5
    answered = [message["result_of"] for message in read[2:]]
    assert answered == [*read[1]["calls"][many:], *read[1]["calls"][:many]]
