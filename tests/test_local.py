import asyncio
import importlib.util
import io
import json
import os
import shutil
import signal
import struct
import subprocess
import sys
import threading
import time
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from math import exp
from pathlib import Path
from typing import Any

import psutil
import pytest
from ggufs import chat_model
from waiting import until

from laios.launcher import command
from pipeline.errors import (
    BadRequest,
    ContextTooLong,
    ModelFailed,
    ModelNotFound,
    ModelUnreachable,
)
from pipeline.model import Call, Delta, End, Facts, Message
from pipeline.model_call import chat
from pipeline.models import engine_worker, gguf, llama_cpp, local, machine, window
from pipeline.models.engine_slots import Work
from pipeline.models.engine_worker import decode, encode
from pipeline.models.llama_cpp import thread_count
from pipeline.models.local import Engine, LocalModel
from pipeline.models.starter import DIRECTORY
from pipeline.review.conversation import CODER, PYTHON_CODER

pytestmark = pytest.mark.only_when(
    "pipeline/models/", "pipeline/model.py", "pipeline/model_call.py", "laios/"
)

WEIGHTS = DIRECTORY / "coder.gguf"
OTHER_WEIGHTS = DIRECTORY / "critic.gguf"
BROKEN_LIBRARY = """
import sys

class Loader:
    def find_spec(self, name, path=None, target=None):
        if name == "xllamacpp":
            raise ImportError("libgomp.so.1: cannot open")

sys.meta_path.insert(0, Loader())
"""
ENDLESS = {"type": "array", "items": {"enum": [1, 2]}, "minItems": 1000}  # two tokens each


@pytest.fixture
async def engine() -> AsyncIterator[Engine]:
    engine = Engine(idle_s=600)
    yield engine
    await engine.close()


def open_model(engine: Engine, path: Path = WEIGHTS) -> LocalModel:
    return LocalModel(f"local/{path}", engine, path)


def call(prompt: str = "hello", **options: Any) -> Call:
    defaults = {"context_tokens": 512, "max_tokens": 16, "temperature": 0.0}
    return Call("coder", [{"role": "user", "content": prompt}], **(defaults | options))


def slow_body() -> dict[str, Any]:
    """A request that is at work for long: it ends only with its window, and each piece carries
    the probabilities of a thousand tokens."""
    return {
        "messages": [{"role": "user", "content": "hello"}],
        "max_tokens": 100_000,
        "temperature": 0.0,
        "response_format": {"type": "json_schema", "json_schema": {"schema": ENDLESS}},
        "logprobs": True,
        "top_logprobs": 1000,
    }


async def ask(model: LocalModel, request: Call) -> tuple[str, End]:
    *deltas, end = [frame async for frame in model.stream(request)]
    assert isinstance(end, End)
    assert all(isinstance(delta, Delta) for delta in deltas)
    return "".join(delta.text for delta in deltas if isinstance(delta, Delta)), end


def pid_of(engine: Engine) -> int:
    assert engine._child is not None
    return engine._child.pid


def is_busy(engine: Engine) -> bool:
    """Whether it works on a call."""
    return engine._child is not None and engine._child.busy


def engine_processes() -> list[psutil.Process]:
    """This process's engines; other tests in it may have children of other kinds."""
    return [child for child in psutil.Process().children() if is_engine(child)]


def is_engine(child: psutil.Process) -> bool:
    try:
        return any("engine_worker" in word for word in child.cmdline())
    except psutil.ZombieProcess:  # whose it was cannot be seen any more
        return True
    except psutil.NoSuchProcess:
        return False


def is_gone(pid: int) -> bool:
    try:
        return psutil.Process(pid).status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return True


async def frozen_call(engine: Engine) -> asyncio.Task[tuple[str, End]]:
    """A call in a child that cannot answer it, because it is stopped."""
    os.kill(pid_of(engine), signal.SIGSTOP)
    task = asyncio.create_task(ask(open_model(engine), call()))
    await until(lambda: is_busy(engine))
    return task


async def several(model: LocalModel, request: Call, n: int) -> tuple[list[str], list[End]]:
    texts, ends = [""] * n, list[End]()
    async for number, frame in model.stream_several(request, n):
        if isinstance(frame, End):
            ends.append(frame)
        else:
            texts[number] += frame.text
    return texts, ends


async def test_an_answer_ends_before_what_stops_it(engine: Engine) -> None:
    """Which is no part of it, and costs no more tokens; that it ended there is said."""
    model = open_model(engine)
    whole, full = await ask(model, call("Write add."))
    stop = whole[len(whole) // 2 :][:4]
    text, end = await ask(model, call("Write add.", stop=["nothing of the kind", stop]))
    assert (text, end.finish_reason) == (whole.partition(stop)[0], "stop")
    assert end.output_tokens and full.output_tokens and end.output_tokens < full.output_tokens


async def test_the_first_word_has_its_probability(engine: Engine) -> None:
    """As many alternatives as were asked for, which have no more than all there is; of a longer
    answer none are given, because not all of its tokens would have them."""
    model = open_model(engine)
    until = asyncio.get_running_loop().time() + 20
    word = await chat(model, call("Write add.", max_tokens=1, logprobs=5), deadline=until)
    (first,) = word.logprobs
    shares = [exp(each["logprob"]) for each in first["top_logprobs"]]
    assert len(shares) == 5 and shares == sorted(shares, reverse=True)
    assert 0 < sum(shares) <= 1.001
    assert first["token"] == first["top_logprobs"][0]["token"] == word.text
    with pytest.raises(BadRequest):
        await chat(model, call("Write add.", max_tokens=2, logprobs=5), deadline=until)


async def test_several_answers_are_written_to_one_prompt(engine: Engine) -> None:
    """Each has its own text and end; greedy ones are what one alone is, varied ones differ. The
    prompt is read for the first of them."""
    model = open_model(engine)
    alone, end = await ask(model, call("Write add."))
    texts, ends = await several(model, call("Write add."), 3)
    assert texts == [alone] * 3
    assert [each.output_tokens for each in ends] == [end.output_tokens] * 3
    assert sorted(each.prompt_tokens == each.cached_tokens for each in ends) == [False, True, True]
    varied = call("Write add.", temperature=3.0, max_tokens=80, schema=ENDLESS)
    assert len(set((await several(model, varied, 4))[0])) == 4


async def test_a_conversation_goes_on_where_it_was(engine: Engine) -> None:
    """What was read and written before is not read again, whatever was asked in between; what
    begins alike has its beginning from the cache."""
    model, words = open_model(engine), "Write a function that adds two numbers. " * 3

    def turns(head: str, *more: str) -> Call:
        roles = ("user", "assistant", "user")
        said = zip(roles, (words, *more), strict=False)
        rest = [{"role": role, "content": text} for role, text in said]
        return replace(call(), messages=[{"role": "system", "content": head}, *rest])

    answer, first = await ask(model, turns("coder"))
    for head in ("planner", "tester"):
        await ask(model, turns(head))
    _, second = await ask(model, turns("coder", answer, "JUDGE"))
    assert first.cached_tokens == 0
    assert first.prompt_tokens and second.cached_tokens
    assert second.cached_tokens >= first.prompt_tokens


async def test_an_answer_goes_on_where_it_was_begun(engine: Engine) -> None:
    """A last message of its own is the answer's beginning: the model writes the rest, and reads
    nothing anew that it wrote itself."""
    model = open_model(engine)
    asked = call("Write a function that adds two numbers.", max_tokens=60)
    answer, first = await ask(model, asked)
    begun = answer[: answer.index(" know")]
    said: Message = {"role": "assistant", "content": begun}
    again = replace(asked, messages=[*asked.messages, said], begun=begun)
    rest, second = await ask(model, again)
    assert begun + rest == answer
    assert first.prompt_tokens and second.cached_tokens
    assert second.cached_tokens > first.prompt_tokens
    whole = await chat(model, again, deadline=asyncio.get_running_loop().time() + 20)
    assert whole.text == answer


def test_an_answer_that_fills_its_window_goes_on_in_a_larger_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A model is loaded with room for a usual answer. A longer one is whole nevertheless, its
    counts are those of all of it, and only the caller's limit or the largest window ends it."""
    monkeypatch.setattr(window, "BUCKETS", (256, 512, 1024))

    def written(most: int, usual: int, tokens: int) -> tuple[str, Message, int]:
        weights = llama_cpp.Weights(str(WEIGHTS))
        body = local.request(call("Write a function that adds two numbers.", max_tokens=tokens))
        body |= {"ignore_eos": True}
        answers, lines = llama_cpp.Answers(1), list[Any]()
        work = Work.of(body, most, usual)
        began = work.window
        weights.slots.line_up(work)
        weights.answer(body, work, lambda chunk: lines.extend(answers.take(chunk)) or False)
        answers.check()
        assert [line["end"] for line in lines if "end" in line] == ["length"]
        counts = {key: value for key, value in lines[-1].items() if key.endswith("_tokens")}
        return "".join(line.get("text", "") for line in lines), counts, began

    whole, counts, _ = written(1024, usual=1024, tokens=600)
    grown, same, began = written(1024, usual=100, tokens=600)
    assert began == 256 and same == counts and counts["output_tokens"] == 600
    assert grown[:400] == whole[:400] and len(grown) > len(whole) / 2
    _, counts, began = written(512, usual=100, tokens=600)
    assert began == 256 and 400 < counts["output_tokens"] < 512


def test_a_prompt_that_looked_shorter_gets_its_window(monkeypatch: pytest.MonkeyPatch) -> None:
    """Signs of many tokens each: the window that they seemed to fit in is too small, and the
    model is loaded with one that holds them."""
    monkeypatch.setattr(window, "BUCKETS", (256, 512, 1024))
    body = local.request(call("𝄞" * 90, max_tokens=5))
    weights, answers, lines = llama_cpp.Weights(str(WEIGHTS)), llama_cpp.Answers(1), list[Any]()
    work = Work.of(body, 1024, 5)
    assert work.window == 256
    weights.slots.line_up(work)
    weights.answer(body, work, lambda chunk: lines.extend(answers.take(chunk)) or False)
    assert lines[-1]["output_tokens"] == 5 and weights.window > 256


@pytest.mark.parametrize(
    ("runs", "goes_on", "options", "loaded"),
    [
        (1, True, {}, 4096),
        (1, True, {"schema": {"enum": [1]}}, 16_384),  # half a JSON is not gone on with
        (1, False, {}, 16_384),  # nor are thoughts
        (2, True, {}, 16_384),
    ],
)
async def test_the_window_is_as_large_as_a_usual_answer_needs(
    runs: int,
    goes_on: bool,
    options: dict[str, Any],
    loaded: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Of an answer that can be gone on with; any other gets room for its limit, and so do those of
    several runs, which stand beside each other only where the longest of all fit."""

    async def facts(self: LocalModel) -> Facts:
        return Facts(32_768, goes_on=goes_on)

    monkeypatch.setattr(LocalModel, "facts", facts)
    engine = Engine(600, runs)
    try:
        asked = call(context_tokens=16_384, max_tokens=8192, **options)
        await ask(open_model(engine), asked)
        assert engine.window_of(WEIGHTS) == loaded
    finally:
        await engine.close()


async def test_what_was_read_ahead_is_not_read_again(engine: Engine) -> None:
    """The first call finds the model loaded, and the beginning of its prompt in the cache."""
    rules = {"role": "system", "content": "write a function that adds up a list of numbers " * 8}
    model = open_model(engine)
    await model.read_ahead([rules, {"role": "user", "content": "x"}], 512)
    asked = replace(call(), messages=[rules, {"role": "user", "content": "subtract them"}])
    end = [frame async for frame in model.stream(asked)][-1]
    assert isinstance(end, End) and end.load_ms == 0.0
    assert end.cached_tokens and end.cached_tokens > end.prompt_tokens / 2


async def test_an_answer_is_pieces_and_one_end_with_its_costs(engine: Engine) -> None:
    """The End counts prompt and answer; the first call pays for the load, the second does not."""
    model = open_model(engine)
    text, first = await ask(model, call())
    again, second = await ask(model, call())
    assert text == again != ""
    assert first.prompt_tokens and first.output_tokens
    assert first.load_ms and first.load_ms > 0
    assert second.load_ms == 0


async def test_the_cap_on_the_answer_is_kept(engine: Engine) -> None:
    """An answer of max_tokens tokens ends with the reason `length`."""
    _, end = await ask(open_model(engine), call(max_tokens=3, schema=ENDLESS))
    assert (end.finish_reason, end.output_tokens) == ("length", 3)


async def test_letters_that_are_split_over_tokens_arrive_whole(engine: Engine) -> None:
    """Text beyond ASCII comes out as it is, though each letter is several tokens."""
    wanted = "žluťoučký kůň ☃ 𝄞"
    text, end = await ask(open_model(engine), call(schema={"const": wanted}, max_tokens=100))
    assert end.finish_reason == "stop"
    assert json.loads(text) == wanted


async def test_an_answer_fits_its_schema(engine: Engine) -> None:
    """Whatever the model would rather say, the schema's form comes out."""
    schema = {
        "type": "object",
        "properties": {"score": {"type": "integer", "minimum": 1, "maximum": 10}},
        "required": ["score"],
        "additionalProperties": False,
    }
    text, _ = await ask(open_model(engine), call(schema=schema, max_tokens=100, temperature=1.0))
    reply = json.loads(text)
    assert list(reply) == ["score"]
    assert 1 <= reply["score"] <= 10


async def test_what_llama_cpp_refuses_is_a_failure_of_this_call_only(engine: Engine) -> None:
    """A schema that is none fails with llama.cpp's words; the process lives on."""
    model = open_model(engine)
    with pytest.raises(ModelFailed, match=r"coder\.gguf: .*nonsense"):
        await ask(model, call(schema={"type": "nonsense"}))
    pid = pid_of(engine)
    await ask(model, call())
    assert pid_of(engine) == pid


async def test_a_prompt_beyond_the_window_is_refused_not_cut(engine: Engine) -> None:
    """The error says how many tokens there are and how many fit, and names the setting only where
    it helps."""
    model = open_model(engine)
    beyond = r"has \d{4,} tokens, the window \d+.*made for no more"
    with pytest.raises(ContextTooLong, match=beyond):
        await ask(model, call("word " * 9000, context_tokens=1_000_000))
    await ask(model, call())


async def test_a_larger_window_loads_again_a_smaller_does_not(engine: Engine) -> None:
    """A model is loaded with the window that the first call asks for and grows at need."""
    model = open_model(engine)
    loads = [(await ask(model, call(context_tokens=size)))[1].load_ms for size in (256, 512, 256)]
    assert loads[0] and loads[1]
    assert loads[2] == 0
    with pytest.raises(ContextTooLong, match="raise MAX_CONTEXT_TOKENS"):
        await ask(open_model(engine, OTHER_WEIGHTS), call("word " * 300, context_tokens=256))


async def test_a_model_that_was_never_used_can_be_loaded_again(engine: Engine) -> None:
    """llama.cpp's servers can hang when they are deleted unused; ours do not."""
    model = open_model(engine)
    for size in range(32, 432, 40):
        with pytest.raises(ModelFailed, match="nonsense"):
            await ask(model, call(context_tokens=size, schema={"type": "nonsense"}))
    assert (await ask(model, call()))[0]


async def test_calls_at_a_time_and_two_models_share_one_process(engine: Engine) -> None:
    """Every call gets its own answer, whichever others are under way."""
    one, other = open_model(engine), open_model(engine, OTHER_WEIGHTS)
    alone = [(await ask(model, call()))[0] for model in (one, other)]
    pid = pid_of(engine)
    answers = await asyncio.gather(*(ask(model, call()) for model in (one, other) * 4))
    assert [text for text, _ in answers] == alone * 4
    assert pid_of(engine) == pid


async def test_the_child_listens_on_no_port(engine: Engine) -> None:
    """Nothing on this machine can reach the engine but the process that owns it."""
    await ask(open_model(engine), call())
    child = psutil.Process(pid_of(engine))
    assert child.net_connections(kind="inet") == []
    names = [str(socket.laddr) for socket in child.net_connections(kind="unix") if socket.laddr]
    assert not any(Path(name).exists() for name in names)


async def test_a_directory_of_decoys_does_not_matter(
    engine: Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The engine starts from a directory whose files have the names of its modules."""
    for name in ("pipeline", "config", "json", "xllamacpp", "local", "litellm"):
        (tmp_path / f"{name}.py").write_text("raise RuntimeError('decoy')")
    monkeypatch.chdir(tmp_path)
    assert (await ask(open_model(engine), call()))[0]


def test_a_cancelled_chat_stops_making_tokens() -> None:
    """The child, told to cancel while it writes, stops well before the window's end."""
    child = subprocess.Popen(
        command("pipeline.models.engine_worker", str(os.getpid())),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        pipesize=4096,  # it holds about 170 pieces: then the child waits for a reader
    )
    with child:
        assert child.stdin is not None and child.stdout is not None
        chat = {
            "op": "chat",
            "id": 1,
            "model": str(WEIGHTS),
            "adapters": [],
            "window": 512,
            "usual": 512,
            "body": slow_body(),
        }
        child.stdin.write(encode(chat))
        child.stdin.flush()
        lines = [decode(child.stdout.readline())]
        child.stdin.write(encode({"op": "cancel", "id": 1}))
        child.stdin.flush()
        while "error" not in lines[-1]:
            lines.append(decode(child.stdout.readline()))
            assert "end" not in lines[-1]
        child.stdin.close()
        assert lines[-1]["error"] == "cancelled"
        assert int(lines[-1]["message"].split()[1]) < 300
        assert child.wait(10) == 0


async def test_closing_the_iterator_ends_the_work_and_keeps_the_process(engine: Engine) -> None:
    """The caller that goes away costs the others nothing: the model stays loaded."""
    await ask(open_model(engine), call())
    pid = pid_of(engine)
    stream = engine.stream(WEIGHTS, 512, slow_body())
    await anext(stream)
    await stream.aclose()
    await until(lambda: not is_busy(engine))
    _, end = await ask(open_model(engine), call())
    assert pid_of(engine) == pid
    assert end.load_ms == 0


async def test_who_goes_with_the_last_answer_leaves_no_call_behind(engine: Engine) -> None:
    """The child's last line is there already, unread: nothing of the call goes on, and nobody's
    process is ended for it."""
    ends = 0
    frames = open_model(engine).stream_several(call("Write add."), 2)
    async for _, frame in frames:
        ends += isinstance(frame, End)
        if ends == 2:
            break
    child = engine._child
    await until(lambda: all(not lines.empty() for lines in child._calls.values()))
    await frames.aclose()
    assert not is_busy(engine)


async def test_a_cancelled_call_that_goes_on_is_ended_with_its_process(engine: Engine) -> None:
    """A child that does not hear is killed within a second, and the next call has a new one."""
    await ask(open_model(engine), call())
    pid = pid_of(engine)
    task = await frozen_call(engine)
    task.cancel()
    started = time.monotonic()
    await until(lambda: not psutil.pid_exists(pid))
    assert time.monotonic() - started < 5
    assert (await ask(open_model(engine), call()))[0]
    assert pid_of(engine) != pid


@pytest.mark.timeout(60)
async def test_a_cancelled_call_that_is_stuck_does_not_hold_up_others_for_ever(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """llama.cpp reads a caller's schema for minutes and hears nothing. Those that wait for the
    process are told that it was stopped, and may ask the next one."""
    monkeypatch.setattr(local, "STUCK_S", 1.0)
    await ask(open_model(engine), call())
    stuck = await frozen_call(engine)
    child = engine._child
    waiting = asyncio.create_task(ask(open_model(engine), call()))
    await until(lambda: len(child._calls) == 2)
    stuck.cancel()
    with pytest.raises(ModelUnreachable, match="was stopped while"):
        await waiting
    assert (await ask(open_model(engine), call()))[0]


async def test_the_first_crash_may_be_tried_again(engine: Engine) -> None:
    """A crash with nothing given out is ModelUnreachable, which is retried, and the retry works."""
    await ask(open_model(engine), call())
    task = await frozen_call(engine)
    os.kill(pid_of(engine), signal.SIGKILL)
    with pytest.raises(ModelUnreachable, match=r"crashed while coder\.gguf answered: SIGKILL"):
        await task
    assert (await ask(open_model(engine), call()))[0]


async def test_a_second_crash_in_a_row_is_final_and_says_what_to_do(engine: Engine) -> None:
    """Two crashes without an answer between them are ModelFailed; an answer forgets them."""
    model = open_model(engine)
    await ask(model, call())
    for error in (ModelUnreachable, ModelFailed):
        if engine._child is None:
            starting = asyncio.create_task(ask(model, call()))
            await until(lambda: engine._child is not None)
            os.kill(pid_of(engine), signal.SIGSTOP)
            task = starting
        else:
            task = await frozen_call(engine)
        os.kill(pid_of(engine), signal.SIGKILL)
        with pytest.raises(error, match="crash") as caught:
            await task
    assert "2 crashes in a row: check the file, use a smaller model" in caught.value.message
    await ask(model, call())
    task = await frozen_call(engine)
    os.kill(pid_of(engine), signal.SIGKILL)
    with pytest.raises(ModelUnreachable):
        await task


async def test_a_crash_in_the_middle_of_an_answer_is_no_answer(engine: Engine) -> None:
    """What was given out cannot be taken back, so the call fails for good."""
    stream = engine.stream(WEIGHTS, 512, slow_body())
    await anext(stream)
    os.kill(pid_of(engine), signal.SIGSEGV)
    with pytest.raises(ModelFailed, match="SIGSEGV"):
        async for _ in stream:
            pass
    assert (await ask(open_model(engine), call()))[0]


async def test_a_child_that_died_unused_is_replaced(engine: Engine) -> None:
    """A crash between two calls is not seen by any caller."""
    await ask(open_model(engine), call())
    os.kill(pid_of(engine), signal.SIGKILL)
    await until(lambda: engine._child is None)
    assert (await ask(open_model(engine), call()))[0]


async def test_signals_to_the_group_do_not_end_a_call(engine: Engine) -> None:
    """Ctrl-C and a service manager's stop reach the child too; its parent decides."""
    stream = engine.stream(WEIGHTS, 512, slow_body() | {"max_tokens": 50})
    await anext(stream)
    for number in (signal.SIGINT, signal.SIGTERM):
        os.kill(pid_of(engine), number)
    assert isinstance([frame async for _, frame in stream][-1], End)


async def test_an_idle_engine_stops_and_starts_again() -> None:
    """After idle_s without a call there is no process; the next call makes one."""
    engine = Engine(idle_s=0.05)
    await ask(open_model(engine), call())
    await until(lambda: not engine_processes())
    assert engine._child is None
    assert (await ask(open_model(engine), call()))[0]
    await engine.close()


async def test_an_engine_at_work_is_not_idle() -> None:
    """The idle time does not count while a call is answered."""
    engine = Engine(idle_s=0.01)
    some = slow_body() | {"max_tokens": 50}
    frames = [frame async for _, frame in engine.stream(WEIGHTS, 512, some)]
    assert isinstance(frames[-1], End)
    await engine.close()


async def test_close_leaves_nothing_behind() -> None:
    """At once there is no process, no zombie and no descriptor, even from a hung child,
    and its call has ended with an error."""
    await _used_engine_closed()  # whatever the event loop opens once is open now
    before = psutil.Process().num_fds()
    engine = Engine(idle_s=600)
    await ask(open_model(engine), call())
    task = await frozen_call(engine)
    started = time.monotonic()
    await engine.close()
    assert time.monotonic() - started < 10
    with pytest.raises(ModelUnreachable, match="stopped"):
        await task
    assert engine_processes() == []
    await until(lambda: psutil.Process().num_fds() <= before)
    with pytest.raises(ModelUnreachable, match="closed"):
        await ask(open_model(engine), call())


async def _used_engine_closed() -> None:
    engine = Engine(idle_s=600)
    await ask(open_model(engine), call())
    await engine.close()


async def test_close_of_an_engine_that_was_never_used() -> None:
    """It does not start a process to end it."""
    await Engine(idle_s=600).close()
    assert engine_processes() == []


PARENT = """
import asyncio, sys
from pathlib import Path
from pipeline.models.llama_cpp import thread_count
from pipeline.models.local import Engine

async def main():
    engine = Engine(600)
    stream = engine.stream(Path(sys.argv[1]), 512, {"messages": [{"role": "user", "content": "x"}]})
    await anext(stream)
    print(engine._child.pid, flush=True)
    await asyncio.Event().wait()

asyncio.run(main())
"""


async def test_the_child_dies_with_its_parent() -> None:
    """A killed daemon leaves no engine behind."""
    parent = subprocess.Popen([sys.executable, "-c", PARENT, str(WEIGHTS)], stdout=subprocess.PIPE)
    with parent:
        assert parent.stdout is not None
        child = int(parent.stdout.readline())
        assert not is_gone(child)
        parent.kill()
    await until(lambda: is_gone(child))


async def test_facts_are_the_trained_window(engine: Engine) -> None:
    """They are read from the file, without a process."""
    length = (await open_model(engine).facts()).context_length
    assert length and length >= 256
    assert engine._child is None


async def test_a_missing_file_is_named(engine: Engine, tmp_path: Path) -> None:
    """No file and a directory are ModelNotFound with the path."""
    for path in (tmp_path / "none.gguf", tmp_path):
        model = open_model(engine, path)
        for ask_it in (model.facts(), ask(model, call())):
            with pytest.raises(ModelNotFound, match=str(path)):
                await ask_it


@pytest.mark.parametrize("content", [b"", b"GGUF", b"<html>" * 100, b"GGUF\3\0\0\0" + b"\xff" * 99])
async def test_a_file_that_is_no_model_is_named(
    engine: Engine, tmp_path: Path, content: bytes
) -> None:
    """A file with another beginning is ModelNotFound with the path."""
    (path := tmp_path / "page.gguf").write_bytes(content)
    with pytest.raises(ModelNotFound, match=r"page\.gguf is not a GGUF model"):
        await open_model(engine, path).facts()


async def test_a_damaged_model_is_a_failure_that_names_it(engine: Engine, tmp_path: Path) -> None:
    """A header without one of the weights fails in the load; the process lives on."""
    damaged = WEIGHTS.read_bytes().replace(b"output_norm", b"output_nrom")
    (path := tmp_path / "bad.gguf").write_bytes(damaged)
    with pytest.raises(ModelFailed, match=r"bad\.gguf: llama.cpp cannot load it"):
        await ask(open_model(engine, path), call())
    pid = pid_of(engine)
    assert (await ask(open_model(engine), call()))[0]
    assert pid_of(engine) == pid


def test_threads_go_by_the_size_of_the_model(tmp_path: Path) -> None:
    """A small model has one thread; a large one no more than there are cores."""
    with (large := tmp_path / "large.gguf").open("wb") as file:
        file.truncate(1 << 30)
    assert thread_count(str(WEIGHTS)) == 1
    assert 1 <= thread_count(str(large)) <= (os.cpu_count() or 1)


@pytest.mark.skipif(sys.platform != "linux", reason="Only Linux says which cores one may use.")
def test_a_process_that_is_kept_to_one_core_uses_one_thread(tmp_path: Path) -> None:
    """As by taskset or a container's cpuset: threads that share a core wait for each other."""
    with (large := tmp_path / "large.gguf").open("wb") as file:
        file.truncate(1 << 30)
    code = (
        "import os, sys; os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:1]);"
        "from laios.launcher import put_ours_first; put_ours_first();"
        "from pipeline.models.llama_cpp import thread_count; print(thread_count(sys.argv[1]))"
    )
    said = subprocess.check_output([sys.executable, "-c", code, str(large)], text=True)
    assert said == "1\n"


@pytest.mark.skipif(sys.platform != "linux", reason="Only Linux has cgroups.")
def test_a_container_s_share_of_time_is_its_cores(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A container with one core's time (docker's --cpus=1) sees all cores and may use one."""
    (share := tmp_path / "cpu.max").write_text("100000 100000\n")
    monkeypatch.setattr(machine, "_CONTAINER_SHARE", share)
    assert machine.core_count() == 1
    share.write_text("max 100000\n")
    assert machine.core_count() == len(os.sched_getaffinity(0))


def test_a_machine_that_has_become_busy_gets_the_model_anew(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Threads that wait for each other write slower than fewer would; short answers say nothing,
    and one thread waits for nobody."""
    started: list[int] = []
    monkeypatch.setattr(
        llama_cpp, "start_server", lambda path, window, n, **_: started.append(n) or n
    )
    monkeypatch.setattr(llama_cpp, "thread_count", lambda path: 4)
    monkeypatch.setattr(llama_cpp, "free_cores", lambda: 4 if len(started) < 1 else 1)
    weights = llama_cpp.Weights("m.gguf")
    for rate, n in ((27.0, 60), (9.0, 60), (2.0, 5), (2.0, 60)):
        weights.load(512)
        weights.look_at({"predicted_per_second": rate, "predicted_n": n})
    assert started == [4]
    weights.load(512)
    weights.look_at({"predicted_per_second": 1.0, "predicted_n": 60})
    weights.load(512)
    assert started == [4, 1] and weights.window == 512


def test_a_window_that_cannot_be_loaded_fails_its_own_call_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The memory does not hold it: the next call has the model loaded with what it needs itself."""
    started: list[int] = []

    def start(path: str, window: int, *rest: Any, **more: Any) -> int:
        started.append(window)
        if window > 4096:
            raise llama_cpp.EngineError("failed", llama_cpp.CANNOT_LOAD)
        return window

    monkeypatch.setattr(llama_cpp, "start_server", start)
    weights = llama_cpp.Weights(str(WEIGHTS))
    weights.load(4096)
    with pytest.raises(llama_cpp.EngineError):
        weights.load(65_536)
    assert weights.room(512) == 0
    weights.load(4096)
    assert weights.room(4096) == 4096 and started == [4096, 65_536, 4096]


def test_idle_models_go_where_all_do_not_fit(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The one that was used last stays, as far as there is memory, and one that is asked just now
    stays in any case."""
    monkeypatch.setattr(llama_cpp, "start_server", lambda path, window, *_, **more: path)
    monkeypatch.setattr(engine_worker, "total_memory", lambda: 3_100_000_000)
    worker = engine_worker.Worker(io.BytesIO())
    models = {}
    for at, name in enumerate("abcd"):
        path = tmp_path / f"{name}.gguf"
        path.write_bytes(chat_model())
        os.truncate(path, 10**9)
        model = llama_cpp.Weights(str(path), used_at=at, make_room=worker._make_room)
        models[name] = worker._weights[(str(path),)] = model

    def loaded() -> str:
        return "".join(name for name, each in models.items() if each.server)

    for name, there in (("a", "a"), ("b", "ab"), ("c", "bc")):
        models[name].load(512)
        assert loaded() == there and models[name].window == 512
    work = Work.of({"messages": [], "max_tokens": 8}, 512, 8)
    models["b"].slots.line_up(work)
    models["d"].load(512)
    assert loaded() == "bd"
    assert models["b"].slots.enter(work) and models["b"].room(512)
    models["c"].load(512)
    models["a"].load(512)
    assert loaded() == "ab"


async def test_a_file_that_was_replaced_is_loaded_anew(engine: Engine, tmp_path: Path) -> None:
    """A model that is pulled again answers from then on, not the one before it, which the engine
    still has in memory; and it is loaded once."""
    path, new = tmp_path / "m.gguf", tmp_path / "new.gguf"
    shutil.copy(WEIGHTS, path)
    model = open_model(engine, path)
    _, first = await ask(model, call())
    _, again = await ask(model, call())
    assert first.load_ms and again.load_ms == 0.0
    shutil.copy(OTHER_WEIGHTS, new)
    new.replace(path)
    said, loaded = await ask(model, call())
    assert loaded.load_ms
    assert said == (await ask(open_model(engine, OTHER_WEIGHTS), call()))[0]
    _, again = await ask(model, call())
    assert again.load_ms == 0.0


def test_a_header_cut_anywhere_is_refused(tmp_path: Path) -> None:
    """No beginning of a header is taken for a whole one, and none takes long or raises more."""
    text = b"general.architecture"
    key, length = b"llama.context_length", 2048
    header = b"GGUF" + struct.pack("<IQQ", 3, 0, 3)
    header += struct.pack("<Q", 5) + b"names" + struct.pack("<IIQ", 9, 8, 2)
    header += (struct.pack("<Q", 3) + b"abc") * 2
    header += struct.pack("<Q", len(text)) + text + struct.pack("<IQ", 8, 5) + b"llama"
    header += struct.pack("<Q", len(key)) + key + struct.pack("<II", 4, length)
    for cut in range(len(header)):
        (path := tmp_path / f"{cut}.gguf").write_bytes(header[:cut])
        with pytest.raises(gguf.NotGguf):
            gguf.read_header(path)
    (path := tmp_path / "whole.gguf").write_bytes(header)
    assert gguf.read_header(path) == gguf.Header("llama", length)


async def test_a_header_is_read_beside_the_event_loop(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file that takes long holds up its own call alone."""
    goes_on = threading.Event()
    header = gguf.Header("llama", 2048, has_chat_template=True)
    monkeypatch.setattr(gguf, "read_header", lambda path: header if goes_on.wait(5) else None)
    asyncio.get_running_loop().call_later(0.01, goes_on.set)
    assert (await open_model(engine).facts()).context_length == 2048


def _header(path: Path, keys: int, key_bytes: int, value: bytes, value_bytes: int = 0) -> Path:
    """A header of keys and values of zeros, which take no room on the disk."""
    with path.open("wb") as file:
        file.write(b"GGUF" + struct.pack("<IQQ", 3, 0, keys))
        for _ in range(keys):
            file.write(struct.pack("<Q", key_bytes))
            file.seek(key_bytes, 1)
            file.write(value)
            file.seek(value_bytes, 1)
        file.truncate()
    return path


LONG_TEXT = struct.pack("<IQ", 8, 1 << 20), 1 << 20
EMPTY_TEXTS = struct.pack("<IIQ", 9, 8, 1 << 20), 8 << 20


@pytest.mark.parametrize(
    ("keys", "key_bytes", "value", "value_bytes"),
    [(4096, 1 << 20, b"\0" * 5, 0), (4096, 3, *LONG_TEXT), (200, 3, *EMPTY_TEXTS)],
)
def test_a_header_is_bounded_in_all(
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    keys: int,
    key_bytes: int,
    value: bytes,
    value_bytes: int,
) -> None:
    """Many large keys or values, each allowed by itself, are damage."""
    monkeypatch.setattr(gguf, "_MAX_HEADER", 2 << 20)  # sixteen times as much takes two seconds
    path = _header(tmp_path / "large.gguf", keys, key_bytes, value, value_bytes)
    began = time.monotonic()
    with pytest.raises(gguf.NotGguf, match="damaged"):
        gguf.read_header(path)
    assert time.monotonic() - began < 15


def test_what_is_no_plain_file_is_no_model(tmp_path: Path) -> None:
    """Nobody waits for somebody to write into a pipe."""
    os.mkfifo(path := tmp_path / "pipe.gguf")
    with pytest.raises(gguf.NotGguf, match="not a regular file"):
        gguf.read_header(path)


async def test_without_the_package_it_says_how_to_get_it(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A platform without xllamacpp gets ModelUnreachable with the command."""
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    for ask_it in (open_model(engine).facts(), ask(open_model(engine), call())):
        with pytest.raises(ModelUnreachable, match="pip install xllamacpp"):
            await ask_it


async def test_a_package_that_does_not_load_says_why(
    engine: Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A missing system library is ModelUnreachable with the loader's words."""
    (tmp_path / "sitecustomize.py").write_text(BROKEN_LIBRARY)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path), prepend=os.pathsep)
    with pytest.raises(ModelUnreachable, match="libgomp"):
        await ask(open_model(engine), call())


@pytest.mark.parametrize("idle", [True, False])
async def test_a_daemon_reads_its_coder_s_rules_on_an_idle_machine(
    daemon_with: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, idle: bool
) -> None:
    """Those for Python and those for everything else, after the greeting, so that it delays nobody;
    on a busy machine the first run does it."""
    monkeypatch.setattr("server.daemon.is_idle", lambda: idle)
    read = asyncio.Event()
    read_ahead, rules = LocalModel.read_ahead, []

    async def watched(self: LocalModel, messages: Any, window: int) -> None:
        await read_ahead(self, messages, window)
        rules.append(messages[0]["content"])
        if len(rules) == 2:
            read.set()

    monkeypatch.setattr(LocalModel, "read_ahead", watched)
    async with daemon_with(CODER_MODEL_NAME=f"local/{WEIGHTS}") as (daemon, http):
        if idle:
            async with asyncio.timeout(20):
                await read.wait()
        else:
            await daemon.greet()
        assert (await http.get("/healthz")).status_code == 200
        assert rules == ([CODER, PYTHON_CODER] if idle else [])
