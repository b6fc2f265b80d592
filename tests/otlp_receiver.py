"""What receives traces in the tests: OTLP over HTTP and over gRPC, on real sockets."""

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import grpc
from opentelemetry.proto.collector.trace.v1 import trace_service_pb2 as service
from opentelemetry.proto.collector.trace.v1 import trace_service_pb2_grpc as service_grpc


class Received:
    """What has come, in order. `headers` are those of each request."""

    def __init__(self) -> None:
        self.url = ""
        self.raw = b""
        self.headers: list[dict[str, str]] = []
        self.resources: list[dict[str, Any]] = []
        self.spans: list[Any] = []

    def take(self, data: bytes) -> None:
        self.raw += data
        for batch in service.ExportTraceServiceRequest.FromString(data).resource_spans:
            self.resources.append(attributes(batch.resource))
            self.spans += [span for scope in batch.scope_spans for span in scope.spans]

    def named(self, beginning: str) -> list[Any]:
        return [span for span in self.spans if span.name.startswith(beginning)]


def attributes(holder: Any) -> dict[str, Any]:
    """The attributes of a span, an event or a resource, as Python has them."""
    return {each.key: _value(each.value) for each in holder.attributes}


def _value(value: Any) -> Any:
    kind = value.WhichOneof("value")
    if kind == "array_value":
        return [_value(each) for each in value.array_value.values]
    return getattr(value, kind)


@contextmanager
def over_http() -> Iterator[Received]:
    received = Received()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            assert self.path == "/v1/traces"
            received.headers.append({k.lower(): v for k, v in self.headers.items()})
            received.take(body)
            answer = service.ExportTraceServiceResponse().SerializeToString()
            self.send_response(200)
            self.send_header("Content-Type", "application/x-protobuf")
            self.send_header("Content-Length", str(len(answer)))
            self.end_headers()
            self.wfile.write(answer)

        def log_message(self, *_: Any) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        received.url = f"http://127.0.0.1:{server.server_port}"
        serving = threading.Thread(target=server.serve_forever, args=(0.02,))
        serving.start()
        try:
            yield received
        finally:
            server.shutdown()
            serving.join()


@contextmanager
def over_grpc() -> Iterator[Received]:
    received = Received()

    class Service(service_grpc.TraceServiceServicer):
        def Export(self, request: Any, context: Any) -> Any:
            received.headers.append(dict(context.invocation_metadata()))
            received.take(request.SerializeToString())
            return service.ExportTraceServiceResponse()

    server = grpc.server(ThreadPoolExecutor(2))
    service_grpc.add_TraceServiceServicer_to_server(Service(), server)
    received.url = f"http://127.0.0.1:{server.add_insecure_port('127.0.0.1:0')}"
    server.start()
    try:
        yield received
    finally:
        server.stop(None).wait()
