"""laios as a service of its user: a systemd unit on Linux, a launchd agent on macOS.

`Service` is what both say; `unit` and `plist` are pure texts. What is started is the installed
`laios`, by its absolute path, with the settings that were in force when the text was made.
"""

import plistlib
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import platformdirs

from config import CONFIG_VARIABLE, PREFIX, SECRETS, Settings, cache_dir, config_path
from server.runtime.config_file import OLLAMA_VARIABLE, sources, variables
from server.runtime.installed_command import installed_command

UNIT = "laios.service"
LABEL = "laios.daemon"
STOP_S = 15  # runs may go on for 8 s after SIGTERM, all is over within 10
# By variable, the usual place and the one in force.
BASES = {
    "XDG_CONFIG_HOME": (".config", platformdirs.user_config_path),
    "XDG_STATE_HOME": (".local/state", platformdirs.user_state_path),
    "XDG_CACHE_HOME": (".cache", platformdirs.user_cache_path),
    "XDG_DATA_HOME": (".local/share", platformdirs.user_data_path),
}


@dataclass(frozen=True, slots=True)
class Service:
    """`environment` is what the service manager would not know otherwise, `writable` the
    directories that the daemon writes in, `log` where launchd puts what it prints. `sandbox`:
    the kernel lets this user's services have a view of their own of the file system."""

    program: Path
    environment: Mapping[str, str]
    writable: tuple[Path, ...]
    log: Path
    sandbox: bool = True


def describe(settings: Settings, *, sandbox: bool = True) -> Service:
    """The service for the settings in force. Secrets are left out of its environment."""
    given = {name: text for name, text in _given(settings).items() if not _is_secret(name, text)}
    return Service(
        program=installed_command(),
        environment=_places() | given,
        # The index of documentation is a file of SQLite's, which cannot be read where nothing can
        # be written; of a model its last use is noted.
        writable=(settings.HISTORY_DIR, cache_dir(), settings.DOCS_DIR, settings.MODELS_DIR),
        log=Path.home() / "Library/Logs/laios.log",
        sandbox=sandbox,
    )


def left_out(settings: Settings) -> list[str]:
    """The variables of this shell that the service does not get."""
    return [name for name, text in _given(settings).items() if _is_secret(name, text)]


def _given(settings: Settings) -> dict[str, str]:
    """The variables of this shell that are settings; paths as they were understood here, because
    the service starts in another directory."""
    given = {}
    for name, text in variables().items():
        value = getattr(settings, name)
        given[PREFIX + name] = str(value) if isinstance(value, Path) else text
    if sources(settings)["OLLAMA_HOST"] == OLLAMA_VARIABLE:
        given[OLLAMA_VARIABLE] = settings.OLLAMA_HOST
    return given


def _is_secret(name: str, text: str) -> bool:
    secret = name.removeprefix(PREFIX) in SECRETS
    return secret or (name.endswith(OLLAMA_VARIABLE) and "@" in text)


def _places() -> dict[str, str]:
    """The places that this shell's environment moves, so that the service finds the same ones."""
    moved = {}
    if sys.platform == "linux":
        for name, (usual, place) in BASES.items():
            if (now := place()) != Path.home() / usual:
                moved[name] = str(now)
    if config_path() != platformdirs.user_config_path("laios", appauthor=False) / "config.toml":
        moved[CONFIG_VARIABLE] = str(config_path().absolute())
    return moved


def unit(service: Service) -> str:
    """The systemd unit. It has only what a manager without root's rights can do."""
    environment = "".join(
        f"Environment={_quoted(f'{name}={value}')}\n" for name, value in service.environment.items()
    )
    return f"""\
# Made by `laios service install`, which overwrites it.
# For changes of your own: systemctl --user edit {UNIT}

[Unit]
Description=laios: local models draft code, judge it and review it
StartLimitIntervalSec=60
StartLimitBurst=5

[Service]
Type=exec
ExecStart={_quoted(str(service.program))} serve
{environment}Restart=on-failure
RestartSec=2
# 2: the settings are wrong, which a restart does not fix.
RestartPreventExitStatus=2
# The daemon ends its own children, once the running prompts are on record.
KillMode=mixed
TimeoutStopSec={STOP_S}
UMask=0077

NoNewPrivileges=yes
LockPersonality=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
SystemCallArchitectures=native
# NETLINK: the sandbox that runs generated code sets up its own loopback.
RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK
{_file_system(service) if service.sandbox else ""}
[Install]
WantedBy=default.target
"""


def _file_system(service: Service) -> str:
    """What needs a user namespace. Not among it, on purpose: PrivateDevices (models use the GPU),
    RestrictNamespaces and ProtectKernelTunables (the sandbox for generated code makes namespaces
    and mounts a /proc of its own)."""
    writable = " ".join(_quoted(str(path)) for path in service.writable)
    return f"""
# Everything is read-only but these directories. Run `laios service install` again when
# HISTORY_DIR, DOCS_DIR or MODELS_DIR changes.
PrivateUsers=yes
ProtectSystem=strict
ReadWritePaths={writable}
PrivateTmp=yes
"""


def _quoted(text: str) -> str:
    """A word for a unit file, with quotes, backslashes and specifiers escaped (systemd.syntax).
    `$` stays: systemd looks for variables in the arguments of a command, not in its path."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%")
    return '"' + escaped.replace("\n", "\\n") + '"'


def plist(service: Service) -> str:
    """The launchd agent's property list."""
    agent = {
        "Label": LABEL,
        "ProgramArguments": [str(service.program), "serve"],
        "EnvironmentVariables": dict(service.environment),
        "RunAtLoad": True,
        "KeepAlive": {"SuccessfulExit": False},
        "ThrottleInterval": 10,
        "ExitTimeOut": STOP_S,
        "ProcessType": "Standard",  # Background would slow the models down
        "Umask": 0o077,
        "StandardOutPath": str(service.log),
        "StandardErrorPath": str(service.log),
    }
    return plistlib.dumps(agent, sort_keys=False).decode()
