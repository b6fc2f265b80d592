"""What speaks against SQL before anybody's opinion: it cannot be read, or no database takes it with
the tables that the request tells of."""

import asyncio
import re
from collections.abc import Sequence
from dataclasses import replace

from pipeline.analysis.draft import Draft, DraftSource
from pipeline.analysis.evidence import Finding
from pipeline.analysis.sql import SQLITE, dialect_of, is_procedural, sql_error, stands_alone
from pipeline.analysis.sql_tables import Table
from pipeline.analysis.syntax_process import Unread
from pipeline.review.called_examples import HOLD
from pipeline.review.query_runs import AskedQuery, has_sqlite, results_of_query, told_in
from pipeline.run import Run
from pipeline.sandbox import CaseResult
from pipeline.sandbox.value_comparison import shown
from pipeline.task import Task
from pipeline.testcases.examples.printed_tables import UNREAD
from pipeline.testcases.examples.shown_databases import ShownDatabase, shown_databases, shows_rows
from pipeline.testcases.sample_databases import rows_in

_ENOUGH = 2  # databases, to see whether it runs at all
_NAME = re.compile(r"^(?:no such (column|table)|ambiguous column name): (\S+)")
# What SQLite says of statements that no other database takes either.
_FAULT = re.compile(
    r"^no such (?:column|table): |^ambiguous column name|^misuse of (?:aggregate|window)"
    r"|^aggregate functions are not allowed|do not have the same number of result columns"
    r"|has no column named|values for \d+ columns|^sub-select returns \d+ columns"
    r"|^a GROUP BY clause is required|BY term out of range|clause should come after"
    r"|^recursive reference"
)
# What it says of those of other databases.
_FAULT_IN_SQLITE = re.compile(
    r"syntax error$|^circular reference|^unrecognized token|^wrong number of arguments to function"
    r"|^DISTINCT is not supported|^DISTINCT aggregates must have"
    r"|^no such function: (?i:char_length|curdate|date_(?:add|diff|format|part|sub|trunc)|datediff"
    r"|day|extract|getdate|hour|if|isnull|left|len|median|minute|month|now|percentile_cont|right"
    r"|to_char|to_date|week|year)$"
)
_ADDED = (
    r"\b(?:column|field|spalte)\W+(?:named |called )?\W?{0}\b|\b{0}\W+(?:column|field|spalte)\b"
    r"|\b(?:add(?:s|ed)?|additionally|also|besides|auch|zudem|aussi|tambi[eé]n"
    r"|too)\b[^.;]{{0,40}}\b{0}\b"
)
# What other databases do otherwise than SQLite, without an error.
_OWN_WAY = re.compile(
    r"/|\+|\|\||::|\blike\b|\bconcat|\bgroup_concat\b|_agg\b|\binterval\b|\bdate\w*\(",
    re.IGNORECASE,
)
# What depends on keys, which shown rows do not tell of.
_OF_KEYS = re.compile(
    r"\binsert\s+(?:or\s+(?:ignore|replace)|ignore)\b|\bon\s+(?:conflict|duplicate)\b|\breplace\s+into\b",
    re.IGNORECASE,
)
_STOPPED = "interrupted"  # what SQLite says of what takes too many steps
_LINE = re.compile(r" \(line \d+\)$")


async def examine_query(run: Run, task: Task, draft: Draft, source: DraftSource) -> Draft:
    """The draft with what speaks against it: syntax that no dialect has, and what no row of the
    request's tables can mend, such as a column that they do not have. Raises SandboxUnavailable."""
    request = told_in(task)
    is_sqlite = dialect_of(request) == SQLITE
    if not stands_alone(draft.text) or (is_procedural(draft.text) and not is_sqlite):
        return draft
    if error := await asyncio.to_thread(_syntax_error, draft.text, request):
        return replace(draft, findings=(Finding(source, "syntax", error),))
    asked = await asyncio.to_thread(AskedQuery.of, draft.text, request)
    if not asked:
        return draft
    fault = _fault_as_it_stands(asked, request)
    if not fault and has_sqlite():
        with run.step("sandbox", "evidence") as step:
            results = await results_of_query(run, draft.text, asked.databases(_ENOUGH))
            error = _error_of_all(results)
            step.note = f"it does not run: {error}" if error else "it runs"
        if error == _STOPPED:
            fault = "it does not end"
        elif error and _is_fault(error, asked, request):
            fault = f"it fails on the request's tables: {error}"
        if error and not fault:
            draft = replace(draft, unrun=error)  # by SQLite; another database may take it
    if fault:
        return replace(draft, findings=(Finding(source, "crash", fault),))
    return await _with_shown(run, asked, draft, source) if has_sqlite() else draft


async def _with_shown(run: Run, asked: AskedQuery, draft: Draft, source: DraftSource) -> Draft:
    """The draft with the results that fail which the request shows of its rows; decided, where all
    hold. What fails in SQLite alone, or may do there in its own way, does not fail."""
    request, used = asked.request, asked.statements.used
    databases = await asyncio.to_thread(shown_databases, request, used)
    if _OF_KEYS.search(draft.text):
        databases = [each for each in databases if " KEY" in each.case.setup.upper()]
    if not databases:
        is_unread = await asyncio.to_thread(shows_rows, request)
        return replace(draft, unread=UNREAD) if is_unread else draft
    with run.step("sandbox", "evidence") as step:
        results = await results_of_query(run, draft.text, [each.case for each in databases])
        pairs = [*zip(databases, results, strict=False)]
        held = [result.gave and each.is_held_by(result.value) for each, result in pairs]
        step.note = f"{sum(held)} of {len(databases)} results that the request shows hold"
    if len(held) == len(databases) and all(held):
        return replace(draft, decided=HOLD, facts=step.note)
    is_own_way = asked.dialect != SQLITE and bool(_OWN_WAY.search(draft.text))
    failing = tuple(
        Finding(
            source,
            "example",
            f"the example {shown(rows_in(each.case))} → {shown(str(each.wanted))} fails",
            _LINE.sub("", result.said),
        )
        for (each, result), is_held in zip(pairs, held, strict=True)
        if not is_held and _fails(each, result, asked, is_own_way)
    )
    return replace(draft, findings=failing)


def _fails(
    shown_one: ShownDatabase, result: CaseResult, asked: AskedQuery, is_own_way: bool
) -> bool:
    """Whether a query is wrong that gives this where another result is shown."""
    if not result.gave:
        return _is_error_everywhere(_error_of_all([result]), asked)
    return not (is_own_way or shown_one.is_ordered_in_part_by(result.value))


def _fault_as_it_stands(asked: AskedQuery, request: str) -> str:
    """What is wrong with it without running it, "" where nothing is: a table that the request does
    not speak of, where it says what others have; a column beside an aggregate."""
    told = {table.name: table for table in asked.tables if table.is_told}
    for name, columns in asked.statements.used.items():
        if name in told or not told:
            continue
        is_beside = not told.keys().isdisjoint(asked.statements.used)
        if is_beside and not _is_named(name, request):
            return f"the request has no table {name}"
        if not is_beside and (meant := _table_with(columns, [*told.values()])):
            return f"the table is called {meant}, not {name}"
    if asked.statements.ungrouped and asked.dialect != SQLITE:
        return f"{asked.statements.ungrouped} stands beside an aggregate without GROUP BY"
    return ""


def _is_named(table: str, request: str) -> bool:
    """Whether the request has its name, or means its rows: `order items`, `the customer's name`."""
    words = r"[ _-]".join(map(re.escape, table.split("_")))
    one = re.escape(
        re.sub("ies$", "y", table) if table.endswith("ies") else table.removesuffix("s")
    )
    of_one = rf"{one}(?:'s)? (?:\(which has an? )?(?:address|email|names?|titles?)"
    return bool(re.search(rf"\b(?:{words}|{of_one})\b", request, re.IGNORECASE))


def _table_with(columns: Sequence[str], tables: Sequence[Table]) -> str:
    """The name of the only table that has these columns, but for usual ones; "" for none."""
    own = {*columns} - {"id", "name"}
    found = [each for each in tables if own and own <= {column.name for column in each.columns}]
    return found[0].name if len(found) == 1 else ""


def _syntax_error(text: str, request: str) -> str | None:
    try:
        return None if is_procedural(text) else sql_error(text, dialect_of(request))
    except Unread:
        return None


def _error_of_all(results: Sequence[CaseResult]) -> str:
    """In what the statements fail on each database; "" where that is not the same."""
    errors = {_LINE.sub("", each.error.partition(": ")[2]) for each in results}
    return errors.pop() if len(errors) == 1 else ""


def _is_fault(error: str, asked: AskedQuery, request: str) -> bool:
    """Whether statements that fail so on made rows are wrong: a column that the request speaks of
    by that word may be there as well."""
    if not _is_error_everywhere(error, asked):
        return False
    found = _NAME.search(error)
    if not found or found[1] != "column":
        return True
    name = found[2].rpartition(".")[2].lower()
    is_elsewhere = any(name == column.name for table in asked.tables for column in table.columns)
    return is_elsewhere or not re.search(_ADDED.format(re.escape(name)), request, re.IGNORECASE)


def _is_error_everywhere(error: str, asked: AskedQuery) -> bool:
    """Whether no database takes statements of which SQLite says this: all their tables are told of,
    and it is no want of SQLite's."""
    is_sqlite = asked.dialect == SQLITE
    known = _FAULT.search(error) or (is_sqlite and _FAULT_IN_SQLITE.search(error))
    if not known or not all(table.is_told for table in asked.tables):
        return False
    found = _NAME.search(error)
    if not found:
        return True
    name = found[2].rpartition(".")[2].lower()
    is_name = not asked.statements.names.isdisjoint((found[2].lower(), f".{name}"))
    if not is_sqlite and (is_name or asked.statements.is_beyond):
        return False
    return found[1] != "table" or "." not in found[2]
