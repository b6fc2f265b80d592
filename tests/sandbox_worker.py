"""Runs sandboxes for a test as another user: requests as JSON lines on stdin, outcomes on stdout.
Started by sandboxes.py; it needs the standard library and the files that sandboxes.py copies."""

import asyncio
import base64
import json
import sys
from dataclasses import asdict

from pipeline.sandbox import Limits, run


def main() -> None:
    for line in sys.stdin:
        request = json.loads(line)
        limits = Limits(**request.pop("limits"))
        outcome = asdict(asyncio.run(run(limits=limits, **request)))
        outcome["report"] = base64.b64encode(outcome["report"]).decode()
        print(json.dumps(outcome), flush=True)


if __name__ == "__main__":
    main()
