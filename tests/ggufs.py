"""Model files of a few hundred bytes: a header, and no weights."""

import struct
from collections.abc import Mapping

_CHAT = {
    "general.architecture": "llama",
    "general.file_type": 15,
    "llama.context_length": 4096,
    "llama.block_count": 2,
    "llama.embedding_length": 64,
    "llama.attention.head_count": 4,
    "tokenizer.chat_template": "{{ messages }}",
}


def chat_model(more: Mapping[str, str | int] | None = None) -> bytes:
    """One that says that it can chat."""
    return gguf_bytes(_CHAT | dict(more or {}))


def gguf_bytes(pairs: Mapping[str, str | int]) -> bytes:
    body = b"".join(_text(key) + _value(value) for key, value in pairs.items())
    return struct.pack("<4sIQQ", b"GGUF", 3, 0, len(pairs)) + body


def _value(value: str | int) -> bytes:
    if isinstance(value, str):
        return struct.pack("<I", 8) + _text(value)
    return struct.pack("<II", 4, value)


def _text(text: str) -> bytes:
    return struct.pack("<Q", len(text)) + text.encode()
