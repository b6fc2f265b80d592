"""The files and packages below a folder."""

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path, PurePath

from retrieval.sources.package_modules import is_package
from retrieval.sources.source import Package

MAX_FILES = 100_000
MAX_DEPTH = 40  # of directories

MARKDOWN = frozenset({".md", ".markdown", ".mdx"})
REST = frozenset({".rst", ".rest"})
HTML = frozenset({".html", ".htm", ".xhtml"})
SCRIPTS = frozenset({".py", ".ipynb"})
READABLE = MARKDOWN | REST | HTML | SCRIPTS | {".txt"}

_LEFT_OUT = frozenset({"__pycache__", "node_modules", "site-packages"})
_NO_TEXT = frozenset({"requirements", "cmakelists", "license", "licence", "robots"})


def is_text(data: bytes) -> bool:
    """Whether it is UTF-8, characters of another encoding here and there aside. Programs, pictures
    and packed files have zeros, no text has."""
    text = data.decode("utf-8", "replace")
    return "\0" not in text and 4 * text.count("\ufffd") <= len(text)


@dataclass(slots=True)
class Tree:
    """`files` are relative to the folder and in their order; `is_cut`: there are more of them."""

    files: list[str] = field(default_factory=list)
    packages: list[Package] = field(default_factory=list)
    is_cut: bool = False


def walk(folder: Path) -> Tree:
    """The files below a folder that can be read, and the packages, whose files are their own.
    Hidden ones, virtual environments and links (they may lead in circles, or out of the folder)
    are left out."""
    tree = Tree()
    seen = 0
    for directory, depth, names in _directories(folder):
        if depth and is_package(directory):
            tree.packages.append(
                Package(directory.name, directory.parent, directory, installed=False)
            )
            continue
        sphinx = "conf.py" in names or any(name.endswith(tuple(REST)) for name in names)
        for name in names:
            seen += 1
            if seen > MAX_FILES:
                tree.is_cut = True
                return tree
            if _is_wanted(name, sphinx):
                tree.files.append((directory / name).relative_to(folder).as_posix())
    tree.files.sort()
    return tree


def _directories(folder: Path) -> Iterator[tuple[Path, int, list[str]]]:
    """Each directory with its depth and the names of its files; nothing below a package."""
    waiting = [(folder, 0)]
    while waiting:
        directory, depth = waiting.pop()
        try:
            entries = sorted(os.scandir(directory), key=lambda entry: entry.name)
            files = [entry.name for entry in entries if entry.is_file(follow_symlinks=False)]
            below = [entry.name for entry in entries if entry.is_dir(follow_symlinks=False)]
        except OSError:
            continue
        if "pyvenv.cfg" in files:
            continue
        yield directory, depth, files
        if depth < MAX_DEPTH and not (depth and is_package(directory)):
            wanted = [name for name in below if name[0] != "." and name not in _LEFT_OUT]
            waiting += [
                (directory / name, depth + 1) for name in reversed(wanted) if name.isprintable()
            ]


def _is_wanted(name: str, sphinx: bool) -> bool:
    stem, suffix = PurePath(name).stem, PurePath(name).suffix.lower()
    if suffix == ".txt":
        return sphinx and stem.lower() not in _NO_TEXT
    return (
        suffix in READABLE
        and not name.startswith(".")
        and name not in ("conf.py", "setup.py")
        and name.isprintable()  # which the halves of a name that is no UTF-8 are not
    )
