"""Tables that a text shows: as pandas and clients of databases print them, a Series too, as
Markdown, side by side, as lines of JSON, or as the source of a `pd.DataFrame`. Pure."""

import ast
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

from pipeline.sandbox import Foreign
from pipeline.testcases.examples.table_cells import GAP, RULE, VALUE, Cells, cells_of
from pipeline.testcases.literals import matching, parse_expression, value_of

_RULES = re.compile(rf"(?:^{RULE.pattern}\n)+\Z", re.MULTILINE)
_FENCE = re.compile(r"[ \t]*(?:```|~~~|\"{3}|'{3})")
_FOOT = re.compile(r"[ \t]*(?:\[\d+ rows x \d+ columns\]|\(\d+ rows?\)|\d+ rows? in set.*)")
_OF_SERIES = re.compile(r"[ \t]*(?:\w+: [^,\n]{1,80}, )*(?:dtype|Length): \w.*")
_LABEL = re.compile(
    r"(?:^|\s)[`*#]{0,3}([A-Za-z_]\w*)[`*]{0,2}(?: table)?[:=`* ]*\n\s*(?:```\w*\s*)?$"
)
_ONE_COLUMN = re.compile(
    r"^ {1,40}(\w{1,60}) *\n-{3,200}\n((?: [^|\n]{0,200}\n){1,40})\(\d{1,9} rows?\)", re.MULTILINE
)
_DASHES = re.compile(r"[ \t]*-{2,}[- \t]*")
_QUOTED = re.compile(r"^>(?!>)", re.MULTILINE)  # a mail
_COMMENT = re.compile(r"^([ \t]*)#(?=[ \t])", re.MULTILINE)
_SIDES = re.compile(r"([^|]*[^|\s][^|]*)\|([^|]*[^|\s][^|]*)")
_GOES_ON = re.compile(r"\n[ \t]*\.\.\.")
_BOXES = str.maketrans("│┃─━┌┐└┘├┤┬┴┼═║╔╗╚╝╠╣╦╩╬", "||--+++++++++=|+++++++++")
_MADE = re.compile(r"^[ \t>.]*(?:(\w+)[ \t]*=[ \t]*)?(?:pd|pandas)\.DataFrame(?=\()", re.MULTILINE)
# Cells that a table shows otherwise than they are kept.
_ADORNED = re.compile(r"[$€£]|\d,\d{3}|\d ?%")
_CUT = re.compile(r"^\.\.$|\.\.\.$|…$")
_OBJECTS = re.compile(r"(?:^\{\".{1,400}\}(?:\n|\Z)){1,40}", re.MULTILINE)
_MOST_LINES, _LONGEST = 40, 200
UNREAD = "no example was read from the tables that the request shows"


@dataclass(frozen=True, slots=True)
class Printed:
    """A table, or an array. `begin` and `end`: where it stands in the text. `columns`: "" for one
    without a name, () of an array. `label`: the variable that the text sets, or the word before it.
    `source`: that of one that the text makes. `foot`: the last line of a Series, which tells its
    name and its type; its columns have no names, and what they hold is the last one."""

    begin: int
    end: int
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    label: str = ""
    source: str = ""
    foot: str = ""

    @property
    def as_value(self) -> Foreign:
        """As a value that comes out of a sandbox."""
        if not self.columns:
            return Foreign("ndarray", "", [[*row] for row in self.rows])
        columns = zip(self.columns, zip(*self.rows, strict=True), strict=True)
        return Foreign("DataFrame", "", {"columns": [[name, [*items]] for name, items in columns]})

    @property
    def is_plain(self) -> bool:
        """Whether what stands in its cells is what they hold."""
        return self.is_whole and not any(_ADORNED.search(each) for row in self.rows for each in row)

    @property
    def is_whole(self) -> bool:
        """Whether nothing is left out."""
        return not any(_CUT.search(each) for row in self.rows for each in row)


@lru_cache(maxsize=8)  # each draft of a run asks, in several ways
def tables_in(text: str) -> tuple[Printed, ...]:
    """In their order."""
    made = [*_made(text), *_of_one_column(text), *_records(text)]
    plain = uncommented(_QUOTED.sub(" ", text.translate(_BOXES)))
    printed = (
        each
        if each.label
        else replace(each, label=label_of(plain[max(0, each.begin - _LONGEST) : each.begin]))
        for block in _blocks(plain)
        for each in _printed(block)
        if not any(_overlap(each, other) for other in made)
    )
    return tuple(sorted([*made, *printed], key=lambda each: each.begin))


def _overlap(one: Printed, other: Printed) -> bool:
    return one.begin < other.end and other.begin < one.end


def uncommented(text: str) -> str:
    """What code prints stands below it in comments."""
    return _COMMENT.sub(r"\1 ", text)


def label_of(before: str) -> str:
    """`users` where a text ends with "users:"; else ""."""
    found = _LABEL.search(without_rules(before))
    return found[1] if found else ""


def without_rules(before: str) -> str:
    """What stands before a table, without the line above its head."""
    return _RULES.sub("", before)


_Block = list[tuple[int, str]]


def _blocks(text: str) -> Iterator[_Block]:
    """Lines, with where they begin, that have no empty one between them, all with bars or none, of
    a session or none; without the rules below the heads of tables without bars."""
    block: _Block = []
    at = 0
    for line in text.split("\n"):
        is_end = not line.strip() or _FENCE.match(line) is not None
        if block and (is_end or _kind(line) != _kind(block[-1][1])):
            if not is_end and _DASHES.fullmatch(line):
                at += len(line) + 1
                continue
            yield _dedented(block)
            block = []
        if not is_end:
            block.append((at, line))
        at += len(line) + 1
    if block:
        yield _dedented(block)


def _kind(line: str) -> tuple[bool, bool]:
    is_ruled = "|" in line or RULE.fullmatch(line) is not None
    return is_ruled, line.lstrip().startswith((">>>", "... "))


def _dedented(block: _Block) -> _Block:
    indent = min(len(line) - len(line.lstrip(" ")) for _, line in block)
    return [(at + indent, line[indent:]) for at, line in block]


def _printed(block: _Block) -> Iterator[Printed]:
    """The tables with which a block ends, one below the other; what stands before says what they
    are."""
    if len(block) > _MOST_LINES or any(len(line) > _LONGEST for _, line in block):
        return
    if block and _OF_SERIES.fullmatch(block[-1][1]):
        yield from _series(block)
        return
    while block and _FOOT.fullmatch(block[-1][1]):
        block = block[:-1]
    if sides := _beside([line for _, line in block]):
        begin, end = block[0][0], block[-1][0] + len(block[-1][1])
        middle = begin + 1
        for (label, cells), (at, to) in zip(sides, ((begin, middle), (middle, end)), strict=True):
            yield Printed(at, to, *cells, label)
        return
    for first in range(len(block) - 1):
        found = cells_of([line for _, line in _dedented(block[first:])])
        above = [*_printed(block[:first])] if found and first else []
        is_part = first > 0 and GAP.search(block[first - 1][1]) is not None and not above
        if found and not is_part:
            yield from above
            at, last = block[-1]
            yield Printed(block[first][0], at + len(last), *found)
            return


def _beside(lines: list[str]) -> list[tuple[str, Cells]]:
    """Two tables beside each other, with a word above each: `have` and `want`."""
    lines = [line for line in lines if not RULE.fullmatch(line)]
    halves = [_SIDES.fullmatch(line) for line in lines]
    if len(lines) < 3 or not all(halves):
        return []
    found: list[tuple[str, Cells]] = []
    for title, *side in zip(*(each.groups() for each in halves if each), strict=True):
        indent = min(len(line) - len(line.lstrip()) for line in side)
        cells = cells_of([line[indent:].rstrip() for line in side])
        if cells and len(title.split()) == 1:
            found.append((title.strip(), cells))
    return found if len(found) == 2 else []


def _series(block: _Block) -> Iterator[Printed]:
    """Names with a value each, or the values alone, whose names are only numbers of rows. None of
    one that has several names for each."""
    *block, (end, foot) = block
    for first in range(len(block)):
        rows = [tuple(GAP.split(line.rstrip())) for _, line in _dedented(block[first:])]
        if len(rows[0]) > 1 and not all(len(row) == 2 and row[0] for row in rows):
            return
        if len(rows[0]) > 1:
            is_numbered = [row[0] for row in rows] == [*map(str, range(len(rows)))]
            cells = tuple(row[-1:] for row in rows) if is_numbered else tuple(rows)
            columns = ("",) * len(cells[0])
            begin = block[first if is_numbered else max(0, first - 1)][0]  # what the names are
            yield Printed(begin, end + len(foot), columns, cells, foot=foot.strip())
            return


def series_at(text: str, begin: int) -> Printed | None:
    """Names with a number each, as pandas prints a Series, without its last line: it has no head,
    so that only what stands before it says that it is one."""
    for block in _blocks(text):
        rows = [tuple(line.split()) for _, line in block]
        if (
            block
            and block[0][0] >= begin
            and 1 < len(rows) <= _MOST_LINES
            and all(len(row) == 2 and VALUE.fullmatch(row[1]) for row in rows)
        ):
            at, last = block[-1]
            return Printed(block[0][0], at + len(last), ("", ""), tuple(rows))
    return None


def _made(text: str) -> Iterator[Printed]:
    """`df = pd.DataFrame({"a": [1, 2]})`, if what stands in it is plain."""
    for match in _MADE.finditer(text):
        end = matching(text, match.end())
        inside = _GOES_ON.sub("\n", text[match.end() : end]) if end else ""
        call = parse_expression(f"f{inside}") if end else None
        if end and isinstance(call, ast.Call) and (found := _cells_of(call)):
            source = f"pd.DataFrame{ast.unparse(call)[1:]}"
            yield Printed(match.start(), end, *found, match[1] or "", source)


def _of_one_column(text: str) -> Iterator[Printed]:
    """As PostgreSQL's terminal shows it: nothing but its last line tells that it is one."""
    for match in _ONE_COLUMN.finditer(text):
        rows = tuple((cell.strip(),) for cell in match[2].splitlines())
        yield Printed(match.start(), match.end(), (match[1],), rows)


def _records(text: str) -> Iterator[Printed]:
    """Lines that are objects of JSON with the same names."""
    for match in _OBJECTS.finditer(text):
        try:
            rows = [json.loads(line) for line in match[0].splitlines()]
        except ValueError:
            continue
        columns = tuple(rows[0])
        is_flat = not any(isinstance(cell, dict | list) for row in rows for cell in row.values())
        if columns and is_flat and all(tuple(row) == columns for row in rows):
            cells = tuple(tuple(_text(cell) for cell in row.values()) for row in rows)
            source = f"pd.DataFrame({rows!r})"
            yield Printed(match.start(), match.end(), columns, cells, source=source)


def _cells_of(call: ast.Call) -> Cells | None:
    try:
        given = value_of(call.args[0]) if len(call.args) == 1 else None
        index = {each.arg: value_of(each.value) for each in call.keywords}.get("index", ())
    except ValueError:
        return None
    if isinstance(given, list) and all(isinstance(row, dict) for row in given):
        names = dict.fromkeys(name for row in given for name in row)
        given = {name: [row.get(name) for row in given] for name in names}
    if len(call.keywords) > bool(index) or not isinstance(given, dict) or not given:
        return None
    columns = [*given.items()] if not index else [("", index), *given.items()]
    if not all(isinstance(items, list) for _, items in columns):
        return None
    sizes = {len(items) for _, items in columns}
    if len(sizes) != 1 or not sizes.pop():
        return None
    rows = zip(*([*map(_text, items)] for _, items in columns), strict=True)
    return tuple(str(name) for name, _ in columns), tuple(rows)


def _text(cell: object) -> str:
    return "" if cell is None else str(cell)
