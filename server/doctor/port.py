"""Check whether the daemon is running, and otherwise whether its port is free and who holds it."""

import contextlib
from collections.abc import Iterator
from typing import Any

from config import Settings, base_url
from server.doctor.check_result import CheckResult
from server.runtime.units import counted
from server.terminal.daemon_client import DaemonClient, Unreachable

OTHER_PORT = "Stop it, or choose another port: PORT in config.toml, or laios serve --port 11712."


def check_port(settings: Settings) -> Iterator[CheckResult]:
    where = base_url(settings)
    if settings.PORT == 0:
        yield CheckResult("port", "ok", "PORT is 0: the daemon picks a free port when it starts.")
        return
    with DaemonClient(settings) as client:
        try:
            health = client.health()
        except Unreachable:
            yield _nobody_of_ours(settings)
            return
        seen = f"laios {health['version']} is running on {where}."
        yield CheckResult("port", "ok", seen, "", {"version": health["version"]})
        yield from _daemon(client)


def _daemon(client: DaemonClient) -> Iterator[CheckResult]:
    """What the running daemon says of itself; its settings may be others than ours."""
    try:
        ready = client.ready()
    except Unreachable as error:
        needs_token = "token" in str(error).lower()
        fix = "Set LAIOS_API_TOKEN in this shell to the daemon's API_TOKEN." if needs_token else ""
        yield CheckResult("daemon", "warning", str(error), fix or "See the daemon's log.")
        return
    facts = {"runs": ready["runs"], "models": ready["models"], "history": ready["history"]}
    if ready["status"] == "ready":
        runs = counted(ready["runs"], "run")
        yield CheckResult("daemon", "ok", f"It is ready; {runs} running or queued.", "", facts)
    for reason in ready["reasons"]:
        fix = "See the checks of models and files, and the daemon's log."
        yield CheckResult("daemon", "problem", f"It is not ready: {reason['message']}", fix, facts)
    if lost := ready["history"]["lost"]:
        fix = "Make the history writable; what is lost cannot be recovered."
        yield CheckResult(
            "daemon", "problem", f"It has lost {counted(lost, 'record')}.", fix, facts
        )


def _nobody_of_ours(settings: Settings) -> CheckResult:
    from server.daemon import CannotListen, bind

    where = f"{settings.HOST}:{settings.PORT}"
    try:
        bind(settings).close()
    except CannotListen as error:
        if "in use" not in str(error):
            return CheckResult("port", "problem", str(error), "Set HOST and PORT in config.toml.")
        holder = find_holder(settings.PORT)
        seen = f"{where} is in use by {_name(holder)}."
        return CheckResult("port", "problem", seen, OTHER_PORT, holder or {})
    return CheckResult(
        "port", "ok", f"{where} is free; no daemon is running.", "Start one: laios serve"
    )


def find_holder(port: int) -> dict[str, Any] | None:
    """`{pid, name}` of the process that listens on a port, None where this user may not
    know."""
    import psutil

    with contextlib.suppress(psutil.Error, OSError):
        for connection in psutil.net_connections("tcp"):
            if connection.status != psutil.CONN_LISTEN or connection.laddr[1:2] != (port,):
                continue
            if connection.pid:
                process = psutil.Process(connection.pid)
                return {"pid": process.pid, "name": process.name()}
    return None


def _name(holder: dict[str, Any] | None) -> str:
    if holder is None:
        return "another user's process, or one that this user may not see"
    return f"{holder['name']} (pid {holder['pid']})"
