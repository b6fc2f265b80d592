"""The functions, classes and constants that a request says a file has: `matrix.py with add(a, b)`,
"questions.py should have a list QUESTIONS", "a function count(text) in lengths.py". Pure."""

import re
from collections.abc import Iterator, Mapping
from itertools import chain, pairwise

from pipeline.projects.fault import Fault
from pipeline.projects.manifest import Manifest
from pipeline.projects.python_module import PythonModule

_GIVEN = r"\((?:[A-Za-z_*][^()\n]{0,80})?\)"
_CALL = rf"[A-Za-z_]\w*{_GIVEN}"
_AND = r"`?(?:, and |, | and )`?"
_FUNCTION = r"(?:functions?|Funktion(?:en)?)(?: called| named| namens)? `?"
_CLASS = rf"(?:(?:data)?class|Klasse)(?: called| named| namens)? `?([A-Z]\w*(?:{_GIVEN})?)"
# Right behind the file's name; what stands behind the sentence is about something else.
_HAS = re.compile(
    r"`?\s?(?:,? (?:(?:should|must|will|shall) )?(?:with|has|have|having|contain(?:s|ing)?"
    r"|defin(?:es?|ing)|offer(?:s|ing)?|provid(?:es?|ing)|implement(?:s|ing)?"
    r"|mit|hat|enthält)|:| \()"
    r"\s?(?:(?:an?|the|one|two|three|eine[rn]?|den|der|die) )?"
)
_CALLS = re.compile(rf"(?:{_FUNCTION}|`)?({_CALL}(?:{_AND}{_CALL})*)")
_LISTED = re.compile(rf"functions ([a-z_]\w*(?:{_AND}[a-z_]\w*)+)")
_CONSTANT = re.compile(
    r"(?:list|dict|dictionary|tuple|set|constant|variable) `?([A-Z][A-Z_]{2,})\b"
)
# Anywhere in the sentence: what a class has is called method, or stands without a word.
_FURTHER = re.compile(rf"\b(?:{_CLASS}|{_FUNCTION}({_CALL}))")
# "It … . total(xs) returns …", where no class was named.
_NEXT_SENTENCE = re.compile(
    rf"[.;]\s`?({_CALL})`?,?(?: which)? (?:returns?|gives?|raises?|calculates?)\b"
)
_BEFORE = re.compile(
    rf"(?:{_CLASS}|{_FUNCTION}({_CALL}))`?(?: (?:is|goes|lives|stands|belongs))? (?:in|into) `?$"
)
_END = re.compile(r"[.;](?:\s|$)|\n\s*\n")
_ONE = re.compile(rf"[A-Za-z_]\w*(?:{_GIVEN})?")
_MOST, _NEAR = 12, 200


def requested_names(words: str, paths: re.Pattern[str]) -> dict[str, tuple[str, ...]]:
    """By the file's name as the request has it, with parameters where it has them. What a class
    has is not among them, nor what the file is said to do."""
    found: dict[str, list[str]] = {}
    for place, following in pairwise([*paths.finditer(words), None]):
        assert place
        stop = following.start() if following else len(words)
        names = chain(_before(words, place.start()), _behind(words[place.end() : stop]))
        found.setdefault(place[0], []).extend(names)
    return {path: tuple(dict.fromkeys(names))[:_MOST] for path, names in found.items()}


def _before(words: str, start: int) -> Iterator[str]:
    said = _BEFORE.search(words[max(0, start - _NEAR) : start])
    if said:
        yield said[1] or said[2]


def _behind(words: str) -> Iterator[str]:
    """`words`: from the file's name to the next one's."""
    has = _HAS.match(words)
    if not has:
        return
    end = _END.search(words, has.end())
    sentence = words[has.end() : end.start() if end else len(words)]
    for form in (_CALLS, _LISTED, _CONSTANT):
        if listed := form.match(sentence):
            yield from (name for name in _ONE.findall(listed[1]) if name != "and")
    further = [*_FURTHER.finditer(sentence)]
    yield from (each[1] or each[2] for each in further)
    if not any(each[1] for each in further):
        yield from _NEXT_SENTENCE.findall(words, end.start() if end else len(words))


def unkept_names(plan: Manifest, modules: Mapping[str, PythonModule]) -> Iterator[Fault]:
    """Files in Python that lack what the request says they have, where no other has it either."""
    everywhere = {name for module in modules.values() for name in module.names}
    for file in plan.files:
        module = modules.get(file.path)
        for asked in file.requested if module and not module.open else ():
            name = asked.partition("(")[0]
            if name not in everywhere:
                detail = f"it does not define {name}, which the request asks for"
                yield Fault(file.path, "missing", detail)
