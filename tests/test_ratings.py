"""What people say of runs: written beside the records, found by filters, counted, shown."""

import errno
import json
import os
from datetime import UTC, datetime

import pytest
from dashboards import judged, site
from history_fakes import make_record, write_file
from processes import daemon_here, invoke

import laios
from config import cache_dir
from dashboard.filters import read_filter
from history.pruned_history import prune
from history.ratings import Rating, Ratings
from history.reader import Reader
from history.run_index import Index


def test_the_last_word_on_a_run_counts_and_nothing_is_overwritten(tmp_path):
    """Each rating is a line of its own; `none` takes one back; torn and foreign lines are no
    ratings, and a torn one is closed off by the next."""
    ratings = Ratings(tmp_path)
    assert ratings.current() == {}
    for mark in ("up", "down"):
        ratings.append(Rating("one", mark, "why"))
    ratings.append(Rating("two", "up"))
    ratings.append(Rating("two", "none"))
    with ratings.path.open("ab") as file:
        file.write(b'{"id": "one", "rating": "great"}\n{"id": "one", "rating": "up"')
    ratings.append(Rating("three", "up"))
    assert {id: said.rating for id, said in ratings.current().items()} == {
        "one": "down",
        "three": "up",
    }
    assert len(ratings.path.read_bytes().splitlines()) == 7
    assert oct(ratings.path.stat().st_mode)[-3:] == "600"


def test_ratings_are_in_filters_and_counts_also_those_that_came_later(tmp_path):
    """The index takes them in whenever the file changes; readers of records never see them."""
    write_file(tmp_path, 1, *(make_record(f"run-{n}") for n in range(4)))
    index = Index(tmp_path, cache_dir())
    index.catch_up()
    Ratings(tmp_path).append(Rating("run-1", "up"))
    Ratings(tmp_path).append(Rating("run-2", "down"))
    index.catch_up()

    def found(text):
        return [row.id for row in index.page(read_filter(text)).rows]

    assert found("rating:up") == ["run-1"]
    assert found("rating:yes prompt") == ["run-2", "run-1"]
    assert found("-rating:down") == ["run-3", "run-1", "run-0"]
    assert index.rated(read_filter("")) == {"up": 1, "down": 1}
    assert index.rated(read_filter("id:run-2")) == {"up": 0, "down": 1}
    Ratings(tmp_path).append(Rating("run-1", "none"))
    index.catch_up()
    assert found("rating:up") == []
    assert len(list(Reader(tmp_path))) == 4


def test_ratings_that_cannot_be_read_are_neither_forgotten_nor_ignored(tmp_path, monkeypatch):
    """Once too many open files: filters keep what they know and look again, and nothing is exported
    as if nobody had rated it down."""
    write_file(tmp_path, 1, make_record("a"))
    Ratings(tmp_path).append(Rating("a", "up"))
    index = Index(tmp_path, tmp_path / "cache")
    index.catch_up()
    Ratings(tmp_path).append(Rating("a", "up", "again"))

    def broken(path):
        raise OSError(errno.EMFILE, "Too many open files")

    with monkeypatch.context() as patched:
        patched.setattr("history.ratings.lines_forwards", broken)
        index.catch_up()
        assert index.rated(read_filter("")) == {"up": 1, "down": 0}
        with pytest.raises(OSError, match="open files"):
            Ratings(tmp_path).current()
    Ratings(tmp_path).append(Rating("a", "down"))
    index.catch_up()
    assert index.rated(read_filter("")) == {"up": 0, "down": 1}


def test_a_pipe_in_the_place_of_the_ratings_is_named(tmp_path):
    """Whoever rates is told what is wrong, and waits for nobody."""
    write_file(tmp_path / "history", 1, make_record("a"))
    os.mkfifo(path := Ratings(tmp_path / "history").path)
    said = invoke("history", "rate", "a", "up", LAIOS_HISTORY_DIR=str(tmp_path / "history"))
    assert said.returncode == 1
    assert f"The rating was not written to {path}: it is not a regular file." in said.stderr


def test_what_was_said_of_pruned_runs_goes_with_them(tmp_path):
    """All else in the file stays to the letter, and whoever appends finds the new one."""
    write_file(tmp_path, 1, make_record("old", ts="2020-01-01T00:00:00Z"))
    write_file(tmp_path, 2, make_record("new"))
    ratings = Ratings(tmp_path)
    for id in ("old", "new", "old"):
        ratings.append(Rating(id, "up", "why"))
    with ratings.path.open("ab") as file:
        file.write(b'no rating\n{"id": "old", "rating"')
    lines = ratings.path.read_bytes().splitlines(keepends=True)
    index = Index(tmp_path, cache_dir())
    index.catch_up()
    prune(tmp_path, datetime(2026, 1, 1, tzinfo=UTC))
    assert ratings.path.read_bytes() == b"".join((lines[1], *lines[3:]))
    assert oct(ratings.path.stat().st_mode)[-3:] == "600"
    ratings.append(Rating("new", "down"))
    index.catch_up()
    assert index.rated(read_filter("")) == {"up": 0, "down": 1}
    assert [path.name for path in tmp_path.glob(".*")] == []


def test_the_command_rates_a_run_and_show_tells_it(tmp_path):
    """What is no rating, or of no run, is refused with what to do."""
    write_file(tmp_path, 1, make_record("run-1"))
    where = {"LAIOS_HISTORY_DIR": str(tmp_path)}
    assert (
        invoke("history", "rate", "run-1", "up", "short", "and", "right", **where).returncode == 0
    )
    assert "up short and right" in invoke("history", "show", "run-1", **where).stdout
    wrong = invoke("history", "rate", "run-1", "great", **where)
    assert wrong.returncode == 2 and "up, down or none" in wrong.stderr
    assert invoke("history", "rate", "run-9", "up", **where).returncode == 1


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    directory = tmp_path_factory.mktemp("history")
    write_file(directory, 1, make_record("run-1"))
    with daemon_here(LAIOS_HISTORY_DIR=str(directory), LAIOS_PORT="0") as address:
        yield address


def test_a_program_rates_over_the_api(address):
    """The answer is the line that was written; an unknown run is not found, what is no rating a
    bad request."""
    with laios.Client(address) as client:
        said = client.rate("run-1", "down", "it loops")
        assert (said.id, said.rating, said.note) == ("run-1", "down", "it loops")
        with pytest.raises(laios.errors.NotFound):
            client.rate("run-2", "up")
        for body in ({"rating": "best"}, {"rating": "up", "note": 3}, {"rating": "up", "by": "me"}):
            answer = client._http.post("/runs/run-1/rating", json=body)
            assert answer.status_code == 400, body
        assert client._http.post("/runs/run-1/rating", json={"rating": "up", "note": "x" * 2001})


async def test_the_page_of_a_run_rates_it_with_its_own_token_alone(tmp_path):
    """The pressed button takes it back; a form without the page's token changes nothing. Enter in
    the note presses the form's first button: it keeps the rating, and does nothing without one."""
    async with site(tmp_path, judged("run-1")) as shown:
        page = await shown.page("/dashboard/runs/run-1")
        form = page.one("form", "rating")
        assert "disabled" in form.all("button")[0].attributes
        said = {"rating": "up", "note": "neat"}
        assert (await shown.send(form, **said, csrf="x")).status_code == 403
        assert Ratings(tmp_path).current() == {}
        assert (await shown.send(form, **said)).status_code == 303
        assert Ratings(tmp_path).of("run-1").note == "neat"
        page = await shown.page("/dashboard/runs/run-1")
        pressed = page.one("form", "rating").one("button", aria_pressed="true")
        assert pressed["value"] == "none"
        first = page.one("form", "rating").all("button")[0]
        assert first["value"] == "up" and "disabled" not in first.attributes
        assert page.one("input", id="note")["value"] == "neat"
        assert "Rated good" in await shown.opens("/dashboard/numbers")
        assert (await shown.send(form, rating="best")).status_code == 400
    assert json.loads((tmp_path / "ratings.jsonl").read_text())["source"] == "dashboard"
