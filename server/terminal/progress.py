"""A run's stages, live on the terminal."""

from typing import Any

from rich.console import Console
from rich.text import Text

from server.runtime.stage_labels import drawing_label, stage_label
from server.terminal.console import one_line, safe_text

_MARGIN = 4


class Progress:
    """A spinner on stderr that follows a run's events, and a line for each stage that is done.
    Disabled, it prints nothing."""

    def __init__(self, *, enabled: bool) -> None:
        self.enabled = enabled
        self._console = Console(stderr=True, highlight=False)
        self._status = self._console.status("starting…")

    def __enter__(self) -> "Progress":
        if self.enabled:
            self._status.start()
        return self

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        if self.enabled:
            self._status.stop()

    def show(self, event: dict[str, Any]) -> None:
        """Takes one event of `Run.events`. Names in it are shown as plain text, never as markup."""
        if not self.enabled:
            return
        if event["event"] == "queued":
            self._status.update(Text(f"waiting, number {event['position']} in the queue"))
        elif event["event"] == "draft":
            line = one_line(drawing_label(event), self._console.width - _MARGIN)
            self._console.print(Text(f"  {line}", style="dim"))
        elif event["event"] == "step" and event["state"] == "started":
            model = f" with {event['model']}" if event["model"] else ""
            self._status.update(Text(safe_text(f"{stage_label(event)}{model}")))
        elif event["event"] == "step":
            failed = f", {event['error']}" if event["error"] else ""
            seconds = event["duration_ms"] / 1000
            line = safe_text(f"  {stage_label(event)}: {seconds:.1f} s{failed}")
            self._console.print(Text(line, style="dim"))
