"""What the tests of the sandbox share: whether there is one, and the world outside it, which
watches what a program inside does."""

import asyncio
import base64
import ctypes
import json
import os
import secrets
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

import pytest

from pipeline.sandbox import Limits, Outcome, SandboxUnavailable, run

ROOT = Path(__file__).parent.parent
NOBODY = 65534
SMALL = Limits(wall_s=20, cpu_s=1, memory_mb=64, processes=8, output_bytes=4096, files_mb=4)


def require_sandbox() -> None:
    """Skips the test where nothing can be sandboxed, with the reason; REQUIRE_SANDBOX=1 makes that
    a failure."""
    try:
        asyncio.run(run({}, ("sh", "-c", "exit 0"), SMALL))
    except SandboxUnavailable as error:
        if os.environ.get("REQUIRE_SANDBOX") == "1":
            pytest.fail(error.message)
        pytest.skip(error.message)


class Here:
    """Sandboxes started by this process."""

    async def run(self, files: dict[str, str], command: list[str], limits: Limits) -> Outcome:
        return await run(files, command, limits)


class Worker:
    """Sandboxes started by a process of another user."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self._process = process

    async def run(self, files: dict[str, str], command: list[str], limits: Limits) -> Outcome:
        request = {"files": files, "command": command, "limits": asdict(limits)}
        answer = json.loads(await asyncio.to_thread(self._ask, json.dumps(request)))
        return Outcome(**answer | {"report": base64.b64decode(answer["report"])})

    def _ask(self, line: str) -> str:
        assert self._process.stdin and self._process.stdout
        self._process.stdin.write(line + "\n")
        self._process.stdin.flush()
        return self._process.stdout.readline()


# What the sandbox's code imports beside itself.
NEEDED = (
    "laios/__init__.py",
    "laios/errors.py",
    "laios/language_table.py",
    "pipeline/__init__.py",
    "pipeline/errors.py",
    "pipeline/analysis/__init__.py",
    "pipeline/analysis/python_syntax.py",
    "tests/sandbox_worker.py",
)


@contextmanager
def worker(place: Path) -> Iterator[Worker]:
    """A worker that runs as `nobody`, out of a copy of the sandbox's code in `place`."""
    python = _python_of_everybody()
    code = place / "code"
    shutil.copytree(ROOT / "pipeline" / "sandbox", code / "pipeline" / "sandbox")
    for name in NEEDED:
        copy = code / name.removeprefix("tests/")
        copy.parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / name, copy)
    process = subprocess.Popen(
        [python, "sandbox_worker.py"],
        cwd=code,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        user=NOBODY,
        group=NOBODY,
        extra_groups=[],
        close_fds=False,
    )
    try:
        yield Worker(process)
    finally:
        assert process.stdin and process.stdout
        process.stdin.close()
        process.wait(20)
        process.stdout.close()


def _python_of_everybody() -> Path:
    """An interpreter that another user can start: root's own may lie in /root."""
    for python in (Path(sys.executable).resolve(), Path("/usr/bin/python3")):
        code = "import sys; sys.exit(sys.version_info < (3, 11))"
        try:
            tried = subprocess.run(
                [python, "-c", code], user=NOBODY, group=NOBODY, extra_groups=[], cwd="/"
            )
        except OSError:
            continue
        if tried.returncode == 0:
            return python
    pytest.skip("no Python >= 3.11 that another user than root can start")


@dataclass
class World:
    """What is outside: a file with a secret `word`, which laios also has in a variable, in an open
    directory and in System V shared memory; servers; and a process. `harm` says what a program got
    at."""

    word: str
    place: Path
    tcp: socket.socket
    udp: socket.socket
    path: socket.socket
    abstract: socket.socket
    victim: "subprocess.Popen[bytes]"
    segment: int

    @property
    def words(self) -> list[str]:
        """What a hostile program is told, to make it easy: see PRELUDE in test_sandbox_hostile."""
        return [
            str(self.place),
            self.abstract.getsockname()[1:].decode(),
            str(self.tcp.getsockname()[1]),
            str(self.udp.getsockname()[1]),
            str(self.victim.pid),
            str(self.segment),
        ]

    def harm(self, tag: str, outcome: Outcome) -> list[str]:
        """What a program did that was started with `tag` on its command line."""
        said = outcome.stdout + outcome.stderr + outcome.report.decode(errors="replace")
        found = {
            "it read the secret": self.word in said,
            "it wrote beside the secret": {p.name for p in self.place.iterdir()} - _OWN_NAMES,
            "it changed the secret": (self.place / "secret").read_text() != self.word,
            "it ended a process": self.victim.poll() is not None,
            "it left processes": processes(tag),
            "it left files": [p for p in _WRITABLE if (Path(p) / tag).exists()],
            "it reached a server": [s for s in (self.tcp, self.path, self.abstract) if _came(s)],
            "it sent a datagram": _received(self.udp),
        }
        return [what for what, happened in found.items() if happened]


_OWN_NAMES = {"secret", "socket", "code"}
_WRITABLE = (
    "/",
    "/tmp",
    "/var/tmp",
    "/dev",
    "/dev/shm",
    "/usr/bin",
    "/etc",
    "/run",
    sys.base_prefix,
)


@contextmanager
def world() -> Iterator[World]:
    with ExitStack() as stack:
        # Not in /tmp, which a sandbox has one of its own of.
        name = stack.enter_context(tempfile.TemporaryDirectory(dir="/var/tmp", prefix="laios-"))
        place = Path(name)
        place.chmod(0o777)
        word = secrets.token_hex()
        (place / "secret").write_text(word)
        (place / "secret").chmod(0o666)
        patch = stack.enter_context(pytest.MonkeyPatch.context())
        patch.setenv("SECRET", word)
        directory = os.open(place, os.O_RDONLY)
        stack.callback(os.close, directory)
        os.set_inheritable(directory, True)
        tcp, udp = socket.socket(), socket.socket(type=socket.SOCK_DGRAM)
        path, abstract = socket.socket(socket.AF_UNIX), socket.socket(socket.AF_UNIX)
        for listener in (tcp, udp, path, abstract):
            stack.enter_context(closing(listener))
            listener.setblocking(False)
        tcp.bind(("127.0.0.1", 0))
        udp.bind(("127.0.0.1", 0))
        path.bind(str(place / "socket"))
        (place / "socket").chmod(0o777)
        abstract.bind(f"\0{secrets.token_hex(8)}")
        for listener in (tcp, path, abstract):
            listener.listen()
        victim = subprocess.Popen(["sleep", "600"], **_as_nobody())
        stack.callback(victim.wait)
        stack.callback(victim.kill)
        segment = stack.enter_context(_shared(word))
        yield World(word, place, tcp, udp, path, abstract, victim, segment)


@contextmanager
def _shared(word: str) -> Iterator[int]:
    """A System V segment that everybody may read; gives its number."""
    libc = ctypes.CDLL(None)
    libc.shmat.restype = ctypes.c_void_p
    segment = libc.shmget(0, 4096, 0o1666)  # IPC_PRIVATE, IPC_CREAT
    assert segment != -1
    address = libc.shmat(segment, None, 0)
    ctypes.memmove(address, word.encode(), len(word))
    try:
        yield segment
    finally:
        libc.shmdt(ctypes.c_void_p(address))
        libc.shmctl(segment, 0, None)  # IPC_RMID


def _as_nobody() -> dict[str, int]:
    return {"user": NOBODY, "group": NOBODY} if os.geteuid() == 0 else {}


def processes(tag: str) -> list[int]:
    """The processes that have `tag` on their command line; dead ones have none any more."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if tag.encode() in path.read_bytes() and int(path.parent.name) != os.getpid():
                found.append(int(path.parent.name))
        except OSError:
            continue
    return found


def _came(listener: socket.socket) -> bool:
    try:
        listener.accept()[0].close()
    except BlockingIOError:
        return False
    return True


def _received(listener: socket.socket) -> bytes:
    try:
        return listener.recv(100)
    except BlockingIOError:
        return b""
