"""The whole making of the starter model: `python -m tools.starter`.

Trains both models side by side (one core each), exports and verifies them, measures them and
writes the model card. A run that was cut goes on from its checkpoints.
"""

import subprocess
import sys

from tools.starter.paths import BUILD
from tools.starter.tokenizer import load_tokenizer
from tools.starter.train import PLANS


def tool(name: str, *options: str) -> list[str]:
    """The command line of one of this package's tools."""
    return [sys.executable, "-u", "-m", f"tools.starter.{name}", *options]


def main() -> None:
    load_tokenizer(BUILD / "tokenizer.json")  # before two processes want it
    trainings = [subprocess.Popen(tool("train", model)) for model in PLANS]
    codes = [training.wait() for training in trainings]
    if any(codes):
        sys.exit("a training failed; run again to go on from the last checkpoints")
    for model in PLANS:
        subprocess.run(tool("export", model), check=True)
    for name in ("verify", "evaluate", "card"):
        subprocess.run(tool(name), check=True)


if __name__ == "__main__":
    main()
