"""Examples of a program that reads standard input: "for the input `3 4` it prints `7`", "Example:
3 4 -> 7", a table of both, a block of lines that "gives" another.

Rules are written as pairs too ("A -> U", "with `+` it gives the sum"), and an example that is none
would fail every right program: in doubt it is none."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from textwrap import dedent

from pipeline.analysis.fences import fences
from pipeline.testcases.examples.corrections import ALSO_RIGHT, is_taken_back
from pipeline.testcases.examples.example import Found
from pipeline.testcases.examples.input_output_examples import (
    as_program,
    asks_for_function,
    speaks_of_input,
    unindented,
)
from pipeline.testcases.examples.stated_examples import ARROW, is_stated
from pipeline.testcases.examples.table_examples import rows_of

_MOST = 60
_LONGEST = 4_000  # characters of one side
_WHOSE = r"(?:(?:the|your|my|this) )?(?:program|output|script|it|this|that|result)"
_PRINTS = (
    r"(?:prints?|outputs?|gives?|displays?|shows?|writes?|produces?|yields?|results? in|ergibt"
    r"|liefert|druckt|imprime|muestra|affiche|donne)"
)
_SHALL = r"(?:(?:should|must|will|shall|would|has to|needs to|ought to) (?:be |print |output )?)?"
# Between what is read and what is printed.
_JOINT = re.compile(
    rf"[`'\"]?\)?[ \t]*,?[ \t]*(?:(?:{ARROW})"
    rf"|(?:then |and )?(?:{_WHOSE} )?(?:{_SHALL}{_PRINTS}"
    r"|(?:(?:the )?(?:expected |correct )?(?:output|result|answer) )?"
    r"(?:is|should be|must be|will be|would be|has to be)"
    rf"|{_SHALL}(?:be|print|output))"
    r"(?: out| the output)?:?)[ \t]*(?=[`'\"])"
)
_QUOTED = re.compile(r"`([^`\n]{1,300})`|\"([^\"\n]{0,300})\"|'([^'\n]{1,300})'")
_EXAMPLE = r"(?:examples?|e\.g\.?|samples?|for instance|beispiele?|ejemplos?|exemples?)"
# What says that the value behind it is read.
_READ = re.compile(
    r"\b(?:inputs?|entering|eingabe|entrada|entrée)(?: (?:line|text|of))?:?[ \t]*$"
    rf"|\b{_EXAMPLE}[:,]?[ \t]*$"
    rf"|\b{_EXAMPLE}:?[^\n]{{0,40}}\n(?:[ \t]*\n)?(?:[^\n]*(?:{ARROW})[^\n]*\n){{0,9}}"
    r"[ \t>]{0,8}(?:[-*+•][ \t]{1,4})?$",
    re.IGNORECASE,
)
_NEXT = re.compile(r"[`'\".,;]{0,3} (?:and|or|und|y|et) (?:for|with|bei|para|pour) (?:the input )?")
_LEAD = re.compile(rf"\b{_EXAMPLE}[:,]?[ \t]+(?=\S)", re.IGNORECASE)
_LIST_HEAD = re.compile(
    r"(?!.*\b(?:such as|like|rules?|edges?|grammar|mapping|replac\w*)\b)"
    rf"^[^\n]*\b{_EXAMPLE}[^\n]{{0,30}}:?[ \t*_]*$",
    re.IGNORECASE,
)
_BULLET = re.compile(r"^[ \t>]*(?:(?:[-*+•]|\d{1,2}[.)])[ \t]+)?")
_SAID = re.compile(r"(?:an?|the|any|no|each) |(?:text|nothing|none|anything|empty)$", re.IGNORECASE)
_SENTENCE = re.compile(r"[A-Za-z]+(?:[ ,]+[\w']+){3,}[^\n]*\.")
_ARROW = re.compile(rf"[ \t]+(?:{ARROW})[ \t]+")
_NEXT_PAIR = re.compile(rf"(?:,|;|,? and)[ \t]+(?=[^,;\n]{{1,60}}?[ \t](?:{ARROW})[ \t])")
_RULE = re.compile(r"^[ `]*(?:[a-z][ `]*$|[A-Za-z]\w*:(?: |$))")  # "n -> n", "Another: 3 -> 9"
_ELSE = re.compile(r"\b(?:otherwise|else|in other cases)\b", re.IGNORECASE)
_PLAIN = re.compile(
    rf"\b(?:for|with|on) (?:the )?input (?P<given>-?\d[\d ,.-]{{0,40}}?),? {_WHOSE}"
    rf" {_SHALL}(?:{_PRINTS}|be) (?P<wanted>-?\d[\d .-]{{0,40}}?)"
    r"(?=[ \t]*(?:$|\n|[.;,)](?:\s|$)| (?:and|for|because|since)\b))",
    re.IGNORECASE,
)
# A block below "for the input `3 4` it prints"
_BELOW = re.compile(
    rf",?[ \t]+(?:{_WHOSE} )?{_SHALL}{_PRINTS}:?[ \t]*\n[ \t]*\n"
    r"(?![ \t]*(?:```|~~~))(?P<block>(?:[^\n]+(?:\n|$)){1,60})"
)
# A line between two blocks.
_GIVES = re.compile(
    rf"[ \t>*#_-]*(?:(?:and |then |so )?(?:{_WHOSE} )?"
    rf"(?:is |are )?(?:expected to |supposed to )?{_SHALL}{_PRINTS}"
    r"(?: out)?(?: the (?:output|following|lines?))?(?: this)?"
    r"|(?:sample |expected )?output for (?:the|this|that) (?:sample|example|input)(?: is)?"
    r"|(?:the |its )?(?:sample |example |expected |correct |desired )*outputs?"
    rf"(?P<is> (?:is|should be|must be|will be|would be))?(?: this)?|{ARROW})[ \t*_]*[:.]?[ \t*_]*",
    re.IGNORECASE,
)
_GIVEN = re.compile(
    r".*\b(?:inputs?|stdin|eingabe|entrada|entrée|examples?|beispiel|ejemplo|exemple|samples?)\b"
    r"[^.]{0,40}[:.]?[ \t*_]*$",
    re.IGNORECASE,
)
_LABEL = re.compile(r"[ \t>*#_-]*outputs?\b", re.IGNORECASE)
_BLANK_LINES = re.compile(r"^\s*\n", re.MULTILINE)
_NO_CODE = ("", "text", "txt", "plain", "plaintext", "input", "output", "none")
_READ_HEAD = re.compile(
    r"[`*]*(?:std ?in(?:put)?|inputs?|eingabe|entrada|entrée|reads?|typed)[`*]*$", re.IGNORECASE
)
_PRINTED_HEAD = re.compile(
    r"[`*]*(?:std ?out(?:put)?|(?:expected )?outputs?|ausgabe|salida|sortie|prints?|printed|result)"
    r"[`*]*$",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W\d_]{2,}")
_OPEN = re.compile(r"\b(?:possible|any of|one of|e\.g|either|some valid)\b", re.IGNORECASE)
# What is no input: what a shell is told, a file, an error, a session with its prompts, a layout.
_NO_INPUT = re.compile(
    r"^[ \t]*(?:\$|>>>|#!|\./"
    r"|(?:echo|cat|python3?|gcc|g\+\+|make|cargo|go|javac?|npm|pip|sudo|curl) )"
    r"|\|[ \t]*(?:\./|python)|^[ \t]*enter\b|\.\.\.|…|\(empty\)",
    re.IGNORECASE | re.MULTILINE,
)
NO_OUTPUT = re.compile(
    r"\.\.\.|…|Traceback|Error\b|\bwarning:|segfault|[Ss]egmentation|\bcore dumped|^[ \t]*\$ ",
    re.MULTILINE,
)
_NAMES = re.compile(r"(?:[A-Za-z](?:_?\w)?\s*)+")
_FILE = re.compile(r"[\w-]\.(?:txt|csv|json|log|ini|ya?ml|toml|xml|py|c|cpp|java|go|rs)\b")
_NOT_SO = re.compile(r"[ \t]*(?:but|instead|however|which|I (?:want|expect|need))\b", re.IGNORECASE)
_BREAK = re.compile(r"<br ?/?>|\\n|[⏎↵]")


@dataclass(frozen=True, slots=True)
class _Block:
    """A paragraph, or what stands in a fence, with what is said behind its marks."""

    text: str
    is_fenced: bool = False
    title: str = ""

    @property
    def is_code(self) -> bool:
        return self.title.lower() not in _NO_CODE


def find(text: str) -> Found:
    """None where no program is asked for that reads its input."""
    found = Found()
    if asks_for_function(text) or not speaks_of_input(text):
        return found
    for given, wanted in islice(_pairs(text), _MOST):
        if _may_be(given, wanted):
            found.examples.append(as_program(_lines(given), _lines(wanted)))
    return found


def _lines(text: str) -> str:
    """With line feeds where they are written as signs; `\\n` in a path is none."""
    is_path = re.search(r":\\|\\[^n]", text)
    return text if is_path else _BREAK.sub("\n", text)


def _may_be(given: str, wanted: str) -> bool:
    if not (given.strip() and wanted.strip()):
        return False
    return not (
        _NO_INPUT.search(given)
        or NO_OUTPUT.search(wanted)
        or ("_" in given and _NAMES.fullmatch(given))
    )


def _pairs(text: str) -> Iterator[tuple[str, str]]:
    yield from _of_tables(text)
    yield from _of_blocks([*_blocks(text)])
    yield from _of_quotes(text)
    yield from _of_arrows(text)
    for found in _PLAIN.finditer(text):
        if is_stated(text, found.start()) and not is_taken_back(text, found.end("wanted")):
            yield found["given"].strip(), found["wanted"].strip()


def _of_tables(text: str) -> Iterator[tuple[str, str]]:
    for heads, cells in rows_of(text):
        read = next((n for n, head in enumerate(heads) if _READ_HEAD.match(head)), None)
        printed = next((n for n, head in enumerate(heads) if _PRINTED_HEAD.match(head)), None)
        if read is None or printed is None:
            continue
        given, wanted = cells[read].strip("` "), cells[printed].strip("` ")
        is_said = _SAID.match(given) or len(_WORD.findall(given)) > 1
        if not ("`" in given + wanted or is_said or _in_words(wanted)):
            yield given, wanted


def _in_words(wanted: str) -> bool:
    """Whether it says what is done: "prints all items", "quits"."""
    return len(_WORD.findall(wanted)) > 3 or bool(re.match(r"[a-z]+s(?: [a-z]+|$)", wanted))


def _of_quotes(text: str) -> Iterator[tuple[str, str]]:
    """Two quoted texts with words between that say that the second comes of the first."""
    at = 0
    for quoted in islice(_QUOTED.finditer(text), 8 * _MOST):
        if quoted.start() < at:
            continue
        before = text[max(0, quoted.start() - 300) : quoted.start()]
        goes_on = _NEXT.fullmatch(text, at, quoted.start()) if at else None
        if not (goes_on or _READ.search(before)):
            continue
        below = _BELOW.match(text, quoted.end())
        if below and not _SENTENCE.match(below["block"]):
            yield _inside(quoted), dedent(below["block"])
        joint = _JOINT.match(text, quoted.end())
        wanted = _QUOTED.match(text, joint.end()) if joint else None
        if wanted is None:
            continue
        at = wanted.end()
        about = text[quoted.start() : wanted.start()]
        is_open = _OPEN.search(about) or ALSO_RIGHT.search(text, at, at + 200)
        if not (is_open or is_taken_back(text, at)) and is_stated(text, quoted.start()):
            yield _inside(quoted), _inside(wanted)


def _inside(quoted: re.Match[str]) -> str:
    return next(filter(None, quoted.groups()), "")


def _of_arrows(text: str) -> Iterator[tuple[str, str]]:
    """Behind "Example:", and in the lines below a heading that says so."""
    in_list = False
    for line in text.split("\n")[:500]:
        if lead := _LEAD.search(line):
            yield from _in_line(line[lead.end() :])
        elif in_list and _ARROW.search(line):
            yield from _in_line(_BULLET.sub("", line))
            continue
        in_list = bool(_LIST_HEAD.match(line)) or (in_list and not line.strip())


def _in_line(said: str) -> Iterator[tuple[str, str]]:
    """`3 4 -> 7, 1 1 -> 2`: all of a line, or none of it."""
    pairs = [_ARROW.split(each) for each in _NEXT_PAIR.split(said.strip().rstrip("."))]
    if not all(map(_is_pair, pairs)):
        return
    for given, wanted in pairs:
        yield given.strip("` "), wanted.strip("` ")


def _is_pair(parts: Sequence[str]) -> bool:
    if len(parts) != 2 or any("'" in each or '"' in each for each in parts):
        return False
    given, wanted = parts
    is_open = re.search(r"[()<>]|`.*`.*`|, | or ", f"{given} {wanted}")
    if _RULE.search(given) or _ELSE.search(wanted):
        return False
    return not is_open and len(_WORD.findall(given)) < 2 and not _in_words(wanted.strip("` "))


def _of_blocks(blocks: Sequence[_Block]) -> Iterator[tuple[str, str]]:
    """Of a block, a line that says what is printed, and another block."""
    for at in range(1, len(blocks) - 1):
        given, words, wanted = blocks[at - 1 : at + 2]
        says = None if words.is_fenced else _GIVES.fullmatch(words.text)
        if says is None or given.is_code or wanted.is_code:
            continue
        above = blocks[at - 2] if at > 1 else _Block("")
        below = blocks[at + 2] if at + 2 < len(blocks) else _Block("")
        of_file = _FILE.search(above.text.rpartition("\n")[2])
        if of_file or (not below.is_fenced and _NOT_SO.match(below.text)):
            continue
        if given.is_fenced and wanted.is_fenced:
            yield given.text, wanted.text
        elif given.is_fenced or wanted.is_fenced or not _introduces(above):
            continue
        elif says["is"] or not _LABEL.match(words.text):  # whose form has a finder of its own
            yield unindented(given.text, wanted.text)


def _introduces(block: _Block) -> bool:
    return not block.is_fenced and bool(_GIVEN.match(block.text.rpartition("\n")[2]))


def _blocks(text: str) -> Iterator[_Block]:
    place = 0
    for fence in fences(text):
        yield from _paragraphs(text[place : fence.start])
        yield _Block(fence.raw.removesuffix("\n")[:_LONGEST], True, fence.language or "")
        place = fence.end
    yield from _paragraphs(text[place:])


def _paragraphs(text: str) -> Iterator[_Block]:
    lines = (each.strip("\n") for each in _BLANK_LINES.split(text))
    return (_Block(each[:_LONGEST]) for each in lines if each.strip())
