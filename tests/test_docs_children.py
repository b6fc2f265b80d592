"""The child processes that read documentation: what they tell is read strictly, and they end."""

import os
import sys
import time
from pathlib import Path

import pytest

from retrieval.sources import worker_process
from retrieval.sources.api_entry import MAX_DEPTH, Entry
from retrieval.sources.block import Block
from retrieval.sources.worker_process import WorkerJob, run_workers

pytestmark = pytest.mark.only_when("retrieval/", "laios/")

START = """
import json, os, sys, time
work = json.loads(sys.stdin.read())
pipe = os.fdopen(int(sys.argv[-1]), "w")
def tell(line):
    print(line if isinstance(line, str) else json.dumps(line), file=pipe, flush=True)
"""


def told(code: str, parts: list[str]) -> list[tuple[str, str, str]]:
    """What comes of a child that runs the code."""

    def work(todo, broken):
        return {"todo": todo, "broken": sorted(broken)}

    task = WorkerJob((sys.executable, "-I", "-c", START + code), work)
    return [(each.what, each.part, each.why) for each in run_workers(task, parts)]


def test_parts_are_told_one_after_the_other():
    """Items, then the end of each; parts that nobody asked for are left out."""
    code = """
for part in work["todo"]:
    tell({"at": part}); tell({"part": part}); tell({"part": "other"}); tell({"ended": "other"})
    tell({"ended": part} if part == "a" else {"failed": part, "why": "so"})
"""
    assert told(code, ["a", "b"]) == [
        *(("item", "a", ""), ("ended", "a", "")),
        *(("item", "b", ""), ("failed", "b", "so")),
    ]


def test_a_child_leaves_what_may_be_read_another_time():
    """It says why; the part is not asked for again."""
    code = 'tell({"at": "a"}); tell({"left": "a", "why": "so"}); tell({"ended": "b"})'
    assert told(code, ["a", "b"]) == [("left", "a", "so"), ("ended", "b", "")]


def test_a_child_that_breaks_is_started_again_without_the_part_that_broke_it():
    """What it told before counts."""
    code = """
for part in work["todo"]:
    tell({"at": part}); tell({"part": part})
    if part == "bad": os.kill(os.getpid(), 9)
    tell({"ended": part})
"""
    assert told(code, ["a", "bad", "b"]) == [
        *(("item", "a", ""), ("ended", "a", "")),
        *(("item", "bad", ""), ("failed", "bad", "its reader was killed by SIGKILL")),
        *(("item", "b", ""), ("ended", "b", "")),
    ]


@pytest.mark.parametrize(
    ("code", "why"),
    [
        ("", "status 0"),
        ("sys.exit(4)", "status 4"),
        ("tell('no JSON')", "something else"),
        ("tell([1])", "something else"),
        ("tell({'ended': 7})", "something else"),
        ("tell({'item': 7})", "something else"),
        ("tell('[' * 100_000)", "something else"),
        ("pipe.write('x' * 20_000_000); pipe.flush(); time.sleep(60)", "too much"),
        ("pipe.close(); time.sleep(60)", "its pipe"),
    ],
)
def test_nonsense_leaves_what_was_to_be_read(code, why):
    """All of it, once, when no part is to blame."""
    found = told(code, ["a", "b"])
    assert [each[:2] for each in found] == [("left", "a"), ("left", "b")]
    assert why in found[0][2]


def test_silence_and_time_have_an_end(monkeypatch):
    """A part that takes too long fails; when the source's time is up, the others are left."""
    monkeypatch.setattr(worker_process, "SILENCE_S", 0.5)
    code = "tell({'at': work['todo'][0]}); time.sleep(60)"
    assert [each[:2] for each in told(code, ["a", "b"])] == [("failed", "a"), ("failed", "b")]
    monkeypatch.setattr(worker_process, "DEADLINE_S", 0.0)
    assert [each[:2] for each in told(code, ["a", "b", "c"])] == [
        *(("left", "a"), ("left", "b"), ("left", "c")),
    ]


def test_one_that_always_breaks_is_given_up():
    """After a number of starts; each part fails once, or is left."""
    code = "tell({'at': work['todo'][0]}); sys.exit(1)"
    parts = [f"p{n}" for n in range(worker_process.MAX_STARTS + 5)]
    found = told(code, parts)
    assert [part for _, part, _ in found] == parts
    assert [what for what, _, _ in found] == ["failed"] * worker_process.MAX_STARTS + ["left"] * 5
    assert "broke too often" in found[-1][2]


def test_a_reader_that_is_not_there_is_a_reason():
    """A command that cannot be started."""
    task = WorkerJob(("/no/such/program",), lambda todo, broken: {})
    assert [(each.what, "cannot be started" in each.why) for each in run_workers(task, ["a"])] == [
        ("left", True)
    ]


def test_whoever_stops_listening_ends_the_child_and_its_children(tmp_path):
    """Nothing stays behind."""
    code = f"""
import subprocess
other = subprocess.Popen(["sleep", "600"])
open({str(tmp_path / "pids")!r}, "w").write(f"{{os.getpid()}} {{other.pid}}")
tell({{"part": "a"}})
time.sleep(600)
"""
    task = WorkerJob((sys.executable, "-I", "-c", START + code), lambda todo, broken: {})
    listening = run_workers(task, ["a"])
    next(listening)
    pids = [int(pid) for pid in (tmp_path / "pids").read_text().split()]
    listening.close()
    until = time.monotonic() + 10
    while any(is_running(pid) for pid in pids):
        assert time.monotonic() < until
        time.sleep(0.01)


def is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    status = Path(f"/proc/{pid}/stat")
    try:
        return not status.parent.parent.exists() or status.read_text().split()[2] != "Z"
    except FileNotFoundError:
        return False


@pytest.mark.parametrize(
    "data",
    [
        None,
        [],
        {},
        {"name": "", "kind": "class"},
        {"name": "a", "kind": "thing"},
        {"name": "a", "kind": ["class"]},
        {"name": "a", "kind": "class", "members": 1},
        {"name": "a", "kind": "class", "members": [None]},
        {"name": "a", "kind": "class", "parameters": "x"},
        {"name": "a", "kind": "class", "bases": [1]},
        {"name": "a", "kind": "class", "doc": 1},
    ],
)
def test_an_entry_is_read_strictly(data):
    """ValueError of everything that no child of ours would send."""
    with pytest.raises(ValueError):
        Entry.from_json(data)


def test_an_entry_is_of_a_bounded_size():
    """Long texts are cut, what no database takes is replaced, depth has an end."""
    entry = Entry.from_json({"name": "a.b", "kind": "class", "doc": "\ud800\0" + "x" * 10**6})
    assert entry.doc.startswith("?x") and len(entry.doc) < 10**5
    data = {"name": "a", "kind": "class"}
    for _ in range(MAX_DEPTH + 1):
        data = {"name": "a", "kind": "class", "members": [data]}
    with pytest.raises(ValueError):
        Entry.from_json(data)


@pytest.mark.parametrize(
    "data",
    [
        None,
        {"kind": "poem", "text": ""},
        {"kind": ["text"], "text": ""},
        {"kind": "text"},
        {"kind": "text", "text": 1},
        {"kind": "heading", "text": "", "level": True},
        {"kind": "heading", "text": "", "level": 10},
        {"kind": "text", "text": "", "names": "x"},
    ],
)
def test_a_block_is_read_strictly(data):
    """ValueError of everything that no child of ours would send."""
    with pytest.raises(ValueError):
        Block.from_json(data)
