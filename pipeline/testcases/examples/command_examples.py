"""Examples as people write what comes of a command or a logged call: `f 1 2 -> 3`, "`f 1` prints 2"
and `$ f 1` with what it prints below, for Bash; `console.log(f(1)); // 2` for JavaScript."""

import re
from collections.abc import Iterator
from itertools import islice

from pipeline.sandbox.testcase import Case
from pipeline.testcases.examples.example import Found
from pipeline.testcases.examples.script_asserts import command_case, is_of_shell, named_functions
from pipeline.testcases.examples.stated_examples import ARROW
from pipeline.testcases.literals import literal_at, matching, read_arguments

_MOST, _MOST_NAMES, _MOST_WORDS = 500, 20, 20
_QUOTED = r"'[^'\n]{0,300}'|\"[^\"$`\n]{0,300}\""
_NUMBER = re.compile(rf"[+-]?\d[\d.]*|{_QUOTED}")
_WORD = re.compile(rf" ({_QUOTED}|(?![=-]{{1,3}}>)[\w.+-]{{1,100}})")
_GIVES = re.compile(rf"`?[ \t]{{1,9}}(?:{ARROW}|(?:should )?(?:prints?|outputs?))[ \t]{{1,9}}`?")
_BELOW = re.compile(r"[ \t]{0,9}\n[ \t>]{0,20}")
_PRINTED = re.compile(rf"({_QUOTED}|[\w.+-]{{0,99}}\w)`?(?=[ \t]*(?:$|\n|[.,;)](?:\s|$)|and\b))")
_LOGGED = re.compile(r"(?<![\w.])console\.log\([ \t]{0,9}([A-Za-z_$][\w$]{0,99})(?=\()")
_COMMENT = re.compile(r"[ \t]{0,9}\);?[ \t]{0,20}//[ \t]{0,20}(?:(?:=>|->|→)[ \t]{0,20})?")


def find(text: str) -> Found:
    """Of Bash only functions that the text names: any other command is none that is asked for."""
    logs = islice(_LOGGED.finditer(text), _MOST)
    found = Found([*filter(None, (_logged(text, each) for each in logs))])
    if is_of_shell(text):
        found.examples += _commands(text)
    return found


def _logged(text: str, log: re.Match[str]) -> Case | None:
    """None where the comment says anything but a value."""
    end = matching(text, log.end())
    comment = _COMMENT.match(text, end) if end else None
    value = literal_at(text, comment.end()) if comment else None
    if not end or not value or text[value[1] : value[1] + 200].partition("\n")[0].strip():
        return None
    try:
        return Case(read_arguments(text[log.end() + 1 : end - 1]), value[0], log[1])
    except ValueError:
        return None


def _commands(text: str) -> Iterator[Case]:
    names = "|".join(map(re.escape, sorted(named_functions(text))[:_MOST_NAMES]))
    if not names:
        return
    for name in islice(re.finditer(rf"(?<![\w$({{./-])({names})(?= )", text), _MOST):
        words, end = list[str](), name.end()
        while len(words) < _MOST_WORDS and (word := _WORD.match(text, end)):
            words.append(word[1])
            end = word.end()
        entered = text[max(0, name.start() - 2) : name.start()] == "$ "
        joint = (_BELOW if entered else _GIVES).match(text, end)
        printed = _PRINTED.match(text, joint.end()) if joint else None
        marked = entered or text[name.start() - 1 : name.start()] == "`"
        if printed and (marked or all(map(_NUMBER.fullmatch, words))):
            case = command_case(name[1], " ".join(words), printed[1])
            yield from [case] if case else []
