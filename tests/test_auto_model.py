"""`auto` follows what is installed."""

import pytest
from fakes import CODE, Answer, FakeOllama, Pulled

from pipeline.roles import ROLES
from server.commands.status import _lines

GOOD = '{"confidence_score": 9, "conflict_score": 1, "judgement_summary": "Right."}'
LARGE = Pulled("qwen2.5-coder:7b", 10**6)
SMALL = Pulled("qwen2.5-coder:1.5b", 10**6, parameter_size="1.5B")
BARE = Pulled("bare:7b", template="{{ .Prompt }}")


@pytest.fixture
async def fake(monkeypatch):
    monkeypatch.setattr("pipeline.models.ollama.FACTS_KEPT_S", 0.0)
    judges = Answer("Yes", prompt="Yes or no"), Answer(GOOD, structured=True)
    async with FakeOllama(*judges, models=(LARGE, SMALL)) as server:
        yield server


def steps(daemon):
    """(model, error's code) of each call of the last run."""
    [record] = daemon.parts.reader.page(limit=1)
    calls = [step for step in record["steps"] if step["model"]]
    return [(step["model"], step["error"] and step["error"]["code"]) for step in calls]


async def ask(http, prompt="///raw add"):
    return (await http.post("/prompt", json={"prompt": prompt})).json()


async def test_a_deleted_model_is_replaced_in_the_run_that_misses_it(daemon_with, fake, caplog):
    """The next best real one answers; the steps name both, and log and status say it once."""
    async with daemon_with(OLLAMA_HOST=fake.url, MAX_DRAFTS=1) as (daemon, http):
        await ask(http)
        assert steps(daemon) == [("ollama/qwen2.5-coder:7b", None)]
        gone = fake.models.pop("qwen2.5-coder:7b")
        assert await ask(http, "add") == {"output": CODE}
        assert steps(daemon) == [
            ("ollama/qwen2.5-coder:7b", "model_not_found"),
            ("ollama/qwen2.5-coder:1.5b", None),
            ("ollama/qwen2.5-coder:1.5b", None),
        ]
        said = "ollama/qwen2.5-coder:7b is gone; `auto` takes ollama/qwen2.5-coder:1.5b"
        ready = await http.get("/readyz")
        assert ready.status_code == 200
        notice, judge = ready.json()["notices"]
        assert judge["code"] == "no_judge"
        assert notice["code"] == "replaced" and notice["message"].startswith(said)
        await ask(http)
        assert sum(said in line for line in caplog.messages) == 1
        fake.models[gone.name] = gone
        daemon.parts.models._auto._looked_at = float("-inf")  # ten seconds have passed
        await ask(http)
        assert steps(daemon) == [("ollama/qwen2.5-coder:7b", None)]
        assert (await http.get("/readyz")).json()["notices"] == []


async def test_status_alone_finds_out_that_a_model_is_gone(daemon_with, fake):
    """Ready, with the next best one, before any run has failed; without one, not ready, once."""
    async with daemon_with(OLLAMA_HOST=fake.url) as (_, http):
        assert (await http.get("/readyz")).status_code == 200
        del fake.models["qwen2.5-coder:7b"]
        ready = await http.get("/readyz")
        assert ready.status_code == 200
        assert set(ready.json()["models"].values()) == {"ollama/qwen2.5-coder:1.5b"}
        fake.models.clear()
        ready = await http.get("/readyz")
        [reason] = ready.json()["reasons"]
        assert (ready.status_code, reason["code"]) == (503, "model_not_found")
        assert reason["roles"] == ["coder", "judge", "reviewer"]


async def test_while_ollama_is_away_its_model_keeps_its_place(daemon_with, fake):
    """No fall to a smaller model or to the starter: the calls say that it is unreachable."""
    async with daemon_with(OLLAMA_HOST=fake.url) as (daemon, http):
        await ask(http)
        await fake.__aexit__(None, None, None)
        daemon.parts.models._auto._looked_at = float("-inf")
        assert (await ask(http))["error"]["code"] == "model_unreachable"
        assert steps(daemon) == [("ollama/qwen2.5-coder:7b", "model_unreachable")]
        assert (await http.get("/readyz")).json()["notices"] == []


async def test_a_model_that_settings_name_is_not_replaced(daemon_with, fake):
    """Only `auto` chooses; whoever names a model gets it or an error."""
    named = {f"{role}_MODEL_NAME": "ollama/qwen3:4b" for role in ("CODER", "JUDGE", "REVIEWER")}
    async with daemon_with(OLLAMA_HOST=fake.url, **named) as (daemon, http):
        assert (await ask(http))["error"]["code"] == "model_not_found"
        assert steps(daemon) == [("ollama/qwen3:4b", "model_not_found")]


async def test_a_model_without_a_chat_template_gets_its_rules_in_the_first_turn(daemon_with, fake):
    """Ollama would drop a system message; every role's call has the rules, and status says so."""
    fake.models["bare:7b"] = BARE
    bare = {f"{role}_MODEL_NAME": "ollama/bare:7b" for role in ("CODER", "JUDGE", "REVIEWER")}
    async with daemon_with(OLLAMA_HOST=fake.url, MAX_DRAFTS=1, **bare) as (daemon, http):
        assert await ask(http, "add two numbers") == {"output": CODE}
        coder, judge = (request["messages"] for request in fake.requests)
        assert [turn["role"] for turn in coder] == ["user"]
        assert coder[0]["content"].startswith("You are the coder of an automated pipeline.")
        assert coder[0]["content"].endswith("add two numbers")
        assert [turn["role"] for turn in judge] == ["user", "assistant", "user"]
        assert judge[0] == coder[0]
        ready = (await http.get("/readyz")).json()
        [notice] = ready["notices"]
        assert (notice["code"], notice["model"]) == ("no_chat_template", "ollama/bare:7b")
        shown = _lines(daemon.settings, {"version": "0"}, ready)
        assert [line for line in shown if "!" in line] == [f"  ! {notice['message']}"]
        assert "no chat template" in notice["message"]


async def test_a_renderer_stands_in_for_a_template(fake):
    """Ollama builds some models' prompts itself: `{{ .Prompt }}` says nothing of those."""
    from pipeline.models.ollama_library import has_chat_template

    assert not has_chat_template("{{ .Prompt }}", None)
    assert not has_chat_template("[INST]{{ .Prompt }}[/INST]", "")
    assert has_chat_template("{{ .Prompt }}", "qwen3-coder")
    assert has_chat_template("{{ range .Messages }}{{ .Content }}{{ end }}", None)
    assert has_chat_template("{{ if .System }}{{ .System }}{{ end }}{{ .Prompt }}", None)
    assert has_chat_template("{% for m in messages %}{{ m.content }}{% endfor %}", None)
    assert has_chat_template(None, None)


@pytest.mark.parametrize(
    ("setting", "helps"),
    [(32768, "use a model with a longer window"), (2048, "raise MAX_CONTEXT_TOKENS")],
)
async def test_the_advice_names_what_is_the_bound(daemon_with, fake, setting, helps):
    """Raising a setting does not help where the model's own window is full."""
    fake.models["short:1b"] = Pulled("short:1b", context_length=4096)
    options = {"MAX_CONTEXT_TOKENS": setting, "MAX_OUTPUT_TOKENS": 512}
    coder = {"OLLAMA_HOST": fake.url, "CODER_MODEL_NAME": "ollama/short:1b"}
    async with daemon_with(**coder, **options) as (_, http):
        error = (await ask(http, f"///raw {'word ' * 9000}"))["error"]
    assert error["code"] == "context_too_long"
    assert helps in error["message"]
    assert ("MAX_CONTEXT_TOKENS" in error["message"]) == (setting == 2048)
    assert not fake.requests


async def test_auto_falls_back_as_the_role_whose_models_it_takes(daemon_with, script, tmp_path):
    """Where the first of a named list is missing, judge and reviewer have the next, too."""
    there = script({"stage": "coder", "text": CODE})
    names = (f"local/{tmp_path}/missing.gguf", there)
    async with daemon_with(CODER_MODEL_NAME=names) as (daemon, _):
        models, settings = daemon.parts.models, daemon.settings
        assert {tuple(models.names_for(role, settings)) for role in ROLES} == {names}


async def test_auto_takes_the_model_of_another_role_before_the_starter(daemon_with, script):
    """Who names only a coder gets its drafts, not what the starter makes of them."""
    coder = script({"stage": "coder", "text": CODE})
    async with daemon_with(CODER_MODEL_NAME=coder) as (daemon, http):
        names = (await http.get("/readyz")).json()["models"]
        assert names == dict.fromkeys(("coder", "judge", "reviewer"), coder)
        assert not daemon.parts.models.stands_on_starter(daemon.settings)


async def test_auto_stays_with_the_starter_where_nobody_names_another(daemon_with):
    """The starter named for one role is no reason to leave it."""
    async with daemon_with(JUDGE_MODEL_NAME="local/starter") as (daemon, http):
        names = (await http.get("/readyz")).json()["models"]
        assert set(names.values()) == {"local/starter"}
        assert daemon.parts.models.stands_on_starter(daemon.settings)
