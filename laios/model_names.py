"""The display names of models."""

import re
from pathlib import PurePath

_OF_FILES = ("local", "scripted")  # whose names may be paths
_ADAPTER = re.compile(r"(?<=\.gguf)\+|\+(?=[/~.])")  # as in pipeline/models/adapter.py


def shown_name(name: str) -> str:
    """`local/qwen.gguf` for `local//home/me/models/qwen.gguf`, and so with each adapter behind it;
    other names are as they are."""
    provider, _, rest = name.partition("/")
    if provider not in _OF_FILES or not rest:
        return name
    return f"{provider}/{'+'.join(PurePath(path).name for path in _ADAPTER.split(rest))}"
