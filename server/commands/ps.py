"""`laios ps`"""

from typing import Any

import typer

from server.runtime.units import in_time
from server.terminal.console import exit_code, say, settings_or_exit, tell
from server.terminal.output import columns, no_daemon, print_json, refuse


def ps(as_json: bool = typer.Option(False, "--json", help="Print JSON.")) -> None:
    """List the daemon's running and queued runs, the oldest first."""
    settings = settings_or_exit()
    from server.terminal.daemon_client import Client, Refused, Unreachable

    try:
        with Client(settings) as client:
            client.health()
            runs = client.runs()
    except Unreachable as error:
        no_daemon(error, as_json=as_json)
    except Refused as error:
        refuse(error.code, str(error), exit_code(error.code), as_json=as_json)
    if as_json:
        print_json({"runs": runs})
    elif not runs:
        say("Nothing is running.")
    else:
        head = ("ID", "MODE", "STAGE", "MODEL", "ELAPSED")
        for line in columns([head, *map(_row, runs)]):
            tell(line)


def _row(run: dict[str, Any]) -> tuple[str, ...]:
    stage = run["stage"] or run["state"]
    if position := run["queue_position"]:
        wait = run["wait_s"]
        stage = f"queued, number {position}" + (f", about {in_time(wait)}" if wait else "")
    elapsed = in_time(run["elapsed_ms"] / 1000)
    return run["id"], run["mode"], stage, run["model"] or "-", elapsed
