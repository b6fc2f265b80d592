"""Agents over real sockets: tools there and back in each protocol, and edits that are checked."""

import json

import pytest
from fakes import Answer, FakeOllama, Pulled
from recorded import record_of
from test_frontend_fixtures import events

from pipeline.agents.written_calls import written_calls

CHAT, RESPONSES, OLLAMA, MESSAGES = (
    *("/v1/chat/completions", "/v1/responses"),
    *("/api/chat", "/v1/messages"),
)
FILE = {"path": {"type": "string"}, "content": {"type": "string"}}


def tool(name, **properties):
    parameters = {"type": "object", "properties": properties or {"path": {"type": "string"}}}
    return {
        "type": "function",
        "function": {"name": name, "description": f"{name}s", "parameters": parameters},
    }


TOOLS = [
    tool("read"),
    tool("write", **FILE),
    tool("edit", path={}, old_string={}, new_string={}),
    tool("bash", command={}),
]
GOOD = "def add(a, b):\n    return a + b\n"
BROKEN = "def add(a, b:\n    return a + b\n"
READ = {"name": "read", "arguments": {"path": "calc.py"}}


def writing(content, path="calc.py"):
    return {"name": "write", "arguments": {"path": path, "content": content}}


def ask(*messages, model="laios", tools=TOOLS, **fields):
    talk = messages or ({"role": "user", "content": "add a function add to calc.py"},)
    return {"model": model, "messages": list(talk), "tools": tools, **fields}


def called(*calls):
    """An assistant's message, and what came of its calls."""
    made = [
        {
            "id": f"c{n}",
            "type": "function",
            "function": {"name": call["name"], "arguments": json.dumps(call["arguments"])},
        }
        for n, (call, _) in enumerate(calls)
    ]
    return (
        {"role": "user", "content": "change calc.py"},
        {"role": "assistant", "content": None, "tool_calls": made},
        *(
            {"role": "tool", "tool_call_id": f"c{n}", "content": result}
            for n, (_, result) in enumerate(calls)
        ),
    )


def message_of(answer):
    assert answer.status_code == 200, answer.text
    return answer.json()["choices"][0]["message"]


def made(message):
    return [
        (call["function"]["name"], json.loads(call["function"]["arguments"]))
        for call in message["tool_calls"]
    ]


# --- there and back -------------------------------------------------------------------------------


@pytest.mark.parametrize("model", ["laios", "laios:raw"])
async def test_calls_come_back_and_results_go_there(daemon_with, model):
    """Parallel calls with ids of their own; the next request, with what came of them, is answered
    with a text. One record a turn, of one session."""
    rules = [
        {"prompt": "^x = 1$", "reply": "There is an x in it."},
        {"calls": [READ, {"name": "read", "arguments": {"path": "b.py"}}], "reply": "Let me look."},
    ]
    async with daemon_with(*rules) as (daemon, http):
        first = await http.post(CHAT, json=ask(model=model))
        message = message_of(first)
        assert first.json()["choices"][0]["finish_reason"] == "tool_calls"
        assert (message["content"], first.json()["model"]) == ("Let me look.", model)
        assert made(message) == [("read", {"path": "calc.py"}), ("read", {"path": "b.py"})]
        ids = [call["id"] for call in message["tool_calls"]]
        assert len(set(ids)) == 2
        results = [{"role": "tool", "tool_call_id": each, "content": "x = 1"} for each in ids]
        body = ask(*ask()["messages"], message, *results, model=model)
        second = await http.post(CHAT, json=body)
        assert message_of(second)["content"] == "There is an x in it."
        records = [record_of(daemon, answer) for answer in (first, second)]
    assert [record["kind"] for record in records] == ["agent", "agent"]
    assert records[0]["session"] == records[1]["session"] is not None
    assert [call["name"] for call in records[0]["artefact"]["tool_calls"]] == ["read", "read"]
    assert records[1]["final_output"] == "There is an x in it."


async def test_the_official_client_streams_partial_arguments(daemon_with):
    """`laios:raw`: piece by piece as the model writes them, and whole in the end."""
    import openai  # costs the workers that do not run this test most of a second

    rule = {"calls": [writing(GOOD)], "chunk": 6}
    async with (
        daemon_with(rule) as (daemon, _),
        openai.AsyncOpenAI(base_url=f"{daemon.address}/v1", api_key="x") as client,
    ):
        stream = await client.chat.completions.create(**ask(model="laios:raw", stream=True))
        pieces, ends = [], []
        async for chunk in stream:
            for choice in chunk.choices:
                pieces += choice.delta.tool_calls or []
                ends.append(choice.finish_reason)
        response = await client.responses.create(
            model="laios:raw",
            input="write it",
            tools=[{"type": "function", "strict": False, **each["function"]} for each in TOOLS],
        )
    assert len(pieces) > 5 and pieces[0].id and pieces[0].function.name == "write"
    assert json.loads("".join(piece.function.arguments for piece in pieces)) == {
        "path": "calc.py",
        "content": GOOD,
    }
    assert ends[-1] == "tool_calls"
    (item,) = response.output
    assert (item.type, item.name) == ("function_call", "write")
    assert json.loads(item.arguments)["content"] == GOOD


async def test_responses_tell_a_call_as_events(daemon_with):
    """Added, its arguments in pieces, done, and the whole in the completed response; results come
    back as items. A custom tool's text is a text there."""
    tools = [
        {"type": "function", **TOOLS[0]["function"]},
        {"type": "custom", "name": "apply_patch", "description": "patches"},
        {"type": "web_search"},
    ]
    patch = {"name": "apply_patch", "arguments": {"input": "*** Begin Patch\n*** End Patch"}}
    rules = [{"prompt": "^x = 1$", "calls": [patch]}, {"calls": [READ], "chunk": 4}]
    body = {"model": "laios:raw", "input": "look", "tools": tools, "stream": True}
    async with daemon_with(*rules) as (_, http):
        told = [json.loads(data) for _, data in events(await http.post(RESPONSES, json=body))]
        item = told[-1]["response"]["output"][0]
        given = [
            {"role": "user", "content": "look"},
            item,
            {"type": "function_call_output", "call_id": item["call_id"], "output": "x = 1"},
        ]
        after = await http.post(RESPONSES, json=body | {"input": given, "stream": False})
    kinds = [event["type"] for event in told]
    assert kinds[2] == "response.output_item.added"
    assert kinds.count("response.function_call_arguments.delta") > 2
    assert kinds[-3:-1] == ["response.function_call_arguments.done", "response.output_item.done"]
    deltas = [event["delta"] for event in told if event["type"].endswith("arguments.delta")]
    assert "".join(deltas) == item["arguments"] == json.dumps(READ["arguments"])
    assert [event["sequence_number"] for event in told] == list(range(len(told)))
    (custom,) = after.json()["output"]
    assert (custom["type"], custom["input"]) == ("custom_tool_call", patch["arguments"]["input"])


async def test_tools_of_a_namespace_are_called_by_both_names(daemon_with):
    """Codex has one for each server of tools. The model is shown one name; the caller gets the two
    apart, and sends them so again."""
    tools = [{"type": "namespace", "name": "mcp__laios", "tools": [TOOLS[0]["function"]]}]
    called_so = READ | {"name": "mcp__laios__read"}
    rules = [{"prompt": "^x = 1$", "reply": "An x."}, {"calls": [called_so]}]
    body = {"model": "laios", "input": "look", "tools": tools, "stream": True}
    async with daemon_with(*rules) as (_, http):
        told = [json.loads(data) for _, data in events(await http.post(RESPONSES, json=body))]
        item = told[-1]["response"]["output"][-1]
        assert (item["namespace"], item["name"]) == ("mcp__laios", "read")
        done = next(each for each in told if each["type"].endswith("arguments.done"))
        assert done["name"] == "read"
        result = {"type": "function_call_output", "call_id": item["call_id"], "output": "x = 1"}
        given = [{"role": "user", "content": "look"}, item, result]
        after = await http.post(RESPONSES, json=body | {"input": given, "stream": False})
        assert after.json()["output"][-1]["content"][0]["text"] == "An x."
        bad = [{"type": "namespace", "name": 7, "tools": [1, {"name": 2}]}]
        refused = await http.post(RESPONSES, json=body | {"tools": bad})
        assert "Tool 0 needs a name" in refused.json()["error"]["message"]
    odd = [{"type": "function", **TOOLS[0]["function"], "named": 3}]  # a field of ours
    async with daemon_with({"calls": [READ]}) as (_, http):
        answer = await http.post(RESPONSES, json=body | {"tools": odd, "stream": False})
        item = answer.json()["output"][-1]
        assert item["name"] == "read" and "namespace" not in item


@pytest.mark.parametrize("stream", [False, True])
async def test_ollama_s_protocol_has_arguments_as_objects(daemon_with, stream):
    """Whole calls, results by the tool's name and in order."""
    rules = [{"prompt": "^x = 1$", "reply": "An x."}, {"calls": [READ, READ]}]
    async with daemon_with(*rules) as (_, http):
        answer = await http.post(OLLAMA, json=ask(stream=stream))
        frames = [json.loads(line) for line in answer.text.splitlines()]
        calls = [call for frame in frames for call in frame["message"].get("tool_calls", ())]
        assert [call["function"]["arguments"] for call in calls] == [READ["arguments"]] * 2
        assert frames[-1]["done_reason"] == "stop"
        said = {"role": "assistant", "content": "", "tool_calls": calls}
        results = [{"role": "tool", "tool_name": "read", "content": "x = 1"}] * 2
        body = ask(*ask()["messages"], said, *results, stream=False)
        assert (await http.post(OLLAMA, json=body)).json()["message"]["content"] == "An x."


async def test_calls_in_openai_s_first_form_are_read_beside_tools(daemon_with):
    """`function_call`, and its result with the role `function`: chats from before there were tools
    go on."""
    call = {"name": "read", "arguments": '{"path": "calc.py"}'}
    talk = [
        *ask()["messages"],
        {"role": "assistant", "content": None, "function_call": call},
        {"role": "function", "name": "read", "content": "x = 1"},
        {"role": "assistant", "content": "An x.", "function_call": None, "tool_calls": None},
        {"role": "user", "content": "and now?"},
    ]
    with FakeOllama(Answer("Done.")) as fake:
        model = f"ollama/{next(iter(fake.models))}"
        names = {f"{role}_MODEL_NAME": model for role in ("CODER", "JUDGE", "REVIEWER")}
        async with daemon_with(**names, OLLAMA_HOST=fake.url) as (_, http):
            answer = await http.post(CHAT, json=ask(*talk, model="laios:raw"))
            assert message_of(answer)["content"] == "Done."
        _, called_it, result, said, _ = fake.requests[-1]["messages"]
    (made_call,) = called_it["tool_calls"]
    assert made_call["function"] == {"name": "read", "arguments": {"path": "calc.py"}}
    assert (result["role"], result["tool_call_id"]) == ("tool", made_call["id"])
    assert "tool_calls" not in said


@pytest.mark.parametrize("path", [CHAT, OLLAMA])
async def test_an_empty_id_of_a_call_is_none(daemon_with, path):
    """As of a result: the two are brought together by their order."""
    talk = [{**each} for each in called((READ, "x = 1"), (READ, "y = 2"))]
    for each in (*talk[1]["tool_calls"], *talk[2:]):
        each |= {"tool_call_id": ""} if "role" in each else {"id": ""}
    if path == OLLAMA:
        for call in talk[1]["tool_calls"]:
            call["function"]["arguments"] = READ["arguments"]
    async with daemon_with({"prompt": "^y = 2$", "reply": "Done."}) as (_, http):
        answer = await http.post(path, json=ask(*talk, model="laios:raw", stream=False))
        assert answer.status_code == 200 and "Done." in answer.text, answer.text


@pytest.mark.parametrize("title", ["Known to be wrong", "Not checked", "Not certain"])
async def test_a_model_is_not_shown_what_laios_put_below_its_words(daemon_with, title):
    """Beside tools as without them: it would write such lines itself."""
    said = {"role": "assistant", "content": f"An x.\n\n**{title}:** `it fails`"}
    talk = [{"role": "user", "content": "look"}, said, {"role": "user", "content": "go on"}]
    with FakeOllama(Answer("Done."), models=(Pulled("able"),)) as fake:
        names = {f"{role}_MODEL_NAME": "ollama/able" for role in ("CODER", "JUDGE", "REVIEWER")}
        async with daemon_with(**names, OLLAMA_HOST=fake.url) as (_, http):
            answer = await http.post(CHAT, json=ask(*talk, model="laios:raw"))
            assert message_of(answer)["content"] == "Done."
        assert [each["content"] for each in fake.requests[-1]["messages"]] == [
            *("look", "An x.", "go on")
        ]


async def test_one_tool_that_has_to_be_called_is_the_only_one_offered(daemon_with):
    """A choice that the model does not keep to is its failure; `none` offers nothing."""
    rules = [{"reply": "No.", "times": 1}, {"calls": [READ]}]
    chosen = {"type": "function", "function": {"name": "read"}}
    async with daemon_with(*rules) as (_, http):
        refused = await http.post(CHAT, json=ask(model="laios:raw", tool_choice=chosen))
        assert refused.status_code == 502 and "called no tool" in refused.text
        held = await http.post(CHAT, json=ask(tool_choice=chosen))
        assert made(message_of(held)) == [("read", {"path": "calc.py"})]
        none = await http.post(CHAT, json=ask(model="laios:raw", tool_choice="none"))
        assert "not offered" in none.json()["error"]["message"]


SINGLE = {
    CHAT: {"parallel_tool_calls": False},
    RESPONSES: {"parallel_tool_calls": False},
    MESSAGES: {"tool_choice": {"type": "auto", "disable_parallel_tool_use": True}},
}


@pytest.mark.parametrize(
    ("model", "asked"), [("laios", "x"), ("laios:raw", "x"), ("laios", "text")]
)
@pytest.mark.parametrize("path", SINGLE)
async def test_who_wants_one_call_at_a_time_gets_one(daemon_with, path, model, asked):
    """The first, streamed and whole, where a model makes two all the same; also where it writes
    them as a text."""
    two = [READ, {"name": "read", "arguments": {"path": "b.py"}}]
    rules = [{"prompt": "text", "reply": json.dumps(two)}, {"calls": two}]
    body = form_of(path, [{"role": "user", "content": asked}], TOOLS) | {"model": model}
    for form in FORMATS[path]:
        del body[form]
    async with daemon_with(*rules) as (daemon, http):
        for stream in (False, True):
            both = await http.post(path, json=body | {"stream": stream})
            assert "calc.py" in both.text and "b.py" in both.text, both.text
            one = await http.post(path, json=body | SINGLE[path] | {"stream": stream})
            assert "calc.py" in one.text and "b.py" not in one.text, one.text
            assert len(record_of(daemon, one)["artefact"]["tool_calls"]) == 1


def allowing(mode, *named):
    """A choice of a chat completion; of the Responses API without the level in between."""
    tools = [{"type": "function", "function": {"name": name}} for name in named]
    return {"type": "allowed_tools", "allowed_tools": {"mode": mode, "tools": tools}}


async def test_tools_that_are_allowed_are_the_only_ones_offered(daemon_with):
    """`allowed_tools`, in both of OpenAI's forms, with a mode that may ask for a call. Those that
    OpenAI itself carries out are left out there, too."""
    flat = [{"type": "function", "name": "read"}, {"type": "web_search"}]
    choices = [
        (CHAT, lambda mode: allowing(mode, "read")),
        (RESPONSES, lambda mode: {"type": "allowed_tools", "mode": mode, "tools": flat}),
    ]
    with FakeOllama(Answer("No."), models=(Pulled("able"),)) as fake:
        names = {f"{role}_MODEL_NAME": "ollama/able" for role in ("CODER", "JUDGE", "REVIEWER")}
        async with daemon_with(**names, OLLAMA_HOST=fake.url) as (_, http):
            for path, choice in choices:
                body = form_of(path, [{"role": "user", "content": "look"}], TOOLS)
                body |= {"model": "laios:raw", "tool_choice": choice("auto")}
                if path == RESPONSES:
                    body["tools"] = [{"type": "function"} | each["function"] for each in TOOLS]
                assert (await http.post(path, json=body)).status_code == 200
                offered = [each["function"]["name"] for each in fake.requests[-1]["tools"]]
                assert offered == ["read"]
                held = await http.post(path, json=body | {"tool_choice": choice("required")})
                assert held.status_code == 502 and "called no tool" in held.text


async def test_a_type_that_is_null_is_none(daemon_with):
    """A tool is offered and an item is read as if it had no type, not left out in silence."""
    offered = [{"type": None, "name": "read", "input_schema": {"type": "object"}}]
    item = {"type": None, "role": "user", "content": "look"}
    bodies = {
        MESSAGES: {"messages": [{"role": "user", "content": "look"}], "max_tokens": 99},
        RESPONSES: {"input": [item]},
    }
    async with daemon_with({"prompt": "^look$", "calls": [READ]}) as (_, http):
        for path, body in bodies.items():
            answer = await http.post(path, json=body | {"model": "laios:raw", "tools": offered})
            assert answer.status_code == 200 and "calc.py" in answer.text, answer.text


# --- edits are checked ----------------------------------------------------------------------------


async def test_a_file_that_does_not_parse_goes_back_to_the_model_once(daemon_with):
    """The client sees the corrected call alone; the record says what was held back and why."""
    rules = [
        {"prompt": r"held back and not carried out.*syntax error", "calls": [writing(GOOD)]},
        {"calls": [READ, writing(BROKEN)], "reply": "Here."},
    ]
    async with daemon_with(*rules) as (daemon, http):
        answer = await http.post(CHAT, json=ask())
        record = record_of(daemon, answer)
    assert made(message_of(answer)) == [("write", {"path": "calc.py", "content": GOOD})]
    assert BROKEN not in answer.text
    (held,) = record["artefact"]["held_back"]
    assert (held["tool"], held["files"]) == ("write", "calc.py")
    assert "syntax error at line 1" in held["why"]
    assert [step["label"] or "" for step in record["steps"]] == ["", "held back"]


async def test_what_fails_twice_reaches_the_client_and_the_record(daemon_with):
    """The agent's own tests may find it: a turn is never lost."""
    async with daemon_with({"calls": [writing("def f():\n    return missing\n")]}) as (
        daemon,
        http,
    ):
        answer = await http.post(CHAT, json=ask())
        record = record_of(daemon, answer)
    assert made(message_of(answer))[0][1]["content"].endswith("missing\n")
    found = [each["detail"] for each in record["evidence"]]
    assert found == ["calc.py: the name missing is not defined"]


async def test_raw_and_review_off_touch_nothing(daemon_with):
    """One call of the model, its arguments as they came."""
    for settings, model in (({}, "laios:raw"), ({"AGENT_REVIEW": "off"}, "laios")):
        async with daemon_with({"calls": [writing(BROKEN)]}, **settings) as (daemon, http):
            answer = await http.post(CHAT, json=ask(model=model))
            assert made(message_of(answer))[0][1]["content"] == BROKEN
            assert len(record_of(daemon, answer)["steps"]) == 1


EDIT = {"path": "calc.py", "old_string": "a + b", "new_string": "a + c"}


@pytest.mark.parametrize(
    "shown",
    [
        GOOD,
        "".join(f"{n:>6}\t{line}\n" for n, line in enumerate(GOOD.splitlines(), 1)),
        "<file>\n00001| def add(a, b):\n00002|     return a + b\n\n(End of file)\n</file>",
    ],
)
async def test_an_edit_is_checked_on_the_file_that_the_conversation_holds(daemon_with, shown):
    """Whatever form the reading tool gave it: the name that the edit brings in is found."""
    corrected = EDIT | {"new_string": "b + a"}
    rules = [
        {
            "prompt": "the name c is not defined",
            "calls": [{"name": "edit", "arguments": corrected}],
        },
        {"calls": [{"name": "edit", "arguments": EDIT}]},
    ]
    async with daemon_with(*rules) as (_, http):
        answer = await http.post(CHAT, json=ask(*called((READ, shown))))
        assert made(message_of(answer)) == [("edit", corrected)]


async def test_the_judge_is_asked_where_the_settings_say_so(daemon_with):
    """AGENT_REVIEW=judge: what it has against a file goes back to the model; it is shown the
    person's request and what was said before, never the agent's own instructions."""
    rules = [
        {"role": "judge", "prompt": "SECRET RULES", "fault": "failed"},
        {"role": "judge", "prompt": "calc is short", "verdict": [3, 2, "It subtracts."]},
        {"role": "coder", "prompt": "the judge says: It subtracts", "calls": [writing(GOOD)]},
        {"role": "coder", "calls": [writing(GOOD.replace("+", "-"))]},
    ]
    earlier = (
        {"role": "user", "content": "calc?"},
        {"role": "assistant", "content": "calc is short"},
    )
    talk = ({"role": "system", "content": "SECRET RULES"}, *earlier, *ask()["messages"])
    async with daemon_with(*rules, AGENT_REVIEW="judge") as (daemon, http):
        answer = await http.post(CHAT, json=ask(*talk))
        record = record_of(daemon, answer)
    assert made(message_of(answer))[0][1]["content"] == GOOD
    assert record["judge"]["confidence_score"] == 3


async def test_a_text_is_judged_where_it_is_the_code_that_was_asked_for(daemon_with):
    """One block answers a person: judged and reviewed as ever, by models that are not shown the
    agent's own instructions. A word about code is not."""
    rules = [
        {"role": "judge", "prompt": "SECRET RULES", "fault": "failed"},
        {"role": "reviewer", "prompt": "SECRET RULES", "fault": "failed"},
        {"role": "coder", "prompt": "explain", "reply": "It adds:\n\n```python\nx\n```\nBoth sum."},
        {"role": "coder", "reply": f"```python\n{GOOD}```"},
        {"role": "judge", "verdict": [2, 9, "It is wrong."]},
        {"role": "judge", "verdict": [9, 1, "Right."]},
        {"role": "reviewer", "reply": "def add(a, b):\n    return b + a\n"},
    ]
    async with daemon_with(*rules, JUDGE_REVIEW=False) as (daemon, http):
        system = {"role": "system", "content": "SECRET RULES"}
        answer = await http.post(CHAT, json=ask(system, *ask()["messages"]))
        assert "return b + a" in message_of(answer)["content"]
        assert record_of(daemon, answer)["escalated"] is True
        plain = await http.post(CHAT, json=ask({"role": "user", "content": "explain add"}))
        assert message_of(plain)["content"].endswith("Both sum.")
        assert record_of(daemon, plain)["judge"] is None


@pytest.mark.parametrize(
    "reply",
    [
        '```json\n{\n  "name": "read",\n  "arguments": {"path": "calc.py"}\n}\n```',
        '<tool_call>\n{"name": "read", "arguments": {"path": "calc.py"}}\n</tool_call>',
        '<tool_call>{"name": "read", "parameters": {"path": "calc.py"}}</tool_call>\n',
        '[{"name": "read", "arguments": {"path": "calc.py"}}]',
    ],
)
async def test_a_call_that_the_model_writes_as_text_is_one(daemon_with, reply):
    """Small models forget the marks of their template. In `laios:raw` nothing is touched."""
    async with daemon_with({"reply": reply}) as (daemon, http):
        answer = await http.post(CHAT, json=ask())
        assert made(message_of(answer)) == [("read", {"path": "calc.py"})]
        record = record_of(daemon, answer)
        assert record["steps"][0]["raw"] == reply and record["judge"] is None
        assert message_of(await http.post(CHAT, json=ask(model="laios:raw")))["content"] == reply


@pytest.mark.parametrize(
    "reply",
    [
        'Call {"name": "read", "arguments": {}}',
        '{"name": "nuke", "arguments": {}}',
        '{"name": "read", "arguments": "{}"}',
        '{"name": "read", "arguments": {}, "why": 1}',
        '{"name": "read", "arguments": {"n": 1' + "0" * 30 + "}}",
        '{"name": "read", "arguments": ' + '{"a": ' * 5000,
        '[{"name": "read", "arguments": {}}, 7]',
    ],
)
def test_what_is_more_than_calls_of_offered_tools_is_a_text(reply):
    """Or something else: nothing is guessed."""
    assert written_calls(reply, {"read"}) == ()


# --- models without tools -------------------------------------------------------------------------


async def test_a_model_without_tools_is_a_typed_error_or_a_chat(daemon_with):
    """An error for callers that want files changed, naming a model that can; a chat for others, or
    where the setting says so. One of several models that can call tools is asked."""
    models = (Pulled("able"), Pulled("plain", capabilities=("completion",)))
    with FakeOllama(Answer(GOOD), models=models) as fake:
        plain = {f"{role}_MODEL_NAME": "ollama/plain" for role in ("CODER", "JUDGE", "REVIEWER")}
        plain |= {"OLLAMA_HOST": fake.url, "MAX_DRAFTS": 1, "EVIDENCE_RUN": "off"}
        async with daemon_with(**plain) as (daemon, http):
            refused = await http.post(CHAT, json=ask())
            assert refused.status_code == 502
            assert "ollama/plain cannot call tools. Set CODER_MODEL" in refused.text
            chat = await http.post(CHAT, json=ask(tools=[tool("now")]))
            assert "return a + b" in message_of(chat)["content"]
            assert record_of(daemon, chat)["kind"] == "run"
        async with daemon_with(**plain, AGENT_FALLBACK="chat") as (_, http):
            assert message_of(await http.post(CHAT, json=ask()))["content"]
        fake.answers = [Answer("", calls=[READ])]
        both = plain | {"CODER_MODEL_NAME": "ollama/plain,ollama/able"}
        async with daemon_with(**both) as (_, http):
            assert made(message_of(await http.post(CHAT, json=ask())))[0][0] == "read"


SCHEMA = {"type": "object", "properties": {"answer": {"type": "integer"}}}
FORMED = '{"answer": 42}'
FORMATS = {
    CHAT: {"response_format": {"type": "json_schema", "json_schema": {"schema": SCHEMA}}},
    RESPONSES: {"text": {"format": {"type": "json_schema", "name": "x", "schema": SCHEMA}}},
    OLLAMA: {"format": SCHEMA, "stream": False},
    MESSAGES: {"output_config": {"format": {"type": "json_schema", "schema": SCHEMA}}},
}


def form_of(path, talk, tools):
    """A request whose answer has a form, by any protocol."""
    said = {"input": talk} if path == RESPONSES else {"messages": talk}
    if path == MESSAGES:
        tools = [{"name": each["function"]["name"], "input_schema": {}} for each in tools]
    return {"model": "laios", "tools": tools, "max_tokens": 1000, **said, **FORMATS[path]}


@pytest.mark.parametrize("path", FORMATS)
async def test_an_agent_whose_answer_has_a_form_is_offered_its_tools(daemon_with, path):
    """The model is told the form, may call tools all the same, and its text comes back as it is:
    neither judged nor in a fence, even where it is code."""
    rules = [
        {"prompt": "count", "calls": [READ]},
        {"role": "coder", "prompt": '"answer"', "reply": FORMED},
    ]
    async with daemon_with(*rules) as (daemon, http):
        counting = form_of(path, [{"role": "user", "content": "count"}], TOOLS)
        called_tool = await http.post(path, json=counting)
        assert "calc.py" in called_tool.text and record_of(daemon, called_tool)["kind"] == "agent"
        plain = await http.post(path, json=form_of(path, [{"role": "user", "content": "x"}], TOOLS))
        assert record_of(daemon, plain)["final_output"] == FORMED
        assert json.dumps(FORMED) in plain.text
        assert record_of(daemon, plain)["judge"] is None


@pytest.mark.parametrize("path", FORMATS)
async def test_a_form_stays_where_the_model_takes_no_tools(daemon_with, path):
    """The request is a chat without tools there, and a chat's answer in a form is held to it."""
    models = (Pulled("plain", capabilities=("completion",)),)
    with FakeOllama(Answer(FORMED), models=models) as fake:
        names = {f"{role}_MODEL_NAME": "ollama/plain" for role in ("CODER", "JUDGE", "REVIEWER")}
        async with daemon_with(**names, OLLAMA_HOST=fake.url) as (daemon, http):
            body = form_of(path, [{"role": "user", "content": "x"}], [tool("now")])
            answer = await http.post(path, json=body)
            assert json.dumps(FORMED) in answer.text
            assert record_of(daemon, answer)["kind"] == "auxiliary"
        assert fake.requests[-1]["format"] == SCHEMA


# --- bad input ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("body", "why"),
    [
        (ask(tools=[*TOOLS, TOOLS[0]]), "Two tools are called 'read'"),
        (ask(tools=["x"]), "Tool 0 must be an object"),
        (ask(tools=[tool("a b")]), "Tool 0 needs a name"),
        (ask(tools=[{"type": "function", "function": {"name": "x", "parameters": 1}}]), "Schema"),
        (ask(tool_choice={"type": "function", "function": {"name": "z"}}), "not one of the tools"),
        (ask(tool_choice=allowing("auto", "read", "z")), "'z', which is not one of the tools"),
        (ask(tool_choice=allowing("any", "read")), '"mode" of the allowed tools'),
        (ask(tool_choice=allowing("auto")), '"tools" that are allowed'),
        (ask(*called((READ, "x"))[::2]), "'c0' that no earlier message makes"),
        (
            ask(
                {"role": "user", "content": "x"},
                {
                    "role": "assistant",
                    "tool_calls": [{"id": "1", "function": {"name": "f", "arguments": "{"}}],
                },
            ),
            "not a JSON object",
        ),
        (ask({"role": "user", "content": "x"}, {"role": "assistant", "tool_calls": [7]}), "name"),
    ],
)
async def test_what_cannot_be_read_is_refused_with_its_place(daemon_with, body, why):
    """In OpenAI's form and in Ollama's; nothing is run."""
    async with daemon_with({"reply": "x"}) as (daemon, http):
        answer = await http.post(CHAT, json=body)
        assert (answer.status_code, answer.json()["error"]["code"]) == (400, "bad_request")
        assert why in answer.json()["error"]["message"]
        if "'c0'" not in why and "tool_choice" not in body:  # Ollama has neither
            assert why in (await http.post(OLLAMA, json=body)).json()["error"]
        assert not list(daemon.parts.reader)


async def test_tools_of_a_megabyte_and_five_hundred_of_them(daemon_with):
    """What does not fit the model's window is an error that says so; what fits is offered."""
    large = tool("large") | {}
    large["function"] = large["function"] | {"description": "x" * 1_000_000}
    many = [tool(f"tool_{n}") for n in range(500)]
    async with daemon_with({"calls": [{"name": "tool_499"}]}) as (_, http):
        answer = await http.post(CHAT, json=ask(tools=[large]))
        assert answer.status_code == 400
        assert answer.json()["error"]["code"] == "context_length_exceeded"
        answer = await http.post(CHAT, json=ask(tools=many))
        assert made(message_of(answer)) == [("tool_499", {})]


@pytest.mark.parametrize("path", [CHAT, OLLAMA])
@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize(
    ("call", "why"),
    [
        ({"name": "nuke", "arguments": {}}, "'nuke', which was not offered"),
        ({"name": "read", "arguments": '{"path": '}, "not a JSON object"),
        ({"name": "read", "arguments": "[1]"}, "not a JSON object"),
    ],
)
async def test_a_call_that_nobody_could_carry_out_is_an_error(daemon_with, path, stream, call, why):
    """Of a tool that was not offered, or with arguments that are none: in the protocol's own form,
    raw at once, reviewed after the model was told."""
    async with daemon_with({"calls": [call]}) as (daemon, http):
        for model, steps in (("laios:raw", 1), ("laios", 2)):
            answer = await http.post(path, json=ask(model=model, stream=stream))
            error = last_of(answer)["error"]
            assert why in (error if path == OLLAMA else error["message"])
            assert len(record_of(daemon, answer)["steps"]) == steps


def last_of(answer):
    """The last object of a stream, or the whole answer."""
    lines = [line.removeprefix("data: ") for line in answer.text.split("\n") if line]
    return json.loads([line for line in lines if line.startswith("{")][-1])


@pytest.mark.parametrize("path", [CHAT, RESPONSES, MESSAGES])
async def test_a_call_that_the_backend_cuts_is_an_error_in_the_stream(daemon_with, path):
    """Half a call never looks like a whole one: no finish reason and nothing that ends the call, an
    error and the end."""
    body = ask(model="laios:raw", stream=True, max_tokens=1000)
    if path == MESSAGES:
        body["tools"] = [{"name": "write", "input_schema": {}}]
    if path == RESPONSES:
        body["input"] = body.pop("messages")
    async with daemon_with({"calls": [writing(GOOD)], "chunk": 5, "fault": "cut"}) as (_, http):
        answer = await http.post(path, json=body)
    assert "before its last frame" in json.dumps(last_of(answer))
    assert "write" in answer.text and '"finish_reason":"' not in answer.text
    assert ".done" not in answer.text and "content_block_stop" not in answer.text


async def test_what_was_said_before_reaches_the_model_as_it_did_then(daemon_with):
    """Word for word, or the engine would read all that follows anew: a person's message without its
    tags and the blanks around it, also once it is an earlier one; a call that comes without an id
    with the same id each time. The session stays the same, too."""
    asked = {"role": "user", "content": "///raw look at calc.py\n"}
    call = {"function": {"name": "read", "arguments": {"path": "calc.py"}}}
    looked = [
        {"role": "assistant", "content": "", "tool_calls": [call]},
        {"role": "tool", "tool_name": "read", "content": "x = 1"},
    ]
    on = [{"role": "assistant", "content": "An x."}, {"role": "user", "content": " and now? "}]
    with FakeOllama(Answer("An x.")) as fake:
        model = f"ollama/{next(iter(fake.models))}"
        names = {f"{role}_MODEL_NAME": model for role in ("CODER", "JUDGE", "REVIEWER")}
        async with daemon_with(**names, OLLAMA_HOST=fake.url) as (daemon, http):
            talks = [asked], [asked, *looked], [asked, *looked, *on]
            answers = [
                await http.post(OLLAMA, json=ask(*talk, model="laios:raw", stream=False))
                for talk in talks
            ]
            sessions = {record_of(daemon, answer)["session"] for answer in answers}
        shown = [request["messages"] for request in fake.requests]
    assert [len(messages) for messages in shown] == [1, 3, 5]
    assert shown[0] == shown[1][:1] and shown[1] == shown[2][:3]
    assert shown[2][0]["content"] == "look at calc.py" and shown[2][4]["content"] == "and now?"
    assert len(sessions) == 1
