"""The native API over a real socket."""

import asyncio
import json
import re
import sys
from contextlib import AsyncExitStack
from typing import Any

import pytest

from config import ConfigError
from pipeline.request import new_id
from server.http.errors import STATUS

CODE = "def add(a, b):\n    return a + b\n"
RULES = [{"role": "coder", "reply": CODE}, {"role": "judge", "verdict": [9, 1, "It is right."]}]
SLOW = [{"role": "coder", "reply": CODE, "delay_ms": 60_000}]


async def raw(daemon, data: bytes) -> bytes:
    """Sends bytes and reads until the daemon closes."""
    reader, writer = await asyncio.open_connection("127.0.0.1", daemon.settings.PORT)
    writer.write(data)
    await writer.drain()
    try:
        return await asyncio.wait_for(reader.read(), 15)
    finally:
        writer.close()


def head(daemon, *lines: str, method: str = "POST", path: str = "/prompt", host=True) -> bytes:
    """A request head, ended."""
    own = [f"Host: 127.0.0.1:{daemon.settings.PORT}"] if host else []
    return "\r\n".join([f"{method} {path} HTTP/1.1", *own, *lines, "", ""]).encode("latin-1")


async def test_a_prompt_is_answered_with_its_output_alone(daemon_with):
    """Exactly one key, in every mode, and the run is on record before the answer."""
    async with daemon_with(*RULES) as (daemon, http):
        answer = await http.post("/prompt", json={"prompt": "add"})
        assert answer.status_code == 200
        assert answer.json() == {"output": CODE}
        assert answer.headers["content-type"] == "application/json"
        run_id = answer.headers["x-laios-run-id"]
        record = daemon.parts.reader.get(run_id)
        assert record["final_output"] == CODE
        assert (record["source"], record["mode"]) == ("native", "code_reviewed")
        answer = await http.post("/prompt", json={"prompt": "add", "mode": "raw"})
        assert answer.json() == {"output": CODE}


ERRORS = [
    (b"", 400, "bad_request"),
    (b"{", 400, "bad_request"),
    (b"[]", 400, "bad_request"),
    (b'"add"', 400, "bad_request"),
    (b"{}", 400, "bad_request"),
    (b'{"prompt": 1}', 400, "bad_request"),
    (b'{"prompt": null}', 400, "bad_request"),
    (b'{"prompt": "x", "promt": "y"}', 400, "bad_request"),
    (b'{"prompt": "x", "mode": 1}', 400, "bad_request"),
    (b'{"prompt": "x", "no_log": "yes"}', 400, "bad_request"),
    (b'{"prompt": "x", "format": "pdf"}', 400, "bad_request"),
    (b'{"prompt": "x", "session": "' + b"s" * 300 + b'"}', 400, "bad_request"),
    (b'{"prompt": NaN}', 400, "bad_request"),
    (b'{"prompt": "\\ud800"}', 400, "bad_request"),
    (b'{"prompt": "\xff"}', 400, "bad_request"),
    (b"[" * 100_000, 400, "bad_request"),
    (b'{"a":' * 100_000, 400, "bad_request"),
    (b'{"prompt": "x"} {}', 400, "bad_request"),
    (b'{"prompt": " "}', 400, "empty_prompt"),
    (b'{"prompt": "///raw"}', 400, "empty_prompt"),
    (b'{"prompt": "///rav x"}', 400, "unknown_tag"),
    (b'{"prompt": "///raw ///review-only x"}', 400, "conflicting_tags"),
    (b'{"prompt": "x", "mode": "rav"}', 400, "unknown_mode"),
]


@pytest.mark.parametrize(("body", "status", "code"), ERRORS)
async def test_a_bad_prompt_is_refused_and_nothing_is_run(daemon_with, body, status, code):
    """The one error shape, a message that says what to do, and an untouched history."""
    async with daemon_with(*RULES) as (daemon, http):
        answer = await http.post(
            "/prompt", content=body, headers={"Content-Type": "application/json"}
        )
        assert answer.status_code == status == STATUS[code]
        assert answer.json() == {
            "error": {"code": code, "message": answer.json()["error"]["message"]}
        }
        assert len(answer.json()["error"]["message"]) > 15
        assert answer.headers["x-laios-run-id"]
        assert daemon.parts.reader.page(limit=9) == []


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (b"", "The body is empty. Send a JSON object."),
        (b" \r\n", "The body is empty. Send a JSON object."),
        (b'{"prompt": "\xff"}', "The body is not UTF-8 text: invalid start byte at byte 12."),
        ('{"prompt": "x"}'.encode("utf-16"), "The body is not UTF-8 text: invalid start byte"),
        (b'["x"]', "The body must be a JSON object, {…}."),
        (b"null", "The body must be a JSON object, {…}."),
        (b'{"prompt": "x", "sandbox": 5}', 'The field "sandbox" must be an object.'),
        (b'{"prompt": "///files x", "format": "%s"}' % (b"y" * 9999), "files cannot answer as"),
        (b'{"prompt": "x", "sandbox": {"%s": 1}}' % (b"y" * 9999), 'yyy" is unknown.'),
    ],
)
async def test_what_is_wrong_with_a_body_is_said_in_few_words(daemon_with, body, said):
    """Whatever was sent: the longest wrong word is cut."""
    async with daemon_with(*RULES) as (daemon, http):
        answer = await http.post(
            "/prompt", content=body, headers={"Content-Type": "application/json"}
        )
        assert answer.status_code == 400 and said in answer.json()["error"]["message"]
        assert len(answer.content) < 500
        assert not list(daemon.parts.reader)


async def test_unknown_paths_and_methods_have_the_error_shape(daemon_with):
    """404 and 405 are JSON too; 405 names what is allowed."""
    async with daemon_with(*RULES) as (_, http):
        answer = await http.get("/nothing")
        assert (answer.status_code, answer.json()["error"]["code"]) == (404, "not_found")
        answer = await http.get("/prompt")
        assert (answer.status_code, answer.json()["error"]["code"]) == (405, "method_not_allowed")
        assert answer.headers["allow"] == "POST"
        answer = await http.delete("/runs/01ARZ3NDEKTSV4RRFFQ69G5FAV")
        assert (answer.status_code, answer.json()["error"]["code"]) == (404, "not_found")
        for path in ("/prompt/", "/healthz/", "/runs/"):
            answer = await http.post(path, json={"prompt": "x"})
            assert (answer.status_code, answer.json()["error"]["code"]) == (404, "not_found")


@pytest.mark.parametrize(
    ("fault", "status", "code"),
    [
        ("unreachable", 502, "model_unreachable"),
        ("not_found", 502, "model_not_found"),
        ("failed", 502, "model_failed"),
        ("cut", 502, "model_failed"),
        ("too_long", 422, "context_too_long"),
    ],
)
async def test_a_backend_s_fault_reaches_the_caller_typed(daemon_with, fault, status, code):
    """And the run is on record with its error."""
    async with daemon_with({"role": "coder", "fault": fault, "reply": "x"}) as (daemon, http):
        answer = await http.post("/prompt", json={"prompt": "add"})
        assert (answer.status_code, answer.json()["error"]["code"]) == (status, code)
        assert daemon.parts.reader.page(limit=1)[0]["error"]["code"] == code


async def test_a_timeout_is_504(daemon_with):
    """MODEL_TIMEOUT_S reaches the caller."""
    async with daemon_with({"fault": "hang"}, MODEL_TIMEOUT_S=0.2) as (_, http):
        answer = await http.post("/prompt", json={"prompt": "add"})
        assert (answer.status_code, answer.json()["error"]["code"]) == (504, "model_timeout")


async def test_a_bug_is_an_internal_error_without_a_trace(daemon_with, monkeypatch):
    """The caller learns nothing of the inside, and the run is on record all the same."""
    async with daemon_with(*RULES) as (daemon, http):
        monkeypatch.setattr("pipeline.review.coder.read_draft", lambda *a, **k: 1 / 0)
        answer = await http.post("/prompt", json={"prompt": "add"})
        assert answer.status_code == 500
        assert answer.json() == {
            "error": {
                "code": "internal",
                "message": "Internal error in laios. The log has the details.",
            }
        }
        assert daemon.parts.reader.page(limit=1)[0]["error"]["code"] == "internal"
        monkeypatch.setattr("server.api.prompt.read_request", lambda *a: 1 / 0)
        answer = await http.post("/prompt", json={"prompt": "add"})
        assert answer.json()["error"]["code"] == "internal"
        assert answer.headers["x-content-type-options"] == "nosniff"


# --- the guard ---------------------------------------------------------------------------------


async def test_a_body_one_byte_over_the_limit_is_refused_however_it_comes(daemon_with):
    """Declared or chunked, 4 MiB + 1 byte is 413, and 4 MiB is not."""
    size = 4 * 1024 * 1024
    async with daemon_with(*RULES) as (daemon, http):
        body = json.dumps({"prompt": "x" * (size - 15)}).encode()
        kind = {"Content-Type": "application/json"}
        assert len(body) == size - 15 + 14
        body += b" " * (size - len(body))
        answer = await http.post("/prompt", content=body, headers=kind)
        assert answer.json()["error"]["code"] == "context_too_long"
        answer = await http.post("/prompt", content=body + b" ", headers=kind)
        assert (answer.status_code, answer.json()["error"]["code"]) == (413, "payload_too_large")

        async def chunks():
            for start in range(0, size, 65536):
                yield body[start : start + 65536]
            yield b" "

        answer = await http.post("/prompt", content=chunks(), headers=kind)
        assert (answer.status_code, answer.json()["error"]["code"]) == (413, "payload_too_large")
        answer = await raw(
            daemon, head(daemon, "Content-Type: application/json", f"Content-Length: {size + 1}")
        )
        assert b" 413 " in answer.splitlines()[0]


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "", None])
async def test_only_json_is_taken(daemon_with, kind):
    """A form or plain text is what another web page could send without asking."""
    async with daemon_with(*RULES) as (_, http):
        headers = {"Content-Type": kind} if kind is not None else {}
        answer = await http.post("/prompt", content=b'{"prompt": "x"}', headers=headers)
        assert (answer.status_code, answer.json()["error"]["code"]) == (
            415,
            "unsupported_media_type",
        )


async def test_a_compressed_body_is_refused_with_that_reason(daemon_with):
    """And not called broken JSON."""
    async with daemon_with(*RULES) as (_, http):
        headers = {"Content-Type": "application/json", "Content-Encoding": "gzip"}
        answer = await http.post("/prompt", content=b"\x1f\x8b", headers=headers)
        assert (answer.status_code, "uncompressed" in answer.text) == (415, True)


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "127.0.0.1",
        "127.0.0.1:1",
        "localhost:{port}@evil.example",
        "localhost:{port}/?x=",
        "evil.example:{port}",
        "0.0.0.0:{port}",
        "localhost.:{port}",
        "",
    ],
)
async def test_a_foreign_host_is_refused(daemon_with, host):
    """After DNS rebinding only Host names the attacker."""
    async with daemon_with(*RULES) as (daemon, _):
        host = host.format(port=daemon.settings.PORT)
        answer = await raw(
            daemon,
            head(
                daemon, f"Host: {host}", "Connection: close", method="GET", path="/runs", host=False
            ),
        )
        assert b" 403 " in answer.splitlines()[0]
        assert b'"forbidden_host"' in answer


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "LOCALHOST", "[::1]"])
async def test_the_own_names_are_accepted_in_any_case(daemon_with, host):
    """With the own port."""
    async with daemon_with(*RULES) as (daemon, http):
        answer = await http.get("/runs", headers={"Host": f"{host}:{daemon.settings.PORT}"})
        assert answer.status_code == 200


async def test_none_or_two_hosts_are_refused(daemon_with):
    """No Host, and Host twice, are no way around the check."""
    async with daemon_with(*RULES) as (daemon, _):
        close = "Connection: close"
        none = await raw(daemon, head(daemon, close, method="GET", path="/runs", host=False))
        own = f"Host: 127.0.0.1:{daemon.settings.PORT}"
        two = await raw(daemon, head(daemon, own, close, method="GET", path="/runs"))
        for answer in (none, two):
            assert re.search(rb"HTTP/1.1 40[03] ", answer)
            assert b'"error"' in answer


@pytest.mark.parametrize(
    "origin", ["https://evil.example", "null", "http://localhost:1", "file://", ""]
)
async def test_a_foreign_origin_is_refused(daemon_with, origin):
    """Another web page, another local app, a sandboxed frame."""
    async with daemon_with(*RULES) as (_, http):
        answer = await http.post("/prompt", json={"prompt": "x"}, headers={"Origin": origin})
        assert (answer.status_code, answer.json()["error"]["code"]) == (403, "forbidden_origin")


async def test_own_and_allowed_origins_are_accepted(daemon_with):
    """ALLOWED_ORIGINS opens the door for one page, ALLOWED_HOSTS for one name."""
    options = {"ALLOWED_ORIGINS": "https://chat.example", "ALLOWED_HOSTS": "box.example:80"}
    async with daemon_with(*RULES, **options) as (daemon, http):
        for origin in ("https://chat.example", f"http://localhost:{daemon.settings.PORT}"):
            answer = await http.post("/prompt", json={"prompt": "x"}, headers={"Origin": origin})
            assert answer.status_code == 200
        answer = await http.get("/runs", headers={"Host": "box.example:80"})
        assert answer.status_code == 200


async def test_cross_site_requests_without_an_origin_are_refused(daemon_with):
    """A foreign page's image or link to an API route carries no Origin, but says cross-site."""
    async with daemon_with(*RULES) as (_, http):
        answer = await http.get("/runs", headers={"Sec-Fetch-Site": "cross-site"})
        assert answer.json()["error"]["code"] == "forbidden_origin"
        answer = await http.get("/runs", headers={"Sec-Fetch-Site": "same-origin"})
        assert answer.status_code == 200


async def test_a_token_is_required_everywhere_but_for_healthz(daemon_with):
    """Right token or nothing, and health for the service manager."""
    async with daemon_with(*RULES, API_TOKEN="correct horse") as (_, http):
        for given in (None, "Bearer wrong horse", "Basic correct horse", "Bearer", "Bearer \xe9"):
            headers = [(b"Authorization", given.encode("latin-1"))] if given else []
            answer = await http.post("/prompt", json={"prompt": "x"}, headers=headers)
            assert (answer.status_code, answer.json()["error"]["code"]) == (401, "unauthorized")
            assert answer.headers["www-authenticate"] == "Bearer"
        right = {"Authorization": "Bearer correct horse"}
        assert (await http.post("/prompt", json={"prompt": "x"}, headers=right)).status_code == 200
        assert (await http.get("/runs")).status_code == 401
        assert (await http.get("/readyz")).status_code == 401
        assert (await http.get("/healthz")).status_code == 200


async def test_every_answer_carries_the_security_headers(daemon_with):
    """Errors of every kind too."""
    async with daemon_with(*RULES) as (_, http):
        answers = [
            await http.get("/healthz"),
            await http.get("/nothing"),
            await http.get("/runs", headers={"Host": "evil.example"}),
            await http.post("/prompt", content=b"{"),
        ]
        for answer in answers:
            assert "frame-ancestors 'none'" in answer.headers["content-security-policy"]
            assert "unsafe-inline" not in answer.headers["content-security-policy"]
            assert answer.headers["x-content-type-options"] == "nosniff"
            assert answer.headers["referrer-policy"] == "no-referrer"
            assert answer.headers["cache-control"] == "no-store"
            assert answer.headers["cross-origin-resource-policy"] == "same-origin"
            assert "access-control-allow-origin" not in answer.headers
            assert len(answer.headers["x-laios-run-id"]) == 26


async def test_a_half_sent_head_is_closed(daemon_with, monkeypatch):
    """A connection that sends nothing, or half a head, is not kept for ever."""
    monkeypatch.setattr("server.http.http_connection.HEAD_TIMEOUT_S", 0.2)
    async with daemon_with(*RULES) as (daemon, _):
        assert await raw(daemon, b"") == b""
        assert await raw(daemon, b"POST /prompt HTTP/1.1\r\nHost: 127") == b""
        first = head(daemon, method="GET", path="/healthz")
        answer = await raw(daemon, first + b"GET /healthz HT")
        assert answer.count(b"HTTP/1.1 200") == 1


async def test_a_head_without_end_is_closed(daemon_with):
    """A megabyte of header is no request; nothing collects in memory until the time limit."""
    async with daemon_with(*RULES) as (daemon, http):
        start = head(daemon, method="GET", path="/healthz")[:-2] + b"X-Long: "
        _reader, writer = await asyncio.open_connection("127.0.0.1", daemon.settings.PORT)
        writer.write(start)
        with pytest.raises(ConnectionError):
            async with asyncio.timeout(5):
                while True:
                    writer.write(b"x" * 65536)
                    await writer.drain()
        writer.close()
        assert (await http.get("/healthz", headers={"X-Long": "x" * 60_000})).status_code == 200


async def test_bytes_that_are_not_http_get_the_error_shape(daemon_with):
    """Even below the application."""
    async with daemon_with(*RULES) as (daemon, _):
        answer = await raw(daemon, b"\x16\x03\x01 hello\r\n\r\n")
        assert answer.startswith(b"HTTP/1.1 400 ")
        body = json.loads(answer.partition(b"\r\n\r\n")[2])
        assert body["error"]["code"] == "bad_request"


UPGRADE = (
    "Connection: Upgrade, HTTP2-Settings",
    "Upgrade: h2c",
    "HTTP2-Settings: AAEAAEAAAAIAAAAB",
)


@pytest.mark.parametrize("pieces", ["whole", "head first", "byte by byte"])
@pytest.mark.parametrize("is_chunked", [False, True])
async def test_a_request_that_offers_http_2_is_answered_with_its_body(
    daemon_with, is_chunked, pieces
):
    """Java's HTTP client sends `Upgrade: h2c` with its requests: they are answered as HTTP/1.1,
    those that follow on the connection too, whether they offer it or not."""
    body = b'{"prompt": "add"}'
    framing = "Transfer-Encoding: chunked" if is_chunked else f"Content-Length: {len(body)}"
    sent = b"%x\r\n%b\r\n0\r\n\r\n" % (len(body), body) if is_chunked else body
    async with daemon_with(*RULES) as (daemon, _):
        offering = head(daemon, "Content-Type: application/json", framing, *UPGRADE)
        without_body = head(daemon, *UPGRADE, method="GET", path="/healthz")
        last = head(daemon, "Connection: close", method="GET", path="/healthz")
        reader, writer = await asyncio.open_connection("127.0.0.1", daemon.settings.PORT)
        for piece in cut(pieces, [offering, sent, without_body, offering + sent, last]):
            writer.write(piece)
            await writer.drain()
            await asyncio.sleep(0)
        answers = await asyncio.wait_for(reader.read(), 30)
        writer.close()
        assert answers.count(b"HTTP/1.1 200 ") == answers.count(b"HTTP/1.1 ") == 4
        assert answers.count(json.dumps({"output": CODE}, separators=(",", ":")).encode()) == 2
        assert answers.count(b'"status":"ok"') == 2


def cut(how: str, parts: list[bytes]) -> list[bytes]:
    whole = b"".join(parts)
    if how == "byte by byte":
        return [whole[n : n + 1] for n in range(len(whole))]
    return [whole] if how == "whole" else parts


async def test_a_stream_for_http_1_0_has_no_chunks(daemon_with):
    """Its client need not know them: the stream is as it is, and ends with the connection. What is
    no stream says how long it is."""
    async with daemon_with(*RULES) as (daemon, _):
        for stream in (True, False):
            body = json.dumps({"model": "laios", "prompt": "add", "stream": stream}).encode()
            lines = ("Content-Type: application/json", f"Content-Length: {len(body)}")
            asked = head(daemon, *lines, path="/api/generate").replace(b"HTTP/1.1", b"HTTP/1.0")
            top, _, said = (await raw(daemon, asked + body)).partition(b"\r\n\r\n")
            assert top.startswith(b"HTTP/1.1 200 ") and b"transfer-encoding" not in top.lower()
            assert (b"content-length: %d" % len(said) in top) is not stream
            frames = [json.loads(line) for line in said.splitlines()]
            assert frames[-1]["done"] is True
            assert CODE in "".join(frame["response"] for frame in frames)


async def test_very_many_offers_at_once_are_all_answered(daemon_with):
    """Each gets a parser of its own, one after the other and not one inside of the other."""
    async with daemon_with() as (daemon, _):
        offering = head(daemon, *UPGRADE, method="GET", path="/healthz")
        last = head(daemon, "Connection: close", method="GET", path="/healthz")
        answers = await raw(daemon, offering * 1200 + last)
        assert answers.count(b"HTTP/1.1 200 ") == 1201


async def test_a_broken_body_of_a_request_that_offers_http_2_is_refused(daemon_with):
    """As that of any other request."""
    async with daemon_with(*RULES) as (daemon, _):
        lines = ("Content-Type: application/json", "Transfer-Encoding: chunked", *UPGRADE)
        answer = await raw(daemon, head(daemon, *lines) + b"zz\r\n")
        assert answer.startswith(b"HTTP/1.1 400 ")


async def test_a_body_that_never_arrives_is_given_up(daemon_with, monkeypatch):
    """A promised body that does not come does not hold a connection for ever."""
    monkeypatch.setattr("server.http.request_body.BODY_TIMEOUT_S", 0.2)
    monkeypatch.setattr("server.http.http_connection.KEEP_ALIVE_S", 1)
    async with daemon_with(*RULES) as (daemon, _):
        answer = await raw(
            daemon, head(daemon, "Content-Type: application/json", "Content-Length: 10") + b"{"
        )
        assert b'"bad_request"' in answer


async def test_a_connection_that_nobody_uses_outlives_its_client_s_patience(daemon_with):
    """Six seconds on it is still there: httpx, the usual client in Python, drops it after five, so
    no request meets the end of its connection."""
    async with daemon_with() as (daemon, _):
        reader, writer = await asyncio.open_connection("127.0.0.1", daemon.settings.PORT)
        for pause_s in (0, 6):
            await asyncio.sleep(pause_s)
            writer.write(head(daemon, method="GET", path="/healthz"))
            answer = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), 30)
            assert answer.startswith(b"HTTP/1.1 200")
            length = int(re.search(rb"content-length: (\d+)", answer)[1])
            await reader.readexactly(length)
        writer.close()


# --- runs --------------------------------------------------------------------------------------


async def started(http, state="running", count=1):
    """Waits until so many runs are in a state; gives them."""
    while True:
        runs = (await http.get("/runs")).json()["runs"]
        fit = [run for run in runs if run["state"] == state]
        if len(fit) >= count:
            return fit
        await asyncio.sleep(0.01)


async def test_running_and_queued_runs_are_listed(daemon_with):
    """Oldest first, with their place in the queue and how their prompts begin."""
    async with daemon_with(*SLOW, MAX_CONCURRENT_RUNS=1) as (_, http):
        posts = [
            asyncio.create_task(http.post("/prompt", json={"prompt": f"secret {n}"}))
            for n in range(3)
        ]
        running = await started(http)
        queued = await started(http, "queued", 2)
        while None in [run["queue_position"] for run in queued]:  # accepted, not yet in the queue
            queued = await started(http, "queued", 2)
        assert [run["queue_position"] for run in queued] == [1, 2]
        assert running[0]["queue_position"] is None
        assert running[0]["stage"] == "coder"
        assert {run["prompt"] for run in queued + running} == {f"secret {n}" for n in range(3)}
        for run in queued + running:
            await http.delete(f"/runs/{run['id']}")
        answers = await asyncio.gather(*posts)
        assert {answer.status_code for answer in answers} == {409}


async def test_of_a_prompt_the_list_has_200_characters_and_without_log_none(daemon_with):
    """Enough to know a run by; tags are no part of it. What is kept nowhere is not shown either."""
    async with daemon_with(*SLOW, MAX_CONCURRENT_RUNS=2) as (_, http):
        asked = ({"prompt": f"///raw  {'long ' * 100}"}, {"prompt": "secret", "no_log": True})
        posts = [asyncio.create_task(http.post("/prompt", json=each)) for each in asked]
        listed = await started(http, count=2)
        prompts = {run["mode"]: run["prompt"] for run in listed}
        assert prompts == {"code_raw": ("long " * 40), "code_reviewed": None}
        for run in listed:
            await http.delete(f"/runs/{run['id']}")
        await asyncio.gather(*posts)


async def test_a_full_queue_is_busy_with_a_time_to_come_back(daemon_with):
    """More than may wait is refused at once, and nothing else is harmed."""
    options = {"MAX_CONCURRENT_RUNS": 1, "MAX_QUEUED_RUNS": 1}
    async with daemon_with(*SLOW, **options) as (_, http):
        posts = [asyncio.create_task(http.post("/prompt", json={"prompt": "x"})) for _ in range(2)]
        runs = await started(http) + await started(http, "queued")
        answer = await http.post("/prompt", json={"prompt": "x"})
        assert (answer.status_code, answer.json()["error"]["code"]) == (503, "busy")
        assert int(answer.headers["retry-after"]) > 0
        for run in runs:
            await http.delete(f"/runs/{run['id']}")
        await asyncio.gather(*posts)


async def test_a_cancelled_run_tells_its_caller_and_is_recorded(daemon_with):
    """DELETE /runs/{id} ends it; the caller gets 409."""
    async with daemon_with(*SLOW) as (daemon, http):
        post = asyncio.create_task(http.post("/prompt", json={"prompt": "x"}))
        [run] = await started(http)
        answer = await http.delete(f"/runs/{run['id']}")
        assert answer.json() == {"id": run["id"], "cancelled": True, "outcome": "cancelled"}
        assert ((await post).status_code, (await post).json()["error"]["code"]) == (
            409,
            "cancelled",
        )
        record = daemon.parts.reader.get(run["id"])
        assert record["error"]["code"] == record["steps"][0]["error"]["code"] == "cancelled"


async def test_a_caller_that_goes_away_cancels_its_run(daemon_with):
    """The backend stops working at once, and the run is recorded as cancelled."""
    async with daemon_with(*SLOW) as (daemon, http):
        body = b'{"prompt": "x"}'
        _reader, writer = await asyncio.open_connection("127.0.0.1", daemon.settings.PORT)
        writer.write(
            head(daemon, "Content-Type: application/json", f"Content-Length: {len(body)}") + body
        )
        [run] = await started(http)
        writer.close()
        async with asyncio.timeout(10):
            while (await http.get("/runs")).json()["runs"]:
                await asyncio.sleep(0.01)
        assert daemon.parts.reader.get(run["id"])["error"]["code"] == "cancelled"


async def test_a_run_s_events_tell_its_stages_from_the_beginning(daemon_with):
    """A caller that names its run can follow it: queued, each step, done."""
    run_id = new_id()
    rules = [{**RULES[0], "delay_ms": 300}, RULES[1]]
    async with daemon_with(*rules) as (_, http):
        post = asyncio.create_task(
            http.post("/prompt", json={"prompt": "x"}, headers={"X-Laios-Run-Id": run_id})
        )
        await started(http)
        async with http.stream("GET", f"/runs/{run_id}/events") as stream:
            assert stream.headers["content-type"].startswith("text/event-stream")
            lines = [line async for line in stream.aiter_lines()]
        events = [json.loads(line[6:]) for line in lines if line.startswith("data: ")]
        told = [(e["event"], e.get("stage"), e.get("state")) for e in events]
        assert told == [
            ("started", None, None),
            ("step", "coder", "started"),
            ("step", "coder", "done"),
            ("step", "judge", "started"),
            ("step", "judge", "done"),
            ("done", None, None),
        ]
        assert (await post).headers["x-laios-run-id"] == run_id


async def test_a_run_id_that_was_used_is_refused(daemon_with):
    """Two runs under one id could not be told apart in the history."""
    async with daemon_with(*RULES) as (_, http):
        headers = {"X-Laios-Run-Id": new_id()}
        assert (
            await http.post("/prompt", json={"prompt": "x"}, headers=headers)
        ).status_code == 200
        answer = await http.post("/prompt", json={"prompt": "x"}, headers=headers)
        assert (answer.status_code, answer.json()["error"]["code"]) == (400, "bad_request")


async def test_a_run_id_that_was_used_before_a_restart_is_refused(daemon_with):
    """Who repeats a request because the daemon was stopped before its answer came: that run is on
    record, and stands there once."""
    headers, post = {"X-Laios-Run-Id": new_id()}, {"prompt": "x"}
    async with daemon_with(*RULES) as (_, http):
        assert (await http.post("/prompt", json=post, headers=headers)).status_code == 200
    async with daemon_with(*RULES) as (daemon, http):
        answer = await http.post("/prompt", json=post, headers=headers)
        assert (answer.status_code, answer.json()["error"]["code"]) == (400, "bad_request")
        assert len(daemon.parts.reader.page()) == 1
        assert (await http.post("/prompt", json=post)).status_code == 200


async def test_a_malformed_run_id_is_not_taken_over(daemon_with):
    """What becomes a key of the history is made by us or looks like it."""
    async with daemon_with(*RULES) as (_, http):
        for given in ("../../etc", "x", "01ARZ3NDEKTSV4RRFFQ69G5FAv", "01ARZ3NDEKTSV4RRFFQ69G5FAV"):
            answer = await http.post(
                "/prompt", json={"prompt": "x"}, headers={"X-Laios-Run-Id": given}
            )
            assert answer.headers["x-laios-run-id"] != given


# --- health ------------------------------------------------------------------------------------


async def test_health_and_readiness(daemon_with):
    """Alive is not ready: readyz names each thing that is missing."""
    async with daemon_with(*RULES) as (_, http):
        assert (await http.get("/healthz")).json()["name"] == "laios"
        answer = await http.get("/readyz")
        assert (answer.status_code, answer.json()["reasons"]) == (200, [])
    missing = {"JUDGE_MODEL_NAME": "scripted/missing.json"}
    async with daemon_with(*RULES, **missing) as (_, http):
        answer = await http.get("/readyz")
        assert answer.status_code == 503
        [reason] = answer.json()["reasons"]
        assert (reason["roles"], reason["code"]) == (["judge"], "model_not_found")


async def test_a_model_that_is_not_there_is_told_at_start(daemon_with, monkeypatch):
    """It may come; until then each run would fail, and nobody would have been told why."""
    for changed, is_told in (({"CODER_MODEL_NAME": "local/nope"}, True), ({}, False)):
        told = []
        async with daemon_with(*RULES, **changed) as (daemon, _):
            monkeypatch.setattr(daemon, "_tell", told.append)
            await daemon.greet()
        assert any(line.startswith("Warning: coder: There is no") for line in told) is is_told


async def test_an_unwritable_history_is_told_and_costs_no_answer(daemon_with, tmp_path):
    """The caller gets the output, readyz says that records wait, and they are written later."""
    blocked = tmp_path / "blocked"
    async with daemon_with(*RULES, HISTORY_DIR=blocked) as (daemon, http):
        blocked.rmdir()
        blocked.write_text("a file where the directory should be")
        assert (await http.post("/prompt", json={"prompt": "x"})).status_code == 200
        answer = await http.get("/readyz")
        assert answer.status_code == 503
        assert answer.json()["reasons"][0]["code"] == "history"
        assert answer.json()["history"]["pending"] == 1
        blocked.unlink()
        async with asyncio.timeout(5):
            while (await http.get("/readyz")).status_code != 200:
                await asyncio.sleep(0.05)
        assert len(daemon.parts.reader.page(limit=9)) == 1


async def test_a_daemon_does_not_start_where_the_history_cannot_be_written(daemon_with, tmp_path):
    """Whatever the reason; the error names the directory and the setting."""
    (file := tmp_path / "file").write_text("")
    (link := tmp_path / "link").symlink_to(tmp_path)
    (odd := tmp_path / "odd" / "history-000001.jsonl").mkdir(parents=True)
    for place in (file, file / "below", link, odd.parent):
        with pytest.raises(ConfigError, match=rf"in {place}: .*HISTORY_DIR"):
            async with daemon_with(*RULES, HISTORY_DIR=place):
                pass


# --- the end -----------------------------------------------------------------------------------


async def test_stopping_finishes_short_runs_and_cancels_long_ones(daemon_with, monkeypatch):
    """Nothing new is taken, what can end in time ends well, and all of it is on record."""
    monkeypatch.setattr("server.daemon.DRAIN_S", 0.6)
    rules = [
        {"role": "coder", "prompt": "^short$", "reply": CODE, "delay_ms": 300},
        {"role": "coder", "prompt": "^long$", "reply": CODE, "delay_ms": 60_000},
    ]
    async with daemon_with(*rules) as (daemon, http):
        short = asyncio.create_task(http.post("/prompt", json={"prompt": "///raw short"}))
        long = asyncio.create_task(http.post("/prompt", json={"prompt": "///raw long"}))
        await started(http, count=2)
        daemon.stop()
        assert (await short).json() == {"output": CODE}
        assert (await long).json()["error"]["code"] == "cancelled"
        records = daemon.parts.reader.page(limit=9)
        assert sorted((r["error"] or {}).get("code", "ok") for r in records) == ["cancelled", "ok"]


async def test_streams_go_on_to_the_end_of_their_run_when_the_daemon_stops(
    daemon_with, monkeypatch
):
    """Like answers in one piece: what can end in time is told whole, what cannot ends with
    `cancelled`, and those who watch see it."""
    monkeypatch.setattr("server.daemon.DRAIN_S", 2.5)
    rules = [
        {"role": "coder", "prompt": "^short$", "reply": CODE, "delay_ms": 1500},
        {"role": "coder", "prompt": "^long$", "reply": CODE, "delay_ms": 60_000},
    ]
    async with daemon_with(*rules) as (daemon, http), AsyncExitStack() as held:

        async def opened(method, path, **body):
            return await held.enter_async_context(http.stream(method, path, **body))

        asked = [{"prompt": f"///raw {text}", "stream": True} for text in ("short", "long")]
        told = [await opened("POST", "/prompt", json=each) for each in asked]
        runs = await started(http, count=2)
        watched = [await opened("GET", f"/runs/{run['id']}/events") for run in runs]
        daemon.stop()
        for each in (*told, *watched):
            await each.aread()
        short, long = (each.text for each in told)
        assert "event: answer" in short and "return a + b" in short
        assert "event: error" in long and '"cancelled"' in long
        assert all("event: done" in each.text for each in watched)


_asked: list[str] = []


def _note_host(event: str, arguments: tuple[Any, ...]) -> None:
    if event == "socket.connect" and isinstance(arguments[1], tuple):
        _asked.append(str(arguments[1][0]))
    elif event == "socket.getaddrinfo":
        _asked.append(str(arguments[0]))


async def test_nobody_is_asked_but_this_machine(daemon_with):
    """By a daemon as it is installed: a run, its models, its pages, what it measures."""
    sys.addaudithook(_note_host)  # for good: an audit hook cannot be taken away
    async with daemon_with() as (_, http):
        _asked.clear()
        for path in ("/v1/models", "/dashboard", "/metrics", "/readyz", "/api/tags"):
            assert (await http.get(path)).status_code == 200
        assert (await http.post("/prompt", json={"prompt": "add two numbers"})).status_code == 200
        hosts = set(_asked)
    assert hosts and hosts <= {"127.0.0.1", "localhost", "::1"}
