"""Ten minutes under a steady load on a backend that fails, with callers that leave:
`python -m tools.bench.soak [--minutes M]`.

Runs of every mode start at fixed times whatever became of those before, a quarter of the backend's
calls goes wrong, a fifth of the callers leaves early, some follow their run's events. Memory,
descriptors and sockets are seen from outside.
"""

import argparse
import asyncio
import random
import signal
import time
from collections import Counter
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO

import aiohttp
import orjson
import psutil
import uvloop

from pipeline.request import new_id
from tools.bench.figures import Figure, at_most, table
from tools.bench.processes import (
    Server,
    end,
    environment,
    free_port,
    get,
    module,
    on,
    spawn,
    wait_ready,
    work_directory,
)

MINUTES, RUNS_PER_S, FAULTS = 10.0, 50, 0.25
LEAVE, FOLLOW = 0.2, 0.05  # shares of the callers
SAMPLE_S = 5.0
SETTLE_S = 60.0  # first minute: caches fill, the allocator finds its size
SWING_MB = 10.0
QUIET_S = 40.0  # at the end, for pooled connections to time out
WARM_S = 2.0  # before the first sample, for what goes on at the start
PREFIXES = ("", "", "", "///raw ", "///ctx ", "///ctx ///raw ", "///review-only ", "///wrong ")
COMPLAINTS = ("Traceback", "never retrieved", "was destroyed", "Unclosed", "never awaited")


@dataclass(frozen=True, slots=True)
class Sample:
    """The daemon from outside; `at_s` since the load began."""

    at_s: float
    rss_mb: float
    descriptors: int
    sockets: int
    threads: int
    runs: int
    tasks: int


class Watch:
    """Samples of one daemon. Its sockets are those that are connected: a listening one stays."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self._process = psutil.Process(server.process.pid)
        self._begin = time.monotonic()
        self.samples: list[Sample] = []

    def sample(self) -> Sample:
        """Takes one; the daemon has to answer /runs for it, after its sockets were counted."""
        tasks = self._tasks()
        sockets = [c for c in self._process.net_connections("tcp") if c.status != "LISTEN"]
        runs = len(orjson.loads(get(self._server, "/runs")[1])["runs"])
        with self._process.oneshot():
            seen = Sample(
                at_s=time.monotonic() - self._begin,
                rss_mb=self._process.memory_info().rss / 1e6,
                descriptors=self._process.num_fds(),
                sockets=len(sockets),
                threads=self._process.num_threads(),
                runs=runs,
                tasks=tasks,
            )
        self.samples.append(seen)
        return seen

    def swing_mb(self) -> float:
        """How far memory went from where it was when it had settled."""
        settle_s = min(SETTLE_S, self.samples[-1].at_s / 2)
        late = [sample.rss_mb for sample in self.samples if sample.at_s >= settle_s]
        return max(abs(rss - late[0]) for rss in late)

    def lasting_tasks(self) -> int:
        """What there was before the load, and one in which sse-starlette watches for the end."""
        return self.samples[0].tasks + 1

    def _tasks(self) -> int:
        assert self._server.process.stdout
        self._server.process.send_signal(signal.SIGUSR1)
        return int(self._server.process.stdout.readline())


class Callers:
    """Callers of one daemon, each with one run. `outcomes` counts what they came to."""

    def __init__(self, url: str, session: aiohttp.ClientSession) -> None:
        self._url = url
        self._session = session
        self.outcomes: Counter[str] = Counter()

    async def run(self, minutes: float) -> None:
        """Starts runs at the fixed rate and waits for the last of them."""
        loop = asyncio.get_running_loop()
        begin = loop.time()
        async with asyncio.TaskGroup() as group:
            for number in range(int(minutes * 60 * RUNS_PER_S)):
                await asyncio.sleep(max(0.0, begin + number / RUNS_PER_S - loop.time()))
                group.create_task(self._call())

    async def _call(self) -> None:
        run_id = new_id()
        patience = random.random() * 0.2 if random.random() < LEAVE else 60
        try:
            async with asyncio.timeout(patience), asyncio.TaskGroup() as group:
                if random.random() < FOLLOW:
                    group.create_task(self._follow(run_id))
                group.create_task(self._post(run_id))
        except TimeoutError:
            self.outcomes["left" if patience < 1 else "no answer"] += 1

    async def _post(self, run_id: str) -> None:
        words = "number " * random.randrange(500)
        prompt = f"{random.choice(PREFIXES)}add up, please: {words}{random.random()}"
        body = {"prompt": prompt, "session": random.choice((None, "a", "b"))}
        head = {"X-Laios-Run-Id": run_id}
        try:
            async with self._session.post(f"{self._url}/prompt", json=body, headers=head) as got:
                answer = await got.json()
                self.outcomes[answer["error"]["code"] if "error" in answer else "ok"] += 1
        except aiohttp.ClientError as error:
            self.outcomes[type(error).__name__] += 1

    async def _follow(self, run_id: str) -> None:
        await asyncio.sleep(0.01)
        with suppress(aiohttp.ClientError):
            async with self._session.get(f"{self._url}/runs/{run_id}/events") as events:
                async for _ in events.content:
                    pass


def figures(minutes: float = MINUTES, show: bool = False) -> list[Figure]:
    with ExitStack() as stack:
        directory = stack.enter_context(work_directory())
        backend = stack.enter_context(module("tools.bench.backend", f"--faults={FAULTS}"))
        log = stack.enter_context((directory / "log").open("w+"))
        server = watched(stack, directory, log, backend)
        time.sleep(WARM_S)
        watch = Watch(server)
        watch.sample()
        outcomes = uvloop.run(soak(server, watch, minutes))
        last = quiet(watch)
        code = end(server.process)
        log.seek(0)
        complaints = [line for line in log if any(word in line for word in COMPLAINTS)]
    if show:
        print(timeline(watch.samples), end="\n\n")
        print("outcomes:", ", ".join(f"{n:,} {name}" for name, n in outcomes.most_common()))
        print("".join(complaints[:10]))
    total, change = sum(outcomes.values()), "soak: change of memory after the first minute"
    return [
        Figure(f"soak: runs in {minutes:g} min", f"{total:,} ({outcomes['ok']:,} ok)"),
        at_most(change, watch.swing_mb(), SWING_MB, "{:.1f} MB"),
        at_most("soak: runs left", last.runs, 0, "{}"),
        at_most("soak: sockets left", last.sockets, 0, "{}"),
        at_most("soak: tasks left", last.tasks, watch.lasting_tasks(), "{}"),
        at_most("soak: complaints in the log", len(complaints), 0, "{}"),
        at_most("soak: exit code", code, 0, "{}"),
    ]


def watched(stack: ExitStack, directory: Path, log: IO[str], backend: Server) -> Server:
    """The daemon, started and ready."""
    settings = on(backend) | {
        "PORT": free_port(),
        "HISTORY_DIR": directory / "history",
        "MODEL_TIMEOUT_S": 1.5,
        "HISTORY_MAX_FILES": 20,
    }
    env = environment(directory, **settings)
    server = stack.enter_context(spawn("tools.bench.watched", int(str(settings["PORT"])), env, log))
    wait_ready(server)
    return server


async def soak(server: Server, watch: Watch, minutes: float) -> Counter[str]:
    connector = aiohttp.TCPConnector(limit=0)
    async with aiohttp.ClientSession(connector=connector) as session:
        callers = Callers(server.url, session)
        running = asyncio.create_task(callers.run(minutes))
        while not running.done():
            await asyncio.wait([running], timeout=SAMPLE_S)
            await asyncio.to_thread(watch.sample)
        await running
        return callers.outcomes


def quiet(watch: Watch) -> Sample:
    """The sample after the load, once nothing is left of it or the time for that is over."""
    until = time.monotonic() + QUIET_S
    while True:
        seen = watch.sample()
        left = seen.runs or seen.sockets or seen.tasks > watch.lasting_tasks()
        if not left or time.monotonic() > until:
            return seen
        time.sleep(2)


def timeline(samples: list[Sample]) -> str:
    """About twenty of the samples as a Markdown table."""
    every = max(1, len(samples) // 20)
    shown = samples[:-1:every] + samples[-1:]
    rows = ["| s | MB | descriptors | sockets | threads | runs | tasks |", "|--|--|--|--|--|--|--|"]
    rows += [
        f"| {s.at_s:.0f} | {s.rss_mb:.1f} | {s.descriptors} | {s.sockets} | {s.threads} "
        f"| {s.runs} | {s.tasks} |"
        for s in shown
    ]
    return "\n".join(rows)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--minutes", type=float, default=MINUTES)
    print(table(figures(options.parse_args().minutes, show=True)))


if __name__ == "__main__":
    main()
