"""Python's import lines: each thing once, sorted. Pure."""

import sys
from collections.abc import Iterable

from pipeline.analysis.statements import Import

WIDTH = 100
_FUTURE = "__future__"


def import_lines(imports: Iterable[Import]) -> list[list[str]]:
    """Lines in groups: `__future__`, the standard library, the rest; names of one module
    together."""
    modules: dict[Import, None] = {}
    taken: dict[str, dict[str, str]] = {}
    for each in imports:
        if each.name is None:
            modules.setdefault(each)
        else:
            written = f"{each.name} as {each.alias}" if each.alias else each.name
            names = taken.setdefault(each.module, {})
            names[written] = names.get(written) or each.comment
    groups: list[list[str]] = [[], [], []]
    for each in sorted(modules, key=lambda each: (each.module, each.alias or "")):
        alias = f" as {each.alias}" if each.alias else ""
        groups[_group(each.module)].append(f"import {each.module}{alias}{_behind(each.comment)}")
    for module in sorted(taken):
        groups[_group(module)] += _from(module, taken[module])
    return [group for group in groups if group]


def _group(module: str) -> int:
    if module == _FUTURE:
        return 0
    return 1 if module.partition(".")[0] in sys.stdlib_module_names else 2


def _from(module: str, names: dict[str, str]) -> list[str]:
    """A star stands alone and first: names that are given win over it."""
    plain = sorted((name for name in names if name != "*"), key=str.lower)
    lines = [f"from {module} import *{_behind(names['*'])}"] if "*" in names else []
    if plain:
        comment = names[plain[0]] if len(plain) == 1 else ""
        line = f"from {module} import {', '.join(plain)}"
        if len(line) > WIDTH:
            rows = "".join(f"    {name},\n" for name in plain)
            line = f"from {module} import (\n{rows})"
        lines.append(line + _behind(comment))
    return lines


def _behind(comment: str) -> str:
    return f"  {comment}" if comment else ""
