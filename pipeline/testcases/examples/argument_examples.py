"""Examples of a program in Python that is given arguments: "`calc.py 3 + 4` prints 7"."""

import re
import shlex
from itertools import islice

from pipeline.sandbox.testcase import Arguments, Case
from pipeline.testcases.examples.example import Found
from pipeline.testcases.examples.stated_examples import ARROW, is_all, is_stated

_MOST = 50
_QUOTED = r"'[^'`\n]{0,100}'|\"[^\"`\n]{0,100}\""
_PROGRAM = re.compile(r"(?<![\w/.-])(?:\./)?([A-Za-z_][\w-]{0,60}\.py)\b")
_GIVES = re.compile(
    rf"`?[ \t]{{1,3}}(?:{ARROW}|(?:(?:should|must|will) )?"
    r"(?:prints?|outputs?|gives?|shows?|writes?))"
    r"[ \t]{1,3}(?=[\w`'\"+-])"
)
_VALUE = re.compile(rf"`([^`\n]{{1,200}})`|({_QUOTED})|([+-]?\d[\d.:%-]{{0,50}}|True|False)")
# Words of a sentence, which are no arguments; a call.
_OF_SENTENCE = re.compile(
    r"(?:an|and|as|by|for|if|in|is|it|of|on|or|should|so|that|the|then|to|when|which|will|with)$|.*[()]"
)
_MARKED = re.compile(r"(?:`|python3? )$")
_BEGINS_LINE = re.compile(r"(?:^|\n)[ \t>]*(?:[-*+][ \t]+)?$")
# A file, an address: it is not there.
_PLACE = re.compile(r"\w[/*]|[/*]\w|\.[A-Za-z]")


def find(text: str) -> Found:
    """None where several programs are named."""
    found = Found()
    programs = list(islice(_PROGRAM.finditer(text), _MOST))
    if len({each[1] for each in programs}) != 1:
        return found
    for each in programs:
        if case := _case(text, each):
            found.examples.append(case)
    return found


def _case(text: str, program: re.Match[str]) -> Case | None:
    """The command that begins with the program, and what it prints."""
    before, end = text[max(0, program.start() - 40) : program.start()], program.end()
    line = text[end : end + 400].partition("\n")[0]
    joint = _GIVES.search(text, end, end + len(line))
    is_marked = _MARKED.search(before) or program[0].startswith("./")
    if joint is None or not (is_marked or _is_line(before, joint[0])):
        return None
    words, printed = _words(text[end : joint.start()]), _printed(text, joint.end())
    if not (words and printed) or not is_stated(text, program.start()):
        return None
    return Case(Arguments(), f"{printed}\n", stdin="", words=words)


def _is_line(before: str, joint: str) -> bool:
    """Whether a command without marks begins its line, with an arrow before what it prints."""
    return bool(_BEGINS_LINE.search(before) and re.search(ARROW, joint))


def _words(said: str) -> tuple[str, ...]:
    """The arguments; none where they are no plain ones: a pipe, a file, a place for a value."""
    if len(said) > 200 or re.search(r"[|<>;&$`\n]|\.\.\.|…", said):
        return ()
    try:
        words = shlex.split(said)
    except ValueError:
        return ()
    is_other = any(_PLACE.search(word) or _OF_SENTENCE.match(word) for word in words)
    return () if is_other else tuple(words)


def _printed(text: str, start: int) -> str:
    """The text that a value says; "" where a sentence goes on behind it, or takes it back."""
    value = _VALUE.match(text, start)
    if not value or not is_all(text, value.end()):
        return ""
    code, quoted, bare = value.groups(default="")
    return code or quoted[1:-1] or bare.rstrip(".")
