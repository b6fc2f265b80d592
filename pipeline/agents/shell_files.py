"""Files that a shell command writes from here-documents (POSIX, "Shell Command Language", 2.7.4).
Pure, and linear in the command's length."""

import re
import shlex
from collections.abc import Iterator
from typing import NamedTuple

_HEREDOC = re.compile(r"<<(-?)\s*(['\"]?)([A-Za-z_]\w{0,40})\2")
_INTO = re.compile(r"(?<![>\d&])>\s*([^\s;&|<>]+)|\btee\s+([^\s;&|<>-][^\s;&|<>]*)")
_BETWEEN = re.compile(r"[;|]|&&|\bthen\b|\bdo\b|[({]\s")
_PASSES_ON = re.compile(r"\s*(?:sudo\s+)?(?:/\S*/)?(?:cat|tee)(?![\w-])|\s*<|\s*>")
_EXPANDED = re.compile(r"[$`\\]")
_LONGEST_LINE = 4096


class HereDocument(NamedTuple):
    """The line that begins it, its text, and whether the shell leaves that text as it is."""

    command: str
    text: str
    is_literal: bool


def here_documents(command: str) -> Iterator[HereDocument]:
    lines = iter(command.split("\n"))
    for line in lines:
        found = _HEREDOC.search(line[:_LONGEST_LINE])
        if not found:
            continue
        body: list[str] = []
        for each in lines:
            if (each.lstrip("\t") if found[1] else each).rstrip("\r") == found[3]:
                break
            body.append(each.lstrip("\t") if found[1] else each)
        text = "".join(f"{each}\n" for each in body)
        yield HereDocument(line, text, bool(found[2]) or not _EXPANDED.search(text))


def _taking(line: str) -> str:
    """The line from the command on that takes the document; "" for one that does not pass it on as
    it is, such as an interpreter."""
    document = _HEREDOC.search(line)
    before = line[: document.start()] if document else line
    start = max((found.end() for found in _BETWEEN.finditer(before)), default=0)
    return line[start:] if _PASSES_ON.match(line, start) else ""


def written_files(command: str) -> Iterator[tuple[str, str]]:
    """Path and text of each file that is written whole and as it stands; nothing that is appended
    or that the shell would change."""
    for document in here_documents(command):
        target = _INTO.search(_taking(document.command[:_LONGEST_LINE]))
        if target and document.is_literal and ">>" not in document.command:
            yield (target[1] or target[2]).strip("'\""), document.text


def shown_file(command: str) -> str | None:
    """The path of `cat PATH`, None for any other command."""
    try:
        words = shlex.split(command[:_LONGEST_LINE])
    except ValueError:
        return None
    return words[1] if len(words) == 2 and words[0] == "cat" else None
