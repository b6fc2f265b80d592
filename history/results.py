"""Result types of the index: pages, facets, groups, counts. Pure."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import orjson

from history.counts import Counts, Key
from history.index_row import Row

FACETS = ("mode", "model", "verdict", "escalated", "error", "source", "session")
FACETS_OF_ROW = ("session", "models", "mode", "verdict", "reason", "error", "source")
"""The columns that they are counted from; there are few combinations without the session."""
TOP = 10
"""So many values of a facet are given, those with the most runs."""


@dataclass(frozen=True, slots=True)
class Page:
    """Rows, newest first. `older` is what to give as `before` for the next page, `newer` what to
    give as `after` for the one before; None where there are no more."""

    rows: Sequence[Row]
    older: str | None = None
    newer: str | None = None


@dataclass(frozen=True, slots=True)
class Facets:
    """Values with their numbers of runs, most first, for each of `FACETS`.

    `runs` is the number of runs counted. Not `exact`: only the newest that fit were counted, and
    there are more.
    """

    counts: Mapping[str, Sequence[tuple[str, int]]]
    runs: int
    exact: bool


@dataclass(frozen=True, slots=True)
class Group:
    """The runs of a session that fit (None: of no session); `rows` are the newest ones, `runs` is
    the number of all."""

    session: str | None
    runs: int
    rows: Sequence[Row]


@dataclass(frozen=True, slots=True)
class Groups:
    """Sessions, that with the newest run first; `older` is what to give as `before` for the
    next."""

    groups: Sequence[Group]
    older: str | None


@dataclass(frozen=True, slots=True)
class RunCounts:
    """Counts over `runs` runs (see `history.counts`). Not `exact`: only the newest that fit were
    counted, and there are more."""

    counts: Counts
    runs: int
    exact: bool


def facets_of_rows(rows: Sequence[tuple[str | None, ...]], *, exact: bool) -> Facets:
    """Facets of rows with the columns `FACETS_OF_ROW`."""
    counts: Counter[Key] = Counter()
    for values, runs in Counter(row[1:] for row in rows).items():
        models, *plain = values
        for model in orjson.loads(models or "[]"):
            counts["model", model] += runs
        for key, value in zip(FACETS_OF_ROW[2:], plain, strict=True):
            if value:
                counts[key, value] += runs
    for session, runs in Counter(row[0] for row in rows).items():
        if session:
            counts["session", session] += runs
    return facets_of(counts, len(rows), exact=exact)


def facets_of(found: Mapping[Key, int], runs: int, *, exact: bool) -> Facets:
    """Facets of counts by key and value."""
    counts: dict[str, list[tuple[str, int]]] = {facet: [] for facet in FACETS}
    for (key, value), count in found.items():
        if key in counts:
            counts[key].append((value, count))
    escalated = sum(count for (key, _), count in found.items() if key == "reason")
    split = ("yes", escalated), ("no", runs - escalated)
    counts["escalated"] = [(value, count) for value, count in split if count]
    top = {
        facet: sorted(values, key=lambda value: (-value[1], value[0]))[:TOP]
        for facet, values in counts.items()
    }
    return Facets(top, runs, exact)


def group_by_session(rows: Sequence[Row], before: str | None, limit: int, per_group: int) -> Groups:
    """Groups of rows, both newest first."""
    sessions: dict[str | None, list[Row]] = {}
    for row in rows:
        sessions.setdefault(row.session, []).append(row)
    groups = [Group(name, len(own), own[:per_group]) for name, own in sessions.items()]
    newest = [own[0].id for own in sessions.values()]
    start = newest.index(before) + 1 if before in newest else 0
    shown = groups[start : start + limit]
    more = start + limit < len(groups)
    return Groups(shown, shown[-1].rows[0].id if more else None)
