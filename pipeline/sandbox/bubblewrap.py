"""Build the command line of bubblewrap.

The program sees /usr and its interpreter read-only, an own /proc, /dev and network (loopback
alone), and one small writable file system, /tmp. Nothing of /home, /root, /etc, /run or /sys.

Traps that this file avoids: bwrap's own environment shows in /proc/1/environ and its arguments in
/proc/1/cmdline (containers/bubblewrap#725); a tmpfs without a size takes half of the memory, and
/, /dev and /dev/shm are such ones.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from pipeline.sandbox.limits import Limits
from pipeline.sandbox.toolchain import Toolchain
from pipeline.sandbox.venv_packages import ONE_THREAD

HOME = "/tmp"  # the only writable place
DIRECTORY = "/tmp/program"  # where the program's files are
USER = 1000
_SYSTEM = ("/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")
_SHOWN = ("/usr", "/nix/store", "/etc/alternatives", "/etc/ld.so.cache", "/etc/localtime")
_SHARED_MEMORY_MB = 8
# Reads the same, but cannot be mapped: shared memory made of /dev/zero is counted nowhere.
_ZERO = ("--dev-bind", "/dev/full", "/dev/zero")


def words(
    tools: Toolchain, files: Mapping[str, int], limits: Limits, variables: Mapping[str, str]
) -> list[str]:
    """The sandbox. `files` gives the open descriptor of each file's content."""
    variables = {"PATH": tools.search_path, "HOME": HOME, "LANG": "C.UTF-8", **variables}
    variables |= ONE_THREAD if limits.venv else {}
    return [
        *("--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts"),
        *("--unshare-cgroup-try", "--hostname", "sandbox", "--new-session", "--die-with-parent"),
        *_system(),
        *("--proc", "/proc", "--dev", "/dev", *_ZERO),
        *_tmpfs("/dev/shm", 0o1777, _SHARED_MEMORY_MB * 1_000_000),
        *_tmpfs(HOME, 0o1777, limits.files_mb * 1_000_000),
        *_trees(tools.trees),  # which may lie in /tmp
        *(word for path in tools.hidden for word in _tmpfs(path, 0o755, 4096)),
        *_directory(DIRECTORY, 0o777),
        *_files(files),
        *("--remount-ro", "/dev", "--remount-ro", "/", "--chdir", DIRECTORY),
        *(word for pair in variables.items() for word in ("--setenv", *pair)),
    ]


def started(command: Sequence[str], tools: Toolchain, user: int | None) -> list[str]:
    """The command and who carries it out: the user of laios, or, when that is root, `user`.

    Root gets no user namespace, in which it would still be root to the kernel: no limit on the
    number of processes holds for root. It becomes a user that nobody else is, and keeps no
    capability.
    """
    words = [str(tools.executable), *command[1:]]
    if user is None:
        return ["--unshare-user", "--uid", str(USER), "--gid", str(USER), "--", *words]
    return [
        *("--cap-drop", "ALL", "--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID", "--"),
        *("setpriv", "--reuid", str(user), "--regid", str(user), "--clear-groups"),
        *("--inh-caps=-all", "--ambient-caps=-all", "--", *words),
    ]


def _system() -> Iterator[str]:
    for path in map(Path, _SYSTEM):
        if path.is_symlink():
            yield from ("--symlink", str(path.readlink()), str(path))
        elif path.is_dir():
            yield from ("--ro-bind", str(path), str(path))
    yield from _directory("/etc", 0o755)
    for name in _SHOWN:
        yield from ("--ro-bind-try", name, name)


def _trees(trees: Iterable[Path]) -> Iterator[str]:
    """Each tree at its own place. The directories above it are made here: bwrap would give them
    the modes that they have outside, and /root is closed to others."""
    for tree in trees:
        for parent in reversed(tree.parents[:-1]):
            yield from _directory(str(parent), 0o755)
        yield from ("--ro-bind", str(tree), str(tree))


def _files(files: Mapping[str, int]) -> Iterator[str]:
    made: set[str] = set()
    for name, descriptor in files.items():
        for parent in reversed(Path(name).parents[:-1]):
            if str(parent) not in made:
                made.add(str(parent))
                yield from _directory(f"{DIRECTORY}/{parent}", 0o777)
        yield from ("--perms", "0666", "--file", str(descriptor), f"{DIRECTORY}/{name}")


def _directory(path: str, mode: int) -> tuple[str, ...]:
    return ("--perms", f"{mode:04o}", "--dir", path)


def _tmpfs(path: str | Path, mode: int, size: int) -> tuple[str, ...]:
    return ("--perms", f"{mode:04o}", "--size", str(size), "--tmpfs", str(path))
