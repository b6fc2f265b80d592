"""Make untrusted text fit for display: invisible characters are shown, long text is truncated."""

import re
import unicodedata
from typing import NamedTuple

from markupsafe import Markup, escape

SHOWN_CHARS = 64 * 1024
"""So much of a text is shown on a page; all of it is at `/dashboard/runs/{id}/text/{part}`."""

# Controls but tab and line feed, format characters (bidi, zero width, tags), letters and marks
# without a shape, separators that are none to HTML, and lone surrogates, which UTF-8 cannot carry.
# Variation selectors are not among them: emoji are written with them.
_HIDDEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u034f\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2"
    "\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ud800-\udfff"
    "\ufeff\uffa0\ufff9-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)


class Clipped(NamedTuple):
    """A text's beginning, and how many characters were left out."""

    text: str
    left_out: int


def clip(text: str, limit: int = SHOWN_CHARS) -> Clipped:
    return Clipped(text[:limit], max(0, len(text) - limit))


def reveal(text: str) -> str:
    """The text with every character that a reader could not see written as `⟨U+202E⟩`."""
    if text.isascii() and text.isprintable():
        return text
    return _HIDDEN.sub(_name, text.replace("\r\n", "\n"))


def reveal_html(text: str) -> Markup:
    """The same as HTML, where the names stand out and say what they are."""
    if text.isascii() and text.isprintable():
        return escape(text)
    return Markup(_HIDDEN.sub(_mark, str(escape(text.replace("\r\n", "\n")))))


def _name(found: re.Match[str]) -> str:
    return f"⟨U+{ord(found[0]):04X}⟩"


def _mark(found: re.Match[str]) -> str:
    title = unicodedata.name(found[0], "control character").lower()
    return f'<span class="ctl" title="{title}">U+{ord(found[0]):04X}</span>'
