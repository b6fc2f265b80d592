"""Processes that each have the weights loaded, for the evaluation."""

import os
import sys
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from contextlib import contextmanager
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeVar

from tools.starter.bench import Bench

T = TypeVar("T")

_bench: Bench


def bench() -> Bench:
    """The weights of this worker."""
    return _bench


def _start(models: Path, folder: str) -> None:
    global _bench
    _bench = Bench(models)
    os.chdir(folder)  # where generated shell code does no harm


@contextmanager
def workers(models: Path, count: int) -> Iterator[ProcessPoolExecutor]:
    """A pool of processes that have loaded the weight files of a folder."""
    with TemporaryDirectory(prefix="laios-evaluate-") as folder:
        pool = ProcessPoolExecutor(
            count, get_context("spawn"), initializer=_start, initargs=(models.absolute(), folder)
        )
        with pool:
            yield pool


def collect(title: str, futures: Iterable["Future[T]"]) -> Iterator[T]:
    """The results as they come, with progress on stderr."""
    waiting: set[Future[Any]] = set(futures)
    total, shown = len(waiting), sys.stderr.isatty()
    for done, future in enumerate(as_completed(waiting), 1):
        if shown:
            print(f"\r{title}: {done} of {total} ", end="", file=sys.stderr, flush=True)
        yield future.result()
    print(f"\r{title}: {total} of {total} ", file=sys.stderr, flush=True)
