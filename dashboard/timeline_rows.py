"""A row of the index → what a line of the timeline shows. Pure."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from urllib.parse import quote

from dashboard import formatting
from dashboard.filters import with_term
from dashboard.live import LiveRun
from dashboard.stage_bars import Segment, kind_of, small_bar, stage_name
from history import results
from history.index_row import Row
from laios.model_names import shown_name

_USUAL_SOURCES = (None, "native")  # how a run usually comes in is not worth a word


@dataclass(frozen=True, slots=True)
class Scores:
    """Two scores as a badge; `low` and `torn` where confidence or conflict crossed its line."""

    confidence: int
    conflict: int
    low: bool = False
    torn: bool = False

    @property
    def title(self) -> str:
        return f"confidence {self.confidence} of 10, conflict {self.conflict} of 10"


@dataclass(frozen=True, slots=True)
class RowView:
    """A line of the timeline. `state` is failed, escalated or usual; `badge` a word where there are
    no scores; `remark` says what was not as usual."""

    id: str
    href: str
    clock: str
    iso: str
    when: str
    title: str
    mode: str
    mode_name: str
    models: str
    session: str | None
    source: str | None
    auxiliary: bool
    state: str
    remark: str
    scores: Scores | None
    review: Scores | None
    badge: str | None
    bar: list[Segment]
    took: str


def row_view(row: Row) -> RowView:
    return RowView(
        id=row.id,
        href=f"/dashboard/runs/{path_part(row.id)}",
        clock=formatting.clock(row.ts),
        iso=formatting.iso(row.ts),
        when=formatting.full_time(row.ts),
        title=row.prompt or ("text not kept" if row.prompt is None else "empty prompt"),
        mode=mode_word(row.mode),
        mode_name=row.mode or "unknown mode",
        models=", ".join(short_model(model) for model in row.models),
        session=row.session,
        source=None if row.source in _USUAL_SOURCES else row.source,
        auxiliary=row.auxiliary,
        state="failed" if row.error else "escalated" if row.escalated else "usual",
        remark=_remark(row),
        scores=scores_of(row),
        review=review_scores_of(row),
        badge=_badge(row),
        bar=small_bar(row),
        took=formatting.duration(row.duration_ms),
    )


def scores_of(row: Row) -> Scores | None:
    if row.confidence is None or row.conflict is None:
        return None
    reason = row.reason
    low, torn = reason in ("confidence", "both"), reason in ("conflict", "both")
    return Scores(row.confidence, row.conflict, low, torn)


def review_scores_of(row: Row) -> Scores | None:
    if row.review_confidence is None or row.review_conflict is None:
        return None
    return Scores(row.review_confidence, row.review_conflict)


def _badge(row: Row) -> str | None:
    if row.reason in ("evidence", "undecided"):
        return row.reason
    return "unparseable" if row.verdict == "unparseable" else None


def _remark(row: Row) -> str:
    if row.error:
        return row.error
    if row.escalated:
        kept = f" · kept the draft: {row.final_reason}" if row.final_reason else ""
        return f"{row.escalation_reason or 'escalated'}{kept}"
    return row.final_reason or ""


def mode_word(mode: str | None) -> str:
    """`code_reviewed_ctx` → `reviewed + ctx`."""
    name = mode or "?"
    base = name.removesuffix("_ctx")
    word = base.removeprefix("code_").replace("_", " ")
    return word + (" + ctx" if base != name else "")


def short_model(model: str) -> str:
    """`ollama/qwen2.5-coder:7b` → `qwen2.5-coder:7b`; what follows a provider is the name, and of a
    path its end."""
    return shown_name(model).partition("/")[2] or model


def path_part(text: str) -> str:
    return quote(text, safe="", errors="replace")


# --- groups --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Group:
    """Rows under a heading: a day, or a session. `key` is None for the runs of no session; `runs`
    is the number of all of the session, if some may not be among the rows."""

    key: str | None
    name: str
    rows: list[RowView]
    runs: int | None = None
    all: str = ""
    """The filter that finds all of them."""


def by_day(rows: Iterable[Row], today: date) -> list[Group]:
    """Rows in their order, under the days on which they ran."""
    groups: list[Group] = []
    for row in rows:
        key = formatting.day_key(row.ts)
        if not groups or groups[-1].key != key:
            groups.append(Group(key, formatting.day_name(key, today), []))
        groups[-1].rows.append(row_view(row))
    return groups


def session_group(found: results.Group, filter_text: str) -> Group:
    """A session's newest rows, of those that fit the filter."""
    rows = [row_view(row) for row in found.rows]
    if found.session is None:
        return Group(None, "Without a session", rows, found.runs)
    narrowed = with_term(filter_text, "session", found.session)
    return Group(found.session, found.session, rows, found.runs, narrowed)


# --- runs that are not over ----------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Tick:
    """A stage of a run that goes on: `state` is done, failed, now or ahead."""

    name: str
    kind: str
    state: str
    took: str


@dataclass(frozen=True, slots=True)
class LiveView:
    id: str
    href: str
    title: str
    mode: str
    state: str
    elapsed_ms: int
    ticks: list[Tick]


def live_view(run: LiveRun) -> LiveView:
    position = f", number {run.position}" if run.position else ""
    return LiveView(
        id=run.id,
        href=f"/dashboard/runs/{path_part(run.id)}",
        title=run.prompt or "text not kept",
        mode=mode_word(run.mode),
        state="running" if run.state == "running" else f"waiting{position}",
        elapsed_ms=round(run.elapsed_ms),
        ticks=list(_ticks(run)),
    )


def _ticks(run: LiveRun) -> Iterator[Tick]:
    for stage in run.stages:
        going = stage.duration_ms is None
        state = "now" if going else "failed" if stage.error else "done"
        took = "" if going else formatting.duration(stage.duration_ms)
        yield Tick(stage_name(stage), kind_of(stage.stage), state, took)
    begun = {stage.stage for stage in run.stages}
    for role in run.roles:
        if role not in begun:
            yield Tick(role, kind_of(role), "ahead", "")
