"""Edits that agents write as text: patches between `*** Begin Patch` and `*** End Patch`, and
blocks of search and replacement. Pure."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

MOST_CHARACTERS = 2_000_000  # of a file after an edit: 40 kB of `a` with 50 kB for each are 2 GB
_FILE = re.compile(r"\*\*\* (Add|Update|Delete) File: (.+)")
_SEARCH = re.compile(r"(?:-{5,}|<{5,}) SEARCH>?")
_MIDDLE = re.compile(r"={5,}")
_REPLACED = re.compile(r"(?:\+{5,}|>{5,}) REPLACE>?")


class TextEdit(NamedTuple):
    """The first place of `old` becomes `new`; every one of them with `everywhere`."""

    old: str
    new: str
    everywhere: bool = False


def edited(text: str, edits: Sequence[TextEdit]) -> str | None:
    """The text after the edits, each applied to what the one before left; None where one of them
    has no place, or makes more of it than any file has."""
    for edit in edits:
        times = text.count(edit.old) if edit.old else 0
        times = times if edit.everywhere else min(times, 1)
        grown = len(text) + times * (len(edit.new) - len(edit.old))
        if not times or grown > MOST_CHARACTERS:
            return None
        text = text.replace(edit.old, edit.new, times)
    return text


def search_blocks(text: str) -> list[TextEdit]:
    """Blocks of SEARCH and REPLACE, as Cline writes them."""
    edits, part = [], 0
    old: list[str] = []
    new: list[str] = []
    for line in text.split("\n"):
        mark = line.rstrip()
        if _SEARCH.fullmatch(mark):
            part, old, new = 1, [], []
        elif part == 1 and _MIDDLE.fullmatch(mark):
            part = 2
        elif part == 2 and _REPLACED.fullmatch(mark):
            part = 0
            edits.append(TextEdit("\n".join(old), "\n".join(new)))
        elif part:
            (old if part == 1 else new).append(line)
    return edits


def patched_files(patch: str, files: Mapping[str, str]) -> Iterator[tuple[str, str | None]]:
    """Path and text of each file that the patch adds or updates; None where what it was before is
    not in `files`, or the patch does not fit it."""
    for kind, path, lines in _sections(patch):
        if kind == "Add":
            yield path, "".join(f"{line[1:]}\n" for line in lines if line.startswith("+"))
        elif kind == "Update":
            before = files.get(path)
            yield path, None if before is None else _updated(before, lines)


def _sections(patch: str) -> Iterator[tuple[str, str, list[str]]]:
    kind, path = "", ""
    lines: list[str] = []
    for line in (*patch.split("\n"), "*** End Patch"):  # which may be missing
        found = _FILE.fullmatch(line.rstrip())
        if found or line.startswith("*** End Patch"):
            if kind:
                yield kind, path, lines
            kind, path, lines = (found[1], found[2].strip(), []) if found else ("", "", [])
        else:
            lines.append(line)


def _updated(before: str, lines: Sequence[str]) -> str | None:
    """The file after its hunks, looked for one behind the other; whole lines alone count."""
    rest, done = f"\n{before}", ""
    for hunk in _hunks(lines):
        old = "".join(f"\n{line[1:]}" for line in hunk if line[:1] in (" ", "-", ""))
        new = "".join(f"\n{line[1:]}" for line in hunk if line[:1] in (" ", "+", ""))
        at = rest.find(f"{old}\n") if old else -1
        at = len(rest) - len(old) if at < 0 and old and rest.endswith(old) else at
        if at < 0:
            return None
        done, rest = done + rest[:at] + new, rest[at + len(old) :]
    return (done + rest)[1:]


def _hunks(lines: Sequence[str]) -> Iterator[list[str]]:
    hunk: list[str] = []
    for line in lines:
        if line.startswith(("@@", "*** ")):
            if hunk:
                yield hunk
            hunk = []
        else:
            hunk.append(line)
    while hunk and not hunk[-1]:
        hunk.pop()
    if hunk:
        yield hunk
