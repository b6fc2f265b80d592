"""A project's files on the terminal, a bar for each."""

from typing import Any

from rich.progress import BarColumn, TaskID, TextColumn, TimeElapsedColumn
from rich.progress import Progress as Bars

from server.terminal.console import safe_text
from server.terminal.progress import Progress


class ProjectProgress(Progress):
    """Shows bars while files are written, and the spinner before and after that."""

    def __init__(self, *, enabled: bool) -> None:
        super().__init__(enabled=enabled)
        self._bars: Bars | None = None
        self._tasks: dict[str, TaskID] = {}

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        self._leave_bars()
        super().__exit__(kind, error, trace)

    def show(self, event: dict[str, Any]) -> None:
        if not self.enabled:
            return
        if event["event"] == "file":
            self._show_file(event)
        elif event["event"] != "step" or event["label"] not in self._tasks:
            self._leave_bars()
            super().show(event)

    def _show_file(self, event: dict[str, Any]) -> None:
        if self._bars is None:
            self._status.stop()
            self._bars = Bars(
                TextColumn("  {task.description}", markup=False),
                BarColumn(bar_width=24),
                TimeElapsedColumn(),
                console=self._console,
            )
            self._bars.start()
        path, state = event["path"], event["state"]
        if path not in self._tasks:
            self._tasks[path] = self._bars.add_task(safe_text(path), total=None)
        if state != "started":
            shown = safe_text(path if state == "done" else f"{path}: failed")
            self._bars.update(self._tasks[path], description=shown, total=1, completed=1)

    def _leave_bars(self) -> None:
        if self._bars is not None:
            self._bars.stop()
            self._bars = None
            self._tasks.clear()
            self._status.start()
