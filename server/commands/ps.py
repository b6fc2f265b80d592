"""`laios ps`: list the daemon's running and queued runs."""

from typing import Any

import typer

from server.runtime.units import in_time
from server.terminal.console import say, settings_or_exit
from server.terminal.output import daemon_or_exit, print_json, print_table


def ps(as_json: bool = typer.Option(False, "--json", help="Print JSON.")) -> None:
    """List the daemon's running and queued runs, the oldest first."""
    with daemon_or_exit(settings_or_exit(as_json=as_json), as_json=as_json) as client:
        runs = client.runs()
    if as_json:
        print_json({"runs": runs})
    elif not runs:
        say("Nothing is running.")
    else:
        print_table(("ID", "MODE", "STAGE", "MODEL", "ELAPSED"), map(_row, runs))


def _row(run: dict[str, Any]) -> tuple[str, ...]:
    stage = run["stage"] or run["state"]
    if position := run["queue_position"]:
        wait = run["wait_s"]
        stage = f"queued, number {position}" + (f", about {in_time(wait)}" if wait else "")
    elapsed = in_time(run["elapsed_ms"] / 1000)
    return run["id"], run["mode"], stage, run["model"] or "-", elapsed
