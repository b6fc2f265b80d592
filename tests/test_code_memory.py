"""Episodic memory: solved runs that resemble a request, out of a real history and its index."""

import asyncio
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

import pytest
from aiohttp import web
from code_examples import CLEAR, EXPLAINED, GOOD, asked, coder, judge
from fakes import FakeOllama, Pulled

from history.run_index import Index
from history.similar_runs import SimilarRuns
from history.store import Store
from pipeline import memory
from pipeline.analysis.similarity import alike, words_of
from pipeline.exchange import Exchange
from pipeline.memory import Memory
from pipeline.models.auto import Installed
from pipeline.models.ollama_embedder import choose
from pipeline.request import new_id
from pipeline.tested.tests_json import write_untested

REVERSE = "def reverse(text):\n    return text[::-1]\n"


VERDICT = {"confidence_score": 9, "conflict_score": 1}
POOR = {"confidence_score": 4, "conflict_score": 1}
WRONG = {"stage": "coder", "kind": "example", "detail": "the example fails"}
PASSED, FAILED = {"status": "passed"}, {"status": "wrong"}


class Past(NamedTuple):
    store: Store
    similar: SimilarRuns


@pytest.fixture
async def past(tmp_path):
    store = Store(tmp_path / "history", fsync=False)
    index = Index(tmp_path / "history", tmp_path / "cache")
    yield Past(store, SimilarRuns(index))
    await store.close()


async def keep(past, prompt, output=REVERSE, **more):
    record = {
        "id": new_id(),
        "ts": datetime.now(UTC).isoformat(),
        "session": None,
        "source": "native",
        "kind": "run",
        "mode": "code_reviewed",
        "original_prompt": prompt,
        "normalized_prompt": prompt,
        "final_output": output,
        "escalated": False,
        "final_source": "coder",
        "judge": VERDICT,
        "error": None,
        "steps": [],
        "evidence": [],
        "duration_ms": 1.0,
    } | more
    await past.store.append(record)
    return record["id"]


async def recall(past, request="reverse a string", *, session=None, most=3, **more):
    similar = Memory(past.similar)
    options = {"language": "python", "budget": 2048} | more
    return await similar.recall(request, session=session, most=most, **options)


async def test_a_solved_request_is_found_by_its_words(past):
    """In other words as well, as long as they have the same beginnings."""
    wanted = await keep(past, "Write a function that reverses strings")
    await keep(past, "reverse a linked list of ten nodes")
    await keep(past, "parse a date")
    found, ids = await recall(past)
    assert ids == [wanted]
    assert found == [Exchange("Write a function that reverses strings", REVERSE)]


async def test_of_code_in_a_json_the_code_is_remembered(past):
    """Of `///test` as `json`, where code in that language is asked for; as text it is the same."""
    answer = write_untested(REVERSE, "python", "no test")
    for output, language in ((answer, "json"), (REVERSE, "python")):
        await keep(past, "reverse a string", output, language=language)
    assert (await recall(past))[0] == [Exchange("reverse a string", REVERSE)]
    assert await recall(past, language="json") == ([], [])


@pytest.mark.parametrize(
    "more",
    [
        {"judge": None},
        {"judge": POOR},
        {"judge": {"confidence_score": None, "conflict_score": None, "error": "unparseable"}},
        {"judge": POOR, "reviewer_judge": POOR, "final_source": "reviewer", "escalated": True},
        {"judge": VERDICT, "final_source": "reviewer"},
        {"evidence": [WRONG]},
        {"artefact": {"tests": [PASSED, FAILED]}},
        {"artefact": {"answer": {"success": False, "confidence": 0.3}}},
        {"artefact": {"judgement": {"valid": False}}},
        {"error": {"code": "model_failed", "message": "x"}},
        {"kind": "auxiliary"},
        {"final_output": None},
        {"final_output": ""},
        {"normalized_prompt": None},
        {"final_output": "fn reverse() {}", "artefact": {"request": {"language": "rust"}}},
        {"language": "rust"},  # what is on record counts, not what it looks like
    ],
)
async def test_what_was_not_solved_does_not_count(past, more):
    """Not judged, judged badly, known to be wrong, failed, without an output or texts, or in
    another language."""
    await keep(past, "reverse a string", **more)
    assert await recall(past) == ([], [])


@pytest.mark.parametrize(
    "more",
    [
        {"judge": POOR, "reviewer_judge": VERDICT, "final_source": "reviewer", "escalated": True},
        {"judge": POOR, "artefact": {"tests": [PASSED]}, "escalated": True},
        {"judge": None, "final_reason": "not judged: the request's examples pass"},
        {"thresholds": {"confidence": 4, "conflict": 6}, "judge": POOR},
        {"source": "judge", "final_source": None, "artefact": {"judgement": {"valid": True}}},
    ],
)
async def test_what_a_judge_or_tests_confirmed_counts(past, more):
    """Escalated or not: what counts is the answer that was returned."""
    wanted = await keep(past, "reverse a string", **more)
    assert (await recall(past))[1] == [wanted]


async def test_the_more_trusted_and_the_younger_come_first(past):
    """Among those that resemble the request alike."""
    ten = {"confidence_score": 10, "conflict_score": 1}
    long_ago = (datetime.now(UTC) - timedelta(days=400)).isoformat()
    old = await keep(past, "reverse a string", "a = 1\n" + REVERSE, judge=ten, ts=long_ago)
    less = await keep(past, "reverse a string", "b = 1\n" + REVERSE)
    more = await keep(past, "reverse a string", "c = 1\n" + REVERSE, judge=ten)
    assert (await recall(past))[1] == [old, less, more]
    assert (await recall(past, most=1))[1] == [more]


async def test_a_session_sees_its_own_first(past):
    """Though others resemble more; the nearest stands last, next to the request."""
    other = await keep(past, "reverse a string", "a = 1\nimport os\n" + REVERSE)
    own = await keep(past, "reverse a given string quickly", session="mine")
    assert (await recall(past, session="mine"))[1] == [other, own]
    assert (await recall(past, session="mine", most=1))[1] == [own]
    assert (await recall(past, most=1))[1] == [other]


async def test_hits_and_tokens_are_bounded(past):
    """At most so many, each one whole, within the budget; 0 is off."""
    for n in range(5):
        await keep(past, "reverse a string", f"def reverse{n}(text):\n    return text[::-1]\n")
    assert len((await recall(past))[1]) == 3
    assert await recall(past, most=0) == ([], [])
    assert await recall(past, budget=0) == ([], [])
    found, ids = await recall(past, budget=40)
    assert len(ids) == len(found) == 1


async def test_the_same_answer_is_shown_once(past):
    """Repeated requests leave room for others."""
    for _ in range(3):
        await keep(past, "reverse a string")
    assert len((await recall(past))[1]) == 1


async def test_texts_are_no_syntax_to_the_index(past):
    """Whatever stands in a request."""
    await keep(past, "reverse a string")
    for request in ('"', "NOT AND OR", "a* ^b : c", "\0 ' -- ;", "🙂 ☃", "x" * 50_000):
        assert await recall(past, request) == ([], [])
    assert (await recall(past, 'reverse" OR "a string*'))[1]


async def test_a_history_that_cannot_be_asked_costs_nothing(past, monkeypatch):
    """Neither a broken index nor one that takes long keeps a request from being answered."""

    class Broken:
        def resembling(self, beginnings, *, session, limit):
            raise OSError("no disk")

    class Slow:
        def resembling(self, beginnings, *, session, limit):
            asyncio.run(asyncio.sleep(0.2))
            return []

    monkeypatch.setattr(memory, "WAIT_S", 0.01)
    for kind in (Broken, Slow):
        found = Memory(kind()).recall("reverse", language=None, session=None, most=1, budget=99)
        assert await found == ([], [])


def test_words_that_every_request_has_say_nothing():
    """And names in code are the words that they are made of."""
    assert words_of("Write a Python function that returns the reversed text") == {"rever", "text"}
    assert words_of("isPrime is_prime IsPRIME") == {"prime"}
    assert alike({"a", "b"}, {"b", "c"}) == 0.5
    assert alike(set(), {"a"}) == 0


MEMORY = r"(?s)resemble this one.*User request:\nreverse a string\n\nAssistant code:\ndef reverse"


async def test_what_was_solved_before_is_offered_and_reported(daemon_with):
    """To the coder as an example, to the caller as numbers, to the record as ids."""
    again = "def reverse(text: str) -> str:\n    return text[::-1]\n"
    rules = [CLEAR, coder(again, prompt=MEMORY), coder(REVERSE), GOOD, EXPLAINED]
    body = asked(instruction="reverse a string")
    async with daemon_with(*rules) as (daemon, http):
        first = (await http.post("/code", json=body)).json()
        answer = await http.post("/code", json=body | {"instruction": "reverses strings"})
        second = answer.json()
        record = daemon.parts.reader.get(answer.headers["x-laios-run-id"])
    assert (first["metadata"]["memory_hits"], first["metadata"]["episodic_memory_used"]) == (
        0,
        False,
    )
    assert (second["metadata"]["memory_hits"], second["metadata"]["episodic_memory_used"]) == (
        1,
        True,
    )
    assert second["code"] == again
    assert len(record["context_ids"]) == 1


@pytest.mark.parametrize(("settings", "verdict"), [({"MEMORY_MAX_HITS": 0}, GOOD), ({}, judge(3))])
async def test_memory_can_be_switched_off_and_learns_nothing_bad(daemon_with, settings, verdict):
    """One setting; and what was escalated is no example."""
    rules = [CLEAR, coder(REVERSE), verdict, {"role": "reviewer", "reply": REVERSE}, EXPLAINED]
    async with daemon_with(*rules, **settings) as (_, http):
        for _ in range(2):
            answer = (await http.post("/code", json=asked(instruction="reverse a string"))).json()
    assert answer["metadata"]["memory_hits"] == 0


# --- by meaning ----------------------------------------------------------------------------------


class EmbeddingOllama(FakeOllama):
    """Vectors that tell texts about palindromes from others."""

    def __init__(self, *models, answer=None):
        super().__init__(models=models)
        self.answer = answer

    async def _embed(self, request):
        given = await super()._embed(request)
        return web.json_response(self.answer) if self.answer else given

    def vector(self, text):
        about = any(word in text for word in ("palindrome", "backwards"))
        return [3.0, 0.1, 0.0] if about else [0.0, 0.1, 2.0]


NOMIC = Pulled("nomic-embed-text", 270_000_000, "nomic-bert", capabilities=("embedding",))
OTHER = "detect words that read the same backwards"


async def solved_then_asked(daemon_with, fake, **settings):
    """Two requests that are solved, then one of them in other words, twice; the hits of each."""
    date = "import datetime\n"
    rules = [CLEAR, coder(date, prompt=r"^parse a date"), coder(REVERSE), GOOD, EXPLAINED]
    hits = []
    async with daemon_with(*rules, OLLAMA_HOST=fake.url, **settings) as (_, http):
        for instruction in ("check for a palindrome", "parse a date", OTHER, OTHER):
            answer = (await http.post("/code", json=asked(instruction=instruction))).json()
            hits.append(answer["metadata"]["memory_hits"])
    return hits


async def test_an_embedding_model_finds_what_other_words_say(daemon_with):
    """On the processor, each text once; what means something else is not near."""
    async with EmbeddingOllama(Pulled("qwen2.5-coder:7b"), NOMIC) as fake:
        assert await solved_then_asked(daemon_with, fake, MEMORY_TOKENS=4096) == [0, 0, 1, 1]
    texts = [text for body in fake.embedded for text in body["input"]]
    assert sorted(texts) == sorted(set(texts)) and OTHER in texts
    assert {body["model"] for body in fake.embedded} == {"nomic-embed-text:latest"}
    assert {body["options"]["num_gpu"] for body in fake.embedded} == {0}


@pytest.mark.parametrize(
    ("models", "answer"),
    [
        ((Pulled("qwen2.5-coder:7b"),), None),
        ((Pulled("nomic-embed-text:cloud", capabilities=("embedding",), remote_host="x"),), None),
        ((NOMIC,), {"embeddings": [[1.0]] * 7}),
        ((NOMIC,), {"error": "no"}),
    ],
)
async def test_without_vectors_words_have_to_do(daemon_with, models, answer):
    """No model for them on this machine, or an answer that is none: the words' hit is there."""
    async with EmbeddingOllama(*models, answer=answer) as fake:
        assert await solved_then_asked(daemon_with, fake) == [0, 0, 0, 1]
    assert bool(fake.embedded) is bool(answer)


@pytest.mark.parametrize(
    ("model", "found"),
    [
        (Installed("bge-m3", 1, "bert"), True),
        (Installed("all-minilm:l6-v2", 1), True),
        (Installed("x", 1, capabilities=frozenset({"embedding"})), True),
        (Installed("qwen2.5-coder:7b", 1), False),
        (Installed("nomic-embed-text", 1, remote=True), False),
    ],
)
def test_which_models_give_vectors(model, found):
    """As Ollama says, else by family and name; never one on another machine."""
    assert choose([model]) == (model.name if found else None)
    assert choose([Installed("e5-large", 9), Installed("e5-small", 2)]) == "e5-small"
