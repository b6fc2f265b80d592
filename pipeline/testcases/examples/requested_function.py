"""The callable that a prompt asks for."""

import re
from collections import Counter
from dataclasses import dataclass
from itertools import islice, takewhile
from textwrap import dedent

from pipeline.testcases.examples.stated_examples import TO_BE_WRITTEN
from pipeline.testcases.literals import BUILTINS, calls_of, matching

_DEFINED = re.compile(r"(?<![\w.])def\s+([A-Za-z_]\w*)\s*(?=\()")
_NAME = r"[`'\"*]{0,2}([A-Za-z_]\w*)"
_KIND = r"(?i:function|method|routine|callable|decorator|generator|coroutine|context manager)"
_SPOKEN = (
    re.compile(rf"\b{_KIND}\s+(?:(?:which|that)\s+(?:is|should be)\s+)?(?:called|named)\s+{_NAME}"),
    re.compile(rf"\b(?:[Cc]all|[Nn]ame)\s+(?:it|the\s+{_KIND}|this\s+{_KIND})\s+{_NAME}"),
    re.compile(rf"\b{_KIND}(?:'s\s+name\s+(?:is|should be|must be))\s+{_NAME}"),
    re.compile(
        rf"\b(?:{_KIND}(?:\s+is)?|[Ii]mplement|[Ww]rite|[Dd]efine|[Cc]reate)\s+{_NAME}(?=\s?\()"
    ),
    re.compile(rf"\b{_KIND}\s+[`'\"*]{{1,2}}([A-Za-z_]\w*)(?=[`'\"*])"),
    re.compile(r"\b(?:[Cc]alled|[Nn]amed)\s+[`'\"*]{1,2}([A-Za-z_]\w*)(?=[`'\"*])"),
    re.compile(rf"\b(?i:version|variant)\s+(?:called|named)\s+{_NAME}"),
    # No other word has an underline in it.
    re.compile(
        r"(?:\A(?:an?\s+)?(?:[Pp]ython\s+)?|\b(?i:write|create|implement|build|define)\s+(?:me\s+)?"
        r"(?:an?\s+|the\s+)?(?:[\w-]+\s+){0,2}?|\b(?i:make|need|want|give me)\s+an?\s+"
        rf"(?:[\w-]+\s+){{0,2}}?){_KIND}\s+([a-z]\w*_\w+)\b"
    ),
)
# Also in a session, whose marks stand before each line.
_DECORATED = re.compile(
    r"^(?P<lead>>>> |)@(?P<by>[A-Za-z_]\w{0,60})\b[^\n]{0,200}\n"
    r"(?:(?:\.\.\. )?[ \t]{0,8}@[^\n]{1,200}\n){0,4}(?:\.\.\. |(?P=lead))"
    r"(?:async[ ]{1,4})?(?:def|class)[ ]{1,4}(?P<name>[A-Za-z_]\w{0,60})[^\n]{0,200}"
    r"(?:\n{1,3}(?:\.\.\. |(?P=lead))[ \t]{1,40}[^\n]{1,200}){0,40}",
    re.MULTILINE,
)
_NO_BODY = re.compile(r":\s*(?:\"\"\"[^\"]*\"\"\"\s*)?(?:\.\.\.|pass|)\s*\Z")
# Of Python's own; who asks for one of these does not name it `@lru_cache`.
_OF_LIBRARY = {
    "cache", "cached_property", "classmethod", "contextmanager", "dataclass", "lru_cache",
    "overload", "override", "property", "singledispatch", "staticmethod", "total_ordering", "wraps",
}  # fmt: skip
_KNOWN = r"^[ \t>.]{{0,8}}(?:(?:def|class)[ ]{{1,4}}{0}\b|(?:from|import)\b[^\n]{{0,200}}\b{0}\b)"
_MARKS = re.compile(r"^(?:>>> |\.\.\. )", re.MULTILINE)
# It wants something besides the definitions that it shows.
_WANTS_ANOTHER = re.compile(
    r"\b(?:write|create|implement|make|build|add|need|want|give me)\s+(?:me\s+)?"
    r"(?:(?:an?|another|the)\s+(?:[\w-]+\s+){0,3}?|(?=class\b))(?:class|context manager"
    r"|decorator|function|generator|helper|method|registry|script|program|subclass|version|wrapper)\b",
    re.IGNORECASE,
)
_DOCSTRING = re.compile(r"(\"\"\"|\'\'\').*?\1", re.DOTALL)
_RESULT = re.compile(r"\s*(?:return|raise|yield)\b|\s*[\w.]+\s*(?:=|\()")
# Beyond doubt: calls of anything else explain it ("log(100) is 2, write my_log(x)").
_ASKED_FOR = re.compile(
    r"(?:^|[.,;:!?]\s+|\bplease\s+)(?:[Ii]mplement|[Ww]rite|[Dd]efine|[Cc]reate)\s+"
    r"(?:me\s+)?(?:an?\s+)?(?:[Pp]ython\s+)?(?:function\s+)?[`*]{0,2}([A-Za-z_]\w*)(?=\()",
    re.MULTILINE,
)
_NO_NAMES = BUILTINS | {"as", "it", "that", "which", "by", "the", "a", "an", "with"}
# "Write Python (pandas) code".
_LANGUAGES = {"bash", "javascript", "numpy", "pandas", "python", "sql", "typescript"}
_LONGEST_SIGNATURE = 300
_MOST_DECORATED = 10
_PARAMETER = re.compile(r"\s*([A-Za-z_]\w*)\s*(?:[:=]|$)")


@dataclass(frozen=True, slots=True)
class NamedCallable:
    """`name` is "" where the prompt names none; `signature` is `add(a, b)`, or ""."""

    name: str = ""
    signature: str = ""
    parameters: tuple[str, ...] = ()


def named_callable(text: str, called: Counter[str]) -> NamedCallable:
    """The callable that is asked for: one that the text defines or names, else the one that its
    examples call most often. `called`: how often the examples call which."""
    shown = decorated(text)
    names = [name for name in _defined(text) if name not in shown] or _spoken(text)
    in_use = [name for name in names if called[name]]
    most = [name for name, _ in called.most_common() if name and name not in shown]
    told = [*filter(_is_name, _ASKED_FOR.findall(text))]
    if told and not in_use:
        return _with_signature(text, told[-1])
    chosen = (in_use or most or names or [""])[-1 if names and not most else 0]
    return _with_signature(text, chosen) if chosen else NamedCallable()


def decorated(text: str) -> dict[str, str]:
    """What the text shows below a decorator that it asks for, by its name: it speaks of it, too,
    and neither defines nor imports it."""
    found = [*islice(_DECORATED.finditer(text), _MOST_DECORATED)]
    used = Counter(each["by"] for each in found)
    asked = {
        by
        for by, times in used.items()
        if by not in _OF_LIBRARY
        and len(re.findall(rf"\b{by}\b", text)) > times
        and not re.search(_KNOWN.format(by), text, re.MULTILINE)
    }
    shown = {each["name"]: dedent(_MARKS.sub("", each[0])) for each in found if each["by"] in asked}
    return {n: code for n, code in shown.items() if "class " in code or not _NO_BODY.search(code)}


def _defined(text: str) -> list[str]:
    """Helpers come first in most texts, what is asked for last; tests are given, and so is what
    does something or is decorated already where another one is wanted."""
    found = [each for each in _DEFINED.finditer(text) if not each[1].startswith(("__", "test_"))]
    if _WANTS_ANOTHER.search(text):
        found = [each for each in found if not _does_something(text, each)]
    return [each[1] for each in found]


def _does_something(text: str, head: re.Match[str]) -> bool:
    """Whether a definition has a decorator or a body: more than a docstring, a comment, `pass`."""
    above = text[: head.start()].rstrip(" \t").removesuffix("async").rstrip()
    if above[above.rfind("\n") + 1 :].lstrip().startswith("@"):
        return True
    stop = matching(text, head.end(), _LONGEST_SIGNATURE) or head.end()
    line, _, below = text[stop:].partition("\n")
    if _RESULT.match(line.partition(":")[2]):
        return True
    indent = _indent(text[text.rfind("\n", 0, head.start()) + 1 : head.start()])
    own = takewhile(lambda each: not each.strip() or _indent(each) > indent, below.split("\n"))
    body = _DOCSTRING.sub("", "\n".join(own))
    return not all(map(TO_BE_WRITTEN.match, body.split("\n")))


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _spoken(text: str) -> list[str]:
    return [name for form in _SPOKEN for name in form.findall(text) if _is_name(name)]


def _is_name(word: str) -> bool:
    return word not in _NO_NAMES and word.lower() not in _LANGUAGES


def _with_signature(text: str, name: str) -> NamedCallable:
    for found in calls_of(name, text):
        end = matching(text, found.end() - 1, _LONGEST_SIGNATURE)
        inside = text[found.end() : end - 1] if end else ""
        parameters = _parameters(inside)
        if parameters:
            names = tuple(each for each in parameters if each not in ("self", "cls"))
            return NamedCallable(name, " ".join(f"{name}({inside})".split()), names)
    return NamedCallable(name)


def _parameters(inside: str) -> tuple[str, ...]:
    """The names in a list of parameters, or () if it is a list of values."""
    names: list[str] = []
    for part in split_at_commas(inside):
        found = _PARAMETER.match(part.strip())
        if not found or found[1] in ("True", "False", "None"):
            return ()
        names.append(found[1])
    return tuple(names)


def split_at_commas(inside: str) -> list[str]:
    """The parts of a text between the commas that stand in no bracket."""
    parts, depth, start = [], 0, 0
    for n, mark in enumerate(inside):
        depth += (mark in "([{") - (mark in ")]}")
        if mark == "," and not depth:
            parts.append(inside[start:n])
            start = n + 1
    return [part for part in [*parts, inside[start:]] if part.strip()]
