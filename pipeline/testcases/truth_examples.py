"""Examples that say yes or no: `racecar -> True, hello -> False`, `2000: True, 1900: False`. What
is given is a word without quotation marks or a whole number, and the request names a function of
one parameter."""

import re
from itertools import islice
from typing import Any

from pipeline.sandbox.testcase import Arguments, Case
from pipeline.testcases.example import Found
from pipeline.testcases.stated_examples import ARROW, is_stated

_MOST = 200
_OF_ONE = re.compile(r"\b[A-Za-z_]\w*\([a-z_]\w*(?:: ?\w+)?\)")
_MARKS, _GAP = r"[`*]{0,3}", r"[ \t]{0,5}"
_PAIR = re.compile(
    rf"(?<![\w.'\"({{\[`*-]){_MARKS}(?P<given>-?\d{{1,15}}|[^\W\d_]{{2,40}}){_MARKS}{_GAP}"
    rf"(?P<joint>{ARROW}|:){_GAP}{_MARKS}(?P<said>[Tt]rue|[Ff]alse)\b{_MARKS}"
)
_NEXT = re.compile(rf"{_GAP}(?:,|;|,?[ \t]and\b|\n){_GAP}(?:[-*+•][ \t])?{_GAP}")
_ENDS = re.compile(r"[ \t]*(?:$|\n|[.,;)])")
_NO_VALUES = frozenset(("default", "returns", "else", "otherwise", "result", "output", "strict"))


def find(text: str) -> Found:
    """Two such pairs at least, one behind the other, both answers among them."""
    found = Found()
    if not _OF_ONE.search(text):
        return found
    chain: list[re.Match[str]] = []
    for pair in islice(_PAIR.finditer(text), _MOST):
        if chain and not _NEXT.fullmatch(text, chain[-1].end(), pair.start()):
            found.examples += _examples(text, chain)
            chain = []
        chain.append(pair)
    found.examples += _examples(text, chain)
    return found


def _examples(text: str, chain: list[re.Match[str]]) -> list[Case]:
    kinds = {pair["given"].lstrip("-").isdigit() for pair in chain}
    answers = {pair["said"].lower() for pair in chain}
    given = {pair["given"].lower() for pair in chain}
    if len(chain) < 2 or len(kinds) > 1 or len(answers) < 2 or given & _NO_VALUES:
        return []
    if not is_stated(text, chain[0].start()) or not _ENDS.match(text, chain[-1].end()):
        return []
    return [Case(Arguments((_given(p),)), p["said"].lower() == "true", "") for p in chain]


def _given(pair: re.Match[str]) -> Any:
    word = pair["given"]
    return word if word[0].isalpha() else int(word)
