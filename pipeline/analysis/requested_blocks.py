"""The blocks of a reply that are no part of its code, but that the request asks for beside it: a
file that the program reads, how it is run, when. Pure.

The code stays one program: they stand behind it in comments, each under its name.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, islice

from pipeline.analysis.code_document import Code, as_document, is_code_document
from pipeline.analysis.comments import with_last_comment
from pipeline.analysis.file_types import language_of_path, type_of_path
from pipeline.analysis.shell_session import SESSIONS, SHELLS

_MOST_READ = 20_000  # characters of a request
_MOST_FILES, _MOST_BLOCKS = 20, 30  # that are looked at
_MOST_LINES = 200  # of a block
_LABELS_OF_NOTHING = {None, "plaintext", "text", "txt"}
_DATA = {"csv", "env", "ini", "json", "log", "toml", "tsv", "xml", "yaml", *_LABELS_OF_NOTHING}

_SHOW = (
    "show|give|provide|includ(?:e|ing)|(?:along|together) with|as well as|also|add|need|its|their"
    "|corresponding|examples?|sample"
)
_SHOWS = re.compile(rf"\b(?:{_SHOW})\b", re.IGNORECASE)
_ARTICLES = (
    r"(?: (?:me|us|what|an?|the|its|my|of|for|complete|corresponding|examples?|matching|minimal"
    r"|needed|required|sample|simple|small|suitable|valid|working|file|called|named)){0,5}"
)
_NAME = (
    r"(?:[\w.-]{0,60}/){0,5}[\w-]{0,60}\.\w[\w.-]{0,30}\w\b"
    r"|docker-?file\b|makefile\b|procfile\b"
)
_FILE = re.compile(
    rf"(?:\A|(?:\A(?:write|create|make|generate)\b|\b(?:{_SHOW}|and|with|plus)\b|[,+&])"
    rf"{_ARTICLES} )[`'\"*]*+({_NAME})",
    re.IGNORECASE,
)
_TOOLS = (
    "apt|apt-get|brew|cargo|cd|chmod|cmake|curl|docker|docker-compose|dotnet|flask|gcc|git|go|java"
    "|javac|kubectl|make|mkdir|mvn|node|npm|npx|php|pip3?|python3?|ruby|rustc|sudo|systemctl"
    "|uvicorn|yarn"
)
_RUN = "build|compile|configure|deploy|execute|install|launch|run|set ?up|start|test|use"


@dataclass(frozen=True, slots=True)
class _Kind:
    """What is asked for without a file's name. `asked`: how; `languages`: the labels of its blocks;
    `has`: what such a block has where its label may be any."""

    title: str
    asked: re.Pattern[str]
    languages: frozenset[str | None]
    has: re.Pattern[str]

    def holds(self, block: Code) -> bool:
        if block.language in _LABELS_OF_NOTHING or not self.languages:
            return bool(self.has.search(block.text))
        return block.language in self.languages


_KINDS = (
    _Kind(
        "crontab",
        re.compile(r"\bcron(?:tab|[ -]?(?:job|line|entry|entries))s?\b", re.IGNORECASE),
        frozenset(),
        re.compile(
            r"^[ \t]*(?:@(?:annually|daily|hourly|midnight|monthly|reboot|weekly|yearly)[ \t]"
            r"|(?:[\d*/,-]{1,40}[ \t]{1,9}){4}[\w*/,-]{1,40}[ \t]{1,9}[^\s\d*])|\bcrontab -",
            re.MULTILINE,
        ),
    ),
    _Kind(
        "Commands",
        re.compile(
            rf"\bcommands? (?:(?:needed|required|lines?) )?(?:to|for|that) (?:\w+ )?(?:{_RUN})"
            r"|\b(?:docker|install(?:ation)?|npm|pip|shell|terminal|build|run) commands?\b"
            rf"|\b(?:how (?:to|(?:(?:do|can) )?i)|instructions (?:to|for)|steps to) (?:{_RUN})",
            re.IGNORECASE,
        ),
        SHELLS | SESSIONS,
        re.compile(rf"^(?:[$>] |(?:{_TOOLS}) \S|\./)", re.MULTILINE),
    ),
    _Kind(
        "Sample",
        re.compile(
            r"\b(?:show|give|provide|includ(?:e|ing)|with|and|plus|add|also)"
            r"(?: (?:me|us|an?|the|its|some|of|for|small|valid)){0,4} (?:example|sample|dummy|test)"
            r"(?: [\w.-]{1,30}){0,2} (?:config\w*|csv|data|env|files?|inputs?|json|logs?|toml|xml"
            r"|ya?ml)\b(?!s?:)",
            re.IGNORECASE,
        ),
        frozenset(_DATA),
        re.compile(r"\S"),
    ),
)


def with_requested(text: str, language: str | None, request: str, left_out: Sequence[Code]) -> str:
    """The code with those of the blocks left out of it that the request asks for: comments behind
    it, parts of its own where it is a document of several files."""
    found = [*_requested(request[:_MOST_READ], left_out)]
    if not found:
        return text
    if is_code_document(text):
        return f"{text.rstrip()}\n\n{as_document([block for _, block in found]).text}"
    return text if language == "markdown" else with_last_comment(text, language, [*_lines(found)])


def _requested(request: str, blocks: Sequence[Code]) -> Iterator[tuple[str, Code]]:
    """Each with its title."""
    files = [*dict.fromkeys(islice(_files(request), _MOST_FILES))]
    kinds = [kind for kind in _KINDS if kind.asked.search(request)]
    for block in blocks[:_MOST_BLOCKS] if files or kinds else ():
        if block.is_printed or block.text.count("\n") > _MOST_LINES:
            continue
        names = (name for name in files if _is_file(block, name))
        titles = (kind.title for kind in kinds if kind.holds(block))
        if title := next(names, "") or next(titles, ""):
            yield title, block


def _files(request: str) -> Iterator[str]:
    """Those to be shown. Of data, what "and" alone stands before is rather to be read."""
    for found in _FILE.finditer(request):
        name = found[1]
        is_data = type_of_path(name) in ("data", "documentation")
        if not is_data or _SHOWS.search(found[0].removesuffix(name)):
            yield name


def _is_file(block: Code, name: str) -> bool:
    """Whether it is said to be this file, or nothing is said and it is in its language."""
    language = language_of_path(name) or name.rpartition(".")[2].lower()
    if block.language in SHELLS | SESSIONS and language != block.language:
        return False  # what to type with that file
    first = block.text[:200].partition("\n")[0]
    if name.rpartition("/")[2].lower() in f"{block.lead}\n{first}".lower():
        return True
    return not block.path and language == block.language


def _lines(found: Sequence[tuple[str, Code]]) -> Iterator[str]:
    """The blocks under their titles; those that follow each other and have the same under one."""
    for number, (title, same) in enumerate(groupby(found, key=lambda each: each[0])):
        yield from ("", f"{title}:") if number else (f"{title}:",)
        for _, block in same:
            yield from block.text.strip("\n").splitlines()
