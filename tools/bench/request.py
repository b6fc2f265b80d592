"""The load client for any request: `python -m tools.bench.request --port P --file F …`; prints what
it measured as one line of JSON, as `tools.bench.load` does. The file holds the request as it goes
out, head and body; an answer counts when it has status 200 and the fake's code in it."""

import argparse
import json
import time
from dataclasses import asdict
from pathlib import Path

import uvloop

from tools.bench.load import Connection, put_on

ANSWER = b"def add(a, b)"


class Asking(Connection):
    """One client, which looks for the code in whatever form the answer has."""

    def _took(self, status: bytes, body: bytes) -> None:
        if status == b"200" and ANSWER in body:
            self._clients.took.append(time.perf_counter() - self._sent)
        else:
            self._clients.failed[status.decode()] += 1


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--port", type=int, required=True)
    options.add_argument("--file", type=Path, required=True)
    options.add_argument("--concurrent", type=int, default=1)
    options.add_argument("--seconds", type=float, default=1.0)
    asked = options.parse_args()
    request = asked.file.read_bytes()
    measuring = put_on(asked.port, Asking, request, asked.concurrent, asked.seconds)
    print(json.dumps(asdict(uvloop.run(measuring))))


if __name__ == "__main__":
    main()
