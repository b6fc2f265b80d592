"""Examples whose value a right program need not give as it is written, by what the text says of the
results: they come in any order, layout or by chance, are a text (`101` without quotation marks),
have more digits than are written, or stay in the list that is changed in place. Pure."""

import re
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from pipeline.analysis.evidence import named_language
from pipeline.sandbox.shown_text import How
from pipeline.sandbox.testcase import Arguments, Case, Raises
from pipeline.testcases.examples.call_sessions import FRACTION, ROUNDS, drawing, printing
from pipeline.testcases.examples.open_layouts import laid_out, layouts_of
from pipeline.testcases.examples.written_numbers import are_its_digits, as_number_or_text

_ANY_ORDER = re.compile(
    r"\bin any order\b|\bany order (?:is|works|will)\b"
    r"|\border (?:of [^.\n]{1,40} )?(?:does(?: not|n['’]?t) matter"
    r"|(?:is |may |can )?(?:not important|unimportant|irrelevant|arbitrary|vary|differ))\b"
    r"|\border (?:isn['’]t (?:important|relevant)|(?:is )?not guaranteed)\b"
    r"|\b(?:do(?: not|n['’]?t) care|no matter) (?:about|for|in) (?:the |what )?order\b"
    r"|\bwhatever order\b|[,(]\s?unordered[,.:;)]|\bbeliebiger Reihenfolge\b"
    r"|\bReihenfolge (?:[^.\n]{1,40} )?(?:(?:ist )?(?:egal|beliebig|unwichtig)|spielt keine Rolle)"
    r"|\bordre (?:[^.\n]{1,40} )?(?:n['’]a (?:pas|aucune)|importe peu)\b"
    r"|\bn['’]importe quel ordre\b|\bcualquier orden\b"
    r"|\borde[nm] (?:[^.\n]{1,40} )?n[ãa]?o importa\b",
    re.IGNORECASE,
)
# Of that order alone: "… doesn't matter, but in each pair the smaller comes first".
_ORDER_WITHIN = re.compile(
    r"\border\b[^.\n]{0,100}\b(?:but|while|though)\b[^.\n]{0,20}"
    r"\b(?:in|within|inside(?: of)?) (?:each|every|an?|the)\b",
    re.IGNORECASE,
)
# One right answer of several is written; not where the text says which.
_ANY_ANSWER = re.compile(
    r"\b(?:print|output|return|find|give|choose|display)s? any(?:one)?\b"
    r"(?: of (?:them|those|the)\b| one\b| valid\b| such\b| correct\b| possible\b|[.,;!\n])"
    r"|\b(?:returns?|returning|finds?|gives?) any (?:pair|two)\b"
    r"|\bany (?:valid|correct) (?:answer|solution|output|arrangement|one)\b"
    r"|\b(?:multiple|several|many) (?:valid |possible |correct )?(?:answers|solutions)\b"
    r"(?![^.\n]{0,80}\b(?:first|last|smallest|largest|shortest|longest|lexicographic\w*)\b)",
    re.IGNORECASE,
)
# "list of lists or tuples or sets, I don't care"
_ANY_KIND = re.compile(
    r"\b(?:lists?|tuples?|sets?) or (?:an? )?(?:lists?|tuples?|sets?)\b[^.\n]{0,40}"
    r"(?:do(?: not|n['’]?t) care|does(?: not|n['’]?t) matter|(?:is|are|both) (?:ok|okay|fine)"
    r"|up to you)",
    re.IGNORECASE,
)
_TOLERANCE = re.compile(r"\b(?:absolute|relative) (?:or (?:absolute|relative) )?error\b", re.I)
_PRINTS = re.compile(
    r"\b(?:that|which|to|should|must|will|and|it|then)\s(?:simply |just |only )?prints?\b"
    r"|(?:^|[.:]\s)Prints?\b",
    re.MULTILINE,
)
_RETURNS = re.compile(
    r"\breturn|(?:\b(?:not|never|without|instead of|no)|n['’]t)\s(?:\w+\s){0,2}print", re.IGNORECASE
)
_IN_PLACE = re.compile(
    r"\bin[- ]place\b(?! of\b)|\bmutates (?:its|the) \w+|\bmodif(?:y|ies|ying) \w+ itself\b"
    r"|\bmodif(?:y|ies|ying) (?:the )?\w+ (?:directly|instead\b|and returns? nothing)"
    r"|\b(?:do|does|should) not return anything\b|\bdon['’]t return anything\b"
    r"|\)\s*->\s*None\b[^\n]{0,60}\b(?:chang|modif|mutat)\w+",
    re.IGNORECASE,
)
_NOT_IN_PLACE = re.compile(
    r"(?:\b(?:not|never|no|without|instead of|rather than)|n['’]t)\b[^.,;\n]{0,40}\bin[- ]place\b",
    re.IGNORECASE,
)
_BUT_RETURNED = re.compile(
    r"\bin[- ]place\b[^.\n]{0,40}\breturn(?!\w* (?:none|nothing)\b)", re.IGNORECASE
)
# Not of what is given: "takes a list of random numbers".
_BY_CHANCE = re.compile(
    r"\b(?:generat|return|pick|choos|select|creat|mak|produc|giv|draw|roll)\w{0,5}\s+(?:me\s+)?"
    r"(?:(?:an?|the|some|one|n)\s+)?(?:[\w-]{1,20}\s+)?(?:random(?:ly)?|uuid|guid)\b"
    r"|[,:(]\s*an?\s+random\b|\bat random\b|\brandomly (?:pick|choos|select|shuffl)"
    r"|\b(?:return|giv|print|show|tell)\w{0,3}\s+(?:the\s+)?current\s+(?:date|time)"
    r"|\brandom (?:walk|hex)\b|\bflips?\b[^.\n]{0,20}\bcoins?\b|\bpassword generator\b"
    r"|\bas of today\b|\b(?:if|assuming|when|as) (?:today|now) is\b|\bmust be unique each time\b",
    re.IGNORECASE,
)
# What gives its values one by one.
_LAZY = re.compile(
    r"\b(?:generators?|iterators?|laz(?:y|ily)|g[eé]n[eé]rateurs?|generador(?:es)?|gerador(?:es)?"
    r"|(?:that|which|should|must|to|using|use|with|by) yield(?:s|ing)?)\b|生成器|генератор",
    re.IGNORECASE,
)
_SEEDED = re.compile(r"\bseed", re.IGNORECASE)
_AS_TEXT = re.compile(
    r"\b(?:return\w{0,3}|outputs?|gives?|results?|convert\w{0,3}|representation)\b[^.\n]{0,60}"
    r"\bas an? (?:[\w-]{1,20} )?(?:string|str|text)\b",
    re.IGNORECASE,
)
# What a function of a text counts or computes is a number, with or without quotation marks.
_AS_NUMBER = re.compile(
    r"\b(?:count\w*|how many|number of|sums?|adds?|total|length|len|product|int(?:eger)?s?"
    r"|(?:as a|the|into a) number)\b|->\s{0,5}float\b",
    re.IGNORECASE,
)
_OF_TEXT = re.compile(r"\b([A-Za-z_]\w{0,99})\([^()\n]{0,200}\)\s{0,5}->\s{0,5}str\b")
_MUTABLE = (list, dict, set)


@dataclass(frozen=True, slots=True)
class Results:
    """What a text says of the results: `texts` are functions whose signature says that they give
    one, with "" for all of them."""

    any_order: bool
    order_within: bool
    in_place: bool
    by_chance: bool
    one_by_one: bool
    any_kind: bool
    any_answer: bool
    tolerance: bool
    prints: bool
    says_digits: bool
    says_number: bool
    layouts: frozenset[How]
    texts: frozenset[str]

    @classmethod
    def of(cls, text: str) -> "Results":
        names = frozenset(_OF_TEXT.findall(text))
        return cls(
            any_order=bool(_ANY_ORDER.search(text)),
            order_within=bool(_ORDER_WITHIN.search(text))
            and named_language(text) in (None, "python"),
            in_place=bool(_IN_PLACE.search(text))
            and not (_NOT_IN_PLACE.search(text) or _BUT_RETURNED.search(text)),
            any_kind=bool(_ANY_KIND.search(text)),
            any_answer=bool(_ANY_ANSWER.search(text)),
            tolerance=bool(_TOLERANCE.search(text)),
            prints=bool(_PRINTS.search(text)) and not _RETURNS.search(text),
            says_digits=bool(ROUNDS.search(text)),
            says_number=bool(_AS_NUMBER.search(text)),
            layouts=layouts_of(text),
            one_by_one=bool(_LAZY.search(text)),
            by_chance=bool(_BY_CHANCE.search(text)) and not _SEEDED.search(text),
            texts=names | {""} if names or _AS_TEXT.search(text) else names,
        )

    def settled(
        self,
        example: Case,
        called: str,
        *,
        in_words: bool,
        is_shown: bool = False,
        is_untold: bool = False,
    ) -> Case | None:
        """The example as far as the text says what comes; None where it does not. What is no test
        (`in_words`) may be written loosely, of a number it may be untold whether it is a text, and
        what a session has shown (`is_shown`) is one of several orders. `called`: the function of
        those that name none."""
        expected = example.expected
        if isinstance(expected, Raises | bool) or expected is None:
            return example
        if self.by_chance or (self.any_answer and in_words):
            return None
        if self.any_kind and isinstance(expected, list | tuple | set):
            return None
        if example.stdin is not None:
            if self.tolerance and "." in str(expected):
                return None
            return replace(example, expected=laid_out(expected, self.layouts))
        if example.session:
            return example
        if not in_words:
            return self._in_any_order(example) if is_shown else example
        if self.prints:
            return _printing(example)
        if self._is_number_for_text(example) or self._is_changed_in_place(example):
            return None
        is_untold = is_untold and isinstance(expected, int | float)
        if is_untold or (not self.says_number and are_its_digits(example)):
            return as_number_or_text(example, called)
        if self.one_by_one and isinstance(expected, list | tuple):
            function = example.function or called
            call = f"{function}({example.arguments})"
            return drawing(call, function, expected) if function else None
        digits = 0 if self.says_digits else _digits(expected)
        return self._in_any_order(replace(example, digits=digits))

    def _in_any_order(self, example: Case) -> Case:
        """The example, whose list may have another order where the text says so."""
        expected = example.expected
        if not (self.any_order and isinstance(expected, list | tuple) and len(expected) > 1):
            return example
        if self.order_within and example.function:
            with suppress(TypeError):
                call = f"sorted({_call_of(example)})"
                return Case(Arguments(), sorted(expected), example.function, session=call)
        return replace(example, unordered=True)

    def _is_number_for_text(self, example: Case) -> bool:
        """Whether a text is asked for, and a number stands there, as for `to_binary(5) -> 101`."""
        if not isinstance(example.expected, int | float):
            return False
        if example.function and example.function in self.texts:
            return True
        of_text = example.function in self.texts or self.texts == {""}
        return of_text and not any(isinstance(each, str) for each in example.arguments.values)

    def _is_changed_in_place(self, example: Case) -> bool:
        """Whether what is written as the result is what becomes of an argument."""
        changed = any(isinstance(each, _MUTABLE) for each in example.arguments.values)
        return self.in_place and changed and isinstance(example.expected, _MUTABLE)


def _printing(example: Case) -> Case | None:
    """What a function prints it need not return."""
    name = example.function
    return printing(_call_of(example), name, example.expected) if name else None


def _call_of(example: Case) -> str:
    return f"{example.function}({example.arguments})"


def _digits(expected: Any) -> int:
    """How many digits the fractions have, where they may have been cut off."""
    values = expected if isinstance(expected, list | tuple) else [expected]
    found = [FRACTION.fullmatch(repr(abs(each))) for each in values if isinstance(each, float)]
    digits = [len(each[1]) for each in found if each]
    return max(digits) if len(digits) == len(found) and max(digits, default=0) > 1 else 0
