"""What a docstring says: its text without the marks of its format, and its examples. Pure."""

import doctest
import re

_ROLE = re.compile(r":[a-zA-Z][\w:+-]{0,40}:`([^`\n]{1,300})`")
_TARGET = re.compile(r"^(.*?)\s*<[^<>]*>$")
_LITERAL = re.compile(r"``([^`\n]{1,300})``")
_VERSION = re.compile(r"^[ \t]*\.\. (?:versionadded|versionchanged|index|testsetup)::.*\n?", re.M)
_ADMONITION = re.compile(r"^([ \t]*)\.\. ([a-z-]{3,30})::[ \t]*", re.M)
_SEE = re.compile(r"^@(?:sa|see)\b[ \t]*\n?", re.M)
_BLANKS = re.compile(r"\n(?:[ \t]*\n)+")

_LONGEST = 160  # characters of a summary

_parser = doctest.DocTestParser()


def plain(doc: str) -> str:
    """The text as a person reads it: `` :class:`~rich.table.Table` `` is `Table`."""
    text = _ROLE.sub(_shown, _VERSION.sub("", doc))
    text = _LITERAL.sub(r"`\1`", text)
    text = _SEE.sub("See also: ", _ADMONITION.sub(_named, text))
    return _BLANKS.sub("\n\n", text).strip()


def summary(doc: str) -> str:
    """Its first sentence, on one line; a box before it (`!!! note`) is passed over."""
    paragraphs = (each for each in doc.strip().split("\n\n") if each.strip())
    first = next((each for each in paragraphs if not each.startswith("!!! ")), "")
    paragraph = " ".join(first.split())
    sentence = re.split(r"(?<=[.!?])\s", paragraph, maxsplit=1)[0]
    return sentence if len(sentence) <= _LONGEST else f"{sentence[: _LONGEST - 1].rstrip()}…"


def without_examples(doc: str) -> tuple[str, str]:
    """The text without its `>>>` examples, and these as a program: what they print is a comment."""
    if ">>>" not in doc:
        return doc, ""
    try:
        pieces = _parser.parse(doc)
    except ValueError:  # no doctest after all
        return doc, ""
    text, code = [], []
    for piece in pieces:
        if isinstance(piece, doctest.Example):
            printed = "".join(f"# {line}\n" for line in piece.want.splitlines() if line.strip())
            code.append(piece.source + printed)
        else:
            text.append(piece)
    return _BLANKS.sub("\n\n", "".join(text)).strip(), "".join(code)


def _shown(match: re.Match[str]) -> str:
    text = match[1]
    titled = _TARGET.match(text)
    if titled and titled[1]:
        return titled[1]
    return f"`{text[1:].rpartition('.')[2] if text.startswith('~') else text.lstrip('!')}`"


def _named(match: re.Match[str]) -> str:
    name = match[2]
    if name in ("code-block", "code", "sourcecode", "math", "plot", "image", "figure"):
        return match[1]
    return f"{match[1]}{name.replace('-', ' ').capitalize()}: "
