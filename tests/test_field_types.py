"""Fields of a wrong type, in every protocol, over a real socket."""

import pytest

ASK = {"role": "user", "content": "add"}
ASKED = {"messages": [ASK]}
ROUTES = {
    "/v1/chat/completions": ASKED,
    "/v1/responses": {"input": "add"},
    "/v1/messages": ASKED,
    "/v1/messages/count_tokens": ASKED,
    "/v1/embeddings": {"input": "add"},
    "/api/chat": ASKED | {"stream": False},
    "/api/generate": {"prompt": "add", "stream": False},
    "/api/embed": {"input": "add"},
    "/api/show": {"model": "laios"},
}
VALUES = (True, 0, 1.5, "", "x", [], [1], {}, {"a": 1})

NUMBER, TEXT, TEXTS = (0, 1.5), ("", "x"), ("", "x", [])
ANY_OBJECT, TRUTH, LIST = ({}, {"a": 1}), (True,), ([],)
TOOLS = [{"type": "function", "function": {"name": "f", "parameters": {}}}]
CALLED = {"role": "assistant", "content": "", "tool_calls": {}}
AS_JSON = {"type": "json_schema", "json_schema": 5}
RESULT = {"type": "tool_result", "tool_use_id": "t", "content": 5}

# The values that each field takes; every other one is refused.
OPENAI = {
    "model": (),
    "stream": TRUTH,
    "temperature": NUMBER,
    "tools": LIST,
    "tool_choice": (*TEXT, *ANY_OBJECT),
    "parallel_tool_calls": TRUTH,
    "prompt_cache_key": TEXT,
}
OLLAMA = {
    "model": (),
    "stream": TRUTH,
    "options": ANY_OBJECT,
    "logprobs": TRUTH,
    "format": (*TEXT, *ANY_OBJECT),
}
TAKEN = {
    "/v1/chat/completions": OPENAI
    | {
        "messages": LIST,
        "stop": TEXTS,
        "n": NUMBER,
        "max_tokens": NUMBER,
        "max_completion_tokens": NUMBER,
        "logprobs": TRUTH,
        "stream_options": ANY_OBJECT,
        "response_format": ANY_OBJECT,
    },
    "/v1/responses": OPENAI
    | {
        "input": (*TEXT, [], [1]),
        "instructions": TEXT,
        "max_output_tokens": NUMBER,
        "text": ANY_OBJECT,
    },
    "/v1/messages": {
        "model": (),
        "messages": (),
        "system": TEXTS,
        "stream": TRUTH,
        "max_tokens": NUMBER,
        "temperature": NUMBER,
        "stop_sequences": TEXTS,
        "output_config": ANY_OBJECT,
        "tools": LIST,
        "tool_choice": ANY_OBJECT,
        "metadata": ANY_OBJECT,
        "thinking": ANY_OBJECT,
    },
    "/v1/messages/count_tokens": {"messages": (), "system": TEXTS, "tools": (*LIST, [1])},
    "/v1/embeddings": {
        "model": TEXT,
        "input": TEXT,
        "dimensions": (),
        "encoding_format": (),
    },
    "/api/chat": OLLAMA | {"messages": LIST, "tools": LIST},
    "/api/generate": OLLAMA
    | {
        "prompt": TEXT,
        "system": TEXT,
        "suffix": TEXT,
        "raw": TRUTH,
        "images": (*LIST, [1]),
        "context": LIST,
    },
    "/api/embed": {"model": TEXT, "options": ANY_OBJECT},
    "/api/show": {"model": ()},
}
# What is refused for more than its type names the message, the tool, or the models there are.
OTHERWISE = {"messages": ("Message 0", "user message"), "tools": ("Tool 0",), "model": ("Models:",)}

# Within a field that is of the right type; and what the message names.
INSIDE = [
    (
        "/v1/chat/completions",
        {"response_format": AS_JSON},
        "json_schema",
    ),
    ("/v1/chat/completions", {"logprobs": True, "top_logprobs": True}, "top_logprobs"),
    (
        "/v1/chat/completions",
        {"messages": [ASK, CALLED], "tools": TOOLS},
        "tool_calls",
    ),
    ("/v1/responses", {"text": {"format": "json_schema"}}, "format"),
    ("/v1/messages", {"output_config": {"format": "json_schema"}}, "format"),
    ("/v1/messages", {"metadata": {"user_id": 5}}, "user_id"),
    ("/v1/messages", {"messages": [{"role": "user", "content": [RESULT]}]}, "content"),
    ("/api/chat", {"options": {"stop": {}}}, "stop"),
    ("/api/chat", {"options": {"num_predict": "x"}}, "num_predict"),
    ("/api/chat", {"messages": [{"role": "user", "content": "a", "images": "x"}]}, "images"),
    ("/v1/embeddings", {"dimensions": 0}, "dimensions"),
    ("/v1/embeddings", {"dimensions": 2.5}, "dimensions"),
]


def message_of(path, answer):
    """What an error says, from its protocol's own form."""
    error = answer.json()["error"]
    if path.startswith("/api/"):
        return error
    is_anthropic = path.startswith("/v1/messages")
    assert error.keys() == ({"type", "message"} if is_anthropic else OPENAI_ERROR)
    assert error["type"] == "invalid_request_error"
    return error["message"]


OPENAI_ERROR = {"message", "type", "param", "code"}


@pytest.mark.parametrize("path", TAKEN)
async def test_a_field_of_a_wrong_type_is_refused_by_its_name(daemon_with, path):
    """True is no number, and what is empty has a type, too. Nothing is run, and null is a field
    that was left out."""
    async with daemon_with({"reply": "x = 1"}) as (daemon, http):
        for name, taken in TAKEN[path].items():
            known = [(type(value), value) for value in taken]
            for value in VALUES:
                if (type(value), value) in known or (name == "model" and value in ("", "x")):
                    continue
                answer = await http.post(path, json=ROUTES[path] | {name: value})
                assert answer.status_code == 400, (name, value)
                said = message_of(path, answer)
                named = (f'"{name}"', *OTHERWISE.get(name, ()))
                assert any(word in said for word in named), (name, value, said)
        assert not list(daemon.parts.reader)
        if "embed" not in path:
            unset = {name: None for name in TAKEN[path] if name not in ROUTES[path]}
            assert (await http.post(path, json=ROUTES[path] | unset)).status_code == 200


@pytest.mark.parametrize(("path", "fields", "name"), INSIDE)
async def test_so_is_a_wrong_type_within_a_field(daemon_with, path, fields, name):
    """By its own name."""
    async with daemon_with({"reply": "x = 1"}) as (daemon, http):
        answer = await http.post(path, json=ROUTES[path] | fields)
        assert answer.status_code == 400
        assert f'"{name}"' in message_of(path, answer)
        assert not list(daemon.parts.reader)


@pytest.mark.parametrize("path", ["/v1/chat/completions", "/api/chat"])
async def test_a_value_of_the_right_type_is_taken(daemon_with, path):
    """Also one that says nothing: an empty text to stop at, no texts, no tools."""
    fields = {"stop": "", "tools": [], "temperature": 0, "max_tokens": -1, "format": "yaml"}
    fields |= {"options": {"stop": [], "num_predict": -1}}
    async with daemon_with({"reply": "x = 1"}) as (_, http):
        assert (await http.post(path, json=ROUTES[path] | fields)).status_code == 200
