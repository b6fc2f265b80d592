"""Examples as a value beside what becomes of it, without a call: `[1, 2, 2] -> [1, 2]`, "so that
'a b' becomes 'b a'", "e.g. [1, 2] gives 3", "turns 'Hello, World!' into 'hello-world'".

A pair that is no example would fail every right draft, and rules, tables, edges of graphs and bug
reports are written as pairs as well: in doubt it is none."""

import re
from dataclasses import replace
from itertools import islice
from typing import Any

from pipeline.sandbox.testcase import Arguments, Case
from pipeline.testcases.examples.example import Found
from pipeline.testcases.examples.stated_examples import ARROW, MODAL, goes_on, is_stated
from pipeline.testcases.examples.written_numbers import in_its_base
from pipeline.testcases.literals import MARKS, literal_at

_MOST = 400
_STARTS = re.compile(r"(?:(?<=[\s(`*])|^)(?=[\"'\[({\-\d]|(?:[Tt]rue|[Ff]alse|None|null)\b)", re.M)
_GAP = r"[ \t]{0,5}"
_AND = re.compile(rf"{MARKS}{_GAP}(?:,|,?[ \t]and)[ \t]{{1,3}}{MARKS}")
# `loose`: a word that also stands in sentences which are no examples.
_JOINT = re.compile(
    rf"{MARKS},?[ \t]{{0,40}}(?:(?:{ARROW})|(?:{MODAL})?(?:becomes?|turns? into)\b"
    rf"|(?P<loose>(?:{MODAL}(?:return|give|yield|be)|returns|gives|yields)\b))"
    rf"[ \t]{{0,5}}{MARKS}"
)
# "turns 'abc' into 'cba' and 'x y' into 'y x'"
_MADE = re.compile(
    r"\b(?:makes?|making|turns?|turning|converts?|converting|transforms?|transforming|flattens?|flattening)"
    r"[ \t]{1,5}[`*]{0,3}$"
)
_INTO = re.compile(rf"{MARKS}{_GAP}(?:into|to)[ \t]{{1,5}}{MARKS}")
# A function of one text: what it makes of a word that is given is an example. Of shorter ones rules
# are written as well ("'a' becomes '4'").
OF_TEXT = re.compile(r"\b\w+\((?:text|s|string|word|line|sentence|phrase|name|title)(?:: ?str)?\)")
# A function that the request writes with its one parameter.
OF_ONE = re.compile(
    r"\b(?P<function>[A-Za-z_]\w*)\((?P<name>[a-z_]\w*)"
    r"(?: ?: ?(?P<type>\w+)(?:\[[\w\[\], .]*\])?)?\)"
)
_WORD = re.compile(r"[^\W\d_]{3}|[^\W\d_] [^\W\d_]")
_WORD_OF_FOUR = re.compile(r"\w{4}")
OF_RULES = re.compile(
    r"\b(?:map(?:s|ped|ping)?|letters|codes?|weights?|points|scores?|groups?|rules?|tables?|units?"
    r"|options?|flags?|settings|config\w*|defaults?)\b",
    re.IGNORECASE,
)
_LETTERS_AND_DIGITS = re.compile(r"[^\W\d_]\d|\d[^\W\d_]")
# What says of the value behind it that it is an example.
_EXAMPLE = re.compile(
    r"\b(?:e\.?[ ]?g\.?|examples?|for instance)[ \t]{0,3}[,:]?[ \t]{0,3}[`*(]{0,3}$", re.IGNORECASE
)
_BULLET = r"[ \t>]{0,12}(?:(?:[-*+•]|\d{1,2}[.)])[ \t]{1,4})?[`*]{0,3}"
# A line for itself, below a heading and other such lines alone.
_BELOW_HEADING = re.compile(
    rf"(?:^|[\n.:])[ \t>#*]{{0,12}}(?:some |for )?(?:examples?|e\.g\.)\b[^\n]{{0,40}}\n"
    rf"(?:[ \t`]*\w{{0,8}}\n|[^\n]*(?:{ARROW})[^\n]*\n){{0,20}}{_BULLET}$",
    re.IGNORECASE,
)
# "dec2bin(n): 5 => '101'"
_BEHIND_FUNCTION = re.compile(
    r"\b\w+\([a-z_]\w*(?:: ?\w+)?\)(?:[`*]{0,3}| -> \w+[`*]{0,3},?|,):?[ \t]*[`*]{0,3}$"
)
# "- area(r): 2 -> 12.57, 1 -> 3.14": whose examples stand there, where there are several functions.
_HEAD = re.compile(
    rf"^[ \t>]{{0,12}}(?:[-*+•]|\d{{1,2}}[.)])?{_GAP}{MARKS}(?:def )?([A-Za-z_]\w*)"
    rf"\([^()\n]{{0,200}}\){MARKS}{_GAP}(?:->{_GAP}[\w\[\], |.]{{1,60}})?:",
    re.MULTILINE,
)
_VALUE_LINE = re.compile(r"[ \t>]{0,12}(?:[-*+•][ \t]{1,5})?(?:$|[\[('\"{`\d-])")
_ENDS = re.compile(
    r"[`*]{0,3}[ \t]*(?:$|\n|\.(?=[\s),]|$)|[;!)](?=[\s).,]|$)|,[ \t]+(?!or\b)[A-Za-z]|because\b)"
)
_NEXT = re.compile(r"[`*]{0,3}[ \t]*(?:,|;|,?[ \t]*and)[ \t]{1,3}[`*]{0,3}")
# The value before it is no whole argument: "for k=2, [1, 2] -> …", "2 in [1, 2] -> …".
_GIVEN_MORE = re.compile(
    r"\w[ \t]*=(?![=>])[ \t]*[^\s][^.;\n]*$|\b(?:in|of|from|to|shape|by|with)[ \t`*(]*$"
)
_STEPS = re.compile(rf"(?:{ARROW})[ \t`*]*$")
_FURTHER = re.compile(rf"{MARKS}[ \t]*(?:(?:{ARROW})|,[ \t]*$)")
_CALL = re.compile(r"\w\([^()]*$")  # `array('a' => 1, 'b' => 2)`
# Requests whose pairs are no calls of one function, or what shall not be.
OTHER_REQUESTS = re.compile(
    r"\b(?:linked[ -]?lists?|trees?|nodes?|graphs?|edges?|in[- ]place|class|functions|scripts?"
    r"|apps?|cli|command[- ]line|servers?|routes?|redirects?|bugs?|wrong|actual(?:ly)?|fix|broken"
    r"|incorrect(?:ly)?|instead|current(?:ly)?|port|translate|falsch|fehler|zurzeit|bisher|nicht"
    r"|actuellement|incorrecto)\b",
    re.IGNORECASE,
)


def find(text: str) -> Found:
    """Pairs of literals behind a word such as "e.g.", below a heading of examples, or, with an
    arrow or "becomes", of a collection or a text of several words."""
    found, done, made, example = Found(), 0, False, None
    if OTHER_REQUESTS.search(text):
        return found
    heads = _heads(text)
    for each in islice(_STARTS.finditer(text), _MOST):
        start = each.start()
        if start < done:
            continue
        follows = bool(_NEXT.fullmatch(text, done, start))
        made = (made and follows) or bool(_MADE.search(text[max(0, start - 30) : start]))
        before = example if follows else None
        example, done = _made(text, start) if made else _read(text, start, before)
        if example:
            function = _function_at(text, start, heads)
            found.examples.append(replace(example, function=function))
    return found


def _heads(text: str) -> list[tuple[int, str]]:
    """Where a head with a colon stands, and its function; none where all are of one function."""
    heads = [(each.start(), each[1]) for each in _HEAD.finditer(text)]
    return heads if len({name for _, name in heads}) > 1 else []


def _function_at(text: str, start: int, heads: list[tuple[int, str]]) -> str:
    """The function of the head in its line, or above it where nothing but values begin the lines
    between; "" for none."""
    near = (each for each in heads if start - 500 < each[0] <= start)
    place, name = max(near, default=(start, ""))
    return name if all(map(_VALUE_LINE.match, text[place:start].split("\n")[1:])) else ""


def _made(text: str, start: int) -> tuple[Case | None, int]:
    """One of which a verb before it says that it is made into another."""
    given = _value(text, start)
    into = _INTO.match(text, given[1]) if given else None
    expected = _value(text, into.end()) if into else None
    if given is None or expected is None:
        return None, given[1] if given else start + 1
    before = _line_before(text, start)
    if not _is_whole(text, given[0], expected[0]):
        return None, expected[1]
    if not _is_said(text, before, start, expected[1], _INTO):
        return None, expected[1]
    return Case(Arguments((given[0],)), expected[0], ""), expected[1]


def _is_whole(text: str, given: Any, expected: Any) -> bool:
    """Whether what is made into another is what the function is given, and no part of it."""
    if isinstance(given, str):
        return isinstance(expected, str) and bool(OF_TEXT.search(text))
    return _is_telling(given)


def _read(text: str, start: int, last: Case | None) -> tuple[Case | None, int]:
    """An example that begins here, and where to look on. `last`: the one that it follows."""
    given, end = _given(text, start)
    joint = _JOINT.match(text, end) if given else None
    expected = _value(text, joint.end()) if joint else None
    if joint is None or expected is None:
        return None, max(end, start + 1)
    before, stop = _line_before(text, start), expected[1]
    marked = bool(_EXAMPLE.search(before)) or (
        not joint["loose"]
        and (
            _is_alike(last, given)
            or _BELOW_HEADING.search(text[max(0, start - 2000) : start])
            or (
                _is_behind_function(before, given)
                and (not _is_range(given, expected[0]) or _is_followed_by_pair(text, stop, _JOINT))
            )
        )
    )
    texts = isinstance(given[0], str) and isinstance(expected[0], str)
    of_text = texts and bool(_WORD.search(given[0]) and OF_TEXT.search(text))
    if joint["loose"]:
        plain = of_text and before.rstrip().endswith(":")
    else:
        read = of_text or _is_telling(given[0]) or _is_read(text, given[0], expected[0])
        plain = len(given) == 1 and (read or _is_yes_or_no(text, expected[0], stop))
    if not (marked or plain) or not _is_said(text, before, start, stop):
        return None, stop
    case = Case(Arguments(tuple(given)), expected[0], "")
    return in_its_base(case, text[start:end], text[joint.end() : stop]), stop


def _is_alike(last: Case | None, given: list[Any]) -> bool:
    """Whether an example before it is given values of the same kinds; else parts of them follow."""
    return last is not None and [*map(type, last.arguments.args)] == [*map(type, given)]


def _is_range(given: list[Any], expected: Any) -> bool:
    """Whether it may say from where to where: `countdown(n): 10 -> 0`."""
    return len(given) == 1 and isinstance(given[0], int) and isinstance(expected, int)


def _is_behind_function(before: str, given: list[Any]) -> bool:
    """Texts that stand there are rules as well: "leet(text): 'a' becomes '4'"."""
    return not isinstance(given[0], str) and bool(_BEHIND_FUNCTION.search(before))


def _given(text: str, start: int) -> tuple[list[Any], int]:
    """The literals from here on, and where the last one ends."""
    given: list[Any] = []
    end, value = start, _value(text, start)
    while value:
        given.append(value[0])
        end = value[1]
        further = _AND.match(text, end)
        value = _value(text, further.end()) if further else None
    return given, end


def _value(text: str, start: int) -> tuple[Any, int] | None:
    """A literal that no word continues (`2x`), and where it ends."""
    found = literal_at(text, start)
    return None if found is None or text[found[1] : found[1] + 1].isalnum() else found


def _line_before(text: str, start: int) -> str:
    begin = max(text.rfind("\n", 0, start) + 1, start - 200)
    return text[begin:start]


def _is_telling(given: Any) -> bool:
    """Whether a pair is an example by its looks alone."""
    if isinstance(given, str):
        return " " in given.strip()
    return isinstance(given, list | dict | set) and bool(given)


def _is_read(text: str, given: Any, expected: Any) -> bool:
    """Whether a text is read into something else: "'1h30m' -> 5400", "roman(s): 'XLII' -> 42".
    Rules are mostly written of shorter ones: "'KB' -> 1024"."""
    if not isinstance(given, str) or isinstance(expected, str):
        return False
    if _LETTERS_AND_DIGITS.search(given):
        return True
    is_word = isinstance(expected, bool) or _WORD_OF_FOUR.search(given)
    return bool(is_word and OF_TEXT.search(text) and not OF_RULES.search(text))


def _is_yes_or_no(text: str, expected: Any, stop: int) -> bool:
    """Whether it is one of several answers that are yes or no: "'([])' -> True, '(]' -> False"."""
    several = isinstance(expected, bool) and _is_followed_by_pair(text, stop, _JOINT)
    return several and not OF_RULES.search(text)


def _is_said(
    text: str, before: str, start: int, stop: int, joint: re.Pattern[str] = _JOINT
) -> bool:
    """Whether it stands in a sentence, on its own, and not in code or in a chain of steps."""
    if any(before.count(one) > before.count(other) for one, other in ("[]", "{}")):
        return False
    if _CALL.search(before) or _STEPS.search(before) or _GIVEN_MORE.search(before):
        return False
    line = text[stop : stop + 200].split("\n", 1)[0]
    if _FURTHER.match(line) or goes_on(text, stop) or not is_stated(text, start):
        return False
    return bool(_ENDS.match(text, stop)) or _is_followed_by_pair(text, stop, joint)


def _is_followed_by_pair(text: str, stop: int, joint: re.Pattern[str]) -> bool:
    following = _NEXT.match(text, stop)
    given, end = _given(text, following.end()) if following else ([], stop)
    return bool(given) and bool(joint.match(text, end))
