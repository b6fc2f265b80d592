"""Appending: order, rotation, several writers, healing, and disks that refuse."""

import asyncio
import fcntl
import os
import stat
from collections.abc import Callable
from pathlib import Path

import pytest
from history_fakes import FaultyOs, ids_in, make_record, refusal, run_id, write_file
from waiting import until

from history.reader import Reader
from history.record import SCHEMA
from history.segment_files import list_numbers, path_of
from history.store import Store, StoreState

pytestmark = pytest.mark.only_when("history/")


def lines_in(path: Path) -> int:
    return path.read_bytes().count(b"\n")


async def test_a_record_is_in_the_file_when_append_returns(tmp_path: Path) -> None:
    """True means on disk: the file holds the record, as one line."""
    store = Store(tmp_path / "history")

    assert await store.append(make_record("a", final_output="line 1\nline 2"))

    (path,) = (tmp_path / "history").iterdir()
    assert path.name == "history-000001.jsonl"
    assert lines_in(path) == 1
    record = Reader(tmp_path / "history").get("a")
    assert record is not None
    assert record["final_output"] == "line 1\nline 2"
    assert store.state() == StoreState(True, 0, 0, None, 1)
    await store.close()


async def test_every_record_says_its_format(tmp_path: Path) -> None:
    """The store knows the number of the format; who makes the record need not."""
    store = Store(tmp_path)
    assert await store.append({"id": "a", "mode": "code_raw"})
    await store.close()

    assert list(Reader(tmp_path)) == [{"id": "a", "mode": "code_raw", "schema": SCHEMA}]


async def test_nothing_is_created_before_the_first_record(tmp_path: Path) -> None:
    """A daemon that never ran anything leaves no trace, and a store can always be made."""
    store = Store(tmp_path / "history")

    assert store.state().ok
    await store.close()
    assert list(tmp_path.glob("*")) == []


@pytest.mark.parametrize("umask", [0o000, 0o022, 0o777])
async def test_nobody_else_can_read_it_whatever_the_umask(tmp_path: Path, umask: int) -> None:
    """The directory gets mode 0700 and each file 0600."""
    directory = tmp_path / "history"
    store = Store(directory, max_entries=1)
    before = os.umask(umask)
    try:
        for number in range(3):
            assert await store.append(make_record(run_id(number)))
    finally:
        os.umask(before)
    await store.close()

    assert stat.S_IMODE(directory.stat().st_mode) == 0o700
    assert [stat.S_IMODE(path.stat().st_mode) for path in directory.iterdir()] == [0o600] * 3


async def test_everything_that_waits_is_synced_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A thousand concurrent appends need a few syncs, not a thousand, and keep their order."""
    system = FaultyOs().install(monkeypatch)
    store = Store(tmp_path / "history", max_entries=10_000)

    ids = [run_id(number) for number in range(1000)]
    assert all(await asyncio.gather(*(store.append(make_record(id)) for id in ids)))

    assert 1 <= system.calls.count("fdatasync") <= 5
    assert system.calls.count("write") <= 10
    assert ids_in(tmp_path / "history") == ids
    await store.close()


async def test_without_fsync_nothing_is_synced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """HISTORY_FSYNC=false trades the last moments before a power cut for speed."""
    system = FaultyOs().install(monkeypatch)
    store = Store(tmp_path / "history", fsync=False)

    assert await store.append(make_record("a"))

    assert "fdatasync" not in system.calls
    await store.close()


async def test_a_full_file_is_followed_by_the_next_number(tmp_path: Path) -> None:
    """Files hold max_entries lines each; the numbers go up, nothing is renamed."""
    store = Store(tmp_path, max_entries=3)
    ids = [run_id(number) for number in range(8)]

    for id in ids[:4]:
        assert await store.append(make_record(id))
    inode = path_of(tmp_path, 1).stat().st_ino
    assert all(await asyncio.gather(*(store.append(make_record(id)) for id in ids[4:])))
    await store.close()

    assert [lines_in(path_of(tmp_path, number)) for number in list_numbers(tmp_path)] == [3, 3, 2]
    assert path_of(tmp_path, 1).stat().st_ino == inode
    assert ids_in(tmp_path) == ids


async def test_a_new_store_goes_on_where_the_last_one_stopped(tmp_path: Path) -> None:
    """The lines of the active file are counted again when it is opened."""
    for number in range(7):
        store = Store(tmp_path, max_entries=3)
        assert await store.append(make_record(run_id(number)))
        await store.close()

    assert [lines_in(path_of(tmp_path, number)) for number in list_numbers(tmp_path)] == [3, 3, 1]


async def test_several_stores_share_a_directory(tmp_path: Path) -> None:
    """Writers that know nothing of each other fill the same files to the same limit."""
    stores = [Store(tmp_path, max_entries=7, fsync=False) for _ in range(4)]

    async def write(index: int, store: Store) -> None:
        for number in range(50):
            assert await store.append(make_record(f"w{index}-{number:03d}"))

    await asyncio.gather(*(write(index, store) for index, store in enumerate(stores)))
    for store in stores:
        await store.close()

    ids = ids_in(tmp_path)
    assert len(ids) == len(set(ids)) == 200
    for index in range(4):
        own = [id for id in ids if id.startswith(f"w{index}")]
        assert own == sorted(own)
    *full, last = [lines_in(path_of(tmp_path, number)) for number in list_numbers(tmp_path)]
    assert full == [7] * 28
    assert last == 4


async def test_stores_that_disagree_about_the_limit_keep_the_order(tmp_path: Path) -> None:
    """A file that has a successor gets no more lines, even from a store that sees room in it."""
    roomy, strict = Store(tmp_path, max_entries=10), Store(tmp_path, max_entries=1)

    for number, store in enumerate([roomy, strict, roomy, strict, roomy]):
        assert await store.append(make_record(run_id(number)))
    await roomy.close()
    await strict.close()

    assert ids_in(tmp_path) == [run_id(number) for number in range(5)]


async def test_old_files_are_deleted_beyond_max_files(tmp_path: Path) -> None:
    """HISTORY_MAX_FILES keeps the newest files; the numbers still go up."""
    store = Store(tmp_path, max_entries=2, max_files=2)

    for number in range(9):
        assert await store.append(make_record(run_id(number)))
    await store.close()

    assert list_numbers(tmp_path) == [4, 5]
    assert ids_in(tmp_path) == [run_id(6), run_id(7), run_id(8)]


async def test_a_torn_last_line_is_closed_off_at_the_start(tmp_path: Path) -> None:
    """What a killed writer left half written costs nobody else a record."""
    write_file(tmp_path, 1, make_record("a"), b'{"id":"torn","fin')
    store = Store(tmp_path)

    assert await store.append(make_record("b"))
    await store.close()

    reader = Reader(tmp_path)
    assert [record["id"] for record in reader] == ["a", "b"]
    assert reader.skipped == 1


async def test_a_line_torn_by_another_process_is_closed_off(tmp_path: Path) -> None:
    """The last byte is looked at each time, not only when the file is opened."""
    store = Store(tmp_path)
    assert await store.append(make_record("a"))
    with path_of(tmp_path, 1).open("ab") as file:
        file.write(b'{"id":"torn"')

    assert await store.append(make_record("b"))
    await store.close()

    reader = Reader(tmp_path)
    assert [record["id"] for record in reader] == ["a", "b"]
    assert reader.skipped == 1


async def test_a_full_file_with_a_torn_line_is_closed_off_as_well(tmp_path: Path) -> None:
    """Files that are done are lines and nothing else."""
    write_file(tmp_path, 1, make_record("a"), b'{"id":"torn"')
    store = Store(tmp_path, max_entries=1)

    assert await store.append(make_record("b"))
    await store.close()

    assert path_of(tmp_path, 1).read_bytes().endswith(b'{"id":"torn"\n')
    assert ids_in(tmp_path) == ["a", "b"]


def _file_in_place(directory: Path) -> None:
    directory.write_text("no directory")


def _link_in_place(directory: Path) -> None:
    (directory.parent / "elsewhere").mkdir()
    directory.symlink_to(directory.parent / "elsewhere")


def _dangling_link(directory: Path) -> None:
    directory.symlink_to(directory.parent / "nowhere")


def _directory_as_history_file(directory: Path) -> None:
    path_of(directory, 1).mkdir(parents=True)


def _remove(path: Path) -> None:
    if path.is_symlink() or path.is_file():
        path.unlink()
    else:
        path_of(path, 1).rmdir()


@pytest.mark.parametrize(
    "obstacle", [_file_in_place, _link_in_place, _dangling_link, _directory_as_history_file]
)
async def test_an_unusable_directory_blocks_nobody(
    tmp_path: Path, obstacle: Callable[[Path], None]
) -> None:
    """Records wait in memory and are written by themselves once the directory can be used."""
    directory = tmp_path / "history"
    obstacle(directory)
    store = Store(directory)

    assert not await store.append(make_record("a"))
    assert not await store.append(make_record("b"))
    state = store.state()
    assert (state.ok, state.pending, state.lost, state.written) == (False, 2, 0, 0)
    assert state.error

    _remove(directory)
    await until(lambda: store.state().ok, within=1)
    assert store.state().pending == 0
    assert await store.append(make_record("c"))
    await store.close()
    assert ids_in(directory) == ["a", "b", "c"]
    assert not (tmp_path / "elsewhere").exists() or not any((tmp_path / "elsewhere").iterdir())


@pytest.mark.parametrize("name", ["EROFS", "EACCES", "EMFILE", "EIO"])
async def test_a_file_that_cannot_be_opened_blocks_nobody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """Whatever the system says on open, the record is kept and written later."""
    system = FaultyOs().install(monkeypatch)
    system.faults["open"] = [refusal(name)] * 3
    store = Store(tmp_path)

    assert not await store.append(make_record("a"))
    assert os.strerror(refusal(name).errno or 0) in (store.state().error or "")

    await until(lambda: store.state().ok)
    await store.close()
    assert ids_in(tmp_path) == ["a"]


async def test_a_directory_that_is_deleted_is_made_again(tmp_path: Path) -> None:
    """Nothing is written into a file that nobody can find any more; no number comes twice."""
    directory = tmp_path / "history"
    store = Store(directory)
    assert await store.append(make_record("a"))
    path_of(directory, 1).unlink()
    directory.rmdir()

    assert await store.append(make_record("b"))
    await store.close()

    assert ids_in(directory) == ["b"]
    assert list_numbers(directory) == [2]


async def test_memory_is_bounded_and_says_what_it_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Beyond the bound the oldest records go, at least 1,000 stay and are written later."""
    monkeypatch.setattr("history.store.KEEP_BYTES", 1)
    directory = tmp_path / "history"
    directory.write_text("in the way")
    store = Store(directory)
    assert not await store.append(make_record(run_id(0)))

    for number in range(1, 1500):
        assert not await store.append(make_record(run_id(number)))
    await until(lambda: store.state().lost == 500)
    assert store.state().pending == 1000

    directory.unlink()
    await until(lambda: store.state().ok)
    await store.close()
    assert ids_in(directory) == [run_id(number) for number in range(500, 1500)]


async def test_small_records_are_kept_beyond_the_thousand(tmp_path: Path) -> None:
    """Only memory bounds what is kept: thousands of small records are no reason to lose one."""
    directory = tmp_path / "history"
    directory.write_text("in the way")
    store = Store(directory)
    for number in range(3000):
        await store.append(make_record(run_id(number)))

    directory.unlink()
    await until(lambda: store.state().ok)
    await store.close()
    assert ids_in(directory) == [run_id(number) for number in range(3000)]


async def test_a_lock_that_nobody_gives_up_blocks_nobody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A stopped process that holds the lock costs callers a bounded wait, and no record."""
    store = Store(tmp_path)
    assert await store.append(make_record("a"))
    monkeypatch.setattr("history.store.PATIENCE_S", 0.05)
    with path_of(tmp_path, 1).open("rb") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        assert not await store.append(make_record("b"))
        await until(lambda: not store.state().ok)
        assert "no answer" in (store.state().error or "")
        assert not await store.append(make_record("c"))
        assert store.state().pending == 2

    await until(lambda: store.state().pending == 0)
    assert store.state().ok
    await store.close()
    assert ids_in(tmp_path) == ["a", "b", "c"]


async def test_a_caller_that_is_cancelled_is_recorded_all_the_same(tmp_path: Path) -> None:
    """A run whose client goes away while its record is written is in the history."""
    store = Store(tmp_path)
    task = asyncio.create_task(store.append(make_record("a")))
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert await store.append(make_record("b"))
    await store.close()
    assert ids_in(tmp_path) == ["a", "b"]


async def test_close_writes_what_waits(tmp_path: Path) -> None:
    """Records that are on their way when the store is closed are written."""
    store = Store(tmp_path)
    tasks = [asyncio.create_task(store.append(make_record(run_id(n)))) for n in range(20)]
    await asyncio.sleep(0)

    await store.close()

    assert all(await asyncio.gather(*tasks))
    assert ids_in(tmp_path) == [run_id(number) for number in range(20)]


async def test_close_tells_what_a_refusing_disk_cost(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Records that cannot be written even at the end count as lost, and the log says so."""
    directory = tmp_path / "history"
    directory.write_text("in the way")
    store = Store(directory)
    await store.append(make_record("a"))

    await store.close()

    assert store.state().lost == 1
    assert "1 records unwritten" in caplog.text


async def test_a_closed_store_opens_again(tmp_path: Path) -> None:
    """A record that comes late is written rather than refused."""
    store = Store(tmp_path)
    assert await store.append(make_record("a"))
    await store.close()

    assert await store.append(make_record("b"))
    await store.close()
    assert ids_in(tmp_path) == ["a", "b"]


async def test_the_order_is_that_of_writing_whatever_the_clock_says(tmp_path: Path) -> None:
    """A clock that goes back, or ten years forward, moves no record and no file."""
    store = Store(tmp_path, max_entries=2)
    times = ["2026-11-21T10:00:00Z", "2036-01-01T00:00:00Z", "2016-01-01T00:00:00Z"] * 2
    for number, ts in enumerate(times):
        assert await store.append(make_record(f"{ts}-{number}", ts=ts))
    await store.close()

    assert [record["ts"] for record in Reader(tmp_path)] == times
    assert [record["ts"] for record in Reader(tmp_path).page()] == times[::-1]
