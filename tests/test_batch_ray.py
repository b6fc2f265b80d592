"""`laios batch --ray` on a cluster of two nodes, one of which is lost."""

import json
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from cli import LAIOS
from fakes import Answer, FakeOllama
from processes import invoke, wait_for

from history.reader import Reader

# Each of a dozen processes of Ray has to start first, on a machine that may be busy.
LIMIT_S = 1800
COUNT = 120
pytestmark = [
    pytest.mark.only_when("server/batch/", "tools/bench/ray_nodes.py"),
    pytest.mark.skipif(not find_spec("ray"), reason="there is no ray"),
    pytest.mark.xdist_group("ray"),
    pytest.mark.timeout(LIMIT_S),
]
ROOT = Path(__file__).parent.parent


@contextmanager
def cluster(directory: Path) -> Iterator[subprocess.Popen[str]]:
    """The cluster's process, which has told its address as the first line."""
    command = [sys.executable, "-m", "tools.bench.ray_nodes", str(directory)]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
    with subprocess.Popen(command, text=True, cwd=ROOT, **pipes) as process:
        assert process.stdin
        try:
            yield process
        finally:
            process.stdin.close()
            process.wait(60)


@contextmanager
def ended(process: subprocess.Popen[str]) -> Iterator[subprocess.Popen[str]]:
    with process:
        try:
            yield process
        finally:
            process.kill()


def answers_in(output: Path) -> list[dict[str, Any]]:
    """Whole lines of all files, also of those that are being written."""
    texts = [path.read_text() for path in output.rglob("*.jsonl")]
    lines = [line for text in texts for line in text.splitlines(keepends=True)]
    return [json.loads(line) for line in lines if line.endswith("\n")]


def prompt_of(body: dict[str, Any]) -> str:
    text = str(body["messages"][-1]["content"])
    return text.partition(";")[0].rpartition("prompt ")[2]


def test_a_lost_node_costs_no_answered_request(tmp_path, monkeypatch):
    """What it had answered is not asked again, what it was asking is asked elsewhere; the same
    command then has nothing to ask. Both nodes' histories merge into one."""
    for name in ("MAX_DRAFTS", "MAX_CONCURRENT_RUNS"):
        monkeypatch.setenv(f"LAIOS_{name}", "1" if name == "MAX_DRAFTS" else "4")
    asked, output = tmp_path / "asked.jsonl", tmp_path / "answers"
    lines = [{"id": f"n{i}", "prompt": f"prompt {i};", "mode": "raw"} for i in range(COUNT)]
    asked.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    with FakeOllama(Answer(delay_s=0.4)) as fake, cluster(tmp_path) as nodes:
        monkeypatch.setenv("OLLAMA_HOST", fake.url)
        assert nodes.stdout and nodes.stdin
        address = nodes.stdout.readline().strip()
        words = ["batch", asked.name, "-o", output.name, "--ray", address, "-c", "2"]
        command = [LAIOS, *words, "--actors", "2:2", "--json"]
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        with ended(subprocess.Popen(command, text=True, cwd=tmp_path, **pipes)) as batch:
            second = Reader(tmp_path / "node-2")

            def has_begun() -> bool:
                return min(len([*second]), len(answers_in(output))) >= 5

            wait_for(lambda: batch.poll() is not None or has_begun(), within=LIMIT_S)
            nodes.stdin.write("kill\n")
            nodes.stdin.flush()
            assert nodes.stdout.readline() == "killed\n"
            known = {answer["id"] for answer in answers_in(output)}
            told, said = batch.communicate()
        assert batch.returncode == 0, said
        assert 5 <= len(known) < COUNT and json.loads(told)["answered"] == COUNT
        assert Counter(answer["id"] for answer in answers_in(output)) == {
            line["id"]: 1 for line in lines
        }
        times = Counter(map(prompt_of, fake.requests))
        assert all(times[name.removeprefix("n")] == 1 for name in known)
        assert sum(times.values()) <= COUNT + 2 * 2
        again = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
        assert json.loads(again.stdout)["answered_before"] == COUNT, again.stderr
        assert len(fake.requests) == sum(times.values())
    merged = tmp_path / "merged"
    done = invoke(
        "history",
        "merge",
        *map(str, (tmp_path / "node-1", tmp_path / "node-2")),
        "--into",
        str(merged),
    )
    assert done.returncode == 0, done.stderr
    answered = {answer["details"]["id"] for answer in answers_in(output)}
    assert answered <= {record["id"] for record in Reader(merged)}


def test_a_cluster_that_is_not_there_is_told_at_once(tmp_path, free_port):
    """With its address; Ray itself would look for minutes."""
    asked = tmp_path / "asked.jsonl"
    asked.write_text('{"prompt": "x"}\n')
    words = ("batch", str(asked), "-o", str(tmp_path / "answers"), "--ray")
    done = invoke(*words, f"127.0.0.1:{free_port}")
    assert done.returncode == 3 and f"127.0.0.1:{free_port}" in done.stderr
    assert invoke(*words, "local").returncode == 3
    assert invoke(*words, "auto", "--actors", "4:1").returncode == 2
    assert invoke("batch", "-", "-o", "answers", "--ray", "auto", stdin="").returncode == 2
