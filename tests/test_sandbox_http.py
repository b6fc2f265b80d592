"""What agents need of the daemon besides runs: a program in the sandbox, pieces of documentation,
and prompts in which no tag counts."""

import asyncio

import jsonschema_rs
import psutil
import pytest
from documented import write
from sandboxes import require_sandbox
from test_server import CODE, RULES

import laios
from laios import errors
from retrieval.document_index import DocumentIndex
from retrieval.sources.source_lookup import find_source


@pytest.fixture
def sandbox():
    require_sandbox()


async def test_a_program_s_output_comes_back(daemon_with, sandbox):
    """Its input goes in; how it ended is told; nothing of it is on record."""
    async with daemon_with(*RULES) as (daemon, _), laios.AsyncClient(daemon.address) as client:
        ended = await client.run_code("print(input()[::-1])", stdin="abc")
        assert (ended.exit, ended.ended, ended.stdout) == (0, "exited", "cba\n")
        failed = await client.run_code("raise SystemExit(3)", "py")
        assert (failed.exit, failed.ended) == (3, "exited")
        assert (await client.run_code("echo $((6 * 7))", "bash")).stdout == "42\n"
        assert daemon.parts.reader.page(limit=1) == []


async def test_a_program_that_does_not_end_is_ended(daemon_with, sandbox):
    """At the limits of the settings in force; its output is cut at theirs."""
    limits = {"SANDBOX_WALL_S": 1, "SANDBOX_OUTPUT_BYTES": 1024}
    async with (
        daemon_with(*RULES, **limits) as (daemon, _),
        laios.AsyncClient(daemon.address) as client,
    ):
        slept = await client.run_code("import time\ntime.sleep(60)")
        assert (slept.exit, slept.ended) == (None, "timeout")
        flooded = await client.run_code("while True: print('x' * 1000)")
        assert flooded.exit is None and len(flooded.stdout) < 2_000


async def test_what_an_answer_has_not_is_null_in_the_document_too(daemon_with, sandbox):
    """A program that was ended, and a rating without a note: clients that are made of the document
    refuse an answer that is not as it says."""
    async with daemon_with(*RULES, SANDBOX_WALL_S=1) as (_, http):
        run_id = (await http.post("/prompt", json={"prompt": "add"})).headers["x-laios-run-id"]
        rated = await http.post(f"/runs/{run_id}/rating", json={"rating": "up"})
        ended = await http.post("/sandbox/run", json={"code": "import time\ntime.sleep(60)"})
        components = (await http.get("/openapi.json")).json()["components"]
    assert (rated.json()["note"], ended.json()["exit"]) == (None, None)
    for name, answer in (("Rating", rated), ("ProgramOutcome", ended)):
        schema = {"$ref": f"#/components/schemas/{name}", "components": components}
        jsonschema_rs.Draft202012Validator(schema).validate(answer.json())


async def test_a_caller_who_goes_away_ends_the_program(daemon_with, sandbox):
    """None of its processes is left."""
    body = {"code": "import time\ntime.sleep(60)"}
    async with daemon_with(*RULES, SANDBOX_WALL_S=50) as (_, http):
        asking = asyncio.create_task(http.post("/sandbox/run", json=body))
        while not programs():
            await asyncio.sleep(0.01)
        asking.cancel()
        while programs():
            await asyncio.sleep(0.01)


def programs():
    """This process runs the daemon, so its programs are below it."""
    found = psutil.Process().children(recursive=True)
    return [each for each in found if "program.py" in " ".join(command_of(each))]


def command_of(process):
    try:
        return process.cmdline()
    except psutil.Error:
        return []


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ({}, '"code" is missing'),
        ({"code": ""}, '"code" is empty'),
        ({"code": "x" * 200_001}, "longer than 200,000"),
        ({"code": "x", "language": "pyton"}, "Did you mean 'python'?"),
        ({"code": "x", "language": "kotlin"}, "Languages: python"),
        ({"code": "x", "stdin": 1}, "must be a string"),
        ({"code": "x", "args": []}, "Unknown field 'args'"),
    ],
)
async def test_a_program_that_cannot_be_run_is_refused(daemon_with, body, said):
    """With what is wrong and what there is."""
    async with daemon_with(*RULES) as (_, http):
        answer = await http.post("/sandbox/run", json=body)
    assert (answer.status_code, answer.json()["error"]["code"]) == (400, "bad_request")
    assert said in answer.json()["error"]["message"]


async def test_documentation_is_searched_and_read_by_its_id(daemon_with, tmp_path):
    """What was indexed comes whole; an id that is not there says where to look."""
    folder = write(tmp_path / "guide", {"frobs.md": "# Frobs\n\nA frob is turned by `turn()`.\n"})
    DocumentIndex(tmp_path / "docs").add(find_source(str(folder)))
    async with daemon_with(*RULES, DOCS_DIR=tmp_path / "docs") as (daemon, http):
        async with laios.AsyncClient(daemon.address) as client:
            [piece] = await client.docs.search("how is a frob turned?")
            assert "turn()" in piece.content and piece.source == "guide"
            assert await client.docs.get(piece.id) == piece
            with pytest.raises(errors.NotFound, match="laios docs list"):
                await client.docs.get("nothing_concept_0")
            with pytest.raises(errors.BadRequest, match="1 to 50"):
                await client.docs.search("frob", limit=51)
        for query in ("", "?q=", "?q=a&p=b"):
            assert (await http.get(f"/docs/chunks{query}")).status_code == 400


async def test_without_an_index_nothing_is_found(daemon_with, tmp_path):
    """Asking makes none. One that is damaged says what mends it."""
    place = tmp_path / "docs"
    async with daemon_with(*RULES, DOCS_DIR=place) as (daemon, http):
        async with laios.AsyncClient(daemon.address) as client:
            assert await client.docs.search("frob") == []
            assert not place.exists()
        write(place, {"index.sqlite": "not a database" * 1000})
        answer = await http.get("/docs/chunks?q=frob")
        assert answer.status_code == 500 and "laios docs add" in answer.text


@pytest.mark.parametrize("text", ["///raw add", "/// doc comment\nfn f() {}", "add\n///files"])
async def test_in_a_literal_prompt_no_tag_counts(daemon_with, text):
    """The mode is the one beside it, and the prompt reaches the model as it came."""
    async with daemon_with(*RULES) as (daemon, _), laios.AsyncClient(daemon.address) as client:
        answer = await client.run(text, mode="raw", literal=True)
        assert (answer.output, answer.details.mode) == (CODE, "code_raw")
        assert (await client.history.get(answer.run_id)).normalized_prompt == text
        with pytest.raises(errors.EmptyPrompt):
            await client.run(" \n", literal=True)
        with pytest.raises(errors.UnknownMode):
            await client.run("add", mode="rav", literal=True)
