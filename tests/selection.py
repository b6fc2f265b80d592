"""Which tests run: those marked `only_when(path, …)` are left out while nothing changed there."""

import ast
import os
import re
import subprocess
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
DEPENDENCIES = ("pyproject.toml", "requirements", "config.py")
_HELPER = re.compile(r"tests/(?!test_)\w+\.py")  # any of them may be a marked test's
_CHANGED = pytest.StashKey[list[str] | None]()
_FILES = pytest.StashKey[dict[Path, str]]()  # that are left out, with a path that did not change
_LEFT_OUT = pytest.StashKey[str]()


def examples(all_of_them: int) -> int:
    """How many examples a property is tried on: with ALL=1 as many as it deserves, else a third."""
    return all_of_them if os.environ.get("ALL") == "1" else all_of_them // 3


def _git(root: Path, *words: str) -> str:
    done = subprocess.run(["git", *words], cwd=root, capture_output=True, text=True, check=True)
    return done.stdout


def _base(root: Path) -> str:
    """Where the branch left its upstream; without one, the commit before."""
    try:
        upstream = _git(root, "rev-parse", "--verify", "@{upstream}").strip()
    except subprocess.CalledProcessError:
        return "HEAD~1"
    return _git(root, "merge-base", "HEAD", upstream).strip()


def changed_paths(root: Path) -> list[str] | None:
    """What differs from the base, with uncommitted and new files; None where git cannot say: no
    repository of its own, a shallow clone, a first commit."""
    try:
        top, shallow = _git(
            root, "rev-parse", "--show-toplevel", "--is-shallow-repository"
        ).splitlines()
        if Path(top) != root.resolve() or shallow == "true":
            return None
        changed = _git(root, "diff", "--name-only", "--no-renames", "-z", _base(root))
        changed += _git(root, "ls-files", "--others", "--exclude-standard", "-z")
    except (OSError, subprocess.CalledProcessError):
        return None
    return changed.split("\0")[:-1]


def _left_out_by(
    path: Path, marks: Iterable[tuple[str, ...]], changed: Sequence[str]
) -> str | None:
    """A path of the first mark of which none changed; None where all are met, or where the test's
    own file changed, one that it imports, or what tests stand on."""

    def has(*roots: str) -> bool:
        return any(path.startswith(roots) for path in changed)

    if has(*_own_files(path), *DEPENDENCIES) or any(map(_HELPER.fullmatch, changed)):
        return None
    return next((paths[0] for paths in marks if not has(*paths)), None)


def _marks(item: pytest.Item) -> list[tuple[str, ...]]:
    """The test's own paths first, then its file's."""
    return [mark.args for mark in item.iter_markers("only_when")]


@cache
def _own_files(path: Path) -> tuple[str, ...]:
    """The file and the other files of tests that it imports."""
    imported = re.findall(r"^(?:from|import) (?:tests\.)?(test_\w+)", path.read_text("utf-8"), re.M)
    return path.relative_to(ROOT).as_posix(), *(f"tests/{name}.py" for name in imported)


def marks_of_file(text: str) -> list[tuple[str, ...]]:
    """The paths of each `only_when` of the file's `pytestmark`, as its text has them: what the file
    imports may take longer than its tests. Most have none: no worker need parse them."""
    if "pytestmark" not in text or "only_when" not in text:
        return []
    given = [
        node.value
        for node in ast.parse(text).body
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "pytestmark"
    ]
    calls = (node for value in given for node in ast.walk(value) if isinstance(node, ast.Call))
    marks = [call.args for call in calls if ast.unparse(call.func) == "pytest.mark.only_when"]
    return [tuple(map(ast.literal_eval, each)) for each in marks]


def _changed(config: pytest.Config) -> list[str] | None:
    """What changed, where anything is to be left out."""
    if _CHANGED not in config.stash:
        everything = os.environ.get("ALL") == "1"
        config.stash[_CHANGED] = None if everything else changed_paths(ROOT)
    return config.stash[_CHANGED]


def _is_named(path: Path, config: pytest.Config) -> bool:
    """A file that is named on the command line is run in any case."""
    here = config.invocation_params.dir
    return any((here / arg.partition("::")[0]).resolve() == path for arg in config.args)


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """A file that is left out as a whole is not imported."""
    changed = _changed(config)
    is_test = collection_path.name.startswith("test_") and collection_path.suffix == ".py"
    is_ours = is_test and ROOT in collection_path.parents
    if changed is None or not is_ours or _is_named(collection_path, config):
        return None
    try:
        marks = marks_of_file(collection_path.read_text("utf-8"))
    except (SyntaxError, ValueError):
        return None  # its import, or its marks, will say what is wrong
    place = _left_out_by(collection_path, marks, changed)
    if place is None:
        return None
    config.stash.setdefault(_FILES, {})[collection_path] = place
    return True


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line(
        "markers", "only_when(*paths): left out unless a path that begins so changed, or ALL=1"
    )


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    changed = _changed(config)
    if changed is None:
        return
    left_out: dict[pytest.Item, str] = {}
    for item in items:
        place = _left_out_by(item.path, _marks(item), changed)
        if place is not None and not _is_named(item.path, config):
            left_out[item] = place
    if left_out:
        items[:] = [item for item in items if item not in left_out]
        config.hook.pytest_deselected(items=list(left_out))
    files = config.stash.get(_FILES, {})
    if left_out or files:
        places = ", ".join(sorted({*left_out.values(), *files.values()}))
        config.stash[_LEFT_OUT] = (
            f"{len(files)} files and {len(left_out)} tests left out, nothing changed in {places} "
            "(ALL=1 runs them)"
        )


def pytest_sessionfinish(session: pytest.Session) -> None:
    """A worker of pytest-xdist hands its line on: the controller collects no tests."""
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["left_out"] = session.config.stash.get(_LEFT_OUT, "")


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: object) -> None:
    node.config.stash[_LEFT_OUT] = getattr(node, "workeroutput", {}).get("left_out", "")  # type: ignore[attr-defined]


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    if line := config.stash.get(_LEFT_OUT, ""):
        terminalreporter.write_line(line)
