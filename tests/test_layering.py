"""The layout's rules, read off the source."""

import ast
import re
import subprocess
import sys
from collections import Counter
from functools import cache
from graphlib import TopologicalSorter
from inspect import iscoroutinefunction
from pathlib import Path

import pytest

import pipeline.capabilities  # noqa: F401  (fills MODES)
from pipeline.first_use import FirstUse
from pipeline.modes import MODES, OF_ROUTES
from pipeline.review.stages import PLACES
from server.routes import ROUTES

# In one worker, which reads each file once.
pytestmark = pytest.mark.xdist_group("source")
ROOT = Path(__file__).parent.parent
# What each package may import, itself apart. A package is the files of one directory; its
# sub-packages are rows of their own, and `pipeline` alone is the core. A row allows what is
# imported and no more, but that sets which several rows share stand in them whole.
CORE = {"config", "pipeline", "pipeline.analysis"}
TESTCASES = {"pipeline.testcases", "pipeline.testcases.examples", "pipeline.testcases.inputs"}
SHARED = CORE | TESTCASES | {"pipeline.sandbox", "pipeline.review"}
ALLOWED: dict[str, set[str]] = {
    "config": set(),
    "laios.types": set(),
    "laios": {"laios.types"},
    "pipeline.analysis": {"laios"},
    "pipeline.analysis.signatures": {"pipeline.analysis"},
    "pipeline": {"config", "pipeline.analysis", "laios"},
    "pipeline.models": CORE | {"laios"},
    "pipeline.sandbox.sandbox_scripts": set(),
    "pipeline.sandbox": CORE | {"laios", "pipeline.sandbox.sandbox_scripts"},
    "pipeline.testcases.inputs": {"pipeline.analysis"},
    "pipeline.testcases": CORE
    | {"pipeline.sandbox", "pipeline.analysis.signatures", "pipeline.testcases.inputs"},
    "pipeline.testcases.examples": CORE
    | {"pipeline.sandbox", "pipeline.testcases", "pipeline.testcases.inputs"},
    "pipeline.review": CORE | TESTCASES | {"pipeline.sandbox", "pipeline.analysis.signatures"},
    "pipeline.best": SHARED,
    "pipeline.tested": SHARED | {"laios.types"},
    "pipeline.security": SHARED,
    "pipeline.projects": SHARED | {"laios", "laios.types"},
    "pipeline.codegen": SHARED | {"laios.types"},
    "pipeline.judging": SHARED | {"laios.types"},
    "pipeline.rag": SHARED | {"laios", "laios.types"},
    "pipeline.agents": SHARED,
    "history": {"laios"},
    "retrieval.sources": {"config", "laios", "pipeline.analysis"},
    "retrieval.sources.workers": {"pipeline.analysis", "retrieval.sources"},
    "retrieval": {"history", "pipeline.analysis", "retrieval.sources"},
    "dashboard": {"history", "laios"},
    "server.runtime": CORE
    | {"history", "retrieval", "pipeline.models", "laios", "laios.types", "server.tracing"},
    "server.http": CORE | {"dashboard", "history"},
    "server.tracing": CORE | {"laios"},
    "server.api": CORE
    | {"pipeline.codegen", "pipeline.judging", "pipeline.rag"}
    | {"dashboard", "history", "pipeline.sandbox", "retrieval"}
    | {"laios", "laios.types", "server.http", "server.runtime"},
    "server.protocols": CORE
    | {"laios", "pipeline.agents", "pipeline.review"}
    | {"server.api", "server.http", "server.runtime"},
    "server.client_setup": CORE | {"laios", "server.protocols", "server.runtime"},
    "server.downloads": CORE | {"pipeline.models"},
    "server.inventory": CORE | {"pipeline.models", "server.runtime"},
    "server.benchmark": CORE
    | {"history", "pipeline.models", "pipeline.sandbox", "pipeline.testcases.examples", "retrieval"}
    | {"server.inventory"},
    "server.training_data": CORE | {"history", "laios", "pipeline.models"},
    "server.service": CORE | {"server.runtime"},
    "server.terminal": CORE
    | {"pipeline.codegen", "pipeline.models"}
    | {"history", "laios", "laios.types", "server.api", "server.client_setup", "server.runtime"},
    "server": CORE
    | {"history", "dashboard", "laios", "pipeline.models", "pipeline.review"}
    | {"server.api", "server.downloads", "server.http", "server.mcp", "server.protocols"}
    | {"server.runtime", "server.tracing"},
    "server.mcp": CORE
    | {"laios", "laios.types", "server.http", "server.runtime", "server.terminal"},
    "server.doctor": CORE
    | {"retrieval", "pipeline.models", "pipeline.review", "pipeline.sandbox", "pipeline.security"}
    | {"server", "server.downloads", "server.runtime", "server.terminal"},
    "server.batch": CORE
    | {"history", "laios", "pipeline.codegen"}
    | {"server.api", "server.http", "server.runtime", "server.terminal"},
    "server.commands": CORE
    | {"dashboard", "history", "retrieval", "retrieval.sources"}
    | {"pipeline.models", "pipeline.sandbox", "pipeline.testcases"}
    | {"laios", "server.batch", "server.benchmark"}
    | {"server", "server.client_setup", "server.doctor", "server.downloads", "server.inventory"}
    | {"server.mcp", "server.runtime", "server.service", "server.terminal"}
    | {"server.training_data"},
}
# Where the packages that add modes are listed: above all of them, part of none.
LIST = ROOT / "pipeline" / "capabilities.py"
TOP_LEVEL = [name for name in ALLOWED if "." not in name]
PROTOCOL_LIBRARIES = {"mcp", "mcp_types"}
# `server.api.prompt:post_prompt`: where a function stands that is imported at its first call.
PLACE = re.compile(r"(\w+(?:\.\w+)+):\w+")
BACKEND_LIBRARIES = {"litellm", "ollama", "xllamacpp", "openai"}


def files(package: str) -> list[Path]:
    single = ROOT / f"{package}.py"
    return [single] if single.exists() else sorted((ROOT / package).rglob("*.py"))


def imports(tree: ast.AST) -> set[str]:
    """The top-level names that a module imports, wherever it does."""
    names = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names.add(node.module.partition(".")[0])
    return names


def at_import_time(tree: ast.Module) -> set[str]:
    """What importing the module imports: not what stands inside functions or TYPE_CHECKING."""
    names: set[str] = set()
    for node in tree.body:
        guard = isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
        if not guard and not isinstance(
            node, ast.FunctionDef | ast.ClassDef | ast.AsyncFunctionDef
        ):
            names |= imports(node)
    return names


def package_of(module: str) -> str:
    """The package in which a module of ours stands, which may itself be one."""
    return module if module in ALLOWED else module.rpartition(".")[0]


@cache
def our_imports(path: Path) -> set[str]:
    """The packages of ours that a file imports from, wherever in the file it does, and what
    it has imported at first use."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        names = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            within = [f"{node.module}.{alias.name}" for alias in node.names]
            names = [name for name in within if name in ALLOWED] or [node.module]
        elif isinstance(node, ast.Call) and ast.unparse(node.func) == "FirstUse":
            names = [each.value for each in node.args[:1] if isinstance(each, ast.Constant)]
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            names = [place[1]] if (place := PLACE.fullmatch(node.value)) else []
        found |= {package_of(name) for name in names if name.partition(".")[0] in TOP_LEVEL}
    return found


def imported(package: str) -> set[str]:
    """The other packages of ours that a package's own files import."""
    return set().union(*(our_imports(path) for path in members(package))) - {package}


def members(package: str) -> list[Path]:
    """The files of a package itself, without those of its sub-packages."""
    single = ROOT / f"{package}.py"
    found = [single] if single.exists() else (ROOT / package.replace(".", "/")).glob("*.py")
    return [path for path in found if path != LIST]


def test_every_package_has_its_row():
    """A new package is decided upon, not slipped in."""
    there = {
        str(path.parent.relative_to(ROOT)).replace("/", ".")
        for package in TOP_LEVEL
        for path in files(package)
        if path.parent != ROOT
    }
    assert there == ALLOWED.keys() - {"config"}


@pytest.mark.parametrize("package", ALLOWED)
def test_a_package_imports_what_its_row_allows(package):
    """Core ← models, sandbox, testcases ← review ← the other capabilities, none of which imports
    another; the core and the analysis of code know no capability."""
    for path in members(package):
        beyond = our_imports(path) - {package} - ALLOWED[package]
        assert not beyond, f"{path} imports {beyond}"


@pytest.mark.parametrize("package", ALLOWED)
def test_a_row_allows_nothing_that_no_file_imports(package):
    """Whoever adds the first import of a package decides so, but for what rows share."""
    row = ALLOWED[package]
    shared = set().union(*(each for each in (CORE, TESTCASES, SHARED) if each <= row))
    assert not row - shared - imported(package)


def test_the_module_of_a_route_is_seen_as_imported():
    """Though only its first request imports it, by a name in a table."""
    modules = {each.module for each in at_first_use() if each.module.startswith("server.")}
    assert modules and set(map(package_of, modules)) <= imported("server")


def test_no_packages_import_each_other_in_a_circle():
    """What is imported can be understood without what imports it."""
    graph = {package: imported(package) for package in ALLOWED}
    tuple(TopologicalSorter(graph).static_order())  # raises CycleError


def test_a_file_s_name_stands_once():
    """A name leads to one file; those that recur by convention are listed in CONTRIBUTING."""
    text = (ROOT / "CONTRIBUTING.md").read_text()
    listed = re.search(r"recur by convention: (.*?)\.\n", text, re.DOTALL)
    assert listed
    recurring = set(re.findall(r"`([\w/]+\.py)`", listed[1]))
    commands = ROOT / "server" / "commands"
    names = Counter(
        path.name
        for package in TOP_LEVEL
        for path in files(package)
        if path.parent != commands and path.name not in recurring
    )
    assert not [name for name, times in names.items() if times > 1]


def test_only_the_edge_knows_the_backends_libraries_and_imports_them_late():
    """litellm costs seconds: it is imported inside functions of pipeline/models alone."""
    edge = ROOT / "pipeline" / "models"
    for path in (path for package in TOP_LEVEL for path in files(package)):
        text = path.read_text()
        if not any(name in text for name in BACKEND_LIBRARIES):
            continue
        tree = ast.parse(text)
        if edge not in path.parents:
            assert not imports(tree) & BACKEND_LIBRARIES, path
        assert not at_import_time(tree) & BACKEND_LIBRARIES, path


def test_only_its_own_package_knows_the_model_context_protocol():
    """`mcp` is an extra, which takes a second to load."""
    home = ROOT / "server" / "mcp"
    for path in (path for package in TOP_LEVEL for path in files(package)):
        tree = ast.parse(path.read_text())
        if home not in path.parents:
            assert not imports(tree) & PROTOCOL_LIBRARIES, path


def test_only_config_reads_the_environment():
    """A setting has one door. (litellm's own switches are written, not read; what stands in a
    `sandbox_scripts` or `workers` directory runs elsewhere, in an environment of its own.)"""
    readers = (path for package in TOP_LEVEL[1:] for path in files(package))
    for path in (
        path for path in readers if path.parent.name not in ("sandbox_scripts", "workers")
    ):
        source = path.read_text()
        if "environ" not in source and "getenv" not in source:
            continue
        for node in ast.walk(ast.parse(source)):
            text = ast.unparse(node) if isinstance(node, ast.Attribute | ast.Call) else ""
            assert not text.startswith("os.getenv"), path
            if text == "os.environ" and path.name != "litellm.py":
                pytest.fail(f"{path} touches os.environ")


def test_no_file_is_too_long():
    """One noun a file; 350 lines at the very most, but for the table of settings."""
    for package in TOP_LEVEL[1:]:
        for path in files(package):
            assert len(path.read_text().splitlines()) <= 350, path


def test_help_and_serve_import_nothing_heavy():
    """`laios --help` loads neither pydantic nor the pipeline; the daemon's assembly loads neither
    litellm nor the engine nor what fetches models."""
    code = "import sys; import server.commands.cli; print(*sys.modules)"
    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT
    ).stdout.split()
    assert not {"pydantic", "pipeline.run", "httpx", "starlette"} & set(loaded)
    code = "import sys; import server.daemon; print(*sys.modules)"
    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT
    ).stdout.split()
    libraries = {"huggingface_hub", "aiohttp", "httpx", "jinja2", "pygments"}
    assert not (BACKEND_LIBRARIES | PROTOCOL_LIBRARIES | libraries) & set(loaded)
    waiting = {each.module for each in at_first_use()} | {"dashboard.app", "laios.types.schema"}
    assert not waiting & set(loaded)


@pytest.mark.parametrize(
    ("path", "asked"),
    [
        ("/prompt", {"prompt": "x", "details": True}),
        ("/code", {"request_type": "generate", "language": "python", "instruction": "x"}),
        ("/query", {"query": "x"}),
        ("/judge", {"request": "x", "code": "x"}),
    ],
)
def test_a_command_reads_its_request_without_what_would_carry_it_out(path, asked):
    """A daemon that is there does: the command waits for no imports but its own."""
    code = "import sys; from server.terminal.request_client import _STARTS; "
    code += f"_STARTS[{path!r}]({asked!r}, ''); print(*sys.modules)"
    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT
    ).stdout.split()
    assert not {"pipeline.capabilities", "server.runtime.container", "starlette"} & set(loaded)


def at_first_use() -> list[FirstUse]:
    """Everything of ours whose import waits for its first call."""
    stages = [stage.call for place in PLACES for stage in place.stages]
    flows = [row.flow for row in (*MODES.values(), *OF_ROUTES.values())]
    calls = [*(route.endpoint for route in ROUTES), *flows, *stages]
    found = [getattr(call, "__self__", None) for call in calls]
    return [each for each in found if isinstance(each, FirstUse)]


def test_what_waits_for_its_first_call_can_be_called():
    """A wrong name or a module that breaks is seen here, not by whoever asks first."""
    deferred = at_first_use()
    assert {each.module.split(".")[0] for each in deferred} == {"pipeline", "server"}
    assert all(iscoroutinefunction(each.load()) for each in deferred)
