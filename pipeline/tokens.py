"""How many tokens a text will cost, before any backend has seen it. Pure.

No tokenizer fits every model, so this is an estimate on the safe side: three bytes of UTF-8 a
token. English and code come to three to four, Chinese and Japanese to about three. Numbers may
cost more: `most_tokens` says how much room they need, the backend's own count whether they fit.
"""

import re
from collections.abc import Callable, Iterable

from pipeline.image import TOKENS as IMAGE_TOKENS
from pipeline.model import Message

BYTES_PER_TOKEN = 3
TOKENS_PER_MESSAGE = 8  # role markers of the chat template
_NUMBERS = re.compile(rb"[0-9]+(?:[^0-9A-Za-z]{1,3}[0-9]+)*")
_BYTES_BESIDE_NUMBERS = 4  # a token: so that numbers count only where there are many


def estimate(text: str) -> int:
    return -(-len(_bytes_of(text)) // BYTES_PER_TOKEN)


def most_tokens(text: str) -> int:
    """The estimate, or what a tokenizer makes of many numbers that takes each digit by itself, as
    Qwen's does."""
    content = _bytes_of(text)
    beside = len(_NUMBERS.sub(b"", content))
    return max(estimate(text), len(content) - beside + beside // _BYTES_BESIDE_NUMBERS)


def _bytes_of(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def estimate_messages(
    messages: Iterable[Message], tokens_of: Callable[[str], int] = estimate
) -> int:
    return sum(_estimate_message(message, tokens_of) for message in messages)


def _estimate_message(message: Message, tokens_of: Callable[[str], int]) -> int:
    called = sum(tokens_of(call.name + call.arguments) for call in message.get("calls", ()))
    seen = len(message.get("images", ())) * IMAGE_TOKENS
    return tokens_of(message["content"]) + called + seen + TOKENS_PER_MESSAGE
