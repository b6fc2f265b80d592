"""A table or an array that a request shows, as the source that makes it. Pure."""

import re
from collections.abc import Callable, Sequence

from pipeline.sandbox.shown_table import is_gap
from pipeline.testcases.examples.printed_tables import Printed

_NUMBER = re.compile(r"[-+]?(?:0|[1-9]\d*)(?:\.\d*)?(?:e[-+]?\d+)?", re.IGNORECASE)
_DATE = re.compile(r"\d{4}-\d\d-\d\d(?:[ T]\d\d:\d\d(?::\d\d)?)?")
_OF_MOMENTS = re.compile(
    r"\.dt\b|\b(?:merge_asof|between_time|asof|Timedelta|date_range)\b|\bGrouper\b|\.resample\(|\bTimestamp\b|\btimedelta|\.rolling\(['\"]"
)
_NAME = re.compile(r"\bName: ([^,]+),")
_OF_TEXTS = re.compile(r"dtype: (?:object|str|string)")
_SAYS_MOMENTS = re.compile(r"\bdatetime|\btimestamps?\b", re.IGNORECASE)


def source_of(shown: Printed, program: str, request: str) -> str:
    """Its own, where the text has it. Program and request tell whether dates are texts."""
    if shown.source:
        return shown.source
    of_moments = bool(_OF_MOMENTS.search(program) or _SAYS_MOMENTS.search(request))
    if shown.foot:
        return _series(shown, of_moments=of_moments)
    moments = {name for name in shown.columns if of_moments and not _is_text(name, program)}
    columns = zip(shown.columns, zip(*shown.rows, strict=True), strict=True)
    cells = (f"{name!r}: {_column(items, as_moments=name in moments)}" for name, items in columns)
    return f"pd.DataFrame({{{', '.join(cells)}}})"


def has_dates(shown: Printed) -> bool:
    """Whether a column has nothing else."""
    return any(all(map(_DATE.fullmatch, cells)) for cells in zip(*shown.rows, strict=True))


def _series(shown: Printed, *, of_moments: bool) -> str:
    *names, values = zip(*shown.rows, strict=True)
    is_text = _OF_TEXTS.search(shown.foot)
    held = _listed(values, repr) if is_text else _column(values, as_moments="time" in shown.foot)
    of_moments = of_moments or "Freq:" in shown.foot
    parts = [held, *(f"index={_column(each, as_moments=of_moments)}" for each in names)]
    if name := _NAME.search(shown.foot):
        parts.append(f"name={name[1]!r}")
    return f"pd.Series({', '.join(parts)})"


def _column(cells: Sequence[str], *, as_moments: bool) -> str:
    """Its values: numbers and truth where all cells are such."""
    there = [cell for cell in cells if not is_gap(cell)]
    is_plain = all(map(_NUMBER.fullmatch, there)) or all(c in ("True", "False") for c in there)
    texts = _listed(cells, str if is_plain else repr)
    is_date = there and all(map(_DATE.fullmatch, there))
    return f"pd.to_datetime({texts})" if is_date and as_moments else texts


def _listed(cells: Sequence[str], written: Callable[[str], str]) -> str:
    return f"[{', '.join('None' if is_gap(cell) else written(cell) for cell in cells)}]"


def _is_text(column: str, program: str) -> bool:
    """Whether the program uses it as that."""
    return bool(re.search(rf"\[['\"]{re.escape(column)}['\"]\]\.str\b", program))
