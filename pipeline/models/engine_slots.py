"""Which calls a model in the engine works on at a time, and in which slot of its cache each.

The slots share one cache, as large as the window. When it runs full, llama.cpp fails every answer
that is being written, so a call begins beside others only where the longest answers of all of them
fit; one of several answers takes all slots. First come, first served: a call that needs more room
than there is holds up those behind it, so that it is not overtaken for ever.
"""

import json
import threading
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import takewhile
from typing import Any

from pipeline.models.window import smallest_window

BYTES_PER_TOKEN = 3  # a guess, put right by the server's own count before the prompt is read
# Tokens that are copied at a time, which is what a wrong guess costs, and what an answer may need
# for a moment besides its own: measured, 24 copy as fast as llama.cpp's 64.
MOST_COPIED = 24


@dataclass(eq=False, slots=True)
class Work:
    """One call. `window`: tokens that the model has to be loaded with now, `most`: at most;
    `prompt` and `longest`: what its prompt and its answers may come to, `usual`: what there has to
    be room for before they begin; `said`: its messages; `alone`: nobody was beside it; `load_ms`:
    what loading the model took."""

    window: int
    most: int
    prompt: int
    usual: int
    longest: int
    answers: int
    said: tuple[str, ...]
    cancelled: threading.Event = field(default_factory=threading.Event)
    slot: int = 0
    alone: bool = True
    load_ms: float = 0.0

    @classmethod
    def of(cls, body: Mapping[str, Any], most: int, usual: int) -> "Work":
        """Of a chat completion request; `usual`: tokens of an answer that are mostly enough."""
        said = tuple(json.dumps(each, ensure_ascii=False) for each in body["messages"])
        tools = json.dumps(body.get("tools", ()), ensure_ascii=False)
        size = sum(len(text.encode("utf-8", "surrogatepass")) for text in (*said, tools))
        n, limit = body.get("n", 1), body.get("max_tokens", most)
        longest, usual = n * (limit + MOST_COPIED), n * (min(limit, usual) + MOST_COPIED)
        work = cls(0, most, size // BYTES_PER_TOKEN, usual, longest, n, said)
        work.widen(work.prompt + usual)
        return work

    def widen(self, tokens: int) -> None:
        """Has the model loaded with a window for so many tokens, if it may be that large."""
        self.window = max(self.window, smallest_window(tokens, self.most))

    @property
    def tokens(self) -> int:
        return self.prompt + self.longest


class Slots:
    """`number` slots. `room(window)` says how many tokens the cache has, 0 where the model has to
    be loaded first, which it can be by a call that is alone."""

    def __init__(self, number: int, room: Callable[[int], int]) -> None:
        self._number, self._room = number, room
        self._changed = threading.Condition()
        self._waiting: deque[Work] = deque()
        self._at_work: list[Work] = []
        self._held: dict[int, tuple[str, ...]] = {}  # slot → conversation, the last used at the end

    def line_up(self, work: Work, *, first: bool = False) -> None:
        """Has the call wait behind all that wait, or before them (`first`); `enter` must follow."""
        with self._changed:
            (self._waiting.appendleft if first else self._waiting.append)(work)

    def enter(self, work: Work) -> bool:
        """Waits until a call that has lined up may begin, and gives it a slot; then `leave` has to
        follow. False: it was cancelled instead."""
        with self._changed:
            self._changed.wait_for(lambda: work.cancelled.is_set() or self._is_next(work))
            self._waiting.remove(work)
            if not work.cancelled.is_set():
                self._begin(work)
            self._changed.notify_all()  # who waits behind it may be next
            return work in self._at_work

    def _begin(self, work: Work) -> None:
        work.slot, work.alone = self._choose(work), not self._at_work
        for other in self._at_work:
            other.alone = False
        self._at_work.append(work)

    def leave(self, work: Work) -> None:
        with self._changed:
            self._at_work.remove(work)
            self._changed.notify_all()

    def while_idle(self, do: Callable[[], None]) -> None:
        """Does it where nobody is at work or waits, before anybody begins."""
        with self._changed:
            if not (self._at_work or self._waiting):
                do()

    def wake(self) -> None:
        """Has those that wait look again: one was cancelled, or the model is loaded."""
        with self._changed:
            self._changed.notify_all()

    def forget(self) -> None:
        """The cache is empty: the model was loaded anew, by the only call at work."""
        self._held = {each.slot: each.said for each in self._at_work}

    def counted(self, work: Work, prompt: int) -> bool:
        """Puts in how long the prompt really is; whether the call still fits, beside the others or
        alone."""
        with self._changed:
            work.prompt = prompt
            work.widen(prompt + work.usual)
            self._changed.notify_all()
            alone = len(self._at_work) == 1
            return bool(self._room(work.window)) if alone else self._fits(self._at_work)

    def _is_next(self, work: Work) -> bool:
        if self._waiting[0] is not work:
            return False
        beside = [*self._at_work, work]
        single = len(beside) <= self._number and all(each.answers == 1 for each in beside)
        return not self._at_work or (single and self._fits(beside))

    def _fits(self, works: Sequence[Work]) -> bool:
        """Not while one of them has still to load the model."""
        return sum(each.tokens for each in works) <= self._room(max(e.window for e in works))

    def _choose(self, work: Work) -> int:
        """Of the slots that nobody writes in, the one whose conversation begins most like this one,
        the last used of several; else an empty one, else the one that was not used for longest.
        The server would take any that is a little alike, and overwrite what was read at length."""
        taken = {each.slot for each in self._at_work}
        kept = [slot for slot in reversed(self._held) if slot not in taken]
        empty = [slot for slot in range(self._number) if slot not in (*taken, *self._held)]
        alike = max(kept, key=lambda slot: _alike(self._held[slot], work.said), default=None)
        if alike is None or not _alike(self._held[alike], work.said):
            alike = empty[-1] if empty else kept[-1]
        # Further answers go to the first of the others, which the server empties after them: so
        # conversations begin at the last.
        others = [slot for slot in range(self._number) if slot != alike][: work.answers - 1]
        for slot in (*others, alike):
            self._held.pop(slot, None)
        self._held[alike] = work.said
        return alike


def _alike(one: Sequence[str], other: Sequence[str]) -> int:
    """How many messages at the beginning are the same."""
    pairs = zip(one, other, strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
