"""Whole runs on an Ollama server, the fake and a real one alike: what is loaded, what breaks."""

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from fakes import CHAT_TEMPLATE, Answer, FakeOllama, Pulled
from processes import daemon_here, free_port, invoke, wait_for
from real_ollama import OTHER, SERVERS, RealOllama, needs_ollama, real_ollama
from waiting import until

from pipeline.errors import Cancelled, LaiosError
from pipeline.models import known_facts, ollama
from pipeline.models.starter import STARTER

WRITER, SECOND = "ollama/writer", "ollama/second"
STAGES = ("coder", "judge", "reviewer")
SPOKEN = {
    "coder": {"reply": "x = 1"},
    "judge": {"verdict": [1, 9, "No."]},
    "reviewer": {"reply": "x = 2"},
}
VERDICT = '{"confidence_score": 2, "conflict_score": 8, "judgement_summary": "It does not."}'
REVIEWED = {
    "CODER_MODEL_NAME": WRITER,
    "JUDGE_MODEL_NAME": WRITER,
    "REVIEWER_MODEL_NAME": WRITER,
    "COMPARE_DRAFTS": "off",
    "JUDGE_WHEN": "always",
    "ESCALATION_CONFIDENCE_THRESHOLD": 10,
    "ESCALATION_CONFLICT_THRESHOLD": 1,
    "MAX_OUTPUT_TOKENS": 192,
}
WORDS = "Write a function that adds two numbers."


def fake_ollama(pause_s: float = 0.003) -> FakeOllama:
    return FakeOllama(
        Answer(VERDICT, structured=True, pause_s=pause_s),
        Answer("x = 1", pause_s=0.02),
        models=(Pulled("writer"), Pulled("second")),
    )


@pytest.fixture(scope="module", params=SERVERS)
def server(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Any]:
    """With two models that both fit, and that are two."""
    if request.param == "fake":
        with fake_ollama() as fake:
            yield fake
    else:
        with real_ollama(tmp_path_factory.mktemp("ollama")) as real:
            real.create("second", CHAT_TEMPLATE, OTHER)
            yield real


@pytest.fixture(params=SERVERS)
def small_server(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Any]:
    """Where the two do not fit."""
    if request.param == "fake":
        with fake_ollama() as fake:
            fake.max_loaded = 1
            yield fake
    else:
        with real_ollama(tmp_path, OLLAMA_MAX_LOADED_MODELS="1") as real:
            real.create("second", CHAT_TEMPLATE, OTHER)
            yield real


@pytest.fixture(params=SERVERS)
def wide_server(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Any]:
    """That answers four calls at a time."""
    if request.param == "fake":
        with fake_ollama(0.02) as fake:
            fake.parallel = 4
            yield fake
    else:
        with real_ollama(tmp_path, OLLAMA_NUM_PARALLEL="4") as real:
            yield real


def loaded(server: Any) -> dict[str, int]:
    """The windows of the models in memory."""
    return {row["name"]: row["context_length"] for row in server.ask("/api/ps")["models"]}


def stages(record: Any) -> list[str]:
    return [step["stage"] for step in record["steps"]]


async def reach(run: Any, stage: str) -> None:
    """Until the stage is at work."""
    await until(lambda: run.state == "done" or [each.stage for each in run.steps][-1:] == [stage])
    assert run.state != "done", run.error


def test_auto_status_and_doctor_know_what_is_installed(server, monkeypatch):
    """The best of the server's models plays every role, and both commands have it by its name."""
    monkeypatch.setenv("OLLAMA_HOST", server.url)
    monkeypatch.setenv("LAIOS_PORT", str(free_port()))
    with daemon_here() as address:
        wait_for(lambda: httpx.get(address + "/readyz").json()["models"]["coder"] != STARTER)
        status = json.loads(invoke("status", "--json").stdout)
        [name] = set(status["models"].values())
        installed = {each["name"] for each in server.ask("/api/tags")["models"]}
        assert status["status"] == "ready" and name.removeprefix("ollama/") in installed
    examined = json.loads(invoke("doctor", "--no-probe", "--json").stdout)["findings"]
    found = {each["check"]: each for each in examined}
    assert (found["ollama"]["level"], found[f"model.{name}"]["level"]) == ("ok", "ok")
    assert found["ollama"]["facts"]["models"] == len(installed)
    assert found[f"context.{name}"]["facts"]["trained"]


async def test_all_roles_share_one_load_and_one_window(server, pipeline_with):
    """Chosen once for the run, and kept by the next one."""
    async with pipeline_with(OLLAMA_HOST=server.url, **REVIEWED) as run:
        await run("///raw " + WORDS)
        before, windows = server.load_count, loaded(server)
        for _ in range(2):
            await run(WORDS)
            assert stages(run.record)[:3] == ["coder", "judge", "reviewer"]
            assert (server.load_count, loaded(server)) == (before, windows)


async def test_judge_and_reviewer_are_asked_a_later_turn_of_the_coder_s_conversation(pipeline_with):
    """So that Ollama, which keeps what it has read, reads rules, request and draft once."""
    with fake_ollama() as fake:
        async with pipeline_with(OLLAMA_HOST=fake.url, **REVIEWED) as run:
            await run(WORDS)
    said = [request["messages"] for request in fake.requests if request["messages"]]
    coder, judge, reviewer = said[:3]
    assert [turn["role"] for turn in coder] == ["system", "user"]
    answered = [*coder, {"role": "assistant", "content": "x = 1"}]
    assert judge[:-1] == reviewer[:-1] == answered and judge[-1] != reviewer[-1]


async def test_a_window_grows_once_and_stays(server, pipeline_with):
    """A longer request has the model loaded again with the next larger window; a short one after it
    does not."""
    async with pipeline_with(OLLAMA_HOST=server.url, **REVIEWED) as run:
        await run("///raw " + WORDS)
        before = server.load_count
        await run("///raw Write it well: " + "add " * 1500)
        assert loaded(server)["writer:latest"] == 8192
        await run("///raw " + WORDS)
        assert (server.load_count, loaded(server)["writer:latest"]) == (before + 1, 8192)


async def test_two_models_that_do_not_both_fit_take_turns(small_server, pipeline_with):
    """Each is loaded when its stage needs it, none before its time, and runs go one by one."""
    server, settings = small_server, REVIEWED | {"JUDGE_MODEL_NAME": SECOND, "JUDGE_REVIEW": False}
    async with pipeline_with(OLLAMA_HOST=server.url, **settings) as run:
        accepted = [run.submit(WORDS) for _ in range(2)]
        for each in accepted:
            await run.scheduler.finished(each)
            assert run.models.local_calls(run.scheduler.settings) == 1
        assert list(loaded(server)) == ["writer:latest"]
        for record in run.history.records:
            assert stages(record)[:3] == ["coder", "judge", "reviewer"]
        assert server.load_count == 5  # writer, (second, writer) twice


async def test_runs_go_side_by_side_where_the_server_answers_so(wide_server, pipeline_with):
    """What OLLAMA_NUM_PARALLEL is nobody says: runs are let in as far as it has been seen. The
    judge's answers are long enough for that."""
    rules = [{"role": role, **SPOKEN[role]} for role in ("coder", "reviewer")]
    settings = {name: value for name, value in REVIEWED.items() if not name.endswith("MODEL_NAME")}
    settings |= {"OLLAMA_HOST": wide_server.url, "JUDGE_MODEL_NAME": WRITER}
    async with pipeline_with(*rules, **settings) as run:
        most = 0
        async with asyncio.timeout(50):
            while most < 2 or run.models.local_calls(run.scheduler.settings) < 3:
                for each in [run.submit(WORDS + f" {n}") for n in range(6)]:
                    await run.scheduler.finished(each)
                    most = max(most, len(run.scheduler.queue._running))


@pytest.mark.parametrize("stage", STAGES)
async def test_a_cancel_frees_the_server_in_every_stage(server, pipeline_with, stage):
    """The run is recorded as cancelled, and the next one is answered."""
    async with pipeline_with(OLLAMA_HOST=server.url, **REVIEWED) as run:
        accepted = run.submit(WORDS)
        await reach(accepted, stage)
        run.scheduler.cancel(accepted.id)
        with pytest.raises(Cancelled):
            await run.scheduler.finished(accepted)
        assert run.record["error"]["code"] == "cancelled" and stages(run.record)[-1] == stage
        assert await run("///raw " + WORDS)


async def test_another_model_under_the_same_name_is_that_other_one(
    server, pipeline_with, monkeypatch
):
    """Between two runs: what was known of the first is asked again."""
    monkeypatch.setattr(known_facts, "KEPT_S", 0.0)
    monkeypatch.setattr(ollama, "FACTS_KEPT_S", 0.0)
    server.create("changing", CHAT_TEMPLATE)
    settings = REVIEWED | {"CODER_MODEL_NAME": "ollama/changing"}
    async with pipeline_with(OLLAMA_HOST=server.url, **settings) as run:
        await run("///raw " + WORDS)
        model = run.models.for_role("coder", run.scheduler.settings)
        assert (await run.models.facts_of(model)).has_chat_template
        server.delete("changing")
        with pytest.raises(LaiosError, match="ollama pull changing"):
            await run("///raw " + WORDS)
        server.create("changing", "{{ .Prompt }}", OTHER)
        assert await run("///raw " + WORDS)
        facts = await run.models.facts_of(model)
        assert (facts.has_chat_template, facts.context_length) == (False, OTHER)


@needs_ollama
@pytest.mark.parametrize("stage", STAGES)
@pytest.mark.parametrize("killed", ["server", "runners"])
async def test_what_is_killed_in_a_stage_costs_no_more_than_that_stage(
    tmp_path, pipeline_with, stage, killed
):
    """An error of the coder is the caller's; without a verdict or a review the draft is returned.
    What is back answers again."""
    spoken = [{"role": role, **SPOKEN[role]} for role in STAGES if role != stage]
    settings = {**REVIEWED, "COOL_DOWN_S": 0}
    for role in STAGES:
        if role != stage:
            del settings[f"{role.upper()}_MODEL_NAME"]
    server = RealOllama(tmp_path)
    try:
        server.start()
        server.create("writer", CHAT_TEMPLATE)
        async with pipeline_with(*spoken, OLLAMA_HOST=server.url, **settings) as run:
            accepted = run.submit(WORDS)
            await reach(accepted, stage)
            await until(lambda: loaded(server))
            if killed == "server":
                server.kill()
            else:
                server.runners()[0].kill()
            if stage == "coder":
                with pytest.raises(LaiosError) as failed:
                    await run.scheduler.finished(accepted)
                assert failed.value.code in ("model_failed", "model_unreachable")
            else:
                output = await run.scheduler.finished(accepted)
                assert output == ("x = 2" if stage == "judge" else "x = 1")
                broken = next(step for step in run.record["steps"] if step["stage"] == stage)
                assert broken["error"]["code"] in ("model_failed", "model_unreachable")
            if killed == "server":
                await asyncio.to_thread(server.start)
            await run(WORDS)
            assert not any(step["error"] for step in run.record["steps"])
    finally:
        server.stop()
