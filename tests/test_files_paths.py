"""Where a project's files may go: into its directory, and nowhere else."""

import json
import os
import re
import unicodedata

import pytest

from laios.errors import NotWritten
from laios.git_patch import BadPatch, read_patch, write_patch
from laios.project_writer import write_project
from laios.safe_paths import BadPath, check_path, check_paths
from pipeline.errors import Unreadable
from pipeline.projects.manifest import read_manifest

ATTACKS = [
    "../evil",
    "..",
    "a/../../evil",
    "a/..",
    "/etc/passwd",
    "//server/share",
    "~/x",
    "~root/.ssh/authorized_keys",
    "C:/Windows/x",
    "C:x",
    "\\\\server\\share",
    "a\\..\\..\\evil",
    "a//b",
    "a/",
    "./a",
    "a/./b",
    ".",
    "",
    " ",
    "a\0b",
    "a\nb",
    "a\rb",
    "a\x1b[2Jb",
    "a\x7fb",
    "\u202egnp.exe",
    "a\u200bb",
    ".git/hooks/pre-commit",
    "sub/.GIT/config",
    "git~1/config",
    ".g\u200cit/config",
    ".hg/hgrc",
    ".svn/entries",
    "CON",
    "aux.txt",
    "dir/nul.tar.gz",
    "COM1",
    "lpt\u00b9.txt",
    "file.txt:stream",
    "a*b",
    "what?",
    "<script>",
    'quo"te',
    "a|b",
    "tick`s",
    "trailing.",
    "trailing ",
    "-rf",
    "dir/--help",
    ".laios-tests.py",
    "x" * 201,
    "漢" * 90,
    unicodedata.normalize("NFD", "é.py"),
    "\ud800.py",
    "\uff0e\uff0e/evil",
]
PAIRS = [
    ("README.md", "readme.MD"),
    ("straße.py", "STRASSE.py"),
    ("a.py", "a.py"),
    ("a", "a/b.py"),
    ("A/b.py", "a"),
    ("\ufb01x.py", "fix.py"),
]
GOOD = [
    "a.py",
    ".gitignore",
    "docs/.gitkeep",
    "src/[id]/(group)/$x+y@2,3.tsx",
    "ü/漢字 (1).md",
    "conftest.py",
    "console.py",
    "a-b/c_d/E.F.g",
    "__init__.py",
]


def plan(*paths):
    return json.dumps({"files": [{"file_path": path, "description": "d"} for path in paths]})


@pytest.mark.parametrize("path", ATTACKS, ids=ascii)
def test_no_path_leads_elsewhere(path, tmp_path):
    """Refused in a plan, in a patch and by the writer; nothing is written."""
    top = tmp_path / "top"
    with pytest.raises(BadPath):
        check_path(path)
    if path != "./a":  # models like to write that in plans, where it is put right
        with pytest.raises(Unreadable):
            read_manifest(plan("ok.py", path))
    with pytest.raises(NotWritten):
        write_project({"ok.py": "", path: "x"}, top)
    assert list(tmp_path.iterdir()) == []
    forged = write_patch({"ok": "x\n"}).replace("a/ok b/ok", f"a/{path} b/{path}")
    with pytest.raises(BadPatch):
        read_patch(forged.replace("+++ b/ok", f"+++ b/{path}"))


@pytest.mark.parametrize("pair", PAIRS, ids=ascii)
def test_no_two_files_are_in_each_other_s_place(pair):
    """Also on systems where the case of letters, or their form, does not count."""
    with pytest.raises(BadPath):
        check_paths(pair)
    with pytest.raises(Unreadable):
        read_manifest(plan(*pair))


def test_ordinary_paths_are_taken(tmp_path):
    """Dots, brackets and letters of every script are no attack."""
    write_project(dict.fromkeys(GOOD, "x"), tmp_path)
    written = {p.relative_to(tmp_path).as_posix() for p in tmp_path.rglob("*") if p.is_file()}
    assert written == set(GOOD)
    assert read_manifest(plan(*GOOD, "./b.py")).paths == (*GOOD, "b.py")


# --- the disk ----------------------------------------------------------------------------------


def everything(top):
    return {
        str(path.relative_to(top)): path.read_text() if path.is_file() else None
        for path in top.rglob("*")
    }


def test_symbolic_links_are_not_followed(tmp_path):
    """Neither a directory on the way nor the file itself may lead out, force or not."""
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "kept").write_text("mine")
    top = tmp_path / "top"
    top.mkdir()
    (top / "link").symlink_to(outside)
    (top / "file").symlink_to(outside / "kept")
    (top / "dangling").symlink_to(outside / "new")
    for path in ("link/x", "link/kept", "file", "dangling"):
        with pytest.raises(NotWritten):
            write_project({"a": "x", path: "evil"}, top, force=True)
    assert everything(outside) == {"kept": "mine"}
    assert not (top / "a").exists()


def test_nothing_is_overwritten_without_force(tmp_path):
    """And then nothing else is written either; the message names what is in the way."""
    (tmp_path / "b.py").write_text("mine")
    before = everything(tmp_path)
    with pytest.raises(NotWritten, match=r"b\.py.*--force"):
        write_project({"a/a.py": "1", "b.py": "2"}, tmp_path)
    assert everything(tmp_path) == before
    (tmp_path / "b.py").chmod(0o755)
    write_project({"a/a.py": "1", "b.py": "2"}, tmp_path, force=True)
    assert everything(tmp_path) == {"a": None, "a/a.py": "1", "b.py": "2"}
    assert os.access(tmp_path / "b.py", os.X_OK)


@pytest.mark.parametrize(
    "path",
    [
        *(".envrc", "sub/.ENVRC", ".vscode/tasks.json", ".github/workflows/ci.yml", ".npmrc"),
        *(".ssh/authorized_keys", ".bashrc", ".config/fish/config.fish", ".idea/a/.gitignore"),
        *("sitecustomize.py", "lib/x.pth", "Jenkinsfile", "a.code-workspace", "AutoRun.inf"),
    ],
)
def test_what_is_obeyed_unasked_needs_force_and_is_named(tmp_path, path):
    """Shells, editors and servers run such files before anybody has read them. Nothing is written
    then; with the user's word it is."""
    with pytest.raises(NotWritten, match=rf"{re.escape(path)} would be obeyed.*--force"):
        write_project({"a.py": "x", path: "evil"}, tmp_path / "out")
    assert not (tmp_path / "out").exists()
    assert len(write_project({"a.py": "x", path: "x"}, tmp_path / "out", force=True)) == 2


def test_a_directory_in_a_file_s_place_is_not_replaced(tmp_path):
    """Not even with force."""
    (tmp_path / "a").mkdir()
    with pytest.raises(NotWritten, match="plain file"):
        write_project({"a": "x"}, tmp_path, force=True)


@pytest.mark.parametrize("at", [1, 2, 3])
def test_what_fails_half_way_is_undone(tmp_path, monkeypatch, at):
    """New files and directories go, replaced files come back."""
    (tmp_path / "old.py").write_text("before")
    before = everything(tmp_path)
    moved = 0
    replace = os.replace

    def fails_once(source, target, **more):
        nonlocal moved
        moved += 1
        if moved == at:
            raise OSError(28, "No space left on device", str(target))
        return replace(source, target, **more)

    monkeypatch.setattr(os, "replace", fails_once)
    with pytest.raises(NotWritten, match="No space left"):
        write_project({"n/x.py": "1", "old.py": "2", "n/m/y.py": "3"}, tmp_path, force=True)
    assert everything(tmp_path) == before


def test_a_directory_that_was_made_goes_again(tmp_path, monkeypatch):
    """A refused project leaves no empty directories behind, nor does one that fails half way."""

    def fails(source, target):
        raise OSError(28, "No space left on device", str(target))

    with pytest.raises(NotWritten):
        write_project({"a" * 150 + "/" + "b": "x", "c" * 300: "y"}, tmp_path / "new" / "deep")
    monkeypatch.setattr(os, "replace", fails)
    with pytest.raises(NotWritten, match="No space left"):
        write_project({"a.py": "x"}, tmp_path / "new" / "deep")
    assert list(tmp_path.iterdir()) == []
