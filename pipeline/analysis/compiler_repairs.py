"""What a compiler says would make a program compile, put in: includes that GCC names, and those of
rustc's suggestions that change nothing of what a program does. Pure."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from pipeline.analysis.compile_errors import MOST_SAID, diagnostics

_INCLUDE = re.compile(r"did you forget to '(#include <[\w.]+>)'")
_NOT_IN_STD = re.compile(r"'(\w+)' is not a member of 'std'")
# Of functions GCC names no header.
_OF_STD = {
    "algorithm": "all_of any_of binary_search clamp copy count count_if equal fill find find_if"
    " for_each is_sorted lower_bound max max_element merge min min_element minmax next_permutation"
    " none_of nth_element partition remove remove_if replace reverse rotate set_intersection"
    " set_union shuffle sort stable_sort swap_ranges transform unique upper_bound",
    "numeric": "accumulate gcd inner_product iota lcm partial_sum reduce",
    "cmath": "abs ceil cos exp fabs floor fmod hypot log pow round sin sqrt tan",
    "cctype": "isalnum isalpha isdigit islower ispunct isspace isupper tolower toupper",
    "iomanip": "fixed setfill setprecision setw",
}
_FIRST_INCLUDE = re.compile(r"^[ \t]*#[ \t]*include\b", re.MULTILINE)
# An import, a reference, what it refers to, or that it may change: nothing that a program does.
_CERTAIN = re.compile(r"^(?:use \w[\w:]*;\s*|[*&]|&?mut )$")


@dataclass(frozen=True, slots=True)
class Edit:
    """Bytes of the program that others take the place of; what was put in for a person to read."""

    start: int
    end: int
    text: str


def repaired(language: str, program: str, said: str) -> tuple[str, list[str]]:
    """The program with what its compiler suggests, and those pieces; as it is, without any."""
    said = said[:MOST_SAID]
    if language == "rust":
        return _edited(program, list(_suggested(said)))
    said = said.translate(str.maketrans("‘’", "''"))
    lines = list(dict.fromkeys([*_INCLUDE.findall(said), *_of_std(said)]))
    first = _FIRST_INCLUDE.search(program)
    at = first.start() if first else 0
    block = "".join(f"{line}\n" for line in lines)
    return f"{program[:at]}{block}{program[at:]}", lines


def _of_std(said: str) -> Iterator[str]:
    for name in _NOT_IN_STD.findall(said):
        yield from (f"#include <{it}>" for it, names in _OF_STD.items() if name in names.split())


def _suggested(said: str) -> Iterator[Edit]:
    """Of each error the first suggestion that is certain."""
    for told in diagnostics(said):
        children = told.get("children", ())
        yield from next(filter(None, map(_edits, children)), ())


def _edits(child: dict[str, Any]) -> list[Edit]:
    spans = child.get("spans", ())
    texts = [span.get("suggested_replacement") or "" for span in spans]
    if not all(map(_CERTAIN.match, texts)):
        return []
    edits = (Edit(s["byte_start"], s["byte_end"], t) for s, t in zip(spans, texts, strict=True))
    first = dict[tuple[int, int], Edit]()  # of what takes the same place: each is one way
    for edit in edits:
        first.setdefault((edit.start, edit.end), edit)
    return [*first.values()]


def _edited(program: str, edits: list[Edit]) -> tuple[str, list[str]]:
    """With those that do not meet; imports may stand at one place."""
    raw, last, put_in = program.encode(), len(program.encode()) + 1, list[str]()
    for edit in sorted(set(edits), key=lambda each: (each.start, each.end, each.text))[::-1]:
        is_there = edit.end == last and edit.start == edit.end
        if edit.end > last or (is_there and not edit.text.startswith("use ")):
            continue
        raw = raw[: edit.start] + edit.text.encode() + raw[edit.end :]
        last = edit.start
        put_in.append(edit.text.strip())
    return raw.decode("utf-8", "replace"), put_in[::-1]
