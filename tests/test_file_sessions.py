"""Functions that read or write files, or look through folders: drafts are compared by what they
give and leave behind in a folder of their own."""

import ast
import re
import shutil

import pytest

from pipeline.testcases.behaviour import classes
from pipeline.testcases.file_sessions import sessions_with_files, takes_files
from pipeline.testcases.object_sessions import sessions_of_class
from pipeline.testcases.sample_files import columns_of, sample_files
from tests.test_agreement import JUDGED, NO_TESTS, coder, comparing, models_asked
from tests.test_function_sessions import behaviours

needs_sandbox = pytest.mark.skipif(
    shutil.which("bwrap") is None, reason="the sandbox needs bubblewrap"
)
COUNT = """\
def count_lines(path):
    with open(path) as file:
        return sum(1 for line in file if line.strip())
"""
ALSO_COUNT = """\
from pathlib import Path


def count_lines(path):
    return len([line for line in Path(path).read_text().splitlines() if line.strip()])
"""
ALL_LINES = COUNT.replace(" if line.strip()", "")
SPLIT = """\
def split_file(path, n):
    with open(path) as file:
        lines = file.readlines()
    parts = [lines[at : at + n] for at in range(0, len(lines), n)]
    for number, part in enumerate(parts, 1):
        with open(f"{path}.{number}", "w") as file:
            file.writelines(part)
    return len(parts)
"""
ALSO_SPLIT = SPLIT.replace("file.writelines(part)", "file.write(''.join(part))")
FROM_ZERO = SPLIT.replace("enumerate(parts, 1)", "enumerate(parts)")
FIND = """\
import os


def find_files(folder, extension):
    found = []
    for where, _, names in os.walk(folder):
        for name in names:
            if name.endswith(extension):
                found.append(os.path.relpath(os.path.join(where, name), folder))
    return found
"""
ALSO_FIND = """\
from pathlib import Path


def find_files(folder, extension):
    found = Path(folder).rglob(f"*{extension}")
    return sorted(str(path.relative_to(folder)) for path in found if path.is_file())
"""
HERE_ALONE = ALSO_FIND.replace("rglob", "glob")
SUM = """\
import csv


def column_sum(path, column):
    with open(path, newline="") as file:
        rows = csv.DictReader(file)
        return sum(float(row[column]) for row in rows if row[column])
"""
DUMP = """\
import json


def save(items, target):
    with open(target, "w") as file:
        json.dump(items, file, indent=2)
"""
TYPED = """\
from pathlib import Path


def size(path: Path) -> int:
    return len(path.read_text())
"""


@pytest.mark.parametrize(
    ("program", "name", "takes"),
    [
        (COUNT, "count_lines", True),
        (FIND, "find_files", True),
        (DUMP, "save", True),
        (TYPED, "size", True),
        ("async def read(path):\n    return open(path).read()", "read", True),
        ("def shortest(path):\n    return min(path)", "shortest", False),
        ("def f(x):\n    return open(x).read()", "f", False),
        ("def read(path", "read", False),
    ],
)
def test_which_functions_take_files(program, name, takes):
    """Those of programs that work on files, with a parameter that is named so."""
    assert takes_files(program, name) is takes
    assert bool(sessions_with_files(program, name, "", 20)) is takes


def test_what_a_session_does():
    """It calls the function with a file, which stands there for that call alone; the same each
    time, none twice."""
    asked = sessions_with_files(SPLIT, "split_file", "Split a file.", 20, "int")
    assert asked == sessions_with_files(SPLIT, "split_file", "Split a file.", 20, "int")
    assert len({each.session for each in asked}) == len(asked) > 10
    for each in asked:
        call = ast.parse(each.session, mode="eval").body
        ((name, text),) = each.files
        assert call.args[0].value == name and isinstance(call.args[1].value, int)
        assert not text or f"{name}: {text!r}" in each.input


@pytest.mark.parametrize(
    ("program", "name", "call"),
    [
        (FIND, "find_files", "find_files('folder', '.txt')"),
        (SUM, "column_sum", "column_sum('a.csv', 'price')"),
        (TYPED, "size", "size(Path('a.txt'))"),
        ("def merge(paths):\n    open(paths[0])", "merge", "merge(['a.txt', 'b.log'])"),
        ("def copy(src, dst):\n    open(src)", "copy", "copy('a.txt', 'new.txt')"),
        (FIND + "def copy(folder, target): ...", "copy", "copy('folder', 'new/deep')"),
        ("import os\ndef names(path):\n    return os.listdir(path)", "names", "names('other')"),
    ],
)
def test_what_is_given_for_a_parameter(program, name, call):
    """Files, folders, several of them, columns of a table, a name that is not there yet; paths
    where they are annotated."""
    asked = [each.session for each in sessions_with_files(program, name, "", 20)]
    assert call in asked


def test_paths_are_given_where_the_request_says_so():
    """A function that has no annotations takes objects then."""
    asked = sessions_with_files(COUNT, "count_lines", "path is a pathlib.Path", 20)
    assert {each.session for each in asked} >= {"count_lines(Path('a.txt'))"}


@pytest.mark.parametrize(
    ("request_", "program", "inside"),
    [
        ("sum a column of a CSV file", "", ("a.csv", "name,age,price")),
        ("the columns date, amount and category", "", ("a.csv", "date,amount,category")),
        ("read it", "row['town'] + row['size']", ("a.txt", "The cat")),
        ("lines such as `12:30 OPEN door 4` in a log", "", ("a.log", "12:30 OPEN door 4")),
        ("a file of KEY=VALUE lines", "", ("a.env", "A=1")),
        ("an INI file", "", ("a.ini", "[first]")),
        ("a CSV file with a header line, return the sum", "", ("a.csv", "name,age,price")),
        ("merge JSON files", "", ("b.json", '"x": 1')),
        ("a text file", "", ("a.txt", "The cat")),
    ],
)
def test_files_are_of_the_kind_that_the_request_speaks_of(request_, program, inside):
    """With the columns and the lines that it names."""
    name, text = inside
    assert text in dict(sample_files(request_, program))[name]


def test_columns_are_those_that_are_named():
    """In the request or by the program; the usual ones are added to a single one."""
    assert columns_of("with the fields `id`, `city` and `sum`", "") == ["id", "city", "sum"]
    assert columns_of("", "row['a'] + row.get('b')") == ["a", "b"]
    assert columns_of("", "row['a']") == ["a", "name", "age", "price"]


@needs_sandbox
@pytest.mark.parametrize(
    ("name", "request_", "programs", "found"),
    [
        ("count_lines", "Count the lines.", (COUNT, ALSO_COUNT, ALL_LINES), [[0, 1], [2]]),
        ("split_file", "Split the file.", (SPLIT, ALSO_SPLIT, FROM_ZERO), [[0, 1], [2]]),
        ("find_files", "All paths below it.", (FIND, ALSO_FIND, HERE_ALONE), [[0, 1], [2]]),
    ],
)
async def test_wrong_functions_do_something_else(name, request_, programs, found):
    """In what they give and in the files that they write; the order of a folder's files is a
    difference only where the request speaks of one."""
    kind = "int" if name == "split_file" else "str"
    asked = sessions_with_files(programs[0], name, request_, 20, kind)
    said = await behaviours(asked, *programs)
    assert classes(said) == found and not said[0].lack
    ordered = sessions_with_files(FIND, "find_files", "Sorted paths.", 20)
    assert len(classes(await behaviours(ordered, FIND, ALSO_FIND))) == 2


@needs_sandbox
async def test_files_of_one_call_are_not_there_for_the_next():
    """Each call finds the files that were made for it, as they were made; JSON is compared by its
    values."""
    appends = "def f(path, n):\n    open(path, 'a').write('x')\n    return open(path).read()\n"
    asked = sessions_with_files(appends, "f", "a file", 20, "int")
    (said,) = await behaviours(asked, appends)
    for case, outcome in zip(asked, said.outcomes, strict=True):
        assert outcome.startswith(f"gave {case.files[0][1] + 'x'!r} and wrote ")
    writes = "def f(path, n):\n    open('j', 'w').write('{}')\n"
    spaced = writes.replace("{}", " { } ")
    asked = sessions_with_files(writes, "f", "a file", 20, "int")
    assert classes(await behaviours(asked, writes, spaced)) == [[0, 1]]


@needs_sandbox
async def test_the_right_function_is_chosen(pipeline_with):
    """Two drafts that leave the same files; no tests are asked for, and the caller hears of the
    files."""
    request = "Write a function count_lines(path) that counts the lines with something on them."
    drafts = coder(ALL_LINES, COUNT, ALSO_COUNT)
    async with comparing(pipeline_with, NO_TESTS, drafts, JUDGED) as run:
        assert await run(request) == COUNT
    agreement = run.record["artefact"]["agreement"]
    assert agreement["classes"] == [[1, 2], [0]]
    assert agreement["calls"][0].startswith("count_lines('") and ": '" in agreement["calls"][0]
    [told, *_] = run.record["artefact"]["differences"]
    assert re.fullmatch(r"count_lines\('(.\.\w+)'\) \(\1: '.*", told["call"])
    assert "tests" not in models_asked(run.record)


BOOK = """\
import json
import os


class Book:
    def __init__(self, path):
        self.path = path
        self.names = json.load(open(path)) if os.path.exists(path) else []

    def add(self, name):
        self.names.append(name)
        with open(self.path, "w") as file:
            json.dump(self.names, file)

    def count(self):
        return len(self.names)
"""
FORGETS = BOOK.replace("json.dump(self.names", "json.dump([name]")


@needs_sandbox
async def test_objects_that_keep_a_file_are_asked_in_a_folder_of_their_own():
    """What one session writes is not there for the next, and counts as what it gives."""
    asked = sessions_of_class(
        BOOK, "Book", "class Book(path) with add(name) and count()", 20, "str"
    )
    assert all(each.files == () and "Book('kept." in each.session for each in asked)
    found = classes(await behaviours(asked, BOOK, BOOK.replace("self.names", "self._all"), FORGETS))
    assert found == [[0, 1], [2]]


@needs_sandbox
async def test_what_reads_from_a_file_that_is_open_for_writing_agrees_with_nobody():
    """It falls over its own code, whatever files there are."""
    program = "def f(path):\n    with open(path, 'a') as file:\n        return file.read()\n"
    said = await behaviours(sessions_with_files(program, "f", "a file", 20), program, program)
    assert classes(said) == [[0], [1]]


def test_text_files_have_several_extensions():
    """A draft that takes those of one alone is found out."""
    names = [name for name, _ in sample_files("a text file", "")]
    assert names == ["a.txt", "b.log", "c.txt", "d.md", "e.dat", "f.txt"]
