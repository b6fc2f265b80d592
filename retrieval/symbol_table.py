"""The indexed names, as `retrieval.api_names` asks for them."""

import json
import sqlite3
from collections.abc import Collection, Sequence
from typing import Any

from retrieval.sources.chunk import Symbol

_FACTS = "kind, bases, returns, parameters, complete, alias_of"
_BELOW = """WITH RECURSIVE
    below(name) AS (VALUES (?) UNION SELECT class FROM bases JOIN below ON base = name),
    family(name) AS (
        SELECT name FROM below UNION SELECT base FROM bases JOIN family ON class = name
    )
"""
_PLACES = 20


class Symbols:
    """From one open index. Answers are kept: an object of this class is for one piece of work."""

    def __init__(self, database: sqlite3.Connection) -> None:
        self._database = database
        self._members: dict[str, frozenset[str]] = {}
        self._families: dict[str, frozenset[str]] = {}

    def symbol(self, name: str) -> Symbol | None:
        """Where several sources have it, the thing itself before an alias of it, and of several the
        one that promises less."""
        parent, _, short = name.rpartition(".")
        row = self._database.execute(
            f"SELECT {_FACTS} FROM symbols WHERE short = ? AND parent = ? "
            "ORDER BY alias_of != '', complete LIMIT 1",
            (short, parent),
        ).fetchone()
        return _symbol(name, row) if row else None

    def members(self, name: str) -> Collection[str]:
        """The last parts of the names directly below a qualified name."""
        if name not in self._members:
            rows = self._database.execute("SELECT short FROM symbols WHERE parent = ?", (name,))
            self._members[name] = frozenset(row[0] for row in rows)
        return self._members[name]

    def is_module(self, name: str) -> bool:
        """Whether a module of this name was read."""
        query = (
            "SELECT 1 FROM parts JOIN sources ON sources.id = source "
            "WHERE path = ? AND kind != 'folder' LIMIT 1"
        )
        return self._database.execute(query, (name,)).fetchone() is not None

    def has_submodules(self, name: str) -> bool:
        query = "SELECT 1 FROM parts WHERE path > ? AND path < ? LIMIT 1"
        # "/" is the character after "."
        return self._database.execute(query, (f"{name}.", f"{name}/")).fetchone() is not None

    def places(self, short: str) -> list[str]:
        """The qualified names of the classes and functions with this last part."""
        rows = self._database.execute(
            "SELECT parent FROM symbols WHERE short = ? AND parent != '' "
            "AND kind IN ('class', 'function') ORDER BY alias_of != '', length(parent) LIMIT ?",
            (short, _PLACES),
        )
        return [f"{parent}.{short}" for (parent,) in rows]

    def in_family(self, name: str, short: str) -> list[Symbol]:
        """The members called `short` of a class, of those below it and of all their bases."""
        family = self._family(name)
        rows = self._database.execute(
            f"SELECT parent, {_FACTS} FROM symbols WHERE short = ?", (short,)
        )
        return [_symbol(f"{parent}.{short}", facts) for parent, *facts in rows if parent in family]

    def _family(self, name: str) -> frozenset[str]:
        if name not in self._families:
            rows = self._database.execute(f"{_BELOW} SELECT name FROM family", (name,))
            self._families[name] = frozenset(row[0] for row in rows)
        return self._families[name]

    def below(self, name: str) -> list[str]:
        """The class and those that are derived from it, directly or not."""
        return [
            row[0] for row in self._database.execute(f"{_BELOW} SELECT name FROM below", (name,))
        ]


def _symbol(name: str, facts: Sequence[Any]) -> Symbol:
    kind, bases, returns, parameters, complete, alias = facts
    return Symbol(
        name,
        kind,
        bases=tuple(json.loads(bases)) if bases else (),
        returns=returns,
        parameters=None if parameters is None else tuple(json.loads(parameters)),
        complete=bool(complete),
        alias_of=alias,
    )
