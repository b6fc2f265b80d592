"""Sizes and durations as people read them."""

import pytest

from server.runtime.units import counted, in_bytes, in_time


@pytest.mark.parametrize(
    ("size", "said"),
    [
        (0, "0 B"),
        (999, "999 B"),
        (1000, "1 kB"),
        (999_499, "999 kB"),
        (999_700, "1 MB"),
        (999_700_000, "1.0 GB"),
        (4_700_000_000, "4.7 GB"),
    ],
)
def test_a_size_has_the_unit_in_which_it_is_short(size, said):
    """Never a thousand of one, also where rounding makes one."""
    assert in_bytes(size) == said


@pytest.mark.parametrize(
    ("seconds", "said"), [(4.2, "4.2 s"), (59.96, "1 m 0 s"), (200, "3 m 20 s"), (7500, "2 h 5 m")]
)
def test_a_duration_has_two_units_at_most(seconds, said):
    """Likewise."""
    assert in_time(seconds) == said


def test_one_of_a_kind_is_one():
    """And thousands are set apart."""
    said = [counted(number, "run") for number in (0, 1, 2400)]
    assert said == ["0 runs", "1 run", "2,400 runs"]
