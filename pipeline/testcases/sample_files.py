"""Files that drafts are tried with: of the kinds that a request and a program speak of, with
columns and keys that they name. Pure."""

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, cycle, islice

from pipeline.testcases.array_items import speaks_of_gaps
from pipeline.testcases.shown_cells import either_of

Files = tuple[tuple[str, str], ...]
"""Pairs of a name and a text; a name that ends with a slash is an empty folder."""

MISSING = "missing.txt"
FOLDER = "folder"
_ON_DISK = re.compile(
    r"\bopen\(|\bPath\(|\bshutil\.|\bglob\.|\.(?:read_text|write_text|iterdir|rglob|exists)\(|FileType"
    r"|\bos\.(?:listdir|walk|scandir|path|rename|remove|makedirs|mkdir|stat)\b|\bsqlite3\b"
    r"|\.(?:read_csv|read_json|read_table|to_csv|to_json|loadtxt|savetxt|genfromtxt)\("
)
_MOST_READ = 20_000  # characters of a request
_MOST_COLUMNS = 6
_USUAL = ("name", "age", "price")
_TEXTS = (
    "The cat saw the dog.\n\nA dog, the End!\n  \n# last line 3\n",
    "b\na\n\nb\nC 3\n",
    "\n\n\t\nx  y\n\n",
    "one line, no end",
    "dog dog\nb a\na b\nDOG\n1\n2\n3\n",
)
_NUMBERS = ("3\n-1\n4.5\n\n10\n", "1\n2\n2\n", "7")
_LOGS = (
    "2024-05-01 13:45:10 ERROR disk full\n2024-05-01 13:59:59 INFO no ERROR\nTraceback\n\n"
    "2024-05-02 08:00:00 WARNING low\n2024-05-02 01:30:00 ERROR disk full\n",
    "2024-05-01 00:00:01 INFO started\n",
)
_PAIRS = (
    "# comment\nA=1\n\n B = two words \nURL=http://x?a=b\nEMPTY=\n",
    "B=2\nA=1\nA=3\n",
    'name = Ann\n  # no=1\n\n\nquoted="a b"\n',
    "\n",
)
_SECTIONS = (
    "[first]\nhost = a\nport = 80\n\n[second]\nhost = b\n",
    "; comment\n[first]\nhost=c d\n[empty]\n",
    "[DEFAULT]\nport = 1\n[second]\nport = 2\n",
)
_OF_KIND = {
    "csv": re.compile(r"\bcsv\b|\bcolumns?\b|\bDictReader\b|\bspreadsheet", re.IGNORECASE),
    "json": re.compile(r"\bjson\b", re.IGNORECASE),
    "ini": re.compile(r"\bini\b|\bsections?\b|configparser", re.IGNORECASE),
    "env": re.compile(r"\w ?= ?VALUE|\benv\b|\bconfig|\bsettings\b", re.IGNORECASE),
    "log": re.compile(r"\b[Ll]ogs?\b|\b[Ll]og ?file|\bERROR\b"),
    "numbers": re.compile(r"\bnumbers? (?:per|on each|in each)|\bof numbers\b|float\(|int\(line"),
}
_USUAL_CONTENTS = {
    "ini": _SECTIONS,
    "env": _PAIRS,
    "log": _LOGS,
    "numbers": _NUMBERS,
    "text": _TEXTS,
}
_OF_TEXT = ("txt", "log", "txt", "md", "dat", "txt")  # nobody said which a text file has
_EXTENSIONS = {"numbers": _OF_TEXT, "text": _OF_TEXT}
# A form that the request gives for a line of a file: `2024-05-01 ERROR disk full`.
_FORM = re.compile(r"`([^`\n]{8,120})`|\"([^\"\n]{8,120})\"")
_IS_FORM = re.compile(r"\d.*[ ,;|\t]|[ ,;|\t].*\d")
_DIGIT = re.compile(r"\d")
_COLUMN = re.compile(r"\[\s*[\"']([A-Za-z][\w ]{0,30})[\"']\s*\]|\.get\(\s*[\"'](\w{1,30})[\"']")
_LISTED = re.compile(
    r"\b(?:columns|fields|keys)(?: are| named| called)?:? \(?"
    r"((?:[`'\"]?\w{1,30}[`'\"]?(?:, ?(?:and )?| and |;))+[`'\"]?\w{1,30})"
)
# A table that the request shows: a line of names, and lines with as many values.
_SHOWN = re.compile(
    r"^([A-Za-z_]\w{0,30}(?:,[A-Za-z_]\w{0,30}){1,11})\n((?:[^\n,]{0,60},[^\n]{1,200}\n?)+)", re.M
)
_WORD = re.compile(r"\w+")
_MADE = re.compile(r"\[[\"']([A-Za-z][\w ]{0,30})[\"']\] ?=(?!=)")
_OF_TABLES = re.compile(r"\bpandas\b")
_WITHOUT = re.compile(r"\b(?:rows|lines|entries) without an?\b|\bzeilen ohne\b", re.IGNORECASE)
# What stands in a column, by words of its name; numbers elsewhere.
_CELLS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("date|day|datum|birthday", ("2024-02-29", "2023-12-31", "2024-02-29", "2024-03-01", "")),
    ("time|hour", ("12:30", "00:05", "23:59", "12:30", "9:05")),
    ("mail|email", ("me@example.com", "a@b.org", "", "x", "me@example.com")),
    ("id|number|nr", ("1", "2", "3", "4", "5")),
    (
        "text|comment|review|message|description|sentence",
        ("Good good dog", "so bad, and so good", "fine", "The end of the dog", ""),
    ),
    (
        "name|city|country|product|item|category|department|title|status|type|user|customer|owner"
        "|color|kategorie|stadt|word|key|group|team|author|subject|level|student|member",
        ("Ann", "Bob", "Li, Bo", "Ann", ""),
    ),
)
_FIGURES = ("3", "2.5", "", "-4", "10"), ("30", "7", "30", "0", "12"), ("4", "1", "8", "", "2.5")
FOLDERS = (FOLDER, f"{FOLDER}/sub", "other", "other/empty")
_IN_FOLDERS: Files = (
    *(("folder/b.txt", "bb\nb\n"), ("folder/a.TXT", "aaaa"), ("folder/c.py", "x = 1\n")),
    *(("folder/copy.txt", "bb\nb\n"), ("folder/empty.txt", ""), ("folder/.hidden", "h")),
    ("folder/box.txt/", ""),
    *(("folder/sub/d.txt", "the dog\n"), ("folder/sub/deep/e.md", "bb\nb\n")),
    *(("other/2.txt", "1\n"), ("other/1.txt", "1\n"), ("other/10.log", "1\n")),
    *(("other/a.csv", "a,b\n"), ("other/b.csv", "a,b\n"), ("other/empty/", "")),
)


def works_on_files(program: str) -> bool:
    """Whether it opens files or looks through folders."""
    return bool(_ON_DISK.search(program))


def sample_files(request: str, program: str) -> Files:
    """Files to be read, those of the likeliest kind first."""
    request = request[:_MOST_READ]
    kinds = _kinds_of(request) or _kinds_of(program) or ["text"]
    columns = columns_of(request, program)
    by_kind = (_named(kind, _contents(kind, request, columns)) for kind in kinds)
    return tuple(dict(chain.from_iterable(by_kind)).items())


def _named(kind: str, texts: Iterable[str]) -> Iterator[tuple[str, str]]:
    extensions = cycle(_EXTENSIONS.get(kind, (kind,)))
    for letter, extension, text in zip(_LETTERS, extensions, texts, strict=False):
        yield f"{letter}.{extension}", text


_LETTERS = "abcdefgh"


def sample_folders() -> Files:
    """The files of FOLDERS, which are to be looked through."""
    return _IN_FOLDERS


def _kinds_of(text: str) -> list[str]:
    return [kind for kind, words in _OF_KIND.items() if words.search(text)]


def _contents(kind: str, request: str, columns: Sequence[str]) -> Iterable[str]:
    if kind == "csv":
        return _tables(columns, request)
    if kind == "json":
        return _documents(columns)
    return [*_of_forms([*_forms(request)]), *_USUAL_CONTENTS[kind], ""]


def _of_forms(forms: Sequence[str]) -> Iterator[str]:
    """Files of such lines, alone and among others."""
    if forms:
        yield "\n".join(forms) + "\n"
        yield "\n".join(["no such line", *reversed(forms), "", *forms[:1], "  at line 3"])
        yield f"{forms[-1]}\n"


def _forms(request: str) -> Iterator[str]:
    """The lines that the request shows, each twice, with other digits."""
    for found in islice(_FORM.finditer(request), 4):
        form = found[1] or found[2]
        if _IS_FORM.search(form):
            yield form
            yield _DIGIT.sub(lambda digit: str(min(int(digit[0]), 1)), form)


def columns_of(request: str, program: str) -> list[str]:
    """The columns that the request lists and the program asks for by their names; the usual ones
    where there are none."""
    listed = (match[1] for match in _LISTED.finditer(request[:_MOST_READ]))
    named = [word for row in listed for word in _WORD.findall(row) if word != "and"]
    asked = [*_asked_in(program)]
    if shown := _SHOWN.search(request[:_MOST_READ]):
        return shown[1].split(",")
    found = [*dict.fromkeys([*named, *asked])][:_MOST_COLUMNS]
    return found if len(found) > 1 else list(dict.fromkeys([*found, *_USUAL]))


def _asked_in(program: str) -> Iterator[str]:
    """But for those that it makes before it reads them."""
    made: set[str] = set()
    stores = {match.start() for match in _MADE.finditer(program)}
    for match in _COLUMN.finditer(program):
        name = match[1] or match[2]
        line_end = program.find("\n", match.start())
        if match.start() in stores and match[0] not in program[match.end() : line_end]:
            made.add(name)
        if name not in made:
            yield name


def _tables(columns: Sequence[str], request: str) -> Iterator[str]:
    figures = cycle(_FIGURES)
    cells = [either_of(column, request) or _cells(column) or next(figures) for column in columns]
    has_gaps = speaks_of_gaps(request) or _WITHOUT.search(request)
    if _OF_TABLES.search(request) and not has_gaps:  # pandas leaves such rows out
        cells = [tuple(cell or column[0] for cell in column) for column in cells]
    rows = [",".join(map(_quoted, row)) for row in zip(*cells, strict=True)]
    header = ",".join(columns)
    yield "\n".join([header, *rows]) + "\n"
    yield f"{header}\n{rows[0]}\n{rows[3]}\n"
    yield f"{header}\n"
    yield "\n".join([header, *(rows[at] for at in (1, 3, 0, 1))]) + "\n"


def table_in(request: str, name: str) -> Iterator[str]:
    """The files that a request describes by the name of one: `students.csv (id, name)`."""
    shown = re.search(rf"\b{re.escape(name)}\b[^\n]{{0,60}}\n+{_SHOWN.pattern[1:]}", request)
    if shown:
        yield from _like(shown[1], [row for row in shown[2].split("\n") if row])
        return
    listed = r"(?:\((?:(?:the )?columns?:? )?|with (?:the )?columns? )([\w, ]{1,200})"
    said = rf"\b{re.escape(name)}[`'\"]? {listed}"
    if found := re.search(said, request[:_MOST_READ]):
        columns = [word for word in _WORD.findall(found[1]) if word != "and"]
        yield from _tables(columns[:_MOST_COLUMNS], request)


def _like(header: str, rows: Sequence[str]) -> Iterator[str]:
    """A table that the request shows, with its rows in other orders and with other last cells; rows
    twice, but where the first cells are all different: they may be keys."""
    ends = [row.rpartition(",")[2] for row in rows]
    moved = [f"{row.rpartition(',')[0]},{end}" for row, end in zip(rows, ends[::-1], strict=True)]
    firsts = list(dict.fromkeys(row.partition(",")[0] for row in rows))
    others = dict(zip(firsts, [*firsts[1:], *firsts[:1]], strict=True))
    cells = [row.partition(",") for row in rows]
    swapped = [f"{others[first]},{rest}" for first, _, rest in cells]
    more = [moved[::-1], rows[1:]]
    if len(firsts) < len(rows):
        more = [[*rows, *moved[:1]], [*moved, *rows], swapped, [*swapped, *moved[:1]]]
    for each in (rows, rows[::-1], moved, rows[:1], *more):
        yield "\n".join([header, *each]) + "\n"


def _cells(column: str) -> tuple[str, ...] | None:
    words = set(_WORD.findall(column.lower().replace("_", " ")))
    return next((cells for named, cells in _CELLS if words & set(named.split("|"))), None)


def _quoted(cell: str) -> str:
    return f'"{cell}"' if "," in cell else cell


def _documents(columns: Sequence[str]) -> Iterator[str]:
    cells = [_cells(column) or _FIGURES[0] for column in columns]
    rows = [dict(zip(columns, map(_value, row), strict=True)) for row in zip(*cells, strict=True)]
    yield json.dumps(rows)
    yield json.dumps({"b": 2, "a": {"x": 1, "y": [1, 2]}, "name": "Ann"})
    yield json.dumps({"a": 1, "c": None, **rows[0]})
    yield "{}"


def _value(cell: str) -> str | float:
    try:
        return float(cell) if "." in cell else int(cell)
    except ValueError:
        return cell
