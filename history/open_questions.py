"""Open questions of a run: examples that a model reads in the request and the answer does not hold,
calls on which its drafts differ and nothing decides who is right, or which show nothing of a change
that was asked for, tests that fail with each of them, that nobody but a small model said yes to its
own code, and why that could not be run; else why the draft is undecided. Pure, and safe on any
record."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, islice
from typing import Any

from history.record_values import as_table, as_tables, as_text

_MOST = 5
_KEYS = ("call", "here", "elsewhere")
_UNCONFIRMED = "unconfirmed: "
_ONLY = "only its writer, "
_UNRUN = "not run here: "
_WITH_ROWS = "with the rows "
_UNDECIDED = "undecided: "
_DATABASES = "databases"
UNCOMPARED = "nothing of it could be compared"


def open_questions(record: Mapping[str, Any]) -> list[str]:
    """`mean([]) gives 0.0, in other drafts it raises ZeroDivisionError`, a line for each call, and
    one for each example and each test that is skipped, and one where nothing was compared; none
    where it is not a draft that was returned."""
    if record.get("final_source") != "coder":
        return []
    made = as_table(record.get("artefact"))
    found = chain(
        _unheld_examples(made),
        _differences(made, of_rows=record.get("language") == "sql"),
        _unchanged(made),
        _skipped_tests(made),
        _unconfirmed(record),
    )
    return [*islice(found, _MOST)] or [*_undecided(record)]


def _unheld_examples(made: Mapping[str, Any]) -> Iterator[str]:
    chosen = next((row for row in as_tables(made.get("drafts")) if row.get("chosen")), {})
    for row in as_tables(made.get("read_examples")):
        holds = row.get("held_by")
        if row.get("test") and isinstance(holds, list) and chosen.get("number") not in holds:
            yield f"{row['test']}, an example that a model found in the request, fails"


def example_decides(questions: Sequence[str]) -> bool:
    """Whether an example in the request would; none can be given of a query, and of a page."""
    return not any(
        each.startswith(_WITH_ROWS) or each.endswith(UNCOMPARED) or _DATABASES in each
        for each in questions
    )


def _differences(made: Mapping[str, Any], *, of_rows: bool) -> Iterator[str]:
    form = "{call} {here}, in other drafts it {elsewhere}"
    if of_rows:
        form = _WITH_ROWS + "{call} it {here}, in other drafts it {elsewhere}"
    for row in as_tables(made.get("differences")):
        if all(map(row.get, _KEYS)):
            yield form.format(**row)


def _unchanged(made: Mapping[str, Any]) -> Iterator[str]:
    agreement = as_table(made.get("agreement"))
    calls = agreement.get("calls")
    if agreement.get("as_before") and isinstance(calls, list):
        yield f"in {len(calls)} calls it does what the earlier code did"


def _skipped_tests(made: Mapping[str, Any]) -> Iterator[str]:
    for fault in as_tables(made.get("faults")):
        if fault.get("kind") == "test" and not fault.get("serious"):
            yield f"{fault.get('path')}: {fault.get('detail')}"


def _undecided(record: Mapping[str, Any]) -> Iterator[str]:
    """Why nothing speaks for the draft, where nothing else is known of it."""
    reason = as_text(record.get("escalation_reason")) or ""
    if reason.startswith(_UNDECIDED):
        of_rows = record.get("language") == "sql" and _DATABASES not in reason
        yield reason.removeprefix(_UNDECIDED) + (f" on its {_DATABASES}" if of_rows else "")


def _unconfirmed(record: Mapping[str, Any]) -> Iterator[str]:
    reason = as_text(record.get("final_reason")) or ""
    if reason.startswith(_UNCONFIRMED):
        said = reason.removeprefix(_UNCONFIRMED)
        yield f"{said}, and {UNCOMPARED}" if said.startswith(_ONLY) else said
        notes = as_table(record.get("artefact")).get("notes")
        for note in notes if isinstance(notes, list) else ():
            if isinstance(note, str) and note.startswith(_UNRUN):
                yield note
