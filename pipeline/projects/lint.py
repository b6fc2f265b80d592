"""Lint Python files with pyflakes, whose rules ruff has as `F`. Pure."""

import ast
from collections.abc import Iterator

from pipeline.projects.fault import Fault

# What is unused or clumsy, but runs.
_MINOR = {
    "FStringMissingPlaceholders",
    "ImportShadowedByLoopVar",
    "ImportStarUsage",
    "ImportStarUsed",
    "RedefinedWhileUnused",
    "TStringMissingPlaceholders",
    "UnusedAnnotation",
    "UnusedImport",
    "UnusedIndirectAssignment",
    "UnusedVariable",
}


def lint_faults(path: str, tree: ast.Module) -> Iterator[Fault]:
    """The faults of a module. What a package's __init__.py imports, it hands on. Raises
    RecursionError for what is nested more deeply than pyflakes can follow."""
    from pyflakes.checker import Checker

    for message in Checker(tree, filename=path).messages:
        kind = type(message).__name__
        if kind == "UnusedImport" and path.endswith("__init__.py"):
            continue
        detail = message.message % message.message_args
        yield Fault(path, "lint", detail, message.lineno, serious=kind not in _MINOR)
