"""Runs in a user's Python: says where a package is, as JSON on stdout, and imports nothing of it.

`python -I find_package.py NAME`, where the name is that of a module (`rich`, `os.path`) or of a
distribution (`pillow`). `modules`: `{"name", "origin", "locations"}`; `readme`: the file that holds
the distribution's description, or "".
"""

from __future__ import annotations  # the Python may be an older one than ours

import importlib.machinery
import importlib.metadata
import importlib.util
import json
import re
import site
import sys
from pathlib import Path
from typing import Any


def main(name: str) -> None:
    if sys.prefix == sys.base_prefix and Path(site.getusersitepackages()).is_dir():
        site.addsitedir(site.getusersitepackages())  # which -I leaves out
    found = _distribution(name)
    names = [name]
    if found is not None and "." not in name:
        tops = _tops(found)
        if _normal(found.metadata["Name"] or "") == _normal(name):
            names = sorted(tops) if tops else names
    modules = [module for each in names for module in _modules(each)]
    told = {
        "modules": modules,
        "version": (found.version or "") if found is not None else "",
        "readme": _readme(found),
        "python": sys.version.split()[0],
    }
    json.dump(told, sys.stdout)


def _distribution(name: str) -> importlib.metadata.Distribution | None:
    """The distribution of this name, else the one that the module of this name came with."""
    try:
        return importlib.metadata.distribution(name)
    except (importlib.metadata.PackageNotFoundError, ValueError):
        pass
    top = name.partition(".")[0]
    for each in importlib.metadata.distributions():
        if top in _tops(each):
            return each
    return None


def _tops(found: importlib.metadata.Distribution) -> set[str]:
    """The public modules of a distribution."""
    text = found.read_text("top_level.txt")
    tops = set(text.split()) if text else set()
    for path in found.files or () if not tops else ():
        first = path.parts[0]
        if len(path.parts) > 1 and path.suffix == ".py":
            tops.add(first)
        elif len(path.parts) == 1 and path.suffix in (".py", ".so", ".pyd"):
            tops.add(first.partition(".")[0])
    return {top for top in tops if top.isidentifier() and not top.startswith("_")}


def _modules(name: str) -> list[dict[str, Any]]:
    top, *below = name.split(".")
    try:
        spec = importlib.util.find_spec(top)
    except (ImportError, ValueError):
        spec = None
    if spec is None:
        return []
    locations = [str(Path(path).absolute()) for path in spec.submodule_search_locations or ()]
    if not all(below):
        return []
    if not below:
        return [{"name": name, "origin": spec.origin or "", "locations": locations}]
    return _below(name, locations, below)


def _below(name: str, locations: list[str], below: list[str]) -> list[dict[str, Any]]:
    """A module in a package, found by its file, because finding it by its name would import."""
    for location in locations:
        path = Path(location, *below)
        if path.is_dir():
            return [{"name": name, "origin": "", "locations": [str(path)]}]
        for suffix in importlib.machinery.all_suffixes():
            file = path.with_name(path.name + suffix)
            if file.is_file():
                return [{"name": name, "origin": str(file), "locations": []}]
    return []


def _readme(found: importlib.metadata.Distribution | None) -> str:
    if found is None:
        return ""
    for path in found.files or ():
        if path.name == "METADATA" and path.parent.name.endswith(".dist-info"):
            return str(found.locate_file(path))
    return ""


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


if __name__ == "__main__":
    main(sys.argv[1])
