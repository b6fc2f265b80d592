"""The forms in which `///files` hands a project over: nothing in a file breaks any of them."""

import os
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from selection import examples

from laios.git_patch import BadPatch, read_patch, write_patch
from laios.project_writer import write_project
from pipeline.projects.project_markdown import UNENDED, write_markdown

TOOLS = [["git", "apply", "-"], ["patch", "-p1", "-s"]]
NASTY = [
    '"""triple"""',
    "'''",
    "back\\slash\\n\\",
    "```",
    "````python",
    "~~~",
    "===FILE_CONTENT_BLOCK===",
    "diff --git a/x b/x",
    "--- /dev/null",
    "+++ b/x",
    "@@ -0,0 +1,2 @@",
    "\\ No newline at end of file",
    "-- ",
    "index 0000000..e69de29",
    "From 0000 Mon Sep 17 00:00:00 2001",
    "# MISSING x",
    "</file>",
    "\ufeff",
    "é ü 漢字 🜁 \u2028 \u0085",
    "\0\x1b[31m\x0c\x0b",
    " trailing \t",
    "",
]
ENDS = ["\n", "\r\n", "\r", ""]
lines = st.one_of(st.sampled_from(NASTY), st.text(st.characters(exclude_categories=["Cs"])))
contents = st.lists(st.tuples(lines, st.sampled_from(ENDS)), max_size=8).map(
    lambda parts: "".join(line + end for line, end in parts)
)
PATHS = [
    "a.py",
    "dir/b c.txt",
    "dir/ü/ñ 漢.md",
    "deep/er/x.patch",
    "[id]/(g)/$x.tsx",
    "e/__init__.py",
]
projects = st.dictionaries(st.sampled_from(PATHS), contents, min_size=1)
A_PATCH = write_patch({"inner.py": "x = 1\n", "empty": ""}, ["a remark"])
WORST = {
    "a.py": "".join(f"{line}\n" for line in NASTY),
    "dir/b c.txt": "one\r\ntwo\r\n",
    "dir/ü/ñ 漢.md": "no newline",
    "deep/er/x.patch": A_PATCH,
    "[id]/(g)/$x.tsx": "y\n" * 100_000,
    "e/__init__.py": "",
}


def encoded(texts):
    return {path: text.encode() for path, text in texts.items()}


def on_disk(directory):
    found = (path for path in Path(directory).rglob("*") if path.is_file())
    return {path.relative_to(directory).as_posix(): path.read_bytes() for path in found}


@pytest.mark.parametrize("tool", TOOLS, ids=["git", "patch"])
@settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck))
@example(texts=WORST)
@example(texts={"e/__init__.py": ""})
@example(texts={"a.py": "\n"})
@example(texts={"dir/b c.txt": "", "dir/ü/ñ 漢.md": ""})
@given(texts=projects)
def test_git_and_patch_make_the_files_to_the_byte(tool, texts):
    """`git apply` and `patch -p1` take the patch and create exactly what was written."""
    if shutil.which(tool[0]) is None:
        pytest.skip(f"{tool[0]} is not installed")
    with tempfile.TemporaryDirectory() as directory:
        done = subprocess.run(
            tool,
            cwd=directory,
            input=write_patch(texts, ["Setup: --- a/x", "odd\n+++ b/y\x1b"]).encode(),
            env={**os.environ, "GIT_CONFIG_NOSYSTEM": "1", "GIT_CEILING_DIRECTORIES": directory},
            capture_output=True,
        )
        assert done.returncode == 0, done.stderr
        assert on_disk(directory) == encoded(texts)


@settings(max_examples=examples(80), deadline=None)
@example(texts=WORST)
@given(texts=projects)
def test_a_patch_reads_back_as_the_files_that_it_was_made_of(texts):
    """So that `--write` has what the patch says."""
    assert read_patch(write_patch(texts, ["# remark", "MISSING x"])) == texts


@settings(max_examples=examples(60), deadline=None)
@example(texts=WORST)
@given(texts=projects)
def test_the_disk_has_the_files_to_the_byte(texts):
    """`--write` neither translates line ends nor adds one."""
    with tempfile.TemporaryDirectory() as directory:
        write_project(texts, Path(directory))
        assert on_disk(directory) == encoded(texts)


def read_markdown(text):
    """What a person or a program gets by the rules of CommonMark, line by line: a fence ends at
    the first line of at least as many of its marks."""
    found, rest = {}, text.split("\n")
    while rest:
        heading = re.fullmatch(r"## `(.+)`( \(no newline at the end\))?", rest.pop(0))
        if not heading:
            continue
        assert rest.pop(0) == ""
        fence = re.match(r"`{3,}", rest.pop(0))[0]
        body = []
        while not re.fullmatch(rf" {{0,3}}{fence}`*[ \t]*", rest[0]):
            body.append(rest.pop(0))
        joined = "\n".join(body)
        found[heading[1]] = joined if heading[2] or not body else f"{joined}\n"
        rest.pop(0)
    return found


@settings(max_examples=examples(80), deadline=None)
@example(texts=WORST)
@given(texts=projects)
def test_markdown_holds_the_files_to_the_byte(texts):
    """Under each heading stands one fence that nothing in the file closes; where the file has no
    newline at its end, the heading says so."""
    assert read_markdown(write_markdown("project", texts, "pip install x")) == texts


@settings(max_examples=examples(60), deadline=None)
@given(texts=projects)
def test_a_markdown_parser_finds_one_block_for_each_file(texts):
    """CommonMark takes every line end for the same and NUL for another letter; all else is as it
    was written."""
    plain = {path: re.sub(r"\r\n?", "\n", text).replace("\0", "") for path, text in texts.items()}
    tokens = MarkdownIt("commonmark").parse(write_markdown("project", plain))
    blocks = [token.content for token in tokens if token.type == "fence"]
    ended = [text if text.endswith("\n") or not text else f"{text}\n" for text in plain.values()]
    assert blocks == ended


def test_the_mark_of_an_unended_file_is_what_readers_look_for():
    """The document's words and the test's are the same."""
    assert UNENDED == "(no newline at the end)"


def test_a_patch_that_was_damaged_is_not_read():
    """The hash of each file stands in the patch: one letter less, and it is refused."""
    patch = write_patch({"a.py": "x = 1\ny = 2\n"})
    with pytest.raises(BadPatch, match="hash"):
        read_patch(patch.replace("x = 1", "x = 2"))
    with pytest.raises(BadPatch, match="2 lines of content"):
        read_patch(patch.replace("+y = 2\n", ""))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "just text\n",
        "# remark alone\n",
        "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n",
        A_PATCH + "diff --git a/x b/x\ndeleted file mode 100644\n",
        A_PATCH.replace("100644", "120000"),
        A_PATCH + "more\n",
        A_PATCH + A_PATCH,
        A_PATCH.replace("a/inner.py", "a/other.py"),
    ],
)
def test_only_patches_that_create_files_are_read(text):
    """Changes, deletions, links, other names on one side, files that stand twice: refused."""
    with pytest.raises(BadPatch):
        read_patch(text)
