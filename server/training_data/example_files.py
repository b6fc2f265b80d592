"""Examples as files: JSON lines in the form that TRL reads, or a table of runs."""

import errno
import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from history.ratings import Rating
from history.record import Record
from history.record_values import as_text
from history.replay_pairs import facts_of
from laios.durable_file import replaced_file
from pipeline.unicode_text import values_without_surrogates
from server.training_data.cleaning import MissingExtra
from server.training_data.examples import writers_of

FORMATS = ("sft", "dpo", "jsonl", "parquet")


def run_row(record: Record, rating: Rating | None) -> dict[str, Any]:
    """A run as a row of a table, with the same columns for every run."""
    facts = facts_of(record)
    texts = ("normalized_prompt", "coder_output", "reviewer_output", "final_output", "language")
    return {
        "id": facts.id,
        "ts": as_text(record.get("ts")),
        "mode": facts.mode,
        **{name: as_text(record.get(name)) for name in texts},
        "models": writers_of(record),
        "error": facts.error,
        "escalated": facts.escalated,
        "returned": facts.returned,
        "confidence": facts.confidence,
        "conflict": facts.conflict,
        "evidence": [*(facts.evidence or ())],
        "tests_passed": facts.tests_passed,
        "tests": facts.tests,
        "tokens": facts.tokens,
        "seconds": facts.seconds,
        "rating": rating.rating if rating else None,
        "note": rating.note if rating else None,
    }


def write_lines(path: Path, rows: Iterable[Mapping[str, Any]]) -> None:
    """Raises OSError."""
    with (
        private_file(path) as new,
        new.open("w", encoding="utf-8", errors="backslashreplace") as file,
    ):
        file.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def write_parquet(path: Path, rows: list[dict[str, Any]]) -> None:
    """Raises OSError and MissingExtra."""
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError as error:
        raise MissingExtra("pyarrow") from error
    whole = values_without_surrogates(rows)
    with private_file(path) as new:
        parquet.write_table(pyarrow.Table.from_pylist(whole, _schema(pyarrow)), new)


def _schema(pyarrow: Any) -> Any:
    """Of `run_row`: a column of nothing but nulls has its type, too."""
    text, texts, count = pyarrow.string(), pyarrow.list_(pyarrow.string()), pyarrow.int64()
    kinds = {"models": texts, "evidence": texts, "escalated": pyarrow.bool_()}
    kinds |= {"seconds": pyarrow.float64()}
    kinds |= dict.fromkeys(("confidence", "conflict", "tests_passed", "tests", "tokens"), count)
    empty: Any = {"id": "", "steps": []}
    return pyarrow.schema([(name, kinds.get(name, text)) for name in run_row(empty, None)])


@contextmanager
def private_file(path: Path) -> Iterator[Path]:
    """Where to write what shall be there whole, or as it was, and for its owner alone: it holds
    what people asked. Raises OSError, also for what is not a regular file."""
    place = path.resolve()
    if place.exists() and not place.is_file():
        raise OSError(errno.EINVAL, "it is not a regular file", str(path))
    with replaced_file(place) as file:
        yield Path(file.name)
