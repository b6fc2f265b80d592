"""What traces cost a run: `python -m tools.bench.traces [--rounds N]`.

A reviewed run of two model calls is five spans. What a run waits for is timed by itself, in
processor time of the event loop's thread; beside it stands what two daemons use, one with traces
and one without, with the thread that encodes and sends them.
"""

import argparse
import asyncio
import os
import statistics
import threading
import time
from contextlib import ExitStack
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pipeline.capabilities  # noqa: F401  (fills MODES)
from config import Settings, load_settings
from pipeline.model import Call, Reply
from pipeline.models.registry import Registry
from pipeline.modes import MODES
from pipeline.request import Request
from pipeline.run import Run
from pipeline.run_record import record_of
from server.tracing.otlp_sender import OtlpSender
from server.tracing.run_trace import RunTracer
from tools.bench.figures import Figure, at_most, table
from tools.bench.load import PROMPT
from tools.bench.processes import Server, daemon, module, on, work_directory

RUNS = 300  # fewer than the sender's queue holds
ROUNDS = 7
MANY, LOAD_S, WARM_S = 16, 2.0, 1.0
# Two calls a run, and nothing beside them.
PLAIN = {
    "COMPARE_DRAFTS": "off",
    "EVIDENCE_RUN": "off",
    "JUDGE_WHEN": "always",
    "HISTORY_FSYNC": False,
}
CALL = Call("coder", [{"role": "user", "content": PROMPT}], 4096, 1024, 0.0)
REPLY = Reply("def add(a, b):\n    return a + b", "", "stop", 120, 40, 1.0, 20.0, 90.0)


def figures(rounds: int = ROUNDS) -> list[Figure]:
    with _Collector() as collector:
        os.environ["OTEL_EXPORTER_OTLP_ENDPOINT"] = collector.url  # of this and the daemons
        own = asyncio.run(path_us(rounds))
        off, sent = daemons_ms()
    return [
        at_most("traces: processor time that a run waits for", own, 50, "{:.0f} µs"),
        Figure("a daemon without traces, a run", f"{off:.2f} ms of processor"),
        Figure("a daemon with traces, a run, encoding and sending included", f"{sent:.2f} ms"),
    ]


async def path_us(rounds: int) -> float:
    """Microseconds of this thread's processor time that a trace takes from the run's beginning to
    its end, at the median of the rounds."""
    settings = load_settings()
    models, sender = Registry(settings), OtlpSender("http/protobuf", "bench")
    tracer, run = RunTracer(sender), finished_run(settings, models)
    record = record_of(run, REPLY.text, None)
    try:
        took = []
        for _ in range(rounds):
            took.append(one_round(tracer, run, record))
            await asyncio.to_thread(sender.flush)
        return statistics.median(took) / RUNS * 1e6
    finally:
        await sender.close()
        await models.close()


def finished_run(settings: Settings, models: Registry) -> Run:
    """A run as the default mode leaves it: two calls that went well."""
    run = Run(Request(PROMPT), MODES["code_reviewed"], PROMPT, settings, models)
    for stage in ("coder", "judge"):
        with run.step(stage, model="ollama/qwen2.5-coder:7b") as step:
            step.fill(REPLY)
    return run


def one_round(tracer: RunTracer, run: Run, record: dict[str, Any]) -> float:
    begin = time.thread_time()
    for _ in range(RUNS):
        trace = tracer.begin(run)
        for step in run.steps:
            trace.sending([step], CALL)
            trace.received(step, REPLY)
        trace.end(record)
    return time.thread_time() - begin


def daemons_ms() -> tuple[float, float]:
    """Milliseconds of processor time a run, without traces and with them, taking turns."""
    sides: dict[str, list[float]] = {"off": [], "otlp": []}
    with ExitStack() as stack:
        directory = stack.enter_context(work_directory())
        backend = stack.enter_context(module("tools.bench.backend"))
        found: dict[str, Server] = {}
        for side in sides:
            settings = on(backend) | PLAIN | {"TRACES": side}
            found[side] = stack.enter_context(daemon(directory / side, **settings))
            found[side].load(MANY, WARM_S)
        for _ in range(3):
            for side, server in found.items():
                before = server.cpu_s()
                load = server.load(MANY, LOAD_S)
                sides[side].append((server.cpu_s() - before) / load.succeeded * 1000)
    off, sent = (statistics.median(took) for took in sides.values())
    return off, sent


class _Collector:
    """Takes every batch and answers nothing."""

    def __enter__(self) -> "_Collector":
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()


class _Handler(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(200)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--rounds", type=int, default=ROUNDS)
    print(table(figures(options.parse_args().rounds)))


if __name__ == "__main__":
    main()
