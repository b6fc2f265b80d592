"""The few facts of a model file that are needed before it is loaded.

GGUF, version 2 and 3, little-endian: the magic, three counts, then key-value pairs, then the
tensors. Source: the GGUF specification in the ggml repository (docs/gguf.md).
"""

import struct
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from stat import S_ISREG
from typing import BinaryIO

_NUMBERS = {
    0: "B",
    1: "b",
    2: "H",
    3: "h",
    4: "I",
    5: "i",
    6: "f",
    7: "?",
    10: "Q",
    11: "q",
    12: "d",
}
_STRING, _ARRAY = 8, 9
_UINT32, _UINT64 = 4, 10
_MAX_KEYS = 4096
_MAX_KEY = (1 << 16) - 1  # bytes; the specification's
_MAX_LENGTH = 1 << 20  # bytes of a text, entries of an array: larger ones are damage
_MAX_BYTES = 32 << 20  # of all keys and values; the largest vocabularies take half
_MAX_STEPS = 2 << 20  # through them; an entry of an array of texts takes two


class NotGguf(ValueError):
    """The file's first bytes are not those of a GGUF model."""


@dataclass(frozen=True, slots=True)
class Header:
    """`context_length` is the trained window in tokens, None where the file does not say."""

    architecture: str
    context_length: int | None


def read_header(path: Path) -> Header:
    """Reads a model file's header, again only when the file has changed.

    A header that is made to be slow takes seconds: not for the event loop. Raises OSError
    (FileNotFoundError, …) and NotGguf.
    """
    status = path.stat()
    if not S_ISREG(status.st_mode):
        raise NotGguf("it is no plain file")
    return _read(path, status.st_mtime_ns, status.st_size)


@lru_cache(maxsize=64)
def _read(path: Path, mtime_ns: int, size: int) -> Header:
    with path.open("rb") as file:
        try:
            return _parse(_Source(file, min(size, _MAX_BYTES)))
        except (struct.error, UnicodeDecodeError, KeyError, EOFError) as error:
            raise NotGguf(f"its header is damaged ({type(error).__name__})") from error


class _Source:
    """The first `left` bytes of a file, taken or passed over in order and in a bounded number of
    steps. Raises EOFError."""

    def __init__(self, file: BinaryIO, left: int) -> None:
        self._file = file
        self._left = left
        self._steps = _MAX_STEPS

    def take(self, size: int) -> bytes:
        self._spend(size)
        return self._file.read(size)

    def skip(self, size: int) -> None:
        self._spend(size)
        self._file.seek(size, 1)

    def _spend(self, size: int) -> None:
        self._steps -= 1
        self._left -= size
        if self._left < 0 or self._steps < 0:
            raise EOFError


def _parse(source: _Source) -> Header:
    magic, version, _, keys = struct.unpack("<4sIQQ", source.take(24))
    if magic != b"GGUF" or version not in (2, 3) or keys > _MAX_KEYS:
        raise NotGguf("it does not start as one")
    found: dict[str, object] = {}
    for _ in range(keys):
        key = _text(source, _MAX_KEY)
        found[key] = _value(source, _number(source, _UINT32))
        architecture = found.get("general.architecture")
        length = found.get(f"{architecture}.context_length")
        if isinstance(architecture, str) and isinstance(length, int):
            return Header(architecture, length)
    if not isinstance(found.get("general.architecture"), str):
        raise NotGguf("it names no architecture")
    return Header(str(found["general.architecture"]), None)


def _value(source: _Source, kind: int) -> object:
    """One value; an array is passed over and read as None."""
    if kind == _STRING:
        return _text(source, _MAX_LENGTH)
    if kind != _ARRAY:
        return _number(source, kind)
    kind, count = _number(source, _UINT32), _length(source, _MAX_LENGTH)
    if kind == _STRING:
        for _ in range(count):
            source.skip(_length(source, _MAX_LENGTH))
    else:
        source.skip(count * struct.calcsize(_NUMBERS[kind]))
    return None


def _text(source: _Source, most: int) -> str:
    return source.take(_length(source, most)).decode()


def _length(source: _Source, most: int) -> int:
    length = _number(source, _UINT64)
    if length > most:
        raise EOFError
    return length


def _number(source: _Source, kind: int) -> int:
    code = _NUMBERS[kind]
    (number,) = struct.unpack(f"<{code}", source.take(struct.calcsize(code)))
    return number  # type: ignore[no-any-return]
