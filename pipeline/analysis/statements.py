"""Code → its top-level statements. Python by `ast`, other languages by tree-sitter."""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from pipeline.analysis.grammar import parsed, text_of
from pipeline.analysis.imports import Import, imports_in
from pipeline.analysis.python_syntax import Definition, first_line, parse
from pipeline.analysis.syntax_process import Unread, in_syntax_process

if TYPE_CHECKING:
    from tree_sitter import Node

Kind = Literal["head", "import", "definition", "guard", "other"]
_IMPORT = re.compile(r"(import|using|include|use)(_\w+)?|preproc_include")
_HEAD = re.compile(r"package_(clause|declaration|header)|hash_bang_line|php_tag")


@dataclass(frozen=True, slots=True)
class Statement:
    """`above` are the lines of comments and blanks before it. `key` is the same for statements that
    do the same, "" for what does nothing. `imports` are a Python import's, `binds`: it gives
    something a name."""

    text: str
    above: tuple[str, ...] = ()
    key: str = ""
    kind: Kind = "other"
    imports: tuple[Import, ...] = ()
    binds: bool = False


def statements(language: str, code: str) -> tuple[list[Statement], str] | None:
    """The statements in order, and what stands after the last one; None for code that does not
    parse (in time), is too deep to be looked at, or is of a language without a grammar."""
    try:
        found = _python(code) if language == "python" else _other(language, code)
    except (RecursionError, Unread):  # to dump a tree takes more than to parse it
        return None
    if found is None:
        return None
    lines = code.split("\n")
    made: list[Statement] = []
    end = 0
    for first, last, key, kind, imports, binds in found:
        text, above = "\n".join(lines[first - 1 : last]), tuple(lines[end : first - 1])
        if imports:
            imports = _with_comment(imports, text)
        made.append(Statement(text, above, key, kind, imports, binds))
        end = last
    return made, "\n".join(lines[end:]).strip("\n")


_Unit = tuple[int, int, str, Kind, tuple[Import, ...], bool]  # first and last line, and the rest


def _python(code: str) -> list[_Unit] | None:
    tree = parse(code.replace("\f", " "))
    if tree is None:
        return None
    units: list[_Unit] = []
    for nodes in _by_lines(tree.body):
        first, last = first_line(nodes[0]), nodes[-1].end_lineno or nodes[-1].lineno
        key = "\n".join(map(ast.dump, nodes))
        imports: tuple[Import, ...] = ()
        kind: Kind = "other"
        if all(isinstance(node, ast.Import | ast.ImportFrom) for node in nodes):
            kind = "import"
            imports = tuple(each for node in nodes for each in imports_in(node))
        elif isinstance(nodes[0], Definition):
            kind = "definition"
        elif isinstance(nodes[0], ast.If) and "__name__" in ast.dump(nodes[0].test):
            kind = "guard"
        binds = kind == "definition" or isinstance(nodes[0], ast.Assign | ast.AnnAssign)
        units.append((first, last, key, kind, imports, binds))
    return units


def _by_lines(body: list[ast.stmt]) -> Iterator[list[ast.stmt]]:
    """Statements that share a line stay together."""
    group: list[ast.stmt] = []
    for node in body:
        if group and first_line(node) > (group[-1].end_lineno or 0):
            yield group
            group = []
        group.append(node)
    if group:
        yield group


def _with_comment(imports: tuple[Import, ...], text: str) -> tuple[Import, ...]:
    """A remark such as `# noqa: F401` behind a single import stays with it."""
    _, mark, said = text.partition("#")
    if len(imports) > 1 or "\n" in text or not mark:
        return imports
    [only] = imports
    return (replace(only, comment=f"#{said}".rstrip()),)


@in_syntax_process
def _other(language: str, code: str) -> list[_Unit] | None:
    tree = parsed(language, code)
    if tree is None or tree.root_node.has_error:
        return None
    units: list[_Unit] = []
    for node in tree.root_node.named_children:
        first, last = node.start_point[0] + 1, _last_line(node)
        if "comment" in node.type or (units and first <= units[-1][1]):
            continue
        key = " ".join(text_of(node).split())
        kind: Kind = "other"
        if _HEAD.fullmatch(node.type):
            kind = "head"
        elif _IMPORT.fullmatch(node.type):
            kind = "import"
        elif re.search("definition|declaration|item", node.type):
            kind = "definition"
        units.append((first, last, key, kind, (), kind == "definition"))
    return units


def _last_line(node: "Node") -> int:
    end = node.end_point
    return end.row if end.column == 0 else end.row + 1
