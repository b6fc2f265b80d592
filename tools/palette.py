"""Pictures of 256 colours: a third of the size, and nobody sees it on a screenshot."""

import struct
import zlib
from collections import Counter
from itertools import chain
from pathlib import Path

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_RGB = 3  # bytes of a pixel; what Chromium writes
COLOURS = 256


def shrink(path: Path) -> None:
    """Rewrites a PNG of 8-bit RGB without interlacing (PNG specification, 3rd edition)."""
    chunks = _chunks(path.read_bytes())
    width, height, depth, kind, *_, interlaced = struct.unpack(">IIBBBBB", chunks[b"IHDR"])
    assert (depth, kind, interlaced) == (8, 2, 0), f"{path} is no plain RGB picture"
    lines = _unfiltered(zlib.decompress(chunks[b"IDAT"]), width, height)
    pixels = [[line[x : x + _RGB] for x in range(0, len(line), _RGB)] for line in lines]
    palette = [colour for colour, _ in Counter(chain.from_iterable(pixels)).most_common(COLOURS)]
    number = {colour: index for index, colour in enumerate(palette)}
    rows = [b"\0" + bytes(_nearest(pixel, palette, number) for pixel in line) for line in pixels]
    path.write_bytes(
        _SIGNATURE
        + _chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0))
        + _chunk(b"PLTE", b"".join(palette))
        + _chunk(b"IDAT", zlib.compress(b"".join(rows), 9))
        + _chunk(b"IEND", b"")
    )


def _chunks(data: bytes) -> dict[bytes, bytes]:
    """Each kind of chunk with its bytes, several of one kind joined."""
    found: dict[bytes, bytes] = {}
    at = len(_SIGNATURE)
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at : at + 8])
        found[kind] = found.get(kind, b"") + data[at + 8 : at + 8 + length]
        at += length + 12
    return found


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def _unfiltered(data: bytes, width: int, height: int) -> list[bytes]:
    stride = width * _RGB
    above = bytearray(stride)
    lines = []
    for start in range(0, height * (stride + 1), stride + 1):
        line = bytearray(data[start + 1 : start + 1 + stride])
        for x in range(stride):
            left, corner = (line[x - _RGB], above[x - _RGB]) if x >= _RGB else (0, 0)
            line[x] = (line[x] + _predicted(data[start], left, above[x], corner)) & 255
        lines.append(bytes(line))
        above = line
    return lines


def _predicted(method: int, left: int, above: int, corner: int) -> int:
    if method == 4:
        guess = left + above - corner
        return min((left, above, corner), key=lambda value: abs(guess - value))
    return (0, left, above, (left + above) // 2)[method]


def _nearest(pixel: bytes, palette: list[bytes], number: dict[bytes, int]) -> int:
    if pixel not in number:
        far = [sum((a - b) ** 2 for a, b in zip(colour, pixel, strict=True)) for colour in palette]
        number[pixel] = far.index(min(far))
    return number[pixel]
