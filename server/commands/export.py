"""`laios export`: write training data from the history."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from server.commands import completion
from server.commands.filter_option import HELP, runs_that_fit
from server.terminal.console import RUN_FAILED, USAGE, fail, say, settings_or_exit, tell

if TYPE_CHECKING:
    from config import Settings
    from history.ratings import Rating
    from history.record import Record
    from server.training_data.cleaning import LeftOut

Rows = list[dict[str, Any]]
CLEANED = ("sft", "dpo")


def export(
    filter_: list[str] = typer.Argument(None, metavar="FILTER", help=HELP),
    form: str = typer.Option(
        ...,
        "--format",
        "-f",
        help="sft (request, confirmed answer), dpo (request, better and worse answer), or a table "
        "of the runs as jsonl or parquet.",
        autocompletion=completion.offer(lambda: ("sft", "dpo", "jsonl", "parquet")),
    ),
    output: Path = typer.Option(
        None,
        "--output",
        "-o",
        dir_okay=False,
        help="The file to write. Default: laios-FORMAT.jsonl (or .parquet) in this directory.",
    ),
    judged: bool = typer.Option(
        False,
        "--judged",
        help="sft: also take answers that the judge accepted, or on which drafts agree.",
    ),
    limit: int = typer.Option(
        None, "--limit", "-n", min=1, help="Use at most this many runs, the newest."
    ),
    force: bool = typer.Option(False, "--force", help="Replace the file."),
) -> None:
    """Write training data from your own history, with a data card next to it.

    sft and dpo take answers that a person rated up, or whose tests and examples pass, and leave
    near duplicates and texts with secrets out. The tables have each run as it is.
    """
    from history.ratings import Ratings
    from server.training_data.cleaning import LeftOut, MissingExtra
    from server.training_data.example_files import FORMATS

    if form not in FORMATS:
        fail(f"{form!r} is not a format. Formats: {', '.join(FORMATS)}.", USAGE)
    if str(output) == "-":
        fail("The data card is written next to the file: name a file with -o.", USAGE)
    path = output or Path(f"laios-{form}.{'parquet' if form == 'parquet' else 'jsonl'}")
    if path.exists() and not force:
        fail(f"{path} already exists. Name another with -o, or replace it: --force.", USAGE)
    settings = settings_or_exit()
    records = runs_that_fit(settings, filter_, limit, lambda record: True)
    left_out = LeftOut()
    try:
        said = Ratings(settings.HISTORY_DIR).current()
    except OSError as error:  # an answer that was rated down must not be exported for that
        fail(f"The ratings cannot be read: {error}.", RUN_FAILED)
    try:
        rows = _rows(form, records, said, left_out, judged=judged)
        if not rows:
            fail(f"Nothing was written: {_why_none(form, len(records), left_out)}", RUN_FAILED)
        _write(form, path, rows)
        card = _card(settings, form, path, " ".join(filter_ or ()), records, rows, left_out)
    except MissingExtra as error:
        fail(str(error), RUN_FAILED)
    except OSError as error:
        fail(f"{path} cannot be written: {error.strerror}.", RUN_FAILED)
    tell(str(path))
    from server.runtime.units import counted

    made = f"{counted(len(rows), 'row')} of {counted(len(records), 'run')}"
    cleaned = _gone(left_out) if form in CLEANED else "not cleaned: texts may contain secrets"
    say(f"{made}; {cleaned}. What it is: {card}")


def _gone(left_out: "LeftOut") -> str:
    secret = left_out.secrets.total()
    return f"left out: {left_out.duplicates} near duplicates and {secret} with secrets"


def _why_none(form: str, runs: int, left_out: "LeftOut") -> str:
    if not runs:
        return "no run in the history matches."
    if left_out.secrets.total():
        return f"of {runs} runs, none is left; {_gone(left_out)}."
    confirmed = "is known to be better than another" if form == "dpo" else "is confirmed"
    return (
        f"of {runs} runs, no answer {confirmed}. These confirm one: laios history rate ID up, "
        "examples in the request, ///test."
    )


def _rows(
    form: str,
    records: "Sequence[Record]",
    said: "Mapping[str, Rating]",
    left_out: "LeftOut",
    *,
    judged: bool,
) -> Rows:
    """Newest first, so that of two near duplicates the newer one stays."""
    from server.training_data.cleaning import clean
    from server.training_data.example_files import run_row
    from server.training_data.examples import answered, preferred

    newest = records[::-1]
    if form == "sft":
        return [*clean(answered(newest, said, judged=judged), left_out)]
    if form == "dpo":
        return [*clean(preferred(newest, said), left_out)]
    return [run_row(record, said.get(record["id"])) for record in records]


def _write(form: str, path: Path, rows: Rows) -> None:
    from server.training_data.example_files import write_lines, write_parquet

    if form == "parquet":
        write_parquet(path, rows)
    else:
        write_lines(path, rows)


def _card(
    settings: "Settings",
    form: str,
    path: Path,
    words: str,
    records: "Sequence[Record]",
    rows: Rows,
    left_out: "LeftOut",
) -> Path:
    """Writes the card; gives its path."""
    from pipeline.models.local_library import LocalLibrary
    from server.training_data.data_card import card_lines
    from server.training_data.example_files import private_file
    from server.training_data.licences import licences_of

    names = [model for row in rows for model in row["models"]]
    licences = licences_of(names, LocalLibrary(settings.MODELS_DIR))
    cleaned = left_out if form in CLEANED else None
    lines = card_lines(path.name, form, words, len(records), rows, cleaned, licences)
    beside = path.with_name(f"{path.name}.card.md")
    text = "".join(f"{line}\n" for line in lines)
    with private_file(beside) as new:
        new.write_text(text, encoding="utf-8", errors="backslashreplace")
    return beside
