"""Puts a project's files on the disk: all of them or none, and nothing outside its directory.

The files are written into a directory of their own inside of it first, where a full disk shows;
then each is moved to its place. What goes wrong on the way is undone.
"""

import os
import shutil
import stat
import tempfile
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path, PurePosixPath

from laios.errors import NotWritten
from laios.safe_paths import BadPath, check_paths, is_obeyed

_STAGING = ".laios-"  # no file of a project can have such a name


def check_directory(directory: Path) -> None:
    """Raises NotWritten where no project could be written, before a model is asked for one."""
    nearest = directory
    try:
        while not nearest.exists() and nearest != nearest.parent:
            nearest = nearest.parent
    except OSError as error:
        raise NotWritten(f"{nearest} cannot be read: {error.strerror}.") from None
    if not nearest.is_dir():
        raise NotWritten(f"{nearest} is not a directory.")
    if not os.access(nearest, os.W_OK | os.X_OK):
        raise NotWritten(f"{nearest} cannot be written to.")


def write_project(texts: Mapping[str, str], directory: Path, *, force: bool = False) -> list[Path]:
    """Writes the files below `directory`, which is made if it is not there, and gives their paths.

    Symbolic links below it are never followed. A file that is there already is an error, and so is
    one that some program obeys by itself; with `force` they are written. Raises NotWritten; then
    everything is as it was before.
    """
    try:
        check_paths(texts)
    except BadPath as error:
        raise NotWritten(f"Refused: {error}.") from None
    if not force:
        _refuse_obeyed(texts)
    undo: list[Callable[[], object]] = []
    try:
        _make_directory(directory, undo)
        _refuse_what_stands_in_the_way(texts, directory, force)
        staging = Path(tempfile.mkdtemp(prefix=_STAGING, dir=directory))
        undo.append(partial(shutil.rmtree, staging, ignore_errors=True))
        _stage(texts, staging)
        for number, path in enumerate(texts):
            _make_parents(directory, path, undo)
            _put(staging, number, directory / path, force, undo)
    except BaseException as error:
        _undone(undo)
        if not isinstance(error, OSError):
            raise
        name = error.filename or directory
        raise NotWritten(f"Nothing was written: {name}: {error.strerror or error}.") from error
    shutil.rmtree(staging, ignore_errors=True)
    return [directory / path for path in texts]


def _refuse_obeyed(texts: Iterable[str]) -> None:
    """All of them are named: who says --force has to know what for."""
    obeyed = [path for path in texts if is_obeyed(path)]
    if obeyed:
        raise NotWritten(
            f"Nothing was written: {', '.join(obeyed)} would be obeyed by a shell, an editor or "
            "another program without being asked. Read the patch, then use --force."
        )


def _make_directory(directory: Path, undo: list[Callable[[], object]]) -> None:
    if directory.is_dir():
        return
    _make_directory(directory.parent, undo)
    directory.mkdir()
    undo.append(directory.rmdir)


def _refuse_what_stands_in_the_way(texts: Mapping[str, str], directory: Path, force: bool) -> None:
    there: list[str] = []
    for path in texts:
        target = directory / path
        for parent in list(PurePosixPath(path).parents)[-2::-1]:
            _refuse_unless(directory / parent, stat.S_ISDIR, "is not a directory of its own")
        if _refuse_unless(target, stat.S_ISREG, "is not a plain file"):
            there.append(path)
    if there and not force:
        more = f" and {len(there) - 3} more" if len(there) > 3 else ""
        raise NotWritten(
            f"Nothing was written: {', '.join(there[:3])}{more} in {directory} would be "
            "overwritten. Choose another directory, or use --force."
        )


def _refuse_unless(path: Path, fits: Callable[[int], bool], fault: str) -> bool:
    """Whether something is there. Raises NotWritten for what does not fit, links included."""
    try:
        mode = path.lstat().st_mode
    except FileNotFoundError:
        return False
    if not fits(mode):
        raise NotWritten(f"Nothing was written: {path} {fault}.")
    return True


def _stage(texts: Mapping[str, str], staging: Path) -> None:
    for number, text in enumerate(texts.values()):
        content = text.encode("utf-8", "surrogatepass")
        (staging / str(number)).write_bytes(content)


def _make_parents(directory: Path, path: str, undo: list[Callable[[], object]]) -> None:
    for parent in list(PurePosixPath(path).parents)[-2::-1]:
        with suppress(FileExistsError):
            (directory / parent).mkdir()
            undo.append((directory / parent).rmdir)


def _put(
    staging: Path, number: int, target: Path, force: bool, undo: list[Callable[[], object]]
) -> None:
    """Moves a staged file to its place; a file that it replaces is kept aside until the end."""
    staged, kept = staging / str(number), staging / f"{number}.before"
    try:
        os.close(os.open(target, os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW))
        undo.append(target.unlink)
    except FileExistsError:
        if not force:
            raise  # it has come since we looked
        shutil.copy2(target, kept, follow_symlinks=False)
        staged.chmod(stat.S_IMODE(kept.stat().st_mode))
        undo.append(lambda: kept.replace(target))
    staged.replace(target)


def _undone(undo: list[Callable[[], object]]) -> None:
    while undo:
        with suppress(OSError):
            undo.pop()()
