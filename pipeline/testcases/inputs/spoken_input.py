"""The values that a program reads, from a sentence: "reads n, then n integers". Pure."""

import re
from collections.abc import Iterator, Sequence

from pipeline.testcases.inputs.described_lines import lines_of_values
from pipeline.testcases.inputs.input_shapes import Block, Line, Number, Several, Text, Value
from pipeline.testcases.inputs.line_words import sentences
from pipeline.testcases.inputs.value_details import InputContext, bare, values_said
from pipeline.testcases.inputs.value_words import between_in

_TAKES = re.compile(
    r"\b(?:reads?(?: in)?|takes?|is given|are given|given|inputs?|input format|asks for)\b"
    r"(?: (?:as|from) (?:its |the |standard )?(?:input|stdin))?:? ",
    re.IGNORECASE,
)
_COMMAND = re.compile(r"takes? [A-Z]\b")  # "takes X off the list"
_UNTIL_END = re.compile(
    r"\s*,?\s*\b(?:until|till|up to) (?:(?:the |an? )?(?:end[- ]of[- ](?:the )?(?:input|file|stdin)"
    r"|eof|end)|(?:there is )?no more (?:input|lines|numbers))\b[^,.;]*",
    re.IGNORECASE,
)
_UNTIL_VALUE = re.compile(
    r"\s*,?\s*\b(?:"
    r"(?:until|till) (?:a |an |the )?(?:line |number |value |word |pair )?(?:with |of )?"
    r"|(?:terminated|ended) by (?:a |an |the )?(?:single )?(?:line |number |value )?(?:with |of "
    r"|containing )?(?:a |the )?)['\"]?(?P<value>-?\d{1,4}(?: -?\d{1,4})?|zero|empty line"
    r"|blank line)['\"]?[^,.;]*",
    re.IGNORECASE,
)
_OWN_LINES = re.compile(
    r"\s*,?\s*\(?\b(?:one|a number|a single number|each) (?:of them |integer |number |value |word "
    r"|name )?(?:per|on (?:a|its own|each)|in each|by)\b (?:separate |single |own )?line\)?",
    re.IGNORECASE,
)
_ONE_PLACE = re.compile(
    r"\b(?:on|in|from) (?:a|one|the same|a single) (?:single )?line\b"
    r"|\b(?:space|comma)s?[- ]separated\b|\bseparated by\b",
    re.IGNORECASE,
)
_LAST = {"zero": "0", "empty line": "", "blank line": ""}

Lines = tuple[Line | Block, ...]


def lines_spoken(text: str, context: InputContext) -> tuple[Lines, ...]:
    """The lines that the values may stand in, the likelier ones first; () where no sentence is
    understood."""
    for sentence in sentences(text):
        found = _TAKES.search(sentence)
        if not found or _COMMAND.match(sentence, found.start()):
            continue
        said = sentence[found.end() :]
        words = bare(said)
        own, until = bool(_OWN_LINES.search(words)), _UNTIL_VALUE.search(words)
        ends = bool(until or _UNTIL_END.search(words))
        for beside in (_OWN_LINES, _UNTIL_END, _UNTIL_VALUE):
            words = beside.sub("", words)
        if values := values_said(said, context, bared=words, loose=True):
            if ends:
                return (_until_end(values, until),)
            spread = not _ONE_PLACE.search(sentence)
            return _laid_out(values, own, spread=spread, between=between_in(sentence))
    return ()


def _until_end(values: Sequence[Value], until: re.Match[str] | None) -> Lines:
    """One value or pair a line, as often as you like."""
    end = _LAST.get(until["value"].lower(), until["value"]) if until else ""
    lines = values[0].lines if isinstance(values[0], Block) else ()
    items = [each.item if isinstance(each, Several) else each for each in values]
    lines = lines or tuple(lines_of_values(items, " "))
    return (Block(lines, None, end),)


def _laid_out(
    values: Sequence[Value], own: bool, *, spread: bool, between: str
) -> tuple[Lines, ...]:
    """`own`: each value has a line of its own; `spread`: nobody says so, nor otherwise."""
    if any(isinstance(each, Block) for each in values):
        return (tuple(lines_of_values(values, between)),)
    items = [each for each in values if not isinstance(each, Block)]
    if spread and not own and any(isinstance(each, Several) and not each.count for each in items):
        return ()  # numbers in any place
    rows, apart = tuple(_rows(items, between)), tuple(_singly(items))
    return tuple(dict.fromkeys([apart] if own else [rows, apart] if spread else [rows]))


def _rows(items: Sequence[Number | Text | Several], between: str) -> Iterator[Line]:
    """Single values together, several of a kind on a line of their own."""
    together: list[Number | Text | Several] = []
    for item in items:
        if isinstance(item, Several):
            if together:
                yield Line(tuple(together), between)
            together = []
            yield Line((item,), between)
        else:
            together.append(item)
    if together:
        yield Line(tuple(together), between)


def _singly(items: Sequence[Number | Text | Several]) -> Iterator[Line | Block]:
    for item in items:
        if isinstance(item, Several) and item.order:
            yield Line((item,), "\n")
        elif isinstance(item, Several):
            yield Block((Line((item.item,)),), item.count)
        else:
            yield Line((item,))
