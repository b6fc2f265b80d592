"""A pull from beginning to end: is there room, the files, the entry in the library."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from pipeline.errors import ModelFailed, ModelNotFound
from pipeline.models.local_library import LocalEntry, LocalLibrary, Manifest, ModelPart, check_name
from pipeline.models.machine import free_bytes, total_memory
from pipeline.models.model_file import read_chat_header
from pipeline.models.model_footprint import footprint
from pipeline.models.ollama_library import PullFrame
from pipeline.models.trial_load import refuse_unloadable
from server.downloads.file_download import FileDownload
from server.downloads.remote_model import RemoteModel
from server.downloads.replaced_model import let_go

HALF = ".partial"  # below the library, so that a whole file is only renamed
EARLY_BYTES = 40_000_000  # more than any header has
TELL_EVERY_S = 0.1
SPARE_BYTES = 200_000_000  # what a disk keeps free; databases and logs live there too


class ModelDownload:
    """`tell` hears the news of it, in the form in which Ollama tells its own."""

    def __init__(
        self, library: LocalLibrary, remote: RemoteModel, tell: Callable[[PullFrame], None]
    ) -> None:
        self._library = library
        self._remote = remote
        self._tell = tell
        self._usable = False
        self._files = [FileDownload(each, library.directory / HALF) for each in remote.files]

    def run(self) -> LocalEntry:
        """Fetches what is not here yet. Blocks; Ctrl-C is fine at any moment.

        Raises ModelNotFound, ModelUnreachable, ModelFailed and BadRequest.
        """
        name = self._remote.reference.name
        check_name(name)
        here = self._library.find(name)
        if here and self._is_current(here):
            self._tell(PullFrame(status=f"reading local/{name}, which is already here"))
            if not here.fault(lambda size: None):
                self._tell(PullFrame(status="its SHA-256 matches"))
                return here
        self._refuse_too_large()
        parts = [self._fetch(each) for each in self._files]
        self._tell(PullFrame(status="loading it once, to see whether it works"))
        try:
            self._try()
            return self._put_in_place(parts)
        except OSError as error:
            raise ModelFailed(f"{name} cannot be put in place: {error}.") from None

    def _fetch(self, download: FileDownload) -> ModelPart:
        """One file, which stays among the half ones until all are whole."""
        file, total = download.remote.file, download.remote.size
        status, digest = f"pulling {file}", download.remote.key

        told_at = 0.0

        def tell(there: int) -> None:
            nonlocal told_at
            self._look_early(there)
            if there == total or time.monotonic() - told_at > TELL_EVERY_S:
                told_at = time.monotonic()
                self._tell(PullFrame(status=status, digest=digest, total=total, completed=there))

        checksum = download.fetch(tell)
        same = f"not compared, the server states none; it is {checksum}"
        said = "matches" if download.remote.sha256 else same
        self._tell(PullFrame(status=f"{file}: SHA-256 {said}"))
        return ModelPart(file=file, size=download.path.stat().st_size, sha256=checksum)

    def _look_early(self, there: int) -> None:
        """A base model is told by its header, before the rest of it is fetched."""
        if not self._usable and there > EARLY_BYTES:
            first = self._files[0]
            with self._or_delete():
                read_chat_header(first.path, first.remote.file, half=True)
            self._usable = True

    def _try(self) -> None:
        """The whole files, under their own names: llama.cpp finds the parts of a model by them."""
        with self._or_delete(), TemporaryDirectory(dir=self._files[0].path.parent) as place:
            for each in self._files:
                (Path(place) / each.remote.file).symlink_to(each.path.absolute())
            file = self._files[0].remote.file
            read_chat_header(Path(place) / file, file)
            refuse_unloadable(Path(place) / file, file)

    @contextmanager
    def _or_delete(self) -> Iterator[None]:
        """What can never be used is not kept."""
        try:
            yield
        except ModelNotFound:
            for each in self._files:
                each.path.unlink(missing_ok=True)
            raise

    def _put_in_place(self, parts: list[ModelPart]) -> LocalEntry:
        name = self._remote.reference.name
        before, directory = self._library.find(name), self._library.directory_of(name)
        for download in self._files:
            download.path.replace(directory / download.remote.file)
        source, remote = self._remote.reference.source, self._remote
        manifest = Manifest(
            source=source, parts=parts, commit=remote.commit, licence=remote.licence
        )
        entry = self._library.add(name, manifest)
        if said := let_go(before, entry):
            self._tell(PullFrame(status=said))
        return entry

    def _is_current(self, here: LocalEntry) -> bool:
        """Whether what is here is what would be fetched."""
        checksums = [each.sha256 for each in self._remote.files]
        return all(checksums) and checksums == [part.sha256 for part in here.manifest.parts]

    def _refuse_too_large(self) -> None:
        """Before the first byte: does it fit the memory and the disk?"""
        name, memory = self._remote.reference.name, total_memory()
        need = footprint(self._remote.size, None, 0)
        if memory is not None and need > memory:
            raise ModelFailed(
                f"{name} needs {need / 1e9:.1f} GB of memory and this machine has "
                f"{memory / 1e9:.1f} GB. `laios models catalog` shows what fits."
            )
        missing = sum(each.missing for each in self._files)
        free = free_bytes(self._library.directory) - SPARE_BYTES
        if missing > free:
            raise ModelFailed(
                f"{name} needs {missing / 1e9:.1f} GB more on the disk of "
                f"{self._library.directory}, which has {max(0, free) / 1e9:.1f} GB left. Free some "
                "space (`laios models remove`), or set MODELS_DIR to another disk."
            )
