"""What the guard lets nobody do by the thousand: guess tokens, send bodies that never end."""

import asyncio
from contextlib import AsyncExitStack
from itertools import count

import httpx
import pytest
from dashboards import judged, site

from pipeline.errors import Busy
from server.http import body_limit, token_check
from server.http.body_limit import BodyLimit, LimitedBody
from server.http.errors import HttpError
from server.http.token_check import MOST_ADDRESSES, WRONG_TOKENS, TokenCheck, caller_address

TOKEN = "correct horse battery"
RULES = [{"role": "coder", "reply": "x = 1\n"}]
BEARER = {"Authorization": f"Bearer {TOKEN}"}
WRONG = {"Authorization": "Bearer wrong"}


@pytest.fixture
def clock(monkeypatch):
    """The time of the token check, which stands still."""
    now = [1000.0]
    monkeypatch.setattr(token_check, "monotonic", lambda: now[0])
    return now


def guess(tokens: TokenCheck, address: str, times: int = WRONG_TOKENS) -> None:
    for _ in range(times):
        assert not tokens.is_right("wrong", address)


def test_an_address_has_so_many_wrong_tokens_and_then_one_a_second(clock):
    """Beyond that not even the right one is told from a wrong one; others are not held up."""
    tokens = TokenCheck(TOKEN)
    guess(tokens, "a")
    with pytest.raises(Busy) as busy:
        tokens.is_right(TOKEN, "a")
    assert busy.value.retry_after_s == 1
    assert tokens.is_right(TOKEN, "b")
    clock[0] += 1
    guess(tokens, "a", 1)
    with pytest.raises(Busy):
        tokens.is_right("wrong", "a")
    clock[0] += 1
    assert tokens.is_right(TOKEN, "a") and tokens.is_right(TOKEN, "a")
    clock[0] += WRONG_TOKENS
    guess(tokens, "a")


def test_right_tokens_are_not_counted_and_none_is_right_where_there_is_none(clock):
    """However many come."""
    tokens = TokenCheck(TOKEN)
    assert all(tokens.is_right(TOKEN, "a") for _ in range(5 * WRONG_TOKENS))
    assert not TokenCheck(None).is_right("", "a")


def test_addresses_are_forgotten_beyond_a_number(clock):
    """The one that was heard of longest ago first."""
    tokens = TokenCheck(TOKEN)
    guess(tokens, "first")
    for number in range(MOST_ADDRESSES):
        guess(tokens, f"address {number}", 1)
    guess(tokens, "first")


@pytest.mark.parametrize(
    ("host", "address"),
    [
        ("127.0.0.1", "127.0.0.1"),
        ("::ffff:10.0.0.1", "10.0.0.1"),
        ("2001:db8::1", "2001:db8::/64"),
        ("2001:db8::2:3%eth0", "2001:db8::/64"),
        ("unix", "unix"),
    ],
)
def test_a_network_of_ipv6_is_one_address(host, address):
    """Whoever has one of its addresses has them all."""
    assert caller_address({"client": (host, 1)}) == address
    assert caller_address({"client": None}) == ""


async def test_wrong_bearers_are_busy_after_a_few(daemon_with, clock, caplog):
    """With a time to come back; a request without any token is no guess."""
    async with daemon_with(*RULES, API_TOKEN=TOKEN) as (_, http):
        for _ in range(2 * WRONG_TOKENS):
            assert (await http.get("/runs")).status_code == 401
        for _ in range(WRONG_TOKENS):
            assert (await http.get("/runs", headers=WRONG)).status_code == 401
        answer = await http.get("/runs", headers=BEARER)
        assert (answer.status_code, answer.json()["error"]["code"]) == (503, "busy")
        assert answer.headers["retry-after"] == "1"
        assert (await http.get("/healthz")).status_code == 200
        clock[0] += 2
        assert (await http.get("/runs", headers=BEARER)).status_code == 200
    assert caplog.text.count("too many wrong tokens") == 1


async def test_the_login_and_the_bearer_share_their_guesses(tmp_path, clock):
    """The page says so, and a session that is open stays open."""
    async with site(tmp_path / "history", judged("a"), API_TOKEN=TOKEN) as served:
        form = (await served.page("/dashboard/login")).one("form", "login")
        for _ in range(WRONG_TOKENS):
            assert (await served.send(form, token="wrong")).status_code == 401
        answer = await served.send(form, token=TOKEN)
        assert answer.status_code == 503 and "Too many wrong tokens" in answer.text
        assert (await served.http.get("/dashboard", headers=BEARER)).status_code == 503
        clock[0] += 1
        assert (await served.send(form, token=TOKEN)).status_code == 303
        assert (await served.http.get("/dashboard")).status_code == 200


# --- bodies --------------------------------------------------------------------------------------


def head(daemon, *lines: str) -> bytes:
    own = [f"Host: 127.0.0.1:{daemon.settings.PORT}", "Content-Type: application/json"]
    return "\r\n".join(["POST /prompt HTTP/1.1", *own, *lines, "", ""]).encode()


@pytest.mark.parametrize("lines", [["Transfer-Encoding: chunked"], ["Content-Length: 99999999"]])
async def test_a_body_that_is_too_large_is_answered_before_its_end(daemon_with, lines):
    """The caller has the whole answer while it is still sending."""
    async with daemon_with(*RULES, MAX_BODY_BYTES=2048) as (daemon, _):
        reader, writer = await asyncio.open_connection("127.0.0.1", daemon.settings.PORT)
        writer.write(head(daemon, *lines) + b"1000\r\n" + b" " * 4096 + b"\r\n")
        async with asyncio.timeout(10):
            answer = await reader.readuntil(b"\r\n\r\n")
            answer += await reader.readexactly(int(answer.split(b"content-length: ")[1].split()[0]))
        assert b" 413 " in answer and b"MAX_BODY_BYTES" in answer
        writer.write(b"1000\r\n" + b" " * 4096 + b"\r\n")
        await writer.drain()
        writer.close()


async def test_what_comes_after_the_answer_is_taken_within_bounds(daemon_with, monkeypatch):
    """Then the connection is closed, whatever the caller goes on sending."""
    monkeypatch.setattr(body_limit, "DISCARD_BYTES", 100_000)
    async with daemon_with(*RULES, MAX_BODY_BYTES=2048) as (daemon, _):
        _, writer = await asyncio.open_connection("127.0.0.1", daemon.settings.PORT)
        writer.write(head(daemon, "Transfer-Encoding: chunked"))
        sent = 0
        async with asyncio.timeout(10):
            while sent < 64 << 20:
                writer.write(b"10000\r\n" + b" " * 65536 + b"\r\n")
                sent += 65536
                try:
                    await writer.drain()
                except ConnectionError:
                    break
        assert sent < 64 << 20
        writer.close()


async def test_unfinished_bodies_are_bounded_together(daemon_with, monkeypatch):
    """One large body too many is busy; small ones are taken, and so is it when there is room."""
    monkeypatch.setattr(body_limit, "UNANSWERED_BODIES", 2)
    large = b" " * 900_000
    length = "Content-Length: 1000000"
    async with daemon_with(*RULES, MAX_BODY_BYTES=1_000_000) as (daemon, http):
        json = {"Content-Type": "application/json"}

        async def status() -> int:
            body = large + b'{"prompt": "///raw x"}'
            return (await http.post("/prompt", content=body, headers=json)).status_code

        async with AsyncExitStack() as stack, asyncio.timeout(40):
            for tries in count(1):  # one that is taken in after the whole one is refused, and gone
                _, writer = await asyncio.open_connection("127.0.0.1", daemon.settings.PORT)
                stack.callback(writer.close)
                writer.write(head(daemon, length) + large)
                await writer.drain()
                await asyncio.sleep(0.05 * tries)
                if await status() == 503:
                    break
            answer = await http.post("/prompt", json={"prompt": "///raw x"})
            assert answer.status_code == 200
        async with asyncio.timeout(20):
            while await status() != 200:
                await asyncio.sleep(0.02)


async def test_a_body_s_room_is_given_back_however_it_ends(monkeypatch):
    """Whole and answered, too large, or left in the middle."""
    limit = BodyLimit(200_000)
    whole = limit.room
    messages = [{"type": "http.request", "body": b" " * 150_000, "more_body": True}]

    async def receive():
        return messages[0]

    left = LimitedBody(receive, limit)
    await left()
    assert limit.room == whole - 150_000 + body_limit.FREE_BYTES
    with pytest.raises(HttpError):
        await left()
    assert left.refused
    left.release()
    left.release()
    assert limit.room == whole
    messages[0] = messages[0] | {"more_body": False}
    answered = LimitedBody(receive, limit)
    await answered()
    assert limit.room < whole  # whoever waits for the answer holds it
    answered.release()
    assert limit.room == whole


async def test_bodies_whose_callers_wait_are_bounded_together(daemon_with, monkeypatch):
    """Also where they wait for one shared run: each of them holds its own."""
    monkeypatch.setattr(body_limit, "UNANSWERED_BODIES", 2)
    asked = b'{"messages": [{"role": "user", "content": "///raw x"}]}'.rjust(1_000_000)
    json = {"Content-Type": "application/json"}
    slow = {"reply": "x", "delay_ms": 60_000}
    async with daemon_with(slow, MAX_BODY_BYTES=1_000_000) as (daemon, http):

        def post() -> asyncio.Task[httpx.Response]:
            return asyncio.create_task(
                http.post("/v1/chat/completions", content=asked, headers=json)
            )

        waiting = [post()]
        async with asyncio.timeout(20):
            for _ in range(2):  # the first two wait, one after the other
                while sum(each.callers for each in daemon.parts.deduplicator._shared.values()) < (
                    len(waiting)
                ):
                    await asyncio.sleep(0.01)
                waiting.append(post())
            assert (await waiting.pop()).status_code == 503
        for caller in waiting:
            caller.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)
