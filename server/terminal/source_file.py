"""A source file that `laios code --write` changes: its text, the change, and writing it in one
step."""

import difflib
import os
import re
from dataclasses import dataclass
from pathlib import Path

from server.client_setup.settings_file import write

_BOM = "\ufeff"


@dataclass(frozen=True, slots=True)
class SourceFile:
    """`raw` is its content to the letter ("" for one that is not there yet), `text` the code
    without a mark at its head and with plain line ends."""

    path: Path
    raw: str
    text: str

    @classmethod
    def of(cls, path: Path, content: bytes) -> "SourceFile":
        """Raises UnicodeDecodeError."""
        raw = content.decode("utf-8")
        return cls(path, raw, raw.removeprefix(_BOM).replace("\r\n", "\n"))

    def with_code(self, code: str) -> str:
        """The new content: the code with the file's own mark and line ends (where it has both
        kinds, lines that stay keep theirs)."""
        text = (code if code.endswith("\n") else f"{code}\n").replace("\r\n", "\n")
        raw = self.raw.removeprefix(_BOM)
        if "\r\n" in raw:
            text = _with_ends(text, raw)
        return (_BOM if self.raw.startswith(_BOM) else "") + text

    def diff(self, code: str) -> str:
        """The change as a unified diff; "" if there is none."""
        if self.with_code(code) == self.raw:
            return ""
        new = self.with_code(code).removeprefix(_BOM).replace("\r\n", "\n")
        lines = difflib.unified_diff(
            self.text.splitlines(), new.splitlines(), str(self.path), str(self.path), lineterm=""
        )
        return "\n".join(lines) or "(only line endings)"

    def replace(self, code: str) -> None:
        """Raises EditError, also if the file is no longer what was read."""
        is_new = not self.path.exists()
        write(self.path, self.raw, self.with_code(code), keep=False)
        if is_new:  # it was made for this user's eyes alone
            mask = os.umask(0o077)
            os.umask(mask)
            self.path.chmod(0o666 & ~mask)


def _with_ends(text: str, raw: str) -> str:
    """The text with the line ends of `raw`, which has some of \\r\\n."""
    ends, new = _lines(raw), _lines(text)
    if all(line.endswith("\r\n") for line in ends if line.endswith("\n")):
        return text.replace("\n", "\r\n")
    old = [re.sub(r"\r+\n\Z", "\n", line) for line in ends]
    for block in difflib.SequenceMatcher(None, old, new, autojunk=False).get_matching_blocks():
        new[block.b : block.b + block.size] = ends[block.a : block.a + block.size]
    return "".join(new)


def _lines(text: str) -> list[str]:
    """With their ends. Not `splitlines`: a form feed and the like stand within a line."""
    return re.findall(r"[^\n]*\n|[^\n]+", text)
