"""The index of documentation: real packages, in real files, by real processes."""

import asyncio
import json
import os
import signal
import stat
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from processes import invoke

from retrieval import document_index
from retrieval.document_index import DocumentIndex
from retrieval.document_index_file import NAME, DocumentIndexFile
from retrieval.embeddings import embed_chunks
from retrieval.errors import DocumentsError, NameTakenError
from retrieval.index_retriever import IndexRetriever
from retrieval.search_words import SearchTerms, spread
from retrieval.sources import worker_process
from retrieval.sources.chunk import Chunk, ParsedPart
from retrieval.sources.source import Part, Source
from retrieval.sources.source_lookup import find_source
from retrieval.sources.source_parts import list_parts
from tests.documented import write
from tests.selection import examples

pytestmark = pytest.mark.only_when("retrieval/", "history/", "laios/", "server/commands/")

ROOT = Path(__file__).parent.parent
LAIOS = Path(sys.executable).with_name("laios")


in_one_worker = pytest.mark.xdist_group("documents")  # which makes the index once


@pytest.fixture(scope="module")
def directory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An index of three packages, plain Python (rich), compiled (orjson), Python around a compiled
    module (pydantic_core), and of a folder of Markdown."""
    place = tmp_path_factory.mktemp("docs")
    index = DocumentIndex(place)
    for target in ("rich", "orjson", "pydantic_core"):
        index.add(find_source(target, imports=True))
    index.add(find_source(str(ROOT / "docs")))
    return place


def run(work):  # type: ignore[no-untyped-def]
    return asyncio.run(work)


@in_one_worker
@pytest.mark.parametrize(
    ("query", "title", "kind"),
    [
        ("how do I add a column to a table", "rich.table.Table", "API_DOC"),
        ("rich.progress.track", "rich.progress.track", "API_DOC"),
        ("what can orjson.dumps serialize", "orjson", ""),
        ("pydantic_core.SchemaValidator", "SchemaValidator", "API_DOC"),
        ("how does the sandbox keep memory within its limit", "sandbox", ""),
    ],
)
def test_questions_find_what_they_ask_for(
    directory: Path, query: str, title: str, kind: str
) -> None:
    """Among the first five chunks is one on the subject, whichever kind of source it is in."""
    found = run(IndexRetriever(directory).search(query, limit=5))
    fitting = [chunk for chunk in found if title.lower() in f"{chunk.title} {chunk.path}".lower()]
    assert any(not kind or chunk.content_type == kind for chunk in fitting), found


@in_one_worker
@pytest.mark.parametrize(
    "query",
    [
        "write a surface mesh to an STL file",
        "a program that counts the words of 'the cat and the dog and the bird'",
        "breadth-first search for the shortest path from A to F in a graph of cities",
        "a class Stack with push, pop, peek and is_empty, and a demonstration",
    ],
)
def test_what_fits_by_chance_is_not_offered(directory: Path, query: str) -> None:
    """Single words of it are in the index, nothing on the subject is. People are shown it."""
    assert run(IndexRetriever(directory).search(query)) == []
    assert run(IndexRetriever(directory).search(query, by_chance=True))


@in_one_worker
def test_a_long_request_is_about_what_one_of_its_sentences_is_about(directory: Path) -> None:
    """Sentences about other things around it do not hide its subject."""
    story = "I keep the moons of planets in a spreadsheet that my neighbour gave to me last year."
    asked = f"{story}\nNow I want to add a column to a table with rich. {story}"
    found = run(IndexRetriever(directory).search(asked))
    assert any("table" in chunk.title.lower() for chunk in found)


PROGRAM = """
from rich.console import Console
from rich.table import Table{more}

def show(console: Console, rows: list[str]) -> None:
    table = Table(title="x"{keyword})
    table.{method}("a")
    for row in rows:
        table.add_row(row)
    console.print(table)
"""


def program(more: str = "", keyword: str = "", method: str = "add_column") -> str:
    return PROGRAM.format(more=more, keyword=keyword, method=method)


@in_one_worker
@pytest.mark.parametrize(
    ("code", "name"),
    [
        (program(method="add_colum"), "rich.table.Table.add_colum"),
        (program(more=", Tabel"), "rich.table.Tabel"),
        (program(keyword=', titel="y"'), "rich.table.Table(titel=)"),
        ("import rich.tables", "rich.tables"),
        ("import orjson\norjson.dump({})", "orjson.dump"),
        (
            "from pydantic_core import SchemaValidater",
            "pydantic_core.SchemaValidater",
        ),
    ],
)
def test_invented_names_are_caught(directory: Path, code: str, name: str) -> None:
    """A method, a class, a keyword, a module, a function that the library does not have: with the
    line, and the exception that Python would raise."""
    (found,) = run(IndexRetriever(directory).unknown_names(code))
    assert found.name == name
    assert found.context in [line.strip() for line in code.splitlines()]
    assert found.kind in ("AttributeError", "ImportError", "TypeError")


@in_one_worker
@pytest.mark.parametrize(
    "code",
    [
        program(),
        "import numpy\nnumpy.nonsense()",
        "try:\n    from rich import nothing\nexcept ImportError:\n    nothing = None",
        "import rich.table\nt = rich.table.Table()\nif hasattr(t, 'zap'):\n    t.zap()",
        "from rich.table import Table\nTable = print\nTable.zap",
        "from rich.table import Table\nclass Mine(Table):\n    def zap(self): ...\nMine().zap()",
        "from rich.table import Table\nfor t in [Table(), 3]:\n    t.zap()",
        "import rich.table as r\nt = r.Table()\n[[1 for y in x if (t := y)] for x in z]\nt.zap()",
        "def f(:",
        "from rich import *\nzap()",
    ],
)
def test_what_is_uncertain_is_no_finding(directory: Path, code: str) -> None:
    """Right code, other libraries, guarded and shadowed names, subclasses, code that does not
    parse."""
    assert run(IndexRetriever(directory).unknown_names(code)) == []


def doubling(depth: int) -> str:
    """Names that each stand for the one before, twice."""
    lines = [f"t{i} = t{i - 1} if c else t{i - 1}" for i in range(1, depth)]
    return "\n".join(
        ["from rich.table import Table", "t0 = Table()", *lines, f"t{depth - 1}.zap()"]
    )


@in_one_worker
@pytest.mark.parametrize(
    "code",
    [
        doubling(39),
        "from rich.table import Table\n" + "t = Table()\n" * 5_000 + "t.zap()\n" * 5_000,
        "from rich.table import Table\ndef f():\n"
        + "    return Table()\n" * 3_000
        + "f().zap()\n" * 3_000,
        "from rich.table import Table\nTable()" + ".zap" * 900,
        "from rich.table import Table\n" + "".join(f"Table().zap{i}\n" for i in range(5_000)),
    ],
    ids=["doubling", "bindings", "returns", "chain", "findings"],
)
def test_code_that_is_hard_to_look_through_ends(directory: Path, code: str) -> None:
    """Programs whose names would take years to follow are given up on, not followed."""
    assert len(run(IndexRetriever(directory).unknown_names(code))) <= 30


@in_one_worker
def test_real_code_is_not_blamed(directory: Path) -> None:
    """This project's own use of rich has no invented name."""
    files = [f for f in (ROOT / "server").rglob("*.py") if "rich" in f.read_text()]
    assert len(files) > 5
    for file in files:
        assert run(IndexRetriever(directory).unknown_names(file.read_text())) == [], file


@in_one_worker
@settings(max_examples=examples(60), deadline=None)
@given(st.text(max_size=80))
def test_no_question_is_an_error(directory: Path, query: str) -> None:
    """Whatever is asked, quotes and operators of the index's own language too."""
    assert isinstance(run(IndexRetriever(directory).search(query)), list)
    assert isinstance(run(IndexRetriever(directory).data_files(query)), list)
    assert all('"' not in term for term in SearchTerms.of(query).terms)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Größe für naïve Ähnlichkeit", "größe für naïve ähnlichkeit"),
        ("setGröße2 ändernÜber", "setgröße2 set größe 2 ändernüber ändern über"),
        ("vtkActor", "vtkactor vtk actor"),
        ("VTKの読み Δx", "vtkの読み vtk の読み δx δ x"),
    ],
)
def test_words_are_cut_by_case_and_script_alone(text: str, words: str) -> None:
    """A letter with a mark is a letter like others, not a word of its own."""
    assert spread(text) == words


async def test_asking_makes_no_file(tmp_path: Path) -> None:
    """An index that was never made is empty, knows nothing and stays unmade."""
    documents = IndexRetriever(tmp_path / "none")
    assert await documents.is_empty()
    assert await documents.search("anything") == []
    assert await documents.unknown_names("import rich") == []
    assert not (tmp_path / "none").exists()


def test_what_nobody_came_to_read_is_read_the_next_time(tmp_path, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    """When the time for a source is up, what was known of the rest stands, and the next call reads
    it."""
    folder = write(tmp_path / "d", {"a.md": "# Apples\n\nRed fruit.", "b.md": "# Pears\n\nGreen."})
    index, documents = DocumentIndex(tmp_path / "i"), IndexRetriever(tmp_path / "i")
    index.add(find_source(str(folder)))
    write(folder, {"a.md": "# Apples\n\nYellow fruit.", "c.md": "# Plums\n\nBlue."})
    with monkeypatch.context() as patch:
        patch.setattr(worker_process, "DEADLINE_S", 0.0)
        change = index.add(find_source(str(folder)))
    assert (change.added, change.changed, change.left) == (0, 0, 2)
    assert all("0 s, is up" in note for notes in change.problems.values() for note in notes)
    assert "Red" in run(documents.search("apples"))[0].content
    change = index.add(find_source(str(folder)))
    assert (change.added, change.changed, change.left) == (1, 1, 0)
    assert "Yellow" in run(documents.search("apples"))[0].content


def test_what_could_not_be_opened_is_read_the_next_time(tmp_path, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    """A file that is away for a moment keeps what was known of it, a module as well as a text."""
    kept = {"a.md": "# Apples\n\nRed fruit.", "shapes/__init__.py": '"""Round."""\n'}
    folder, away = write(tmp_path / "d", kept), tmp_path / "away"
    index, documents = DocumentIndex(tmp_path / "i"), IndexRetriever(tmp_path / "i")
    index.add(find_source(str(folder)))
    parts = index.sources()[0].parts
    write(folder, {"a.md": "# Apples\n\nYellow fruit.", "shapes/__init__.py": '"""Flat ones."""\n'})

    def listed(source: Source) -> list[Part]:
        found = list_parts(source)
        folder.rename(away)
        folder.mkdir()
        return found

    with monkeypatch.context() as patch:
        patch.setattr(document_index, "list_parts", listed)
        change = index.add(find_source(str(folder)))
    assert (change.skipped, change.left) == (0, parts)
    assert "Red" in run(documents.search("apples"))[0].content
    folder.rmdir()
    away.rename(folder)
    change = index.add(find_source(str(folder)))
    assert (change.changed, change.left) == (parts, 0)
    assert "Yellow" in run(documents.search("apples"))[0].content


def test_two_folders_of_one_name_are_not_mixed_up(tmp_path: Path) -> None:
    """The second is refused, with what to do, and the first is still there."""
    index = DocumentIndex(tmp_path / "i")
    first, second = (
        write(tmp_path / each / "docs", {"a.md": f"# {each}\n\nWords."}) for each in ("one", "two")
    )
    index.add(find_source(str(first)))
    with pytest.raises(NameTakenError, match="--name"):
        index.add(find_source(str(second)))
    assert [each.target for each in index.sources()] == [str(first)]
    index.add(find_source(str(second), name="others"))
    assert [each.name for each in index.sources()] == ["docs", "others"]


def test_a_source_that_goes_while_it_is_read_leaves_nothing(tmp_path: Path) -> None:
    """Its parts do not come into the source that has its number now."""
    index = DocumentIndex(tmp_path / "i")
    one, two = (
        find_source(str(write(tmp_path / each, {f"{n}.md": f"# {each}{n}" for n in range(3)})))
        for each in ("one", "two")
    )

    def take_out(done: int, total: int) -> None:
        if done == 2:
            DocumentIndex(tmp_path / "i").remove("one")
            DocumentIndex(tmp_path / "i").add(two)

    with pytest.raises(DocumentsError, match="taken out"):
        index.add(one, take_out)
    assert [(each.name, each.parts) for each in index.sources()] == [("two", 3)]


def test_links_out_of_a_folder_are_not_followed(tmp_path: Path) -> None:
    """Neither those beside its texts nor those in its packages."""
    (tmp_path / "secret.py").write_text('"""A secret."""')
    folder = write(tmp_path / "d", {"a.md": "# A\n\nWords.", "pkg/__init__.py": '"""Mine."""'})
    for name in ("b.py", "pkg/leak.py"):
        (folder / name).symlink_to(tmp_path / "secret.py")
    index = DocumentIndex(tmp_path / "i")
    index.add(find_source(str(folder)))
    documents = IndexRetriever(tmp_path / "i")
    assert run(documents.search("mine")) and run(documents.search("words"))
    assert run(documents.search("secret", by_chance=True)) == []


def test_adding_again_reads_what_has_changed(tmp_path: Path) -> None:
    """A file that is new, changed or gone is told from one that is as it was, and an open
    Documents sees the change."""
    folder = write(tmp_path / "d", {"a.md": "# Apples\n\nRed fruit.", "b.md": "# Pears\n\nGreen."})
    index, documents = DocumentIndex(tmp_path / "i"), IndexRetriever(tmp_path / "i")
    source = find_source(str(folder))
    assert index.add(source).added == 2
    assert [chunk.title for chunk in run(documents.search("red fruit"))] == ["Apples"]
    write(folder, {"a.md": "# Apples\n\nThey taste of nothing at all.", "c.md": "# Plums\n\nBlue."})
    (folder / "b.md").unlink()
    change = index.add(find_source(str(folder)))
    assert (change.added, change.changed, change.removed, change.unchanged) == (1, 1, 1, 0)
    assert run(documents.search("red fruit")) == []
    assert [chunk.title for chunk in run(documents.search("taste"))] == ["Apples"]
    assert index.add(find_source(str(folder))).unchanged == 2
    assert index.remove("d")
    assert run(documents.is_empty())


def test_data_files_are_those_of_the_documents(tmp_path: Path) -> None:
    """Name and address as they stand there; nothing else."""
    text = "# Reading\n\nGet the tooth from https://example.org/data/tooth.stl and read it."
    folder = write(tmp_path / "d", {"stl.md": text})
    DocumentIndex(tmp_path / "i").add(find_source(str(folder)))
    (file,) = run(IndexRetriever(tmp_path / "i").data_files("tooth mesh"))
    assert (file.filename, file.download_url) == ("tooth.stl", "https://example.org/data/tooth.stl")
    assert file.file_size == ""


def test_a_killed_add_leaves_a_usable_index_and_goes_on(tmp_path: Path) -> None:
    """kill -9 while it reads: what was read is there, the next `add` reads the rest."""
    folder = write(tmp_path / "d", {f"{n}.md": f"# Page {n}\n\nWord{n} text." for n in range(400)})
    code = (
        "import sys; from pathlib import Path; from retrieval.document_index import DocumentIndex;"
        "from retrieval.sources.source_lookup import find_source\n"
        "told = lambda done, total: (print(done, flush=True), done == 20 and sys.stdin.read())\n"
        "DocumentIndex(Path(sys.argv[1])).add(find_source(sys.argv[2]), told)"
    )
    words = [sys.executable, "-c", code, str(tmp_path / "i"), str(folder)]
    with subprocess.Popen(
        words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT
    ) as child:
        assert child.stdout
        while child.stdout.readline().strip() != "20":
            assert child.poll() is None
        os.kill(child.pid, signal.SIGKILL)
    index = DocumentIndex(tmp_path / "i")
    (now,) = index.sources()
    assert 0 < now.parts < 400
    change = index.add(find_source(str(folder)))
    assert change.added == 400 - now.parts
    assert change.unchanged == now.parts
    assert run(IndexRetriever(tmp_path / "i").search("word399"))


def test_a_damaged_index_says_what_mends_it(tmp_path: Path) -> None:
    """The error names the command, and `laios docs add` makes the index anew."""
    place = tmp_path / "i"
    place.mkdir()
    (place / NAME).write_bytes(b"no database at all " * 100)
    with pytest.raises(DocumentsError, match="laios docs add"):
        run(IndexRetriever(place).search("x"))
    folder = write(tmp_path / "d", {"a.md": "# Apples\n\nRed."})
    done = laios(tmp_path, place, "add", str(folder))
    assert done.returncode == 0, done.stderr
    assert run(IndexRetriever(place).search("apples"))


async def test_vectors_are_a_second_signal(tmp_path: Path) -> None:
    """With a model for meaning, of what the words found the nearest comes first; without one
    nothing changes."""
    texts = {"a": "# Alpha\n\nfruit fruit fruit", "b": "# Beta\n\nfruit fruit one two"}
    texts["c"] = "# Gamma\n\nfruit one two three four"
    folder = write(tmp_path / "d", {f"{name}.md": text for name, text in texts.items()})
    index = DocumentIndex(tmp_path / "i")
    index.add(find_source(str(folder)))
    meanings = {"Alpha": (0.0, 1.0), "Beta": (1.0, 0.0), "Gamma": (0.8, 0.6), "fruit": (1.0, 0.0)}

    async def embed(texts: Sequence[str]) -> list[tuple[float, ...]]:
        return [meanings.get(text.split()[0], (0.0, 1.0)) for text in texts]

    async def none(texts: Sequence[str]) -> None:
        return None

    plain = [c.title for c in await IndexRetriever(tmp_path / "i").search("fruit")]
    assert plain == ["Alpha", "Beta", "Gamma"]
    assert await embed_chunks(index.file, none) == 0
    assert await embed_chunks(index.file, embed) == 3
    assert await embed_chunks(index.file, embed) == 0
    by_meaning = [c.title for c in await IndexRetriever(tmp_path / "i", embed).search("fruit")]
    assert by_meaning == ["Beta", "Alpha", "Gamma"]
    assert [c.title for c in await IndexRetriever(tmp_path / "i", none).search("fruit")] == plain


def test_one_part_is_one_transaction(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A reading that fails in the middle leaves nothing of itself, and what came before it."""
    folder = write(tmp_path / "d", {"a.md": "# A", "b.md": "# B"})
    source = find_source(str(folder))

    def broken(*_: object) -> Iterator[ParsedPart]:
        yield ParsedPart("a.md", [Chunk("a", "CONCEPT", "A", "alpha")])
        yield ParsedPart("b.md", [Chunk("b", "CONCEPT", "B", "beta"), None])  # type: ignore[list-item]

    monkeypatch.setattr("retrieval.document_index.read_parts", broken)
    with pytest.raises(AttributeError):
        DocumentIndex(tmp_path / "i").add(source)
    found = IndexRetriever(tmp_path / "i")
    assert [chunk.id for chunk in run(found.search("alpha"))] == ["a"]
    assert run(found.search("beta")) == []


def laios(home: Path, place: Path, *words: str) -> subprocess.CompletedProcess[str]:
    kept = {key: value for key, value in os.environ.items() if not key.startswith("LAIOS_")}
    homes = dict.fromkeys(
        ("HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"), str(home)
    )
    environment = {**kept, **homes, "LAIOS_DOCS_DIR": str(place), "OLLAMA_HOST": "127.0.0.1:9"}
    return subprocess.run(
        [LAIOS, "docs", *words], capture_output=True, text=True, env=environment, timeout=120
    )


def test_the_commands(tmp_path: Path) -> None:
    """add, list, search and remove, for people and as JSON; errors say what to do."""
    folder = write(tmp_path / "guide", {"a.md": "# Apples\n\nRed fruit."})
    place = tmp_path / "i"

    def docs(*words: str) -> subprocess.CompletedProcess[str]:
        return invoke("docs", *words, LAIOS_DOCS_DIR=str(place), OLLAMA_HOST="127.0.0.1:9")

    assert "laios docs add" in docs("list").stderr
    done = laios(tmp_path, place, "add", str(folder), "--json")
    assert json.loads(done.stdout)["sources"][0]["added"] == 1, done.stderr
    assert json.loads(docs("list", "--json").stdout)[0]["name"] == "guide"
    (found,) = json.loads(docs("search", "red", "fruit", "--json").stdout)
    assert found["title"] == "Apples"
    nowhere = [(word, name) for word in ("show", "remove") for name in ("nothing", "\udcff")]
    for words in (("search", "zzzz"), *nowhere):
        assert [docs(*words, *json_).returncode for json_ in ((), ("--json",))] == [1, 1]
    assert docs("search", "zzzz", "--json").stdout == "[]\n"
    assert "guide" in docs("remove", "nothing").stderr
    assert docs("remove", "guide").returncode == 0
    named = docs("add", str(folder), "--name", "\udcff")
    assert (named.returncode, "UTF-8" in named.stderr) == (2, True)
    missing = docs("add", "no_such_package_here")
    assert (missing.returncode, "--python" in missing.stderr) == (2, True)


def test_what_is_no_text_in_a_folder_is_skipped_and_told(tmp_path: Path) -> None:
    """How many files, which and why, for people and as JSON; the others are taken in."""
    folder = write(tmp_path / "guide", {"a.md": "# Apples\n\nRed fruit.", "b.md": "", "c.rst": ""})
    (folder / "b.md").write_bytes(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR")
    (folder / "c.rst").write_bytes(b"\x7fELF\2\1\1\0\0\0\0\0\0")
    place = {"LAIOS_DOCS_DIR": str(tmp_path / "i"), "OLLAMA_HOST": "127.0.0.1:9"}
    done = invoke("docs", "add", str(folder), **place)
    assert "1 added, 2 skipped (1 piece," in done.stdout
    assert [name in done.stderr for name in ("b.md", "c.rst", "a.md")] == [True, True, False]
    assert "no text in UTF-8" in done.stderr
    place["LAIOS_DOCS_DIR"] = str(tmp_path / "j")
    (change,) = json.loads(invoke("docs", "add", str(folder), "--json", **place).stdout)["sources"]
    assert (change["added"], change["skipped"]) == (1, 2)


def test_a_long_line_that_is_found_is_cut_at_a_word(tmp_path: Path) -> None:
    """With a mark; a short one is shown whole, and a word that is longer than a line cut."""
    lines = ["red " * 25 + "apples", "x" * 99 + "yz", ("red " * 25).strip()]
    folder = write(tmp_path / "guide", {"a.md": "# Apples\n\n" + "\n\n".join(lines)})
    place = {"LAIOS_DOCS_DIR": str(tmp_path / "i"), "OLLAMA_HOST": "127.0.0.1:9"}
    invoke("docs", "add", str(folder), **place)
    shown = invoke("docs", "search", "red", "apples", **place).stdout.splitlines()
    cut = ["red " * 24 + "red…", "x" * 99 + "…", lines[2]]
    assert [line.strip() for line in shown[1:]] == cut
    whole = invoke("docs", "show", shown[0].split()[-1], **place).stdout
    assert all(line in whole for line in lines)


def test_nobody_else_can_read_the_index(tmp_path):
    """It holds the user's own folders."""
    file = DocumentIndexFile(tmp_path / "docs")
    with file.writing():
        modes = {stat.S_IMODE(path.stat().st_mode) for path in file.path.parent.iterdir()}
    assert modes == {0o600} and stat.S_IMODE(file.path.parent.stat().st_mode) == 0o700
