"""The few statistics of a paired benchmark. Pure.

Below a few hundred problems the normal approximation is too narrow (arXiv 2503.01747), so: Wilson's
interval for a share, and the exact test for two arms on the same problems.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from math import sqrt

Z95 = 1.959963984540054


def wilson(right: int, of: int) -> tuple[float, float]:
    """The 95 % interval of a share (Wilson 1927), as shares; (0, 1) of nothing."""
    if not of:
        return 0.0, 1.0
    share, z2 = right / of, Z95**2
    middle = (share + z2 / (2 * of)) / (1 + z2 / of)
    half = Z95 / (1 + z2 / of) * sqrt(share * (1 - share) / of + z2 / (4 * of * of))
    return max(0.0, middle - half), min(1.0, middle + half)


def auroc(right: Sequence[float], wrong: Sequence[float]) -> float | None:
    """How likely a right draft is scored above a wrong one (Mann–Whitney U; ties count half);
    None where there are none of a kind."""
    if not right or not wrong:
        return None
    lower = sorted(wrong)
    wins = sum(bisect_left(lower, score) + bisect_right(lower, score) for score in right) / 2
    return wins / (len(right) * len(wrong))


def auroc_interval(area: float | None, right: int, wrong: int) -> tuple[float | None, float | None]:
    """The 95 % interval of an `auroc` of so many drafts (Hanley and McNeil 1982)."""
    if area is None:
        return None, None
    q1, q2 = area / (2 - area), 2 * area**2 / (1 + area)
    spread = area * (1 - area) + (right - 1) * (q1 - area**2) + (wrong - 1) * (q2 - area**2)
    half = Z95 * sqrt(max(0.0, spread) / (right * wrong))
    return max(0.0, area - half), min(1.0, area + half)


def mcnemar(only_one: int, only_other: int) -> float:
    """The two-sided exact p of McNemar's test (1947): how likely discordant pairs split at least
    this unevenly if both arms are equally good."""
    pairs = only_one + only_other
    tail = way = 1  # each way to choose k pairs from the one before: thousands are quick
    for k in range(min(only_one, only_other)):
        way = way * (pairs - k) // (k + 1)
        tail += way
    return min(1.0, float(2 * tail / 2**pairs))
