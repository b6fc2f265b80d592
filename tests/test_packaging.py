"""The wheel that people install (DESIGN B4)."""

import os
import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
TOP_LEVEL = {"config.py", "pipeline", "history", "documents", "server", "dashboard"}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """The built wheel."""
    out = tmp_path_factory.mktemp("dist")
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(out)],
        cwd=ROOT,
        check=True,
        capture_output=True,
    )
    [path] = out.glob("*.whl")
    return path


def test_the_wheel_holds_the_packages_and_nothing_else(wheel):
    """No tests, no tools; the starter's weights and their card are in."""
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
    tops = {name.partition("/")[0] for name in names}
    assert {top for top in tops if not top.endswith(".dist-info")} == TOP_LEVEL
    for file in ("coder.gguf", "critic.gguf", "CARD.md"):
        assert f"pipeline/models/starter/{file}" in names
    assert not [name for name in names if "__pycache__" in name or name.endswith(".pt")]


def test_laios_runs_from_a_directory_full_of_decoys(wheel, tmp_path):
    """Installed, it takes its own modules, whatever lies in the working directory; the engine's
    child does too."""
    venv.create(tmp_path / "venv", with_pip=False, symlinks=True)
    python = tmp_path / "venv" / "bin" / "python"
    site = Path(sysconfig.get_path("purelib", vars={"base": str(tmp_path / "venv")}))
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(site)
    # The dependencies are those of the test environment; what it has of laios itself comes later.
    (site / "dependencies.pth").write_text(sysconfig.get_path("purelib"))
    decoys = tmp_path / "decoys"
    for package in ("pipeline", "server", "history", "ollama", "typer"):
        (decoys / package).mkdir(parents=True)
        (decoys / package / "__init__.py").write_text("raise SystemExit('decoy')")
    for module in ("config.py", "json.py", "pipeline.py", "xllamacpp.py"):
        (decoys / module).write_text("raise SystemExit('decoy')")
    main = tmp_path / "venv" / "bin" / "laios"
    main.write_text(f"#!{python}\nfrom server.cli import main\nmain()\n")
    main.chmod(0o755)
    environment = {**os.environ, "PYTHONWARNINGS": "ignore"}

    def laios(*words: str) -> str:
        done = subprocess.run(
            [str(main), *words], cwd=decoys, env=environment, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    assert laios("--version").startswith("laios ")
    environment |= {"LAIOS_CODER_MODEL_NAME": "local/starter", "OLLAMA_HOST": "127.0.0.1:9"}
    assert "def " in laios("run", "///raw reverse a string")
