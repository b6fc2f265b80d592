"""Rows of tables that a request for SQL shows, with the result beside them, are an example."""

import shutil
from textwrap import dedent

import pytest
from hypothesis import given
from hypothesis import strategies as st

from config import load_settings
from pipeline.analysis.draft import Draft
from pipeline.review.draft_evidence import examine
from pipeline.task import Task
from pipeline.testcases.examples.printed_tables import UNREAD
from pipeline.testcases.examples.shown_databases import shown_databases, tables_told
from pipeline.testcases.sample_databases import rows_in
from tools.bench.drafts.executed import run_of

needs_sandbox = pytest.mark.skipif(shutil.which("bwrap") is None, reason="needs bubblewrap")

GRID = """\
Find the total of each customer, the highest first.

Input:
Customers table:
+----+------+
| id | name |
+----+------+
| 1  | Ann  |
| 2  | Bob  |
| 3  | Cid  |
+----+------+
Orders table:
+-------------+-------+
| customer_id | total |
+-------------+-------+
| 1           | 20.00 |
| 2           | 45.50 |
| 1           | 10.00 |
+-------------+-------+
Output:
+------+-------+
| name | total |
+------+-------+
| Bob  | 45.50 |
| Ann  | 30.00 |
| Cid  | null  |
+------+-------+
"""
TOTALS = """\
SELECT c.name, SUM(o.total) AS total FROM Customers c {} JOIN Orders o ON o.customer_id = c.id
GROUP BY c.id, c.name ORDER BY total {}"""
RIGHT = TOTALS.format("LEFT", "DESC")


def read(request, *used):
    return [
        (rows_in(each.case), str(each.wanted))
        for each in shown_databases(dedent(request), dict.fromkeys(used))
    ]


def test_tables_of_one_block_are_read_with_their_names():
    """As practice sites show them."""
    customers = "customers (1, 'Ann'), (2, 'Bob'), (3, 'Cid')"
    orders = "orders (1, 20.00), (2, 45.50), (1, 10.00)"
    wanted = "name  total; Bob  45.50; Ann  30.00; Cid  null"
    assert read(GRID, "customers", "orders") == [(f"{customers}; {orders}", wanted)]
    assert read(GRID, "customers", "orders", "countries") == []


@pytest.mark.parametrize(
    "request_",
    [
        """
        shop=# select * from t;
         a | ok
        ---+----
         1 | t
         2 |
        (2 rows)

        I want
         n
        ---
         2
        (1 row)
        """,
        """
        CREATE TABLE t (a INT, ok BOOLEAN);
        INSERT INTO t VALUES (1, 1), (2, NULL);

        Expected output:

        | n |
        |---|
        | 2 |

        """,
        """
        Everything is in t:

        a   ok
        1   true
        2   null

        My query gives at the moment

        n   m
        1   1

        but it should be

        n   m
        2   2
        """,
    ],
)
def test_rows_are_read_in_the_forms_in_which_people_show_them(request_):
    """Of a terminal, as statements, by hand; a result that is called wrong is passed over."""
    [(rows, wanted)] = read(request_, "t")
    assert rows.removeprefix("INSERT INTO ") in (
        "t (1, 1), (2, NULL)",
        "t VALUES (1, 1), (2, NULL)",
    )
    assert wanted in ("n; 2", "n  m; 2  2")


def test_the_columns_of_shown_tables_are_told():
    """Of those that are given, and those that are listed; a query cannot use others."""
    names = dict.fromkeys(("customers", "orders", "trips"))
    listed = "Table: Trips\n\n| Column Name | Type |\n|---|---|\n| id | int |\n| day | date |\n\n"
    told = "customers(id, name)\norders(customer_id, total)"
    assert tables_told(GRID, names) == told
    assert tables_told(f"{listed}{GRID}", names) == f"{told}\ntrips(id int, day date)"
    one = "\n\n| {} |\n|---|\n| 1 |\n\n"
    asked = f"users has everybody, by codes:{one.format('code')}users:{one.format('id')}"
    assert tables_told(asked, {"users": ()}) == "users(id)"
    now = f"{asked}=> select count(id) from users;{one.format('n')}"
    assert tables_told(now, {"users": ()}) == "users(id)"
    assert tables_told("t:\n\n| a | unit price |\n|---|---|\n| 1 | 2 |\n", {"t": ()}) == ""


def test_without_a_result_there_is_no_example():
    """Nor of a part of it."""
    assert read("t:\n\n| a |\n|---|\n| 1 |\n\nHow many rows are there?", "t") == []
    assert read("t:\n\n| a |\n|---|\n| 1 |\n\nresult:\n\n| b |\n|---|\n| 1 |\n...", "t") == []


@given(st.text(" |+-\n01ab;()'", max_size=120))
def test_any_text_can_be_read(text):
    """Whatever stands around a table."""
    shown_databases(
        f"{text}\n\n| a |\n|---|\n| 1 |\n\nI want\n\n| b |\n|---|\n| {text} |\n", {"a": ()}
    )


async def examined(query, request=GRID):
    with run_of(request, load_settings(), None) as run:
        return await examine(run, Task(request), Draft(query, "sql", ()), "coder")


@needs_sandbox
async def test_a_query_that_gives_the_result_is_decided():
    """However it is written."""
    assert (await examined(RIGHT)).decided == "the request's examples pass"
    inner = "SELECT name, (SELECT SUM(total) FROM orders WHERE customer_id = id) t FROM customers"
    assert (await examined(f"{inner} ORDER BY t DESC")).decided


@needs_sandbox
@pytest.mark.parametrize(
    "query",
    [
        TOTALS.format("INNER", "DESC"),
        TOTALS.format("LEFT", "ASC"),
        RIGHT.replace("c.name, SUM", "c.*, SUM"),
    ],
)
async def test_a_query_that_gives_another_result_fails(query):
    """Rows that are missing, another order, a column too many; with what it gives."""
    [finding] = (await examined(query)).findings
    assert finding.kind == "example"
    assert finding.detail.endswith("→ name  total; Bob  45.50; Ann  30.00; Cid  null fails")
    assert "it gave [(" in finding.came


@needs_sandbox
async def test_a_column_that_a_shown_table_does_not_have_is_a_fault():
    """Also where the result is told in words."""
    request = "users:\n\n| id | name |\n|---|---|\n| 1 | Ann |\n\nSQL for the names, sorted"
    assert (await examined("SELECT username FROM users ORDER BY 1", request)).findings
    assert not (await examined("SELECT name FROM users ORDER BY 1", request)).findings


@needs_sandbox
@pytest.mark.parametrize("said", ["Column Name | Type", "the column name is free"])
async def test_no_word_adds_a_column_to_rows_that_are_shown(said):
    """Made rows may lack a column that is spoken of; those that are shown have all."""
    query = "SELECT o.name, SUM(o.total) AS total FROM orders o GROUP BY o.name ORDER BY 2 DESC"
    [finding] = (await examined(query, f"{said}\n{GRID}")).findings
    assert finding.kind == "example"
    assert finding.came == "OperationalError: no such column: o.name"


@needs_sandbox
async def test_tables_that_are_no_example_are_noted():
    """Where one may be the result of the other."""
    request = GRID.replace("Output:", "Some more names:")
    assert (await examined(RIGHT, request)).unread == UNREAD
    assert (await examined(RIGHT)).unread == ""
    one = "users:\n\n| id | name |\n|---|---|\n| 1 | Ann |\n\nSQL for the names, sorted"
    assert (await examined("SELECT name FROM users ORDER BY 1", one)).unread == ""


@needs_sandbox
@pytest.mark.parametrize("dash", ["-", "–"])
async def test_a_dash_may_stand_for_nothing(dash):
    """Where a query gives that."""
    draft = await examined(RIGHT, GRID.replace("Cid  | null  |", f"Cid  | {dash}     |"))
    assert draft.decided


@needs_sandbox
async def test_a_dash_among_numbers_is_null():
    """And a dash among texts is one."""
    request = (
        "t in SQL:\n\n| a | n |\n|---|---|\n| - | 1 |\n| y | - |\n\nthe mean of n should be\n\n"
    )
    request += "| n |\n|---|\n| 1 |\n"
    assert (await examined("SELECT AVG(n) FROM t WHERE a >= '-'", request)).decided


@needs_sandbox
async def test_columns_that_are_told_in_words_are_those():
    """Whatever table stands below."""
    request = "post(id, title)   tag(post_id, name)\n 1  Hello   1  intro\n\nSQL, $1 = 'x':\n\n"
    request += " id | names\n----+-------\n  1 | intro\n\n(tags, in any order)"
    query = "SELECT post_id, group_concat(name) FROM tag GROUP BY post_id"
    assert (await examined(query, request)).findings == ()


@needs_sandbox
async def test_statements_that_depend_on_keys_are_not_held_against_rows():
    """Nobody told of the keys, without which they do something else."""
    request = "t:\n\n| a |\n|---|\n| x |\n\nAdd x and y, once each. t should then be\n\n"
    request += "| a |\n|---|\n| x |\n| y |\n"
    query = "INSERT OR IGNORE INTO t VALUES ('x'), ('y')"
    assert (await examined(query, request)).findings == ()
    assert (await examined(query.replace(" OR IGNORE", ""), request)).findings


@needs_sandbox
async def test_a_query_names_what_it_reads_and_not_what_it_gives():
    """What stands between two tables is about the second one."""
    request = """\
t by day:

| day | n |
|-----|---|
| mon | 1 |
| tue | 2 |

select avg(n) from visits gives

| n |
|---|
| 1 |

I'd like

| n |
|---|
| 3 |

of visits in SQL
"""
    assert (await examined("SELECT SUM(n) AS n FROM visits", request)).findings == ()


@needs_sandbox
async def test_numbered_parameters_of_sqlite_are_no_fault():
    """Though the library that reads SQL does not know them."""
    request = "sqlite: t(a, b). ?1 is the least b. All a, please."
    assert (await examined("SELECT a FROM t WHERE b >= ?1 OR b = ?12", request)).findings == ()


@needs_sandbox
async def test_ties_may_come_in_any_order():
    """Neither decided nor failing: nobody can tell which column the order is of."""
    request = (
        "t:\n\n| a | b |\n|---|---|\n| x | 2 |\n| y | 2 |\n| z | 1 |\n\nsorted by b, result:\n\n"
    )
    request += "| a | b |\n|---|---|\n| z | 1 |\n| x | 2 |\n| y | 2 |\n"
    draft = await examined("SELECT a, b FROM t ORDER BY b, a DESC", request)
    assert (draft.findings, draft.decided) == ((), "")
    assert (await examined("SELECT a, b FROM t ORDER BY b DESC, a", request)).findings
    assert (await examined("SELECT a, b FROM t ORDER BY b, a", request)).decided


@needs_sandbox
async def test_statements_that_change_a_table_are_held_against_it():
    """As it stands afterwards."""
    request = (
        "t:\n\n| a | b |\n|---|---|\n| x | 2 |\n| y | 1 |\n\nDelete the 1. t should then be\n\n"
    )
    request += "| a | b |\n|---|---|\n| x | 2 |\n"
    assert (await examined("DELETE FROM t WHERE b = 1", request)).decided
    assert (await examined("DELETE FROM t WHERE b = 2", request)).findings


@needs_sandbox
async def test_what_other_databases_do_in_their_own_way_does_not_fail():
    """A division of whole numbers is none of SQLite's in MySQL."""
    request = "MySQL, t:\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\nresult:\n\n| c |\n|---|\n| 0.5 |\n"
    assert (await examined("SELECT a / b AS c FROM t", request)).findings == ()
    assert (await examined("SELECT b AS c FROM t", request)).findings
