"""What people install: one name, which neither shadows theirs nor is shadowed."""

import json
import os
import subprocess
import sys
import sysconfig
import tarfile
import venv
import zipfile
from pathlib import Path

import pytest
import typer
from projects import BOTH, GOOD, TWO

from laios import __version__

# In one worker: the wheel is built, and its modules are compiled, once.
pytestmark = [
    pytest.mark.only_when("laios/"),
    pytest.mark.xdist_group("packaging"),
    pytest.mark.timeout(180),  # each starts laios many times, from a wheel that was just installed
]
ROOT = Path(__file__).parent.parent
APP = {"config.py", "pipeline", "history", "retrieval", "server", "dashboard"}
STARTER = {"LAIOS_CODER_MODEL_NAME": "local/starter", "OLLAMA_HOST": "127.0.0.1:9"}
# Modules of laios, of the standard library, and of what laios depends on.
DECOYS = ("config", "pipeline", "server", "dashboard", "json", "typer", "xllamacpp")
ADD_ON = """
from pipeline.modes import mode
from pipeline.task import Result

@mode("shout", words=("loud",), help="Shout.")
async def shout(run, task):
    return Result(task.prompt.upper())
"""


@pytest.fixture(autouse=True)
def nothing_from_the_checkout(monkeypatch: pytest.MonkeyPatch) -> None:
    """With the checkout on PYTHONPATH its modules would be found, and not those of the wheel."""
    monkeypatch.delenv("PYTHONPATH", raising=False)


def build(target: str, source: Path, out: Path) -> Path:
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", target, "-d", str(out)],
        cwd=source,
        check=True,
        capture_output=True,
    )
    [path] = out.iterdir()
    return path


def contents(wheel: Path) -> dict[str, int]:
    """The names of its files and their checksums."""
    with zipfile.ZipFile(wheel) as archive:
        return {entry.filename: entry.CRC for entry in archive.infolist()}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The built wheel."""
    return build("wheel", ROOT, tmp_path_factory.mktemp("dist"))


@pytest.fixture(scope="module")
def python(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The interpreter of an environment with the wheel, its console script and an add-on."""
    home = tmp_path_factory.mktemp("venv")
    venv.create(home, with_pip=False, symlinks=True)
    site = Path(sysconfig.get_path("purelib", vars={"base": str(home)}))
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(site)
        [points] = [name for name in archive.namelist() if name.endswith("entry_points.txt")]
        [module, function] = archive.read(points).decode().split("laios = ")[1].strip().split(":")
    # The dependencies are those of the test environment; what it has of laios itself comes later.
    (site / "dependencies.pth").write_text(str(Path(typer.__file__).parents[1]))
    (site / "shouting.py").write_text(ADD_ON)
    about = site / "shouting-1.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Name: shouting\nVersion: 1\n")
    (about / "entry_points.txt").write_text("[laios.modes]\nloud = shouting\n")
    script = home / "bin" / "laios"
    script.write_text(f"#!{home}/bin/python\nfrom {module} import {function}\n{function}()\n")
    script.chmod(0o755)
    return home / "bin" / "python"


def write_decoys(directory: Path) -> Path:
    """A directory of files that must not be imported."""
    (directory / "history").mkdir(parents=True)
    for path in ("history/__init__.py", *(f"{name}.py" for name in DECOYS)):
        (directory / path).write_text(f"raise SystemExit('decoy in {directory.name}')")
    return directory


@pytest.fixture
def decoys(
    nothing_from_the_checkout: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They lie in the working directory, and others of the same names on PYTHONPATH."""
    monkeypatch.chdir(write_decoys(tmp_path / "here"))
    monkeypatch.setenv("PYTHONPATH", str(write_decoys(tmp_path / "path")))
    monkeypatch.setenv("PYTHONWARNINGS", "ignore")


def output(*words: str | Path, **environment: str) -> str:
    done = subprocess.run(
        [str(word) for word in words],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_wheel_adds_one_name_and_holds_no_tests_or_tools(wheel: Path) -> None:
    """The packages stand inside of it; the starter's weights and their card are in."""
    names = contents(wheel)
    tops = {name.partition("/")[0] for name in names}
    assert {top for top in tops if not top.endswith(".dist-info")} == {"laios"}
    inside = {name.split("/")[1] for name in names if name.startswith("laios/")}
    ours = {path.name for path in (ROOT / "laios").iterdir() if path.name != "__pycache__"}
    assert inside == ours | {"_app"} and "py.typed" in inside
    assert {name.split("/")[2] for name in names if name.startswith("laios/_app/")} == APP
    for file in ("coder.gguf", "critic.gguf", "CARD.md"):
        assert f"laios/_app/pipeline/models/starter/{file}" in names
    assert "laios/_app/server/benchmark/problems.jsonl" in names
    assert not [name for name in names if "__pycache__" in name or name.endswith(".pt")]


def test_the_source_distribution_builds_the_same_wheel(wheel: Path, tmp_path: Path) -> None:
    """Who builds it from that gets what was tested."""
    with tarfile.open(build("sdist", ROOT, tmp_path / "dist")) as archive:
        archive.extractall(tmp_path, filter="data")
    [source] = tmp_path.glob("laios-*")
    assert contents(build("wheel", source, tmp_path / "again")) == contents(wheel)


@pytest.mark.usefixtures("decoys")
def test_laios_runs_among_decoys(python: Path) -> None:
    """By its script and as a module; its own modules come first, and those of Python and of the
    environment come before the user's. The engine's process too."""
    laios = python.with_name("laios")
    for words in ([laios], [python, "-m", "laios"]):
        assert output(*words, "--version") == f"laios {__version__}\n"
    assert "def " in output(laios, "run", "///raw reverse a string", **STARTER)


@pytest.mark.usefixtures("decoys")
def test_an_add_on_s_mode_is_known_everywhere(python: Path) -> None:
    """It runs; the history, the shell's completion and the bench know it."""
    laios = python.with_name("laios")
    assert output(laios, "run", "///loud hello", **STARTER) == "HELLO\n"
    assert output(laios, "history", "--mode", "loud").endswith("hello\n")
    assert output(laios, "history", "-q", "mode:shou absent") == ""
    words = {"COMP_WORDS": "laios run --mode lo", "COMP_CWORD": "3"}
    assert output(laios, **words, _LAIOS_COMPLETE="complete_bash") == "loud\n"
    measured = ("--modes", "loud", "--limit", "1", "--no-resample")
    assert "loud" in output(laios, "bench", *measured, **STARTER)


@pytest.mark.usefixtures("decoys")
def test_its_other_processes_run_among_decoys(python: Path, tmp_path: Path) -> None:
    """The repair of JSON, and the readers of documentation."""
    laios = python.with_name("laios")
    damaged = {"role": "manifest", "reply": f"{TWO['reply']},"}
    script = tmp_path / "replies.json"
    script.write_text(json.dumps([damaged, *BOTH, GOOD]))
    roles = ("CODER", "JUDGE", "REVIEWER")
    names = {f"LAIOS_{role}_MODEL_NAME": f"scripted/{script}" for role in roles}
    assert output(laios, "run", "///files a calculator", **names).startswith("# Project calc: 2 of")
    [record] = output(laios, "history", "--json").splitlines()
    assert json.loads(record)["artefact"]["manifest_rung"] == "mended"
    (tmp_path / "guide.md").write_text("# Ducks\n\nThey quack.\n")
    assert "1 added (1 piece" in output(laios, "docs", "add", tmp_path / "guide.md")
    assert "added" in output(laios, "docs", "add", "sse_starlette", "--python", python)


def test_importing_laios_leaves_a_program_its_own_modules(python: Path, tmp_path: Path) -> None:
    """It needs none of theirs and brings none of its own under their names, whether it looks up the
    settings or runs the pipeline without a daemon."""
    names = ("config", "pipeline", "server", "history", "dashboard", "retrieval")
    for name in names[:-1]:
        (tmp_path / f"{name}.py").write_text("WHOSE = 'mine'")
    code = (
        "import laios, importlib, importlib.util, sys\n"
        "with laios.Client.local() as client:\n"
        "    print(client.run('///raw reverse a string').output.split()[0])\n"
        "try:\n    laios.Client().runs()\nexcept laios.errors.DaemonUnreachable: pass\n"
        "assert laios.types.FinalResult.__module__.startswith('laios.')\n"
        f"assert all(importlib.import_module(n).WHOSE == 'mine' for n in {names[:-1]})\n"
        f"assert importlib.util.find_spec({names[-1]!r}) is None\n"
        "print(laios.__version__)"
    )
    program = tmp_path / "program.py"
    program.write_text(code)
    nowhere = {"LAIOS_PORT": "9"}
    assert output(python, program, **STARTER, **nowhere) == f"def\n{__version__}\n"
