"""A plan's steps on the terminal, ticked off as they are worked through."""

from collections.abc import Iterator
from typing import Any

from rich.console import RenderableType
from rich.live import Live
from rich.spinner import Spinner
from rich.table import Table
from rich.text import Text

from server.runtime.stage_labels import stage_label
from server.terminal.console import one_line
from server.terminal.progress import Progress

_MARKS = {"done": ("✓", "green"), "failed": ("✗", "red"), "ahead": ("·", "dim")}
_MARGIN = 6  # columns beside a description


class PlanProgress(Progress):
    """Shows a plan from the moment that there is one, and the spinner before that. It makes room
    for the answer; when there is none, it stays and tells how far the run came."""

    def __init__(self, *, enabled: bool) -> None:
        super().__init__(enabled=enabled)
        self._live: Live | None = None
        self._steps: dict[int, str] = {}
        self._states: dict[int, str] = {}
        self._now = Spinner("dots")
        self._doing = Text("", style="dim")

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        if self._live:
            self._live.stop()
            self._doing.plain = ""
            if error:
                self._console.print(self._drawn())
        super().__exit__(kind, error, trace)

    def show(self, event: dict[str, Any]) -> None:
        if not self.enabled:
            return
        if event["event"] == "plan":
            self._begin(event["steps"])
        elif event["event"] == "plan_step":
            self._states[event["step_number"]] = event["state"]
        elif self._live is None:
            super().show(event)
        elif event["event"] == "step" and event["state"] == "started":
            self._doing.plain = one_line(stage_label(event), self._console.width - _MARGIN)
        if self._live:
            self._live.update(self._drawn(), refresh=True)

    def _begin(self, steps: list[dict[str, Any]]) -> None:
        self._status.stop()
        self._steps = {step["step_number"]: step["description"] for step in steps}
        self._states = {}
        if self._live is None:
            self._live = Live(console=self._console, transient=True)
            self._live.start()

    def _drawn(self) -> RenderableType:
        table = Table.grid(padding=(0, 1))
        width = max(8, self._console.width - _MARGIN - 2)
        for number, description in self._steps.items():
            state = self._states.get(number, "ahead")
            mark, style = _MARKS.get(state, _MARKS["ahead"])
            going = state == "started" and self._doing.plain
            text = Text(one_line(description, width), style="dim" if state == "ahead" else "")
            table.add_row("", self._now if going else Text(mark, style=style), f"{number}.", text)
        table.add_row("", *self._below())
        return table

    def _below(self) -> Iterator[RenderableType]:
        """What goes on, under the steps; it spins where none of them does."""
        if self._doing.plain:
            yield "" if "started" in self._states.values() else self._now
            yield ""
            yield self._doing
