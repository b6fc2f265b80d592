"""Searching what an indexed library has for a question that names the library: its words, and a
sketch of the answer's code."""

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from retrieval.chunk_weights import worth
from retrieval.document_index import DocumentIndex
from retrieval.index_retriever import IndexRetriever
from retrieval.index_tables import TABLES
from retrieval.sources.source_lookup import find_source
from tests.documented import environment, read

pytestmark = pytest.mark.only_when("retrieval/", "server/api/")

SHAPES = '''"""Shapes to draw with."""
from typing_extensions import deprecated

from shapes.ring import Ring
'''
RING = '''"""Rings."""
from typing_extensions import deprecated


class Ring:
    """A round shape that can be drawn and turned into a picture."""

    def scale(self, factor: float) -> None:
        """Makes the ring larger or smaller."""

    def rotate(self, angle: float) -> None:
        """Turns the ring around its middle."""

    @deprecated("The `turn` method is deprecated; " "use `rotate` instead.")
    def turn(self, angle: float) -> None:
        pass


def save_picture(ring: Ring, file: str) -> None:
    """Writes the pixels of a drawing."""


@deprecated("Use `save_picture` instead.")
def dump(ring: Ring, file: str) -> None:
    """Writes a picture of a ring to a file."""
'''
OLD = '''"""As it was in the first version."""


def draw_ring(size: float) -> None:
    """Draws a ring of this size on paper."""
'''
NEW = '''"""Drawing."""


def draw(size: float, colour: str = "") -> None:
    """Draws a ring of this size on paper."""
'''
OTHER = '''"""Papers."""


def draw_ring(size: float) -> None:
    """Draws a ring of this size on paper."""
'''
FILES = {
    "shapes/__init__.py": SHAPES,
    "shapes/ring.py": RING,
    "shapes/v1/__init__.py": "",
    "shapes/v1/drawing.py": OLD,
    "shapes/drawing.py": NEW,
    "paper_mill/__init__.py": OTHER,
}


@pytest.fixture(scope="module")
def documents(tmp_path_factory: pytest.TempPathFactory) -> IndexRetriever:
    """An index of two libraries that were written for these tests."""
    place = tmp_path_factory.mktemp("libraries")
    python = environment(place / "env", FILES)
    index = DocumentIndex(place / "docs")
    for target in ("shapes", "paper_mill"):
        index.add(find_source(target, python=python))
    return IndexRetriever(place / "docs")


def titles(documents: IndexRetriever, query: str, sketch: str = "") -> list[str]:
    return [chunk.title for chunk in asyncio.run(documents.search(query, sketch=sketch))]


def test_a_question_that_names_a_library_is_answered_from_it_alone(
    documents: IndexRetriever,
) -> None:
    """Whatever fits in another library, which may be named with a hyphen too."""
    assert all(t.startswith("shapes") for t in titles(documents, "draw a ring with shapes"))
    assert all(t.startswith("paper_mill") for t in titles(documents, "draw a ring: Paper-Mill"))
    assert {t.partition(".")[0] for t in titles(documents, "draws a ring on paper")} == {
        "shapes",
        "paper_mill",
    }
    assert asyncio.run(documents.libraries("a ring with Paper-Mill")) == ["paper_mill"]
    assert asyncio.run(documents.libraries("a ring on paper")) == []


def test_a_library_is_imported_by_another_name_than_it_is_installed_by(tmp_path: Path) -> None:
    """`pillow` is `PIL`; of several modules the one that is named, or else the first."""
    files = {"PIL/__init__.py": OTHER, "PIL/Image.py": OTHER, "extras/__init__.py": OTHER}
    files["pillow-1.0.dist-info/METADATA"] = "Name: pillow\nVersion: 1.0\n"
    files["pillow-1.0.dist-info/RECORD"] = "".join(f"{name},,\n" for name in files)
    index = DocumentIndex(tmp_path / "docs")
    index.add(find_source("pillow", python=environment(tmp_path / "env", files)))
    documents = IndexRetriever(tmp_path / "docs")
    assert asyncio.run(documents.libraries("a picture with Pillow")) == ["PIL"]
    assert asyncio.run(documents.libraries("what are extras?")) == ["extras"]


def test_the_library_that_is_meant_is_imported(documents: IndexRetriever) -> None:
    """What stands as a library, before what may be a word; else the first one."""
    for asked in (
        "shapes: make a paper-mill",
        "a paper_mill with shapes",
        "Paper_mill's `shapes`?",
    ):
        first = "paper_mill" if asked.startswith("Paper_mill's") else "shapes"
        assert asyncio.run(documents.libraries(asked))[0] == first
    assert asyncio.run(documents.libraries("paper_mill shapes")) == ["paper_mill", "shapes"]
    for words in (
        "lots of shapes with",
        "how many shapes 10 at a time using",
        "shapes in one: via",
    ):
        assert asyncio.run(documents.libraries(f"{words} paper_mill"))[0] == "paper_mill"


def test_a_package_within_a_namespace_is_imported_by_its_whole_name(tmp_path: Path) -> None:
    """The distribution's name and any module of it lead there; the namespace alone does not."""
    files = {"ns/thing/__init__.py": OTHER, "ns/thing/inner.py": OTHER}
    files["ns_thing-1.0.dist-info/METADATA"] = "Name: ns-thing\nVersion: 1.0\n"
    files["ns_thing-1.0.dist-info/RECORD"] = "".join(f"{name},,\n" for name in files)
    index = DocumentIndex(tmp_path / "docs")
    index.add(find_source("ns-thing", python=environment(tmp_path / "env", files)))
    documents = IndexRetriever(tmp_path / "docs")
    for name in ("ns-thing", "ns.thing", "ns.thing.inner", "ns_thing's"):
        assert asyncio.run(documents.libraries(f"a ring with {name}")) == ["ns.thing"]
    assert asyncio.run(documents.libraries("a ring with ns")) == []


def test_names_are_looked_up_in_the_library_that_the_question_names(
    documents: IndexRetriever,
) -> None:
    """`draw_ring` is both libraries'."""
    assert titles(documents, "draw_ring with paper-mill")[0] == "paper_mill.draw_ring"
    assert all(t.startswith("shapes") for t in titles(documents, "`draw_ring` of shapes"))


def test_what_is_kept_for_old_programs_comes_later(documents: IndexRetriever) -> None:
    """Though its name fits better."""
    found = titles(documents, "draw a ring with shapes")
    assert found.index("shapes.drawing.draw") < found.index("shapes.v1.drawing.draw_ring")


@pytest.mark.parametrize(
    ("title", "less"),
    [
        ("shapes.v1.drawing.draw_ring", True),
        ("pydantic.deprecated.tools", True),
        ("pydantic › v2.11.5 (2025-05-22) › Fixes", True),
        ("3.0b1 › What's Changed", True),
        ("shapes.drawing.draw", False),
        ("shapes › 2.1 Installing", False),
        ("rich.traceback.Stack", False),
    ],
)
def test_news_and_what_is_old_count_less(title: str, less: bool) -> None:
    """Chapters with numbers are no news."""
    with closing(sqlite3.connect(":memory:")) as database:
        for table in TABLES:
            database.execute(table)
        assert (worth(database, {1: title}, ())[1] < 1) is less


def test_what_a_sketch_uses_comes_first(documents: IndexRetriever) -> None:
    """Also of one that is cut off; names that the library does not have lead nowhere, and the base
    of a sketched class is no answer."""
    asked = "How do I make something larger with shapes?"
    sketch = "from shapes import Ring\n\nring = Ring()\nring.scale(2)\nring.polish()\nring.sc("
    assert titles(documents, asked, sketch)[0] == "shapes.ring.Ring"
    sketch = "from shapes.drawing import draw\n\nring.rotate(draw(3, colou"
    assert titles(documents, asked, sketch)[0] == "shapes.drawing.draw"
    assert titles(documents, asked, "from shapes import Ring\n\nclass Mine(Ring):\n    pass") == (
        titles(documents, asked, "pass")
    )


def test_behind_what_a_sketch_uses_comes_what_fits_some_words(documents: IndexRetriever) -> None:
    """Words that alone would fit by chance are of a library that the question names."""
    asked = "How do I get my ring onto the wall of the office with shapes?"
    assert titles(documents, asked) == []
    found = titles(documents, asked, "from shapes.drawing import draw")
    assert found[0] == "shapes.drawing.draw"
    assert "shapes.ring.Ring" in found


def test_a_sketch_says_nothing_where_no_library_is_named(documents: IndexRetriever) -> None:
    """What a sketch imports is not taken for the question's subject."""
    assert titles(documents, "sort a list of numbers", "from shapes import draw") == []


def test_in_place_of_a_deprecated_name_comes_what_is_to_be_used_instead(
    documents: IndexRetriever,
) -> None:
    """A model writes what it learned long ago; the library itself says what came after it."""
    asked = "How do I put a ring on a disk with shapes?"
    found = titles(documents, asked, "from shapes.ring import Ring, dump\n\ndump(Ring(), 'a')")
    assert found[0] == "shapes.ring.save_picture"
    found = asyncio.run(documents.search(asked, sketch="ring.turn(90)"))
    assert "rotate(angle: float)" in found[0].content


def test_a_deprecated_name_says_so(tmp_path: Path) -> None:
    """Decorators of PEP 702 stand before the docstring."""
    python = environment(tmp_path / "env", FILES)
    chunks = read("shapes", python)["shapes.ring"].chunks
    (dump,) = [each.content for each in chunks if each.title == "shapes.ring.dump"]
    assert "\n\nDeprecated: Use `save_picture` instead.\n\nWrites a picture" in dump
    ring = next(each.content for each in chunks if each.title == "shapes.ring.Ring")
    assert "turn(angle: float) -> None: Deprecated: The `turn` method is deprecated; use" in ring


def test_a_box_is_no_summary(tmp_path: Path) -> None:
    """Of documentation that begins with one, the first sentence behind it says what a thing is."""
    boxed = 'class Box:\n    def open(self):\n        """!!! note "Usage"\n            [x](y)\n\n'
    files = {"boxes/__init__.py": f'{boxed}        Opens the box. Later.\n        """\n'}
    chunks = read("boxes", environment(tmp_path / "env", files))["boxes"].chunks
    assert any("open(): Opens the box.\n" in f"{each.content}\n" for each in chunks)
