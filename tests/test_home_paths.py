"""Paths that begin with `~`: in the home of somebody unknown nothing is found, and that is said."""

import os
import subprocess
import sys

import pytest
from processes import invoke

from config import expanded

pytestmark = pytest.mark.only_when("server/", "laios/", "pipeline/", "retrieval/", "config.py")

NOBODY = "~no-such-user-of-laios"


def test_a_home_is_put_in_where_there_is_one(monkeypatch, tmp_path):
    """Somebody's who is not known here stays as it was written."""
    monkeypatch.setenv("HOME", str(tmp_path))
    assert expanded("~/x.gguf") == tmp_path / "x.gguf"
    assert str(expanded(f"{NOBODY}/x.gguf")) == f"{NOBODY}/x.gguf"


@pytest.mark.parametrize(
    "words",
    [
        ("models", "import", f"{NOBODY}/x.gguf"),
        ("models", "show", f"local/{NOBODY}/x.gguf"),
        ("docs", "add", f"{NOBODY}/docs"),
        ("docs", "add", "numpy", "--python", f"{NOBODY}/venv"),
    ],
)
def test_a_path_at_nobody_s_home_is_an_error_in_words(words, tmp_path, monkeypatch):
    """Not a traceback."""
    monkeypatch.chdir(tmp_path)
    done = invoke(*words)
    assert done.returncode in (1, 2) and NOBODY in done.stderr
    assert "Traceback" not in done.stderr and done.stderr.startswith("Error")


HOMELESS = """
import pwd, sys
pwd.getpwuid = {}.__getitem__  # no user id has an entry
from server.commands.cli import main
sys.argv[0] = "laios"
main()
"""


@pytest.mark.parametrize(
    "words", [("models", "import"), ("connect",), ("connect", "codex"), ("config", "show")]
)
def test_who_has_no_home_has_the_root(words, monkeypatch):
    """A user id without an entry, HOME not set: nothing is found there, and all else works."""
    for name in [name for name in os.environ if name == "HOME" or name.startswith("XDG_")]:
        monkeypatch.delenv(name)
    command = [sys.executable, "-c", HOMELESS, *words]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, "Traceback" in done.stderr) == (0, False), done.stderr
