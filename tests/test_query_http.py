"""`POST /query` and `GET /query/schema` over a real socket."""

import asyncio
import json
import shutil
from types import SimpleNamespace

import httpx
import jsonschema_rs
import pytest
from processes import invoke
from query_scripts import (
    API,
    CHANGE,
    NEW,
    NOTED,
    OLD,
    PLAN,
    PLANNED,
    QUERY,
    REFINE,
    STEPS,
    WRITTEN,
    kind,
    says,
)
from recorded import records
from test_run_details import record
from waiting import until

from pipeline.task import Result
from retrieval.document_index import DocumentIndex
from retrieval.sources.source_lookup import find_source
from server.api.query import answer_of

SLOW = [kind("api"), says("explainer", "x", delay_ms=60_000)]


@pytest.mark.parametrize(
    ("body", "rules", "schema", "mode"),
    [
        ({"query": QUERY, "type": "plan"}, PLAN, "FinalResult", "code_planned"),
        ({"query": QUERY, "type": "code"}, PLAN, "FinalResult", "code_planned"),
        ({"query": QUERY}, [kind("code"), *PLAN], "FinalResult", "code_planned"),
        ({"query": "pi?", "type": "api"}, API, "APILookupOutput", "answer"),
        ({"query": "pi?", "type": "ask"}, API, "APILookupOutput", "answer"),
        ({"query": "pi?"}, API, "APILookupOutput", "code_planned"),
        (
            {"query": CHANGE, "type": "refine", "code": OLD},
            REFINE,
            "CodeRefinementResult",
            "code_refined",
        ),
    ],
)
async def test_each_type_has_its_object(daemon_with, tmp_path, body, rules, schema, mode):
    """Which fits the served schema of its name; the run is on record as a query before the answer
    arrives."""
    async with daemon_with(*rules, DOCS_DIR=tmp_path / "docs") as (daemon, http):
        answer = await http.post("/query", json=body | {"session": "mine"})
        served = (await http.get("/query/schema")).json()
        record = daemon.parts.reader.get(answer.headers["x-laios-run-id"])
    assert answer.status_code == 200, answer.text
    found = served | {"anyOf": [{"$ref": f"#/definitions/{schema}"}]}
    jsonschema_rs.Draft7Validator(found).validate(answer.json())
    assert (record["source"], record["session"], record["mode"]) == ("query", "mine", mode)
    assert record["original_prompt"] == body["query"]


@pytest.mark.parametrize(
    ("kind_of", "fields", "schema"),
    [
        (
            "explanation",
            {"key_concepts": [], "examples": [], "related_concepts": []},
            "ExplanationOutput",
        ),
        (
            "data_to_code",
            {"data_analysis": "rows", "suggested_techniques": [], "alternative_approaches": []},
            "DataToCodeOutput",
        ),
        ("code_to_data", {"code_requirements": "rows"}, "CodeToDataOutput"),
        ("enrich", {"key_points": [], "symbols_explained": []}, "ExplanationEnrichmentOutput"),
    ],
)
async def test_the_other_answers_have_theirs(daemon_with, tmp_path, kind_of, fields, schema):
    """Code and data go in with the question."""
    about = {"sources": [], "confidence": "medium"}
    rules = [
        says("explainer", fields | about, prompt="The description as JSON:"),
        says("explainer", "It reads p.csv.", prompt=r"area|r,h"),
        says("coder", "import csv\n\nprint(csv.reader(open('p.csv')))\n", prompt="r,h"),
    ]
    body = {"query": "What of it?", "type": kind_of}
    body |= {"data_files": [{"name": "p.csv", "head": "r,h\n1,2\n"}]}
    body |= {"code": OLD} if kind_of in ("code_to_data", "enrich") else {}
    async with daemon_with(*rules, DOCS_DIR=tmp_path / "docs") as (_, http):
        answer = await http.post("/query", json=body)
        served = (await http.get("/query/schema")).json()
    assert answer.status_code == 200, answer.text
    found = served | {"anyOf": [{"$ref": f"#/definitions/{schema}"}]}
    jsonschema_rs.Draft7Validator(found).validate(answer.json())
    assert "It reads p.csv." in json.dumps(answer.json())


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ({}, '"query" is missing'),
        ({"query": "x", "typ": "api"}, "Did you mean 'type'?"),
        ({"query": "x", "type": "enrich"}, '"code" is missing'),
        ({"query": "x", "data_files": [{}]}, '"name" is missing'),
    ],
)
async def test_bad_input_has_the_native_error_shape(daemon_with, body, said):
    """400, `bad_request`, and what is wrong; nothing is run."""
    async with daemon_with(*API) as (daemon, http):
        answer = await http.post("/query", json=body)
        assert (answer.status_code, answer.json().keys()) == (400, {"error"})
        assert answer.json()["error"]["code"] == "bad_request"
        assert said in answer.json()["error"]["message"]
        assert (await http.post("/query", content=b"{")).status_code == 415
        head = {"Content-Type": "application/json"}
        assert (await http.post("/query", content=b"{", headers=head)).status_code == 400
        assert not records(daemon)


@pytest.mark.parametrize(
    ("fault", "status", "error"),
    [
        ("unreachable", 502, "model_unreachable"),
        ("not_found", 502, "model_not_found"),
        ("failed", 502, "model_failed"),
    ],
)
async def test_a_backend_that_cannot_answer_stays_an_error(daemon_with, fault, status, error):
    """With the codes of `POST /prompt`."""
    async with daemon_with(says("explainer", "", fault=fault)) as (_, http):
        answer = await http.post("/query", json={"query": "pi?", "type": "api"})
    assert (answer.status_code, answer.json()["error"]["code"]) == (status, error)


async def test_the_starter_is_no_model_for_queries(daemon_with):
    """The error says what to do."""
    async with daemon_with(CODER_MODEL_NAME="local/starter") as (_, http):
        answer = await http.post("/query", json={"query": "pi?", "type": "api"})
    assert (answer.status_code, answer.json()["error"]["code"]) == (502, "model_not_found")
    assert "laios models pull" in answer.json()["error"]["message"]


async def test_a_caller_who_goes_away_ends_the_run(daemon_with, tmp_path):
    """It is cancelled, and recorded as that."""
    async with daemon_with(*SLOW, DOCS_DIR=tmp_path / "docs") as (daemon, http):
        with pytest.raises(httpx.ReadTimeout):
            await http.post("/query", json={"query": "pi?", "type": "api"}, timeout=0.5)
        await until(lambda: records(daemon))
        assert [record["error"]["code"] for record in records(daemon)] == ["cancelled"]


async def test_a_plan_can_be_followed(daemon_with, tmp_path):
    """Its steps and how far they are, in the events of a run that has the caller's own id."""
    from pipeline.request import new_id

    id = new_id()
    rules = [PLANNED | {"delay_ms": 200}, *PLAN[1:]]
    async with daemon_with(*rules, DOCS_DIR=tmp_path / "docs") as (daemon, http):
        head = {"X-Laios-Run-Id": id}
        body = {"query": QUERY, "type": "plan"}
        asking = asyncio.create_task(http.post("/query", json=body, headers=head))
        await until(daemon.parts.scheduler.runs)
        events = (await http.get(f"/runs/{id}/events")).text
        assert (await asking).headers["x-laios-run-id"] == id
    told = [json.loads(line[6:]) for line in events.splitlines() if line.startswith("data: ")]
    [plan] = [event for event in told if event["event"] == "plan"]
    assert [step["description"] for step in plan["steps"]] == [*STEPS]
    states = [(e["step_number"], e["state"]) for e in told if e["event"] == "plan_step"]
    assert states == [(n, state) for n in (1, 2, 3) for state in ("started", "done")]


@pytest.mark.skipif(shutil.which("bwrap") is None, reason="what is wrong is found by running")
async def test_what_is_wrong_with_the_code_is_told(daemon_with, tmp_path):
    """In `warnings`, beside the object's own fields; without any there is no such field."""
    broken = says("coder", "print(undefined_name)\n")
    fixer = says("reviewer", "print(undefined_name)\n\n\n")
    judge = {"role": "judge", "verdict": [9, 1, "It is right."]}
    docs = tmp_path / "docs"
    async with daemon_with(PLANNED, broken, fixer, NOTED, judge, DOCS_DIR=docs) as (_, http):
        answer = (await http.post("/query", json={"query": QUERY, "type": "plan"})).json()
        served = (await http.get("/query/schema")).json()
    assert any("undefined_name" in warning for warning in answer["warnings"])
    jsonschema_rs.Draft7Validator(served).validate(answer)
    rules = [PLANNED, WRITTEN, *PLAN[2:]]
    async with daemon_with(*rules, DOCS_DIR=docs) as (_, http):
        good = (await http.post("/query", json={"query": QUERY, "type": "plan"})).json()
    assert "warnings" not in good


def test_what_is_not_certain_of_the_code_is_told():
    """In `warnings`, as the run's own details have it."""
    differs = {"call": "the program", "here": "prints 8", "elsewhere": "prints 9"}
    made = {"result": {}, "findings": [], "notes": [], "differences": [differs]}
    run = SimpleNamespace(result=Result("print(8)", "python", artefact=made), state="done")
    run.record = record(artefact=made)
    doubt = "not certain: the program prints 8, in other drafts it prints 9"
    assert answer_of(run)["warnings"] == [doubt]


async def test_no_log_keeps_no_texts(daemon_with, tmp_path):
    """The caller still has the whole answer."""
    body = {"query": CHANGE, "type": "refine", "code": OLD, "no_log": True}
    async with daemon_with(*REFINE, DOCS_DIR=tmp_path / "docs") as (daemon, http):
        answer = (await http.post("/query", json=body)).json()
        [record] = records(daemon)
    assert answer["code"] == NEW
    assert CHANGE not in json.dumps(record) and "radius" not in json.dumps(record)


# --- with documentation --------------------------------------------------------------------------


def index(docs, tmp_path):
    """A folder with one page on pi, taken in as `laios docs add` does."""
    folder = tmp_path / "circles"
    folder.mkdir(exist_ok=True)
    (folder / "pi.md").write_text("# The number pi\n\nmath.pi is the ratio of a circle.\n")
    DocumentIndex(docs).add(find_source(str(folder)))


async def test_documentation_is_there_without_a_restart(daemon_with, tmp_path):
    """What is taken in while the daemon runs is offered and cited; what was not offered is not. A
    citation leads to its piece."""
    docs = tmp_path / "docs"
    body = {"query": "What is math.pi?", "type": "api"}
    async with daemon_with(*API, DOCS_DIR=docs) as (daemon, http):
        alone = (await http.post("/query", json=body)).json()
        await asyncio.to_thread(index, docs, tmp_path)
        answer = (await http.post("/query", json=body)).json()
        newest = records(daemon)[1]
        [cited] = answer["citations"]
        found = await http.get(f"/docs/chunks/{cited['chunk_id']}")
        none = await http.get("/docs/chunks/nothing_0")
    assert (alone["citations"], alone["confidence"]) == ([], "low")
    assert cited["number"] == 1 and "pi" in cited["title"]
    assert "[1]" in answer["explanation"] and answer["confidence"] == "high"
    [offered] = newest["artefact"]["documentation"]
    assert offered["chunk_id"] == cited["chunk_id"] and "ratio" in offered["content"]
    assert found.json()["content"] == offered["content"] and found.json()["source"] == "circles"
    assert (none.status_code, none.json()["error"]["code"]) == (404, "not_found")


def test_the_command_line_shows_what_a_citation_leads_to(tmp_path, monkeypatch):
    """To the letter, or as JSON; an id that is not there ends with status 1."""
    docs = tmp_path / "docs"
    index(docs, tmp_path)
    monkeypatch.setenv("LAIOS_DOCS_DIR", str(docs))
    [found] = json.loads(invoke("docs", "search", "pi", "--json").stdout)
    assert invoke("docs", "show", found["id"]).stdout.strip() == found["content"].strip()
    assert json.loads(invoke("docs", "show", found["id"], "--json").stdout) == found
    none = invoke("docs", "show", "nothing_0")
    assert none.returncode == 1 and "laios docs search" in none.stderr


async def test_a_broken_index_costs_the_documentation_alone(daemon_with, tmp_path):
    """The answer comes, and says which command mends it."""
    docs = tmp_path / "docs"
    await asyncio.to_thread(index, docs, tmp_path)
    (docs / "index.sqlite").write_bytes(b"no database" * 100)
    async with daemon_with(*API, DOCS_DIR=docs) as (_, http):
        answer = await http.post("/query", json={"query": "pi?", "type": "api"})
        broken = await http.get("/docs/chunks/x_0")
    assert answer.status_code == 200
    assert broken.status_code == 500 and "laios docs add" in broken.json()["error"]["message"]
    assert any("laios docs add" in warning for warning in answer.json()["warnings"])
