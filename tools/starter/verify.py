"""Whether the exported files say what torch says: `python -m tools.starter.verify`.

Exits with 1 where a greedy text differs.
"""

import argparse
import random
import sys
from pathlib import Path

import torch

from tools.starter.bench import SEED
from tools.starter.engine import Engine
from tools.starter.examples import MAKERS
from tools.starter.export import load_model
from tools.starter.paths import BUILD, MODELS
from tools.starter.tokenizer import END, chat, load_tokenizer, token_id


def equal_texts(name: str, engine: Engine, folder: Path, count: int) -> int:
    """On how many of `count` prompts the engine's greedy text is torch's."""
    torch.set_num_threads(1)
    tokenizer = load_tokenizer(folder / "tokenizer.json")
    end = token_id(tokenizer, END)
    model = load_model(folder / f"{name}.pt")
    make, rng = MAKERS[name], random.Random(SEED)
    equal = 0
    for _ in range(count):
        user = make(rng).user
        ids = tokenizer.encode(chat(user)).ids
        text = tokenizer.decode(model.greedy(ids, end, 400))
        said = engine.reply(user)
        equal += said == text
        if said != text:
            print(f"{name}: {user!r}\n  torch  {text!r}\n  engine {said!r}")
    return equal


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path, default=BUILD, help="tokenizer and checkpoints")
    parser.add_argument("--models", type=Path, default=MODELS, help="the GGUF files")
    parser.add_argument("--count", type=int, default=100)
    options = parser.parse_args()
    found = [
        equal_texts(name, Engine(options.models / f"{name}.gguf"), options.folder, options.count)
        for name in MAKERS
    ]
    print(" ".join(f"{name} {n}/{options.count}" for name, n in zip(MAKERS, found, strict=True)))
    sys.exit(any(n < options.count for n in found))


if __name__ == "__main__":
    main()
