"""The fenced code blocks of a text, by a Markdown parser (CommonMark 4.5). Pure."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import accumulate
from typing import TYPE_CHECKING

from pipeline.analysis.languages import normal_language

if TYPE_CHECKING:
    from markdown_it import MarkdownIt

# A line that looks like a fence, also in a list or a quotation.
FENCE = re.compile(r"^[ \t>]*(?:[-*+] +|\d+[.)] +)?(?:```|~~~)", re.MULTILINE)
_LABEL = re.compile(r"[A-Za-z][\w+#.-]*")  # also in `{.python}` and `python:src/app.py`
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\n|\r|(?<=.)\Z)", re.DOTALL)
_BACKTICKS = re.compile(r"`{3,}")


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
    """In their order; one without an end goes to the end."""
    if "```" not in text and "~~~" not in text:
        return
    lines = _LINE.findall(text)
    offsets = [0, *accumulate(map(len, lines))]
    for token in _parser().parse(text):
        if token.type != "fence" or not token.map:
            continue
        first, stop = token.map
        is_bare = token.level == 0 and lines[first].startswith(token.markup)
        is_closed = stop - first > 1 and lines[stop - 1].strip().startswith(token.markup)
        label = _LABEL.search(token.info)
        yield Fence(
            offsets[first],
            offsets[stop - 1] + len(lines[stop - 1].rstrip()) if is_closed else offsets[stop],
            normal_language(label[0]) if label else None,
            token.content,
            "".join(lines[first + 1 : stop - is_closed]) if is_bare else token.content,
        )


def without_fences(text: str) -> str:
    """The text beside its fenced blocks."""
    kept, place = [], 0
    for fence in fences(text):
        kept.append(text[place : fence.start])
        place = fence.end
    return "".join([*kept, text[place:]])


def fenced(code: str, label: str | None = None) -> str:
    """One block whose fence is longer than any in the code. The code stands in it as it is."""
    longest = max(map(len, _BACKTICKS.findall(code)), default=2)
    fence = "`" * (longest + 1)
    end = "" if code.endswith("\n") or not code else "\n"
    return f"{fence}{label or ''}\n{code}{end}{fence}"


@cache
def _parser() -> "MarkdownIt":
    """Blocks alone: what stands in a line is not looked at."""
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark")
    parser.core.ruler.enableOnly(["normalize", "block"])
    return parser
