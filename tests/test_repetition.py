"""A text that says the same over and over is seen, and nothing else is."""

from hypothesis import given
from hypothesis import strategies as st

from pipeline.repetition import REPEATED, TIMES, before_repetition

HEAD = "def total(numbers):\n    return sum(numbers)\n\n"


@given(
    piece=st.text(min_size=1, max_size=300),
    size=st.integers(1, 7),
    cut=st.integers(0, 299),
)
def test_a_piece_over_and_over_is_found_however_it_arrives(piece: str, size: int, cut: int) -> None:
    """Whatever the piece and wherever it stops, one copy of it is kept and what stood before."""
    times = max(TIMES, -(-REPEATED // len(piece))) + 1
    text = HEAD + piece * times + piece[: cut % len(piece)]
    kept = before_repetition([text[at : at + size] for at in range(0, len(text), size)])
    assert kept is not None
    assert text.startswith(kept)
    assert len(HEAD) <= len(kept) <= len(HEAD) + 2 * len(piece)


def test_what_is_alike_and_not_the_same_goes_on() -> None:
    """Rows of a table, a long list, cases that differ, a piece that stands three times."""
    rows = "".join(f"    ({n}, {n * n}, 'row'),\n" for n in range(200))
    cases = "".join(f"assert add({n}, 1) == {n + 1}\n" for n in range(200))
    for text in (rows, cases, HEAD * 3, "0, " * 300, "#" * 800, "", "x"):
        assert before_repetition([text]) is None
