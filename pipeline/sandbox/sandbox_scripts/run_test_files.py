"""Runs in the sandbox: files of tests, one test after the other, each reported as it ends.

`python run_test_files.py PROGRAM DIRECTORY… -- FILE…`, in the directory of what is tested: where
modules are looked for besides there, then the files. Tests are functions `test_…`, classes `Test…`
and unittest's cases; as much of pytest as such tests use is in `pytest.py`, and fixtures are also
those of each `conftest.py` from a file's directory up. Where PROGRAM is not "", it is a file that
the tests find under any module name that is not there otherwise, and whose names stand among their
own.

The report, in lines of JSON: `{"test", "file", "status", "error", "frames": [[file, line]]}`. The
status is `began`, then `passed`, `failed` (an assertion), `broken` (any other exception) or
`skipped`, then `ended`. Of a file that does not load the test is `import`, and the status `broken`,
or `absent` where it needs what is not here.
"""

import ast
import builtins
import importlib.abc
import importlib.machinery
import importlib.util
import inspect
import os
import sys
import types
import unittest
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pipeline.sandbox.sandbox_scripts.laios_fixtures import Fixtures, set_up, set_up_once
    from pipeline.sandbox.sandbox_scripts.laios_report import Absent, Missing, Report, frames, said
else:
    from laios_fixtures import Fixtures, set_up, set_up_once
    from laios_report import Absent, Missing, Report, frames, said

_HERE = str(Path.cwd())  # a program may change it
_LIBRARIES = {"aiohttp", "anyio", "attr", "bs4", "click", "cv2", "django", "fastapi", "flask"}
_LIBRARIES |= {"freezegun", "hypothesis", "httpx", "jax", "jinja2", "keras", "lxml"}
_LIBRARIES |= {"marshmallow", "matplotlib", "mock", "networkx", "nltk", "nose", "numba", "numpy"}
_LIBRARIES |= {"pandas", "parameterized", "PIL", "polars", "psycopg2", "pydantic", "pymongo"}
_LIBRARIES |= {"pytest_asyncio", "pytest_mock", "redis", "requests", "responses", "rich", "scipy"}
_LIBRARIES |= {"seaborn", "selenium", "sklearn", "spacy", "sqlalchemy", "statsmodels", "sympy"}
_LIBRARIES |= {"tensorflow", "torch", "torchvision", "tqdm", "transformers", "trio", "typer"}
_LIBRARIES |= {"yaml"}


# What is not here is no fault of a program: libraries, input, files, the network, room.
_ABSENT = (Absent, ModuleNotFoundError, EOFError, OSError, MemoryError)


def main() -> None:
    program, *words = sys.argv[1:]
    cut = words.index("--")
    sys.argv = [program]
    places = [_HERE, *(f"{_HERE}/{name}" for name in words[:cut])]
    sys.path[:] = [*places, *sys.path[1:], sys.path[0]]
    for name in ("exit", "quit"):  # as `site` does, which is left out: it takes its time
        setattr(builtins, name, sys.exit)
    names: dict[str, Any] = {}
    for file in (*filter(None, [program]), *words[cut + 1 :]):
        report = Report(file)
        report.tell("import", "began")
        if file != program:
            unittest.main = _no_main  # type: ignore[assignment]
        try:
            if program and file != program:
                _offer(program, names, Path(_HERE, file).read_text("utf-8"))
            module = _loaded(file, names)
            homes = module, *_conftests(file)
            if file != program:
                set_up_once(module, "setup_module")
        except BaseException as error:
            _tell_not_loaded(report, error)
            if file == program:
                break
            continue
        report.tell("import", "ended")
        if file == program:
            names = {n: v for n, v in vars(module).items() if not n.startswith("__")}
        else:
            _suite(homes, names).run(report)
    sys.stdout.flush()
    os._exit(0)  # threads of the program are not waited for


def _loaded(file: str, names: dict[str, Any]) -> types.ModuleType:
    """The module of a file, which finds these names in it."""
    name = file.removesuffix(".py").replace("/", ".")
    if name in sys.modules:
        return sys.modules[name]
    spec = importlib.util.find_spec(name)
    assert spec and spec.loader, f"{file} cannot be imported"
    module = importlib.util.module_from_spec(spec)
    module.__dict__.update(names)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def _conftests(file: str) -> Iterator[types.ModuleType]:
    """The nearest first."""
    for directory in Path(file).parents:
        path = directory / "conftest.py"
        if path.is_file():
            yield _loaded(str(path), {})


def _no_main(*args: object, **options: object) -> types.SimpleNamespace:
    """For a file of tests that ends with `unittest.main()`: it would look for tests in this script
    and end the process."""
    return types.SimpleNamespace(result=unittest.TestResult())


def _tell_not_loaded(report: Report, error: BaseException) -> None:
    status = "absent" if isinstance(error, _ABSENT) else "broken"
    if isinstance(error, unittest.SkipTest):
        status = "skipped"
    report.tell("import", status, said(error), frames(error))


# --- the program under any name ------------------------------------------------------------------


class _AnyModule(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds the program under those of the modules that nothing else is found under."""

    def __init__(self, program: dict[str, Any], modules: set[str]) -> None:
        self._program = program
        self._modules = modules

    def find_spec(
        self, name: str, path: object = None, target: object = None
    ) -> importlib.machinery.ModuleSpec | None:
        if name.partition(".")[0] not in self._modules:
            return None  # what the standard library tries and does without
        return importlib.machinery.ModuleSpec(name, self, is_package=True)

    def exec_module(self, module: types.ModuleType) -> None:
        module.__dict__.update(self._program)


def _offer(program: str, offered: dict[str, Any], tests: str) -> None:
    """Lets the tests import the program. What they import and nobody has is the program, unless it
    is a library. Raises Absent, or Missing where the program lacks what they use of it."""
    try:
        nodes = list(ast.walk(ast.parse(tests)))
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise Absent(f"the tests do not parse: {error}") from None
    wanted = list(_wanted(nodes))
    sys.meta_path.append(_AnyModule(offered, {module.partition(".")[0] for module, _ in wanted}))
    for module, names in wanted:
        lacking = ", ".join(sorted(names - offered.keys()))
        if lacking and _is_foreign(module, program):
            if module.partition(".")[0] in _LIBRARIES:
                raise Absent(f"no module named {module!r} here")
            raise Missing(f"the tests take {lacking} from it, which is not there")


def _wanted(nodes: list[ast.AST]) -> Iterator[tuple[str, set[str]]]:
    """The modules that are imported, with what is used of each."""
    used: dict[str, set[str]] = {}
    for node in nodes:
        if isinstance(node, ast.Attribute):
            used.setdefault(ast.unparse(node.value), set()).add(node.attr)
    for node in nodes:
        if isinstance(node, ast.ImportFrom) and node.module:
            yield node.module, {alias.name for alias in node.names} - {"*"}
        elif isinstance(node, ast.Import):
            for alias in node.names:
                yield alias.name, used.get(alias.asname or alias.name, set())


def _is_foreign(module: str, program: str) -> bool:
    """Whether it is found nowhere but in the program."""
    name = module.partition(".")[0]
    if name in sys.modules:
        return f"{name}.py" == program
    spec = importlib.util.find_spec(name)
    return spec is not None and isinstance(spec.loader, _AnyModule)


# --- which tests there are -----------------------------------------------------------------------


def _suite(homes: Sequence[types.ModuleType], names: dict[str, Any]) -> unittest.TestSuite:
    """The tests of a module, the first of `homes`, without the program's names; the others have
    fixtures for it."""
    suite, module = unittest.TestSuite(), homes[0]
    for name, value in list(vars(module).items()):
        of = str(getattr(value, "__module__", ""))
        if names.get(name) is value or of.startswith("unittest"):
            continue
        if isinstance(value, type) and issubclass(value, unittest.TestCase):
            suite.addTest(unittest.defaultTestLoader.loadTestsFromTestCase(value))
        elif of != module.__name__:
            continue
        elif isinstance(value, type) and name.startswith("Test"):
            for method in [each for each in vars(value) if each.startswith("test")]:
                make = partial(_method, value, method)
                suite.addTests(_calls(f"{name}.{method}", getattr(value, method), make, homes))
        elif name.startswith("test") and callable(value):
            suite.addTests(_calls(name, value, partial(getattr, module, name), homes))
    return suite


def _method(owner: type, name: str) -> Callable[..., object]:
    """The method on an instance of its own."""
    set_up_once(owner, "setup_class")
    bound: Callable[..., object] = getattr(owner(), name)
    return bound


def _calls(
    name: str,
    marked: Callable[..., object],
    make: Callable[[], Callable[..., object]],
    homes: Sequence[types.ModuleType],
) -> Iterator[unittest.TestCase]:
    """The test once for each of its parameter sets."""
    sets = getattr(marked, "parameter_sets", [{}])
    skipped = getattr(marked, "skipped", None)
    for number, given in enumerate(sets, 1):
        label = f"{name}[{number}]" if len(sets) > 1 else name
        call = partial(_call, make, given, homes, skipped)
        yield unittest.FunctionTestCase(call, description=label)


def _call(
    make: Callable[[], Callable[..., object]],
    given: dict[str, Any],
    homes: Sequence[types.ModuleType],
    skipped: str | None,
) -> None:
    """All of a test: a coroutine is awaited, a generator used up."""
    if skipped:
        raise unittest.SkipTest(skipped)
    ends: list[Iterator[object]] = []
    try:
        test = make()
        instance = getattr(test, "__self__", None)
        fixtures = Fixtures((instance, *homes) if instance else homes, ends)
        fixtures.use_unasked(test)
        if instance:
            set_up(instance, "setup_method", None)
        else:
            set_up(homes[0], "setup_function", None)
        result = test(**fixtures.arguments(test, given))
        if inspect.isawaitable(result):
            import asyncio

            asyncio.run(_awaited(result))
        elif inspect.isgenerator(result):
            list(result)
    finally:
        for end in reversed(ends):
            next(end, None)


async def _awaited(result: Any) -> object:
    return await result


if __name__ == "__main__":
    main()
