"""A record and its line."""

import json
import math

import pytest
from history_fakes import make_record
from hypothesis import given, settings
from hypothesis import strategies as st

from history.record import Record, decode, encode

_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**63 - 1) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=10,
)


def _joined(text: str) -> str:
    """The text with each pair of surrogates as the character that they stand for."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")


@given(st.text(st.characters()))
def test_any_text_is_stored_exactly_as_it_was(text: str) -> None:
    """Control characters, lone surrogates, anything: the same code points come back."""
    record = decode(encode(make_record(final_output=text, original_prompt=text)))

    assert record is not None
    assert record["final_output"] == record["original_prompt"] == _joined(text)


@given(st.text(st.characters() | st.sampled_from("\r\n\x0b\x0c\x1c\x85\u2028\u2029\ud800")))
def test_a_record_is_one_line_for_every_reader(text: str) -> None:
    """Nothing inside a record breaks its line, not even for str.splitlines."""
    line = encode(make_record(final_output=text))

    assert line.endswith(b"\n")
    assert len(line.decode().splitlines()) == 1
    assert json.loads(line)["final_output"] == _joined(text)


@settings(max_examples=40)
@given(st.dictionaries(st.text(min_size=1), _VALUES))
def test_keys_that_nobody_knows_are_kept(extra: dict[str, object]) -> None:
    """A mode may add keys: the record comes back equal, whatever they hold."""
    record = {**extra, **make_record()}

    assert decode(encode(record)) == record


@pytest.mark.parametrize("number", [math.nan, math.inf, -math.inf])
@pytest.mark.parametrize("text", ["plain", "lone \ud800"])
def test_numbers_that_json_lacks_become_null(number: float, text: str) -> None:
    """NaN and infinities are never written, whichever encoder a record needs."""
    line = encode({"id": "a", "duration_ms": number, "steps": [{"x": number}], "text": text})

    assert json.loads(line) == {"id": "a", "duration_ms": None, "steps": [{"x": None}]} | {
        "text": text
    }


@pytest.mark.parametrize("text", ["plain", "lone \ud800"])
def test_a_value_of_another_type_does_not_lose_the_record(text: str) -> None:
    """Sets become lists, anything else its str()."""
    record: Record | None = decode(encode(make_record(text, artefact={"x": {1}, "y": 1 + 2j})))

    assert record is not None
    assert record["artefact"] == {"x": [1], "y": "(1+2j)"}


def test_a_huge_record_survives() -> None:
    """Twenty megabytes of text are one line like any other."""
    text = "a \u2028\n" * 4_000_000

    record = decode(encode(make_record(final_output=text)))

    assert record is not None
    assert record["final_output"] == text


@given(st.binary())
def test_decoding_never_raises(junk: bytes) -> None:
    """Whatever a line holds, the answer is a record or None."""
    record = decode(junk)

    assert record is None or record["id"]


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"\n",
        b"null\n",
        b"[]\n",
        b'"text"\n',
        b"{}\n",
        b'{"id":null}\n',
        b'{"id":7}\n',
        b'{"id":""}\n',
        b'{"id":"a"\n',
        b'{"id":"a"}{"id":"b"}\n',
        b'{"id":"a"} x\n',
        b'\xff{"id":"a"}\n',
        b"\0" * 500,
        b"[" * 100_000,
        b'{"id":' * 100_000,
        '{"id":"a"}'.encode("utf-16"),
    ],
)
def test_what_is_no_record_is_none(line: bytes) -> None:
    """Only one JSON object with an id is a record."""
    assert decode(line) is None


@given(st.integers(0, 400))
def test_a_part_of_a_line_is_no_record(length: int) -> None:
    """However a line is torn, its beginning is not taken for a record."""
    line = encode(make_record())

    assert decode(line[: min(length, len(line) - 2)]) is None
