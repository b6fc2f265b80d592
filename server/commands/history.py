"""`laios history`: the runs on record, from the files themselves; no daemon is needed."""

import asyncio
import re
import sys
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING, Any, NamedTuple

import typer

from server.commands import completion
from server.terminal.console import (
    RUN_FAILED,
    USAGE,
    fail,
    one_line,
    progress_bar,
    safe_text,
    say,
    settings_or_exit,
)

if TYPE_CHECKING:
    from config import Settings
    from history import Reader

app = typer.Typer(help="Show, search and prune the runs on record.", invoke_without_command=True)

_UNITS = {"s": "seconds", "m": "minutes", "h": "hours", "d": "days", "w": "weeks"}


@app.callback()
def history(
    context: typer.Context,
    number: int = typer.Option(20, "-n", min=1, help="How many runs, the newest."),
    query: str = typer.Option(None, "-q", help='Words or a "phrase" in prompt or output.'),
    session: str = typer.Option(None, "-s", help="Runs of this session."),
    mode: str = typer.Option(
        None,
        "--mode",
        "-m",
        help="Runs of this mode, by name or word.",
        autocompletion=completion.modes,
    ),
    since: str = typer.Option(None, help="Runs since: 30m, 2h, 7d, or a date such as 2026-11-20."),
    as_json: bool = typer.Option(
        False, "--json", help="Print the records, one JSON object a line."
    ),
    everything: bool = typer.Option(
        False, "--all", help="What chat frontends asked for by themselves, too."
    ),
    follow: bool = typer.Option(False, "-f", "--follow", help="Go on with new runs until Ctrl-C."),
) -> None:
    """List the newest runs, the newest last."""
    if context.invoked_subcommand:
        return
    settings = settings_or_exit()
    reader = _reader(settings)
    moment = _moment(since) if since else None
    wanted = Wanted(session, _mode(mode), moment, None if everything else "run")
    new = reader.follow() if follow else None  # from here on, so that nothing falls between
    records = _find(settings, reader, query, wanted, number)
    _print(records, as_json)
    if not records and not follow:
        say("No such runs." if query or wanted.is_narrow else 'No runs yet. Try: laios run "…"')
    if new:
        _follow(new, query, wanted, as_json)


class Wanted(NamedTuple):
    """Which runs are meant, beside their words."""

    session: str | None
    mode: str | None
    since: datetime | None
    kind: str | None

    @property
    def is_narrow(self) -> bool:
        """Whether more than the kind is asked for: then the index finds it faster."""
        return any((self.session, self.mode, self.since))

    def fits(self, record: Mapping[str, Any]) -> bool:
        return (
            self.session in (None, record["session"])
            and self.mode in (None, record["mode"])
            and self.kind in (None, record["kind"])
            and (self.since is None or datetime.fromisoformat(record["ts"]) >= self.since)
        )


def _find(
    settings: "Settings", reader: "Reader", query: str | None, wanted: Wanted, number: int
) -> Sequence[Mapping[str, Any]]:
    """The newest runs that fit, oldest first."""
    if query is None and not wanted.is_narrow:
        return reader.page(limit=number, kind=wanted.kind)[::-1]
    from config import cache_dir
    from history import Index

    index = Index(settings.HISTORY_DIR, cache_dir())
    with progress_bar("Indexing the history") as advance:
        index.catch_up(advance)
    return index.search(query, limit=number, **wanted._asdict())[::-1]


def _follow(
    new: AsyncIterator[Mapping[str, Any]], query: str | None, wanted: Wanted, as_json: bool
) -> None:
    """Prints new runs as they are recorded, until Ctrl-C."""
    words = (query or "").lower().replace('"', "").split()

    async def print_new() -> None:
        async for record in new:
            text = f"{record['normalized_prompt']} {record['final_output']}".lower()
            if wanted.fits(record) and all(word in text for word in words):
                _print([record], as_json)

    with suppress(KeyboardInterrupt):
        asyncio.run(print_new())


@app.command()
def show(
    run_id: str = typer.Argument(
        None,
        metavar="[ID]",
        help="The run's id; none: the newest run.",
        autocompletion=completion.recorded_ids,
    ),
    as_json: bool = typer.Option(False, "--json", help="Print the record as JSON."),
) -> None:
    """Show one run with everything that is on record."""
    reader = _reader(settings_or_exit())
    newest = reader.page(limit=1)
    record = reader.get(run_id) if run_id else newest[0] if newest else None
    if record is None:
        which = f"no run {run_id!r}" if run_id else "no run yet"
        fail(f"There is {which} in the history.", RUN_FAILED)
    if as_json:
        _print([record], as_json=True)
        return
    from server.terminal.record_sections import sections

    typer.secho("run", fg="cyan", bold=True)
    typer.echo(f"{safe_text(_line(record))}\n")
    for title, text in sections(record):
        typer.secho(title, fg="cyan", bold=True)
        typer.echo(safe_text(text).rstrip("\n") + "\n")


@app.command()
def prune(
    before: str = typer.Option(..., "--before", help="A date such as 2026-11-20, or an age: 30d."),
    yes: bool = typer.Option(False, "--yes", "-y", help="Do not ask."),
) -> None:
    """Delete whole history files in which every run is older. Nothing else is touched."""
    from history import prune

    settings = settings_or_exit()
    day = _moment(before).date()
    if not yes:
        typer.confirm(
            f"Delete the files in {settings.HISTORY_DIR} with nothing but runs before {day}?",
            abort=True,
            err=True,
        )
    deleted = prune(settings.HISTORY_DIR, day)
    for file in deleted:
        typer.echo(file.name)
    say(f"{len(deleted)} files deleted.")


def _print(records: Iterable[Mapping[str, Any]], as_json: bool) -> None:
    """One line a run: JSON as it is stored, or a line for people."""
    from history import encode

    for record in records:
        if as_json:
            typer.echo(encode(record), nl=False)
        else:
            typer.echo(_line(record))
    sys.stdout.flush()


def _line(record: Mapping[str, Any]) -> str:
    when = datetime.fromisoformat(record["ts"]).astimezone().strftime("%Y-%m-%d %H:%M:%S")
    seconds = f"{record['duration_ms'] / 1000:.1f} s"
    prompt = one_line(record["normalized_prompt"] or "(not kept)", 60)
    columns = (
        record["id"],
        when,
        f"{record['mode']:<17}",
        f"{seconds:>7}",
        f"{_outcome(record):<17}",
    )
    return "  ".join((*columns, prompt))


def _outcome(record: Mapping[str, Any]) -> str:
    """How the run went, in two words: the judge's scores, or what happened instead."""
    if record["error"]:
        return str(record["error"]["code"])
    if record["escalated"]:
        if record.get("final_source") == "reviewer":
            return "reviewed"
        unreviewed = str(record.get("final_reason")).startswith("unreviewed")
        return "draft, unreviewed" if unreviewed else "draft kept"
    judge = record["judge"]
    return (
        f"judged {judge['confidence_score']}/{judge['conflict_score']}" if judge else "not judged"
    )


def _reader(settings: "Settings") -> "Reader":
    from history import Reader

    return Reader(settings.HISTORY_DIR)


def _mode(choice: str | None) -> str | None:
    if choice is None:
        return None
    import pipeline.capabilities  # noqa: F401  (fills MODES)
    from pipeline.errors import UnknownMode
    from pipeline.modes import resolve_mode

    try:
        return resolve_mode(choice)
    except UnknownMode as error:
        fail(error.message, USAGE)


def _moment(text: str) -> datetime:
    """`2h` ago, or a date or time in ISO 8601 (local time where no zone is given)."""
    age = re.fullmatch(r"(\d+)([smhdw])", text)
    try:
        if age:
            return datetime.now(UTC) - timedelta(**{_UNITS[age[2]]: int(age[1])})
        return datetime.fromisoformat(text).astimezone(UTC)
    except (ValueError, OverflowError):
        fail(f"{text!r} is no time. Write 30m, 2h, 7d, or a date such as {date.today()}.", USAGE)
