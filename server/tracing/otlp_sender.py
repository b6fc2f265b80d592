"""Where spans go: OpenTelemetry's exporter, queue and sampler as its own variables set them."""

import asyncio
import threading
from importlib import import_module
from typing import Any

from opentelemetry.sdk.resources import SERVICE_INSTANCE_ID, SERVICE_NAME, SERVICE_VERSION, Resource
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor, SpanExporter
from opentelemetry.sdk.trace.sampling import Sampler

import laios
from config import ConfigError

EXPORTERS = {
    "http/protobuf": "opentelemetry.exporter.otlp.proto.http.trace_exporter",
    "grpc": "opentelemetry.exporter.otlp.proto.grpc.trace_exporter",
}
FLUSH_S = 3.0  # at the end; a collector that does not answer must not hold up the stop


class OtlpSender:
    """Takes spans that are over and sends them from a thread of its own; what it cannot send, and
    what is too much for its queue, is dropped and logged. Raises ConfigError for a protocol that it
    does not have."""

    def __init__(self, protocol: str, instance: str) -> None:
        """`instance` tells this process from others of its name."""
        self.resource = _resource(instance)
        # Only for the sampler that the variables name: spans are made when a run is over.
        provider = TracerProvider(resource=self.resource, shutdown_on_exit=False)
        self.sampler: Sampler = provider.sampler
        self._processor = BatchSpanProcessor(_exporter(protocol))

    def send(self, spans: list[ReadableSpan]) -> None:
        for span in spans:
            self._processor.on_end(span)

    async def close(self) -> None:
        """Sends what waits, for at most three seconds."""
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
            pass


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
