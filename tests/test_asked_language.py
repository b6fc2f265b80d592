"""Answers in Python where a request asks for another language."""

import pytest

from pipeline.analysis.asked_language import language_asked_for
from pipeline.analysis.evidence import named_language
from tools.bench.languages import requests

ASKED = {
    "javascript": [
        "express server with one route that returns the time",
        "write a vue component counter",
        "JavaScript debounce function",
        "convert this python to javascript:\n\ndef f(n):\n    return n",
    ],
    "c": [
        "c program that reverses a string",
        "reverse a linked list in C",
        "in C read integers and print the number of rows",
        "C exercise. The input is one line with three integers.",
    ],
    "go": [
        "golang: reverse a slice",
        "sort numbers in go",
        "Go http server with a /health endpoint",
        "Go struct for a user with json tags",
    ],
    "rust": ["struct Matrix with mul in rust", "write hello world in rust and explain"],
    "java": ["Java: reverse a string", "java class Person with equals"],
    "bash": [
        "git: undo last commit but keep changes",
        "give me a git command to squash 3 commits",
        "what's the ffmpeg command to convert mkv to mp4",
        "linux command that shows open ports",
    ],
    "sql": [
        "SQL query for the second highest salary",
        "SQLite: how do I delete duplicate rows of contacts(id, email)?",
        "in Postgres, the newest order of each customer as one query",
        "Given CREATE TABLE tools (id INT, class TEXT, function TEXT), which classes are empty?",
        "I have a table visits(user_id, page). Query the pages that nobody visits",
        "running total with a window function in sql",
        "a table staff with name and dept: who is not in Sales? dept may be NULL",
        "my sqlite db has a table called files, with path and size: the ten largest",
        "db in sqlite: recipes(id, title), steps(recipe_id, text): which have no steps?",
        "Tabelle mitglieder (name, austritt): wer ist aktiv, also austritt NULL?",
        "SQL Server: the newest row of each customer",
        "CREATE TABLE todo (id INT, due TEXT);\nMy todo list: what is late? airport code first",
        "Fix this SQL query: SELECT name, COUNT(*) FROM users",
    ],
}
IN_DOUBT = [
    "First line: R and C (2 <= R, C <= 20). Then R lines with C characters. Print the count.",
    "The input: R and C, then R rows with C integers each. Print the largest.",
    "A grid with R rows and C columns is on stdin, print the number of islands.",
    "Go from A to B in C steps, with C lowercase letters",
    "script that compiles a C program",
    "find TODO comments in java files",
    "tool that counts lines of Java code",
    "write a function that runs a git command for each repository",
    "a class that wraps the docker command line",
    "delete the characters of s that are in c",
    "go through the list and sum it up",
    "Go through the list and write code that sums it up",
    "Go to the tool page and click on it",
    "Go build a CLI tool that lists files",
    "Go write tests for it",
    "rewrite this function to go faster",
    "function to detect swift codes",
    "a python program that prints a C header",
    "Flask app with a React component",
    "function that runs a SQL query against SQLite and returns dicts",
    "a class that wraps an SQLite table",
    "load a CSV file into MySQL and print the rows",
    "back up a Postgres database every night: a script",
    "SQLAlchemy query for users without orders",
    "a tool that formats SQL statements",
    "Write a SQL tokenizer",
    "Prisma query for Postgres: users with posts",
    "sqlite3: return rows as dicts",
    "Translate this SQL query into LINQ",
    "Write a decorator that retries SQL queries",
    "Create a SQLite table users(id, name), insert three rows and print them",
    "Take a dict and return an SQL UPDATE statement",
    "extract all table names from a SQL query",
    "given a list of SQL statements, return those that select rows",
    "LRU cache backed by a SQLite table",
    "implement an in-memory database with SQL like select",
    "Tkinter GUI showing rows of a SQLite table",
    "GraphQL query for users and their posts",
    "parse a query string into a dict",
    "write a script which renders markdown files to html",
    "def f(n): make this work in javascript style",
]


@pytest.mark.parametrize(
    ("request_", "language"), [(each, name) for name, some in ASKED.items() for each in some]
)
def test_a_request_says_in_which_language(request_, language):
    """By the language's name, by a framework's, by the tool that a command is wanted of."""
    assert language_asked_for(request_) == language


@pytest.mark.parametrize("request_", IN_DOUBT)
def test_what_a_python_program_may_be_about_is_no_language_that_is_asked_for(request_):
    """A right program in Python is never accused: what it reads, runs or makes has a language of
    its own."""
    assert language_asked_for(request_) is None


def test_requests_for_python_ask_for_nothing_else():
    """Those of the bench of languages that want Python, and of the others none for a wrong one
    that a Python program could be mistaken for."""
    asked = [(each, language_asked_for(each.prompt)) for each in requests()]
    assert not [each.prompt for each, found in asked if each.is_python and found]
    sure = [(each, found) for each, found in asked if found]
    right = [each for each, found in sure if found in each.languages]
    assert len(sure) == len(right) == 33


FLASK = "from flask import Flask\n\napp = Flask(__name__)\n"
EXPRESS = "const app = require('express')();\napp.listen(3000);\n"
ASKS = "express server with one route that returns the current time"


def coder(*replies):
    return {"role": "coder", "reply": list(replies)}


async def test_python_where_express_is_asked_for_is_drawn_again(pipeline_with):
    """The next draft is told the language; the record and the details say what was wrong."""
    told = {"prompt": "Write it in JavaScript.", **coder(f"```js\n{EXPRESS}```")}
    judged = {"role": "judge", "verdict": [9, 1, "It is right."]}
    async with pipeline_with(told, coder(f"```python\n{FLASK}```"), judged, MAX_DRAFTS=2) as run:
        assert await run(ASKS) == EXPRESS
    first, _ = run.record["artefact"]["drafts"]
    assert first["findings"] == ["it is Python, but JavaScript was asked for"]
    assert run.record["language"] == "javascript"


async def test_python_that_stays_is_delivered_with_a_word(pipeline_with):
    """Whoever gets it is told, and the run has escalated."""
    reply = f"```python\n{FLASK}```"
    rules = coder(reply), {"role": "reviewer", "reply": reply}
    async with pipeline_with(*rules, MAX_DRAFTS=2) as run:
        said = await run(ASKS)
    assert said.startswith("# REVIEWER_NOTE: it is Python, but JavaScript was asked for\n")
    assert run.record["escalated"]


@pytest.mark.parametrize(
    "request_",
    [
        "Write a Node class for a binary tree",
        "Implement a tree node class and an insert function",
        "Convert a temperature from F to C",
        "Write code to convert Fahrenheit to C",
        "Write a function that takes a temperature in C and returns Fahrenheit",
        "Write a function to convert a dict of strings to a PHP array literal",
        "A script that translates SQL column types to Java types",
        "Git: write a function which parses git log output",
        "Write a find command clone",
        "A reverse proxy from port 8080 to a Node server",
        "SWIFT function that checks the code of a bank",
    ],
)
def test_words_that_are_names_of_languages_too(request_):
    """A node of a tree, degrees Celsius, a tool that a program has to do with, what it is to write
    itself, a port, a bank's code."""
    assert language_asked_for(request_) is None
    assert named_language(request_) is None


@pytest.mark.parametrize(
    ("request_", "language"),
    [
        ("Write a C function that converts Celsius to Fahrenheit", "c"),
        ("in C: convert Celsius to Fahrenheit", "c"),
        ("Convert this function to Go", "go"),
        ("Translate this function, which converts minutes to hours, to Rust", "rust"),
        ("Translate the script that prints primes to Rust", "rust"),
    ],
)
def test_a_language_that_is_meant(request_, language):
    """Beside degrees, and beside the kind of what is converted."""
    assert language_asked_for(request_) == language


ROWS = "shelves:\n\n| id | what |\n|----|------|\n| 1  | code editor |\n\n"
SCHEMA = (
    "Table: Shelves\n\n+-------------+------+\n| Column Name | Type |\n+-------------+------+\n"
)


@pytest.mark.parametrize(
    ("request_", "language"),
    [
        (f"{ROWS}Which query do I need for shelves without things?", "sql"),
        (f"{ROWS}Wie sieht die Abfrage aus?", "sql"),
        (f"{ROWS}SELECT id\nFROM shelves -- what do I change to count them", "sql"),
        (f"{SCHEMA}| id          | int  |\n\nFind the empty ones. Write a solution.", "sql"),
        ("For our app: sqlite> select * from t;\nid|n\n1|2\n\nthe largest n of each", None),
        ("For our app:\n\nsqlite> select * from t;\nid|n\n1|2\n\nthe largest n of each", "sql"),
        ("shop=> SELECT * FROM t;\n id | n\n----+---\n  1 | 2\n\nthe largest file", "sql"),
        ("Our app is on MySQL:\n\nid   n\n1    2\n2    5\n\nHow often is each n there?", "sql"),
        ("From the csv file into Postgres:\n\nid,n,m\n1,2,3\n2,5,4\n\nthe largest n", "sql"),
        ("Our app is on MySQL. Which rows of the log file are new?", None),
        ("A script for MySQL:\n\nid   n\n1    2\n2    5\n\nthe largest n", None),
        (f"{ROWS}Count them", None),
        (f"{ROWS}A script that runs the query", None),
        ("Write a function that parses the query string of an address", None),
        (f"{SCHEMA}| id          | int  |\n\nUse pandas.", None),
    ],
)
def test_tables_beside_a_query_want_sql(request_, language):
    """What stands in their cells is nothing that the request speaks of."""
    assert language_asked_for(request_) == language
