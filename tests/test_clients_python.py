"""The real `openai` and `ollama` packages against a daemon over a real socket."""

from contextlib import asynccontextmanager

import pytest
from recorded import records

# Each package is imported by the tests that use it, in one worker: together they cost seconds.
pytestmark = [
    pytest.mark.only_when("server/protocols/", "server/http/", "tools/clients/"),
    pytest.mark.xdist_group("clients"),
]

CODE = "def add(a, b):\n    return a + b\n"
FENCED = f"```python\n{CODE}```"
REPLY = f"Here it is:\n\n{FENCED}\n"
RULES = [
    {"role": "coder", "reply": REPLY, "chunk": 7},
    {"role": "judge", "verdict": [9, 1, "It is right."]},
]
SLOW = [{"role": "coder", "reply": REPLY, "delay_ms": 900}]
ADD = [{"role": "user", "content": "write add"}]


@asynccontextmanager
async def openai_to(daemon, **options):
    """A client that does not retry, unless it is told to."""
    import openai

    settings = {"api_key": "unused", "max_retries": 0} | options
    async with openai.AsyncOpenAI(base_url=f"{daemon.address}/v1", **settings) as client:
        yield client


@asynccontextmanager
async def ollama_to(daemon):
    import ollama

    async with ollama.AsyncClient(host=daemon.address) as client:
        yield client


# --- openai -----------------------------------------------------------------------------------


async def test_openai_chat_gives_the_judged_code_in_a_fence(daemon_with):
    """Default mode: one fenced block and no prose; token counts that add up; one record."""
    async with daemon_with(*RULES) as (daemon, _), openai_to(daemon) as client:
        answer = await client.chat.completions.create(model="laios", messages=ADD)
        assert answer.choices[0].message.content == FENCED
        assert answer.choices[0].finish_reason == "stop"
        used = answer.usage
        assert used.prompt_tokens > 0 and used.completion_tokens > 0
        assert used.total_tokens == used.prompt_tokens + used.completion_tokens
        assert [(r["kind"], r["mode"]) for r in records(daemon)] == [("run", "code_reviewed")]


async def test_openai_raw_gives_the_models_own_words(daemon_with):
    """`laios:raw`: the reply as it came, prose and all."""
    async with daemon_with(*RULES) as (daemon, _), openai_to(daemon) as client:
        answer = await client.chat.completions.create(model="laios:raw", messages=ADD)
        assert answer.choices[0].message.content == REPLY
        assert records(daemon)[0]["mode"] == "code_raw"


async def test_openai_streams_raw_token_by_token(daemon_with):
    """The role first, then each piece as the model gave it, then the reason for the end."""
    async with daemon_with(*RULES) as (daemon, _), openai_to(daemon) as client:
        stream = await client.chat.completions.create(model="laios:raw", messages=ADD, stream=True)
        choices = [chunk.choices[0] async for chunk in stream]
        assert choices[0].delta.role == "assistant"
        said = [choice.delta.content for choice in choices if choice.delta.content]
        assert said == [REPLY[start : start + 7] for start in range(0, len(REPLY), 7)]
        assert choices[-1].finish_reason == "stop"


async def test_openai_streams_progress_as_reasoning_and_usage_when_asked(daemon_with):
    """While it is drafted and judged there is something to see; the usage is the last chunk."""
    async with daemon_with(*RULES) as (daemon, _), openai_to(daemon) as client:
        stream = await client.chat.completions.create(
            model="laios", messages=ADD, stream=True, stream_options={"include_usage": True}
        )
        chunks = [chunk async for chunk in stream]
        assert chunks[-1].choices == [] and chunks[-1].usage.total_tokens > 0
        assert all(chunk.usage is None for chunk in chunks[:-1])
        deltas = [chunk.choices[0].delta for chunk in chunks[:-1]]
        thoughts = "".join(getattr(delta, "reasoning_content", None) or "" for delta in deltas)
        assert "drafting" in thoughts and "judging" in thoughts
        assert "9" not in thoughts  # no scores
        assert [delta.content for delta in deltas if delta.content] == [FENCED]


async def test_openai_responses(daemon_with):
    """The Responses API in one piece, with instructions and a list as input."""
    async with daemon_with(*RULES) as (daemon, _), openai_to(daemon) as client:
        answer = await client.responses.create(
            model="laios", instructions="Answer in Python.", input=ADD
        )
        assert (answer.output_text, answer.status) == (FENCED, "completed")
        assert answer.usage.total_tokens == answer.usage.input_tokens + answer.usage.output_tokens
        assert records(daemon)[0]["source"] == "openai"


async def test_openai_responses_stream(daemon_with):
    """The SDK assembles the events: what it made of them is what the last one says."""
    async with daemon_with(*RULES) as (daemon, _), openai_to(daemon) as client:
        said = ""
        async with client.responses.stream(model="laios:raw", input="write add") as stream:
            async for event in stream:
                if event.type == "response.output_text.delta":
                    said += event.delta
            final = await stream.get_final_response()
        assert said == final.output_text == REPLY


async def test_openai_lists_the_modes_as_models(daemon_with):
    """`laios` is the first; each can be looked up; an unknown one is a NotFoundError."""
    import openai

    async with daemon_with(*RULES) as (daemon, _), openai_to(daemon) as client:
        names = [model.id async for model in client.models.list()]
        assert names[0] == "laios"
        assert {"laios:raw", "laios:review-only", "laios:ctx"} <= set(names)
        assert (await client.models.retrieve("laios:raw")).id == "laios:raw"
        with pytest.raises(openai.NotFoundError, match="laios:raw"):
            await client.models.retrieve("gpt-4o")


SOUND = {"type": "input_audio", "input_audio": {"format": "wav", "data": "AAAA"}}
REFUSALS = [
    ({"messages": [{"role": "user", "content": "///rav x"}]}, "BadRequestError", "///raw"),
    ({"messages": [{"role": "user", "content": [SOUND]}]}, "BadRequestError", "input_audio"),
    ({"messages": []}, "BadRequestError", "message"),
    ({"model": "gpt-4o"}, "NotFoundError", "gpt-4o"),
]


@pytest.mark.parametrize(("call", "kind", "said"), REFUSALS)
async def test_openai_raises_its_own_errors_with_our_message(daemon_with, call, kind, said):
    """Status and body have OpenAI's shape: the exception has the type and the text."""
    import openai

    async with daemon_with(*RULES) as (daemon, _), openai_to(daemon) as client:
        with pytest.raises(getattr(openai, kind), match=said) as raised:
            await client.chat.completions.create(**{"model": "laios", "messages": ADD} | call)
        assert said in raised.value.body["message"]
        assert raised.value.type in ("invalid_request_error", "not_found_error")
        assert not records(daemon)


async def test_openai_sees_why_the_model_failed(daemon_with):
    """A backend that cannot be reached is a server error; it is not asked three times over."""
    import openai

    async with (
        daemon_with({"fault": "unreachable"}) as (daemon, _),
        openai_to(daemon, max_retries=2) as client,
    ):
        with pytest.raises(openai.InternalServerError, match="unreachable") as raised:
            await client.chat.completions.create(model="laios:raw", messages=ADD)
        assert (raised.value.status_code, raised.value.code) == (502, "model_unreachable")
        assert len(records(daemon)) == 1


async def test_openai_raises_an_error_in_midstream(daemon_with):
    """What came stays; the stream ends with the reason."""
    import openai

    cut = {"role": "coder", "reply": REPLY, "chunk": 7, "fault": "cut"}
    async with daemon_with(cut) as (daemon, _), openai_to(daemon) as client:
        stream = await client.chat.completions.create(model="laios:raw", messages=ADD, stream=True)
        said = ""
        with pytest.raises(openai.APIError) as raised:
            async for chunk in stream:
                said += chunk.choices[0].delta.content or ""
        assert said and REPLY.startswith(said)
        assert raised.value.code == "model_failed"


async def test_openai_needs_the_token_where_there_is_one(daemon_with):
    """The api_key is the token."""
    import openai

    async with daemon_with(*RULES, API_TOKEN="not a secret") as (daemon, _):
        async with openai_to(daemon) as client:
            with pytest.raises(openai.AuthenticationError):
                await client.models.list()
        async with openai_to(daemon, api_key="not a secret") as client:
            answer = await client.chat.completions.create(model="laios", messages=ADD)
            assert answer.choices[0].message.content == FENCED


async def test_openai_retries_join_the_run(daemon_with):
    """The SDK gives up waiting and asks again: one run, one record, and the answer in the end."""
    async with (
        daemon_with(*SLOW) as (daemon, _),
        openai_to(daemon, timeout=0.4, max_retries=5) as client,
    ):
        answer = await client.chat.completions.with_raw_response.create(
            model="laios:raw", messages=ADD
        )
        assert answer.retries_taken > 0
        assert answer.parse().choices[0].message.content == REPLY
        assert [record["id"] for record in records(daemon)] == [answer.headers["x-laios-run-id"]]


# --- ollama -----------------------------------------------------------------------------------


async def test_ollama_finds_the_models(daemon_with):
    """`list`, `show` and `ps`, read by the package's own strict types."""
    async with daemon_with(*RULES) as (daemon, _), ollama_to(daemon) as client:
        listed = (await client.list()).models
        names = [model.model for model in listed]
        assert names[0] == "laios:latest" and "laios:raw" in names
        assert all(model.digest and model.details.family for model in listed)
        shown = await client.show("laios")
        assert "completion" in shown.capabilities
        family = shown.modelinfo["general.architecture"]
        assert shown.modelinfo[f"{family}.context_length"] > 0
        assert all(model.model in names for model in (await client.ps()).models)


async def test_ollama_chat(daemon_with):
    """In one piece: fenced code, counts, the reason for the end."""
    async with daemon_with(*RULES) as (daemon, _), ollama_to(daemon) as client:
        answer = await client.chat("laios", ADD)
        assert answer.message.content == FENCED
        assert (answer.done, answer.done_reason, answer.model) == (True, "stop", "laios")
        assert answer.eval_count > 0 and answer.prompt_eval_count > 0 and answer.total_duration > 0
        assert [(r["kind"], r["source"]) for r in records(daemon)] == [("run", "ollama")]


async def test_ollama_streams(daemon_with):
    """Raw: piece by piece. Judged: progress as thinking, the code in one piece."""
    async with daemon_with(*RULES) as (daemon, _), ollama_to(daemon) as client:
        raw = [part async for part in await client.chat("laios:raw", ADD, stream=True)]
        assert "".join(part.message.content for part in raw) == REPLY
        assert len(raw) > 5 and raw[-1].done
        judged = [part.message async for part in await client.chat("laios", ADD, stream=True)]
        assert "drafting" in "".join(message.thinking or "" for message in judged)
        assert [message.content for message in judged if message.content] == [FENCED]


@pytest.mark.parametrize("stream", [False, True])
async def test_ollama_generate(daemon_with, stream):
    """A prompt without messages is a run like any other."""
    async with daemon_with(*RULES) as (daemon, _), ollama_to(daemon) as client:
        answer = await client.generate("laios", "///raw write add", stream=stream)
        parts = [part async for part in answer] if stream else [answer]
        assert "".join(part.response for part in parts) == REPLY
        assert parts[-1].done and parts[-1].done_reason == "stop"
        record = records(daemon)[0]
        assert (record["kind"], record["mode"]) == ("run", "code_raw")
        assert record["normalized_prompt"] == "write add"


async def test_ollama_raises_its_own_errors(daemon_with):
    """Unknown models, unknown tags and a model that fails: ResponseError with status and text."""
    import ollama

    async with daemon_with(*RULES) as (daemon, _), ollama_to(daemon) as client:
        with pytest.raises(ollama.ResponseError, match="llama3") as unknown:
            await client.chat("llama3", ADD)
        assert unknown.value.status_code == 404
        with pytest.raises(ollama.ResponseError, match="///raw") as tag:
            await client.generate("laios", "///rav x")
        assert tag.value.status_code == 400
    async with daemon_with({"fault": "unreachable"}) as (daemon, _), ollama_to(daemon) as client:
        with pytest.raises(ollama.ResponseError, match="unreachable"):
            await client.chat("laios:raw", ADD)


async def test_ollama_raises_an_error_in_midstream(daemon_with):
    """A line with the error, after what came."""
    import ollama

    cut = {"role": "coder", "reply": REPLY, "chunk": 7, "fault": "cut"}
    async with daemon_with(cut) as (daemon, _), ollama_to(daemon) as client:
        said = ""
        with pytest.raises(ollama.ResponseError):
            async for part in await client.chat("laios:raw", ADD, stream=True):
                said += part.message.content
        assert said and REPLY.startswith(said)
