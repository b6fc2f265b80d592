"""Runs in the sandbox: what is around a shell script that is run to see what it does: files of
several ages, a clock that stands still and commands that do not wait; and what of the files that it
leaves only a look at them tells: what is in archives, and their modes.
"""

import os
import re
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

_COMMANDS = "/tmp/program/.laios/commands"
_DAY = 86_400
# Of the files in their order: far from the round numbers that are asked for.
_AGES = (0.0, 2.3, 10.3, 40.3, 120.3, 400.3)  # days
_CLOCK = """\
#!/bin/sh
for word do
    case $word in -[dfrs]*|-u[dfrs]*|--[dfrs]*) exec {date} "$@" ;; esac
done
exec {date} -d @{now} "$@"
"""
_NO_WAIT = "#!/bin/sh\n"
# How a shell and awk say that there is no such command, or none that knows what others know. What
# a script says of its files, as `a.txt: not found`, has no number of a line.
_LACKS = re.compile(
    rb": (?:line )?\d{1,6}: [^\n]{1,200}: (?:command )?not found"
    rb"|awk: [^\n]{0,200}(?:never defined|not an option)"
)
_ARCHIVE = "archive of "  # the text of a file that is one, with the names of its files behind
_SHOWN = 2_000  # bytes of a file in an archive


def packed(files: "Iterable[Sequence[str]]") -> "list[tuple[str, str | bytes]]":
    """With archives in place of the texts that stand for one."""
    return [
        (
            name,
            _pack(name, text[len(_ARCHIVE) :].split(", ")) if text.startswith(_ARCHIVE) else text,
        )
        for name, text in files
    ]


def make_ready(files: "Iterable[Sequence[str]]") -> None:
    """In the current folder, in which the files are."""
    now = time.time()
    for number, (name, _) in enumerate(files):
        if name.endswith("/"):
            continue
        then = _told_by(name) or now - _AGES[number % len(_AGES)] * _DAY - number
        if then < now - _DAY:
            os.utime(name, (then, then))
    if os.path.isdir(_COMMANDS):  # noqa: PTH112
        return
    os.makedirs(_COMMANDS)  # noqa: PTH103
    # Of the day's beginning: drafts are compared that are run minutes apart.
    clock = _CLOCK.format(date=_path_of("date"), now=int(now) // _DAY * _DAY)
    for name, script in (("date", clock), ("sleep", _NO_WAIT)):
        with open(f"{_COMMANDS}/{name}", "w") as file:  # noqa: PTH123
            file.write(script)
        os.chmod(f"{_COMMANDS}/{name}", 0o755)  # noqa: PTH101


def _told_by(name: str) -> float:
    """The time of a day that a name tells, as it is written without signs; 0 for none."""
    for at in range(len(name) - 7):
        day = name[at : at + 8]
        if day.isdecimal() and day[:2] == "20":
            try:
                return time.mktime((int(day[:4]), int(day[4:6]), int(day[6:]), 12, 0, 0, 0, 0, -1))
            except (ValueError, OverflowError):
                return 0.0
    return 0.0


def _pack(name: str, members: "Sequence[str]") -> bytes:
    """An archive of small files with these names, of the kind that its own name says."""
    import io

    made = io.BytesIO()
    if name.endswith(".zip"):
        import zipfile

        with zipfile.ZipFile(made, "w") as archive:
            for member in members:
                archive.writestr(member, f"{member}\n")
        return made.getvalue()
    import tarfile

    with tarfile.open(fileobj=made, mode="w" if name.endswith(".tar") else "w:gz") as archive:
        for member in members:
            info = tarfile.TarInfo(member)
            info.size = len(member.encode()) + 1
            archive.addfile(info, io.BytesIO(f"{member}\n".encode()))
    return made.getvalue()


def environment() -> "dict[str, str]":
    """With these commands before the others of the same names."""
    path, home = f"{_COMMANDS}:{os.environ['PATH']}", os.getcwd()  # noqa: PTH109
    return {**os.environ, "PATH": path, "TERM": "dumb", "HOME": home}


def _path_of(command: str) -> str:
    folders = os.environ["PATH"].split(":")
    return next(path for each in folders if os.path.exists(path := f"{each}/{command}"))  # noqa: PTH110


def lacking(complaint: bytes) -> str:
    """The line that says that a command is not here; "" for none."""
    lines = complaint.splitlines()
    return next((each.decode(errors="replace") for each in lines if _LACKS.search(each)), "")


def seen_closely(
    folder: str, wrote: "Mapping[str, str | None]", *, modes: bool
) -> "dict[str, str | None]":
    """What is written in a folder, of archives what they hold. `modes`: with those of files that
    may be run or are kept from others, under names of their own."""
    seen = {name: _content(f"{folder}/{name}") if text else text for name, text in wrote.items()}
    return {**seen, **(dict(_modes(folder)) if modes else {})}


def _content(name: str) -> str:
    with open(name, "rb") as file:  # noqa: PTH123
        beginning = file.read(_SHOWN)
    try:
        return _members(name, beginning) or beginning.decode().replace("\r\n", "\n")
    except Exception:  # it is none, or not a whole one
        return "binary"


def _members(name: str, beginning: bytes) -> str:
    """The names of what is in an archive, or the text that was compressed; "" of anything else."""
    if beginning[:2] == b"PK":
        import zipfile

        with zipfile.ZipFile(name) as archive:
            return _listed(archive.namelist())
    if (
        beginning[:2] == b"\x1f\x8b"
        or beginning[:3] in (b"BZh", b"\xfd7z")
        or b"ustar" in beginning
    ):
        import tarfile

        try:
            with tarfile.open(name) as archive:
                return _listed(each.name for each in archive if not each.isdir())
        except tarfile.ReadError:
            if beginning[:2] != b"\x1f\x8b":
                raise
        import gzip

        with gzip.open(name) as file:
            return "compressed " + file.read(_SHOWN).decode()
    return ""


def _listed(names: "Iterable[str]") -> str:
    """Without the folders, which may begin anywhere."""
    kept = {name.rpartition("/")[2] for name in names if not name.endswith("/")}
    return _ARCHIVE + ", ".join(sorted(kept))


def _modes(root: str) -> "Iterable[tuple[str, str]]":
    for folder, _, names in os.walk(root):
        for name in names:
            path = f"{folder}/{name}"
            mode = os.stat(path, follow_symlinks=False).st_mode & 0o777  # noqa: PTH116
            if mode & 0o111 or mode & 0o600 != 0o600 or not mode & 0o44:
                yield f"mode of {path[len(root) + 1 :]}", f"{mode:o}"
