"""Whether the exported files say what torch says: `python -m tools.starter.verify`.

Exits with 1 where a greedy text differs.
"""

import argparse
import random
import sys
from pathlib import Path

import torch

from tools.starter.bench import SEED, Bench
from tools.starter.engine import LIMIT
from tools.starter.examples import MAKERS
from tools.starter.export import load_model
from tools.starter.family import Family
from tools.starter.options import add_families, add_folder, add_models
from tools.starter.phrasing import Split
from tools.starter.tokenizer import END, chat, load_tokenizer, token_id

ROLES = {"coder": "coder", "critic": "reviewer"}  # a role that each file plays


def equal_texts(
    name: str, bench: Bench, folder: Path, count: int, families: tuple[Family, ...]
) -> int:
    """On how many of `count` prompts the engine's greedy text is torch's."""
    torch.set_num_threads(1)
    tokenizer = load_tokenizer(folder / "tokenizer.json")
    end = token_id(tokenizer, END)
    model = load_model(folder / f"{name}.pt")
    rng, split = random.Random(SEED), Split(families=families)
    equal = 0
    for _ in range(count):
        user = MAKERS[name](rng, split).user
        ids = tokenizer.encode(chat(user)).ids
        text = tokenizer.decode(model.greedy(ids, end, LIMIT))
        said = bench.reply(ROLES[name], user)
        equal += said == text
        if said != text:
            print(f"{name}: the engine does not say what torch says to {user!r}", file=sys.stderr)
    return equal


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    add_folder(parser)
    add_models(parser)
    add_families(parser)
    parser.add_argument("--count", type=int, default=100)
    options = parser.parse_args()
    bench = Bench(options.models)
    found = [
        equal_texts(name, bench, options.folder, options.count, options.families) for name in MAKERS
    ]
    print(" ".join(f"{name} {n}/{options.count}" for name, n in zip(MAKERS, found, strict=True)))
    sys.exit(any(n < options.count for n in found))


if __name__ == "__main__":
    main()
