"""How long each reader of untrusted text takes at its worst: `python -m tools.fuzz`.

Each reader is given hostile texts of up to `--size` characters (`tools/fuzz/sweep.py` says which),
in a process of its own that is ended after `--limit` seconds of processor time a text. Printed is a
row for each, as it is done; the exit status is 1 where one raised, or took longer than `--most`
though it is called on the event loop.
`--write` puts the rows into tools/fuzz/README.md; `--new` leaves out those that have one there.
"""

import argparse
import sys
from concurrent.futures import ThreadPoolExecutor
from functools import partial

from tools.fuzz import worst_times
from tools.fuzz.beside_loop import BESIDE_LOOP
from tools.fuzz.readers import READERS
from tools.fuzz.sweep import worst

MOST_S = 0.25  # the event loop has other callers


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--size", type=int, default=1_000_000, help="characters of a text")
    options.add_argument("--limit", type=float, default=2.0, help="seconds a text")
    options.add_argument("--most", type=float, default=MOST_S, help="seconds that are allowed")
    options.add_argument("--only", default="", help="readers with this in their name")
    options.add_argument("--whole", action="store_true", help="every text at its full size: hours")
    options.add_argument("--new", action="store_true", help="readers without a row")
    options.add_argument("--write", action="store_true", help="keep the rows")
    options.add_argument("--processes", type=int, default=2)
    asked = options.parse_args()
    known = worst_times.rows() if asked.new else {}
    chosen = [name for name in READERS if asked.only in name and name not in known]
    measure = partial(worst, size=asked.size, limit=asked.limit, whole=asked.whole)
    late = False
    with ThreadPoolExecutor(asked.processes) as pool:
        for name, took in zip(chosen, pool.map(measure, chosen), strict=True):
            print(worst_times.row(name, took), took.fault, flush=True)
            slow = took.seconds > asked.most and name not in BESIDE_LOOP
            late = late or bool(took.fault) or slow
            if asked.write:
                worst_times.write(name, took)
    sys.exit(late)


if __name__ == "__main__":
    main()
