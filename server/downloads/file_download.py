"""Fetching one large file: it goes on where it stopped, and is checked when it is whole."""

import fcntl
import hashlib
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from glob import escape
from io import SEEK_END, BufferedRandom
from pathlib import Path
from typing import TYPE_CHECKING

from pipeline.errors import LaiosError, ModelFailed
from server.downloads.hub_call import hub_call
from server.downloads.remote_model import RemoteFile

if TYPE_CHECKING:
    import httpx

TRIES = 5  # in a row, without a byte that was not there before
SILENCE_S = 30.0  # without a byte; then the connection is made again


class FileDownload:
    """What has come of a file lies at `path`, and the next try goes on from there, unless the
    server states nothing that would tell another version of the file."""

    def __init__(self, remote: RemoteFile, directory: Path) -> None:
        self.remote = remote
        self.path = directory / f"{remote.file}.{remote.key[:16]}"

    @property
    def missing(self) -> int:
        """Bytes that are still to come, as far as that is known."""
        there = 0
        if self.remote.etag:
            with suppress(OSError):  # it is not there, or `fetch` says why it cannot be had
                there = self.path.stat().st_size
        return max(0, (self.remote.size or 0) - there)

    def fetch(self, tell: Callable[[int], None]) -> str:
        """Fetches the file and gives its SHA-256; `tell` hears how many bytes there are. Blocks.

        Raises ModelNotFound, ModelUnreachable and ModelFailed (the disk is full, the file is not
        what it should be, another process fetches it).
        """
        try:
            with self._open() as part:
                with hub_call(self.remote.url):
                    self._receive_all(part, tell)
                return self._check(part)
        except OSError as error:
            raise ModelFailed(
                f"{self.path} cannot be written: {error.strerror}. {self._left()}"
            ) from None

    def _left(self) -> str:
        """What becomes of what has come: without an ETag nothing can go on from there."""
        if self.remote.etag:
            return "What was downloaded is kept: the same command continues from there."
        with suppress(OSError):
            self.path.unlink()
        return "What was downloaded was deleted: the same command begins anew."

    def _drop_others(self) -> None:
        """Half files of what was at the same address before, or is on another mirror behind it."""
        if not self.remote.sha256:
            of_address = f"{escape(self.remote.file)}.{self.remote.key[:8]}*"
            for other in {*self.path.parent.glob(of_address)} - {self.path}:
                other.unlink(missing_ok=True)

    @contextmanager
    def _open(self) -> Iterator[BufferedRandom]:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self._drop_others()
        with self.path.open("a+b") as part:
            try:
                fcntl.flock(part, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise ModelFailed(f"Another process is downloading {self.remote.file}.") from None
            try:
                if not self.remote.etag:
                    part.truncate(0)
                yield part
            except LaiosError:
                if not part.seek(0, SEEK_END):
                    self.path.unlink(missing_ok=True)
                raise

    def _receive_all(self, part: BufferedRandom, tell: Callable[[int], None]) -> None:
        """A connection that breaks is made again, for as long as tries get further than ever."""
        import httpx

        failures = furthest = 0
        while True:
            there = part.seek(0, SEEK_END)
            furthest = max(furthest, there)
            tell(there)
            try:
                if there != self.remote.size:
                    self._receive(part, there, tell)
                return
            except httpx.TransportError:
                failures = failures + 1 if part.seek(0, SEEK_END) <= furthest else 0
                if failures >= TRIES:
                    raise
                time.sleep(failures)

    def _receive(self, part: BufferedRandom, there: int, tell: Callable[[int], None]) -> None:
        """One answer of the server. One that does not go on where the file stops breaks off, and
        the file begins anew."""
        import httpx
        from huggingface_hub import get_session
        from huggingface_hub.utils import hf_raise_for_status

        headers = {"Accept-Encoding": "identity", **self.remote.headers}
        if there:
            headers["Range"] = f"bytes={there}-"
        with get_session().stream(
            "GET", self.remote.url, headers=headers, timeout=SILENCE_S, follow_redirects=True
        ) as response:
            if not _goes_on(response, there):
                part.truncate(0)
                if response.status_code != 200:
                    raise httpx.RemoteProtocolError(
                        "it sent a different part than it was asked for"
                    )
            hf_raise_for_status(response)
            for chunk in response.iter_bytes():
                part.write(chunk)
                tell(part.tell())
                if part.tell() > (self.remote.size or part.tell()):
                    break  # more than was promised: it may never end
            if "Content-Length" not in response.headers and part.tell() < (self.remote.size or 0):
                raise httpx.RemoteProtocolError("it closed the connection early")

    def _check(self, part: BufferedRandom) -> str:
        """The SHA-256 of what has come. What is not the file that was promised is deleted."""
        size = part.seek(0, SEEK_END)
        part.seek(0)
        digest = hashlib.file_digest(part, "sha256").hexdigest()
        wanted = self.remote.sha256 or digest
        if digest == wanted and self.remote.size in (None, size):
            return digest
        self.path.unlink()
        raise ModelFailed(
            f"{self.remote.file} arrived damaged ({size:,} bytes, SHA-256 {digest[:12]}…, not "
            f"{self.remote.size or size:,} and {wanted[:12]}…) and was deleted. Pull it again."
        )


def _goes_on(response: "httpx.Response", there: int) -> bool:
    """Whether the answer goes on where the file stops; a server that knows no ranges, or has
    another file by now, does not."""
    if response.status_code == 206:
        return str(response.headers.get("Content-Range")).startswith(f"bytes {there}-")
    return response.status_code not in (200, 416) or not there
