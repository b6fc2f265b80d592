"""Finding the source that a name or path stands for."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from config import expanded
from retrieval.sources.folder_tree import MAX_FILES, READABLE, is_text, walk
from retrieval.sources.package_modules import is_package, modules
from retrieval.sources.source import Kind, Package, Source, SourceError

_FINDER = Path(__file__).with_name("workers") / "find_package.py"
_FINDER_S = 20


def find_source(
    target: str, *, python: Path | None = None, name: str = "", imports: bool = False
) -> Source:
    """The installed package, package directory, folder or file that `target` names.

    A word is looked up among what `python` (an interpreter or a virtual environment; by default
    our own) has installed, as an import name or as a distribution's, and then in the current
    directory; whatever has a slash, or begins with a dot or `~`, is a path. With `imports`, which
    runs code, an installed package with compiled modules is to be imported by `python`; what lies
    at a path never is. SourceError says what was looked for where there is nothing.
    """
    if not target.strip() or "\0" in target:
        raise SourceError("Name a package (`numpy`) or a folder (`./docs`).")
    _require_utf8(name)
    interpreter = _interpreter(python)
    path = expanded(target)
    is_path = "/" in target or os.sep in target or target.startswith((".", "~"))
    if not is_path:
        found = _installed(target, interpreter, name, imports)
        if found is not None:
            return found
    if path.exists():
        if imports:
            raise SourceError(f"--import is for installed packages; {path.absolute()} is a path.")
        return _at(path.resolve(), interpreter, name)
    if is_path:
        raise SourceError(f"There is no file or folder {path.absolute()}.")
    raise SourceError(
        f"{interpreter} has no package {target!r}, and there is no folder of that name here. "
        f"Install it there, or name another interpreter or virtual environment with --python."
    )


def _interpreter(python: Path | None) -> Path:
    """Its path as it is: where it is a link, a virtual environment is known by it."""
    if python is None:
        return Path(sys.executable)
    path = expanded(str(python)).absolute()
    if path.is_dir():
        path = path / "bin" / "python"
    if not path.is_file() or not os.access(path, os.X_OK):
        raise SourceError(f"There is no Python interpreter {path}.")
    return path


def _installed(target: str, python: Path, name: str, imports: bool) -> Source | None:
    found = _asked(target, python)
    packages = tuple(package for each in found["modules"] for package in _packages(each))
    if not packages:
        return None
    readme = Path(found["readme"]) if found["readme"] else None
    version = found["version"] or found["python"]
    compiled = any(m.is_compiled for package in packages for m in modules(package))
    kind: Kind = "imported" if imports and compiled else "package"
    return Source(name or target, kind, target, python, version, packages, readme=readme)


def _require_utf8(text: str) -> None:
    """The index holds nothing else."""
    try:
        text.encode()
    except UnicodeEncodeError:
        raise SourceError(f"{text} is not UTF-8 text: give it another name.") from None


def _asked(target: str, python: Path) -> dict[str, Any]:
    """What the interpreter says of a name."""
    try:
        done = subprocess.run(
            [python, "-I", "-B", _FINDER, target],
            capture_output=True,
            timeout=_FINDER_S,
            env={},
            cwd="/",
            stdin=subprocess.DEVNULL,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise SourceError(f"{python} cannot be asked for {target!r}: {error}") from None
    try:
        found = json.loads(done.stdout)
        if isinstance(found, dict) and found.keys() >= {"modules", "version", "readme", "python"}:
            return found
    except ValueError:
        pass
    last = done.stderr.decode("utf-8", "replace").strip().splitlines()[-1:]
    raise SourceError(
        f"{python} cannot be asked for {target!r}: {' '.join(last) or 'no answer'}. "
        "It has to be Python 3.8 or later."
    )


def _packages(found: dict[str, Any]) -> list[Package]:
    name, origin = found["name"], Path(found["origin"])
    up = name.count(".") + 1
    places = [Path(place) for place in found["locations"]]
    if places:
        return [Package(name, place.parents[up - 1], place) for place in places if place.is_dir()]
    if origin.is_file():
        return [Package(name, origin.parents[up - 1], origin)]
    return [Package(name)] if found["origin"] in ("built-in", "frozen") else []


def _at(path: Path, python: Path, name: str) -> Source:
    """What lies at a path."""
    target = str(path)
    _require_utf8(target)
    if path.is_file():
        _require_text(path)
        return Source(name or path.stem, "folder", target, python, folder=path)
    if is_package(path):
        package = _package(path)
        return Source(name or package.name, "package", target, python, packages=(package,))
    tree = walk(path)
    if tree.is_cut:
        raise SourceError(f"{path} has over {MAX_FILES:,} files. Add those folders that matter.")
    if not tree.files and not tree.packages:
        raise SourceError(f"{path} holds no {_READ}, and no Python package.")
    packages = tuple(tree.packages)
    return Source(name or path.name, "folder", target, python, packages=packages, folder=path)


_READ = "Markdown, reStructuredText, HTML, Python or notebook file"
_BEGINNING = 65_536  # bytes of a file that tell whether it is a text


def _require_text(path: Path) -> None:
    if path.suffix.lower() not in READABLE:
        raise SourceError(f"{path} is no {_READ}. Name one, a folder of them, or a package.")
    try:
        with path.open("rb") as file:
            beginning = file.read(_BEGINNING)
    except OSError as error:
        raise SourceError(f"{path} cannot be read: {error.strerror}.") from None
    if not is_text(beginning):
        raise SourceError(
            f"{path} is no text in UTF-8, whatever its name says. Save it as one, or name another."
        )


def _package(path: Path) -> Package:
    """The package in a directory: `a.b` where the directory above is a package too."""
    root, name = path.parent, path.name
    while is_package(root):
        root, name = root.parent, f"{root.name}.{name}"
    return Package(name, root, path, installed=False)
