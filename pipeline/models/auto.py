"""`auto`: choose the installed model that is best for writing code on this machine."""

import re
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from math import inf

from pipeline.models.gguf import Header, NotGguf
from pipeline.models.local_library import LocalLibrary

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
MEMORY_PART = 0.8  # of the machine's memory that a model's file may have; the rest: its window
NOT_CHAT = re.compile(
    r"embed|bge-|minilm|rerank|starcoder|-vl\b|ocr|moondream|llava|guard|[-:]base\b"
    r"|:(?:[^:/]*-)?(?:code|text|fim)\b"  # in the tag alone: granite-code is a family
)
_THOUSANDS = {"K": 1e3, "M": 1e6, "B": 1e9, "T": 1e12}
NOT_CHAT_FAMILIES = frozenset({"bert", "nomic-bert", "clip", "mllama"})


@dataclass(frozen=True, slots=True)
class Installed:
    """A model as Ollama lists it, or one of the library. `size` is its file's in bytes;
    `parameters` is None, `quantization` "" and `capabilities` empty where it is not said;
    `remote`: it runs on another machine."""

    name: str
    size: int
    family: str = ""
    parameters: float | None = None
    capabilities: frozenset[str] = frozenset()
    remote: bool = False
    quantization: str = ""
    modified_at: datetime | None = None


def choose(models: Iterable[Installed], memory: int | None) -> str | None:
    """The name of the best model for code, or None if none can be used.

    `memory` is the machine's in bytes (None: not known). Remote models, those that cannot chat and
    those that do not fit the memory are no candidates.
    """
    candidates = [model for model in models if _can_chat(model) and _fits(model.size, memory)]
    best = max(candidates, key=_worth, default=None)
    return best.name if best else None


def size_note(name: str, size: int, memory: int | None) -> str:
    """What to say of a new model of `size` bytes that `choose` leaves out; "" where it fits."""
    if _fits(size, memory):
        return ""
    return (
        f"`auto` does not take {name}: its {size / 1e9:.1f} GB are more than "
        f"{100 * MEMORY_PART:g} % of this machine's memory. To use it all the same, name it "
        f"(coder_model_name): laios models use coder {name}"
    )


def _fits(size: int, memory: int | None) -> bool:
    return size <= (inf if memory is None else MEMORY_PART * memory)


def installed_in(library: LocalLibrary) -> list[Installed]:
    """The models of the library that are whole."""
    found = []
    for entry in library.entries():
        with suppress(OSError, NotGguf):
            if not entry.fault():
                found.append(installed_file(entry.name, entry.size, entry.header()))
    return found


def installed_file(name: str, size: int, header: Header) -> Installed:
    """A model file, by what it says of itself."""
    return Installed(
        name,
        size,
        header.architecture,
        parameter_count(header.size_label),
        frozenset({"completion"} if header.has_chat_template else {"embedding"}),
        quantization=header.quantization,
    )


def parameter_count(label: str) -> float | None:
    """The number that a label such as 7.6B or 137M says; None for any other."""
    found = re.fullmatch(r"(\d+(?:\.\d+)?)([KMBT])", label.strip().upper())
    return float(found[1]) * _THOUSANDS[found[2]] if found else None


def _can_chat(model: Installed) -> bool:
    if model.remote or model.family in NOT_CHAT_FAMILIES or NOT_CHAT.search(model.name.lower()):
        return False
    return not model.capabilities or "completion" in model.capabilities


def _worth(model: Installed) -> tuple[bool, int, float, int, str]:
    """Sorts the better model last; the name makes the choice the same every time."""
    name = model.name.lower()
    rank = next((i for i, family in enumerate(PREFERENCE) if family in name), len(PREFERENCE))
    # Quantized files have a little more than half a byte for each parameter.
    parameters = model.parameters or model.size / 0.6
    return parameters >= SMALL, -rank, parameters, model.size, name
