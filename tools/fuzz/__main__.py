"""How long each reader of untrusted text takes at its worst: `python -m tools.fuzz`.

Every reader is given every hostile text of `--size` characters, in a process of its own that is
ended after `--limit` seconds a text. Printed is a table of the readers with the text that took
longest, the slowest first; the exit status is 1 where one took longer than `--most`, or raised.
"""

import argparse
import sys
from concurrent.futures import ThreadPoolExecutor
from functools import partial

from tools.fuzz.readers import READERS
from tools.fuzz.sweep import worst

MOST_S = 0.25  # the event loop has other callers


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--size", type=int, default=1_000_000, help="characters of a text")
    options.add_argument("--limit", type=float, default=2.0, help="seconds a text")
    options.add_argument("--most", type=float, default=MOST_S, help="seconds that are allowed")
    options.add_argument("--only", default="", help="readers with this in their name")
    options.add_argument("--processes", type=int, default=2)
    asked = options.parse_args()
    chosen = [name for name in READERS if asked.only in name]
    with ThreadPoolExecutor(asked.processes) as pool:
        found = list(pool.map(partial(worst, size=asked.size, limit=asked.limit), chosen))
    found.sort(key=lambda each: each.seconds, reverse=True)
    for each in found:
        late = "more than " if each.seconds >= asked.limit else ""
        print(f"{late}{each.seconds:.3f} s  {each.reader}: {each.text}  {each.fault}".rstrip())
    sys.exit(any(each.fault or each.seconds > asked.most for each in found))


if __name__ == "__main__":
    main()
