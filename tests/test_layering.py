"""The layout's rules (DESIGN B1), read off the source."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
LAYERS = {
    "config": set(),
    "pipeline": {"config"},
    "history": {"config"},
    "documents": {"config"},
    "dashboard": {"config", "history"},
    "server": {"config", "pipeline", "history", "documents", "dashboard"},
}
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


@pytest.mark.parametrize("package", LAYERS)
def test_imports_point_one_way(package):
    """server → dashboard → history; server → pipeline; all may read config; nothing else."""
    for path in files(package):
        ours = imports(ast.parse(path.read_text())) & LAYERS.keys() - {package}
        assert ours <= LAYERS[package], f"{path} imports {ours - LAYERS[package]}"


def test_only_the_edge_knows_the_backends_libraries_and_imports_them_late():
    """litellm costs seconds: it is imported inside functions of pipeline/models alone."""
    edge = ROOT / "pipeline" / "models"
    for path in (path for package in LAYERS for path in files(package)):
        tree = ast.parse(path.read_text())
        if edge not in path.parents:
            assert not imports(tree) & BACKEND_LIBRARIES, path
        assert not at_import_time(tree) & BACKEND_LIBRARIES, path


def test_only_config_reads_the_environment():
    """A setting has one door. (litellm's own switches are written, not read; what stands in an
    `inside` directory runs in the sandbox, whose environment is empty but for its own words.)"""
    readers = (path for package in LAYERS.keys() - {"config"} for path in files(package))
    for path in (path for path in readers if path.parent.name != "inside"):
        for node in ast.walk(ast.parse(path.read_text())):
            text = ast.unparse(node) if isinstance(node, ast.Attribute | ast.Call) else ""
            assert not text.startswith("os.getenv"), path
            if text == "os.environ" and path.name != "litellm.py":
                pytest.fail(f"{path} touches os.environ")


def test_no_file_is_too_long():
    """One noun a file; 350 lines at the very most."""
    for package in LAYERS:
        for path in files(package):
            assert len(path.read_text().splitlines()) <= 350, path


def test_help_and_serve_import_nothing_heavy():
    """`laios --help` loads neither pydantic nor the pipeline; the daemon's assembly loads neither
    litellm nor the engine."""
    code = "import sys; import server.cli; print(*sys.modules)"
    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT
    ).stdout.split()
    assert not {"pydantic", "pipeline.run", "httpx", "starlette"} & set(loaded)
    code = "import sys; import server.daemon; print(*sys.modules)"
    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT
    ).stdout.split()
    assert not BACKEND_LIBRARIES & set(loaded)
