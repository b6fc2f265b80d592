"""What a process that carries out runs is made of: the daemon, and `laios run` without one."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from starlette.requests import Request

import pipeline.capabilities  # noqa: F401  (fills MODES)
from config import ConfigError, Settings, cache_dir, otlp_protocol
from history.append_log import check_writable
from history.reader import Reader
from history.run_index import Index
from history.similar_runs import SimilarRuns
from history.store import Store
from pipeline.memory import Memory
from pipeline.models.registry import Registry
from pipeline.request import new_id
from pipeline.scheduler import Scheduler
from pipeline.tracing import Tracer
from retrieval.index_retriever import IndexRetriever
from server.runtime.deduplication import Deduplicator
from server.runtime.metrics import Metrics

if TYPE_CHECKING:
    from server.tracing.otlp_sender import OtlpSender


@dataclass(frozen=True, slots=True)
class Container:
    settings: Settings
    models: Registry
    store: Store
    reader: Reader
    index: Index
    scheduler: Scheduler
    documents: IndexRetriever
    deduplicator: Deduplicator
    metrics: Metrics
    traces: "OtlpSender | None" = None

    async def close(self) -> None:
        """Gives back connections and processes, and waits for the records that are under way."""
        await self.models.close()
        await self.store.close()
        if self.traces:
            await self.traces.close()


def require_history(settings: Settings) -> None:
    """Raises ConfigError where no run could be recorded: better no answer than a forgotten one."""
    try:
        check_writable(settings.HISTORY_DIR)
    except OSError as error:
        raise ConfigError(
            f"The history cannot be written in {settings.HISTORY_DIR}: {error.strerror or error}. "
            "Make it writable, or set HISTORY_DIR to a directory that is; `laios doctor` says more."
        ) from None


def store_of(settings: Settings) -> Store:
    """The history as the settings bound it."""
    return Store(
        settings.HISTORY_DIR,
        max_entries=settings.HISTORY_MAX_ENTRIES,
        max_files=settings.HISTORY_MAX_FILES,
        fsync=settings.HISTORY_FSYNC,
    )


def assemble(settings: Settings) -> Container:
    """Raises ConfigError for traces that cannot be sent as the settings say."""
    traces = traces_of(settings)
    models = Registry(settings)
    store = store_of(settings)
    metrics = Metrics()
    reader = Reader(settings.HISTORY_DIR)
    index = Index(settings.HISTORY_DIR, cache_dir())
    documents = IndexRetriever(settings.DOCS_DIR, models.embed)
    memory = Memory(SimilarRuns(index), models.embed)
    scheduler = Scheduler(
        settings,
        models,
        store,
        reader,
        [metrics.observe],
        memory,
        documents,
        _tracer(traces),
    )
    metrics.watch(lambda: live_gauges(scheduler, store))
    return Container(
        settings=settings,
        models=models,
        store=store,
        reader=reader,
        index=index,
        scheduler=scheduler,
        documents=documents,
        deduplicator=Deduplicator(scheduler),
        metrics=metrics,
        traces=traces,
    )


def traces_of(settings: Settings) -> "OtlpSender | None":
    """Where traces are sent, if they are on. Raises ConfigError without the extra."""
    protocol = otlp_protocol() if settings.TRACES == "otlp" else None
    if protocol is None:
        return None
    try:
        from server.tracing.otlp_sender import OtlpSender

        return OtlpSender(protocol, new_id())
    except ImportError as error:
        raise ConfigError(
            f"TRACES is otlp, and OpenTelemetry is not installed ({error}). In the repository: "
            "`uv tool install '.[otel]'`; or set TRACES to off."
        ) from None


def _tracer(sender: "OtlpSender | None") -> Tracer | None:
    if sender is None:
        return None
    from server.tracing.run_trace import RunTracer

    return RunTracer(sender)


def live_gauges(scheduler: Scheduler, store: Store) -> dict[str, float]:
    """What `GET /metrics` says of this moment."""
    queued, history = len(scheduler.queue), store.state()
    return {
        "queued_runs": float(queued),
        "running_runs": float(len(scheduler.runs()) - queued),
        "history_ok": float(history.ok),
        "history_pending_records": float(history.pending),
        "history_lost_records": float(history.lost),
        "history_written_records": float(history.written),
    }


def container_of(http: Request) -> Container:
    """The parts, in a route."""
    return cast(Container, http.app.state.parts)
