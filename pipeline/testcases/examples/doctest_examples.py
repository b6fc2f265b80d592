"""Examples in the form of a Python session: `>>> f(1)` and what it gives."""

import ast
import re
from collections.abc import Iterator
from itertools import dropwhile, takewhile
from typing import Any, NamedTuple

from pipeline.sandbox.testcase import Case, Raises
from pipeline.testcases.examples.corrections import is_taken_back, is_taken_back_below
from pipeline.testcases.examples.example import Found
from pipeline.testcases.examples.stated_examples import (
    is_what_a_run_gave,
    says_how_it_is,
    shall_go_away,
)
from pipeline.testcases.literals import arguments_of, parse_expression, read_literal, value_of

_PROMPT = re.compile(r"^[ \t]*>>> ?.*$", re.MULTILINE)
_CONTINUED = re.compile(r"^[ \t]*\.\.\. ?.*$")
_END_OF_OUTPUT = re.compile(r"\s*(?:'''|\"\"\"|```|~~~|>>>|$)")
_TRACEBACK = "Traceback (most recent call last):"
_END_OF_DOCSTRING = re.compile(r"'''|\"\"\"")
_NO_WORDS = re.compile(r"[ \t>]*(?:```|~~~|$)")
_MOST_WORDS = 300  # characters that are read beside an error, before it and behind it
_EXCEPTION = re.compile(r"^(?:\w+\.)*([A-Z]\w*)(?::|$)")


def find(text: str) -> Found:
    """Calls with literal arguments, or with variables that the session gave literal values.

    Read line by line, because doctest's own parser refuses whole texts with odd indents.
    """
    found = Found()
    names: dict[str, Any] = {}
    for entered in sessions(text):
        if not _read(entered, names, found):
            found.unread[entered.first] = "an example in a session (>>>) could not be read"
    return found


class Entered(NamedTuple):
    """A `source`, and what is `wanted` of it: "" for nothing, and for what shall not stay so, which
    is the `error` where it is one. Its lines are those from `first` on, before `stop`."""

    first: int
    stop: int
    source: str
    wanted: str
    error: str = ""


def sessions(text: str) -> Iterator[Entered]:
    """What was entered, line by line."""
    lines = text.split("\n")
    n, lead, is_so = 0, "", False
    while n < len(lines):
        if not _PROMPT.fullmatch(lines[n]):
            if not _NO_WORDS.match(lines[n]):
                lead = lines[n].rstrip()[-_MOST_WORDS:]
                is_so = says_how_it_is(lead) and not _shows_error(lines[n + 1 : n + 40])
            n += 1
            continue
        first = n
        source, n = _source(lines, n)
        want, n = _want(lines, n)
        if want.startswith(_TRACEBACK):
            behind = _behind(want, lines, n)
            goes_away = shall_go_away(lead, behind) or (
                is_what_a_run_gave(want, source, text, f"{lead}\n{behind}")
                and not _is_in_docstring(lines[:first])
            )
            yield Entered(first, n, source, *(("", want) if goes_away else (want, "")))
            continue
        behind = "\n".join(["", *lines[n : n + 5]])
        goes_away = is_so or _is_denied(source, want) or is_taken_back_below(behind, 0)
        yield Entered(first, n, source, "" if goes_away else want)


def _is_in_docstring(before: list[str]) -> bool:
    return sum(len(_END_OF_DOCSTRING.findall(line)) for line in before) % 2 == 1


def _is_denied(source: str, want: str) -> bool:
    """By a comment behind what was entered, or behind what came of it."""
    lines = f"{source}\n{want}".splitlines()
    return any("#" in line and is_taken_back(line, line.rindex("#")) for line in lines)


def _shows_error(lines: list[str]) -> bool:
    """Whether the session that begins there has an error: then that is what is complained of."""
    session = list(takewhile(str.strip, dropwhile(lambda each: ">>>" not in each, lines)))
    return any(each.strip() == _TRACEBACK for each in session)


def _behind(want: str, lines: list[str], n: int) -> str:
    """The words behind a traceback: those that stand in its lines, and the next line that has any.
    What is written behind a docstring is said of more than its examples."""
    said = want.splitlines()
    while said and not _EXCEPTION.match(said[0]):
        del said[0]
    words = [part for line in said[:1] for part in re.split(r"#|<-|←", line)[1:]] + said[1:]
    for line in lines[n : n + 5]:
        if _PROMPT.fullmatch(line) or _END_OF_DOCSTRING.search(line):
            break
        if not _NO_WORDS.match(line):
            words.append(line)
            break
    return "\n".join(words)[:_MOST_WORDS]


def _source(lines: list[str], n: int) -> tuple[str, int]:
    first = n
    source = [lines[n].split(">>>", 1)[1].strip()]
    n += 1
    while n < len(lines) and n - first < 20 and _CONTINUED.fullmatch(lines[n]):
        source.append(lines[n].split("...", 1)[1].strip())
        n += 1
    return "\n".join(source), n


def _want(lines: list[str], n: int) -> tuple[str, int]:
    want: list[str] = []
    while n < len(lines) and len(want) < 40 and not _END_OF_OUTPUT.match(lines[n]):
        want.append(lines[n].strip())
        n += 1
    return "\n".join(want), n


def _read(entered: Entered, names: dict[str, Any], found: Found) -> bool:
    """False where it is a call that cannot be read."""
    want = entered.wanted or entered.error
    call = parse_expression(entered.source)
    if call is None:
        _assign(entered.source, names)
        return True
    printed = _printed(call)
    call = printed or call
    if not want or not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name):
        return True
    try:
        expected = _expected(want, printed=printed is not None)
        example = Case(arguments_of(call, names), expected, call.func.id)
    except ValueError:
        return bool(entered.error)
    (found.reported if entered.error else found.examples).append(example)
    return True


def _printed(call: ast.expr) -> ast.expr | None:
    """The argument of `print(f(1))`."""
    match call:
        case ast.Call(ast.Name("print"), [ast.Call() as inner], []):
            return inner
    return None


def _expected(want: str, *, printed: bool) -> Any:
    if want.startswith(_TRACEBACK):
        if raised := raised_in(want):
            return raised
        raise ValueError("no exception")
    try:
        return read_literal(want)
    except ValueError:
        if printed and "\n" not in want:
            return want
        raise


def raised_in(want: str) -> Raises | None:
    """The exception of a traceback."""
    name = _EXCEPTION.match(want.splitlines()[-1]) if want.startswith(_TRACEBACK) else None
    return Raises(name[1]) if name else None


def _assign(source: str, names: dict[str, Any]) -> None:
    """Keeps the value of `nums = [1, 2]` for the calls after it."""
    name, equals, right = source.partition("=")
    value = parse_expression(right.strip()) if equals and name.strip().isidentifier() else None
    if value is not None:
        try:
            names[name.strip()] = value_of(value, names)
        except ValueError:
            names.pop(name.strip(), None)
