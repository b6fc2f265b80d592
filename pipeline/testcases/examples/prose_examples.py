"""Examples in the form of a sentence: "for 'abc' it returns 3", "for n = 4 and k = 2 it gives 6",
"for the list [1, 2] the output should be 3", "the median of [1, 3, 2] is 2, of [1, 2] 1.5",
"returns True for 'abba' and False for 'abc'", "raises ValueError for -1", "if n is 0, it returns
1", "given xs = [1, 2], f(xs) returns 3", "input 'a b', output 'b a'". What is denied or taken back
("but should be") is none."""

import re
from collections.abc import Collection, Sequence
from itertools import islice
from typing import Any

from pipeline.sandbox.testcase import Arguments, Case, Raises
from pipeline.testcases.examples.assert_examples import call_case
from pipeline.testcases.examples.example import Found
from pipeline.testcases.examples.input_output_examples import speaks_of_input
from pipeline.testcases.examples.pair_examples import OF_ONE, OF_RULES, OTHER_REQUESTS
from pipeline.testcases.examples.stated_examples import ARROW, MODAL, is_all, is_stated
from pipeline.testcases.examples.written_numbers import is_of_base
from pipeline.testcases.literals import ERROR_NAME, MARKS, literal_at, parse_expression

_MOST = 200
_MOST_OF = 50  # each looks through the whole text
_FOR = re.compile(
    r"(?<!default )\b(?:[Ff]or|[Gg]iven|[Ww]ith|(?:[Ii]f|[Ww]hen) (?:I|you|we) (?:pass|give it)"
    r"|(?:[Ii]f|[Ww]hen)(?=[ \t]{1,3}`?\w+`?[ \t]{1,3}is[ \t]))"
    r"[ \t]{1,5}(?P<noun>(?:(?:an?|the)[ \t]{1,5})?"
    r"(?:input|(?:list|array)(?=:?[ \t`]{1,5}\[)|string(?=:?[ \t`]{1,5}[\"']))"
    r":?[ \t]{1,5})?"
)
_NAMED = re.compile(
    r"(?P<name>[A-Za-z_]\w*)[ \t]{0,3}=[ \t]{0,3}"
    r"|`?(?P<parameter>[A-Za-z_]\w*)`?[ \t]{1,3}is[ \t]{1,3}"
)
_SIGNATURE = re.compile(r"\w\(([A-Za-z_][^()\n]{0,200})\)")
_PARAMETER = re.compile(r"(?:^|,)\s*([A-Za-z_]\w*)")
_QUOTED = re.compile(r"`([^`\n]{1,300})`")
_MARKS = re.compile(MARKS)
_AND = re.compile(r"[`*]{0,3}[ \t]{0,3}(?:,?[ \t]{1,3}and|,)[ \t]{1,3}(?!(?:it|this|the)\b)")
_GIVES = re.compile(
    r"[`*]{0,3},?[ \t]{1,3}(?:(?P<subject>it|this|the (?:function|result|answer|return value"
    r"|(?:expected )?output)|you|we|I|`?(?P<call>\w+\([^()\n]{1,99}\))`?)[ \t]{1,3})?"
    rf"(?:returns|gives|yields|{MODAL}(?:return|give|yield|be)|is"
    r"|(?:should )?get|want|expect|(?P<asks>return|output))"
    r"[ \t]{1,3}[`*]{0,3}"
)

_OF = re.compile(r"(?<![\w.])([A-Za-z_]\w*)[ \t]{1,5}of[ \t]{1,5}")
_IS = re.compile(rf"{MARKS}[ \t]{{1,3}}(?:is|equals|{MODAL}be|=)[ \t]{{1,3}}{MARKS}")
_IS_THEN = re.compile(r"[`*]{0,3}[ \t]{1,3}[`*]{0,3}")
_ONE_OF_ITS_KIND = re.compile(r"\ban?[ \t]{1,5}$", re.IGNORECASE)  # "a priority of 1 is 'high'"
_OF_AGAIN = re.compile(r"[`*]{0,3},?[ \t]{1,3}(?:and[ \t]{1,3}|but[ \t]{1,3})?of[ \t]{1,5}")

_RETURNS = re.compile(
    rf"\b(?:[Rr]eturns|(?:{MODAL})?[Rr]eturn)[ \t]{{1,3}}{MARKS}(?=[\w\"'\[({{-])"
)
_FOR_WHAT = re.compile(
    r"[`*]{0,3}[ \t]{1,3}for[ \t]{1,3}"
    r"(?:(?:(?:an?|the)[ \t]{1,3})?(?:input|list|array|string|word|text|number)[ \t]{1,3})?"
)
_RAISES = re.compile(rf"\b(?:{MODAL})?[Rr]aises?[ \t]{{1,3}}(?:an?[ \t]{{1,3}})?`?({ERROR_NAME})`?")
_RETURNS_AGAIN = re.compile(
    r"[`*]{0,3}(?:[,;]?[ \t]{1,3}(?:and|but)|[,;])[ \t]{1,3}"
    r"(?:(?:it[ \t]{1,3})?returns?[ \t]{1,3})?[`*]{0,3}"
)
# "returns 404 for '/x'", "returns 1 for '-v'"
_OF_NO_FUNCTION = re.compile(r"\b(?:apis?|endpoints?|https?|status|exits?)\b", re.IGNORECASE)
_INPUT = re.compile(r"\b[Ii]nput[ \t]{1,3}[`*]{0,3}(?=[\w\"'\[({-])")
_OUTPUT = re.compile(
    rf"{MARKS}[,;]?[ \t]{{0,3}}(?:(?:{ARROW}|and)[ \t]{{1,3}})?(?:(?:the|expected)[ \t]){{0,2}}"
    rf"[Oo]utput[ \t]{{1,3}}(?:(?:is|{MODAL}be)[ \t]{{1,3}})?"
)


def find(text: str) -> Found:
    """Sentences whose values, given and returned, are all literals."""
    starts = islice(_FOR.finditer(text), _MOST)
    others = OTHER_REQUESTS.search(text)
    heads = () if others else islice(_SIGNATURE.finditer(text), _MOST)
    signatures = [{*_PARAMETER.findall(head[1])} for head in heads]
    read = (_read(text, start, signatures) for start in starts)
    named = (each for of in islice(_OF.finditer(text), _MOST_OF) for each in _of_what(text, of))
    found = [example for example in (*read, *named) if example]
    if others or _OF_NO_FUNCTION.search(text) or speaks_of_input(text):
        return Found(found)
    put_in = (_put_in(text, each.end()) for each in islice(_INPUT.finditer(text), _MOST))
    return Found(found + _returned(text) + [example for example in put_in if example])


def _returned(text: str) -> list[Case]:
    """What comes back before what it comes back for: "returns 2 for 'ab' and 0 for ''"."""
    found, done = list[Case](), 0
    is_of_one = OF_ONE.search(text) is not None
    for returns in islice(_RETURNS.finditer(text), _MOST):
        if returns.start() >= done:
            examples, done = _row(text, returns.end(), is_of_one)
            found += examples if is_stated(text, returns.end()) else []
    of_rules = OF_RULES.search(text)
    for raises in islice(_RAISES.finditer(text), _MOST):
        row = _given_to(text, raises.end(), Raises(raises[1]), is_of_one)
        if row and is_all(text, row[1]) and is_stated(text, raises.start()):
            found += row[0]
    return [each for each in found if not (of_rules and isinstance(each.arguments.args[0], str))]


def _row(text: str, start: int, is_of_one: bool) -> tuple[list[Case], int]:
    """One such clause after the other, and where the last one ends. None of them where more than
    a value stands there: "1 for 4 and 2 for 9 items"."""
    found, stop, clause = list[Case](), start, _clause(text, start, is_of_one)
    while clause and len(found) < _MOST:
        found += clause[0]
        stop = clause[1]
        again = _RETURNS_AGAIN.match(text, stop)
        clause = _clause(text, again.end(), is_of_one) if again else None
    return (found if is_all(text, stop) else []), stop


def _clause(text: str, start: int, is_of_one: bool) -> tuple[list[Case], int] | None:
    expected = _result(text, start)
    return _given_to(text, expected[1], expected[0], is_of_one) if expected else None


def _given_to(
    text: str, start: int, expected: Any, is_of_one: bool
) -> tuple[list[Case], int] | None:
    """For what it comes: "for 'a'", of a function of one value "for 'a', 'b' and 'c'"."""
    joint = _FOR_WHAT.match(text, start)
    given = _value(text, joint.end()) if joint else None
    if given is None:
        return None
    values, stop = [given[0]], given[1]
    while is_of_one and (further := _AND.match(text, stop)):
        value = _value(text, further.end())
        if not value or type(value[0]) is not type(given[0]) or _FOR_WHAT.match(text, value[1]):
            break
        values.append(value[0])
        stop = value[1]
    return [Case(Arguments((each,)), expected, "") for each in values], stop


def _put_in(text: str, start: int) -> Case | None:
    """ "input 'a b', output 'b a'" """
    given = _value(text, start)
    joint = _OUTPUT.match(text, given[1]) if given else None
    expected = _result(text, joint.end()) if joint else None
    if not given or not expected or not is_all(text, expected[1]) or not is_stated(text, start):
        return None
    return Case(Arguments((given[0],)), expected[0], "")


def _of_what(text: str, of: re.Match[str]) -> list[Case]:
    """What is said of what the function is called, or what it returns: "factorial of 5 is 120"."""
    noun = re.escape(of[1])
    asked = rf"\b{noun}\(|\b(?:returns?|computes?|calculates?) the {noun}(?! of [\d\[\"'(])\b"
    found: list[Case] = []
    one_of_many = _ONE_OF_ITS_KIND.search(text[max(0, of.start() - 10) : of.start()])
    start = of.end() if not one_of_many and re.search(asked, text) else None
    while start is not None and is_stated(text, start):
        given = _value(text, start)
        joint = _IS.match(text, given[1]) if given else None
        if given and found:
            joint = joint or _IS_THEN.match(text, given[1])
        expected = _result(text, joint.end()) if joint else None
        if not given or not expected or not is_all(text, expected[1]):
            break
        found.append(Case(Arguments((given[0],)), expected[0], ""))
        again = _OF_AGAIN.match(text, expected[1])
        start = again.end() if again else None
    return found


def _read(text: str, begin: re.Match[str], signatures: Sequence[Collection[str]]) -> Case | None:
    """Where it is said what the value is, the verb needs a subject ("the weight of the string 'a'
    is 2"); what "n is 3" names, all of a function's parameters."""
    given: list[tuple[str, Any]] = []
    start, said = begin.end(), set[str]()
    while True:
        named = _NAMED.match(text, start)
        value = _value(text, named.end() if named else start) or _quoted(text, start)
        if value is None:
            return None
        if named and named["parameter"]:
            said.add(named["parameter"])
        given.append(((named["name"] or named["parameter"]) if named else "", value[0]))
        gives, further = _GIVES.match(text, value[1]), _AND.match(text, value[1])
        if gives:
            break
        if not further:
            return None
        start = further.end()
    if said and {name for name, _ in given} not in signatures:
        return None
    is_said = not begin["noun"] or gives["subject"]
    if gives["asks"]:  # "given nums = [2, 7], target = 9, return [0, 1]"
        is_said = all(name for name, _ in given)
    expected = _result(text, gives.end()) if is_said else None
    if expected is None or not is_all(text, expected[1]) or not is_stated(text, begin.start()):
        return None
    return (
        _called(gives["call"], given, expected[0]) if gives["call"] else _case(given, expected[0])
    )


def _called(call: str, given: list[tuple[str, Any]], expected: Any) -> Case | None:
    """ "given nums = [2, 7], two_sum(nums, 9) returns [0, 1]" """
    tree = parse_expression(call)
    try:
        return call_case(tree, expected, dict(given)) if tree else None
    except ValueError:
        return None


def _value(text: str, start: int) -> tuple[Any, int] | None:
    """A literal behind marks, and where it ends."""
    return literal_at(text, _MARKS.match(text, start).end())  # type: ignore[union-attr]  # or nothing


def _result(text: str, start: int) -> tuple[Any, int] | None:
    """The same of what comes back; in words `0xff` may be a text, and is none."""
    found = _value(text, start)
    written = text[start : found[1]].strip("`*") if found else ""
    return None if is_of_base(written) else found


def _quoted(text: str, start: int) -> tuple[str, int] | None:
    """What stands between backticks and is no expression is a text as it is: `a=1 b="x y"`."""
    quoted = _QUOTED.match(text, start)
    if quoted is None or parse_expression(quoted[1]) is not None or "..." in quoted[1]:
        return None
    return quoted[1], quoted.end()


def _case(given: list[tuple[str, Any]], expected: Any) -> Case:
    """By name where every value has one; these are the sentence's, and need not be the code's."""
    if all(name for name, _ in given):
        return Case(Arguments((), tuple(given), labelled=True), expected, "")
    return Case(Arguments(tuple(value for _, value in given)), expected, "")
