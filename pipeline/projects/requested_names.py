"""The functions and classes that a request says a file has: `matrix.py with add(a, b)`. Pure."""

import builtins
import re
from collections.abc import Iterator, Mapping

from pipeline.projects.fault import Fault
from pipeline.projects.manifest import Manifest
from pipeline.projects.python_module import PythonModule

_GIVEN = r"\([^()\n]{0,80}\)"
_CLASS = re.compile(rf"\b(?:data)?class ([A-Z]\w*(?:{_GIVEN})?)|(?<![\w.])([A-Z]\w*{_GIVEN})")
_CALL = re.compile(rf"(?<![\w.])([a-z_]\w*{_GIVEN})")
_LIST = re.compile(r"\bfunctions ([a-z_]\w*(?:(?:, and |, | and )[a-z_]\w*)+)")
_MOST = 12


def requested_names(words: str, paths: re.Pattern[str]) -> dict[str, tuple[str, ...]]:
    """By the file's name as the request has it: what is said of it ends where another is named.
    What follows a class belongs to that. With parameters, where the request has them."""
    found: dict[str, list[str]] = {}
    places = list(paths.finditer(words))
    ends = [*(place.start() for place in places[1:]), len(words)]
    for place, end in zip(places, ends, strict=False):
        said = words[place.end() : end]
        found.setdefault(place[0], []).extend(_names(said))
    return {path: tuple(dict.fromkeys(names))[:_MOST] for path, names in found.items()}


def _names(said: str) -> Iterator[str]:
    inside = _CLASS.search(said)
    outside = said[: inside.start()] if inside else said
    for listed in _LIST.findall(outside):
        yield from re.split(r", and |, | and ", listed)
    for call in _CALL.findall(outside):
        if not hasattr(builtins, call.partition("(")[0]):
            yield call
    for named in _CLASS.finditer(said):
        yield named[1] or named[2]


def unkept_names(plan: Manifest, modules: Mapping[str, PythonModule]) -> Iterator[Fault]:
    """Files in Python that lack what the request says they have, where no other has it either."""
    everywhere = {name for module in modules.values() for name in module.names}
    for file in plan.files:
        module = modules.get(file.path)
        for asked in file.requested if module and not module.open else ():
            name = asked.partition("(")[0]
            if name not in everywhere:
                detail = f"it does not define {name}, which the request asks for"
                yield Fault(file.path, "missing", detail)
