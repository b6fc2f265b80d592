"""Identical requests of chat frontends share one run (SDKs repeat what took too long)."""

import asyncio
import json

from recorded import records
from waiting import until

CODE = "x = 1"
CHAT = "/v1/chat/completions"
SLOW = [{"role": "coder", "reply": CODE, "delay_ms": 400}]


def body(text="add", **fields):
    return {"model": "laios:raw", "messages": [{"role": "user", "content": text}], **fields}


def content(stream: str) -> str:
    chunks = [json.loads(line[6:]) for line in stream.splitlines() if line.startswith("data: {")]
    return "".join(chunk["choices"][0]["delta"].get("content", "") for chunk in chunks)


async def test_a_repeated_request_joins_the_running_one(daemon_with):
    """One run, one record, one run id, the answer for both; streamed too, from its beginning."""
    async with daemon_with({"reply": "abcdef", "chunk": 1, "pause_ms": 200}) as (daemon, http):
        first = asyncio.create_task(http.post(CHAT, json=body(stream=True)))
        await until(daemon.parts.scheduler.runs)
        await asyncio.sleep(0.1)
        second = await http.post(CHAT, json=body(stream=True))
        assert content((await first).text) == content(second.text) == "abcdef"
        assert (await first).headers["x-laios-run-id"] == second.headers["x-laios-run-id"]
        assert len(records(daemon)) == 1
        await until(lambda: len(daemon.parts.deduplicator._shared) == 0)


async def test_the_same_request_after_an_answer_is_a_new_one(daemon_with):
    """Who asks again when the answer is there wants another one."""
    async with daemon_with({"reply": CODE}) as (daemon, http):
        for _ in range(2):
            await http.post(CHAT, json=body())
        assert len(records(daemon)) == 2


async def test_other_callers_do_not_join(daemon_with):
    """Another body, path, token or session is another request."""
    async with daemon_with(*SLOW) as (daemon, http):
        await asyncio.gather(
            http.post(CHAT, json=body()),
            http.post(CHAT, json=body("other")),
            http.post(CHAT, json=body(), headers={"Authorization": "Bearer other"}),
            http.post(CHAT, json=body(), headers={"X-Laios-Session": "other"}),
        )
        assert len(records(daemon)) == 4


async def test_a_run_lingers_for_the_caller_who_comes_back(daemon_with):
    """The connection broke; the repetition gets the same run's answer, also when it was done in
    between."""
    async with daemon_with(*SLOW, JOIN_LINGER_S=10) as (daemon, http):
        for wait_for_the_end in (False, True):
            lost = asyncio.create_task(http.post(CHAT, json=body()))
            await until(daemon.parts.scheduler.runs)
            lost.cancel()
            if wait_for_the_end:
                await until(lambda: not daemon.parts.scheduler.runs())
            answer = await http.post(CHAT, json=body())
            assert answer.json()["choices"][0]["message"]["content"] == CODE
        assert [record["error"] for record in records(daemon)] == [None, None]


async def test_a_run_that_nobody_comes_back_for_is_cancelled(daemon_with):
    """After JOIN_LINGER_S, and it is recorded as such; nothing is kept."""
    slow = {"reply": CODE, "delay_ms": 60_000}
    async with daemon_with(slow, JOIN_LINGER_S=0.1) as (daemon, http):
        for stream in (False, True):
            lost = asyncio.create_task(http.post(CHAT, json=body(stream=stream)))
            await until(daemon.parts.scheduler.runs)
            lost.cancel()
            await until(lambda: not daemon.parts.scheduler.runs())
        assert [record["error"]["code"] for record in records(daemon)] == ["cancelled"] * 2
        await until(lambda: len(daemon.parts.deduplicator._shared) == 0)


async def test_one_of_two_callers_may_leave(daemon_with):
    """The run goes on for the other."""
    async with daemon_with(*SLOW, JOIN_LINGER_S=0) as (daemon, http):
        callers = [asyncio.create_task(http.post(CHAT, json=body())) for _ in range(2)]
        await until(daemon.parts.scheduler.runs)
        await asyncio.sleep(0.1)
        callers[0].cancel()
        assert (await callers[1]).status_code == 200
        assert len(records(daemon)) == 1


async def test_a_failed_run_fails_for_all_and_is_tried_anew(daemon_with):
    """Both callers get the error; the next request is a new run."""
    rules = [{"fault": "failed", "delay_ms": 200, "times": 1}, {"reply": CODE}]
    async with daemon_with(*rules) as (daemon, http):
        both = await asyncio.gather(*(http.post(CHAT, json=body()) for _ in range(2)))
        assert [answer.status_code for answer in both] == [502, 502]
        assert (await http.post(CHAT, json=body())).status_code == 200
        assert len(records(daemon)) == 2


async def test_a_run_that_was_stopped_is_joined_by_nobody(daemon_with):
    """It lingered, and somebody stopped it on the dashboard: who asks once more gets an answer, not
    the end of what was stopped."""
    goes_on = {"reply": "x = 1\n" * 9_999, "chunk": 6, "pause_ms": 20, "times": 1}
    async with daemon_with(goes_on, {"reply": CODE}, JOIN_LINGER_S=60) as (daemon, http):
        lost = asyncio.create_task(http.post(CHAT, json=body()))
        await until(daemon.parts.scheduler.runs)
        (run,) = daemon.parts.scheduler.runs()
        await anext(event async for event in run.events(text=True) if event["event"] == "delta")
        lost.cancel()
        assert (await http.delete(f"/runs/{run.id}")).json()["cancelled"] is True
        answer = await http.post(CHAT, json=body())
        assert answer.json()["choices"][0]["message"]["content"] == CODE


async def test_the_native_api_shares_and_lingers_nothing(daemon_with):
    """There, two callers are two runs, and one that goes away is cancelled at once."""
    async with daemon_with({"reply": CODE, "delay_ms": 60_000}) as (daemon, http):
        prompt = {"prompt": "///raw add"}
        callers = [asyncio.create_task(http.post("/prompt", json=prompt)) for _ in range(2)]
        await until(lambda: len(daemon.parts.scheduler.runs()) == 2)
        for caller in callers:
            caller.cancel()
        await until(lambda: not daemon.parts.scheduler.runs(), within=2)
        assert len(records(daemon)) == 2
        assert json.dumps(records(daemon)).count("cancelled") >= 2
