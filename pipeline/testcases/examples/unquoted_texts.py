"""Examples of a function of one value whose texts stand there without quotation marks:

    - El niño y la cigüeña → el-nino-y-la-ciguena        flip(hello world) gives olleh dlrow
    1234567.891  →  1.234.567,89 €

Rules, placeholders and words about what comes look the same. So there are two of them, every text
that comes is made of the letters and digits of what is given, and in doubt they are none."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Any, NamedTuple
from unicodedata import combining, normalize

from pipeline.sandbox.testcase import Arguments, Case
from pipeline.testcases.examples.example import Found
from pipeline.testcases.examples.pair_examples import OF_ONE, OF_RULES, OF_TEXT, OTHER_REQUESTS
from pipeline.testcases.examples.stated_examples import ARROW, is_stated, says_how_it_is
from pipeline.testcases.examples.word_columns import OF_PARTS
from pipeline.testcases.literals import read_arguments, read_literal

_LEAST, _MOST = 2, 60
_BULLET = r"^[ \t>]{0,12}(?:[-*+•][ \t]{1,5}|\d{1,2}[.)][ \t]{1,5})?"
_PAIR = re.compile(
    rf"{_BULLET}(?P<given>\S[^\n→]{{0,120}}?)[ \t]{{1,40}}(?:{ARROW})[ \t]{{1,40}}"
    r"(?P<said>\S[^\n→]{0,160})$",
    re.MULTILINE,
)
_CALL = re.compile(
    rf"{_BULLET}`?(?P<function>[A-Za-z_]\w{{0,80}})\((?P<given>[^()\n]{{1,120}})\)`?[ \t]{{1,5}}"
    rf"(?:{ARROW}|(?:should |must )?(?:gives?|returns?|becomes?)|ergibt|liefert|donne|renvoie"
    r"|devuelve|da)[ \t]{1,5}(?P<said>\S[^\n]{0,160})$",
    re.MULTILINE,
)
_REMARK = re.compile(r"(?:[ \t]{2,60}\([^\n]{1,160}\)|[ \t]{1,60}(?:<-|←|#|//)[ \t][^\n]{1,160})$")
_NOTHING = (
    r"(?:(?:an?|the|une?|una|ein(?:en?)?|um|uma)[ ])?(?:empty (?:string|text)"
    r"|leere[nr]? (?:string|text|zeichenkette)|(?:cadena|string) vac[ií]a|texto vac[ií]o"
    r"|cha[iî]ne vide|stringa vuota|(?:string|texto) vazi[ao])"
)
_EMPTY = re.compile(rf"\(?{_NOTHING}\)?\.?", re.IGNORECASE)
_OF_EMPTY = re.compile(  # "flip() of an empty string gives an empty string"
    rf"\b([A-Za-z_]\w{{0,80}})\(\) (?:of|for|with) {_NOTHING}"
    rf" (?:gives|returns|is) {_NOTHING}\.?$",
    re.IGNORECASE | re.MULTILINE,
)
_MARKED = re.compile(r"`([^`\n]{1,160})`")
# What stands for others: `YYYY`, `xx`, `<name>`, `…`; a number with its unit; what is not so; words
# before it.
_PLACEHOLDER = re.compile(
    r"\b([A-Za-z])\1+\b|\.\.\.|[…<>{}|✓✗✘❌✅]|\b(?:e\.?g\.?|etc|usw|or|oder)\b"
    r"|^-?[\d.,]+ ?[^\W\d]{1,4}$|:[ \t]"
)
_FUNCTION_WORD = re.compile(
    r"\b(?:func(?:tion|i[oó]n)?|funktion|fonction|fun[cç][aã]o|funzione|def|helper|m[eé]thode?"
    r"|m[eé]todo)\b",
    re.IGNORECASE,
)
# The same words as in `OTHER_REQUESTS`, where they are part of another sentence.
_NOT_HERE = frozenset(("nicht", "server"))
_OF_OTHERS = re.compile(
    r"\b(?:data ?frames?|json|dict\w*|lists?|folders?|columns?|spalten?|colonnes?|columnas?"
    r"|datei\w*|fichiers?|archivos?|listen?|ordner|zeilen?|lignes?|dates?|datum|weekdays?)\b",
    re.IGNORECASE,
)
# A function that is given no text.
OF_OTHER_KIND = re.compile(
    r"df|data\w*|d|n|x|dt|f|fn|func\w*|callback|obj\w*|row|item|lst|arr\w*|num|file|path|date|record|\w+list|\w\w+s"
)
_FORMATS = re.compile(
    r"format|\bstr(?:ing)?\b|\btexte?o?\b|display|anzeig|zeichenkette|affich|cha[iî]ne|cadena",
    re.IGNORECASE,
)
_HEAD = re.compile(r"`?(?:def )?\w+\(")
_CALLED = re.compile(r"\b([A-Za-z_]\w{0,99})\(")
_IDENTIFIERS = re.compile(r"\w+(?:, ?\w+)*")
_UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss"})


class _Row(NamedTuple):
    """What is given, whether that `is_bare`, and the text that comes; `is_made`: of its letters."""

    given: Any
    is_bare: bool
    said: str
    is_made: bool


def find(text: str) -> Found:
    """Of pairs and of calls."""
    return Found([*_calls(text), *_pairs(text)])


def _pairs(text: str) -> Iterator[Case]:
    """None where a line with an arrow says something else."""
    found = [each for each in _PAIR.finditer(text) if not _HEAD.match(each["given"])][:_MOST]
    others = {each.lower() for each in OTHER_REQUESTS.findall(text)} - _NOT_HERE
    if len(found) < _LEAST or others or len(set(_CALLED.findall(text))) > 1:
        return
    if not _FUNCTION_WORD.search(text) or says_how_it_is(_line_above(text, found[0].start())):
        return
    rows = [_row(each["given"], each["said"]) for each in found]
    if all(is_stated(text, each.start("given")) for each in found) and _are_examples(text, rows):
        for row in filter(None, rows):
            yield Case(Arguments((row.given,)), row.said, "")


def _line_above(text: str, start: int) -> str:
    return next((each for each in reversed(text[:start].split("\n")) if each.strip("`~ \t")), "")


def _are_examples(text: str, rows: Sequence[_Row | None]) -> bool:
    known = [row for row in rows if row]
    bare = [row for row in known if row.is_bare]
    numbers = [row.given for row in known if isinstance(row.given, int | float)]
    if len(known) < len(rows) or sum(row.is_made for row in known) < _LEAST:
        return False
    if all(row.given == row.said for row in known if row.is_made):
        return False
    if len({row.given for row in known}) < len(known):
        return False
    # What has neither a fraction nor a sign may be the digits of a text.
    if numbers and all(isinstance(each, int) and each >= 0 for each in numbers):
        return False
    if (numbers and not _FORMATS.search(text)) or (bare and not _is_of_text(text)):
        return False
    return sum(" " in row.given for row in bare) * 2 >= len(bare) or bool(OF_TEXT.search(text))


def _is_of_text(text: str) -> bool:
    """Whether the function may be given a text, and no part of a text is one here."""
    one = OF_ONE.search(text)
    if (one and (one["type"] or "str") != "str") or (one and OF_OTHER_KIND.fullmatch(one["name"])):
        return False
    return not any(each.search(text) for each in (OF_PARTS, OF_RULES, _OF_OTHERS))


def _row(given: str, said: str) -> _Row | None:
    """None for what may be no example."""
    comes = _said(_REMARK.sub("", said).rstrip())
    is_bare, value = _given(given.strip())
    if comes is None or (value is None and is_bare):
        return None
    if comes[1] and not _is_made_of(comes[0], str(value)):
        return None
    return _Row(value, is_bare, *comes)


def _given(given: str) -> tuple[bool, Any]:
    """Whether it stands there without quotation marks, and what it is; None for a placeholder."""
    if marked := _MARKED.fullmatch(given):
        given = marked[1]
    with suppress(ValueError):
        value = read_literal(given)
        is_plain = value is None or isinstance(value, str | float) or type(value) is int
        return not is_plain, value if is_plain else None
    odd = _PLACEHOLDER.search(given) or given[0] in "\"'[({" or given[-1] in "\"':"
    return True, None if odd else given


def _said(said: str) -> tuple[str, bool] | None:
    """The text that comes, and whether it stands there as it is, without quotation marks."""
    if _EMPTY.fullmatch(said):
        return "", False
    if marked := _MARKED.fullmatch(said):
        said = marked[1]
    with suppress(ValueError):
        value = read_literal(said)
        return (value, False) if isinstance(value, str) else None
    odd = _PLACEHOLDER.search(said) or said[0] in "\"'[({" or said[-1] in "\"':.,;)"
    return None if odd else (said, True)


def _is_made_of(said: str, given: str) -> bool:
    """Whether it has no letter and no digit but those of what is given, and zeros."""
    comes, there = Counter(_folded(said)), Counter(_folded(given.lower().translate(_UMLAUTS)))
    del comes["0"]
    return len(_folded(said)) > 1 and comes <= there


def _folded(text: str) -> list[str]:
    plain = normalize("NFKD", text.casefold())
    return [each for each in plain if each.isalnum() and not combining(each)]


def _calls(text: str) -> Iterator[Case]:
    """Of a function that is given a text that is no code, with blanks in it, once at least without
    a comma: it takes one."""
    for empty in _OF_EMPTY.finditer(text):
        yield Case(Arguments(("",)), "", empty[1])
    found = [*_CALL.finditer(text)][:_MOST]
    for function in dict.fromkeys(each["function"] for each in found):
        own = [each for each in found if each["function"] == function and _is_text(each["given"])]
        rows = [(each, _row(each["given"], each["said"])) for each in own]
        known = [(each, row) for each, row in rows if row and row.is_bare and row.is_made]
        signs = [(each, row) for each, row in rows if (each, row) not in known]
        if any(not _IDENTIFIERS.fullmatch(each["given"]) for each, _ in signs):
            continue
        is_one = any(" " in row.given and "," not in row.given for _, row in known)
        if is_one and len(known) >= _LEAST:
            for each, row in known:
                if is_stated(text, each.start("function")):
                    yield Case(Arguments((row.given,)), row.said, function)


def _is_text(given: str) -> bool:
    with suppress(ValueError):
        read_arguments(given)
        return False
    return True
