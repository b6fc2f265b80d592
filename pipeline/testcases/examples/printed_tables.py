"""Tables that a text shows: as pandas prints them, as Markdown, or as the source of a
`pd.DataFrame`. Pure."""

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from pipeline.sandbox import Foreign
from pipeline.testcases.literals import matching, parse_expression, value_of

_GAP, _BLANKS = re.compile(r" {2,}|\t+"), re.compile(r"[ \t]+")
_RULE = re.compile(r"[ \t]*[-|+][-+|:= \t]{2,}")
_RULES = re.compile(rf"(?:^{_RULE.pattern}\n)+\Z", re.MULTILINE)
_FENCE = re.compile(r"[ \t]*(?:```|~~~)")
_FOOT = re.compile(
    r"[ \t]*(?:Name: .*|dtype: \w+|Freq: .*|Length: .*|\[\d+ rows x \d+ columns\]|\(\d+ rows?\)"
    r"|\d+ rows? in set.*)"
)
_INDEX = re.compile(r"-?\d+")
_VALUE = re.compile(r"-?\d+(?:\.\d+)?|NaN")
_LABEL = re.compile(
    r"(?:^|\s)[`*#]{0,3}([A-Za-z_]\w*)[`*]{0,2}(?: table)?[:=`* ]*\n\s*(?:```\w*\s*)?$"
)
_WORD = re.compile(r"\S+")
_HEADS = re.compile(r"\S+(?: \S+)*")
_NUMBERED = re.compile(r"\d+ ")
_NAME = re.compile(r"[^\W\d][\w.%#/-]*(?: [\w.%#/-]+){0,3}|\d{1,4}")
_ONE_COLUMN = re.compile(
    r"^ {1,40}(\w{1,60}) *\n-{3,200}\n((?: [^|\n]{0,200}\n){1,40})\(\d{1,9} rows?\)", re.MULTILINE
)
_MADE = re.compile(r"^[ \t>.]*(?:(\w+)[ \t]*=[ \t]*)?(?:pd|pandas)\.DataFrame(?=\()", re.MULTILINE)
# Cells that a table shows otherwise than they are kept.
_ADORNED = re.compile(r"[$€£]|\d,\d{3}|\d ?%")
_CUT = re.compile(r"^\.\.$|\.\.\.$|…$")
_MOST_LINES, _MOST_COLUMNS, _LONGEST = 40, 12, 200


@dataclass(frozen=True, slots=True)
class Printed:
    """A table, or an array. `begin` and `end`: where it stands in the text. `columns`: "" for one
    without a name, () of an array. `label`: the variable that the text sets, or the word before it.
    `source`: that of one that the text makes."""

    begin: int
    end: int
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    label: str = ""
    source: str = ""

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


def tables_in(text: str) -> list[Printed]:
    """In their order."""
    made = [*_made(text), *_of_one_column(text)]
    printed = (
        replace(each, label=label_of(text[max(0, each.begin - _LONGEST) : each.begin]))
        for begin, lines in _blocks(text)
        for each in _printed(begin, lines)
        if not any(_overlap(each, other) for other in made)
    )
    return sorted([*made, *printed], key=lambda each: each.begin)


def _overlap(one: Printed, other: Printed) -> bool:
    return one.begin < other.end and other.begin < one.end


def label_of(before: str) -> str:
    """`users` where a text ends with "users:"; else ""."""
    found = _LABEL.search(_RULES.sub("", before))
    return found[1] if found else ""


def _blocks(text: str) -> Iterator[tuple[int, list[str]]]:
    """Lines without an empty one between them, all with bars or none, with where they begin."""
    block: list[str] = []
    at = begin = 0
    for line in text.split("\n"):
        is_end = not line.strip() or _FENCE.match(line) is not None
        is_other = bool(block) and _is_ruled(line) != _is_ruled(block[-1])
        if block and (is_end or is_other):
            yield begin, block
            block = []
        if not is_end:
            begin = begin if block else at
            block.append(line)
        at += len(line) + 1
    if block:
        yield begin, block


def _is_ruled(line: str) -> bool:
    return "|" in line or _RULE.fullmatch(line) is not None


def _printed(begin: int, lines: list[str]) -> Iterator[Printed]:
    """The tables with which a block ends, one below the other; what stands before says what they
    are."""
    if len(lines) > _MOST_LINES or any(len(line) > _LONGEST for line in lines):
        return
    while lines and _FOOT.fullmatch(lines[-1]):
        lines = lines[:-1]
    for first in range(len(lines) - 1):
        found = _read(lines[first:])
        above = [*_printed(begin, lines[:first])] if found and first else []
        is_part = first > 0 and _GAP.search(lines[first - 1]) is not None and not above
        if found and not is_part:
            yield from above
            columns, rows = found
            at = begin + sum(len(line) + 1 for line in lines[:first])
            end = begin + sum(len(line) + 1 for line in lines) - 1
            yield Printed(at, end, columns, rows)
            return


_Cells = tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]


def _read(lines: list[str]) -> _Cells | None:
    """The columns' names and the cells of lines that are one table."""
    if "|" in lines[0]:
        return _ruled([line for line in lines if not _RULE.fullmatch(line)])
    for mark in "\t", ",", ";":
        if mark in lines[0].strip():
            head, *rows = ([cell.strip() for cell in line.split(mark)] for line in lines)
            return _as_table(head, rows)
    lines = _with_one_head(lines)
    if found := _below(lines, _WORD) or _below(lines, _HEADS):
        return found
    apart, close = _split(lines, _GAP), _split(lines, _BLANKS)
    if close and len(close[0]) > 1 and _are_aligned(lines):
        return close
    return apart if apart and (len(apart[0]) > 1 or _is_numbered(lines)) else None


def _with_one_head(lines: list[str]) -> list[str]:
    """With the name of the rows, which stands below the head, in it; what the columns are called
    together, which stands in that place, is left out."""
    names, *rest = (line.split() for line in lines[1:3])
    if len(lines) < 3 or len(names) != 1 or len(*rest) < 2 or lines[1][0] == " ":
        return lines
    head = (
        lines[0] if lines[0][0] == " " else _WORD.sub(lambda each: " " * len(each[0]), lines[0], 1)
    )
    name = names[0]
    if head[: len(name)].strip() or not head.strip():
        return lines
    return [f"{name}{head[len(name) :]}", *lines[2:]]


def _is_numbered(lines: list[str]) -> bool:
    """Whether numbers of rows stand before all lines but the head."""
    return all(_NUMBERED.match(line) for line in lines[1:]) and lines[0].startswith(" ")


def _split(lines: list[str], gap: re.Pattern[str]) -> _Cells | None:
    head, *rows = ([*filter(None, gap.split(line.strip()))] for line in lines)
    if len(head) == 1 and len(rows[0]) == 2 and not lines[0][:1].isspace():
        head = [*head, ""]  # a Series has no head but the name of its rows
    return _as_table(head, rows)


def _below(lines: list[str], heads: re.Pattern[str]) -> _Cells | None:
    """What stands below each name, which ends where it does: texts with blanks in them, and empty
    cells."""
    ends = [match.end() for match in heads.finditer(lines[0])]
    is_numbered = _is_numbered(lines)
    if not is_numbered and (len(ends) < 2 or {*map(len, lines)} != {ends[-1]}):
        return None
    if any(line[end : end + 1].strip() for line in lines for end in ends) or (
        any(len(line) > ends[-1] for line in lines)
    ):
        return None  # something stands below two names
    rows = []
    for line in lines[1:]:
        begins = [len(line.split(" ")[0]) if is_numbered else 0, *ends]
        rows.append([line[at:end].strip() for at, end in pairwise(begins)])
    is_full = all(any(column) for column in zip(*rows, strict=True))
    return _as_table(heads.findall(lines[0]), rows) if is_full else None


def _ruled(lines: list[str]) -> _Cells | None:
    if len(lines) < 2 or not all("|" in line for line in lines):
        return None
    lines = [line.strip() if lines[0].strip().startswith("|") else line for line in lines]
    lines = [
        line.removeprefix("|").removesuffix("|") if lines[0][0] == "|" else line for line in lines
    ]
    head, *rows = ([cell.strip() for cell in line.split("|")] for line in lines)
    return _as_table(head, rows)


def _as_table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> _Cells | None:
    """With the numbers of the rows left out."""
    widths = {len(row) for row in rows}
    if len(widths) != 1 or not 0 < len(head) <= _MOST_COLUMNS:
        return None
    width = widths.pop()
    if width == len(head) + 1:
        head = ["", *head]
    if width != len(head) or not all(map(_NAME.fullmatch, filter(None, head))):
        return None
    if next(filter(None, head), "0").isdigit():
        return None
    if not head[0] and all(_INDEX.fullmatch(row[0]) for row in rows):
        head, rows = head[1:], [row[1:] for row in rows]
    if not any(head) or head.count("") > 1 or len({*head}) < len(head):
        return None
    return tuple(head), tuple(map(tuple, rows))


def _are_aligned(lines: list[str]) -> bool:
    """Whether words end where those of the head do, as pandas prints columns."""
    ends = [[match.end() for match in re.finditer(r"\S+", line)] for line in lines]
    return all(each[-len(ends[0]) :] == ends[0] for each in ends[1:])


def series_at(text: str, begin: int) -> Printed | None:
    """Names with a number each, as pandas prints a Series: it has no head, so that only what stands
    before it says that it is one."""
    for at, lines in _blocks(text):
        while lines and _FOOT.fullmatch(lines[-1]):
            lines = lines[:-1]
        rows = [tuple(_BLANKS.split(line.strip())) for line in lines]
        if (
            at >= begin
            and 1 < len(rows) <= _MOST_LINES
            and all(len(row) == 2 and _VALUE.fullmatch(row[1]) for row in rows)
        ):
            end = at + sum(len(line) + 1 for line in lines) - 1
            return Printed(at, end, ("", ""), tuple(rows))
    return None


def _made(text: str) -> Iterator[Printed]:
    """`df = pd.DataFrame({"a": [1, 2]})`, if what stands in it is plain."""
    for match in _MADE.finditer(text):
        end = matching(text, match.end())
        call = parse_expression(f"f{text[match.end() : end]}") if end else None
        if end and isinstance(call, ast.Call) and (found := _cells_of(call)):
            source = f"pd.DataFrame{ast.unparse(call)[1:]}"
            yield Printed(match.start(), end, *found, match[1] or "", source)


def _of_one_column(text: str) -> Iterator[Printed]:
    """As PostgreSQL's terminal shows it: nothing but its last line tells that it is one."""
    for match in _ONE_COLUMN.finditer(text):
        rows = tuple((cell.strip(),) for cell in match[2].splitlines())
        yield Printed(match.start(), match.end(), (match[1],), rows)


def _cells_of(call: ast.Call) -> _Cells | None:
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
