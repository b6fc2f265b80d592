"""Between which values a request says that a name lies: `1 <= l <= r <= n`, `|x| ≤ 10^9`, "n is at
most 100". Pure."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import chain

NUMBER = r"-?\d+(?:(?:\*\*|\^)\d+|e\d+|\*\d+(?:(?:\*\*|\^)\d+)?|(?: \d{3})+(?!\d))?"
NAME = r"[A-Za-z](?:\d|_[A-Za-z\d]|_?\{\w{1,5}\}|[ij](?!\w)|\[\w\])?(?!\w)"
"""Of a value: `n`, `a_i`, `x1`."""
_MORE = r"(?: ?[-+] ?\d{1,3}(?!\d|\^|\*))?"
_NAMED = rf"\|?{NAME}\|?{_MORE}"
# Several names stand first, or behind the first number: "1 <= x <= n, y <= m" is two chains.
_NAMES = rf"{_NAMED}(?: ?, ?{_NAMED}(?! ?(?:!=|>|=|[-+*/])))" + "{0,5}"
_NUMBERED, _SIGN = rf"{NUMBER}{_MORE}", " ?(?:<=|<) ?"
_THEN = rf"(?:{_SIGN}(?:{_NUMBERED}|{_NAMED}))"
CHAIN = re.compile(
    rf"(?<![\w.])(?:{_NUMBERED}{_SIGN}{_NAMES}{_THEN}{{0,6}}|{_NAMES}{_THEN}{{1,6}})"
)
_AT_LEAST = re.compile(rf"(?<![\w.])({NAME}) ?>(=?) ?({NUMBER})")
_NO_COUNT = r"(?!\d| (?:digits|characters|letters|words|decimals))"
_MOST = re.compile(
    rf"(?<![\w.])({NAME})(?:,? (?:is|being|will be))? ?\(?(?:at most|up to|no more than|not more"
    rf" than|max(?:imum)?\.?) ({NUMBER}){_NO_COUNT}"
)
_BETWEEN = re.compile(
    rf"(?<![\w.])({NAME})(?:,? (?:is|being|will be|lies|are))? ?\(?(?:between|from|in the range)"
    rf" ({NUMBER}) (?:and|to|up to) ({NUMBER})"
)
_BEHIND = re.compile(rf"(?<![\w.])({NAME}) \(({NUMBER}) ?(?:to|-|\.\.\.?) ?({NUMBER})[),]")
_RANGE = re.compile(
    rf"(?:between|from|range|\() ?\[?({NUMBER})(?: and | to | up to |\.\.\.?| ?- ?|, )({NUMBER})"
)
_AT_MOST = re.compile(
    rf"(absolute values? (?:of )?)?\(?(?:at most|up to|no more than|not more than|below|less than)"
    rf" ({NUMBER}){_NO_COUNT}"
)
_OR_MORE = re.compile(rf"\(({NUMBER}) or (?:more|greater)|at least ({NUMBER})")
_SIGNS = str.maketrans(
    {"≤": "<=", "⩽": "<=", "≥": ">=", "≠": "!=", "−": "-", "–": "-", "·": "*", "×": "*"}
    | {"⋅": "*", "$": "", "`": "", "…": "..."}
)
_WORDS = (
    (re.compile(r"\\leq?q?\b(?:slant)?|=<|&lt;="), "<="),
    (re.compile(r"\\geq?q?\b"), ">="),
    (re.compile(r"\\(?:cdot|times)\b ?"), "*"),
    (re.compile(r"\\(?:ldots|dots|cdots)\b"), "..."),
    (re.compile(r"(?<=\d)[,_'](?=\d{3}(?!\d))"), ""),
    (re.compile(r"\^\{(\d+)\}"), r"^\1"),
    (re.compile(r"10([⁰¹²³⁴⁵⁶⁷⁸⁹]{1,2})"), lambda found: f"10^{_raised(found[1])}"),
    (re.compile(r" *\* *(?=10\b)"), "*"),
    (re.compile(r"[ \t]*(<=|<|>=)[ \t]*"), r" \1 "),
)
_BLANKS = re.compile(r"[^\S\n]{2,}")
_CASE = re.compile(r"\b(?:if|when|unless|while|wenn|falls|si)\b[^.;\n]*", re.IGNORECASE)
_MOST_CHAINS, _LARGEST = 40, 10**18


def plain(text: str) -> str:
    """With the signs of mathematics, TeX's too, in plain letters: `1 <= n <= 10^5`."""
    text = _BLANKS.sub(" ", text.translate(_SIGNS))
    for found, instead in _WORDS:
        text = found.sub(instead, text)
    return text


def _raised(digits: str) -> str:
    return digits.translate(str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789"))


def base_name(name: str) -> str:
    """`a` of `a_i`, `a1`, `a[i]`; a name by itself stays."""
    return re.sub(r"(?<=^[A-Za-z])(?:\d|[ij]|_[A-Za-z\d]|_?\{\w+\}|\[\w\])$", "", name)


@dataclass(frozen=True, slots=True)
class Bound:
    """A number, or what a name stands for, and a number more."""

    name: str = ""
    number: int = 0

    def value(self, known: Mapping[str, int]) -> int | None:
        """None where the name stands for nothing yet."""
        if not self.name:
            return self.number
        return known[self.name] + self.number if self.name in known else None


@dataclass(slots=True)
class Bounds:
    """`lows`, `highs`: by the name, those that are stated, the first ones first."""

    lows: dict[str, list[Bound]] = field(default_factory=dict)
    highs: dict[str, list[Bound]] = field(default_factory=dict)

    def of(self, name: str, known: Mapping[str, int]) -> tuple[int | None, int | None]:
        """The least and the greatest value, None where none is stated."""
        lows = [each.value(known) for each in self.lows.get(name, ())]
        highs = [self._most(each, known) for each in self.highs.get(name, ())]
        return (
            max((each for each in lows if each is not None), default=None),
            min((each for each in highs if each is not None), default=None),
        )

    def _most(self, end: Bound, known: Mapping[str, int]) -> int | None:
        """Of an end that is not read yet, the greatest that is stated of it."""
        value = end.value(known)
        if value is not None:
            return value
        stated = (each.value(known) for each in self.highs.get(end.name, ()))
        highs = [each + end.number for each in stated if each is not None]
        return min(highs, default=None)

    def add(self, name: str, low: Bound | None, high: Bound | None) -> None:
        if low:
            self.lows.setdefault(name, []).append(low)
        if high:
            self.highs.setdefault(name, []).append(high)


def bounds_in(text: str) -> Bounds:
    """All that are stated in a text of `plain` signs; not what is said of a case ("if s >= 90")."""
    text = _CASE.sub("", text)
    bounds = Bounds()
    for at, found in enumerate(CHAIN.finditer(text)):
        if at < _MOST_CHAINS:
            _add_chain(bounds, found[0])
    for found in _AT_LEAST.finditer(text):
        least = number_of(found[3]) + (0 if found[2] else 1)
        bounds.add(base_name(found[1]), Bound(number=least), None)
    for found in _MOST.finditer(text):
        bounds.add(base_name(found[1]), None, Bound(number=number_of(found[2])))
    for found in chain(_BETWEEN.finditer(text), _BEHIND.finditer(text)):
        low, high = Bound(number=number_of(found[2])), Bound(number=number_of(found[3]))
        bounds.add(base_name(found[1]), low, high)
    return bounds


def range_in(text: str) -> tuple[int | None, int | None] | None:
    """Of "between 1 and 100", "at most 100", "absolute value up to 10^9"; None for no end."""
    if found := _RANGE.search(text):
        return number_of(found[1]), number_of(found[2])
    if found := _AT_MOST.search(text):
        high = number_of(found[2])
        return (-high if found[1] else None), high
    found = _OR_MORE.search(text)
    return (number_of(found[1] or found[2]), None) if found else None


def number_of(text: str) -> int:
    """Of `10^5`, `2*10^5`, `1e9`, `100 000`; never more than `_LARGEST`."""
    sign, text = (-1, text[1:]) if text[:1] == "-" else (1, text)
    product = 1
    for part in text.replace("**", "^").replace(" ", "").split("*"):
        base, _, power = part.replace("e", "*10^").rpartition("*")[2].partition("^")
        factor = int(part.partition("e")[0][:19]) if "e" in part else 1
        product *= factor * int(base[:19]) ** min(int(power[:3] or 1), 18)
    return sign * min(product, _LARGEST)


def _add_chain(bounds: Bounds, stated: str) -> None:
    """Each name lies between what stands before it and behind it."""
    strict = re.findall(r"<=|<", stated)
    operands = [re.split(r" ?, ?", each.strip()) for each in re.split(r"<=|<", stated)]
    for at, names in enumerate(operands):
        more = int(strict[at - 1] == "<") if at else 0
        less = -int(strict[at] == "<") if at + 1 < len(operands) else 0
        lows = [_bound(each, more) for each in operands[at - 1]] if at else []
        highs = [_bound(each, less) for each in operands[at + 1]] if at + 1 < len(operands) else []
        for name in names:
            for low in lows or [None]:
                for high in highs or [None]:
                    _add(bounds, name, low, high)


def _add(bounds: Bounds, name: str, low: Bound | None, high: Bound | None) -> None:
    inner = name.strip("| ")
    if not re.fullmatch(NAME, inner):
        return
    if name.startswith("|") and high and not high.name:
        low = Bound(number=-high.number)
    base = base_name(inner)  # which x1 and x2 have in common: of these nothing is known
    low, high = (each if each and each.name != base else None for each in (low, high))
    bounds.add(base, low, high)


def _bound(text: str, more: int) -> Bound | None:
    named = re.fullmatch(rf"({NAME})(?: ?([-+]) ?(\d+))?", text)
    if named:
        offset = int(f"{named[2]}{named[3]}") if named[2] else 0
        return Bound(base_name(named[1]), offset + more)
    summed = re.fullmatch(rf"({NUMBER})(?: ?([-+]) ?(\d+))?", text)
    if not summed:
        return None
    offset = int(f"{summed[2]}{summed[3]}") if summed[2] else 0
    return Bound(number=number_of(summed[1]) + offset + more)
