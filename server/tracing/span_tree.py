"""A run's record as spans: the run, its stages, and in each its model calls, named and described by
OpenTelemetry's GenAI conventions (semantic-conventions-genai 0.1.0)."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from random import getrandbits
from typing import Any

from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import Event, ReadableSpan
from opentelemetry.sdk.util.instrumentation import InstrumentationScope
from opentelemetry.trace import SpanContext, SpanKind, Status, StatusCode

import laios
from pipeline.unicode_text import values_without_surrogates, without_surrogates
from server.tracing.captured_text import said
from server.tracing.model_naming import attributes_of

Attributes = dict[str, str | int | float | bool | Sequence[str] | None]
Step = Mapping[str, Any]
Sent = tuple[int, Attributes]
"""A model call that went out: the id of its span, and what the record does not have of it."""

SCOPE = InstrumentationScope("laios", laios.__version__)
VERDICTS = {"judge": "", "reviewer_judge": "review "}  # by the record's name, with the event's
SCORES = {"confidence": "confidence_score", "conflict": "conflict_score"}


def new_span_id() -> int:
    return getrandbits(64) or 1


@dataclass(frozen=True, slots=True)
class Finished:
    """A run that is over, and how each of its spans is made; times are milliseconds from its
    acceptance, which was at `begun_ns` since 1970. `own` is its own span's context. `calls` are
    those of the record's steps, in their order, where a model was called."""

    record: Mapping[str, Any]
    begun_ns: int
    elapsed_ms: float
    queue_ms: float
    calls: Sequence[Sent | None]
    with_text: bool
    own: SpanContext
    resource: Resource

    def span(
        self,
        name: str,
        context: SpanContext,
        parent: SpanContext | None,
        times_ms: tuple[float, float],
        attributes: Attributes,
        kind: SpanKind = SpanKind.INTERNAL,
        events: Sequence[Event] = (),
    ) -> ReadableSpan:
        failed = "error.type" in attributes
        return ReadableSpan(
            name=without_surrogates(name),
            context=context,
            parent=parent,
            resource=self.resource,
            attributes={
                key: values_without_surrogates(v) for key, v in attributes.items() if v is not None
            },
            events=events,
            kind=kind,
            status=Status(StatusCode.ERROR if failed else StatusCode.UNSET),
            start_time=self.at(times_ms[0]),
            end_time=self.at(times_ms[1]),
            instrumentation_scope=SCOPE,
        )

    def at(self, ms: float) -> int:
        return self.begun_ns + int(ms * 1e6)

    def context(self, span_id: int = 0) -> SpanContext:
        """Of a span inside the run's."""
        own, number = self.own, span_id or new_span_id()
        return SpanContext(own.trace_id, number, False, own.trace_flags, own.trace_state)

    def times(self, steps: Sequence[Step]) -> tuple[float, float]:
        """From the first's start to the last's end."""
        begin = min(step["started_ms"] for step in steps)
        end = max(step["started_ms"] + (step["duration_ms"] or 0) for step in steps)
        return self.queue_ms + begin, self.queue_ms + end


def spans_of(run: Finished, parent: SpanContext | None) -> list[ReadableSpan]:
    """The run's spans, children before parents."""
    numbered = list(zip(run.record["steps"], run.calls, strict=True))
    spans: list[ReadableSpan] = []
    for is_call, steps in _stages(numbered):
        spans += _model_stage(run, steps) if is_call else [_work(run, steps[0][0])]
    return [*spans, _run_span(run, parent)]


_Stage = list[tuple[Step, Sent | None]]


def _stages(steps: _Stage) -> Iterator[tuple[bool, _Stage]]:
    """What stands in a row of one stage; work without a model by itself."""
    for (_, is_call), row in groupby(steps, lambda s: (s[0]["stage"], bool(s[0]["model"]))):
        group = list(row)
        yield from [(True, group)] if is_call else [(False, [each]) for each in group]


def _model_stage(run: Finished, calls: _Stage) -> Iterator[ReadableSpan]:
    """Every call, then the stage around them. It failed where its last call did."""
    steps = [step for step, _ in calls]
    stage = run.context()
    for step, sent in calls:
        yield _call_span(run, step, sent, stage)
    last = steps[-1]
    attributes: Attributes = {"laios.stage": last["stage"], **_error(last)}
    yield run.span(last["stage"], stage, run.own, run.times(steps), attributes)


def _work(run: Finished, step: Step) -> ReadableSpan:
    """A stage that asks no model: a program run in the sandbox, a search."""
    name = " ".join(filter(None, (step["stage"], step["label"])))
    attributes = _of_step(step) | _error(step)
    return run.span(name, run.context(), run.own, run.times([step]), attributes)


def _call_span(run: Finished, step: Step, sent: Sent | None, stage: SpanContext) -> ReadableSpan:
    span_id, asked = sent or (0, {})
    attributes: Attributes = {**attributes_of(step["model"]), **_of_step(step), **asked}
    first = step["first_token_ms"]
    reason = "error" if step["error"] else step["finish_reason"]
    attributes |= {
        "gen_ai.conversation.id": run.record["session"],
        "gen_ai.usage.input_tokens": step["prompt_tokens"],
        "gen_ai.usage.output_tokens": step["output_tokens"],
        "gen_ai.usage.cache_read.input_tokens": step["cached_tokens"],
        "gen_ai.response.finish_reasons": (reason,) if reason else None,
        "gen_ai.response.time_to_first_chunk": None if first is None else first / 1000,
        "laios.load_ms": step["load_ms"],
        **_error(step),
    }
    name = f"chat {attributes['gen_ai.request.model']}"
    times = run.times([step])
    return run.span(name, run.context(span_id), stage, times, attributes, SpanKind.CLIENT)


def _run_span(run: Finished, parent: SpanContext | None) -> ReadableSpan:
    record = run.record
    mode = record["mode"]
    attributes: Attributes = {
        "gen_ai.operation.name": "invoke_workflow",
        "gen_ai.agent.name": mode,
        "gen_ai.conversation.id": record["session"],
        "laios.run.id": record["id"],
        "laios.source": record["source"],
        "laios.queue_ms": round(run.queue_ms, 1),
        "laios.escalated": record["escalated"],
        "laios.evidence": tuple(dict.fromkeys(each["kind"] for each in record["evidence"])),
        **_error(record),
    }
    if run.with_text:
        attributes["gen_ai.input.messages"] = said("user", record["original_prompt"])
        attributes["gen_ai.output.messages"] = said("assistant", record["final_output"] or "")
    name, times = f"invoke_workflow {mode}", (0.0, run.elapsed_ms)
    return run.span(name, run.own, parent, times, attributes, events=_verdicts(run))


def _verdicts(run: Finished) -> list[Event]:
    """A judge's two scores, each an evaluation's result."""
    found, at = [], run.at(run.elapsed_ms)
    for name, before in VERDICTS.items():
        verdict = run.record[name] or {}
        for score, key in SCORES.items():
            if verdict.get(key) is not None:
                result = {
                    "gen_ai.evaluation.name": f"{before}{score}",
                    "gen_ai.evaluation.score.value": verdict[key],
                }
                found.append(Event("gen_ai.evaluation.result", result, at))
    return found


def _of_step(step: Step) -> Attributes:
    return {
        "laios.stage": step["stage"],
        "laios.label": step["label"] or None,
        "laios.round": step["round"],
    }


def _error(holder: Mapping[str, Any]) -> Attributes:
    """The code alone: a message may quote a prompt."""
    return {"error.type": holder["error"]["code"]} if holder["error"] else {}
