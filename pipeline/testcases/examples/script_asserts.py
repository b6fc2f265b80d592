"""Examples as JavaScript and Bash state them in tests: `assert.equal(f(1), 2)`,
`expect(f(1)).toBe(2)`, `[ "$(f 1)" = 2 ]`."""

import re
import shlex
from itertools import islice
from typing import Any

from pipeline.sandbox.testcase import Arguments, Case, Raises
from pipeline.testcases.examples.example import Found
from pipeline.testcases.literals import literal_end, matching, read_arguments, read_literal

_MAX_ASSERTS = 1000
_EQUAL = r"(?:equal|strictEqual|deepEqual|deepStrictEqual)"
_HEAD = re.compile(
    rf"(?<![\w.])(?:(?P<equal>assert(?:\.strict)?\.{_EQUAL})"
    r"|(?P<throws>assert\.throws)|(?P<expect>expect)|(?:console\.)?assert(?:\.ok)?)"
    r"(?=\([^\S\n]*\S)"
)
_CALL = re.compile(r"\s{0,20}(?:await\s{1,20})?([A-Za-z_$][\w$]*)(?=\()")
_THUNK = re.compile(r"\s{0,20}(?:async\s{0,20})?\(\)\s{0,20}=>\s{0,20}")
_IS, _COMMA = re.compile(r"\s{0,20}={2,3}\s{0,20}"), re.compile(r"\s{0,20},\s{0,20}")
_MATCHER = re.compile(r"\.(?:toBe|toEqual|toStrictEqual)\(\s{0,20}")
# With a message, or with the class of the error.
_THROWN = re.compile(r"\)\.toThrow(?:Error)?\((?:([A-Z]\w{0,60}Error)\b|[\"'`/)])")
_ENDED = re.compile(r"\s{0,20}[,)]")
_CHECK = re.compile(
    r"(?:\[\[?|\btest) {1,9}\"?\$\(([A-Za-z_][\w-]{0,99})((?: [^()$`|&;<>*\n]{0,300})?)\)\"?"
    r" {1,9}(?:==?|-eq) {1,9}('[^'\n]{0,300}'|\"[^\"$`\n]{0,300}\"|[\w.+-]{1,300})(?= |\n|;|$)"
)
_SHELL = re.compile(r"\b(?:bash|shell)\b", re.IGNORECASE)
_NAMED = re.compile(
    r"\bfunction\s{1,20}(?:(?:named|called)\s{1,20})?[`'\"*]{0,3}([A-Za-z_][\w-]{0,99})"
    r"|(?<![\w-])([A-Za-z_][\w-]{0,99})\("
)


def find(text: str) -> Found:
    """Assertions of JavaScript's kind about a call with literals, and checks of a Bash function
    that the text names; other assertions of JavaScript's kind are noted."""
    found = Found()
    for head in islice(_HEAD.finditer(text), _MAX_ASSERTS):
        try:
            found.examples.append(_read(text, head))
        except ValueError:
            found.warnings.append("an assert could not be read as an example")
    if "$(" in text and is_of_shell(text):
        found.examples += filter(None, (command_case(*each.groups()) for each in _checks(text)))
    return found


def is_of_shell(text: str) -> bool:
    """Whether the text speaks of Bash."""
    return bool(_SHELL.search(text))


def _read(text: str, head: re.Match[str]) -> Case:
    """Raises ValueError for what is no call with literals, compared with a literal."""
    start = head.end() + 1
    if head["throws"]:
        thunk = _THUNK.match(text, start)
        name, arguments, _ = _call(text, thunk.end() if thunk else len(text))
        return Case(arguments, Raises("Error"), name)
    if head["expect"] and (thunk := _THUNK.match(text, start)):
        name, arguments, end = _call(text, thunk.end())
        if thrown := _THROWN.match(text, end):
            return Case(arguments, Raises(thrown[1] or "Error"), name)
        raise ValueError("nothing thrown")
    name, arguments, end = _call(text, start)
    if head["equal"]:
        return Case(arguments, _value(text, _COMMA.match(text, end)), name)
    if head["expect"]:
        return Case(arguments, _value(text, _MATCHER.match(text, end + 1)), name)
    if _ENDED.match(text, end):
        return Case(arguments, True, name, truth=True)
    return Case(arguments, _value(text, _IS.match(text, end)), name)


def _call(text: str, start: int) -> tuple[str, Arguments, int]:
    name = _CALL.match(text, start)
    end = matching(text, name.end()) if name else None
    if name is None or end is None:
        raise ValueError("no call")
    return name[1], read_arguments(text[name.end() + 1 : end - 1]), end


def _value(text: str, joint: re.Match[str] | None) -> Any:
    end = literal_end(text, joint.end()) if joint else None
    if joint is None or end is None or not _ENDED.match(text, end):
        raise ValueError("no literal")
    return read_literal(text[joint.end() : end])


def _checks(text: str) -> list[re.Match[str]]:
    """Of functions that the text names: any other command is none that is asked for."""
    found = [*islice(_CHECK.finditer(text), _MAX_ASSERTS)]
    named = named_functions(text) if found else set()
    return [each for each in found if each[1] in named]


def named_functions(text: str) -> set[str]:
    """The functions of Bash that the text names."""
    return {each[1] or each[2] for each in _NAMED.finditer(text)}


def command_case(name: str, given: str, printed: str) -> Case | None:
    """A command, its words as a shell reads them, and what it prints; None for what no shell
    reads."""
    try:
        arguments, (expected,) = shlex.split(given), shlex.split(printed)
    except ValueError:
        return None
    return Case(Arguments(tuple(arguments)), expected, name)
