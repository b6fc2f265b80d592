"""The longest time that a reader takes: measured in a process that can be ended."""

import multiprocessing
import time
from collections.abc import Iterator
from multiprocessing.connection import Connection
from typing import NamedTuple

from tools.fuzz.hostile_texts import texts
from tools.fuzz.readers import READERS

_PROCESSES = multiprocessing.get_context("forkserver")
_PROCESSES.set_forkserver_preload([__name__])  # to import all readers takes a second


class Worst(NamedTuple):
    """`text` is the name of the text that took longest; `fault` what was raised first."""

    reader: str
    seconds: float
    text: str
    fault: str = ""


def worst(reader: str, size: int, limit: float) -> Worst:
    """Of all texts; `limit` seconds are given to each."""
    found, start = Worst(reader, 0.0, ""), 0
    names = [name for name, _ in texts(size)]
    while start < len(names):
        for each in _from(reader, start, size, limit):
            slower = max(found, each, key=lambda one: one.seconds)
            found = slower._replace(fault=found.fault or each.fault)
            start += 1
    return found


def _from(reader: str, start: int, size: int, limit: float) -> Iterator[Worst]:
    """From the text at `start` to the last, or to the first that takes too long."""
    names = [name for name, _ in texts(size)][start:]
    here, there = _PROCESSES.Pipe(duplex=False)
    process = _PROCESSES.Process(target=_measure, args=(there, reader, start, size), daemon=True)
    process.start()
    there.close()
    here.recv()
    for name in names:
        if not here.poll(limit):
            process.kill()
            yield Worst(reader, limit, name)
            break
        yield Worst(reader, *here.recv())
    process.join()


def _measure(out: Connection, reader: str, start: int, size: int) -> None:
    read = READERS[reader]
    read("x")
    out.send(None)
    for number, (name, text) in enumerate(texts(size)):
        if number < start:
            continue
        began, fault = time.perf_counter(), ""
        try:
            read(text)
        except Exception as error:
            fault = repr(error)[:200]
        out.send((time.perf_counter() - began, name, fault))
