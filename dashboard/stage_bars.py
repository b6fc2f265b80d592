"""A run's stages as coloured pieces of a line: the timeline's small bars and the run page's
waterfall. Pure; positions and widths are percentages of the line."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import floor, log10, sqrt

from dashboard.formatting import count, duration
from history.index_row import Row, Stage

FULL_BAR_MS = 120_000
"""A run of this length fills a bar of the timeline; the scale is one of square roots."""
_COLOURED = {"coder", "judge", "reviewer"}
_LEAST = 0.6  # percent: what took time is seen


@dataclass(frozen=True, slots=True)
class Segment:
    x: float
    width: float
    kind: str
    title: str


@dataclass(frozen=True, slots=True)
class Lane:
    """A line of the waterfall. `hollow`: a stage that did not take place."""

    kind: str
    name: str
    detail: str
    took: str
    segments: tuple[Segment, ...]
    error: str | None = None
    hollow: bool = False
    facts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Waterfall:
    lanes: tuple[Lane, ...]
    ticks: tuple[tuple[float, str], ...]
    total: str


def kind_of(stage: str) -> str:
    """The class that a stage's colour hangs on."""
    return stage if stage in _COLOURED else "other"


def stage_name(stage: Stage) -> str:
    """With its label, where it has one."""
    return f"{stage.stage} ({stage.label})" if stage.label else stage.stage


def small_bar(row: Row) -> list[Segment]:
    """The run as one bar: waiting, then its stages, then what was left; as long as it took."""
    queue = row.queue_ms or 0.0
    total = queue + (row.duration_ms or 0.0)
    if total <= 0:
        return []
    length = min(100.0, 100 * sqrt(total / FULL_BAR_MS))
    parts = [("queue", queue, f"waited {duration(queue)}")]
    parts += [
        (_shade(stage), stage.duration_ms or 0.0, f"{stage.stage} {duration(stage.duration_ms)}")
        for stage in row.stages
    ]
    # Stages that ran beside each other take their share of the bar.
    scale = length / max(total, sum(ms for _, ms, _ in parts))
    made, x = [], 0.0
    for kind, ms, title in parts:
        if ms > 0:
            width = max(_LEAST, ms * scale)
            made.append(Segment(round(x, 2), round(width, 2), kind, title))
            x += width
    return made


def _shade(stage: Stage) -> str:
    return "failed" if stage.error else kind_of(stage.stage)


def waterfall(row: Row, hollow: Lane | None, total_ms: float | None) -> Waterfall:
    """The run against time, a lane for each stage. `total_ms` stretches the axis, so that two runs
    can be compared."""
    queue = row.queue_ms or 0.0
    ends = [(s.started_ms or 0.0) + (s.duration_ms or 0.0) for s in row.stages]
    own = queue + max([row.duration_ms or 0.0, *ends])
    total = max(total_ms or 0.0, own, 1.0)
    lanes = []
    if queue >= total * _LEAST / 100:
        segment = Segment(0, _width(queue, total), "queue", f"waited {duration(queue)}")
        lanes.append(Lane("queue", "queue", "waiting for its turn", duration(queue), (segment,)))
    lanes += [_lane(stage, queue, total) for stage in row.stages]
    if hollow:
        lanes.append(hollow)
    return Waterfall(tuple(lanes), _ticks(total), duration(own))


def _lane(stage: Stage, queue: float, total: float) -> Lane:
    start = queue + (stage.started_ms or 0.0)
    segments = []
    for kind, begun, ended, word in _phases(stage):
        if ended > begun:
            x = 100 * (start + begun) / total
            title = f"{word} {duration(ended - begun)}"
            segments.append(Segment(round(x, 2), _width(ended - begun, total), kind, title))
    return Lane(
        kind_of(stage.stage),
        stage_name(stage),
        stage.model or "",
        duration(stage.duration_ms),
        tuple(segments),
        stage.error,
        facts=tuple(_facts(stage)),
    )


def _phases(stage: Stage) -> Iterator[tuple[str, float, float, str]]:
    """Loading the model, reading the prompt, writing: from and to, since the call's start."""
    whole = stage.duration_ms or 0.0
    load = min(stage.load_ms or 0.0, whole)
    first = min(max(stage.first_token_ms or 0.0, load), whole)
    yield "load", 0.0, load, "loading the model"
    yield "read", load, first, "first token after"
    yield "write", first, whole, "writing" if first else "took"


def _facts(stage: Stage) -> Iterator[str]:
    times = [f"load {duration(stage.load_ms)}"] if stage.load_ms else []
    if stage.first_token_ms is not None:
        times.append(f"first token {duration(stage.first_token_ms)}{_read(stage)}")
    if times:
        yield ", ".join(times)
    if stage.prompt_tokens is not None or stage.output_tokens is not None:
        written = stage.generation_ms
        speed = ""
        if stage.output_tokens and written and written >= 1:
            speed = f", {count(stage.output_tokens / written * 1000)}/s"
        yield f"{stage.prompt_tokens or 0} → {stage.output_tokens or 0} tokens{speed}"


def _read(stage: Stage) -> str:
    """What the first token waited for: the tokens that were read, beside those that were cached."""
    if stage.prompt_tokens is None or stage.cached_tokens is None:
        return ""
    read = max(0, stage.prompt_tokens - stage.cached_tokens)
    return f" ({read} read, {stage.cached_tokens} cached)"


def _width(ms: float, total: float) -> float:
    return round(max(_LEAST / 2, 100 * ms / total), 2)


def _ticks(total: float) -> tuple[tuple[float, str], ...]:
    """Four or five round moments on the axis."""
    step = 10 ** floor(log10(total / 4))
    step *= next(factor for factor in (1, 2, 5, 10) if total / (step * factor) <= 5)
    moments: Sequence[float] = [index * step for index in range(1, int(total / step) + 1)]
    return tuple((round(100 * ms / total, 2), duration(ms)) for ms in moments if ms < total * 0.97)
