"""`laios cancel`: cancel runs of the daemon."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import typer

from server.commands.completion import running_ids
from server.terminal.console import RUN_FAILED, USAGE, fail, say, settings_or_exit, tell
from server.terminal.output import daemon_or_exit, print_json

if TYPE_CHECKING:
    from server.terminal.daemon_client import DaemonClient


def cancel(
    run_ids: list[str] = typer.Argument(
        None,
        metavar="ID",
        help="Ids of the runs, or their beginnings; see laios ps.",
        autocompletion=running_ids,
    ),
    everything: bool = typer.Option(False, "--all", help="Cancel every running and queued run."),
    as_json: bool = typer.Option(False, "--json", help="Print one JSON object for each run."),
) -> None:
    """Cancel running or queued runs. Their callers get the error `cancelled`."""
    if bool(run_ids) == everything:
        fail("Which runs? laios cancel ID (see laios ps), or laios cancel --all.", USAGE)
    with daemon_or_exit(settings_or_exit(as_json=as_json), as_json=as_json) as client:
        missing = _cancel(client, run_ids or _newest_first(client), everything, as_json)
    if missing:
        raise typer.Exit(RUN_FAILED)


def _newest_first(client: "DaemonClient") -> list[str]:
    """Those that wait go before those that run, so that none of them is started by the way."""
    runs = [run["id"] for run in reversed(client.runs())]
    if not runs:
        say("Nothing is running.")
    return runs


def _cancel(client: "DaemonClient", run_ids: Iterable[str], everything: bool, as_json: bool) -> int:
    """How many of the runs there were none of; with `everything`, one that has ended is no miss."""
    from laios.errors import BadRequest, NotFound

    missing = 0
    for run_id in run_ids:
        try:
            answer = _cancel_one(client, run_id)
        except (NotFound, BadRequest) as error:
            if everything:
                continue
            missing += 1
            answer = {"id": run_id, "error": {"code": error.code, "message": str(error)}}
        _tell(answer, as_json)
    return missing


def _cancel_one(client: "DaemonClient", run_id: str) -> dict[str, Any]:
    """What came of cancelling the run with this id, or the one whose id alone begins so. Raises
    NotFound, and BadRequest where several begin so."""
    from laios.errors import BadRequest, NotFound

    try:
        return client.cancel(run_id)
    except NotFound:
        running = (run["id"] for run in client.runs())
        fit = [each for each in running if run_id and each.startswith(run_id)]
        if not fit:
            raise
    if len(fit) > 1:
        several = f"More than one run's id starts with {run_id!r}: {', '.join(fit)}."
        raise BadRequest(f"{several} Write more of it.")
    return client.cancel(fit[0])


def _tell(answer: dict[str, Any], as_json: bool) -> None:
    if as_json:
        print_json(answer)
    elif "error" in answer:
        say(answer["error"]["message"])
    elif answer["cancelled"]:
        tell(f"{answer['id']} cancelled")
    else:
        tell(f"{answer['id']} had already ended: {answer['outcome']}")
