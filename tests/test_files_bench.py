"""`tools/bench/files.py`: the mode and the one-call baseline on the same damaged replies."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from pipeline.analysis.file_types import type_of_path
from pipeline.projects.consistency import check
from pipeline.projects.manifest import Manifest, PlannedFile
from pipeline.projects.project import Project
from tools.bench.files import read_tasks, repaired

pytestmark = pytest.mark.only_when("tools/")
ROOT = Path(__file__).parents[1]


@pytest.mark.skipif(shutil.which("bwrap") is None, reason="the sandbox needs bubblewrap")
def test_the_mode_holds_where_replies_are_damaged():
    """At least 98 % of the projects come out to the byte, where the baseline loses about half."""
    bench = [
        sys.executable,
        "-m",
        "tools.bench.files",
        "--scripted",
        "--rounds",
        "2",
        "--seed",
        "9",
    ]
    ran = subprocess.run(bench, capture_output=True, text=True, cwd=ROOT, timeout=120)
    rows = re.findall(r"^\| (.+) \| 20 \| ([\d.]+) % ", ran.stdout, re.MULTILINE)
    shares = {way: float(share) for way, share in rows}
    assert list(shares) == ["one call", "one call, repaired", "///files"], ran.stderr
    assert shares["///files"] >= 98, ran.stderr
    assert 20 < shares["one call"] < 80
    assert shares["one call"] < shares["one call, repaired"] < 98


def test_the_tasks_projects_hold_together():
    """Ten of them; nothing is found in any."""
    tasks = read_tasks()
    assert len(tasks) == 10
    for task in tasks:
        plan = tuple(PlannedFile(p, type_of_path(p), p, "", "") for p in task.texts)
        assert check(Project(Manifest("", "", plan), task.texts)) == []


def test_the_baseline_s_repair_does_what_the_seed_says():
    """Quotes and line breaks in a content field; what reads already is not touched."""
    body = '{"files": [{"file_path": "a", "content": "x = "1"\n"}]}'
    assert json.loads(repaired(body))["files"][0]["content"] == 'x = "1"\n'
    assert repaired('{"content": "\\"\\"\\""}') == '{"content": "\\"\\"\\""}'
