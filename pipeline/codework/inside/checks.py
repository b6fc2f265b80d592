"""Runs in the sandbox: a program's tests, one after the other, each reported as it ends.

`python checks.py`, with the program in `solution.py` and its tests in `tests.py` beside it. Tests
are functions `test_…`, classes `Test…` and unittest's cases; as much of pytest as such tests use is
in `pytest.py`. They find the program under any module name that is not there otherwise, and its
names without an import as well. Lines of JSON: `{"test", "status", "message"}`, the status `began`,
then `passed`, `failed`, or `not run` for what cannot be run here. A program that does not load has
failed its tests, and so has one that they do not load with.
"""

import ast
import builtins
import importlib.abc
import importlib.machinery
import importlib.util
import inspect
import json
import os
import sys
import types
import unittest
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

SHOWN = 300
# What is not here is no fault of a program: libraries, input, files, the network, room.
_NOT_HERE = (ModuleNotFoundError, EOFError, OSError, MemoryError)
_LIBRARIES = {"aiohttp", "anyio", "attr", "bs4", "click", "cv2", "django", "fastapi", "flask"}
_LIBRARIES |= {"freezegun", "hypothesis", "httpx", "jax", "jinja2", "keras", "lxml"}
_LIBRARIES |= {"marshmallow", "matplotlib", "mock", "networkx", "nltk", "nose", "numba", "numpy"}
_LIBRARIES |= {"pandas", "parameterized", "PIL", "polars", "psycopg2", "pydantic", "pymongo"}
_LIBRARIES |= {"pytest_asyncio", "pytest_mock", "redis", "requests", "responses", "rich", "scipy"}
_LIBRARIES |= {"seaborn", "selenium", "sklearn", "spacy", "sqlalchemy", "statsmodels", "sympy"}
_LIBRARIES |= {"tensorflow", "torch", "torchvision", "tqdm", "transformers", "trio", "typer"}
_LIBRARIES |= {"yaml"}

Test = tuple[str, Callable[[], object]]


class NotHere(Exception):
    """A test needs something that is not there."""


class Missing(Exception):
    """The tests use what the program does not have."""


class _Anything(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds the program under those of the names that nothing else is found under."""

    def __init__(self, program: types.ModuleType, names: set[str]) -> None:
        self._program = program
        self._names = names

    def find_spec(
        self, name: str, path: object = None, target: object = None
    ) -> importlib.machinery.ModuleSpec | None:
        if name.partition(".")[0] not in self._names:
            return None  # what the standard library tries and does without
        return importlib.machinery.ModuleSpec(name, self)

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> types.ModuleType:
        module = types.ModuleType(spec.name)
        module.__dict__.update(self._program.__dict__)
        module.__path__ = []
        return module

    def exec_module(self, module: types.ModuleType) -> None:
        return None


def main() -> None:
    report = os.fdopen(int(os.environ["REPORT_FD"]), "w", encoding="utf-8")

    def tell(test: str, status: str, message: str = "") -> None:
        line = {"test": test, "status": status, "message": message[:SHOWN]}
        print(json.dumps(line), file=report, flush=True)

    here = Path(__file__).parent
    for name in ("exit", "quit"):  # as `site` does, which is left out: it takes its time
        setattr(builtins, name, sys.exit)
    found: list[Test] = []
    loading = "the program"
    try:
        program = _loaded("solution", here / "solution.py", {})
        names = {n: v for n, v in vars(program).items() if not n.startswith("__")}
        loading = ""
        text = (here / "tests.py").read_text("utf-8")
        sys.meta_path.append(_Anything(program, set(_imported(text))))
        _refuse_foreign(text, names)
        loading = "the tests"
        tests = _loaded("tests", here / "tests.py", names)
        found = list(_tests(tests, own=_defined(text)))
    except Missing as error:
        tell("the tests", "failed", str(error))
    except NotHere as error:
        tell("", "not run", str(error))
    except _NOT_HERE as error:
        tell("", "not run", _said(error))
    except BaseException as error:
        status = "failed" if loading else "not run"
        tell(loading, status, _said(error) + _where(error, here))
    for name, test in found:
        tell(name, "began")
        tell(name, *_outcome(test, here))
    report.close()
    sys.stdout.flush()
    os._exit(0)  # threads of the program are not waited for


def _loaded(name: str, path: Path, names: dict[str, Any]) -> types.ModuleType:
    module = types.ModuleType(name)
    module.__dict__.update(names)
    module.__file__ = str(path)
    sys.modules[name] = module
    exec(compile(path.read_bytes(), path.name, "exec", dont_inherit=True), module.__dict__)
    return module


def _refuse_foreign(text: str, names: dict[str, Any]) -> None:
    """What tests import and nobody has is the program, unless it is a library. Raises NotHere, or
    Missing where the program lacks what they use of it."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.ImportFrom) and node.module:
            wanted = {alias.name for alias in node.names} - {"*"}
            if _is_foreign(node.module) and not wanted <= names.keys():
                raise _absent(node.module, wanted - names.keys())
        elif isinstance(node, ast.Import):
            for alias in node.names:
                local = alias.asname or alias.name
                used = _used_of(text, local)
                if _is_foreign(alias.name) and not used <= names.keys():
                    raise _absent(alias.name, used - names.keys())


def _absent(module: str, names: set[str]) -> Exception:
    if module.partition(".")[0] in _LIBRARIES:
        return NotHere(f"no module named {module!r} here")
    return Missing(f"the tests take {', '.join(sorted(names))} from it, which is not there")


def _imported(text: str) -> Iterator[str]:
    """The top-level modules that the tests import."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.ImportFrom) and node.module:
            yield node.module.partition(".")[0]
        elif isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)


def _is_foreign(module: str) -> bool:
    name = module.partition(".")[0]
    if name in sys.modules:  # `solution` has no spec
        return name == "solution"
    spec = importlib.util.find_spec(name)
    return spec is not None and isinstance(spec.loader, _Anything)


def _used_of(text: str, local: str) -> set[str]:
    return {
        node.attr
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Attribute) and ast.unparse(node.value) == local
    }


def _defined(text: str) -> set[str]:
    return {
        node.name
        for node in ast.parse(text).body
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
    }


# --- which tests there are -----------------------------------------------------------------------


def _tests(module: types.ModuleType, own: set[str]) -> Iterator[Test]:
    for name, value in list(vars(module).items()):
        if name not in own:
            continue
        if isinstance(value, type) and issubclass(value, unittest.TestCase):
            for method in unittest.defaultTestLoader.getTestCaseNames(value):
                yield f"{name}.{method}", _unittest(value(method))
        elif isinstance(value, type) and name.startswith("Test"):
            for method in [each for each in vars(value) if each.startswith("test")]:
                yield from _calls(f"{name}.{method}", _method(value, method), module)
        elif name.startswith("test") and callable(value):
            yield from _calls(name, value, module)


def _method(owner: type, name: str) -> Callable[..., object]:
    """The method on an instance of its own; its marks and parameters stay."""
    instance = owner()
    setup = getattr(instance, "setup_method", None)
    if setup:
        setup(*[None] * len(inspect.signature(setup).parameters))
    bound: Callable[..., object] = getattr(instance, name)
    return bound


def _calls(name: str, test: Callable[..., object], module: types.ModuleType) -> Iterator[Test]:
    """The test once for each of its parameter sets."""
    sets = getattr(test, "parameter_sets", [{}])
    for number, given in enumerate(sets, 1):
        label = f"{name}[{number}]" if len(sets) > 1 else name
        yield label, partial(_call, test, given, module)


def _call(test: Callable[..., object], given: dict[str, Any], module: types.ModuleType) -> None:
    reason = getattr(test, "skipped", None)
    if reason:
        raise unittest.SkipTest(reason)
    ends: list[Iterator[object]] = []
    try:
        values = _arguments(test, given, module, ends)
        result = test(**values)
        if inspect.isawaitable(result):
            import asyncio

            asyncio.run(_awaited(result))
    finally:
        for end in reversed(ends):
            next(end, None)


def _arguments(
    function: Callable[..., object],
    given: dict[str, Any],
    module: types.ModuleType,
    ends: list[Iterator[object]],
) -> dict[str, Any]:
    """What a test or a fixture takes: its parameters, and fixtures by their names."""
    values = {}
    for name, parameter in inspect.signature(function).parameters.items():
        if name in given:
            values[name] = given[name]
        elif parameter.default is inspect.Parameter.empty:
            fixture = getattr(module, name, None)
            if not getattr(fixture, "is_fixture", False) or fixture is None:
                raise unittest.SkipTest(f"there is no fixture {name} here")
            made = fixture(**_arguments(fixture, {}, module, ends))
            if inspect.isgenerator(made):
                ends.append(made)
                made = next(made)
            values[name] = made
    return values


async def _awaited(result: Any) -> object:
    return await result


def _unittest(case: unittest.TestCase) -> Callable[[], object]:
    def run() -> None:
        result = unittest.TestResult()
        unittest.TestSuite([case]).run(result)  # with what is set up for its class and module
        if result.unexpectedSuccesses:
            raise AssertionError("it was expected to fail")
        faults: Sequence[tuple[object, str]] = [*result.errors, *result.failures]
        if faults:
            raise AssertionError(faults[0][1].strip().splitlines()[-1])
        if result.skipped:
            raise unittest.SkipTest(result.skipped[0][1])

    return run


def _outcome(test: Callable[[], object], here: Path) -> tuple[str, str]:
    try:
        test()
    except unittest.SkipTest as error:
        return "not run", str(error)
    except BaseException as error:
        return "failed", _said(error) + _where(error, here)
    return "passed", ""


def _said(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}".rstrip(": ")


def _where(error: BaseException, here: Path) -> str:
    """The line of the tests that failed."""
    line, trace = 0, error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == "tests.py":
            line = trace.tb_lineno
        trace = trace.tb_next
    if not line:
        return ""
    text = (here / "tests.py").read_text("utf-8").splitlines()[line - 1].strip()
    return f" (line {line}: {text})"


if __name__ == "__main__":
    main()
