"""Statements of JavaScript and TypeScript as a request shows them, with the values that comments
behind them state: `c.get("a") // 1`, and the errors: `f(-1) // throws RangeError`."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import TYPE_CHECKING

from pipeline.analysis.call_columns import closing, with_signs
from pipeline.analysis.fences import fences
from pipeline.analysis.grammar import parsed, text_of, walk
from pipeline.analysis.syntax_process import Unread, in_syntax_process
from pipeline.analysis.type_erasure import NotErasable, without_types

if TYPE_CHECKING:
    from tree_sitter import Node

_LANGUAGES = (None, "javascript", "typescript", "jsx", "tsx", "text")
_MOST_READ = 20_000  # characters of a request
_MOST_LINES = 80
_LONGEST = 400  # characters of a line
_DECLARED = ("lexical_declaration", "variable_declaration")
_ASKED = ("call_expression", "member_expression", "subscript_expression", "await_expression")
_LOGS = ("console.log", "console.info", "print")
_GIVES = r"returns?|gives?|is|should (?:be|return|give)|(?:er)?gibt|renvoie|donne|→|-+>|=+>|➞|⇒|==+"
_LEADS = re.compile(
    rf"^(?:{_GIVES}|=|:|prints?|logs?|outputs?|results?|expect(?:ed|s)?|ausgabe|evaluates to)"
    r"\s*(?:in\s+)?:?\s*",
    re.IGNORECASE,
)
_SAYS = re.compile(rf"\s*(?:{_GIVES})\s+", re.IGNORECASE)
_BEHIND = re.compile(r"\s*\([^()]*\)\s*$")
_LOOSELY = re.compile(r"\b(?:order|random|e\.?g|example|approx|about|may|might|could|or)\b", re.I)
_CALL = re.compile(r"(?:new\s+)?[A-Za-z_$][\w$.]{0,80}\(")
_SCALAR = re.compile(r"-?\d+(?:\.\d+)?|true|false|null|undefined|'[^'\n]*'|\"[^\"\n]*\"")
_PLAIN = {"number", "string", "true", "false", "null", "undefined"}
_PARTS = {"array", "object", "pair", "parenthesized_expression"}
_KEYS = {"property_identifier", "computed_property_name"}
_BETWEEN = {*"()[]{},:-'\"", "string_fragment", "escape_sequence"}
_SAYS_NOTHING = ("identifier", "string", "binary_expression")
_MEMBER = re.compile(r"!?\??\.\w+(\()?")
_THROWS = re.compile(
    r"^\W*(?:(?:it )?(?:will |should )?(?:throws?|raises?|errors?|wirft)\b|\w*Error\b)",
    re.IGNORECASE,
)
_THROWS_THIS = re.compile(
    r"//\s*(?:it )?(?:will |should )?(?:throws?|raises?)\s+(?:an?\s+)?([A-Z]\w{0,60})\W*$"
)
# Empty lines between what gives a name its value and a line that uses it.
_APART = re.compile(
    r"^([ \t]*(?:const|let|var)[ \t]+([A-Za-z_$][\w$]*)\b[^\n]{0,400})\n(?:[ \t]{0,20}\n){1,3}"
    r"(?=(?![ \t]*(?:const|let|var)\b)[^\n]{0,60}\([^\n]{0,60}\b\2\b)",
    re.MULTILINE,
)
# Time has to pass before what follows is so.
_PASSES = re.compile(
    r"\b(?:later|wait\w*|elapse\w*|expired?|\d+ ?(?:ms|s|secs?|mins?)|seconds?|minutes?|hours?)\b",
    re.IGNORECASE,
)
_OF_CODE = re.compile(r"=>|\{|\bnew\b")  # in what plain values do not say


@dataclass(frozen=True, slots=True)
class ScriptLine:
    """`code`: a statement, or an expression where a value of it is `stated`, without types.
    `is_unread`: something is stated that is not asked here, such as a variable's value. `shown`:
    what stands there, where the code asks which error it throws."""

    code: str
    stated: str = ""
    is_unread: bool = False
    shown: str = ""

    @property
    def said(self) -> str:
        """The code as the request has it."""
        return self.shown or self.code


Session = tuple[ScriptLine, ...]
"""Statements that go together; one of them at least states a value."""


def stated_sessions(request: str) -> list[Session]:
    """Those that a request shows; [] where it takes too long to read them."""
    if "(" not in request:
        return []
    try:
        return _sessions(_APART.sub(r"\1\n", with_signs(request[:_MOST_READ], "//")))
    except Unread:
        return []


@in_syntax_process
def _sessions(request: str) -> list[Session]:
    blocks = [each for each in fences(request) if each.language in _LANGUAGES]
    beside, at = list[str](), 0
    for each in blocks:
        beside.append(request[at : each.start])
        at = each.end
    beside.append(request[at:])
    texts = [each.code for each in blocks]
    texts += [run for text in beside for run in _runs(text)]
    found = dict.fromkeys(_session(each) for each in texts)
    read = {line for each in found for line in each}
    found |= dict.fromkeys((line,) for t in beside for line in _inline(t) if line not in read)
    return [each for each in found if any(line.stated for line in each) and not _numbered(each)]


def _runs(text: str) -> Iterator[str]:
    """Lines of code that follow each other, among others."""
    lines = [each[:_LONGEST] for each in text.splitlines()[:_MOST_LINES]]
    for is_code, some in groupby(lines, key=_is_code):
        if is_code:
            yield "\n".join(some)


def _is_code(line: str) -> bool:
    if not re.search(r"[(\[=]|//", line):
        return False
    root = _root(line)
    kinds = {each.type for each in root.named_children} if root else set[str]()
    return bool(kinds) and kinds <= {"comment", "expression_statement", *_DECLARED}


def _root(text: str) -> "Node | None":
    tree = parsed("typescript", text)
    return None if tree is None or tree.root_node.has_error else tree.root_node


def _session(text: str) -> Session:
    """() for what defines something, is no code, or goes on after some time."""
    root = _root(text)
    comments = [each for each in walk(root) if each.type == "comment"] if root else []
    plain = bytearray(text.encode("utf-8", "replace"))
    for each in comments:  # one may stand in the statement before it
        plain[each.start_byte : each.end_byte] = b" " * (each.end_byte - each.start_byte)
    code = _root(plain.decode("utf-8", "replace"))
    nodes = code.named_children if code else []
    if not all(each.type in ("expression_statement", *_DECLARED) for each in nodes):
        return ()
    if any(_PASSES.search(text_of(each)) for each in comments):
        return ()
    lines = [_plainly(node) for node in nodes]
    for n, text in _behind(comments, nodes):
        if not lines[n].stated:
            stated = _stated(text)
            says_more = _THROWS.match(text[2:]) or text_of(nodes[n]).startswith(_LOGS)
            is_unread = lines[n].is_unread or bool(says_more and not stated)
            lines[n] = replace(lines[n], stated=stated, is_unread=is_unread)
            if (throws := _THROWS_THIS.match(text)) and nodes[n].type == "expression_statement":
                lines[n] = _throwing(lines[n], throws[1])
    asked = (_asked(each) if each.stated else each for each in lines)
    return tuple(each for each in asked if each.code or each.is_unread)


def _throwing(line: ScriptLine, error: str) -> ScriptLine:
    """What asks which error the line's code throws."""
    asks = f'laiosThrown(async () => {line.code}, "{error}")' if line.code else ""
    return ScriptLine(asks, f'"throws {error}"', shown=line.code)


def _behind(comments: Sequence["Node"], nodes: Sequence["Node"]) -> Iterator[tuple[int, str]]:
    """Each comment behind a statement, with its number, or on a line of its own below it; not the
    latter where one that states a value stands above all, so that they may all stand above."""
    rows = {node.end_point[0]: n for n, node in enumerate(nodes)}
    first = nodes[0].start_byte if nodes else 0
    stand_above = any(_stated(text_of(each)) for each in comments if each.end_byte <= first)
    starts = {node.start_point[0] for node in nodes}
    for each in comments:
        row = each.start_point[0]
        n = rows.get(row)
        if n is not None and nodes[n].end_byte <= each.start_byte:
            yield n, text_of(each)
        elif row not in starts and row - 1 in rows and not stand_above:
            n = rows[row - 1]
            is_within = n + 1 < len(nodes) and nodes[n + 1].start_byte < each.start_byte
            if not is_within:
                yield n, text_of(each)


def _plainly(node: "Node") -> ScriptLine:
    """`f(1) === 2` states its value itself. Without code where it is none that does something."""
    try:
        code = without_types(text_of(node)).strip().rstrip("; ")
    except NotErasable:
        return ScriptLine("")
    inner = node.named_children[0] if node.named_child_count else None
    if inner and inner.type == "binary_expression" and "==" in text_of(inner.children[1]):
        right = text_of(inner.child_by_field_name("right"))
        if _is_literal_text(right):
            return _asked(ScriptLine(text_of(inner.child_by_field_name("left")), right))
    does = node.type in _DECLARED or (inner is not None and inner.type not in _SAYS_NOTHING)
    return ScriptLine(" ".join(code.split("\n")) if does else "")


def _asked(line: ScriptLine) -> ScriptLine:
    """The expression whose value is stated: of what is logged that. A statement that has no value,
    or one of several, goes on as one."""
    root = _root(line.code)
    node = root.named_children[0] if root and root.named_child_count == 1 else None
    inner = node.named_children[0] if node and node.type == "expression_statement" else None
    if inner and inner.type == "call_expression":
        given = inner.child_by_field_name("arguments")
        if given and text_of(inner.child_by_field_name("function")) in _LOGS:
            if given.named_child_count != 1:
                return ScriptLine("", is_unread=True)
            return replace(line, code=text_of(given.named_children[0]))
    if inner and inner.type in _ASKED:
        return line
    return replace(line, stated="", is_unread=True)


def _inline(text: str) -> Iterator[ScriptLine]:
    """`partition([1, 2], n => n > 1) gives [[2], [1]]`, of what plain values do not say."""
    for line in text.splitlines()[:_MOST_LINES]:
        found = _CALL.search(line[:_LONGEST])
        end = _end_of_calls(line, found.end()) if found else 0
        code = line[found.start() : end] if found else ""
        says = _SAYS.match(line, end) if _OF_CODE.search(code) else None
        stated = _first_literal(line[says.end() :]) if says else ""
        if stated and _root(code):
            yield _asked(ScriptLine(code, stated))


def _end_of_calls(text: str, at: int) -> int:
    """Behind a call, whose bracket opens before `at`, and what is called on it; 0 for none."""
    end = closing(text, at)
    while end and (member := _MEMBER.match(text, end)):
        end = closing(text, member.end()) if member[1] else member.end()
    return end


def _first_literal(text: str) -> str:
    if text[:1] in ("[", "{"):
        text = text[: closing(text, 1)]
        return text if _is_literal_text(text) else ""
    found = _SCALAR.match(text)
    return found[0] if found else ""


def _stated(comment: str) -> str:
    """The value that it states alone; "" for none."""
    text = comment.removeprefix("//").removeprefix("/*").removesuffix("*/").strip()
    for _ in range(2):
        text = _LEADS.sub("", text)
    behind = _BEHIND.search(text)
    if behind and _LOOSELY.search(behind[0]):
        return ""
    text = _BEHIND.sub("", text).strip().removesuffix(".").removesuffix(";")
    return text if _is_literal_text(text) else ""


def _is_literal_text(text: str) -> bool:
    root = _root(f"({text})") if 0 < len(text) <= _LONGEST else None
    one = root.named_children[0] if root and root.named_child_count == 1 else None
    inner = one.named_children[0] if one and one.named_child_count == 1 else None
    if inner is None or inner.type != "parenthesized_expression":
        return False
    return all(_is_of_literal(each) for each in walk(inner))


def _is_of_literal(node: "Node") -> bool:
    """Not of what is no number: who writes that complains of it."""
    if node.type in ("identifier", "unary_expression"):
        return text_of(node) in ("Infinity", "undefined") or text_of(node)[:1] == "-"
    return node.type in _PLAIN | _PARTS | _KEYS | _BETWEEN


def _numbered(lines: Sequence[ScriptLine]) -> bool:
    """Whether the comments count the lines."""
    stated = [each.stated for each in lines if each.stated]
    return len(stated) > 1 and stated == [str(n) for n in range(1, len(stated) + 1)]
