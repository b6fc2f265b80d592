"""Numbers that stand as results without quotation marks, where a text may be meant: `0xff` of 255,
`005` of 5, `12` of 'a1b2', `101` of 5, `7` beside `Fizz`; and with a comma in their fraction, where
it is written so. Pure."""

import re
from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache

from pipeline.sandbox.testcase import Case
from pipeline.testcases.examples.stated_examples import ARROW, MODAL

# No number is written so: `005`, `-007`, `01.50`.
_ZEROS = re.compile(r"[-+]?0\d{1,99}(?:\.\d{1,99})?")
_BASE = re.compile(r"[-+]?0[xXoObB][\da-fA-F]+")
_DIGIT = re.compile(r"\d")
_OF_BASES = re.compile(
    r"\b(?:\w{0,30}?(?:to|in|as)_?)?(?:binar|binär|bin\b|hex(?!agon)|o[ck]tal)"
    r"|\b(?:base|basis)[_ -]?\d|\b(?:to|other|any|given|number) bases?\b",
    re.IGNORECASE,
)
_BASES = (2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 13, 14, 15, 16)
_EXACT_IN_FLOAT = 2**53
# "f(3) returns Fizz", "for 3 it gives Fizz", "| 3 | Fizz |"
_WORD = re.compile(
    r"(?:\b([A-Za-z_]\w{0,99})\((?=[\d'\"-])[^()\n]{0,200}\)|\b\d{1,15})"
    r"[`*]{0,3},?[ \t]{0,9}(?:it[ \t])?"
    rf"(?:{ARROW}|[=|:#]|//|(?:{MODAL})?(?:returns?|gives?|be|is|equals?|yields?|becomes?|ergibt"
    r"|liefert|gibt|donne|renvoie|devuelve)(?=[ \t]))"
    r"[ \t]{0,9}[`*]{0,3}(?P<said>[^\s'\"`*|,;(]{1,40}?)"
    r"[`*]{0,3}[.!]?(?=[ \t]*(?:$|[\n,;)|])|[ \t]{1,9}(?:and|or|but|for)\b)"
)
_NO_TEXT = re.compile(
    r"[^a-z]*(?:(?:true|false|none|null|nil|undefined|nan|nothing|\w*(?:error|exception))[^a-z]*)?",
    re.IGNORECASE,
)
# Not `1,000`, which may be a thousand.
_COMMA = re.compile(r"[-+]?\d{1,15},(?:\d{1,2}|\d{4,12})(?![\w,]|\.\d)")
# Languages that write it so, and requests whose results may be two numbers, or a text.
_OF_COMMA = re.compile(
    r"\b(?:eine?[nr]?|und|der|das|mit|soll|ergibt|une|les|des|avec|donne|renvoie|una|los|las|para|con"
    r"|devuelve|che|della|uma|com|een|het)\b",
    re.IGNORECASE,
)
_WHOLE = re.compile(r"\d{1,15}")
_LEAST_WORDS = 2  # different ones
_OF_OTHERS = re.compile(
    r"\btup|pair|paar|couple|\bpar(?:es|ej\w+)?\b|copp|quotient|\brest[eo]?\b|koordin|coord|divmod"
    r"|format|\b(?:string\w*|str|texte?o?|zeichenkette\w*|cha[iî]ne|cadena|testo|tekst"
    r"|komma|virgule|coma|virgola|v[ií]rgula)\b"
    r"|\b(?:beide\w*|zweite\w*|minim\w*|grenzen|interval\w*|index\w*"
    r"|(?:zwei|deux|dos|due|dois|duas|twee|two)"
    r"(?! (?:nachkomma|stelle|d[eé][cz]im|chiffre|cifra)))\b",
    re.IGNORECASE,
)


def zeros_as_text(written: str) -> str | None:
    """What has leading zeros is a text as it stands there: '005'. None for anything else."""
    return written if _ZEROS.fullmatch(written) else None


@lru_cache(maxsize=2)  # many calls of one text
def _writes_commas(text: str) -> bool:
    words = {each.lower() for each in _OF_COMMA.findall(text)}
    return len(words) >= _LEAST_WORDS and not _OF_OTHERS.search(text)


def fraction_end(text: str, start: int, call: str) -> int | None:
    """Where a number ends that begins there and has a comma in its fraction: "donne 6,67". None
    where it may be two numbers, as the `call`'s arguments may, or a text: "ergibt 1,50"."""
    found = _COMMA.match(text, start)
    if found is None or found[0].endswith("0") or not _writes_commas(text):
        return None
    if re.search(r"\d,\d", call):
        return None
    return None if {*_WHOLE.findall(found[0])} <= {*_WHOLE.findall(call)} else found.end()


def is_of_base(written: str) -> bool:
    """Whether it is written with the sign of a base: `0xff`, `0b101`."""
    return _BASE.fullmatch(written) is not None


def in_its_base(case: Case, call: str, written: str) -> Case | None:
    """The example of a `call`, whose result is `written` as `0xff`: a text where it is the number
    that the call gives in plain digits, as in `to_hex(255) -> 0xff`, which else would change
    nothing; a number where the call is written so as well, `flip(0b10) -> 0b01`. Else nobody
    knows, and it is None."""
    if not is_of_base(written):
        return case
    if re.search(r"\b0[xXoObB][\da-fA-F]", call):
        return case
    if case.expected in [each for each in case.arguments.values if type(each) is int]:
        return replace(case, expected=written)
    return None


def are_its_digits(case: Case) -> bool:
    """Whether the result is made of the digits of a text, `digits('a1b2') -> 12`: the text '12' or
    the number 12. Not of the whole text: `parse('12') -> 12` makes a number of it."""
    if type(case.expected) is not int or case.session:
        return False
    digits = str(case.expected)
    texts = [each for each in case.arguments.values if isinstance(each, str) and each != digits]
    return any(sorted(_DIGIT.findall(each)) == sorted(digits) for each in texts)


def as_number_or_text(case: Case, called: str) -> Case | None:
    """The example, whichever of the two comes. `called`: the function of those that name none."""
    function = case.function or called
    kind = float if abs(case.expected) < _EXACT_IN_FLOAT else str
    call = f"{kind.__name__}({function}({case.arguments}))"
    expected = case.expected if kind is float else str(case.expected)
    return Case(case.arguments, expected, function, session=call) if function else None


def untold_kinds(cases: Iterable[Case], text: str) -> set[str]:
    """The functions whose numbers may be texts: others of their results are words that stand there
    without quotation marks, or a number is what is given, in another base."""
    words = {each[1] or "" for each in _WORD.finditer(text) if not _NO_TEXT.fullmatch(each["said"])}
    has_bases = _OF_BASES.search(text) is not None
    return words | {each.function for each in cases if has_bases and _is_in_other_base(each)}


def _is_in_other_base(case: Case) -> bool:
    given = [each for each in case.arguments.values if type(each) is int]
    if type(case.expected) is not int or not 0 <= case.expected < _EXACT_IN_FLOAT:
        return False
    written = str(case.expected)
    others = [each for each in given if each != case.expected]
    return any(int(written, each) in others for each in _BASES if int(max(written)) < each)
