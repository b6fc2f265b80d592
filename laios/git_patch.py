"""A project as a git patch that creates its files, and such a patch read back. Pure.

The form is that of `git diff --full-index --text` from nothing: `git apply` and `patch -p1` take
it. No line of a file can be mistaken for one of the patch, because each stands behind a `+` and
the hunk says how many there are; the blob's hash in the index line proves each file to the byte.
"""

import hashlib
import re
from collections.abc import Mapping, Sequence

from laios.safe_paths import BadPath, check_paths

_NOTHING = "0" * 40
_UNENDED = "\\ No newline at end of file"
_HEAD = re.compile(r"diff --git (\S.*)")
_INDEX = re.compile(rf"index {_NOTHING}\.\.([0-9a-f]{{40}})")
_HUNK = re.compile(r"@@ -0,0 \+1(?:,(\d+))? @@")
_OCTAL = re.compile(r"\\([0-7]{3})")


class BadPatch(ValueError):
    """What was to be read is no patch that creates files; the message says where."""


def write_patch(texts: Mapping[str, str], remarks: Sequence[str] = ()) -> str:
    """The patch of files by path. `remarks` stand before it, where both tools pass over them."""
    lines = [f"# {line}".rstrip() for remark in remarks for line in _printable(remark)]
    return "".join([*(f"{line}\n" for line in lines), *map(_created, texts, texts.values())])


def _printable(remark: str) -> list[str]:
    plain = "".join(letter if letter.isprintable() else "\n" for letter in remark)
    return [line for line in plain.split("\n") if line.strip()]


def _created(path: str, text: str) -> str:
    lines = [
        f"diff --git {_quoted('a/' + path)} {_quoted('b/' + path)}",
        "new file mode 100644",
        f"index {_NOTHING}..{_hash(text)}",
    ]
    if text:
        body = text.split("\n")
        ended = body[-1] == ""
        body = body[:-1] if ended else body
        count = f",{len(body)}" if len(body) > 1 else ""
        lines += ["--- /dev/null", f"+++ {_quoted('b/' + path)}", f"@@ -0,0 +1{count} @@"]
        lines += [f"+{line}" for line in body]
        lines += [] if ended else [_UNENDED]
    return "\n".join([*lines, ""])


def _hash(text: str) -> str:
    content = text.encode("utf-8", "surrogatepass")
    blob = b"blob %d\0%s" % (len(content), content)
    return hashlib.sha1(blob, usedforsecurity=False).hexdigest()


def _quoted(name: str) -> str:
    """A name as git writes it (core.quotePath): bytes beyond ASCII in octal, between quotes. Names
    with a blank too, which git reads as well: `patch` does not find the end of a bare one."""
    if name.isascii() and " " not in name:
        return name
    escaped = (
        chr(byte) if byte < 0x80 else f"\\{byte:03o}"
        for byte in name.encode("utf-8", "surrogatepass")
    )
    return f'"{"".join(escaped)}"'


# --- reading -----------------------------------------------------------------------------------


def read_patch(text: str) -> dict[str, str]:
    """The files of a patch of the form above, by path. Raises BadPatch for every other text, for a
    file that is not the one whose hash is given, and for a path that `check_paths` refuses."""
    texts = _Reader(text).files()
    try:
        check_paths(texts)
    except BadPath as error:
        raise BadPatch(str(error)) from None
    return texts


class _Reader:
    def __init__(self, text: str) -> None:
        self._lines = text.split("\n")
        self._at = 0

    def files(self) -> dict[str, str]:
        while self._peek().startswith("#"):
            self._at += 1
        texts: dict[str, str] = {}
        while self._peek():
            path, text = self._file()
            if path in texts:
                raise BadPatch(f"the file {path!r} stands twice")
            texts[path] = text
        if self._at < len(self._lines) - 1 or not texts:
            raise self._bad("a file that is created")
        return texts

    def _file(self) -> tuple[str, str]:
        path = _path(self._match(_HEAD, "diff --git")[1])
        if path is None:
            raise self._bad("a/ and b/ with the same path", back=1)
        self._take("new file mode 100644")
        expected = self._match(_INDEX, "the index of a new file")[1]
        text = self._content(path) if self._peek() == "--- /dev/null" else ""
        if _hash(text) != expected:
            raise BadPatch(f"the content of {path!r} is not the one that its hash names")
        return path, text

    def _content(self, path: str) -> str:
        self._take("--- /dev/null")
        self._take(f"+++ {_quoted('b/' + path)}")
        count = int(self._match(_HUNK, "a hunk of new lines")[1] or 1)
        body = self._lines[self._at : self._at + count]
        if len(body) < count or not all(line.startswith("+") for line in body):
            raise self._bad(f"{count} lines of content")
        self._at += count
        text = "\n".join(line[1:] for line in body)
        if self._peek() == _UNENDED:
            self._at += 1
            return text
        return f"{text}\n"

    def _peek(self) -> str:
        return self._lines[self._at] if self._at < len(self._lines) else ""

    def _take(self, line: str) -> None:
        if self._peek() != line:
            raise self._bad(repr(line))
        self._at += 1

    def _match(self, form: re.Pattern[str], wanted: str) -> re.Match[str]:
        found = form.fullmatch(self._peek())
        if not found:
            raise self._bad(wanted)
        self._at += 1
        return found

    def _bad(self, wanted: str, back: int = 0) -> BadPatch:
        return BadPatch(f"line {self._at + 1 - back} of the patch is not {wanted}")


def _path(names: str) -> str | None:
    """The path of `a/path b/path`, either one quoted."""
    half = len(names) // 2
    first, second = _unquoted(names[:half]), _unquoted(names[half + 1 :])
    same = names[half : half + 1] == " " and first[:2] == "a/" and second[:2] == "b/"
    return first[2:] if same and first[2:] == second[2:] else None


def _unquoted(name: str) -> str:
    if not (len(name) > 1 and name[0] == name[-1] == '"'):
        return name
    raw = _OCTAL.sub(lambda octal: chr(int(octal[1], 8) & 0xFF), name[1:-1])
    return raw.encode("latin-1", "replace").decode("utf-8", "replace")
