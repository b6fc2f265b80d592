"""The words in which requests describe the values that a program reads: "two integers l and r", "n
space-separated words". Patterns alone."""

import re

from pipeline.testcases.inputs.value_bounds import NAME


def _any(words: str, end: str = "") -> str:
    """One of the words; `_` stands for a blank in one."""
    return rf"(?:{'|'.join(each.replace('_', ' ') for each in words.split())}){end}"


_NUMERALS = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]
NUMERALS = {"a": 1, "an": 1, "single": 1} | {word: n for n, word in enumerate(_NUMERALS, 1)}
_COUNT = rf"(?:{'|'.join(NUMERALS)}|\d{{1,2}}|(?!a\b){NAME}(?: ?[-+*] ?\d)?)"
# Numbers of a kind that nobody makes here.
_NO_KIND = r"(?!(?:even|odd|prime|binary|hex\w*|perfect|square|palindrom\w*|phone|credit|card) )"
_KIND = _any("floating.point real decimal whole natural integer")
_NUMBER = (
    rf"(?:{_NO_KIND}(?:[a-z]{{3,12}} )?{_any('number value', 's?')}(?: of [a-z]{{3,12}})?"
    rf"|{_any('integer int float double real element', 's?')}"
    rf"|{_KIND} {_any('number value', 's?')})"
)
_TEXT = rf"(?:(?:[a-z]{{3,10}} )?{_any('text message string word', 's?')}|" + (
    rf"{_any('name token identifier lines?_of_text sentence line character letter char', 's?')})"
)
_MEASURE = (
    _any(
        "age amount balance capacity cost count day degree distance grade height hour id index"
        " length limit mark minute month point position price quantity rank salary score second"
        " size sum target temperature threshold time total weight width year",
        "s?",
    ).replace("y|", "(?:y|ies)|")
    + r"(?:es)?"
)
_THING = _any(
    "city cities colou?r country countries first_name item key last_name product surname student"
    " team title user",
    "s?",
)
_ADJECTIVE = _any(
    "(?:space|blank|comma|tab|whitespace)s?[-_](?:separated|delimited) positive non-?negative"
    " negative distinct different unique unsorted sorted increasing decreasing non-?decreasing"
    " random small large big given real valid further more other (?:32|64)-bit signed unsigned"
    " non-?empty upper-?case lower-?case english latin binary decimal possibly single the of"
    " ascending strictly not_necessarily arbitrary short long its their corresponding"
)
_SEQUENCE = rf"{NAME} ?,? ?(?:{NAME} ?, ?)?(?:\.\.\.?|,? ?and so on)[ ,]*{NAME}"
_NO_ARTICLE = r"(?!a (?!and\b)\w\w)"
# "n and m", not "n and m integers".
_NO_NOUN = (
    rf"(?! (?!{_any('and then each are where such with separated on in is for as', ' ')})"
    r"[a-z]{3,})"
)
_NAMES = rf"{NAME}(?:(?: ?, ?and |(?: ?, ?| and |, then )(?:then )?){NAME}{_NO_NOUN})*"
# "an integer key"
_WORD = (
    rf"(?!{_any('each only from then with per respect such where which that and but for are one')})"
    r"[a-z]{3,9}(?=$| ?[,.;:]| and )"
)
NOUN = re.compile(
    rf"(?:the (?=(?:{NAME}|two|three) ))?"
    rf"(?P<count>{_COUNT}(?: (?={_ADJECTIVE}|{_NUMBER}|{_TEXT}|{_MEASURE}|{_THING})))?"
    rf"(?P<adjectives>(?:{_ADJECTIVE} ?)*)"
    rf"(?:(?P<number>{_NUMBER})|(?P<text>{_TEXT})|(?P<measure>{_MEASURE})|(?P<thing>{_THING}))"
    r"(?!\w)"
    rf"(?: of (?P<length>{_COUNT}) (?:letters|characters|digits|chars)"
    rf"|,? (?:of|with) length (?P<measured>{_COUNT}))?"
    rf"(?: (?P<sequence>{_SEQUENCE})| ?:? (?P<names>{_NO_ARTICLE}{_NAMES})| (?P<word>{_WORD}))?",
    re.IGNORECASE,
)
HOW_MANY = re.compile(
    rf"(?:the |a )?(?:(?:total )?number|amount|count)s? (?P<first>{NAME} )?of [a-z ]{{2,40}}?"
    rf"(?=$| ?,| and | ?[.;:(]|(?: {NAME})(?:$|\W))(?: (?P<names>{_NO_ARTICLE}{_NAMES}))?",
    re.IGNORECASE,
)
NAMES = re.compile(rf"(?P<sequence>{_SEQUENCE})|(?P<names>{_NO_ARTICLE}{_NAMES}(?: {NAME}){{0,3}})")
PAIRS = re.compile(
    rf"(?:the )?(?P<count>{_COUNT})?(?: |\b)(?P<kind>pair|triple|triplet)s?"
    rf"(?: of (?:{_ADJECTIVE} ?)*{_NUMBER})?(?!\w):?"
    rf"(?: \(?(?P<names>{_NO_ARTICLE}{NAME}(?: ?,? (?:and )?{NAME}){{1,2}})\)?)?",
    re.IGNORECASE,
)
# Between two values.
JOINT = re.compile(
    r"[\s,;]*(?:(?:and|then|followed by|as well as|plus|with|next|after (?:it|that|them)|first"
    r"|in (?:that|this) order|also|both|each)\b[\s,:]*)*"
)
# What is done with them: "multiplies them", "and the program answers".
GOES_ON = re.compile(
    r"\s*,?\s*(?:and |then |it |the program )*(?!(?:and|then|a|an|the|of|with)\b)[a-z]{3,}"
    r" (?:it|its|them|their|the|all|whether|any|an?|if|how|which|each|every|out|only|both|that)\b"
    r".*",
    re.IGNORECASE | re.DOTALL,
)
# Of values that are read already: what they are good for.
MEANING = re.compile(
    r"[\s,]*(?:[-—:]|(?:closed |open )?(?:intervals?|edges?|points|segments|coordinates)\b|where"
    r"|which|denoting|representing|describing|meaning|that|indicating|so that|such that|giving"
    r"|i\. ?e\.|for|of (?:the )?(?:array|list|sequence|elements?)|in the array"
    r"|the (?:elements|contents|values|array|number|length|size|amount|count|heights?|ends?"
    r"|endpoints|start|cost|price|weight|initial|total|dimensions?)\b)[^;]*$",
    re.IGNORECASE,
)
# ", the number of people" in front of the next value.
APPOSITION = re.compile(
    r"\s*(?:,|[-—:])"
    r" (?!an? (?:[\w-]+ )?(?:integer|number|string|word|name|character|letter|line|power|multiple"
    r"|prime|perfect|even|odd)\b)"
    r"(?:(?:the|its|which is|denoting|meaning|i\. ?e\.) |an? (?=[\w'-]+ (?!and\b)))"
    r"(?:[\w'-]+ ){0,12}?[\w'-]+"
    r"(?= ?(?:,(?! and an? )|;|$| and (?:then )?(?:the |an? |two |three )?"
    rf"(?:(?!an? ){NAME}(?:$|[ ,])|integer|number|string|word)))",
    re.IGNORECASE,
)
_SEPARATOR = r"(?:white)?(?:spaces?|blanks?|commas?|tabs?|semicolons?|colons?)"
_UNIT = _any(
    "celsius fahrenheit kelvin degrees (?:centi|kilo|milli)?met(?:er|re)s? kilograms? kg cm km"
    " grams euros? dollars cents seconds minutes hours years days"
)
# Where they stand, and what is read of them elsewhere.
ABOUT = re.compile(
    r"\s*,?\s*(?:(?:all )?(?:one|the same|a single) line\b(?! of)"
    r"|(?:all )?(?:on|in) (?:a|one|the same|the next|the second|a single|the first"
    r"|its own|another) (?:single )?line"
    r"|(?:all )?(?:separated|delimited|split)(?: from each other)? (?:by|with)"
    rf" (?:an? |single |one |the |or more )*{_SEPARATOR}(?: each)?"
    r"|of (?:(?:only )?(?:lower|upper|small|capital)[- ]?(?:case )?(?:english |latin )?letters?"
    r"|letters|digits)(?: only)?"
    r"|(?:each |all )?(?:between|from|in the range) -?[\d^*]+ (?:and|to) -?[\d^*]+"
    r"|(?:each )?(?:at most|up to|at least) -?[\d^*]+"
    rf"|in (?:whole |degrees )?{_UNIT}"
    r"|per line|each|respectively|without leading zeros"
    r"|in (?:increasing|ascending|sorted|decreasing|descending|non-decreasing) order)",
    re.IGNORECASE,
)
# "the points as a whole number"
AS_NUMBER = re.compile(
    r"\s*,?\s*(?:as |being |is |are |\()(?:an? )?"
    r"(?:integer|whole number|number|decimal|real|float)s?(?: number)?s?\)?",
    re.IGNORECASE,
)
