"""`auto`: which of the installed Ollama models is the best for writing code here (DESIGN A3)."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pipeline.errors import LaiosError
from pipeline.models.machine import total_memory

if TYPE_CHECKING:
    from pipeline.models.ollama import OllamaHost

# Families by how well they write code at the same size, best first. A name's first match counts.
PREFERENCE = (
    "qwen3-coder",
    "qwen2.5-coder",
    "devstral",
    "codestral",
    "deepseek-coder",
    "coder",
    "granite-code",
    "yi-coder",
    "codegemma",
    "codellama",
    "code",
    "gpt-oss",
    "qwen3",
    "qwen2.5",
    "mistral-small",
    "gemma",
    "phi",
    "llama3",
    "mistral",
)
SMALL = 3e9  # parameters; below this a coder model writes worse code than a larger general one
MEMORY_PART = (
    0.8  # of the machine's memory that a model's file may have; the rest is for its window
)
NOT_CHAT = re.compile(
    r"embed|bge-|minilm|rerank|starcoder|-vl\b|ocr|moondream|llava|guard|(?<=[-:])(base|code|text|fim)\b"
)
NOT_CHAT_FAMILIES = frozenset({"bert", "nomic-bert", "clip", "mllama"})


@dataclass(frozen=True, slots=True)
class Installed:
    """A model as Ollama lists it. `size` is its file's in bytes; `parameters` is None and
    `capabilities` are empty where Ollama does not say; `remote`: it runs on another machine."""

    name: str
    size: int
    family: str = ""
    parameters: float | None = None
    capabilities: frozenset[str] = frozenset()
    remote: bool = False


def choose(models: Iterable[Installed], memory: int | None) -> str | None:
    """The name of the best model for code, or None if none can be used.

    `memory` is the machine's in bytes (None: not known). Remote models, those that cannot chat and
    those that do not fit the memory are no candidates.
    """
    candidates = [model for model in models if _can_chat(model) and _fits(model, memory)]
    best = max(candidates, key=_worth, default=None)
    return best.name if best else None


async def best_installed(host: "OllamaHost") -> str | None:
    """The name, as `ollama/<tag>`, of the best model that Ollama has; None also without Ollama."""
    try:
        name = choose(await host.list_models(), total_memory())
    except LaiosError:
        return None
    return f"ollama/{name}" if name else None


def _can_chat(model: Installed) -> bool:
    if model.remote or model.family in NOT_CHAT_FAMILIES or NOT_CHAT.search(model.name.lower()):
        return False
    return not model.capabilities or "completion" in model.capabilities


def _fits(model: Installed, memory: int | None) -> bool:
    return memory is None or model.size <= MEMORY_PART * memory


def _worth(model: Installed) -> tuple[bool, int, float, int, str]:
    """Sorts the better model last; the name makes the choice the same every time."""
    name = model.name.lower()
    rank = next((i for i, family in enumerate(PREFERENCE) if family in name), len(PREFERENCE))
    # Quantized files have a little more than half a byte for each parameter.
    parameters = model.parameters or model.size / 0.6
    return parameters >= SMALL, -rank, parameters, model.size, name
