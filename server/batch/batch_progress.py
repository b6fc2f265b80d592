"""How far a batch is: a bar on a terminal, a line now and then elsewhere."""

import time
from typing import Self

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

from server.batch.batch_job import BatchCounts
from server.runtime.units import in_time
from server.terminal.console import say

LINE_EVERY_S = 15.0


class BatchProgress:
    """Counts a batch's answers and shows rate, failures and time left on stderr. `quiet` shows
    nothing before the end."""

    def __init__(self, counts: BatchCounts, *, quiet: bool) -> None:
        self.counts = counts
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
        self._task = self._bar.add_task("", total=counts.to_ask)

    def __enter__(self) -> Self:
        self._begun = self._said = time.monotonic()
        self._bar.start()
        return self

    def __exit__(self, *error: object) -> None:
        self.counts.seconds = time.monotonic() - self._begun
        self._bar.stop()

    def count(self, error: str | None) -> None:
        """One more answer, with its error's code."""
        now = time.monotonic()
        self.counts.count(error)
        self.counts.seconds = now - self._begun
        self._bar.update(self._task, advance=1, description=self._rate())
        if self._bar.disable and not self._quiet and now - self._said >= LINE_EVERY_S:
            self._said = now
            say(f"{self.counts.answered:,} of {self.counts.to_ask:,}, {self._rate()}")

    def _rate(self) -> str:
        counts = self.counts
        left = f", {in_time(counts.left_s)} left" if counts.left_s else ""
        return f"{counts.per_s:.1f}/s, {counts.failed:,} failed{left}"


def summary(counts: BatchCounts) -> str:
    """What a batch came to, in a sentence."""
    parts = [f"{counts.answered - counts.failed:,} answered", f"{counts.failed:,} failed"]
    if counts.before:
        parts.append(f"{counts.before:,} answered before")
    if counts.failed_before:
        parts.append(f"{counts.failed_before:,} failed before")
    if counts.left:
        parts.append(f"{counts.left:,} not answered")
    return f"{', '.join(parts)}; {in_time(counts.seconds)}, {counts.per_s:.1f}/s."
