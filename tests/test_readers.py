"""Every reader of untrusted text (tools/fuzz/readers.py) reads any text to its end, soon, and
raises nothing that it does not say.

A few texts each; `make fuzz` tries thousands, and measures a megabyte.
"""

import os
import sys
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tools.fuzz import hostile_texts, worst_times
from tools.fuzz.__main__ import MOST_S
from tools.fuzz.beside_loop import BESIDE_LOOP
from tools.fuzz.hostile_texts import BEGINNINGS, PUMPS, pumped
from tools.fuzz.readers import READERS
from tools.fuzz.sweep import worst

EXAMPLES = int(os.environ.get("FUZZ_EXAMPLES", "4"))
LONGEST_S = 5.0  # of processor time, for a thousand characters: a hang is the point

PIECES = st.sampled_from(("", *BEGINNINGS, *PUMPS))
TEXTS = st.one_of(
    st.builds(pumped, PIECES, PIECES.filter(bool), PIECES, st.integers(1, 1000)),
    st.lists(PIECES, max_size=40).map("".join),
    st.text(max_size=200).filter(lambda text: text.encode("utf-8", "ignore").decode() == text),
)


@pytest.mark.parametrize("name", READERS)
@settings(max_examples=EXAMPLES)
@given(text=TEXTS)
def test_any_text_is_read_to_its_end(name, text):
    """Soon, and without an error that the reader does not announce."""
    began = time.process_time()
    READERS[name](text)
    assert time.process_time() - began < LONGEST_S


@pytest.mark.only_when("tools/")
def test_the_sweep_names_the_text_that_took_longest():
    """It runs each reader in a process of its own."""
    found = worst("fenced blocks", 30_000, 5.0)
    assert found.text in hostile_texts.TEXTS and found.fault == "" and found.size <= 30_000
    assert 0 < found.seconds < 5


@pytest.mark.only_when("tools/")
def test_the_sweep_ends_a_reader_that_takes_too_long():
    """The kernel's timer ends its process; the text that it was at is the one that is named."""
    found = worst("a program in steps", 30_000, 0.01)
    assert 0.01 <= found.seconds < 1 and found.text in hostile_texts.TEXTS


@pytest.mark.only_when("tools/")
def test_the_table_of_worst_times_is_of_readers():
    """Those that took longer than the event loop can wait are called beside it."""
    rows = worst_times.rows()
    assert rows.keys() <= READERS.keys() and READERS.keys() >= BESIDE_LOOP
    slow = {name for name, row in rows.items() if float(row.split(" | ")[1]) > MOST_S}
    assert slow <= BESIDE_LOOP


SLOW = {
    "calls by annotation": "int," * 16_000,
    "calls in an answer": "f(" * 30_000,
    "a conversation with files": "x\n" * 5000,
    "steps of a final program": "\n".join(f"import a{n}" for n in range(5000)),
    "Python: missing imports": "\n".join(f"{name}.x" for name in sorted(sys.stdlib_module_names))
    + "\nx = 1" * 8000,
    "files that a shell has written": "".join(f"cat >a{n} <<A\nA\n" for n in range(10_000)),
    "names that a request knows": "\n".join(f"n{n}" for n in range(8000)),
    "names that a call's file brings": "\n".join(f"n{n}" for n in range(8000)),
    "links of an answer": " ".join(f"https://b{n}.org" for n in range(15_000)),
    "a word like one that is known": "ab" * 2_000_000,
    "TOML that a call writes": "a." * 30_000 + "a = 1",
    "TOML: a file of a project": "a." * 30_000 + "a = 1",
    "prose": "ab " * 1_300_000,
    "the tags of a prompt": "ab " * 1_300_000,
    "a report of tests": "{\n" * 500_000,
    "fenced blocks": "~~~\n" + "\n" * 1_000_000,
}


@pytest.mark.timeout(60)
@pytest.mark.parametrize("name", SLOW)
def test_what_took_seconds_is_bounded(name):
    """Each took from half a second to minutes before it had a bound."""
    began = time.process_time()
    READERS[name](SLOW[name])
    assert time.process_time() - began < 1


@pytest.mark.timeout(30)
def test_a_megabyte_of_calls_is_no_work_for_the_starters_prompt():
    """It took 1.3 s to find that none of them is an example."""
    began = time.process_time()
    READERS["a prompt for the starter"]("f(1)" * 250_000)
    assert time.process_time() - began < 0.5
