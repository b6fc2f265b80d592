"""The form of a program's input, read from the words of a request. Pure.

What is not understood is left out as a whole: half a form is none."""

import re
from functools import lru_cache

from pipeline.analysis.fences import without_fences
from pipeline.testcases.inputs.described_lines import lines_described
from pipeline.testcases.inputs.input_layout import layout_in
from pipeline.testcases.inputs.input_shapes import Block, Input, Line, Number, Several, Text
from pipeline.testcases.inputs.spoken_input import lines_spoken
from pipeline.testcases.inputs.value_bounds import NAME, Bound, Bounds, bounds_in, plain
from pipeline.testcases.inputs.value_details import InputContext

_MOST_READ = 20_000  # characters of a request
_HEADING = re.compile(
    r"^[ \t>#*_-]*(?P<name>(?:sample |example |standard )?inputs?(?: format| data| specification)?"
    r"|(?:sample |example |standard )?outputs?(?: format)?|constraints?|limits?|examples?|samples?"
    r"|sample\b|notes?|explanation|hints?|scoring|task|problem)\b(?: \([^()\n]{0,40}\))?"
    r"[ \t*_]*\d{0,2}[ \t*_]*(?:[:.][ \t*_]*|$)",
    re.IGNORECASE | re.MULTILINE,
)
_INPUT = re.compile(r"(?:standard )?inputs?(?: format| data| specification)?$", re.IGNORECASE)
_PLACES = frozenset("lrijuv")  # of two places in a list, or of two ends of an edge
_GRAPH = re.compile(
    r"\b(?:edges?|roads?|graphs?|trees?|nodes?|vert(?:ex|ices)|bridges?|cit(?:y|ies)|friends?)\b",
    re.IGNORECASE,
)
# What texts have to be that are not made so.
_OF_TEXTS = re.compile(r"\b(?:the length of|unique|no two)\b", re.IGNORECASE)
_NUMBERED = re.compile(
    rf"\b(?:numbered|labell?ed|indexed)(?: with)?(?: integers)?(?: from)? ([01]) ?(?:to|through|-"
    rf"|\.\.\.?) ?({NAME})(?: ?- ?(1))?",
    re.IGNORECASE,
)

Form = tuple[Line | Block, ...]


def inputs_described(request: str) -> tuple[Input, ...]:
    """The forms that a request may mean, the likelier ones first; () where it describes none that
    is understood, or a text of any kind."""
    forms, bounds = _forms(request)
    return tuple(Input(form, bounds) for form in forms if any(map(_has_values, form)))


def is_one_line(request: str) -> bool:
    """Whether it is a text in one line."""
    match _forms(request)[0]:
        case ((Line(items=(Text(whole_line=True),)),),):
            return True
    return False


@lru_cache(maxsize=4)  # each finder of examples asks, and each draft
def _forms(request: str) -> tuple[tuple[Form, ...], Bounds]:
    text = plain(request[:_MOST_READ])
    bounds, context = bounds_in(text), InputContext.of(request[:_MOST_READ])
    section = _section(text)
    if section and (laid_out := layout_in(section, context.strings)):
        return _numbered((laid_out,), text, bounds)
    of_input = "Input: " + without_fences(section) if section else ""
    for part in (of_input, _without_samples(without_fences(text))):
        described = lines_described(part, context) if part else None
        spoken = lines_spoken(part, context) if described == () else ()
        if (described or spoken) and _has_texts(described or spoken[0]) and _OF_TEXTS.search(text):
            return (), bounds
        if described or spoken:
            return _numbered((described,) if described else spoken, text, bounds)
    return (), bounds


def _numbered(
    forms: tuple[Form, ...], text: str, bounds: Bounds
) -> tuple[tuple[Form, ...], Bounds]:
    for form in forms:
        _number(form, text, bounds)
    return forms, bounds


def _section(text: str) -> str:
    """What stands below a heading that says that it is of the input."""
    headings = [*_HEADING.finditer(text)]
    for at, heading in enumerate(headings):
        if _INPUT.fullmatch(heading["name"]):
            end = headings[at + 1].start() if at + 1 < len(headings) else len(text)
            return text[heading.end() : end].lstrip()
    return ""


def _without_samples(text: str) -> str:
    """Up to the first heading below which a sample stands."""
    for heading in _HEADING.finditer(text):
        if heading.start() and re.match(r"sample|example", heading["name"], re.IGNORECASE):
            return text[: heading.start()]
    return text


def _has_values(line: Line | Block) -> bool:
    """Whether there is more than a text of any kind."""
    if isinstance(line, Block):
        return any(map(_has_values, line.lines))
    return any(not (isinstance(each, Text) and each.length is None) for each in line.items)


def _has_texts(form: Form) -> bool:
    lines = (line for each in form for line in (each.lines if isinstance(each, Block) else (each,)))
    items = (item for line in lines if isinstance(line, Line) for item in line.items)
    return any(isinstance(each, Text) and each.length is None for each in items)


def _number(form: Form, text: str, bounds: Bounds) -> None:
    """Adds the ends of what is numbered from 1 to n, and of positions in a list, in lines of which
    there are several."""
    found = _NUMBERED.search(text)
    low = Bound(number=1)
    high = Bound(_listed(form) or (_first(form) if _GRAPH.search(text) else ""))
    if found:
        low, high = Bound(number=int(found[1])), Bound(found[2], -1 if found[3] else 0)
    for line in form if high.name else ():  # "n and k", the k-th of n
        for item in line.items if isinstance(line, Line) else ():
            if item == Number("k") and "k" not in bounds.highs:
                bounds.add("k", Bound(number=1), high)
    for block in form:
        for line in block.lines if isinstance(block, Block) else ():
            for item in line.items[:2] if isinstance(line, Line) else ():
                if not isinstance(item, Number) or _has_end(bounds, item.name):
                    continue
                if found or (high.name and item.name in _PLACES):
                    bounds.add(item.name, low, high)


def _listed(form: Form) -> str:
    """The name of how many values a line of one list has; "" for none."""
    counts = (
        item.count
        for line in form
        if isinstance(line, Line)
        for item in line.items
        if isinstance(item, Several)
    )
    return next((each for each in counts if isinstance(each, str)), "")


def _first(form: Form) -> str:
    """The name of the first value, "" for none."""
    match form:
        case (Line(items=(Number(name=name), *_)), *_):
            return name
    return ""


def _has_end(bounds: Bounds, name: str) -> bool:
    return any(end.name not in _PLACES for end in bounds.highs.get(name, ()))
