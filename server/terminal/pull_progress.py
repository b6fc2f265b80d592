"""Progress of a model download: bars on a terminal, lines elsewhere, JSON for programs."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import TYPE_CHECKING

from server.terminal.console import safe_text, say
from server.terminal.output import print_json

if TYPE_CHECKING:
    from rich.progress import TaskID

    from pipeline.models.ollama_library import PullFrame

Report = Callable[["PullFrame"], None]


def pull_reporter(as_json: bool) -> AbstractContextManager[Report]:
    """What gets the frames of a pull."""
    from rich.console import Console

    if as_json:
        return nullcontext(lambda frame: print_json(frame.model_dump(exclude_none=True)))
    return bars() if Console(stderr=True).is_terminal else nullcontext(_new_steps(say))


def _new_steps(tell: Callable[[str], None]) -> Report:
    """Tells each step once."""
    last = ""

    def report(frame: "PullFrame") -> None:
        nonlocal last
        if frame.status != last:
            last = frame.status
            tell(last)

    return report


@contextmanager
def bars() -> Iterator[Report]:
    """A bar for each layer on stderr, and a line for each other step."""
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        DownloadColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
        TransferSpeedColumn,
    )
    from rich.text import Text

    layers: dict[str, TaskID] = {}
    with Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        DownloadColumn(),
        TransferSpeedColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True, highlight=False),
    ) as progress:
        step = _new_steps(lambda said: progress.console.print(Text(safe_text(said), style="dim")))

        def report(frame: "PullFrame") -> None:
            if frame.digest is None:
                step(frame)
                return
            done, total = frame.completed or 0, frame.total
            if frame.digest not in layers:
                what = safe_text(frame.status.removeprefix("pulling "))
                layers[frame.digest] = progress.add_task(what, total=total, completed=done)
            progress.update(layers[frame.digest], completed=done, total=total)

        yield report
