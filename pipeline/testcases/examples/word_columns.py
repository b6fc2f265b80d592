"""Examples as lines of two words with blanks or a tab between them, of a function of one text:

    cat    cats
    baby   babies

A table of rules, a text with columns, and the heads of columns look the same: in doubt it is
none."""

import re
from collections.abc import Iterator, Sequence

from pipeline.sandbox.testcase import Arguments, Case
from pipeline.testcases.examples.example import Found
from pipeline.testcases.examples.pair_examples import OF_ONE, OF_RULES, OF_TEXT, OTHER_REQUESTS
from pipeline.testcases.examples.stated_examples import says_how_it_is
from pipeline.testcases.literals import read_word

_LEAST = 2
_LINE = re.compile(
    r"(?:[-*+•][ \t]{1,5})?(?P<given>[^\W\d_]{3,40})(?:\t{1,9}|[ \t]{2,40})(?P<said>[^\W\d_]{1,40})"
)
_COLUMNS = re.compile(r"\S(?:\t| {2,40})[ \t]*\S")
_FUNCTION = re.compile(r"\b([A-Za-z_]\w{0,99})\(")
# Of parts of words, or of a text that has such lines.
OF_PARTS = re.compile(
    r"\b(?:replac\w*|substitut\w*|suffix\w*|prefix\w*|endings?|abbrev\w*|synonyms?|lookup|columns?"
    r"|lines?|rows?|pars(?:e|es|ing|er)|split\w*|csv|tsv|tabs?|files?|format\w*|align\w*|logs?"
    r"|fields?|keys?|headers?|heading)\b",
    re.IGNORECASE,
)
_HEADS = frozenset(
    ("input", "output", "given", "word", "words", "result", "results", "expected", "returns")
)
# What is no text, or an answer that may be one.
_NO_TEXT = frozenset(("true", "false", "none", "null", "yes", "no"))
_WORD = re.compile(r"[^\W\d_]+")
_Row = tuple[int, str, str]  # the number of its line, what is given, and what comes of it


def find(text: str) -> Found:
    """Two such lines or more, one below the other."""
    if not _is_of_one_text(text) or any(
        each.search(text) for each in (OTHER_REQUESTS, OF_RULES, OF_PARTS)
    ):
        return Found()
    lines = text.split("\n")
    blocks = (block for block in _blocks(lines) if _are_examples(lines, block))
    return Found(
        [Case(Arguments((given,)), said, "") for rows in blocks for _, given, said in rows]
    )


def _is_of_one_text(text: str) -> bool:
    """Whether the request writes one function alone, with its one parameter, a text."""
    one = OF_ONE.search(text)
    is_text = OF_TEXT.search(text) or (one and one["type"] == "str")
    return bool(is_text) and len(set(_FUNCTION.findall(text))) == 1


def _blocks(lines: Sequence[str]) -> Iterator[list[_Row]]:
    rows = list[_Row]()
    for number, line in enumerate(lines):
        found = _LINE.fullmatch(line.strip(" \t>"))
        if found:
            rows.append((number, found["given"], found["said"]))
        elif rows:
            yield rows
            rows = []
    yield rows


def _are_examples(lines: Sequence[str], rows: list[_Row]) -> bool:
    """Whether they are enough, no more columns stand beside them, and the first has no heads."""
    given = {each for _, each, _ in rows}
    if len(rows) < _LEAST or len(given) < len(rows) or not all(_is_text(row[2]) for row in rows):
        return False
    first, last = rows[0][0], rows[-1][0]
    beside = [*lines[max(0, first - 1) : first], *lines[last + 1 : last + 2]]
    if any(map(_COLUMNS.search, beside)):
        return False
    above = next((each.strip() for each in reversed(lines[:first]) if each.strip("`~ \t")), "")
    return not says_how_it_is(above) and not _has_heads(lines, rows)


def _is_text(said: str) -> bool:
    """Whether it is a text, and no other value: "racecar   True"."""
    try:
        return read_word(said).lower() not in _NO_TEXT if said.isascii() else True
    except ValueError:
        return False


def _has_heads(lines: Sequence[str], rows: list[_Row]) -> bool:
    """Whether the first line may say what stands below it: in words of the request, or as the only
    one in capitals."""
    others = " ".join([*lines[: rows[0][0]], *lines[rows[-1][0] + 1 :]])
    said = {each.lower() for each in _WORD.findall(others.replace("_", " "))} | _HEADS
    heads = rows[0][1:]
    alone = heads[0][0].isupper() and not any(given[0].isupper() for _, given, _ in rows[1:])
    return alone or any(each.lower() in said for each in heads)
