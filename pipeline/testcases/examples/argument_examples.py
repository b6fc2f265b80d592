"""Examples of a program in Python that is given arguments: "`calc.py 3 + 4` prints 7",
`$ python calc.py 3 + 4` with what it prints below."""

import re
import shlex
from itertools import islice, takewhile

from pipeline.sandbox.testcase import Arguments, Case
from pipeline.testcases.examples.example import Found
from pipeline.testcases.examples.stated_examples import ARROW, goes_on, is_stated

_MOST = 50
_QUOTED = r"'[^'`\n]{0,100}'|\"[^\"`\n]{0,100}\""
_PROGRAM = re.compile(r"(?<![\w/.-])(?:\./)?([A-Za-z_][\w-]{0,60}\.py)\b")
_GIVES = re.compile(
    rf"`?[ \t]{{1,3}}(?:{ARROW}|(?:(?:should|must|will) )?"
    r"(?:prints?|outputs?|gives?|shows?|writes?))"
    r"[ \t]{1,3}(?=[\w`'\"+-])"
)
_BELOW = re.compile(r"[ \t]{0,3}\n(?=[^\s$`])")
_VALUE = re.compile(rf"`([^`\n]{{1,200}})`|({_QUOTED})|([+-]?\d[\d.:%-]{{0,50}}|True|False)")
_ENDS = re.compile(r"[ \t]*(?:$|\n|[.,;)](?:\s|$)|and\b)")
_ENTERED = re.compile(r"(?:^|\n)[ \t]*\$ (?:python3? )?$")
_FENCE = re.compile(r"^[ \t]*(?:```|~~~)", re.MULTILINE)
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
    is_entered = _ENTERED.search(text[max(0, program.start() - 40) : program.start()])
    end = program.end()
    line = text[end : end + 400].partition("\n")[0]
    if is_entered:
        said, printed = line, _lines_below(text, end + len(line))
    else:
        joint = _GIVES.search(text, end, end + len(line))
        said = text[end : joint.start()] if joint else ""
        printed = _printed(text, joint.end()) if joint else ""
    words = _words(said)
    if not (words and printed) or not is_stated(text, program.start()):
        return None
    return Case(Arguments(), f"{printed}\n", stdin="", words=words)


def _lines_below(text: str, start: int) -> str:
    """What stands below a command, up to the next one or a blank line: several lines in a fence
    alone, where no sentence goes on."""
    below = _BELOW.match(text, start)
    if below is None:
        return ""
    rest = text[below.end() :].partition("\n\n")[0].split("\n")
    lines = [*takewhile(lambda line: not line.startswith(("$", "```", "~~~")), rest)]
    is_fenced = len(_FENCE.findall(text[:start])) % 2
    return "\n".join(lines).rstrip() if is_fenced or len([*filter(None, lines)]) == 1 else ""


def _words(said: str) -> tuple[str, ...]:
    """The arguments; none where they are no plain ones: a pipe, a file, a place for a value."""
    if len(said) > 200 or re.search(r"[|<>;&$`\n]|\.\.\.|…", said.strip("`")):
        return ()
    try:
        words = shlex.split(said.strip("` \t"))
    except ValueError:
        return ()
    return () if any(map(_PLACE.search, words)) else tuple(words)


def _printed(text: str, start: int) -> str:
    """The text that a value says; "" where a sentence goes on behind it, or takes it back."""
    value = _VALUE.match(text, start)
    if not value or not _ENDS.match(text, value.end()) or goes_on(text, value.end()):
        return ""
    return (value[1] or value[3] or value[2][1:-1]).strip().rstrip(".")
