"""A stand-in for macOS's `sandbox-exec`, for Linux: what its profile lets be read and written, it
lets be read and written (Landlock); no second process, no socket, no signal to others, no shared
memory (seccomp). So the run and the probes of macOS meet a boundary that holds, or one with a hole.
"""

import ctypes
import platform
import stat
import sys
from pathlib import Path

from pipeline.sandbox.seccomp import (
    _LOAD,
    CLONE3,
    DENIED,
    MACHINES,
    _argument,
    _deny,
    _line,
    _return,
    _when,
)

_ALLOW, _ENOSYS = 0x7FFF0000, 0x00050026
_ANY_BIT, _CLONE_THREAD = 0x45, 0x10000
_FORK, _VFORK = 57, 58  # of x86_64 alone
ENFORCED = ("files", "signals", "processes", "sockets", "memory")

_SCRIPT = """#!{python} -I
import ctypes, os, re, struct, sys
libc = ctypes.CDLL(None, use_errno=True)
enforced, seccomp = {enforced!r}, bytes.fromhex({seccomp!r})
assert sys.argv[1] == "-p"
profile, command = sys.argv[2], sys.argv[3:]
rules = re.findall(r"\\(allow ([^\\n]*)\\n((?:  .*\\n?)*)", profile)
assert "(deny default)" in profile and rules

def checked(result):
    if result < 0:
        raise OSError(ctypes.get_errno(), "not enforced")
    return result

def paths(operation):
    lines = [lines for operations, lines in rules if operation in operations.split()]
    found = set(re.findall(r'"([^"]+)"', "".join(lines)))
    return [path for path in found - {{"/"}} if os.path.exists(path)]

libc.prctl(38, 1, 0, 0, 0)  # PR_SET_NO_NEW_PRIVS
files, all_rights, of_files = "files" in enforced, 0xFFFF, 0b1100000000000111
handled = struct.pack("QQQ", all_rights if files else 0, 0, 2 if "signals" in enforced else 0)
if files or "signals" in enforced:
    ruleset = checked(libc.syscall(444, handled, len(handled), 0))
    system = ["/usr", "/lib", "/lib64", "/etc/ld.so.cache"]
    rights = [(path, 0b1101) for path in (*system, *paths("file-read*"), *paths("process-exec"))]
    rights += [(path, all_rights) for path in (*paths("file-write*"), *paths("file-write-data"))]
    for path, allowed in rights if files else ():
        if not os.path.exists(path):
            continue
        beneath = os.open(path, os.O_PATH)
        allowed &= all_rights if os.path.isdir(path) else of_files
        checked(libc.syscall(445, ruleset, 1, struct.pack("=Qi", allowed, beneath), 0))
        os.close(beneath)
    checked(libc.syscall(446, ruleset, 0))
    os.close(ruleset)
class Program(ctypes.Structure):
    _fields_ = [("count", ctypes.c_ushort), ("lines", ctypes.c_char_p)]
checked(libc.prctl(22, 2, ctypes.byref(Program(len(seccomp) // 8, seccomp)), 0, 0))
os.execv(command[0], command)
"""


def can_enforce() -> bool:
    """Whether this kernel has Landlock with signals (Linux 6.12)."""
    known = platform.machine() in MACHINES and sys.platform == "linux"
    return known and ctypes.CDLL(None).syscall(444, None, 0, 1) >= 6


def stand_in(path: Path, *, hole: str | None = None) -> Path:
    """A `sandbox-exec` at a path that enforces all of ENFORCED but one."""
    enforced = set(ENFORCED) - {hole}
    text = _SCRIPT.format(python=sys.executable, enforced=enforced, seccomp=_filter(enforced).hex())
    return executable(path, text)


def executable(path: Path, text: str) -> Path:
    path.write_text(text)
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


def _filter(enforced: set[str]) -> bytes:
    on = MACHINES[platform.machine()]
    lines = [_line(_LOAD, 0)]
    if "processes" in enforced:
        lines += _when(CLONE3, [_return(_ENOSYS)])
        lines += _when(on.clone, _argument(0, [_line(_ANY_BIT, _CLONE_THREAD, 1, 0), _deny()]))
        if platform.machine() == "x86_64":
            lines += [*_when(_FORK, [_deny()]), *_when(_VFORK, [_deny()])]
    if "sockets" in enforced:
        lines += _when(on.socket, [_deny()])
    if "memory" in enforced:
        number = DENIED["shmget"][on.column]
        assert number is not None
        lines += _when(number, [_deny()])
    return b"".join([*lines, _return(_ALLOW)])
