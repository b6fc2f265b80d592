"""How many tokens a text will cost, before any backend has seen it. Pure.

No tokenizer fits every model, so this is an estimate on the safe side: three bytes of UTF-8 a
token. English and code come to three to four, Chinese and Japanese to about three; long runs of
digits cost more, and there the backend's own count decides.
"""

from collections.abc import Iterable

from pipeline.image import TOKENS as IMAGE_TOKENS
from pipeline.model import Message

BYTES_PER_TOKEN = 3
TOKENS_PER_MESSAGE = 8  # role markers of the chat template


def estimate(text: str) -> int:
    return -(-len(text.encode("utf-8", "surrogatepass")) // BYTES_PER_TOKEN)


def estimate_messages(messages: Iterable[Message]) -> int:
    return sum(_estimate_message(message) for message in messages)


def _estimate_message(message: Message) -> int:
    called = sum(estimate(call.name + call.arguments) for call in message.get("calls", ()))
    seen = len(message.get("images", ())) * IMAGE_TOKENS
    return estimate(message["content"]) + called + seen + TOKENS_PER_MESSAGE
