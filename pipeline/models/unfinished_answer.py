"""An answer that comes to the end of its window goes on in a larger one.

Most answers are short: a cache for the longest would lie in memory for nothing. So a model is
loaded with room for a usual one; where that is not enough, it is loaded anew and goes on behind
what it has written, which llama.cpp takes as the beginning of its turn.
"""

from typing import Any

Message = dict[str, Any]


class UnfinishedAnswer:
    """The chunks of one answer, of one request or two. `body` is the next one: that which was made,
    or, once it `is_cut` by the end of its window, that for the rest."""

    def __init__(self, body: Message) -> None:
        self.body = body
        self.is_cut = False
        self._text: list[str] = []
        self._end: Message | None = None  # the chunk that ends it, until the counts say why
        self._before: Message = {}  # the first request's counts
        self._written = 0  # tokens, by the first request

    def take(self, chunk: Message, may_go_on: bool) -> list[Message]:
        """The chunks for the reader. That a limit ended the answer is held back until the counts
        say whether it was the caller's, or the window's: then the reader gets neither."""
        if usage := chunk.get("usage"):
            end, self._end = self._end, None
            if end and usage["completion_tokens"] < self.body["max_tokens"]:
                self._go_on(usage)
                return []
            return [*filter(None, [end]), self._counted(chunk)]
        for choice in chunk.get("choices", ()):
            self._text.append(choice.get("delta", {}).get("content") or "")
            if may_go_on and choice.get("finish_reason") == "length":
                self._end = chunk
        return [] if self._end else [chunk]

    def _counted(self, chunk: Message) -> Message:
        """With the counts of both requests."""
        own = chunk["usage"]
        written = {"completion_tokens": self._written + own["completion_tokens"]}
        return chunk | {"usage": own | self._before | written}

    def _go_on(self, usage: Message) -> None:
        messages, written = self.body["messages"], usage["completion_tokens"]
        begun = messages[-1]["role"] == "assistant"
        said = (messages[-1]["content"] if begun else "") + "".join(self._text)
        rest = [*(messages[:-1] if begun else messages), {"role": "assistant", "content": said}]
        left = self.body["max_tokens"] - written
        self.body = self.body | {"messages": rest, "max_tokens": left}
        self._before, self._written, self.is_cut = usage, written, True
