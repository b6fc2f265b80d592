"""Examples in running text and in code: `f(1, 2) == 3`, `f(1) -> 2`, "`f(0)` raises ValueError",
"f(3) is 'Fizz', f(5) 'Buzz'", "f(123) ergibt 6", "I call f(1) and expect 2", `f(0): 1`, and a call
with its value below it, as shells print it and as "Expected: 120"."""

import ast
import re
from itertools import islice
from typing import Any

from pipeline.sandbox.testcase import Arguments, Case, Raises
from pipeline.testcases.examples.call_sessions import about, cut_off, printing
from pipeline.testcases.examples.corrections import right_value, value_instead
from pipeline.testcases.examples.example import Found
from pipeline.testcases.examples.stated_examples import (
    ARROW,
    BULLET,
    MODAL,
    error_goes_away,
    goes_on,
    is_asked,
    is_stated,
    sentence_goes_on,
)
from pipeline.testcases.examples.written_numbers import fraction_end, in_its_base, zeros_as_text
from pipeline.testcases.literals import (
    BUILTINS,
    ERROR_NAME,
    MARKS,
    literal_at,
    literal_end,
    matching,
    parse_expression,
    read_arguments,
    read_literal,
)

_MAX_CALLS = 500
_UNREAD = "a call and its value could not be read as an example"
_CALL = re.compile(
    r"(?<![\w.])(?:await[ \t]{1,5})?([A-Za-z_]\w*)\("
    r"(?=[\s\[({'\"\d+.)-]|[TFNtfnsrbRB]|lambda\b|[A-Za-z_]\w*[=(])"
)
_GAP, _SPACE = r"[ \t]{0,60}", r"\s{1,20}"  # bounded, or a run of blanks takes its square
_VERBS = "(?:still )?(?:return|give|be|equal)|yield|produce|evaluate to|stay|remain"
_EXPECTED = r"(?:and )?(?:I )?expect(?:s|ed|ing)?(?: to (?:get|see))?"
_FOREIGN = (
    "ergibt|gibt|liefert|donne|renvoie|retourne|devuelve|da|restituisce|retorna|devolve|geeft|zwraca"
    "|вернёт|вернет|возвращает|(?:doit|devrait) (?:renvoyer|retourner|donner)"
    "|(?:debe|debería) (?:devolver|dar|retornar|ser)|deve (?:restituire|retornar|devolver|dare)"
    "|(?:должн[аоы]|должен) (?:вернуть|возвращать)|(?:soll|sollte|muss)(?=[^.\n]{1,200}"
    "(?:ergeben|liefern|geben|sein)\\b)"
)
_CHINESE = "(?:应该|应当|应|会|要)?(?:返回|等于|得到|输出)"
_SPOKEN = (
    rf"{MODAL}(?:{_VERBS})(?:{_SPACE}(?:me|us|you|back)\b)?"
    rf"|(?:returns|gives)(?:{_SPACE}(?:me|us)\b)?|is|equals(?: to)?|yields|produces|evaluates to"
    rf"|results in|becomes|to (?:be|return|give|yield|equal)|{_EXPECTED}|(?:{_FOREIGN})\b"
    rf"|{_CHINESE}"
)
_NEARLY = (
    r"(?:about|approximately|approx\.?|roughly|around|ungefähr|etwa|circa|ca\.|rund|environ"
    r"|à peu près|aproximadamente|alrededor de|cerca de|около|примерно)"
)
_IS_GIVEN = rf"{ARROW}|={{2,3}}"
_COMMENT = rf"(?:#|//){_GAP}"
# How the line of a value begins that stands below its call.
_LABEL = (
    rf"\n{_GAP}(?:(?:{_COMMENT})?(?:(?i:expected|output|result|returns)"
    rf"(?i:[ \t](?:output|result|value))?:|{ARROW})|Out\[\d{{1,4}}\]:|{_COMMENT})"
)
# What stands before a call where it is entered.
_PROMPT = re.compile(r"[ \t]*(?:>|In \[\d{1,4}\]:)?[ \t]*")
# `symbol`: nothing but an example is written so. `loose` and `printed`: the sentence has to end
# with the value.
# `below`: the value stands on the next line. `colon`: call and value are the whole line.
_JOINT = re.compile(
    rf"{MARKS}[,;]?{_GAP}(?:(?P<symbol>(?:{_COMMENT})?(?:{_IS_GIVEN}|(?P<about>[≈≃]|~=)))"
    rf"|(?P<printed>(?:{_COMMENT})?(?:(?:{MODAL})?(?:prints?|outputs?))\b)"
    rf"|(?P<loose>(?:{_COMMENT})?(?:(?:which[ \t]{{1,3}})?(?:{_SPOKEN}):?|=)"
    rf"|{_COMMENT}(?:(?i:returns|prints|outputs?|result|expected):[ \t]?)?)"
    rf"|(?P<below>{_LABEL}|(?=\n))|(?P<colon>:(?=[ \t])))"
    rf"[ \t\n]{{0,3}}{_GAP}{MARKS}(?P<nearly>{_NEARLY}[ \t]{{1,3}}{MARKS})?"
)
_RAISES = re.compile(
    rf"{MARKS},?{_GAP}(?:{_IS_GIVEN}|{_COMMENT})?{_GAP}(?:{MODAL})?(?:raises?|throws?)"
    rf"{_SPACE}(?:an?{_SPACE})?{MARKS}(?:\w+\.)*([A-Z]\w*)"
    rf"|{MARKS}{_GAP}(?:{ARROW}){_GAP}{MARKS}({ERROR_NAME})\b"
)
# "f(3) is 'Fizz', f(5) 'Buzz' and f(2) '2'"
_NEXT = re.compile(rf"{MARKS}{_GAP}(?:,|;|,?[ \t]and\b){_GAP}{MARKS}")
_BARE_JOINT = re.compile(r"[`*]{0,3}[ \t]{1,3}[`*]{0,3}")
# One word behind a number, and nothing else: "33.33 each".
_UNIT = re.compile(
    r"[`*]{0,3}[ \t]{1,3}(?!(?:and|but|as|because|since|while|where|for|when|if|so|not|holds?|works"
    r"|too|also|again|always|here|first|etc|correct|ok|true|exactly|obviously|respectively|please|pls"
    r"|thanks)\b)[A-Za-zµ]{1,12}"
    r"(?=[`*]{0,3}[ \t]*(?:$|[\n.,;)]|\d))"
)
_LINE_BELOW = re.compile(r"[`* \t]{0,20}\n[> \t`]{0,20}")
# Builtins that are names of parameters more often: `clamp(5, min, max)`.
_PARAMETERS = frozenset(
    ("min", "max", "id", "input", "type", "format", "hash", "next", "iter", "range", "slice")
)
# "list(evens(4)) == [0, 2]"
_AROUND = frozenset(("dict", "len", "list", "set", "sorted", "sum", "tuple"))
# What somebody sees, not what shall be.
_SEEN = re.compile(
    rf"{MARKS},?{_GAP}(?:and[ \t])?(?:(?:I|we|it)[ \t])?"
    r"(?:(?:now|currently|still|always|wrongly)[ \t])?(?:gets?|got|sees?|saw|returned|gave|prints"
    r"|returns|gives)[ \t]{1,3}[`*]{0,3}"
)
_SHALL = re.compile(
    r"should|must|has to|needs to|\bto (?:be|return|give|yield)|expect|soll|muss|doit|devrait|debe"
    r"|debería|deve|应"
)
_BUT_IS = re.compile(
    r"[`*]{0,3},?[ \t]{1,3}but[ \t]{1,3}"
    r"(?:(?:it|I|currently|now|actually|still|instead)[ \t]{1,3}){0,2}"
    r"(?:returns|returned|gives|gave|yields|prints|printed|raises|raised|throws|threw|crashes"
    r"|crashed|fails|failed|was|is|isn['’]t|does|doesn['’]t|gets?|got)\b"
)
# What it does, as a bug report says it, and what makes it a wish: "so that f(1) is 2 instead of 3".
_IS = re.compile(
    r"\b(?:returns|gives|yields|produces|prints|is|returned|gave|gets?|got|sees?|saw)\b"
)
_SHALL_BE = re.compile(
    r"\b(?:so|such|make|let|ensure|want|need|like|change|should|must)\b[^.;!?\n]*$", re.IGNORECASE
)
# What is said of a call, where that ends, and what stands between them.
_Said = tuple[Any, int, re.Match[str] | None]


def find(text: str) -> Found:
    """Calls of anything but a builtin whose arguments and results are literals."""
    found, last, stop = Found(), "", 0
    case: Case | None
    for call in islice(_CALL.finditer(text), _MAX_CALLS):
        end = matching(text, call.end() - 1)
        inner = _CALL.match(text, call.end()) if call[1] in _AROUND else call
        if end is None or inner is None or inner[1] in BUILTINS:
            continue
        corrected = _corrected(text, call.start(), end)
        expected = corrected or _expected(text, call.start(), end, bare=call.end() == end - 1)
        if expected is None and call[1] == last and _NEXT.fullmatch(text, stop, call.start()):
            expected = _without_verb(text, end)
        if expected is None or not is_stated(text, call.start(), corrected=bool(corrected)):
            continue
        source = text[call.start(1) : end]
        try:
            arguments = read_arguments(text[inner.end() : end - 1 - (inner is not call)])
        except ValueError:  # a signature, or a call with variables or functions
            if _gives_functions(source):
                found.examples.append(Case(Arguments(), expected[0], call[1], session=source))
            elif _is_unread(source, expected):
                found.unread[text.count("\n", 0, call.start())] = _UNREAD
            continue
        last, stop = call[1], expected[1]
        if inner is not call:
            case = Case(Arguments(), expected[0], inner[1], session=source)
        else:
            case = _as_session(text, last, source, expected) or _as_call(
                text, source, expected, Case(arguments, expected[0], last)
            )
        found.examples += [case] if case else []
    return found


def _is_exact(joint: re.Match[str] | None) -> bool:
    """Whether the value stands there as in code."""
    return joint is not None and "==" in joint[0]


def _as_call(text: str, source: str, said: _Said, case: Case) -> Case | None:
    """The example, as far as its value is known by how it is written."""
    return case if _is_exact(said[2]) else in_its_base(case, source, _written(text, said))


def _written(text: str, said: _Said) -> str:
    """The value as it stands there, a fraction as Python writes it."""
    value, stop, joint = said
    written = text[joint.end() : stop] if joint else ""
    return written.replace(",", ".") if isinstance(value, float) else written


def _is_unread(call: str, said: _Said) -> bool:
    """Whether it is an example for certain: with a sign behind it, and arguments that other calls
    give, without a variable."""
    joint, tree = said[2], parse_expression(call)
    if not joint or joint["symbol"] is None or tree is None:
        return False
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    called = {name for each in calls for name in _names(each.func)}
    return len(calls) > 1 and _names(tree) <= called


def _gives_functions(call: str) -> bool:
    """Whether it gives functions beside values, all of which are known: `first([1], lambda x: x)`,
    `apply([], len)`; a signature has names of its own, or types alone."""
    match parse_expression(call):
        case ast.Call(ast.Name(), [_, *_] as given, []):
            pass
        case _:
            return False
    bound = {node.arg for each in given for node in ast.walk(each) if isinstance(node, ast.arg)}
    names = set[str]().union(*map(_names, given))
    values = [each for each in given if not isinstance(each, ast.Name | ast.Starred | ast.Call)]
    known = bound | BUILTINS - _PARAMETERS
    return bool(values) and bool(bound or names) and names <= known


def _names(tree: ast.AST) -> set[str]:
    return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}


def _as_session(text: str, function: str, call: str, said: _Said) -> Case | None:
    """The example as a session, where what the call gives does not tell whether it holds."""
    value, _, joint = said
    how = joint.groupdict() if joint else {}
    if how.get("printed"):
        return printing(call, function, value)
    written = _written(text, said)
    if how.get("about") or how.get("nearly"):
        return about(call, function, value, written)
    return cut_off(call, function, value, written, text)


def _without_verb(text: str, end: int) -> _Said | None:
    """What stands right behind a call, which is said of it as of the one before."""
    joint = _BARE_JOINT.match(text, end)
    value = literal_at(text, joint.end()) if joint else None
    return (*value, joint) if value and not _is_part(text, value[1]) else None


def _is_part(text: str, stop: int) -> bool:
    """Whether a value is one of something larger."""
    return goes_on(text, stop) or sentence_goes_on(text, stop)


def _expected(text: str, start: int, end: int, *, bare: bool) -> _Said | None:
    """What is said of a call, where that ends, and the joint between them. `bare`: it has no
    arguments, and then a sentence about it describes the function."""
    raised = None if bare else _RAISES.match(text, end)
    if raised and error_goes_away(text, start, raised.end()):
        return None
    if raised:
        return Raises(raised[1] or raised[2]), raised.end(), None
    joint = _JOINT.match(text, end)
    if not joint or (bare and joint["symbol"] is None):
        return None
    fraction = fraction_end(text, joint.end(), text[start:end])
    stop = fraction or literal_end(text, joint.end())
    if stop is None or (goes_on(text, stop) and not _is_yet_to_be(text, joint, stop)):
        return None
    if joint["symbol"] and text[stop - 1].isdigit() and _UNIT.match(text, stop):
        return None
    if is_asked(text, start, stop) or ("\n" in joint[0] and _is_one_of_lines(text, stop)):
        return None
    if (joint["loose"] or joint["printed"]) and sentence_goes_on(text, stop):
        return None
    if joint["below"] is not None and not _stands_alone(text, start, end, joint.end(), stop):
        return None
    if joint["colon"] and not _is_a_line(text, start, stop):
        return None
    written = text[joint.end() : stop]
    if joint["nearly"] and "." not in written and not fraction:
        return None
    if fraction:
        written = written.replace(",", ".")
    if not _is_exact(joint) and (told := zeros_as_text(written)):
        return told, stop, joint
    try:
        return read_literal(written), stop, joint
    except ValueError:
        return None


def _corrected(text: str, start: int, end: int) -> _Said | None:
    """The value that a call should give, beside the one that it gives: "f(1) is 2 but should be 3",
    "I get 2 from f(1), I expected 3", "f(1) returns 2 instead of 3"."""
    joint = _JOINT.match(text, end) or _SEEN.match(text, end)
    seen = literal_end(text, joint.end()) if joint else None
    if joint is None or seen is None:
        return None
    right = right_value(text, seen)
    if (
        right is None
        and _IS.search(joint[0])
        and not _SHALL_BE.search(text, max(0, start - 200), start)
    ):
        right = value_instead(text, seen)
    return (*right, None) if right else None


def _is_yet_to_be(text: str, joint: re.Match[str], stop: int) -> bool:
    """Whether what follows says how it is, after what shall be: "should be 3 but is 2"."""
    return bool(_SHALL.search(joint[0]) and _BUT_IS.match(text, stop))


def _is_one_of_lines(text: str, stop: int) -> bool:
    """Whether the line below a value is one as well: what is printed goes on."""
    below = _LINE_BELOW.match(text, stop)
    end = literal_end(text, below.end()) if below else None
    return end is not None and not text[end:].partition("\n")[0].strip()


def _stands_alone(text: str, start: int, end: int, value: int, stop: int) -> bool:
    """Whether a call and the value below it have a line each for themselves."""
    before, behind = _around(text, start, stop)
    return (
        bool(_PROMPT.fullmatch(before))
        and not behind.strip()
        and text.count("\n", end, value) == 1
        and not text.startswith(('"""', "'''"), value)  # a docstring
    )


def _is_a_line(text: str, start: int, stop: int) -> bool:
    """Whether nothing but a bullet and marks stands beside it in its lines."""
    before, behind = _around(text, start, stop)
    return not BULLET.sub("", before).strip("`* \t") and not behind.strip("`*., \t")


def _around(text: str, start: int, stop: int) -> tuple[str, str]:
    """What stands before and behind it in its lines."""
    return text[text.rfind("\n", 0, start) + 1 : start], text[stop:].partition("\n")[0]
