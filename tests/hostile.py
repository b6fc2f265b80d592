"""Hostile programs, each with how it has to end. test_sandbox_hostile.py runs them.

They are told where everything is (PRELUDE), and most report each attempt by `attempt`.
"""

from dataclasses import dataclass
from pathlib import Path

REFUSED = "refused"  # every attempt failed, and there was one
HARMLESS = "harmless"  # it may do what it likes, and ends by itself: the world outside tells
_ADDRESSES = Path("/proc/net/if_inet6")
_HAS_IPV6 = _ADDRESSES.exists() and bool(_ADDRESSES.read_text("ascii"))


@dataclass(frozen=True)
class Hostile:
    name: str
    code: str
    ends: tuple[str, ...]


PRELUDE = """
import ctypes, os, platform, resource, signal, socket, subprocess, sys, threading, time
TAG, PLACE, ABSTRACT = sys.argv[1:4]
PORT, UDP, VICTIM, SEGMENT = map(int, sys.argv[4:])
SECRET = PLACE + "/secret"
libc = ctypes.CDLL(None, use_errno=True)
ARM = platform.machine() == "aarch64"

def attempt(what, *args, **options):
    try:
        print("did", what, what(*args, **options), flush=True)
    except BaseException as error:
        print("refused", what, repr(error), flush=True)

def syscall(x86, arm, *args):
    result = libc.syscall(arm if ARM else x86, *args)
    if result == -1:
        raise OSError(ctypes.get_errno(), "refused")
    return result

def connect(family, address, kind=socket.SOCK_STREAM):
    with socket.socket(family, kind) as client:
        client.settimeout(1)
        client.connect(address)

def write(path, text="x"):
    with open(path, "w") as file:
        file.write(text)

def background(*words):
    '''A process that outlives this one, if it is let.'''
    code = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(600)"
    return subprocess.Popen([sys.executable, "-c", code, TAG, *words], start_new_session=True)
"""


def _table(*rows: tuple[str, str, str]) -> list[Hostile]:
    return [Hostile(name, code, tuple(ends.split("|"))) for name, code, ends in rows]


READS = _table(
    ("reads a file", "attempt(open, SECRET)", REFUSED),
    ("reads through pid 1's root", 'attempt(open, f"/proc/1/root{SECRET}")', REFUSED),
    ("reads by way of its directory", 'attempt(open, "/proc/self/cwd/../../.." + SECRET)', REFUSED),
    (
        "reads through a symlink",
        'os.symlink(SECRET, "/tmp/link"); attempt(open, "/tmp/link")',
        REFUSED,
    ),
    ("makes a hard link", 'attempt(os.link, SECRET, "/tmp/link")', REFUSED),
    (
        "reads everybody's environment",
        """
for pid in filter(str.isdigit, os.listdir("/proc")):
    try:
        print(open(f"/proc/{pid}/environ").read(), open(f"/proc/{pid}/cmdline").read())
    except OSError:
        pass
""",
        HARMLESS,
    ),
    (
        "reads pid 1's memory",
        """
def read():
    with open("/proc/1/maps") as maps, open("/proc/1/mem", "rb") as memory:
        for line in maps:
            if "heap" in line or "stack" in line:
                start, end = (int(x, 16) for x in line.split()[0].split("-"))
                memory.seek(start)
                os.write(int(os.environ["REPORT_FD"]), memory.read(end - start)[:60000])
attempt(read)
""",
        HARMLESS,
    ),
    (
        "climbs out of an inherited directory",
        """
for name in os.listdir("/proc/self/fd"):
    attempt(os.open, "secret", os.O_RDONLY, dir_fd=int(name))
    attempt(os.open, "../../../../etc/hostname", os.O_RDONLY, dir_fd=int(name))
""",
        REFUSED,
    ),
    (
        "opens a file by its handle",
        "attempt(syscall, 304, 265, -100, (ctypes.c_char * 20)(8), 0)",
        REFUSED,
    ),
    (
        "looks for homes and keys",
        """
for path in ("/home", "/root/.ssh", "/etc/ssh", "/etc/shadow", "/etc/machine-id", "/var/lib"):
    attempt(os.listdir, path)
    attempt(open, path)
""",
        REFUSED,
    ),
    (
        "looks for the system's sockets and devices",
        """
for path in ("/run", "/var/run", "/sys", "/sys/fs/cgroup", "/dev/disk", "/dev/mapper"):
    attempt(os.listdir, path)
""",
        REFUSED,
    ),
    (
        "opens the disk and the memory",
        """
for path in ("/dev/vda", "/dev/sda", "/dev/nvme0n1", "/dev/mem", "/dev/kmsg", "/proc/kcore"):
    attempt(open, path, "rb")
""",
        REFUSED,
    ),
    (
        "makes a device of its own",
        'attempt(os.mknod, "/tmp/disk", 0o060666, os.makedev(254, 0))',
        REFUSED,
    ),
    (
        "reads the kernel's log",
        "attempt(syscall, 103, 116, 3, ctypes.create_string_buffer(99), 99)",
        REFUSED,
    ),
    (
        "attaches shared memory of others",
        """
libc.shmat.restype = ctypes.c_void_p
def attach(segment):
    address = libc.shmat(segment, None, 0o10000)
    if address == ctypes.c_void_p(-1).value:
        raise OSError(ctypes.get_errno(), "refused")
    return ctypes.string_at(address)
for segment in (SEGMENT, *range(64)):
    attempt(attach, segment)
""",
        REFUSED,
    ),
    ("reads keys", "attempt(syscall, 250, 219, 0, -3, 1)", REFUSED),
)

WRITES = _table(
    ("writes beside a file", 'attempt(write, PLACE + "/" + TAG)', REFUSED),
    ("changes a file", "attempt(write, SECRET)", REFUSED),
    ("deletes a directory", "import shutil; attempt(shutil.rmtree, PLACE)", REFUSED),
    (
        "writes into the system",
        """
for place in ("/", "/usr", "/usr/bin", "/etc", "/dev", "/proc", os.path.dirname(sys.executable)):
    attempt(write, f"{place}/{TAG}")
""",
        REFUSED,
    ),
    (
        "changes the interpreter",
        "attempt(os.chmod, os.__file__, 0o777); attempt(os.unlink, os.__file__)",
        REFUSED,
    ),
    (
        "writes into its own tmp, which is nobody else's",
        'write(f"/tmp/{TAG}"); write(f"/dev/shm/{TAG}"); write(TAG)',
        HARMLESS,
    ),
    (
        "sets the kernel's switches",
        """
for name in ("kernel/core_pattern", "kernel/modprobe", "vm/drop_caches"):
    attempt(write, f"/proc/sys/{name}")
attempt(write, "/proc/sysrq-trigger")
""",
        REFUSED,
    ),
    (
        "escapes the out-of-memory killer",
        'attempt(write, "/proc/self/oom_score_adj", "-1000")',
        REFUSED,
    ),
    (
        "mounts",
        """
attempt(syscall, 165, 40, b"none", b"/tmp", b"tmpfs", 0, 0)
attempt(syscall, 165, 40, 0, b"/", 0, 0x1020, 0)  # remount, bind, read-write
attempt(syscall, 166, 39, b"/dev/shm", 2)
attempt(syscall, 428, 428, -100, b"/", 1)
attempt(syscall, 430, 430, b"tmpfs", 0)
attempt(os.chroot, "/tmp")
""",
        REFUSED,
    ),
    ("types into the terminal", 'import fcntl; attempt(fcntl.ioctl, 0, 0x5412, b"x")', REFUSED),
    ("opens the terminal", 'attempt(open, "/dev/tty", "w")', REFUSED),
    (
        "becomes root",
        """
attempt(os.setuid, 0)
attempt(os.setgroups, [0])
for command in (["su", "-c", "id"], ["sudo", "-n", "id"], ["mount", "-t", "tmpfs", "x", "/tmp"]):
    attempt(subprocess.run, command, check=True, stdin=subprocess.DEVNULL, capture_output=True)
""",
        REFUSED,
    ),
)

NETWORK = _table(
    (
        "connects to a local server",
        'attempt(connect, socket.AF_INET, ("127.0.0.1", PORT))',
        REFUSED,
    ),
    (
        "sends a datagram",
        'socket.socket(type=socket.SOCK_DGRAM).sendto(b"x", ("127.0.0.1", UDP))',
        HARMLESS,
    ),
    ("connects to a socket file", 'attempt(connect, socket.AF_UNIX, PLACE + "/socket")', REFUSED),
    (
        "connects to an abstract socket",
        'attempt(connect, socket.AF_UNIX, "\\0" + ABSTRACT)',
        REFUSED,
    ),
    ("connects to the world", 'attempt(connect, socket.AF_INET, ("192.0.2.1", 80))', REFUSED),
    ("asks for a name", 'attempt(socket.getaddrinfo, "example.org", 80)', REFUSED),
    (
        "makes sockets of unusual families",
        """
for family in (16, 17, 29, 31, 38, 40, 44):  # netlink, packet, can, bluetooth, alg, vsock, xdp
    attempt(socket.socket, family, socket.SOCK_DGRAM)
    attempt(socket.socket, family, socket.SOCK_RAW)
attempt(socket.socket, socket.AF_INET, socket.SOCK_RAW, 1)
""",
        REFUSED,
    ),
)

PROCESSES = _table(
    (
        "kills others",
        "attempt(os.kill, VICTIM, 9); attempt(os.killpg, VICTIM, 9)",
        REFUSED,
    ),
    (
        "kills all that it can",
        "attempt(os.kill, -1, 9); attempt(os.kill, os.getppid(), 9)",
        f"{HARMLESS}|died",
    ),
    (
        "kills its parents",
        "for number in (2, 15, 19): attempt(os.kill, os.getppid(), number)",
        f"{HARMLESS}|died",
    ),
    (
        "traces and reads others",
        """
attempt(syscall, 101, 117, 16, 1, 0, 0)
attempt(syscall, 101, 117, 0, 0, 0, 0)
attempt(syscall, 310, 270, 1, 0, 0, 0, 0, 0)
attempt(syscall, 311, 271, 1, 0, 0, 0, 0, 0)
attempt(syscall, 438, 438, 0, 0, 0)
attempt(syscall, 312, 272, 1, 1, 0, 0, 0)
""",
        REFUSED,
    ),
    ("leaves a daemon", "background()", HARMLESS),
    (
        "leaves a daemon of a daemon",
        "if os.fork() == 0:\n    os.setsid()\n    os.fork() or background()\n    time.sleep(600)",
        HARMLESS,
    ),
    (
        "leaves a daemon that lets go of everything",
        "if os.fork() == 0:\n    os.closerange(0, 99)\n    os.setsid()\n    time.sleep(600)",
        HARMLESS,
    ),
    ("dies and leaves a daemon", "background(); os.kill(os.getpid(), 9)", "died"),
    (
        "hands its life on from child to child",
        "while True:\n    if os.fork() != 0:\n        os._exit(0)",
        HARMLESS,
    ),
    ("stops itself", "os.kill(os.getpid(), signal.SIGSTOP)", "timeout"),
    (
        "makes namespaces",
        """
for kind in (0x10000000, 0x20000, 0x40000000, 0x20000000, 0x4000000, 0x2000000, 0x80):
    attempt(syscall, 272, 97, kind)
attempt(syscall, 56, 220, 0x10000000 | 17, 0, 0, 0, 0)
attempt(syscall, 435, 435, (ctypes.c_uint64 * 8)(0x10000000), 64)
attempt(syscall, 308, 268, os.open("/proc/self/ns/net", os.O_RDONLY), 0)
attempt(subprocess.run, ["unshare", "-Ur", "id"], check=True, capture_output=True)
attempt(subprocess.run, ["bwrap", "--bind", "/", "/", "id"], check=True, capture_output=True)
""",
        REFUSED,
    ),
    (
        "raises its limits",
        """
for name in ("NPROC", "DATA", "CPU", "FSIZE", "NOFILE", "CORE", "MEMLOCK"):
    attempt(resource.setrlimit, getattr(resource, "RLIMIT_" + name), (1 << 40, 1 << 40))
    attempt(resource.prlimit, 1, getattr(resource, "RLIMIT_" + name), (1 << 40, 1 << 40))
attempt(os.nice, -5)
""",
        REFUSED,
    ),
    (
        "opens the kernel's rarer doors",
        """
for numbers in ((321, 280), (298, 241), (323, 282), (425, 425), (175, 105), (246, 104), (248, 217),
                (135, 92), (169, 142), (170, 161), (164, 170), (163, 89), (167, 224), (300, 262)):
    attempt(syscall, *numbers, 0, 0, 0, 0, 0)
""",
        REFUSED,
    ),
    (
        "calls the kernel as a program of 32 bits",
        """
import mmap
if ARM: os.kill(os.getpid(), signal.SIGSYS)
page = mmap.mmap(-1, 4096, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, 7)
page.write(bytes.fromhex("b814000000 cd80 c3"))  # mov eax, getpid; int 0x80; ret
ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(page)))()
""",
        "died",
    ),
    ("crashes", "ctypes.string_at(0)", "died"),
    (
        "overflows its stack",
        "sys.setrecursionlimit(1 << 30)\ndef f(*x): return f(*x)\nimport functools\n"
        "g = lambda: None\nfor _ in range(500_000): g = functools.partial(g)\nf()",
        "died|memory|exited|cpu",
    ),
)

_CONNECTIONS = """
server, ends = socket.create_server(("{1}", 0), family=socket.{0}, backlog=99), []
while True:
    ends.append(socket.create_connection(server.getsockname()[:2]))
    ends[-1].setblocking(False)
    try:
        while True: ends[-1].send(b"x" * 10**6)
    except BlockingIOError:
        pass
"""
HOGS = _table(
    ("computes without end", "while True: pass", "cpu"),
    (
        "computes on, told to stop",
        "signal.signal(signal.SIGXCPU, signal.SIG_IGN)\nwhile 1: pass",
        "cpu",
    ),
    ("sleeps", "time.sleep(600)", "timeout"),
    ("waits for input that never ends", "threading.Event().wait()", "timeout"),
    ("sleeps deaf and mute", "os.closerange(0, 99)\nsignal.pause()", "timeout"),
    ("takes memory", "attempt(bytearray, 10**9)", REFUSED),
    ("takes memory bit by bit", "x = []\nwhile True: x.append(bytearray(10**6))", "exited|memory"),
    (
        "takes shared memory",
        """
import mmap
attempt(mmap.mmap, -1, 10**9)
attempt(mmap.mmap, os.open("/dev/zero", os.O_RDWR), 10**9)
""",
        REFUSED,
    ),
    (
        "hides memory in the kernel",
        """
import struct
rights = [(1, 6, 0), *[(2, 6, os.getuid())] * 8000, (4, 6, 0), (16, 6, 0), (32, 6, 0)]
entries = b"".join(struct.pack("<HHI", *right) for right in rights)
write("/tmp/x")
attempt(os.setxattr, "/tmp/x", "system.posix_acl_access", struct.pack("<I", 2) + entries)
attempt(syscall, 206, 0, 30000, ctypes.byref(ctypes.c_ulong()))
page = ctypes.create_string_buffer(4096)
pages = (ctypes.c_uint64 * 2)(ctypes.addressof(page), 4096)
attempt(syscall, 278, 75, os.pipe()[1], pages, 1, 0)
for option in (socket.SO_SNDBUF, socket.SO_RCVBUF):
    attempt(socket.socketpair()[0].setsockopt, socket.SOL_SOCKET, option, 1 << 24)
""",
        REFUSED,
    ),
    (
        "takes memory in many processes",
        "for _ in range(5):\n    if os.fork() == 0: break\n"
        "x = bytearray(30 * 10**6)\ntime.sleep(600)",
        "memory",
    ),
    (
        "takes memory that grows downwards",
        """
import mmap
attempt(mmap.mmap, -1, 10**9, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x100)
""",
        REFUSED,
    ),
    (
        "takes memory and lets go of the right to write",
        """
import mmap
size, blocks = 20 * mmap.PAGESIZE * 250, []
for _ in range(9):
    blocks.append(mmap.mmap(-1, size, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS))
    start = ctypes.addressof(ctypes.c_char.from_buffer(blocks[-1]))
    ctypes.memset(start, 1, size)
    libc.mprotect(ctypes.c_void_p(start), ctypes.c_size_t(size), mmap.PROT_READ)
time.sleep(600)
""",
        "memory",
    ),
    (
        "takes memory for the tables of pages",
        """
import mmap
os.fork()
size = 30 << 30
libc.mmap.restype = ctypes.c_void_p
start = libc.mmap(None, ctypes.c_size_t(size), mmap.PROT_READ, 0x4022, -1, ctypes.c_long())
libc.madvise(ctypes.c_void_p(start), ctypes.c_size_t(size), 15)  # no huge pages
for address in range(start, start + size, 1 << 21):
    ctypes.c_char.from_address(address).value
time.sleep(600)
""",
        "memory",
    ),
    (
        "takes addresses without end",
        "import mmap\nattempt(mmap.mmap, -1, 100 << 30, 0x4022, mmap.PROT_READ)",
        REFUSED,
    ),
    (
        "takes memory that no process has",
        """
attempt(os.memfd_create, "x")
attempt(syscall, 29, 194, 0, 1 << 30, 0o1600)
attempt(syscall, 68, 186, 0, 0o1600)
attempt(syscall, 447, 447, 0)
""",
        REFUSED,
    ),
    ("leaves memory in connections", _CONNECTIONS.format("AF_INET", "127.0.0.1"), "memory"),
    *(
        [("leaves memory in connections of IPv6", _CONNECTIONS.format("AF_INET6", "::1"), "memory")]
        if _HAS_IPV6
        else []
    ),
    (
        "leaves memory in connections that nobody holds",
        """
servers = []
while True:
    servers.append(socket.create_server(("127.0.0.1", 0), backlog=99))
    for _ in range(50):
        with socket.create_connection(servers[-1].getsockname()) as end:
            end.setblocking(False)
            try:
                while True: end.send(b"x" * 10**6)
            except BlockingIOError:
                pass
""",
        "memory|cpu",  # on a busy machine its second of processor time may be over first
    ),
    ("fills the disk", 'attempt(lambda: open("/tmp/x", "wb").write(b"x" * 10**7))', REFUSED),
    (
        "fills the shared memory",
        'attempt(lambda: open("/dev/shm/x", "wb").write(b"x" * 10**7))',
        REFUSED,
    ),
    (
        "makes a huge hole",
        'attempt(os.truncate, os.open("/tmp/x", os.O_CREAT | os.O_RDWR), 1 << 40)',
        REFUSED,
    ),
    (
        "makes files without end",
        'for i in range(10**9): os.close(os.open(f"/tmp/{i}", os.O_CREAT))',
        "memory|cpu|exited",
    ),
    (
        "opens files without end",
        "[os.dup(0) for _ in range(99)]\nattempt(lambda: [os.dup(0) for _ in range(99)])",
        REFUSED,
    ),
    ("prints without end", "while True: print('x' * 999)", "output"),
    ("complains without end", "while True: print('x' * 999, file=sys.stderr)", "output"),
    (
        "reports without end",
        'while True: os.write(int(os.environ["REPORT_FD"]), b"x" * 9999)',
        "output",
    ),
    (
        "forks without end",
        "while True:\n    try: os.fork()\n    except OSError: pass",
        "cpu|timeout|died|memory",
    ),
    (
        "starts threads without end",
        "attempt(lambda: [threading.Thread(target=time.sleep, args=(9,), daemon=True).start()"
        " for _ in range(99)])\nos._exit(0)",
        REFUSED,
    ),
)

ALL = [*READS, *WRITES, *NETWORK, *PROCESSES, *HOGS]
