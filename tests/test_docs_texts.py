"""Texts as documentation: Markdown, reStructuredText, HTML, scripts, notebooks."""

import contextlib
import json
import time
from dataclasses import asdict

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from retrieval.sources.block import Block
from retrieval.sources.chunk import Chunk
from retrieval.sources.data_file_mentions import in_code, in_text
from retrieval.sources.docstring_signatures import parameters, returns, split_signatures
from retrieval.sources.docstrings import plain, summary, without_examples
from retrieval.sources.text_split import MOST, split_lines, split_text
from retrieval.sources.workers.html_blocks import html_blocks
from retrieval.sources.workers.markdown_blocks import markdown_blocks
from retrieval.sources.workers.mentioned_names import used
from retrieval.sources.workers.notebook_blocks import notebook_blocks
from retrieval.sources.workers.rest_blocks import rest_blocks
from retrieval.sources.workers.script_blocks import script_blocks
from tests.documented import read, write
from tests.selection import examples

pytestmark = pytest.mark.only_when("retrieval/", "history/", "laios/")

CODE = """from vtkmodules.vtkFiltersSources import vtkCylinderSource
import numpy as np

cylinder = vtkCylinderSource()
cylinder.SetResolution(8)
points = np.zeros(3)
"""
NAMES = {
    "vtkmodules.vtkFiltersSources.vtkCylinderSource",
    "vtkmodules.vtkFiltersSources.vtkCylinderSource.SetResolution",
    "numpy.zeros",
}

MARKDOWN = f"""---
title: The guide
---
Sources make data. See `vtk.vtkAlgorithm` and [the page](https://example.org/page).

## Cylinders

A cylinder is round. Make one as follows:

```python
{CODE}```

- one thing
- another thing

| name | size |
|------|------|
| a    | 1    |

```console
$ pip install vtk
```
"""

REST = f"""
The guide
=========

Sources make data. See :class:`~vtk.vtkAlgorithm` and `the page <https://example.org/page>`_.

.. toctree::
   :maxdepth: 1

   other

Cylinders
---------

A cylinder is round. Make one as follows:

.. code-block:: python
   :emphasize-lines: 2
   :no-such-option: x

{"".join(f"   {line}" for line in CODE.splitlines(True))}

* one thing
* another thing

==== ====
name size
==== ====
a    1
==== ====

.. code-block:: console

   $ pip install vtk
"""

HTML = f"""<!doctype html><html><head><title>The guide</title><style>p {{}}</style></head><body>
<nav>Elsewhere</nav><main><h1>The guide<a class="headerlink" href="#">¶</a></h1>
<p>Sources make data. See <code>vtk.vtkAlgorithm</code> and
<a href="https://example.org/page">the page</a>.</p><script>let no = 1</script>
<h2>Cylinders</h2><p>A cylinder is round. Make one as follows:</p>
<div class="highlight-python3"><div class="highlight"><pre>{CODE}</pre></div></div>
<ul><li>one thing</li><li><p>another thing</p></li></ul>
<table><tr><th>name</th><th>size</th></tr><tr><td>a</td><td>1</td></tr></table>
<pre class="language-console">$ pip install vtk</pre></main><footer>No text</footer></body></html>
"""


def chunks_of(folder, name: str, text: str) -> list[Chunk]:
    return read(write(folder, {name: text}) / name)[name].chunks


@pytest.mark.parametrize(
    ("name", "text"), [("guide.md", MARKDOWN), ("guide.rst", REST), ("guide.html", HTML)]
)
def test_a_text_of_each_format_gives_the_same_chunks(tmp_path, name, text):
    """Text by its headings; code with the sentence before it and the names that it uses; lists and
    tables as lines; what surrounds a page is left out; a short command stays in the text."""
    first, code, last = chunks_of(tmp_path, name, text)
    assert (first.id, first.content_type, first.title) == (
        *("guide_concept_0", "CONCEPT", "The guide"),
    )
    said = " ".join(first.content.split())
    assert said.startswith("Sources make data. See `vtk.vtkAlgorithm` and the page (https://exam")
    assert first.symbols == ("vtk.vtkAlgorithm",)
    assert (code.id, code.content_type) == ("guide_code_0", "CODE")
    assert code.title == "The guide › Cylinders"
    assert code.content == f"Make one as follows:\n\n{CODE}".strip()
    assert set(code.symbols) >= NAMES
    assert last.id == "guide_concept_1"
    for line in ("- one thing\n- another thing", "name | size", "a | 1", "$ pip install vtk"):
        assert line in last.content
    assert not {"Elsewhere", "No text", "let no", "toctree", "¶"} & set(said.split())


def test_definitions_of_an_api_are_api_chunks(tmp_path):
    """Sphinx's directives in a text, and the pages that it makes of them."""
    rest = ".. py:function:: pack.load(path, *, mode='r') -> Data\n\n   Loads it.\n\n"
    rest += "   :param path: the file\n   :type path: str\n\n   .. versionadded:: 2.0\n"
    html = '<dl class="py function"><dt class="sig" id="pack.load">pack.load(path)</dt>'
    html += "<dd><p>Loads it.</p><pre>pack.load('a')\npack.load('b')\n1</pre></dd></dl>"
    (chunk,) = chunks_of(tmp_path, "api.rst", rest)
    assert (chunk.id, chunk.symbols) == ("api_api_0", ("pack.load",))
    assert chunk.content.startswith("pack.load(path, *, mode='r') -> Data\n\nLoads it.\npath: the")
    first, code = chunks_of(tmp_path, "page.html", html)
    assert (first.content_type, first.symbols) == ("API_DOC", ("pack.load",))
    assert first.content == "pack.load(path)\n\nLoads it."
    assert code.content_type == "CODE"


def test_rest_reads_no_other_file(tmp_path):
    """What a text includes, or shows as it is, is not in the index."""
    write(tmp_path, {"secret.csv": "secret,here"})
    text = "Text.\n\n.. include:: secret.csv\n\n.. raw:: html\n   :file: secret.csv\n\n"
    text += ".. csv-table:: x\n   :file: secret.csv\n\n.. literalinclude:: secret.csv\n\n"
    text += ".. role:: raw-html(raw)\n   :format: html\n\n:raw-html:`<b>`\n"
    found = chunks_of(tmp_path, "a.rst", text)
    assert found and not any("secret" in chunk.content for chunk in found)


def test_unknown_directives_and_roles_keep_their_text():
    """Extensions of Sphinx that nobody here has heard of."""
    text = ".. grid-item-card:: Title\n   :gutter: 2\n\n   Inner :strange:`name` text.\n"
    said = "\n".join(block.text for block in rest_blocks(text))
    assert "Title" in said and "Inner `name` text." in said


def test_mkdocs_and_myst_are_read_as_they_are_shown():
    """Admonitions, labels, roles and directives in Markdown."""
    text = "(start)=\n\n:::{note}\nSee {func}`~pack.load` and {doc}`the guide <guide>`.\n:::\n\n"
    text += '!!! tip "Quick"\n\n```{code-block} python\n:linenos:\n\npack.load(1)\n```\n\n'
    text += "```{warning}\nInner `pack.Thing` text.\n```\n\n```{toctree}\nother\n```\n"
    said, tip, code, inner = markdown_blocks(text)
    assert (said.text, said.names) == ("See `pack.load` and the guide.", ["pack.load"])
    assert tip.text == "Quick:"
    assert (code.kind, code.text, code.language) == ("code", "pack.load(1)", "python")
    assert (inner.text, inner.names) == ("Inner `pack.Thing` text.", ["pack.Thing"])


def test_a_short_script_is_one_chunk_and_a_long_one_its_functions(tmp_path):
    """Each with the imports before it; the names that it uses are its symbols."""
    (chunk,) = chunks_of(tmp_path, "Cylinder.py", CODE)
    assert (chunk.id, chunk.content) == ("Cylinder_code_0", CODE.strip())
    assert set(chunk.symbols) >= NAMES
    lines = "    x = 1\n" * 200
    body = "".join(f"def part_{n}():\n{lines}    return np.ones({n})\n" for n in (1, 2))
    pieces = chunks_of(tmp_path, "long.py", f"import numpy as np\n{body}")
    assert len(pieces) == 2
    assert all(piece.content.startswith("import numpy as np\n\n") for piece in pieces)
    assert "part_2" in pieces[1].content and "part_1" not in pieces[1].content
    assert "numpy.ones" in pieces[1].symbols


def test_a_notebook_is_its_texts_and_code(tmp_path):
    """Without what it printed and without the commands of the notebook itself."""
    cells = [
        {"cell_type": "markdown", "source": ["# Book\n", "Some text."]},
        {"cell_type": "code", "source": "%matplotlib inline\nimport numpy\nnumpy.ones(3)\nx = 1"},
        {"cell_type": "code", "source": 7, "outputs": [{"text": "secret"}]},
        None,
    ]
    code, text = chunks_of(tmp_path, "book.ipynb", json.dumps({"cells": cells}))
    assert (text.title, text.content) == ("Book", "Some text.")
    assert code.content == "Some text.\n\nimport numpy\nnumpy.ones(3)\nx = 1"


def test_code_is_cut_only_where_it_is_huge(tmp_path):
    """A section's text is cut at paragraphs; a program of a usual size is one chunk."""
    code = "".join(f"value_{n} = {n}\n" for n in range(100))
    text = "\n\n".join(f"Paragraph {n} has some words in it. " * 5 for n in range(20))
    found = chunks_of(tmp_path, "a.md", f"# A\n\n{text}\n\n```python\n{code}```\n")
    concepts = [chunk for chunk in found if chunk.content_type == "CONCEPT"]
    assert len(concepts) > 2
    assert all(chunk.content.startswith("Paragraph") for chunk in concepts)
    (program,) = [chunk for chunk in found if chunk.content_type == "CODE"]
    assert "value_0" in program.content and "value_99" in program.content


def test_data_files_are_told_as_the_text_tells_them(tmp_path):
    """Address, name, type and the sentence; a size only where it is stated; nothing twice; what a
    program writes is none."""
    text = "Get the tooth model from https://vtk.org/files/42400-IDGH.stl (~2 MB). It is fine.\n\n"
    text += "Then read it, and settings.json, as well as `points.csv`:\n\n"
    text += "```python\nread('data/tooth.vtp')\nread('https://vtk.org/a.ply')\nsave('out.png')\n```"
    folder = write(tmp_path, {"reader.md": f"# STL reader\n\n{text}"})
    stl, csv, ply, vtp = sorted(
        read(folder)["reader.md"].data_files,
        key=lambda each: ["stl", "csv", "ply", "vtp"].index(each.file_type.lower()),
    )
    assert (stl.filename, stl.file_type, stl.file_size) == ("42400-IDGH.stl", "STL", "~2 MB")
    assert stl.download_url == "https://vtk.org/files/42400-IDGH.stl"
    assert stl.description.startswith("Get the tooth model from")
    assert stl.source_example == "STL reader"
    assert (csv.filename, csv.download_url, csv.file_size) == ("points.csv", "", "")
    assert ply.download_url == "https://vtk.org/a.ply"
    assert (vtp.filename, vtp.description[:12]) == ("tooth.vtp", "Then read it")


@pytest.mark.parametrize(
    ("doc", "found", "rest"),
    [
        (
            "SetCenter(self, _arg1:float) -> None\nC++: virtual void SetCenter(double _arg1,\n"
            "    double _arg3)\nSetCenter(self, _arg:(float, float)) -> None\nC++: x\n\nSet it.",
            ["(self, _arg1:float) -> None", "(self, _arg:(float, float)) -> None"],
            "Set it.",
        ),
        (
            "f(*args)\nOverloaded function.\n\n1. f(a: int) -> int\n\nFirst.\n\n"
            "2. f(b: str) -> str",
            ["(a: int) -> int", "(b: str) -> str"],
            "First.",
        ),
        ("np.f(a,\n     b=None)\n\nText.", ["(a, b=None)"], "Text."),
        ("f is a function.", [], "f is a function."),
        ("g(x)\n\nText.", [], "g(x)\n\nText."),
    ],
)
def test_signatures_at_the_head_of_a_docstring(doc, found, rest):
    """VTK's, pybind11's and numpy's; other text is left alone."""
    name = "SetCenter" if doc.startswith("Set") else "f"
    assert split_signatures(name, doc) == (found, rest)


def test_what_signatures_say():
    """Names that a call may give, and the one class that is returned, if it is known."""
    assert parameters(["(self, a:int, *, b=1) -> x", "(c:(int, int))"]) == ["a", "b", "c"]
    assert parameters(["(a, **more)"]) is None
    assert parameters(["(a[, b])"]) is None
    assert parameters([]) is None
    assert returns(["(self) -> vtkProperty", "(a) -> vtkProperty"]) == "vtkProperty"
    assert returns(["() -> (float, float)"]) == returns(["() -> A", "() -> B"]) == ""


TEXTS = st.text(
    st.one_of(
        st.sampled_from("#*`-=_:.|<>[](){}!\"'\\ \n\t&;~^>/0aA"), st.characters(codec="utf-8")
    ),
    max_size=300,
)


@pytest.mark.parametrize("blocks", [markdown_blocks, rest_blocks, html_blocks, script_blocks])
@settings(max_examples=examples(60), deadline=None)
@given(TEXTS)
@example("index.html")
@example("https://example.org/")
def test_any_text_is_read(blocks, text):
    """No text breaks a reader, and what it gives goes over the pipe as it is."""
    for block in blocks(text):
        assert Block.from_json(json.loads(json.dumps(asdict(block)))).kind == block.kind


@settings(max_examples=examples(60), deadline=None)
@given(TEXTS)
def test_any_text_is_searched_for_facts(text):
    """Nor do the functions that look into code, docstrings and sentences fail on one."""
    for fact in [*in_text(text, "t"), *in_code(text, "a", "t")]:
        assert fact.filename in text and fact.download_url in text
    used(text)
    summary(plain(without_examples(text)[0]))
    split_signatures("f", f"f({text}")
    with contextlib.suppress(ValueError):  # which it raises of anything that is no notebook
        list(notebook_blocks(text))


@settings(max_examples=examples(60), deadline=None)
@given(st.text(st.sampled_from("ab. \n#A"), max_size=9_000))
def test_cutting_loses_nothing_but_space(text):
    """Every piece has a good size, and all the words are there in their order."""
    for pieces in (split_text(text), split_lines(text)):
        assert "".join("".join(pieces).split()) == "".join(text.split())
        assert all(len(piece) <= MOST for piece in pieces)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.html", "<div>" * 10_000 + "deep"),
        ("a.html", "<ul><li>" * 5_000),
        ("a.md", "> " * 20_000 + "deep"),
        ("a.md", "[" * 50_000),
        ("a.md", "*a_" * 30_000),
        ("a.rst", "- " * 3_000),
        ("a.rst", "`" * 30_000),
        ("a.py", "(" * 100_000),
        ("a.py", "x = " + "-" * 100_000 + "1"),
        ("a.ipynb", "[" * 100_000),
    ],
)
def test_a_hostile_text_ends(tmp_path, name, text):
    """Nesting, and what makes parsers slow: it is read or given up, and soon."""
    begun = time.monotonic()
    assert read(write(tmp_path, {name: text}))[name].path == name
    assert time.monotonic() - begun < 15
