"""What SQL does: run in SQLite, in the sandbox, on databases that are made for it."""

import asyncio
import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path
from typing import Self

from pipeline import sandbox
from pipeline.analysis.draft import Draft
from pipeline.analysis.sql import SQLITE, Statements, dialect_of, statements_of
from pipeline.analysis.sql_tables import Table, tables_of
from pipeline.analysis.syntax_process import Unread
from pipeline.run import Run
from pipeline.sandbox import Arguments, Case, CaseResult
from pipeline.task import Task
from pipeline.testcases.behaviour import Behaviour
from pipeline.testcases.chance import depends_on_chance
from pipeline.testcases.examples.shown_databases import tables_told
from pipeline.testcases.sample_databases import sample_databases

DATABASES = 20  # that queries are compared on, of those that are tried first
_TRIED = 60
_SCRIPT = Path(sandbox.__file__).parent / "sandbox_scripts/query_database.py"


@dataclass(frozen=True, slots=True)
class AskedQuery:
    """What statements ask of which tables. `dialect`: that of the request, "" for any."""

    text: str
    request: str
    dialect: str
    statements: Statements
    tables: tuple[Table, ...]

    @classmethod
    def of(cls, text: str, request: str) -> Self | None:
        """None for statements that ask nothing of tables, or cannot be read."""
        dialect = dialect_of(request)
        try:
            statements = statements_of(text, dialect)
            if not statements or not statements.asks:
                return None
            told = tables_told(request, statements.used)
            tables = tables_of(f"{told}\n{request}", dialect, statements)
        except Unread:
            return None
        return cls(text, request, dialect, statements, tables) if tables else None

    def databases(self, n: int) -> tuple[Case, ...]:
        """To try them on."""
        return sample_databases(self.tables, self.request, self.text, n)


async def databases_for(run: Run, task: Task, draft: Draft) -> tuple[Case, ...]:
    """Those on which queries are compared with this one; () where it asks nothing of tables that
    are not its own, where chance decides, and where it answers on none of them. Raises
    SandboxUnavailable."""
    if depends_on_chance(draft.text, "sql") or not has_sqlite():
        return ()
    asked = await asyncio.to_thread(AskedQuery.of, draft.text, told_in(task))
    if not asked:
        return ()
    with run.step("sandbox", "databases") as step:
        databases = await asyncio.to_thread(asked.databases, _TRIED)
        results = await results_of_query(run, draft.text, databases)
        answered = sum(each.gave for each in results)
        step.note = f"it answers on {answered} of {len(results)} databases"
    return await asyncio.to_thread(_telling, databases, results)


def _telling(databases: Sequence[Case], results: Sequence[CaseResult]) -> tuple[Case, ...]:
    """At most DATABASES of those that are answered: first those of which different things come."""
    given = [pair for pair in zip(databases, results, strict=False) if pair[1].gave]
    outcomes = Behaviour.of([result for _, result in given]).outcomes
    first: dict[str, Case] = {}
    for (database, _), outcome in zip(given, outcomes, strict=True):
        first.setdefault(outcome, database)
    names = {database.name for database in first.values()}
    others = (database for database, _ in given if database.name not in names)
    return tuple([*first.values(), *others][:DATABASES])


async def results_of_query(run: Run, text: str, databases: Sequence[Case]) -> Sequence[CaseResult]:
    """What comes of the statements on each database, in one process; nothing where the run's time
    is used up. Raises SandboxUnavailable."""
    scripts = [text, await asyncio.to_thread(_in_sqlite, text, run.request.prompt)]
    program = await asyncio.to_thread(_SCRIPT.read_text, encoding="utf-8")
    calls = [replace(each, session="", arguments=_given(each)) for each in databases]
    beside = {"query.json": json.dumps(scripts)}
    try:
        async with asyncio.timeout_at(run.deadline):
            limits = sandbox.Limits.of_calls(run.settings)
            return await sandbox.run_calls(program, calls, limits, entry="rows_of", beside=beside)
    except TimeoutError:
        return ()


def in_sql(task: Task) -> str:
    """What a model is told that writes a query once more: the language, and the tables of which
    the request says all columns."""
    request = told_in(task)
    try:
        told = [str(table) for table in tables_of(request, dialect_of(request)) if table.is_told]
    except Unread:
        told = []
    return "Write it in SQL." + (f" The tables are {', '.join(told)}." if told else "")


def _given(database: Case) -> Arguments:
    return Arguments((database.setup, database.session))


def told_in(task: Task) -> str:
    """What was said before may tell of the tables."""
    return f"{task.context}\n{task.said}"


def has_sqlite() -> bool:
    """A Python may be built without it."""
    return find_spec("_sqlite3") is not None


def _in_sqlite(text: str, request: str) -> str | None:
    """ "" for what cannot be read, None where SQLite itself is asked for."""
    dialect = dialect_of(request)
    try:
        if dialect == SQLITE:
            return None
        found = statements_of(text, dialect)
    except Unread:
        return ""
    return ";\n".join(found.in_sqlite) if found else ""
