"""`laios service`: the texts of the unit and the agent, and the commands around them."""

import configparser
import json
import os
import plistlib
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from processes import LAIOS, daemon, free_port, invoke, laios

from config import config_path, load_settings
from server.service import service_manager
from server.service.service_definition import LABEL, UNIT, Service, describe, left_out, plist, unit

pytestmark = pytest.mark.only_when(
    "server/service/", "server/commands/service.py", "server/terminal/", "laios/"
)

ODD = '/tmp/it\'s 100% "odd" $HOME\\x'
SERVICE = Service(
    Path("/opt/laios/bin/laios"),
    {"LAIOS_PORT": "11900"},
    (Path("/home/a/history"), Path("/home/a/cache")),
    Path("/home/a/laios.log"),
)


@pytest.fixture(autouse=True)
def home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setenv("LAIOS_HISTORY_DIR", str(tmp_path / "history"))
    monkeypatch.setenv("LAIOS_PORT", str(free_port()))
    return tmp_path


@pytest.fixture
def systemctl(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A systemctl that notes what it is asked, and knows a unit that runs; its notes."""
    if sys.platform == "darwin":
        pytest.skip("systemd is for Linux")
    notes = tmp_path / "asked"
    for name in ("systemctl", "journalctl"):
        tool = tmp_path / "bin" / name
        tool.parent.mkdir(exist_ok=True)
        tool.write_text(
            f'#!/bin/sh\necho "{name} $*" >> {notes}\n'
            'case "$*" in *" show "*) cat "$(dirname "$0")/state";; --user*--unit*) echo logged;;'
            " esac\n"
        )
        tool.chmod(0o755)
    (tmp_path / "bin" / "state").write_text(
        "ActiveState=active\nSubState=running\nUnitFileState=enabled\nMainPID=42\nResult=success\n"
    )
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:{os.environ['PATH']}")
    return notes


def parsed(text: str) -> configparser.ConfigParser:
    unit_file = configparser.ConfigParser(interpolation=None, strict=False)
    unit_file.optionxform = str  # type: ignore[assignment, method-assign]
    unit_file.read_string(text)
    return unit_file


def test_the_unit_starts_the_daemon_and_bounds_it() -> None:
    """Sections, command, restarts, time to stop in order, and what it may write."""
    found = parsed(unit(SERVICE))
    assert found.sections() == ["Unit", "Service", "Install"]
    told = found["Service"]
    assert told["ExecStart"] == '"/opt/laios/bin/laios" serve'
    assert told["Environment"] == '"LAIOS_PORT=11900"'
    assert (told["Type"], told["Restart"]) == ("exec", "on-failure")
    assert told["RestartPreventExitStatus"] == "2"
    assert int(told["TimeoutStopSec"]) > 10
    assert told["ReadWritePaths"] == '"/home/a/history" "/home/a/cache"'
    assert told["ProtectSystem"] == "strict" and told["PrivateTmp"] == "yes"
    assert told["NoNewPrivileges"] == "yes" and told["UMask"] == "0077"
    assert found["Install"]["WantedBy"] == "default.target"


def test_the_unit_asks_for_nothing_that_needs_root() -> None:
    """A manager of a user cannot do these; and the mounts need a namespace of users."""
    for_root = {"User", "Group", "DynamicUser", "ProtectKernelModules", "ProtectKernelLogs"}
    for_root |= {"ProtectClock", "CapabilityBoundingSet", "AmbientCapabilities", "PrivateDevices"}
    told = parsed(unit(SERVICE))["Service"]
    assert not for_root & set(told)
    assert told["PrivateUsers"] == "yes"


def test_without_namespaces_the_unit_does_without_mounts() -> None:
    """It would not start otherwise; the rest of the hardening stays."""
    narrow = Service(SERVICE.program, {}, SERVICE.writable, SERVICE.log, sandbox=False)
    told = parsed(unit(narrow))["Service"]
    assert not {"PrivateUsers", "ProtectSystem", "ReadWritePaths", "PrivateTmp"} & set(told)
    assert told["NoNewPrivileges"] == "yes"


def test_odd_paths_are_escaped() -> None:
    """systemd would take blanks, quotes, % and $ for its own."""
    odd = Service(Path(ODD), {"LAIOS_HISTORY_DIR": ODD}, (Path(ODD),), Path("/l"))
    told = parsed(unit(odd))["Service"]
    escaped = '/tmp/it\'s 100%% \\"odd\\" $HOME\\\\x'
    assert told["ReadWritePaths"] == f'"{escaped}"'
    assert told["Environment"] == f'"LAIOS_HISTORY_DIR={escaped}"'
    assert told["ExecStart"] == f'"{escaped}" serve'
    assert shlex.split(told["ReadWritePaths"].replace("%%", "%")) == [ODD]


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="systemd is not there")
@pytest.mark.parametrize("sandbox", [True, False])
def test_systemd_itself_accepts_the_unit(tmp_path: Path, sandbox: bool) -> None:
    """Not one word of complaint, also with odd paths."""
    program = tmp_path / "a $b 100%" / "laios"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    made = Service(program, {"LAIOS_X": ODD}, (tmp_path, Path(ODD)), tmp_path, sandbox)
    file = tmp_path / UNIT
    file.write_text(unit(made))
    assert verify(file) == ("", 0)
    file.write_text(unit(made).replace("LockPersonality", "LokcPersonality"))
    assert "LokcPersonality" in verify(file)[0]  # it does look


def verify(file: Path) -> tuple[str, int]:
    done = subprocess.run(
        ["systemd-analyze", "verify", "--user", "--man=no", str(file)],
        env={**os.environ, "XDG_RUNTIME_DIR": str(file.parent)},
        capture_output=True,
        text=True,
        timeout=30,
    )
    return done.stdout + done.stderr, done.returncode


def test_the_agent_is_a_property_list_that_keeps_the_daemon_alive() -> None:
    """What launchd needs: label, command, when to start again, where the log goes."""
    agent = plistlib.loads(plist(SERVICE).encode())
    assert agent["Label"] == LABEL
    assert agent["ProgramArguments"] == ["/opt/laios/bin/laios", "serve"]
    assert agent["KeepAlive"] == {"SuccessfulExit": False} and agent["RunAtLoad"] is True
    assert agent["EnvironmentVariables"] == {"LAIOS_PORT": "11900"}
    assert agent["StandardErrorPath"] == "/home/a/laios.log"
    assert agent["ExitTimeOut"] > 10 and agent["Umask"] == 0o077


def test_the_service_has_the_settings_in_force_but_no_secrets(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Variables of this shell and the places that it moves; a token and a password stay out."""
    monkeypatch.setenv("LAIOS_API_TOKEN", "a secret one")
    monkeypatch.setenv("LAIOS_CONFIG", "other.toml")
    monkeypatch.setenv("LAIOS_PROMPTS_DIR", "prompts")
    monkeypatch.setenv("OLLAMA_HOST", "box")
    settings = load_settings()
    made = describe(settings)
    assert made.program == Path(LAIOS) and made.program.is_absolute()
    assert made.environment["LAIOS_CONFIG"] == str(Path("other.toml").absolute())
    assert made.environment["LAIOS_PROMPTS_DIR"] == str(Path("prompts").absolute())
    assert made.environment["OLLAMA_HOST"] == "http://box:11434"
    assert made.environment["LAIOS_HISTORY_DIR"] == str(tmp_path / "history")
    if sys.platform == "linux":
        assert made.environment["XDG_CACHE_HOME"] == str(tmp_path / "xdg_cache_home")
        assert made.environment["XDG_DATA_HOME"] == str(tmp_path / "xdg_data_home")
        assert made.writable == (
            tmp_path / "history",
            tmp_path / "xdg_cache_home" / "laios",
            settings.DOCS_DIR,
            settings.MODELS_DIR,
        )
    assert "a secret one" not in unit(made) + plist(made)
    assert left_out(settings) == ["LAIOS_API_TOKEN"]
    monkeypatch.setenv("OLLAMA_HOST", "http://me:hunter2@box")
    settings = load_settings()
    assert "hunter2" not in unit(describe(settings))
    assert left_out(settings) == ["LAIOS_API_TOKEN", "OLLAMA_HOST"]


def test_a_shell_like_any_other_adds_nothing(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The unit of most people has no environment of its own."""
    for name in ("LAIOS_HISTORY_DIR", "LAIOS_PORT", "XDG_CONFIG_HOME", "XDG_STATE_HOME"):
        monkeypatch.delenv(name)
    for name in ("XDG_CACHE_HOME", "XDG_DATA_HOME"):
        monkeypatch.delenv(name)
    assert describe(load_settings()).environment == {}


def test_print_shows_the_text_and_writes_nothing(systemctl: Path, home: Path) -> None:
    """What `install` would write, with the absolute path of the installed command."""
    done = laios("service", "install", "--print")
    assert done.returncode == 0
    program, word = shlex.split(parsed(done.stdout)["Service"]["ExecStart"])
    assert Path(program).is_absolute() and word == "serve"
    assert Path(program).samefile(LAIOS)  # by another path where .venv is a link
    assert not (home / "history").exists() and not systemctl.exists()
    assert "ProtectSystem" not in invoke("service", "install", "--print", "--no-sandbox").stdout


def test_install_status_logs_uninstall(systemctl: Path, home: Path) -> None:
    """The unit is written, its directories are made, and systemd is asked in the right order."""
    done = invoke("service", "install")
    file = home / "xdg_config_home" / "systemd" / "user" / UNIT
    assert (done.stdout, done.returncode) == (f"{file}\n", 0)
    assert "loginctl enable-linger" in done.stderr
    assert f"with LAIOS_HISTORY_DIR={home / 'history'}" in done.stderr
    assert (home / "history").stat().st_mode & 0o777 == 0o700
    assert (home / "xdg_cache_home" / "laios").is_dir()
    assert config_path().parent.is_dir()  # to be watched: there may be a config.toml one day
    words = [line.split()[2:] for line in systemctl.read_text().splitlines()]
    assert words[1:] == [["daemon-reload"], ["enable", UNIT], ["restart", UNIT]]

    shown = invoke("service", "status")
    assert shown.stdout.startswith("laios service: active (running), pid 42")
    assert shown.returncode == 0
    state = json.loads(invoke("service", "status", "--json").stdout)
    assert state["installed"] and state["active"] and state["enabled"] and state["pid"] == 42
    (home / "bin" / "state").write_text(
        "ActiveState=failed\nSubState=failed\nMainPID=0\nResult=exit-code\n"
    )
    failed = invoke("service", "status")
    assert failed.returncode == 3 and "failed (failed), exit-code" in failed.stdout

    assert laios("service", "logs", "-n", "5", "-f").stdout == "logged\n"
    last = systemctl.read_text().splitlines()[-1]
    assert last == f"journalctl --user --unit={UNIT} --lines=5 --no-pager --follow"

    done = invoke("service", "uninstall")
    assert done.returncode == 0 and not file.exists() and (home / "history").exists()
    words = [line.split()[2:] for line in systemctl.read_text().splitlines()[-2:]]
    assert words == [["disable", "--now", UNIT], ["daemon-reload"]]
    assert invoke("service", "uninstall").returncode == 0
    assert invoke("service", "status").returncode == 3
    assert invoke("service", "logs").returncode == 3


def test_where_systemd_does_not_run_that_is_said(systemctl: Path, home: Path) -> None:
    """As in a container: the unit is there for later, and how to start by hand."""
    tool = home / "bin" / "systemctl"
    tool.write_text("#!/bin/sh\necho 'Failed to connect to bus: No medium found' >&2; exit 1\n")
    done = invoke("service", "install")
    assert done.returncode == 1 and "laios serve" in done.stderr
    assert Path(done.stdout.strip()).exists()
    state = invoke("service", "status")
    assert state.returncode == 3 and "Failed to connect to bus" in state.stdout
    assert invoke("service", "uninstall").returncode == 0
    tool.write_text("#!/bin/sh\necho 'Unit is masked.' >&2; exit 1\n")
    done = invoke("service", "install")
    assert done.returncode == 1 and "Unit is masked." in done.stderr
    done = invoke("service", "uninstall")
    assert done.returncode == 1 and "Unit is masked." in done.stderr


def test_install_does_not_start_beside_a_daemon(
    systemctl: Path, home: Path, script: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It could not have the port."""
    (home / "bin" / "state").write_text("ActiveState=inactive\n")
    for role in ("CODER", "JUDGE", "REVIEWER"):
        monkeypatch.setenv(f"LAIOS_{role}_MODEL_NAME", script({"reply": "x"}))
    with daemon():
        done = invoke("service", "install")
    assert (done.stdout, done.returncode) == ("", 1)
    assert "running already" in done.stderr


def test_a_place_that_cannot_be_written_is_said(systemctl: Path, home: Path) -> None:
    """No trace."""
    (home / "xdg_config_home").mkdir()
    (home / "xdg_config_home" / "systemd").write_text("a file")
    done = invoke("service", "install")
    assert done.returncode == 1 and "cannot be written" in done.stderr


def test_of_what_cannot_be_written_nothing_is_left(
    systemctl: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A full disk, and a path that a text in UTF-8 cannot have."""
    units = home / "xdg_config_home" / "systemd" / "user"
    units.mkdir(parents=True)
    (units / ".laios.service.new").symlink_to("/dev/full")
    done = invoke("service", "install")
    assert done.returncode == 1
    assert f"{units}/laios.service cannot be written: No space left" in done.stderr
    assert not [*units.iterdir()]
    monkeypatch.setenv("LAIOS_HISTORY_DIR", f"{home}/m\udcfcller")
    done = invoke("service", "install")
    assert done.returncode == 1 and "a path in it is not UTF-8" in done.stderr
    assert not [*units.iterdir()]


def test_launchd_is_asked_in_its_own_words(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Loaded, asked after, and let go of; a second install replaces the first."""
    notes, tool = tmp_path / "asked", tmp_path / "bin" / "launchctl"
    tool.parent.mkdir()
    answer = f"case $1 in print) cat {tmp_path}/agent || exit 113;; esac"
    tool.write_text(f'#!/bin/sh\necho "$*" >> {notes}\n{answer}\n')
    tool.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:{os.environ['PATH']}")
    manager = service_manager.Launchd()
    target = f"gui/{os.getuid()}/{LABEL}"
    assert manager.file == tmp_path / "home" / "Library" / "LaunchAgents" / f"{LABEL}.plist"
    assert manager.state() == service_manager.State(False, False, None, "not loaded")
    manager.start()
    (tmp_path / "agent").write_text(f"{target} = {{\n\tstate = running\n\tpid = 42\n\tx = y\n}}\n")
    assert manager.state() == service_manager.State(True, True, 42, "running")
    manager.start()
    manager.stop()
    asked = [line for line in notes.read_text().splitlines() if not line.startswith("print")]
    load = f"bootstrap gui/{os.getuid()} {manager.file}"
    assert asked == [load, f"bootout {target}", load, f"bootout {target}"]
    assert manager.logs(5, True)[:4] == ["tail", "-n", "5", "-F"]
    assert manager.text(SERVICE) == plist(SERVICE)


def test_whether_namespaces_work_is_tried(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Not guessed from the kernel's name."""
    tool = tmp_path / "bin" / "unshare"
    tool.parent.mkdir()
    monkeypatch.setenv("PATH", str(tool.parent))
    assert service_manager.namespaces_work() is False
    for code in (0, 1):
        tool.write_text(f"#!/bin/sh\nexit {code}\n")
        tool.chmod(0o755)
        assert service_manager.namespaces_work() is (code == 0)
