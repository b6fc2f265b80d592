"""The system calls that a program in the sandbox does not get, as a classic BPF program.

What is denied fails with EPERM, so that a program sees an ordinary error; `clone3` fails with
ENOSYS, because its flags lie in memory where a filter cannot look, and the C libraries then take
`clone`, whose flags it can. Any other architecture's calls (32 bits, x32) end the process.

Format: `struct sock_filter` of linux/filter.h, operating on `struct seccomp_data` of
linux/seccomp.h. The numbers are those of the kernel's syscall tables, which never change.
"""

import errno
import platform
import socket
import struct
from dataclasses import dataclass

from pipeline.errors import SandboxUnavailable

# name: (x86_64, aarch64); None where the architecture has no such call. From 424 on, the numbers
# are the same everywhere.
DENIED: dict[str, tuple[int | None, int | None]] = {
    # other processes, and the kernel itself
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "process_madvise": (440, 440),
    "pidfd_getfd": (438, 438),
    "kcmp": (312, 272),
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "userfaultfd": (323, 282),
    "io_uring_setup": (425, 425),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
    "kexec_load": (246, 104),
    "kexec_file_load": (320, 294),
    "init_module": (175, 105),
    "finit_module": (313, 273),
    "delete_module": (176, 106),
    "reboot": (169, 142),
    "syslog": (103, 116),
    "acct": (163, 89),
    "swapon": (167, 224),
    "swapoff": (168, 225),
    "quotactl": (179, 60),
    "quotactl_fd": (443, 443),
    "personality": (135, 92),
    "lookup_dcookie": (212, 18),
    "vhangup": (153, 58),
    "iopl": (172, None),
    "ioperm": (173, None),
    "modify_ldt": (154, None),
    "uselib": (134, None),
    "_sysctl": (156, None),
    "nfsservctl": (180, 42),
    # keys
    "add_key": (248, 217),
    "request_key": (249, 218),
    "keyctl": (250, 219),
    # namespaces and mounts
    "unshare": (272, 97),
    "setns": (308, 268),
    "mount": (165, 40),
    "umount2": (166, 39),
    "pivot_root": (155, 41),
    "chroot": (161, 51),
    "open_tree": (428, 428),
    "move_mount": (429, 429),
    "fsopen": (430, 430),
    "fsconfig": (431, 431),
    "fsmount": (432, 432),
    "fspick": (433, 433),
    "mount_setattr": (442, 442),
    "name_to_handle_at": (303, 264),
    "open_by_handle_at": (304, 265),
    "fanotify_init": (300, 262),
    # the clock and the machine's name
    "settimeofday": (164, 170),
    "clock_settime": (227, 112),
    "clock_adjtime": (305, 266),
    "adjtimex": (159, 171),
    "sethostname": (170, 161),
    "setdomainname": (171, 162),
    # memory that belongs to no process, so that no limit on processes counts it
    "memfd_create": (319, 279),
    "memfd_secret": (447, 447),
    "shmget": (29, 194),
    "msgget": (68, 186),
    "semget": (64, 190),
    "mq_open": (240, 180),
    "mbind": (237, 235),
    "set_mempolicy": (238, 237),
    "migrate_pages": (256, 238),
    "move_pages": (279, 239),
    "vmsplice": (278, 75),
    "io_setup": (206, 0),
}
# Lists of rights are memory of the kernel's, 64 KiB for each file. Fails as on a file system that
# has none, with which `cp -p` and `tar` are content.
UNSUPPORTED: dict[str, tuple[int, int]] = {
    "setxattr": (188, 5),
    "lsetxattr": (189, 6),
    "fsetxattr": (190, 7),
    "setxattrat": (463, 463),
}
# netlink, packet, vsock (which no network namespace holds back) and all the rest are denied
FAMILIES = (socket.AF_UNIX, socket.AF_INET, socket.AF_INET6)
# typing into the terminal that laios was started from; the second is TIOCLINUX
IOCTLS = (0x5412, 0x541C)
# CLONE_NEWTIME | NEWNS | NEWCGROUP | NEWUTS | NEWIPC | NEWUSER | NEWPID | NEWNET
CLONE_NEW = (
    0x80 | 0x20000 | 0x2000000 | 0x4000000 | 0x8000000 | 0x10000000 | 0x20000000 | 0x40000000
)
# Shared memory without a file stays when nobody has its pages mapped any more, and then it is
# nobody's. (/dev/zero would give the same: bubblewrap.py.) What grows downwards is a stack to the
# kernel, and RLIMIT_DATA counts no stacks.
MAP_SHARED, MAP_ANONYMOUS, MAP_GROWSDOWN = 0x01, 0x20, 0x100
CLONE3 = 435
X32 = 0x40000000

_LOAD = 0x20  # BPF_LD | BPF_W | BPF_ABS
_EQUAL = 0x15  # BPF_JMP | BPF_JEQ | BPF_K
_AT_LEAST = 0x35  # BPF_JMP | BPF_JGE | BPF_K
_ANY_BIT = 0x45  # BPF_JMP | BPF_JSET | BPF_K
_RETURN = 0x06  # BPF_RET | BPF_K
_NUMBER, _ARCHITECTURE, _ARGUMENTS = 0, 4, 16  # offsets in seccomp_data; arguments are 8 bytes
_ALLOW, _KILL_PROCESS, _ERRNO = 0x7FFF0000, 0x80000000, 0x00050000


@dataclass(frozen=True, slots=True)
class Machine:
    """An architecture: its column in the table, its AUDIT_ARCH, and the calls with arguments."""

    column: int
    audit: int
    clone: int
    socket: int
    socketpair: int
    ioctl: int
    mmap: int
    setsockopt: int


MACHINES = {
    "x86_64": Machine(
        *(0, 0xC000003E), clone=56, socket=41, socketpair=53, ioctl=16, mmap=9, setsockopt=54
    ),
    "aarch64": Machine(
        *(1, 0xC00000B7), clone=220, socket=198, socketpair=199, ioctl=29, mmap=222, setsockopt=208
    ),
}


def program(machine: str | None = None) -> bytes:
    """The filter for an architecture (`platform.machine()`), ready for bwrap's `--seccomp`.
    SandboxUnavailable where there is no table for it."""
    name = machine or platform.machine()
    if name not in MACHINES:
        known = " and ".join(MACHINES)
        raise SandboxUnavailable(f"The sandbox's system call filter knows {known}, not {name}.")
    on = MACHINES[name]
    lines = [
        _line(_LOAD, _ARCHITECTURE),
        _line(_EQUAL, on.audit, 1, 0),
        _return(_KILL_PROCESS),
        _line(_LOAD, _NUMBER),
        _line(_AT_LEAST, X32, 0, 1),
        _return(_KILL_PROCESS),
        *_when(CLONE3, [_return(_ERRNO | errno.ENOSYS)]),
        *_when(on.clone, _argument(0, [_line(_ANY_BIT, CLONE_NEW, 0, 1), _deny()])),
        *_when(on.socket, _argument(0, _unless(FAMILIES))),
        *_when(on.socketpair, _argument(0, _unless(FAMILIES))),
        *_when(on.ioctl, _argument(1, [x for code in IOCTLS for x in _when(code, [_deny()])])),
        *_when(on.mmap, _argument(3, _UNCOUNTED)),
        *_when(on.setsockopt, _argument(1, _when(socket.SOL_SOCKET, _LARGER_BUFFER))),
    ]
    for number in (numbers[on.column] for numbers in DENIED.values()):
        if number is not None:
            lines += _when(number, [_deny()])
    for numbers in UNSUPPORTED.values():
        lines += _when(numbers[on.column], [_return(_ERRNO | errno.EOPNOTSUPP)])
    return b"".join([*lines, _return(_ALLOW)])


def _line(code: int, value: int, if_true: int = 0, if_false: int = 0) -> bytes:
    return struct.pack("=HBBI", code, if_true, if_false, value)


def _return(value: int) -> bytes:
    return _line(_RETURN, value)


def _deny() -> bytes:
    return _return(_ERRNO | errno.EPERM)


def _when(value: int, then: list[bytes]) -> list[bytes]:
    """`then`, if the loaded word is this one."""
    return [_line(_EQUAL, value, 0, len(then)), *then]


def _unless(values: tuple[int, ...]) -> list[bytes]:
    """Denial, if the loaded word is none of these."""
    tests = [_line(_EQUAL, value, len(values) - i, 0) for i, value in enumerate(values)]
    return [*tests, _deny()]


def _argument(index: int, then: list[bytes]) -> list[bytes]:
    """Looks at an argument's lower half (these calls' arguments are 32 bits wide) and is done with
    the call: what `then` does not deny is allowed."""
    return [_line(_LOAD, _ARGUMENTS + 8 * index), *then, _return(_ALLOW)]


_UNCOUNTED = [
    *(_line(_ANY_BIT, MAP_GROWSDOWN, 0, 1), _deny()),
    _line(_ANY_BIT, MAP_ANONYMOUS, 0, 2),
    _line(_ANY_BIT, MAP_SHARED, 0, 1),
    _deny(),
]
_LARGER_BUFFER = [
    _line(_LOAD, _ARGUMENTS + 8 * 2),
    *(x for option in (socket.SO_SNDBUF, socket.SO_RCVBUF) for x in _when(option, [_deny()])),
]
