"""Write the profile for Seatbelt, macOS's sandbox. Pure.

The language has no public reference; names of operations and paths are those that the profiles of
browsers and coding agents use on macOS 13 to 26. The last rule that matches wins. Nothing here was
ever run by us on a Mac: self_test.py has the profile prove itself before anything else may run.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from pipeline.errors import SandboxUnavailable

# `(deny default)` does not cover all of these on every macOS (26 lets a program read the arguments
# and the environment of others by sysctl), so that they are named. process-fork: there is one
# process, and so one to watch and one to end. file-link: a second name for a file of the user's
# within the program's directory would open it.
_DENIED = (
    "process-fork",
    "process-info*",
    "sysctl-read",
    "signal",
    "network*",
    "mach-lookup",
    "ipc*",
    "iokit-get-properties",
    "nvram*",
    "file-link",
    "file-write-acl",  # with which a file can be made that its owner cannot remove
)
# A bare Python asks no Mach service for anything, so that none is allowed: HOME is set and nobody's
# name is looked up; without the log's and the notification centre's, libraries do as well. What it
# does ask is the system's version and machine (`os.uname`, `os.cpu_count`), and the sizes of what a
# process may have. None of these names says anything about another process or about the user.
_SYSCTLS = (
    "kern.argmax",
    "kern.hostname",  # without it, os.uname fails
    "kern.maxfilesperproc",
    "kern.ngroups",
    "kern.osproductversion",
    "kern.osrelease",
    "kern.ostype",
    "kern.osvariant_status",
    "kern.osversion",
    "kern.secure_kernel",
    "kern.usrstack64",
    "kern.version",
    "sysctl.proc_cputype",
    "sysctl.proc_native",
    "vm.loadavg",
)
_SYSCTL_PREFIXES = ("hw.", "machdep.cpu.")
# Libraries, frameworks and what dyld reads to load them, and the time zones. dyld's cache of all
# libraries is in Cryptexes since macOS 13, and was in /private/var/db/dyld.
_SYSTEM = (
    "/bin",
    "/usr/bin",
    "/usr/lib",
    "/usr/libexec",
    "/usr/share",
    "/usr/local/lib",
    "/opt/local/lib",
    "/System/Library",
    "/System/Cryptexes",
    "/System/Volumes/Preboot/Cryptexes",
    "/Library/Apple",
    "/private/var/db/dyld",
    "/private/var/db/timezone",
    "/private/var/select",  # which shell /bin/sh is
)
_SYSTEM_FILES = (
    "/",  # dyld of macOS 26 ends a process that cannot read it
    "/private/etc/localtime",
    "/dev/null",
    "/dev/zero",
    "/dev/random",
    "/dev/urandom",
)
_LINKS = ("/etc", "/tmp", "/var")
_PROGRAMS = ("/bin", "/usr/bin")


@dataclass(frozen=True, slots=True)
class VisiblePaths:
    """What a program sees of the disk besides the system. `trees` are directories that it reads
    and starts programs of, `files` single executables, `hidden` what of them it does not see,
    `passed` the directories and links on the way there. All but `passed` are real paths."""

    trees: frozenset[Path]
    files: frozenset[Path]
    hidden: frozenset[Path]
    passed: frozenset[Path]


def profile(shown: VisiblePaths, directory: Path) -> str:
    """The profile of a program that may write in one directory alone, given by its real path.
    Raises SandboxUnavailable for a path that cannot be written in a profile."""
    own = [*_each("subpath", shown.trees), *_each("literal", shown.files)]
    read = [*_each("subpath", map(Path, _SYSTEM)), *_each("literal", map(Path, _SYSTEM_FILES))]
    work = [_filter("subpath", directory)]
    passed = _each("literal", {*shown.passed, *map(Path, _LINKS)})
    lines = [
        "(version 1)",
        "(deny default)",
        _rule("deny", _DENIED),
        _rule("allow", ["process-info*", "signal"], ["(target self)"]),
        _rule("allow", ["sysctl-read"], _sysctls()),
        _rule("allow", ["process-exec"], [*_each("subpath", map(Path, _PROGRAMS)), *own]),
        _rule("allow", ["file-read-metadata"], passed),
        _rule("allow", ["file-read*", "file-map-executable"], [*read, *own]),
    ]
    if shown.hidden:
        hidden = list(_each("subpath", shown.hidden))
        lines.append(_rule("deny", ["file-read*", "file-map-executable"], hidden))
    lines += [
        _rule("allow", ["file-read*", "file-write*"], work),
        _rule("allow", ["file-write-data"], ['(literal "/dev/null")']),
    ]
    return "\n".join(lines) + "\n"


def _rule(action: str, operations: Iterable[str], filters: Iterable[str] = ()) -> str:
    lines = [f"({action} {' '.join(operations)}", *(f"  {each}" for each in filters)]
    return "\n".join(lines) + ")"


def _sysctls() -> Iterator[str]:
    yield from (f'(sysctl-name "{name}")' for name in _SYSCTLS)
    yield from (f'(sysctl-name-prefix "{name}")' for name in _SYSCTL_PREFIXES)


def _each(kind: str, paths: Iterable[Path]) -> Iterator[str]:
    return (_filter(kind, path) for path in sorted(paths))


def _filter(kind: str, path: Path) -> str:
    text = str(path)
    if not path.is_absolute() or not text.isprintable() or '"' in text or "\\" in text:
        raise SandboxUnavailable(
            f"The path {text!r} cannot be written in a sandbox profile. Install the interpreter "
            "into a directory with a plain name (and set TMPDIR to one)."
        )
    return f'({kind} "{text}")'
