"""The hostile programs on macOS, where the sandbox is a profile that has to prove itself.

So each of them does no harm where nothing at all is held back: what it attacks was made for it,
what it makes it removes, and a process that is not its own gets signal 0, which only asks. Because
it may have made something for a moment, it prints what it came to do, and its word counts, against
it. The observers are the same as in probes.py.
"""

import asyncio
import os
import secrets
import socket
import tempfile
from contextlib import ExitStack, closing
from pathlib import Path

from pipeline.sandbox.outcome import Outcome
from pipeline.sandbox.probes import (
    LIMITS,
    PROBES,
    Probe,
    ProbeResult,
    accepts,
    is_running,
    lives_on,
    python,
    ran,
    victim,
)

_SHOWN = 500

# What a program tries, it tries by this.
_TRIES = """
import ctypes, os, signal, socket, subprocess, sys, time
libc = ctypes.CDLL(None, use_errno=True)
def tries(what, *args, **options):
    try:
        return what(*args, **options)
    except (OSError, AttributeError):
        return None
def did(*words):
    print("did", *words, flush=True)
"""


def _result(held: bool, outcome: Outcome, proof: str) -> ProbeResult:
    """What it came to do, where it was not held: nobody else can look on that machine."""
    if held and ran(outcome) and "did " not in outcome.stdout:
        return True, proof
    did = [line for line in outcome.stdout.splitlines() if line.startswith("did ")]
    said = "; ".join([*did, *outcome.stderr.strip().splitlines()[-1:]])[:_SHOWN]
    how = f"{outcome.ended}, status {outcome.exit}: {said or 'seen from outside'}"
    return False, f"not held ({how})"


def _real(path: str) -> Path:
    return Path(path).resolve()


async def _files() -> ProbeResult:
    """A file of the user's: neither read nor written, by its name, another or a new one."""
    code = """
path, volume = sys.argv[1:]
names = [path, volume, os.path.relpath(path), "/System/Volumes/Data" + path]
for number, make in enumerate((os.link, os.symlink, os.rename)):
    tries(make, path, f"other-{number}")
    names.append(f"other-{number}")
for name in names:
    for mode in ("r", "r+"):
        if file := tries(open, name, mode):
            did("open", name, mode)
            print(tries(file.read) if mode == "r" else "", flush=True)
if tries(os.listdir, os.path.dirname(path)):
    did("list its directory")
if file := tries(open, path + ".written", "w"):
    did("write beside it")
"""
    home = Path.home()
    with tempfile.TemporaryDirectory(dir=home if os.access(home, os.W_OK) else None) as name:
        secret = _real(name) / "secret"
        word = secrets.token_hex()
        secret.write_text(word, "ascii")
        about = secret.stat()
        volume = f"/.vol/{about.st_dev}/{about.st_ino}"  # a file's name by its number, on macOS
        outcome = await python(_TRIES + code, str(secret), volume)
        same = os.listdir(name) == [secret.name] and secret.read_text("ascii") == word  # noqa: PTH208
    held = word not in outcome.stdout and same
    return _result(held, outcome, "a file of the user's: not read, written, linked or moved")


async def _system() -> ProbeResult:
    """Outside of its own directory it can make no file; the interpreter's cannot be changed."""
    code = """
own = (os.path.dirname(sys.executable), os.path.dirname(os.__file__))
shared = ("/tmp", "/private/tmp", "/var/tmp", "/private/var/tmp", "/Users/Shared")
for place in ("/", "/usr/local", "/etc", "/dev", "/Library", *shared, *own, *sys.argv[2:]):
    path = f"{place}/laios-{sys.argv[1]}"
    if file := tries(open, path, "x"):
        did("write", path)
        file.close()
        os.unlink(path)
tries(os.link, os.__file__, "linked.py")
for path in (os.__file__, "linked.py"):
    if tries(open, path, "r+"):
        did("open for writing", path)
"""
    word = secrets.token_hex(8)
    outcome = await python(_TRIES + code, word, str(Path.home()), tempfile.gettempdir())
    proof = "no file can be made outside, none of the interpreter's be changed"
    return _result(True, outcome, proof)


async def _environment() -> ProbeResult:
    """The variables of another process and the open files of laios are not seen."""
    code = """
pid, names = int(sys.argv[1]), (ctypes.c_int * 3)(1, 49, int(sys.argv[1]))  # KERN_PROCARGS2
size, buffer = ctypes.c_size_t(65536), ctypes.create_string_buffer(65536)
if tries(lambda: libc.sysctl(names, 3, buffer, ctypes.byref(size), None, 0)) == 0:
    print(buffer.raw[:size.value])
if file := tries(open, f"/proc/{pid}/environ", "rb"):
    print(file.read())
for descriptor in range(3, 64):
    print(tries(os.pread, descriptor, 1000, 0))
"""
    word = secrets.token_hex()
    with tempfile.TemporaryFile() as file:
        file.write(word.encode())
        file.flush()
        os.set_inheritable(file.fileno(), True)
        async with victim(LAIOS_PROBE=word) as process:
            outcome = await python(_TRIES + code, str(process.pid))
    proof = "a word in a process's variable and in an open file: not found"
    return _result(word not in outcome.stdout, outcome, proof)


async def _network() -> ProbeResult:
    """No server on this machine is reached, and none can be opened."""
    code = """
tcp, udp, path = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
def connect(family, kind, address):
    with socket.socket(family, kind) as client:
        client.settimeout(1)
        client.connect(address)
        client.send(b"x")
        did("reach", address)
def listen():
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        server.listen()
        did("listen")
tries(connect, socket.AF_INET, socket.SOCK_STREAM, ("127.0.0.1", tcp))
tries(connect, socket.AF_INET, socket.SOCK_DGRAM, ("127.0.0.1", udp))
tries(connect, socket.AF_UNIX, socket.SOCK_STREAM, path)
tries(listen)
"""
    with ExitStack() as stack:
        # A path for a socket must not be long, and macOS's own directory for such is.
        name = stack.enter_context(tempfile.TemporaryDirectory(dir="/tmp"))
        path = str(_real(name) / "socket")
        tcp, udp = socket.socket(), socket.socket(type=socket.SOCK_DGRAM)
        local = socket.socket(socket.AF_UNIX)
        for listener in (tcp, udp, local):
            stack.enter_context(closing(listener))
            listener.setblocking(False)
        tcp.bind(("127.0.0.1", 0))
        udp.bind(("127.0.0.1", 0))
        local.bind(path)
        for listener in (tcp, local):
            listener.listen()
        ports = [str(listener.getsockname()[1]) for listener in (tcp, udp)]
        outcome = await python(_TRIES + code, *ports, path)
        reached = accepts(tcp) or accepts(local) or _received(udp)
    proof = "three servers on this machine: nothing came; none could be opened"
    return _result(not reached, outcome, proof)


def _received(listener: socket.socket) -> bool:
    try:
        return bool(listener.recv(100))
    except BlockingIOError:
        return False


async def _other_processes() -> ProbeResult:
    """No process outside can be signalled."""
    code = """
if tries(lambda: os.kill(int(sys.argv[1]), signal.SIGKILL) or True):
    did("end a process")
if tries(lambda: os.kill(os.getppid(), 0) or True):
    did("reach laios")
"""
    async with victim() as process:
        outcome = await python(_TRIES + code, str(process.pid))
        lived = await lives_on(process)
    return _result(lived, outcome, "a process outside lived on")


async def _processes() -> ProbeResult:
    """It stays one process, so that nothing of it can stay."""
    code = """
words = [sys.executable, "-c", "import time; time.sleep(1)", sys.argv[1]]
def fork():
    pid = os.fork()
    if pid == 0:
        os.setsid()
        os._exit(0)
    os.waitpid(pid, 0)
    return True
if tries(fork):
    did("fork")
if tries(os.posix_spawn, words[0], words, {}):
    did("posix_spawn")
if tries(subprocess.Popen, words):
    did("subprocess")
if os.system("true") == 0:
    did("system")
"""
    word = secrets.token_hex()
    outcome = await python(_TRIES + code, word)
    stayed = await asyncio.to_thread(is_running, word)
    proof = "no second process could be started, and none was there afterwards"
    return _result(not stayed, outcome, proof)


async def _services() -> ProbeResult:
    """No service of the system does anything for it, and no memory is shared by a name."""
    code = """
if sys.platform == "darwin":
    port, found = ctypes.c_uint.in_dll(libc, "bootstrap_port"), ctypes.c_uint()
    for name in ("com.apple.SecurityServer", "com.apple.securityd.xpc", "com.apple.pasteboard.1",
                 "com.apple.coreservices.launchservicesd", "com.apple.windowserver.active",
                 "com.apple.tccd", "com.apple.cfprefsd.daemon", "com.apple.trustd"):
        if libc.bootstrap_look_up(port, name.encode(), ctypes.byref(found)) == 0:
            did("look up", name)
segment = libc.shmget(0, 4096, 0o1600)  # IPC_PRIVATE, IPC_CREAT
if segment != -1:
    libc.shmctl(segment, 0, None)  # IPC_RMID
    did("shmget")
name = sys.argv[1].encode()
if tries(lambda: libc.shm_open(name, os.O_CREAT | os.O_RDWR, 0o600)) not in (None, -1):
    libc.shm_unlink(name)
    did("shm_open")
"""
    outcome = await python(_TRIES + code, f"/laios-{secrets.token_hex(8)}")
    proof = "keychain, clipboard, launcher, …: not reached; no shared memory"
    return _result(True, outcome, proof)


async def _memory() -> ProbeResult:
    outcome = await python("import time\nx = b'x' * 400_000_000\ntime.sleep(60)")
    peak = outcome.peak_memory_mb or 0
    return outcome.ended == "memory", f"ended at {peak:.0f} MB, the limit being {LIMITS.memory_mb}"


async def _disk() -> ProbeResult:
    """One file has a limit of its own; many are seen."""
    code = """
import os
def filled(path):
    try:
        with open(path, "wb", 0) as file:
            while file.write(b"x" * 100_000):
                pass
    except OSError:
        return os.path.getsize(path)
largest = filled("one")
with open(int(os.environ["REPORT_FD"]), "w") as report:
    report.write(str(largest))
for number in range(30):
    filled(str(number))
import time; time.sleep(60)
"""
    outcome = await python(code)
    largest = int(outcome.report or 1_000_000_000)
    held = outcome.ended == "output" and largest <= LIMITS.files_mb * 1_000_000
    return held, f"ended while it filled its directory, no file having more than {largest} bytes"


MAC_PROBES: dict[str, Probe] = {
    "files": _files,
    "system": _system,
    "environment": _environment,
    "network": _network,
    "other processes": _other_processes,
    "processes": _processes,
    "services": _services,
    "time": PROBES["time"],
    "processor": PROBES["processor"],
    "memory": _memory,
    "disk": _disk,
    "output": PROBES["output"],
}
