"""Several models for a role, several hosts, and which models are loaded when."""

import asyncio

import pytest
from fakes import CODE, DEFAULT_MODEL, Answer, FakeOllama, Pulled

from config import load_settings
from pipeline.errors import ModelFailed, ModelUnreachable, RoleNotPlayed

GOOD = '{"confidence_score": 9, "conflict_score": 1, "judgement_summary": "Right."}'
CODER = {"role": "coder", "reply": CODE}
JUDGE = {"role": "judge", "verdict": [9, 1, "Right."]}
SMALL, LARGE = Pulled("small:1b"), Pulled("large:7b")


@pytest.mark.parametrize("fault", ["unreachable", "busy", "not_found"])
async def test_the_next_model_is_asked_where_the_first_cannot_be_had(pipeline_with, script, fault):
    """Unreachable, busy or missing: the record has both calls."""
    first = script({"role": "coder", "fault": fault}, name="first")
    second = script(CODER, name="second")
    async with pipeline_with(JUDGE, CODER_MODEL_NAME=f"{first},{second}") as run:
        assert await run("add") == CODE
    steps = run.record["steps"]
    assert [(step["stage"], step["model"]) for step in steps[:2]] == [
        ("coder", first),
        ("coder", second),
    ]
    assert steps[0]["error"] and not steps[1]["error"]


@pytest.mark.parametrize("fault", ["failed", "too_long"])
async def test_a_model_that_answers_wrongly_is_not_replaced(pipeline_with, script, fault):
    """A broken answer is the stage's business; another model is no retry."""
    first = script({"role": "coder", "fault": fault}, name="first")
    second = script(CODER, name="second")
    async with pipeline_with(JUDGE, CODER_MODEL_NAME=f"{first},{second}") as run:
        with pytest.raises(Exception, match="told to be"):
            await run("add")
    assert len(run.record["steps"]) == 1


async def test_a_model_that_could_not_be_had_is_passed_over_for_a_while(pipeline_with, script):
    """Then it is asked whether it is there, and takes its place again."""
    first = script({"fault": "busy", "times": 2}, CODER, name="first")
    second = script(CODER, name="second")
    options = {"CODER_MODEL_NAME": f"{first},{second}", "COOL_DOWN_S": 2}
    async with pipeline_with(JUDGE, **options) as run:

        async def models():
            await run("///raw add")
            return [step["model"] for step in run.record["steps"]]

        assert await models() == [first, second]
        assert await models() == [second]
        async with asyncio.timeout(30):
            while await models() != [first]:
                await asyncio.sleep(0.1)


async def test_a_model_whose_server_is_gone_is_asked_before_it_counts_as_there(pipeline_with):
    """What it said a moment before its server went clears it of nothing."""
    async with FakeOllama() as fake:
        names = {"CODER_MODEL_NAME": f"ollama/{DEFAULT_MODEL.name}", "COOL_DOWN_S": 60}
        async with pipeline_with(JUDGE, OLLAMA_HOST=fake.url, **names) as run:
            model = run.models.for_role("coder", load_settings(OLLAMA_HOST=fake.url, **names))
            assert await run("///raw add") == CODE
            await fake.__aexit__(None, None, None)
            with pytest.raises(ModelUnreachable):
                await run("///raw add")
            for _ in range(2):
                with pytest.raises(ModelUnreachable):
                    await run.models.probe(model)


async def test_the_last_one_s_error_reaches_the_caller(pipeline_with, script):
    """Nothing is left to ask."""
    names = [script({"fault": "unreachable"}, name=name) for name in ("first", "second")]
    async with pipeline_with(JUDGE, CODER_MODEL_NAME=",".join(names)) as run:
        with pytest.raises(ModelUnreachable):
            await run("add")
    assert len(run.record["steps"]) == 2


async def test_a_model_that_cannot_play_a_role_says_which_can(pipeline_with, monkeypatch):
    """A typed error, unless another one is named that can."""
    monkeypatch.setattr("pipeline.models.starter.StarterModel.roles", frozenset({"judge"}))
    async with pipeline_with(CODER, JUDGE, CODER_MODEL_NAME="local/starter") as run:
        with pytest.raises(RoleNotPlayed, match="laios models pull"):
            await run("add")


async def test_two_ollama_hosts(daemon_with):
    """`ollama@host:port/model` goes there; the other host takes over when it is away."""
    async with FakeOllama(Answer(CODE)) as near, FakeOllama(Answer("far = 1\n")) as far:
        names = f"ollama@127.0.0.1:{far.port}/qwen2.5-coder:7b,ollama/qwen2.5-coder:7b"
        roles = {f"{role}_MODEL_NAME": names for role in ("CODER", "JUDGE", "REVIEWER")}
        async with daemon_with(OLLAMA_HOST=near.url, **roles) as (daemon, http):
            post = {"prompt": "///raw x"}
            assert (await http.post("/prompt", json=post)).json() == {"output": "far = 1\n"}
            await far.__aexit__(None, None, None)
            assert (await http.post("/prompt", json=post)).json() == {"output": CODE}
            assert (await http.get("/readyz")).status_code == 200
            record = daemon.parts.reader.page(limit=1)[0]
            assert [step["model"].partition("/")[0] for step in record["steps"]][-1] == "ollama"


async def test_a_host_that_is_away_costs_a_context_mode_nothing(daemon_with):
    """The history block is measured against the settings, and the other host answers."""
    async with FakeOllama(Answer(CODE)) as fake:
        names = "ollama@127.0.0.1:9/qwen2.5-coder:7b,ollama/qwen2.5-coder:7b"
        async with daemon_with(OLLAMA_HOST=fake.url, CODER_MODEL_NAME=names) as (daemon, http):
            await http.post("/prompt", json={"prompt": "///raw first"})
            answer = await http.post("/prompt", json={"prompt": "///ctx ///raw second"})
            assert answer.json() == {"output": CODE}
            [second, first] = daemon.parts.reader.page(limit=2)
            assert second["context_ids"] == [first["id"]]


@pytest.mark.parametrize("name", ["ollama@/x", "ollama@host:port/x"])
async def test_a_name_that_no_backend_can_have_is_model_not_found(pipeline_with, name):
    """The message shows how a name is written."""
    async with pipeline_with(JUDGE, CODER_MODEL_NAME=name) as run:
        with pytest.raises(Exception) as caught:
            await run("add")
    assert caught.value.code in ("model_not_found", "model_unreachable")


async def test_a_window_that_the_memory_does_not_hold_fails_its_own_run_alone(pipeline_with):
    """A long request cannot be answered; short ones after it are, each in the window that it needs:
    none asks again for the one that failed."""
    async with FakeOllama() as fake:
        fake.widest = 4096
        model = {"CODER_MODEL_NAME": "ollama/qwen2.5-coder:7b", "MAX_OUTPUT_TOKENS": 512}
        async with pipeline_with(OLLAMA_HOST=fake.url, **model) as run:
            assert await run("///raw add") == CODE
            with pytest.raises(ModelFailed, match="more system memory"):
                await run("///raw Write it well: " + "add " * 5000)
            assert await run("///raw add") == CODE


async def test_keep_alive_is_the_role_s_own(daemon_with):
    """A judge that is used often can stay longer than a large reviewer."""
    async with FakeOllama(Answer(GOOD, structured=True), Answer(CODE)) as fake:
        roles = {f"{r}_MODEL_NAME": "ollama/qwen2.5-coder:7b" for r in ("CODER", "JUDGE")}
        options = {
            "OLLAMA_HOST": fake.url,
            "KEEP_ALIVE": "5m",
            "JUDGE_KEEP_ALIVE": "-1m",
            "MAX_DRAFTS": 1,
        }
        async with daemon_with(**roles, **options) as (_, http):
            await http.post("/prompt", json={"prompt": "add"})
        assert [request["keep_alive"] for request in fake.requests] == ["5m", "-1m"]


async def test_the_judge_s_model_is_loaded_while_the_coder_writes_once_both_have_fitted(
    daemon_with,
):
    """Only after the host has shown both loaded at once, and never when it is loaded."""
    answers = [Answer("Yes", prompt="Yes or no"), Answer(CODE, pause_s=0.02)]
    async with FakeOllama(*answers, models=(SMALL, LARGE)) as fake:
        options = {"CODER_MODEL_NAME": "ollama/large:7b", "JUDGE_MODEL_NAME": "ollama/small:1b"}
        options["MAX_DRAFTS"] = 1
        async with daemon_with(OLLAMA_HOST=fake.url, **options) as (_, http):

            async def calls():
                fake.requests.clear()
                await http.post("/prompt", json={"prompt": "add"})
                return [(r["model"], bool(r["messages"])) for r in fake.requests]

            asked = [("large:7b", True), ("small:1b", True)]
            assert await calls() == asked  # nothing is known yet
            assert await calls() == asked  # both are loaded: now it is known
            fake.loaded.pop("small:1b")
            assert await calls() == [("large:7b", True), ("small:1b", False), ("small:1b", True)]
            windows = {request["options"]["num_ctx"] for request in fake.requests}
            assert len(windows) == 1
