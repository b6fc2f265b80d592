"""laios beside two gateways that only pass a call on:
`python -m tools.bench.peers --litellm PROGRAM --gateway SCRIPT [--rounds N]`.

Every request is one model call to a backend that answers at once, with the same messages. The
peers, litellm's proxy (Python) and Portkey's gateway (node), keep no record; laios writes its
history, with and without sync. All sides take turns in one run. The peers are no dependencies of
laios: one that is not named is left out, and the table says how to get it.
"""

import argparse
import importlib.util
import statistics
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path

from tools.bench.figures import Figure, at_least, at_most, circumstances, table
from tools.bench.load import Load
from tools.bench.openai_backend import MODEL
from tools.bench.processes import module, work_directory
from tools.bench.sides import MANY, Side, laios, portkey, proxy, versions

ROUNDS = 5
SECONDS, WARM_S = 1.0, 1.0
UNSYNCED, SYNCED, OVER_LITELLM = "laios, not synced", "laios, synced", "laios over litellm, synced"
PROXY, GATEWAY = "litellm's proxy", "Portkey's gateway"
MISSING = {
    PROXY: "not here: `pip install 'litellm[proxy]'`, then `--litellm PROGRAM`",
    GATEWAY: "not here: `npm install @portkey-ai/gateway`, then `--gateway …/start-server.js`",
}


def figures(
    litellm: Path | None, gateway: Path | None, rounds: int, seconds: float
) -> list[Figure]:
    with ExitStack() as stack:
        directory = stack.enter_context(work_directory())
        backend = stack.enter_context(module("tools.bench.openai_backend"))
        sides = {UNSYNCED: stack.enter_context(laios(directory / "unsynced", backend, fsync=False))}
        sides[SYNCED] = stack.enter_context(laios(directory / "synced", backend))
        if importlib.util.find_spec("litellm"):
            model = f"hosted_vllm/{MODEL}"
            sides[OVER_LITELLM] = stack.enter_context(laios(directory / "over", backend, model))
        if litellm:
            sides[PROXY] = stack.enter_context(proxy(directory / "proxy", backend, litellm))
        if gateway:
            sides[GATEWAY] = stack.enter_context(portkey(directory / "gateway", backend, gateway))
        for side in sides.values():
            side.load(1, WARM_S)  # alone: the first call may import for seconds
            side.load(MANY, WARM_S)
        for _ in range(rounds):
            for side in sides.values():
                side.measure_one(seconds)
            for side in sides.values():
                side.measure_many(seconds)
    return [*ratios(sides), *orientation(sides)]


def ratios(sides: Mapping[str, Side]) -> list[Figure]:
    """laios to each peer, each figure the median of the rounds' ratios."""
    found = []
    for peer in (PROXY, GATEWAY):
        for ours in (UNSYNCED, SYNCED) if peer in sides else ():
            a, b = sides[ours], sides[peer]
            slower = by_round(a.one, b.one, lambda load: load.p50_ms)
            faster = by_round(a.many, b.many, lambda load: load.per_s)
            found += [
                at_most(f"{ours}: p50 of one caller to {peer}", slower, 1.0, "{:.2f}×"),
                at_least(f"{ours}: requests/s at {MANY} to {peer}", faster, 1.0, "{:.2f}×"),
            ]
    return found


def by_round(a: Sequence[Load], b: Sequence[Load], value: Callable[[Load], float]) -> float:
    return statistics.median(value(x) / value(y) for x, y in zip(a, b, strict=True))


def orientation(sides: Mapping[str, Side]) -> list[Figure]:
    rows = [
        Figure(
            name,
            f"{statistics.median(load.p50_ms for load in side.one):.2f} ms; "
            f"{statistics.median(load.per_s for load in side.many):,.0f}/s at {MANY}, "
            f"{statistics.median(side.cpu_ms):.2f} ms of processor a request",
        )
        for name, side in sides.items()
    ]
    return rows + [Figure(name, how) for name, how in MISSING.items() if name not in sides]


def existing(text: str) -> Path:
    path = Path(text).absolute()
    if not path.is_file():
        raise argparse.ArgumentTypeError(f"there is no file {text}")
    return path


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--litellm", type=existing, help="the program of litellm[proxy]")
    options.add_argument("--gateway", type=existing, help="start-server.js of @portkey-ai/gateway")
    options.add_argument("--rounds", type=int, default=ROUNDS)
    options.add_argument("--seconds", type=float, default=SECONDS, help="a load's length")
    arguments = options.parse_args()
    begun = circumstances()
    peers = versions(arguments.litellm, arguments.gateway)
    print(f"{begun} Peers: {', '.join(peers) or 'none'}.\n\n{table(figures(**vars(arguments)))}")


if __name__ == "__main__":
    main()
