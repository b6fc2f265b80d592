"""Examples that say yes or no: `racecar -> True, hello -> False`, `2000: True, 1900: False`, and
for `is_prime` "7 is prime, 9 is not". What is given is a whole number or a text, in a pair without
quotation marks, and the request names a function of one parameter.

Settings and descriptions are written so as well ("debug: true", "sorted -> True, unsorted ->
False"): words count only for a function of one text, and not where they are its name or each
other's opposite."""

import re
from itertools import islice
from typing import Any

from pipeline.sandbox.testcase import Arguments, Case
from pipeline.testcases.examples.example import Found
from pipeline.testcases.examples.pair_examples import OF_ONE, OF_TEXT
from pipeline.testcases.examples.stated_examples import ARROW, is_stated, sentence_goes_on
from pipeline.testcases.literals import MARKS

_MOST = 200
_GAP = r"[ \t]{0,5}"
_PAIR = re.compile(
    rf"(?<![\w.'\"({{\[`*-]){MARKS}(?P<given>-?\d{{1,15}}|[^\W\d_]{{2,40}}){MARKS}{_GAP}"
    rf"(?P<joint>{ARROW}|:){_GAP}{MARKS}(?P<said>[Tt]rue|[Ff]alse)\b{MARKS}"
)
_NEXT = re.compile(rf"{_GAP}(?:,|;|,?[ \t]and\b|\n){_GAP}(?:[-*+•][ \t])?{_GAP}")
_ENDS = re.compile(r"[ \t]*(?:$|\n|[.,;)])")
_NO_VALUES = frozenset(("default", "returns", "else", "otherwise", "result", "output", "strict"))
_OPPOSITES = ("un", "in", "im", "non", "not", "dis")
_IS_A = re.compile(r"\bis_([a-z]{2,30})(?:_[a-z_]{1,30})?\b")
_VALUE = r"[`*]{0,2}(?P<given>-?\d{1,15}|'[^'\\\n]{1,60}'|\"[^\"\\\n]{1,60}\")[`*]{0,2}"
_DENIED = r"(?P<denied>[ \t]is[ \t]not|[ \t]isn't)"


def find(text: str) -> Found:
    """Two such pairs or sentences at least, both answers among them."""
    found = _sentences(text)
    if found.examples or not OF_ONE.search(text):
        return found
    chain: list[re.Match[str]] = []
    for pair in islice(_PAIR.finditer(text), _MOST):
        if chain and not _NEXT.fullmatch(text, chain[-1].end(), pair.start()):
            found.examples += _examples(text, chain)
            chain = []
        chain.append(pair)
    found.examples += _examples(text, chain)
    return found


def _sentences(text: str) -> Found:
    """What is said of values in the words of the function's name."""
    named = _IS_A.search(text)
    if named is None:
        return Found()
    what = rf"(?:[ \t]an?)?[ \t]{named[1]}\b(?:[ \t](?:year|number|word|text|string)\b)?"
    said = re.compile(rf"(?<![\w.]){_VALUE}(?:{_DENIED}(?:{what})?|[ \t]is{what})(?![ \t]to\b)")
    read = [
        each
        for each in islice(said.finditer(text), _MOST)
        if not sentence_goes_on(text, each.end())
    ]
    if len({each["denied"] is None for each in read}) < 2 or not is_stated(text, read[0].start()):
        return Found()
    return Found([Case(Arguments((_value(e["given"]),)), not e["denied"], "") for e in read])


def _examples(text: str, chain: list[re.Match[str]]) -> list[Case]:
    of_words = {pair["given"][0].isalpha() for pair in chain}
    answers = {pair["said"].lower() for pair in chain}
    given = {pair["given"].lower() for pair in chain}
    if len(chain) < 2 or len(of_words) > 1 or len(answers) < 2 or given & _NO_VALUES:
        return []
    if True in of_words and not _are_texts(text, chain, given):
        return []
    if not is_stated(text, chain[0].start()) or not _ENDS.match(text, chain[-1].end()):
        return []
    return [Case(Arguments((_value(p["given"]),)), p["said"].lower() == "true", "") for p in chain]


def _are_texts(text: str, chain: list[re.Match[str]], given: set[str]) -> bool:
    """Whether the words are what the function is given, not what it finds out about it."""
    named = _IS_A.search(text)
    opposite = any(f"{prefix}{word}" in given for word in given for prefix in _OPPOSITES)
    is_name = named is not None and named[1] in given
    arrows = all(pair["joint"] != ":" for pair in chain)
    return arrows and not opposite and not is_name and OF_TEXT.search(text) is not None


def _value(given: str) -> Any:
    """A number, or the text, whether it stands in quotation marks or not."""
    return int(given) if given.lstrip("-").isdigit() else given.strip("'\"")
