"""Render a text for a page: highlighted, split into lines, truncated to what a page takes."""

from dataclasses import dataclass

from markupsafe import Markup

from dashboard.display_text import clip
from dashboard.highlight import lines, to_html


@dataclass(frozen=True, slots=True)
class Code:
    """Its lines as HTML, its language, how many characters are not shown, and the part of the run
    that it is."""

    lines: list[Markup]
    language: str | None
    left_out: int
    part: str


def shown(text: str, language: str | None, part: str) -> Code:
    head, left_out = clip(text)
    return Code([to_html(line) for line in lines(head, language)], language, left_out, part)
