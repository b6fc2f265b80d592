"""LoRA adapters beside a local model: `local/model.gguf+adapter.gguf`, as many as one likes."""

import re
from collections.abc import Sequence
from pathlib import Path

from config import expanded
from pipeline.errors import ModelNotFound
from pipeline.models import gguf

_KIND = "adapter"  # `general.type` of what convert_lora_to_gguf.py writes
_BEHIND_FILE = re.compile(r"(?<=\.gguf)\+")
# Behind a name of the library the first adapter begins as a path does: names hold a + themselves.
_BEHIND_NAME = re.compile(r"(?<=[\w.-])\+(?=[/~.])")


def split_adapters(rest: str) -> tuple[str, list[str]]:
    """What stands behind `local/` → the model, and the paths of its adapters."""
    base, *adapters = _BEHIND_FILE.split(rest)
    if rest[:1] not in "/~." and len(parts := _BEHIND_NAME.split(base, maxsplit=1)) == 2:
        return parts[0], [parts[1], *adapters]
    return base, adapters


def adapter_path(text: str, model: Path) -> Path:
    """A bare file name stands beside the model; anything else is a path like the model's own."""
    path = expanded(text)
    return model.parent / path if path.name == text else path.absolute()


def check_adapters(adapters: Sequence[Path], architecture: str) -> None:
    """Raises ModelNotFound for what is no adapter, or one of another architecture: llama.cpp would
    only say that it cannot load the model."""
    for path in adapters:
        try:
            header = gguf.read_header(path)
        except OSError as error:
            why = (error.strerror or str(error)).lower()
            raise ModelNotFound(f"No adapter at {path}: {why}.") from error
        except gguf.NotGguf as error:
            raise ModelNotFound(f"{path} is not a GGUF adapter: {error}.") from error
        if header.kind != _KIND:
            raise ModelNotFound(
                f"{path.name} is a model, not an adapter. llama.cpp's convert_lora_to_gguf.py "
                "makes one from a LoRA (docs/finetune.md)."
            )
        if header.architecture != architecture:
            raise ModelNotFound(
                f"{path.name} was made for another architecture ({header.architecture}) than the "
                f"model's ({architecture})."
            )


def refuse_adapter(header: gguf.Header, name: str) -> None:
    """Raises ModelNotFound for an adapter in the place of a model."""
    if header.kind == _KIND:
        raise ModelNotFound(
            f"{name} is an adapter. Name it behind its model: local/MODEL.gguf+{name}"
        )
