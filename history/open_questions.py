"""Where the drafts of a run do something else, and nothing decides who is right. Pure, and whatever
is in the record."""

from collections.abc import Mapping
from typing import Any

_MOST = 5
_KEYS = ("call", "here", "elsewhere")


def open_questions(record: Mapping[str, Any]) -> list[str]:
    """`mean([]) gives 0.0, in other drafts it raises ZeroDivisionError`, a line for each call; none
    where it is not a draft that was returned."""
    made = record.get("artefact")
    rows = made.get("differences") if isinstance(made, dict) else None
    if record.get("final_source") != "coder" or not isinstance(rows, list):
        return []
    told = [row for row in rows if isinstance(row, dict) and all(map(row.get, _KEYS))]
    return ["{call} {here}, in other drafts it {elsewhere}".format(**row) for row in told[:_MOST]]
