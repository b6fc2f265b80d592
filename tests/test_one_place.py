"""What is done in one place, so that its guards and its words hold for all, read off the source."""

import ast
import re
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.test_layering import ROOT, TOP_LEVEL, files

pytestmark = pytest.mark.xdist_group("source")
FENCE = r"`{3}\w*\n|\n`{3}"  # one that is written; in patterns none has a line's end beside it


def names(nodes: list[ast.AST]) -> Iterator[str]:
    """`ast.parse`, `compile`; what is imported out of a module as if it were written so."""
    for node in nodes:
        match node:
            case ast.Name(name):
                yield name
            case ast.Attribute(ast.Name(module), name):
                yield f"{module}.{name}"
            case ast.ImportFrom(module, aliases):
                yield from (f"{module}.{alias.name}" for alias in aliases)


def texts(nodes: list[ast.AST]) -> Iterator[str]:
    """Those of the code, with a word for each value that is put in, and without docstrings."""
    docstrings = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
    for node in nodes:
        match node:
            case ast.JoinedStr(parts):
                yield "".join(
                    str(part.value) if isinstance(part, ast.Constant) else "x" for part in parts
                )
            case ast.BinOp(ast.Constant(str(text)), ast.Mult()):
                yield f"{text * 3}\n"
            case ast.Constant(str(text)) if id(node) not in docstrings:
                yield text


@cache
def read(path: Path) -> tuple[frozenset[str], str]:
    """A file's names and its texts, with a mark between two."""
    nodes = [*ast.walk(ast.parse(path.read_text()))]
    return frozenset(names(nodes)), "\0".join(texts(nodes))


def uses(*wanted: str) -> Callable[[Path], bool]:
    return lambda path: not read(path)[0].isdisjoint(wanted)


def says(pattern: str) -> Callable[[Path], bool]:
    return lambda path: re.search(pattern, read(path)[1]) is not None


@pytest.mark.parametrize(
    ("does", "places"),
    [
        (
            uses("ast.parse", "ast.PyCF_ONLY_AST", "compile", "eval", "exec"),
            ["pipeline/analysis/python_syntax.py"],
        ),
        (
            uses("ast.literal_eval"),
            [
                "pipeline/analysis/python_syntax.py",
                "pipeline/testcases/literals.py",  # both: of trees that it has made
                "pipeline/testcases/object_calls.py",
            ],
        ),
        (uses("sqlite3.connect"), ["history/index_file.py"]),
        (says("preferences, as far as"), ["pipeline/prompts.py"]),
        (says("Earlier work that"), ["pipeline/prompts.py"]),
        # A sketch begins the block of a reply.
        (says(FENCE), ["laios/markdown_text.py", "pipeline/rag/sketch.py"]),
    ],
    ids=["parses", "reads literals", "opens databases", "preferences", "earlier work", "fences"],
)
def test_what_has_one_place_is_done_there_alone(does, places):
    """Programs of the sandbox are on their own, with nothing of ours beside them."""
    product = (path for package in TOP_LEVEL for path in files(package))
    ours = (path for path in product if path.parent.name != "sandbox_scripts")
    assert sorted(str(path.relative_to(ROOT)) for path in ours if does(path)) == places
