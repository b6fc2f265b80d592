"""`laios history merge`: merge several histories into a new one."""

from pathlib import Path

import typer

from server.terminal.console import RUN_FAILED, fail, say, settings_or_exit


def merge(
    sources: list[Path] = typer.Argument(
        metavar="DIRECTORY",
        help="History directories, such as copies of other hosts' HISTORY_DIR.",
    ),
    into: Path = typer.Option(..., "--into", help="The directory to create."),
) -> None:
    """Merge histories into a new one, in order of time, each run once. The originals stay."""
    from history.merged_history import MergeError, merge
    from server.runtime.units import counted

    settings = settings_or_exit()
    try:
        merged = merge(sources, into, max_entries=settings.HISTORY_MAX_ENTRIES)
    except MergeError as error:
        fail(str(error), RUN_FAILED)
    say(f"{counted(merged.records, 'run')} in {into}; {merged.duplicates:,} in several histories.")
    if merged.ratings:
        say(f"{counted(merged.ratings, 'rating')} merged; if a run has several, the newest counts.")
    if merged.damaged:
        say(f"{counted(merged.damaged, 'damaged line')} left out, but still in the originals.")
    say(f"To see them: laios dashboard --history {into}")
