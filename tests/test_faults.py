"""The whole daemon on an Ollama that fails in every way: each fault ends in the typed error or the
escalation that is promised for it, inside the deadline, on record, with nothing left behind."""

import asyncio
from contextlib import asynccontextmanager

import psutil
import pytest
from fakes import CODE, FAULTS, Answer, FakeOllama, Pulled

MODEL = "ollama/qwen2.5-coder:7b"
GOOD = '{"confidence_score": 9, "conflict_score": 1, "judgement_summary": "Right."}'
BAD = '{"confidence_score": 2, "conflict_score": 9, "judgement_summary": "Wrong."}'
REVIEW = "def add(a, b):\n    return b + a\n"
CODER = Answer(CODE, structured=False, prompt=r"\A(?!REVIEWER\.)")
REVIEWER = Answer(REVIEW, prompt=r"\AREVIEWER\.")
JUDGE = Answer(GOOD, structured=True)

CODES = {
    "404": "model_not_found",
    "error_not_found": "model_not_found",
    "503": "model_unreachable",
    "429": "model_unreachable",
    "html_429": "model_unreachable",
    "drop": "model_unreachable",
    "too_long": "context_too_long",
    "too_long_old": "context_too_long",
    "error_too_long": "context_too_long",
    "overfull": "context_too_long",
    "hang": "model_timeout",
    "hang_midway": "model_timeout",
    "trickle": "model_timeout",
}
EMPTY = {"empty", "thinking_only"}
HARMLESS = {None, "surrogate", "wrong_type", "went_on", "late_end", "odd_counts"}
"""Odd, but a whole answer."""
BROKEN = sorted(fault for fault in FAULTS if fault not in HARMLESS)


@asynccontextmanager
async def laios(daemon_with, *answers, models=None, **settings):
    """A daemon on a fake Ollama with these answers; checks that nothing is left behind."""
    fake = FakeOllama(*answers, **({"models": models} if models else {}))
    async with fake:
        roles = {f"{role}_MODEL_NAME": MODEL for role in ("CODER", "JUDGE", "REVIEWER")}
        options = {"OLLAMA_HOST": fake.url, "MODEL_TIMEOUT_S": 1.0, "MAX_DRAFTS": 1}
        options |= roles | settings
        async with daemon_with(**options) as (daemon, http):
            yield fake, daemon, http
            async with asyncio.timeout(5):
                while fake.active:
                    await asyncio.sleep(0.01)
            assert daemon.parts.scheduler.runs() == []
        left = [task for task in asyncio.all_tasks() if task.get_name().startswith("run ")]
        assert left == []


def last_record(daemon):
    return daemon.parts.reader.page(limit=1)[0]


@pytest.mark.parametrize("fault", BROKEN)
async def test_a_failing_coder(daemon_with, fault):
    """Backend errors reach the caller typed; an empty draft goes to the reviewer."""
    broken = Answer(CODE, fault=fault, structured=False, prompt=r"\A(?!REVIEWER\.)")
    async with laios(daemon_with, broken, JUDGE, REVIEWER) as (_, daemon, http):
        began = asyncio.get_running_loop().time()
        answer = await http.post("/prompt", json={"prompt": "add"})
        assert asyncio.get_running_loop().time() - began < 6
        record = last_record(daemon)
        if fault in EMPTY:
            assert answer.json() == {"output": REVIEW}
            assert record["escalation_reason"].startswith("evidence: ")
        else:
            expected = CODES.get(fault, "model_failed")
            assert answer.json()["error"]["code"] == record["error"]["code"] == expected


@pytest.mark.parametrize("fault", BROKEN)
async def test_a_failing_judge(daemon_with, fault):
    """It escalates, says why, and the review is returned."""
    broken = Answer(GOOD, fault=fault, structured=True)
    async with laios(daemon_with, CODER, broken, REVIEWER) as (_, daemon, http):
        answer = await http.post("/prompt", json={"prompt": "add"})
        assert answer.json() == {"output": REVIEW}
        record = last_record(daemon)
        assert record["escalated"] and record["escalation_reason"]
        assert record["judge"]["confidence_score"] is None


@pytest.mark.parametrize("fault", BROKEN)
async def test_a_failing_reviewer(daemon_with, fault):
    """The draft is returned and called unreviewed."""
    broken = Answer(CODE, fault=fault, prompt=r"\AREVIEWER\.")
    judge = Answer(BAD, structured=True)
    async with laios(daemon_with, CODER, judge, broken) as (_, daemon, http):
        answer = await http.post("/prompt", json={"prompt": "add"})
        assert answer.json() == {"output": CODE}
        assert last_record(daemon)["final_reason"].startswith("unreviewed: ")


async def test_no_ollama_at_all(daemon_with):
    """The message says how to start it; readyz says so too."""
    settings = {"OLLAMA_HOST": "http://127.0.0.1:9"}
    async with laios(daemon_with, **settings) as (_, daemon, http):
        answer = await http.post("/prompt", json={"prompt": "add"})
        assert (answer.status_code, answer.json()["error"]["code"]) == (502, "model_unreachable")
        assert "ollama serve" in answer.json()["error"]["message"]
        assert last_record(daemon)["error"]["code"] == "model_unreachable"
        ready = await http.get("/readyz")
        assert {reason["code"] for reason in ready.json()["reasons"]} == {"model_unreachable"}


async def test_one_busy_answer_is_tried_again(daemon_with):
    """A 503 before any byte costs a pause, not the run."""
    busy = Answer(fault="503", times=1)
    async with laios(daemon_with, busy, CODER, JUDGE) as (fake, _, http):
        assert (await http.post("/prompt", json={"prompt": "add"})).json() == {"output": CODE}
        assert len(fake.requests) == 3


async def test_a_judge_in_prose_is_asked_again_with_thinking_left_open(daemon_with):
    """Some models ignore the schema while thinking is off (ollama#14645)."""
    prose = Answer("Looks fine to me.", structured=True, times=1)
    async with laios(daemon_with, CODER, prose, JUDGE) as (fake, _, http):
        assert (await http.post("/prompt", json={"prompt": "add"})).json() == {"output": CODE}
        first, second = fake.requests[1:]
        assert first["think"] is False and "think" not in second
        assert first["format"] == second["format"]
        assert first["options"]["temperature"] == second["options"]["temperature"] == 0


async def test_all_stages_on_one_model_use_one_window(daemon_with):
    """Ollama reloads a model whenever num_ctx changes; it never shrinks from run to run."""
    judge = Answer(BAD, structured=True)
    async with laios(daemon_with, CODER, judge, REVIEWER) as (fake, _, http):
        await http.post("/prompt", json={"prompt": "add"})
        assert {request["options"]["num_ctx"] for request in fake.requests} == {16384}
        await http.post("/prompt", json={"prompt": "add " * 9000})
        await http.post("/prompt", json={"prompt": "add"})
        windows = [request["options"]["num_ctx"] for request in fake.requests]
        assert windows == [16384] * 4 + [32768] * 8
        assert {request["keep_alive"] for request in fake.requests} == {"10m"}


@pytest.mark.parametrize(
    ("number", "times"), [("7", 15_500), ("7", 16_500), ("7", 17_500), ("12, 3.5\n", 2000)]
)
async def test_many_numbers_have_room_beside_a_longest_answer(
    daemon_with, monkeypatch, number, times
):
    """Of models that take each digit by itself, as Qwen's, whatever three bytes a token say."""
    monkeypatch.setattr("fakes.tokens", lambda messages: sum(len(m["content"]) for m in messages))
    async with laios(daemon_with, CODER, JUDGE) as (fake, _, http):
        answer = await http.post("/prompt", json={"prompt": f"Add these: {number * times}"})
        assert answer.json() == {"output": CODE}
        assert {request["options"]["num_ctx"] for request in fake.requests} == {32768}


async def test_a_model_with_a_short_window_is_not_asked_for_more(daemon_with):
    """The trained length is the limit, and what does not fit is refused whole."""
    models = (Pulled("qwen2.5-coder:7b", context_length=2048),)
    async with laios(daemon_with, CODER, JUDGE, models=models) as (fake, _, http):
        assert (await http.post("/prompt", json={"prompt": "add"})).status_code == 200
        assert {request["options"]["num_ctx"] for request in fake.requests} == {2048}
        assert all(256 <= request["options"]["num_predict"] < 2048 for request in fake.requests)
        answer = await http.post("/prompt", json={"prompt": "add " * 2000})
        assert (answer.status_code, answer.json()["error"]["code"]) == (422, "context_too_long")
        assert len(fake.requests) == 2


async def test_a_caller_that_leaves_ends_the_call_at_the_backend(daemon_with):
    """At once the GPU is free again, not when the answer would be whole."""
    slow = Answer(CODE * 50, pause_s=0.05)
    async with laios(daemon_with, slow, MODEL_TIMEOUT_S=60) as (fake, daemon, http):
        post = asyncio.create_task(http.post("/prompt", json={"prompt": "add"}))
        async with asyncio.timeout(10):
            while not fake.active:
                await asyncio.sleep(0.01)
        post.cancel()
        async with asyncio.timeout(10):
            while fake.active or daemon.parts.scheduler.runs():
                await asyncio.sleep(0.01)
        assert last_record(daemon)["error"]["code"] == "cancelled"


async def test_auto_finds_a_real_model_that_comes_later(daemon_with, monkeypatch):
    """A daemon that started before Ollama stands on the starter, looks again, and stays."""
    monkeypatch.setattr("pipeline.models.auto_model.LOOK_AGAIN_S", 0.0)
    auto = {f"{role}_MODEL_NAME": "auto" for role in ("CODER", "JUDGE", "REVIEWER")}
    fake = FakeOllama(CODER, JUDGE)
    async with fake:
        port = fake.port
    async with daemon_with(OLLAMA_HOST=f"http://127.0.0.1:{port}", **auto) as (_, http):
        assert (await http.get("/readyz")).json()["models"]["coder"] == "local/starter"
        fake.port = port
        async with fake:
            assert (await http.get("/readyz")).json()["models"]["coder"] == MODEL
            assert (await http.post("/prompt", json={"prompt": "add"})).json() == {"output": CODE}
        assert (await http.get("/readyz")).json()["models"]["coder"] == MODEL
        answer = await http.post("/prompt", json={"prompt": "add"})
        assert answer.json()["error"]["code"] == "model_unreachable"


async def test_many_faults_leave_no_descriptor_behind(daemon_with):
    """After a hundred broken runs the process holds no more than after the first twenty."""
    answers = [Answer(fault=fault, times=30) for fault in ("500", "cut", "html", "error_midway")]
    async with laios(daemon_with, *answers, MODEL_TIMEOUT_S=5) as (_, _, http):

        async def descriptors_after_twenty():
            await asyncio.gather(
                *(http.post("/prompt", json={"prompt": "///raw add"}) for _ in range(20))
            )
            return psutil.Process().num_fds()

        first = await descriptors_after_twenty()
        for _ in range(4):
            last = await descriptors_after_twenty()
        assert last <= first + 5
