"""Runs in the sandbox: a folder of its own for each call, with the files that the call may read,
and what became of them. As `call_function.py` it needs only built-in modules.
"""

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Any

_LONGEST = 2_000  # bytes of a file that are reported
_MOST = 20  # files


class ScratchFolder:
    """The current directory of one call. `files`: pairs of a name and a text, or of bytes; a name
    that ends with a slash is an empty folder."""

    def __init__(self, path: str, files: "Iterable[Sequence[Any]]") -> None:
        self._before, self._path = os.getcwd(), path  # noqa: PTH109
        self._files = {n: it if isinstance(it, bytes) else it.encode() for n, it in files}

    def __enter__(self) -> "ScratchFolder":
        os.mkdir(self._path)  # noqa: PTH102
        for name, content in self._files.items():
            _make_folders(f"{self._path}/{name}")
            if not name.endswith("/"):
                with open(f"{self._path}/{name}", "wb") as file:  # noqa: PTH123
                    file.write(content)
        os.chdir(self._path)
        return self

    def __exit__(self, *error: object) -> None:
        try:
            os.chdir(self._before)
        except OSError:  # the call has removed it
            os.chdir("/")

    def changes(self) -> "dict[str, str | None]":
        """The files that are new or other ones now, by their names, with the beginning of what
        stands in them, and folders that are new and empty, with a slash at the end; None for what
        is gone."""
        now = dict(_contents(self._path)) if os.path.isdir(self._path) else {}  # noqa: PTH112
        before = dict.fromkeys(_folders(self._files), b"")
        before.update((name, it[:_LONGEST]) for name, it in self._files.items())
        kept = _folders(now).union(now)
        gone = {name: None for name in before if name not in kept}
        new = {name: _text(it) for name, it in now.items() if before.get(name) != it}
        return dict(sorted({**gone, **new}.items())[:_MOST])


def _folders(names: "Iterable[str]") -> "set[str]":
    """Those in which they are, with a slash at the end."""
    found = set[str]()
    for name in names:
        parts = name.split("/")[:-1]
        found.update("/".join(parts[:n]) + "/" for n in range(1, len(parts) + 1))
    return found


def _make_folders(path: str) -> None:
    at = path.find("/", 1)
    while at > 0:
        if not os.path.isdir(path[:at]):  # noqa: PTH112
            os.mkdir(path[:at])  # noqa: PTH102
        at = path.find("/", at + 1)


def _contents(folder: str, within: str = "") -> "Iterator[tuple[str, bytes]]":
    """What stands in each file; "" in a folder that is empty."""
    with os.scandir(folder) as found:
        entries = [*found]
    if within and not entries:
        yield within, b""
    for entry in entries:
        name = within + entry.name
        if entry.is_dir(follow_symlinks=False):
            yield from _contents(entry.path, f"{name}/")
        elif entry.is_file():
            with open(entry.path, "rb") as file:  # noqa: PTH123
                yield name, file.read(_LONGEST)


def _text(content: bytes) -> str:
    return content.decode(errors="replace").replace("\r\n", "\n")
