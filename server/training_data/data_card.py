"""The card beside exported data: what it is, where it came from, what is missing. Pure."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from importlib.metadata import version
from typing import Any

from server.training_data.cleaning import SIMILAR, LeftOut

_COLUMNS = {
    "sft": "`prompt` and `completion`, conversational, as TRL's `SFTTrainer` reads them; "
    "`confirmed_by` says who confirmed the answer",
    "dpo": "`prompt`, `chosen` and `rejected`, conversational, as TRL's `DPOTrainer` reads them; "
    "`preferred_by` says who found one better",
    "jsonl": "one run a row: texts, scores, evidence, tests, tokens, seconds, rating",
    "parquet": "one run a row: texts, scores, evidence, tests, tokens, seconds, rating",
}


def card_lines(
    file: str,
    form: str,
    filter: str,
    looked_at: int,
    rows: Sequence[Mapping[str, Any]],
    left_out: LeftOut | None,
    licences: Mapping[str, str],
) -> Iterator[str]:
    """`looked_at` is the number of runs that fit the filter, `licences` are the
    models' by their names, "" where not known."""
    yield f"# {file}\n"
    yield (
        f"Exported by laios {version('laios')} on {datetime.now(UTC).date()} from the history of "
        f"one installation: {len(rows)} rows of {looked_at} runs that fit "
        f"`{filter or 'everything'}`.\n"
    )
    yield f"- Form: {form}. Columns: {_COLUMNS[form]}."
    for name in ("confirmed_by", "preferred_by", "language", "mode", "rating"):
        if any(name in row for row in rows):
            yield f"- {name}: {_counts(row.get(name) for row in rows)}"
    yield _gone(left_out)
    yield "\n## Models that wrote the texts\n"
    yield "| model | licence |\n|---|---|"
    for model, licence in sorted(licences.items()):
        yield f"| `{_plain(model)}` | {_plain(licence) or 'not known: look it up before sharing'} |"
    yield "\nSome licences do not let what a model wrote train other models. Read them first.\n"
    yield "## What it is not\n"
    yield (
        "Requests are what people of this installation asked, so they may name persons, customers "
        "or code of others: whoever shares the file has to read it. Confirmed means that tests, "
        "the request's own examples or a person found nothing wrong, not that the answer is right."
    )


def _gone(left_out: LeftOut | None) -> str:
    if left_out is None:
        return "- Neither near duplicates nor secrets were taken out: this is a table of runs."
    kinds = f" ({_counts(left_out.secrets.elements())})" if left_out.secrets else ""
    return (
        f"- Left out: {left_out.duplicates} near duplicates (Jaccard similarity of {SIMILAR} and "
        f"more), {left_out.secrets.total()} with what looks like a secret{kinds}."
    )


def _counts(values: Any) -> str:
    counted = Counter(_plain(str(value or "none")) for value in values)
    return ", ".join(f"{value} {count}" for value, count in counted.most_common(20))


def _plain(text: str) -> str:
    """On one line, and nothing that Markdown would read as a table's edge."""
    return " ".join(text.replace("|", "/").replace("`", "'").split())[:200]
