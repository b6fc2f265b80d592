"""SQL: what statements speak of, the tables that a request tells of, databases to try them on, and
drafts that are held against these and compared on them."""

import asyncio
import json
import re
import shutil
import sqlite3
from pathlib import Path

import pytest

from config import load_settings
from history.open_questions import example_decides
from pipeline.analysis.draft import Draft
from pipeline.analysis.sql import ColumnUsage, dialect_of, sql_error, statements_of
from pipeline.analysis.sql_tables import tables_of
from pipeline.analysis.syntax_process import Unread
from pipeline.confirmation import confirmed
from pipeline.request import Turn
from pipeline.review.query_evidence import examine_query
from pipeline.review.query_runs import databases_for, results_of_query
from pipeline.task import Task
from pipeline.testcases.behaviour import Behaviour
from pipeline.testcases.sample_databases import rows_in, sample_databases
from server.runtime.record_details import details_of
from tests.test_agreement import JUDGED, coder, comparing, models_asked
from tools.bench.drafts.executed import run_of

QUERIES = Path(__file__).parents[1] / "tools/bench/queries.jsonl"
needs_sandbox = pytest.mark.skipif(
    shutil.which("bwrap") is None, reason="the sandbox needs bubblewrap"
)
TABLES = """\
CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT NOT NULL, joined DATE);
CREATE TABLE orders (
  id SERIAL PRIMARY KEY,
  customer_id INT REFERENCES customers (id),
  amount NUMERIC(10, 2),
  code VARCHAR(9) UNIQUE
);
"""
ASKED = f"{TABLES}\nSQL: the total amount of each customer as name and total, sorted by name."
RIGHT = """\
SELECT c.name, SUM(o.amount) AS total
FROM customers c JOIN orders o ON o.customer_id = c.id
GROUP BY c.id, c.name ORDER BY c.name;
"""
ALSO_RIGHT = """\
WITH sums AS (SELECT customer_id, SUM(amount) AS total FROM orders GROUP BY customer_id)
SELECT name, total FROM customers JOIN sums ON customers.id = sums.customer_id ORDER BY name
"""
COUNTS = RIGHT.replace("SUM(o.amount)", "COUNT(o.amount)")


def told(request, text="SELECT 1 FROM nothing"):
    return {each.name: each for each in tables_of(request, "", statements_of(text, ""))}


def columns(table):
    return {each.name: each.kind for each in table.columns}


# --- what statements speak of --------------------------------------------------------------------


def test_the_columns_of_each_table_are_found():
    """By aliases, in nested queries, as the first table's where nothing tells; not what a query
    calls its own columns, nor tables that the statements make."""
    found = statements_of(
        "WITH best AS (SELECT owner AS who, MAX(price) AS most FROM cars GROUP BY owner)\n"
        "SELECT p.name, most FROM people p JOIN best ON best.who = p.id\n"
        "WHERE EXISTS (SELECT 1 FROM fines WHERE fines.person = p.id) ORDER BY most",
        "",
    )
    assert {table: set(each) for table, each in found.used.items()} == {
        "cars": {"owner", "price"},
        "people": {"name", "id"},
        "fines": {"person"},
    }
    made = statements_of("CREATE TABLE a (b INT); INSERT INTO a VALUES (1); SELECT b FROM a", "")
    assert made.asks and not made.used
    assert not statements_of("CREATE TABLE a (b INT);", "").asks
    changed = statements_of("UPDATE a SET b = c + 1 WHERE d = 'x'", "")
    assert set(changed.used["a"]) == {"b", "c", "d"}
    assert changed.usage["d"] == ColumnUsage(("x",)) and changed.usage["c"].is_number
    assert set(statements_of("INSERT INTO a (b, c) VALUES (1, 2)", "").used["a"]) == {"b", "c"}


def test_a_query_is_said_in_sqlites_dialect():
    """What sqlglot knows of the dialect that is named."""
    (written,) = statements_of("SELECT TOP 5 [a b] FROM t", "tsql").in_sqlite
    assert written == 'SELECT "a b" FROM t LIMIT 5'
    texts = ("EXTRACT(YEAR FROM a)", "DATE_TRUNC('month', a)", "EXTRACT(WEEK FROM a)")
    written = [statements_of(f"SELECT {each}", "postgres").in_sqlite[0] for each in texts]
    assert written == [
        "SELECT CAST(STRFTIME('%Y', a) AS INTEGER)",
        "SELECT STRFTIME('%Y-%m-01', a)",
        "SELECT EXTRACT(WEEK FROM a)",
    ]
    asked = ("in MySQL", "a Postgres query", "sqlite3: count", "SQL")
    assert [dialect_of(each) for each in asked] == ["mysql", "postgres", "sqlite", ""]


def test_names_and_values_that_few_have():
    """SQLite takes the databases that are made for them."""
    for text in (
        'SELECT "a""b" FROM "c""d"',
        "SELECT a FROM t WHERE b = 1e999 OR b = 1e",
        "SELECT a FROM t WHERE b = 'x\0y'",
        "DELETE CASE; SELECT a FROM t",
    ):
        tables = tuple(told("", text).values())
        for each in sample_databases(tables, "", text, 3):
            sqlite3.connect(":memory:").executescript(each.setup + each.session)
    assert sample_databases(tables, "\ud800", "", 1)


def test_syntax_errors_are_those_of_every_dialect():
    """With the line; what one dialect alone takes is none."""
    assert sql_error("SELECT a\nFROM (SELECT 1", "") == "syntax error at line 2"
    assert sql_error("SELEC a FROM b", "mysql") == "syntax error at line 1"
    for fine in ("SELECT TOP 3 a FROM b", "SELECT `a` FROM b LIMIT 1, 2", "SELECT a::text FROM b"):
        assert sql_error(fine, "") is None
    (written,) = statements_of("SELECT a FROM b ORDER BY c DESC", "postgres").in_sqlite
    assert written == "SELECT a FROM b ORDER BY c DESC"
    (written,) = statements_of("SELECT a FROM b ORDER BY c NULLS LAST", "postgres").in_sqlite
    assert written.endswith("NULLS LAST")
    with pytest.raises(Unread):
        sql_error("SELECT " + "(" * 3000, "")


@pytest.mark.parametrize(
    ("text", "column"),
    [
        ("SELECT party, 100 * n / SUM(n) FROM votes", "party"),
        ("SELECT party FROM (SELECT party, MAX(n) FROM votes)", "party"),
        ("SELECT party, SUM(n) FROM votes GROUP BY party", ""),
        ("SELECT party, SUM(n) OVER (ORDER BY party) FROM votes", ""),
        ("SELECT party FROM votes WHERE n > (SELECT AVG(n) FROM votes)", ""),
        ("SELECT MAX(n), (SELECT a FROM b LIMIT 1) FROM votes", ""),
        ("SELECT COUNT(*) FILTER (WHERE n > 1), 'all' AS party FROM votes", ""),
        ("SELECT (SELECT p.name || COUNT(*) FROM votes v WHERE v.p = p.id) FROM parties p", ""),
        ("SELECT COUNT(*) / DATEDIFF(day, MIN(a), MAX(a)), DATEADD(month, 1, MAX(a)) FROM v", ""),
        ("SELECT party, SUM(n) FROM votes WHERE party = 'Greens'", ""),
        ("SELECT party, MAX(n, 0) FROM votes", ""),
    ],
)
def test_a_column_beside_an_aggregate(text, column):
    """Where nothing groups the rows: most databases refuse that."""
    assert statements_of(text, "").ungrouped == column


def test_aliases_and_what_the_system_or_a_session_has_are_no_tables():
    """Nor what functions give."""
    for text, dialect in (
        ("DELETE a FROM orders a JOIN orders b ON a.id > b.id", "mysql"),
        ("UPDATE t SET t.x = 1 FROM orders t", "tsql"),
        ("SELECT id INTO #new FROM orders; SELECT * FROM #new", "tsql"),
        ("SELECT id FROM orders, dual WHERE SYSDATE > day", "oracle"),
        ("SELECT o.id FROM orders o, jsonb_each_text(o.data), pg_catalog.pg_class", "postgres"),
        ("ALTER TABLE orders RENAME TO bills; SELECT * FROM bills", ""),
    ):
        assert set(statements_of(text, dialect).used) == {"orders"}, text


# --- the tables that a request tells of ----------------------------------------------------------


def test_tables_of_statements():
    """With kinds by type and name, what occurs once, and what is never NULL."""
    tables = told(ASKED)
    assert columns(tables["customers"]) == {"id": "id", "name": "text", "joined": "date"}
    assert columns(tables["orders"]) == {
        "id": "id",
        "customer_id": "reference",
        "amount": "number",
        "code": "text",
    }
    assert tables["orders"].unique == (("id",), ("code",))
    assert [each.name for each in tables["customers"].columns if each.required] == ["name"]
    both = told("CREATE TABLE a (b TEXT, c TEXT, PRIMARY KEY (b, c))")["a"]
    assert both.unique == (("b", "c"),)


def test_tables_in_words():
    """As people list them; functions and what stands behind the first list are no tables."""
    tables = told(
        "From bookings(id, room, starts INTEGER, paid_at) and the table seats with columns row_no, "
        "place and taken_on, give pairs of bookings (a, b), COUNT(x) and COALESCE(y, z) of them."
    )
    assert columns(tables["bookings"]) == {
        "id": "id",
        "room": "text",
        "starts": "number",
        "paid_at": "time",
    }
    assert columns(tables["seats"]) == {"row_no": "reference", "place": "text", "taken_on": "date"}
    assert {"count", "coalesce"}.isdisjoint(tables)
    assert not tables["nothing"].is_told and tables["seats"].is_told
    assert list(told("the gaps in tickets(id)")) == ["tickets", "nothing"]


@pytest.mark.parametrize(
    ("request_", "table", "names", "is_told"),
    [
        ("users (id, name, email and password)", "users", "id name email password", True),
        ("a users table (id, name)", "users", "id name", True),
        ("users has the following columns (id, name)", "users", "id name", True),
        ("public.users(id, name)", "users", "id name", True),
        ("users(id, name, etc.)", "users", "id name used", False),
        ("users (id, name, and so on)", "users", "id name used", False),
        ("users (id, name, among others)", "users", "id name used", False),
        ("a table users with columns id, name and some more", "users", "id name used", False),
        ("a table users with columns id, first name", "users", "id first used", False),
        ("show the users (name, email) of 2024", "users", "name email used", False),
        ("CREATE TABLE users (id INT, name TEXT -- and others\n)", "users", "id name used", False),
    ],
)
def test_how_people_tell_of_tables(request_, table, names, is_told):
    """Where they do not say all of the columns, a query may use others."""
    found = told(request_, "SELECT used FROM users")[table]
    assert ({*columns(found)}, found.is_told) == ({*names.split()}, is_told)


def test_lists_in_prose_are_no_tables():
    """Of columns that are wanted, of tables, of values."""
    text = "SELECT total FROM sales"
    for request in (
        "two tables (sales, regions)",
        "output (name, total)",
        "the columns (name, total) of it",
        "per region (north, south)",
    ):
        assert list(told(request, text)) == ["sales"], request


def test_tables_that_nobody_told_of_have_the_columns_that_are_used():
    """Of the kind that the statements take them for."""
    text = "SELECT SUM(a) FROM t WHERE b = 'x' AND strftime('%Y', c) = '2024' AND d > 3"
    assert columns(told("a query", text)["t"]) == {
        "id": "id",
        "a": "number",
        "b": "text",
        "c": "date",
        "d": "number",
    }


# --- databases -----------------------------------------------------------------------------------


def test_databases_keep_what_the_tables_demand():
    """SQLite takes them; what a query looks for is in some, NULL in some, and some are empty. The
    same request has the same ones."""
    text = "SELECT * FROM orders WHERE code = 'A7' AND amount > 40"
    asked = f"{ASKED} The amount may be NULL."
    tables = tuple(told(asked, text).values())
    made = sample_databases(tables, asked, text, 20)
    assert made == sample_databases(tables, asked, text, 20)
    rows = []
    for each in made:
        database = sqlite3.connect(":memory:")
        database.executescript(each.setup + each.session)
        rows.append(database.execute("SELECT code, amount FROM orders").fetchall())
    values = [value for each in rows for row in each for value in row]
    assert [] in rows and "A7" in values and 41 in values and None in values
    assert None not in [code for each in rows for code, _ in each]
    assert not made[0].unordered and sample_databases(tables, "totals", text, 1)[0].unordered
    assert rows_in(made[0]).startswith("customers (") and '"' not in rows_in(made[0])


def test_days_are_those_around_what_is_spoken_of():
    """Not around the end of all time, which stands for "open"."""
    text = "SELECT 1 FROM prices WHERE day >= '2024-03-01' OR day = '9999-12-31'"
    (prices,) = told("prices(day, price)", text).values()
    made = sample_databases([prices], "prices(day, price)", text, 20)
    days = {
        each[1:11] for case in made for each in rows_in(case).split("(")[1:] if "NULL" not in each
    }
    assert {"2024-03-01", "2024-02-29", "9999-12-31"} <= days


def test_rows_that_refer_to_their_own_table_make_no_circle():
    """A query that follows them ends."""
    text = "SELECT parent_id FROM places"
    tables = tuple(told("places(id, name, parent_id)", text).values())
    for each in sample_databases(tables, "", text, 20):
        database = sqlite3.connect(":memory:")
        database.executescript(each.setup + each.session)
        for number, parent in database.execute("SELECT id, parent_id FROM places"):
            assert parent is None or parent < number


# --- drafts --------------------------------------------------------------------------------------


@needs_sandbox
async def test_two_queries_that_give_the_same_rows_need_no_opinion(pipeline_with):
    """Compared on twenty databases, however they are written."""
    async with comparing(pipeline_with, coder(RIGHT, ALSO_RIGHT), JUDGED) as run:
        assert await run(ASKED) == RIGHT
    assert models_asked(run.record) == ["coder", "coder"]
    assert run.record["final_reason"] == "not judged: 2 of 2 drafts agree on 20 databases"


@needs_sandbox
async def test_that_a_small_models_queries_agree_is_said_to_be_little(pipeline_with, script):
    """It confirms nothing; the caller is told. No judge is asked, and no review."""
    name = script(coder(RIGHT, ALSO_RIGHT), JUDGED, name="x-1.5b")
    names = {f"{role}_MODEL_NAME": name for role in ("CODER", "JUDGE", "REVIEWER")}
    async with comparing(pipeline_with, **names) as run:
        assert await run(ASKED) == RIGHT
    said = "2 of 2 drafts agree on 20 databases, which for a small model's code"
    assert run.record["final_reason"].startswith(f"unconfirmed: {said}")
    (question,) = details_of(run.record).open_questions
    assert question.startswith(said) and not confirmed(run.record)
    assert models_asked(run.record) == ["coder", "coder"] and not run.record["escalated"]


@needs_sandbox
async def test_a_query_that_gives_other_rows_is_outvoted(pipeline_with):
    """The caller is told with which rows."""
    async with comparing(pipeline_with, coder(COUNTS, RIGHT, ALSO_RIGHT), JUDGED) as run:
        assert await run(ASKED) == RIGHT
    (difference, *_) = run.record["artefact"]["differences"]
    assert difference["call"].startswith("customers (")
    assert difference["here"].startswith("gives [(")
    (question, *_) = questions = details_of(run.record).open_questions
    assert question.startswith("with the rows customers (") and not example_decides(questions)


@needs_sandbox
async def test_that_nothing_speaks_for_a_query_is_told(pipeline_with, script):
    """Where no other draft runs, there are no rows to show."""
    wrong = RIGHT.replace("amount", "price")
    name = script(coder(RIGHT, *[wrong] * 4), JUDGED, name="x-1.5b")
    names = {f"{role}_MODEL_NAME": name for role in ("CODER", "JUDGE", "REVIEWER")}
    async with comparing(pipeline_with, **names) as run:
        assert await run(ASKED) == RIGHT
    questions = details_of(run.record).open_questions
    assert questions == ["no other draft runs on its databases"]
    assert not example_decides(questions) and run.record["escalated"]


@needs_sandbox
async def test_a_query_that_sqlite_cannot_run_differs_from_none(pipeline_with):
    """Another database may give the same; the next draft is compared instead."""
    other = RIGHT.replace("SUM(o.amount)", "stddev(o.amount)")
    async with comparing(pipeline_with, coder(RIGHT, other, ALSO_RIGHT), JUDGED) as run:
        assert await run(ASKED) == RIGHT
    assert run.record["artefact"]["agreement"]["classes"] == [[0, 2]]
    assert run.record["final_reason"] == "not judged: 2 of 2 drafts agree on 20 databases"


@needs_sandbox
@pytest.mark.parametrize(
    ("draft", "why"),
    [
        ("SELECT name FROM customers WHERE amount > 1", "no such column: amount"),
        (
            "SELECT name FROM customers JOIN orders ON customer_id = customers.id WHERE id = 1",
            "ambiguous column name: id",
        ),
        ("SELECT name FROM customers ORDER BY total", "no such column: total"),
        ("SELECT name, SUM(id) FROM customers", "name stands beside an aggregate"),
        ("SELECT name FROM customers JOIN payments p ON p.id = 1", "has no table payments"),
        ("SELECT amount FROM bills", "the table is called orders, not bills"),
        ("SELECT name FROM customers WHERE (", "syntax error at line 1"),
        ("import sqlite3\nprint(sqlite3.connect('a.db'))", "it is Python, but SQL was asked for"),
    ],
)
async def test_what_no_database_takes_is_drawn_again(pipeline_with, draft, why):
    """The next ones are told the language and the request's tables."""
    tables = "customers(id, name, joined), orders(id, customer_id, amount, code)"
    again = re.escape(f"Write it in SQL. The tables are {tables}.")
    told = {"prompt": again, **coder(RIGHT, ALSO_RIGHT)}
    async with comparing(pipeline_with, told, coder(draft), JUDGED) as run:
        assert await run(ASKED) == RIGHT
    first = run.record["artefact"]["drafts"][0]
    assert why in "".join(first["findings"])


@needs_sandbox
@pytest.mark.parametrize(
    ("asked", "draft"),
    [
        ("SQL: customers of this year", "SELECT name FROM customers WHERE joined > 2024"),
        (f"{ASKED} Assume a column bonus, too.", "SELECT bonus FROM orders"),
        (f"{ASKED} Orders also have a bonus.", "SELECT bonus FROM orders"),
        (
            f"{ASKED} Beside the usual payments.",
            "SELECT p.x FROM orders, payments p",
        ),
        (f"MySQL.\n{ASKED}", "SELECT IF(amount > 1, 2, 3) FROM orders LIMIT 1, 2"),
        (f"Postgres.\n{ASKED}", "SELECT joined::text, now() - INTERVAL '1 day' FROM customers"),
        (f"SQL Server.\n{ASKED}", "SELECT TOP 3 [name] FROM customers"),
        (ASKED, "CREATE TABLE customers (id INT, name TEXT);\nSELECT name FROM customers"),
        (ASKED, "SELECT stddev(amount) FROM orders"),
        (f"Postgres.\n{ASKED}", "SELECT code, v FROM orders, regexp_split_to_table(code, '-') v"),
        (f"Postgres.\n{ASKED}", "SELECT row_to_json(c) FROM public.customers c"),
        (f"BigQuery.\n{ASKED}", "SELECT FORMAT_DATE('%Y', joined) FROM `shop.customers`"),
        (f"Oracle.\n{ASKED}", "SELECT name FROM customers WHERE ROWNUM < 5"),
        (f"Oracle.\n{ASKED}", "INSERT INTO customers (id, name) VALUES (ids.NEXTVAL, 'x')"),
        (f"MySQL.\n{ASKED}", "SELECT TIMESTAMPDIFF(DAY, joined, NOW()) FROM customers"),
        (
            f"SQL Server.\n{ASKED}",
            "WITH c AS (SELECT *, ROW_NUMBER() OVER (PARTITION BY name ORDER BY id) AS n"
            " FROM customers) DELETE FROM c WHERE n > 1",
        ),
        (
            ASKED,
            "SELECT c.id, code FROM customers c JOIN orders o ON o.customer_id = c.id ORDER BY id",
        ),
        (f"{ASKED} Of order items.", "SELECT name FROM customers JOIN order_items i ON i.a = 1"),
        (
            "SQL: orders(id, customer_id, total), each with the customer's name",
            "SELECT name, total FROM orders o JOIN customers c ON c.id = o.customer_id",
        ),
        ("Postgres: CREATE TABLE a (LIKE b, c INT); all d", "SELECT d FROM a"),
        ("Postgres: CREATE TABLE a (c INT) INHERITS (b); all d", "SELECT d FROM a"),
        (
            f"SQL Server.\n{ASKED}",
            "DELETE FROM customers OUTPUT deleted.id INTO gone WHERE name = 'x'",
        ),
        (ASKED, "SELECT name FROM {{ ref('customers') }} {% if x %} WHERE id > 1 {% endif %}"),
        (ASKED, "SELECT name FROM customers WHERE id = ${id}"),
        (f"Postgres.\n{ASKED}", "\\timing on\nSELECT name FROM customers"),
        (
            f"MySQL.\n{ASKED}",
            "DELIMITER //\nCREATE PROCEDURE p()\nBEGIN\n  SELECT name FROM customers;\nEND //",
        ),
        (
            f"PL/SQL.\n{ASKED}",
            "DECLARE\n  n NUMBER;\nBEGIN\n  SELECT COUNT(*) INTO n FROM customers;\nEND;\n/",
        ),
        (f"ClickHouse.\n{ASKED}", "SELECT quantile(0.5)(amount) FROM orders"),
    ],
)
async def test_what_another_database_may_take_is_no_fault(pipeline_with, asked, draft):
    """Nor what the request speaks of outside of its tables."""
    async with comparing(pipeline_with, coder(draft), JUDGED, COMPARE_DRAFTS="off") as run:
        await run(asked)
    assert not run.record["evidence"]


@needs_sandbox
async def test_functions_of_others_are_faults_where_sqlite_is_asked_for(pipeline_with):
    """It has no `YEAR`."""
    draft = "SELECT YEAR(joined) FROM customers"
    async with comparing(pipeline_with, coder(draft, RIGHT, ALSO_RIGHT), JUDGED) as run:
        await run(f"For SQLite.\n{ASKED}")
    (finding,) = run.record["artefact"]["drafts"][0]["findings"]
    assert finding.endswith("no such function: YEAR")


@needs_sandbox
async def test_changes_are_compared_by_what_they_leave(pipeline_with):
    """In all tables."""
    asked = "SQL for stock(item TEXT PRIMARY KEY, amount): add 5 to the amount of 'pen'."
    right = "UPDATE stock SET amount = amount + 5 WHERE item = 'pen';"
    all_of_them = "UPDATE stock SET amount = amount + 5;"
    also = "UPDATE stock SET amount = 5 + amount WHERE item IN ('pen');"
    async with comparing(pipeline_with, coder(all_of_them, right, also), JUDGED) as run:
        assert await run(asked) == right
    assert run.record["artefact"]["agreement"]["classes"] == [[1, 2], [0]]


@needs_sandbox
async def test_rows_that_the_request_quotes_are_there(pipeline_with):
    """A statement that overwrites the row differs from one that adds to it."""
    asked = (
        "SQLite table stock(item TEXT PRIMARY KEY, amount): add 5 to 'pen', or insert it with 5."
    )
    overwrites = "INSERT OR REPLACE INTO stock VALUES ('pen', 5);"
    adds = overwrites.replace(" OR REPLACE", "").replace(
        ";", " ON CONFLICT (item) DO UPDATE SET amount = amount + 5;"
    )
    async with comparing(pipeline_with, coder(overwrites, adds, adds + "\n"), JUDGED) as run:
        assert await run(asked) == adds
    assert run.record["artefact"]["agreement"]["classes"] == [[1, 2], [0]]


@needs_sandbox
async def test_a_query_that_never_ends_is_drawn_again(pipeline_with):
    """SQLite's steps are counted."""
    endless = (
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)\n"
        "SELECT name, MAX(i) FROM n LEFT JOIN customers ON id = i GROUP BY name"
    )
    async with comparing(pipeline_with, coder(endless, RIGHT, ALSO_RIGHT), JUDGED) as run:
        assert await run(ASKED) == RIGHT
    assert run.record["artefact"]["drafts"][0]["findings"] == ["it does not end"]


@needs_sandbox
async def test_a_follow_up_knows_the_tables_that_were_told_before(pipeline_with):
    """They need not be said again."""
    wrong = RIGHT.replace("amount", "price")
    before = [Turn("user", ASKED), Turn("assistant", f"```sql\n{COUNTS}```")]
    async with comparing(pipeline_with, coder(wrong, RIGHT, ALSO_RIGHT), JUDGED) as run:
        assert await run("sums instead of counts", conversation=tuple(before)) == RIGHT
    assert "no such column: o.price" in run.record["artefact"]["drafts"][0]["findings"][0]


@needs_sandbox
@pytest.mark.only_when(
    "tools/bench/",
    "pipeline/analysis/",
    "pipeline/review/",
    "pipeline/sandbox/",
    "pipeline/testcases/",
)
async def test_right_queries_are_not_accused_and_tell_something():
    """Those of the bench of queries, on their own requests: all but a few answer in different
    ways."""
    at_a_time = asyncio.Semaphore(2)

    async def says_nothing(request, query):
        task, draft = Task(request), Draft(query, "sql", ())
        async with at_a_time:
            with run_of(request, load_settings(), None) as run:
                examined = await examine_query(run, task, draft, "coder")
                databases = await databases_for(run, task, draft)
                found = Behaviour.of(await results_of_query(run, query, databases))
        assert not examined.findings, request
        return bool(found.lack) or found.says_nothing

    rows = [json.loads(line) for line in QUERIES.read_text(encoding="utf-8").splitlines()]
    asked = (says_nothing(row["prompt"], row["canonical_solution"]) for row in rows)
    assert sum(await asyncio.gather(*asked)) < 4


@needs_sandbox
@pytest.mark.parametrize(
    ("asked", "draft", "other"),
    [
        (
            "Postgres: the newest sale of each place, of sales(id, place, day)",
            "SELECT DISTINCT ON (place) * FROM sales ORDER BY place, day DESC, id DESC",
            "SELECT id, place, day FROM (SELECT *, ROW_NUMBER() OVER"
            " (PARTITION BY place ORDER BY day DESC, id DESC) AS n FROM sales) s WHERE n = 1",
        ),
        (
            "Postgres: totals of public.sales(id, place, day)",
            "SELECT place, COUNT(*) FROM public.sales GROUP BY place",
            "SELECT sales.place, COUNT(sales.id) FROM sales GROUP BY 1",
        ),
        (
            "SQL: a view of the sales in 'Ulm', sales(id, place, day)",
            "CREATE OR REPLACE VIEW ulm AS SELECT * FROM sales WHERE place = 'Ulm'",
            "CREATE VIEW ulm AS SELECT id, place, day FROM sales WHERE place IN ('Ulm')",
        ),
    ],
)
async def test_the_same_in_the_words_of_another_database_is_the_same(
    pipeline_with, asked, draft, other
):
    """What sqlglot puts in their place is not seen."""
    async with comparing(pipeline_with, coder(draft, other), JUDGED) as run:
        await run(asked)
    assert run.record["artefact"]["agreement"]["classes"] == [[0, 1]]
