"""Numbers → the geometry of charts, for SVG. Pure; positions and sizes are percentages of the
drawing, so that a chart is as wide as its place."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from math import ceil, log10

from dashboard.formatting import count, duration, runs
from dashboard.numbers import SCORES, Bar, Day, Speed, StageTimes
from dashboard.thresholds import ScoreCell
from dashboard.timeline_rows import short_model

LEAST_DAYS, MOST_DAYS = 14, 60
_GAP = 0.28  # of a column's place


@dataclass(frozen=True, slots=True)
class Block:
    """A coloured part of a column."""

    y: float
    height: float
    kind: str


@dataclass(frozen=True, slots=True)
class Column:
    x: float
    width: float
    middle: float
    top: float
    blocks: list[Block]
    label: str
    title: str
    query: str
    value: int


@dataclass(frozen=True, slots=True)
class Columns:
    columns: list[Column]
    line: float | None = None
    """Where a threshold stands."""


@dataclass(frozen=True, slots=True)
class Span:
    """A horizontal bar, perhaps with a second, longer one behind it."""

    name: str
    width: float
    behind: float
    text: str
    query: str


def days(found: Sequence[Day]) -> Columns:
    """The last days that there were, also those without a run."""
    if not found:
        return Columns([])
    by_day = {day.day: day for day in found}
    last = date.fromisoformat(found[-1].day)
    age = (last - date.fromisoformat(found[0].day)).days + 1
    length = min(MOST_DAYS, max(LEAST_DAYS, age), last.toordinal())
    shown = [last - timedelta(days=n) for n in reversed(range(length))]
    most = max(day.runs for day in found)
    every = ceil(len(shown) / 8)
    made = []
    for index, day in enumerate(shown):
        of = by_day.get(day.isoformat()) or Day(day.isoformat(), 0, 0, 0, "")
        usual = of.runs - of.escalated - of.errors
        parts = (("usual", usual), ("escalated", of.escalated), ("failed", of.errors))
        label = f"{day.day} {day:%b}" if (len(shown) - 1 - index) % every == 0 else ""
        title = f"{day:%a} {day.day} {day:%b}: {runs(of.runs)}, {of.escalated} escalated"
        title += f", {of.errors} failed"
        made.append(_column(index, len(shown), parts, most, label, title, of.filter))
    return Columns(made)


def scores(bars: Sequence[Bar], threshold: int, *, low_is_bad: bool) -> Columns:
    """How often each score was given; those beyond the threshold stand out."""
    most = max((bar.runs for bar in bars), default=0)
    made = []
    for index, bar in enumerate(bars):
        score = int(bar.label)
        bad = score < threshold if low_is_bad else score > threshold
        parts = [("escalated" if bad else "usual", bar.runs)]
        title = f"{runs(bar.runs)} with {score}"
        made.append(_column(index, len(bars), parts, most, bar.label, title, bar.filter))
    edge = threshold - 1 if low_is_bad else threshold
    return Columns(made, 100 * edge / len(bars) if bars else None)


def _column(
    index: int,
    columns: int,
    parts: Sequence[tuple[str, int]],
    most: int,
    label: str,
    title: str,
    query: str,
) -> Column:
    place = 100 / columns
    blocks, y = [], 100.0
    for kind, number in parts:
        if number:
            height = max(1.0, 100 * number / max(most, 1))
            y = max(0.0, y - height)
            blocks.append(Block(round(y, 2), round(height, 2), kind))
    return Column(
        round((index + _GAP / 2) * place, 3),
        round(place * (1 - _GAP), 3),
        round((index + 0.5) * place, 3),
        round(y, 2),
        blocks,
        label,
        title,
        query,
        sum(number for _, number in parts),
    )


def stage_times(stages: Sequence[StageTimes]) -> list[Span]:
    """Half of a stage's calls took no longer than the bar, and all but a twentieth no longer than
    the one behind it."""
    longest = max((stage.p95_ms for stage in stages), default=0) or 1
    return [
        Span(
            stage.stage,
            round(100 * stage.p50_ms / longest, 2),
            round(100 * stage.p95_ms / longest, 2),
            f"{duration(stage.p50_ms)} / {duration(stage.p95_ms)}",
            stage.filter,
        )
        for stage in stages
    ]


def speeds(models: Sequence[Speed]) -> list[Span]:
    fastest = max((model.tokens_per_s for model in models), default=0) or 1
    return [
        Span(
            short_model(model.model),
            round(100 * model.tokens_per_s / fastest, 2),
            0,
            f"{count(model.tokens_per_s)} tokens/s",
            model.filter,
        )
        for model in models
    ]


def bars(found: Sequence[Bar]) -> list[Span]:
    longest = max((bar.runs for bar in found), default=0) or 1
    return [
        Span(bar.label, round(100 * bar.runs / longest, 2), 0, count(bar.runs), bar.filter)
        for bar in found
    ]


def grid(cells: Sequence[ScoreCell]) -> list[list[tuple[ScoreCell, int]]]:
    """A row for each conflict, the highest first; each cell with its heat, 0 (no runs) to 5."""
    most = max(cell.runs for cell in cells)
    return [
        [(cell, _heat(cell.runs, most)) for cell in cells if cell.conflict == conflict]
        for conflict in reversed(SCORES)
    ]


def _heat(number: int, most: int) -> int:
    """By orders of magnitude: a grid has one crowded corner and many single runs."""
    return 0 if not number else 1 + round(4 * log10(number) / log10(most)) if most > 1 else 5
