"""Which of a request's examples a draft can be asked: what they call has to be there. Pure."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from pipeline.analysis.draft import Draft
from pipeline.analysis.undefined_names import undefined_names
from pipeline.sandbox import Arguments, Case, compiler_of
from pipeline.sandbox.shown_table import ShownTable
from pipeline.testcases.entry_point import (
    defined,
    entries_of,
    entry_of,
    function_of,
    needed_parameters,
    taken_by,
    takes_something,
)
from pipeline.testcases.examples.empty_examples import of_only_function
from pipeline.testcases.examples.example_search import MAX_PROMPT
from pipeline.testcases.examples.named_values import taken_by_draft
from pipeline.testcases.examples.requested_function import decorated
from pipeline.testcases.examples.table_results import examples_of_tables
from pipeline.testcases.signature_fit import fits_parameters
from pipeline.testcases.suite import Suite
from pipeline.testcases.typed_calls import called_in

_DEFINES = r"^(?:class|def|async\s+def)\s+{0}\b|^{0}\s*[:=]|^(?:from|import)\b.*\b{0}\b"
_METHOD = r"^[ \t]+(?:async[ \t]+)?(?:def[ \t]+{0}\b|{0}\([^()\n]*\)[ \t]*\{{)"
_FUNCTION = rf"{_DEFINES}|\b(?:function|const|let|var)\s+{{0}}\b|^class Solution\b"
_OF_CLASS = re.compile(r"\bclass|\bKlasse|\bclase|класс|类", re.IGNORECASE)


def asked_of(draft: Draft, suite: Suite, request: str) -> Suite:
    """Without examples that call something else than what is asked for and the draft defines: what
    they explain ("Collatz(1) is [1]") need not be there; nor is a method of a class a function.
    And without those that contradict each other. With what is said of empty input, where the draft
    is one function that takes one value."""
    code, language = draft.text, draft.language
    if suite.named:
        suite = replace(suite, cases=(*_by_name(draft, suite, request),))
    consistent = suite.consistent
    if language == "python":
        consistent = (*_of_decorated(consistent, code, request),)
    named = [(case, case.function or suite.function) for case in consistent]
    cases = [case for case, name in named if _can_be_asked(code, language, case, name)]
    if _OF_CLASS.search(request):
        cases = [c for c in cases if c.session or not _is_method(draft.text, suite, c)]
    if not suite.program and language == "python":
        cases = [case for case in cases if not isinstance(case.expected, ShownTable)]
        beside = [*_of_empty(code, request), *_of_tables(code, suite.function, request)]
        known = {case.input for case in cases}
        cases += [case for case in beside if case.input not in known]
    return replace(suite, cases=tuple(cases))


def _by_name(draft: Draft, suite: Suite, request: str) -> Iterator[Case]:
    """Those with named values as the draft's function takes them; all others as they are."""
    code, language, name = draft.text, draft.language or "", suite.function
    if compiler_of(language) and not name:
        name = called_in(language, code, name, request)
    yield from (case for case in suite.cases if not case.arguments.labels)
    yield from taken_by_draft(suite.named, code, language, entry_of(code, name, language))


def _of_decorated(cases: Sequence[Case], code: str, request: str) -> Iterator[Case]:
    """Those of what the request shows below a decorator that it asks for in their order, as that
    may count calls; below the request's own, where the code has no such thing."""
    shown = decorated(request[:MAX_PROMPT])
    missing = (name for name in shown if not re.search(_DEFINES.format(name), code, re.MULTILINE))
    setup = [shown[name] for name in missing]
    for case in cases:
        source = case.session or f"{case.function}({case.arguments})"
        if not any(re.match(rf"{name}\(", source) for name in shown):
            yield case
            continue
        yield replace(case, session=source, setup="\n".join(setup))
        setup.append(f"try:\n    {source}\nexcept Exception: pass" if "\n" not in source else "")


def _of_tables(code: str, named: str, request: str) -> Iterator[Case]:
    """Only the draft tells how its function is called."""
    names = [named] if named else entries_of(code)
    head = function_of(code, names[0]) if len(names) == 1 else None
    if head is not None:
        yield from examples_of_tables(request[:MAX_PROMPT], code, head)


def _of_empty(code: str, request: str) -> Iterator[Case]:
    """Only the draft tells what function that is."""
    said = of_only_function(request[:MAX_PROMPT])
    names = defined(code) if said else []
    head = function_of(code, names[0]) if len(names) == 1 else None
    if head is None or len(needed_parameters(head)) != 1 or taken_by(head)[0] != 1:
        return
    for n, case in enumerate(said, 1):
        if fits_parameters(case, head):
            yield replace(case, name=f"empty {n}", function=head.name, anchor=True)


def _is_method(code: str, suite: Suite, case: Case) -> bool:
    """Whether the code has it as a method alone."""
    name = re.escape(case.function or suite.function)
    method, function = (
        re.search(each.format(name), code, re.MULTILINE) for each in (_METHOD, _FUNCTION)
    )
    return bool(method and not function)


def _can_be_asked(code: str, language: str | None, case: Case, name: str) -> bool:
    if case.session:
        names = undefined_names(f"{case.setup}\n{case.session}\n{case.stated}")
        return all(re.search(_DEFINES.format(name), code, re.MULTILINE) for name in names)
    if not (name or case.arguments == Arguments()):  # a program may ask for what it needs
        return language != "python" or takes_something(code, entry_of(code, ""))
    if not case.function:
        return True
    called = re.escape(case.function.partition(".")[0])  # `sqrt` is not there where `math.sqrt` is
    there = _DEFINES.format(called) if language == "python" else rf"\b{called}\b"
    return bool(re.search(there, code, re.MULTILINE))
