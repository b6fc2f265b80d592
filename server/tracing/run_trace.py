"""The trace of one run, from the request that it came in with to the record that it leaves.

While the run goes on it only needs the ids that its backends are told. Its spans are made when it
is over, from its record, by the thread that sends them: those that OpenTelemetry's SDK makes on the
way cost the run five times as much.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from opentelemetry import trace
from opentelemetry.context import Context
from opentelemetry.sdk.trace import ReadableSpan
from opentelemetry.sdk.trace.sampling import Decision
from opentelemetry.trace import SpanContext, TraceFlags
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

from pipeline.model import Call, Reply
from pipeline.request import as_number
from pipeline.run import Run
from pipeline.step import Step
from server.tracing.caller_trace import CALLER
from server.tracing.captured_text import input_of, output_of
from server.tracing.otlp_sender import OtlpSender
from server.tracing.span_tree import Attributes, Finished, Sent, new_span_id, spans_of

_PARENT = TraceContextTextMapPropagator()


class RunTracer:
    """See `pipeline.tracing.Tracer`."""

    def __init__(self, sender: OtlpSender) -> None:
        self._sender = sender

    def begin(self, run: Run) -> "RunTrace":
        """In the caller's trace if it has sent one, else in a new one whose id is the run's own
        (both are 128 bits)."""
        parent = parent_of(CALLER.get())
        trace_id = parent.trace_id if parent else as_number(run.id)
        context = trace.set_span_in_context(trace.NonRecordingSpan(parent)) if parent else None
        chosen = self._sender.sampler.should_sample(context, trace_id, run.mode.name)
        own = SpanContext(
            trace_id,
            new_span_id(),
            is_remote=False,
            trace_flags=TraceFlags(int(chosen.decision is Decision.RECORD_AND_SAMPLE)),
            trace_state=chosen.trace_state,
        )
        return RunTrace(run, self._sender, own, parent)


@dataclass(slots=True)
class Exchange:
    """A model call that went out, under the id of its span, and what came back."""

    span_id: int
    call: Call
    reply: Reply | None = None

    def sent(self, *, with_text: bool) -> Sent:
        """What the record does not have of it."""
        attributes = _asked(self.call)
        if with_text:
            attributes["gen_ai.input.messages"] = input_of(self.call.messages)
            attributes["gen_ai.output.messages"] = output_of(self.reply) if self.reply else None
        return self.span_id, attributes


class RunTrace:
    """See `pipeline.tracing.Trace`."""

    def __init__(
        self, run: Run, sender: OtlpSender, own: SpanContext, parent: SpanContext | None
    ) -> None:
        self._run = run
        self._sender = sender
        self._own = own
        self._parent = parent
        self._exchanges: dict[int, Exchange] = {}  # by the identity of the step
        self._with_text = run.settings.OTEL_CAPTURE_TEXT and not run.request.no_log

    def sending(self, steps: Sequence[Step], call: Call) -> Call:
        ids = [new_span_id() for _ in steps]
        if self._own.trace_flags.sampled:
            for step, span_id in zip(steps, ids, strict=True):
                self._exchanges[id(step)] = Exchange(span_id, call)
        return replace(call, headers=self._headers(ids[0]))

    def received(self, step: Step, reply: Reply) -> None:
        if self._with_text and (exchange := self._exchanges.get(id(step))):
            exchange.reply = reply

    def end(self, record: Mapping[str, Any]) -> None:
        if not self._own.trace_flags.sampled:
            return
        self._sender.send(self._own, partial(self._spans, record, self._run.elapsed_ms))

    def _spans(self, record: Mapping[str, Any], elapsed_ms: float) -> list[ReadableSpan]:
        run = self._run
        exchanges = [self._exchanges.get(id(step)) for step in run.steps]
        finished = Finished(
            record,
            begun_ns=int(run.accepted_at.timestamp() * 1e9),
            elapsed_ms=elapsed_ms,
            queue_ms=run.queue_ms,
            calls=[e.sent(with_text=self._with_text) if e else None for e in exchanges],
            with_text=self._with_text,
            own=self._own,
            resource=self._sender.resource,
        )
        return spans_of(finished, self._parent)

    def _headers(self, span_id: int) -> dict[str, str]:
        own = self._own
        headers = {"traceparent": f"00-{own.trace_id:032x}-{span_id:016x}-{own.trace_flags:02x}"}
        return headers | ({"tracestate": own.trace_state.to_header()} if own.trace_state else {})


def _asked(call: Call) -> Attributes:
    """Of a call, what the record does not keep."""
    return {
        "gen_ai.request.max_tokens": call.max_tokens,
        "gen_ai.request.temperature": call.temperature,
        "gen_ai.request.stream": True,
        "gen_ai.output.type": "json" if call.schema is not None else None,
    }


def parent_of(headers: Mapping[str, str] | None) -> SpanContext | None:
    """The span of the caller's that the request came from; None for none, and for a damaged one."""
    if headers is None:
        return None
    found = trace.get_current_span(_PARENT.extract(headers, Context())).get_span_context()
    return found if found.is_valid else None
