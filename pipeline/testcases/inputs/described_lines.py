"""The lines of a program's input, read from what a request says of each: "The first line contains
n, the next n lines two integers each". Pure."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pipeline.testcases.inputs.input_shapes import Block, Count, Line, Number, Several, Text, Value
from pipeline.testcases.inputs.line_words import HAS, HEADS, NUMERAL, sentences
from pipeline.testcases.inputs.value_bounds import NAME
from pipeline.testcases.inputs.value_details import InputContext, values_said
from pipeline.testcases.inputs.value_words import between_in, count_of

_LINES_OF_CASE = re.compile(
    rf"(?:{NUMERAL}|several) lines?\b(?: of (?:the )?input)?[:.,]?(?P<rest>.*)", re.IGNORECASE
)
_ONE_LINE = re.compile(rf"(?:an?|one|only one) (?:single )?line,? ?{HAS} ", re.IGNORECASE)
_AND_LINE = re.compile(
    rf",? ?(?:and |then |followed by |and then )+an?(?:other)? (?:single )?line,? ?{HAS} ", re.I
)
_NEXT_OF_CASE = re.compile(
    r"[,;]?\s*(?:\band )?(?:\bthe )?\b(?:first|second|third|then|next|followed by)\b(?: line)?"
    r"(?: one)?(?: contains| has| holds| gives| is| with)?:? ?",
    re.IGNORECASE,
)
_CASES = re.compile(
    r"\b(?:number of |t )?test[ -]?cases?\b|\bnumber of (?:cases|tests|datasets)\b", re.IGNORECASE
)
_SO_MANY_CASES = re.compile(
    rf"(?:input:? )?(?:first |there are |is )*(?:an? (?:integer|number) )?(?<!\w)(?P<name>{NAME})"
    r"(?: test[ -]?cases?\b|, the number of test[ -]?cases)[ .:]*$",
    re.IGNORECASE,
)
# Lines of which nothing is understood.
_LINES = re.compile(
    rf"\b(?:{NUMERAL}|{NAME}(?: ?[-+] ?1)?|next|following|remaining) (?:\w+ )?lines\b"
    rf"|\b{NAME} (?:queries|blocks|operations)\b",
)
_GIVEN = re.compile(r"\b(?:inputs?(?: is| has| format)?:?|reads?|given)(?=\W)[: ]*", re.IGNORECASE)
_LAST = r"['\"]?(?P<{}>-?\d{{1,3}}(?: -?\d{{1,3}}){{0,3}}|END|end|STOP|stop|quit|exit)['\"]?"
_ENDED = re.compile(
    r"\bline (?:with |containing |that (?:has|contains|is) (?:only )?)?"
    rf"{_LAST.format('line')},? (?:ends|marks the end|terminates|finishes|signals the end)"
    r"|\b(?:[Ii]nput (?:ends|is terminated|terminates|stops)|end|terminated|ended) (?:with|by|at)"
    r" (?:a )?(?:single )?(?:line )?(?:with |containing |of )?(?:the (?:word|number) )?(?:a )?"
    rf"{_LAST.format('input')}(?!\w)"
)


@dataclass(slots=True)
class _Part:
    """Lines as they are read; `count`: how often they come, 1 for once. `is_case`: of a test."""

    lines: tuple[Line | Block, ...]
    count: Count = 1
    is_case: bool = False
    end: str = ""


def lines_described(text: str, context: InputContext) -> tuple[Line | Block, ...] | None:
    """() where no line is spoken of, None where one is not understood."""
    parts = _Lines(text, context).parts()
    if not parts:
        return None if parts is None else ()
    if (ended := _ENDED.search(text)) and parts[-1].count is None:
        parts[-1].end = ended["line"] or ended["input"]
    return _nested([part for part in parts if part.lines], text)


class _Lines:
    def __init__(self, text: str, context: InputContext) -> None:
        self._text, self._context = text, context

    def parts(self) -> list[_Part] | None:
        parts: list[_Part] = []
        in_case = False
        for sentence in sentences(self._text):
            if many := _SO_MANY_CASES.search(sentence):
                parts.append(_Part((Line((Number(many["name"]),)),)))
                continue
            if _LINES.search(HEADS.sub("", sentence)):
                return None  # half a form is none
            for head, words in self._told(sentence, parts):
                in_case = in_case or bool(head["case"]) or " case" in head[0].lower()
                read = self._of_case(words) if head["case"] else self._of_head(head, words, parts)
                if read is None:
                    return None
                for part in read:
                    part.is_case = in_case
                parts += read
        return parts

    def _told(self, sentence: str, parts: list[_Part]) -> Iterator[tuple[re.Match[str], str]]:
        """Where a sentence speaks of a line, and what it says of it."""
        heads = [*HEADS.finditer(sentence)]
        if heads and not parts:
            parts += self._before(sentence[: heads[0].start()])
        for at, head in enumerate(heads):
            rest = sentence[head.end() :]
            if head["case"] and (_LINES_OF_CASE.match(rest) or _ONE_LINE.match(rest)):
                yield head, rest
                return
            end = heads[at + 1].start() if at + 1 < len(heads) else len(sentence)
            yield head, sentence[head.end() : end]

    def _before(self, words: str) -> list[_Part]:
        """Of "Input: n, then n lines", what is before the lines."""
        found = _GIVEN.search(words)
        read = self.line(re.sub(r"\bthen$", "", words[found.end() :].strip())) if found else ()
        return [_Part(read)] if read else []

    def _of_head(self, head: re.Match[str], words: str, parts: list[_Part]) -> list[_Part] | None:
        lines = self.line(words)
        if head["each"]:  # says what the lines before it have, or those that all are
            before = parts[-1] if parts else None
            if before and before.count != 1 and not before.lines:
                before.lines = lines
                return [] if lines else None
            return [] if parts else [_Part(lines, None)] if lines else None
        is_open = head["rest"] or re.match("several|many|some|any|more", head["many"] or "", re.I)
        count = None if is_open else count_of(head["many"]) if head["many"] else 1
        if not lines and not (head["many"] and not words.strip(" .,")):
            return None
        return [_Part(lines, count)]

    def _of_case(self, words: str) -> list[_Part] | None:
        """Of what each test case has."""
        if lines := _LINES_OF_CASE.match(words):
            told = [each for each in _NEXT_OF_CASE.split(lines["rest"]) if each.strip(" ,.:")]
        elif one := _ONE_LINE.match(words):
            told = _AND_LINE.split(words[one.end() :])
        else:
            told = [words] if words.strip(" .,:") else []
        read = [self.line(each) for each in told]
        return [_Part(each) for each in read] if all(read) else None

    def line(self, words: str) -> tuple[Line | Block, ...]:
        """() where the words are not understood."""
        return tuple(lines_of_values(values_said(words, self._context), between_in(words)))


def lines_of_values(values: Sequence[Value], between: str) -> Iterator[Line | Block]:
    """Pairs of values have lines of their own."""
    together: list[Number | Text | Several] = []
    for each in values:
        if not isinstance(each, Block):
            together.append(each)
            continue
        if together:
            yield Line(tuple(together), between)
        together = []
        yield each
    if together:
        yield Line(tuple(together), between)


def _nested(parts: Sequence[_Part], text: str) -> tuple[Line | Block, ...] | None:
    """Those of a test case in a block of all test cases; None where nothing is said of these."""
    first = parts[0].lines[0] if parts else None
    name = ""
    if _CASES.search(text) and parts and parts[0].count == 1:
        name = _only_number(first)
    cases = [part for part in parts if part.is_case]
    counted = any(part.count == name for part in parts)
    if name and not cases and not counted:
        cases = list(parts[1:])
        if not cases:
            return None
    made = [*_lines_of(part for part in parts if part not in cases)]
    if cases:
        made.append(Block(tuple(_lines_of(cases)), name if name and made else None))
    return tuple(made)


def _only_number(line: Line | Block | None) -> str:
    """Its name, where nothing else stands in the line."""
    match line:
        case Line(items=(Number(name=name),)):
            return name
    return ""


def _lines_of(parts: Iterator[_Part] | Sequence[_Part]) -> Iterator[Line | Block]:
    for part in parts:
        if part.count == 1:
            yield from part.lines
        else:
            yield Block(part.lines, part.count, part.end)
