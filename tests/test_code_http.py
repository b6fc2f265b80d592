"""`POST /code`, `GET /code/schema` and `GET /openapi.json` over a real socket."""

import asyncio
import json

import httpx
import jsonschema_rs
import pytest
import selection
from code_examples import CLEAR, EXPLAINED, GOOD, asked, coder, intake, judge
from hypothesis import HealthCheck, Phase, given, settings
from processes import daemon_here
from query_scripts import ANYTHING
from recorded import records
from waiting import until

from server.api import openapi
from server.http.errors import STATUS
from server.routes import NATIVE

ADD = "def add(a, b):\n    return a + b\n"
GO = "package main\n\nfunc Add(a, b int) int {\n\treturn a + b\n}\n"
RULES = [CLEAR, coder(ADD), GOOD, EXPLAINED]
SLOW = [CLEAR, coder(ADD, delay_ms=60_000)]


async def test_a_typed_request_has_a_typed_answer(daemon_with):
    """That fits the served schema and is on record before it arrives."""
    async with daemon_with(*RULES) as (daemon, http):
        answer = await http.post("/code", json=asked(session="mine"))
        schema = (await http.get("/code/schema")).json()
        record = daemon.parts.reader.get(answer.headers["x-laios-run-id"])
    assert answer.status_code == 200
    jsonschema_rs.Draft7Validator(schema).validate(answer.json())
    assert (answer.json()["success"], answer.json()["code"]) == (True, ADD)
    assert (record["source"], record["session"]) == ("code", "mine")
    assert record["final_output"] == ADD


@pytest.mark.parametrize(
    ("body", "field"),
    [
        (asked("genrate"), "request_type"),
        (asked("debug"), "code"),
        (asked(language="pyhton"), "language"),
        (asked(instruction=1), "instruction"),
        ({}, "request_type"),
    ],
)
async def test_bad_input_has_the_native_error_shape(daemon_with, body, field):
    """400, `bad_request`, and the field's name; nothing is run."""
    async with daemon_with(*RULES) as (daemon, http):
        answer = await http.post("/code", json=body)
        assert answer.status_code == 400
        assert answer.json().keys() == {"error"}
        assert answer.json()["error"]["code"] == "bad_request"
        assert f'"{field}"' in answer.json()["error"]["message"]
        assert (await http.post("/code", content=b"{")).status_code == 415
        head = {"Content-Type": "application/json"}
        assert (await http.post("/code", content=b"{", headers=head)).status_code == 400
        assert not records(daemon)


@pytest.mark.parametrize(
    ("fault", "status", "error"),
    [
        ("unreachable", 502, "model_unreachable"),
        ("not_found", 502, "model_not_found"),
        ("too_long", 422, "context_too_long"),
    ],
)
async def test_a_backend_that_cannot_answer_stays_an_error(daemon_with, fault, status, error):
    """With the codes of `POST /prompt`."""
    async with daemon_with(CLEAR, coder("", fault=fault)) as (_, http):
        answer = await http.post("/code", json=asked())
    assert (answer.status_code, answer.json()["error"]["code"]) == (status, error)


async def test_several_languages_are_generated_in_parallel(daemon_with):
    """An envelope with an answer for each, by its usual name, and the best one; a run for each on
    record. Both are at work at once."""
    rules = [
        coder(GO, prompt="Language: Go", delay_ms=300),
        coder(ADD, prompt="Language: Python", delay_ms=300),
        judge(9, prompt="package main"),
        judge(8),
    ]
    async with daemon_with(CLEAR, *rules, EXPLAINED) as (daemon, http):
        body = {"request_type": "generate", "instruction": "add", "languages": ["py", "golang"]}
        asking = asyncio.create_task(http.post("/code", json=body))
        await until(lambda: len(daemon.parts.scheduler.runs()) == 2)
        await until(
            lambda: {run.summary()["stage"] for run in daemon.parts.scheduler.runs()} == {"coder"}
        )
        answer = await asking
        definitions = (await http.get("/code/schema")).json()
        kept = records(daemon)
    envelope = answer.json()
    schema = {**definitions["definitions"]["CodeEnvelope"]}
    schema["properties"] = {**schema["properties"]}
    schema["properties"]["results"] = {"type": "object", "additionalProperties": definitions}
    jsonschema_rs.Draft7Validator(schema).validate(envelope)
    assert list(envelope["results"]) == ["python", "go"]
    assert envelope["results"]["go"]["code"] == GO
    assert envelope["results"]["python"]["code"] == ADD
    assert envelope["best"] == "go"
    assert len(kept) == 2
    assert answer.headers["x-laios-run-id"] in {record["id"] for record in kept}


async def test_one_of_several_languages_may_fail(daemon_with):
    """Its answer says why; only where all of them fail is it an error."""
    failing = coder("", prompt="Language: Rust", fault="failed")
    body = {"request_type": "generate", "instruction": "add", "languages": ["rust", "python"]}
    async with daemon_with(CLEAR, failing, coder(ADD), GOOD, EXPLAINED) as (_, http):
        envelope = (await http.post("/code", json=body)).json()
        assert envelope["best"] == "python"
        assert not envelope["results"]["rust"]["success"]
        assert envelope["results"]["rust"]["warnings"] == ["The run ended with model_failed."]
        body["languages"] = ["rust"]
        answer = await http.post("/code", json=body)
        assert (answer.status_code, answer.json()["error"]["code"]) == (502, "model_failed")


async def test_no_success_in_any_language_has_no_best(daemon_with):
    """Every language is refused by the intake."""
    body = {"request_type": "generate", "instruction": "do it", "languages": ["go", "ruby"]}
    async with daemon_with(intake("vague", "What is it?")) as (_, http):
        envelope = (await http.post("/code", json=body)).json()
    assert envelope["best"] is None
    assert [each["success"] for each in envelope["results"].values()] == [False, False]


@pytest.mark.parametrize("languages", [None, ["python", "go", "rust"]])
async def test_a_caller_who_goes_away_ends_all_that_was_asked(daemon_with, languages):
    """Every run is cancelled, and recorded as that."""
    body = asked(languages=languages)
    async with daemon_with(*SLOW) as (daemon, http):
        with pytest.raises(httpx.ReadTimeout):
            await http.post("/code", json=body, timeout=0.5)
        await until(lambda: len(records(daemon)) == len(languages or [1]))
        assert {record["error"]["code"] for record in records(daemon)} == {"cancelled"}


async def test_a_full_queue_takes_all_languages_or_none(daemon_with):
    """What was accepted before the queue was full does not go on."""
    body = {"request_type": "generate", "instruction": "add", "languages": ["go", "rust", "php"]}
    full = {"MAX_CONCURRENT_RUNS": 1, "MAX_QUEUED_RUNS": 1}
    async with daemon_with(*SLOW, **full) as (daemon, http):
        answer = await http.post("/code", json=body)
        assert (answer.status_code, answer.json()["error"]["code"]) == (503, "busy")
        await until(lambda: not daemon.parts.scheduler.runs())


async def test_a_run_is_listed_followed_and_cancelled_like_any_other(daemon_with):
    """`GET /runs`, its events, `DELETE`: its caller gets `cancelled`."""
    async with daemon_with(*SLOW) as (daemon, http):
        asking = asyncio.create_task(http.post("/code", json=asked()))
        await until(
            lambda: any(run.summary()["stage"] == "coder" for run in daemon.parts.scheduler.runs())
        )
        [row] = (await http.get("/runs")).json()["runs"]
        assert (row["mode"], row["source"], row["stage"]) == ("code_structured", "code", "coder")
        await http.delete(f"/runs/{row['id']}")
        answer = await asking
        assert (answer.status_code, answer.json()["error"]["code"]) == (409, "cancelled")


# --- the document --------------------------------------------------------------------------------


def test_the_document_covers_every_native_route():
    """Each path and method, no other, with every error code that a route can end with."""
    document = openapi.document(with_token=False)
    routes = {
        (route.path, method.lower()) for route in NATIVE for method in route.methods - {"HEAD"}
    }
    documented = {
        (path, method)
        for path, operations in document["paths"].items()
        for method in operations
        if method != "parameters"
    }
    assert documented == routes
    assert "token" not in json.dumps(document["components"].get("securitySchemes", {}))
    said = json.dumps(document)
    missing = {code for code in STATUS if f"`{code}`" not in said}
    assert missing == {"method_not_allowed"}  # of a method that is in no document


async def test_the_document_says_when_a_token_is_needed(daemon_with):
    """As the daemon is set; the health check goes without."""
    head = {"Authorization": "Bearer secret-secret"}
    async with daemon_with(*RULES, API_TOKEN="secret-secret") as (_, http):
        assert (await http.get("/openapi.json")).status_code == 401
        document = (await http.get("/openapi.json", headers=head)).json()
    assert document["security"] == [{"token": []}]
    assert document["paths"]["/healthz"]["get"]["security"] == []


NAMES = (
    "not_a_server_error",
    "status_code_conformance",
    "content_type_conformance",
    "response_headers_conformance",
    "response_schema_conformance",
    "negative_data_rejection",
    "unsupported_method",
)


def test_the_daemon_answers_as_its_document_says(roles):
    """Requests made from the served document, right ones and wrong ones, on every route: each
    answer has a documented status, type, header and schema, and no wrong request is accepted."""
    import schemathesis  # costs the workers that do not run this test a second
    from schemathesis import GenerationMode
    from schemathesis.checks import CHECKS, load_all_checks

    roles(*ANYTHING, *RULES)
    load_all_checks()
    checks = [CHECKS.get_one(name) for name in NAMES]
    with daemon_here() as address:
        schema = schemathesis.openapi.from_dict(httpx.get(f"{address}/openapi.json").json())
        operations = [found.ok() for found in schema.get_all_operations()]
        assert len(operations) == 20
        for operation in operations:
            modes = [GenerationMode.POSITIVE]
            starts_a_process = operation.path == "/sandbox/run"
            examples = 5 if starts_a_process else 25 if operation.body else 2
            if operation.body:
                modes.append(GenerationMode.NEGATIVE)
            for mode in modes:

                @settings(
                    max_examples=max(1, selection.examples(examples)),
                    deadline=None,
                    database=None,
                    derandomize=True,
                    phases=[Phase.generate],
                    suppress_health_check=[*HealthCheck],
                )
                @given(case=operation.as_strategy(generation_mode=mode))
                def answers_well(case):
                    case.call_and_validate(base_url=address, checks=checks)

                answers_well()
