"""Progress of a model download: bars on a terminal, lines elsewhere, JSON for programs."""

from typing import TYPE_CHECKING, Protocol

from server.terminal.console import safe_text, say
from server.terminal.output import print_json

if TYPE_CHECKING:
    from rich.progress import TaskID

    from pipeline.models.ollama_library import PullFrame


class PullReporter(Protocol):
    """Reports the progress of a pull."""

    def report(self, frame: "PullFrame") -> None: ...
    def close(self) -> None: ...


def pull_reporter(as_json: bool) -> PullReporter:
    from rich.console import Console

    if as_json:
        return JsonReporter()
    return BarReporter() if Console(stderr=True).is_terminal else LineReporter()


class JsonReporter:
    """Each piece as JSON on stdout."""

    def report(self, frame: "PullFrame") -> None:
        print_json(frame.model_dump(exclude_none=True))

    def close(self) -> None: ...


class LineReporter:
    """A line on stderr for each new step."""

    def __init__(self) -> None:
        self._last = ""

    def report(self, frame: "PullFrame") -> None:
        if frame.status != self._last:
            self._last = frame.status
            say(frame.status)

    def close(self) -> None: ...


class BarReporter:
    """A bar for each layer on stderr, and a line for each other step."""

    def __init__(self) -> None:
        from rich.console import Console
        from rich.progress import (
            BarColumn,
            DownloadColumn,
            Progress,
            TextColumn,
            TimeRemainingColumn,
            TransferSpeedColumn,
        )

        self._progress = Progress(
            TextColumn("{task.description}", markup=False),
            BarColumn(),
            DownloadColumn(),
            TransferSpeedColumn(),
            TimeRemainingColumn(),
            console=Console(stderr=True, highlight=False),
        )
        self._layers: dict[str, TaskID] = {}
        self._last = ""
        self._progress.start()

    def report(self, frame: "PullFrame") -> None:
        from rich.text import Text

        if frame.digest is None:
            if frame.status != self._last:
                self._progress.console.print(Text(safe_text(frame.status), style="dim"))
            self._last = frame.status
            return
        if frame.digest not in self._layers:
            what = safe_text(frame.status.removeprefix("pulling "))
            task = self._progress.add_task(what, total=frame.total, completed=frame.completed or 0)
            self._layers[frame.digest] = task
        self._progress.update(
            self._layers[frame.digest], completed=frame.completed or 0, total=frame.total
        )

    def close(self) -> None:
        self._progress.stop()
