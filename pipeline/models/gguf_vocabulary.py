"""The control tokens in a model file's vocabulary.

GGUF keeps it among the key-value pairs of its header: `tokenizer.ggml.tokens`, and with
`tokenizer.ggml.token_type` a number for each. Source: the GGUF specification in the ggml repository
(docs/gguf.md); the types are those of llama.cpp (`llama_token_type`).
"""

import struct
from functools import lru_cache
from pathlib import Path

from pipeline.control_tokens import learned

MAX_HEADER = 32 << 20  # bytes; some 260,000 tokens with their merges take 10
MAX_COUNT = 1 << 20  # entries of an array of texts

_TOKENS, _TYPES = b"tokenizer.ggml.tokens", b"tokenizer.ggml.token_type"
_CONTROL = 3
_SIZES = {0: 1, 1: 1, 2: 2, 3: 2, 4: 4, 5: 4, 6: 4, 7: 1, 10: 8, 11: 8, 12: 8}
_INT32, _STRING, _ARRAY = 5, 8, 9


def read_control_tokens(path: Path) -> frozenset[str]:
    """Those that the general list lacks, read again only when the file has changed; none where the
    file does not say. Takes up to a second. Raises OSError."""
    stat = path.stat()
    return _read(path, stat.st_mtime_ns, stat.st_size)


@lru_cache(maxsize=64)
def _read(path: Path, mtime_ns: int, size: int) -> frozenset[str]:
    with path.open("rb") as file:
        data = file.read(MAX_HEADER)
    try:
        tokens, types = _vocabulary(_Reader(data))
    except (struct.error, ValueError, KeyError, OverflowError):  # damaged, or longer than that
        return frozenset()
    control = (token for token, kind in zip(tokens, types, strict=False) if kind == _CONTROL)
    return learned(token.decode("utf-8", "replace") for token in control)


def _vocabulary(header: "_Reader") -> tuple[list[bytes], list[int]]:
    _, _, _, keys = header.numbers("<4sIQQ")
    tokens: list[bytes] = []
    types: list[int] = []
    for _ in range(keys):
        key, (kind,) = header.text(), header.numbers("<I")
        if key == _TOKENS and kind == _ARRAY:
            tokens = header.texts()
        elif key == _TYPES and kind == _ARRAY:
            types = header.integers()
        else:
            header.skip(kind)
        if tokens and types:
            break
    return tokens, types


class _Reader:
    """Takes one thing after the other off the data. Raises struct.error at its end."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 0

    def numbers(self, form: str) -> tuple[int, ...]:
        found = struct.unpack_from(form, self._data, self._at)
        self._at += struct.calcsize(form)
        return found

    def text(self) -> bytes:
        (length,) = self.numbers("<Q")
        start = self._at
        self._at += length
        return self._data[start : self._at]

    def texts(self) -> list[bytes]:
        kind, count = self.numbers("<IQ")
        if kind != _STRING:
            raise ValueError("other things than texts")
        return self._texts(count)

    def integers(self) -> list[int]:
        kind, count = self.numbers("<IQ")
        if kind != _INT32 or count > len(self._data):
            raise ValueError("other things than numbers")
        return list(self.numbers(f"<{count}i"))

    def skip(self, kind: int) -> None:
        if kind == _STRING:
            self.text()
        elif kind != _ARRAY:
            self._at += _SIZES[kind]
        else:
            kind, count = self.numbers("<IQ")
            if kind == _STRING:
                self._texts(count)
            else:
                self._at += count * _SIZES[kind]

    def _texts(self, count: int) -> list[bytes]:
        if count > MAX_COUNT:
            raise ValueError("too many texts")
        return [self.text() for _ in range(count)]
