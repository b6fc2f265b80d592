"""How a request speaks of lines: "The first line contains", "the next n lines each have". Pure."""

import re
from collections.abc import Iterator

from pipeline.testcases.inputs.value_bounds import NAME

NUMERAL = r"one|two|three|four|five|six|seven|eight|nine|ten|\d{1,2}"
_ORDINAL = (
    r"first|second|third|fourth|fifth|next|following|last|only|single|final|other|1st|2nd|3rd|4th"
)
_OF = (
    r"(?: (?:of|in|from) (?:the |each |every |a )?(?:standard |program's )?"
    r"(?:input|stdin|test[ -]?cases?|cases?|tests?|dataset|data ?set|file|query)(?: file)?)?"
    r"(?: \([^()\n]{0,40}\))?"
)
HAS = (
    r"(?:(?:will |should |must |then |also )?(?:each |both )?"
    r"(?:contains?|containing|has|have|having|holds?|holding|gives?|giving|is|are|consists? of"
    r"|consisting of|with|describes?|of(?! (?:the |standard )?(?:stdin|input|text)\b)|lists?|:|-"
    r"|has got|comes|stores?)(?: each)?:?)"
)
# A value that stands behind "first line" without a verb.
_VALUE = rf"(?:{NAME}|(?:an?|the|one|two|three|four) )"
HEADS = re.compile(
    rf"(?<!\w)(?:(?:in |on )?(?:the |an? )?(?P<one>{_ORDINAL})(?: and (?:only|last))?"
    rf" (?:input )?line{_OF},? ?(?:{HAS} |(?={_VALUE}))"
    rf"|(?:in |on )?(?:the )?(?P<bare>{_ORDINAL})(?: line)?: "
    rf"|(?:the )?input (?:is|has|contains|consists of) (?P<single>(?:only )?(?:a|one) (?:single )?"
    rf"line)(?: of (?:text|input))?,? ?{HAS} "
    rf"|(?:then |and |followed by )?(?P<another>an?(?:other)? (?:single |second )?line) {HAS} "
    rf"|line (?P<numbered>\d){_OF} ?{HAS} "
    r"|(?:each of |all )?(?:the )?(?P<rest>(?:remaining|following|next|other|rest of the)) lines"
    rf"{_OF}(?: up to (?:the )?(?:EOF|end(?: of (?:the )?(?:input|file))?))?,? ?{HAS} "
    rf"|(?:(?:each of|every one of|all) )?(?:the )?(?:then |next |following |remaining |other "
    rf"|further |more |second )?(?P<many>{NUMERAL}|(?<!\w)(?!a\b){NAME}(?: ?[-+] ?1)?|several|many"
    rf"|some|any number of|more) (?:more |further |other |such |input |non-empty |additional )*"
    rf"(?:lines?|rows?|queries|operations|records)"
    rf"{_OF}(?: (?:each )?(?:that )?(?:follow|come|are given|remain))?,?"
    rf"(?: (?:each|every|one)(?: of (?:them|these|which))?(?: line| query| row)?"
    rf"|(?: of| in) the form(?:at)?)? ?(?:{HAS} |(?<=lines )(?={NAME} {NAME}))"
    rf"|(?P<each>each|every)(?: of (?:the|these) (?:(?:next|following) )?(?:{NAME} )?)? ?(?:lines?"
    rf"|rows?|query|queries)(?! of (?:the |each )?output){_OF},? ?{HAS} "
    rf"|(?P<case>(?:each|every|a|for each|per) (?:test[ -]?case|case|dataset|test))(?: there (?:is"
    rf"|are)| you are given)?,? ?{HAS}? ?(?:by )?)",
    re.IGNORECASE,
)
_SENTENCE = re.compile(
    r"(?<=[.;:!?])\s+(?=[A-Z*-])|\n[ \t]*(?:[-*+] |\d[.)] )?|\n+|(?<=\w)\. |(?<=\))\. (?=[a-z])"
)
_WRAPPED = re.compile(r"(?<=[^\s.;!?])\n(?=[a-z(])|(?<=,)\n(?=\S)")
# From here on it is said what the program does.
_DOES = re.compile(
    r",?\s*(?:\band |\bthen |\bit |\bto |\bmust |\bshould |\byour program )*\b(?:print|output"
    r"|display|show|comput|calculat|determin|find|return|report|tell|say|check"
    r"|(?<!^)(?<!^please )write)(?:s|es|ing)?\b.*",
    re.IGNORECASE | re.DOTALL,
)
_FOLLOWED = re.compile(
    rf"[,;]? (?:and )?(?:then )?(?:followed by|and then|then) (?=(?:the )?(?:next )?(?:{NUMERAL}"
    rf"|{NAME}|several) (?:more )?(?:lines|rows|queries))",
    re.IGNORECASE,
)
_MOST_SENTENCES, _LONGEST = 60, 400  # characters of one


def sentences(text: str) -> Iterator[str]:
    """Each up to what the program does; ", then n lines" as ", the next n lines"."""
    for n, sentence in enumerate(_SENTENCE.split(_WRAPPED.sub(" ", text))):
        if n < _MOST_SENTENCES:
            yield _FOLLOWED.sub(", the next ", _DOES.sub("", sentence[:_LONGEST]))
