"""How a model is called before people."""

from pathlib import PurePath

_OF_FILES = ("local", "scripted")  # whose names may be paths


def shown_name(name: str) -> str:
    """`local/qwen.gguf` for `local//home/me/models/qwen.gguf`; other names are as they are."""
    provider, _, rest = name.partition("/")
    return f"{provider}/{PurePath(rest).name}" if provider in _OF_FILES and rest else name
