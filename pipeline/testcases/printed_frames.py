"""What programs print of tables of pandas, without its layout: the numbers of the rows and the
lines on types. Two right programs print one as a table and one in a loop. Pure."""

import re

_ABOUT = re.compile(
    r"(?:Freq: [\w-]{1,20}(?:, |$))?(?:Name: .{0,80}?, )?(?:Length: \d{1,9}, )?dtype: \w{1,40}"
    r"|\[\d{1,9} rows x \d{1,9} columns\]"
)
_NAME = re.compile(r"[A-Za-z_]\w{0,40}")
_HEAD = re.compile(r" {1,40}[A-Za-z_]")
_NUMBERED = re.compile(r"(\d{1,6})  +(\S.*)")


def without_layout(printed: str) -> str:
    """The values, line by line; as it is where no table was printed."""
    lines = printed.splitlines()
    kept = [line for line in lines if not _ABOUT.fullmatch(line.strip())]
    if kept and len(kept) < len(lines) and _NAME.fullmatch(kept[0]):
        kept.pop(0)  # what the rows are called
    return "\n".join(_without_numbers(kept))


def _without_numbers(lines: list[str]) -> list[str]:
    """Where rows are numbered from 0 below a line with the names of columns."""
    found: list[str] = []
    awaited = -1  # the number that the next row has; -1 outside of a table
    for line in lines:
        row = _NUMBERED.fullmatch(line)
        if row and row[1] == "0" and found and _HEAD.match(found[-1]):
            found.pop()
            awaited = 0
        if row and int(row[1]) == awaited:
            found.append(row[2])
            awaited += 1
        else:
            found.append(line)
            awaited = -1
    return found
