"""Several drafts of a backend that gives one answer to a call: vLLM's, Ollama's."""

import asyncio
import shutil
from contextlib import aclosing

import pytest
from fake_openai import FakeOpenAI
from fakes import Answer, FakeOllama

from pipeline.errors import ModelBusy
from pipeline.model import Call, Delta, End, Frame
from pipeline.models.concurrent_answers import stream_concurrently
from pipeline.models.litellm import LiteLLMModel, close_connections
from pipeline.models.ollama import OllamaModel
from pipeline.models.ollama_host import OllamaHost

CALL = Call("coder", [{"role": "user", "content": "Add."}], 4096, 512)
RIGHT = "def add(a, b):\n    return a + b\n"
WRONG = "def add(a, b):\n    return a - b\n"
PROMPT = "Write add. add(1, 2) == 3"


class Script:
    """The streams of one call after the other; an error among the frames is raised."""

    def __init__(self, *streams: list[Frame | Exception]) -> None:
        self.streams = list(streams)
        self.closed = 0

    async def __call__(self, call: Call):
        frames = self.streams.pop(0)
        try:
            for frame in frames:
                if isinstance(frame, Exception):
                    raise frame
                yield frame
            if not any(isinstance(frame, End) for frame in frames):
                await asyncio.Event().wait()
        finally:
            self.closed += 1


async def test_each_call_is_one_numbered_answer() -> None:
    """With an end, and the reason of it, of its own."""
    script = Script([Delta("a"), End("stop", 5, 1)], [Delta("b"), Delta("c"), End("length", 5, 2)])
    arrived = [each async for each in stream_concurrently(script, CALL, 2)]
    assert [frame for number, frame in arrived if number == 0] == [Delta("a"), End("stop", 5, 1)]
    assert [frame for number, frame in arrived if number == 1][-1] == End("length", 5, 2)


async def test_a_call_that_fails_lets_the_others_end() -> None:
    """Its error comes after all that they gave."""
    script = Script([ModelBusy("full")], [Delta("a"), End("stop")])
    arrived = []
    with pytest.raises(ModelBusy, match="full"):
        async for each in stream_concurrently(script, CALL, 2):
            arrived.append(each)
    assert arrived == [(1, Delta("a")), (1, End("stop"))]


async def test_who_closes_it_ends_every_call() -> None:
    """As the draft stage does when one of them is good."""
    script = Script([Delta("a")], [Delta("b")], [Delta("c"), End("stop")])
    async with aclosing(stream_concurrently(script, CALL, 3)) as arrived:
        await anext(arrived)
    assert script.closed == 3


@pytest.mark.parametrize(
    ("on_gpu", "asked", "n"), [(True, True, 2), (False, True, 1), (True, False, 1)]
)
async def test_ollama_writes_as_many_as_its_gpu_answers(on_gpu: bool, asked: bool, n: int) -> None:
    """One more than was seen side by side; on a processor, and where the model is not loaded or
    nobody answers, one."""
    async with FakeOllama() as fake:
        fake.on_gpu = on_gpu
        host = OllamaHost(fake.url)
        model = OllamaModel("ollama/qwen2.5-coder:7b", host)
        if asked:
            assert [frame async for frame in model.stream(CALL)]
        assert await model.cheap_answers() == n
    assert await model.cheap_answers() == 1
    await host.close()


@pytest.mark.skipif(shutil.which("bwrap") is None, reason="the sandbox needs bubblewrap")
async def test_drafts_of_ollama_are_drawn_side_by_side(pipeline_with) -> None:
    """Two at a time after the first that fails its example; the one that passes ends the other."""
    first, second = Answer(WRONG, times=1), Answer(RIGHT, times=1)
    async with FakeOllama(first, second, Answer(RIGHT, delay_s=60)) as fake:
        fake.on_gpu, fake.parallel = True, 4
        settings = {"MAX_DRAFTS": 5, "EVIDENCE_RUN": "auto", "JUDGE_WHEN": "undecided"}
        roles = {f"{role}_MODEL_NAME": "ollama/qwen2.5-coder:7b" for role in ("CODER", "JUDGE")}
        async with pipeline_with(OLLAMA_HOST=fake.url, **roles, **settings) as run:
            assert await run(PROMPT) == RIGHT
            record = run.record
    steps = [step for step in record["steps"] if step["stage"] == "coder"]
    assert [step["label"] for step in steps] == ["", "draft 2", "draft 3"]
    assert sorted(step["finish_reason"] for step in steps[1:]) == ["stop", "unneeded"]
    assert sorted(fake.ended) == ["done", "done", "left"]


@pytest.mark.xdist_group("litellm")
@pytest.mark.only_when("pipeline/models/")
@pytest.mark.filterwarnings("ignore")
async def test_vllm_is_asked_for_four_answers_at_a_time(monkeypatch) -> None:
    """Each a call of its own, with the reason for which it ended; servers of others get one."""
    pytest.importorskip("litellm")
    cut = Answer("x", done_reason="length", delay_s=0.5, times=1)
    with FakeOpenAI(cut, Answer(RIGHT, delay_s=0.5)) as fake:
        monkeypatch.setenv("HOSTED_VLLM_API_BASE", f"{fake.url}/v1")
        model = LiteLLMModel("hosted_vllm/some-model")
        n = await model.cheap_answers()
        assert (n, await LiteLLMModel("openai/some-model").cheap_answers()) == (4, 1)
        ends: dict[int, End] = {}
        async for number, frame in model.stream_several(CALL, n):
            if isinstance(frame, End):
                ends[number] = frame
        await close_connections()
    assert sorted(end.finish_reason for end in ends.values()) == ["length", *["stop"] * 3]
    assert fake.ended == ["done"] * 4
