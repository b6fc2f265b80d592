"""Chat frontends' requests that are made to hurt: none may hold up the daemon."""

import asyncio
import json
import socket
import time

import pytest

from pipeline.exchange import UNKNOWN, Exchange
from pipeline.history_context import of_conversation
from pipeline.request import Turn
from server.protocols import answer_stream
from server.protocols.auxiliary_requests import row_of
from server.protocols.chat_request import Chat, read_messages

CODE = "x = 1"
CHAT = "/v1/chat/completions"
RULES = [{"reply": CODE}]
MOST_S = 1.0  # linear work takes a tenth of it, what grows with the square many times as much
LONG = 2_000_000  # characters


def ask(text, model="laios:raw", **fields):
    return {"model": model, "messages": [{"role": "user", "content": text}], **fields}


def cpu_s(function, *values):
    """CPU seconds of a call."""
    began = time.process_time()
    function(*values)
    return time.process_time() - began


@pytest.mark.parametrize(
    ("start", "mark"),
    [("### Task:\n", "<chat_history>"), ("", "<PRE>"), ("", "[SUFFIX]"), ("", "<|fim_")],
)
def test_marks_that_open_a_thousand_times_cost_a_linear_time(start, mark):
    """None of them is closed, so none makes the request an auxiliary one."""
    chat = Chat("laios", start + mark * (LONG // len(mark)))
    assert cpu_s(row_of, chat, {}) < MOST_S
    assert row_of(chat, {}) is None


@pytest.mark.parametrize(
    "turns",
    [
        [Turn("assistant", "x" * 40)] * 50_000,
        [Turn("user", "q"), Turn("assistant", "``` a\n" * (LONG // 6))],
        [Turn("user", "q"), *[Turn("assistant", "```\nx\n```\n" + "~~~\n" * 5_000)] * 100],
    ],
)
def test_a_conversation_of_megabytes_is_not_read_to_its_end(turns):
    """Only as much of it is parsed as could have a place."""
    assert cpu_s(of_conversation, turns, 4096) < MOST_S
    exchanges, _ = of_conversation([*turns, Turn("user", "last")], 4096)
    assert exchanges[-1].request == "last"


def test_several_answers_in_a_row_stand_in_their_order():
    """An agent's steps, with nothing of the user between them."""
    turns = [Turn("user", "q"), Turn("assistant", "a = 1"), Turn("assistant", "b = 2")]
    assert of_conversation(turns, 100) == ([Exchange("q", "a = 1\nb = 2")], 0)


def test_an_answer_without_its_request_is_known():
    """Clients that keep the last messages alone begin with one."""
    turns = [Turn("assistant", "a = 1"), Turn("user", "q"), Turn("assistant", "b = 2")]
    assert of_conversation(turns, 100) == ([Exchange(UNKNOWN, "a = 1"), Exchange("q", "b = 2")], 0)
    assert of_conversation([*turns, Turn("user", "r" * 300)], 50) == ([], 3)


@pytest.mark.parametrize(
    ("behind", "turns"),
    [
        ([{"role": "assistant", "content": "a = 1"}], [("user", "q"), ("assistant", "a = 1")]),
        ([{"role": "assistant", "content": ""}], []),
        ([{"role": "tool", "content": "sun"}], [("user", "sun")]),
    ],
)
def test_an_answer_that_was_begun_is_one_to_the_prompt(behind, turns):
    """And no part of the answer before; a tool's result is none."""
    chat = read_messages([{"role": "user", "content": "q"}, *behind])
    assert chat.prompt == "q"
    assert [(turn.role, turn.text) for turn in chat.turns] == turns


@pytest.mark.parametrize(
    "body",
    [
        "```console\n$ a\n" + "\n" * LONG + "b\n```",
        "```console\n$ a\n" + "#<\n" * (LONG // 3) + "```",
        "```console\n" + "$ ls\nfoo\n" * (LONG // 9) + "```",
    ],
)
def test_a_long_shell_session_is_read_in_little_time(body):
    """In an earlier answer of a chat: all requests wait for what is read there."""
    assert cpu_s(of_conversation, [Turn("user", "q"), Turn("assistant", body)], 10**6) < MOST_S


def test_a_project_keeps_its_paths():
    """What `laios:files` answered: without the headings a follow-up knows no file by its name."""
    project = "# p\n\n## `a.py`\n\n```python\na = 1\n```\n\n## `b.py`\n\n```python\nb = 2\n```\n"
    exchanges, _ = of_conversation([Turn("user", "q"), Turn("assistant", project)], 1000)
    assert exchanges == [Exchange("q", project)]


@pytest.mark.parametrize(
    "body", [ask("x", "laios:" + "a" * LONG), ask("x", "b" * LONG), ask("///" + "a" * LONG)]
)
async def test_a_wrong_name_of_megabytes_is_not_repeated(daemon_with, body):
    """The error names its beginning."""
    async with daemon_with(*RULES) as (_, http):
        answer = await http.post(CHAT, json=body)
        assert answer.status_code in (400, 404)
        assert len(answer.content) < 2000


@pytest.mark.parametrize("stream", [False, True])
async def test_metadata_that_cannot_be_written_does_not_break_the_answer(daemon_with, stream):
    """Texts come back, nesting deeper than JSON is written does not."""
    deep = '{"a":' * 900 + "1" + "}" * 900
    body = (
        f'{{"input": "x", "stream": {json.dumps(stream)}, "metadata": {{"d": {deep}, "k": "v"}}}}'
    )
    async with daemon_with(*RULES) as (_, http):
        answer = await http.post(
            "/v1/responses", content=body, headers={"Content-Type": "application/json"}
        )
        assert answer.status_code == 200
        text = answer.text.rpartition("data: ")[2] if stream else answer.text
        response = json.loads(text)
        response = response["response"] if stream else response
        assert (response["status"], response["metadata"]) == ("completed", {"k": "v"})


async def test_a_hundred_thousand_messages_are_answered(daemon_with):
    """Near the longest body there may be, while others are served."""
    turns = [{"role": "user", "content": ""}] * 50_000 + [
        {"role": "assistant", "content": "a"}
    ] * 40_000
    body = {"model": "laios:raw", "messages": [*turns, {"role": "user", "content": "add"}]}
    async with daemon_with(*RULES) as (_, http):
        answer, health = await asyncio.gather(http.post(CHAT, json=body), http.get("/healthz"))
        assert (answer.status_code, health.status_code) == (200, 200)


async def test_a_reader_that_stalls_is_let_go(daemon_with, monkeypatch):
    """Its connection is open, but it takes nothing: neither its run nor its share is kept."""
    monkeypatch.setattr(answer_stream, "SILENCE_S", 0.1)
    monkeypatch.setattr(answer_stream, "STALLED_S", 0.2)
    body = json.dumps(ask("x", stream=True)).encode()
    head = f"POST {CHAT} HTTP/1.1\r\nHost: HOST\r\nContent-Type: application/json\r\n"
    async with daemon_with({"reply": "x" * 200_000, "chunk": 8}, JOIN_LINGER_S=0) as (daemon, http):
        host, port = http.base_url.host, http.base_url.port
        with socket.socket() as reader:
            reader.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            reader.connect((host, port))
            head = head.replace("HOST", f"{host}:{port}") + f"Content-Length: {len(body)}\r\n\r\n"
            reader.sendall(head.encode() + body)
            async with asyncio.timeout(10):
                while not list(daemon.parts.reader) or len(daemon.parts.deduplicator._shared):
                    await asyncio.sleep(0.01)
            assert (await http.get("/healthz")).status_code == 200
