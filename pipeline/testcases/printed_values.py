"""What a program printed, but for its wording: two right programs for one request print the same
figures under labels of their own ("Sum: 328", "The sum of the primes is 328"). Pure."""

import re
from collections.abc import Iterator

_NUMBER = re.compile(r"(?<![\w.])[-+]?\d+(?:\.\d+)?(?![\d_])")
_MOST_DIGITS, _PRECISION = 300, 10
# Of the request: a capital before a number and a word in quotes (no key) are things, not sentences.
_NAME = re.compile(
    r"""(?<!\w)([A-Z]\w{0,40})(?=[ ]?[:=]?[ ]\d)|["']([^\W\d_]\w{0,40})["'](?![ ]?:)"""
)
_LABEL = re.compile(r"[^:=\n]*[:=]")


def printed_values(printed: str, request: str) -> str:
    """The numbers that were printed, in order, among them the names that the request has (before a
    number, or in quotes). Of what labels a value, up to a line's last colon or equals sign, a
    number counts where the request does not have it. "" where no number is left."""
    known = set(_numbers(request))
    names = {one or other for one, other in _NAME.findall(request)}
    found: list[str] = []
    has_number = False
    for line in printed.splitlines():
        label_ends = max((match.end() for match in _LABEL.finditer(line)), default=0)
        for match in re.finditer(rf"{_NUMBER.pattern}|[^\W\d_]\w*", line):
            word = match[0]
            if word[0].isalpha():
                found += [word] if word in names else []
                continue
            number = _written(word)
            if match.end() > label_ends or number not in known:
                found.append(number)
                has_number = True
    return " ".join(found) if has_number else ""


def _numbers(text: str) -> Iterator[str]:
    for match in _NUMBER.finditer(text):
        yield _written(match[0])


def _written(number: str) -> str:
    """`38`, `38.0` and `38.00` are one number."""
    if len(number) > _MOST_DIGITS or "." not in number:
        return number.removeprefix("+").lstrip("0") or "0"
    return f"{float(number):.{_PRECISION}g}"
