"""Ollama's protocol over a real socket: what clients look at first, chat and generate."""

import asyncio
import json
import re
import shutil
from pathlib import Path

import pytest
from recorded import record_of, records
from waiting import until

from pipeline.request import Turn
from server.protocols import answer_stream
from server.protocols.generate_context import MARK, MAX_BYTES, context_of, turns_of

CODE = "def add(a, b):\n    return a + b\n"
BLOCK = f"```python\n{CODE}```"
RULES = [{"role": "coder", "reply": CODE}, {"role": "judge", "verdict": [9, 1, "It is right."]}]
NARRATED = "Sure! Here it is:\n\n```python\nx = 1\n```\n\nHave fun."
CHAT, GENERATE = "/api/chat", "/api/generate"
NANOSECONDS = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{9}Z")
METRICS = {
    "total_duration",
    "prompt_eval_count",
    "prompt_eval_duration",
    "eval_count",
    "eval_duration",
}


def ask(text, model="laios", **fields):
    return {"model": model, "messages": [{"role": "user", "content": text}], **fields}


def lines(answer):
    """The frames of a stream: each line is one, and the last one is complete as well."""
    assert answer.headers["content-type"] == "application/x-ndjson"
    assert answer.text.endswith("\n")
    return [json.loads(line) for line in answer.text.splitlines()]


def said(frames, field="content"):
    messages = [frame["message"] for frame in frames if "message" in frame]
    return [message[field] for message in messages if message.get(field)]


# --- what clients look at first ---------------------------------------------------------------


async def test_it_says_that_it_runs(daemon_with):
    """The text that clients wait for, also to HEAD, and a version that they accept; a browser is
    shown the dashboard."""
    async with daemon_with(*RULES) as (_, http):
        page = await http.get("/", headers={"Accept": "text/html,*/*;q=0.8"})
        assert (page.status_code, page.headers["location"]) == (303, "/dashboard")
        root = await http.get("/")
        assert (root.status_code, root.text) == (200, "Ollama is running")
        assert root.headers["content-type"].startswith("text/plain")
        assert (await http.head("/")).status_code == 200
        version = (await http.get("/api/version")).json()["version"]
        assert [int(part) for part in version.split(".")] >= [0, 13, 4]


async def test_every_mode_is_listed_as_a_model(daemon_with):
    """With each field that strict clients read; digests tell modes apart and stay the same."""
    async with daemon_with(*RULES) as (_, http):
        listed = (await http.get("/api/tags")).json()["models"]
        assert listed == (await http.get("/api/tags")).json()["models"]
    names = [model["name"] for model in listed]
    assert names[0] == "laios:latest"
    assert {"laios:raw", "laios:ctx", "laios:review-only"} <= set(names)
    assert len({model["digest"] for model in listed}) == len(listed)
    for model in listed:
        assert model["model"] == model["name"]
        assert re.fullmatch("[0-9a-f]{64}", model["digest"])
        assert NANOSECONDS.fullmatch(model["modified_at"])
        assert isinstance(model["size"], int)
        tools = {"tools"} if model["name"] in ("laios:latest", "laios:raw") else set()
        assert {"completion", "thinking"} | tools == set(model["capabilities"])
        details = model["details"]
        for field in ("format", "family", "parameter_size", "quantization_level"):
            assert details[field] and isinstance(details[field], str)


async def test_tools_are_a_capability_where_the_model_calls_them(daemon_with):
    """The starter calls none, and no mode of it says so."""
    starter = {f"{role}_MODEL_NAME": "local/starter" for role in ("CODER", "JUDGE", "REVIEWER")}
    async with daemon_with(**starter) as (_, http):
        shown = (await http.post("/api/show", json={"model": "laios"})).json()
        assert shown["capabilities"] == ["completion", "thinking"]


@pytest.mark.skipif(shutil.which("bwrap") is None, reason="it needs bubblewrap")
async def test_the_page_on_connecting_shows_what_is_there(daemon_with):
    """Its list of models is that of the daemon, its transcript a talk with the starter."""
    page = (Path(__file__).parent.parent / "docs/connect.md").read_text()
    page = page[page.index("## As an Ollama server") :]
    asked = json.loads(re.search(r"-d '(.+)'", page)[1])
    shown = [json.loads(line) for line in page.splitlines() if line.startswith("{")]
    models = {f"{role}_MODEL_NAME": "local/starter" for role in ("CODER", "JUDGE", "REVIEWER")}
    async with daemon_with(**models) as (_, http):
        listed = [row["name"] for row in (await http.get("/api/tags")).json()["models"]]
        answered = lines(await http.post(CHAT, json=asked))
    assert re.findall(r"`(laios:[\w-]+)`", page.partition("```")[0]) == listed
    assert [row["message"] for row in shown] == [row["message"] for row in answered]
    loading = {"load_duration"}  # of the first answer alone
    assert [{*row} for row in shown] == [{*row} - loading for row in answered]


@pytest.mark.parametrize("field", ["model", "name"])
async def test_a_model_is_shown(daemon_with, field):
    """By either field; the window is the setting's, where its models have no shorter one, the name
    tells the mode."""
    async with daemon_with(*RULES, MAX_CONTEXT_TOKENS=9000) as (_, http):
        shown = (await http.post("/api/show", json={field: "laios:raw"})).json()
        assert shown["capabilities"] == ["completion", "thinking", "tools"]
        assert shown["model_info"] == {
            "general.architecture": "laios",
            "general.basename": "laios:raw",
            "laios.context_length": 9000,
        }
        assert shown["parameters"] == "num_ctx 9000"
        assert shown["template"] == "{{ .Prompt }}"
        assert shown["details"]["family"] == "laios"
        assert NANOSECONDS.fullmatch(shown["modified_at"])
        assert "not judged" in shown["modelfile"]
        default = (await http.post("/api/show", json={field: "laios"})).json()
        assert default["model_info"]["general.basename"] == "laios"


async def test_a_model_that_is_none_is_a_404(daemon_with):
    """On each route that takes a name, also where nothing is asked; the error names those that
    there are."""
    async with daemon_with(*RULES) as (_, http):
        for path in (CHAT, GENERATE, "/api/show"):
            for more in ({}, {"messages": ask("x")["messages"], "prompt": "x"}):
                answer = await http.post(path, json={"model": "llama3"} | more)
                assert answer.status_code == 404
                assert answer.json().keys() == {"error"}
                assert "'llama3'" in answer.json()["error"]
                assert "laios:raw" in answer.json()["error"]
        nameless = await http.post("/api/show", json={})
        assert (nameless.status_code, nameless.json().keys()) == (400, {"error"})


@pytest.mark.parametrize(
    ("method", "path", "way"),
    [
        ("POST", "/api/pull", "laios models pull"),
        ("POST", "/api/push", "laios models pull"),
        ("POST", "/api/create", "laios models pull"),
        ("POST", "/api/copy", "laios models pull"),
        ("DELETE", "/api/delete", "laios models pull"),
        ("POST", "/api/blobs/sha256:abc", "laios models pull"),
        ("GET", "/api/nothing", "/api/nothing"),
    ],
)
async def test_what_is_not_here_says_where_it_is(daemon_with, method, path, way):
    """A 404 in Ollama's shape, with the way to what was wanted."""
    async with daemon_with(*RULES) as (_, http):
        answer = await http.request(method, path, json={"model": "laios"})
        assert answer.status_code == 404
        assert way in answer.json()["error"]


# --- chat ---------------------------------------------------------------------------------------


async def test_a_chat_in_one_piece(daemon_with):
    """Field by field; counts are the record's; the record is there before the answer."""
    async with daemon_with(*RULES) as (daemon, http):
        answer = await http.post(CHAT, json=ask("add", stream=False))
        value, record = answer.json(), record_of(daemon, answer)
    assert value.keys() == {"model", "created_at", "message", "done", "done_reason"} | METRICS
    assert value["model"] == "laios"
    assert NANOSECONDS.fullmatch(value["created_at"])
    assert value["message"] == {"role": "assistant", "content": BLOCK}
    assert (value["done"], value["done_reason"]) == (True, "stop")
    steps = record["steps"]
    assert value["eval_count"] == sum(step["output_tokens"] for step in steps)
    assert value["prompt_eval_count"] == sum(step["prompt_tokens"] for step in steps)
    assert (record["source"], record["kind"]) == ("ollama", "run")
    assert record["final_output"] == CODE


async def test_durations_are_nanoseconds(daemon_with):
    """Waiting for the first token is the prompt's share, the tokens are the answer's; both are in
    the whole."""
    slow = {"role": "coder", "reply": CODE, "delay_ms": 60, "chunk": 16, "pause_ms": 40}
    async with daemon_with(slow) as (_, http):
        value = (await http.post(CHAT, json=ask("x", "laios:raw", stream=False))).json()
    assert value["prompt_eval_duration"] >= 59_000_000
    assert value["eval_duration"] >= 39_000_000
    parts = value["prompt_eval_duration"] + value["eval_duration"]
    assert parts <= value["total_duration"] < 10_000_000_000


async def test_a_judged_stream_shows_its_stages_then_the_answer(daemon_with):
    """The default is a stream: an empty frame at once, progress as thinking, the answer in one
    piece, then the reason and the counts; nothing of scores or verdicts."""
    async with daemon_with(*RULES) as (daemon, http):
        answer = await http.post(CHAT, json=ask("add", "laios:latest"))
        frames = lines(answer)
        assert record_of(daemon, answer)["final_output"] == CODE
    assert [frame["message"] for frame in frames] == [
        {"role": "assistant", "content": ""},
        {"role": "assistant", "content": "", "thinking": "drafting…\n"},
        {"role": "assistant", "content": "", "thinking": "judging…\n"},
        {"role": "assistant", "content": BLOCK},
        {"role": "assistant", "content": ""},
    ]
    *pieces, last = frames
    assert all(frame.keys() == {"model", "created_at", "message", "done"} for frame in pieces)
    assert not any(frame["done"] for frame in pieces)
    assert last.keys() == {"model", "created_at", "message", "done", "done_reason"} | METRICS
    assert (last["done"], last["done_reason"]) == (True, "stop")
    assert {frame["model"] for frame in frames} == {"laios:latest"}
    times = [frame["created_at"] for frame in frames]
    assert times == sorted(times)
    assert "It is right" not in answer.text


async def test_progress_can_be_switched_off(daemon_with):
    """For all by FRONTEND_PROGRESS, for one request by `think: false`."""
    async with daemon_with(*RULES, FRONTEND_PROGRESS=False) as (_, http):
        frames = lines(await http.post(CHAT, json=ask("add")))
        assert (said(frames, "thinking"), said(frames)) == ([], [BLOCK])
    async with daemon_with(*RULES) as (_, http):
        frames = lines(await http.post(CHAT, json=ask("add", think=False)))
        assert (said(frames, "thinking"), said(frames)) == ([], [BLOCK])
        for think in (True, "high", None):
            frames = lines(await http.post(CHAT, json=ask("add", think=think)))
            assert said(frames, "thinking")


async def test_raw_passes_the_model_s_reply_through_token_by_token(daemon_with):
    """As it came: narration, fences and thinking; the record has the code."""
    rule = {"role": "coder", "reply": NARRATED, "chunk": 4, "thinking": "hm"}
    async with daemon_with(rule) as (daemon, http):
        answer = await http.post(CHAT, json=ask("x", "laios:raw"))
        frames = lines(answer)
        assert said(frames) == [NARRATED[n : n + 4] for n in range(0, len(NARRATED), 4)]
        assert said(frames, "thinking") == ["hm"]
        assert record_of(daemon, answer)["final_output"] == "x = 1\n"
        whole = (await http.post(CHAT, json=ask("x", "laios:raw", stream=False))).json()
        assert whole["message"]["content"] == NARRATED


async def test_the_record_is_there_before_the_last_frame(daemon_with):
    """Whoever has read `done` finds the run in the history."""
    async with (
        daemon_with({"role": "coder", "reply": CODE, "chunk": 4}) as (daemon, http),
        http.stream("POST", CHAT, json=ask("x", "laios:raw")) as answer,
    ):
        async for line in answer.aiter_lines():
            if json.loads(line)["done"]:
                assert record_of(daemon, answer)["final_output"] == CODE


async def test_a_raw_answer_that_was_cut_off_says_so(daemon_with):
    """`done_reason: length`, streamed and not."""
    rule = {"role": "coder", "reply": "x = [1, 2", "finish_reason": "length"}
    async with daemon_with(rule) as (_, http):
        body = ask("x", "laios:raw", options={"num_predict": 77})
        whole = (await http.post(CHAT, json=body | {"stream": False})).json()
        assert (whole["message"]["content"], whole["done_reason"]) == ("x = [1, 2", "length")
        frames = lines(await http.post(CHAT, json=body))
        assert "".join(said(frames)) == "x = [1, 2"
        assert frames[-1]["done_reason"] == "length"


async def test_a_raw_answer_ends_before_the_text_at_which_it_is_to_stop(daemon_with):
    """As Ollama has it: among the options."""
    async with daemon_with({"role": "coder", "reply": "x = 1\ny = 2\n"}) as (_, http):
        body = ask("x", "laios:raw", options={"stop": ["\n"]})
        assert "".join(said(lines(await http.post(CHAT, json=body)))) == "x = 1"


async def test_an_error_in_mid_stream_is_a_line_then_the_end(daemon_with):
    """What came stays; no frame says that it is done; the record has the error."""
    rule = {"role": "coder", "reply": CODE, "chunk": 5, "fault": "cut"}
    async with daemon_with(rule) as (daemon, http):
        answer = await http.post(CHAT, json=ask("x", "laios:raw"))
        *pieces, last = lines(answer)
        assert answer.status_code == 200
        assert "".join(said(pieces)) == CODE
        assert last.keys() == {"error"}
        assert not any(frame["done"] for frame in pieces)
        error = record_of(daemon, answer)["error"]
        assert (error["code"], error["message"]) == ("model_failed", last["error"])


async def test_a_silent_stream_is_kept_alive_by_empty_frames(daemon_with, monkeypatch):
    """Frames like any other, without text, which every client can read."""
    monkeypatch.setattr(answer_stream, "SILENCE_S", 0.05)
    rules = [{"role": "coder", "reply": CODE, "delay_ms": 400}, RULES[1]]
    async with daemon_with(*rules) as (_, http):
        frames = lines(await http.post(CHAT, json=ask("add", think=False)))
        empty = {"role": "assistant", "content": ""}
        beats = [frame for frame in frames[1:-1] if frame["message"] == empty]
        assert len(beats) >= 3
        assert said(frames) == [BLOCK]
        frames = lines(await http.post(GENERATE, json={"model": "laios", "prompt": "add"}))
        assert sum(frame["response"] == "" and "thinking" not in frame for frame in frames) >= 4


async def test_a_follow_up_knows_the_conversation_and_the_preferences(daemon_with):
    """Earlier turns and system messages reach the coder; only the last message is the prompt."""
    shown = r"user: write fetch\(\)\n\nassistant: def fetch\(\): \.\.\.\n\nuser: now make it async"
    messages = [
        {"role": "system", "content": "Comment in German."},
        {"role": "user", "content": "///raw write fetch()"},
        {"role": "assistant", "content": "```python\ndef fetch(): ...\n```", "thinking": "hm"},
        {"role": "user", "content": "now make it async"},
    ]
    rules = [
        {"role": "coder", "prompt": shown, "reply": CODE},
        {"role": "judge", "prompt": shown, "verdict": [9, 1, "Right."]},
    ]
    async with daemon_with(*rules) as (daemon, http):
        answer = await http.post(CHAT, json={"model": "laios", "messages": messages})
        assert said(lines(answer)) == [BLOCK]
        record = record_of(daemon, answer)
        assert (record["normalized_prompt"], record["mode"]) == (
            "now make it async",
            "code_reviewed",
        )
    preferring = {"role": "coder", "prompt": r"Comment in German\.", "reply": CODE}
    async with daemon_with(preferring) as (_, http):
        answer = await http.post(CHAT, json={"model": "laios:raw", "messages": messages})
        assert said(lines(answer)) == [CODE]


@pytest.mark.parametrize("header", ["X-Laios-Session", "X-OpenWebUI-Chat-Id"])
async def test_the_session_is_the_header_s(daemon_with, header):
    """Which scopes `laios:ctx`: the second request sees the first, another session does not."""
    seen = {"role": "coder", "prompt": "the first", "reply": "seen = 1\n"}
    plain = {"role": "coder", "prompt": "second", "reply": "alone = 1\n"}
    async with daemon_with(seen, plain, RULES[1]) as (daemon, http):
        for session in ("mine", "other"):
            headers = {header: session}
            if session == "mine":
                first = await http.post(CHAT, json=ask("the first"), headers=headers)
                assert record_of(daemon, first)["session"] == "mine"
            again = await http.post(CHAT, json=ask("second", "laios:ctx"), headers=headers)
            expected = "seen" if session == "mine" else "alone"
            assert expected in said(lines(again))[0]


async def test_unknown_fields_never_refuse_a_request(daemon_with):
    """Tools, options, odd values: whatever frontends send."""
    body = ask("add") | {
        "tools": [{"type": "function", "function": {"name": "x"}}],
        "format": "",
        "options": {"num_ctx": 2048, "num_predict": -1, "temperature": None, "stop": ["x"]},
        "keep_alive": -1,
        "stream": None,
        "think": None,
        "truncate": False,
        "whatever": [1],
    }
    async with daemon_with(*RULES) as (_, http):
        assert said(lines(await http.post(CHAT, json=body))) == [BLOCK]
        body = ask("add", options=None, tools=None, format=None, keep_alive=None)
        assert said(lines(await http.post(CHAT, json=body))) == [BLOCK]


@pytest.mark.parametrize(
    ("path", "body", "status", "why"),
    [
        (CHAT, {"messages": "x"}, 400, "messages"),
        (CHAT, {"messages": [{"content": "x"}]}, 400, "role"),
        (CHAT, {"messages": [{"role": "system", "content": "x"}]}, 400, "There is no user message"),
        (CHAT, ask("///rav x"), 400, "///raw"),
        (CHAT, ask("  "), 400, "empty"),
        (CHAT, {"messages": [{"role": "user", "content": "x", "images": ["AA"]}]}, 502, "images"),
        (GENERATE, {"prompt": "x", "images": ["AA"]}, 502, "images"),
        (GENERATE, {"prompt": "", "images": ["AA"]}, 502, "images"),
        (GENERATE, {"prompt": "x", "options": {"temperature": "hot"}}, 400, "temperature"),
        (GENERATE, {"prompt": "x", "stream": "no"}, 400, "stream"),
        (GENERATE, {"prompt": ["x"]}, 400, "string"),
        (GENERATE, {"prompt": "///raw"}, 400, "empty"),
    ],
)
async def test_what_cannot_be_answered_is_refused_before_it_runs(
    daemon_with, path, body, status, why
):
    """A status, Ollama's one field, and what to do; streams as well, for nothing was sent yet."""
    async with daemon_with(*RULES) as (daemon, http):
        answer = await http.post(path, json=body)
        assert (answer.status_code, answer.json().keys()) == (status, {"error"})
        assert why in answer.json()["error"]
        assert records(daemon) == []


async def test_errors_have_ollama_s_shape_from_the_door_to_the_model(daemon_with):
    """The guard's, the router's, the queue's and the models'."""
    once = ask("add", stream=False)
    async with daemon_with(*RULES, API_TOKEN="secret-token") as (_, http):
        token = {"Authorization": "Bearer secret-token"}
        assert (await http.get("/api/tags")).status_code == 401
        refused = await http.post(CHAT, json=once)
        assert (refused.status_code, refused.json().keys()) == (401, {"error"})
        wrong = await http.get(CHAT, headers=token)
        assert (wrong.status_code, wrong.json().keys()) == (405, {"error"})
        form = await http.post(CHAT, content=json.dumps(once), headers=token)
        assert (form.status_code, "application/json" in form.json()["error"]) == (415, True)
        assert (await http.post(CHAT, json=once, headers=token)).status_code == 200
    async with daemon_with({"role": "coder", "fault": "unreachable"}) as (_, http):
        failed = await http.post(CHAT, json=once)
        assert (failed.status_code, failed.json().keys()) == (502, {"error"})
    full = {"MAX_QUEUED_RUNS": 0, "MAX_CONCURRENT_RUNS": 1, "JOIN_LINGER_S": 0}
    async with daemon_with({"delay_ms": 60_000}, **full) as (daemon, http):
        first = asyncio.create_task(http.post(CHAT, json=ask("one")))
        await until(daemon.parts.scheduler.runs)
        busy = await http.post(CHAT, json=ask("two"))
        assert (busy.status_code, busy.json().keys()) == (503, {"error"})
        assert int(busy.headers["retry-after"]) > 0
        first.cancel()


# --- generate -----------------------------------------------------------------------------------


async def test_generate_is_a_run_with_its_own_fields(daemon_with):
    """`response` in place of `message`; `system` is a preference, tags count."""
    coder = {"role": "coder", "prompt": r"Comment in German\.", "reply": NARRATED, "chunk": 9}
    async with daemon_with(coder, RULES[1]) as (daemon, http):
        body = {"model": "laios", "prompt": "add", "system": "Comment in German."}
        *pieces, last = lines(await http.post(GENERATE, json=body))
        assert [piece["response"] for piece in pieces] == ["", "", "", "```python\nx = 1\n```"]
        assert [piece.get("thinking") for piece in pieces] == [
            None,
            "drafting…\n",
            "judging…\n",
            None,
        ]
        fields = {"model", "created_at", "response", "done", "done_reason", "context"}
        assert last.keys() == fields | METRICS
        raw = await http.post(GENERATE, json=body | {"prompt": "///raw add", "stream": False})
        value = raw.json()
        assert (value["response"], value["done"], value["done_reason"]) == (NARRATED, True, "stop")
        assert record_of(daemon, raw)["mode"] == "code_raw"
        assert {record["source"] for record in records(daemon)} == {"ollama"}


async def test_generate_gives_a_context_that_continues_the_conversation(daemon_with):
    """Streamed and not; sent back it is the turns so far, and grows by each answer."""
    first = {"role": "coder", "prompt": "^write fetch", "reply": "def fetch(): ..."}
    knows = r"user: write fetch\n\nassistant: def fetch\(\): \.\.\.\n\nuser: make it async"
    then = {"role": "coder", "prompt": knows, "reply": CODE}
    async with daemon_with(then, first) as (_, http):
        body = {"model": "laios:raw", "prompt": "write fetch"}
        *pieces, last = lines(await http.post(GENERATE, json=body))
        assert all("context" not in piece for piece in pieces)
        again = {"model": "laios:raw", "prompt": "make it async", "context": last["context"]}
        value = (await http.post(GENERATE, json=again | {"stream": False})).json()
        assert value["response"] == CODE
        assert [turn.text for turn in turns_of(value["context"])] == [
            "write fetch",
            "def fetch(): ...",
            "make it async",
            CODE,
        ]
        raw = {"model": "laios", "prompt": "<|im_start|>write fetch", "raw": True, "stream": False}
        assert "context" not in (await http.post(GENERATE, json=raw)).json()


@pytest.mark.parametrize(
    "context",
    [
        [1, 2, 3],
        "x",
        {"a": 1},
        [*MARK],
        [*MARK, 256],
        [*MARK, -1],
        [*MARK, "x"],
        [*MARK, 1.5],
        [*MARK, *b"{}"],
        [*MARK, *b'[{"role":"system","text":"x"}]'],
        [*MARK, *b"\xff\xfe"],
    ],
)
async def test_a_context_that_is_not_ours_is_refused(daemon_with, context):
    """Another server's tokens cannot be read: leaving them out would answer past the point."""
    async with daemon_with(*RULES) as (daemon, http):
        answer = await http.post(GENERATE, json={"prompt": "x", "context": context})
        assert (answer.status_code, answer.json().keys()) == (400, {"error"})
        assert "context" in answer.json()["error"]
        assert records(daemon) == []


def test_a_context_keeps_the_newest_turns_that_fit():
    """What a model would never be shown is not carried along for ever."""
    turns = [Turn("user", "old"), Turn("assistant", "x" * MAX_BYTES), Turn("user", "new \ud800")]
    assert turns_of(context_of(turns)) == (Turn("user", "new ?"),)
    assert turns_of(context_of(turns[::2])) == (Turn("user", "old"), Turn("user", "new ?"))
    assert turns_of([]) == turns_of(None) == ()


LOADS = [
    (CHAT, {}, "load"),
    (CHAT, {"messages": []}, "load"),
    (CHAT, {"messages": [], "keep_alive": "10m"}, "load"),
    (CHAT, {"messages": [], "keep_alive": 0}, "unload"),
    (GENERATE, {}, "load"),
    (GENERATE, {"prompt": "", "keep_alive": -1}, "load"),
    (GENERATE, {"prompt": "", "keep_alive": "0s"}, "unload"),
]


@pytest.mark.parametrize(("path", "body", "reason"), LOADS)
async def test_nothing_asked_is_answered_without_a_run(daemon_with, path, body, reason):
    """What clients send to have a model loaded or unloaded: one object, no stream, no record."""
    async with daemon_with(*RULES) as (daemon, http):
        answer = await http.post(path, json={"model": "laios:raw"} | body)
        assert answer.headers["content-type"] == "application/json"
        value = answer.json()
        assert NANOSECONDS.fullmatch(value.pop("created_at"))
        empty = {"message": {"role": "assistant", "content": ""}}
        assert value == {
            "model": "laios:raw",
            "done": True,
            "done_reason": reason,
            **(empty if path == CHAT else {"response": ""}),
        }
        assert records(daemon) == []


# --- what frontends ask for by themselves -------------------------------------------------------

AUXILIARY = {
    "a gap with a suffix": (GENERATE, {"prompt": "def f(", "suffix": "):\n    pass"}),
    "a template of its own": (GENERATE, {"prompt": "<|im_start|>user\nadd", "raw": True}),
    "a gap in a template": (GENERATE, {"prompt": "<fim_prefix>a<fim_suffix>b<fim_middle>"}),
    "any JSON": (GENERATE, {"prompt": "a title", "format": "json"}),
    "JSON of a schema": (CHAT, ask("a title", format={"type": "object", "properties": {}})),
    "few tokens": (CHAT, ask("a title", options={"num_predict": 20})),
}


@pytest.mark.parametrize("name", AUXILIARY)
async def test_a_frontend_s_own_request_is_one_plain_call(daemon_with, name):
    """No judge, no fence, no stages; recorded as auxiliary."""
    path, body = AUXILIARY[name]
    async with daemon_with({"role": "coder", "reply": "x, y"}) as (daemon, http):
        answer = await http.post(path, json=body | {"model": "laios", "stream": False})
        value = answer.json()
        assert value.get("response", value.get("message", {}).get("content")) == "x, y"
        record = record_of(daemon, answer)
        assert (record["kind"], record["source"]) == ("auxiliary", "ollama")
        assert [step["stage"] for step in record["steps"]] == ["coder"]


async def test_both_ends_of_a_gap_reach_the_model(daemon_with):
    """In one message, with a mark between them; the answer comes as it is written."""
    gap = {"role": "coder", "prompt": r"def f\(<GAP/>\): pass$", "reply": "a, b", "chunk": 2}
    async with daemon_with(gap) as (_, http):
        body = {"model": "laios", "prompt": "def f(", "suffix": "): pass"}
        frames = lines(await http.post(GENERATE, json=body))
        assert [frame["response"] for frame in frames] == ["", "a,", " b", ""]


# --- callers that repeat themselves, and that go away --------------------------------------------


async def test_identical_requests_share_one_run(daemon_with):
    """Streams as well: each gets the whole of it; one run, one record."""
    rule = {"role": "coder", "reply": NARRATED, "chunk": 3, "delay_ms": 200, "pause_ms": 5}
    async with daemon_with(rule) as (daemon, http):
        body = ask("x", "laios:raw")
        answers = await asyncio.gather(*(http.post(CHAT, json=body) for _ in range(3)))
        assert ["".join(said(lines(answer))) for answer in answers] == [NARRATED] * 3
        assert len({answer.headers["x-laios-run-id"] for answer in answers}) == 1
        assert len(records(daemon)) == 1
        assert len(daemon.parts.deduplicator._shared) == 0


@pytest.mark.parametrize("streams", [True, False])
async def test_a_run_outlives_its_caller_for_a_while_only(daemon_with, streams):
    """The caller goes away: the run lingers, then it is cancelled and recorded."""
    rule = {"role": "coder", "reply": CODE, "delay_ms": 60_000}
    async with daemon_with(rule, JOIN_LINGER_S=0.3) as (daemon, http):
        asking = asyncio.create_task(http.post(CHAT, json=ask("x", stream=streams)))
        await until(daemon.parts.scheduler.runs)
        asking.cancel()
        await asyncio.wait([asking])
        assert daemon.parts.scheduler.runs()
        await until(lambda: records(daemon))
        assert records(daemon)[0]["error"]["code"] == "cancelled"
        assert len(daemon.parts.deduplicator._shared) == 0


async def test_who_comes_back_in_time_gets_the_run(daemon_with):
    """The connection is lost in mid-stream; the same request again has the answer from its
    beginning."""
    rule = {"role": "coder", "reply": NARRATED, "chunk": 4, "pause_ms": 30}
    async with daemon_with(rule) as (daemon, http):
        body = ask("x", "laios:raw")
        async with http.stream("POST", CHAT, json=body) as answer:
            async for line in answer.aiter_lines():
                if said([json.loads(line)]):
                    break
        again = await http.post(CHAT, json=body)
        assert "".join(said(lines(again))) == NARRATED
        assert again.headers["x-laios-run-id"] == answer.headers["x-laios-run-id"]
        assert len(records(daemon)) == 1
