"""The control tokens in a model file's vocabulary.

GGUF keeps it among the key-value pairs of its header: `tokenizer.ggml.tokens`, and with
`tokenizer.ggml.token_type` a number for each, of llama.cpp's `llama_token_type`.
"""

from functools import lru_cache
from pathlib import Path

from pipeline.control_tokens import learned
from pipeline.models.gguf import NotGguf, read_pairs

_ARRAYS = ("tokenizer.ggml.tokens", "tokenizer.ggml.token_type")
_CONTROL = 3


def read_control_tokens(path: Path) -> frozenset[str]:
    """Those that the general list lacks, read again only when the file has changed; none where the
    file does not say. Takes up to a second. Raises OSError."""
    stat = path.stat()
    return _read(path, stat.st_mtime_ns, stat.st_size)


@lru_cache(maxsize=64)
def _read(path: Path, mtime_ns: int, size: int) -> frozenset[str]:
    try:
        found = read_pairs(path, _ARRAYS)
    except NotGguf:
        return frozenset()
    tokens, types = (value if isinstance(value := found.get(key), list) else [] for key in _ARRAYS)
    control = (token for token, kind in zip(tokens, types, strict=False) if kind == _CONTROL)
    return learned(token for token in control if isinstance(token, str))
