"""laios as a server of the Model Context Protocol: the SDK's client, over both transports, against
a daemon on scripted models."""

import asyncio
import json
import os
import pty
import signal
import subprocess
import sys
import time
from contextlib import asynccontextmanager

import cli
import httpx
import psutil
import pytest
from documented import write
from installed_clients import needs
from mcp.shared.exceptions import MCPError
from mcp_clients import LEGACY, over_http, over_stdio
from processes import daemon, free_port, invoke, wait_for
from projects import BOTH, TWO, plan, row
from sandboxes import require_sandbox
from test_server import CODE, RULES, started
from test_tested_flow import NEGATIVE, RIGHT, WRONG, coder, wrote

from config import load_settings
from laios import types
from laios.errors import LaiosError
from retrieval.document_index import DocumentIndex
from retrieval.sources.source_lookup import find_source
from server.mcp import run_progress
from server.mcp.message_content import MOST_BYTES
from server.mcp.protocol_server import _result
from server.mcp.resource_address import chunk_address, parse, run_address
from server.mcp.stdio_program import DaemonConnection
from server.mcp.tool_results import FoundRun, FoundRuns, ProjectResult
from server.mcp.tools import TOOLS
from tools.clients.install import INSTALLED

pytestmark = pytest.mark.only_when(
    "server/mcp/",
    "server/mcp_mount.py",
    "server/commands/mcp.py",
    "server/http/",
    "laios/",
    "retrieval/",
)

TOKEN = "a secret of the tests"
BETTER = "def add(a, b):\n    return b + a\n"
SCRIPT = [
    {"role": "coder", "prompt": "sleepy", "reply": CODE, "delay_ms": 60_000},
    {"role": "coder", "prompt": "broken", "fault": "failed"},
    {"role": "manifest", "prompt": "a way out", "reply": plan(row("../../evil.py"))["reply"]},
    TWO,
    *BOTH,
    wrote(NEGATIVE),
    {**coder(WRONG), "prompt": "wrongly"},
    {"role": "reviewer", "prompt": "wrongly", "reply": WRONG},
    {"role": "reviewer", "reply": BETTER},
    *RULES,
]
TESTED = "Write add. add(1, 2) == 3"


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    """Settings of a daemon that runs, and of a program that looks for it; and its address."""
    place = tmp_path_factory.mktemp("mcp")
    (place / "script.json").write_text(json.dumps(SCRIPT))
    guide = write(place / "guide", {"frobs.md": "# Frobs\n\nA frob is turned by `turn()`.\n"})
    DocumentIndex(place / "docs").add(find_source(str(guide)))
    model = f"scripted/{place / 'script.json'}"
    settings = {f"LAIOS_{role}_MODEL_NAME": model for role in ("CODER", "JUDGE", "REVIEWER")}
    settings |= {"HOME": str(place), "LAIOS_HISTORY_DIR": str(place / "history")}
    settings |= {"LAIOS_DOCS_DIR": str(place / "docs"), "LAIOS_EVIDENCE_RUN": "off"}
    settings |= {"LAIOS_MAX_DRAFTS": "1", "LAIOS_PORT": str(free_port())}
    settings |= {"LAIOS_API_TOKEN": TOKEN, "LAIOS_CONFIG": str(place / "none.toml")}
    with daemon(**settings) as address:
        yield address, settings


@pytest.fixture
def connected(served):
    """`async with connected(how) as client:` over a transport."""
    address, settings = served

    @asynccontextmanager
    async def connect(how="http"):
        made = {
            "http": lambda: over_http(address, TOKEN),
            "http, with a session": lambda: over_http(address, TOKEN, LEGACY),
            "stdio": lambda: over_stdio(**settings),
        }[how]
        async with made() as client:
            yield client

    return connect


@pytest.fixture
def sandbox():
    require_sandbox()


HOW = ("http", "http, with a session", "stdio")


async def text_of(client, address):
    return (await client.read_resource(address)).contents[0].text


async def newest(client):
    """The newest run, as search_history shows it; none: {}."""
    found = await client.call_tool("search_history", {"limit": 1})
    return next(iter(found.structured_content["runs"]), {})


async def last_run(client):
    """Of the newest run, all that is on record."""
    return json.loads(await text_of(client, (await newest(client))["run"]))


async def until_cancelled(client, prompt):
    while (await newest(client)).get("prompt") != prompt:
        await asyncio.sleep(0.05)
    assert (await newest(client))["error"] == "cancelled"


async def until_running(address):
    """The daemon has a run that goes on."""
    head = {"Authorization": f"Bearer {TOKEN}"}
    async with httpx.AsyncClient(base_url=address, headers=head) as http:
        while not (await http.get("/runs")).json()["runs"]:
            await asyncio.sleep(0.02)


# --- the inspector's command line ----------------------------------------------------------------

INSPECTOR = ("npm", "node_modules", ".bin", "mcp-inspector")


def inspect(*words, **environment):
    """What it prints, as JSON; what it has against the schemas it says on stderr."""
    command = ["node", str(INSTALLED.joinpath(*INSPECTOR)), "--cli", *words]
    done = subprocess.run(
        command, capture_output=True, text=True, env={**os.environ, **environment}, timeout=50
    )
    assert done.returncode == 0 and "Schema" not in done.stderr, done.stderr
    return json.loads(done.stdout)


@pytest.mark.only_when("server/mcp/")
@needs("inspector", *INSPECTOR, program="node")
def test_the_inspector_lists_and_calls_over_both_transports(served):
    """As a person types it; it finds nothing wrong with the schemas."""
    address, settings = served
    asked = ("--tool-name", "generate_code", "--tool-arg", "request=add")
    token = ("--header", f"Authorization: Bearer {TOKEN}")
    variables = [word for name, value in settings.items() for word in ("-e", f"{name}={value}")]
    http = (f"{address}/mcp", "--transport", "http", *token)
    for server in (http, (*variables, cli.LAIOS, "mcp")):
        listed = inspect(*server, "--method", "tools/list")
        assert {tool["name"] for tool in listed["tools"]} == TOOLS.keys()
        made = inspect(*server, "--method", "tools/call", *asked)
        assert made["structuredContent"]["code"] == CODE and not made["isError"]
        assert inspect(*server, "--method", "resources/list")["resources"]


# --- both transports -----------------------------------------------------------------------------


@pytest.mark.parametrize("how", HOW)
async def test_the_same_tools_work_over_every_transport(connected, how):
    """Schemas, annotations, progress, structured content and resources; text is the same JSON."""
    stages = []

    async def progress(number, total, message):
        stages.append((number, message))

    async with connected(how) as client:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        assert tools.keys() == TOOLS.keys()
        for tool in tools.values():
            assert tool.description and tool.title
            assert tool.input_schema["type"] == tool.output_schema["type"] == "object"
            assert tool.input_schema["additionalProperties"] is False
            assert tool.annotations.destructive_hint is False
            # One type at a time: clients that map schemas onto others' reject lists of types.
            assert '"type": [' not in json.dumps((tool.input_schema, tool.output_schema))
        reading = {name for name, tool in tools.items() if tool.annotations.read_only_hint}
        assert reading == {"search_docs", "search_history"}
        made = await client.call_tool(
            "generate_code", {"request": "add"}, progress_callback=progress
        )
        assert not made.is_error and made.structured_content["code"] == CODE
        assert made.structured_content["verdict"]["confidence_score"] == 9
        assert json.loads(made.content[0].text) == made.structured_content
        assert [message for _, message in stages] == ["drafting", "judging"]
        assert [number for number, _ in stages] == [1, 2]
        record = json.loads(await text_of(client, made.structured_content["run"]))
        assert record["final_output"] == CODE
        listed = (await client.list_resources()).resources[0]
        assert listed.uri == made.structured_content["run"] and listed.title == "add"
        assert {each.name for each in (await client.list_resource_templates()).resource_templates}


@pytest.mark.parametrize("how", HOW)
async def test_a_cancelled_call_cancels_its_run(connected, served, how):
    """The connection goes on."""
    async with connected(how) as client:
        call = asyncio.create_task(client.call_tool("generate_code", {"request": f"sleepy {how}"}))
        await until_running(served[0])
        call.cancel()
        await asyncio.wait([call])
        await until_cancelled(client, f"sleepy {how}")


@pytest.mark.parametrize("how", ("http", "stdio"))
async def test_calls_in_parallel_have_each_its_answer(connected, how):
    """Those that need no model do not wait for those that do."""
    async with connected(how) as client:
        calls = [client.call_tool("generate_code", {"request": f"add {n}"}) for n in range(6)]
        calls += [client.call_tool("search_docs", {"query": "frob"}) for _ in range(6)]
        done = await asyncio.gather(*calls)
        runs = {each.structured_content["run"] for each in done[:6]}
        assert len(runs) == 6
        for n, each in enumerate(done[:6]):
            record = json.loads(await text_of(client, each.structured_content["run"]))
            assert record["original_prompt"] == f"add {n}"
        assert not [each.content for each in done if each.is_error]
        assert all(each.structured_content["pieces"] for each in done[6:])


# --- the tools -----------------------------------------------------------------------------------


async def test_code_is_reviewed_with_its_difference(connected):
    """Code that looks like a tag is code."""
    async with connected() as client:
        given = "/// Adds.\n" + CODE
        done = (await client.call_tool("review_code", {"code": given})).structured_content
        assert (done["code"], done["changed"]) == (BETTER, True)
        assert "-/// Adds.\n" in done["diff"] and "+    return b + a\n" in done["diff"]
        same = await client.call_tool("review_code", {"code": BETTER})
        assert not same.is_error, same.content
        assert same.structured_content["changed"] is False and not same.structured_content["diff"]
        assert (await last_run(client))["mode"] == "review_only"


async def test_code_is_judged(connected):
    """Facts come before the judge's opinion, and what cannot be judged is not valid."""
    async with connected() as client:
        asked = {"request": "add two numbers", "code": CODE}
        done = (await client.call_tool("judge_code", asked)).structured_content
        assert (done["valid"], done["confidence_score"], done["conflict_score"]) == (True, 9, 1)
        assert (done["issues"], done.keys()) == ([], set(types.Judgement.model_fields))
        done = await client.call_tool("judge_code", asked | {"code": "def add(a, b:"})
        assert done.structured_content["valid"] is False
        assert done.structured_content["issues"][0]["kind"] == "syntax"
        done = await client.call_tool("judge_code", asked | {"language": "klingon"})
        assert done.is_error and "klingon" in done.content[0].text
        assert (await last_run(client))["mode"] == "code_judged"


async def test_tests_come_first_and_tell_whether_they_hold(sandbox, connected):
    """`passed` is false where they fail, and each test says how it went."""
    async with connected() as client:
        done = (await client.call_tool("test_code", {"request": TESTED})).structured_content
        assert (done["code"], done["passed"]) == (RIGHT, True)
        assert done["tests"]["passed"] == done["tests"]["total"] == 2
        done = (
            await client.call_tool("test_code", {"request": f"{TESTED} wrongly"})
        ).structured_content
        assert done["passed"] is False and done["warnings"]
        assert {case["status"] for case in done["tests"]["cases"]} == {"wrong"}


async def test_a_program_is_run(sandbox, connected):
    """Its output and how it ended; one that fails is no error of the tool."""
    async with connected() as client:
        asked = {"code": "import sys\nprint(input())\nsys.exit(3)", "stdin": "hi"}
        done = (await client.call_tool("run_code", asked)).structured_content
        assert (done["stdout"], done["exit"], done["ended"]) == ("hi\n", 3, "exited")


async def test_a_project_is_files_as_text(connected, served):
    """Nothing is written, neither by the daemon nor by the program."""
    async with connected() as client:
        done = (
            await client.call_tool("make_project", {"request": "a calculator"})
        ).structured_content
        assert [file["path"] for file in done["files"]] == ["core.py", "cli.py"]
        assert (done["project_id"], done["setup_instructions"]) == ("calc", "python cli.py")
        assert done["missing"] == []


async def test_a_project_cannot_lead_out_of_its_directory(connected):
    """A plan with such a path is an error, and no file comes back."""
    async with connected() as client:
        done = await client.call_tool("make_project", {"request": "a way out"})
        assert done.is_error and done.structured_content is None
        assert done.content[0].text.startswith("model_failed: ")
        assert "../../evil.py" in done.content[0].text


async def test_documentation_is_found_and_read(connected):
    """Whole pieces, each of them a resource."""
    async with connected() as client:
        found = await client.call_tool("search_docs", {"query": "how is a frob turned?"})
        [piece] = found.structured_content["pieces"]
        assert "turn()" in piece["content"] and piece["source"] == "guide"
        assert piece["content"] in await text_of(client, piece["resource"])


async def test_a_session_is_a_conversation(connected):
    """Its earlier requests are seen, and it is found again in the history by its words."""
    async with connected() as client:
        for request in ("add zebras", "now async"):
            asked = {"request": request, "session": "mine"}
            assert not (await client.call_tool("generate_code", asked)).is_error
        record = await last_run(client)
        assert (record["mode"], record["session"]) == ("code_reviewed_ctx", "mine")
        assert len(record["context_ids"]) == 1
        asked = {"words": "zebras", "session": "mine", "mode": "ctx", "since": "2020-01-01"}
        [found] = (await client.call_tool("search_history", asked)).structured_content["runs"]
        assert (found["prompt"], found["output"]) == ("add zebras", CODE)
        filled_in = {"words": "zebras", "session": "", "mode": "", "since": ""}
        again = (await client.call_tool("search_history", filled_in)).structured_content["runs"]
        assert found in again  # models fill in what they have nothing for


# --- bad input -----------------------------------------------------------------------------------

WRONG_ARGUMENTS = [
    ("generate_code", {}, 'The field "request" is missing'),
    ("generate_code", {"request": 1}, "must be a string"),
    ("generate_code", {"request": ""}, "is empty"),
    ("generate_code", {"request": "add", "mode": "raw"}, "Unknown field 'mode'"),
    ("generate_code", {"request": "x" * 50_001}, "longer than 50,000"),
    ("generate_code", {"request": " \n "}, "The prompt is empty"),
    ("run_code", {"code": "x", "language": "cobol"}, "'cobol' cannot be run here"),
    ("search_docs", {"query": "x", "limit": 21}, "must not be more than 20"),
    ("search_docs", {"query": "x", "limit": True}, "must be a whole number"),
    ("search_history", {"mode": "rav"}, "There is no mode 'rav'"),
    ("search_history", {"since": "yesterday"}, "ISO 8601"),
    ("generate_code", {"request": "broken"}, "model_failed: "),
]


async def test_what_is_wrong_is_said_to_the_calling_model(connected):
    """As a result that it can read, with the code of the error; and no run is left behind."""
    async with connected() as client:
        for name, arguments, said in WRONG_ARGUMENTS:
            done = await client.call_tool(name, arguments)
            assert done.is_error and said in done.content[0].text, (name, arguments)
        with pytest.raises(MCPError, match=r"no tool 'generate_cod'. Did you mean 'generate_code'"):
            await client.call_tool("generate_cod", {})
        for address in ("laios://runs/01M81SW1MERNFNHS40DSSH625V", "laios://docs/x", "file:///x"):
            with pytest.raises(MCPError, match="There is no"):
                await client.read_resource(address)


@pytest.mark.parametrize("session", [True, False])
async def test_a_client_that_dies_ends_its_run(served, session):
    """Nobody could be told the answer. A session itself stays until it has been idle for long."""
    address, _ = served
    head = {"Authorization": f"Bearer {TOKEN}", "Accept": "application/json, text/event-stream"}
    code = (
        "import asyncio, sys\nfrom mcp_clients import over_http\n"
        "async def main():\n"
        "    async with over_http(*sys.argv[1:4]) as client:\n"
        "        await client.call_tool('generate_code', {'request': 'sleepy orphan'})\n"
        "asyncio.run(main())"
    )
    words = [sys.executable, "-c", code, address, TOKEN, LEGACY if session else "auto"]
    client = subprocess.Popen(words, env={**os.environ, "PYTHONPATH": "tests"})
    try:
        await until_running(address)
    finally:
        client.kill()
        client.wait()
    async with httpx.AsyncClient(base_url=address, headers=head) as http:
        while (await http.get("/runs")).json()["runs"]:
            await asyncio.sleep(0.02)
        [record] = (await http.get("/history?limit=1")).json()["records"]
    assert (record["normalized_prompt"], record["error"]["code"]) == ("sleepy orphan", "cancelled")


def test_a_giant_result_is_an_error_that_says_where_it_is():
    """A part of it could be taken for the whole."""
    text = "x" * (MOST_BYTES // 2 + 1)
    project = ProjectResult(
        run=run_address("01M81SW1MERNFNHS40DSSH625V"),
        warnings=[],
        seconds=1,
        project_id="p",
        files=[{"path": "a.py", "type": "source", "content": text}],
        missing=[],
        dependencies=[],
        setup_instructions="",
        passed=True,
        findings=[],
    )
    with pytest.raises(LaiosError, match=r"too many .* laios://runs/01M81SW1MERNFNHS40DSSH625V"):
        _result(project)
    assert _result(FoundRuns(runs=[])).structured_content == {"runs": []}


def test_half_a_surrogate_pair_is_no_reason_to_lose_a_result():
    """A model may write one; no message can carry it."""
    run = FoundRun(
        run="r",
        when="",
        mode="m",
        session=None,
        prompt="a\ud800b",
        output="\ud83d\ude00",
        error=None,
    )
    result = _result(FoundRuns(runs=[run]))
    [told] = result.structured_content["runs"]
    assert (told["prompt"], told["output"]) == ("a\ufffdb", "\U0001f600")
    assert json.loads(result.content[0].text) == result.structured_content
    result.model_dump_json()


async def test_a_giant_program_s_output_comes_cut(sandbox, connected):
    """At the sandbox's own limit, with a mark."""
    async with connected() as client:
        done = await client.call_tool("run_code", {"code": "print('x' * 10_000_000)"})
        assert len(done.structured_content["stdout"]) < 100_000


@pytest.mark.parametrize("address", ["laios://runs/", "laios://runs/a/b", "laios://x/1", "runs/1"])
def test_an_address_is_one_of_two_kinds(address):
    """Anything else is none; an id is taken as it is written."""
    assert parse(address) is None
    assert parse(run_address("X")) == ("runs", "X")
    assert parse(chunk_address("a/b c_0")) == ("docs", "a/b c_0")


async def test_a_long_stage_is_told_again(monkeypatch):
    """A client that hears nothing for a minute gives up."""
    monkeypatch.setattr(run_progress, "BEAT_S", 0.01)
    told = []

    async def report(number, message):
        told.append((number, message))

    progress = run_progress.Progress(report)
    async with progress.beating():
        await progress.stage("judging")
        while len(told) < 3:
            await asyncio.sleep(0.01)
    assert told[0] == (1, "judging") and told[2] == (3, "judging, 0 s")


# --- stdio ---------------------------------------------------------------------------------------


def initialize(number=1):
    return {
        "jsonrpc": "2.0",
        "id": number,
        "method": "initialize",
        "params": {
            "protocolVersion": "2025-11-25",
            "capabilities": {},
            "clientInfo": {"name": "test", "version": "1"},
        },
    }


def call(number, name, **arguments):
    params = {"name": name, "arguments": arguments}
    return {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params}


def program(settings):
    return subprocess.Popen(
        [cli.LAIOS, "mcp"],
        env={**os.environ, **settings},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def told(process, *messages):
    """Sends messages, or lines that are none, to the program."""
    for message in messages:
        line = message if isinstance(message, str) else json.dumps(message)
        process.stdin.write(line + "\n")
    process.stdin.flush()


READY = {"jsonrpc": "2.0", "method": "notifications/initialized"}


def test_at_a_terminal_ctrl_c_ends_it(served):
    """At once, where a person has started it to see what it does: nothing else would, but ^D."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [cli.LAIOS, "mcp"], env={**os.environ, **served[1]}, stdin=theirs, stderr=subprocess.PIPE
    )
    try:
        assert b"Waiting for a client" in process.stderr.readline()
        process.send_signal(signal.SIGINT)
        assert process.communicate(timeout=20)[1] == b""
        assert process.returncode == -signal.SIGINT
    finally:
        process.kill()
        os.close(ours)
        os.close(theirs)


def test_stdout_belongs_to_the_protocol_alone(served):
    """Whatever comes in, each line that goes out is a message; garbage is answered and ends
    nothing, and an empty line is none."""
    process = program(served[1])
    garbage = ("{", "[]", '"x"', '{"jsonrpc": "2.0", "id": 5}', "\0")
    told(process, "", garbage[0], initialize(), READY, " \r", *garbage[1:])
    told(process, call(2, "search_docs", query="frob"), call(3, "search_docs", query=5))
    answers, refused = {}, 0
    while answers.keys() < {1, 2, 3} or refused < len(garbage):
        message = json.loads(process.stdout.readline())
        assert message["jsonrpc"] == "2.0"
        if message["id"] is None:
            assert message["error"]["code"] == -32700
            refused += 1
        else:
            answers[message["id"]] = message
    assert answers[2]["result"]["structuredContent"]["pieces"]
    assert answers[3]["result"]["isError"] is True
    rest, errors = process.communicate(timeout=20)
    assert (rest, process.returncode) == ("", 0) and "Traceback" not in errors


@pytest.mark.parametrize(
    ("written", "read"),
    [
        (r"a\ud83d", "a\ufffd"),
        (r"\uDE00\uD83D\ude00", "\ufffd\U0001f600"),
        (r"\ud83d\ud83d\ude00\ud83d\n", "\ufffd\U0001f600\ufffd\n"),
        (r"\\ud83d\ud83d\\", "\\ud83d\ufffd\\"),
    ],
)
def test_a_request_with_half_a_surrogate_pair_is_answered(served, written, read):
    """It stands for a character that was cut through."""
    process = program(served[1])
    told(process, initialize(), READY, json.dumps(call(2, "NAME")).replace("NAME", written))
    assert json.loads(process.stdout.readline())["id"] == 1
    answer = json.loads(process.stdout.readline())
    process.communicate(timeout=20)
    assert answer["id"] == 2 and repr(read) in answer["error"]["message"]


def test_the_program_ends_with_its_client_and_so_does_the_run(served):
    """Its stdin ends in the middle of a call."""
    address, settings = served
    process = program(settings)
    told(process, initialize(), READY, call(2, "generate_code", request="sleepy editor"))
    head = {"Authorization": f"Bearer {TOKEN}"}
    with httpx.Client(base_url=address, headers=head) as http:
        wait_for(lambda: http.get("/runs").json()["runs"])
        process.stdin.close()
        assert process.wait(20) == 0
        wait_for(lambda: not http.get("/runs").json()["runs"])
        [record] = http.get("/history?limit=1").json()["records"]
    process.stdout.close()
    process.stderr.close()
    assert (record["normalized_prompt"], record["error"]["code"]) == ("sleepy editor", "cancelled")


async def test_without_a_daemon_the_program_does_the_work_itself(served, free_port, tmp_path):
    """In a process that ends with it; its runs are in the history of the settings."""
    _, settings = served
    alone = {"LAIOS_PORT": str(free_port), "LAIOS_HISTORY_DIR": str(tmp_path / "history")}
    async with over_stdio(**settings | alone) as client:
        done = await client.call_tool("generate_code", {"request": "add"})
        assert done.structured_content["code"] == CODE
        below = psutil.Process().children(recursive=True)
        [own] = [each for each in below if "server.child_daemon" in each.cmdline()]
    wait_for(lambda: not own.is_running() or own.status() == psutil.STATUS_ZOMBIE)
    assert list((tmp_path / "history").glob("*.jsonl"))


async def test_another_process_takes_the_place_of_one_that_ended(roles, free_port):
    """At the next call."""
    roles(*RULES)
    connection = DaemonConnection(load_settings(PORT=free_port))
    try:
        gone = await connection.client()
        gone._local._process.kill()
        gone._local._process.wait()
        own = await connection.client()
        assert await own.runs() == [] and await connection.client() is own
    finally:
        await connection.close()


async def test_a_daemon_that_starts_later_takes_over(daemon_with, free_port):
    """It is looked for at each call."""
    connection = DaemonConnection(load_settings(PORT=free_port))
    try:
        own = await connection.client()
        async with daemon_with(*RULES, PORT=free_port):
            found = await connection.client()
            assert found is not own and await found.runs() == []
        assert await connection.client() is own
    finally:
        await connection.close()


async def test_a_wrong_token_is_said_in_the_tool_s_result(served):
    """The program starts all the same: its client shows no other words of it."""
    async with over_stdio(**served[1] | {"LAIOS_API_TOKEN": "another token"}) as client:
        done = await client.call_tool("search_history", {})
        assert done.is_error and "API_TOKEN" in done.content[0].text


def test_broken_settings_end_the_program_with_what_is_wrong():
    """Exit code 2, on stderr."""
    done = invoke("mcp", LAIOS_PROT="1")
    assert (done.returncode, done.stdout) == (2, "") and "LAIOS_PORT" in done.stderr


# --- the daemon ----------------------------------------------------------------------------------


async def test_the_guard_stands_before_the_endpoint(served):
    """Token, origin, host and content type, as for every route. A message of more than a mebibyte
    is refused: the SDK checks it on the event loop."""
    address, _ = served
    right = {"Authorization": f"Bearer {TOKEN}"}
    async with httpx.AsyncClient(base_url=address) as http:
        assert (await http.post("/mcp", json=initialize())).status_code == 401
        assert (await http.get("/mcp")).status_code == 401
        for head, status in (
            ({"Origin": "https://evil.example"}, 403),
            ({"Host": "evil.example"}, 403),
            ({"Content-Type": "text/plain"}, 415),
        ):
            answer = await http.post("/mcp", content=json.dumps(initialize()), headers=right | head)
            assert answer.status_code == status
        answer = await http.post("/mcp", json=[], headers=right)
        assert 400 <= answer.status_code < 500
        padded = {"method": "ping", "jsonrpc": "2.0", "id": 1, "params": {"_": "x" * (1 << 20)}}
        assert (await http.post("/mcp", json=padded, headers=right)).status_code == 413
        assert (await http.get("/healthz")).status_code == 200


async def test_the_daemon_stops_while_clients_are_connected(daemon_with):
    """In order and soon; their sessions end with it."""
    async with (
        daemon_with(*RULES) as (running, _),
        over_http(running.address, mode=LEGACY) as client,
    ):
        assert len((await client.list_tools()).tools) == len(TOOLS)
        since = time.monotonic()
        running.stop()
        while not running._mcp._endpoint._serving.done():
            await asyncio.sleep(0.05)
        assert time.monotonic() - since < 8


@pytest.mark.parametrize("mode", ["auto", LEGACY])
async def test_a_call_has_its_answer_when_the_daemon_is_told_to_stop(daemon_with, mode):
    """As over every other route: its run goes on to its end, if that comes in time."""
    slow = {"role": "coder", "reply": CODE, "delay_ms": 2000}
    async with (
        daemon_with(slow, *RULES) as (running, http),
        over_http(running.address, mode=mode) as client,
    ):
        await client.list_tools()  # else it asks for it to check the answer
        call = asyncio.create_task(client.call_tool("generate_code", {"request": "add"}))
        await started(http)
        running.stop()
        answer = await call
        assert not answer.is_error and answer.structured_content["code"] == CODE


async def test_without_the_package_the_daemon_and_the_command_say_what_to_install(
    daemon_with, monkeypatch
):
    """404 and exit code 2."""
    for name in [name for name in sys.modules if name.partition(".")[0] in ("mcp", "mcp_types")]:
        monkeypatch.setitem(sys.modules, name, None)
    for name in [name for name in sys.modules if name.startswith("server.mcp.")]:
        monkeypatch.delitem(sys.modules, name)
    async with daemon_with(*RULES) as (_, http):
        answer = await http.post("/mcp", json=initialize())
    assert (answer.status_code, answer.json()["error"]["code"]) == (404, "not_found")
    assert ".[mcp]" in answer.text
    done = invoke("mcp")
    assert done.returncode == 2 and ".[mcp]" in done.stderr
