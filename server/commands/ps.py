"""`laios ps`: list the daemon's running and queued runs."""

import shutil
import sys
from collections.abc import Iterable
from typing import Any

import typer

from server.runtime.units import in_time
from server.terminal.console import one_line, safe_text, say, settings_or_exit, tell
from server.terminal.output import columns, daemon_or_exit, print_json

_HEAD = ("ID", "MODE", "STAGE", "MODEL", "ELAPSED", "PROMPT")
_PROMPT_CHARACTERS = 100
_LEAST = 24  # of a prompt, however narrow the terminal is


def ps(as_json: bool = typer.Option(False, "--json", help="Print JSON.")) -> None:
    """List the daemon's running and queued runs, oldest first."""
    with daemon_or_exit(settings_or_exit(as_json=as_json), as_json=as_json) as client:
        runs = client.runs()
    if as_json:
        print_json({"runs": runs})
    elif not runs:
        say("Nothing is running.")
    else:
        _print(runs)


def _print(runs: Iterable[dict[str, Any]]) -> None:
    """A line for each, as wide as the terminal."""
    lines = [*columns([_HEAD, *map(_row, runs)])]
    least = lines[0].index(_HEAD[-1]) + _LEAST
    width = max(shutil.get_terminal_size().columns, least) if sys.stdout.isatty() else None
    for line in lines:
        tell(line if width is None or len(line) <= width else line[: width - 1] + "…")


def _row(run: dict[str, Any]) -> tuple[str, ...]:
    stage = run["stage"] or run["state"]
    if position := run["queue_position"]:
        wait = run["wait_s"]
        stage = f"queued, number {position}" + (f", about {in_time(wait)}" if wait else "")
    elapsed = in_time(run["elapsed_ms"] / 1000)
    return run["id"], run["mode"], stage, run["model"] or "-", elapsed, _prompt(run)


def _prompt(run: dict[str, Any]) -> str:
    """How it begins, on one line."""
    if (prompt := run.get("prompt")) is None:  # no texts are kept, or an earlier version's daemon
        return "(not kept)"
    return one_line(safe_text(prompt), _PROMPT_CHARACTERS)
