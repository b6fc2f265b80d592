"""`laios history merge`: several histories as one."""

import json
import os
import shutil
from pathlib import Path

import pytest
from history_fakes import ids_in, make_record, write_file
from processes import invoke

from history.index_query import RunQuery
from history.merged_history import Merged, MergeError, merge
from history.ratings import Ratings
from history.reader import Reader
from history.record import encode
from history.run_index import Index
from history.segment_files import list_numbers, path_of

pytestmark = pytest.mark.only_when("history/")


def bytes_in(*directories: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for each in directories for path in sorted(each.iterdir())}


def test_runs_stand_in_the_order_of_time_each_once_and_to_the_letter(tmp_path):
    """Whatever the order of writing and of the sources; files are as full as the setting says, and
    the sources stay as they are."""
    one, two = tmp_path / "one", tmp_path / "two"
    odd = b'{ "id": "c", "text": "\\ud800", "own": 1}\n'
    write_file(one, 1, make_record("b"), make_record("a"))
    write_file(one, 2, odd)
    write_file(two, 7, make_record("e"), make_record("b"), make_record("d"))
    before = bytes_in(one, two)

    assert merge([two, one], tmp_path / "all", max_entries=2) == Merged(5, 1, 0)

    assert ids_in(tmp_path / "all") == ["a", "b", "c", "d", "e"]
    assert list_numbers(tmp_path / "all") == [1, 2, 3]
    assert path_of(tmp_path / "all", 2).read_bytes().startswith(odd)
    assert bytes_in(one, two) == before
    index = Index(tmp_path / "all", tmp_path / "cache")
    index.catch_up()
    assert len(index.search(RunQuery(auxiliary=True), limit=10)) == 5
    assert {p.stat().st_mode & 0o777 for p in (tmp_path / "all").iterdir()} == {0o600}
    assert (tmp_path / "all").stat().st_mode & 0o777 == 0o700
    # Merged again with one of its own sources, nothing changes.
    assert merge([one, tmp_path / "all"], tmp_path / "again") == Merged(5, 3, 0)


def test_what_was_said_of_runs_comes_along_and_the_newest_word_counts(tmp_path):
    """Whichever history has it; a history that nobody rated is fine, and nothing is dropped."""
    one, two = tmp_path / "one", tmp_path / "two"
    write_file(one, 1, make_record("a"))
    write_file(two, 1, make_record("b"))
    first, last = said("a", "down", 10), said("a", "none", 12)
    (one / "ratings.jsonl").write_bytes(first + last + b"no rating\n")
    (two / "ratings.jsonl").write_bytes(first + said("a", "up", 11) + said("b", "up", 9) + b"torn")
    assert merge([one, two], tmp_path / "all") == Merged(2, 0, 1, 4)
    made = Ratings(tmp_path / "all")
    assert [rating.ts[11:13] for rating in made] == ["09", "10", "11", "12"]
    assert {id: rating.rating for id, rating in made.current().items()} == {"b": "up"}
    assert made.path.stat().st_mode & 0o777 == 0o600
    write_file(tmp_path / "three", 1, make_record("c"))
    merge([tmp_path / "three"], tmp_path / "unrated")
    assert not Ratings(tmp_path / "unrated").path.exists()


def said(id: str, rating: str, hour: int) -> bytes:
    return encode({"id": id, "ts": f"2026-11-22T{hour:02}:00:00.000Z", "rating": rating})


def test_damaged_lines_are_counted_and_what_is_being_written_is_left_to_its_writer(tmp_path):
    """A whole record at the end of a file that was closed without its newline is one."""
    one = tmp_path / "one"
    write_file(one, 1, make_record("a"), b"no record\n", encode(make_record("b"))[:-1])
    write_file(one, 2, make_record("c"), encode(make_record("d"))[:-1])
    assert merge([one], tmp_path / "all") == Merged(3, 0, 1)
    assert ids_in(tmp_path / "all") == ["a", "b", "c"]


def test_it_refuses_rather_than_lose_and_leaves_nothing_behind(tmp_path):
    """A target that is there, a source that is none or cannot be read, an id with two records."""
    one, two = tmp_path / "one", tmp_path / "two"
    write_file(one, 1, make_record("a"))
    write_file(two, 1, make_record("a", final_output="another"))
    (tmp_path / "empty").mkdir()
    with pytest.raises(MergeError, match="two different records"):
        merge([one, two], tmp_path / "all")
    with pytest.raises(MergeError, match="no history"):
        merge([one, tmp_path / "empty"], tmp_path / "all")
    with pytest.raises(MergeError, match="there already"):
        merge([one], two)
    path_of(two, 1).unlink()
    os.mkfifo(path_of(two, 1))
    for unreadable in (two, path_of(one, 1)):
        with pytest.raises(MergeError, match="cannot be read"):
            merge([one, unreadable], tmp_path / "all")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["empty", "one", "two"]


def test_a_disk_that_refuses_leaves_nothing_behind(tmp_path, monkeypatch):
    """The new history is there whole or not at all."""
    write_file(tmp_path / "one", 1, make_record("a"))

    def refuse(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("history.merged_history.sync", refuse)
    with pytest.raises(MergeError, match="No space left"):
        merge([tmp_path / "one"], tmp_path / "all")
    assert [path.name for path in tmp_path.iterdir()] == ["one"]


def test_the_command_says_what_came_of_it(tmp_path):
    """And how to look at it; a refusal is an error."""
    write_file(tmp_path / "one", 1, make_record("a"), b"damaged\n")
    shutil.copytree(tmp_path / "one", tmp_path / "two")
    words = ("history", "merge", str(tmp_path / "one"), str(tmp_path / "two"), "--into")
    done = invoke(*words, str(tmp_path / "all"))
    assert done.returncode == 0
    assert "1 run in" in done.stderr and "1 in several" in done.stderr
    assert "2 damaged lines" in done.stderr
    listed = invoke("history", "--json", LAIOS_HISTORY_DIR=str(tmp_path / "all"))
    assert [json.loads(line)["id"] for line in listed.stdout.splitlines()] == ["a"]
    assert [record["id"] for record in Reader(tmp_path / "all")] == ["a"]
    done = invoke(*words, str(tmp_path / "all"))
    assert done.returncode == 1 and "there already" in done.stderr
