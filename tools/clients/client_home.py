"""Where a client runs: a home of its own, a time limit, and no way out but loopback."""

import os
import signal
import subprocess
import sys
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

LAIOS = Path(sys.executable).with_name("laios")
LIMIT_S = 90.0
NOWHERE = "http://127.0.0.1:9"  # the discard port: a proxy that never answers
PROXIES = ("http_proxy", "https_proxy", "all_proxy")
NO_TELEMETRY = {
    "DO_NOT_TRACK": "1",
    "SCARF_NO_ANALYTICS": "true",
    "ANONYMIZED_TELEMETRY": "false",
    "CONTINUE_TELEMETRY_ENABLED": "0",
    "AIDER_ANALYTICS": "false",
    "OPENCODE_DISABLE_AUTOUPDATE": "1",
    "OPENCODE_DISABLE_MODELS_FETCH": "1",
    "OPENCODE_DISABLE_LSP_DOWNLOAD": "1",
    "HF_HUB_OFFLINE": "1",
    "OFFLINE_MODE": "true",
}


class ClientFailed(Exception):
    """The client could not be run, or ended with an error. `said`: all that it wrote."""

    def __init__(self, message: str, said: str = "") -> None:
        super().__init__(message)
        self.said = said or message


@dataclass(frozen=True, slots=True)
class ClientHome:
    """`url`: the daemon's, without a slash at the end; `directory`: for this client alone;
    `installed`: where `tools.clients.install` has put the clients; `limit_s`: how long a program
    may take."""

    url: str
    directory: Path
    installed: Path
    limit_s: float = LIMIT_S

    def program(self, *parts: str) -> str:
        """An installed program. Raises ClientFailed."""
        path = self.installed.joinpath(*parts)
        if not path.exists():
            raise ClientFailed(f"not installed ({Path(*parts)})")
        return str(path.absolute())

    def environment(self, **more: str) -> dict[str, str]:
        """Nothing of the person who runs this but PATH."""
        homes = {f"XDG_{name}_HOME": str(self.directory / name.lower()) for name in _XDG}
        ways_out = {name: NOWHERE for each in PROXIES for name in (each, each.upper())}
        loopback = {"no_proxy": "127.0.0.1,localhost", "NO_PROXY": "127.0.0.1,localhost"}
        quiet = {"TERM": "dumb", "NO_COLOR": "1", "CI": "1", "PATH": os.environ["PATH"]}
        return {"HOME": str(self.directory), **homes, **ways_out, **loopback, **quiet} | (
            NO_TELEMETRY | more
        )

    def connect(self, client: str) -> None:
        """Tells the client where laios is, as a person does. Raises ClientFailed."""
        self.run(str(LAIOS), "connect", client, "--write", "--url", self.url)

    def write(self, name: str, text: str) -> Path:
        """A file in the client's home."""
        path = self.directory / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def run(self, *words: str, **environment: str) -> str:
        """Runs a program to its end, with nothing to read; gives what it wrote to stdout. Whatever
        it started ends with it. Raises ClientFailed."""
        process = subprocess.Popen(
            words,
            cwd=self.directory,
            env=self.environment(**environment),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        try:
            said, complained = process.communicate(timeout=self.limit_s)
        except subprocess.TimeoutExpired:
            raise ClientFailed(f"no end within {self.limit_s:g} s") from None
        finally:
            end_group(process)
        if process.returncode:
            what = f"exit code {process.returncode}: {last_words(complained or said)}"
            raise ClientFailed(what, said + complained)
        return said


_XDG = ("CONFIG", "DATA", "CACHE", "STATE")


def end_group(process: subprocess.Popen[str]) -> None:
    """Ends the process and all that it started in its session."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def last_words(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return " ".join(lines[-2:])[-200:] or "without a word"
