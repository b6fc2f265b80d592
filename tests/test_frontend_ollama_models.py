"""What Ollama's own program is told of models: which are loaded, their sizes, versions, vectors."""

import base64
import struct

import pytest
from fakes import Answer, FakeOllama, Pulled

from pipeline.models.ollama_host import OllamaHost
from server.http.guard import BODY_METHODS

GOOD = '{"confidence_score": 9, "conflict_score": 1, "judgement_summary": "Right."}'
CODER, JUDGE = Pulled("large:7b", 4_000_000_000), Pulled("small:1b", 1_000_000_000)
VECTORS = Pulled("nomic-embed-text", 270_000_000, "nomic-bert", capabilities=("embedding",))
TAKE_TOOLS = {"laios:latest", "laios:raw"}
ROLES = {
    "CODER_MODEL_NAME": "ollama/large:7b",
    "JUDGE_MODEL_NAME": "ollama/small:1b",
    "REVIEWER_MODEL_NAME": "ollama/large:7b",
}


@pytest.fixture
async def fake():
    models = (CODER, JUDGE, VECTORS, Pulled("stranger"))
    async with FakeOllama(Answer(GOOD, structured=True), models=models) as server:
        yield server


@pytest.fixture
async def http(daemon_with, fake):
    async with daemon_with(OLLAMA_HOST=fake.url, JUDGE_WHEN="always", **ROLES) as (_, client):
        yield client


async def test_ps_lists_the_roles_models_that_are_loaded(fake, http):
    """As what they are: name, size, window, until; not the modes, nor others' models."""
    assert (await http.get("/api/ps")).json() == {"models": []}
    fake.loaded["stranger:latest"] = 4096
    await http.post("/prompt", json={"prompt": "add"})
    large, small = (await http.get("/api/ps")).json()["models"]
    assert (large["name"], large["size"]) == ("ollama/large:7b", 4_000_000_000)
    assert (small["name"], small["size"]) == ("ollama/small:1b", 1_000_000_000)
    assert large["context_length"] == fake.loaded["large:7b"]
    assert large["digest"] == "ab" * 32 and large["expires_at"].endswith("Z")
    assert large["model"] == large["name"] and large["size_vram"] == 0
    fake.loaded.clear()
    assert (await http.get("/api/ps")).json() == {"models": []}


async def test_ps_knows_the_embedded_engine(daemon_with):
    """The starter, from its first answer on, with the window that it was loaded with, which is
    what `show` says of it, too; its size is that of weights and window."""
    async with daemon_with(OLLAMA_HOST="http://127.0.0.1:9") as (_, http):
        assert (await http.get("/api/ps")).json() == {"models": []}
        await http.post("/prompt", json={"prompt": "///raw add up a list of numbers"})
        [row] = (await http.get("/api/ps")).json()["models"]
        assert (row["name"], row["context_length"]) == ("local/starter", 1024)
        assert 1_000_000 < row["size"] < 50_000_000
        assert len(row["digest"]) == 64 and row["expires_at"]
        shown = (await http.post("/api/show", json={"model": "laios"})).json()
        assert shown["parameters"] == "num_ctx 1024"
        assert shown["model_info"]["laios.context_length"] == 1024


async def test_a_mode_s_size_is_that_of_the_models_behind_it(fake, http):
    """Each model once; the time is that of the newest. What it can do is the mode's own."""
    fake.models["large:7b"].modified_at = "2026-03-01T10:00:00.000000000+02:00"
    fake.models["small:1b"].modified_at = "2025-01-01T00:00:00.000000000Z"
    rows = {row["name"]: row for row in (await http.get("/api/tags")).json()["models"]}
    assert rows["laios:latest"]["size"] == 5_000_000_000
    assert rows["laios:raw"]["size"] == rows["laios:review-only"]["size"] == 4_000_000_000
    assert {name for name, row in rows.items() if "tools" in row["capabilities"]} == TAKE_TOOLS
    assert {row["modified_at"] for row in rows.values()} == {"2026-03-01T08:00:00.000000000Z"}


async def test_models_whose_files_are_not_known_have_no_size(daemon_with):
    """The time is that of this laios, and stays the same."""
    async with daemon_with({"reply": "x"}) as (_, http):
        rows = (await http.get("/api/tags")).json()["models"]
    assert {row["size"] for row in rows} == {0}
    assert len({row["modified_at"] for row in rows}) == 1


@pytest.mark.parametrize(
    ("behind", "said"),
    [("0.31.2", "0.31.2"), ("0.13.4", "0.13.4"), ("0.9.0", None), ("0.0.0", None), ("x", None)],
)
async def test_the_version_is_that_of_the_ollama_behind(fake, http, behind, said):
    """Its client warns of any other; one that is too old for other clients is not told."""
    fake.version = behind
    version = (await http.get("/api/version")).json()["version"]
    assert version == (said or "0.24.0")


@pytest.mark.parametrize("model", ["nomic-embed-text", "nomic-embed-text:latest", "laios", None])
async def test_vectors_come_from_the_installed_embedding_model(fake, http, model):
    """On all three routes, by its name or by one of ours."""
    named = {"model": model} if model else {}
    answer = await http.post("/api/embed", json=named | {"input": ["a", "bc"], "truncate": False})
    assert answer.json()["embeddings"] == [[0.6, 0.8], [1.0, 0.0]]
    answer = await http.post("/api/embeddings", json=named | {"prompt": "a"})
    assert answer.json() == {"embedding": [0.6, 0.8]}
    answer = await http.post("/v1/embeddings", json=named | {"input": "bc"})
    assert answer.json() == {
        "object": "list",
        "data": [{"object": "embedding", "index": 0, "embedding": [1.0, 0.0]}],
        "model": "nomic-embed-text:latest",
        "usage": {"prompt_tokens": 2, "total_tokens": 2},
    }
    assert {body["model"] for body in fake.embedded} == {"nomic-embed-text:latest"}
    assert fake.embedded[0]["truncate"] is False
    assert all(body["options"] == {"num_gpu": 0} for body in fake.embedded)


async def test_vectors_as_base64(http):
    """What OpenAI's own SDKs ask for."""
    body = {"model": "laios", "input": ["a"], "encoding_format": "base64"}
    [row] = (await http.post("/v1/embeddings", json=body)).json()["data"]
    assert struct.unpack("<2f", base64.b64decode(row["embedding"])) == pytest.approx((0.6, 0.8))


@pytest.mark.parametrize("vector", [[1e300], ["a"], None])
async def test_vectors_that_are_none_are_the_backend_s_failure(fake, http, monkeypatch, vector):
    """Neither a mistake of laios' nor an answer."""
    monkeypatch.setattr(fake, "vector", lambda text: vector)
    body = {"input": "a", "encoding_format": "base64"}
    answer = await http.post("/v1/embeddings", json=body)
    assert (answer.status_code, answer.json()["error"]["code"]) == (502, "model_failed")


async def test_fewer_vectors_than_texts_are_the_backend_s_failure(fake, http, monkeypatch):
    """Who stores them would take one text's for another's."""
    ask = OllamaHost.open

    def without_the_last(host, method, path, body=None, headers=None):
        body = {**body, "input": body["input"][:-1]} if path == "/api/embed" else body
        return ask(host, method, path, body, headers)

    monkeypatch.setattr(OllamaHost, "open", without_the_last)
    answer = await http.post("/v1/embeddings", json={"input": ["a", "b"]})
    assert (answer.status_code, answer.json()["error"]["code"]) == (502, "model_failed")


@pytest.mark.parametrize(
    ("path", "body", "status", "words"),
    [
        ("/api/embed", {"model": "small:1b", "input": "a"}, 404, "nomic-embed-text:latest"),
        ("/v1/embeddings", {"model": "other", "input": "a"}, 404, "Here: nomic-embed-text:latest"),
        ("/v1/embeddings", {"input": [[1, 2]]}, 400, "list of strings"),
        ("/v1/embeddings", {"input": []}, 400, "list of strings"),
        ("/v1/embeddings", {"input": "a", "encoding_format": "int8"}, 400, "encoding_format"),
    ],
)
async def test_vectors_that_cannot_be_had_are_refused(fake, http, path, body, status, words):
    """With what there is instead; nothing reaches the backend."""
    answer = await http.post(path, json=body)
    error = answer.json()["error"]
    assert answer.status_code == status
    assert words in (error if path.startswith("/api") else error["message"])
    assert not fake.embedded


async def test_without_an_embedding_model_the_way_to_one_is_told(fake, http):
    """For each route in its own shape."""
    del fake.models["nomic-embed-text:latest"]
    for path in ("/api/embed", "/api/embeddings", "/v1/embeddings"):
        answer = await http.post(path, json={"input": "a", "prompt": "a"})
        assert answer.status_code == 404
        assert "ollama pull nomic-embed-text" in answer.text


async def test_another_method_is_a_405_whatever_it_carries(http):
    """Also where the route takes a body with POST alone."""
    for path in ("/api/chat", "/api/show", "/v1/chat/completions", "/prompt"):
        for content in ({}, {"content": b"x" * 100}):
            answer = await http.put(path, **content)
            assert (answer.status_code, answer.headers["allow"]) == (405, "POST")


def test_no_route_takes_a_body_that_the_guard_does_not_look_at():
    """JSON alone, and within the limit: that is checked for POST."""
    from server.routes import ROUTES

    methods = {method for route in ROUTES for method in route.methods}
    assert methods - {"GET", "HEAD", "DELETE"} == set(BODY_METHODS)
