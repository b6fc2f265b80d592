"""Runs in the sandbox: a folder of its own for each call, with the files that the call may read,
and what became of them. As `call_function.py` it needs only built-in modules.
"""

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

_LONGEST = 2_000  # bytes of a file that are reported
_MOST = 20  # files


class ScratchFolder:
    """The current directory of one call. `files`: pairs of a name and a text; a name that ends with
    a slash is an empty folder."""

    def __init__(self, path: str, files: "Iterable[Sequence[str]]") -> None:
        self._before, self._path = os.getcwd(), path  # noqa: PTH109
        self._files = {name: text.encode() for name, text in files}

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
        os.chdir(self._before)

    def changes(self) -> "dict[str, str | None]":
        """The files that are new or other ones now, by their names, with the beginning of what
        stands in them; None for those that are gone."""
        now = dict(_contents(self._path))
        gone = {name: None for name in self._files if name[-1:] != "/" and name not in now}
        new = {name: _text(it) for name, it in now.items() if self._files.get(name) != it}
        return dict(sorted({**gone, **new}.items())[:_MOST])


def _make_folders(path: str) -> None:
    at = path.find("/", 1)
    while at > 0:
        if not os.path.isdir(path[:at]):  # noqa: PTH112
            os.mkdir(path[:at])  # noqa: PTH102
        at = path.find("/", at + 1)


def _contents(folder: str, within: str = "") -> "Iterator[tuple[str, bytes]]":
    with os.scandir(folder) as entries:
        for entry in [*entries]:
            name = within + entry.name
            if entry.is_dir(follow_symlinks=False):
                yield from _contents(entry.path, f"{name}/")
            elif entry.is_file():
                with open(entry.path, "rb") as file:  # noqa: PTH123
                    yield name, file.read(_LONGEST)


def _text(content: bytes) -> str:
    return content.decode(errors="replace").replace("\r\n", "\n")
