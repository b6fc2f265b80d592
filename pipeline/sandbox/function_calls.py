"""How functions of a program are called in the sandbox: the files that are put there, and the
command. Each language has a script that loads the program, calls, and reports (`sandbox_scripts/`).
"""

import ast
import marshal
from collections.abc import Sequence
from pathlib import Path
from textwrap import indent
from typing import Any

from pipeline.analysis.python_syntax import parsed_statements
from pipeline.sandbox.interpreters import INTERPRETERS
from pipeline.sandbox.node_programs import node_file
from pipeline.sandbox.sandbox_scripts.value_json import encode
from pipeline.sandbox.testcase import Case
from pipeline.sandbox.venv_packages import packages_in

_SCRIPTS = Path(__file__).parent / "sandbox_scripts"
_FOLDER = ".laios"
_PYTHON_FILES = ("call_function.py", "value_json.py")
_FOLDER_FILES = ("scratch_folder.py", "run_program.py")  # where calls have files or input
# Where a program imports none, `site` need not look for packages, which takes its time.
_PYTHON = ("python", "-I", "-S", f"{_FOLDER}/call_function.py")
_WITH_PACKAGES = ("python", "-I", f"{_FOLDER}/call_function.py")
_JAVASCRIPT = ("node", "--disable-warning=ExperimentalWarning", f"{_FOLDER}/call_function.mjs")
# The program's own names are seen from nowhere but its file.
_NAMES = "\n;globalThis[Symbol.for('laios')] = (name) => eval(name);\n"

_SESSION, _VALUE = "laios_session_{}", "laios_value"

Files = dict[str, str | bytes]


def is_callable(language: str) -> bool:
    """Whether functions of that language can be called where its interpreter is."""
    return language in ("python", "javascript", "typescript", "bash")


def call_files(
    program: str, cases: Sequence[Case], entry: str, language: str
) -> tuple[Files, tuple[str, ...]]:
    """What is put into the sandbox to make these calls, `entry` where a case names no function, and
    the command that makes them; Python's may all be runs of the whole program instead. Raises
    ValueError for arguments that are no plain data."""
    calls = [_call(case, n, entry) for n, case in enumerate(cases)]
    if language == "javascript":
        return _of_javascript(program, calls), _JAVASCRIPT
    asked = (_session(case, n) for n, case in enumerate(cases) if case.session)
    files: Files = {INTERPRETERS["python"].file: "".join([program, *asked])}
    files[f"{_FOLDER}/call.data"] = marshal.dumps(calls, 2)
    scripts: tuple[str, ...] = _PYTHON_FILES
    if any(case.files is not None or case.stdin is not None for case in cases):
        scripts += _FOLDER_FILES
    files |= {f"{_FOLDER}/{name}": (_SCRIPTS / name).read_bytes() for name in scripts}
    text = str(files[INTERPRETERS["python"].file])  # with the sessions
    return files, _WITH_PACKAGES if packages_in(text) else _PYTHON


def _call(case: Case, number: int, entry: str) -> dict[str, Any]:
    files = None if case.files is None else [[*each] for each in case.files]
    if case.session:  # the arguments are for people to read
        return {"function": _SESSION.format(number), "args": [], "kwargs": {}, "files": files}
    if case.stdin is not None:
        return {"words": [*case.words], "stdin": case.stdin, "files": files}
    return {
        "function": case.function or entry,
        "args": [*case.arguments.args],
        "kwargs": dict(case.arguments.kwargs),
        "files": files,
    }


def _session(case: Case, number: int) -> str:
    """The session as a function behind the program. What is to be equal to something that the
    sandbox alone can make comes back as True, or as what it is instead."""
    *lines, last = parsed_statements(f"{case.setup}\n{case.session}")
    body = [*map(ast.unparse, lines), f"{_VALUE} = {ast.unparse(last)}", f"return {_VALUE}"]
    if case.stated:
        same = f"repr({_VALUE}) == {case.stated!r} or {_VALUE} == ({case.stated})"
        body[-1] = f"return True if {same} else repr({_VALUE})"
    source = indent("\n".join(body), "    ")
    return f"\n\ndef {_SESSION.format(number)}():\n{source}\n"


def _of_javascript(program: str, calls: list[dict[str, Any]]) -> Files:
    """Arguments by name become an object, the last of them, as is the language's custom."""
    rows = [
        {"function": call["function"], "args": [*call["args"], *filter(None, [call["kwargs"]])]}
        for call in calls
    ]
    name = node_file(program)
    script = (_SCRIPTS / "call_function.mjs").read_bytes()
    return {
        name: program + _NAMES,
        f"{_FOLDER}/call.json": encode([name, rows]),
        f"{_FOLDER}/call_function.mjs": script,
    }
