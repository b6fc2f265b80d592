"""How many calls a server answers side by side, as its answers' times tell."""

import pytest

from pipeline.models.parallel_calls import FULL_FOR_S, AnsweredCall, ParallelCalls


class Clock:
    """Stands still until it is told."""

    now = 0.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture(autouse=True)
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr("pipeline.models.parallel_calls.time", clock)
    return clock


def server(slots: int, callers: int, calls: ParallelCalls, begin: float = 0.0) -> float:
    """`callers` calls sent together to a server with so many slots, each answered in a second;
    gives when the last is."""
    free = [begin] * slots
    for _ in range(callers):
        free.sort()
        began = free[0]
        free[0] = began + 1.0
        calls.add(AnsweredCall(begin, began, began + 1.0))
    return max(free)


@pytest.mark.parametrize("slots", [1, 2, 4])
def test_it_comes_to_what_the_server_has(slots: int) -> None:
    """One more is sent each time, until one has to wait."""
    calls, at = ParallelCalls(), 0.0
    for _ in range(6):
        at = server(slots, calls.limit, calls, at) + 1.0
    assert calls.limit == slots


def test_a_call_alone_shows_nothing() -> None:
    """One that is slow to begin or that had to load neither: nobody was before it."""
    calls = ParallelCalls()
    calls.add(AnsweredCall(0.0, 0.0, 1.0))
    calls.add(AnsweredCall(2.0, 6.0, 7.0))
    calls.add(AnsweredCall(8.0, 13.0, 14.0, load_s=5.0))
    assert calls.limit == 2


def test_the_others_of_a_load_do_not_count_as_waiting() -> None:
    """Two that come while the model is loaded begin together afterwards."""
    calls = ParallelCalls()
    calls.add(AnsweredCall(0.0, 5.0, 6.0, load_s=5.0))
    calls.add(AnsweredCall(0.1, 5.0, 6.1, load_s=4.9))
    assert calls.limit == 3


def test_answers_that_end_as_the_next_begins_are_not_side_by_side() -> None:
    """Their times come over the network: what looks like a moment together is none."""
    calls = ParallelCalls()
    calls.add(AnsweredCall(0.0, 0.0, 0.11))
    calls.add(AnsweredCall(0.0, 0.1, 0.21))
    assert calls.limit == 2


def test_a_full_server_is_tried_again_after_a_while(clock: Clock) -> None:
    """It may have been started anew with more, or with less."""
    calls = ParallelCalls()
    server(1, 2, calls)
    assert calls.limit == 1
    clock.now = FULL_FOR_S + 1
    assert calls.limit == 2
    at = server(4, 2, calls, clock.now) + 1.0
    assert calls.limit == 3
    server(1, 3, calls, at)
    assert calls.limit == 1


def test_an_answer_without_a_moment_between_begin_and_end_shows_nothing() -> None:
    """An empty answer of a server whose clock has not moved."""
    calls = ParallelCalls()
    calls.add(AnsweredCall(0.0, 1.0, 1.0))
    assert calls.limit == 2
