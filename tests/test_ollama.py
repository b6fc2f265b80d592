"""The Ollama backend over a real socket."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from fakes import CODE, DEFAULT_MODEL, Answer, FakeOllama, Pulled, refused_url
from waiting import until

from pipeline.errors import (
    ContextTooLong,
    EmptyAnswer,
    LaiosError,
    ModelBusy,
    ModelFailed,
    ModelNotFound,
    ModelTimeout,
    ModelUnreachable,
)
from pipeline.model import Call, Delta, Message, Reply
from pipeline.model_call import chat
from pipeline.models import ollama_library
from pipeline.models.ollama import OllamaModel
from pipeline.models.ollama_host import OllamaHost, read_at_most
from pipeline.models.ollama_library import PullFrame

NAME = f"ollama/{DEFAULT_MODEL.name}"
ASK: list[Message] = [
    {"role": "system", "content": "You write code."},
    {"role": "user", "content": "Add two numbers."},
]
CALL = Call(role="coder", messages=ASK, context_tokens=4096, max_tokens=512, keep_alive="10m")


@pytest.fixture
def fake() -> Iterator[FakeOllama]:
    with FakeOllama() as server:
        yield server


@pytest.fixture
async def host(fake: FakeOllama) -> AsyncIterator[OllamaHost]:
    opened = OllamaHost(fake.url)
    yield opened
    await opened.close()


@pytest.fixture
def model(host: OllamaHost) -> OllamaModel:
    return OllamaModel(NAME, host)


async def ask(
    model: OllamaModel,
    call: Call = CALL,
    seconds: float = 20,
    on_delta: Callable[[Delta], None] | None = None,
) -> Reply:
    deadline = asyncio.get_running_loop().time() + seconds
    return await chat(model, call, deadline=deadline, on_delta=on_delta)


async def test_a_reply_has_text_thinking_counts_and_times(
    fake: FakeOllama, model: OllamaModel
) -> None:
    """Everything of Ollama's frames arrives, and the first call tells that the model was loaded."""
    fake.answers = [Answer(CODE, thinking="Two numbers. ")]
    reply = await ask(model)
    assert (reply.text, reply.thinking, reply.finish_reason) == (CODE, "Two numbers. ", "stop")
    assert reply.prompt_tokens and reply.output_tokens and reply.load_ms == 5.0
    assert (await ask(model)).load_ms == 0.03


async def test_the_request_says_all_that_the_call_asks_for(
    fake: FakeOllama, model: OllamaModel
) -> None:
    """Window, cap, schema, temperature and keep_alive go out; nothing may be cut silently."""
    schema = {"type": "object", "properties": {"a": {"type": "string", "maxLength": 9}}}
    await ask(model, replace(CALL, schema=schema, temperature=0.0, think=False))
    assert fake.requests == [
        {
            "model": DEFAULT_MODEL.name,
            "messages": ASK,
            "stream": True,
            "truncate": False,
            "shift": False,
            "options": {"num_ctx": 4096, "num_predict": 512, "temperature": 0.0},
            "format": schema,
            "think": False,
            "keep_alive": "10m",
        }
    ]


async def test_what_the_call_leaves_open_is_left_to_the_model(
    fake: FakeOllama, model: OllamaModel
) -> None:
    """No temperature, seed, format or think is sent that nobody chose."""
    await ask(model, replace(CALL, keep_alive=None))
    assert fake.requests[0].keys() == {
        "model", "messages", "stream", "truncate", "shift", "options"
    }  # fmt: skip
    assert fake.requests[0]["options"].keys() == {"num_ctx", "num_predict"}


async def test_a_lone_surrogate_in_the_prompt_can_be_sent(
    fake: FakeOllama, model: OllamaModel
) -> None:
    """Text that is no valid Unicode goes out as JSON's own escape."""
    await ask(model, replace(CALL, messages=[{"role": "user", "content": "a\ud83d"}]))
    assert fake.requests[0]["messages"][0]["content"] == "a\ud83d"


async def test_an_answer_at_its_cap_ends_with_length(model: OllamaModel) -> None:
    """num_predict is kept by the server and the reason is passed on."""
    reply = await ask(model, replace(CALL, max_tokens=2))
    assert (reply.text, reply.finish_reason, reply.output_tokens) == (CODE[:8], "length", 2)


FAULTS: list[tuple[str, type[LaiosError], str]] = [
    ("404", ModelNotFound, "ollama pull qwen2.5-coder:7b"),
    ("500", ModelFailed, "signal: killed"),
    ("503", ModelBusy, "server busy"),
    ("429", ModelBusy, "usage limit. Try again later."),
    ("html_429", ModelBusy, "(HTTP 429). Try again later."),
    ("too_long", ContextTooLong, "4096"),
    ("too_long_old", ContextTooLong, "4096"),
    ("html", ModelFailed, "OLLAMA_HOST"),
    ("html_404", ModelFailed, "OLLAMA_HOST"),
    ("html_502", ModelFailed, "HTTP 502"),
    ("redirect", ModelFailed, "HTTP 307"),
    ("drop", ModelUnreachable, "ollama serve"),
    ("not_http", ModelFailed, "no proper HTTP"),
    ("cut", ModelFailed, "broke off"),
    ("reset", ModelFailed, "broke"),
    ("no_last_frame", ModelFailed, "before its last frame"),
    ("half_line", ModelFailed, "a line that Ollama does not send"),
    ("error", ModelFailed, "CUDA error"),
    ("error_midway", ModelFailed, "CUDA error"),
    ("error_too_long", ContextTooLong, "4096"),
    ("error_not_found", ModelNotFound, "ollama pull"),
    ("empty", EmptyAnswer, "nothing"),
    ("thinking_only", EmptyAnswer, "thinking only"),
    ("flood", ModelFailed, "65,536 characters"),
    ("flood_line", ModelFailed, "a line of more than"),
    ("overfull", ContextTooLong, "was cut"),
    ("bad_json", ModelFailed, "a line that Ollama does not send"),
    ("not_a_frame", ModelFailed, "a line that Ollama does not send"),
    ("wrong_shape", ModelFailed, "a line that Ollama does not send"),
    ("surrogate", ModelFailed, "a line that Ollama does not send"),
    ("load", ModelFailed, "'load'"),
]


@pytest.mark.parametrize(("fault", "error", "words"), FAULTS)
async def test_every_fault_is_a_typed_error_and_leaves_nothing(
    fake: FakeOllama, host: OllamaHost, fault: str, error: type[LaiosError], words: str
) -> None:
    """No broken answer is used; no task stays here and no call stays open at the server."""
    fake.answers = [Answer(fault=fault)]
    started = time.monotonic()
    with pytest.raises(error) as caught:
        await ask(OllamaModel(NAME, host))
    assert type(caught.value) is error and words in caught.value.message
    assert time.monotonic() - started < 10
    await until(lambda: fake.active == 0)
    await host.close()
    assert asyncio.all_tasks() == {asyncio.current_task()}
    assert len(fake.requests) == (2 if error is ModelBusy or fault == "drop" else 1)


@pytest.mark.parametrize("fault", ["hang", "hang_midway", "trickle"])
async def test_a_slow_backend_is_ended_by_the_deadline(
    fake: FakeOllama, host: OllamaHost, fault: str
) -> None:
    """Also one that sends a byte now and then; its work ends, and nothing stays."""
    fake.answers = [Answer(fault=fault)]
    started = time.monotonic()
    with pytest.raises(ModelTimeout):
        await ask(OllamaModel(NAME, host), seconds=0.3)
    assert time.monotonic() - started < 10
    await until(lambda: fake.active == 0)
    assert fake.ended == ["left"]
    await host.close()
    assert asyncio.all_tasks() == {asyncio.current_task()}


@pytest.mark.parametrize("fault", ["hang", "hang_midway", "trickle"])
async def test_cancelling_ends_the_work_at_the_server_at_once(
    fake: FakeOllama, model: OllamaModel, fault: str
) -> None:
    """The connection closes at once, so that Ollama stops generating."""
    fake.answers = [Answer(fault=fault)]
    task = asyncio.create_task(ask(model))
    await until(lambda: fake.active == 1)
    started = time.monotonic()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await until(lambda: fake.active == 0)
    assert time.monotonic() - started < 10
    assert fake.ended == ["left"]


async def test_nobody_listening_is_unreachable_with_the_way_out() -> None:
    """Calls and questions alike."""
    with refused_url() as url:
        host = OllamaHost(url)
        model = OllamaModel(NAME, host)
        for asked in (ask(model), model.facts()):
            with pytest.raises(ModelUnreachable, match=r"ollama serve.*OLLAMA_HOST"):
                await asked
        await host.close()


async def test_a_server_that_is_busy_once_is_asked_again(
    fake: FakeOllama, model: OllamaModel
) -> None:
    """One 503 is no failure."""
    fake.answers = [Answer(fault="503", times=1)]
    assert (await ask(model)).text == CODE
    assert len(fake.requests) == 2


async def test_the_prompt_is_refused_by_the_server_rather_than_cut(model: OllamaModel) -> None:
    """`truncate: false` makes Ollama itself say that the prompt is too long."""
    long: list[Message] = [{"role": "user", "content": "word " * 8000}]
    with pytest.raises(ContextTooLong, match="nothing was cut"):
        await ask(model, replace(CALL, messages=long))


@pytest.mark.parametrize("fault", ["wrong_type", "went_on"])
async def test_harmless_oddities_do_not_cost_the_answer(
    fake: FakeOllama, model: OllamaModel, fault: str
) -> None:
    """A good answer under a wrong content type, or in a body that does not end, is good."""
    fake.answers = [Answer(fault=fault)]
    assert (await ask(model)).text == CODE


async def test_odd_counts_do_not_cost_the_answer(fake: FakeOllama, model: OllamaModel) -> None:
    """Negative, absurd, no number at all: they are as good as not sent."""
    fake.answers = [Answer(fault="odd_counts")]
    reply = await ask(model)
    assert (reply.text, reply.prompt_tokens, reply.output_tokens) == (CODE, None, None)


async def test_a_model_that_cannot_think_is_asked_without(
    fake: FakeOllama, model: OllamaModel
) -> None:
    """The refusal is learnt once for each model."""
    assert (await ask(model, replace(CALL, think=True))).text == CODE
    assert ["think" in request for request in fake.requests] == [True, False]
    await ask(model, replace(CALL, think=True))
    assert ["think" in request for request in fake.requests] == [True, False, False]


async def test_one_connection_serves_one_call_after_the_other() -> None:
    """The body's end is read, so that the pool can use the connection again."""
    async with FakeOllama(Answer(fault="late_end")) as fake, asyncio.timeout(20):
        host = OllamaHost(fake.url)
        for _ in range(5):
            await ask(OllamaModel(NAME, host))
        ports = {head["X-Test-Peer"] for head in fake.heads}
        await host.close()
    assert len(ports) == 1


async def test_calls_run_side_by_side(fake: FakeOllama, model: OllamaModel) -> None:
    """The pool does not limit: twenty slow calls are at the server at the same time."""
    fake.answers = [Answer(fault="hang_midway")]
    tasks = [asyncio.create_task(ask(model)) for _ in range(20)]
    await until(lambda: fake.active == 20)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    await until(lambda: fake.active == 0)


async def test_the_environments_proxy_is_not_used(
    fake: FakeOllama, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Prompts for one's own server do not go through anybody else's."""
    with refused_url() as nowhere:
        for name in ("http_proxy", "HTTP_PROXY", "all_proxy"):
            monkeypatch.setenv(name, nowhere)
        host = OllamaHost(fake.url)
        assert (await ask(OllamaModel(NAME, host))).text == CODE
        await host.close()


async def test_facts_are_the_trained_window_and_asked_seldom(
    fake: FakeOllama, model: OllamaModel
) -> None:
    """A health check every second does not become a request every second."""
    assert (await model.facts()).context_length == DEFAULT_MODEL.context_length
    assert (await model.facts()).context_length == DEFAULT_MODEL.context_length
    assert fake.asked == ["/api/show"]


async def test_facts_have_the_control_tokens_of_the_template(
    fake: FakeOllama, host: OllamaHost
) -> None:
    """Those that the general list lacks, also where the template has them in an expression."""
    template = '{{ range .Messages }}<turn:{{ .Role }}>{{ .Content }}{{ "[end-of-turn]" }}{{ end }}'
    template += "<speech><|im_end|>"
    fake.models["odd:1b"] = Pulled("odd:1b", template=template)
    facts = await OllamaModel("ollama/odd:1b", host).facts()
    assert facts.control_tokens == {"[end-of-turn]", "<speech>"}


async def test_facts_of_a_missing_model_say_how_to_get_it(host: OllamaHost) -> None:
    """The fix can be copied."""
    with pytest.raises(ModelNotFound, match=r"`ollama pull qwen3:4b`"):
        await OllamaModel("ollama/qwen3:4b", host).facts()


async def test_facts_are_bounded_in_time(
    fake: FakeOllama, model: OllamaModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A server that takes questions and does not answer them is unreachable."""
    monkeypatch.setattr("pipeline.models.ollama_host.ASK_S", 0.05)
    fake.slow_s = 30
    with pytest.raises(ModelUnreachable, match="did not answer /api/show"):
        await model.facts()


async def test_a_long_body_is_read_without_copying_it_for_each_piece() -> None:
    """The event loop, which reads it, is free again at once; the limit holds."""
    pieces = [bytes([n % 256]) * 1024 for n in range(16 * 1024)]
    content = type("Content", (), {"iter_any": lambda _: _each(pieces)})()
    began = time.process_time()
    raw = await read_at_most(content, 2**24 - 1)
    assert time.process_time() - began < 1
    assert raw == b"".join(pieces)[:-1]


async def _each(pieces: list[bytes]) -> AsyncIterator[bytes]:
    for piece in pieces:
        yield piece


@pytest.mark.parametrize("name", ["ollama/gpt-oss:120b-cloud", "ollama/kimi:cloud"])
async def test_cloud_models_are_refused_before_anything_is_sent(
    fake: FakeOllama, host: OllamaHost, name: str
) -> None:
    """The message names the setting that allows them."""
    model = OllamaModel(name, host)
    for asked in (ask(model), model.facts()):
        with pytest.raises(ModelNotFound, match="ALLOW_CLOUD_MODELS"):
            await asked
    assert not fake.requests and not fake.asked


async def test_a_cloud_model_under_another_name_is_found_out(
    fake: FakeOllama, host: OllamaHost
) -> None:
    """Ollama tells where an alias leads."""
    fake.models["mine:latest"] = Pulled("mine", remote_host="https://ollama.com")
    with pytest.raises(ModelNotFound, match="ALLOW_CLOUD_MODELS"):
        await OllamaModel("ollama/mine", host).facts()
    assert (await OllamaModel("ollama/mine", host, allow_cloud=True).facts()).context_length


async def test_cloud_models_work_when_allowed(fake: FakeOllama, host: OllamaHost) -> None:
    """The user's decision holds."""
    fake.models["kimi:cloud"] = Pulled("kimi:cloud")
    model = OllamaModel("ollama/kimi:cloud", host, allow_cloud=True)
    assert (await ask(model)).text == CODE


async def test_the_library_says_what_is_installed_and_what_is_loaded(
    fake: FakeOllama, host: OllamaHost, model: OllamaModel
) -> None:
    """Version, details, and what a model takes in memory with its window."""
    assert await ollama_library.version(host) == "0.40.0"
    assert await ollama_library.loaded(host) == []
    await ask(model)
    [loaded] = await ollama_library.loaded(host)
    assert (loaded.name, loaded.size, loaded.context) == (DEFAULT_MODEL.name, 4_700_000_000, 4096)
    shown = await ollama_library.show(host, DEFAULT_MODEL.name)
    assert (shown.family, shown.parameter_size, shown.quantization) == ("qwen2", "7.6B", "Q4_K_M")
    assert shown.context_length == 32768 and "tools" in shown.capabilities
    with pytest.raises(ModelNotFound, match="qwen3:4b"):
        await ollama_library.show(host, "qwen3:4b")


@pytest.mark.parametrize(
    ("tag", "full"),
    [("x", "x:latest"), ("x:7b", "x:7b"), ("hf.co:443/u/x", "hf.co:443/u/x:latest")],
)
def test_a_tag_without_a_version_is_the_latest(tag: str, full: str) -> None:
    """As Ollama lists it; the port of a registry is no version."""
    assert ollama_library.full_tag(tag) == full


async def pulled(host: OllamaHost, tag: str = "qwen3:4b") -> list[PullFrame]:
    return [frame async for frame in ollama_library.pull(host, tag)]


async def test_a_pull_tells_each_layer_up_to_success(fake: FakeOllama, host: OllamaHost) -> None:
    """Bytes by layer; the model is there afterwards."""
    frames = await pulled(host)
    layers = {frame.digest: (frame.completed, frame.total) for frame in frames if frame.digest}
    assert list(layers.values()) == [(4000, 4000), (400, 400)]
    assert [frame.status for frame in frames][-1] == "success"
    assert "qwen3:4b" in fake.models


@pytest.mark.parametrize(
    ("fault", "error", "words"),
    [
        ("missing", ModelNotFound, "no model qwen3:4b in Ollama's library"),
        ("missing_late", ModelNotFound, "no model qwen3:4b in Ollama's library"),
        ("disk", ModelFailed, "no space left on device"),
        ("cut", ModelFailed, "broke off"),
        ("end", ModelFailed, "continues where it stopped"),
        ("garbage", ModelFailed, "cannot be read"),
    ],
)
async def test_a_pull_that_fails_says_why(
    fake: FakeOllama, host: OllamaHost, fault: str, error: type[LaiosError], words: str
) -> None:
    """Never taken for a success, at whatever point it fails."""
    fake.pull_fault = fault
    with pytest.raises(error) as caught:
        await pulled(host)
    assert type(caught.value) is error and words in caught.value.message
    assert "qwen3:4b" not in fake.models


async def test_a_pull_goes_on_where_it_was_broken_off(fake: FakeOllama, host: OllamaHost) -> None:
    """What has come is not fetched again."""
    fake.pull_fault = "cut"
    with pytest.raises(ModelFailed):
        await pulled(host)
    fake.pull_fault = ""
    layers = [frame.completed for frame in await pulled(host) if frame.digest]
    assert layers[0] == 2000


async def test_a_pull_without_news_is_given_up(
    fake: FakeOllama, host: OllamaHost, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A download that hangs does not hang for ever."""
    monkeypatch.setattr("pipeline.models.ollama_library.STALL_S", 0.1)
    fake.pull_fault = "hang"
    with pytest.raises(ModelFailed, match="has not said anything"):
        await pulled(host)
    await host.close()
    assert asyncio.all_tasks() == {asyncio.current_task()}


def test_every_fault_of_the_fake_is_tested_here() -> None:
    """A fault that nobody asks for proves nothing."""
    from fakes import FAULTS as ALL

    text = Path(__file__).read_text()
    assert [name for name in ALL if name and f'"{name}"' not in text] == []
