"""The fenced code blocks of a text, by a Markdown parser (CommonMark 4.5). Pure."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import accumulate, islice
from typing import TYPE_CHECKING

from pipeline.analysis.file_types import language_of_path
from pipeline.analysis.languages import NAMES, normal_language
from pipeline.analysis.python_syntax import MAX_PARSED

if TYPE_CHECKING:
    from markdown_it import MarkdownIt

# A line that looks like a fence, also in a list or a quotation.
FENCE = re.compile(r"^[ \t>]*(?:[-*+] +|\d+[.)] +)?(?:```|~~~)", re.MULTILINE)
_LABEL = re.compile(r"[A-Za-z][\w+#.-]*")  # also in `{.python}` and `python:src/app.py`
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\n|\r|(?<=.)\Z)", re.DOTALL)
_FENCE_LINE = re.compile(
    r"(?:\A|(?<=[\r\n]))(?P<indent> {0,3})(?P<mark>`{3,}|~{3,})(?P<info>[^\r\n]*)(?P<end>\r?\n?)"
)
_MOST_LINES = 4000  # for the parser, which takes some 15 µs for each
_MOST_BLOCKS = 2000  # of a text that is too long for it


@dataclass(frozen=True, slots=True)
class Fence:
    """`start` and `end` are offsets of the whole block, `language` is what its label names. `code`
    is the text in it with plain line ends, `raw` the same byte for byte where the block is no part
    of another one."""

    start: int
    end: int
    language: str | None
    code: str
    raw: str


def fences(text: str) -> Iterator[Fence]:
    """In their order; one without an end goes to the end. In very long texts only those that are no
    part of a list or a quotation, and the first of very many."""
    if "```" not in text and "~~~" not in text:
        return
    if len(text) > MAX_PARSED or _count_lines(text) > _MOST_LINES:
        yield from islice(_by_line(text), _MOST_BLOCKS)
        return
    lines = _LINE.findall(text)
    offsets = [0, *accumulate(map(len, lines))]
    for token in _parser().parse(text):
        if token.type != "fence" or not token.map:
            continue
        first, stop = token.map
        is_bare = token.level == 0 and lines[first].startswith(token.markup)
        last = lines[stop - 1].strip()
        is_closed = stop - first > 1 and last.startswith(token.markup) and not last.strip(last[0])
        yield Fence(
            offsets[first],
            offsets[stop - 1] + len(lines[stop - 1].rstrip()) if is_closed else offsets[stop],
            _language(token.info),
            token.content,
            "".join(lines[first + 1 : stop - is_closed]) if is_bare else token.content,
        )


def _count_lines(text: str) -> int:
    return text.count("\n") + text.count("\r") - text.count("\r\n") + 1


def _language(info: str) -> str | None:
    """What stands behind the opening mark names a language, or does not."""
    label = _LABEL.search(info)
    if not label:
        return None
    named = normal_language(label[0])
    return named if named in NAMES else language_of_path(info.split()[0]) or named


def _by_line(text: str) -> Iterator[Fence]:
    """As the parser reads blocks that stand in no other (CommonMark 4.5)."""
    opening: re.Match[str] | None = None
    for found in _FENCE_LINE.finditer(text):
        if opening is None:
            is_fence = found["mark"][0] == "~" or "`" not in found["info"]
            opening = found if is_fence else None
        elif found["mark"].startswith(opening["mark"]) and not found["info"].strip():
            yield _between(text, opening, found.start(), found.end("mark"))
            opening = None
    if opening:
        yield _between(text, opening, len(text), len(text))


def _between(text: str, opening: re.Match[str], stop: int, end: int) -> Fence:
    """The block from the opening line to where its code stops. Its lines lose as many blanks as
    stand before the mark."""
    raw = text[opening.end() : stop]
    code = raw.replace("\r\n", "\n").replace("\r", "\n")
    if opening["indent"]:
        code = re.sub(rf"^ {{1,{len(opening['indent'])}}}", "", code, flags=re.MULTILINE)
    language = _language(opening["info"])
    return Fence(opening.start(), end, language, code, code if opening["indent"] else raw)


def around_fences(text: str) -> list[str]:
    """The text in pieces: what is no fenced block, and the blocks, by turns."""
    pieces, place = [], 0
    for fence in fences(text):
        pieces += [text[place : fence.start], text[fence.start : fence.end]]
        place = fence.end
    return [*pieces, text[place:]]


def without_fences(text: str) -> str:
    """The text beside its fenced blocks."""
    return "".join(around_fences(text)[::2])


def ends_in_fence(text: str) -> bool:
    """Whether a block that is no part of another one is still open at the text's end."""
    return any(fence.end > len(text) for fence in _by_line(f"{text}\nx"))


@cache
def _parser() -> "MarkdownIt":
    """Blocks alone: what stands in a line is not looked at. Nor are definitions of links: no fence
    can be part of one, and 190,000 brackets took seconds. Nor is HTML: models put code and its
    fence right behind a tag of their own (`<answer>`)."""
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark")
    parser.core.ruler.enableOnly(["normalize", "block"])
    parser.block.ruler.disable(["reference", "html_block"])
    return parser
