"""What `make test` leaves out, and what brings it back."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import selection

pytestmark = [
    pytest.mark.only_when("tests/selection.py", ".ci/"),
    pytest.mark.skipif(not shutil.which("git"), reason="there is no git"),
]

_IMPORTED = re.compile(r"^ *from (server(?!\.app|\.runtime)[\w.]*) import (\w+)", re.M)
IDENTITY = ("-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false")


def git(directory: Path, *words: str) -> None:
    subprocess.run(["git", *IDENTITY, *words], cwd=directory, check=True, stdout=subprocess.DEVNULL)


def committed(directory: Path, *names: str) -> None:
    """A commit with these files, whose text is new."""
    for name in names:
        path = directory / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(path.read_text() + "# more\n" if path.exists() else "")
    git(directory, "add", ".")
    git(directory, "commit", "-qm", "m")


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """Two commits on a branch without an upstream."""
    made = tmp_path / "repository"
    made.mkdir()
    git(made, "init", "-q", "-b", "main")
    committed(made, ".gitignore", "tools/a.py", "kept.py")
    committed(made, "tools/a.py")
    return made


def test_without_an_upstream_the_last_commit_counts(repository: Path) -> None:
    """And all that is not committed yet: changed, moved and new files, none that git ignores."""
    assert selection.changed_paths(repository) == ["tools/a.py"]
    committed(repository, ".gitignore")
    assert selection.changed_paths(repository) == [".gitignore"]
    (repository / ".gitignore").write_text("ignored\n")
    (repository / "ignored").write_text("")
    (repository / "new ä.py").write_text("")
    git(repository, "mv", "tools/a.py", "b.py")
    expected = {".gitignore", "new ä.py", "tools/a.py", "b.py"}
    assert set(selection.changed_paths(repository) or ()) == expected


def test_with_an_upstream_the_whole_branch_counts(repository: Path) -> None:
    """Since it left the upstream; what came there meanwhile does not."""
    git(repository, "checkout", "-q", "--track", "-b", "feature")
    committed(repository, "mine.py")
    committed(repository, "more.py")
    git(repository, "checkout", "-q", "main")
    committed(repository, "theirs.py")
    git(repository, "checkout", "-q", "feature")
    assert selection.changed_paths(repository) == ["mine.py", "more.py"]


def test_where_git_cannot_say_nothing_is_known(repository: Path, tmp_path: Path) -> None:
    """No repository, a directory of another one, a shallow clone, a first commit, no git."""
    (tmp_path / "plain").mkdir()
    assert selection.changed_paths(tmp_path / "plain") is None
    assert selection.changed_paths(repository / "tools") is None
    git(tmp_path, "clone", "-q", "--depth", "1", repository.as_uri(), "shallow")
    assert selection.changed_paths(tmp_path / "shallow") is None
    git(repository, "checkout", "-q", "--orphan", "first")
    git(repository, "commit", "-qm", "m")
    assert selection.changed_paths(repository) is None


def run(repository: Path, *words: str, **environment: str) -> tuple[list[str], str]:
    """The tests that ran, and what was said at the end."""
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "xdist", "-v", *words],
        cwd=repository,
        env={**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "ALL": "0", **environment},
        capture_output=True,
        text=True,
    )
    assert done.returncode in (0, pytest.ExitCode.NO_TESTS_COLLECTED), done.stdout + done.stderr
    return sorted(set(re.findall(r"::(test_\w+)", done.stdout))), done.stdout


def with_tests(repository: Path, text: str) -> Path:
    """The directory of these tests and of what selects them."""
    tests = repository / "tests"
    tests.mkdir()
    shutil.copy(selection.__file__, tests)
    (tests / "conftest.py").write_text("from selection import *\n")
    (tests / "test_it.py").write_text(text)
    return tests


def test_marked_tests_run_when_their_part_changed(repository: Path) -> None:
    """Or their own file, or with ALL=1, or when the file is named; what is left out is said, by one
    process and by several."""
    with_tests(
        repository,
        "import pytest\n\n\ndef test_always(): pass\n\n\n"
        '@pytest.mark.only_when("tools/", "other/")\ndef test_tools(): pass\n',
    )
    both = ["test_always", "test_tools"]
    assert run(repository, "tests")[0] == both
    committed(repository, "kept.py")
    committed(repository, "kept.py")
    said = "0 files and 1 tests left out, nothing changed in tools/ (ALL=1 runs them)"
    for words in ((), ("-n", "1")):
        passed, output = run(repository, "tests", *words)
        assert (passed, output.count(said)) == (["test_always"], 1)
    passed, output = run(repository, "tests", ALL="1")
    assert passed == both and "left out" not in output
    assert run(repository, "tests/test_it.py::test_tools")[0] == ["test_tools"]
    (repository / "tools" / "new.py").write_text("")
    assert run(repository, "tests")[0] == both
    (repository / "tools" / "new.py").unlink()
    (repository / "requirements.lock").write_text("")
    assert run(repository, "tests")[0] == both


def test_of_several_marks_each_has_to_be_met(repository: Path) -> None:
    """A test of a marked file may need still less."""
    tests = with_tests(
        repository,
        'import pytest\n\npytestmark = pytest.mark.only_when("tools/")\n\n\n'
        "def test_of_the_file(): pass\n\n\n"
        '@pytest.mark.only_when("tools/fuzz/")\ndef test_of_its_own(): pass\n',
    )
    committed(repository, "kept.py")
    committed(repository, "tools/a.py")
    passed, output = run(repository, "tests")
    assert passed == ["test_of_the_file"]
    assert "0 files and 1 tests left out, nothing changed in tools/fuzz/ (ALL" in output
    committed(repository, "tools/fuzz/b.py")
    assert run(repository, "tests")[0] == ["test_of_its_own", "test_of_the_file"]
    committed(repository, "kept.py")
    assert run(repository, "tests")[0] == []
    (tests / "helper.py").write_text("")
    assert run(repository, "tests")[0] == ["test_of_its_own", "test_of_the_file"]


def test_a_file_that_is_left_out_is_not_imported(repository: Path) -> None:
    """Its imports may take longer than its tests: the mark is read from its text."""
    with_tests(
        repository,
        "import pytest\nimport surely_missing\n\n"
        'pytestmark = [pytest.mark.only_when("tools/"), pytest.mark.timeout(9)]\n',
    )
    committed(repository, "kept.py")
    committed(repository, "kept.py")
    said = "1 files and 0 tests left out, nothing changed in tools/ (ALL=1 runs them)"
    for words in ((), ("-n", "1")):
        passed, output = run(repository, "tests", *words)
        assert (passed, output.count(said)) == ([], 1)


def test_what_a_file_imports_of_other_tests_counts_as_its_own(repository: Path) -> None:
    """Fixtures of another file may be what changed; one that does not parse is pytest's to tell."""
    tests = with_tests(
        repository,
        "import pytest\nfrom test_base import x\n\n"
        'pytestmark = pytest.mark.only_when("tools/")\n\n\ndef test_it(): pass\n',
    )
    (tests / "test_base.py").write_text("x = 1\n")
    committed(repository, "kept.py")
    committed(repository, "kept.py")
    assert run(repository, "tests")[0] == []
    committed(repository, "tests/test_base.py")
    assert run(repository, "tests")[0] == ["test_it"]
    (tests / "test_wrong.py").write_text("def (\n")
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "tests"], cwd=repository, capture_output=True, text=True
    )
    assert "test_wrong.py" in done.stdout and "INTERNALERROR" not in done.stdout + done.stderr


def test_the_text_of_a_file_has_the_marks_of_its_tests() -> None:
    """One, one among others, several, and none where a test alone is marked."""
    mark = 'pytest.mark.only_when("a/", "b/")'
    alone, listed = f"pytestmark = {mark}", f"pytestmark = [pytest.mark.slow, {mark}, {mark}]"
    assert selection.marks_of_file(alone) == [("a/", "b/")]
    assert selection.marks_of_file(listed) == [("a/", "b/")] * 2
    with pytest.raises(ValueError, match="malformed"):
        selection.marks_of_file("pytestmark = pytest.mark.only_when(*PATHS)")
    assert selection.marks_of_file(f"@{mark}\ndef test_it(): pass\n") == []


def test_what_is_marked_is_there() -> None:
    """A directory that was renamed does not keep its tests out for ever."""
    here = Path(__file__)
    texts = [path.read_text() for path in here.parent.glob("test_*.py") if path != here]
    marks = re.findall(r"mark\.only_when\(([^)]*)\)", "".join(texts))
    paths = [path for mark in marks for path in re.findall(r'"(.+?)"', mark)]
    assert paths and all((selection.ROOT / path).exists() for path in paths)


def test_a_file_is_marked_with_what_it_imports() -> None:
    """What a left-out file imports of server/ is among what brings it back; what all stand on, the
    daemon's assembly, is held by the files that always run."""
    forgotten = []
    for path in Path(__file__).parent.glob("test_*.py"):
        text = path.read_text()
        marked = tuple(place for mark in selection.marks_of_file(text) for place in mark)
        for module, name in _IMPORTED.findall(text) if marked else []:
            place = module.replace(".", "/")
            known = f"{place}/{name}.py".startswith(marked) or f"{place}.py".startswith(marked)
            forgotten += [] if known else [(path.name, f"{module}.{name}")]
    assert not forgotten


def test_tests_of_a_group_run_in_one_process(repository: Path) -> None:
    """What they share is made once; nothing fails where pytest and xdist lose the groups."""
    tests = with_tests(repository, "")
    (tests / "test_group.py").write_text(
        "import os\nimport pytest\n\n\n"
        '@pytest.mark.xdist_group("dear")\n@pytest.mark.parametrize("n", range(6))\n'
        'def test_it(n): open("who", "a").write(f"{os.getpid()}\\n")\n'
    )
    run(repository, "tests/test_group.py", "-n", "2", "--dist", "loadgroup", ALL="1")
    who = (repository / "who").read_text().split()
    assert len(who) == 6 and len(set(who)) == 1


def test_the_checks_before_a_landing_leave_nothing_out() -> None:
    """Whatever a change touched."""
    assert "\nALL=1 make test SLOWEST=40\n" in (selection.ROOT / ".ci" / "run").read_text()


@pytest.mark.parametrize(("all_of_them", "tried"), [("1", 90), ("0", 30), ("", 30)])
def test_all_examples_are_tried_where_everything_is(monkeypatch, all_of_them, tried):
    """CI sets ALL=1; a quick run tries a third, another one each time."""
    monkeypatch.setenv("ALL", all_of_them)
    assert selection.examples(90) == tried
