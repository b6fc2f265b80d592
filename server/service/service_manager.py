"""The service managers: systemd's for the user on Linux, launchd on macOS. Which commands install,
start, stop and ask after the service, and what their answers mean."""

import os
import pwd
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import platformdirs

from server.service.service_definition import LABEL, UNIT, Service, plist, unit

COMMAND_S = 60.0  # stopping waits for the running prompts
PROBE_S = 10.0
LINGER = Path("/var/lib/systemd/linger")


class ServiceError(Exception):
    """The service manager is not there or has refused; the message says what to do."""


class NoManager(ServiceError):
    """There is none for this user here; so no service of it runs either."""


class _RefusedError(ServiceError):
    """The manager is there and said no."""


@dataclass(frozen=True, slots=True)
class State:
    """`active`: it runs now, as process `pid`; `enabled`: it starts by itself; `detail` is the
    manager's own word for it."""

    active: bool
    enabled: bool
    pid: int | None
    detail: str


class Systemd:
    """`file` is where the service's text stands. What asks the manager raises ServiceError."""

    def __init__(self) -> None:
        self.file = platformdirs.user_config_path() / "systemd" / "user" / UNIT

    def text(self, service: Service) -> str:
        return unit(service)

    def start(self) -> None:
        """Has the manager read the text, and the service start now and at each login."""
        self._ask("daemon-reload")
        self._ask("enable", UNIT)
        self._ask("restart", UNIT)

    def stop(self) -> None:
        self._ask("disable", "--now", UNIT)

    def forget(self) -> None:
        """Called when the file is gone."""
        self._ask("daemon-reload")

    def state(self) -> State:
        names = "ActiveState,SubState,UnitFileState,MainPID,Result"
        lines = self._ask("show", UNIT, f"--property={names}").splitlines()
        said = dict(line.split("=", 1) for line in lines if "=" in line)
        pid = said.get("MainPID", "0")
        detail = f"{said.get('ActiveState', '?')} ({said.get('SubState', '?')})"
        if said.get("Result", "success") != "success":
            detail += f", {said['Result']}"
        return State(
            active=said.get("ActiveState") == "active",
            enabled=said.get("UnitFileState") == "enabled",
            pid=int(pid) if pid.isdigit() and pid != "0" else None,
            detail=detail,
        )

    def logs(self, lines: int, follow: bool) -> Sequence[str]:
        """The command that shows them."""
        command = ["journalctl", "--user", f"--unit={UNIT}", f"--lines={lines}", "--no-pager"]
        return [*command, "--follow"] if follow else command

    def hints(self) -> list[str]:
        user = pwd.getpwuid(os.getuid()).pw_name
        if (LINGER / user).exists():
            return []
        return [
            "It stops when your last session ends. To keep it running: "
            f"loginctl enable-linger {user}"
        ]

    def _ask(self, *words: str) -> str:
        return _run(["systemctl", "--user", *words], "Systemd runs no services for this user here")


class Launchd:
    """The same, of launchd."""

    def __init__(self) -> None:
        self.file = Path.home() / "Library" / "LaunchAgents" / f"{LABEL}.plist"
        self._log = Path.home() / "Library" / "Logs" / "laios.log"
        self._domain = f"gui/{os.getuid()}"
        self._target = f"{self._domain}/{LABEL}"

    def text(self, service: Service) -> str:
        return plist(service)

    def start(self) -> None:
        if self._loaded() is not None:
            self._ask("bootout", self._target)
        self._ask("bootstrap", self._domain, str(self.file))

    def stop(self) -> None:
        if self._loaded() is not None:
            self._ask("bootout", self._target)

    def forget(self) -> None:
        return None

    def state(self) -> State:
        said = self._loaded()
        if said is None:
            return State(False, False, None, "not loaded")
        facts = [line.strip().partition(" = ") for line in said.splitlines()]
        found = {name: value for name, _, value in reversed(facts)}  # the first one counts
        pid = found.get("pid", "")
        running = found.get("state") == "running"
        return State(
            running, True, int(pid) if pid.isdigit() else None, found.get("state", "loaded")
        )

    def logs(self, lines: int, follow: bool) -> Sequence[str]:
        return ["tail", "-n", str(lines), *(["-F"] if follow else []), str(self._log)]

    def hints(self) -> list[str]:
        return []

    def _loaded(self) -> str | None:
        """What launchd says of the agent; None if it is not loaded."""
        try:
            return self._ask("print", self._target)
        except _RefusedError:
            return None

    def _ask(self, *words: str) -> str:
        return _run(["launchctl", *words], "Launchd does not answer")


Manager = Systemd | Launchd


def manager() -> Manager:
    return Launchd() if sys.platform == "darwin" else Systemd()


def namespaces_work() -> bool:
    """Whether this user may have a namespace with mounts of its own, which the unit's view of the
    file system needs (Ubuntu's AppArmor and hardened kernels refuse it)."""
    tool = shutil.which("unshare")
    if tool is None:
        return False
    command = [tool, "--user", "--map-root-user", "--mount", "true"]
    try:
        return subprocess.run(command, capture_output=True, timeout=PROBE_S).returncode == 0
    except (OSError, subprocess.SubprocessError):
        return False


def _run(command: Sequence[str], absent: str) -> str:
    """The command's output. Raises ServiceError with what the manager said."""
    without = f"{absent} (that is usual in containers). Start laios by hand instead: laios serve"
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=COMMAND_S, stdin=subprocess.DEVNULL
        )
    except FileNotFoundError:
        raise NoManager(f"There is no {command[0]}. {without}") from None
    except (OSError, subprocess.SubprocessError) as error:
        raise ServiceError(f"{' '.join(command)} failed: {error}") from None
    if done.returncode == 0:
        return done.stdout
    said = " ".join((done.stderr or done.stdout).split())
    if "connect to bus" in said or "not been booted" in said:
        raise NoManager(f"{said}. {without}")
    raise _RefusedError(f"{' '.join(command)} failed: {said}")
