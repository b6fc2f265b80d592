"""Values that a request names ("with width = 4 and text = 'ab'"), as a function takes them. The
names are the request's, and need not be the code's. Pure."""

import ast
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from pipeline.sandbox.testcase import Arguments, Case
from pipeline.testcases.entry_point import function_of
from pipeline.testcases.examples.requested_function import split_at_commas

_SCRIPTS = ("python", "javascript", "typescript")
_HEAD = (
    r"^[^\S\n]{{0,40}}(?:[\w$][\w$<>\[\],&:.?*]{{0,60}}\s{{1,9}}){{0,6}}[*&]?{0}\s{{0,9}}"
    r"(?::[^=\n]{{0,200}})?(?:=\s{{0,9}}(?:async\b\s{{0,9}})?(?:function\b[^(\n]{{0,60}})?)?"
    r"(?:<[^()\n]{{0,200}}>)?\s?\(([^(){{}}]{{0,300}})\)(?=[^;{{}}]{{0,200}}?(?:\{{|=>))"
)
_TEXT = re.compile(r"'[^'\n]{0,60}'|\"[^\"\n]{0,60}\"")
_OF_METHOD = ("self", "cls", "&self", "&mut self", "/")
_OPEN = ("*", "...")  # takes any number, or by its name alone


@dataclass(frozen=True, slots=True)
class _Parameter:
    """`words`: its name and what is said of its type."""

    words: tuple[str, ...]
    is_needed: bool

    def is_called(self, name: str) -> bool:
        return _plain(name) in map(_plain, self.words)


Parameters = Sequence[_Parameter]


def by_place(cases: Iterable[Case]) -> Iterator[Case]:
    """With their named values in the order of the first example that has the same names."""
    first: dict[frozenset[str], tuple[str, ...]] = {}
    for case in cases:
        given = case.arguments
        values = dict(given.kwargs) if given.labelled else {}
        if values:
            names = first.setdefault(frozenset(values), tuple(values))
            labels = (*("" for _ in given.args), *names)
            given = Arguments((*given.args, *map(values.__getitem__, names)), labels=labels)
        yield replace(case, arguments=given)


def parameters_in(inside: str) -> Parameters:
    """Those of a list as it stands between parentheses."""
    parts = [part.strip() for part in split_at_commas(_TEXT.sub("''", inside))]
    return [
        _Parameter((), is_needed=False)
        if part.startswith(_OPEN)
        else _Parameter(
            tuple(re.findall(r"\w+", part.partition("=")[0])), not re.search("[=?]", part)
        )
        for part in parts
        if part not in _OF_METHOD
    ]


def placed(
    cases: Iterable[Case], parameters: Parameters, *, by_name: bool = False
) -> Iterator[Case]:
    """Those that name parameters alone, by their places. What a call needs and an example does not
    name is as in the one before it ("arr = [1] and target = 1; with target = 4"); without it there
    is no example. All others as they are."""
    before: dict[int, Any] = {}
    for case in cases:
        places = _places(case, parameters)
        given = {
            at: v for at, v in zip(places, case.arguments.args, strict=False) if at is not None
        }
        if not given or len(given) < len(case.arguments.args):
            before = {}
            yield case
            continue
        lacking = {n for n, each in enumerate(parameters) if each.is_needed} - given.keys()
        left = before.keys() - given.keys()
        if lacking and lacking != left:
            continue
        before = given = given | {n: before[n] for n in lacking}
        if sorted(given) == [*range(len(given))]:
            arguments = Arguments(tuple(given[n] for n in sorted(given)))
        elif by_name:
            arguments = Arguments((), tuple((parameters[n].words[0], v) for n, v in given.items()))
        else:
            arguments = case.arguments
        yield replace(case, arguments=arguments)


def _places(case: Case, parameters: Parameters) -> list[int | None]:
    return [
        next((n for n, each in enumerate(parameters) if each.is_called(label)), None)
        for label in case.arguments.labels
    ]


def _plain(name: str) -> str:
    return name.replace("_", "").lower()


def hangs_on_draft(case: Case, cases: Iterable[Case], parameters: Sequence[str]) -> bool:
    """Whether it names parameters and could not be placed, or another one names strictly more."""
    own = set(case.arguments.labels)
    more = (own < set(each.arguments.labels) for each in cases)
    return bool(own) and (own <= set(parameters) or any(more))


def taken_by_draft(cases: Sequence[Case], code: str, language: str, name: str) -> Iterator[Case]:
    """As the function in the code takes them: by its names, and in the order in which they are
    written where it has none of these; labelled still, as that need not be its order. Not where it
    takes another number of them."""
    is_script = language in _SCRIPTS
    parameters = _of_function(code, language, name)
    if not is_script:  # it takes more than plain values
        labels = [label for case in cases for label in case.arguments.labels]
        parameters = [p for p in parameters or () if any(map(p.is_called, labels))]
    known = parameters or ()
    least = sum(each.is_needed for each in known)
    for case in placed(cases, known, by_name=language == "python"):
        given, places = case.arguments, _places(case, known)
        if parameters is None and len(places) > 1:
            continue
        is_in_order = all(at in (None, n) for n, at in enumerate(places))
        fits = not is_script or parameters is None or least <= len(given.args) <= len(known)
        if not places or (is_in_order and fits):
            is_certain = len(places) < 2 or any(at is not None for at in places)
            yield replace(case, arguments=replace(given, labels=())) if is_certain else case


def _of_function(code: str, language: str, name: str) -> Parameters | None:
    """None where its head is not known."""
    if language == "python":
        function = function_of(code, name)
        return parameters_in(ast.unparse(function.args)) if function else None
    head = re.search(_HEAD.format(re.escape(name)), code, re.MULTILINE) if name else None
    return parameters_in(head[1]) if head else None
