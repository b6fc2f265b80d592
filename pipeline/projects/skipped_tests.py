"""Skip tests of a project that two drafts of what they test fail, while most others hold with both.
They stay in their file, marked to be skipped: of the tests of a small model that no draft passes,
nearly all are wrong (docs/studies/model_tests.md, what `///test` rests on). Pure."""

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from pipeline.analysis.code_equality import same_code
from pipeline.analysis.missing_imports import with_import_lines
from pipeline.analysis.python_syntax import Function, first_line, parse
from pipeline.projects.fault import Fault, serious
from pipeline.projects.inspection import Inspected
from pipeline.projects.project import Project

_IMPORTED = re.compile(r"^import unittest\s*$", re.MULTILINE)
_LEAST = 2  # tests that hold: else nothing speaks for the code


def fails_twice(one: Inspected, other: Inspected) -> list[Fault]:
    """The failing tests of `one` where nothing else is wrong with it, if each fails with another
    draft of what it tests as well, and most tests hold with both; else none."""
    faults, tests = serious(one.faults), one.tests
    if not (faults and tests and len(faults) == tests.total - tests.passed):
        return []  # something else is wrong, or not every test that fails is known
    twice = all(_fails_with(each, one, other) for each in faults)
    return faults if twice and most_hold(one) and most_hold(other) else []


def most_hold(seen: Inspected) -> bool:
    """Whether the tests speak for the code."""
    tests = seen.tests
    return bool(tests and tests.passed >= _LEAST and tests.passed * 2 > tests.total)


def _fails_with(fault: Fault, one: Inspected, other: Inspected) -> bool:
    """The same test, and other code in the file that it is about."""
    texts, others = one.project.texts, other.project.texts
    is_of_code = fault.kind == "test" and fault.test != fault.path
    one_draft, another = texts.get(fault.path, ""), others.get(fault.path, "")
    is_redrawn = is_of_code and not same_code("python", one_draft, another)
    same = is_redrawn and texts[fault.test] == others.get(fault.test)
    return same and any((each.test, each.case) == (fault.test, fault.case) for each in other.faults)


def with_skipped(project: Project, faults: Sequence[Fault]) -> Project:
    """The project with the tests that fail marked to be skipped, each with a remark that says so;
    itself where one of them cannot be found, or is no method of a `unittest.TestCase`."""
    by_file: dict[str, list[Fault]] = {}
    for fault in faults:
        by_file.setdefault(fault.test, []).append(fault)
    texts = {path: _skipped(project.texts[path], each) for path, each in by_file.items()}
    if not texts or not all(texts.values()):
        return project
    remarks = tuple(map(_remark, faults))
    return replace(project.with_texts(texts), remarks=(*project.remarks, *remarks))


def _remark(fault: Fault) -> Fault:
    why = f"the test {fault.case} is skipped: it fails with every draft of {fault.path}"
    return Fault(fault.test, "test", why, serious=False, test=fault.test, case=fault.case)


def _skipped(text: str, faults: Sequence[Fault]) -> str:
    """ "" where a test is not found."""
    tree = parse(text)
    methods = dict(_methods(tree)) if tree else {}
    lines = text.split("\n")  # as the parser counts them
    marks: dict[int, str] = {}
    for fault in faults:
        method = methods.get(".".join(fault.case.split(".")[-2:]))
        if method is None:
            return ""
        marks[first_line(method)] = f"it fails with every draft of {fault.path}"
    for first in sorted(marks, reverse=True):
        indent = lines[first - 1][: len(lines[first - 1]) - len(lines[first - 1].lstrip())]
        lines.insert(first - 1, f"{indent}@unittest.skip({marks[first]!r})")
    marked = "\n".join(lines)
    return marked if _IMPORTED.search(marked) else with_import_lines(marked, ["import unittest"])


def _methods(tree: ast.Module) -> Iterator[tuple[str, Function]]:
    for node in (each for each in tree.body if isinstance(each, ast.ClassDef)):
        for method in node.body:
            if isinstance(method, Function):
                yield f"{node.name}.{method.name}", method
