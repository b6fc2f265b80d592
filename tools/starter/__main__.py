"""The whole making of the starter model: `python -m tools.starter`.

Trains both models side by side (one core each), exports them, measures them and writes the model
card and the list of tasks. A run that was cut goes on from its checkpoints.
"""

import argparse
import os
import subprocess
import sys

from tools.starter.options import add_families, add_folder, add_models, names
from tools.starter.tokenizer import load_tokenizer
from tools.starter.train import PLANS

# Freed memory is kept: to give it back and fetch it again costs a quarter of a training step.
KEEP_MEMORY = {"MALLOC_MMAP_MAX_": "0", "MALLOC_TRIM_THRESHOLD_": str(1 << 36)}


def tool(name: str, *options: object) -> list[str]:
    """The command line of one of this package's tools."""
    return [sys.executable, "-u", "-m", f"tools.starter.{name}", *map(str, options)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    add_folder(parser)
    add_models(parser)
    add_families(parser)
    parser.add_argument("--steps", type=int, help="of training, instead of the plans' numbers")
    parser.add_argument(
        "--small", action="store_true", help="smaller models and one part, for a few families"
    )
    parser.add_argument("--quick", action="store_true", help="measure on fewer requests")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    folder, models = ("--folder", options.folder), ("--models", options.models)
    families = ("--families", names(options.families))
    load_tokenizer(options.folder / "tokenizer.json", options.families)  # before both want it
    plan: tuple[object, ...] = ("--steps", options.steps) if options.steps else ()
    plan += ("--small",) if options.small else ()
    trainings = [
        subprocess.Popen(
            tool("train", model, *folder, *families, *plan), env=os.environ | KEEP_MEMORY
        )
        for model in PLANS
    ]
    codes = [training.wait() for training in trainings]
    if any(codes):
        sys.exit("a training failed; run again to go on from the last checkpoints")
    for model in PLANS:
        subprocess.run(tool("export", model, *folder, "--target", options.models), check=True)
    quick = ("--quick",) if options.quick else ()
    subprocess.run(tool("evaluate", *folder, *models, *families, *quick), check=True)
    subprocess.run(tool("card", *models), check=True)


if __name__ == "__main__":
    main()
