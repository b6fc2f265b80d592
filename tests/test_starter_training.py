"""The making of the starter model, for real and small: five families, smaller models."""

import importlib.util
import json
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from tools.starter.paths import CARD, FIGURES, TASKS
from tools.starter.samples import BY_HAND, COMBINED, UNKNOWN

ROOT = Path(__file__).parents[1]
FAMILIES = ("sum_list", "is_even", "factorial", "reverse_string", "power")

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("torch") is None,
    reason="torch is not installed here; `make train` installs it into .venv-train, and "
    "`make test-train` runs this test there",
)


@pytest.mark.timeout(900)
def test_five_families_are_trained_exported_and_measured(tmp_path: Path) -> None:
    """One command goes from nothing to weights that the engine runs, their figures, their card and
    their list of tasks. What it has learnt by then is far more than nothing."""
    options = ("--folder", tmp_path / "build", "--models", tmp_path / "models")
    plan = ("--families", ",".join(FAMILIES), "--small", "--steps", 250, "--quick")
    command = [sys.executable, "-m", "tools.starter", *map(str, (*options, *plan))]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-2000:]
    figures = json.loads((tmp_path / "models" / FIGURES).read_text("utf-8"))
    for same, count in figures["texts_equal_to_torch"].values():
        assert count and same >= 0.9 * count
    assert figures["known"][COMBINED]["pipeline_pass"] >= 30
    assert figures["known"][BY_HAND]["pipeline_pass"] >= 50
    assert figures["unknown"][UNKNOWN]["beyond"] >= 80
    assert set(figures["by_family"]) == set(FAMILIES)
    tasks = json.loads((tmp_path / "models" / TASKS).read_text("utf-8"))
    assert {task["name"] for task in tasks} == set(FAMILIES)
    assert all(f"`{name}`" in (tmp_path / "models" / CARD).read_text("utf-8") for name in FAMILIES)
    assert "| target " in done.stdout


@pytest.mark.timeout(900)
def test_a_training_that_was_killed_ends_with_the_same_weights(tmp_path: Path) -> None:
    """Killed in any part and begun again, it goes on from its last checkpoint, and the last part's
    mean with the weights that it found is the same as well."""
    whole, cut = tmp_path / "whole", tmp_path / "cut"
    subprocess.run(_training(whole), cwd=ROOT, check=True, capture_output=True)
    cut.mkdir()
    shutil.copy(whole / "tokenizer.json", cut)
    with subprocess.Popen(_training(cut), cwd=ROOT, stdout=subprocess.DEVNULL) as process:
        while process.poll() is None and _checkpoint(cut).get("step", 0) <= STEPS // 2:
            time.sleep(0.1)
        process.kill()
    assert STEPS // 2 < _checkpoint(cut)["step"] < STEPS
    subprocess.run(_training(cut), cwd=ROOT, check=True, capture_output=True)
    ended, expected = _checkpoint(cut)["weights"], _checkpoint(whole)["weights"]
    assert all(ended[name].equal(weight) for name, weight in expected.items())


STEPS = 28


def _training(folder: Path) -> list[str]:
    plan = ("--families", ",".join(FAMILIES), "--steps", STEPS, "--save-every", 1)
    command = [sys.executable, "-m", "tools.starter.train", "coder", "--folder", folder, *plan]
    return list(map(str, command))


def _checkpoint(folder: Path) -> dict[str, Any]:
    import torch

    path = folder / "coder.pt"
    found: dict[str, Any] = torch.load(path) if path.exists() else {}
    return found
