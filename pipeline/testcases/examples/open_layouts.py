"""Which layouts of what a program prints a text leaves open. Pure."""

import re

from pipeline.sandbox.shown_text import How, ShownText, as_json

_JSON = re.compile(r"\bjson\b", re.IGNORECASE)
_OPEN = (
    r"(?:not important|unimportant|irrelevant|up to you|(?:is|are) free|egal|whatever you like"
    r"|(?:does|do)(?: not|n['’]t) matter)"
)
_CARE = r"(?:do not|don['’]t) (?:really )?care (?:about|how|if|whether)"
_COLUMNS = r"(?:column widths?|spac(?:es|ing)|align\w*|padding|whitespace|blanks)"
_PRETTY = r"(?:pretty\W?print\w*|indent\w*|layout|format(?:ting|ted)?|one line)"
_ANY_COLUMNS = re.compile(
    rf"\b{_COLUMNS}\b[^.\n]{{0,40}}\b{_OPEN}|\b{_CARE}\b[^.\n]{{0,30}}\b{_COLUMNS}", re.IGNORECASE
)
_LINES = r"order of (?:the |its )?(?:output |printed |result )?(?:lines?|rows|output|results?)"
_ANY_ORDER = re.compile(
    rf"\b{_LINES}\b[^.\n]{{0,40}}\b{_OPEN}|\b{_CARE}\b[^.\n]{{0,30}}\b{_LINES}"
    r"|\b(?:print|output|list|show)\w*\b[^.,;\n]{0,60}\bin (?:any|whatever) order\b"
    r"|\blines? (?:can|may) (?:be|come) in (?:any|whatever) order\b",
    re.IGNORECASE,
)
_ANY_LAYOUT = re.compile(
    rf"\b{_PRETTY}\b[^.\n]{{0,40}}\b{_OPEN}|\b{_CARE}\b[^.\n]{{0,30}}\b{_PRETTY}", re.IGNORECASE
)
_SAYS_LAYOUT = re.compile(
    rf"\b(?:{_PRETTY}|compact\w*|minif\w+|single line|sort(?:ed|s)? keys|keys? sorted)\b",
    re.IGNORECASE,
)


def layouts_of(text: str) -> frozenset[How]:
    """Those that the text leaves open for all that is printed; of JSON where it has no word of
    any."""
    is_open = _ANY_LAYOUT.search(text) or not _SAYS_LAYOUT.search(text)
    hows: list[tuple[How, bool]] = [
        ("as JSON", bool(_JSON.search(text) and is_open)),
        ("in any order", bool(_ANY_ORDER.search(text))),
        ("in any columns", bool(_ANY_COLUMNS.search(text))),
    ]
    return frozenset(how for how, is_so in hows if is_so)


def laid_out(wanted: str, layouts: frozenset[How]) -> str:
    """With those that can be the text's."""
    known = wanted.how if isinstance(wanted, ShownText) else frozenset()
    fitting = (layouts | known) - (frozenset() if as_json(wanted) else {"as JSON"})
    return ShownText(wanted, fitting) if fitting else wanted
