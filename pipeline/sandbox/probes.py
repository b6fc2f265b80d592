"""Hostile programs that try out what a sandbox holds back, each with an observer outside.

A probe gives whether it was held back and how that was seen. It trusts nothing that its program
says in its own favour: what must not get out is a random word, what must not be reached listens,
what must not be written is looked for.
"""

import asyncio
import os
import secrets
import socket
import sys
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, closing, suppress
from dataclasses import replace
from pathlib import Path

from pipeline.sandbox.limits import Limits
from pipeline.sandbox.outcome import Outcome
from pipeline.sandbox.runner import attempt

ProbeResult = tuple[bool, str]
Probe = Callable[[], Awaitable[ProbeResult]]

LIMITS = Limits(wall_s=20, cpu_s=3, memory_mb=96, processes=12, output_bytes=4096, files_mb=8)
PROBES: dict[str, Probe] = {}


def _probe(name: str) -> Callable[[Probe], Probe]:
    def register(probe: Probe) -> Probe:
        PROBES[name] = probe
        return probe

    return register


async def python(code: str, *words: str, limits: Limits = LIMITS) -> Outcome:
    return await attempt({"program.py": code}, ("python", "program.py", *words), limits)


def ran(outcome: Outcome) -> bool:
    """A program that did not get to its end has not tried what it should."""
    return outcome.exit == 0


@_probe("files")
async def _files() -> ProbeResult:
    """Another file of the user's: it cannot be read, nor one beside it be written."""
    code = """
import os, sys
for path in (sys.argv[1], *(f"/proc/{pid}/root{sys.argv[1]}" for pid in (1, os.getpid()))):
    for mode in ("r", "a"):
        try:
            print(open(path, mode).read())
        except OSError:
            pass
    try:
        open(path + ".written", "w").close()
    except OSError:
        pass
"""
    home = Path.home()
    with tempfile.TemporaryDirectory(dir=home if os.access(home, os.W_OK) else None) as name:
        secret = Path(name) / "secret"
        word = secrets.token_hex()
        secret.write_text(word, "ascii")
        outcome = await python(code, str(secret))
        same = os.listdir(name) == [secret.name] and secret.read_text("ascii") == word  # noqa: PTH208
    held = ran(outcome) and word not in outcome.stdout and same
    return held, "a file of the user's: not read, not written"


@_probe("system")
async def _system() -> ProbeResult:
    """The system's files and the interpreter cannot be changed."""
    code = """
import os, sys
own = (os.path.dirname(sys.executable), os.path.dirname(os.__file__))
for place in ("/", "/usr", "/usr/bin", "/etc", "/dev", *own):
    try:
        open(f"{place}/laios-{sys.argv[1]}", "w").close()
        print("written", place)
    except OSError:
        pass
"""
    word = secrets.token_hex(8)
    outcome = await python(code, word)
    places = map(Path, ("/", "/usr", "/usr/bin", "/etc", sys.base_prefix + "/bin"))
    left = [place for place in places if (place / f"laios-{word}").exists()]
    held = ran(outcome) and not left and not outcome.stdout
    return held, "no file can be made in /, /usr, /etc, /dev"


@_probe("environment")
async def _environment() -> ProbeResult:
    """Variables and open files of laios do not get in."""
    code = """
import glob, os
for path in (*glob.glob("/proc/[0-9]*/environ"), *glob.glob("/proc/self/fd/*")):
    try:
        if int(path.rpartition("/")[2]) < 3:
            continue
    except ValueError:
        pass
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
        print(os.read(descriptor, 100000))
    except OSError:
        pass
"""
    word = secrets.token_hex()
    with tempfile.TemporaryFile() as file:
        file.write(word.encode())
        file.flush()
        os.set_inheritable(file.fileno(), True)
        os.putenv("LAIOS_PROBE", word)
        try:
            outcome = await python(code)
        finally:
            os.unsetenv("LAIOS_PROBE")
    held = ran(outcome) and word not in outcome.stdout
    return held, "a word in a variable and in an open file: not found"


@_probe("network")
async def _network() -> ProbeResult:
    """A server on this machine's loopback is not reached, by TCP or by an abstract socket."""
    code = """
import socket, sys
port, name = int(sys.argv[1]), "\\0" + sys.argv[2]
for family, address in ((socket.AF_INET, ("127.0.0.1", port)), (socket.AF_UNIX, name)):
    with socket.socket(family) as client:
        client.settimeout(1)
        try:
            client.connect(address)
        except OSError as error:
            print(type(error).__name__)
"""
    tcp, local = socket.socket(), socket.socket(socket.AF_UNIX)
    with closing(tcp), closing(local):
        word = secrets.token_hex(8)
        tcp.bind(("127.0.0.1", 0))
        if sys.platform == "linux":
            local.bind(f"\0{word}")
        for listener in (tcp, local):
            listener.listen()
            listener.setblocking(False)
        outcome = await python(code, str(tcp.getsockname()[1]), word)
        reached = [listener for listener in (tcp, local) if accepts(listener)]
    tried = len(outcome.stdout.split()) == 2
    return tried and not reached, "two servers on this machine: no connection came"


def accepts(listener: socket.socket) -> bool:
    try:
        listener.accept()[0].close()
    except BlockingIOError:
        return False
    return True


@_probe("other processes")
async def _other_processes() -> ProbeResult:
    """A process outside is neither seen nor ended."""
    code = """
import os, signal, sys
for pid in (int(sys.argv[1]), os.getppid(), -1):
    try:
        os.kill(pid, signal.SIGKILL)
    except OSError:
        pass
"""
    async with victim() as process:
        outcome = await python(code, str(process.pid))
        return await lives_on(process) and ran(outcome), "a process outside lived on"


@asynccontextmanager
async def victim(**variables: str) -> AsyncIterator[asyncio.subprocess.Process]:
    """A process outside, to be attacked, with variables of its own. It is Python, because macOS
    shows nobody the variables of its own programs."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", "import time; time.sleep(60)"),
        stdin=asyncio.subprocess.DEVNULL,
        env=variables or None,
        start_new_session=True,  # where Ctrl-C at the terminal does not reach it
    )
    try:
        yield process
    finally:
        with suppress(ProcessLookupError):
            process.kill()
        await process.wait()


async def lives_on(process: asyncio.subprocess.Process) -> bool:
    with suppress(TimeoutError):
        await asyncio.wait_for(process.wait(), 0.1)
    return process.returncode is None


@_probe("nothing stays")
async def _nothing_stays() -> ProbeResult:
    """A program's background processes end with it."""
    code = """
import os, subprocess, sys
if os.fork() == 0:
    os.setsid()
    subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)", sys.argv[1]])
    os._exit(0)
os.wait()
"""
    word = secrets.token_hex()
    outcome = await python(code, word)
    stayed = await asyncio.to_thread(is_running, word)
    return ran(outcome) and not stayed, "a daemon was gone when the call returned"


def is_running(word: str) -> bool:
    """Whether there is a process with this word on its command line."""
    import psutil

    lines = (process.info["cmdline"] or [] for process in psutil.process_iter(["cmdline"]))
    return any(word in line for line in lines)


@_probe("system calls")
async def _system_calls() -> ProbeResult:
    """The kernel's dangerous doors are closed, also where the user would be let in."""
    code = """
import ctypes, platform, socket
libc = ctypes.CDLL(None, use_errno=True)
table = {"unshare": (272, 97), "ptrace": (101, 117), "keyctl": (250, 219), "bpf": (321, 280),
         "userfaultfd": (323, 282), "io_uring_setup": (425, 425), "memfd_create": (319, 279)}
column = platform.machine() == "aarch64"
for name, numbers in table.items():
    result = libc.syscall(numbers[column], 0x10000000 if name == "unshare" else 0, 0, 0, 0, 0)
    print(name, result, ctypes.get_errno())
for family in (16, 17, 38, 40):  # netlink, packet, alg, vsock
    try:
        socket.socket(family, socket.SOCK_DGRAM)
        print("socket", 0, 0)
    except OSError as error:
        print("socket", -1, error.errno)
"""
    outcome = await python(code)
    lines = outcome.stdout.splitlines()
    refused = [line for line in lines if line.endswith(" -1 1")]
    return len(lines) == len(refused) == 11, "unshare, ptrace, bpf, keyctl, netlink, …: refused"


@_probe("time")
async def _time() -> ProbeResult:
    """The wall clock ends what sleeps."""
    outcome = await python("import time; time.sleep(60)", limits=replace(LIMITS, wall_s=0.3))
    taken = outcome.duration_s  # laios measures it, and not how long there was no free core
    return outcome.ended == "timeout" and taken < 5, f"a sleeper was ended after {taken:.1f} s"


@_probe("processor")
async def _processor() -> ProbeResult:
    """A process that only computes is ended."""
    outcome = await python("while True: pass", limits=replace(LIMITS, cpu_s=1, wall_s=20))
    return outcome.ended == "cpu", "an endless loop was ended"


@_probe("memory of one process")
async def _memory() -> ProbeResult:
    outcome = await python("x = bytearray(200_000_000)\nprint('had')")
    return "had" not in outcome.stdout, f"200 MB were refused, the limit being {LIMITS.memory_mb}"


@_probe("memory of all together")
async def _memory_of_all() -> ProbeResult:
    code = """
import os, time
for _ in range(6):
    if os.fork() == 0:
        x = b"x" * 60_000_000
        time.sleep(60)
time.sleep(60)
"""
    outcome = await python(code)
    peak = outcome.peak_memory_mb or 0
    return outcome.ended == "memory", f"ended at {peak:.0f} MB, the limit being {LIMITS.memory_mb}"


@_probe("processes")
async def _processes() -> ProbeResult:
    """Told by the program itself, but only to its own disadvantage."""
    code = """
import os, time
for count in range(100):
    try:
        if os.fork() == 0:
            time.sleep(60)
    except OSError:
        break
print(count)
"""
    outcome = await python(code)
    count = int(outcome.stdout or 100)
    return count <= LIMITS.processes, f"fork was refused after {count}"


@_probe("disk")
async def _disk() -> ProbeResult:
    """All writable places together; also told by the program."""
    code = """
total = 0
for place in ("/tmp", "/dev/shm", "/var/tmp", "."):
    for number in range(4):
        try:
            with open(f"{place}/{number}", "wb", 0) as file:
                while total < 200_000_000:
                    total += file.write(b"x" * 100_000)
        except OSError:
            pass
print(total)
"""
    outcome = await python(code)
    written = int(outcome.stdout or 1_000_000_000) / 1e6
    return written <= 3 * LIMITS.files_mb, f"{written:.0f} MB could be written, and not more"


@_probe("output")
async def _output() -> ProbeResult:
    outcome = await python("while True: print('x' * 10_000)")
    kept = len(outcome.stdout)
    held = outcome.ended == "output" and kept < 2 * LIMITS.output_bytes
    return held, f"a flood was ended; {kept} characters of it were kept"
