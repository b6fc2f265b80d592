"""Sessions to try a function with that reads or writes files, or looks through a folder: it is
called in a folder of its own, and the files that it leaves there count as what it gives. Pure."""

import ast
import random
import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from itertools import pairwise

from pipeline.analysis.python_syntax import Function
from pipeline.sandbox.testcase import Case
from pipeline.testcases.entry_point import function_of, needed_parameters
from pipeline.testcases.parameter_kinds import meant_kinds
from pipeline.testcases.sample_files import (
    FOLDERS,
    MISSING,
    Files,
    columns_of,
    sample_files,
    sample_folders,
    works_on_files,
)
from pipeline.testcases.session_arguments import as_cases, call_of, choices_for

FALLBACKS = ("str", "int")  # kinds of what no name tells
_LOOKS_THROUGH = (  # a parameter of this name
    r"\b(?:(?:listdir|scandir|walk)\(\s*NAME\b|(?:Path\(\s*NAME\s*\)|NAME)\.(?:iterdir|r?glob)\()"
)
_WORDS = {
    "new": "target output out outfile dest destination dst ziel",
    "folder": "folder directory dir dirname root ordner verzeichnis",
    "files": "paths files filenames",
    "file": "path file filename filepath fname src source infile input datei pfad csvfile logfile",
}
_ROLES = {word: role for role, words in _WORDS.items() for word in words.split()}
_BY_NAME = {
    **{name: ["'.txt'", "'.py'", "'txt'", "'.md'"] for name in ("extension", "ext", "suffix")},
    **{name: ["'*.txt'", "'b'", "'*'", "'dog'"] for name in ("pattern", "glob")},
    **{name: ["','", "';'"] for name in ("delimiter", "separator", "sep")},
    "level": ["'ERROR'", "'INFO'"],
}
_NEW_FOLDERS = ["'new/deep'", "'other/empty'"]
_COLUMN_NAMES = {"column", "col", "key", "field", "header", "column_name", "spalte"}
_CONTENT = ["'the'", "'dog'", "'b'", "'a'", "'3'", "'ERROR'", "'zzz'", "'x\\ny'"]
_COUNTS = ["2", "1", "3", "10"]
_SPEAKS_OF_MISSING = re.compile(
    r"\bexists?\b|\bmissing (?:file|path)|FileNotFound|\bno such file|\bexistiert", re.IGNORECASE
)
_SPEAKS_OF_PATHS = re.compile(r"\bpathlib\.Path\b|\bPath objects?\b")
_SPEAKS_OF_ORDER = re.compile(r"sort|order|\bfirst\b|alphabet|biggest|largest|smallest", re.I)
_SETUP = "from pathlib import Path"
_MOST_READ = 20_000  # characters of a request


def takes_files(program: str, function: str) -> bool:
    """Whether a function is given the name of a file or folder and does something with it."""
    if not works_on_files(program):
        return False
    found = function_of(program, function)
    return found is not None and any(_roles_of(found, program).values())


def is_path(parameter: str) -> bool:
    """Whether a parameter of this name is the path of a file or folder."""
    return any(word in _ROLES for word in parameter.lower().split("_"))


def sessions_with_files(
    program: str, function: str, request: str, n: int, fallback: str = FALLBACKS[0]
) -> tuple[Case, ...]:
    """At most `n` sessions with a function that takes files; () for others, and where nothing can
    be made that it takes beside them. The same for the same program and request."""
    found = function_of(program, function)
    if found is None or not takes_files(program, function):
        return ()
    request = request[:_MOST_READ]
    files, folders = sample_files(request, program), sample_folders()
    known = _known(found, program, request, fallback, files)
    choices = choices_for(found, fallback, known)
    if not all(choices):
        return ()
    chance = random.Random(f"{function} {[each.arg for each in found.args.args]}")
    is_open = not _SPEAKS_OF_ORDER.search(request)
    calls: Iterable[str] = (call_of(function, choices, chance) for _ in range(3 * n))
    if _wants_paths(found, request):
        calls = map(_with_paths, calls)
    return tuple(
        replace(
            case,
            unordered=is_open and _is_through_folder(case.session),
            files=(
                *(each for each in files if repr(each[0]) in case.session),
                *(folders if _is_through_folder(case.session) else ()),
            ),
        )
        for case in as_cases(calls, n, _SETUP)
    )


def _roles_of(function: Function, program: str) -> dict[str, str]:
    """What its parameters are, by their names: `file`, `folder`, `files`, `new` for one that need
    not be there; "" for no path."""
    return {each.arg: _role_of(each.arg, program) for each in needed_parameters(function)}


def _role_of(name: str, program: str) -> str:
    found = {_ROLES[word] for word in name.lower().split("_") if word in _ROLES}
    role = next((role for role in _WORDS if role in found), "")
    looks = role == "file" and re.search(_LOOKS_THROUGH.replace("NAME", name), program)
    return "folder" if looks else role


def _known(
    function: Function, program: str, request: str, fallback: str, files: Files
) -> Mapping[str, list[str]]:
    """What each parameter may be given, by its name, as the session says it."""
    roles = _roles_of(function, program)
    names = [repr(name) for name, _ in files]
    of_role = {
        "file": [*names, *([repr(MISSING)] if _SPEAKS_OF_MISSING.search(request) else [])],
        "folder": [*map(repr, FOLDERS)],
        "files": [f"[{', '.join(pair)}]" for pair in (*pairwise(names), ())],
        "new": _NEW_FOLDERS if "folder" in roles.values() else [f"'new{_extension(names[0])}'"],
    }
    return {
        each.arg: of_role.get(roles[each.arg]) or _values(each, program, request, fallback)
        for each in needed_parameters(function)
    }


def _values(parameter: ast.arg, program: str, request: str, fallback: str) -> list[str]:
    """Of one that is no path; [] where its kind is none of these."""
    name = parameter.arg
    if name in _BY_NAME:
        return _BY_NAME[name]
    if name in _COLUMN_NAMES:
        return [*map(repr, columns_of(request, program)), "'nothing'"]
    annotated = ast.unparse(parameter.annotation) if parameter.annotation else ""
    kind = annotated or next(iter(meant_kinds(name)), fallback)
    return {"str": _CONTENT, "int": _COUNTS}.get(kind, [])


def _is_through_folder(call: str) -> bool:
    return any(repr(folder) in call for folder in FOLDERS)


def _extension(name: str) -> str:
    """`.csv` of `'a.csv'`."""
    return name.strip("'")[1:]


def _wants_paths(function: Function, request: str) -> bool:
    """Whether it takes paths, not their names: its annotations or the request say so."""
    kinds = (ast.unparse(each.annotation) for each in function.args.args if each.annotation)
    return any(kind.rpartition(".")[2] == "Path" for kind in kinds) or bool(
        _SPEAKS_OF_PATHS.search(request)
    )


def _with_paths(call: str) -> str:
    return re.sub(r"'((?:[\w/]+\.\w+)|(?:folder|other|new)[\w/]*)'", r"Path('\1')", call)
