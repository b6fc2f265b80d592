"""What the documents name is there: files, links, modules, functions and docstrings."""

import ast
import re
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
MADE = {"build", "dist"}  # by packaging tools
DIRECTORIES = [
    path
    for path in ROOT.iterdir()
    if path.is_dir() and path.name not in MADE and path.name[0] != "."
]
FILES = [*ROOT.glob("*.*"), *(path for top in DIRECTORIES for path in top.rglob("*.*"))]
DOCUMENTS = sorted(str(path.relative_to(ROOT)) for path in FILES if path.suffix == ".md")
OURS = {path.name for path in DIRECTORIES}
IN_PACKAGES = [name for name in DOCUMENTS if name.endswith("/README.md")]


def text_of(document: str) -> str:
    return (ROOT / document).read_text()


def words_of(document: str) -> list[str]:
    """What stands between single backticks, outside of fenced blocks."""
    prose = re.sub(r"^(`{3,}).*?^\1`*$", "", text_of(document), flags=re.DOTALL | re.MULTILINE)
    return [" ".join(word.split()) for word in re.findall(r"`([^`]+)`", prose)]


def is_there(path: str, document: str) -> bool:
    """From the repository's root, or beside the document."""
    return (ROOT / path).exists() or (ROOT / document).parent.joinpath(path).exists()


@pytest.mark.parametrize("document", DOCUMENTS)
def test_every_repository_path_that_a_document_names_exists(document):
    """`pipeline/review/judge.py` everywhere; bare `judge.py` in the README of its package."""
    for word in words_of(document):
        ours = re.fullmatch(r"[\w./-]+/[\w./-]*", word) and word.partition("/")[0] in OURS
        bare = document in IN_PACKAGES and re.fullmatch(r"\w+\.py|\w+/", word)
        assert not (ours or bare) or is_there(word, document), f"{document}: `{word}`"


@pytest.mark.parametrize("document", DOCUMENTS)
def test_every_link_of_a_document_leads_to_a_file(document):
    """Markdown's own links and pictures, and HTML's pictures; what is written as code is none."""
    prose = re.sub(r"(`+)(?!`).+?(?<!`)\1(?!`)", "", text_of(document))
    found = re.findall(r"\]\(([^)#\s]+)[^)]*\)|src(?:set)?=\"([^\"]+)\"", prose)
    for link in (one or other for one, other in found):
        beside = (ROOT / document).parent / link
        assert link.startswith(("http://", "https://")) or beside.exists(), f"{document}: {link}"


@pytest.mark.parametrize("document", DOCUMENTS)
def test_every_module_that_a_document_runs_exists(document):
    """`python -m tools.bench.files` is a file, or a package with a `__main__.py`."""
    for module in re.findall(r"python\s+-m\s+(tools[\w.]*)", text_of(document)):
        path = module.rstrip(".").replace(".", "/")
        there = (ROOT / f"{path}.py").exists() or (ROOT / path / "__main__.py").exists()
        assert there, f"{document}: {module}"


@pytest.mark.xdist_group("source")
@pytest.mark.parametrize("document", ["PIPELINE.md", *IN_PACKAGES])
def test_every_function_that_a_diagram_names_is_defined(document):
    """`run_judge()` and `Inspection.look()` are functions of ours."""
    named = set(re.findall(r"(\w+)\(\)", text_of(document)))
    assert named <= functions(), named - functions()


@cache
def functions() -> set[str]:
    """The names of all functions and methods of the product."""
    product = [path for path in DIRECTORIES if path.name not in ("tests", "tools")]
    return {
        node.name
        for file in (file for path in product for file in path.rglob("*.py"))
        for node in ast.walk(ast.parse(file.read_text()))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    }


@pytest.mark.xdist_group("source")
def test_each_test_states_its_behaviour():
    """In its docstring, as CONTRIBUTING.md says."""
    silent = [
        f"{path.name}: {node.name}"
        for path in sorted((ROOT / "tests").glob("test_*.py"))
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and node.name.startswith("test_")
        and not ast.get_docstring(node)
    ]
    assert not silent
