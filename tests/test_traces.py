"""Traces: what is sent of a run by OTLP, to a receiver on a real socket, and what is not."""

import json
import subprocess
import sys
import threading

import pytest
from fakes import FakeOllama
from otlp_receiver import attributes, over_grpc, over_http

from config import ConfigError, load_settings
from pipeline.unicode_text import without_surrogates
from server.runtime.container import assemble, traces_of
from server.tracing.captured_text import said

CODE = "def add(a, b):\n    return a + b\n"
REVIEWED = [
    {"role": "coder", "reply": CODE},
    {"role": "judge", "verdict": [2, 1, "too short"]},
    {"role": "reviewer", "reply": CODE + "# reviewed\n"},
]
TRACE, PARENT = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"
SECRET = "the-prompt-that-nobody-sees"


@pytest.fixture
def sent(monkeypatch):
    """A receiver over HTTP, to which the standard variables point."""
    with over_http() as received:
        monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", received.url)
        yield received


def id_of(span):
    return span.span_id.hex()


async def test_a_run_its_stages_and_its_model_calls_are_spans(daemon_with, sent, monkeypatch):
    """A tree run → stage → call with the GenAI conventions' names, in the trace whose id is the
    run's own; the verdict's scores are events. No text of prompt, answer, verdict or error leaves,
    and the resource is what the standard variables say."""
    monkeypatch.setenv("OTEL_RESOURCE_ATTRIBUTES", "deployment.environment.name=test")
    async with daemon_with(*REVIEWED, TRACES="otlp", JUDGE_WHEN="always") as (_, http):
        answer = await http.post("/prompt", json={"prompt": SECRET, "session": "s1"})
    [run] = sent.named("invoke_workflow")
    stages = [span for span in sent.spans if span.parent_span_id == run.span_id]
    assert [span.name for span in stages] == ["coder", "judge", "reviewer", "judge"]
    assert not run.parent_span_id and run.name == "invoke_workflow code_reviewed"
    calls = sent.named("chat ")
    assert [call.parent_span_id for call in calls] == [stage.span_id for stage in stages]
    assert {span.trace_id for span in sent.spans} == {run.trace_id}
    facts = attributes(calls[0])
    assert facts["gen_ai.operation.name"] == "chat"
    assert facts["gen_ai.provider.name"] == "scripted"
    assert facts["gen_ai.request.max_tokens"] > 0 and facts["gen_ai.usage.output_tokens"] > 0
    assert facts["gen_ai.response.finish_reasons"] == ["stop"]
    assert facts["gen_ai.conversation.id"] == "s1"
    assert attributes(calls[1])["gen_ai.output.type"] == "json"
    about = attributes(run)
    assert about["laios.run.id"] == answer.headers["x-laios-run-id"] and about["laios.escalated"]
    scores = [attributes(event) for event in run.events]
    assert {s["gen_ai.evaluation.name"]: s["gen_ai.evaluation.score.value"] for s in scores} == {
        "confidence": 2,
        "conflict": 1,
        "review confidence": 2,
        "review conflict": 1,
    }
    for text in (SECRET, "def add", "too short", "confidence 2 < 8"):
        assert text.encode() not in sent.raw
    for span in (*stages, *calls):
        assert run.start_time_unix_nano <= span.start_time_unix_nano
        assert span.start_time_unix_nano <= span.end_time_unix_nano <= run.end_time_unix_nano
    assert sent.resources[0]["service.name"] == "laios"
    assert sent.resources[0]["deployment.environment.name"] == "test"
    assert sent.headers[0]["content-type"] == "application/x-protobuf"


async def test_a_callers_trace_goes_on_to_the_backend(daemon_with, sent):
    """`traceparent` is taken on `/prompt` and on the chat protocols; Ollama is told the id of the
    span of the very call, and the caller's `tracestate`."""
    head = {"traceparent": f"00-{TRACE}-{PARENT}-01", "tracestate": "vendor=1"}
    chat = {"model": "laios:raw", "messages": [{"role": "user", "content": "add"}]}
    async with FakeOllama() as ollama:
        models = {f"{role}_MODEL_NAME": "ollama/coder" for role in ("CODER", "JUDGE", "REVIEWER")}
        here = models | {"OLLAMA_HOST": ollama.url, "TRACES": "otlp", "PRELOAD": False}
        ollama.models = {"coder:latest": next(iter(ollama.models.values()))}
        async with daemon_with(**here) as (_, http):
            await http.post("/prompt", json={"prompt": "///raw add"}, headers=head)
            await http.post("/v1/chat/completions", json=chat, headers=head)
            await http.post("/prompt", json={"prompt": "///raw other"})
    runs, calls = sent.named("invoke_workflow"), sent.named("chat coder")
    assert [span.trace_id.hex() == TRACE for span in runs] == [True, True, False]
    assert [span.parent_span_id.hex() for span in runs] == [PARENT, PARENT, ""]
    for call, told in zip(calls, ollama.heads, strict=True):
        assert told["traceparent"] == f"00-{call.trace_id.hex()}-{id_of(call)}-01"
    assert [told.get("tracestate") for told in ollama.heads] == ["vendor=1", "vendor=1", None]
    assert attributes(calls[0])["gen_ai.provider.name"] == "ollama"


async def test_a_damaged_or_unsampled_parent(daemon_with, sent):
    """A header that is no traceparent, and two of them, begin a new trace; what the caller does not
    sample is not sent."""
    kept = f"00-{TRACE}-{PARENT}-01"
    heads = [
        {"traceparent": "00-zz"},
        [("traceparent", kept), ("traceparent", kept)],
        {"traceparent": f"00-{TRACE}-{PARENT}-00"},
    ]
    async with daemon_with(*REVIEWED, TRACES="otlp") as (_, http):
        for number, head in enumerate(heads):
            asked = {"prompt": f"///raw {number}"}
            assert (await http.post("/prompt", json=asked, headers=head)).status_code == 200
    runs = sent.named("invoke_workflow")
    assert len(runs) == 2 and TRACE not in {span.trace_id.hex() for span in runs}


async def test_text_is_sent_where_it_is_asked_for(daemon_with, sent):
    """OTEL_CAPTURE_TEXT adds messages and answers as the conventions' JSON; a `no_log` run keeps
    its texts to itself even then."""
    rules = [{"role": "coder", "reply": "answer é"}]
    on = {"TRACES": "otlp", "OTEL_CAPTURE_TEXT": True}
    async with daemon_with(*rules, **on) as (_, http):
        await http.post("/prompt", json={"prompt": f"///raw {SECRET}"})
        await http.post("/prompt", json={"prompt": "///raw private-words", "no_log": True})
    told, silent = (attributes(span) for span in sent.named("chat "))
    assert SECRET in str(json.loads(told["gen_ai.input.messages"]))
    [said] = json.loads(told["gen_ai.output.messages"])
    assert said["role"] == "assistant" and "answer é" in said["parts"][0]["content"]
    assert SECRET in attributes(sent.named("invoke_workflow")[0])["gen_ai.input.messages"]
    assert "gen_ai.input.messages" not in silent and b"private-words" not in sent.raw


async def test_a_failed_run_says_its_code(daemon_with, sent):
    """Status and `error.type` on the call, its stage and the run; not the message."""
    rules = [{"role": "coder", "fault": "failed"}]
    async with daemon_with(*rules, TRACES="otlp") as (_, http):
        assert (await http.post("/prompt", json={"prompt": "add"})).status_code == 502
    assert [attributes(span)["error.type"] for span in sent.spans] == ["model_failed"] * 3
    assert [span.status.code for span in sent.spans] == [2, 2, 2]
    assert [span.status.message for span in sent.spans] == ["", "", ""]
    assert attributes(sent.spans[0])["gen_ai.response.finish_reasons"] == ["error"]


async def test_grpc(daemon_with, monkeypatch):
    """The other protocol of the standard variable."""
    with over_grpc() as received:
        monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", received.url)
        monkeypatch.setenv("OTEL_EXPORTER_OTLP_PROTOCOL", "grpc")
        monkeypatch.setenv("OTEL_EXPORTER_OTLP_HEADERS", "x-key=abc")
        async with daemon_with(*REVIEWED, TRACES="otlp") as (_, http):
            await http.post("/prompt", json={"prompt": "///raw add"})
    assert [span.name[:6] for span in received.spans] == ["chat r", "coder", "invoke"]
    assert received.headers[0]["x-key"] == "abc"


async def test_no_collector_costs_no_answer(daemon_with, free_port, monkeypatch):
    """Runs are answered and the daemon stops in time where nothing listens; it does not go on
    trying."""
    before = {*threading.enumerate()}
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", f"http://127.0.0.1:{free_port}")
    monkeypatch.setattr("server.tracing.otlp_sender.FLUSH_S", 0.2)
    async with daemon_with(*REVIEWED, TRACES="otlp") as (_, http):
        assert (await http.post("/prompt", json={"prompt": "///raw add"})).status_code == 200
    new = {each for each in threading.enumerate() if each.daemon} - before
    for sending in new:
        sending.join(2)  # a second try comes after a second, a third after two more
    assert not any(sending.is_alive() for sending in new)


def test_half_a_surrogate_pair_costs_no_batch():
    """What no UTF-8 has is replaced, in messages and in attributes."""
    [message] = json.loads(said("user", "a\ud800b"))
    assert message["parts"] == [{"type": "text", "content": "a\ufffdb"}]
    assert without_surrogates("a\ud800b") == "a\ufffdb"


def test_what_switches_traces_off(monkeypatch):
    """The default, and the standard variables: then there is no sender. A protocol that laios does
    not have is named."""
    assert traces_of(load_settings()) is None
    on = load_settings(TRACES="otlp")
    for name, value in (("OTEL_SDK_DISABLED", "true"), ("OTEL_TRACES_EXPORTER", "none")):
        with monkeypatch.context() as patch:
            patch.setenv(name, value)
            assert traces_of(on) is None
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_PROTOCOL", "http/json")
    with pytest.raises(ConfigError, match=r"http/json.*http/protobuf or grpc"):
        traces_of(on)


def test_the_extra_that_is_missing_is_named(monkeypatch):
    """Traces that cannot be had are refused at the start, not left out."""
    monkeypatch.setitem(sys.modules, "opentelemetry.sdk.resources", None)
    monkeypatch.delitem(sys.modules, "server.tracing.otlp_sender", raising=False)
    with pytest.raises(ConfigError, match=r"uv tool install '.\[otel\]'"):
        assemble(load_settings(TRACES="otlp"))


def test_off_loads_nothing():
    """A daemon without traces has neither OpenTelemetry nor what uses it in memory."""
    code = "import server.daemon, sys; print([m for m in sys.modules if 'telemetry' in m])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
