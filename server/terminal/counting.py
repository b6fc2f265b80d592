"""Progress of work that is counted in pieces."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from server.terminal.console import say


@contextmanager
def counting(total: int) -> Iterator[Callable[[str], None]]:
    """A bar with the time left on a terminal; elsewhere a line for each result."""
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    console = Console(stderr=True)
    if not console.is_terminal:
        yield say
        return
    look = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Progress(*look, TimeElapsedColumn(), TimeRemainingColumn(), console=console) as bar:
        task = bar.add_task("", total=total)
        yield lambda done: bar.update(task, advance=1, description=done)
