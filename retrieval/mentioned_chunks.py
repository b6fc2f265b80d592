"""The chunks that document the names which a question mentions."""

import sqlite3
from collections.abc import Iterable, Iterator, Sequence

from retrieval.index_tables import marks

_NAMESAKES = 200  # symbols with one short name that are looked at
MEANT = 4  # of them that a name may mean; more mean nothing


def mentioned(
    database: sqlite3.Connection, names: Sequence[str], limit: int, sources: Sequence[int]
) -> list[int]:
    """Numbers of chunks: for each name its own chunk, up to half of the limit, or as many as there
    are names; of these `sources` alone, where some are given. `vtkActor.SetMapper` is the chunk of
    the class that has the method."""
    found: dict[int, None] = {}
    for name in names:
        for symbol in _meant(database, name, names, sources):
            chunk = chunk_of(database, symbol)
            if chunk is not None:
                found[chunk] = None
    return list(found)[: max(1, limit // 2, min(limit, len(names)))]


def _meant(
    database: sqlite3.Connection, name: str, names: Sequence[str], sources: Sequence[int]
) -> list[str]:
    """The qualified names that a name stands for: those that end with it; of too many those of a
    class that is mentioned as well."""
    symbols = _ending_with(database, name, sources)
    if len(symbols) > MEANT:
        owners = {each.rpartition(".")[2] for each in names}
        symbols = [each for each in symbols if each.rpartition(".")[0].split(".")[-1] in owners]
    if not symbols and "." in name:  # a method that it inherits, a variable's attribute
        owner = name.rpartition(".")[0]
        symbols = _ending_with(database, owner, sources) if owner not in names else []
    return symbols if len(symbols) <= MEANT else []


def _ending_with(database: sqlite3.Connection, name: str, sources: Sequence[int]) -> list[str]:
    last = name.rpartition(".")[2]
    parts = f"SELECT id FROM parts WHERE source IN ({marks(sources)})"
    among = f"AND part IN ({parts})" if sources else ""
    rows = database.execute(
        f"SELECT parent, alias_of FROM symbols WHERE short = ? {among} LIMIT ?",
        (last, *sources, _NAMESAKES),
    )
    return list(dict.fromkeys(_qualified(rows, last, name)))


def _qualified(rows: Iterable[tuple[str, str]], last: str, name: str) -> Iterator[str]:
    for parent, alias in rows:
        qualified = f"{parent}.{last}" if parent else last
        if f".{qualified}".endswith(f".{name}"):
            yield alias or qualified


def chunk_of(database: sqlite3.Connection, symbol: str) -> int | None:
    """The chunk under the symbol's own title, or the one of its class that tells of it."""
    own = "SELECT min(id) FROM chunks WHERE title = ?"
    (found,) = database.execute(own, (symbol,)).fetchone()
    if found is None:
        owner = symbol.rpartition(".")[0]
        telling = (owner, f'"{symbol}"')
        (found,) = database.execute(f"{own} AND instr(symbols, ?)", telling).fetchone()
    return found if found is None else int(found)
