"""OpenAI's protocol over a real socket: chat completions and models."""

import asyncio
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from projects import BOTH, CLI, CORE, GOOD, PROMPT, TWO
from recorded import record_of

from laios.markdown_text import fenced
from server.protocols import answer_stream

CODE = "def add(a, b):\n    return a + b\n"
BLOCK = f"```python\n{CODE}```"
RULES = [{"role": "coder", "reply": CODE}, {"role": "judge", "verdict": [9, 1, "It is right."]}]
NARRATED = "Sure! Here it is:\n\n```python\nx = 1\n```\n\nHave fun."
CHAT = "/v1/chat/completions"


def ask(text, model="laios", **fields):
    return {"model": model, "messages": [{"role": "user", "content": text}], **fields}


def frames(body: str):
    """The data of a stream's events, up to [DONE]."""
    lines = [line for line in body.split("\n\n") if line]
    assert lines[-1] == "data: [DONE]"
    return [json.loads(line.removeprefix("data: ")) for line in lines[:-1] if line[0] != ":"]


def deltas(body: str, field: str):
    choices = [frame["choices"][0] for frame in frames(body) if frame.get("choices")]
    return [choice["delta"][field] for choice in choices if choice["delta"].get(field)]


async def test_every_mode_is_a_model(daemon_with):
    """The list, one of it, and an error in OpenAI's shape for a name that is none."""
    async with daemon_with(*RULES) as (_, http):
        listed = (await http.get("/v1/models")).json()
        names = [model["id"] for model in listed["data"]]
        assert names[0] == "laios"
        assert {"laios:raw", "laios:ctx", "laios:review-only"} <= set(names)
        assert (await http.get("/v1/models/laios:raw")).json() == next(
            model for model in listed["data"] if model["id"] == "laios:raw"
        )
        assert (await http.get("/v1/models/laios:latest")).json()["id"] == "laios"
        assert (await http.get("/v1/models/")).json() == listed
        missing = await http.get("/v1/models/gpt-5")
        assert missing.status_code == 404
        assert missing.json()["error"]["type"] == "not_found_error"
        assert "laios:raw" in missing.json()["error"]["message"]
        assert (await http.post(CHAT, json=ask("x", "gpt-5"))).status_code == 404


async def test_an_answer_is_one_fenced_block_with_its_costs(daemon_with):
    """Field by field, and the run is on record before the answer."""
    async with daemon_with(*RULES) as (daemon, http):
        answer = await http.post(CHAT, json=ask("add"), headers={"X-Laios-Session": "s1"})
        value = answer.json()
        record = record_of(daemon, answer)
    assert value["object"] == "chat.completion"
    assert value["id"].endswith(record["id"])
    assert value["model"] == "laios"
    (choice,) = value["choices"]
    assert choice["message"] == {"role": "assistant", "content": BLOCK, "refusal": None}
    assert choice["finish_reason"] == "stop"
    usage = value["usage"]
    assert usage["total_tokens"] == usage["prompt_tokens"] + usage["completion_tokens"]
    assert usage["completion_tokens"] == sum(step["output_tokens"] for step in record["steps"])
    assert 0 < usage["completion_tokens_details"]["reasoning_tokens"] < usage["completion_tokens"]
    assert record["final_output"] == CODE
    assert (record["source"], record["kind"], record["session"]) == ("openai", "run", "s1")


async def test_code_in_several_languages_is_shown_as_its_blocks(daemon_with):
    """Around fences there is no further one, in which a chat would show no colours."""
    document = "```toml\na = 1\n```\n\n`main.rs`:\n\n```rust\nfn main() {}\n```"
    reply = document.replace("`main.rs`", "File: main.rs")
    rules = ({"role": "coder", "reply": f"Sure:\n{reply}\nBye."}, *RULES[1:])
    async with daemon_with(*rules) as (daemon, http):
        answer = await http.post(CHAT, json=ask("a package"))
        assert answer.json()["choices"][0]["message"]["content"] == document
        record = record_of(daemon, answer)
    assert (record["final_output"], record["language"]) == (f"{document}\n", "markdown")


async def test_fences_can_be_switched_off(daemon_with):
    """FRONTEND_FENCES off: the bare code, as on the native API."""
    async with daemon_with(*RULES, FRONTEND_FENCES=False) as (_, http):
        value = (await http.post(CHAT, json=ask("add"))).json()
        assert value["choices"][0]["message"]["content"] == CODE


@given(st.text(st.sampled_from("`~ab\n ")), st.sampled_from(["python", None]))
def test_a_fence_holds_any_code(code, language):
    """Whatever the code is, a Markdown parser finds one block with exactly that in it."""
    tokens = MarkdownIt("commonmark").parse(fenced(code, language))
    assert [token.type for token in tokens] == ["fence"]
    assert tokens[0].content in (code, f"{code}\n")
    assert tokens[0].info == (language or "")


@pytest.mark.parametrize(
    ("model", "text", "mode"),
    [
        ("laios", "add", "code_reviewed"),
        ("laios:latest", "add", "code_reviewed"),
        ("laios:raw", "add", "code_raw"),
        ("laios:ctx", "add", "code_reviewed_ctx"),
        ("laios:raw", "///ctx add", "code_reviewed_ctx"),
        ("laios:ctx", '"///raw add"', "code_raw"),
        ("laios", "<attached_files>\n///x\n</attached_files>\n\n///raw add", "code_raw"),
        ("laios", "add\n///raw", "code_raw"),
    ],
)
async def test_a_tag_wins_over_the_model_s_name(daemon_with, model, text, mode):
    """Also in quotes, behind attachments and on the last line."""
    async with daemon_with(*RULES) as (daemon, http):
        answer = await http.post(CHAT, json=ask(text, model))
        record = record_of(daemon, answer)
    assert record["mode"] == mode
    assert "///raw" not in record["normalized_prompt"]
    assert ("<attached_files>" in record["normalized_prompt"]) == ("<attached_files>" in text)


FOLLOW_UP = [
    {"role": "system", "content": "Answer in German comments."},
    {"role": "user", "content": "///raw write fetch()"},
    {"role": "assistant", "content": "```python\ndef fetch(): ...\n```"},
    {"role": "user", "content": [{"type": "text", "text": "now make it async"}]},
]


async def test_a_follow_up_knows_the_conversation_and_the_preferences(daemon_with):
    """Earlier turns reach the coder as turns, without tags and fences; the system
    message stands behind our own instructions."""
    context = (
        r"user: write fetch\(\)\n\nassistant: def fetch\(\): \.\.\.\n\nuser: now make it async"
    )
    rules = [
        {"role": "coder", "prompt": context, "reply": CODE},
        {"role": "judge", "prompt": context, "verdict": [9, 1, "Right."]},
    ]
    async with daemon_with(*rules) as (daemon, http):
        answer = await http.post(CHAT, json={"model": "laios", "messages": FOLLOW_UP})
        assert answer.status_code == 200
        made = record_of(daemon, answer)
        assert made["normalized_prompt"] == "now make it async"
        assert made["prompt_is_part"] is True  # exports and replays leave it out
    preferences = r"automated pipeline[\s\S]*preferences[\s\S]*Answer in German comments\.$"
    async with daemon_with({"role": "coder", "prompt": preferences, "reply": CODE}) as (_, http):
        answer = await http.post(CHAT, json={"model": "laios:raw", "messages": FOLLOW_UP})
        assert answer.status_code == 200


async def test_the_conversation_can_be_left_out(daemon_with):
    """FRONTEND_CONTEXT=none: the prompt stands alone."""
    rules = [{"role": "coder", "prompt": "fetch", "fault": "failed"}, *RULES]
    async with daemon_with(*rules, FRONTEND_CONTEXT="none") as (daemon, http):
        answer = await http.post(CHAT, json={"model": "laios", "messages": FOLLOW_UP})
        assert answer.status_code == 200
        assert "prompt_is_part" not in record_of(daemon, answer)


async def test_a_long_conversation_is_trimmed_oldest_first(daemon_with):
    """The budget is that of the history block; the newest exchange stays whole. How many are left
    out stands in the record and the run's details, and among the stages."""
    turns = []
    for number in range(20):
        turns += [
            {"role": "user", "content": f"request {number} " + "x" * 300},
            {"role": "assistant", "content": f"answer_{number} = 1"},
        ]
    messages = [*turns, {"role": "user", "content": "go on"}]
    rules = [
        {"role": "coder", "prompt": "request 0 ", "fault": "failed"},
        {"role": "coder", "prompt": "user: request 19 .*\n\nassistant: answer_19", "reply": CODE},
        *RULES,
    ]
    async with daemon_with(*rules, HISTORY_CONTEXT_TOKENS=500) as (daemon, http):
        answer = await http.post(CHAT, json={"model": "laios:raw", "messages": messages})
        assert answer.status_code == 200
        assert record_of(daemon, answer)["context_left_out"] == 16
        known = await http.get(f"/runs/{answer.headers['x-laios-run-id']}")
        (note,) = known.json()["details"]["notes"]
        assert "oldest 16 exchanges do not fit" in note and "HISTORY_CONTEXT_TOKENS" in note
        body = {"model": "laios", "messages": messages, "stream": True}
        told = deltas((await http.post(CHAT, json=body)).text, "reasoning_content")
        assert told == [f"{note}\n", "drafting…\n", "judging…\n"]
        short = {"model": "laios", "messages": messages[-3:]}
        whole = record_of(daemon, await http.post(CHAT, json=short))
        assert "context_left_out" not in whole


async def test_history_and_conversation_go_together(daemon_with):
    """`laios:ctx` puts the session's records before the conversation, and says nothing twice."""
    once = r"(?s)^system: (?!.*write fetch.*write fetch).*user: old work.*user: write fetch.*now"
    rules = [
        {"role": "coder", "prompt": once, "reply": CODE},
        {"role": "coder", "prompt": "now make", "fault": "failed"},
        *RULES,
    ]
    session = {"X-Laios-Session": "s"}
    async with daemon_with(*rules) as (daemon, http):
        for text in ("old work", "///raw write fetch()"):
            await http.post(CHAT, json=ask(text), headers=session)
        body = {"model": "laios:ctx", "messages": FOLLOW_UP}
        answer = await http.post(CHAT, json=body, headers=session)
        assert answer.status_code == 200
        assert len(record_of(daemon, answer)["context_ids"]) == 1


CALL = {"id": "1", "type": "function", "function": {"name": "y", "arguments": "{}"}}


async def test_unknown_fields_and_parts_never_refuse_a_request(daemon_with):
    """Tools, formats, odd values, parts of earlier turns: whatever frontends send."""
    image = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}}
    body = {
        "model": "laios",
        "messages": [
            {"role": "user", "content": [image, {"type": "text", "text": "what is this?"}]},
            {"role": "assistant", "content": None, "tool_calls": [CALL]},
            {"role": "tool", "tool_call_id": "1", "content": "42"},
            {"role": "user", "name": "me", "content": ["add", {"type": "text", "text": "it"}]},
        ],
        "tools": [{"type": "function", "function": {"name": "x"}}],
        "tool_choice": "auto",
        "response_format": {"type": "text"},
        "max_tokens": -1,
        "temperature": None,
        "stream": None,
        "stream_options": None,
        "n": 1,
        "logit_bias": {},
        "whatever": [1],
    }
    async with daemon_with(*RULES) as (daemon, http):
        answer = await http.post(CHAT, json=body)
        assert answer.status_code == 200
        assert record_of(daemon, answer)["normalized_prompt"] == "add\nit"


async def test_a_sound_in_the_prompt_is_refused(daemon_with):
    """With what to do instead; nothing is run."""
    sound = {"type": "input_audio", "input_audio": {"format": "wav", "data": "AAAA"}}
    content = [{"type": "text", "text": "what is this?"}, sound]
    async with daemon_with(*RULES) as (daemon, http):
        answer = await http.post(CHAT, json=ask(content))
        assert answer.status_code == 400
        error = answer.json()["error"]
        assert error["type"] == "invalid_request_error"
        assert "laios only reads text" in error["message"]
        assert list(daemon.parts.reader) == []


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"messages": "x"},
        {"messages": []},
        {"messages": [1]},
        {"messages": [{"content": "x"}]},
        {"messages": [{"role": "system", "content": "x"}]},
        {"messages": [{"role": "user", "content": 5}]},
        {"messages": [{"role": "user", "content": [5]}]},
        {"messages": [{"role": "user", "content": "  "}]},
        {"messages": [{"role": "user", "content": "///rav x"}]},
    ],
)
async def test_what_cannot_be_read_is_a_400_in_openai_s_shape(daemon_with, body):
    """A message for people, a code for programs; SDKs are told not to try again."""
    async with daemon_with(*RULES) as (_, http):
        answer = await http.post(CHAT, json=body)
        assert answer.status_code == 400
        assert answer.json()["error"].keys() == {"message", "type", "param", "code"}
        assert answer.headers["x-should-retry"] == "false"


@pytest.mark.parametrize(
    "wrong",
    [
        *({"temperature": "hot"}, {"stream": "yes"}, {"max_tokens": [1]}, {"n": "2"}, {"n": 5}),
        *({"stop": 5}, {"stop": ["x", 5]}, {"n": 0}, {"model": 5}, {"tools": "abc"}),
        {"response_format": "json"},
    ],
)
async def test_a_field_of_a_wrong_type_is_refused_by_its_name(daemon_with, wrong):
    """What laios goes by is not left out in silence, and one answer is all that there is."""
    async with daemon_with(*RULES) as (_, http):
        answer = await http.post(CHAT, json=ask("add") | wrong)
        assert answer.status_code == 400
        assert answer.json()["error"]["type"] == "invalid_request_error"
        assert f'"{next(iter(wrong))}"' in answer.json()["error"]["message"]
        meant = {"n": 1, "temperature": None, "stream": None, "max_tokens": -1}
        assert (await http.post(CHAT, json=ask("add") | meant)).status_code == 200


async def test_errors_have_openai_s_shape_from_the_door_to_the_model(daemon_with):
    """The guard's, the router's, the queue's and the models'."""
    async with daemon_with(*RULES, API_TOKEN="secret-token") as (_, http):
        answer = await http.post(CHAT, json=ask("add"))
        assert answer.status_code == 401
        assert answer.json()["error"]["type"] == "authentication_error"
        token = {"Authorization": "Bearer secret-token"}
        answer = await http.get("/v1/nothing", headers=token)
        assert (answer.status_code, answer.json()["error"]["code"]) == (404, "not_found")
        answer = await http.get(CHAT, headers=token)
        assert (answer.status_code, answer.json()["error"]["code"]) == (405, "method_not_allowed")
        assert answer.json()["error"]["type"] == "invalid_request_error"
        assert (await http.post(CHAT, json=ask("add"), headers=token)).status_code == 200
    async with daemon_with({"role": "coder", "fault": "unreachable"}) as (_, http):
        answer = await http.post(CHAT, json=ask("add"))
        assert answer.status_code == 502
        assert answer.json()["error"]["code"] == "model_unreachable"
        assert answer.headers["x-should-retry"] == "false"
    async with daemon_with({"role": "coder", "fault": "too_long"}) as (_, http):
        answer = await http.post(CHAT, json=ask("add"))
        assert answer.status_code == 400
        assert answer.json()["error"]["code"] == "context_length_exceeded"
    busy = {"MAX_QUEUED_RUNS": 0, "MAX_CONCURRENT_RUNS": 1, "JOIN_LINGER_S": 0}
    async with daemon_with({"delay_ms": 60_000}, **busy) as (daemon, http):
        first = asyncio.create_task(http.post(CHAT, json=ask("one")))
        while not daemon.parts.scheduler.runs():
            await asyncio.sleep(0.01)
        answer = await http.post(CHAT, json=ask("two"))
        assert answer.status_code == 503
        assert int(answer.headers["retry-after"]) > 0
        assert "x-should-retry" not in answer.headers
        first.cancel()


# --- streams -----------------------------------------------------------------------------------


async def test_a_judged_stream_shows_its_stages_then_the_answer(daemon_with):
    """Role at once, progress as reasoning, the answer in one piece, the reason for the end; usage
    in a chunk of its own, if asked for; nothing of scores or verdicts."""
    async with daemon_with(*RULES) as (daemon, http):
        answer = await http.post(CHAT, json=ask("add", stream=True))
        assert answer.headers["content-type"].startswith("text/event-stream")
        chunks = frames(answer.text)
        assert record_of(daemon, answer)["final_output"] == CODE
        with_usage = ask("add", stream=True, stream_options={"include_usage": True})
        counted = frames((await http.post(CHAT, json=with_usage)).text)
    assert chunks[0]["choices"][0]["delta"] == {"role": "assistant", "content": ""}
    assert deltas(answer.text, "reasoning_content") == ["drafting…\n", "judging…\n"]
    assert deltas(answer.text, "content") == [BLOCK]
    last = chunks[-1]["choices"][0]
    assert (last["delta"], last["finish_reason"]) == ({}, "stop")
    assert all(chunk["choices"][0]["finish_reason"] is None for chunk in chunks[:-1])
    assert not any("usage" in chunk for chunk in chunks)
    assert "It is right" not in answer.text
    assert "id:" not in [line[:3] for line in answer.text.splitlines()]
    assert counted[-1]["choices"] == []
    assert counted[-1]["usage"]["completion_tokens"] > 0
    assert len({chunk["id"] for chunk in chunks}) == 1


async def test_the_record_is_there_before_the_end_is_told(daemon_with):
    """Whoever has seen the answer of a judged mode finds it in the history."""
    async with (
        daemon_with(*RULES) as (daemon, http),
        http.stream("POST", CHAT, json=ask("add", stream=True)) as answer,
    ):
        async for line in answer.aiter_lines():
            if "```" in line:
                assert record_of(daemon, answer)["final_output"] == CODE
                return
    raise AssertionError("no answer came")


async def test_who_waits_is_told_its_place(daemon_with):
    """The queue shows as reasoning too."""
    rules = [{"prompt": "slow", "reply": CODE, "delay_ms": 300}, *RULES]
    async with daemon_with(*rules, MAX_CONCURRENT_RUNS=1) as (daemon, http):
        first = asyncio.create_task(http.post(CHAT, json=ask("slow", "laios:raw")))
        while not daemon.parts.scheduler.runs():
            await asyncio.sleep(0.01)
        answer = await http.post(CHAT, json=ask("add", stream=True))
        assert deltas(answer.text, "reasoning_content")[0] == "waiting, number 1 in the queue…\n"
        await first


async def test_progress_can_be_switched_off(daemon_with):
    """FRONTEND_PROGRESS off: no reasoning."""
    async with daemon_with(*RULES, FRONTEND_PROGRESS=False) as (_, http):
        answer = await http.post(CHAT, json=ask("add", stream=True))
        assert deltas(answer.text, "reasoning_content") == []
        assert deltas(answer.text, "content") == [BLOCK]


async def test_raw_passes_the_model_s_reply_through_token_by_token(daemon_with):
    """As it came, narration, fences and thinking included; the record has the code."""
    rule = {"role": "coder", "reply": NARRATED, "chunk": 4, "thinking": "hm"}
    async with daemon_with(rule) as (daemon, http):
        answer = await http.post(CHAT, json=ask("x", "laios:raw", stream=True))
        pieces = deltas(answer.text, "content")
        assert len(pieces) == -(-len(NARRATED) // 4)
        assert "".join(pieces) == NARRATED
        assert deltas(answer.text, "reasoning_content") == ["hm"]
        assert record_of(daemon, answer)["final_output"] == "x = 1\n"
        value = (await http.post(CHAT, json=ask("x", "laios:raw"))).json()
        assert value["choices"][0]["message"]["content"] == NARRATED


async def test_a_raw_answer_that_was_cut_off_says_so(daemon_with):
    """`finish_reason: length`, streamed and not; in the history it is the failure that it is."""
    rule = {"role": "coder", "reply": "x = [1, 2", "finish_reason": "length"}
    async with daemon_with(rule) as (daemon, http):
        answer = await http.post(CHAT, json=ask("x", "laios:raw", max_tokens=77))
        choice = answer.json()["choices"][0]
        assert (choice["message"]["content"], choice["finish_reason"]) == ("x = [1, 2", "length")
        assert record_of(daemon, answer)["error"]["code"] == "model_failed"
        answer = await http.post(CHAT, json=ask("x", "laios:raw", stream=True))
        assert frames(answer.text)[-1]["choices"][0]["finish_reason"] == "length"
        assert "".join(deltas(answer.text, "content")) == "x = [1, 2"


@pytest.mark.parametrize("stop", ["\n", ["lambda", "\n", ""]])
async def test_a_raw_answer_ends_before_the_text_at_which_it_is_to_stop(daemon_with, stop):
    """Streamed and not; a judged draft has to be whole."""
    rules = [{"role": "coder", "reply": "x = 1\ny = 2\n"}, *RULES[1:]]
    async with daemon_with(*rules) as (_, http):
        answer = await http.post(CHAT, json=ask("x", "laios:raw", stop=stop))
        choice = answer.json()["choices"][0]
        assert (choice["message"]["content"], choice["finish_reason"]) == ("x = 1", "stop")
        answer = await http.post(CHAT, json=ask("x", "laios:raw", stop=stop, stream=True))
        assert "".join(deltas(answer.text, "content")) == "x = 1"
        answer = await http.post(CHAT, json=ask("x", stop=stop))
        assert "y = 2" in answer.json()["choices"][0]["message"]["content"]


async def test_an_error_in_mid_stream_is_an_error_object_then_the_end(daemon_with):
    """The status is out already: the error stands in the stream, and on record."""
    rule = {"role": "coder", "reply": CODE, "chunk": 5, "fault": "cut"}
    async with daemon_with(rule) as (daemon, http):
        answer = await http.post(CHAT, json=ask("x", "laios:raw", stream=True))
        assert answer.status_code == 200
        assert frames(answer.text)[-1]["error"]["code"] == "model_failed"
        assert record_of(daemon, answer)["error"]["code"] == "model_failed"


async def test_a_silent_stream_is_kept_alive_by_comments(daemon_with, monkeypatch):
    """Whole comment events between the others, at the latest after SILENCE_S without a byte."""
    assert answer_stream.SILENCE_S < 10
    monkeypatch.setattr(answer_stream, "SILENCE_S", 0.05)
    rules = [{"role": "coder", "reply": CODE, "delay_ms": 400}, RULES[1]]
    async with daemon_with(*rules) as (_, http):
        answer = await http.post(CHAT, json=ask("add", stream=True))
        events = answer.text.split("\n\n")
        assert events.count(": ping") >= 3
        assert deltas(answer.text, "content") == [BLOCK]


async def test_many_streams_at_once_are_complete_and_in_order(daemon_with):
    """64 of them, each with a text of its own."""
    texts = {n: " ".join(f"{n}-{k}" for k in range(50)) for n in range(64)}
    rules = [
        {"role": "coder", "prompt": f"number {n}!", "reply": text, "chunk": 7, "pause_ms": 1}
        for n, text in texts.items()
    ]
    async with daemon_with(*rules, MAX_CONCURRENT_RUNS=64) as (_, http):
        answers = await asyncio.gather(
            *(http.post(CHAT, json=ask(f"number {n}!", "laios:raw", stream=True)) for n in texts)
        )
    for n, answer in enumerate(answers):
        assert "".join(deltas(answer.text, "content")) == texts[n]


# --- origins -----------------------------------------------------------------------------------


async def test_web_pages_get_in_by_name_alone(daemon_with):
    """No CORS unless ALLOWED_ORIGINS names the origin; then preflights need no token."""
    page = {"Origin": "http://chat.example:3000"}
    preflight = page | {
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "authorization, content-type",
    }
    async with daemon_with(*RULES) as (_, http):
        assert (await http.post(CHAT, json=ask("add"), headers=page)).status_code == 403
        refused = await http.options(CHAT, headers=preflight)
        assert "access-control-allow-origin" not in refused.headers
    named = {"ALLOWED_ORIGINS": ("http://chat.example:3000",), "API_TOKEN": "secret-token"}
    async with daemon_with(*RULES, **named) as (_, http):
        allowed = await http.options(CHAT, headers=preflight)
        assert allowed.status_code == 200
        assert allowed.headers["access-control-allow-origin"] == page["Origin"]
        assert "authorization" in allowed.headers["access-control-allow-headers"]
        unauthorized = await http.post(CHAT, json=ask("add"), headers=page)
        assert unauthorized.status_code == 401
        assert unauthorized.headers["access-control-allow-origin"] == page["Origin"]
        token = {"Authorization": "Bearer secret-token"}
        assert (await http.post(CHAT, json=ask("add"), headers=page | token)).status_code == 200
        other = {"Origin": "http://evil.example"}
        assert (await http.post(CHAT, json=ask("x"), headers=other | token)).status_code == 403


# --- modes with answers of other forms ---------------------------------------------------------


async def test_a_project_comes_as_headings_and_fenced_files(daemon_with):
    """`laios:files`: Markdown, shown as it is and not fenced once more."""
    async with daemon_with(TWO, *BOTH, GOOD) as (daemon, http):
        answer = await http.post(CHAT, json=ask(PROMPT, "laios:files"))
        text = answer.json()["choices"][0]["message"]["content"]
        assert record_of(daemon, answer)["mode"] == "code_files"
    blocks = [t for t in MarkdownIt("commonmark").parse(text) if t.type == "fence"]
    assert not text.startswith("```")
    assert {CORE, CLI} <= {block.content for block in blocks}
