"""`laios.Client` and `laios.AsyncClient` against a real daemon."""

import asyncio
import inspect
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from aiohttp import web
from fakes import FakeOllama
from processes import free_port, wait_for
from projects import BOTH, CORE, GOOD, PROMPT, TWO
from query_scripts import API, CHANGE, NEW, OLD, PLAN, QUERY, REFINE
from test_code_http import ADD
from test_code_http import RULES as CODE_RULES
from test_server import CODE, RULES, SLOW

import laios
from history.reader import Reader
from history.record import Record
from laios import api_call, errors, types
from laios.async_client import AsyncHistory
from laios.client import History
from pipeline.codegen.contract import CodeRequest
from server.api.judge_request import JudgeRequest
from server.api.prompt_request import PromptRequest
from server.api.query_request import QueryRequest
from server.api.records import PARAMETERS
from server.http.errors import STATUS

pytestmark = pytest.mark.only_when(
    "laios/", "server/api/", "server/http/", "history/", "pipeline/codegen/"
)

ROOT = Path(__file__).parent.parent


async def use(daemon, work, **options):
    """A plain client in a thread of its own, as a program without an event loop has it."""

    def run():
        with laios.Client(daemon.address, **options) as client:
            return work(client)

    return await asyncio.to_thread(run)


async def test_a_prompt_is_answered_with_what_is_known_of_it(daemon_with):
    """The code, the verdict, whether checks hold; the run is on record under its id."""
    async with daemon_with(*RULES) as (daemon, _):
        answer = await use(daemon, lambda client: client.run("add", session="mine"))
        assert (answer.output, answer.passed, answer.warnings) == (CODE, True, [])
        assert answer.details.verdict and answer.details.verdict.confidence_score == 9
        record = await use(daemon, lambda client: client.history.get(answer.run_id))
        assert (record.final_output, record.session) == (CODE, "mine")
        async with laios.AsyncClient(daemon.address) as client:
            assert (await client.run("add", mode="raw")).details.mode == "code_raw"


async def test_a_stream_tells_stages_and_text_and_ends_with_the_answer(daemon_with):
    """From both clients; a run that fails raises its error there."""
    async with daemon_with(*RULES) as (daemon, _):
        told = await use(daemon, lambda client: list(client.stream("add")))
        async with laios.AsyncClient(daemon.address) as client:
            again = [each async for each in client.stream("add")]
        for *events, last in (told, again):
            assert isinstance(last, types.Answer) and last.output == CODE
            text = [each.text for each in events if each.stage == "coder" and each.event == "delta"]
            assert "".join(text) == CODE
        with pytest.raises(errors.EmptyPrompt):
            await use(daemon, lambda client: list(client.stream("///raw")))
    async with daemon_with({"role": "coder", "fault": "failed"}) as (daemon, _):
        with pytest.raises(errors.ModelFailed):
            await use(daemon, lambda client: list(client.stream("///raw add")))


async def test_who_stops_reading_a_stream_cancels_its_run(daemon_with):
    """A loop that is left early leaves nothing running."""
    async with daemon_with(*SLOW) as (daemon, _):
        await use(daemon, lambda client: next(client.stream("add")))
        while daemon.parts.scheduler.runs():
            await asyncio.sleep(0.01)
        assert daemon.parts.reader.page(limit=1)[0]["error"]["code"] == "cancelled"


async def test_a_project_has_typed_files_and_is_written(daemon_with, tmp_path):
    """All of them or none; one that is there is replaced with `force` alone."""
    async with daemon_with(TWO, *BOTH, GOOD) as (daemon, _):
        project = await use(daemon, lambda client: client.files(PROMPT.removeprefix("///files ")))
    assert [(file.path, file.type) for file in project.files] == [
        ("core.py", "source"),
        ("cli.py", "source"),
    ]
    assert (project.findings, project.dependencies) == ([], [])
    assert project.setup_instructions == "python cli.py"
    written = project.write(tmp_path / "calc")
    assert written[0].read_text() == CORE
    with pytest.raises(errors.NotWritten) as refused:
        project.write(tmp_path / "calc")
    assert refused.value.code == "not_written"
    project.write(str(tmp_path / "calc"), force=True)


@pytest.mark.skipif(shutil.which("bwrap") is None, reason="the sandbox needs bubblewrap")
async def test_tested_code_has_its_tests(daemon_with):
    """With their values; `passed` is what the run's details say."""
    tester = {"role": "tester", "fault": "failed"}
    async with daemon_with(tester, *RULES[:1], *RULES[1:]) as (daemon, _):
        answer = await use(daemon, lambda client: client.test("Write add. add(1, 2) == 3"))
    assert answer.output == CODE
    assert [(test.arguments, test.expected) for test in answer.tests] == [([1, 2], 3)]
    assert answer.passed == all(test.status == "passed" for test in answer.tests)


async def test_code_is_typed_in_one_language_and_in_several(daemon_with):
    """The answer of `POST /code`; the best of several by its confidence."""
    async with daemon_with(*CODE_RULES) as (daemon, _):
        one = await use(daemon, lambda client: client.code("add two numbers"))
        assert isinstance(one, types.CodeGeneration) and one.code == ADD and one.success
        several = await use(daemon, lambda client: client.code_in("add", ["python", "go"]))
        assert set(several.results) == {"python", "go"} and several.best in several.results
        with pytest.raises(errors.BadRequest):
            await use(daemon, lambda client: client.code("add", language="klingon"))


async def test_queries_are_answered_with_their_objects(daemon_with):
    """A plan, a refinement, an answer: the objects of `POST /query`."""
    async with daemon_with(*PLAN) as (daemon, _):
        plan = await use(daemon, lambda client: client.plan(QUERY))
        assert plan.get_steps() and types.FinalResult.from_dict(plan.to_dict()) == plan
    async with daemon_with(*PLAN) as (daemon, _):
        asked = await use(daemon, lambda client: client.ask(QUERY, type="plan"))
        assert (asked.query, asked.final_code) == (plan.query, plan.final_code)
    async with daemon_with(*REFINE) as (daemon, _):
        assert (await use(daemon, lambda client: client.refine(OLD, CHANGE))).code == NEW
    async with daemon_with(*API) as (daemon, _), laios.AsyncClient(daemon.address) as client:
        answer = await client.ask("pi?", type="api")
        assert isinstance(answer, types.APILookupOutput)
        assert types.validate_api_lookup_output(answer.to_dict())


async def test_running_runs_are_listed_and_cancelled(daemon_with):
    """The one that waits for it raises Cancelled, with the run's id."""
    async with daemon_with(*SLOW) as (daemon, _), laios.AsyncClient(daemon.address) as client:
        asked = asyncio.create_task(client.run("add"))
        while not (rows := await client.runs()):
            await asyncio.sleep(0.01)
        assert (await client.cancel(rows[0].id)).cancelled
        with pytest.raises(errors.Cancelled) as ended:
            await asked
        assert ended.value.run_id == rows[0].id
        with pytest.raises(errors.NotFound):
            await client.cancel(rows[0].id)
        assert set(await client.models()) == {"coder", "judge", "reviewer"}


async def test_the_history_is_searched_and_walked_through(daemon_with):
    """Newest first, a page at a time."""
    async with daemon_with(*RULES) as (daemon, _), laios.AsyncClient(daemon.address) as client:
        for word in ("one", "two", "three"):
            await client.run(f"///raw {word}")
        walked = [each.normalized_prompt async for each in client.history.iterate(page=2)]
        assert walked == ["three", "two", "one"]
        assert await use(daemon, lambda c: len([*c.history.iterate(page=1)])) == 3
        found = await use(daemon, lambda c: c.history.search("two", mode="raw", limit=5))
        assert [each.normalized_prompt for each in found] == ["two"]


async def test_a_run_that_takes_too_long_for_its_caller_is_cancelled(daemon_with):
    """`timeout_s` is the caller's own patience."""
    async with daemon_with(*SLOW) as (daemon, _):
        async with laios.AsyncClient(daemon.address, timeout_s=0.3) as client:
            with pytest.raises(errors.TimedOut):
                await client.run("add")
        while daemon.parts.scheduler.runs():
            await asyncio.sleep(0.01)
        assert daemon.parts.reader.page(limit=1)[0]["error"]["code"] == "cancelled"


async def test_comments_do_not_keep_up_a_stream_that_is_silent_for_too_long(
    daemon_with, monkeypatch
):
    """Both clients end it, and with it the run; a caller's own time between two events is no
    silence."""
    monkeypatch.setattr("server.http.server_sent_events.PING_S", 0.05)

    def dawdle(client):
        for event in client.stream("///raw add"):
            if isinstance(event, types.RunEvent) and event.event == "step":
                time.sleep(0.9)  # of one second in which the daemon has nothing to say
        return event

    async with daemon_with(*SLOW) as (daemon, _):
        async with laios.AsyncClient(daemon.address, timeout_s=0.5) as client:
            with pytest.raises(errors.TimedOut):
                [event async for event in client.stream("add")]
        with pytest.raises(errors.TimedOut):
            await use(daemon, lambda client: list(client.stream("add")), timeout_s=0.5)
        while daemon.parts.scheduler.runs():
            await asyncio.sleep(0.01)
    async with daemon_with({"role": "coder", "reply": "x = 1", "delay_ms": 1000}) as (daemon, _):
        assert (await use(daemon, dawdle, timeout_s=0.7)).output == "x = 1"


async def test_address_and_token_are_the_command_line_s(daemon_with, monkeypatch):
    """LAIOS_* variables; the token of the settings goes to the daemon of the settings alone."""
    async with daemon_with(*RULES, API_TOKEN="a secret of ours") as (daemon, _):
        monkeypatch.setenv("LAIOS_PORT", str(daemon.settings.PORT))
        monkeypatch.setenv("LAIOS_API_TOKEN", "a secret of ours")
        async with laios.AsyncClient() as client:
            assert await client.runs() == []
        async with laios.AsyncClient(daemon.address, token="a secret of ours") as client:
            assert await client.runs() == []
        with pytest.raises(errors.Unauthorized):
            await use(daemon, lambda client: client.runs())


def test_without_a_daemon_and_with_broken_settings_the_error_says_what_helps(monkeypatch):
    """No daemon is started by itself."""
    address = f"http://127.0.0.1:{free_port()}"
    with laios.Client(address) as client, pytest.raises(errors.DaemonUnreachable) as unreachable:
        client.run("add")
    assert address in unreachable.value.message and "laios serve" in unreachable.value.message
    monkeypatch.setenv("LAIOS_PROT", "1")
    for client in (laios.Client(), laios.Client.local()):
        with client, pytest.raises(errors.InvalidSettings, match="LAIOS_PORT"):
            client.runs()


NO_ADDRESSES = ["127.0.0.1:11711", "ftp://a", "http://", "http://a:x", "http://a:99999"]


@pytest.mark.parametrize("address", NO_ADDRESSES)
async def test_what_is_no_address_is_said(address):
    """By each call, as whatever goes wrong there."""
    with pytest.raises(errors.InvalidSettings, match=r"not an address such as http://127\.0\.0\.1"):
        laios.Client(address).models()
    with pytest.raises(errors.InvalidSettings):
        [*laios.Client(address).stream("x")]
    async with laios.AsyncClient(address) as client:
        with pytest.raises(errors.InvalidSettings):
            await client.models()
    with pytest.raises(errors.InvalidSettings, match="token"):
        laios.Client("http://127.0.0.1:1", token="é").models()


@pytest.mark.parametrize("address", ["", "/"])
async def test_an_empty_address_is_not_the_configured_one(daemon_with, monkeypatch, address):
    """What was meant for elsewhere is not sent there."""
    async with daemon_with({"reply": "x"}) as (daemon, _):
        monkeypatch.setenv("LAIOS_PORT", str(urlsplit(daemon.address).port))
        async with laios.AsyncClient() as client:
            assert await client.runs() == []
        for kind in (laios.Client, laios.AsyncClient):
            with pytest.raises(errors.InvalidSettings, match="address is empty"):
                kind(address)


async def test_what_json_cannot_carry_is_refused_by_the_daemon(daemon_with):
    """Half of a surrogate pair, a number that is none: an error of ours, not of the encoder's."""
    async with daemon_with() as (daemon, _), laios.AsyncClient(daemon.address) as client:
        for prompt, options in (("\ud800", {}), ("x", {"min_confidence": float("nan")})):
            with pytest.raises(errors.BadRequest, match="not valid JSON"):
                await client.run(prompt, **options)


@pytest.mark.parametrize("name", [".", "..", "../readyz", "a/b", "\ud800", "\udcff", "\0", "?x=1"])
async def test_whatever_an_id_is_made_of_it_is_one_that_nobody_has(daemon_with, name):
    """No path leads elsewhere, and no encoder's error comes out."""
    async with daemon_with() as (daemon, _), laios.AsyncClient(daemon.address) as client:
        for asked in (
            client.history.get(name),
            client.docs.get(name),
            client.cancel(name),
            client.rate(name, "up"),
        ):
            with pytest.raises(errors.NotFound):
                await asked
        with pytest.raises(errors.BadRequest):  # nothing to search for
            await client.history.search("\ud800")
        assert await client.docs.search("\ud800") == []


async def test_an_empty_id_is_told(daemon_with):
    """It would be the address of all of them."""
    async with daemon_with() as (daemon, _), laios.AsyncClient(daemon.address) as client:
        for call in (client.history.get, client.docs.get, client.cancel):
            with pytest.raises(errors.BadRequest, match="The id is empty"):
                await call("")


async def test_what_listens_there_may_be_something_else():
    """Ollama, say: what comes is no answer of laios."""
    async with FakeOllama() as ollama, laios.AsyncClient(ollama.url) as client:
        with pytest.raises(errors.LaiosError):
            await client.history.get("x")


@pytest.mark.parametrize("status", [200, 404])
@pytest.mark.parametrize("body", ['{"detail": "Not Found"}', '{"error": "no"}', "[]", "null", "12"])
async def test_another_program_s_json_is_no_answer(status, body):
    """Whatever its shape, and for each kind of call: the error says that it is not laios."""

    async def answer(request):
        return web.Response(status=status, text=body, content_type="application/json")

    app = web.Application()
    app.router.add_route("*", "/{path:.*}", answer)
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    async with laios.AsyncClient("http://{}:{}".format(*runner.addresses[0])) as client:
        for call in (client.run("add"), client.runs(), anext(client.stream("add"))):
            with pytest.raises(errors.DaemonUnreachable, match="is not laios"):
                await call
    await runner.cleanup()


@pytest.mark.parametrize("is_used", [True, False])
async def test_a_closed_client_says_so(daemon_with, is_used):
    """Whether or not it was used before: an error of laios', from streams, too."""
    async with daemon_with(*RULES) as (daemon, _):
        plain, other = laios.Client(daemon.address), laios.AsyncClient(daemon.address)
        if is_used:
            await asyncio.to_thread(plain.runs)
            await other.runs()
        await asyncio.to_thread(plain.close)
        await other.close()
        for call in (plain.runs, lambda: [*plain.stream("add")]):
            with pytest.raises(errors.DaemonUnreachable, match="client is closed"):
                await asyncio.to_thread(call)
        with pytest.raises(errors.DaemonUnreachable, match="client is closed"):
            await other.runs()
        with pytest.raises(errors.DaemonUnreachable, match="client is closed"):
            [event async for event in other.stream("add")]


def test_a_local_client_needs_no_daemon_and_leaves_none(roles, monkeypatch, tmp_path):
    """The pipeline runs in a child process with the settings and the history of the user."""
    roles(*RULES)
    monkeypatch.setenv("LAIOS_HISTORY_DIR", str(tmp_path / "history"))
    with laios.Client.local() as client:
        assert client.run("add").output == CODE
        child = client._local._process
    assert child.returncode == 0
    assert len(Reader(tmp_path / "history").page()) == 1


def test_a_local_client_whose_process_is_gone_says_so(roles):
    """A local client is not what helps one; another one does."""
    roles(*RULES)
    with laios.Client.local() as client:
        client.runs()
        client._local._process.kill()
        client._local._process.wait()
        for call in (client.runs, lambda: [*client.stream("add")]):
            with pytest.raises(errors.DaemonUnreachable, match="own process has ended") as ended:
                call()
            assert "local()" not in ended.value.message


async def test_a_local_client_is_there_for_asyncio_too(roles):
    """Its start does not hold up the event loop, and several calls may wait for it."""
    roles(*RULES)
    async with laios.AsyncClient.local() as client:
        answers = await asyncio.gather(*(client.run("add", mode="raw") for _ in range(3)))
    assert [answer.output for answer in answers] == [CODE] * 3


CHATTY = """
from pipeline.modes import mode
from pipeline.task import Result

print("I am here.", flush=True)

@mode("chat", words=("chat",), help="Chat.")
async def chat(run, task):
    print("x" * 200_000, flush=True)
    return Result("said")
"""


def test_what_the_local_process_prints_holds_nothing_up(roles, monkeypatch, tmp_path):
    """An add-on that greets, and one that says more than a pipe takes."""
    roles(*RULES)
    (tmp_path / "chatty.py").write_text(CHATTY)
    about = tmp_path / "chatty-1.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Name: chatty\nVersion: 1\n")
    (about / "entry_points.txt").write_text("[laios.modes]\nchat = chatty\n")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    with laios.Client.local(timeout_s=30) as client:
        assert client.run("///chat hello").output == "said"


def test_the_local_process_ends_with_its_program(roles, tmp_path):
    """Also with one that is killed: its stdin ends then."""
    roles(*SLOW)
    code = (
        "import laios, os\nclient = laios.Client.local()\nclient.runs()\n"
        "print(client._local._process.pid, flush=True)\nos.kill(os.getpid(), 9)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT)
    pid = int(done.stdout)

    def is_gone():
        try:
            return Path(f"/proc/{pid}/stat").read_text().split()[2] == "Z"
        except FileNotFoundError:
            return True

    wait_for(is_gone)


# --- what is written twice -----------------------------------------------------------------------


def test_both_clients_have_the_same_methods_and_arguments():
    """What is learned with one can be done with the other."""
    for ours, theirs in ((laios.Client, laios.AsyncClient), (History, AsyncHistory)):
        for name in (name for name in vars(ours) if name[0] != "_" and callable(vars(ours)[name])):
            one, other = (inspect.signature(getattr(each, name)) for each in (ours, theirs))
            assert one.parameters == other.parameters, name
            assert inspect.getdoc(getattr(ours, name))


def test_every_code_of_the_api_has_its_error():
    """A caller can catch what the daemon answers."""
    for code in STATUS:
        error = errors.error_of(code, "x", "id")
        assert (error.code, error.run_id, str(error)) == (code, "id", "x")
        assert code == "internal" or type(error) is not errors.LaiosError, code
    assert errors.error_of("new_one", "x").code == "new_one"


def test_the_public_record_has_the_record_s_keys():
    """Those of the history, none besides."""
    assert set(types.Record.model_fields) == set(Record.__annotations__) - {"schema"}


def test_the_options_are_fields_of_the_api():
    """A field that the daemon does not take would be refused there."""
    assert set(api_call.PromptOptions.__annotations__) <= set(PromptRequest.model_fields)
    assert set(api_call.OneLanguageOptions.__annotations__) <= set(CodeRequest.model_fields)
    assert set(api_call.AskOptions.__annotations__) <= set(QueryRequest.model_fields)
    assert set(api_call.JudgeOptions.__annotations__) <= set(JudgeRequest.model_fields)
    assert set(api_call.SearchOptions.__annotations__) <= set(PARAMETERS)


def test_importing_laios_is_quick():
    """httpx and pydantic are loaded when a client is made; unknown names are told as usual."""
    code = (
        "import laios, sys\n"
        "assert not {'httpx', 'pydantic', 'config'} & set(sys.modules)\n"
        "assert laios.Client and laios.types.Answer and laios.errors.Busy\n"
        "assert not {'config', 'pipeline', 'server'} & set(sys.modules)\n"
        "try:\n    laios.nothing\nexcept AttributeError as error:\n    print(error)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, env={**os.environ}
    )
    assert done.stdout == "module 'laios' has no attribute 'nothing'\n", done.stderr


def test_the_first_calls_of_a_program_may_come_together():
    """Also before the settings have ever been read: each of them knows where the daemon is."""
    code = (
        "import asyncio, laios\n"
        "async def main():\n"
        "    async with laios.AsyncClient() as client:\n"
        "        calls = [client.runs() for _ in range(8)]\n"
        "        return await asyncio.gather(*calls, return_exceptions=True)\n"
        "print({type(answer).__name__ for answer in asyncio.run(main())})"
    )
    nobody = {**os.environ, "LAIOS_PORT": str(free_port())}
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, env=nobody
    )
    assert done.stdout == "{'DaemonUnreachable'}\n", done.stdout + done.stderr


@pytest.mark.parametrize(
    ("address", "verified"),
    [("http://127.0.0.1:1", False), ("https://h", True), ("HTTPS://h", True), ("HtTp://h", False)],
)
def test_certificates_are_looked_at_wherever_there_are_some(address, verified):
    """Behind a proxy the daemon may have one; without TLS none are loaded."""
    client = laios.Client(address)
    assert client._connection().http_options["verify"] is verified


@pytest.mark.parametrize("timeout_s", [0, -1, "x", True, float("nan"), float("inf"), 1e300])
def test_a_timeout_that_is_none_is_refused_at_once(timeout_s):
    """By the client's own error, before anything is asked."""
    with pytest.raises(errors.InvalidSettings, match="timeout_s"):
        laios.Client(timeout_s=timeout_s)
