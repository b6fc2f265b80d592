"""Search: words, phrases, filters, catching up, and indexes that went bad."""

import sqlite3
import stat
import threading
from collections.abc import Iterator
from contextlib import closing, suppress
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from history_fakes import FaultyOs, make_record, refusal, run_id, write_file
from hypothesis import example, given, settings
from hypothesis import strategies as st
from selection import examples

from dashboard.filters import read_filter
from history.index_file import IndexFile
from history.index_query import RunQuery, Words
from history.lines import lines_forwards
from history.record import Record, encode
from history.run_index import Index
from history.segment_files import path_of
from history.store import Store

pytestmark = pytest.mark.only_when("history/")


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    return tmp_path / "history"


@pytest.fixture
def index(tmp_path: Path, directory: Path) -> Index:
    return Index(directory, tmp_path / "cache")


EVERYTHING = RunQuery(auxiliary=True)


def words(text: str | None) -> RunQuery:
    """What a person types, of all kinds of runs."""
    return replace(read_filter(text or ""), auxiliary=True)


def ids(records: list[Record]) -> list[str]:
    return [record["id"] for record in records]


def asked(id: str, prompt: str, code: str = "pass", **values: object) -> Record:
    texts = {"original_prompt": prompt, "normalized_prompt": prompt, "final_output": code}
    return make_record(id, **(texts | values))


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("sort", ["b", "a"]),
        ("SORT", ["b", "a"]),
        ("sort strings", ["b"]),
        ("strings sort", ["b"]),
        ('"sort a list"', ["a"]),
        ('"list a sort"', []),
        ("sor", ["b", "a"]),
        ("sor list", []),
        ("load_recent_records", ["c"]),
        ('"def load_recent"', ["c"]),
        ("naive", ["c"]),
        ("naïve", ["c"]),
        ("boom", ["d"]),
        ("missing", []),
        (None, ["d", "c", "b", "a"]),
        ("", ["d", "c", "b", "a"]),
        ("  ", ["d", "c", "b", "a"]),
    ],
)
def test_words_and_phrases(
    directory: Path, index: Index, query: str | None, found: list[str]
) -> None:
    """All words have to be there, a phrase as it stands, the last word at least begun."""
    write_file(
        directory,
        1,
        asked("a", "sort a list of numbers"),
        asked("b", "sort strings"),
        asked("c", "a naïve reader", "def load_recent_records(n):"),
        asked("d", "x", error={"code": "model_failed", "message": "Boom!"}, final_output=None),
    )
    index.catch_up()

    assert ids(index.search(words(query))) == found


def test_records_come_whole_and_newest_first(directory: Path, index: Index) -> None:
    """What is found is the record itself, read from its line."""
    records = [asked(run_id(number), f"sort {number}") for number in range(30)]
    write_file(directory, 1, *records[:20])
    write_file(directory, 2, b"junk\n", *records[20:])
    index.catch_up()

    assert index.search(words("sort"), limit=25) == records[:4:-1]
    assert index.search(EVERYTHING, limit=5) == records[:24:-1]
    assert index.search(words("17")) == [records[17]]


@pytest.mark.parametrize(
    ("options", "found"),
    [
        ({"session": "s"}, ["c", "b"]),
        ({"mode": "code_raw"}, ["d", "b"]),
        ({"kind": "auxiliary"}, ["d"]),
        ({"session": "s", "mode": "code_raw"}, ["b"]),
        ({"since": datetime(2026, 11, 2, 12, tzinfo=UTC)}, ["d", "c"]),
        ({"since": datetime(2026, 11, 1, tzinfo=UTC), "mode": "code_raw"}, ["d", "b"]),
        ({"since": datetime(2027, 1, 1, tzinfo=UTC)}, []),
        ({"session": "none"}, []),
    ],
)
@pytest.mark.parametrize("query", ["sort", None])
def test_filters(
    directory: Path, index: Index, query: str | None, options: dict[str, object], found: list[str]
) -> None:
    """Session, mode, kind and time narrow the search, with words and without."""
    write_file(
        directory,
        1,
        asked("a", "sort", ts="2026-11-01T10:00:00Z"),
        asked("b", "sort", ts="2026-11-02T10:00:00Z", session="s", mode="code_raw"),
        asked("c", "sort", ts="2026-11-02T23:00:00.5+10:00", session="s"),
        asked("d", "sort", ts="2026-11-04T10:00:00Z", kind="auxiliary", mode="code_raw"),
    )
    index.catch_up()

    assert ids(index.search(words(query).narrowed(**options))) == found  # type: ignore[arg-type]


@settings(max_examples=examples(150), deadline=None)
@given(st.text(st.characters() | st.sampled_from("\"'*^:(){}-+\\\0 "), max_size=30))
@example("\ud800")
def test_no_query_is_a_syntax_error(tmp_path_factory: pytest.TempPathFactory, query: str) -> None:
    """What a person types is words, never FTS5 or SQL."""
    base = tmp_path_factory.getbasetemp()
    if not path_of(base / "history", 1).exists():
        write_file(base / "history", 1, asked("a", "sort AND OR NOT NEAR text:x"))
        Index(base / "history", base / "cache").catch_up()
    index = Index(base / "history", base / "cache")

    for open_end in (False, True):
        question = RunQuery(words=(Words("sort"), Words(query, open_end)))
        assert ids(index.search(question)) in ([], ["a"])


@pytest.mark.parametrize("word", ["NEAR(a b)", "text:x", "tags", "a*", "NOT", '"unclosed phrase'])
def test_syntax_is_searched_for_literally(directory: Path, index: Index, word: str) -> None:
    """Operators have no meaning: they are words like any other."""
    write_file(directory, 1, asked("a", f"before {word} after"), asked("b", "before after"))
    index.catch_up()

    assert ids(index.search(RunQuery(words=(Words(word),)))) == ["a"]


def test_strange_records_are_taken_in(directory: Path, index: Index) -> None:
    """Lone surrogates, NULs, wrong types and missing keys stop nothing."""
    write_file(
        directory,
        1,
        asked("a", "lone \ud800 word", session="\udfff"),
        asked("b", "nul \0 word"),
        make_record("c", steps="no list", judge=[1], ts=5, duration_ms=10**30, mode=None, error=""),
        b'{"id":"d","original_prompt":"word"}\n',
        make_record("e\ud800"),
    )

    assert index.catch_up() == 5
    assert ids(index.search(words("word"))) == ["d", "b", "a"]
    assert ids(index.search(EVERYTHING.narrowed(session="\udfff"))) == ["a"]
    assert len(index.search(EVERYTHING)) == 5


async def test_catching_up_takes_in_what_is_new(tmp_path: Path) -> None:
    """Each record once, over rotation, as often as it is called."""
    store = Store(tmp_path / "history", max_entries=3)
    index = Index(tmp_path / "history", tmp_path / "cache")
    assert index.catch_up() == 0
    for number in range(10):
        assert await store.append(asked(run_id(number), "sort"))
        if number % 4 == 0:
            index.catch_up()
    assert index.catch_up() == 1
    assert index.catch_up() == 0
    await store.close()

    found = ids(index.search(words("sort"), limit=100))
    assert found == [run_id(number) for number in reversed(range(10))]


def test_a_line_is_taken_in_when_it_is_complete(directory: Path, index: Index) -> None:
    """A half-written line is neither lost nor taken for a record."""
    line = encode(asked("b", "sort"))
    path = write_file(directory, 1, asked("a", "sort"), line[:50])
    assert index.catch_up() == 1
    with path.open("ab") as file:
        file.write(line[50:])

    assert index.catch_up() == 1
    assert ids(index.search(words("sort"))) == ["b", "a"]


def test_catching_up_tells_how_far_it_is(
    directory: Path, index: Index, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Bytes done and bytes in all, after each batch, ending at the whole."""
    monkeypatch.setattr("history.indexer._BATCH", 4)
    write_file(directory, 1, *(make_record(run_id(number)) for number in range(10)))
    size = path_of(directory, 1).stat().st_size
    steps: list[tuple[int, int]] = []

    index.catch_up(lambda done, total: steps.append((done, total)))

    assert [total for _, total in steps] == [size] * 3
    assert steps[-1] == (size, size)
    assert steps == sorted(steps)
    steps.clear()
    index.catch_up(lambda done, total: steps.append((done, total)))
    assert steps == []


def test_several_may_catch_up_at_once(tmp_path: Path, directory: Path) -> None:
    """A daemon and a command line that index together take in each record once."""
    for file in range(1, 5):
        write_file(directory, file, *(asked(f"{file}-{n:04d}", "sort") for n in range(500)))
    counts: list[int] = []
    start = threading.Barrier(3)

    def catch_up() -> None:
        index = Index(directory, tmp_path / "cache")
        start.wait()
        counts.append(index.catch_up())

    threads = [threading.Thread(target=catch_up) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert sum(counts) == 2000
    found = ids(Index(directory, tmp_path / "cache").search(words("sort"), limit=3000))
    assert len(found) == len(set(found)) == 2000


def test_who_makes_the_file_at_the_same_moment_is_waited_for(tmp_path: Path) -> None:
    """Another process is about to write its tables into the file that is empty still."""
    file = IndexFile(tmp_path / "i.sqlite", ["CREATE TABLE t (x)"], 1)

    def make() -> None:
        with file.open():
            pass

    (tmp_path / "i.sqlite").touch()
    with closing(file.connect()) as other:
        other.execute("BEGIN IMMEDIATE")
        maker = threading.Thread(target=make)
        maker.start()
        maker.join(0.3)
        assert maker.is_alive()
        other.execute("ROLLBACK")
        maker.join(20)
    with file.open() as database:
        assert database.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        assert database.execute("SELECT count(*) FROM t").fetchone() == (0,)


def _junk(path: Path) -> None:
    path.write_bytes(b"no database" * 1000)


def _cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def _overwritten(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[4096:-4096] = bytes(len(content) - 8192)
    path.write_bytes(content)


def _emptied(path: Path) -> None:
    path.write_bytes(b"")


def _deleted(path: Path) -> None:
    path.unlink()


def _other_version(path: Path) -> None:
    with sqlite3.connect(path) as database:
        database.execute("PRAGMA user_version = 99")
    database.close()


@pytest.mark.parametrize("spoil", [_junk, _cut, _overwritten, _emptied, _deleted, _other_version])
def test_an_index_that_went_bad_is_made_again(directory: Path, index: Index, spoil: object) -> None:
    """The history is the only truth: whatever happens to the index, catching up restores it."""
    assert callable(spoil)
    records = [asked(run_id(number), f"sort number{number}") for number in range(500)]
    write_file(directory, 1, *records)
    index.catch_up()
    _checkpoint(index.path)
    spoil(index.path)

    index.catch_up()

    assert ids(index.search(words("sort"), limit=1000)) == [run_id(n) for n in reversed(range(500))]
    assert ids(index.search(words("number123"))) == [run_id(123)]


def _words_damaged(path: Path) -> None:
    database = sqlite3.connect(path)
    with database:
        database.execute("DELETE FROM words_data WHERE id > 10")
    database.close()


@pytest.mark.parametrize("spoil", [_junk, _cut, _other_version, _words_damaged])
def test_a_search_heals_as_well(directory: Path, index: Index, spoil: object) -> None:
    """A damaged index is found out by whoever comes first."""
    assert callable(spoil)
    write_file(directory, 1, *(asked(run_id(number), "sort") for number in range(500)))
    index.catch_up()
    _checkpoint(index.path)
    spoil(index.path)

    assert len(index.search(words("sort"), limit=1000)) == 500


def _checkpoint(path: Path) -> None:
    database = sqlite3.connect(path)
    database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    database.close()


def test_files_that_were_deleted_are_forgotten(directory: Path, index: Index) -> None:
    """Pruned runs are not found; the others are, without starting again."""
    for file in range(1, 6):
        write_file(directory, file, *(asked(f"{file}-{n}", "sort") for n in range(3)))
    index.catch_up()
    path_of(directory, 1).unlink()

    assert index.catch_up() == 0
    assert len(index.search(words("sort"), limit=100)) == 12
    assert index.search(words('"1 2"')) == []

    for file in range(2, 5):
        path_of(directory, file).unlink()
    assert index.catch_up() == 3  # so little is left that a new index is better
    assert ids(index.search(words("sort"))) == ["5-2", "5-1", "5-0"]


@pytest.mark.parametrize("kept", [0, 1])
def test_another_history_in_its_place_is_indexed_anew(
    directory: Path, index: Index, kept: int
) -> None:
    """Files of the same names with other records are not taken for the old ones."""
    write_file(directory, 1, asked("old", "sort"), asked("older", "sort"))
    write_file(directory, 2, asked("old2", "sort"))
    index.catch_up()
    path_of(directory, 2).unlink()
    write_file(directory, 1, *[asked(f"new{number}", "sort") for number in range(1 + kept)])
    if kept:
        write_file(directory, 2, asked("new2", "sort"), asked("new3", "sort"))
    index.catch_up()

    assert all(id.startswith("new") for id in ids(index.search(words("sort"))))
    assert len(index.search(words("sort"))) == 1 + 3 * kept


@pytest.mark.parametrize("others", [2, 0])
def test_what_could_not_be_read_is_taken_in_once_it_can(
    directory: Path, index: Index, others: int
) -> None:
    """In its place, and what stands behind it does not wait for it."""
    write_file(directory, 1, asked("a", "sort"))
    write_file(directory, 2, asked("b", "sort"))
    path_of(directory, 2).rename(aside := directory / "aside")
    path_of(directory, 2).mkdir()
    for number in range(3, 3 + others):
        write_file(directory, number, asked(f"c{number}", "sort"))
    behind = [f"c{number}" for number in reversed(range(3, 3 + others))]
    index.catch_up()
    assert index.catch_up() == 0
    assert ids(index.search(words("sort"))) == [*behind, "a"]

    path_of(directory, 2).rmdir()
    aside.rename(path_of(directory, 2))
    index.catch_up()

    assert ids(index.search(words("sort"))) == [*behind, "b", "a"]
    assert index.get("b") is not None
    assert index.catch_up() == 0


def test_a_file_that_broke_off_is_read_again(
    directory: Path, index: Index, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What stood behind the fault is found as soon as the file can be read to its end."""
    write_file(directory, 1, asked("a", "sort"), asked("b", "sort"))
    write_file(directory, 2, asked("c", "sort"))

    def broken(path: Path, start: int = 0, *, final: bool = False) -> Iterator[bytes]:
        for line in lines_forwards(path, start, final=final):
            if b'"b"' in line:
                raise refusal("EIO")
            yield line

    with monkeypatch.context() as patch:
        patch.setattr("history.reader.lines_forwards", broken)
        patch.setattr("history.indexer.lines_forwards", broken)
        index.catch_up()
        assert index.catch_up() == 0
    assert ids(index.search(words("sort"))) == ["c", "a"]

    index.catch_up()
    assert ids(index.search(words("sort"))) == ["c", "b", "a"]


def test_a_fault_of_the_newest_file_forgets_nothing(
    directory: Path, index: Index, monkeypatch: pytest.MonkeyPatch
) -> None:
    """That a file cannot be read now does not make it another one."""
    write_file(directory, 1, asked("a", "sort"), asked("b", "sort"))
    index.catch_up()
    with monkeypatch.context() as patch:
        system = FaultyOs().install(patch)
        system.faults["open"] = [refusal("EMFILE")] * 2
        assert index.catch_up() == 0

    assert index.catch_up() == 0
    assert ids(index.search(words("sort"))) == ["b", "a"]


def test_a_line_that_was_taken_out_of_an_old_file_is_not_found(
    directory: Path, index: Index
) -> None:
    """People remove a run with a secret; the others of its file are still there."""
    write_file(directory, 1, asked("a", "sort secret"), asked("b", "sort"), asked("c", "sort"))
    write_file(directory, 2, asked("d", "sort"))
    index.catch_up()
    write_file(directory, 1, asked("b", "sort"), asked("c", "sort"))
    index.catch_up()

    assert ids(index.search(words("sort"))) == ["d", "c", "b"]
    assert index.search(words("secret")) == []
    assert index.get("a") is None and index.get("b") is not None


def test_a_history_that_vanished_leaves_nothing(directory: Path, index: Index) -> None:
    """An emptied directory has no runs to find, and a new history in it is indexed."""
    path = write_file(directory, 1, asked("a", "sort"))
    index.catch_up()
    path.unlink()
    assert index.catch_up() == 0
    assert index.search(words("sort")) == []

    write_file(directory, 1, asked("b", "sort"))
    assert index.catch_up() == 1
    assert ids(index.search(words("sort"))) == ["b"]


@pytest.mark.parametrize("calls_before", [0, 1])
def test_a_listing_that_fails_changes_nothing(
    directory: Path, index: Index, monkeypatch: pytest.MonkeyPatch, calls_before: int
) -> None:
    """Whoever lists the directory at that moment: no run is forgotten, none is taken in twice."""
    write_file(directory, 1, asked("a", "sort"), asked("b", "sort"))
    index.catch_up()
    system = FaultyOs().install(monkeypatch)
    system.faults["scandir"] = [*[None] * calls_before, refusal("EMFILE")]
    with suppress(OSError):
        index.catch_up()
    assert not system.faults["scandir"]
    write_file(directory, 2, asked("c", "sort"))

    assert index.catch_up() == 1
    assert ids(index.search(words("sort"))) == ["c", "b", "a"]


def test_a_directory_that_is_away_for_a_moment_is_not_taken_in_twice(
    directory: Path, index: Index, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It went just after it had been looked at, as a mount may, and came back as it was."""
    write_file(directory, 1, asked("a", "sort"), asked("b", "sort"))
    index.catch_up()
    with monkeypatch.context() as patch:
        patch.setattr("history.indexer.list_numbers", lambda directory: [1])
        patch.setattr("history.reader.list_numbers", lambda directory: [])
        index.catch_up()

    index.catch_up()
    assert ids(index.search(words("sort"))) == ["b", "a"]


def test_nobody_else_can_read_the_index(directory: Path, index: Index) -> None:
    """Its directory has mode 0700, each of its files 0600."""
    write_file(directory, 1, asked("a", "sort"))
    with sqlite3.connect(index.path) if index.path.exists() else _opened(index) as database:
        modes = {stat.S_IMODE(path.stat().st_mode) for path in index.path.parent.iterdir()}
        assert len(list(index.path.parent.iterdir())) == 3
    database.close()

    assert modes == {0o600}
    assert stat.S_IMODE(index.path.parent.stat().st_mode) == 0o700


def _opened(index: Index) -> sqlite3.Connection:
    """A connection that keeps the write-ahead log in being."""
    index.catch_up()
    database = sqlite3.connect(index.path)
    database.execute("SELECT count(*) FROM runs").fetchone()
    return database


def test_histories_do_not_share_an_index(tmp_path: Path) -> None:
    """Two directories with one cache are two indexes."""
    write_file(tmp_path / "one", 1, asked("a", "sort"))
    write_file(tmp_path / "two", 1, asked("b", "sort"))
    one = Index(tmp_path / "one", tmp_path / "cache")
    two = Index(tmp_path / "two", tmp_path / "cache")
    one.catch_up()
    two.catch_up()

    assert ids(one.search(words("sort"))) == ["a"]
    assert ids(two.search(words("sort"))) == ["b"]
