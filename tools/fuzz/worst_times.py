"""The table of tools/fuzz/README.md: the worst time of each reader, the slowest first, and which of
them are called beside the event loop."""

import re
from pathlib import Path

from tools.fuzz.beside_loop import BESIDE_LOOP
from tools.fuzz.readers import READERS
from tools.fuzz.sweep import Took

PAGE = Path(__file__).with_name("README.md")
_ROW = re.compile(
    r"^\| (?P<name>[^|`]+) \| (?P<seconds>[\d.]+) \| (?P<size>[\d,]+) \| (?P<text>`` .* ``) \|.*$",
    re.MULTILINE,
)


def row(name: str, took: Took) -> str:
    text = took.text.replace("|", "¦")  # the table's own mark
    return _row(name, f"{took.seconds:.3f}", f"{took.size:,}", f"`` {text} ``")


def _row(name: str, seconds: str, size: str, text: str) -> str:
    return f"| {name} | {seconds} | {size} | {text} | {'yes' if name in BESIDE_LOOP else ''} |"


def rows() -> dict[str, str]:
    """Those of the page, by the reader's name."""
    found = _ROW.finditer(PAGE.read_text("utf-8"))
    return {row["name"]: _row(**row.groupdict()) for row in found}


def write(name: str, took: Took) -> None:
    """Puts the row into the page; what is no reader any more goes."""
    kept = {each: line for each, line in rows().items() if each in READERS}
    lines = sorted((kept | {name: row(name, took)}).values(), key=_seconds, reverse=True)
    head = PAGE.read_text("utf-8").partition("\n|---|")[0]
    PAGE.write_text("\n".join([head, "|---|---|---|---|---|", *lines, ""]), "utf-8")


def _seconds(line: str) -> float:
    found = _ROW.match(line)
    return float(found["seconds"]) if found else 0.0
