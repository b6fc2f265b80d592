"""`laios code` on the command line."""

import json
import os
import pty
import signal
import subprocess
from pathlib import Path
from typing import get_args

import pytest
from code_examples import BROKEN, CLEAR, EXPLAINED, EXPLANATION, FIXED, GOOD, coder, intake, judge
from processes import LAIOS, daemon_here, invoke, laios, on_a_terminal

from laios.types.code_generation import RequestType
from pipeline.codegen.contract import NEED_CODE
from server.commands import code as command

pytestmark = pytest.mark.only_when(
    "server/commands/code.py", "server/commands/source_option.py", "server/terminal/", "laios/"
)

RULES = [CLEAR, coder(FIXED), GOOD, EXPLAINED]


@pytest.fixture
def source(tmp_path):
    """A file with broken code, and its path."""
    path = tmp_path / "x.py"
    path.write_text(BROKEN)
    return path


@pytest.mark.parametrize(
    ("raw", "code", "new"),
    [
        (b"a\r\nb\r\n", "a\nc\n", "a\r\nc\r\n"),
        (b"a\r\nb\nc\n", "a\nb\nD\n", "a\r\nb\nD\n"),
        (b"a\nb\r\n", "x\na\nb", "x\na\nb\r\n"),
        (b"\xef\xbb\xbfa\r\n", "b", "\ufeffb\r\n"),
        (b"a\r\nb\n", "a\nb\n", "a\r\nb\n"),
        (b"a\r\nb", "a\nc\n", "a\r\nc\r\n"),
        (b"a\r\r\nx\ny\r\nz=3\n", "a\r\nx\ny\nz=4\n", "a\r\r\nx\ny\r\nz=4\n"),
        (b"\x0c\r\na\r\n", "\x0c\nb\n", "\x0c\r\nb\r\n"),
    ],
)
def test_line_ends_stay_as_they_are(raw: bytes, code: str, new: str) -> None:
    """In a file with both kinds each line that stays keeps its own, whatever else of a line's end
    stands within it."""
    from server.terminal.source_file import SourceFile

    assert SourceFile.of(Path("x"), raw).with_code(code) == new


def test_the_code_goes_to_stdout_and_what_is_known_of_it_to_stderr(roles, source):
    """Without a daemon in its own process; recorded all the same."""
    roles(*RULES)
    done = laios("code", "--type", "debug", "--file", str(source), "IndexError")
    assert (done.returncode, done.stdout) == (0, FIXED)
    assert "confidence 0.85 (high)" in done.stderr
    assert EXPLANATION in done.stderr and "- Thread-safety not guaranteed" in done.stderr
    assert source.read_text() == BROKEN
    record = json.loads(invoke("history", "--json", "-n", "1").stdout.splitlines()[0])
    assert (record["source"], record["mode"]) == ("code", "code_structured")
    assert record["artefact"]["request"]["code"] == BROKEN


def test_a_running_daemon_does_the_work(roles, source):
    """With the same answer; the language is the file's, and may be given otherwise."""
    roles(CLEAR, coder(FIXED, prompt="Language: Python"), GOOD, EXPLAINED)
    with daemon_here(LAIOS_PORT="0") as address:
        port = address.rpartition(":")[2]
        done = invoke("code", "-t", "debug", "-f", str(source), "--json", LAIOS_PORT=port)
        answer = json.loads(done.stdout)
        assert (answer["success"], answer["code"]) == (True, FIXED)
        refused = invoke("code", "x", "-l", "python", "--max-attempts", "9", LAIOS_PORT=port)
    assert refused.returncode == 2 and "max_attempts" in refused.stderr


def interrupted_at(question: str, *words: str) -> int:
    """The exit code of a command that gets a Ctrl-C once it asks this on its terminal."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen([LAIOS, *words], stdin=theirs, stdout=theirs, stderr=theirs)
    os.close(theirs)
    shown = b""
    while question.encode() not in shown:
        shown += os.read(ours, 65536)
    process.send_signal(signal.SIGINT)
    code = process.wait(20)
    os.close(ours)
    return code


def test_write_shows_the_change_and_asks(roles, source):
    """Yes writes it; no, Ctrl-C, and nobody there to be asked, leave the file as it is."""
    roles(*RULES)
    command = ["code", "--type", "debug", "--file", str(source), "--write"]
    shown, status = on_a_terminal(*command, answers=b"n\n")
    assert status == 1 and "-    return items[index]" in shown and "Write" in shown
    assert source.read_text() == BROKEN
    done = invoke(*command)
    assert done.returncode == 2 and "--yes" in done.stderr
    assert source.read_text() == BROKEN
    assert interrupted_at("[y/N]", *command) == 130
    assert source.read_text() == BROKEN
    shown, status = on_a_terminal(*command, answers=b"y\n")
    assert status == 0 and "Written:" in shown
    assert source.read_text() == FIXED
    assert [path.name for path in source.parent.glob("*x.py*")] == ["x.py"]


def test_write_keeps_what_is_the_file_s_own(roles, source):
    """Its mode, line ends and the mark at its head; a link stays a link."""
    roles(*RULES)
    source.write_bytes(b"\xef\xbb\xbf" + BROKEN.replace("\n", "\r\n").encode())
    source.chmod(0o750)
    link = source.with_name("link.py")
    link.symlink_to(source)
    done = invoke("code", "-t", "debug", "-f", str(link), "--write", "--yes")
    assert (done.returncode, done.stdout) == (0, "")
    assert "+        return items[index]" in done.stderr
    assert source.read_bytes() == b"\xef\xbb\xbf" + FIXED.replace("\n", "\r\n").encode()
    assert source.stat().st_mode & 0o777 == 0o750 and link.is_symlink()


def test_write_leaves_a_file_that_was_changed_meanwhile(roles, source, monkeypatch):
    """Two hands on one file: the other one wins."""
    roles(*RULES)
    from server.terminal.source_file import SourceFile

    diff = SourceFile.diff

    def changed(self, code):
        source.write_text("x = 1\n")
        return diff(self, code)

    monkeypatch.setattr(SourceFile, "diff", changed)
    done = invoke("code", "-t", "debug", "-f", str(source), "--write", "--yes")
    assert done.returncode == 1 and "changed by another program" in done.stderr
    assert source.read_text() == "x = 1\n"


def test_new_code_and_tests_need_a_file_of_their_own(roles, source):
    """The code under test is never overwritten with its tests."""
    roles(*RULES)
    done = invoke("code", "-t", "test", "-f", str(source), "--write", "--yes")
    assert done.returncode == 2 and "--output" in done.stderr
    new = source.with_name("new.py")
    done = invoke("code", "a safe get_item", "--write", "--output", str(new), "--yes")
    assert (done.returncode, new.read_text()) == (0, FIXED)


def test_what_did_not_work_writes_nothing(roles, source):
    """Exit status 1, the reason on stderr, nothing for a pipe."""
    roles(intake("vague", "It does not say what is wrong."))
    done = invoke("code", "-t", "debug", "-f", str(source), "--write", "--yes")
    assert (done.returncode, done.stdout) == (1, "")
    assert "It does not say what is wrong." in done.stderr
    assert source.read_text() == BROKEN


def test_code_comes_from_stdin_as_well(roles):
    """In a pipe, in and out."""
    roles(CLEAR, coder(FIXED, prompt="items"), GOOD, EXPLAINED)
    done = invoke("code", "-t", "debug", "-l", "python", stdin=BROKEN)
    assert (done.returncode, done.stdout) == (0, FIXED)


def test_several_languages_print_the_best(roles):
    """Each one's worth on stderr."""
    ruby = "def add(a, b)\n  a + b\nend\n"
    rules = [coder(ruby, prompt="Language: Ruby"), coder("x = 1\n"), judge(9, prompt="end")]
    roles(CLEAR, *rules, judge(8), EXPLAINED)
    done = invoke("code", "add", "-l", "python", "-l", "ruby")
    assert (done.returncode, done.stdout) == (0, ruby)
    assert "python: 0.80" in done.stderr and "ruby: 0.90 (best)" in done.stderr


def test_a_language_that_did_not_work_says_why(roles):
    """Beside the one that did, what --json has."""
    rules = [coder("def f(:\n", prompt="Language: Python"), coder("def f\nend\n"), GOOD, EXPLAINED]
    roles(CLEAR, *rules)
    words = ("code", "add", "-l", "python", "-l", "ruby")
    answer = json.loads(invoke(*words, "--json").stdout)["results"]["python"]
    assert not answer["success"] and answer["explanation"] and answer["warnings"]
    done = invoke(*words)
    why = [answer["explanation"], *(f"- {warning}" for warning in answer["warnings"])]
    assert "\n  ".join(["python: failed", *why]) in done.stderr


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["x", "-t", "genrate", "-l", "python"], "Did you mean 'generate'?"),
        (["x", "-l", "pyhton"], "Did you mean 'python'?"),
        (["x"], "In which language? Add it: -l python"),
        (["-l", "python"], "What should the code do?"),
        ([], "What should the code do?"),
        (["-t", "debug", "-l", "python"], '"code" is missing'),
        (["-f", "nowhere.py"], "cannot be read"),
        (["x", "-l", "go", "-l", "rust", "-w", "-o", "x"], "one language"),
    ],
)
def test_wrong_use_is_told(roles, words, said):
    """Exit status 2, before anything runs."""
    roles(*RULES)
    done = invoke("code", *words)
    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr


def test_a_backend_that_is_away_is_status_3(roles):
    """As with `laios run`."""
    roles(CLEAR, coder("", fault="unreachable"))
    done = invoke("code", "x", "-l", "python", "--json")
    assert done.returncode == 3
    assert json.loads(done.stdout)["error"]["code"] == "model_unreachable"


def test_the_command_knows_the_contract_s_types():
    """It does not import the contract, so that `--help` answers at once."""
    assert get_args(RequestType) == command.TYPES
    assert command.IN_PLACE == NEED_CODE
    assert {*command.INSTRUCTIONS} == {*command.TYPES} - {"generate"}
