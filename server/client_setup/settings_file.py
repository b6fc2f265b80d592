"""A client's file on the disk: reading it, and writing it in one step with a backup beside it."""

import os
from contextlib import suppress
from pathlib import Path

from laios.durable_file import replaced_file
from server.client_setup.edit import EditError

BACKUP = ".laios-backup"


def read(path: Path) -> str:
    """The file's text, "" if there is none. Raises EditError."""
    try:
        target = path.resolve()
        if target.exists() and not target.is_file():
            raise EditError("it is not a file")
        return target.read_bytes().decode("utf-8")
    except FileNotFoundError:
        return ""
    except UnicodeDecodeError as error:
        raise EditError(f"it is not UTF-8: {error.reason} at byte {error.start}") from None
    except (OSError, RuntimeError) as error:  # a loop of links is a RuntimeError
        raise EditError(_said(error)) from None


def write(path: Path, old: str, new: str, *, keep: bool = True) -> Path | None:
    """Puts the new text in the place of the old; the backup of the old one, if there was one and it
    is to be kept.

    A link stays a link: what it points to is written, and the backup lies there. Raises EditError,
    also if the file is no longer what was read.
    """
    try:
        target = path.resolve()
        target.parent.mkdir(parents=True, exist_ok=True)
        if read(target) != old:
            raise EditError("it was changed by another program meanwhile; try again")
        backup = _back_up(target) if keep and target.exists() else None
        with replaced_file(target) as file:
            file.write(new.encode())
            if target.exists():
                _like(target, file.fileno())
    except (OSError, RuntimeError) as error:
        raise EditError(_said(error)) from None
    return backup


def _back_up(target: Path) -> Path:
    """A copy with the same mode, under the next free number; no backup is ever overwritten."""
    number = 1
    while True:
        backup = target.with_name(f"{target.name}{BACKUP}-{number}")
        try:
            descriptor = os.open(backup, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        except FileExistsError:
            number += 1
            continue
        with os.fdopen(descriptor, "wb") as file:
            file.write(target.read_bytes())
            _like(target, descriptor)
        return backup


def _like(target: Path, descriptor: int) -> None:
    """Mode and owner of the file that is there (root may write another user's file)."""
    status = target.stat()
    os.fchmod(descriptor, status.st_mode & 0o777)
    with suppress(PermissionError):
        os.fchown(descriptor, status.st_uid, status.st_gid)


def _said(error: Exception) -> str:
    return str(getattr(error, "strerror", None) or error)
