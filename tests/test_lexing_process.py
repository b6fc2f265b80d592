"""Colours come from a process that is ended when a text takes it too long."""

import os
import threading
import time

import pytest
from pygments.lexers import get_lexer_by_name

from dashboard import highlight
from dashboard.highlight import tokens
from laios.answering_process import AnsweringProcess
from laios.language_table import TABLE

pytestmark = pytest.mark.only_when("dashboard/", "laios/")

ENDLESS = "import " + "\n" * 32_000 + "x"  # to Pygments' lexer of C: minutes


@pytest.fixture
def lexing(monkeypatch):
    process = AnsweringProcess("dashboard.lexing_worker")
    monkeypatch.setattr(highlight, "PROCESS", process)
    yield process
    process.end()


def kinds(text, language):
    return {piece.kind for line in highlight.lines(text, language) for piece in line}


@pytest.mark.timeout(60)
def test_a_text_that_no_lexer_gets_through_stays_plain_and_holds_up_nobody(lexing, monkeypatch):
    """It took 121 s, in which nothing else ran: a match keeps the interpreter to itself."""
    assert "k" in kinds("int x;", "c")
    monkeypatch.setattr(highlight, "DEADLINE_S", 0.3)
    longest, done = 0.0, threading.Event()

    def tick():
        nonlocal longest
        while not done.is_set():
            began = time.monotonic()
            time.sleep(0.01)
            longest = max(longest, time.monotonic() - began)

    ticking = threading.Thread(target=tick)
    ticking.start()
    assert kinds(ENDLESS, "c") == {""}
    done.set()
    ticking.join()
    assert longest < 5


def test_after_such_a_text_the_next_one_has_its_colours(lexing, monkeypatch):
    """A process that did not end in time is replaced."""
    monkeypatch.setattr(highlight, "DEADLINE_S", 0.0)
    assert tokens(ENDLESS, "c") == []
    monkeypatch.setattr(highlight, "DEADLINE_S", 10.0)
    assert tokens("int x;", "c")[0] == ("Keyword.Type", 3)


def test_a_lexing_process_that_was_ended_by_others_is_started_again(lexing):
    """One text goes without colours, and the next one has them."""
    assert tokens("int x;", "c")
    os.kill(lexing._process.pid, 9)
    lexing._process.wait()
    assert tokens("int x;", "c") == []
    assert tokens("int x;", "c")


def test_it_ends_when_its_caller_goes(lexing):
    """A closed connection ends the process, without an error."""
    assert tokens("x", "python")
    lexing._connection.close()
    assert lexing._process.wait(10) == 0


def test_lone_surrogates_keep_their_places(lexing):
    """A text that is no valid Unicode is shown as it is."""
    [line] = highlight.lines("x = '\ud800'", "python")
    assert "".join(piece.text for piece in line) == "x = '\ud800'"


@pytest.mark.timeout(20)
def test_blank_lines_do_not_hold_up_the_guess_of_a_language():
    """Each of them was the start of another way through all that follow."""
    began = time.process_time()
    for _ in range(100):
        assert highlight.language_of("assert f(" + "\n" * 4000 + "x", None) is None
    assert time.process_time() - began < 5


def test_the_lexers_are_those_of_the_table_of_languages():
    """Pygments has each of them; a label of several languages is the first one's: a header is C."""
    assert all(map(get_lexer_by_name, highlight._LEXERS.values()))
    assert {row.lexer for row in TABLE if row.lexer} < set(highlight._LEXERS.values())
    labels = ("h", "hpp", "c#", "sh", "tsx", "python3", "hs")
    found = [highlight._LEXERS[label] for label in labels]
    assert found == ["c", "cpp", "csharp", "bash", "typescript", "python", "haskell"]


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("vue", "<template><p>x</p></template>"),
        ("svelte", "<p>x</p>"),
        ("xml", '<a b="c"/>'),
        ("scss", "p { color: red; }"),
        ("fish", "if true\n  echo x\nend"),
        ("awk", "BEGIN { print 1 }"),
    ],
)
def test_what_resembles_another_language_has_its_colours(language, text):
    """A component is coloured as the page that it is, Sass as a style sheet."""
    assert kinds(text, language) - {""}
