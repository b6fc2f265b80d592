"""Tests of a project that no draft of what they test passes. Of such tests of a small model one in
thirty is right (docs/quality.md): they stay in their file, marked to be skipped. Pure."""

import ast
from collections.abc import Iterator, Sequence
from dataclasses import replace

from pipeline.analysis.missing_imports import with_missing_imports
from pipeline.analysis.python_syntax import parse
from pipeline.projects.fault import Fault, serious
from pipeline.projects.inspection import Inspected
from pipeline.projects.project import Project

_Method = ast.FunctionDef | ast.AsyncFunctionDef
_LEAST = 2  # tests that hold: else nothing speaks for the code


def fails_twice(one: Inspected, other: Inspected) -> list[Fault]:
    """The failing tests of `one` where nothing else is wrong with it, if each fails with the other
    draft of the code as well and most tests hold; else none."""
    faults, tests = serious(one.faults), one.tests
    texts, others = one.project.texts, other.project.texts
    failing = {(each.test, each.case) for each in other.faults if each.kind == "test"}
    same_tests = all(each.test and texts[each.test] == others[each.test] for each in faults)
    if not (faults and tests and same_tests and texts != others):
        return []
    most_hold = tests.passed >= _LEAST and tests.passed * 2 > tests.total
    all_are_known = len(faults) == tests.total - tests.passed
    twice = all(each.kind == "test" and (each.test, each.case) in failing for each in faults)
    return faults if most_hold and twice and all_are_known else []


def with_skipped(project: Project, faults: Sequence[Fault]) -> Project:
    """The project with the tests that fail marked to be skipped, each with a remark that says so;
    itself where one of them cannot be found, or is no method of a `unittest.TestCase`."""
    by_file: dict[str, list[Fault]] = {}
    for fault in faults:
        by_file.setdefault(fault.test, []).append(fault)
    texts = {path: _skipped(project.texts[path], each) for path, each in by_file.items()}
    if not all(texts.values()):
        return project
    remarks = tuple(map(_remark, faults))
    return replace(project.with_texts(texts), remarks=(*project.remarks, *remarks))


def _remark(fault: Fault) -> Fault:
    why = f"the test {fault.case} is skipped: it fails with each draft of {fault.path}"
    return Fault(fault.test, "test", why, serious=False, test=fault.test, case=fault.case)


def _skipped(text: str, faults: Sequence[Fault]) -> str:
    """ "" where a test is not found."""
    tree = parse(text)
    methods = dict(_methods(tree)) if tree else {}
    lines = text.splitlines(keepends=True)
    marks: dict[int, str] = {}
    for fault in faults:
        method = methods.get(".".join(fault.case.split(".")[-2:]))
        if method is None:
            return ""
        first = min([method.lineno, *(each.lineno for each in method.decorator_list)])
        marks[first] = f"it fails with each draft of {fault.path}"
    for first in sorted(marks, reverse=True):
        indent = lines[first - 1][: len(lines[first - 1]) - len(lines[first - 1].lstrip())]
        lines.insert(first - 1, f"{indent}@unittest.skip({marks[first]!r})\n")
    return with_missing_imports("".join(lines))[0]


def _methods(tree: ast.Module) -> Iterator[tuple[str, _Method]]:
    for node in (each for each in tree.body if isinstance(each, ast.ClassDef)):
        for method in node.body:
            if isinstance(method, _Method):
                yield f"{node.name}.{method.name}", method
