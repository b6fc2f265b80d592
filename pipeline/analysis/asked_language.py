"""The language that a request asks for beyond doubt: small models write Python by habit. Pure."""

import re

from laios.language_table import TABLE
from pipeline.analysis.evidence import is_of_converter, speaks_of_degrees
from pipeline.analysis.languages import normal_language, title
from pipeline.analysis.python_syntax import parse

_MOST_READ = 20_000  # characters of a request
# Languages that programs are written in; others are what a Python program may read or make.
_OF_PROGRAMS = (
    *("c", "cpp", "csharp", "go", "java", "javascript", "kotlin", "lua", "perl", "php"),
    *("r", "ruby", "rust", "scala", "swift", "typescript"),
)
_WORDS = "|".join(
    re.escape(word) for row in TABLE if row.name in _OF_PROGRAMS for word in row.words.split()
)
_PYTHONIC = re.compile(
    r"python|\bpy\b|django|flask|fastapi|pandas|numpy|\bdef \w+\(|dockerfile|package\.json",
    re.IGNORECASE,
)
_NO_NAME = "an?|and|back|get|into|make|my|on|out|over|run|the|through|to|up|write"
# At the head of a request; `c`, `go`, `r` and `swift` are words, too.
_FIRST = r"c\+\+|c#|golang|java|javascript|js|kotlin|lua|php|ruby|rust|typescript|ts"
# "R rows with C characters each"
_AMOUNT = (
    r"(?-i:[CR])\s+(?:(?:and|by|x)\s+(?-i:[CR])\b"
    r"|(?:(?:lowercase|uppercase|distinct|different|single|more)\s+)?(?:cells|char(?:acter)?s?|columns?"
    r"|digits|elements|integers?|items|letters|lines?|moves|numbers|rows?|spaces|steps|symbols|values"
    r"|words)\b)"
)
_BY_WORD = re.compile(
    # "in Rust", "a Rust function", "Rust: …"; "in c" may be a variable
    rf"\b(?:in|using|with|mit|en|em)\s+(?!(?-i:[cr]\b)|{_AMOUNT})({_WORDS})(?![\w+#-])"
    r"(?!\s+(?:code|files?|pro\w+|so\w+))"
    rf"|\A(?:(?!\b(?:that|which|to|of|from|for)\b)[^\n.])*?(?<![\w-])"
    rf"(?!node (?:class|function|method)|(?-i:SWIFT)\b)({_WORDS})[- ]"
    r"(?:app|class|function|method|one-?liner|program|script|snippet)s?\b"
    rf"|\A({_WORDS})\s*:|\A({_FIRST})\s"
    # "Go http server", and not "Go through the list", "Go build a tool"
    rf"|\A(?-i:(Go|C)) (?:(?!(?:{_NO_NAME}) )[\w/-]+ ){{0,2}}(?:api|cli|client|code|handler"
    r"|library|middleware|module|package|server|service|struct|test|tool|exercise|homework"
    r"|assignment)s?\b",
    re.IGNORECASE,
)
_CONVERTED = re.compile(
    r"\b(?:convert|translate|port(?! \d)|rewrite|migrate)\b[^.\n]{0,60}?\b(?:in)?to\s+"
    rf"(?!(?-i:c|r|go)\b)(?:an? )?({_WORDS})(?![\w+#-])",
    re.IGNORECASE,
)
_PARTS = "app|component|controller|endpoint|hook|middleware|plugin|route|router|server|service"
_BY_FRAMEWORK = re.compile(
    rf"\b(?:angular|express(?:\.?js)?|jquery|next\.?js|react|svelte|vue)[ -](?:{_PARTS})s?\b",
    re.IGNORECASE,
)
_TOOLS = "apt|brew|curl|docker|ffmpeg|find|git|grep|kubectl|npm|pip|rsync|sed|ssh|systemctl|tar"
_OF_PROGRAM = re.compile(r"\b(?:class|clone|functions?|methods?|parsers?|program)\b", re.IGNORECASE)
_BY_TOOL = re.compile(
    rf"\s*(?:(?:{_TOOLS})\s*:"
    rf"|(?:[\w']+ ){{0,4}}(?:{_TOOLS}|linux|shell|terminal|unix)[- ]command\b)",
    re.IGNORECASE,
)


_SPELT = {"sql": "SQL"}
_OF_SQL = re.compile(r"\b(?:t-?)?sql\b|\bcreate table \w|\A\W*self[- ]join\b", re.IGNORECASE)
_OF_DATABASE = re.compile(
    r"\b(?:sqlite|postgres(?:ql)?|mysql|mariadb|mssql|sql server|tables? \w+ ?\(\w+,)",
    re.IGNORECASE,
)
_OF_ROWS = re.compile(
    r"\b(?:quer(?:y|ies)|statements?|select|join|rows?|columns?|cte|tables?|abfragen?"
    r"|tabellen?|\w+ ?\(\w+, ?\w+)\b",
    re.IGNORECASE,
)
_OF_MAKING = re.compile(r"\bcreate table \w", re.IGNORECASE)
_OF_QUERY = re.compile(
    r"\b(?:quer(?:y|ies)|abfragen?|consultas?|requ[eê]te|запрос\w*|select statement)\b|查询"
    r"|(?-i:\bSELECT\s[^;]{1,500}?\sFROM\s)",
    re.IGNORECASE,
)
# A line of a table, with its cells; what is in them is nothing that is said.
_ROW = re.compile(
    r"^[ \t>]{0,20}(?:\+[-=+]{3,}|[│|].*[│|]|[^|\n]{1,200}[ \t]\|.*)[ \t]*$", re.MULTILINE
)
# Three lines of one without bars: with gaps or tabs, or with commas.
_ALIGNED = re.compile(
    r"(?:^[ \t>]{0,20}[^\n]{1,80}?(?: {2,20}|\t)\S[^\n]{0,120}\n){3}"
    r"|(?:^[\w-]{1,40}(?:,[^,\n]{0,40}){2,12}\n){3}|\binsert into\s",
    re.IGNORECASE | re.MULTILINE,
)
# What may stand beside rows of a database that is named: where they come from, and what for.
_MAY_BE_BESIDE_ROWS = frozenset(
    (
        *("app", "application", "backend", "client", "code", "csv", "docker", "editor", "excel"),
        *("export", "file", "files", "folder", "import", "print", "prints", "run it", "server"),
        *("tool", "web page"),
    )
)
# What nothing else has: a schema with its types, a database's client.
_CERTAIN = re.compile(
    r"^[ \t>│|]{0,20}(?:column name|field|spalte)\s*\|\s*type\b"
    r"|^[ \t>]{0,20}(?:(?:mysql|sqlite|mariadb[^>\n]{0,60})>|\w{1,60}=[>#]) ?select\b",
    re.IGNORECASE | re.MULTILINE,
)
# What may stand in a request that shows its tables: a client's orders, a list of things to do.
_MAY_BE_IN_TABLES = frozenset(
    ["client", "code", "export", "file", "files", "server", "to-do", "todo", "tracker"]
)
_OF_NULL = re.compile(r"\bNULL\b")  # nobody who means Python's None writes it so
_OF_TABLE = re.compile(r"\b(?:tables?|tabellen?)\b", re.IGNORECASE)
_IN_BRACKETS = re.compile(r"\([^()]*\)")
# What is not written in SQL, though it may have to do with it.
_BESIDE_QUERY = re.compile(
    r"\b(?:api|app|application|back-?end|backup|class|cli|client|clone|code|command|connect\w*|csv"
    r"|data ?frames?|dataclass|decorator|diagram|docker|driver|dump|editor|endpoint|excel|export"
    r"|(?<!called )files?|folder|formatter|(?<!window )functions?|generator|gui|html|import"
    r"|install|json|lexer|linter|loader|method|modules?|notebook|orm|packages?|parsers?|printer"
    r"|printing|prints?|program|query builder|regex|repl|repository|restore|scripts?"
    r"|(?<!sql )servers?|tokeni[sz]er|tool|tracker|web ?page|wrapper"
    # libraries, and languages of other queries
    r"|airflow|alembic|awk|bcp|cursors?|dbt|eloquent|entity framework|faker|hibernate|hql|jdbc|jpa"
    r"|jupyter|knex|kql|laravel|linq|mermaid|mongodb|peewee|pgloader|powershell|prisma|psycopg\w*"
    r"|pymongo|pyspark|pytest|rails|row factory|sequelize|sparql|spark sql|spring repository"
    r"|sqlalchemy|sqlite3|streamlit|terraform|tkinter|vim"
    # what is done with SQL, or like it
    r"|cache|data structure|dictionar(?:y|ies)|dicts?|dynamic sql|escap(?:e|es|ing)|hash table"
    r"|implement\w*|in-memory|inject\w*|key-value|like sql|mock\w*|nosql|parses?|parsed|parsing"
    r"|queue|run it|simulate|sql-?like|sql like|strings? is|to-?do|unit tests?|validates?"
    r"|(?:query|search|sql) engine|dashboard with|page (?:that|which)|system with sqlite"
    r"|self-join of a list|from (?:a )?lists?|as (?:sql inserts|text)|is sql"
    r"|list of (?:column names|sql|tables?))\b"
    r"|\b(?:converts?|detects?|extract(?:s|ing)?|from|given|has|in|is|logs?|long|of|retries|runs?"
    r"|slow|split|times?|translate|whether)(?: an?| each| the)?(?: \w+)? sql"
    r" (?:join|inserts?|quer(?:y|ies)|select|statements?|string)\b",
    re.IGNORECASE,
)


def language_asked_for(request: str) -> str | None:
    """The language, of those that programs are written in, Bash and SQL, where there is no doubt
    that a request wants it; never Python, and none where Python has a part in it."""
    said = request[:_MOST_READ]
    of_degrees = speaks_of_degrees(said)
    converted = None if of_degrees or is_of_converter(said) else _CONVERTED.search(said)
    if converted:
        return normal_language(converted[1])
    if _PYTHONIC.search(said):
        return None
    if word := _BY_WORD.search(said):
        is_degree = of_degrees and word[1] in ("C", "c")
        return None if is_degree else normal_language(next(filter(None, word.groups())))
    if _BY_FRAMEWORK.search(said):
        return "javascript"
    if _is_query(said):
        return "sql"
    return "bash" if _BY_TOOL.match(said) and not _OF_PROGRAM.search(said) else None


def _is_query(request: str) -> bool:
    if _CERTAIN.search(request):
        return True
    outside, rows = _ROW.subn("", request)
    has_rows = rows or _ALIGNED.search(request)
    says_sql = _OF_SQL.search(request)
    database = says_sql or _OF_DATABASE.search(request)
    named = (
        says_sql
        or (database and (has_rows or _OF_ROWS.search(request)))
        or (_OF_NULL.search(request) and _OF_TABLE.search(request))
        or (has_rows and _OF_QUERY.search(outside))
    )
    inside = list[str]()
    for _ in range(2):  # types have some, too: `VARCHAR(20)`
        inside += _IN_BRACKETS.findall(outside)
        outside = _IN_BRACKETS.sub("", outside)
    columns = {*re.findall(r"\w+", " ".join(inside).lower())}  # which may have any name
    beside = {found[0].lower() for found in _BESIDE_QUERY.finditer(outside)}
    if _OF_MAKING.search(request):
        beside -= _MAY_BE_IN_TABLES
    if database and has_rows:
        beside -= _MAY_BE_BESIDE_ROWS
    return bool(named) and beside <= columns


def wanted_title(request: str, code: str, language: str | None) -> str:
    """The language that a request asks for, as people write it, where the code is Python for
    certain; "" where nothing is wrong with it."""
    asked = language_asked_for(request) if language == "python" else None
    if not asked or parse(code) is None:
        return ""
    name = title(asked)
    return _SPELT.get(asked) or (name if name != asked else name.capitalize())
