"""Syntax highlighting, line by line; the colours are in the style sheet. The tokens come from a
process that is ended when a text takes it too long (`lexing_worker.py`)."""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

import orjson
from markupsafe import Markup

from dashboard.display_text import reveal_html
from history.index_row import text_of
from laios.answering_process import AnsweringProcess
from laios.language_table import TABLE

DEADLINE_S = 2.0  # a text; between two tokens the process itself stops long before
PROCESS = AnsweringProcess("dashboard.lexing_worker")
_LONGEST_LINE = 2000


class Piece(NamedTuple):
    """A bit of one line and the class of its colour ("" for none)."""

    kind: str
    text: str


Line = list[Piece]

_LEXERS = {
    label: row.lexer
    for row in reversed(TABLE)  # a label that several have is the first one's
    if row.lexer
    for label in f"{row.name} {row.aliases} {row.words} {row.endings.replace('.', '')}".split()
} | {"dockerfile": "docker"}

_SIGNS = (  # the first that is found in the text's beginning names its language
    (r"\A#!.*\b(?:ba)?sh\b", "bash"),
    (r"\A\s*<(?:!doctype|html)\b", "html"),
    (r"\A\s*[\[{]\s*[\"\]}]", "json"),
    (r"^[ \t]*(?:def \w+\(|class \w+.*:\s*$|from [\w.]+ import |import [\w.]+\s*$|@\w+)", "python"),
    (r"^[ \t]*(?:fn \w+|impl\b|use \w+::|pub (?:fn|struct|enum))", "rust"),
    (r"^[ \t]*(?:package \w+\s*$|func (?:\(|\w+\())", "go"),
    (r"^[ \t]*(?:interface \w+|type \w+ =|export (?:const|function) .*:)", "typescript"),
    (r"^[ \t]*(?:const |let |var |function \w*\(|import .* from |export )", "javascript"),
    (r"^[ \t]*#include\b", "cpp"),
    (r"^[ \t]*(?:public |private |protected )", "java"),
    (r"(?i)^[ \t]*(?:select\b|insert into\b|create (?:table|index|view)\b|with \w+ as)", "sql"),
)
_COLOURS = {
    "Comment": "c", "Keyword": "k", "Literal.String": "s", "Literal.Number": "m",
    "Name.Function": "f", "Name.Class": "f", "Name.Decorator": "d", "Name.Builtin": "b",
    "Name.Tag": "k", "Name.Attribute": "f", "Operator": "o", "Operator.Word": "k",
    "Punctuation": "o", "Literal.String.Interpol": "o", "Keyword.Constant": "m",
    "Generic.Inserted": "a", "Generic.Deleted": "r", "Generic.Heading": "f",
    "Generic.Subheading": "k",
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
    lexer = _LEXERS.get(language.lower()) if language else None
    longest = max(map(len, text.split("\n")), default=0)
    done = 0
    for kind, size in tokens(text, lexer) if lexer and longest <= _LONGEST_LINE else ():
        yield Piece(_colour(kind), text[done : done + size])
        done += size
    if text[done:]:
        yield Piece("", text[done:])


def tokens(text: str, lexer: str) -> list[tuple[str, int]]:
    """Types (`Name.Function`) and lengths, one behind the other from the text's beginning; none
    where that takes too long. `lexer` is one of Pygments' names."""
    question = orjson.dumps([text_of(text), lexer])
    answer = PROCESS.ask(question, DEADLINE_S)
    return [(kind, size) for kind, size in orjson.loads(answer)] if answer else []


@lru_cache
def _colour(token: str) -> str:
    """That of the token's type, else of the type above it."""
    while token and token not in _COLOURS:
        token = token.rpartition(".")[0]
    return _COLOURS.get(token, "")
