"""What of a Mac's disk an interpreter needs, with every link on the way resolved: Seatbelt looks
at the real paths of files, and at each link that is followed to them."""

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from pipeline.sandbox.seatbelt import VisiblePaths
from pipeline.sandbox.toolchain import Toolchain, shown_tree

# Prefixes of many programs, where their data is as well (var, etc).
_SHARED = (Path("/"), Path("/usr"), Path("/usr/local"), Path("/opt/local"))


def visible_paths(tools: Toolchain, own: Toolchain, directory: Path) -> VisiblePaths:
    """For a program of `tools` in a directory, started by Python, which is `own`. Raises
    SandboxUnavailable where the user's own files would be shown with it."""
    named = {tree for each in (tools, own) for tree in _trees(each)}
    executables = [each.executable for each in (tools, own)]
    theirs = [tree.resolve() for tree in tools.trees]
    hidden = {path.resolve() for path in (*tools.hidden, *own.hidden)}
    if not tools.hidden:  # its own packages, where they are not
        hidden = {path for path in hidden if not any(map(path.is_relative_to, theirs))}
    return VisiblePaths(
        trees=frozenset(tree.resolve() for tree in named),
        files=frozenset(path.resolve() for path in executables),
        hidden=frozenset(hidden),
        passed=frozenset(_passed([*named, *executables, directory])),
    )


def _trees(tools: Toolchain) -> Iterator[Path]:
    yield from (tree for tree in tools.trees if not _is_shared(tree))
    real = tools.executable.resolve()
    prefix = real.parent.parent
    if real.parent.name == "bin" and not _is_shared(prefix):
        yield shown_tree(prefix)
    for parent in real.parents:
        if parent.name == "Cellar":  # Homebrew's: libraries are found by way of opt and lib
            yield from (parent, parent.with_name("opt"), parent.with_name("lib"))


def _is_shared(prefix: Path) -> bool:
    return prefix in _SHARED or (prefix / "Cellar").is_dir()


def _passed(paths: Iterable[Path]) -> set[Path]:
    """Every directory and link on the way to these paths, and to where the links lead."""
    found: set[Path] = set()
    ahead = list(paths)
    while ahead:
        path = ahead.pop()
        for step in {path, *path.parents} - found:
            found.add(step)
            if step.is_symlink():
                # normpath, because what comes after the link's own directory may be links again
                ahead.append(Path(os.path.normpath(step.parent.resolve() / step.readlink())))
    return found
