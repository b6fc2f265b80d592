"""Broken versions of the gold code, each with the sentence that says what is wrong.

Candidates are small text edits; only those that were executed and failed their checks count.
"""

import ast
import builtins
import keyword
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache

from tools.starter.execute import Job, passes, runnable
from tools.starter.families import FAMILIES
from tools.starter.family import PYTHON, Family

# Pattern and replacements; every match gives one candidate per replacement.
_SWAPS: tuple[tuple[str, tuple[str, ...]], ...] = (
    (r"==", ("!=", ">=")),
    (r"!=", ("==",)),
    (r" > ", (" < ",)),
    (r" < ", (" > ", " <= ")),
    (r" <= ", (" < ", " >= ")),
    (r" \+ ", (" - ", " * ")),
    (r"\*=", ("+=", "=")),
    (r"\+=", ("-=", "*=", "=")),
    (r" / ", (" // ", " * ")),
    (r" // ", (" / ",)),
    (r" % ", (" // ", " / ")),
    (r" \*\* ", (" * ", " + ")),
    (r"//=", ("-=",)),
    (r"\band\b", ("or",)),
    (r"\bor\b", ("and",)),
    (r"\bnot in\b", ("in",)),
    (r"(?<!not )\bin\b(?= second)", ("not in",)),
    (r"\bTrue\b", ("False",)),
    (r"\bFalse\b", ("True",)),
    (r"\[::-1\]", ("[::1]", "[1:]", "[:-1]")),
    (r"\bsorted\b", ("list", "reversed")),
    (r"\blower\b", ("upper", "strip")),
    (r"\bupper\b", ("lower", "title", "capitalize")),
    (r"\bcapitalize\b", ("upper", "lower", "strip")),
    (r"\bappend\b", ("extend", "remove")),
    (r"\bsum\(", ("max(", "len(")),
    (r"\blen\(", ("sum(", "max(")),
    (r"\bset\(", ("list(",)),
    (r"\ball\(", ("any(",)),
    (r"\brange\(", ("len(",)),
    (r"===", ("!==",)),
    (r"!==", ("===",)),
    (r" \|\| ", (" && ",)),
    (r" && ", (" || ",)),
    (r"\btrue\b", ("false",)),
    (r"\bfalse\b", ("true",)),
    (r"\blet\b", ("const",)),
    (r"\btoUpperCase\b", ("toLowerCase", "trim")),
    (r"\btoLowerCase\b", ("toUpperCase", "trim")),
    (r"\bfilter\(", ("map(",)),
    (r"\bmap\(", ("filter(",)),
    (r" -eq ", (" -ne ",)),
    (r" -lt ", (" -gt ",)),
    (r" -gt ", (" -lt ",)),
    (r" -le ", (" -lt ", " -gt ")),
    (r" -ge ", (" -lt ",)),
    (r"\$1", ("$2",)),
    (r"\$@", ("$1",)),
)


@dataclass(frozen=True)
class Mutant:
    """Broken source, with `NAME` for the function's name, and what is wrong with it."""

    source: str
    summary: str


Known = tuple[str, str]
"""A family's name and a language."""


@cache
def mutants() -> dict[Known, tuple[Mutant, ...]]:
    """The executed mutants of every family in each of its languages that can be run here."""
    return _failing(_candidates)


@cache
def unseen_mutants() -> dict[Known, tuple[Mutant, ...]]:
    """Mutants by other kinds of edit, which no training example has: for evaluation. Python."""
    known = {mutant.source for found in mutants().values() for mutant in found}
    return {
        key: tuple(mutant for mutant in found if mutant.source not in known)
        for key, found in _failing(_unseen_candidates).items()
        if key[1] == PYTHON
    }


def _failing(
    candidates_of: Callable[[Family, str], Iterator[Mutant]],
) -> dict[Known, tuple[Mutant, ...]]:
    known = [(f, language) for f in FAMILIES for language in f.languages if runnable(language)]
    candidates = [(f, language, m) for f, language in known for m in candidates_of(f, language)]
    verdicts = passes(
        Job(mutant.source.replace("NAME", f.name), f.name, f.checks, f.driver, language)
        for f, language, mutant in candidates
    )
    failing: dict[Known, dict[str, Mutant]] = {(f.name, language): {} for f, language in known}
    for (family, language, mutant), passed in zip(candidates, verdicts, strict=True):
        if not passed:
            failing[family.name, language].setdefault(mutant.source, mutant)
    return {key: tuple(found.values()) for key, found in failing.items()}


def _candidates(family: Family, language: str) -> Iterator[Mutant]:
    source = family.template(language)
    head, body = _parted(source)
    for edit in (_swapped, _numbers_changed, _misspelled):
        for changed, summary in edit(body):
            yield Mutant(f"{head}\n{changed}", summary)
    if language != PYTHON:
        yield from _statements_missing(source)
        return
    yield from _lines_changed(source)
    if not family.is_class:
        yield Mutant(f"{head}\n    pass", "The function does nothing.")


def _parted(source: str) -> tuple[str, str]:
    """The lines up to the one with the name, and those after it."""
    named = source.index("\n", source.index("NAME"))
    return source[:named], source[named + 1 :]


def _statements_missing(source: str) -> Iterator[Mutant]:
    """Without one line, of those that are whole statements; without the last bracket."""
    lines = source.split("\n")
    for i, line in enumerate(lines[1:-1], 1):
        if not line.rstrip().endswith(("{", "}", "do", "then", "else", "done", "fi")):
            rest = "\n".join([*lines[:i], *lines[i + 1 :]])
            yield Mutant(rest, f"A line is missing: {line.strip()}"[:110])
    yield Mutant("\n".join(lines[:-1]), "There is a syntax error: a bracket is missing.")


def _swapped(body: str) -> Iterator[tuple[str, str]]:
    for pattern, replacements in _SWAPS:
        for match in re.finditer(pattern, body):
            for new in replacements:
                old_word, new_word = match[0].strip(" ("), new.strip(" (")
                summary = f"It uses {new_word} where {old_word} is needed."
                yield body[: match.start()] + new + body[match.end() :], summary


def _numbers_changed(body: str) -> Iterator[tuple[str, str]]:
    for match in re.finditer(r"(?<![\w.])\d+(?![\w.])", body):
        for new in (int(match[0]) + 1, int(match[0]) - 1):
            if new >= 0:
                summary = f"It uses the number {new} where {match[0]} is needed."
                yield body[: match.start()] + str(new) + body[match.end() :], summary


def _misspelled(body: str) -> Iterator[tuple[str, str]]:
    """The last use of each longer name loses its last letter."""
    for name in sorted(set(re.findall(r"\b[a-z]{5,}\b", body))):
        start = body.rindex(name)
        if not keyword.iskeyword(name) and body[start + len(name) :][:1] != "(":
            wrong = body[: start + len(name) - 1] + body[start + len(name) :]
            yield wrong, f"The name {name[:-1]} is not defined."


def _lines_changed(source: str) -> Iterator[Mutant]:
    lines = source.split("\n")
    for i, line in enumerate(lines):

        def put(*new: str, at: int = i) -> str:
            return "\n".join([*lines[:at], *new, *lines[at + 1 :]])

        text = line.strip()
        if line.endswith(":"):
            yield Mutant(put(line[:-1]), "There is a syntax error: a colon is missing.")
        if line.endswith(")"):
            yield Mutant(put(line[:-1]), "There is a syntax error: a bracket is missing.")
        if text.startswith("for ") and re.search(r" in [a-z]+:$", text):
            yield Mutant(put(line[:-1] + "[1:]:"), "The loop skips the first item.")
            yield Mutant(put(line[:-1] + "[:-1]:"), "The loop skips the last item.")
        if "n + 1" in text:
            yield Mutant(put(line.replace("n + 1", "n")), "The loop stops one step too early.")
        if "limit + 1" in text:
            cut = line.replace("limit + 1", "limit")
            yield Mutant(put(cut), "The loop stops one step too early.")
        if i == 0:
            continue
        if text.startswith("return "):
            printing = line.replace("return ", "print(", 1) + ")"
            yield Mutant(put(printing), "It prints the result instead of returning it.")
        elif not text.endswith(":"):
            yield Mutant(put(), f"A line is missing: {text}"[:110])
    last, before = lines[-1], lines[-2]
    if len(before) - len(before.lstrip()) > len(last) - len(last.lstrip()):
        early = "\n".join(
            [*lines[:-1], before[: len(before) - len(before.lstrip())] + last.strip()]
        )
        yield Mutant(early, "It returns inside the loop, too early.")
    if len(lines) > 2:
        returned = "Nothing is returned at the end." if "return" in last else "The end is missing."
        yield Mutant("\n".join(lines[:-1]), returned)


def _unseen_candidates(family: Family, language: str) -> Iterator[Mutant]:
    """Neighbouring lines exchanged, one variable in another's place; Python alone."""
    if language != PYTHON:
        return
    source = family.template(language)
    head, body = _parted(source)
    lines = body.split("\n")
    for i in range(len(lines) - 1):
        swapped = [*lines[:i], lines[i + 1], lines[i], *lines[i + 2 :]]
        yield Mutant("\n".join([head, *swapped]), "Two lines are in the wrong order.")
    variables = {n.id for n in ast.walk(ast.parse(source)) if isinstance(n, ast.Name)}
    variables = {name for name in variables if not hasattr(builtins, name)}
    for match in re.finditer(r"\b[a-z_]+\b", body):
        for other in sorted(variables - {match[0]}) if match[0] in variables else ():
            changed = body[: match.start()] + other + body[match.end() :]
            yield Mutant(f"{head}\n{changed}", f"It uses {other} where {match[0]} is needed.")
