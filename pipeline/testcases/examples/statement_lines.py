"""The lines of a text that are Python: statements, and checks with what is said to come of them.
Pure."""

import ast
import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from pipeline.analysis.python_syntax import parse
from pipeline.sandbox.testcase import Raises
from pipeline.testcases.examples.doctest_examples import raised_in, sessions
from pipeline.testcases.examples.stated_examples import ARROW, Lead, is_stated
from pipeline.testcases.literals import (
    BUILTINS,
    ERROR_NAME,
    MARKS,
    MAX_LITERAL,
    arguments_of,
    parse_expression,
    value_of,
)

_MAX_LINES, _MOST_ON_A_LINE = 1000, 20
_PREFIX = re.compile(
    r"^[ \t>]*(?:(?:[-*+•]|\d+[.)])[ \t]+)?(?:(?i:with|given|after|let|for|suppose|if)[ \t]+)?"
)
_ARROW = re.compile(
    rf"{MARKS}[ \t]*(?:#[ \t]*)?(?:{ARROW}|\b(?:returns|gives|equals|raises|is now"
    rf"|(?:should|must|has to) (?:now )?(?:be|return|give|equal)|debe ser|doit être)\b)"
    rf"[ \t]*{MARKS}"
)
_SAID = re.compile(
    rf"^#[ \t]*(?:{ARROW}|==|returns|gives|(?i:prints|outputs?|result|expected)(?:[ \t]*:|[ \t]))?"
    r"[ \t]*(?P<value>.*)$"
)
# Also a class of the request's own: "raises InsufficientFunds".
_RAISES = re.compile(
    rf"^(?:(?:[Rr]aises?|[Tt]hrows?)[ \t]+(?:an?[ \t]+)?{MARKS}([A-Z]\w{{2,60}})\b"
    rf"|(?:an?[ \t]+)?{MARKS}({ERROR_NAME})\b)"
)
_HEADER = re.compile(
    r"^([ \t]*)(?:async[ \t]+)?(?:def|class|if|elif|else|for|while|try|except|finally|with)\b.*:"
)
# "-1 (not found)": what is said of a value, if that is all of it.
_REMARK = re.compile(
    r"(?:(?<=[\d'\"\])}])|(?<=True)|(?<=None)|(?<=False))[ \t]{1,9}\((?![^()\n]*\b(?:or|about"
    r"|approx\w*|around|roughly|\w*ish|order|any|should|must|expected|but|instead|bug|wrong\w*"
    r"|now|if|unless|depend\w*|maybe|may|might|random\w*|not yet"
    r"|current\w*|today|time\w*|example|sample|similar|var(?:y|ies))\b)[a-z][^()\n]{1,80}\)$"
)
# What tests do is no body that is passed over.
_OF_TESTS = re.compile(
    r"^[ \t]*(?:def[ \t]+test\w*\((?:self)?\)[^:\n]{0,20}"
    r"|class[ \t]+Test\w*(?:\([\w.]*\))?):[ \t]*$"
)
# A part of a statement.
_PART = re.compile(r"^[ \t]*(?:try|else|finally|elif\b.*|except\b.*):[ \t]*(?:#.*)?$")
# What an arrow may come after; with anything else it is no line of code.
_ASKED_OF = (ast.Call, ast.Attribute, ast.Subscript, ast.BinOp)
# "E.g. t = Tally(); t.add(2); t.total() == 2"
_STEPS = re.compile(r"(?:^|[\s`(])([a-z_]\w*[ ]?=[ ]?[A-Z]\w*\([^;]*\);.*)$")
# Statements that do something to what stands in them.
_DOES = (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Delete, ast.Import, ast.ImportFrom)
_FAILS = re.compile(
    r"\b(?:raise[sd]?|throws?|errors?|exceptions?|fails?|invalid|illegal|denied|refused|rejected"
    r"|not (?:allowed|enough|possible)|insufficient\w*|too (?:many|much|large|long)|boom|blows? up"
    r"|crash(?:es)?)\b|^[ \t]*(?-i:(?:[A-Z][a-z]+){2,})[ \t]*$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class StatementLine:
    """One statement, and what is said to come of it: a source text or Raises; None: nothing. Where
    it `is_text`, nobody knows what it does to the objects that it names."""

    source: str
    wanted: str | Raises | None = None
    number: int = 0
    in_session: bool = False
    is_text: bool = False
    is_asserted: bool = False


def read_lines(text: str) -> Iterator[StatementLine]:
    """Sessions as they stand; other lines where they are code and no part of a definition."""
    entered = {each.first: each for each in sessions(text)}
    deeper: str | None = None  # than this indent is the body of a definition
    after = 0  # the session's last line
    lead = Lead()
    for n, line in enumerate(text.split("\n")[:_MAX_LINES]):
        if n in entered:
            after = entered[n].stop
            line_of_it = _of_session(entered[n].source, entered[n].wanted)
            yield replace(line_of_it, number=n, in_session=True)
        indent = line[: len(line) - len(line.lstrip())]
        if n < after:
            continue
        if deeper is not None and (not line.strip() or len(indent) > len(deeper)):
            lead.read_body(line)
            yield StatementLine(line, is_text=True)
            continue
        header = _HEADER.match(line) if not _OF_TESTS.match(line) else None
        is_header = header and (_PART.match(line) or parse(f"{line.strip()} pass"))
        deeper = header[1] if header and is_header else None
        read = list(_of_text(line)) if deeper is None and len(line) <= MAX_LITERAL else []
        lead.read(line, is_code=deeper is not None or bool(read))
        is_said = not lead.denies or "assert " in line  # a test that fails now says what shall be
        for each in read:
            yield replace(each, number=n, wanted=each.wanted if is_said else None)
        if not read:
            yield StatementLine(line, is_text=True)


def _of_session(source: str, want: str) -> StatementLine:
    match parse_expression(source):
        case ast.Call(ast.Name("print"), [printed], []) if want and not has_literals(printed):
            return StatementLine(f"str({ast.unparse(printed)})", repr(want))
        case ast.Call(ast.Name("print"), [printed], []):
            return StatementLine(ast.unparse(printed), want or None)
    return StatementLine(source, raised_in(want) or want or None)


def _of_text(line: str) -> Iterator[StatementLine]:
    """A line of text as a check (`a == b`, `a -> b`, `a  # b`, `assert …`) or as a step to one."""
    if (steps := _STEPS.search(line)) and not line.lstrip().startswith(("assert ", "#", "//")):
        for step in islice(steps[1].split(";"), _MOST_ON_A_LINE):
            yield from _of_text(step.strip().rstrip("."))
        return
    code = _PREFIX.sub("", line, count=1).strip().strip("`").rstrip(":").strip()
    code = _REMARK.sub("", code)
    if not is_stated(f"{code}\n", 0) and not code.startswith("assert "):
        return
    if code.startswith("assert "):
        if line_of_assert := _of_assert(code):
            yield replace(line_of_assert, is_asserted=True)
        return
    for split in _ARROW.finditer(code):
        call, value = code[: split.start()], code[split.end() :].rstrip(".,;").strip("`* ")
        if not _is_one_value(value):
            continue
        asked = parse_expression(call)
        is_variable = isinstance(asked, ast.Name) and literal_of(value)
        if "#" not in call and (is_variable or isinstance(asked, _ASKED_OF)):
            result = f"raises {value}" if "raises" in split[0] else value
            yield _printed(StatementLine(call, _raised(result) or value))
            return
    source, hash_sign, comment = code.partition("#")
    said = _SAID.match(hash_sign + comment)
    if said and parse_expression(source.strip()):
        value = said["value"].strip()
        value = value if _is_one_value(value) else ""
        wanted = _raised(value) or (value if literal_of(value) else None)
        if wanted or not _FAILS.search(comment):
            yield _printed(StatementLine(source.strip(), wanted))
        return
    if isinstance(test := parse_expression(code), ast.Compare):
        yield from filter(None, [_of_comparison(test)])
        return
    tree = parse(code)
    if tree and all(isinstance(each, _DOES) or _calls(each) for each in tree.body):
        statements = tree.body[:_MOST_ON_A_LINE]
        yield from (StatementLine(ast.get_source_segment(code, each) or "") for each in statements)


def _calls(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call)


def _printed(line: StatementLine) -> StatementLine:
    """Of a line that prints, what has to be printed is said, not what `print` gives."""
    match parse_expression(line.source), line.wanted:
        case ast.Call(ast.Name("print"), [printed], []), str(wanted):
            literal = literal_of(wanted)
            if literal is None:
                return StatementLine(line.source)
            if isinstance(literal[0], dict | set):  # in any order
                return StatementLine(ast.unparse(printed), wanted)
            text = str(literal[0]) if isinstance(literal[0], str | list | tuple) else wanted
            return StatementLine(f"str({ast.unparse(printed)})", repr(text))
        case ast.Call(ast.Name("print")), str():
            return StatementLine(line.source)
    return line


def _of_assert(code: str) -> StatementLine | None:
    tree = parse(code)
    match tree.body[0] if tree and tree.body else None:
        case ast.Assert(ast.Compare() as test) if line := _of_comparison(test):
            return line
        case ast.Assert(ast.UnaryOp(ast.Not(), test)):
            return _of_truth(test, "False")
        case ast.Assert(test):
            return _of_truth(test, "True")
    return None


def _of_comparison(test: ast.Compare) -> StatementLine | None:
    """`f(x) == y`, or the other way round."""
    match test:
        case ast.Compare(left, [ast.Eq() | ast.Is()], [right]):
            if not has_call(left) and has_call(right):
                left, right = right, left
            return StatementLine(ast.unparse(left), ast.unparse(right))
    return None


def _of_truth(test: ast.expr, wanted: str) -> StatementLine:
    source = ast.unparse(test)
    made = isinstance(test, ast.Call) and source[:1].isupper()  # how true an object is, it says
    return StatementLine(source if has_literals(test) and not made else f"bool({source})", wanted)


def _raised(text: str) -> Raises | None:
    found = _RAISES.match(text)
    return Raises(found[1] or found[2]) if found else None


def _is_one_value(text: str) -> bool:
    """Whether anything is said, and neither a list of values (`1, 3` may be a pair, two answers, or
    say what is not: `'a', not 'b'`) nor a fraction, which may be a text."""
    match parse_expression(text):
        case ast.Tuple([first, *_]) as tree:
            return first.col_offset != tree.col_offset  # it has parentheses
        case ast.BinOp(ast.Constant(), ast.Div(), ast.Constant()):
            return False
    return bool(text)


def literal_of(text: str) -> tuple[Any] | None:
    node = parse_expression(text)
    try:
        return (value_of(node),) if node else None
    except ValueError:
        return None


def has_literals(node: ast.expr, names: dict[str, Any] | None = None) -> bool:
    """Whether it is a call of a function of the request's with nothing but literals."""
    match node:
        case ast.Call(ast.Name(name)) if name not in BUILTINS:
            with suppress(ValueError):
                return bool(arguments_of(node, names))
    return False


def has_call(tree: ast.AST) -> bool:
    return any(isinstance(node, ast.Call) for node in ast.walk(tree))
