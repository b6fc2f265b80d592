"""Comments in many languages. Pure."""

import re
from collections.abc import Iterable, Sequence

_SLASHES = (
    "c cpp csharp dart go java javascript jsx kotlin rust scala scss swift tsx typescript zig"
    " groovy jsonc less objective-c pascal fsharp glsl gradle hlsl json5 proto protobuf sass"
    " solidity systemverilog v verilog wgsl"
)
_DASHES = "ada applescript elm haskell lua sql vhdl"
_SEMICOLONS = "asm assembly clojure elisp ini lisp nasm racket reg scheme"
_MARKUP = "ejs handlebars html markdown svelte svg vue xml"
_PERCENTS = "erlang latex matlab octave prolog tex"
_NONE = ("csv", "json", "plaintext", "regex", "regexp", "text", "tsv", "txt")  # have no comments
# How a comment begins and ends where it is no `#`.
_COMMENTS = {
    **dict.fromkeys(_SLASHES.split(), ("//", "")),
    **dict.fromkeys(_DASHES.split(), ("--", "")),
    **dict.fromkeys(_SEMICOLONS.split(), (";", "")),
    **dict.fromkeys(_MARKUP.split(), ("<!--", " -->")),
    **dict.fromkeys(_PERCENTS.split(), ("%", "")),
    **dict.fromkeys(("vb", "vba", "vbnet", "vbscript"), ("'", "")),
    "bat": ("REM", ""),
    "css": ("/*", " */"),
    "fortran": ("!", ""),
    "ocaml": ("(*", " *)"),
}
# What would end a comment, or break it, where that is not its own end.
_BREAKS = {"java": "\\u", "php": "?>", "svg": "--", "xml": "--"}
# A line as those end them who begin comments with slashes, where no label says what it is.
_SLASHED = re.compile(r"[;{][ \t\r]*$", re.MULTILINE)
# What has to be at the beginning of a text: an interpreter's line, a declaration of XML, PHP or
# CSS, Docker's own directives, what keeps a batch file from showing its lines, a document's front
# matter.
_FIRST = re.compile(
    r"(?:#!|<\?|@charset\b|@(?i:echo off)\b|#[ \t]*(?:syntax|escape|check)[ \t]*=)[^\n]*"
    r"|---\s*\n(?:(?!---)[^\n]*\n)*+---[ \t\r]*$",
    re.MULTILINE,
)


def with_first_comment(text: str, language: str | None, said: Iterable[str]) -> str:
    """The text behind these lines as comments, which stand behind a line that has to be the first;
    as it is in a language that has none."""
    if language in _NONE:
        return text
    begin, end = _marks(text, language)
    lines = (f"{begin} {each.replace(end.strip(), ' ') if end else each}{end}\n" for each in said)
    comment = "".join(lines)
    if first := _FIRST.match(text):
        return f"{first[0]}\n{comment}" + text[first.end() :].removeprefix("\n")
    return comment + text


def with_last_comment(text: str, language: str | None, said: Sequence[str]) -> str:
    """The text before these lines as comments; as it is in a language that is not known or has
    none, and where a line would end its comment."""
    begin, end = _marks_at_end(text, language)
    breaks = _BREAKS.get(language or "", end.strip())
    is_broken = bool(breaks) and any(breaks in each for each in said)
    if not language or language in _NONE or is_broken:
        return text
    comment = "".join(f"{begin} {each}{end}".rstrip() + "\n" for each in said)
    return f"{text.rstrip()}\n\n{comment}"


def _marks_at_end(text: str, language: str | None) -> tuple[str, str]:
    """PHP that is closed is a page again."""
    is_page = language == "php" and text.rfind("?>") > text.rfind("<?")
    return _marks(text, "html" if is_page else language)


def _marks(text: str, language: str | None) -> tuple[str, str]:
    """PHP is a page up to its opening tag."""
    language = language or ("c" if _SLASHED.search(text) else "")
    if language == "php" and not text.startswith("<?") and "<?" in text:
        language = "html"
    return _COMMENTS.get(language, ("#", ""))
