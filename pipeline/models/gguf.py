"""The facts of a model file that are needed before it is loaded.

GGUF, version 2 and 3, little-endian: the magic, three counts, then key-value pairs, then the
tensors. Source: the GGUF specification in the ggml repository (docs/gguf.md).
"""

import struct
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import lru_cache
from math import prod
from pathlib import Path
from stat import S_ISREG

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
_UINT32 = struct.Struct("<I")
_UINT64 = struct.Struct("<Q")
_HEAD = struct.Struct("<4sIQQ")
_MAGIC = b"GGUF"
_MAX_KEYS = 4096
_MAX_KEY = (1 << 16) - 1  # bytes; the specification's
_MAX_LENGTH = 1 << 20  # bytes of a text, entries of an array: larger ones are damage
_MAX_TENSORS = 1 << 16
_MAX_DIMENSIONS = 4
_MAX_HEADER = 32 << 20  # bytes; the largest vocabularies, of 260,000 words, take half of it
_ALIGNMENT = 32  # of the weights behind the header, in bytes
_CACHE_BYTES = 2  # of a number in the cache of a window: half precision
_DAMAGED = "its header is damaged"
# Bits of a number in a tensor, by its type as ggml numbers it; of any other there is at least one.
_BITS = {
    0: 32,
    1: 16,
    2: 4.5,
    3: 5,
    6: 5.5,
    7: 6,
    8: 8.5,
    10: 2.625,
    11: 3.4375,
    12: 4.5,
    13: 5.5,
    14: 6.5625,
    30: 16,
}
# `general.file_type`, as llama.cpp numbers it (llama_ftype); what is not here has no usual name.
_QUANTIZATIONS = {
    0: "F32",
    1: "F16",
    2: "Q4_0",
    3: "Q4_1",
    7: "Q8_0",
    8: "Q5_0",
    9: "Q5_1",
    10: "Q2_K",
    11: "Q3_K_S",
    12: "Q3_K_M",
    13: "Q3_K_L",
    14: "Q4_K_S",
    15: "Q4_K_M",
    16: "Q5_K_S",
    17: "Q5_K_M",
    18: "Q6_K",
    32: "BF16",
}


class NotGguf(ValueError):
    """The file's first bytes are not those of a GGUF model."""


@dataclass(frozen=True, slots=True)
class Header:
    """What a file says of itself; None and "" where it does not.

    `context_length` is the trained window in tokens, `cache_bytes` what each token of a window
    takes in memory (None also where that is no plain product, as with sliding windows), and
    `size_label` the number of parameters as people write it: 1.5B. `takes_tools`: the template
    writes tools into the prompt, as those of models do that were trained to call them. `may_think`:
    it speaks of thinking, as those of models do that think before they answer. `kind` is
    `model`, `adapter`, or "" in older files, `licence` an SPDX name as a rule, and `parts` the
    number of files that the model is split into.
    """

    architecture: str
    context_length: int | None
    quantization: str = ""
    size_label: str = ""
    has_chat_template: bool = False
    cache_bytes: int | None = None
    takes_tools: bool = False
    may_think: bool = False
    kind: str = ""
    licence: str = ""
    parts: int = 1


def read_header(path: Path) -> Header:
    """Reads a model file's header, again only when the file has changed.

    A header that is made to be slow takes seconds: not for the event loop. Raises OSError
    (FileNotFoundError, …) and NotGguf.
    """
    return _header(_scan(path)[0])


def weights_end(path: Path) -> int:
    """The byte at which a file's last weights end, or one before it where they are of a rare type;
    0 without weights, as a part of a model may be. Raises what `read_header` raises."""
    return _scan(path)[1]


def _scan(path: Path) -> tuple[dict[str, object], int]:
    status = path.stat()
    if not S_ISREG(status.st_mode):
        raise NotGguf("it is not a regular file")
    return _scan_as_of(path, status.st_mtime_ns, status.st_size)


@lru_cache(maxsize=64)
def _scan_as_of(path: Path, mtime_ns: int, size: int) -> tuple[dict[str, object], int]:
    return _read(path, ())


def read_pairs(path: Path, arrays: Collection[str] = ()) -> dict[str, object]:
    """All keys and values of a file's header; an array is None unless its key is one of `arrays`.
    Raises OSError and NotGguf."""
    return _read(path, arrays)[0]


def _read(path: Path, arrays: Collection[str]) -> tuple[dict[str, object], int]:
    """The pairs, and where the weights end."""
    try:
        with path.open("rb") as file:
            cursor = _Cursor(file.read(_MAX_HEADER))
        found = cursor.pairs(arrays)
        return found, cursor.weights_end(found.get("general.alignment", _ALIGNMENT))
    except (struct.error, EOFError, OverflowError) as error:
        raise NotGguf("it ends within its header: it was cut off, or is damaged") from error
    except (UnicodeDecodeError, KeyError) as error:
        raise NotGguf(_DAMAGED) from error


def _header(found: Mapping[str, object]) -> Header:
    architecture = found.get("general.architecture")
    if not isinstance(architecture, str):
        raise NotGguf("it names no architecture")
    length, kind = found.get(f"{architecture}.context_length"), found.get("general.file_type")
    template = _text(found, "tokenizer.chat_template")
    return Header(
        architecture,
        length if isinstance(length, int) else None,
        _QUANTIZATIONS.get(kind, "") if isinstance(kind, int) else "",
        _text(found, "general.size_label"),
        bool(template),
        _cache_bytes({key.removeprefix(f"{architecture}."): found[key] for key in found}),
        "tools" in template,
        "think" in template.lower(),
        _text(found, "general.type"),
        _text(found, "general.license"),
        parts if isinstance(parts := found.get("split.count"), int) else 1,
    )


def _text(found: Mapping[str, object], key: str) -> str:
    value = found.get(key)
    return value if isinstance(value, str) else ""


def _cache_bytes(found: Mapping[str, object]) -> int | None:
    """Keys and values of every layer, for one token."""
    layers, width = found.get("block_count"), found.get("embedding_length")
    heads = found.get("attention.head_count")
    groups = found.get("attention.head_count_kv", heads)
    counts = [each for each in (layers, width, heads, groups) if isinstance(each, int) and each]
    if len(counts) < 4 or "attention.sliding_window" in found:
        return None
    key = found.get("attention.key_length", counts[1] // counts[2])
    value = found.get("attention.value_length", counts[1] // counts[2])
    if not (isinstance(key, int) and isinstance(value, int)):
        return None
    return counts[0] * counts[3] * (key + value) * _CACHE_BYTES


class _Cursor:
    """A place in a file's bytes. A vocabulary has 300,000 texts to pass over: each costs a jump."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 0
        self._tensors = 0

    def pairs(self, arrays: Collection[str]) -> dict[str, object]:
        """All keys and values; an array that is none of these is passed over and read as None."""
        if not self._data.startswith(_MAGIC):
            raise NotGguf("it does not start as one")
        _, version, self._tensors, keys = _HEAD.unpack_from(self._data)
        if version not in (2, 3) or keys > _MAX_KEYS:
            raise NotGguf("it does not start as one")
        self._at = _HEAD.size
        found: dict[str, object] = {}
        for _ in range(keys):
            key = self._bytes(_MAX_KEY).decode()
            found[key] = self._value(self._kind(), is_wanted=key in arrays)
        return found

    def weights_end(self, alignment: object) -> int:
        """Behind the pairs: where the last of the tensors ends that are listed there."""
        if self._tensors > _MAX_TENSORS or not isinstance(alignment, int) or alignment < 1:
            raise NotGguf(_DAMAGED)
        end = 0
        for _ in range(self._tensors):
            self._bytes(_MAX_KEY)
            if (dimensions := self._kind()) > _MAX_DIMENSIONS:
                raise NotGguf(_DAMAGED)
            *shape, kind, offset = struct.unpack_from(f"<{dimensions}QIQ", self._data, self._at)
            self._at += struct.calcsize(f"<{dimensions}QIQ")
            end = max(end, offset + int(prod(shape) * _BITS.get(kind, 1)) // 8)
        return end and -(-self._at // alignment) * alignment + end

    def _value(self, kind: int, *, is_wanted: bool) -> object:
        if kind == _STRING:
            return self._bytes(_MAX_LENGTH).decode()
        if kind != _ARRAY:
            return self._numbers(kind, 1)[0]
        kind, count = self._kind(), self._length(_MAX_LENGTH)
        if not is_wanted:
            self._skip_array(kind, count)
            return None
        if kind != _STRING:
            return self._numbers(kind, count)
        return [self._bytes(_MAX_LENGTH).decode(errors="replace") for _ in range(count)]

    def _numbers(self, kind: int, count: int) -> list[object]:
        code = f"<{count}{_NUMBERS[kind]}"
        numbers = struct.unpack_from(code, self._data, self._at)
        self._at += struct.calcsize(code)
        return [*numbers]

    def _skip_array(self, kind: int, count: int) -> None:
        if kind != _STRING:
            self._at += count * struct.calcsize(_NUMBERS[kind])
            return
        data, at, length_at = self._data, self._at, _UINT64.unpack_from
        for _ in range(count):
            at += _UINT64.size + length_at(data, at)[0]
        self._at = at

    def _bytes(self, most: int) -> bytes:
        length = self._length(most)
        raw = self._data[self._at : self._at + length]
        if len(raw) < length:
            raise EOFError
        self._at += length
        return raw

    def _kind(self) -> int:
        (kind,) = _UINT32.unpack_from(self._data, self._at)
        self._at += _UINT32.size
        return int(kind)

    def _length(self, most: int) -> int:
        length: int = _UINT64.unpack_from(self._data, self._at)[0]
        if length > most:
            raise NotGguf(_DAMAGED)
        self._at += _UINT64.size
        return length
