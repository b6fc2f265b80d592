"""Where spans go: OpenTelemetry's exporter, queue and sampler as its own variables set them."""

import asyncio
import logging
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any, cast

from opentelemetry.sdk.resources import SERVICE_INSTANCE_ID, SERVICE_NAME, SERVICE_VERSION, Resource
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor, SpanExporter, SpanExportResult
from opentelemetry.sdk.trace.sampling import Sampler
from opentelemetry.trace import SpanContext

import laios
from config import ConfigError

log = logging.getLogger("laios.traces")

EXPORTERS = {
    "http/protobuf": "opentelemetry.exporter.otlp.proto.http.trace_exporter",
    "grpc": "opentelemetry.exporter.otlp.proto.grpc.trace_exporter",
}
# The SDK's queue holds runs here, and they have their texts: as many spans as its default has.
QUEUED_RUNS, RUNS_AT_ONCE = 512, 64
SPANS_AT_ONCE = 128  # with prompts and answers below the 4 MB that a collector takes
FLUSH_S = 3.0  # at the end; a collector that does not answer must not hold up the stop


class OtlpSender:
    """Takes runs that are over and sends their spans from a thread of its own; what it cannot send,
    and what is too much for its queue, is dropped and logged. Raises ConfigError for a protocol
    that it does not have."""

    def __init__(self, protocol: str, instance: str) -> None:
        """`instance` tells this process from others of its name."""
        self.resource = _resource(instance)
        # Only for the sampler that the variables name: spans are made when a run is over.
        provider = TracerProvider(resource=self.resource, shutdown_on_exit=False)
        self.sampler: Sampler = provider.sampler
        self._exporter = _SpanMaker(_exporter(protocol))
        self._processor = BatchSpanProcessor(
            self._exporter, max_queue_size=QUEUED_RUNS, max_export_batch_size=RUNS_AT_ONCE
        )

    def send(self, run: SpanContext, spans: Callable[[], list[ReadableSpan]]) -> None:
        """Takes a run that is over, and how its spans are made."""
        self._processor.on_end(cast(ReadableSpan, _Run(run, spans)))

    def flush(self) -> None:
        """Sends what waits; returns when it is sent or has failed."""
        self._processor.force_flush()

    async def close(self) -> None:
        """Sends what waits, for at most three seconds; then nothing is tried again."""
        done, loop = asyncio.Event(), asyncio.get_running_loop()

        def flush() -> None:
            self._processor.shutdown()  # type: ignore[no-untyped-call]
            if not loop.is_closed():
                loop.call_soon_threadsafe(done.set)

        threading.Thread(target=flush, name="traces-flush", daemon=True).start()
        try:
            async with asyncio.timeout(FLUSH_S):
                await done.wait()
        except TimeoutError:
            self._exporter.shutdown()


@dataclass(frozen=True, slots=True)
class _Run:
    """What stands in the SDK's queue in the place of a span: it looks at the context alone."""

    context: SpanContext
    spans: Callable[[], list[ReadableSpan]]


class _SpanMaker(SpanExporter):
    """Makes the spans in the sending thread. A run whose spans cannot be made costs no other."""

    def __init__(self, exporter: SpanExporter) -> None:
        self._exporter, self._is_shut = exporter, False

    def export(self, spans: Sequence[ReadableSpan]) -> SpanExportResult:
        made = [span for run in cast(Sequence[_Run], spans) for span in _made(run)]
        batches = [made[n : n + SPANS_AT_ONCE] for n in range(0, len(made), SPANS_AT_ONCE)]
        results = [self._exporter.export(batch) for batch in batches]
        failed = SpanExportResult.FAILURE
        return failed if failed in results else SpanExportResult.SUCCESS

    def shutdown(self) -> None:
        """Ends what is waiting to be tried again."""
        if not self._is_shut:
            self._is_shut = True
            self._exporter.shutdown()


def _made(run: _Run) -> list[ReadableSpan]:
    try:
        return run.spans()
    except Exception:
        log.exception("a trace is lost")
        return []


def _exporter(protocol: str) -> SpanExporter:
    if protocol not in EXPORTERS:
        raise ConfigError(
            f"OTEL_EXPORTER_OTLP_PROTOCOL is {protocol!r}. Traces are sent as "
            f"{' or '.join(EXPORTERS)}."
        )
    module: Any = import_module(EXPORTERS[protocol])
    exporter: SpanExporter = module.OTLPSpanExporter()
    return exporter


def _resource(instance: str) -> Resource:
    """OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES win over what laios says of itself."""
    told = Resource.create()
    own = {SERVICE_VERSION: laios.__version__, SERVICE_INSTANCE_ID: instance}
    if str(told.attributes.get(SERVICE_NAME, "")).startswith("unknown_service"):
        told = told.merge(Resource({SERVICE_NAME: "laios"}))
    return Resource(own).merge(told)
