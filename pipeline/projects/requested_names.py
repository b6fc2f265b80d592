"""The functions and classes that a request says a file has: `matrix.py with add(a, b)`. Pure."""

import re
from collections.abc import Iterator, Mapping

from pipeline.projects.fault import Fault
from pipeline.projects.manifest import Manifest
from pipeline.projects.python_module import PythonModule

_GIVEN = r"\((?:[A-Za-z_*][^()\n]{0,80})?\)"
_CALL = rf"[A-Za-z_]\w*{_GIVEN}"
_AND = r"(?:, and |, | and )"
# Right behind the file's name; what comes after such a list is about something else.
_HAS = r"\s?(?:,? (?:with|has|having|contains|defines|offers|provides)|:) "
_CALLS = re.compile(rf"{_HAS}(?:the )?(?:functions? )?({_CALL}(?:{_AND}{_CALL})*)")
_LISTED = re.compile(rf"{_HAS}the functions ([a-z_]\w*(?:{_AND}[a-z_]\w*)+)")
_CLASS = re.compile(rf"{_HAS}(?:an? |the )?(?:data)?class ([A-Z]\w*(?:{_GIVEN})?)")
_ONE = re.compile(rf"[A-Za-z_]\w*(?:{_GIVEN})?")
_MOST = 12


def requested_names(words: str, paths: re.Pattern[str]) -> dict[str, tuple[str, ...]]:
    """By the file's name as the request has it, with parameters where it has them. What a class
    has is not among them, nor anything that is said later of the file."""
    found: dict[str, list[str]] = {}
    for place in paths.finditer(words):
        found.setdefault(place[0], []).extend(_names(words, place.end()))
    return {path: tuple(dict.fromkeys(names))[:_MOST] for path, names in found.items()}


def _names(words: str, start: int) -> Iterator[str]:
    for form in (_CLASS, _CALLS, _LISTED):
        listed = form.match(words, start)
        if listed:
            yield from (name for name in _ONE.findall(listed[1]) if name != "and")
            return


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
