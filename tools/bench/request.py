"""The load client for any request: `python -m tools.bench.request --port P --file F …`; prints what
it measured as one line of JSON, as `tools.bench.load` does. The file holds the request as it goes
out, head and body; an answer counts when it has status 200 and the fake's code in it."""

import argparse
import asyncio
import json
import statistics
import time
from dataclasses import asdict
from pathlib import Path

import uvloop

from tools.bench.load import GIVE_UP_S, Clients, Connection, Load

ANSWER = b"def add(a, b)"


class Asking(Connection):
    """One client, which looks for the code in whatever form the answer has."""

    def _took(self, status: bytes, body: bytes) -> None:
        if status == b"200" and ANSWER in body:
            self._clients.took.append(time.perf_counter() - self._sent)
        else:
            self._clients.failed[status.decode()] += 1


async def load(port: int, request: bytes, concurrent: int, seconds: float) -> Load:
    """Puts `concurrent` clients on the port for so many seconds. Raises TimeoutError if answers
    stay out."""
    loop = asyncio.get_running_loop()
    over: asyncio.Future[None] = loop.create_future()
    begin = time.perf_counter()
    clients = Clients(request, begin + seconds, 10**9, concurrent, over)
    connects = [
        loop.create_connection(lambda: Asking(clients), "127.0.0.1", port)
        for _ in range(concurrent)
    ]
    async with asyncio.timeout(seconds + GIVE_UP_S):
        await asyncio.gather(*connects)
        await over
    elapsed = time.perf_counter() - begin
    took = sorted(clients.took) or [float("nan")]
    return Load(
        succeeded=len(clients.took),
        per_s=len(clients.took) / elapsed,
        p50_ms=statistics.median(took) * 1000,
        p99_ms=took[int(0.99 * len(took))] * 1000,
        failed=dict(clients.failed),
    )


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--port", type=int, required=True)
    options.add_argument("--file", type=Path, required=True)
    options.add_argument("--concurrent", type=int, default=1)
    options.add_argument("--seconds", type=float, default=1.0)
    asked = options.parse_args()
    measuring = load(asked.port, asked.file.read_bytes(), asked.concurrent, asked.seconds)
    print(json.dumps(asdict(uvloop.run(measuring))))


if __name__ == "__main__":
    main()
