"""Faults of the disk and of the power supply: short writes, no room, failed syncs, crashes."""

import errno
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from history_fakes import FaultyOs, make_record, refusal, run_id, write_file

from history.append_log import Log
from history.reader import Reader
from history.record import encode

pytestmark = pytest.mark.only_when("history/")

LINES = [encode(make_record(run_id(number))) for number in range(20)]


def open_log(directory: Path, max_entries: int = 100) -> Log:
    return Log(directory, max_entries=max_entries, max_files=0, fsync=True)


def read(directory: Path) -> tuple[list[int], int]:
    """Numbers of the records in the history, and how many damaged lines there are."""
    reader = Reader(directory)
    ids = [int(record["id"].removeprefix("run-")) for record in reader]
    return ids, reader.skipped


@pytest.mark.parametrize("size", [1, 100, len(LINES[0]) - 1, len(LINES[0]), len(LINES[0]) + 1])
def test_a_short_write_is_completed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: int
) -> None:
    """A system that takes less than it was given gets the rest with the next call."""
    system = FaultyOs().install(monkeypatch)
    system.faults["write"] = [size, 1]
    log = open_log(tmp_path)

    assert log.append(LINES[:3]) == (3, None)
    assert read(tmp_path) == ([0, 1, 2], 0)
    log.close()


@pytest.mark.parametrize("size", [1, 100, len(LINES[0]) - 1, len(LINES[0]), len(LINES[0]) + 1])
def test_a_full_disk_leaves_whole_lines(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: int
) -> None:
    """What fits is kept, acknowledged and synced; the fragment is cut off, the rest comes later."""
    system = FaultyOs().install(monkeypatch)
    log = open_log(tmp_path)
    assert log.append(LINES[:1]) == (1, None)
    system.calls.clear()
    system.faults["write"] = [size, refusal("ENOSPC")]

    written, error = log.append(LINES[1:4])

    assert written == size // len(LINES[0])
    assert error is not None and error.errno == errno.ENOSPC
    assert ("fdatasync" in system.calls) == bool(written)
    assert read(tmp_path) == (list(range(1 + written)), 0)
    assert log.append(LINES[1 + written : 5]) == (4 - written, None)
    assert read(tmp_path) == ([0, 1, 2, 3, 4], 0)
    log.close()


@pytest.mark.parametrize("size", [1, 100, len(LINES[0]) - 1, len(LINES[0]) + 7])
def test_a_fragment_that_cannot_be_cut_off_is_closed_off(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: int
) -> None:
    """Without ftruncate there is one damaged line, and still every record exactly once."""
    system = FaultyOs().install(monkeypatch)
    system.faults = {"write": [size, refusal("ENOSPC")], "ftruncate": [refusal("EIO")]}
    log = open_log(tmp_path)

    written, error = log.append(LINES[:3])

    assert error is not None
    assert log.append(LINES[written:4]) == (4 - written, None)
    ids, damaged = read(tmp_path)
    assert ids == [0, 1, 2, 3]
    assert damaged <= 1
    log.close()


def test_what_could_not_be_synced_is_written_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A failed sync is not believed the second time: the lines are cut off and written anew."""
    system = FaultyOs().install(monkeypatch)
    log = open_log(tmp_path)
    assert log.append(LINES[:2]) == (2, None)
    system.faults["fdatasync"] = [refusal("EIO")]

    written, error = log.append(LINES[2:5])

    assert written == 0
    assert error is not None and error.errno == errno.EIO
    assert read(tmp_path) == ([0, 1], 0)
    assert log.append(LINES[2:5]) == (3, None)
    assert read(tmp_path) == ([0, 1, 2, 3, 4], 0)
    log.close()


def test_a_failed_rotation_is_tried_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No next file, no directory sync: the records wait, then go to the right file."""
    system = FaultyOs().install(monkeypatch)
    log = open_log(tmp_path, max_entries=2)
    assert log.append(LINES[:2]) == (2, None)
    for call in ("open", "fsync"):
        system.faults[call] = [refusal("ENOSPC")]
        assert log.append(LINES[2:5])[0] == 0
        system.faults.clear()
    assert log.append(LINES[2:5]) == (3, None)
    assert read(tmp_path) == ([0, 1, 2, 3, 4], 0)
    assert [path.read_bytes().count(b"\n") for path in sorted(tmp_path.iterdir())] == [2, 2, 1]
    log.close()


def test_a_listing_that_fails_starts_no_second_history(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Files that nobody can see now are there: the record waits, then goes to the newest one."""
    for number in (5, 6):
        write_file(tmp_path, number, LINES[number])
    system = FaultyOs().install(monkeypatch)
    system.faults["scandir"] = [refusal("EMFILE")]
    log = open_log(tmp_path)

    written, error = log.append(LINES[7:8])

    assert written == 0
    assert error is not None and error.errno == errno.EMFILE
    assert log.append(LINES[7:8]) == (1, None)
    assert read(tmp_path) == ([5, 6, 7], 0)
    assert [path.name for path in sorted(tmp_path.iterdir())] == [
        "history-000005.jsonl",
        "history-000006.jsonl",
    ]
    log.close()


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="needs Linux's list of descriptors")
def test_no_descriptor_is_left_after_faults(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Hours of a full disk do not use up the file descriptors."""
    system = FaultyOs().install(monkeypatch)
    log = open_log(tmp_path, max_entries=2)
    log.append(LINES[:1])
    log.close()
    for call in ("open", "fstat", "pread", "write", "fdatasync", "fsync", "ftruncate"):
        for skip in range(3):
            system.faults[call] = [*[None] * skip, refusal("EIO")]
            log.append(LINES[:3])
            log.append(LINES[:3])
            system.faults.clear()
    log.close()
    held = [fd.resolve() for fd in Path("/proc/self/fd").iterdir()]
    assert [path for path in held if path.is_relative_to(tmp_path.resolve())] == []


# Crashes. Every call that changes the disk is recorded; then each state that a power cut at any
# moment may have left is built, and the history has to hold in all of them.


@dataclass
class Disk:
    """What the system was told, in order: creations, writes, cuts, syncs; and what was promised."""

    operations: list[tuple[str, Any, Any]] = field(default_factory=list)


class RecordingOs(FaultyOs):
    """`os` that keeps account of everything that changes the directory."""

    def __init__(self, disk: Disk) -> None:
        super().__init__()
        self._disk = disk
        self._names: dict[int, str] = {}

    def _wrapped(self, name: str, function: Any) -> Any:
        inner = super()._wrapped(name, function)

        def call(*arguments: Any, **options: Any) -> Any:
            if name == "open":
                new = not Path(arguments[0]).exists()
                descriptor = inner(*arguments, **options)
                self._names[descriptor] = Path(arguments[0]).name
                if new:
                    self._note("create", self._names[descriptor])
                return descriptor
            result = inner(*arguments, **options)
            if name == "write":
                descriptor, data = arguments
                self._note("write", self._names[descriptor], bytes(data[:result]))
            elif name == "ftruncate":
                self._note("cut", self._names[arguments[0]], arguments[1])
            elif name in ("fdatasync", "fsync"):
                self._note(name, self._names[arguments[0]])
            return result

        return call

    def _note(self, *operation: Any) -> None:
        kind, name, value = (*operation, None)[:3]
        self._disk.operations.append((kind, name, value))


@dataclass
class SimulatedFile:
    """A file as it is on the medium, and what was done to it since the last sync."""

    named: bool = False
    durable: bytes = b""
    waiting: list[tuple[str, Any]] = field(default_factory=list)

    def sync(self) -> None:
        *_, content = self.states()
        self.durable = content or b""
        self.waiting.clear()

    def states(self) -> Iterator[bytes | None]:
        """Every content that a crash may leave; None: the file is not there at all."""
        if not self.named:
            yield None
        content = self.durable
        yield content
        for kind, value in self.waiting:
            if kind == "cut":
                content = content[:value]
            else:
                for length in {0, 1, len(value) // 2, len(value) - 1}:
                    yield content + value[:length]
                yield content + bytes(len(value))  # the size arrived, the data did not
                content += value
            yield content


def crash_states(disk: Disk) -> Iterator[tuple[dict[str, bytes], set[int]]]:
    """Directories that a crash may leave, each with the records that were promised by then."""
    files: dict[str, SimulatedFile] = {}
    promised: set[int] = set()
    for kind, name, value in disk.operations:
        if kind == "create":
            files[name] = SimulatedFile()
        elif kind in ("write", "cut"):
            files[name].waiting.append((kind, value))
        elif kind == "fdatasync":
            files[name].sync()
        elif kind == "fsync":
            for file in files.values():
                file.named = True
        elif kind == "promise":
            promised = promised | value
        yield from ((state, promised) for state in _combinations(list(files.items())))


def _combinations(files: list[tuple[str, SimulatedFile]]) -> Iterator[dict[str, bytes]]:
    if not files:
        yield {}
        return
    (name, file), *rest = files
    for content in file.states():
        for others in _combinations(rest):
            yield others if content is None else {name: content, **others}


FAULTS: dict[str, dict[str, list[OSError | int | None]]] = {
    "none": {},
    "short write": {"write": [None, 40]},
    "full disk": {"write": [None, len(LINES[0]) + 40, refusal("ENOSPC")]},
    "full disk, no cutting": {
        "write": [None, 40, refusal("ENOSPC")],
        "ftruncate": [refusal("EIO")],
    },
    "failed sync": {"fdatasync": [None, refusal("EIO")]},
    "failed directory sync": {"fsync": [None, refusal("EIO")]},
}


@pytest.mark.parametrize("fault", FAULTS)
def test_no_crash_loses_an_acknowledged_record(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fault: str
) -> None:
    """Whenever the power goes: each promised record is there exactly once, at most one line is
    damaged, and the next process can append. Unsynced writes may be lost, cut anywhere, or
    filled with zeros; a file whose directory was not synced may be gone."""
    disk = Disk()
    _work(tmp_path / "work", RecordingOs(disk), monkeypatch, disk, FAULTS[fault])
    monkeypatch.undo()

    seen = set()
    for state, promised in crash_states(disk):
        key = (tuple(state.items()), frozenset(promised))
        if key in seen:
            continue
        seen.add(key)
        directory = tmp_path / f"state-{len(seen)}"
        directory.mkdir()
        for name, content in state.items():
            (directory / name).write_bytes(content)
        before, _ = read(directory)
        assert promised <= set(before)
        assert len(before) == len(set(before))

        log = Log(directory, max_entries=3, max_files=0, fsync=False)
        assert log.append(LINES[19:]) == (1, None)
        log.close()
        after, damaged = read(directory)
        # A line that lacked nothing but its newline is whole once that is added.
        assert after[-1] == 19 and set(before) <= set(after) <= set(before) | set(range(20))
        assert len(after) == len(set(after))
        assert damaged <= (2 if "no cutting" in fault else 1)
    assert len(seen) > 20


def _work(
    directory: Path, system: RecordingOs, monkeypatch: pytest.MonkeyPatch, disk: Disk, faults: Any
) -> None:
    """Seven records in groups, over three files, through one fault."""
    system.install(monkeypatch)
    system.faults = {call: list(queue) for call, queue in faults.items()}
    directory.mkdir()
    log, done = open_log(directory, max_entries=3), 0
    for group in (1, 3, 1, 2):
        goal = done + group
        for _ in range(3):
            written, _error = log.append(LINES[done:goal])
            disk.operations.append(("promise", None, set(range(done, done + written))))
            done += written
            if done == goal:
                break
    log.close()
    assert done == 7
    assert read(directory)[0] == list(range(7))


def test_the_crash_test_sees_a_missing_sync(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A log that does not sync fails the test above: it can tell."""
    disk = Disk()
    monkeypatch.setattr("history.segment.sync", lambda descriptor: None)
    _work(tmp_path / "work", RecordingOs(disk), monkeypatch, disk, {})

    assert any(
        promised and not any(f'"{run_id(min(promised))}"'.encode() in c for c in state.values())
        for state, promised in crash_states(disk)
    )
