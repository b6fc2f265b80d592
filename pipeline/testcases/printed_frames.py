"""What programs print of tables of pandas, without its layout: the numbers of the rows and the
lines on types. Two right programs print one as a table and one in a loop. Pure."""

import re

_ABOUT = re.compile(
    r"(?:Freq: [\w-]{1,20}(?:, |$))?(?:Name: .{0,80}?, )?(?:Length: \d{1,9}, )?dtype: \w{1,40}"
    r"|\[\d{1,9} rows x \d{1,9} columns\]"
)
_NUMBERED = re.compile(r"(\d{1,6})  +(\S.*)")


def without_layout(printed: str) -> str:
    """The values, line by line; as it is where no table was printed."""
    kept: list[str] = []
    series = False
    for line in printed.splitlines():
        if _ABOUT.fullmatch(line.strip()):
            series = True
            continue
        kept.append(line)
    if series and kept and re.fullmatch(r"[A-Za-z_]\w*", kept[0]):
        kept.pop(0)  # what the rows are called
    return "\n".join(_without_numbers(kept))


def _without_numbers(lines: list[str]) -> list[str]:
    """Where rows are numbered from 0 below a line with the names of columns."""
    found: list[str] = []
    awaited = 0
    for line in lines:
        row = _NUMBERED.fullmatch(line)
        if row and int(row[1]) == awaited:
            if awaited == 0 and found and re.match(r" +[A-Za-z_]", found[-1]):
                found.pop()
            found.append(row[2])
            awaited += 1
        else:
            found.append(line)
            awaited = 0
    return found
