"""Methods that a request names (`__add__`, "class Stack with push(item)") and a class in Python
lacks. Pure."""

import ast
import builtins
import re
from collections.abc import Iterator

from pipeline.analysis.python_syntax import parse
from pipeline.analysis.undefined_names import names_of, words_in

_COMPARISONS = {"__eq__", "__lt__", "__le__", "__gt__", "__ge__"}
_NAMED = re.compile(
    r"(?<!\w)__(?:eq|[lg][te]|add|sub|mul|truediv|floordiv|mod|neg|abs|bool|repr|str|len|hash|iter"
    r"|contains|[gs]etitem|delitem|call|enter|exit)__(?!\w)"
)
_CLASS = re.compile(
    r"\b[Cc]lass[ \t]{1,4}(?:(?:called|named)[ \t]{1,4})?[`'\"*]{0,3}[A-Z]\w*[`'\"*]{0,3}"
    r"(?:\([^()\n]{0,80}\))?[`'\"*]{0,3}[^.;\n]{0,40}?"
    r"\b(?:with|has|have|having|methods?|supports?|provides?|offers?)\b"
)
_METHOD = re.compile(r"(?<![\w.@])([a-z_][a-z\d_]*)\((?:[A-Za-z_*][^()\n]{0,80})?\)")
_END = re.compile(r"[.;](?:\s|$)|\n\s*\n")
_LONGEST = 400  # characters of what is said of a class
_BUILTINS = frozenset(dir(builtins))
# What need not be there: "without __eq__", "such as __lt__", "__lt__ or __gt__", a traceback's.
_OPENS = re.compile(
    r"\b(?:not|no|never|without|instead|than|or|either|like|such as|optional(?:ly)?|if|line \d+, in"
    r"|remov\w{1,5}|replac\w{1,5}|drop\w{0,5}|delet\w{1,5}|tests? (?:for|of))\b|n't\b|[?/]",
    re.IGNORECASE,
)
_BEFORE, _BEHIND = 25, 12  # characters
_IN_ITS_PLACE = {"__str__": "__repr__", "__iter__": "__getitem__", "__contains__": "__iter__"}
_BY_DATA_CLASS = {"__eq__", "__repr__", "__str__", "__hash__"}
_MOST_READ = 20_000  # characters of a request


def lacking_methods(request: str, code: str) -> list[str]:
    """Those that the request wants and nothing in the code has, in the request's order; [] where
    there is no class, and where one is made of another that may have them."""
    tree = parse(code)
    found = [each for each in ast.walk(tree) if isinstance(each, ast.ClassDef)] if tree else []
    if not found or any(_may_inherit(each) for each in found):
        return []
    made = words_in(code) | {name for each in found for name in _decorated(each)}
    request = request[:_MOST_READ]
    named = _NAMED.finditer(request)
    wanted = dict.fromkeys(each[0] for each in named if not _is_open(request, each))
    special = [name for name in wanted if not {name, _IN_ITS_PLACE.get(name)} & made]
    spelt = {_folded(name) for name in made}
    return [*special, *(name for name in _methods(request) if _folded(name) not in spelt)]


def _methods(request: str) -> Iterator[str]:
    """What it says that a class has, in the sentence that names the class."""
    for said in _CLASS.finditer(request):
        end = _END.search(request, said.end(), said.end() + _LONGEST)
        stop = end.start() if end else said.end() + _LONGEST
        named = _METHOD.finditer(request, said.end(), stop)
        yield from dict.fromkeys(
            each[1] for each in named if each[1] not in _BUILTINS and not _is_open(request, each)
        )


def _folded(name: str) -> str:
    """However its words are put together: `to_list`, `toList`."""
    return name.replace("_", "").lower()


def _is_open(request: str, named: re.Match[str]) -> bool:
    near = request[max(0, named.start() - _BEFORE) : named.end() + _BEHIND]
    return _OPENS.search(near) is not None


def _may_inherit(found: ast.ClassDef) -> bool:
    """What its other classes have is not known, but for those that have nothing. Tests use what
    another class has."""
    return found.name.startswith("Test") or any(
        not names_of(each) <= {"object", "abc", "ABC"} for each in found.bases
    )


def _decorated(found: ast.ClassDef) -> set[str]:
    """What its decorators add."""
    said = {name for each in found.decorator_list for name in names_of(each)}
    given = {
        each.arg
        for decorator in found.decorator_list
        for each in ast.walk(decorator)
        if isinstance(each, ast.keyword)
    }
    if "dataclass" in said:
        return _BY_DATA_CLASS | (_COMPARISONS if "order" in given else set())
    return _COMPARISONS if said else set()
