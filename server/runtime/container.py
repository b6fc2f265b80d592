"""What a process that carries out runs is made of: the daemon, and `laios run` without one."""

from dataclasses import dataclass
from typing import cast

from starlette.requests import Request

import pipeline.capabilities  # noqa: F401  (fills MODES)
from config import Settings, cache_dir
from history import Index, Reader, Store
from history.similar_runs import SimilarRuns
from pipeline.memory import Memory
from pipeline.models.registry import Registry
from pipeline.scheduler import Scheduler
from retrieval.index_retriever import IndexRetriever
from server.runtime.deduplication import Deduplicator
from server.runtime.metrics import Metrics, history_gauges


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

    async def close(self) -> None:
        """Gives back connections and processes, and waits for the records that are under way."""
        await self.models.close()
        await self.store.close()


def assemble(settings: Settings) -> Container:
    models = Registry(settings)
    store = Store(
        settings.HISTORY_DIR,
        max_entries=settings.HISTORY_MAX_ENTRIES,
        max_files=settings.HISTORY_MAX_FILES,
        fsync=settings.HISTORY_FSYNC,
    )
    metrics = Metrics()
    reader = Reader(settings.HISTORY_DIR)
    index = Index(settings.HISTORY_DIR, cache_dir())
    similar = SimilarRuns(index, reader)
    documents = IndexRetriever(settings.DOCS_DIR, models.embed)
    memory = Memory(similar, models.embed)
    scheduler = Scheduler(settings, models, store, reader, [metrics.observe], memory, documents)
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
    )


def live_gauges(scheduler: Scheduler, store: Store) -> dict[str, float]:
    """What `GET /metrics` says of this moment."""
    queued = len(scheduler.queue)
    now = {"queued_runs": float(queued), "running_runs": float(len(scheduler.runs()) - queued)}
    return now | history_gauges(store.state())


def container_of(http: Request) -> Container:
    """The parts, in a route."""
    return cast(Container, http.app.state.parts)
