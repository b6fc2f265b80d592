"""What the starter is meant to reach, and whether the figures do."""

from collections.abc import Callable
from typing import NamedTuple

from tools.starter.paths import Figures
from tools.starter.samples import BOTH, COMBINED, DESCRIBED, UNKNOWN


class Target(NamedTuple):
    """A figure and the least or most that it is to be."""

    title: str
    value: Callable[[Figures], float]
    limit: float
    at_most: bool = False
    unit: str = " %"


def _passes(title: str) -> Callable[[Figures], float]:
    return lambda figures: float(figures["known"][title]["pipeline_pass"])


def _gain(figures: Figures) -> float:
    row = figures["known"][BOTH]
    return round(float(row["pipeline_pass"] - row["coder_pass"]), 1)


def _texts_equal(figures: Figures) -> float:
    shares = [100 * same / all_ for same, all_ in figures["texts_equal_to_torch"].values()]
    return round(float(min(shares)), 1)


TARGETS = (
    Target("task families", lambda f: len(f["tasks"]), 100, unit=""),
    Target("pass: unseen combinations", _passes(COMBINED), 97.0),
    Target("pass: unseen frames", _passes("unseen frames"), 80.0),
    Target("pass: unseen descriptions", _passes(DESCRIBED), 80.0),
    Target(
        "out of scope: doubted, and a note that says so",
        lambda f: float(f["unknown"][UNKNOWN]["beyond"]),
        95.0,
    ),
    Target(
        "in scope, but ends like that",
        lambda f: float(f["all_known"]["beyond"]),
        3.0,
        at_most=True,
    ),
    Target("gain of the pipeline over the coder, both unseen", _gain, 0.1, unit=" points"),
    Target(
        "both files", lambda f: round(sum(f["bytes"].values()) / 1e6, 2), 16.0, True, unit=" MB"
    ),
    Target("greedy text equal to torch's", _texts_equal, 100.0),
    Target(
        "weights loaded and first answer",
        lambda f: float(f["milliseconds"]["first_answer"]),
        500.0,
        True,
        unit=" ms",
    ),
    Target(
        "reviewed run, median",
        lambda f: float(f["milliseconds"].get("reviewed", 0.0)),
        150.0,
        True,
        unit=" ms",
    ),
)


def judged(figures: Figures) -> list[Figures]:
    """Each target with its figure and whether it is met."""
    return [_judged(target, target.value(figures)) for target in TARGETS]


def _judged(target: Target, value: float) -> Figures:
    met = value <= target.limit if target.at_most else value >= target.limit
    sign = "≤" if target.at_most else "≥"
    return {
        "title": target.title,
        "target": f"{sign} {target.limit:g}{target.unit}",
        "value": f"{value:g}{target.unit}",
        "met": met,
    }
