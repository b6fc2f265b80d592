"""Where documentation comes from: what `laios docs add TARGET` finds, and its parts."""

import os
import sys
from pathlib import Path

import pytest

from retrieval.sources.page_chunks import MAX_CHUNKS
from retrieval.sources.part_reader import read_parts
from retrieval.sources.source import SourceError
from retrieval.sources.source_lookup import find_source
from retrieval.sources.source_parts import list_parts
from tests.documented import read, write

pytestmark = pytest.mark.only_when("retrieval/", "history/", "laios/")


def parts_of(target: Path) -> dict[str, str]:
    return {part.path: part.fingerprint for part in list_parts(find_source(str(target)))}


def test_an_installed_package_is_found_by_its_import_name_and_by_its_distributions():
    """Both name the same modules; the version and the description come from the distribution."""
    by_import, by_distribution = find_source("bs4"), find_source("beautifulsoup4")
    assert by_import.packages == by_distribution.packages
    assert by_import.kind == "package"
    assert by_import.version.startswith("4.")
    assert [part.path for part in list_parts(by_import)][-1] == "README"


def test_a_compiled_package_and_a_part_of_a_package_are_found():
    """A compiled one is imported where that is asked for; a dotted name is a part of a package."""
    assert find_source("orjson").kind == "package"
    assert find_source("orjson", imports=True).kind == "imported"
    assert find_source("rich", imports=True).kind == "package"
    part = find_source("rich.table")
    assert [each.path for each in list_parts(part) if each.kind == "module"] == ["rich.table"]


def test_a_module_of_the_interpreter_is_found():
    """What has no file is a source as well."""
    assert [part.path for part in list_parts(find_source("sys"))] == ["sys"]


def test_a_virtual_environment_is_as_good_as_its_interpreter(tmp_path):
    """`--python` takes both."""
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "python").symlink_to(sys.executable)
    assert find_source("json", python=tmp_path).python == tmp_path / "bin" / "python"


@pytest.mark.parametrize(
    ("target", "said"),
    [
        ("no_such_package_here", "has no package 'no_such_package_here'"),
        ("./nowhere", "There is no file or folder"),
        ("", "Name a package"),
        ("a\0b", "Name a package"),
        ("-c", "has no package"),
    ],
)
def test_what_is_not_there_is_said(target, said):
    """The message names what was looked for."""
    with pytest.raises(SourceError, match=said):
        find_source(target)


def test_an_interpreter_that_is_none_is_said(tmp_path):
    """A wrong --python is named, whether it is nothing, no program, or another program."""
    with pytest.raises(SourceError, match="no Python interpreter"):
        find_source("json", python=tmp_path / "python")
    (tmp_path / "python").write_text("#!/bin/sh\necho nonsense >&2\n")
    (tmp_path / "python").chmod(0o700)
    with pytest.raises(SourceError, match="cannot be asked for 'json': nonsense"):
        find_source("json", python=tmp_path / "python")


def test_a_folder_with_nothing_to_read_is_said(tmp_path):
    """So is a file of another kind."""
    write(tmp_path, {"picture.png": "x", "setup.cfg": "x"})
    with pytest.raises(SourceError, match="holds no Markdown"):
        find_source(str(tmp_path))
    with pytest.raises(SourceError, match=r"picture\.png is no Markdown"):
        find_source(str(tmp_path / "picture.png"))


@pytest.mark.parametrize(
    "data", [b"\x7fELF\2\1\1 text\0", "Ünïcödé text".encode("utf-16"), b"\xc0" * 9]
)
def test_a_file_that_is_no_text_is_refused_whatever_its_name_says(tmp_path, data):
    """The message says what to do. A few characters of an older encoding do no harm."""
    (tmp_path / "a.md").write_bytes(data)
    with pytest.raises(SourceError, match=r"a\.md is no text in UTF-8.*Save it as one"):
        find_source(str(tmp_path / "a.md"))
    (tmp_path / "b.md").write_bytes("Ein schöner Text.".encode("latin-1"))
    assert parts_of(tmp_path / "b.md")


def test_a_folder_is_read_by_its_files_suffixes_and_its_packages_by_their_modules(tmp_path):
    """Texts, pages, scripts and notebooks by path; a package in it by its modules. Hidden ones,
    environments, settings and pictures are left out."""
    write(
        tmp_path,
        {
            "docs/start.md": "# Start",
            "docs/guide.rst": "Guide\n=====\n\nText.",
            "docs/notes.txt": "Read beside reST.",
            "docs/conf.py": "x = 1",
            "site/page.html": "<p>Text</p>",
            "examples/run.py": "print(1)",
            "examples/book.ipynb": '{"cells": []}',
            "src/pack/__init__.py": '"""A package."""',
            "src/pack/part.py": "def f(): ...",
            "venv/pyvenv.cfg": "",
            "venv/inside.md": "no",
            "notes/requirements.txt": "no",
            "picture.svg": "<svg/>",
        },
    )
    write(tmp_path / ".hidden", {"secret.md": "no"})
    assert list(parts_of(tmp_path)) == [
        *("pack", "pack.part"),
        *("docs/guide.rst", "docs/notes.txt", "docs/start.md"),
        *("examples/book.ipynb", "examples/run.py", "site/page.html"),
    ]


def test_fingerprints_tell_what_has_to_be_read_again(tmp_path):
    """A file's changes with it alone; a package's modules change together, because names of one
    are aliases of another's; what is gone is not listed."""
    write(tmp_path, {"a.md": "a", "b.md": "b", "pack/__init__.py": "", "pack/part.py": ""})
    before = parts_of(tmp_path)
    assert parts_of(tmp_path) == before
    write(tmp_path, {"a.md": "changed", "pack/part.py": "x = 1"})
    after = parts_of(tmp_path)
    assert {path for path in before if before[path] != after[path]} == {
        *("a.md", "pack", "pack.part")
    }
    (tmp_path / "b.md").unlink()
    assert "b.md" not in parts_of(tmp_path)


def test_links_and_circles_and_depth_are_no_trouble(tmp_path):
    """Links are not followed: they may lead in circles, or to a secret outside of the folder."""
    folder = write(tmp_path / "docs", {"start.md": "# Start"})
    write(tmp_path, {"secret.md": "secret"})
    (folder / "circle").symlink_to(folder, target_is_directory=True)
    (folder / "link.md").symlink_to(tmp_path / "secret.md")
    os.mkfifo(folder / "pipe.md")
    (folder / os.fsdecode(b"bad\xff.md")).write_text("x")
    deep = folder.joinpath(*["d"] * 60)
    deep.mkdir(parents=True)
    (deep / "deep.md").write_text("x")
    assert list(parts_of(folder)) == ["start.md"]


def test_ids_are_the_same_whether_all_is_read_or_a_part(tmp_path):
    """An index that reads only what changed has no id twice; files of one name are told apart."""
    write(
        tmp_path,
        {"a/README.md": "# A\n\ntext", "b/README.md": "# B\n\ntext", "start.md": "# S\n\ntext"},
    )
    source = find_source(str(tmp_path))
    parts = list_parts(source)
    whole = {r.path: [c.id for c in r.chunks] for r in read_parts(source, parts)}
    single = {r.path: [c.id for c in r.chunks] for p in parts for r in read_parts(source, [p])}
    assert whole == single
    assert whole == {
        "a/README.md": ["a_README.md_concept_0"],
        "b/README.md": ["b_README.md_concept_0"],
        "start.md": ["start_concept_0"],
    }


def test_what_a_file_has_too_much_of_is_said(tmp_path):
    """Its first pieces are taken in, and a note says that there are more."""
    for sections in (MAX_CHUNKS, MAX_CHUNKS + 1):
        write(tmp_path, {"news.md": "# News\n\nSome text.\n\n" * sections})
        news = read(tmp_path)["news.md"]
        assert len(news.chunks) == MAX_CHUNKS
        said = ["only its first 5,000 pieces are taken in"]
        assert news.problems == (said if sections > MAX_CHUNKS else [])


def test_each_part_has_one_reading_and_its_progress(tmp_path):
    """Also those that cannot be read; the notes say why."""
    write(
        tmp_path, {"good.md": "# Good\n\ntext", "broken.ipynb": "no JSON", "gone.md": "soon gone"}
    )
    (tmp_path / "large.md").write_bytes(b"x" * 5_000_001)
    (tmp_path / "odd.md").write_bytes(b"\xff\xfe text  here")
    source = find_source(str(tmp_path))
    parts = list_parts(source)
    (tmp_path / "gone.md").unlink()
    told: list[tuple[int, int]] = []
    readings = {r.path: r for r in read_parts(source, parts, lambda *a: told.append(a))}
    assert told == [(n, 5) for n in range(1, 6)]
    assert "larger than 5 MB" in readings["large.md"].problems[0]
    assert "FileNotFoundError" in readings["gone.md"].problems[0]
    assert readings["broken.ipynb"].problems
    assert [chunk.title for chunk in readings["good.md"].chunks] == ["Good"]
    assert " text  here" in readings["odd.md"].chunks[0].content
