"""The model files that laios keeps itself: `local/<name:tag>`, one directory each.

A directory holds the model's file or files and, written last, `model.json`: without that there is
no model, so that half of one is never loaded. Its time of change is the time of the last use.
"""

import hashlib
import os
import re
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

from pydantic import BaseModel, ValidationError

from pipeline.errors import BadRequest, ModelNotFound
from pipeline.models import gguf

MANIFEST = "model.json"
NAME = re.compile(r"[A-Za-z0-9][\w.+-]*(/[A-Za-z0-9][\w.+-]*)*(:[\w.+-]+)?", re.ASCII)
_PIECE = 1 << 24  # bytes that are read at a time
STARTER = "starter"  # the name of the model that comes along


class ModelPart(BaseModel):
    """One file: `size` is in bytes, `sha256` "" where nobody has said it."""

    file: str
    size: int
    sha256: str = ""


class Manifest(BaseModel):
    """Where a model came from. `parts` are in the order of their numbers; `commit` and `licence`
    are "" where they are not known."""

    source: str
    parts: list[ModelPart]
    commit: str = ""
    licence: str = ""


class LocalEntry:
    """A model of the library."""

    def __init__(self, name: str, directory: Path, manifest: Manifest) -> None:
        self.name = name
        self.manifest = manifest
        self._directory = directory

    @property
    def path(self) -> Path:
        """The file that is loaded; llama.cpp finds the other parts beside it."""
        return self._directory / self.manifest.parts[0].file

    @property
    def size(self) -> int:
        return sum(part.size for part in self.manifest.parts)

    @property
    def used_at(self) -> datetime:
        """When it last answered; before that, when it came."""
        return datetime.fromtimestamp((self._directory / MANIFEST).stat().st_mtime, UTC)

    def mark_used(self) -> None:
        with suppress(OSError):  # a library that may only be read
            os.utime(self._directory / MANIFEST)

    def header(self) -> gguf.Header:
        """Raises OSError and gguf.NotGguf."""
        return gguf.read_header(self.path)

    def fault(self, tell: Callable[[int], None] | None = None) -> str:
        """What is wrong with its files, "" when they are as they came. With `tell` they are read
        through, 1.4 s for a gigabyte, and their checksums compared; it hears of each piece's
        bytes."""
        for part in self.manifest.parts:
            file = self._directory / part.file
            try:
                if file.stat().st_size != part.size:
                    return f"{file} has another size than it came with"
                if tell and part.sha256 and _sha256(file, tell) != part.sha256:
                    return f"{file} has other contents than it came with"
            except FileNotFoundError:
                return f"{file} is gone"
            except OSError as error:  # such as a link into a directory that may not be entered
                return f"{file} cannot be read: {(error.strerror or str(error)).lower()}"
        return ""

    @property
    def pull_name(self) -> str:
        """What to call it to have it pulled again."""
        return self.manifest.source if "://" in self.manifest.source else self.name

    @property
    def remedy(self) -> str:
        """What to do where it has a fault. What was imported cannot be pulled."""
        source = self.manifest.source
        if source.startswith("/"):
            return (
                f"It was imported from {source}: put the file back there, or import it from where "
                "it is now with `laios models import FILE`."
            )
        return f"Fetch it again with `laios models pull {self.pull_name}`."


class LocalLibrary:
    """The models below a directory (MODELS_DIR)."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory

    def entries(self) -> list[LocalEntry]:
        """All models, by name; none where the directory cannot be read."""
        found = []
        with suppress(OSError):
            found = [self._read(path.parent) for path in self.directory.rglob(MANIFEST)]
        return sorted((entry for entry in found if entry), key=lambda entry: entry.name)

    def find(self, name: str) -> LocalEntry | None:
        """The model of that name, without `local/`."""
        return self._read(self.directory / name) if NAME.fullmatch(name) else None

    def get(self, name: str) -> LocalEntry:
        """The model of that name, whole. Raises ModelNotFound."""
        entry = self.find(name)
        if name == STARTER:  # alone it is asked for elsewhere
            raise ModelNotFound("local/starter takes no adapter. Use a real model.")
        if entry is None:
            raise ModelNotFound(
                f"There is no local/{name} here. Get it with `laios models pull {name}`, or choose "
                "one from `laios models`."
            )
        if fault := entry.fault():
            raise ModelNotFound(f"local/{name} is damaged: {fault}. {entry.remedy}")
        return entry

    def directory_of(self, name: str) -> Path:
        """The directory for a model's files, made. Raises BadRequest and OSError."""
        check_name(name)
        directory = self.directory / name
        directory.mkdir(parents=True, exist_ok=True)
        return directory

    def add(self, name: str, manifest: Manifest) -> LocalEntry:
        """Makes a model of the files at its place. Raises OSError."""
        directory = self.directory_of(name)
        half = directory / f"{MANIFEST}.part"
        half.write_text(manifest.model_dump_json(indent=2) + "\n")
        half.replace(directory / MANIFEST)
        return LocalEntry(name, directory, manifest)

    def remove(self, name: str) -> int:
        """Deletes a model; the bytes that it held. What is linked stays where it is. Raises
        ModelNotFound and OSError."""
        if name == STARTER:
            raise ModelNotFound("local/starter comes with laios and cannot be removed.")
        if self.find(name) is None:
            raise ModelNotFound(f"There is no local/{name} here; see `laios models`.")
        directory = self.directory / name
        (directory / MANIFEST).unlink()  # first: a model that is half gone is no model
        files = [file for file in directory.iterdir() if file.is_symlink() or file.is_file()]
        freed = sum(file.lstat().st_size for file in files if not file.is_symlink())
        for file in files:
            file.unlink()
        self._prune(directory)
        return freed

    def _prune(self, directory: Path) -> None:
        """Removes what is empty now; names with slashes share directories."""
        while directory != self.directory and not any(directory.iterdir()):
            directory.rmdir()
            directory = directory.parent

    def _read(self, directory: Path) -> LocalEntry | None:
        try:
            manifest = Manifest.model_validate_json((directory / MANIFEST).read_bytes())
        except (OSError, ValidationError):
            return None
        name = directory.relative_to(self.directory).as_posix()
        return LocalEntry(name, directory, manifest) if manifest.parts else None


def _sha256(file: Path, tell: Callable[[int], None]) -> str:
    digest = hashlib.sha256()
    with file.open("rb", buffering=0) as opened:
        while piece := opened.read(_PIECE):
            digest.update(piece)
            tell(len(piece))
    return digest.hexdigest()


def check_name(name: str) -> None:
    """Raises BadRequest for what cannot be the name of a model here."""
    if not NAME.fullmatch(name) or name == STARTER or name.endswith(".gguf"):
        raise BadRequest(
            f"{name!r} is not a valid model name. Use ASCII letters, digits and . _ + -, in parts "
            "that start with a letter or digit, separated by /, with at most one :tag at the end; "
            f"{STARTER!r} and names that end in .gguf are taken."
        )


def name_of_file(stem: str) -> str:
    """The name that a model gets by its file's: with a - for what no name can have; "" where
    nothing is left."""
    return re.sub(r"[^\w.+-]+", "-", stem, flags=re.ASCII).strip("-._+")


def is_library_name(rest: str) -> bool:
    """Whether what stands behind `local/` is a name, and not the path of a file."""
    return not rest.endswith(".gguf") and rest[:1] not in "/~."
