"""Where the starter's files are, from the repository's root."""

from pathlib import Path
from typing import Any

BUILD = Path("build/starter")  # tokenizer and checkpoints
MODELS = Path("pipeline/models/starter")  # what the package ships
FIGURES = "figures.json"
CARD = "CARD.md"
TASKS = "tasks.json"

Figures = dict[str, Any]
