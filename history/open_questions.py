"""Open questions of a run: calls on which its drafts differ and nothing decides who is right, and
tests that fail with each of them. Pure, and safe on any record."""

from collections.abc import Iterator, Mapping
from itertools import chain, islice
from typing import Any

from history.record_values import as_table, as_tables

_MOST = 5
_KEYS = ("call", "here", "elsewhere")


def open_questions(record: Mapping[str, Any]) -> list[str]:
    """`mean([]) gives 0.0, in other drafts it raises ZeroDivisionError`, a line for each call, and
    one for each test that is skipped; none where it is not a draft that was returned."""
    if record.get("final_source") != "coder":
        return []
    made = as_table(record.get("artefact"))
    return [*islice(chain(_differences(made), _skipped_tests(made)), _MOST)]


def _differences(made: Mapping[str, Any]) -> Iterator[str]:
    for row in as_tables(made.get("differences")):
        if all(map(row.get, _KEYS)):
            yield "{call} {here}, in other drafts it {elsewhere}".format(**row)


def _skipped_tests(made: Mapping[str, Any]) -> Iterator[str]:
    for fault in as_tables(made.get("faults")):
        if fault.get("kind") == "test" and not fault.get("serious"):
            yield f"{fault.get('path')}: {fault.get('detail')}"
