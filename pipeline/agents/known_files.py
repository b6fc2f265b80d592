"""The files that a conversation holds: what tools have read, and what was written since. Pure.

A file counts only where it is there whole: of one that was read in part, or that something unknown
has changed, nothing is known any more.
"""

import re
from collections.abc import Iterable, Iterator, Mapping

from pipeline.agents.shell_files import shown_file
from pipeline.agents.writing_tools import (
    MOST_WRITES,
    command_of,
    kind_of,
    path_of,
    short_name,
    writes_of,
)
from pipeline.model import Message
from pipeline.tool_calls import ToolCall

READERS = {"read", "readfile", "view", "viewfile", "openfile", "cat", "getfiletextbypath"}
RANGES = {
    *("offset", "limit", "start_line", "end_line", "startLine", "endLine", "view_range"),
    *("start_line_one_indexed", "end_line_one_indexed", "range", "lines", "length"),
    "maxLinesCount",
}
MOST_LINES = 2000  # what readers give at a time, without saying that there is more
_NUMBERED = re.compile(r" *(\d{1,6})(\t|→|\| ?|: ?)(.*)", re.DOTALL)
# What readers put before numbered lines, and behind them.
_TAG = re.compile(r"\s*|\s*[<(\[].*[>)\]]\s*")
_NOTE = re.compile(r"\s*(?:$|[<(\[])")
_FAILED = re.compile(r"\b(?:error|failed|failure|not found|no such file|denied|rejected)\b", re.I)
MOST_RESULTS = 400  # of tools, the newest: each is compared with the files of all others
MOST_FILES = 400  # the newest
_HEAD = 300  # characters of a result in which a failure says so


class KnownFiles(Mapping[str, str]):
    """Files by path. A path that was written otherwise (`a.py` for `/home/x/a.py`) finds its file
    where only one can be meant."""

    def __init__(self, files: Mapping[str, str]) -> None:
        self._files = dict(files)

    def __getitem__(self, path: str) -> str:
        return self._files[self._key(path)]

    def __iter__(self) -> Iterator[str]:
        return iter(self._files)

    def __len__(self) -> int:
        return len(self._files)

    def _key(self, path: str) -> str:
        path = path.removeprefix("./")
        if path in self._files or not path:
            return path
        same = [key for key in self._files if _is_end(path, key) or _is_end(key, path)]
        return same[0] if len(same) == 1 else path


def _is_end(short: str, long: str) -> bool:
    return long.endswith(f"/{short}")


def files_of(messages: Iterable[Message]) -> KnownFiles:
    """What the conversation holds now."""
    files: dict[str, str] = {}
    results = [message for message in messages if message.get("result_of") is not None]
    for message in results[-MOST_RESULTS:]:
        _take(files, message["result_of"], message["content"])
        for path in [*files][:-MOST_FILES]:
            del files[path]
    return KnownFiles(files)


def _take(files: dict[str, str], call: ToolCall, result: str) -> None:
    values = call.values() or {}
    failed = bool(_FAILED.search(result[:_HEAD]))
    if path := _path_read(call, values):
        if text := None if failed else whole_text(result):
            path = path.removeprefix("./")
            files.pop(path, None)  # the newest stand last
            files[path] = text
        return
    writes = writes_of(call, KnownFiles(files))
    if len(writes) == MOST_WRITES:  # and nobody knows what else
        files.clear()
    for write in writes:
        known = KnownFiles(files)
        key = known._key(write.path)
        if failed or write.text is None:
            files.pop(key, None)
        else:
            files[key] = write.text


def _path_read(call: ToolCall, values: Mapping[str, object]) -> str | None:
    """The path of the file that the call reads from its first line to its last."""
    if kind_of(call.name, values) == "shell":
        return shown_file(command_of(values))
    whole = short_name(call.name) in READERS and not any(values.get(name) for name in RANGES)
    return path_of(values) if whole else None


def whole_text(result: str) -> str | None:
    """A reader's result as the file's text: without the numbers of lines, and what stands around
    them. None where it may not be all of it."""
    lines = result.split("\n")
    numbered = [_NUMBERED.fullmatch(line) for line in lines]
    start = next((n for n, each in enumerate(numbered) if each and int(each[1]) == 1), None)
    texts: list[str] = []
    for number, each in enumerate(numbered[start:] if start is not None else (), 1):
        if not each or int(each[1]) != number:
            break
        texts.append(each[3])
    before, after = lines[:start], "\n".join(lines[(start or 0) + len(texts) :])
    if start is None or (any(map(str.strip, before)) and not _NOTE.match(after)):
        # Numbers in the midst of it are the file's own, as those of a dictionary.
        return None if len(lines) >= MOST_LINES or result.lstrip().startswith("<") else result
    is_whole = len(texts) < MOST_LINES and "truncated" not in after and "more lines" not in after
    told = is_whole and _NOTE.match(after) and _are_heads(before, numbered[start])
    return "".join(f"{text}\n" for text in texts) if told else None


def _are_heads(lines: Iterable[str], first: re.Match[str] | None) -> bool:
    """Whether lines before the first numbered one are a reader's. What ends with a colon may be the
    file's own, as a key of YAML is, where the numbers do, too."""
    colons = first is not None and ":" not in first[2]
    return all(_TAG.fullmatch(line) or (colons and line.rstrip().endswith(":")) for line in lines)
