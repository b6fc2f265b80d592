"""A batch as a job of Ray Data: the cluster schedules, autoscales and repeats what a lost node had
at work."""

import logging
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass
from typing import Any, cast

import pyarrow
import ray
import ray.data

from config import Settings
from pipeline.request import new_id
from server.batch.answer_parts import AnswerParts
from server.batch.batch_job import BatchCounts, is_wanted
from server.batch.batch_runner import BatchPolicy
from server.batch.ray_pipeline import PipelineActor
from server.batch.ray_requests import SCHEMA, read_dataset
from server.batch.requests_file import RequestsError, faults_text

CONNECT_S = 5.0
CALLS_AT_A_TIME = 2  # of an actor: while the last rows of one are at work, the next has begun
ACTOR_CPUS = 0.5  # it waits for models most of the time
ROWS_PER_TURN = 4  # rows that an actor is given at once, for each request that it may ask at a time
# The node's own: where it keeps what, and who may call it.
_OF_THE_NODE = {"HOST", "PORT", "API_TOKEN", "ALLOWED_HOSTS", "ALLOWED_ORIGINS"}
_OF_THE_NODE |= {"HISTORY_DIR", "DOCS_DIR", "MODELS_DIR"}


class ClusterError(Exception):
    """The cluster cannot be had, or could not go on; the message says why."""


@dataclass(slots=True)
class Selection:
    """What a pass over all requests has found: the ids to ask now, and what has become of all."""

    wanted: list[str]
    counts: BatchCounts


@contextmanager
def connected(address: str) -> Iterator[None]:
    """Within the block, jobs run on the cluster there. Its nodes have laios installed, and put its
    packages on the path of the workers. Raises ClusterError."""
    with redirect_stdout(sys.stderr):  # Ray tells there what it has to say of lost nodes
        _connect(address)
        try:
            yield
        except ray.exceptions.RayError as error:
            raise ClusterError(f"The job broke: {error}") from None
        finally:
            ray.shutdown()


def _connect(address: str) -> None:
    _refuse_where_nobody_listens(address)
    environment = {"worker_process_setup_hook": "laios.launcher.put_ours_first"}
    logging.getLogger("ray.data").setLevel(logging.ERROR)
    try:
        ray.init(
            address,
            runtime_env=environment,
            log_to_driver=False,
            logging_level=logging.ERROR,
        )
    except (OSError, ValueError, RuntimeError, ray.exceptions.RayError) as error:
        raise ClusterError(f"No Ray cluster at {address}: {error}") from None
    ray.data.DataContext.get_current().enable_progress_bars = False


def _refuse_where_nobody_listens(address: str) -> None:
    """Ray itself would look for minutes. Raises ClusterError."""
    if address == "local":
        raise ClusterError("Start a cluster first: ray start --head; then: --ray auto")
    host, _, port = address.rpartition(":")
    if not (host and port.isdigit()):
        return
    try:
        socket.create_connection((host, int(port)), CONNECT_S).close()
    except (OSError, OverflowError) as error:
        raise ClusterError(f"No Ray cluster at {address}: {error}") from None


class RayBatch:
    """A batch of the requests at `source`, answered into `output`; both have to be reached from
    every node. Raises RequestsError and JournalError."""

    def __init__(self, source: str, output: str, mode: str | None) -> None:
        self._requests = read_dataset(source, mode)
        self._parts = AnswerParts(output)

    def select(self, where: str | None, limit: int | None) -> Selection:
        """Looks at every request before any is asked. Raises RequestsError and OtherRequest."""
        known = self._parts.known()
        faults: list[str] = []
        wanted: list[str] = []
        ids: set[str] = set()
        for row in _rows(self._requests.select_columns(["id", "digest", "fault"])):
            if row["fault"] is None and row["id"] in ids:
                row["fault"] = f"The id {row['id']!r} is used twice; identical lines need ids, too."
            if row["fault"] is not None:
                faults.append(row["fault"])
                continue
            ids.add(row["id"])
            if is_wanted(row["id"], row["digest"], known, where):
                wanted.append(row["id"])
        if faults:
            raise RequestsError(faults_text(faults))
        now = wanted[:limit]
        return Selection(now, BatchCounts.begun(ids, known, now))

    def run(
        self, settings: Settings, policy: BatchPolicy, actors: tuple[int, int], chosen: Selection
    ) -> Iterator[tuple[str, str | None]]:
        """Each answered request's id and the code of its error, as they are written. `actors`: the
        least and the most of them. Raises RayError."""
        if not chosen.wanted:
            return
        rows = policy.concurrency * ROWS_PER_TURN
        wanted = None if len(chosen.wanted) == chosen.counts.total else frozenset(chosen.wanted)
        outcomes = (
            self._requests.select_columns(SCHEMA.names)
            .repartition(target_num_rows_per_block=rows)
            .map_batches(
                PipelineActor,
                batch_size=None,
                batch_format="pyarrow",
                compute=ray.data.ActorPoolStrategy(
                    min_size=actors[0],
                    max_size=actors[1],
                    max_concurrent_calls_per_actor=CALLS_AT_A_TIME,
                ),
                num_cpus=ACTOR_CPUS,
                fn_constructor_args=(
                    settings.model_dump(exclude=_OF_THE_NODE),
                    self._parts.address,
                    new_id(),
                    policy,
                    wanted,
                ),
            )
        )
        for row in _rows(outcomes):
            yield row["id"], row["error"]


def _rows(dataset: "ray.data.Dataset") -> Iterator[dict[str, Any]]:
    tables = dataset.iter_batches(batch_size=None, batch_format="pyarrow", prefetch_batches=0)
    for table in cast("Iterator[pyarrow.Table]", tables):
        yield from table.to_pylist()
