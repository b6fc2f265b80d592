"""`laios history`: the runs on record, from the files themselves; no daemon is needed."""

import asyncio
import sys
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import typer

from server.commands import completion, merge
from server.commands.filter_option import current_index, filter_of, index_errors, index_of
from server.commands.mode_option import mode_or_exit
from server.commands.moment_option import moment_or_exit
from server.terminal.console import (
    RUN_FAILED,
    USAGE,
    confirmed,
    fail,
    one_line,
    refuse,
    say,
    settings_or_exit,
    tell,
)
from server.terminal.output import print_text, refuse_options_before

if TYPE_CHECKING:
    from config import Settings
    from dashboard.filters import Filter
    from history.index_row import Row
    from history.reader import Reader
    from history.record import Record
    from history.run_index import Index

app = typer.Typer(help="Show, search and prune the history of runs.", invoke_without_command=True)

_MOST = 1_000_000_000  # runs to show


@app.callback()
def history(
    context: typer.Context,
    number: int = typer.Option(20, "-n", min=1, max=_MOST, help="Show this many runs, the newest."),
    query: str = typer.Option(
        None, "-q", help='Words, a "phrase", or a filter as on the dashboard: rating:up mode:raw.'
    ),
    session: str = typer.Option(None, "-s", help="Only runs of this session."),
    mode: str = typer.Option(
        None,
        "--mode",
        "-m",
        help="Only runs of this mode, by its name or tag.",
        autocompletion=completion.modes,
    ),
    since: str = typer.Option(
        None, help="Only runs since then: 30m, 2h, 7d, or a date such as 2026-11-20."
    ),
    as_json: bool = typer.Option(
        False,
        "--json",
        help="Print the records, one JSON object per line; nothing if there are none.",
    ),
    everything: bool = typer.Option(
        False, "--all", help="Include what chat frontends asked for by themselves."
    ),
    follow: bool = typer.Option(
        False, "-f", "--follow", help="Keep showing new runs until Ctrl-C."
    ),
) -> None:
    """List the newest runs, the newest last."""
    if context.invoked_subcommand:
        refuse_options_before(context, "history")
        return
    settings = settings_or_exit(as_json=as_json)
    reader = _reader(settings, as_json)
    moment = moment_or_exit(since) if since else None
    question = filter_of(query or "")
    question = replace(question, auxiliary=question.auxiliary or everything)
    chosen = mode_or_exit(mode, on_record=True) if mode else None
    wanted = question.narrowed(moment, session=session or None, mode=chosen)
    new = reader.follow() if follow else None  # from here on, so that nothing falls between
    records = _find(settings, reader, wanted, number)
    _print(records, as_json)
    if not records and not follow:
        _require_modes(question)
        say('No runs yet. Try: laios run "…"' if wanted.unlimited else "No runs match.")
    if new:
        _follow(settings, new, wanted, as_json)


def _kind(wanted: "Filter") -> str | None:
    """That of the runs that are meant, if the filter names none; None: any."""
    return None if wanted.shows_auxiliary else "run"


def _find(
    settings: "Settings", reader: "Reader", wanted: "Filter", number: int
) -> Sequence[Mapping[str, Any]]:
    """The newest runs that fit, oldest first. The index finds faster what is narrow."""
    kind = _kind(wanted)
    if wanted.unlimited:
        return reader.page(limit=number, kind=kind)[::-1]
    return current_index(settings).search(wanted.narrowed(kind=kind), number)[::-1]


def _fits(record: "Record", wanted: "Filter", index: "Index") -> bool:
    """Whether a new run is meant."""
    kind, run_id = _kind(wanted), str(record["id"])
    if wanted.unlimited:
        return kind in (None, record.get("kind"))
    if not run_id.startswith(wanted.id or ""):
        return False
    index.catch_up()
    return bool(index.search(replace(wanted.narrowed(kind=kind), id=run_id), 1))


def _follow(
    settings: "Settings", new: "AsyncIterator[Record]", wanted: "Filter", as_json: bool
) -> None:
    """Prints new runs as they are recorded, until Ctrl-C."""
    index = index_of(settings)

    async def print_new() -> None:
        async for record in new:
            if _fits(record, wanted, index):
                _print([record], as_json)

    with suppress(KeyboardInterrupt), index_errors():
        asyncio.run(print_new())


@app.command()
def show(
    run_id: str = typer.Argument(
        None,
        metavar="ID",
        help="The run's id. Default: the newest run.",
        autocompletion=completion.recorded_ids,
    ),
    full: bool = typer.Option(
        False, "--full", help="Print whole patches, not only the names of their files."
    ),
    as_json: bool = typer.Option(False, "--json", help="Print the record as JSON."),
) -> None:
    """Show everything that is recorded about one run."""
    settings = settings_or_exit(as_json=as_json)
    is_named = run_id is not None
    record = _record(settings, run_id, as_json) if is_named else _newest(settings, as_json)
    if as_json:
        _print([record], as_json=True)
        return
    from history.ratings import Ratings
    from server.terminal.record_sections import sections

    said = Ratings(settings.HISTORY_DIR).of(record["id"])
    rated = [("rating", f"{said.rating} {said.note or ''}".rstrip())] if said else []
    for title, text in (("run", _line(record)), *rated, *sections(record, folded=not full)):
        typer.secho(title, fg="cyan", bold=True)
        tell(text.rstrip("\n") + "\n")


def _newest(settings: "Settings", as_json: bool) -> "Record":
    """Of a person's runs, as they are listed. Exits where there is none."""
    newest = _reader(settings, as_json).page(limit=1, kind="run")
    if not newest:
        refuse("not_found", "There are no runs in the history yet.", RUN_FAILED, as_json=as_json)
    return newest[0]


def _record(settings: "Settings", run_id: str, as_json: bool = False) -> "Record":
    """The run with this id, or the one whose id alone begins so. Exits where there is none."""
    if not run_id.strip():  # with which every id begins
        refuse("bad_request", "The run's id is empty. See: laios history", USAGE, as_json=as_json)
    if record := _reader(settings, as_json).get(run_id):
        return record
    begins_so = replace(filter_of(""), id=run_id, auxiliary=True)
    found = current_index(settings).search(begins_so, limit=2)
    if len(found) > 1:
        message = f"More than one run's id starts with {run_id!r}: write more of it."
        refuse("bad_request", message, USAGE, as_json=as_json)
    if not found:
        message = f"There is no run {run_id!r} in the history. See: laios history"
        refuse("not_found", message, RUN_FAILED, as_json=as_json)
    return found[0]


@app.command()
def rate(
    run_id: str = typer.Argument(
        None,
        metavar="[ID]",
        help="The run's id. Default: the newest run.",
        autocompletion=completion.recorded_ids,
    ),
    rating: str = typer.Argument(
        None,
        metavar="up|down|none",
        help="none takes an earlier rating back.",
        autocompletion=completion.offer(lambda: ("up", "down", "none")),
    ),
    note: list[str] = typer.Argument(None, metavar="NOTE", help="Why, in a few words."),
) -> None:
    """Rate a run's answer. The last rating counts; earlier ones are kept in the file."""
    from history.ratings import Rating, Ratings, mark_of

    settings = settings_or_exit()
    words = [each for each in (run_id, rating, *(note or ())) if each is not None]
    if not words:
        fail("Write up, down or none.", USAGE)
    is_named = mark_of(words[0]) is None and len(words) > 1  # no id is one of these words
    said, *why = words[is_named:]
    mark = mark_of(said)
    if mark is None:
        fail(f"{said!r} is not a rating. Write up, down or none.", USAGE)
    record = _record(settings, run_id) if is_named else _newest(settings, as_json=False)
    run_id = str(record["id"])
    try:
        Ratings(settings.HISTORY_DIR).append(Rating(run_id, mark, " ".join(why) or None))
    except ValueError as error:
        fail(str(error), USAGE)
    except OSError as error:
        where = error.filename or settings.HISTORY_DIR
        fail(f"The rating was not written to {where}: {error.strerror}.", RUN_FAILED)
    say(f"{run_id}: {said}")


@app.command()
def prune(
    before: str = typer.Option(..., "--before", help="A date such as 2026-11-20, or an age: 30d."),
    yes: bool = typer.Option(False, "--yes", "-y", help="Do not ask."),
) -> None:
    """Delete history files whose runs are all older, and the ratings of those runs.

    The newest file stays: new runs are written to it.
    """
    from history.pruned_history import old_files, prune
    from server.runtime.units import counted

    settings = settings_or_exit()
    moment = moment_or_exit(before)
    _reader(settings, as_json=False)
    shown = moment.astimezone().isoformat(" ", "minutes")
    count = len(old_files(settings.HISTORY_DIR, moment))
    files = f"{counted(count, 'file')} in {settings.HISTORY_DIR}"
    say(
        f"To delete: {files} with only runs before {shown}. "
        "The newest file stays: new runs are written to it."
    )
    if not count:
        return
    if not (yes or sys.stdin.isatty()):
        fail("Cannot ask without a terminal: add --yes to delete.", USAGE)
    if not (yes or confirmed("Delete?")):
        raise typer.Abort
    try:
        deleted = prune(settings.HISTORY_DIR, moment)
    except OSError as error:
        fail(f"{error.filename or settings.HISTORY_DIR}: {error.strerror}.", RUN_FAILED)
    for file in deleted:
        tell(file.name)
    say(f"{counted(len(deleted), 'file')} deleted.")


app.command()(merge.merge)


def _print(records: Iterable[Mapping[str, Any]], as_json: bool) -> None:
    """One line a run: JSON as it is stored, or a line for people."""
    from history.record import encode

    for record in records:
        if as_json:
            print_text(encode(record).decode())
        else:
            tell(_line(record))
    sys.stdout.flush()


def _line(record: Mapping[str, Any]) -> str:
    from history.index_row import row_of
    from history.record_values import as_text, judged_valid

    row, valid = row_of(record), judged_valid(record)
    outcome = _outcome(row) if valid is None else "valid" if valid else "not valid"
    columns = (
        one_line(row.id, 64),
        _when(row.ts),
        f"{one_line(row.mode or '–', 40):<17}",
        f"{(row.duration_ms or 0) / 1000:.1f} s".rjust(7),
        f"{one_line(outcome, 40):<17}",
        one_line(as_text(record.get("normalized_prompt")) or "(not kept)", 60),
    )
    return "  ".join(columns)


def _when(ts: float | None) -> str:
    """Seconds since 1970 as local time."""
    from dashboard.formatting import moment

    at = moment(ts)
    return at.isoformat(" ", "seconds")[:19] if at else "time unknown".ljust(19)


def _outcome(row: "Row") -> str:
    """How the run went, in two words: the judge's scores, or what happened instead."""
    if row.error:
        return row.error
    if row.escalated:
        if row.final_source == "reviewer":
            return "reviewed"
        unreviewed = (row.final_reason or "").startswith("unreviewed")
        return "draft, unreviewed" if unreviewed else "draft kept"
    return f"judged {row.confidence or '–'}/{row.conflict or '–'}" if row.judged else "not judged"


def _reader(settings: "Settings", as_json: bool) -> "Reader":
    """Ends the command where the history cannot be read: that is not a history without runs."""
    from history.reader import Reader
    from history.segment_files import list_numbers

    try:
        list_numbers(settings.HISTORY_DIR)
    except OSError as error:
        problem = f"The history in {settings.HISTORY_DIR} cannot be read: {error.strerror}."
        way = f"{problem} Set HISTORY_DIR to the directory that has it."
        refuse("internal", way, RUN_FAILED, as_json=as_json)
    return Reader(settings.HISTORY_DIR)


def _require_modes(question: "Filter") -> None:
    """Exits where nothing fits because a filter's mode is none. Modes that are gone may be in the
    history, so that it is looked at first."""
    from pipeline.modes import MODES, OF_ROUTES

    mode_or_exit(None)  # fills MODES
    for term in question.terms:
        if term.key == "mode" and not any(term.value in name for name in (*MODES, *OF_ROUTES)):
            mode_or_exit(term.value, on_record=True)
