"""Numbers that stand as results without quotation marks, where a text may be meant: `0xff` of 255,
`005` of 5, `12` of 'a1b2'. Pure."""

import re
from dataclasses import replace

from pipeline.sandbox.testcase import Arguments, Case

# No number is written so: `005`, `-007`, `01.50`.
_ZEROS = re.compile(r"[-+]?0\d{1,99}(?:\.\d{1,99})?")
_BASE = re.compile(r"[-+]?0[xXoObB][\da-fA-F]+")
_DIGIT = re.compile(r"\d")


def zeros_as_text(written: str) -> str | None:
    """What has leading zeros is a text as it stands there: '005'. None for anything else."""
    return written if _ZEROS.fullmatch(written) else None


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


def as_number_or_text(case: Case) -> Case:
    """The example, whichever of the two comes."""
    call = f"{case.function}({case.arguments})"
    return Case(Arguments(), str(case.expected), case.function, session=f"str({call})")
