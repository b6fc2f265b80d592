"""Names at Tab, in shells as people use them: on a terminal, with what Typer has them define."""

import os
import pty
import shutil
import subprocess
from pathlib import Path

import pytest
from cli import LAIOS
from processes import invoke
from typer._completion_shared import get_completion_script

from retrieval.document_index import DocumentIndex
from retrieval.sources.source_lookup import find_source

pytestmark = pytest.mark.only_when("server/commands/")

SHELLS = {
    "bash": (["--norc", "--noprofile", "-i"], ""),
    "zsh": (["-f", "-i"], "autoload -U compinit; compinit -u -D; "),
}
# It completes with the command, and tells which words it is called with.
STUB = """#!/bin/sh
[ -n "$_LAIOS_COMPLETE" ] && exec '{laios}' "$@"
for word; do printf '%s\\n' "$word"; done >> called
"""
NAMES = ["my docs", r"qwen\$(touch ran)", r"it's \"$(touch ran)", r"c\\:=\`touch ran`*" + "\\"]


def called(shell: str, lines: list[str], folder: Path) -> list[str]:
    """The words that each line calls `laios` with, once Tab and Enter were pressed behind it."""
    program = shutil.which(shell) or pytest.skip(f"there is no {shell}")
    stub = folder / "laios"
    stub.write_text(STUB.format(laios=LAIOS))
    stub.chmod(0o700)
    (folder / "script").write_text(
        get_completion_script(prog_name="laios", complete_var="_LAIOS_COMPLETE", shell=shell)
    )
    options, before = SHELLS[shell]
    ours, theirs = pty.openpty()
    typed = [f"{before}. ./script", *(f"{line}\t" for line in lines), "exit", ""]
    os.write(ours, "\n".join(typed).encode())
    process = subprocess.Popen(
        [program, *options],
        env={**os.environ, "PATH": f"{folder}:{os.environ['PATH']}", "TERM": "dumb"},
        cwd=folder,
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        start_new_session=True,
    )
    os.close(theirs)
    shown = b""
    try:
        while piece := os.read(ours, 65536):
            shown += piece
    except OSError:  # the other end is closed
        pass
    process.wait(20)
    os.close(ours)
    assert (folder / "called").exists(), shown.decode()
    return (folder / "called").read_text().splitlines()


@pytest.fixture(autouse=True)
def documented(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The names in the index of documentation."""
    monkeypatch.setenv("LAIOS_DOCS_DIR", str(tmp_path / "docs"))
    text = tmp_path / "one.md"
    text.write_text("# One\n\nWords.\n")
    for name in NAMES:
        DocumentIndex(tmp_path / "docs").add(find_source(str(text), name=name))


@pytest.mark.parametrize("shell", SHELLS)
def test_a_name_reaches_the_command_as_it_is(shell: str, tmp_path: Path) -> None:
    """Whatever a name holds, as one of another machine's models may: at Tab the shell runs none of
    it, and behind the command stands the whole of it, as one word."""
    lines = [f"laios docs remove {name[0]}" for name in NAMES]
    wanted = [word for name in NAMES for word in ("docs", "remove", name)]
    assert called(shell, lines, tmp_path) == wanted
    assert not (tmp_path / "ran").exists()


@pytest.mark.parametrize(
    ("word", "offered"),
    [
        (r"my\ d", r"my\ docs"),
        ("'m", "my docs"),
        ('"m', "my docs"),
        ("'i", r"""it'\''s \"$(touch ran)"""),
        ('"i', r"""it's \\\"\$(touch ran)"""),
    ],
)
def test_bash_completes_a_word_that_is_quoted(word: str, offered: str) -> None:
    """In the way in which it was begun: bash closes an open quote itself."""
    asked = {"COMP_WORDS": f"laios\ndocs\nremove\n{word}", "COMP_CWORD": "3"}
    assert invoke(_LAIOS_COMPLETE="complete_bash", **asked).stdout.rstrip("\n") == offered
