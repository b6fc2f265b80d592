"""Reading: the last records, pages, single ones, all, following, and pruning."""

import asyncio
import fcntl
import os
import threading
from collections.abc import AsyncIterator, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, BinaryIO

import pytest
from history_fakes import FaultyOs, ids_in, make_record, refusal, run_id, write_file
from hypothesis import given
from hypothesis import strategies as st

from history.append_log import Log
from history.lines import lines_backwards, lines_forwards
from history.pruned_history import prune
from history.reader import Position, Reader
from history.record import Record, encode
from history.segment_files import list_numbers, open_plain, path_of
from history.store import Store

pytestmark = pytest.mark.only_when("history/")


def recent(directory: Path, n: int, session: str | None = None) -> list[str]:
    found = Reader(directory).load_recent_records(n, session)
    return [record["id"] for record in found]


def write_runs(directory: Path, count: int, per_file: int = 10) -> None:
    for number, start in enumerate(range(0, count, per_file), 1):
        runs = [make_record(run_id(i)) for i in range(start, min(start + per_file, count))]
        write_file(directory, number, *runs)


@given(st.lists(st.binary(max_size=9).map(lambda b: b.replace(b"\n", b" ")), max_size=8), st.data())
def test_lines_backwards_are_the_lines_reversed(
    tmp_path_factory: pytest.TempPathFactory, lines: list[bytes], data: st.DataObject
) -> None:
    """Whatever the blocks cut, the same lines come out; an unfinished one never does."""
    path = tmp_path_factory.getbasetemp() / "lines"
    torn = data.draw(st.binary(max_size=9).map(lambda b: b.replace(b"\n", b" ")))
    path.write_bytes(b"".join(line + b"\n" for line in lines) + torn)
    offsets = [sum(len(line) + 1 for line in lines[:index]) for index in range(len(lines))]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("history.lines._BLOCK", data.draw(st.integers(1, 12)))
        backwards = list(lines_backwards(path))

    assert backwards == list(zip(offsets, lines, strict=True))[::-1]
    assert list(lines_forwards(path)) == [line + b"\n" for line in lines]


def test_the_last_records_come_oldest_first(tmp_path: Path) -> None:
    """The last n, in the order in which they were written, across files."""
    write_runs(tmp_path, 25)

    assert recent(tmp_path, 7) == [run_id(number) for number in range(18, 25)]
    assert recent(tmp_path, 100) == [run_id(number) for number in range(25)]
    assert recent(tmp_path, 0) == []


@pytest.mark.parametrize(
    "values",
    [
        {"kind": "auxiliary"},
        {"final_output": None},
        {"final_output": ""},
        {"error": {"code": "model_failed", "message": "It failed."}},
        {"session": "other"},
    ],
)
def test_only_finished_runs_without_a_session_count(tmp_path: Path, values: dict[str, Any]) -> None:
    """Auxiliary, empty, failed runs and those of a session are no context."""
    write_file(tmp_path, 1, make_record("a"), make_record("b", **values), make_record("c"))

    assert recent(tmp_path, 5) == ["a", "c"]


@pytest.mark.parametrize("session", ["s1", "a b", 'quo"te', "ünï", "back\\slash", "\ud800", ""])
def test_a_session_sees_its_own_records_alone(tmp_path: Path, session: str) -> None:
    """The session is compared exactly, whatever its characters."""
    write_file(
        tmp_path,
        1,
        make_record("a", session=session),
        make_record("b"),
        make_record("c", session=session + "x"),
        make_record("d", final_output=f'"{session}"', session=None),
        make_record("e", session=session),
    )

    assert recent(tmp_path, 5, session) == ["a", "e"]


def test_records_far_back_are_not_looked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only the last `SCAN` lines are read: an old session costs no more than a new one."""
    write_file(tmp_path, 1, make_record("old", session="s"))
    write_file(tmp_path, 2, *(make_record(run_id(number)) for number in range(20)))

    monkeypatch.setattr("history.reader.SCAN", 20)
    assert recent(tmp_path, 1, "s") == []
    monkeypatch.setattr("history.reader.SCAN", 21)
    assert recent(tmp_path, 1, "s") == ["old"]


def test_the_cost_does_not_depend_on_the_size(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of a hundred files, the last two records open one."""
    write_runs(tmp_path, 1000)
    opened: list[Path] = []

    def counting(path: Path, buffering: int) -> BinaryIO:
        opened.append(path)
        return open_plain(path, buffering)

    monkeypatch.setattr("history.lines.open_plain", counting)

    assert recent(tmp_path, 2) == [run_id(998), run_id(999)]
    assert opened == [path_of(tmp_path, 100)]


def test_damaged_lines_are_skipped_and_counted_once(tmp_path: Path) -> None:
    """Junk between records hides none of them; reading twice does not count it twice."""
    write_file(tmp_path, 1, make_record("a"), b"junk\n", b"\0" * 300 + b"\n", make_record("b"))
    write_file(tmp_path, 2, b'{"id":"torn"\n', make_record("c"), b'{"id":"unfinished"')
    reader = Reader(tmp_path)

    for _ in range(2):
        assert [record["id"] for record in reader] == ["a", "b", "c"]
        assert [record["id"] for record in reader.load_recent_records(9)] == ["a", "b", "c"]
        assert [record["id"] for record in reader.page()] == ["c", "b", "a"]
        assert reader.skipped == 3


class StaleReader(Reader):
    """Its first look shows zeros where lines have been written since, as NFS clients may."""

    stale = True

    def _forwards(self, number: int, offset: int, *, final: bool) -> Iterator[bytes]:
        lines = super()._forwards(number, offset, final=final)
        if not self.stale:
            yield from lines
            return
        self.stale = False
        first, *others = lines
        whole = b"".join(others)
        yield first
        yield from (b"\0" * 250 + whole[250:]).splitlines(keepends=True)


def test_zeros_of_a_page_that_is_not_there_yet_hide_no_record(tmp_path: Path) -> None:
    """Whoever follows a history on NFS sees each record, those behind the zeros too."""
    write_runs(tmp_path, 8)
    reader = StaleReader(tmp_path)
    entries, position, *_ = reader.read_on(Position(0, 0))
    assert [entry.record["id"] for entry in entries] == [run_id(n) for n in range(8)]
    assert reader.skipped == 0 and not reader.stale
    assert reader.read_on(position)[:2] == ([], position)


def test_a_line_of_zeros_waits_for_the_writers_lock(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While it cannot be had nothing is passed over; then the line is what it is."""
    monkeypatch.setattr("history.reader._PATIENCE_S", 0.05)
    write_file(tmp_path, 1, make_record("a"), b"\0" * 300 + b"\n", make_record("b"))
    reader = Reader(tmp_path)
    with path_of(tmp_path, 1).open("rb") as writer:
        fcntl.flock(writer, fcntl.LOCK_EX)
        entries, position, *_ = reader.read_on(Position(0, 0))
        assert [entry.record["id"] for entry in entries] == ["a"]
        assert reader.read_on(position)[:2] == ([], position)
    assert [entry.record["id"] for entry in reader.read_on(position)[0]] == ["b"]
    assert reader.skipped == 1


def test_an_enormous_line_is_read(tmp_path: Path) -> None:
    """Lines of megabytes, longer than any block, are lines like others."""
    text = "x" * 3_000_000
    write_file(tmp_path, 1, make_record("a"), make_record("b", final_output=text), make_record("c"))

    assert recent(tmp_path, 3) == ["a", "b", "c"]
    assert ids_in(tmp_path) == ["a", "b", "c"]


def test_a_missing_directory_is_an_empty_history(tmp_path: Path) -> None:
    """Reading before anything was written finds nothing and fails nowhere."""
    reader = Reader(tmp_path / "none")

    assert reader.load_recent_records(5) == reader.page() == list(reader) == []
    assert reader.get("a") is None


def test_a_file_that_cannot_be_read_is_left_out(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """The rest of the history is still there, and the log names the file."""
    write_file(tmp_path, 1, make_record("a"))
    path_of(tmp_path, 2).mkdir()
    write_file(tmp_path, 3, make_record("c"))

    assert ids_in(tmp_path) == recent(tmp_path, 5) == ["a", "c"]
    assert "file 2 left out" in caplog.text


def test_a_listing_that_fails_is_not_remembered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As soon as the directory can be listed again, its files are read, changed or not."""
    write_file(tmp_path, 1, make_record("a"))
    os.utime(tmp_path, (1e9, 1e9))
    system = FaultyOs().install(monkeypatch)
    system.faults["scandir"] = [refusal("EMFILE"), refusal("EIO")]
    reader = Reader(tmp_path)

    assert reader.load_recent_records(5) == []
    assert reader.read_on(Position(1, 5))[:2] == ([], Position(1, 5))
    assert [record["id"] for record in reader.load_recent_records(5)] == ["a"]


def test_other_files_are_none_of_its_business(tmp_path: Path) -> None:
    """Only names of the pattern count, with digits as the writers write them."""
    write_file(tmp_path, 1, make_record("a"))
    for name in ("1.jsonl", "000002.jsonl.bak", "0000003.jsonl", "٠٠٠٠٠٩.jsonl"):
        (tmp_path / f"history-{name}").write_bytes(encode(make_record("other")))

    assert list_numbers(tmp_path) == [1]
    assert ids_in(tmp_path) == ["a"]


def test_pages_go_through_the_whole_history(tmp_path: Path) -> None:
    """Newest first, each page from the last id of the one before, without gap or repetition."""
    write_runs(tmp_path, 23, per_file=4)
    reader = Reader(tmp_path)
    seen: list[str] = []

    while page := reader.page(seen[-1] if seen else None, limit=5):
        assert len(page) == 5 or seen[19:]
        seen += [record["id"] for record in page]

    assert seen == [run_id(number) for number in reversed(range(23))]
    assert reader.page("unknown") == []


def test_a_record_is_found_by_its_id(tmp_path: Path) -> None:
    """Not by a mention of the id elsewhere, and also where ids are out of order."""
    write_file(tmp_path, 1, make_record("m5", context_ids=["m3"]), make_record("a1"))
    write_file(tmp_path, 2, make_record("m3", context_ids=["m5"], final_output='"z9"'))
    write_file(tmp_path, 3, make_record("b2"), b"junk\n", make_record('q"5\u2028'))
    reader = Reader(tmp_path)

    for id in ("m5", "a1", "m3", "b2", 'q"5\u2028'):
        record = reader.get(id)
        assert record is not None
        assert record["id"] == id
    assert reader.get("z9") is None


def test_readers_see_the_history_as_it_was_at_one_moment(tmp_path: Path) -> None:
    """While files are filled and followed, no read misses a record or sees one twice."""
    log = Log(tmp_path, max_entries=3, max_files=0, fsync=False)
    done = threading.Event()

    def write() -> None:
        for number in range(1500):
            log.append([encode(make_record(run_id(number)))])
        log.close()
        done.set()

    writer = threading.Thread(target=write)
    writer.start()
    reader, reads, last = Reader(tmp_path), 0, 0
    while not done.is_set() or last < 1500:
        ids = [record["id"] for record in reader]
        assert ids == [run_id(number) for number in range(len(ids))]
        newest = [record["id"] for record in reader.page(limit=10)]
        if newest:
            end = int(newest[0].removeprefix("run-"))
            assert newest == [run_id(n) for n in range(end, max(-1, end - 10), -1)]
            assert end + 1 >= len(ids) >= last
        last, reads = len(ids), reads + 1
    writer.join()
    assert reads > 1


async def take(records: AsyncIterator[Record], count: int) -> list[str]:
    """The ids of the next records; each has to come within a second."""
    return [(await asyncio.wait_for(anext(records), 1))["id"] for _ in range(count)]


async def test_following_gives_each_new_record_within_a_second(tmp_path: Path) -> None:
    """From the moment of the call on, across files, in order, each once."""
    write_file(tmp_path, 1, make_record("old"))
    store = Store(tmp_path, max_entries=2, fsync=False)
    records = Reader(tmp_path).follow()
    assert await store.append(make_record(run_id(0)))  # before anyone listens

    assert await take(records, 1) == [run_id(0)]
    for number in range(1, 10):
        assert await store.append(make_record(run_id(number)))
        if number % 3 == 0:
            assert await take(records, 3) == [run_id(n) for n in range(number - 2, number + 1)]
    await store.close()
    await records.aclose()


async def test_following_never_gives_half_a_line(tmp_path: Path) -> None:
    """A line that is being written comes when it is complete; one that was torn never does."""
    path = write_file(tmp_path, 1, make_record("old"))
    records = Reader(tmp_path).follow()
    line = encode(make_record("a"))
    with path.open("ab", buffering=0) as file:
        next_one = asyncio.ensure_future(anext(records))
        for start in range(0, len(line), 100):
            assert not next_one.done()
            file.write(line[start : start + 100])
            await asyncio.sleep(0.03)
        assert (await asyncio.wait_for(next_one, 10))["id"] == "a"
        file.write(line[:50] + b"\n" + encode(make_record("b")))
    assert await take(records, 1) == ["b"]
    await records.aclose()


async def test_following_waits_for_the_directory(tmp_path: Path) -> None:
    """`history -f` may be started before the first run."""
    directory = tmp_path / "history"
    records = Reader(directory).follow()
    next_one = asyncio.ensure_future(anext(records))
    await asyncio.sleep(0)
    store = Store(directory, fsync=False)
    assert await store.append(make_record("a"))

    assert (await asyncio.wait_for(next_one, 2))["id"] == "a"
    await store.close()
    await records.aclose()


async def test_following_a_fast_writer_misses_nothing(tmp_path: Path) -> None:
    """Hundreds of records over dozens of files, written while they are followed."""
    records = Reader(tmp_path).follow()
    store = Store(tmp_path, max_entries=5, fsync=False)

    async def write() -> None:
        for number in range(400):
            assert await store.append(make_record(run_id(number)))

    writing = asyncio.create_task(write())
    assert await take(records, 400) == [run_id(number) for number in range(400)]
    await writing
    await store.close()
    await records.aclose()


def test_pruning_deletes_whole_old_files_alone(tmp_path: Path) -> None:
    """A file goes if each of its records is from an earlier day, and never the active one."""
    old, new = {"ts": "2026-01-31T23:59:59.9Z"}, {"ts": "2026-02-01T00:00:00Z"}
    shifted = {"ts": "2026-01-31T23:30:00-01:00"}  # the first of February in UTC
    files: list[list[Record | bytes]] = [
        [make_record("a", **old), b"junk\n", make_record("b", **old)],
        [make_record("c", **old), make_record("d", **new)],
        [make_record("e", **shifted)],
        [make_record("f", ts="yesterday")],
        [b"junk\n"],
        [make_record("g", **old)],
        [make_record("h", **old)],
    ]
    for number, lines in enumerate(files, 1):
        write_file(tmp_path, number, *lines)
    (tmp_path / "notes.txt").write_text("mine")

    deleted = prune(tmp_path, datetime(2026, 2, 1, tzinfo=UTC))

    assert deleted == [path_of(tmp_path, 1), path_of(tmp_path, 6)]
    assert list_numbers(tmp_path) == [2, 3, 4, 5, 7]
    assert (tmp_path / "notes.txt").exists()
    assert prune(tmp_path / "none", datetime(2026, 2, 1, tzinfo=UTC)) == []


async def test_pruned_files_leave_a_history_that_works(tmp_path: Path) -> None:
    """After pruning, reading and appending go on, and numbers are not used again."""
    write_file(tmp_path, 1, make_record("a", ts="2020-01-01T00:00:00Z"))
    write_file(tmp_path, 2, make_record("b"))
    prune(tmp_path, datetime(2026, 1, 1, tzinfo=UTC))
    store = Store(tmp_path, max_entries=1)
    assert await store.append(make_record("c"))
    await store.close()

    assert list_numbers(tmp_path) == [2, 3]
    assert ids_in(tmp_path) == recent(tmp_path, 9) == ["b", "c"]
