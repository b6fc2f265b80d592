"""The few facts of a model file that are needed before it is loaded.

GGUF, version 2 and 3, little-endian: the magic, three counts, then key-value pairs, then the
tensors. Source: the GGUF specification in the ggml repository (docs/gguf.md).
"""

import struct
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
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
_MAX_LENGTH = 1 << 20  # bytes of a key or text, entries of an array: larger ones are damage


class NotGguf(ValueError):
    """The file's first bytes are not those of a GGUF model."""


@dataclass(frozen=True, slots=True)
class Header:
    """`context_length` is the trained window in tokens, None where the file does not say."""

    architecture: str
    context_length: int | None


def read_header(path: Path) -> Header:
    """Reads a model file's header, again only when the file has changed.

    Raises OSError (FileNotFoundError, …) and NotGguf.
    """
    stat = path.stat()
    return _read(path, stat.st_mtime_ns, stat.st_size)


@lru_cache(maxsize=64)
def _read(path: Path, mtime_ns: int, size: int) -> Header:
    with path.open("rb") as file:
        try:
            return _parse(file)
        except (struct.error, UnicodeDecodeError, KeyError, EOFError) as error:
            raise NotGguf(f"its header is damaged ({type(error).__name__})") from error


def _parse(file: BinaryIO) -> Header:
    magic, version, _, keys = struct.unpack("<4sIQQ", file.read(24))
    if magic != b"GGUF" or version not in (2, 3) or keys > _MAX_KEYS:
        raise NotGguf("it does not start as one")
    found: dict[str, object] = {}
    for _ in range(keys):
        key = _text(file)
        found[key] = _value(file, _number(file, _UINT32))
        architecture = found.get("general.architecture")
        length = found.get(f"{architecture}.context_length")
        if isinstance(architecture, str) and isinstance(length, int):
            return Header(architecture, length)
    if not isinstance(found.get("general.architecture"), str):
        raise NotGguf("it names no architecture")
    return Header(str(found["general.architecture"]), None)


def _value(file: BinaryIO, kind: int) -> object:
    """One value; an array is passed over and read as None."""
    if kind == _STRING:
        return _text(file)
    if kind != _ARRAY:
        return _number(file, kind)
    kind, count = _number(file, _UINT32), _length(file)
    if kind == _STRING:
        for _ in range(count):
            file.seek(_length(file), 1)
    else:
        file.seek(count * struct.calcsize(_NUMBERS[kind]), 1)
    return None


def _text(file: BinaryIO) -> str:
    return file.read(_length(file)).decode()


def _length(file: BinaryIO) -> int:
    length = _number(file, _UINT64)
    if length > _MAX_LENGTH:
        raise EOFError
    return length


def _number(file: BinaryIO, kind: int) -> int:
    code = _NUMBERS[kind]
    (number,) = struct.unpack(f"<{code}", file.read(struct.calcsize(code)))
    return number  # type: ignore[no-any-return]
