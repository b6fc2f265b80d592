"""The values of a line, read from the words in which a request describes them. Pure."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import count

from pipeline.testcases.inputs import value_patterns
from pipeline.testcases.inputs.input_shapes import (
    Block,
    Count,
    Line,
    Number,
    Order,
    Several,
    Text,
    Value,
)
from pipeline.testcases.inputs.value_bounds import NAME, base_name, range_in

_DECIMALS = re.compile(r"\b(?:real|decimals?|float\w*|doubles?)\b", re.IGNORECASE)
_NEGATIVE = re.compile(r"(?<!non-)(?<!non)negative", re.IGNORECASE)
_DISTINCT = re.compile(r"distinct|different|unique", re.IGNORECASE)
_SORTED = re.compile(r"(?<!not necessarily )(?<!un)(?:sorted|increasing|ascending)", re.IGNORECASE)
_MEASURED = re.compile(r"(?:month|day|hour|minute|second|year) ", re.IGNORECASE)
_OF_CHARACTERS = re.compile(r"char|letter", re.IGNORECASE)
_SEPARATED_BY = re.compile(r"\bseparated\b", re.IGNORECASE)
_TWO_LETTERS = re.compile(r"\b([A-Z]) (?:and|or|and/or) ([A-Z])\b")
_WHOLE_LINE = re.compile(r"(?:\w+ )?texts?$|(?:\w+ )?messages?$|lines?|sentences?", re.IGNORECASE)
_BETWEEN = {"comma": ",", "tab": "\t", "semicolon": ";", "colon": ":"}
_SEPARATED = re.compile(
    r"(comma|tab|semicolon|colon)s?[- ](?:separated|delimited)"
    r"|(?:separated|delimited|split)(?: from each other)? (?:by|with) (?:an? |single |one |the )*"
    r"(comma|tab|semicolon|colon)",
    re.IGNORECASE,
)
_OF_LETTERS = (
    (re.compile(r"\blower-?case\b|\bsmall letters\b", re.I), "abcdxyz"),
    (re.compile(r"\bupper-?case\b|\bcapital letters\b", re.I), "ABCDXYZ"),
    (re.compile(r"\bbinary\b|\bzeros? and ones?\b|\b0s? (?:and|or) 1s?\b", re.I), "01"),
    (re.compile(r"\bbrackets?\b|\bparenthes[ei]s\b", re.I), "()"),
    (re.compile(r"\bdigits\b", re.I), "0123456789"),
)
_MARKS = re.compile(r"['\"`]([^\s'\"`])['\"`]")
_MOST_VALUES = 8


def values_of(
    words: str, strings: frozenset[str] = frozenset(), *, loose: bool = False
) -> tuple[Value, ...]:
    """() where any of the words is not understood. `strings`: names that stand for texts. `loose`:
    what is to be done with the values may stand behind them."""
    reading = _Reading(words.strip(), strings)
    while not reading.is_done and len(reading.found) < _MOST_VALUES:
        if reading.found and reading.skips(loose):
            continue
        reading.take(value_patterns.JOINT)
        if not (reading.is_done or reading.reads_value()):
            return ()
    return tuple(reading.found) if reading.is_done else ()


class _Reading:
    """`found`: the values so far, in front of what is left of the words."""

    def __init__(self, words: str, strings: frozenset[str]) -> None:
        self._words, self._at, self._strings = words, 0, strings
        self._unnamed: Iterator[str] = (f"#{number}" for number in count(1))
        self.found: list[Value] = []

    @property
    def is_done(self) -> bool:
        return not self._words[self._at :].strip(" ,;.:-")

    def take(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        found = pattern.match(self._words, self._at)
        if found is None or found.end() == self._at:
            return None
        self._at = found.end()
        return found

    def skips(self, loose: bool) -> bool:
        """Whether words come that say no other value."""
        patterns = [value_patterns.APPOSITION, value_patterns.ABOUT]
        patterns += [value_patterns.GOES_ON] if loose else []
        return any(map(self.take, patterns))

    def reads_value(self) -> bool:
        """Whether a value comes, or what those before it mean."""
        if pairs := self.take(value_patterns.PAIRS):
            self.found.append(_of_pairs(pairs))
        elif self.found and self.take(value_patterns.AS_NUMBER):
            last = self.found[-1]
            self.found[-1] = Number(last.name, low=0) if isinstance(last, Text) else last
        elif counted := self.take(value_patterns.HOW_MANY):
            names = _split(counted["names"] or counted["first"] or "") or [next(self._unnamed)]
            self.found += [Number(base_name(name)) for name in names]
        elif noun := self.take(value_patterns.NOUN):
            self.found += self._of_noun(noun)
        elif named := self.take(value_patterns.NAMES):
            self._add_named(self._of_names(named))
        else:
            return bool(self.found and self.take(value_patterns.MEANING))
        return True

    def _of_noun(self, noun: re.Match[str]) -> list[Value]:
        """Single values where few are meant, else several of a kind."""
        item, many = self._item(noun), _many(noun)
        length = noun["length"] or noun["measured"]
        if isinstance(item, Text) and length:
            letters = "".join(re.findall(r"\b[A-Z0-9]\b", noun.string[noun.start() :]))
            return [Text("", letters=letters or item.letters, length=count_of(length))]
        names = self._first_names(noun, many)
        order = _order(noun["adjectives"])
        if noun["sequence"]:
            many = count_of(noun["count"]) if noun["count"] else _subscript(noun["sequence"])
            return [Several(replace(item, name=_last_base(noun["sequence"])), many, order)]
        if names and (many is None or (isinstance(many, int) and len(names) >= many > 1)):
            return [self._named(item, name) for name in names]
        if isinstance(many, int) and (many <= 3 or len(names) == many):
            names = names if len(names) == many else [next(self._unnamed) for _ in range(many)]
            return [self._named(item, name) for name in names]
        if isinstance(item, Text) and item.length is not None:  # characters
            apart = _SEPARATED_BY.search(noun.string)
            return [Several(item, many, order)] if apart else [replace(item, length=many)]
        return [Several(replace(item, name=base_name(names[0])) if names else item, many, order)]

    def _first_names(self, noun: re.Match[str], many: Count) -> list[str]:
        """As many as there are values; "a string s and n": the others are values of their own."""
        if not noun["names"]:
            return [noun["word"]] if noun["word"] else []
        named = [*re.finditer(rf"(?<!\w){NAME}", noun["names"])]
        if not isinstance(many, int) or len(named) <= many:
            return [each[0] for each in named]
        self._at = noun.start("names") + named[many - 1].end()
        return [each[0] for each in named[:many]]

    def _item(self, noun: re.Match[str]) -> Number | Text:
        behind = noun.string[noun.start() :]
        if said := noun["text"] or noun["thing"]:
            length = 1 if _OF_CHARACTERS.match(said) else None
            whole = bool(noun["text"] and _WHOLE_LINE.match(said))
            return Text("", whole_line=whole, letters=letters_in(behind), length=length)
        low, high = range_in(behind) or (None, None)
        low = _least(noun) if low is None else low
        measure = noun["measure"] or (_MEASURED.match(noun["number"] or "") or ("",))[0]
        name = f"#{measure.strip().lower()}"
        return Number(name, low, high, bool(_DECIMALS.search(noun[0])))

    def _named(self, item: Number | Text, name: str) -> Value:
        if name in self._strings and item == Number("#"):
            return Text(name)
        if len(item.name) > 1 and name.startswith("#"):  # a measure: "an age"
            return item
        return replace(item, name=base_name(name) if re.fullmatch(NAME, name) else name)

    def _of_names(self, found: re.Match[str]) -> list[Value]:
        if sequence := found["sequence"]:
            return [Several(Number(_last_base(sequence)), _subscript(sequence))]
        names = _split(found["names"])
        return [
            Text(name) if name in self._strings else Number(_own(name, names)) for name in names
        ]

    def _add_named(self, named: Sequence[Value]) -> None:
        """ "three integers: a, b, c" are three."""
        last = self.found[len(self.found) - len(named) :] if len(self.found) >= len(named) else []
        numbers = [each for each in last if isinstance(each, Number) and each.name[0] == "#"]
        names = [each.name for each in named if isinstance(each, Number)]
        if not last or len(numbers) < len(named) or len(names) < len(named):
            self.found += named
            return
        del self.found[-len(named) :]
        pairs = zip(numbers, names, strict=True)
        self.found += [replace(number, name=name) for number, name in pairs]


def between_in(words: str) -> str:
    """What separates the values."""
    found = _SEPARATED.search(words)
    return _BETWEEN[(found[1] or found[2]).lower()] if found else " "


def marks_in(text: str) -> str:
    """Single letters and signs that stand in quotation marks or backticks: `'#'` and `'.'`."""
    marks = "".join(dict.fromkeys(_MARKS.findall(text)))
    return marks if len(marks) > 1 and not marks.isalnum() else ""


def letters_in(words: str) -> str:
    """Of which letters or signs texts are made, as far as it is said."""
    if marks := marks_in(words):
        return marks
    if two := _TWO_LETTERS.search(words):
        return f"{two[1]}{two[2]}"
    return next((letters for said, letters in _OF_LETTERS if said.search(words)), "")


def count_of(text: str) -> Count:
    """Of "two", "3", "n"."""
    text = re.sub(r" ?([-+]) ?", r"\1", text.strip())
    if text.lower() in value_patterns.NUMERALS:
        return value_patterns.NUMERALS[text.lower()]
    return int(text) if text.isdigit() else base_name(text) or None


def _many(noun: re.Match[str]) -> Count:
    """As it is said, else one or any number."""
    if noun["count"]:
        return count_of(noun["count"])
    last = (noun["text"] or noun["thing"] or noun["number"] or noun["measure"]).lower()
    return None if last.endswith("s") or last in ("indices", "lines of text") else 1


def _least(noun: re.Match[str]) -> int | None:
    """Of what is called positive, or measured; None where nothing is said."""
    said = noun["adjectives"].lower()
    if re.search(r"non-?negative|unsigned", said):
        return 0
    if "positive" in said or "natural" in noun[0].lower():
        return 1
    return 0 if noun["measure"] and not _NEGATIVE.search(noun.string) else None


def _own(name: str, names: Sequence[str]) -> str:
    """By its base, where no other has the same (`x1 y1 x2 y2`)."""
    base = base_name(name)
    return name if sum(base_name(each) == base for each in names) > 1 else base


def _of_pairs(found: re.Match[str]) -> Block:
    """Each pair on a line of its own."""
    n = 2 if found["kind"].lower() == "pair" else 3
    names = _split(found["names"] or "")
    low, high = range_in(found.string[found.start() :]) or (None, None)
    names = names if len(names) == n else [f"#{each}" for each in "xyz"[:n]]
    items = tuple(Number(_own(name, names), low, high) for name in names)
    return Block((Line(items),), count_of(found["count"]) if found["count"] else None)


def _split(names: str) -> list[str]:
    parts = re.split(r"[ ,]+", names.strip())
    return [each for each in parts if each not in ("", "and", "then")]


def _last_base(sequence: str) -> str:
    """`a` of `a_1 ... a_n`."""
    return base_name(sequence.split()[-1].strip(",."))


def _subscript(sequence: str) -> Count:
    """`n` of `a_1 ... a_n`."""
    found = re.search(r"_?\{?([A-Za-z])\}?$", sequence.strip(" ,."))
    return found[1] if found else None


def _order(adjectives: str) -> Order:
    if _DISTINCT.search(adjectives):
        return "distinct"
    if re.search(r"decreasing|descending", adjectives, re.IGNORECASE):
        return "descending"
    return "sorted" if _SORTED.search(adjectives) else ""
