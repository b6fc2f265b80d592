"""Comments of Python that a request wants gone. Pure."""

import io
import re
import tokenize
from collections.abc import Iterator

from pipeline.analysis.python_syntax import parse

_MOST_READ = 2000  # characters of a request
_COMMENTS = (
    r"(?: (?:all|any|the|these|those|your|inline|of|alle|die|jegliche|les|los|de|os)){0,3}"
    r" (?:comments?|kommentare?n?|commentaires?|comentarios|comentários)\b"
)
_UNWANTED = re.compile(
    # "fizzbuzz, no comments", and not "posts with no comments"
    r"(?:(?:^|[,.;:!\n]\s*|\b(?:and|bitte|but|code|function|it|one|please|python|script|this|version)\s)"
    r"(?:with\s)?(?:without|no|ohne|keine|sans|sin|sem)"
    # "remove the comments", and not "a function to remove comments"
    r"|(?<!not )(?<!never )(?<!to )(?<!n['’]t )\b(?:(?:get )?rid of|remov(?:e|ing)|strip"
    r"|delet(?:e|ing)|drop|(?:do not|don['’]?t|never) (?:add|include|need|put|use|want|write)"
    r"|entfern\w*|lösch\w*|supprim\w+|quita\w*|elimina\w*|remova))"
    rf"{_COMMENTS}(?! (?:from|in|of|aus|older|on|by) (?!(?:it|the code|this)\b)| older)",
    re.IGNORECASE,
)
# Read by a tool, or by laios itself.
_SAYS_MORE = re.compile(
    r"#(?:!|.*(?:coding[:=]|noqa|nosec|type:|pragma|pylint:|pyright|mypy|isort|fmt:|ruff|REVIEWER_NOTE))"
)

_SCRIPT = "# /// script"  # what a program needs, PEP 723


def wants_no_comments(request: str) -> bool:
    return bool(_UNWANTED.search(request[:_MOST_READ]))


def without_comments(code: str) -> str:
    """A program without them, and without the lines that were comments alone; what tools read
    stays, and so do docstrings. As it is where it does not parse or is nothing else."""
    # A carriage return ends a line of the parser's alone; the tokenizer's time grows with the
    # square of some texts that do not parse.
    if _SCRIPT in code or "\r" in code or parse(code) is None:
        return code
    lines: list[str | None] = [*code.split("\n")]
    for row, column in _comments(code):
        lines[row] = (lines[row] or "")[:column].rstrip() or None
    bare = "\n".join(line for line in lines if line is not None).strip("\n")
    return bare if bare and parse(bare) is not None else code


def _comments(code: str) -> Iterator[tuple[int, int]]:
    """Where they begin: line and column, from 0."""
    for token in tokenize.generate_tokens(io.StringIO(code).readline):
        if token.type == tokenize.COMMENT and not _SAYS_MORE.match(token.string):
            row, column = token.start
            yield row - 1, column
