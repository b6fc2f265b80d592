"""All quick benchmarks as one Markdown table: `python -m tools.bench [--records N] [--soak M]`.

With the defaults it takes about three minutes. `--records 1000000 --soak 10` is the whole of it.
"""

import argparse

from tools.bench import dashboard, history, overhead, sandbox, soak, startup, streams, traces
from tools.bench.figures import circumstances, table


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--records", type=int, default=100_000, help="length of the long history")
    options.add_argument("--soak", type=float, default=0.0, metavar="MINUTES", help="0: none")
    arguments = options.parse_args()
    begun = circumstances()
    found = [*startup.figures(), *overhead.figures(), *streams.figures()]
    found += traces.figures()
    found += history.figures(arguments.records)
    found += dashboard.figures(arguments.records)
    found += sandbox.figures()
    if arguments.soak:
        found += soak.figures(arguments.soak)
    print(f"{begun}\n\n{table(found)}")


if __name__ == "__main__":
    main()
