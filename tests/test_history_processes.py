"""The history between real processes: killed, out of room, and refused by the system itself."""

import json
import os
import random
import select
import shutil
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest
from history_fakes import ids_in, make_record, write_file

from history.reader import Reader

pytestmark = pytest.mark.only_when("history/")

KILL_SECONDS = float(os.environ.get("KILL_SECONDS", "4"))
"""Time for the kill loop; half an hour of it is a good night's test."""

PRELUDE = """
import asyncio, json, os, resource, sys, time
from pathlib import Path
sys.path.insert(0, os.environ["TESTS"])
from history_fakes import ids_in, make_record, run_id
from history.record import encode
from history.store import Store
from history.append_log import Log
directory = Path(sys.argv[1])
"""

WRITER = """
async def main():
    name, size = sys.argv[2], int(sys.argv[3])
    store = Store(directory, max_entries=50)
    numbers = iter(range(10**9))
    async def client():
        for number in numbers:
            id = f"{name}-{number:06d}"
            if await store.append(make_record(id, final_output="x" * size)):
                os.write(1, id.encode() + b"\\n")
    await asyncio.gather(*(client() for _ in range(3)))
asyncio.run(main())
"""

FILE_SIZE_LIMIT = """
lines = [encode(make_record(run_id(number)[:-1] + str(number))) for number in range(6)]
log = Log(directory, max_entries=100, max_files=0, fsync=True)
hard = resource.getrlimit(resource.RLIMIT_FSIZE)[1]
resource.setrlimit(resource.RLIMIT_FSIZE, (len(lines[0]) * 3 + 100, hard))
refused = log.append(lines)
whole = ids_in(directory), (directory / "history-000001.jsonl").stat().st_size == 3 * len(lines[0])
resource.setrlimit(resource.RLIMIT_FSIZE, (hard, hard))
resumed = log.append(lines[refused[0]:])
print(json.dumps([refused[0], refused[1].errno, whole, resumed, ids_in(directory)]))
"""

FULL_DISK = """
async def main():
    ballast = directory / "ballast"
    ballast.write_bytes(bytes(700_000))
    store = Store(directory, max_entries=20)
    appended = [await store.append(make_record(run_id(n), final_output="x" * 10_000))
                for n in range(40)]
    full = store.state()
    before = ids_in(directory)
    ballast.unlink()
    begin = time.monotonic()
    while store.state().pending and time.monotonic() - begin < 5:
        await asyncio.sleep(0.01)
    took = time.monotonic() - begin
    state = store.state()
    await store.close()
    print(json.dumps({
        "appended": appended, "full": [full.ok, full.pending, full.lost, full.error],
        "before": before, "took": took, "after": [state.ok, state.pending, state.lost],
        "ids": ids_in(directory),
    }))
asyncio.run(main())
"""

READ_ONLY = """
async def main():
    store = Store(directory)
    appended = [await store.append(make_record(run_id(number))) for number in range(2)]
    state = store.state()
    os.system(f"mount -o remount,rw {directory}")
    begin = time.monotonic()
    while store.state().pending and time.monotonic() - begin < 5:
        await asyncio.sleep(0.01)
    took = time.monotonic() - begin
    await store.close()
    print(json.dumps({
        "appended": appended, "state": [state.ok, state.pending, state.lost, state.error],
        "took": took, "ids": ids_in(directory),
    }))
asyncio.run(main())
"""

ONE_BY_ONE = """
async def main():
    store = Store(directory)
    for number in range(3):
        os.write(1, b"%d\\n" % await store.append(make_record(run_id(number))))
        while store.state().pending:
            await asyncio.sleep(0.01)
    await store.close()
asyncio.run(main())
"""

needs_strace = pytest.mark.skipif(not shutil.which("strace"), reason="strace is not installed")


def command(script: str, *arguments: object) -> list[str]:
    return [sys.executable, "-c", PRELUDE + script, *map(str, arguments)]


def environment() -> dict[str, str]:
    here = Path(__file__).parent
    return os.environ | {"TESTS": str(here), "PYTHONPATH": str(here.parent)}


def run(*words: str, check: bool = True) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        words, env=environment(), capture_output=True, text=True, timeout=30, check=check
    )


class Writer:
    """A process that appends without end and says which records it was promised."""

    def __init__(self, directory: Path, name: str, size: int) -> None:
        self.promised: list[str] = []
        self._rest = b""
        self._process = subprocess.Popen(
            command(WRITER, directory, name, size), env=environment(), stdout=subprocess.PIPE
        )
        assert self._process.stdout
        self._output = self._process.stdout.fileno()

    def listen(self) -> None:
        """Note the promises until there are none in the pipe; waits for the first."""
        timeout = None if not self.promised else 0
        while select.select([self._output], [], [], timeout)[0]:
            data = os.read(self._output, 1 << 16)
            *ids, self._rest = (self._rest + data).split(b"\n")
            self.promised += [id.decode() for id in ids]
            timeout = 0
            if not data:
                return

    def kill(self) -> None:
        """End it as a power cut would end its process, and hear its last promises."""
        self._process.kill()
        self._process.wait()
        self.listen()
        if self._process.stdout:
            self._process.stdout.close()


@pytest.mark.timeout(KILL_SECONDS + 60)
def test_killing_writers_loses_no_acknowledged_record(tmp_path: Path) -> None:
    """Three processes write, are killed at any moment and replaced; a reader looks on.

    Each acknowledged record is there exactly once, a kill damages at most one line, and no read
    ever sees a record twice or out of the order in which its writer wrote."""
    directory, sizes = tmp_path / "history", [2_000, 64_000, 1_000_000]
    chance = random.Random(7)
    done, problems = threading.Event(), list[str]()

    def look_on() -> None:
        while not done.wait(0.05):
            ids = [record["id"] for record in Reader(directory).page(limit=200)][::-1]
            if len(ids) != len(set(ids)):
                problems.append("a record twice")

    onlooker = threading.Thread(target=look_on)
    onlooker.start()
    promised: list[str] = []
    kills = 0
    writers = [Writer(directory, f"first{i}", size) for i, size in enumerate(sizes)]
    end = time.monotonic() + KILL_SECONDS
    while writers:
        for index, writer in enumerate(list(writers)):
            writer.listen()
            time.sleep(chance.random() * 0.02)
            writer.kill()
            promised += writer.promised
            kills += 1
            if time.monotonic() < end:
                writers[index] = Writer(directory, f"next{kills}", chance.choice(sizes))
            else:
                writers.remove(writer)
    done.set()
    onlooker.join()

    reader = Reader(directory)
    ids = [record["id"] for record in reader]
    assert kills >= 6
    assert len(promised) >= kills
    assert set(promised) <= set(ids)
    assert len(ids) == len(set(ids))
    assert reader.skipped <= kills
    assert not problems
    for name in {id.split("-")[0] for id in ids}:
        own = [id for id in ids if id.startswith(f"{name}-")]
        assert own == sorted(own)


def test_a_limit_on_the_file_size_leaves_whole_lines(tmp_path: Path) -> None:
    """The system writes half a line and then refuses (EFBIG): only whole lines stay, the rest
    follows when the limit is gone."""
    answer = json.loads(run(*command(FILE_SIZE_LIMIT, tmp_path)).stdout)

    written, number, whole, resumed, ids = answer
    assert (written, os.strerror(number)) == (3, "File too large")
    assert whole == [ids[:3], True]
    assert resumed == [3, None]
    assert len(ids) == 6


def run_on_tmpfs(directory: Path, options: str, script: str) -> Any:
    """Run a script with a small file system of its own at `directory`; what it prints as JSON."""
    if not shutil.which("unshare"):
        pytest.skip("unshare is not installed: no file system of our own")
    mount = f'mount -t tmpfs -o {options} tmpfs {directory} && exec "$@"'
    inside = ["unshare", "-Urm", "sh", "-c", mount, "sh"]
    tried = run(*inside, "true", check=False)
    if tried.returncode:
        pytest.skip(f"no tmpfs can be mounted here: {tried.stderr.strip()}")
    return json.loads(run(*inside, *command(script, directory)).stdout)


def test_a_read_only_file_system_is_survived(tmp_path: Path) -> None:
    """Nothing can be written: callers go on, and the records follow when that has changed."""
    answer = run_on_tmpfs(tmp_path, "size=1m,ro", READ_ONLY)

    assert answer["appended"] == [False, False]
    assert answer["state"][:3] == [False, 2, 0]
    assert "Read-only file system" in answer["state"][3]
    assert answer["took"] < 1
    assert answer["ids"] == ["run-000000", "run-000001"]


def test_a_full_disk_is_survived(tmp_path: Path) -> None:
    """On a file system without room records wait; within a second of room they are written."""
    answer = run_on_tmpfs(tmp_path, "size=1m", FULL_DISK)

    everything = [f"run-{number:06d}" for number in range(40)]
    count = answer["appended"].count(True)
    assert 10 < count < 40
    assert answer["appended"] == [True] * count + [False] * (40 - count)
    assert answer["full"][:3] == [False, 40 - count, 0]
    assert "No space left" in answer["full"][3]
    assert answer["before"] == everything[:count]
    assert answer["took"] < 1
    assert answer["after"] == [True, 0, 0]
    assert answer["ids"] == everything


def strace(tmp_path: Path, fault: str, *, path: Path | None = None) -> tuple[int, str, str]:
    """Run ONE_BY_ONE with a fault; exit code, its output, the trace."""
    trace, call = tmp_path / "trace", fault.partition(":")[0]
    words = ["strace", "-f", "-qq", "-o", str(trace), "-e", f"trace={call}"]
    words += ["-e", f"inject={fault}", *(["-P", str(path)] if path else [])]
    result = run(*words, *command(ONE_BY_ONE, tmp_path / "history"), check=False)
    if "ptrace" in result.stderr:
        pytest.skip(f"strace may not trace here: {result.stderr.strip()}")
    return result.returncode, result.stdout, trace.read_text()


@needs_strace
@pytest.mark.parametrize(
    "fault",
    [
        "fdatasync:error=EIO:when=2",
        "fsync:error=EIO:when=1",
        "write:error=ENOSPC:when=2",
        "flock:error=ENOLCK:when=3",
    ],
)
def test_what_the_system_refuses_once_is_written_later(tmp_path: Path, fault: str) -> None:
    """The fault is the kernel's own answer; each record is in the file exactly once."""
    path = write_file(tmp_path / "history", 1, make_record("first"))

    code, output, trace = strace(tmp_path, fault, path=path if "write" in fault else None)

    assert code == 0
    assert trace.count("(INJECTED)") == output.count("0") == 1
    assert ids_in(tmp_path / "history") == ["first", *(f"run-{number:06d}" for number in range(3))]


@needs_strace
@pytest.mark.parametrize("call", ["write", "fdatasync", "flock", "fsync"])
def test_killed_at_any_call_it_keeps_what_it_promised(tmp_path: Path, call: str) -> None:
    """A kill exactly at a call of the log: what was acknowledged before is there."""
    path = write_file(tmp_path / "history", 1, make_record("first"))
    for when in range(1, 4):
        code, output, _ = strace(
            tmp_path, f"{call}:signal=KILL:when={when}", path=path if call == "write" else None
        )
        if code == 0:
            assert when > 1, "the call never came"
            break
        assert code in (-9, 137)
        promised = [f"run-{number:06d}" for number in range(output.count("1"))]
        ids = ids_in(tmp_path / "history")
        assert ids[0] == "first"
        assert set(promised) <= set(ids)
        path.unlink()
        write_file(tmp_path / "history", 1, make_record("first"))
