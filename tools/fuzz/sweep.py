"""The longest time that a reader takes: measured in a process that can be ended.

Every text is tried short, at two sizes. The slowest of them, and those whose time grows fastest,
are tried at the sizes that count: the most that is parsed of a text, of a file, and the whole.
"""

import multiprocessing
import signal
import time
from collections.abc import Iterable, Iterator
from multiprocessing.connection import Connection
from typing import NamedTuple

from tools.fuzz.hostile_texts import TEXTS
from tools.fuzz.readers import READERS

SHORT, LONGER, PARSED, FILE = 4_000, 20_000, 60_000, 250_000  # characters
_LONG = 12  # texts of each choice
_SHORTEST_S = 50e-6  # what takes less shows nothing of how it grows

_PROCESSES = multiprocessing.get_context("forkserver")
_PROCESSES.set_forkserver_preload([__name__])  # to import all readers takes a second


class Took(NamedTuple):
    """`seconds` of processor time for `size` characters of the text with that name; `fault` is what
    was raised."""

    seconds: float
    text: str
    size: int
    fault: str = ""


def worst(reader: str, size: int, limit: float, whole: bool = False) -> Took:
    """Of all texts, or of those up to the first that takes `limit` seconds; `whole` tries each at
    the full size, which takes twenty times as long. With the first fault of any text."""
    found = list(_measured(reader, [(name, size) for name in TEXTS], limit)) if whole else []
    for length in () if whole else (SHORT, LONGER):
        found += _measured(reader, [(name, min(size, length)) for name in TEXTS], limit)
    if size > LONGER and not whole and _slowest(found).seconds < limit:
        chosen = _chosen(found[: len(TEXTS)], found[len(TEXTS) :])
        for length in sorted({min(size, each) for each in (PARSED, FILE, size)}):
            found += _measured(reader, [(name, length) for name in chosen], limit)
    fault = next((each.fault for each in found if each.fault), "")
    return _slowest(found)._replace(fault=fault)


def _slowest(found: Iterable[Took]) -> Took:
    return max(found, key=lambda each: each.seconds)


def _chosen(short: list[Took], longer: list[Took]) -> list[str]:
    slow = sorted(longer, key=lambda each: each.seconds)[-_LONG:]
    grown = [
        (after.seconds / max(before.seconds, _SHORTEST_S), after.text)
        for before, after in zip(short, longer, strict=True)
        if after.seconds > _SHORTEST_S
    ]
    fast = [text for _, text in sorted(grown)[-_LONG:]]
    return list(dict.fromkeys([*(each.text for each in slow), *fast]))


def _measured(reader: str, chosen: list[tuple[str, int]], limit: float) -> Iterator[Took]:
    here, there = _PROCESSES.Pipe(duplex=False)
    process = _PROCESSES.Process(target=_measure, args=(there, reader, chosen, limit), daemon=True)
    process.start()
    there.close()
    for name, size in chosen:
        try:
            seconds, fault = here.recv()
        except EOFError:  # the timer has ended the process
            yield Took(limit, name, size)
            break
        yield Took(seconds, name, size, fault)
    process.join()


def _measure(out: Connection, reader: str, chosen: list[tuple[str, int]], limit: float) -> None:
    read = READERS[reader]
    read("x")
    for name, size in chosen:
        text, fault = TEXTS[name](size), ""
        signal.setitimer(signal.ITIMER_PROF, limit)  # its signal ends even a call into C
        began = time.process_time()
        try:
            read(text)
        except Exception as error:
            fault = repr(error)[:200]
        took = time.process_time() - began
        signal.setitimer(signal.ITIMER_PROF, 0)
        out.send((took, fault))
