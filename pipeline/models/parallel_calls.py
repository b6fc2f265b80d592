"""How many calls an Ollama server answers side by side (its OLLAMA_NUM_PARALLEL), which it does not
say: learned from the times of the calls that it has answered."""

import time
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass

MOST = 16
KEPT = 64  # calls
NOTICEABLE_S = 0.2  # shorter waits and overlaps have other reasons
FULL_FOR_S = 900.0  # then one more is tried again: servers are restarted with other settings


@dataclass(frozen=True, slots=True)
class AnsweredCall:
    """When a call was sent, when the server began with it, and when its answer was complete, in
    seconds of one clock. `load_s`: of the time between the first two, what loading took."""

    sent: float
    began: float
    ended: float
    load_s: float = 0.0

    @property
    def waited_s(self) -> float:
        return self.began - self.sent - self.load_s


class ParallelCalls:
    """One model's. A call that had to wait while others of ours were answered shows how many go at
    a time; as long as none had to, one more than was seen side by side may be tried."""

    def __init__(self) -> None:
        self._answered: deque[AnsweredCall] = deque(maxlen=KEPT)
        self._seen = 1
        self._full_until = float("-inf")

    @property
    def limit(self) -> int:
        """How many to send at a time now."""
        full = time.monotonic() < self._full_until
        return self._seen if full else min(self._seen + 1, MOST)

    def add(self, call: AnsweredCall) -> None:
        """Counts a call whose answer is complete."""
        self._answered.append(call)
        if ahead := self._ahead_of(call):
            self._seen, self._full_until = ahead, time.monotonic() + FULL_FOR_S
        else:
            self._seen = max(self._seen, self._side_by_side(call))

    def _ahead_of(self, call: AnsweredCall) -> int:
        """How many others were answered at a time while this one waited for one of them; 0: it did
        not wait, or for something else."""
        if call.waited_s < NOTICEABLE_S:
            return 0
        ahead = [
            each
            for each in self._answered
            if each.began < call.began and call.sent + NOTICEABLE_S < each.ended
        ]
        if not any(each.ended < call.began + NOTICEABLE_S for each in ahead):
            return 0
        return max(1, _most_at_once(ahead))

    def _side_by_side(self, call: AnsweredCall) -> int:
        """The most that were answered at one moment of this call's answer."""
        during = [e for e in self._answered if e.began < call.ended and e.ended > call.began]
        return _most_at_once(during)


def _most_at_once(calls: Sequence[AnsweredCall]) -> int:
    """The most that were answered at one moment, for long enough to be sure."""
    moments = [each.ended - NOTICEABLE_S for each in calls]
    at_once = (
        sum(each.began <= moment and moment + NOTICEABLE_S <= each.ended for each in calls)
        for moment in moments
    )
    return max(at_once, default=0)
