"""What a process that carries out runs is made of: the daemon, and `laios run` without one."""

from dataclasses import dataclass
from typing import cast

from starlette.requests import Request

from config import Settings, cache_dir
from documents.documents import Documents
from history import History
from history.similar import Similar
from pipeline.memory import Memory
from pipeline.models.registry import Models
from pipeline.scheduler import Scheduler
from server.frontends.joining import Joiner
from server.metrics import Metrics, history_gauges


@dataclass(frozen=True, slots=True)
class Parts:
    settings: Settings
    models: Models
    history: History
    scheduler: Scheduler
    joiner: Joiner
    metrics: Metrics

    async def close(self) -> None:
        """Gives back connections and processes, and waits for the records that are under way."""
        await self.models.close()
        await self.history.close()


def assemble(settings: Settings) -> Parts:
    models = Models(settings)
    history = History(
        settings.HISTORY_DIR,
        cache_dir(),
        max_entries=settings.HISTORY_MAX_ENTRIES,
        max_files=settings.HISTORY_MAX_FILES,
        fsync=settings.HISTORY_FSYNC,
    )
    metrics = Metrics()
    memory = None
    if history.index:
        memory = Memory(Similar(history.index, history.reader), models.embed)
    documents = Documents(settings.DOCS_DIR, models.embed)
    scheduler = Scheduler(settings, models, history, [metrics.observe], memory, documents)
    metrics.watch(lambda: live_gauges(scheduler, history))
    return Parts(settings, models, history, scheduler, Joiner(scheduler), metrics)


def live_gauges(scheduler: Scheduler, history: History) -> dict[str, float]:
    """What `GET /metrics` says of this moment."""
    queued = len(scheduler.queue)
    now = {"queued_runs": float(queued), "running_runs": float(len(scheduler.runs()) - queued)}
    return now | history_gauges(history.state())


def parts_of(http: Request) -> Parts:
    """The parts, in a route."""
    return cast(Parts, http.app.state.parts)
