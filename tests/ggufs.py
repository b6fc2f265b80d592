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


def _text(text: str) -> bytes:
    return struct.pack("<Q", len(text)) + text.encode()


def chat_model(more: Mapping[str, str | int] | None = None) -> bytes:
    """One that says that it can chat."""
    return gguf_bytes(_CHAT | dict(more or {}))


def gguf_bytes(pairs: Mapping[str, str | int]) -> bytes:
    body = b"".join(_text(key) + _value(value) for key, value in pairs.items())
    return struct.pack("<4sIQQ", b"GGUF", 3, 0, len(pairs)) + body


def lora(tensor: str, inner: int, outer: int, strength: float) -> bytes:
    """An adapter of rank 1 for one matrix of a llama: adds `strength` to each of its numbers."""
    about = {"general.architecture": "llama", "general.type": "adapter", "adapter.type": "lora"}
    pairs = b"".join(_text(key) + _value(value) for key, value in about.items())
    pairs += _text("adapter.lora.alpha") + struct.pack("<If", 6, 1.0)
    shapes = {f"{tensor}.lora_a": (inner, 1), f"{tensor}.lora_b": (1, outer)}
    numbers = [1.0] * inner, [strength] * outer
    data = [struct.pack(f"<{len(each)}f", *each) for each in numbers]
    tensors, at = b"", 0
    for (name, shape), part in zip(shapes.items(), data, strict=True):
        tensors += _text(name) + struct.pack("<IQQIQ", 2, *shape, 0, at)
        at += -(-len(part) // _ALIGNMENT) * _ALIGNMENT
    head = struct.pack("<4sIQQ", b"GGUF", 3, 2, 4) + pairs + tensors
    aligned = [head, *data]
    return b"".join(each.ljust(-(-len(each) // _ALIGNMENT) * _ALIGNMENT, b"\0") for each in aligned)


# As models are taught that call tools in the usual way (Hermes, Qwen): the tools at the head, a
# call as JSON between two marks.
TOOL_TEMPLATE = (
    "{%- if tools %}<|system|>\n<tools>{% for tool in tools %}\n{{ tool | tojson }}{% endfor %}\n"
    '</tools>\nA call: <tool_call>\n{"name": <name>, "arguments": <arguments>}\n</tool_call>'
    "<|end|>\n"
    "{% endif %}{%- for m in messages -%}<|{{ m.role }}|>\n{{ m.content }}"
    "{%- for call in m.tool_calls or [] %}\n<tool_call>\n"
    '{"name": "{{ call.function.name }}", "arguments": {{ call.function.arguments | tojson }}}\n'
    "</tool_call>{% endfor %}<|end|>\n{% endfor -%}"
    "{%- if add_generation_prompt -%}<|assistant|>\n{% endif -%}"
)
_TEMPLATE_KEY = _text("tokenizer.chat_template") + struct.pack("<I", 8)
_ALIGNMENT = 32  # of the weights behind the header
_HEAD = struct.Struct("<4sIQQ")
_FIRST_TENSOR = "token_embd.weight"  # of the starter's files


def with_template(weights: bytes, template: str) -> bytes:
    """A model file with another chat template. It grows by whole steps of the alignment, so that
    the weights behind it stand where they have to."""
    at = weights.index(_TEMPLATE_KEY) + len(_TEMPLATE_KEY)
    (length,) = struct.unpack_from("<Q", weights, at)
    size = length + -(-(len(template) - length) // _ALIGNMENT) * _ALIGNMENT
    return weights[:at] + _text(template.ljust(size)) + weights[at + 8 + length :]


def with_window(weights: bytes, tokens: int) -> bytes:
    """A model file that says it was trained with another window: it answers there, whatever that
    is worth."""
    at = weights.index(_text("llama.context_length")) + len(_text("llama.context_length")) + 4
    return weights[:at] + struct.pack("<I", tokens) + weights[at + 4 :]


def of_another_kind(weights: bytes) -> bytes:
    """A llama that names an architecture which there is not."""
    raw = weights.replace(b"llama.", b"odder.")
    return raw.replace(_text("llama"), _text("odder"))


def split(weights: bytes) -> list[bytes]:
    """A model file in two parts, as llama-gguf-split makes them: all weights are in the second."""
    (_, _, tensors, pairs), at = _HEAD.unpack_from(weights), weights.index(_text(_FIRST_TENSOR))
    first = _HEAD.pack(b"GGUF", 3, 0, pairs + 3) + weights[_HEAD.size : at] + _part(0, tensors)
    second = _HEAD.pack(b"GGUF", 3, tensors, 4) + _part(1, tensors) + _text("pad")
    padding = _value("x" * ((at - len(second) - len(_value(""))) % _ALIGNMENT))
    return [first, second + padding + weights[at:]]


def _part(number: int, tensors: int) -> bytes:
    shorts = {"split.no": number, "split.count": 2}
    pairs = b"".join(_text(key) + struct.pack("<IH", 2, value) for key, value in shorts.items())
    return pairs + _text("split.tensors.count") + struct.pack("<Ii", 5, tensors)


def _value(value: str | int) -> bytes:
    if isinstance(value, str):
        return struct.pack("<I", 8) + _text(value)
    return struct.pack("<II", 4, value)
