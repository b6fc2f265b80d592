"""What the checks of `programs.jsonl` are written with. It stands beside the files that a model
wrote, in the sandbox, whose names a check has without importing them.

Files are found by their name wherever in the project they stand, and modules in each of its folders
that is no package: who asked for a project finds them too.
"""

import ast
import contextlib
import io
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable
from math import isclose
from pathlib import Path
from unittest import TestResult, defaultTestLoader

PROGRAM = "program.py"  # the file that an answer of one program is


def find(name: str) -> Path:
    """The file of this name that is nearest to the top."""
    found = sorted(Path().rglob(name), key=lambda path: (len(path.parts), str(path)))
    assert found, f"there is no {name}"
    return found[0]


def text(name: str) -> str:
    return find(name).read_text("utf-8")


def write(name: str, content: str) -> None:
    Path(name).write_text(content, "utf-8")


def folders() -> list[str]:
    """Where modules are looked for."""
    every = {Path(), *(path.parent for path in Path().rglob("*.py"))}
    return [str(each.absolute()) for each in sorted(every) if not (each / "__init__.py").exists()]


def run(name: str, *words: str) -> str:
    """What a Python program prints that is given these arguments, and no input."""
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(folders())}
    command = [sys.executable, str(find(name)), *words]
    done = subprocess.run(
        command, capture_output=True, text=True, env=env, stdin=subprocess.DEVNULL
    )
    last = (done.stderr.strip().splitlines() or [""])[-1]
    assert done.returncode == 0, f"{' '.join([name, *words])} ended with {done.returncode}: {last}"
    return done.stdout


def output() -> str:
    """What the answer prints, where it is one program."""
    return run(PROGRAM)


def tests_hold(name: str) -> None:
    """The file's unittest tests, of which there is one at least, pass."""
    path = find(name)
    sys.path.insert(0, str(path.parent.absolute()))
    result = TestResult()
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        defaultTestLoader.loadTestsFromName(path.stem).run(result)
    assert result.testsRun, f"there are no tests in {name}"
    wrong = [str(test) for test, _ in result.failures + result.errors]
    assert not wrong, f"{len(wrong)} of {result.testsRun} own tests fail: {wrong[0]}"


def tests_pass(name: str) -> bool:
    """Whether the file's unittest tests pass, of which there is one at least, with the modules as
    they are now."""
    command = [sys.executable, "-B", "-m", "unittest", find(name).stem]
    done = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    assert "Ran 0 tests" not in done.stderr, f"there are no tests in {name}"
    return done.returncode == 0


def same_code(given: str) -> None:
    """The program is this one, but for comments and documentation."""
    assert _undocumented(text(PROGRAM)) == _undocumented(given), "the code was changed"


def _undocumented(code: str) -> str:
    tree = ast.parse(code)
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and (
            ast.get_docstring(node) is not None
        ):
            del node.body[0]
    return ast.dump(tree)


def quickly(call: Callable[..., object], *arguments: object) -> object:
    """What it gives, within two seconds of processor time."""
    signal.signal(signal.SIGVTALRM, _too_slow)
    signal.setitimer(signal.ITIMER_VIRTUAL, 2)
    try:
        return call(*arguments)
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)


def _too_slow(*_: object) -> None:
    raise AssertionError("it takes too long")


def raises(kind: type[Exception], call: Callable[..., object], *arguments: object) -> None:
    try:
        call(*arguments)
    except kind:
        return
    raise AssertionError(f"no {kind.__name__} for {arguments}")


def numbers(said: str) -> list[float]:
    return [float(each) for each in re.findall(r"(?<![\w.])-?\d+(?:\.\d+)?", said)]


def close(one: float, other: float) -> bool:
    return isclose(one, other, abs_tol=0.006)


def in_order(said: str, *patterns: str) -> bool:
    """Whether each of the patterns is found behind the one before."""
    at = 0
    for pattern in patterns:
        found = re.compile(pattern).search(said, at)
        if found is None:
            return False
        at = found.end()
    return True
