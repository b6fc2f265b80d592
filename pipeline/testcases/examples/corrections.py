"""Whether the words behind a value take it back: "f(3) is 4, which is wrong", "f(3) -> 4 (should be
5)", "f(3) gives 4. I expected 5.", "f(3) is 4 or 5"; also those on the line below. Pure."""

import re
from typing import Any

from pipeline.testcases.literals import MARKS, literal_at

_GAP = r"[ \t]{0,3}"
# What may stand between the value and the words; another value may not.
_BETWEEN = r"(?:[ \t]{1,3}(?:back|zurück|heraus|terug)\b)?[^\w\n'\"\[{]{0,8}"
_LEAD = (
    r"(?:(?:and|it|that|this|which|what|where|although|though|even|while|whereas|when|than|I|we"
    r"|you|but|instead|would|ich|es|das|aber|mais|ça|cela|pero|mas|ma|lo|cual|а|но)"
    r"(?:['’](?:s|d))?[ \t,]{1,3})"
)
_WRONG = (
    r"(?:(?:(?:is|was|ist|es|est|é|è|the|a|an|ein|clearly|obviously|still|just|simply|of course"
    r"|gives|returns|prints)[ \t]{1,3}){0,4}"
    r"(?:(?:wrong|incorrect|not (?:right|correct|ok|what)|broken|bug|buggy|old|currently"
    r"|(?:one )?off by one|one too (?:many|few)"
    r"|at present|right now|falsch|nicht richtig|stimmt (?:so )?nicht|faux|pas bon"
    r"|mal|incorrecto|errado|sbagliato|неправильно|неверно)(?=[ \t]{0,3}(?:$|[\n.!?,;)*`]))"
    r"|错|不对|contrary to\b)|(?:is|are) (?:that|this|it) (?:right|correct|ok|normal|intended)\b"
    r"|(?:right|correct|isn['’]t it|why)[ \t]?\?|how (?:can|do) I (?:fix|mend|avoid)\b"
    r"|already (?:have|there|exists|works)\b|what am I doing wrong\b"
    r"|(?:does not|doesn['’]t) hold\b|must not happen\b)"
)
_IS_WRONG = re.compile(rf"{_BETWEEN}{_LEAD}{{0,5}}{_WRONG}", re.IGNORECASE)
_THAT_IS_WRONG = re.compile(rf"{_LEAD}{{1,5}}{_WRONG}", re.IGNORECASE)
_DOUBTED = re.compile(r"[^\w\n'\"]{0,6}?(?:[❌✗✘👎]|\?!|!\?|\?\?)")
# "or 5", and that another one is as good.
_ALSO = (
    r"\balso (?:an? )?(?:valid|correct|accepted|acceptable|fine|ok|okay|possible|allowed|works?)\b"
)
ALSO_RIGHT = re.compile(rf"{_ALSO}|\b(?:multiple|several|any) valid answers?\b", re.IGNORECASE)
_NOT_ALONE = re.compile(
    rf"{MARKS}{_GAP}[,(]?{_GAP}(?:or|oder|ou)\b"
    rf"|{_BETWEEN}(?:(?:a )?random(?:ly)?|approx\w*|roughly)\b"
    rf"|[^\n]{{0,80}}?{_ALSO}",
    re.IGNORECASE,
)
_SHOULD = (
    r"(?:(?:should|must|needs? to|has to|have to|ought to|supposed to)"
    r"(?:[ \t](?:actually|really|rather|have)){0,2}[ \t]{1,3}"
    r"(?:be|been|return(?:ed)?|given?|yield(?:ed)?|equal|say|print|read)"
    r"|expect(?:ed|ing)?"
    r"(?:[ \t](?:is|was|value|result|output|(?:it )?to (?:be|get|see|return))){0,3}"
    r"|(?:want(?:ed)?|needs?|needed)(?:[ \t](?:it )?to (?:be|get|see|have|return))?"
    r"|like (?:it )?to (?:be|get|see|have|return)|(?:rather|prefer to) have"
    r"|(?:the )?(?:correct|right)(?:[ \t](?:answer|value|result|output|one))?"
    rf"(?:[ \t](?:is|would be)|(?={_GAP}[:=]))"
    r"|(?:soll(?:te)?|muss|müsste|hätte|richtig (?:wäre|ist)|erwartet(?: (?:wird|wurde|ist))?)"
    r"(?:[ \t](?:aber|jedoch|eigentlich|gern|lieber)){0,2}"
    r"|quiero|tendría que ser|(?:je|j['’]) ?(?:veux|voudrais|aimerais)"
    r"|(?:devrait|doit) (?:être|renvoyer|donner)|(?:debería|debe|deveria|deve|dovrebbe)"
    r" (?:ser|dar|devolver|retornar|essere|restituire)|должн[аоы]?(?: (?:вернуть|быть))?"
    r"|应该?(?:是|返回|为|等于))"
)
_INSTEAD = re.compile(rf"{_BETWEEN}{_LEAD}{{0,5}}{_SHOULD}{_GAP}[:=]?{_GAP}{MARKS}", re.IGNORECASE)
# "gives -5 at the moment, just swap them so it's 6 again"
_SO_THAT = re.compile(
    rf"{MARKS}[ \t]{{1,3}}(?:at the moment|right now|currently|now|today)\b[^.;!?\n\d]{{1,80}}?"
    rf"\bso (?:that )?it(?:['’]s|[ \t](?:is|gives|returns|becomes))[ \t]{{1,3}}{MARKS}",
    re.IGNORECASE,
)
_INSTEAD_OF = re.compile(
    rf"{MARKS},?[ \t]{{1,3}}(?:instead of|rather than|and not)[ \t]{{1,3}}{MARKS}"
)
# What ends the words, so that "should be 5 for negative numbers" and "5 lines" correct nothing.
_ENDS = re.compile(
    rf"{MARKS}{_GAP}(?:$|[\n.,;:!?)。，-]|(?:again|here|there|instead|and|but|not|as|because|since"
    r"|ergeben|sein|liefern|geben|zurück\w*)\b)"
)
# "when 5 is expected", "not 5 as expected"
_OTHER = re.compile(rf"{_BETWEEN}{_LEAD}{{0,3}}(?:not[ \t])?{MARKS}", re.IGNORECASE)
_IS_RIGHT = re.compile(
    rf"{MARKS}[ \t]{{1,3}}(?:(?:as|is|was|were|would be|wäre|ist|wird)[ \t]){{0,2}}"
    r"(?:expected|correct|right|wanted|needed|required|richtig|erwartet)"
    r"(?=[ \t]*(?:$|[\n.,;:!?)]))",
    re.IGNORECASE,
)
# The next line that has words, where nothing else follows the value on its own.
_BELOW = re.compile(rf"{MARKS}[.)]?[ \t]{{0,20}}(?:\n[ \t>]{{0,20}}(?:```|~~~)?){{1,3}}(?=[^\W\d])")


def is_taken_back(text: str, stop: int) -> bool:
    """Whether what stands behind the value that ends at `stop` says that it is wrong, or another
    one is right."""
    if _NOT_ALONE.match(text, stop) or _DOUBTED.match(text, stop) or _IS_WRONG.match(text, stop):
        return True
    return right_value(text, stop) is not None or is_taken_back_below(text, stop)


def is_taken_back_below(text: str, stop: int) -> bool:
    """The same for the first words behind the line that ends at `stop`."""
    below = _BELOW.match(text, stop)
    return below is not None and (
        _THAT_IS_WRONG.match(text, below.end()) is not None
        or right_value(text, below.end()) is not None
    )


def right_value(text: str, start: int) -> tuple[Any, int] | None:
    """The value that is said to be the right one instead of the one before it, and where it
    ends."""
    forms = ((_INSTEAD, _ENDS), (_OTHER, _IS_RIGHT), (_SO_THAT, _ENDS))
    found = (_value_behind(words, ends, text, start) for words, ends in forms)
    return next(filter(None, found), None)


def value_instead(text: str, start: int) -> tuple[Any, int] | None:
    """The value in "returns 2 instead of 3", which is the right one of a bug report."""
    return _value_behind(_INSTEAD_OF, _ENDS, text, start)


def _value_behind(
    words: re.Pattern[str], ends: re.Pattern[str], text: str, start: int
) -> tuple[Any, int] | None:
    said = words.match(text, start)
    found = literal_at(text, said.end()) if said else None
    return found if found and ends.match(text, found[1]) else None
