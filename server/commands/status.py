"""`laios status`: show whether the daemon runs and is ready."""

from typing import Any

import typer

from server.terminal.console import UNREACHABLE, fail, settings_or_exit, tell
from server.terminal.output import print_json


def status(as_json: bool = typer.Option(False, "--json", help="Print JSON.")) -> None:
    """Show whether the daemon is running and ready."""
    settings = settings_or_exit(as_json=as_json)
    from server.terminal.daemon_client import DaemonClient, Unreachable

    known: dict[str, Any] = {"running": False}
    try:
        with DaemonClient(settings) as client:
            health = client.health()  # which no token is wanted for
            known = {"running": True, "version": health["version"]}
            ready = client.ready()
    except Unreachable as error:
        if as_json:
            print_json(known | {"message": str(error)})
            raise typer.Exit(UNREACHABLE) from None
        fail(str(error), UNREACHABLE)
    if as_json:
        print_json(known | ready)
    else:
        for line in _lines(settings, health, ready):
            tell(line)
    raise typer.Exit(0 if ready["status"] == "ready" else UNREACHABLE)


def _lines(settings: Any, health: dict[str, Any], ready: dict[str, Any]) -> list[str]:
    from config import base_url
    from pipeline.models.starter import STARTER
    from server.downloads.first_model import best_found, commands_here
    from server.runtime.units import counted

    history = ready["history"]
    pending, gone = (counted(history[key], "record") for key in ("pending", "lost"))
    waiting = f", {pending} waiting for the disk" if history["pending"] else ""
    lost = f", {gone} lost" if history["lost"] else ""
    lines = [f"laios {health['version']} on {base_url(settings)}: {ready['status']}"]
    lines += [f"  {role:<9} {name}" for role, name in ready["models"].items()]
    if STARTER in ready["models"].values():
        command = commands_here(best_found())
        lines.append(f"  ! {STARTER} is only a demonstration model. A real one: {command}")
    lines.append(f"  history   {'ok' if history['ok'] else 'NOT WRITTEN'}{waiting}{lost}")
    lines.append(f"  runs      {ready['runs']} running or queued (laios ps)")
    lines += [f"  ! {each['message']}" for each in (*ready["notices"], *ready["reasons"])]
    return lines
