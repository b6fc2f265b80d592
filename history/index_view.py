"""Queries on an open index: pages, facets, counts."""

import sqlite3
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from history.counts import Counts, Key, count_runs
from history.index_query import Rated, Rows, RunQuery, id_range, select
from history.index_row import Row, text_of
from history.index_rows import BLOCK, COLUMNS, row_from
from history.results import (
    FACETS,
    FACETS_OF_ROW,
    Facets,
    Page,
    RunCounts,
    facets_of,
    facets_of_rows,
)

SAMPLE = 5000
"""So many of the newest runs that fit are looked at for facets and groups."""
LARGE_SAMPLE = 20_000
"""The same for numbers."""

Place = tuple[int, int, int]
"""Number, offset and length of a line."""


class View:
    """An open index at one moment."""

    def __init__(self, database: sqlite3.Connection) -> None:
        self.database = database

    def damaged(self) -> int:
        """The number of lines that are no records."""
        return self._sum("SELECT sum(damaged) FROM files")

    def places(self, question: RunQuery, limit: int) -> list[Place]:
        """The newest lines that fit."""
        return self._find("number, offset, length", question, self._rows(question), limit)

    def place_of(self, id: str) -> Place | None:
        """The line of this run."""
        sql = "SELECT number, offset, length FROM runs WHERE id = ? ORDER BY row DESC LIMIT 1"
        found: Place | None = self.database.execute(sql, [text_of(id)]).fetchone()
        return found

    def page(self, question: RunQuery, before: str | None, after: str | None, limit: int) -> Page:
        """See `Index.page`."""
        rows = self._rows(question)
        if after is not None:
            return self._page_after(question, rows, after, limit)
        if before is not None:
            first, _ = self._rows_of(before)
            rows = Rows(rows.first, min(rows.last, first - 1))
        found = self._find(f"row, {COLUMNS}", question, rows, limit + 1)
        shown = [row_from(values[1:]) for values in found[:limit]]
        older = shown[-1].id if len(found) > limit else None
        return Page(shown, older, shown[0].id if shown and before is not None else None)

    def _page_after(self, question: RunQuery, rows: Rows, after: str, limit: int) -> Page:
        _, last = self._rows_of(after)
        if last == 0:
            return Page([])
        rows = Rows(max(rows.first, last + 1), rows.last)
        found = self._find(COLUMNS, question, rows, limit + 1, newest=False)
        shown = [row_from(values) for values in found[:limit]][::-1]
        newer = shown[0].id if len(found) > limit else None
        return Page(shown, shown[-1].id if shown else None, newer)

    def neighbours(self, id: str, question: RunQuery) -> tuple[str | None, str | None]:
        """See `Index.neighbours`."""
        first, last = self._rows_of(id)
        if last == 0:
            return None, None
        rows = self._rows(question)
        above, below = Rows(max(rows.first, last + 1), rows.last), Rows(rows.first, first - 1)
        newer = self._find("id", question, above, 1, newest=False)
        older = self._find("id", question, below, 1)
        return (newer[0][0] if newer else None), (older[0][0] if older else None)

    def facets(self, question: RunQuery) -> Facets:
        """See `Index.facets`."""
        if not question.unlimited:
            found = self._find(", ".join(FACETS_OF_ROW), question, self._rows(question), SAMPLE)
            return facets_of_rows(found, exact=len(found) < SAMPLE)
        counts: dict[Key, int] = {}
        for facet in (*FACETS, "reason"):
            sql = (
                "SELECT key, value, sum(runs) AS all_runs FROM counts WHERE key = ?"
                " AND auxiliary <= ? GROUP BY value ORDER BY all_runs DESC LIMIT 100"
            )
            for key, value, runs in self.database.execute(sql, [facet, question.auxiliary]):
                counts[key, value] = runs
        return facets_of(counts, self._counted(question), exact=True)

    def run_counts(self, question: RunQuery) -> RunCounts:
        """See `Index.run_counts`."""
        if not question.unlimited:
            rows = self.sample(question, LARGE_SAMPLE)
            return RunCounts(count_runs(rows), len(rows), len(rows) < LARGE_SAMPLE)
        sql = (
            "SELECT key, value, sum(runs), sum(amount) FROM counts"
            " WHERE key != 'session' AND auxiliary <= ? GROUP BY key, value"
        )
        found = self.database.execute(sql, [question.auxiliary])
        runs: dict[Key, int] = {}
        amounts: dict[Key, float] = {}
        for key, value, count, amount in found:
            runs[key, value], amounts[key, value] = count, amount
        return RunCounts(Counts(runs, amounts), self._counted(question), True)

    def rated(self, question: RunQuery) -> dict[str, int]:
        """How many of the runs that fit are rated how."""
        return {mark: self._rated(question, mark) for mark in ("up", "down")}

    def _rated(self, question: RunQuery, mark: str) -> int:
        narrowed = replace(question, ratings=(*question.ratings, Rated(mark)))
        selection = select(narrowed, self._values_of, self._rows(narrowed))
        return self._sum(f"SELECT count(*) {selection.sql}", *selection.values) if selection else 0

    def sample(self, question: RunQuery, size: int) -> list[Row]:
        """The newest rows that fit, at most so many."""
        found = self._find(COLUMNS, question, self._rows(question), size)
        return [row_from(values) for values in found]

    def _find(
        self, columns: str, question: RunQuery, rows: Rows, limit: int, *, newest: bool = True
    ) -> list[Any]:
        """Columns of the runs that fit, newest first, or else oldest first."""
        selection = select(question, self._values_of, rows)
        if selection is None:
            return []
        order = f"ORDER BY {selection.key} {'DESC' if newest else 'ASC'} LIMIT ?"
        sql = f"SELECT {columns} {selection.sql} {order}"
        return self.database.execute(sql, [*selection.values, limit]).fetchall()

    def _values_of(self, key: str) -> Sequence[str]:
        sql = "SELECT DISTINCT value FROM counts WHERE key = ?"
        return [value for (value,) in self.database.execute(sql, [key])]

    def _rows(self, question: RunQuery) -> Rows:
        """The rows among which those of the time that is meant are."""
        first = self._sum("SELECT coalesce(min(row), 1) FROM runs")
        last = self._sum("SELECT max(row) FROM runs")
        if question.since is not None:
            sql = "SELECT coalesce(min(block), 1 << 40) FROM blocks WHERE last_ts >= ?"
            first = max(first, self._sum(sql, question.since) * BLOCK)
        if question.until is not None:
            sql = "SELECT coalesce(max(block), -1) FROM blocks WHERE first_ts < ?"
            last = min(last, self._sum(sql, question.until) * BLOCK + BLOCK - 1)
        if question.id is not None:
            sql = "SELECT min(row), max(row) FROM runs WHERE id >= ? AND id < ?"
            found = self.database.execute(sql, id_range(question.id)).fetchone()
            first, last = max(first, found[0] or last + 1), min(last, found[1] or 0)
        return Rows(first, last)

    def _rows_of(self, id: str) -> tuple[int, int]:
        """The first and the last row with this id; 0, 0 if there is none."""
        sql = "SELECT coalesce(min(row), 0), coalesce(max(row), 0) FROM runs WHERE id = ?"
        first, last = self.database.execute(sql, [text_of(id)]).fetchone()
        return first, last

    def _counted(self, question: RunQuery) -> int:
        sql = "SELECT sum(runs) FROM counts WHERE key = 'kind' AND auxiliary <= ?"
        return self._sum(sql, question.auxiliary)

    def _sum(self, sql: str, *values: object) -> int:
        (result,) = self.database.execute(sql, values).fetchone()
        return result or 0
