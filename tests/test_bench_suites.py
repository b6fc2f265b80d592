"""`tools/bench/suites.py`: the tests that `///test` keeps, held against reference solutions."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from processes import invoke

pytestmark = [
    pytest.mark.only_when("tools/"),
    pytest.mark.skipif(shutil.which("bwrap") is None, reason="the sandbox needs bubblewrap"),
]
ROOT = Path(__file__).parent.parent
PROMPT = "def add(a, b):\n    '''Sums, as in add(1, 2) == 3.'''\n"
ADD = {
    "task_id": "x/1",
    "prompt": PROMPT,
    "canonical_solution": "    def sums():\n        return a + b\n\n    return sums()\n",
    "entry_point": "add",
    "test": "def check(candidate):\n    assert candidate(2, 2) == 4\n",
}
CLIPPED = "def add(a, b):\n    return max(a + b, 0)\n"


def worth(history: Path, problems: Path, *words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "tools.bench.suites", *words]
    command += ["--history", str(history), "--problems", str(problems)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


def test_kept_and_left_out_tests_are_held_against_the_reference(tmp_path, roles):
    """Two drafts agree on a wrong test, which is kept and makes the suite a wrong one; a test that
    no two pass is left out; the example of the request is none of the tester's tests."""
    tests = ["add(2, 3) == 5", "add(-1, -2) == 0", "add(0, 0) == 1"]
    roles(
        {"role": "tester", "reply": "\n".join(f"assert {each}" for each in tests)},
        {"role": "coder", "reply": [CLIPPED, CLIPPED.replace("a + b", "b + a"), CLIPPED]},
        {"role": "judge", "verdict": [9, 1, "It is right."]},
    )
    problems, history = tmp_path / "p.jsonl", tmp_path / "kept"
    problems.write_text(json.dumps(ADD) + "\n")
    words = ("--modes", "tested", "--no-resample", "--keep-runs", "--problems", str(problems))
    results = ("--results", str(tmp_path / "r.jsonl"))
    done = invoke("bench", *words, *results, LAIOS_HISTORY_DIR=str(history))
    assert done.returncode == 0, done.stderr
    row = json.loads(worth(history, problems, "--json").stdout)
    assert (row["runs"], row["suites"], row["suites_right"]) == (1, 1, 0)
    assert (row["kept"], row["kept_right"]) == (2, 1)
    assert (row["left_out"], row["left_out_right"]) == (1, 0)
    assert row["tokens"] > 0
    assert "kept: 2, right 1" in worth(history, problems).stdout


def test_no_run_is_said(tmp_path):
    """What to do first, where the history has none."""
    (tmp_path / "p.jsonl").write_text(json.dumps(ADD) + "\n")
    done = worth(tmp_path / "none", tmp_path / "p.jsonl")
    assert done.returncode == 1 and "laios bench --keep-runs" in done.stderr
