"""Comments of Python that a request wants gone. Pure."""

import io
import re
import tokenize
from collections.abc import Iterator

from pipeline.analysis.python_syntax import parse

_MOST_READ = 2000  # characters of a request
_UNWANTED = re.compile(
    r"(?<!not )(?<!n't )\b(?:without|no|omit|skip|leave out|(?:get )?rid of|remov(?:e|ing)|strip"
    r"|delet(?:e|ing)|drop|(?:do not|don'?t|never) (?:add|include|need|put|use|want|write)"
    r"|ohne|keine|entfern\w*|lösch\w*|sans|supprim\w+|sin|quita\w*|elimina\w*|sem|remova)"
    r"(?: (?:all|any|the|these|those|your|inline|of|alle|die|jegliche|les|los|de|os)){0,3}"
    r" (?:comments?|kommentare?n?|commentaires?|comentarios|comentários)\b"
    r"(?! (?:from|in|of|aus) (?:an?|any|every|each|python|source|text|one|einer?)\b)",
    re.IGNORECASE,
)
# Read by a tool, or by laios itself.
_SAYS_MORE = re.compile(r"#(?:!|.*(?:coding[:=]|noqa|type:|pragma|pylint:|fmt:|REVIEWER_NOTE))")


def wants_no_comments(request: str) -> bool:
    return bool(_UNWANTED.search(request[:_MOST_READ]))


def without_comments(code: str) -> str:
    """A program without them, and without the lines that were comments alone; what tools read
    stays, and so do docstrings. As it is where it does not parse or is nothing else."""
    if parse(code) is None:  # the tokenizer's time grows with the square of some such texts
        return code
    lines: list[str | None] = [*code.split("\n")]
    for row, column in _comments(code):
        lines[row] = (lines[row] or "")[:column].rstrip() or None
    return "\n".join(line for line in lines if line is not None).strip("\n") or code


def _comments(code: str) -> Iterator[tuple[int, int]]:
    """Where they begin: line and column, from 0."""
    for token in tokenize.generate_tokens(io.StringIO(code).readline):
        if token.type == tokenize.COMMENT and not _SAYS_MORE.match(token.string):
            row, column = token.start
            yield row - 1, column
