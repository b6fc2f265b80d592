"""Examples that take more than one call with literals: what an object answers after other calls
(`t = Tally()`, `t.add("tea")`, `t.total()` gives 1), values that a literal cannot say
(`date(2024, 5, 6)`), a variable that the text sets first.

A session (`>>>`), `assert` lines, lines of code with `==`, an arrow or a comment behind them. What
is said of a value is evaluated in the sandbox, never here. Pure.
"""

import ast
import re
import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any

from pipeline.analysis.missing_imports import HOME
from pipeline.analysis.python_syntax import parse, parsed_statements
from pipeline.sandbox.testcase import Arguments, Case, Raises
from pipeline.testcases.examples.call_sessions import cut_off
from pipeline.testcases.examples.example import Found
from pipeline.testcases.examples.statement_lines import (
    StatementLine,
    has_call,
    has_literals,
    literal_of,
    read_lines,
)
from pipeline.testcases.literals import BUILTINS, parse_expression, value_of

_MAX_CHECKS = 60
_MAX_BEFORE = 40  # statements of a session before what is asked
_ASKED = re.compile(r"\b(?i:class|def|function|called|named)[ \t]{1,9}[`'\"*]{0,3}([A-Za-z_]\w*)")
_SETS = (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Import, ast.ImportFrom)
_STEPS = (*_SETS, ast.Delete, ast.Expr)
# Names that a text does something with: `q.add(1)`, `q[1]`, `q = 2`, `f(q)`.
_TOUCHED = re.compile(
    r"\b([A-Za-z_]\w*+)(?=[.\[(][^\s.]|\s{0,9}[-+*/|&]?=[^=])|[(,]\s{0,9}([A-Za-z_]\w*+)(?=[ ,)])"
)
# What is called for a value that is another one each time.
_BY_CHANCE = re.compile(
    r"random|rand(?:int|range)|choices?|sample|shuffle|uniform|uuid[14]|urandom|token_\w+"
    r"|(?:utc)?now|time_ns|monotonic\w*|perf_counter\w*"
)
# Names of the standard library, with those whose other home nobody means beside a date.
_NO_NUMBER = re.compile(r"\b(nan|inf)\b")
_PACKAGES = {"np": "numpy", "pd": "pandas"}  # by the names that everybody gives them
_HOMES = HOME | dict.fromkeys(("date", "datetime", "time", "timezone"), "datetime")


@dataclass(frozen=True, slots=True)
class _Names:
    """What a statement speaks of: `used` names that it does not bind itself, `set_here` those that
    it gives a value, `called` those that it calls, `modules` those that it takes something of."""

    used: frozenset[str]
    set_here: frozenset[str]
    called: frozenset[str]
    modules: frozenset[str]

    @classmethod
    def of(cls, tree: ast.AST) -> "_Names":
        used, bound, called, modules = set[str](), set[str](), set[str](), set[str]()
        for node in ast.walk(tree):
            match node:
                case ast.Name(name, ast.Load()):
                    used.add(name)
                case ast.Name(name) | ast.arg(name):
                    bound.add(name)
                case ast.alias(name, other):
                    bound.add((other or name).partition(".")[0])
                case ast.Attribute(ast.Name(name)):
                    modules.add(name)
                case ast.Call(ast.Name(name)):
                    called.add(name)
        if isinstance(tree, ast.AugAssign):  # `total += 1`
            used |= bound
        set_here = bound if isinstance(tree, _SETS) else frozenset[str]()
        used -= BUILTINS | (frozenset() if isinstance(tree, _SETS) else bound)
        return cls(frozenset(used), frozenset(set_here), frozenset(called), frozenset(modules))

    @property
    def touched(self) -> frozenset[str]:
        """Names whose objects it may change: of methods that it calls, and arguments."""
        return self.used - self.called


@dataclass(slots=True)
class _Session:
    """The statements so far, with the names that each one speaks of; `asked` are names of what the
    request wants to have, whatever the standard library has under them."""

    asked: frozenset[str] = frozenset()
    before: list[tuple[str, _Names]] = field(default_factory=list)
    literals: dict[str, Any] = field(default_factory=dict)  # set in a session (`>>>`)
    known: set[str] = field(default_factory=set)  # names that are set
    unsure: set[str] = field(default_factory=set)  # those of which nobody can say how they are now

    def add(self, line: StatementLine, statement: ast.stmt) -> None:
        source = line.source
        if isinstance(line.wanted, Raises):
            source = f"with suppress({line.wanted.name}): {source}"
        if not isinstance(statement, ast.Expr) or has_call(statement):
            names = _Names.of(parsed_statements(line.source)[0])
            if source != line.source:
                own = frozenset({"suppress"})  # which is imported before it is used
                names = replace(names, used=names.used | own, called=names.called | own)
            self.before.append((source, names))
            if not isinstance(statement, ast.Import | ast.ImportFrom):
                self.known |= names.set_here
            if not isinstance(statement, ast.AugAssign):
                self.unsure -= names.set_here
        match statement:
            case ast.Assign([ast.Name(name)], value) if line.in_session:
                self.literals.pop(name, None)
                with suppress(ValueError):
                    self.literals[name] = value_of(value, self.literals)

    def leading_to(self, names: _Names) -> list[tuple[str, _Names]]:
        """The statements before that these names rest on: those that set or touch them, and what
        they were given to (`bus.on(out.append)`: what `bus` does later changes `out`)."""
        taken: list[tuple[str, _Names]] = []
        looked_for, together = None, set(names.used)
        while together != looked_for:
            looked_for, needed, taken = together, together, []
            for step in reversed(self.before[-_MAX_BEFORE:]):
                earlier = step[1]
                objects = earlier.touched | earlier.called & self.known
                if needed & (earlier.set_here | objects):
                    taken.append(step)
                    needed = (needed - earlier.set_here) | earlier.used
            together = looked_for.union(*(each.touched | each.set_here for _, each in taken))
        return taken[::-1]

    def sets(self, call: ast.expr) -> bool:
        """Whether what is called was made before, as by `count = counter()`."""
        match call:
            case ast.Call(ast.Name(name)):
                return name in self.known
        return False

    def pass_over(self, text: str) -> None:
        """Lines that were not read may have changed what they name."""
        found = {name for pair in _TOUCHED.findall(text) for name in pair}
        self.unsure |= found & self.known


def find(text: str) -> Found:
    """Nothing is noted: text is full of lines that look like code and are no example."""
    found, session, checks = Found(), _Session(frozenset(_ASKED.findall(text))), 0
    for line in read_lines(text):
        tree = None if line.is_text else parse(line.source)
        if tree is None or len(tree.body) != 1:
            session.pass_over(line.source)
            continue
        statement = tree.body[0]
        if line.wanted is not None:
            checks += 1
            if case := _case(line, statement, session):
                found.examples.append(_cut_off(case, line, text))
                found.lines.add(line.number)
        if isinstance(statement, _STEPS) and not _is_foreign(statement):
            session.add(line, statement)
        else:
            session.pass_over(line.source)
        if checks == _MAX_CHECKS:
            break
    return found


def _case(line: StatementLine, statement: ast.stmt, session: _Session) -> Case | None:
    """The line as a case; None for one that is read elsewhere, and where it speaks of what neither
    the session nor the request's code can have."""
    if not isinstance(statement, ast.Expr) or "..." in line.source:
        return None
    literals = session.literals if line.in_session else {}
    if _is_plain(statement.value, line.wanted, literals) and not session.sets(statement.value):
        return None
    expected, stated = _expected(line.wanted)
    wanted = parse_expression(stated)
    if stated and (wanted is None or _is_chance(wanted) or not _is_value(wanted)):
        return None
    names = [_Names.of(statement), *([_Names.of(wanted)] if wanted else [])]
    before = session.leading_to(names[0])
    names += [each for _, each in before]
    if any(session.unsure & (each.used | each.set_here) for each in names):
        return None
    missing = _missing(names)
    imports = {name: _import_of(name, names) for name in missing if name not in session.asked}
    asked = [name for name in missing if not imports.get(name)]
    called = frozenset[str]().union(*(each.called for each in names))
    if not asked or not called.issuperset(asked):
        return None
    lines = [*filter(None, imports.values()), *(source for source, _ in before), line.source]
    source = "\n".join(lines)
    return Case(Arguments(), expected, min(asked, key=source.find), session=source, stated=stated)


def _cut_off(case: Case, line: StatementLine, text: str) -> Case:
    """The case with as many digits of a fraction as are written; a session of Python shows, and an
    assertion compares, all of them."""
    if line.in_session or line.is_asserted or case.stated:
        return case
    cut = cut_off(line.source, case.function, case.expected, str(line.wanted), text)
    before = case.session.removesuffix(line.source)
    return replace(cut, session=f"{before}{cut.session}") if cut else case


def _missing(names: Sequence[_Names]) -> list[str]:
    """The names that none of the statements sets, in their order."""
    known = frozenset[str]().union(*(each.set_here for each in names))
    return sorted(frozenset[str]().union(*(each.used for each in names)) - known)


def _import_of(name: str, names: Sequence[_Names]) -> str:
    """The import of a name of the standard library, "" where it is none."""
    if name in sys.stdlib_module_names and any(name in each.modules for each in names):
        return f"import {name}"
    if package := _PACKAGES.get(name):
        return f"import {package} as {name}"
    if home := _HOMES.get(name):
        return f"from {home} import {name}"
    return ""


def _expected(wanted: str | Raises | None) -> tuple[Any, str]:
    """A literal's value, or True and the source that has to be equal."""
    if isinstance(wanted, Raises):
        return wanted, ""
    literal = literal_of(_items_of(wanted or ""))
    return (literal[0], "") if literal else (True, wanted or "")


def _items_of(wanted: str) -> str:
    """The list in `array([1, 2])`, which is what an array is compared with."""
    match parse_expression(wanted):
        case ast.Call(ast.Name("array") | ast.Attribute(ast.Name("np"), "array"), [items, *_]):
            return _NO_NUMBER.sub(r"float('\1')", ast.unparse(items))
    return wanted


def _is_plain(node: ast.expr, wanted: str | Raises | None, names: dict[str, Any]) -> bool:
    """A call with literals that gives a literal: the other forms read it."""
    plain = isinstance(wanted, Raises) or literal_of(wanted or "") is not None
    return plain and has_literals(node, names)


def _is_chance(node: ast.expr) -> bool:
    """Whether it is another value each time that it is computed: it describes, and states none."""
    for each in ast.walk(node):
        match each:
            case ast.Call(ast.Name(name) | ast.Attribute(attr=name)) if _BY_CHANCE.fullmatch(name):
                return True
            case ast.Name("random" | "secrets") | ast.Attribute(ast.Name("time"), "time"):
                return True
    return False


def _is_value(node: ast.expr) -> bool:
    """Whether it says one value: no choice (`4 or 5`), no range (`4-5`), no note (`4 (int)`),
    nothing left out (`[1, ...]`), nothing like it (`~4`) or but it (`not 4`)."""
    for each in ast.walk(node):
        match each:
            case ast.BoolOp() | ast.Compare() | ast.IfExp() | ast.Lambda() | ast.Starred():
                return False
            case ast.Constant(value) if value is ...:
                return False
            case ast.UnaryOp(ast.Not() | ast.Invert()):
                return False
            case ast.BinOp(_, ast.Add(), ast.UnaryOp()):  # `4 +- 1`
                return False
            case ast.BinOp(ast.Constant(), ast.Sub(), ast.Constant()):
                return False
            case ast.Call(func) if not isinstance(func, ast.Name | ast.Attribute):
                return False
    return True


def _is_foreign(statement: ast.stmt) -> bool:
    """An import of what the sandbox does not have: of the code that is asked for, or a package."""
    match statement:
        case ast.Import(names):
            modules = [each.name for each in names]
        case ast.ImportFrom(module):
            modules = [module or ""]
        case _:
            return False
    known = sys.stdlib_module_names | {*_PACKAGES.values()}
    return any(m.partition(".")[0] not in known for m in modules)
