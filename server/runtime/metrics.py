"""`GET /metrics`: what happened, in Prometheus' text format.

Everything about a run is read off its record when it is over; what is going on now (queue, history)
is asked for at each scrape. No label carries text of a prompt, and their values are few.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from history.index_row import reason_of

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
SECONDS = (0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 25, 50, 100, 250, 600)

Gauges = Callable[[], Mapping[str, float]]


class Metrics:
    """The numbers of one process."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        self._runs = self._counter("runs", "Runs by mode and outcome.", "mode", "outcome")
        self._escalations = self._counter("escalations", "Escalated runs by reason.", "reason")
        self._tokens = self._counter("tokens", "Tokens by model and kind.", "model", "kind")
        self._loads = self._counter("model_loads", "Calls that had to load a model.", "model")
        self._run_seconds = self._histogram("run_seconds", "Run time, waiting excluded.", "mode")
        self._stage_seconds = self._histogram("stage_seconds", "Stage time.", "stage", "model")
        self._wait_seconds = self._histogram("queue_wait_seconds", "Waiting for a turn.")
        self._lag_seconds = self._histogram(
            "event_loop_lag_seconds", "How long what was ready waited for the event loop."
        )

    def watch(self, gauges: Gauges) -> None:
        """Adds numbers that are asked for at each scrape, by name."""
        self._registry.register(_Live(gauges))

    def observe(self, record: Mapping[str, Any]) -> None:
        """Takes in a run that is over."""
        outcome = record["error"]["code"] if record["error"] else "ok"
        self._runs.labels(record["mode"], outcome).inc()
        self._run_seconds.labels(record["mode"]).observe(record["duration_ms"] / 1000)
        if record["escalated"]:
            self._escalations.labels(escalation_kind(record)).inc()
        for step in record["steps"]:
            self._observe_step(step)

    def observe_lag(self, seconds: float) -> None:
        self._lag_seconds.observe(seconds)

    def _observe_step(self, step: Mapping[str, Any]) -> None:
        model = step["model"] or ""
        self._stage_seconds.labels(step["stage"], model).observe((step["duration_ms"] or 0) / 1000)
        for kind in ("prompt", "output"):
            self._tokens.labels(model, kind).inc(step[f"{kind}_tokens"] or 0)
        if (step["load_ms"] or 0) > LOADED_MS:
            self._loads.labels(model).inc()
        if step["queue_ms"] is not None:
            self._wait_seconds.observe(step["queue_ms"] / 1000)

    def text(self) -> bytes:
        return generate_latest(self._registry)

    def _counter(self, name: str, help: str, *labels: str) -> Counter:
        return Counter(name, help, labels, namespace="laios", registry=self._registry)

    def _histogram(self, name: str, help: str, *labels: str) -> Histogram:
        return Histogram(
            name, help, labels, namespace="laios", registry=self._registry, buckets=SECONDS
        )


LOADED_MS = 50.0  # Ollama reports a few milliseconds also for a model that is loaded


def escalation_kind(record: Mapping[str, Any]) -> str:
    """The reason in a word, see `reason_of`."""
    judge = record["judge"]
    return reason_of(record["escalation_reason"] or "", bool(judge and judge["error"]))


class _Live(Collector):
    def __init__(self, gauges: Gauges) -> None:
        self._gauges = gauges

    def collect(self) -> Iterable[Metric]:
        for name, value in self._gauges().items():
            yield GaugeMetricFamily(f"laios_{name}", name.replace("_", " "), value=value)
