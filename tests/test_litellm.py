"""The backends behind litellm, the real package against fake servers.

Importing litellm costs seconds, so all its tests are here and belong into one worker.
"""

import asyncio
import importlib
import os
import subprocess
import sys
import time
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from fake_openai import REFUSALS, FakeOpenAI
from fakes import CODE, DEFAULT_MODEL, Answer, FakeOllama, refused_url
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
    ToolsNotTaken,
)
from pipeline.model import Call, Message, Reply
from pipeline.model_call import chat
from pipeline.models.litellm import LiteLLMModel, close_connections
from pipeline.tool_calls import Tool, Toolbox, ToolCall

pytestmark = [
    pytest.mark.xdist_group("litellm"),
    pytest.mark.only_when("pipeline/models/", "pipeline/model.py", "pipeline/model_call.py"),
    # What a package of this size warns of is not ours to mend.
    pytest.mark.filterwarnings("ignore"),
]
ASK: list[Message] = [{"role": "user", "content": "Add two numbers."}]
CALL = Call(role="coder", messages=ASK, context_tokens=4096, max_tokens=512)
SCHEMA = {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]}


@pytest.fixture
async def model() -> AsyncIterator[LiteLLMModel]:
    opened = LiteLLMModel("hosted_vllm/some-model")
    yield opened
    await close_connections()


@pytest.fixture
async def fake(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[FakeOpenAI]:
    with FakeOpenAI() as server:
        monkeypatch.setenv("HOSTED_VLLM_API_BASE", f"{server.url}/v1")
        monkeypatch.setenv("OPENAI_API_BASE", f"{server.url}/v1")
        monkeypatch.setenv("OPENAI_API_KEY", "sk-none")
        yield server


async def ask(model: LiteLLMModel, call: Call = CALL, seconds: float = 40) -> Reply:
    return await chat(model, call, deadline=asyncio.get_running_loop().time() + seconds)


async def test_a_reply_has_text_thinking_and_counts(fake: FakeOpenAI, model: LiteLLMModel) -> None:
    """What the server streams arrives, with the counts that it sent."""
    fake.answers = [Answer(CODE, thinking="Two numbers. ")]
    reply = await ask(model)
    assert (reply.text, reply.thinking, reply.finish_reason) == (CODE, "Two numbers. ", "stop")
    assert (reply.prompt_tokens, reply.output_tokens, reply.cached_tokens) == (8, 12, 4)


@pytest.mark.parametrize("name", ["hosted_vllm/some-model", "openai/some-model"])
async def test_the_request_says_all_that_the_call_asks_for(fake: FakeOpenAI, name: str) -> None:
    """Cap, temperature, schema and what ends the answer go out in OpenAI's form, the call's headers
    as headers."""
    model = LiteLLMModel(name)
    headers = {"traceparent": "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"}
    await ask(model, replace(CALL, schema=SCHEMA, temperature=0.0, headers=headers, stop=["5."]))
    sent_heads = {key.lower(): value for key, value in fake.heads[0].items()}
    assert sent_heads["traceparent"] == headers["traceparent"]
    await close_connections()
    (sent,) = fake.requests
    assert sent["response_format"]["json_schema"]["schema"] == SCHEMA
    assert (sent["model"], sent["messages"]) == ("some-model", ASK)
    assert (sent["max_tokens"], sent["temperature"], sent["stream"]) == (512, 0.0, True)
    assert sent["stop"] == ["5."]


async def test_what_the_call_leaves_open_is_left_to_the_backend(
    fake: FakeOpenAI, model: LiteLLMModel
) -> None:
    """No temperature and no format that nobody chose."""
    await ask(model)
    assert not {"temperature", "response_format", "top_p", "stop"} & fake.requests[0].keys()


FAULTS: list[tuple[str, type[LaiosError], str]] = [
    ("401", ModelFailed, "Incorrect API key"),
    ("404", ModelNotFound, "does not exist"),
    ("429", ModelBusy, "Rate limit"),
    ("500", ModelFailed, "had an error"),
    ("503", ModelBusy, "overloaded"),
    ("too_long", ContextTooLong, "9000 tokens"),
    ("no_tools", ModelFailed, "tool choice"),
    ("drop", ModelUnreachable, "disconnected. Start its server"),
    ("silent", ModelFailed, "answered 500 and did not say why"),
    ("html", ModelFailed, "without a finish reason"),
    ("cut", ModelFailed, "not completed"),
    ("no_last_frame", ModelFailed, "without a finish reason"),
    ("error_midway", ModelFailed, "CUDA error"),
]


@pytest.mark.parametrize(("fault", "error", "words"), FAULTS)
async def test_every_fault_is_a_typed_error_and_leaves_nothing(
    fake: FakeOpenAI, model: LiteLLMModel, fault: str, error: type[LaiosError], words: str
) -> None:
    """Also where litellm itself takes the half for the whole; its names and traces stay inside."""
    fake.answers = [Answer(fault=fault)]
    with pytest.raises(error) as caught:
        await ask(model)
    assert type(caught.value) is error and words in caught.value.message
    assert "Traceback" not in caught.value.message and "litellm." not in caught.value.message
    assert len(fake.requests) == (2 if fault in ("429", "503", "drop") else 1)
    await until(lambda: fake.active == 0)
    await close_connections()
    await until(lambda: asyncio.all_tasks() == {asyncio.current_task()})


def test_every_refusal_of_the_fake_is_tested() -> None:
    """A fault that nobody asks for proves nothing."""
    assert REFUSALS.keys() <= {name for name, *_ in FAULTS}


@pytest.mark.parametrize(
    ("answer", "error"),
    [
        (Answer(""), EmptyAnswer),
        (Answer("", thinking="Hm."), EmptyAnswer),
        (Answer(done_reason="content_filter"), ModelFailed),
    ],
)
async def test_an_answer_without_use_is_an_error(
    fake: FakeOpenAI, model: LiteLLMModel, answer: Answer, error: type[LaiosError]
) -> None:
    """Nothing, thinking only, and an answer that a filter ended."""
    fake.answers = [answer]
    with pytest.raises(error) as caught:
        await ask(model)
    assert type(caught.value) is error


async def test_an_answer_at_its_cap_ends_with_length(fake: FakeOpenAI, model: LiteLLMModel) -> None:
    """The reason is passed on."""
    fake.answers = [Answer(done_reason="length")]
    assert (await ask(model)).finish_reason == "length"


async def test_an_endless_answer_is_stopped_at_the_server(
    fake: FakeOpenAI, model: LiteLLMModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The cap closes the connection, not only our ears."""
    monkeypatch.setattr("fake_answers.CHARACTERS_PER_TOKEN", 100)  # it is about text, not frames
    words = "".join(f"{n:4d}" for n in range(20_000))  # litellm stops one that repeats itself
    fake.answers = [Answer(words, fault="hang_midway")]
    with pytest.raises(ModelFailed, match="65,536 characters"):
        await ask(model)
    await until(lambda: fake.active == 0)
    assert fake.ended == ["left"]


async def test_counts_that_were_not_sent_are_not_made_up(
    fake: FakeOpenAI, model: LiteLLMModel
) -> None:
    """litellm's own estimate is no count of the backend's."""
    fake.answers = [Answer(fault="no_usage")]
    reply = await ask(model)
    assert (reply.text, reply.prompt_tokens, reply.output_tokens) == (CODE, None, None)


async def test_counts_that_are_none_are_not_kept(fake: FakeOpenAI, model: LiteLLMModel) -> None:
    """Negative and absurd ones of a whole answer: sums over the history would be of no use."""
    fake.answers = [Answer(fault="odd_usage")]
    reply = await ask(model)
    assert (reply.text, reply.prompt_tokens, reply.output_tokens) == (CODE, None, None)


@pytest.mark.parametrize("fault", ["hang", "hang_midway"])
async def test_deadline_and_cancelling_end_the_work_at_the_server(
    fake: FakeOpenAI, model: LiteLLMModel, fault: str
) -> None:
    """Before the first piece and after it, at once."""
    await ask(model)  # litellm is imported now
    fake.answers = [Answer(fault=fault)]
    with pytest.raises(ModelTimeout):
        await ask(model, seconds=2.0)  # on a busy machine a request takes a while to be sent
    await until(lambda: fake.active == 0)
    task = asyncio.create_task(ask(model))
    await until(lambda: fake.active == 1)
    started = time.monotonic()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await until(lambda: fake.active == 0)
    assert time.monotonic() - started < 10
    assert fake.ended == ["done", "left", "left"]


PROVIDERS = ["hosted_vllm", "openai"]  # over httpx, and over OpenAI's own package


@pytest.mark.parametrize("provider", PROVIDERS)
async def test_a_prompt_goes_to_no_other_server(fake: FakeOpenAI, provider: str) -> None:
    """Though the backend sends it there: who chose the one did not choose the other."""
    model = LiteLLMModel(f"{provider}/some-model")
    fake.answers = [Answer(fault="redirect")]
    with FakeOpenAI() as other:
        fake.elsewhere = other.url
        with pytest.raises(ModelFailed, match=f"sends it on to {other.url}") as caught:
            await ask(model)
        assert type(caught.value) is ModelFailed and not other.requests
    assert len(fake.requests) == 1
    await until(lambda: fake.active == 0)
    await close_connections()


@pytest.mark.parametrize("provider", PROVIDERS)
@pytest.mark.parametrize(
    ("fault", "words"),
    [
        ("endless_line", "a line of more than"),
        ("endless_error", "it all went wrong"),  # in lines
        ("packed", "packed with gzip"),  # which nobody asked for
    ],
)
async def test_what_has_no_end_is_stopped_at_the_server(
    fake: FakeOpenAI, provider: str, fault: str, words: str
) -> None:
    """It would be kept in memory until the deadline; of a packed answer a little is a lot."""
    model = LiteLLMModel(f"{provider}/some-model")
    fake.answers = [Answer(fault=fault)]
    with pytest.raises(ModelFailed, match=words) as caught:
        await ask(model)
    assert type(caught.value) is ModelFailed
    await until(lambda: fake.active == 0)
    assert fake.ended == ["left"]
    await close_connections()


@pytest.mark.parametrize("provider", ["hosted_vllm", "openai", "ollama_chat"])
async def test_nobody_listening_is_unreachable_with_the_way_out(
    provider: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever litellm calls it."""
    variable = f"{provider.removesuffix('_chat').upper()}_API_BASE"
    model = LiteLLMModel(f"{provider}/some-model")
    with refused_url() as url:
        monkeypatch.setenv("OPENAI_API_KEY", "sk-none")
        monkeypatch.setenv(variable, f"{url}/v1")
        with pytest.raises(ModelUnreachable, match=variable):
            await ask(model)
    await close_connections()


async def test_ollama_through_litellm_keeps_its_window(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its options go along, and it counts as living in this machine's memory."""
    with FakeOllama() as fake:
        monkeypatch.setenv("OLLAMA_API_BASE", fake.url)
        model = LiteLLMModel(f"ollama_chat/{DEFAULT_MODEL.name}")
        assert model.shares_memory and not LiteLLMModel("openai/x").shares_memory
        reply = await ask(model, replace(CALL, schema=SCHEMA, keep_alive="10m"))
        fake.answers = [Answer(fault="no_last_frame")]
        with pytest.raises(ModelFailed, match="finish reason"):
            await ask(model)
        await close_connections()
    sent = fake.requests[0]
    assert reply.text == CODE and sent["format"] == SCHEMA and sent["keep_alive"] == "10m"
    assert sent["options"] == {"num_ctx": 4096, "num_predict": 512}


async def test_an_unknown_provider_is_told_as_such() -> None:
    """A mistyped provider does not look like a broken backend."""
    with pytest.raises(ModelNotFound, match=r"No backend is called 'olama'"):
        await ask(LiteLLMModel("olama/qwen2.5-coder:7b"))


async def test_without_the_package_the_message_says_how_to_get_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Both the call and the health check."""
    find = importlib.util.find_spec

    def without(name: str, *rest: Any) -> Any:
        if name == "litellm":
            raise ModuleNotFoundError("No module named 'litellm'", name=name)
        return importlib.__import__(name)

    monkeypatch.delitem(sys.modules, "litellm", raising=False)
    monkeypatch.setattr("importlib.import_module", without)
    monkeypatch.setattr(
        "importlib.util.find_spec", lambda name: None if name == "litellm" else find(name)
    )
    model = LiteLLMModel("openai/x")
    for asked in (ask(model), model.facts()):
        with pytest.raises(ModelUnreachable, match=r"uv tool install '\.\[litellm\]'"):
            await asked


async def test_a_backend_that_the_package_does_not_know_is_told_before_a_call() -> None:
    """Not of one whose name is an alias there, or whose model nobody knows."""
    for name in ("openai/anything", "ollama_chat/x", "text-completion-openai/x"):
        assert (await LiteLLMModel(name).facts()).context_length is None
    with pytest.raises(ModelNotFound, match=r"No backend is called 'foo'.*ollama/…"):
        await LiteLLMModel("foo/bar").facts()


def test_the_health_check_does_not_import_the_package() -> None:
    """A daemon that only looks pays nothing."""
    program = (
        "import asyncio, sys; from pipeline.models.litellm import LiteLLMModel\n"
        "print(asyncio.run(LiteLLMModel('openai/x').facts()).context_length, "
        "'litellm' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("None False\n", "")


def test_calls_that_come_while_the_package_is_imported_wait_for_it(tmp_path: Path) -> None:
    """A cold daemon's first callers come together: none of them sees the package half there. This
    one is not whole before all three have asked."""
    (tmp_path / "litellm.py").write_text(
        "import sys\nsys.modules['asked'].wait(20)\nacompletion = 'whole'\n"
    )
    program = """
import asyncio
import sys
import threading
from pipeline.models.litellm import _imported

sys.modules["asked"] = asked = threading.Event()

async def whole():
    return hasattr(await _imported(), "acompletion")

async def main():
    first = asyncio.create_task(whole())
    while "litellm" not in sys.modules:
        await asyncio.sleep(0.001)
    others = [asyncio.create_task(whole()) for _ in range(2)]
    while threading.active_count() < 4:  # ours, and one for each import
        await asyncio.sleep(0.001)
    asked.set()
    print(set(await asyncio.gather(first, *others)))

asyncio.run(main())
"""
    done = subprocess.run(
        [sys.executable, "-c", program],
        env=os.environ | {"PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=50,
        check=True,
    )
    assert done.stdout == "{True}\n"


async def test_tools_go_there_and_calls_come_back(fake: FakeOpenAI, model: LiteLLMModel) -> None:
    """In OpenAI's own form; an answer may be a call and nothing else."""
    tool = Tool("read", "Reads a file.", {"type": "object", "properties": {}})
    earlier = ToolCall("call_9", "read", "{}")
    talk: list[Message] = [
        *ASK,
        {"role": "assistant", "content": "", "calls": [earlier]},
        {"role": "tool", "content": "x = 1", "result_of": earlier},
    ]
    fake.answers = [Answer("", calls=[{"name": "read", "arguments": {"path": "a.py"}}])]
    box = Toolbox((tool,), required=True, parallel=False)
    reply = await ask(model, replace(CALL, messages=talk, tools=box))
    assert [(call.name, call.values()) for call in reply.calls] == [("read", {"path": "a.py"})]
    assert reply.finish_reason == "stop"
    sent = fake.requests[-1]
    assert sent["tools"] == box.as_json()
    assert (sent["tool_choice"], sent["parallel_tool_calls"]) == ("required", False)
    assert sent["messages"][1]["tool_calls"][0]["id"] == "call_9"
    assert sent["messages"][2]["tool_call_id"] == "call_9"


@pytest.mark.parametrize(
    ("name", "fault"), [("perplexity/sonar", None), ("hosted_vllm/some-model", "no_tools")]
)
async def test_a_model_that_cannot_call_tools_is_a_typed_error(
    fake: FakeOpenAI, monkeypatch: pytest.MonkeyPatch, name: str, fault: str | None
) -> None:
    """litellm leaves out what it knows that a provider has not, and the agent would wait for calls;
    or the server says it. The model is known by it afterwards. Chats are not concerned."""
    monkeypatch.setenv("PERPLEXITY_API_BASE", f"{fake.url}/v1")
    monkeypatch.setenv("PERPLEXITY_API_KEY", "sk-none")
    model = LiteLLMModel(name)
    box = Toolbox((Tool("read", "Reads a file.", {"type": "object", "properties": {}}),))
    fake.answers = [Answer(fault=fault)]
    with pytest.raises(ToolsNotTaken, match=rf"{name} cannot call tools\..*ollama/qwen3"):
        await ask(model, replace(CALL, tools=box))
    assert len(fake.requests) == (1 if fault else 0)
    assert (await model.facts()).takes_tools is False
    fake.answers = [Answer(CODE)]
    assert (await ask(model)).text == CODE
    await close_connections()
