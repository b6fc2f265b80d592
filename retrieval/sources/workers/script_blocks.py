"""A Python script → blocks."""

import ast
import re
from collections.abc import Iterator

from pipeline.analysis.python_syntax import first_line, parse
from retrieval.sources.block import Block
from retrieval.sources.workers.mentioned_names import used

WHOLE = 4_000  # characters
PIECE = 2_400
MAX_SCRIPT = 200_000  # a longer one is a block of its own
MAX_IMPORTS = 800

_CELL = re.compile(r"^#\s?%%|^#{20,}\s*$", re.MULTILINE)


def script_blocks(text: str) -> Iterator[Block]:
    """The whole program when it is short, else its functions and sections, each with the program's
    imports before it."""
    text = text.strip("\n")
    if len(text) <= WHOLE:
        if text.strip():
            yield Block("code", text, language="python", names=used(text))
        return
    tree = parse(text, MAX_SCRIPT)
    if tree is None:
        yield Block("code", text, language="python")
        return
    lines = text.split("\n")
    imports = [node for node in tree.body if isinstance(node, ast.Import | ast.ImportFrom)]
    start = "\n".join(_source(lines, node) for node in imports)[:MAX_IMPORTS]
    for piece in _pieces(lines, tree):
        code = f"{start}\n\n{piece}" if start else piece
        yield Block("code", code, language="python", names=used(code))


def _pieces(lines: list[str], tree: ast.Module) -> Iterator[str]:
    """Statements together up to the size of a piece; a definition that is larger is alone."""
    piece: list[str] = []
    end = 0
    for node in tree.body:
        first = first_line(node)
        before = "\n".join(lines[end : first - 1])  # comments
        end = node.end_lineno or first
        if isinstance(node, ast.Import | ast.ImportFrom):
            continue
        part = f"{before}\n{chr(10).join(lines[first - 1 : end])}".strip("\n")
        if piece and (sum(map(len, piece)) + len(part) > PIECE or _CELL.search(before)):
            yield "\n\n".join(piece)
            piece = []
        piece.append(part)
    if piece:
        yield "\n\n".join(piece)


def _source(lines: list[str], node: ast.stmt) -> str:
    return "\n".join(lines[node.lineno - 1 : node.end_lineno])
