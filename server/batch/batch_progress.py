"""How far a batch is: a bar on a terminal, a line now and then elsewhere."""

import time
from typing import Self

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

from server.batch.batch_job import BatchTally
from server.runtime.units import in_time
from server.terminal.console import say

LINE_EVERY_S = 15.0


class BatchProgress:
    """Counts a batch's answers and shows rate, failures and time left on stderr. `quiet` shows
    nothing before the end."""

    def __init__(self, tally: BatchTally, *, quiet: bool) -> None:
        self.tally = tally
        console = Console(stderr=True, highlight=False)
        self._quiet = quiet
        self._bar = Progress(
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.description}", markup=False),
            console=console,
            disable=quiet or not console.is_terminal,
            transient=True,
        )
        self._task = self._bar.add_task("", total=tally.to_ask)
        self._begun = self._said = time.monotonic()

    def __enter__(self) -> Self:
        self._begun = self._said = time.monotonic()
        self._bar.start()
        return self

    def __exit__(self, *error: object) -> None:
        self.tally.seconds = time.monotonic() - self._begun
        self._bar.stop()

    def note(self, error: str | None) -> None:
        """One more answer, with its error's code."""
        now = time.monotonic()
        self.tally.note(error)
        self.tally.seconds = now - self._begun
        self._bar.update(self._task, advance=1, description=self._rate())
        if self._bar.disable and not self._quiet and now - self._said >= LINE_EVERY_S:
            self._said = now
            say(f"{self.tally.answered:,} of {self.tally.to_ask:,}, {self._rate()}")

    def _rate(self) -> str:
        tally = self.tally
        left = f", {in_time(tally.left_s)} left" if tally.left_s else ""
        return f"{tally.per_s:.1f}/s, {tally.failed:,} failed{left}"


def summary(tally: BatchTally) -> str:
    """What a batch came to, in a sentence."""
    parts = [f"{tally.answered - tally.failed:,} answered", f"{tally.failed:,} failed"]
    if tally.before:
        parts.append(f"{tally.before:,} answered before")
    if tally.failed_before:
        parts.append(f"{tally.failed_before:,} failed before")
    if left := tally.to_ask - tally.answered:
        parts.append(f"{left:,} not asked")
    return f"{', '.join(parts)}; {in_time(tally.seconds)}, {tally.per_s:.1f}/s."
