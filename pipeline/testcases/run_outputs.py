"""What the runs of one program printed, without its own words: two right programs ask and answer in
words of their own ("Result: 7.0", "7"), and say so before and after. Pure.

What stays: what comes of the input, and of the program's own words those of the request, as "error"
or "too low", where nothing else is in the line. Where a format is asked for, all lines stay as they
are."""

import ast
import re
from collections.abc import Iterable, Iterator, Sequence

from pipeline.analysis.python_syntax import parse
from pipeline.testcases.printed_values import plain_number
from pipeline.testcases.program_runs import literals_in, quoted_in

_FORMAT = re.compile(  # of what is printed
    r"\b(?:print|output|writ|display|show)\w*\b[^.\n]{0,100}(?:decimal|\bdigit|\bround|format|width"
    r"|align|exactly|\bcommas?\b|separat|\btabs?\b|leading|\bpad|\bbits?\b|\bcent(?:er|re)|pyramid"
    r"|triangle|pattern|\bgrid\b|\bas (?:an? )?(?:json|csv))",
    re.IGNORECASE,
)
_LINES = re.compile(
    r"\b(?:per|each|every|own|single|separate|one|by|new|several|two|three) lines?\b|\blines? each"
    r"|\bon (?:a|its|their|separate) ",
    re.IGNORECASE,
)
_PIECE = re.compile(r"[^\s,;:=(){}\[\]'\"|!?]+")
_AROUND = ".€$£%"  # a number
_WORD, _DIGIT = re.compile(r"[^\W\d_]+"), re.compile(r"\d")
# Words that say nothing of a result.
_EMPTY = {
    *("a", "an", "all", "and", "any", "are", "as", "at", "be", "been", "by", "can", "each"),
    *("enter", "every", "for", "from", "has", "have", "here", "i", "in", "is", "it", "its", "now"),
    *("of", "on", "or", "please", "that", "the", "their", "them", "there", "this", "to", "try"),
    *("again", "was", "what", "which", "with", "you", "your"),
}
_PLACE = re.compile(r"%[-+#0-9.*]*(?:ll?|z)?[a-zA-Z]|\\[a-z]|\{[^{}]{0,20}\}")
_MOST_READ = 20_000  # characters of a request
_MOST_SHOWN = 2_000  # of what a run printed


def said_in_runs(outputs: Sequence[str], program: str, request: str) -> list[str]:
    """Of each run, in their order."""
    request, outputs = request[:_MOST_READ], [each[:_MOST_SHOWN] for each in outputs]
    if asks_for_format(request):
        return ["\n".join(line.rstrip() for line in each.splitlines()).strip() for each in outputs]
    own = _Words(program, request)
    own.learn_labels(line for each in outputs for line in each.splitlines())
    runs = [[said for line in each.splitlines() if (said := own.said(line))] for each in outputs]
    first, last = _same_ends(runs)
    between = "\n" if _LINES.search(request) else " "
    return [between.join(lines[first : len(lines) - last]) for lines in runs]


def asks_for_format(request: str) -> bool:
    """Whether what is printed is to have a form that the request gives."""
    return bool(_FORMAT.search(request[:_MOST_READ]))


class _Words:
    """The program's own words and lines."""

    def __init__(self, program: str, request: str) -> None:
        texts = [*_texts(program)]
        self._lines = {line.strip() for text in texts for line in text.splitlines()}
        own = {word.lower() for text in texts for word in _WORD.findall(text)}
        self._asked = {word.lower() for word in _WORD.findall(request)} - _EMPTY
        self._quoted = {word.lower() for word in _WORD.findall(" ".join(quoted_in(request)))}
        self._labels = own - self._quoted

    def learn_labels(self, lines: Iterable[str]) -> None:
        """What stands beside data is a label, and says nothing where it stands alone."""
        for line in lines:
            if self._data(line):
                self._asked -= {*self._words(line)} - self._quoted

    def said(self, line: str) -> str:
        if data := self._data(line):
            return " ".join(plain_number(piece.strip(_AROUND)) or piece for piece in data)
        return " ".join(word for word in self._words(line) if word in self._asked)

    def _data(self, line: str) -> list[str]:
        if line.strip() in self._lines and _WORD.search(line):  # "-1" is a result
            return []
        return [piece for piece in _PIECE.findall(line) if not self._is_own(piece)]

    def _is_own(self, piece: str) -> bool:
        words = self._words(piece)
        return bool(words) and not _DIGIT.search(piece) and self._labels.issuperset(words)

    def _words(self, text: str) -> list[str]:
        return [word.lower() for word in _WORD.findall(text)]


def _texts(program: str) -> Iterator[str]:
    """Its constants, documentation left out."""
    tree = parse(program)
    if tree is None:  # of another language, with places for values in its texts
        yield from (_PLACE.sub(" ", text) for text in literals_in(program))
    nodes = [*ast.walk(tree)] if tree else []
    said = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
    for node in nodes:
        match node:
            case ast.Constant(str(text)) if id(node) not in said:
                yield text


def _same_ends(runs: Sequence[Sequence[str]]) -> tuple[int, int]:
    """How many lines all runs begin and end with, where they are not the same altogether."""
    if len(runs) < 2 or len({tuple(lines) for lines in runs}) == 1:
        return 0, 0
    shortest = min(map(len, runs))
    first = last = 0
    while first < shortest and len({lines[first] for lines in runs}) == 1:
        first += 1
    while last < shortest - first and len({lines[-1 - last] for lines in runs}) == 1:
        last += 1
    return first, last
