"""What laios takes for granted of an Ollama server, held against the fake and a real one alike."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import aclosing, asynccontextmanager, contextmanager, suppress
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Protocol

import aiohttp
import pytest
from aiohttp import web
from fakes import CHAT_TEMPLATE, Answer, FakeOllama, Pulled
from real_ollama import SERVERS, RealOllama, needs_ollama, real_ollama

from pipeline.errors import (
    ContextTooLong,
    EmptyAnswer,
    LaiosError,
    ModelBusy,
    ModelFailed,
    ModelNotFound,
    ModelUnreachable,
)
from pipeline.model import Call, Delta, Message, Reply
from pipeline.model_call import chat
from pipeline.models import ollama_library
from pipeline.models.ollama import OllamaModel
from pipeline.models.ollama_host import OllamaHost

WRITER = "ollama/writer"
WINDOW = 1024
ASK: list[Message] = [{"role": "user", "content": "write a function that adds two numbers"}]
CALL = Call("coder", ASK, WINDOW, max_tokens=24, temperature=0.0, keep_alive="10m")
VERDICT = {
    "type": "object",
    "properties": {"score": {"type": "integer", "minimum": 1, "maximum": 9}},
    "required": ["score"],
}
# Its words are those that Ollama looks for to see that a model thinks.
THINKING_TEMPLATE = """{{ range .Messages }}{{ if eq .Role "assistant" }}<|im_start|>assistant
{{ if .Thinking }}<think>{{ .Thinking }}</think>{{ end }}{{ .Content }}<|im_end|>
{{ else }}<|im_start|>{{ .Role }}
{{ .Content }}<|im_end|>
{{ end }}{{ end }}<|im_start|>assistant
{{ if and $.IsThinkSet $.Think }}<think>{{ end }}"""
ENDLESS = "x = 1\n" * 60  # after which small models, greedy, say one token for ever
LONG_TEXT = {
    "type": "object",
    "properties": {"text": {"type": "string", "minLength": 200}},
    "required": ["text"],
}
LONG = replace(CALL, schema=LONG_TEXT, max_tokens=WINDOW, temperature=1.5)  # and no word less


class Server(Protocol):
    """As much of a server as these tests use."""

    url: str

    def create(self, name: str, template: str) -> None: ...
    def delete(self, name: str) -> None: ...
    def ask(self, path: str) -> Any: ...


@contextmanager
def fake_ollama() -> Iterator[FakeOllama]:
    models = (Pulled("writer"), Pulled("bare", template="{{ .Prompt }}"), Pulled("silent"))
    answers = (
        Answer("", model="silent"),
        Answer('{"score": 9}', structured=True),
        Answer(thinking="Let me see. ", model="thinker"),
        Answer("x = 1\n" + "NNNN" * 40, model="endless"),
        Answer(),
    )
    with FakeOllama(*answers, models=models) as fake:
        yield fake


@pytest.fixture(scope="module", params=SERVERS)
def server(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Server]:
    if request.param == "fake":
        with fake_ollama() as fake:
            yield fake
    else:
        with real_ollama(tmp_path_factory.mktemp("ollama")) as real:
            real.create("silent", CHAT_TEMPLATE, stop="{")  # with which every object begins
            yield real


@pytest.fixture
async def host(server: Server) -> AsyncIterator[OllamaHost]:
    opened = OllamaHost(server.url)
    yield opened
    await opened.close()


@pytest.fixture
def model(host: OllamaHost) -> OllamaModel:
    return OllamaModel(WRITER, host)


async def ask(
    model: OllamaModel, call: Call = CALL, on_delta: Callable[[Delta], None] | None = None
) -> Reply:
    deadline = asyncio.get_running_loop().time() + 120
    return await chat(model, call, deadline=deadline, on_delta=on_delta)


@asynccontextmanager
async def connected(url: str, token: str | None = None) -> AsyncIterator[OllamaHost]:
    host = OllamaHost(url, token)
    try:
        yield host
    finally:
        await host.close()


def at_first(do: Callable[[], None]) -> Callable[[Delta], None]:
    """What does it at the first piece of an answer, before the next is read."""
    waiting = [do]
    return lambda delta: waiting.pop()() if waiting else None


async def collect(model: OllamaModel, call: Call) -> list[object]:
    """The frames of one try: `chat` asks a busy server once more."""
    async with aclosing(model.stream(call)) as frames:
        return [frame async for frame in frames]


@asynccontextmanager
async def proxy(behind: str, token: str) -> AsyncIterator[str]:
    """The address, with a path, of a proxy that asks for a token."""

    async def pass_on(request: web.Request) -> web.StreamResponse:
        if request.headers.get("Authorization") != f"Bearer {token}":
            return web.Response(status=401, text="<html>Who are you?</html>")
        url = f"{behind}/{request.match_info['path']}"
        async with session.request(request.method, url, data=await request.read()) as answer:
            return web.Response(status=answer.status, body=await answer.read())

    app = web.Application()
    app.router.add_route("*", "/models/ollama/{path:.*}", pass_on)
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    try:
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        async with aiohttp.ClientSession() as session:
            yield f"http://127.0.0.1:{runner.addresses[0][1]}/models/ollama"
    finally:
        await runner.cleanup()


async def window(model: OllamaModel) -> int | None:
    """With which it is loaded; None: it is not."""
    row = (await model.loaded()).get(WRITER)
    return row.context if row else None


async def unloaded(model: OllamaModel) -> None:
    async with asyncio.timeout(30):
        while await window(model) is not None:
            await asyncio.sleep(0.02)


async def test_a_server_says_its_version(host: OllamaHost) -> None:
    """Three numbers, to which something may be appended."""
    first, second, _ = (await ollama_library.version(host)).split(".", 2)
    assert first.isdigit() and second.isdigit()


async def test_a_list_has_sizes_and_times(host: OllamaHost, model: OllamaModel) -> None:
    """Of every model, with what it can do; names have their tag."""
    listed = {each.name: each for each in await host.list_models()}
    assert {"writer:latest", "bare:latest"} <= set(listed)
    assert all(each.size > 0 and each.modified_at for each in listed.values())
    assert not any(each.remote for each in listed.values())
    files = await model.stored()
    assert files and files.size == listed["writer:latest"].size


async def test_facts_tell_the_window_and_whether_there_is_a_template(
    host: OllamaHost, model: OllamaModel
) -> None:
    """Of a model that was made from a file without a template nothing but the prompt is left."""
    facts = await model.facts()
    assert facts.has_chat_template and facts.context_length and facts.context_length >= WINDOW
    assert not (await OllamaModel("ollama/bare", host).facts()).has_chat_template


async def test_a_reply_has_text_counts_and_times(model: OllamaModel) -> None:
    """Piece by piece, then a last frame with what it cost."""
    pieces: list[Delta] = []
    reply = await ask(model, on_delta=pieces.append)
    assert reply.text and reply.text == "".join(piece.text for piece in pieces)
    assert reply.prompt_tokens and reply.output_tokens
    assert reply.first_token_ms is not None and reply.load_ms is not None


async def test_a_model_is_loaded_once_for_all_roles(model: OllamaModel) -> None:
    """Another role, schema or temperature is no reason to load again; another window is."""
    await ask(model, replace(CALL, keep_alive="0"))
    await unloaded(model)
    first = await ask(model)
    second = await ask(model, replace(CALL, role="judge", schema=VERDICT, temperature=0.8))
    assert first.load_ms and second.load_ms is not None and second.load_ms < first.load_ms
    assert await window(model) == WINDOW
    await ask(model, replace(CALL, context_tokens=2 * WINDOW))
    assert await window(model) == 2 * WINDOW
    await ask(model)


async def test_an_answer_at_its_cap_ends_with_length(model: OllamaModel) -> None:
    """num_predict is kept by the server."""
    reply = await ask(model, replace(CALL, max_tokens=2))
    assert (reply.finish_reason, reply.output_tokens) == ("length", 2)


async def test_an_answer_ends_before_what_stops_it(model: OllamaModel) -> None:
    """Which is no part of it, and costs no more tokens; that it ended there is said."""
    whole = await ask(model)
    end = whole.text[6:9]
    reply = await ask(model, replace(CALL, stop=["nothing of the kind", end]))
    assert (reply.text, reply.finish_reason) == (whole.text.partition(end)[0], "stop")
    assert reply.output_tokens and whole.output_tokens
    assert reply.output_tokens < whole.output_tokens


async def test_a_schema_binds_the_answer(model: OllamaModel) -> None:
    """Whatever the model would have said."""
    reply = await ask(model, replace(CALL, schema=VERDICT, max_tokens=64))
    assert 1 <= json.loads(reply.text)["score"] <= 9


async def test_a_prompt_that_is_too_long_is_refused(model: OllamaModel) -> None:
    """`truncate: false`: never cut in silence."""
    long: list[Message] = [{"role": "user", "content": "word " * (3 * WINDOW)}]
    with pytest.raises(ContextTooLong, match="nothing was cut"):
        await ask(model, replace(CALL, messages=long))


@pytest.mark.parametrize("think", [True, False])
async def test_a_model_that_cannot_think_answers_all_the_same(
    model: OllamaModel, think: bool
) -> None:
    """Whether thinking is switched on or off."""
    assert (await ask(model, replace(CALL, think=think))).text


async def test_probabilities_come_with_their_tokens(model: OllamaModel) -> None:
    """One for each token, with as many alternatives as were asked for."""
    pieces: list[Delta] = []
    reply = await ask(model, replace(CALL, logprobs=2), pieces.append)
    rows = [row for piece in pieces for row in piece.logprobs]
    assert "".join(row["token"] for row in rows).strip() == reply.text.strip()
    assert all(row["logprob"] <= 0 and len(row["top_logprobs"]) == 2 for row in rows)


async def test_a_model_that_is_missing_says_how_to_get_it(host: OllamaHost) -> None:
    """Before a call and in it."""
    model = OllamaModel("ollama/nobody/nothing:7b", host)
    for asked in (ask(model), model.facts()):
        with pytest.raises(ModelNotFound, match="ollama pull nobody/nothing:7b"):
            await asked


@pytest.mark.parametrize("think", [True, False])
async def test_a_model_thinks_where_it_is_asked_to(
    server: Server, host: OllamaHost, think: bool
) -> None:
    """What it thinks is no part of the answer; without it the answer comes at once."""
    server.create("thinker", THINKING_TEMPLATE)
    model = OllamaModel("ollama/thinker", host)
    pieces: list[Delta] = []
    with suppress(EmptyAnswer):  # the real one comes to no answer within its tokens
        await ask(model, replace(CALL, think=think), pieces.append)
    assert pieces and bool("".join(piece.thinking for piece in pieces)) is think


@pytest.mark.parametrize(
    "name",
    [
        "writer",
        "WRITER:latest",
        "registry.ollama.ai/library/writer",
        "team/größe-x:v1.2-b",
        "localhost:5000/team/x:v1",
    ],
)
async def test_names_with_and_without_a_tag(server: Server, host: OllamaHost, name: str) -> None:
    """`x` is `x:latest`, in capitals too, and the library's; names with a registry, a namespace and
    a tag go through as they are. Models of one file share what is in memory, under the name of the
    first."""
    if name.startswith("localhost"):
        server.create(name, "{{ .System }}{{ .Prompt }}")
    if "ö" in name:
        with pytest.raises(LaiosError):
            await ask(OllamaModel(f"ollama/{name}", host))
        name = "team/groesse-x:v1.2-b"
        server.create(name, "{{ .System }}{{ .Prompt }}")
    writer = OllamaModel(WRITER, host)
    await ask(writer, replace(CALL, keep_alive="0"))
    await unloaded(writer)
    model = OllamaModel(f"ollama/{name}", host)
    assert (await ask(model)).text
    assert model.name in await model.loaded() and await model.stored()


async def test_unicode_goes_both_ways(model: OllamaModel) -> None:
    """Also half of a surrogate pair, which is no text."""
    odd: list[Message] = [{"role": "user", "content": "größer 数 🙂 a\ud83d"}]
    assert await ask(model, replace(CALL, messages=odd))


async def test_keep_alive_decides_how_long_a_model_stays(model: OllamaModel) -> None:
    """`0` unloads it after the answer, and a preload brings it with its window."""
    await ask(model, replace(CALL, keep_alive="0"))
    await unloaded(model)
    await model.preload(WINDOW, "-1m")
    row = (await model.loaded())[WRITER]
    assert row.context == WINDOW and row.size > 0 and row.expires_at
    reply = await ask(model)
    assert reply.load_ms is not None


async def test_a_cancelled_call_frees_the_server(model: OllamaModel) -> None:
    """The next one need not wait for what the first would still have written."""
    begun = asyncio.Event()
    first = asyncio.create_task(ask(model, LONG, lambda delta: begun.set()))
    await asyncio.wait_for(begun.wait(), 60)
    first.cancel()
    await asyncio.gather(first, return_exceptions=True)
    assert (await asyncio.wait_for(ask(model), 30)).text


async def test_four_callers_at_once_are_all_answered(model: OllamaModel) -> None:
    """In turn or side by side: that is the server's business."""
    replies = await asyncio.gather(*(ask(model) for _ in range(4)))
    assert all(reply.text for reply in replies)


async def test_a_deleted_model_is_gone_at_once(server: Server, host: OllamaHost) -> None:
    """And another one under its name is that other one."""
    server.create("short-lived", "{{ .Prompt }}")
    model = OllamaModel("ollama/short-lived", host)
    assert not (await model.facts()).has_chat_template
    server.delete("short-lived")
    with pytest.raises(ModelNotFound):
        await ask(OllamaModel("ollama/short-lived", host))
    server.create("short-lived", "{{ .System }}{{ .Prompt }}")
    assert (await OllamaModel("ollama/short-lived", host).facts()).has_chat_template


async def test_how_long_a_model_stays_is_told(model: OllamaModel) -> None:
    """Ten minutes, or for ever; each call says it anew."""
    for keep_alive, least, most in (("10m", 500, 601), ("-1m", 10**8, None), ("10m", 500, 601)):
        await ask(model, replace(CALL, keep_alive=keep_alive))
        row = (await model.loaded())[WRITER]
        assert row.expires_at
        left = (row.expires_at - datetime.now(UTC)).total_seconds()
        assert left > least and (most is None or left < most)


async def test_a_token_over_and_over_is_a_repetition(server: Server, host: OllamaHost) -> None:
    """The server ends such an answer without its last frame; what came before it is kept."""
    server.create("endless", "{{ .Prompt }}")
    model = OllamaModel("ollama/endless", host)
    asked: list[Message] = [{"role": "user", "content": ENDLESS}]
    reply = await ask(model, replace(CALL, messages=asked, max_tokens=600))
    assert reply.finish_reason == "repetition" and 0 < len(reply.text) < 600


async def test_an_answer_without_a_word_is_no_answer(host: OllamaHost) -> None:
    """The server calls it done as any other."""
    with pytest.raises(EmptyAnswer, match="nothing"):
        await ask(OllamaModel("ollama/silent", host), replace(CALL, schema=VERDICT))


async def test_pages_and_foreign_names_are_refused(server: Server, host: OllamaHost) -> None:
    """Those that OLLAMA_ORIGINS does not name; laios is no page."""
    assert await host.list_models()
    async with aiohttp.ClientSession() as page:
        for head in ({"Origin": "http://page.example"}, {"Host": "page.example"}):
            async with page.get(f"{server.url}/api/tags", headers=head) as answer:
                assert (answer.status, await answer.text()) == (403, "")


@pytest.mark.parametrize("token", ["the right one", "another", None])
async def test_a_server_behind_a_path_that_asks_for_a_token(
    server: Server, token: str | None
) -> None:
    """Both are sent with every call; without the token the error names the setting."""
    async with proxy(server.url, "the right one") as url, connected(url, token) as host:
        asked = ask(OllamaModel(WRITER, host))
        if token == "the right one":
            assert (await asked).text and await host.list_models()
        else:
            with pytest.raises(ModelUnreachable, match="OLLAMA_TOKEN"):
                await asked


@needs_ollama
async def test_more_callers_than_the_server_queues_are_told_that_it_is_busy(tmp_path: Path) -> None:
    """While a model is loaded; the others are answered."""
    with real_ollama(tmp_path, OLLAMA_MAX_QUEUE="1") as real:
        async with connected(real.url) as host:
            model = OllamaModel(WRITER, host)
            asked = (collect(model, CALL) for _ in range(12))
            ended = await asyncio.gather(*asked, return_exceptions=True)
    busy = [each for each in ended if isinstance(each, LaiosError)]
    assert busy and {type(each) for each in busy} == {ModelBusy}
    assert "maximum pending requests" in busy[0].message and len(busy) < 12


@needs_ollama
async def test_a_killed_runner_is_a_typed_error(tmp_path: Path) -> None:
    """The server loads the model again for the next call."""
    with real_ollama(tmp_path) as real:
        async with connected(real.url) as host:
            model = OllamaModel(WRITER, host)
            await ask(model)
            [runner] = real.runners()
            with pytest.raises(ModelFailed):
                await ask(model, LONG, at_first(runner.kill))
            assert (await ask(model)).text


@needs_ollama
async def test_a_server_that_is_killed_in_an_answer_is_a_typed_error(tmp_path: Path) -> None:
    """Within a second, and the next server answers."""
    server = RealOllama(tmp_path)
    try:
        server.start()
        server.create("writer", "{{ .System }}{{ .Prompt }}")
        async with connected(server.url) as host:
            model = OllamaModel(WRITER, host)
            with pytest.raises(LaiosError):
                await asyncio.wait_for(ask(model, LONG, at_first(server.kill)), 60)
            with pytest.raises(ModelUnreachable, match="ollama serve"):
                await model.facts()
            await asyncio.to_thread(server.start)
            assert (await ask(model)).text
    finally:
        server.stop()
