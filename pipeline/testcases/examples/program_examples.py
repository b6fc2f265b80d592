"""Examples of a program that reads standard input: "for the input `3 4` it prints `7`", `3 4 -> 7`,
a table of both, a block of lines that "gives" another."""

import re
from collections.abc import Iterator
from itertools import islice
from textwrap import dedent

from pipeline.sandbox.testcase import Arguments, Case
from pipeline.testcases.examples.corrections import ALSO_RIGHT, is_taken_back
from pipeline.testcases.examples.example import Found
from pipeline.testcases.examples.input_output_examples import speaks_of_input
from pipeline.testcases.examples.stated_examples import ARROW, is_stated
from pipeline.testcases.examples.table_examples import rows_of

_MOST = 60
_LONGEST = 4_000  # characters of one side
_WHOSE = (
    r"(?:(?:the|your|my|this|el|la|le|das|die|der) )?"
    r"(?:program(?:ma|me|m)?|output|script|it|this|that|result)"
)
_PRINTS = (
    r"(?:prints?|outputs?|gives?|displays?|shows?|writes?|produces?|yields?|returns?|becomes?"
    r"|results? in|ergibt|liefert|druckt|gibt|imprime|muestra|da|devuelve|affiche|donne|renvoie)"
)
_SHALL = (
    r"(?:(?:should|must|will|shall|would|has to|needs to|ought to|debe|doit|soll)"
    r" (?:be |print |output )?)?"
)
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
# What says that the value behind it is read.
_READ = re.compile(
    r"\b(?:inputs?|entering|entered|enter|entrada|entrée|eingabe|given|reads?|reading|types?|typing"
    r"|for|with|from|on|if|e\.g\.?,?|example:?|bei|für|para|con|pour|avec|and|und|y|et|de)"
    r"(?: the| an?| la| die| der| l')?"
    r"(?: (?:input|line|lines|word|text|numbers?|stdin|entry|eingabe|entrada))?:?[ \t]*$"
    r"|(?:^|[\n:;,(])[ \t>]{0,8}(?:[-*+•][ \t]{1,4})?$|\bexamples?:?[ \t]*$",
    re.IGNORECASE,
)
_ARROW_LINE = re.compile(
    rf"^[ \t>]{{0,8}}(?:[-*+•][ \t]{{1,4}})?(?:(?:for )?(?:examples?|e\.g\.?|input):?[ \t]+)?"
    rf"(?P<given>[^\s`|<>=-][^`|\n]{{0,120}}?|-\d[^`|\n]{{0,120}}?)[ \t]+(?:{ARROW})[ \t]+"
    rf"(?P<wanted>[^`|\n]{{1,200}}?)[ \t]*$",
    re.MULTILINE,
)
_SENTENCE_ARROW = re.compile(
    r"\b(?:[Ee]xamples?|[Ee]\.g\.?|[Ii]nput):?,?[ \t]+"
    r"(?P<given>[^\s`|<>=\n]{1,40}(?: [^\s`|<>=\n]{1,40}){0,6})"
    rf"[ \t]+(?:{ARROW})[ \t]+(?P<wanted>[^\s`|\n]{{1,60}}(?: [^\s`|\n]{{1,60}}){{0,6}}?)"
    r"(?=[ \t]*(?:$|\n|[.;](?:\s|$)|,[ \t]))"
)
_PLAIN = re.compile(
    rf"\b(?:for|with|on|given|bei|para|pour)(?: the| an?)? (?:input |numbers? |values? )?"
    rf"(?P<given>-?\d[\d ,.-]{{0,40}}?),? {_WHOSE} {_SHALL}(?:{_PRINTS}|be) "
    r"(?P<wanted>-?\d[\d .-]{0,40}?)(?=[ \t]*(?:$|\n|[.;,)](?:\s|$)| (?:and|for|because|since)\b))",
    re.IGNORECASE,
)
# A block below "for the input `3 4` it prints"
_BELOW = re.compile(
    rf",?[ \t]+(?:{_WHOSE} )?{_SHALL}{_PRINTS}:?[ \t]*\n[ \t]*\n"
    r"(?![ \t]*(?:```|~~~))(?P<block>(?:[^\n]+(?:\n|$)){1,60})"
)
# A line between two blocks, or above the first one.
_GIVES = re.compile(
    rf"[ \t>*#_-]*(?:(?:and |then |so )?(?:{_WHOSE} )?"
    rf"(?:is |are )?(?:expected to |supposed to )?{_SHALL}{_PRINTS}"
    r"(?: out)?(?: the (?:output|following|lines?))?(?: this)?"
    r"|(?:sample |expected )?output for (?:the|this|that) (?:sample|example|input)(?: is)?"
    r"|(?:the |its )?(?:sample |example |expected |correct |desired )*outputs?"
    rf"(?: (?:is|should be|must be|will be|would be))?(?: this)?"
    rf"|ausgabe|salida|sortie|{ARROW})[ \t*_]*[:.]?[ \t*_]*",
    re.IGNORECASE,
)
_GIVEN = re.compile(
    r".*\b(?:inputs?|stdin|eingabe|entrada|entrée|examples?|beispiel|ejemplo|exemple|given|reads?)\b[^.]{0,40}"
    r"[:.]?[ \t*_]*$",
    re.IGNORECASE,
)
_FENCE = re.compile(r"[ \t]*(?:```|~~~)")
_READ_HEAD = re.compile(
    r"[`*]*(?:std ?in(?:put)?|inputs?|eingabe|entrada|entrée|reads?|typed)[`*]*$", re.I
)
_PRINTED_HEAD = re.compile(
    r"[`*]*(?:std ?out(?:put)?|(?:expected )?outputs?|ausgabe|salida|sortie|prints?|printed|result)"
    r"[`*]*$",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W\d_]{3,}")
_OPEN = re.compile(r"\b(?:possible|any of|one of|e\.g|either|some valid)\b", re.IGNORECASE)
_LEFT_OUT = re.compile(r"\.\.\.|…")
_BREAK = re.compile(r"<br ?/?>|\\n|[⏎↵]")


def find(text: str) -> Found:
    """None where no program is asked for that reads its input."""
    found = Found()
    if not speaks_of_input(text):
        return found
    for given, wanted in islice(_pairs(text), _MOST):
        if given.strip() and not _LEFT_OUT.search(wanted):
            found.examples.append(program_case(given, wanted))
    return found


def program_case(given: str, wanted: str) -> Case:
    """A program that reads this and prints that."""
    return Case(Arguments(), f"{_lines(wanted)}\n", stdin=f"{_lines(given)}\n")


def _lines(text: str) -> str:
    return dedent(_BREAK.sub("\n", text)).strip("\n")


def _pairs(text: str) -> Iterator[tuple[str, str]]:
    yield from _of_tables(text)
    yield from _of_blocks(text)
    yield from _of_quotes(text)
    for pattern in (_ARROW_LINE, _SENTENCE_ARROW, _PLAIN):
        for found in pattern.finditer(text):
            if _is_in_words(found) or is_taken_back(text, found.end("wanted")):
                continue
            if is_stated(text, found.start()):
                yield found["given"].strip(), found["wanted"].strip()


def _is_in_words(found: re.Match[str]) -> bool:
    """Whether a rule is written so: "odd numbers -> NO", "list -> prints all items"."""
    rule = re.match(rf"{_PRINTS}\b|[a-z]+s the\b", found["wanted"], re.IGNORECASE)
    given, wanted = (len(_WORD.findall(found[side])) for side in ("given", "wanted"))
    return bool(rule) or given > 1 or wanted > 3


def _of_tables(text: str) -> Iterator[tuple[str, str]]:
    for heads, cells in rows_of(text):
        read = next((n for n, head in enumerate(heads) if _READ_HEAD.match(head)), None)
        printed = next((n for n, head in enumerate(heads) if _PRINTED_HEAD.match(head)), None)
        if read is not None and printed is not None:
            yield cells[read].strip("` "), cells[printed].strip("` ")


def _of_quotes(text: str) -> Iterator[tuple[str, str]]:
    """Two quoted texts with words between that say that the second comes of the first."""
    at = 0
    for quoted in islice(_QUOTED.finditer(text), 8 * _MOST):
        joint = _JOINT.match(text, quoted.end())
        below = _BELOW.match(text, quoted.end())
        if below and _READ.search(text[max(0, quoted.start() - 60) : quoted.start()]):
            yield _inside(quoted), below["block"]
        if quoted.start() < at or joint is None:
            continue
        wanted = _QUOTED.match(text, joint.end())
        before = text[max(0, quoted.start() - 60) : quoted.start()]
        if wanted is None or not _READ.search(before):
            continue
        at = wanted.end()
        about = text[quoted.start() : wanted.start()]
        is_open = _OPEN.search(about) or ALSO_RIGHT.search(text, at, at + 200)
        if not (is_open or is_taken_back(text, at)) and is_stated(text, quoted.start()):
            yield _inside(quoted), _inside(wanted)


def _inside(quoted: re.Match[str]) -> str:
    return next(filter(None, quoted.groups()), "")


def _of_blocks(text: str) -> Iterator[tuple[str, str]]:
    """Of a block, a line that says what is printed, and another block."""
    blocks = [*_blocks(text)]
    for at in range(1, len(blocks) - 1):
        (given, is_given), (words, is_words), (wanted, is_wanted) = blocks[at - 1 : at + 2]
        if is_words or not _GIVES.fullmatch(words):
            continue
        if (is_given and is_wanted) or (
            not (is_given or is_wanted) and at > 1 and _introduces(blocks[at - 2])
        ):
            yield given, wanted


def _introduces(block: tuple[str, bool]) -> bool:
    text, is_fenced = block
    return not is_fenced and bool(_GIVEN.match(text.rpartition("\n")[2]))


def _blocks(text: str) -> Iterator[tuple[str, bool]]:
    """Paragraphs, and what stands in fences (True)."""
    lines: list[str] = []
    fenced = False
    for line in text.split("\n"):
        if _FENCE.match(line):
            if lines or fenced:
                yield "\n".join(lines)[:_LONGEST], fenced
            lines, fenced = [], not fenced
        elif line.strip() or fenced:
            lines.append(line)
        elif lines:
            yield "\n".join(lines)[:_LONGEST], False
            lines = []
    if lines:
        yield "\n".join(lines)[:_LONGEST], False
