"""A program's own directory on the disk: made before it starts, watched, and removed."""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path

from pipeline.errors import SandboxUnavailable

_BLOCK = 4096


class Workdir:
    """`path` is a directory that nobody but this user can enter, by its real path; the program's
    files are in `program` in it."""

    def __init__(self, files: Mapping[str, bytes]) -> None:
        self.path = Path(tempfile.mkdtemp(prefix="laios-sandbox-")).resolve()
        self.program = self.path / "program"
        self._given = sum(map(len, files.values()))
        try:
            self.program.mkdir()
            for name, content in files.items():
                file = self.program / name
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_bytes(content)
        except BaseException:
            self.remove()
            raise

    def exceeds(self, most: int) -> bool:
        """Whether the program's files take more than so many bytes, or if each took a block. So it
        is also where they cannot be counted, which a program can bring about: by directories that
        nobody may read, or of endless depth. Only files that still have a name are seen."""
        total, names, ahead = -self._given, 0, [os.fspath(self.path)]
        while ahead and total <= most and names * _BLOCK <= most:
            try:
                with os.scandir(ahead.pop()) as entries:
                    for entry in entries:
                        names += 1
                        if entry.is_dir(follow_symlinks=False):
                            ahead.append(entry.path)
                        else:
                            total += entry.stat(follow_symlinks=False).st_size
            except FileNotFoundError:  # it was removed meanwhile
                continue
            except OSError:
                return True
        return total > most or names * _BLOCK > most

    def remove(self) -> None:
        """Removes all of it, whatever the program did. Raises SandboxUnavailable if it cannot."""
        if not self.path.exists():
            return
        try:
            shutil.rmtree(self.path)
        except (OSError, RecursionError):
            # Directories without rights or of endless depth, files that are marked as immutable.
            for words in (["/usr/bin/chflags", "-R", "0"], ["/bin/chmod", "-R", "u+rwx"]):
                if os.access(words[0], os.X_OK):
                    self._apply(words)
            self._apply(["/bin/rm", "-rf"])
        if self.path.exists():
            raise SandboxUnavailable(f"{self.path} cannot be removed. Remove it by hand.")

    def _apply(self, words: list[str]) -> None:
        subprocess.run(
            [*words, "--", str(self.path)], stderr=subprocess.DEVNULL, env={}, check=False
        )
