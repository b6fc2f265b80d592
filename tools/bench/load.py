"""A load client that costs next to nothing: `python -m tools.bench.load --port P …`; prints what it
measured as one line of JSON. Each connection sends `POST /prompt` as soon as it has the answer to
the one before, for a time or up to a number of requests."""

import argparse
import asyncio
import json
import statistics
import time
from collections import Counter
from dataclasses import asdict, dataclass, field
from typing import cast

import uvloop

PROMPT = "write a function that adds two numbers"
GIVE_UP_S = 30.0  # beyond the time that was asked for


@dataclass(frozen=True, slots=True)
class Load:
    """What a load came to: requests that were answered with 200 and an output, by the second and
    in milliseconds, and the others by status (`lost`: the connection ended instead)."""

    succeeded: int
    per_s: float
    p50_ms: float
    p99_ms: float
    failed: dict[str, int]


@dataclass
class Clients:
    """What the connections share. `until` is on the performance counter's clock. One request goes
    out even if connecting has taken all the time: no answer at all says nothing of a server."""

    request: bytes
    until: float
    left: int
    open: int
    over: asyncio.Future[None]
    took: list[float] = field(default_factory=list)
    failed: Counter[str] = field(default_factory=Counter)

    def may_go_on(self) -> bool:
        none_yet = not self.took and not self.failed
        if self.left <= 0 or (time.perf_counter() >= self.until and not none_yet):
            return False
        self.left -= 1
        return True

    def gone(self) -> None:
        self.open -= 1
        if not self.open and not self.over.done():
            self.over.set_result(None)


class Connection(asyncio.Protocol):
    """One client: reads answers by their Content-Length."""

    def __init__(self, clients: Clients) -> None:
        self._clients = clients
        self._waits = False
        self._received = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)
        self._next()

    def data_received(self, data: bytes) -> None:
        self._received += data
        head = self._received.find(b"\r\n\r\n")
        if head < 0:
            return
        mark = self._received.lower().find(b"content-length:", 0, head)
        length = int(self._received[mark + 15 : self._received.find(b"\r\n", mark)])
        if len(self._received) < head + 4 + length:
            return
        self._took(self._received[9:12], self._received[head + 4 :])
        self._received, self._waits = b"", False
        self._next()

    def connection_lost(self, exc: Exception | None) -> None:
        if self._waits:
            self._clients.failed["lost"] += 1
        self._clients.gone()

    def _took(self, status: bytes, body: bytes) -> None:
        if status == b"200" and body.startswith(b'{"output"'):
            self._clients.took.append(time.perf_counter() - self._sent)
        else:
            self._clients.failed[status.decode()] += 1

    def _next(self) -> None:
        if not self._clients.may_go_on():
            self._transport.close()
            return
        self._waits = True
        self._sent = time.perf_counter()
        self._transport.write(self._clients.request)


async def load(port: int, concurrent: int, seconds: float, count: int, prompt: str) -> Load:
    """Puts `concurrent` clients on the port for so many seconds, but not beyond `count` requests.
    Raises TimeoutError if answers stay out."""
    body = json.dumps({"prompt": prompt}).encode()
    head = (
        f"POST /prompt HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    return await put_on(port, Connection, head.encode() + body, concurrent, seconds, count)


async def put_on(
    port: int,
    connection: type[Connection],
    request: bytes,
    concurrent: int,
    seconds: float,
    count: int = 10**9,
) -> Load:
    """Puts the request on the port again and again, on `concurrent` connections. Raises
    TimeoutError if answers stay out."""
    loop = asyncio.get_running_loop()
    begin = time.perf_counter()
    clients = Clients(request, begin + seconds, count, concurrent, loop.create_future())
    connects = [
        loop.create_connection(lambda: connection(clients), "127.0.0.1", port)
        for _ in range(concurrent)
    ]
    async with asyncio.timeout(seconds + GIVE_UP_S):
        await asyncio.gather(*connects)
        await clients.over
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
    options.add_argument("--concurrent", type=int, default=1)
    options.add_argument("--seconds", type=float, default=1.0)
    options.add_argument("--count", type=int, default=10**9)
    options.add_argument("--prompt", default=PROMPT)
    found = uvloop.run(load(**vars(options.parse_args())))
    print(json.dumps(asdict(found)))


if __name__ == "__main__":
    main()
