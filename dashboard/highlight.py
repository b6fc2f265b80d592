"""Syntax highlighting, line by line. Pure; the colours are in the style sheet."""

import re
import time
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any, NamedTuple

from markupsafe import Markup

from dashboard.display_text import reveal_html

BUDGET_S = 0.15
"""After so long the rest of a text stays plain: there are texts that no lexer reads quickly."""
_LONGEST_LINE = 2000


class Piece(NamedTuple):
    """A bit of one line and the class of its colour ("" for none)."""

    kind: str
    text: str


Line = list[Piece]

_LEXERS = {
    "python": "python", "py": "python", "bash": "bash", "shell": "bash", "sh": "bash", "sql": "sql",
    "javascript": "javascript", "js": "javascript", "node": "javascript",
    "typescript": "typescript", "ts": "typescript", "java": "java", "kotlin": "kotlin",
    "go": "go", "golang": "go",
    "rust": "rust", "c": "c", "c++": "cpp", "cpp": "cpp", "c#": "csharp", "csharp": "csharp",
    "ruby": "ruby",
    "php": "php", "lua": "lua", "swift": "swift", "haskell": "haskell", "html": "html",
    "css": "css", "json": "json", "yaml": "yaml", "toml": "toml", "dockerfile": "docker",
}  # fmt: skip

_SIGNS = (  # the first that is found in the text's beginning names its language
    (r"\A#!.*\b(?:ba)?sh\b", "bash"),
    (r"\A\s*<(?:!doctype|html)\b", "html"),
    (r"\A\s*[\[{]\s*[\"\]}]", "json"),
    (r"^\s*(?:def \w+\(|class \w+.*:\s*$|from [\w.]+ import |import [\w.]+\s*$|@\w+)", "python"),
    (r"^\s*(?:fn \w+|impl\b|use \w+::|pub (?:fn|struct|enum))", "rust"),
    (r"^\s*(?:package \w+\s*$|func (?:\(|\w+\())", "go"),
    (r"^\s*(?:interface \w+|type \w+ =|export (?:const|function) .*:)", "typescript"),
    (r"^\s*(?:const |let |var |function \w*\(|import .* from |export )", "javascript"),
    (r"^\s*#include\b", "cpp"),
    (r"^\s*(?:public |private |protected )", "java"),
    (r"(?i)^\s*(?:select\b|insert into\b|create (?:table|index|view)\b|with \w+ as)", "sql"),
)
_COLOURS = {
    "Comment": "c", "Keyword": "k", "Literal.String": "s", "Literal.Number": "m",
    "Name.Function": "f", "Name.Class": "f", "Name.Decorator": "d", "Name.Builtin": "b",
    "Name.Tag": "k", "Name.Attribute": "f", "Operator": "o", "Operator.Word": "k",
    "Punctuation": "o", "Literal.String.Interpol": "o", "Keyword.Constant": "m",
}  # fmt: skip


def language_of(text: str, request: str | None) -> str | None:
    """The language of a code text: what it looks like, else the one that the request names."""
    head = text[:4000]
    for sign, language in _SIGNS:
        if re.search(sign, head, re.MULTILINE):
            return language
    for word in re.findall(r"[\w+#]+", (request or "")[:2000].lower()):
        if word in _LEXERS and len(word) > 1:
            return _LEXERS[word]
    return None


def lines(text: str, language: str | None) -> list[Line]:
    """The text's lines as coloured pieces; all plain without a known language."""
    made: list[Line] = [[]]
    for kind, piece in _pieces(text.replace("\r\n", "\n"), language):
        first, *rest = piece.split("\n")
        if first:
            made[-1].append(Piece(kind, first))
        for part in rest:
            made.append([Piece(kind, part)] if part else [])
    if len(made) > 1 and not made[-1]:
        made.pop()
    return made


def to_html(line: Iterable[Piece]) -> Markup:
    return Markup("").join(
        Markup('<span class="{}">{}</span>').format(f"h{kind}", reveal_html(text))
        if kind
        else reveal_html(text)
        for kind, text in line
    )


def _pieces(text: str, language: str | None) -> Iterator[Piece]:
    longest = max(map(len, text.split("\n")), default=0)
    lexer = _lexer(language) if language and longest <= _LONGEST_LINE else None
    done = 0
    if lexer:
        until = time.monotonic() + BUDGET_S
        for start, token, value in lexer.get_tokens_unprocessed(text):
            if time.monotonic() > until:
                break
            yield Piece(_colour(token), value)
            done = start + len(value)
    if text[done:]:
        yield Piece("", text[done:])


@lru_cache
def _lexer(language: str) -> Any:
    from pygments.lexers import get_lexer_by_name  # type: ignore[import-untyped]

    name = _LEXERS.get(language.lower())
    return get_lexer_by_name(name, stripnl=False, ensurenl=False) if name else None


@lru_cache
def _colour(token: Any) -> str:
    path = [str(part) for part in token]
    while path:
        if colour := _COLOURS.get(".".join(path)):
            return colour
        path.pop()
    return ""
