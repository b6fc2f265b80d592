"""Which tests run: those marked `only_when(path, …)` are left out while nothing changed there."""

import os
import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
DEPENDENCIES = ("pyproject.toml", "requirements")
_HELPER = re.compile(r"tests/(?!test_)\w+\.py")  # any of them may be a marked test's
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


def _marks(item: pytest.Item) -> list[tuple[str, ...]]:
    """The test's own paths first, then its file's."""
    return [mark.args for mark in item.iter_markers("only_when")]


def _unmet(item: pytest.Item, changed: list[str]) -> str:
    """A path of the first mark of which none changed; "" where all are met, or where the test's own
    file changed, or what tests stand on."""

    def has(*roots: str) -> bool:
        return any(path.startswith(roots) for path in changed)

    own = item.path.relative_to(ROOT).as_posix()
    if has(own, *DEPENDENCIES) or any(map(_HELPER.fullmatch, changed)):
        return ""
    return next((paths[0] for paths in _marks(item) if not has(*paths)), "")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line(
        "markers", "only_when(*paths): left out unless a path that begins so changed, or ALL=1"
    )


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """A file that is named on the command line is run in any case."""
    changed = None if os.environ.get("ALL") == "1" else changed_paths(ROOT)
    if changed is None:
        return
    here = config.invocation_params.dir
    named = {(here / arg.partition("::")[0]).resolve() for arg in config.args}
    unmet = {item: _unmet(item, changed) for item in items if item.path not in named}
    left_out = [item for item, path in unmet.items() if path]
    if left_out:
        items[:] = [item for item in items if not unmet.get(item)]
        config.hook.pytest_deselected(items=left_out)
        places = ", ".join(sorted({path for path in unmet.values() if path}))
        config.stash[_LEFT_OUT] = (
            f"{len(left_out)} tests left out, nothing changed in {places} (ALL=1 runs them)"
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
