"""`tools/bench/files.py`: the mode and the one-call baseline on the same damaged replies."""

import json
import shutil

import pytest

from pipeline.analysis.file_types import type_of_path
from pipeline.projects.consistency import check
from pipeline.projects.manifest import Manifest, PlannedFile
from pipeline.projects.project import Project
from tools.bench.files import read_tasks, repaired, scripted, table

pytestmark = pytest.mark.only_when("tools/")


@pytest.mark.skipif(shutil.which("bwrap") is None, reason="the sandbox needs bubblewrap")
async def test_the_mode_holds_where_replies_are_damaged():
    """At least 98 % of the projects come out to the byte, where the baseline loses about half."""
    found = await scripted(rounds=2, seed=9)
    shares = {
        way: sum(each.error is None for each in found if each.way == way) / 20
        for way in ("one call", "one call, repaired", "///files")
    }
    lost = [each.error for each in found if each.way == "///files" and each.error]
    assert shares["///files"] >= 0.98, lost
    assert 0.2 < shares["one call"] < 0.8
    assert shares["one call"] < shares["one call, repaired"] < 0.98
    assert table(found).count("| 20 |") == 3


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
