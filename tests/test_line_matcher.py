"""Diffs of any two texts, in a time that nobody notices."""

import difflib
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.analysis import line_matcher
from pipeline.analysis.line_matcher import LineMatcher
from pipeline.analysis.unified_diff import unified
from pipeline.rag.edit_scope import lines_beyond
from pipeline.rag.preservation import hunks

LINES = st.lists(st.sampled_from("abcdefg\n\t "), max_size=40)


@given(LINES, LINES)
def test_opcodes_make_one_text_of_the_other(before, after):
    """Also where difflib may compare next to nothing, and unique lines have to do."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(line_matcher, "MOST_WORK", 9)
        matcher = LineMatcher(before, after)
        rows = [(before[i:j], after[k:m]) for _, i, j, k, m in matcher.get_opcodes()]
        tags = [tag for tag, *_ in matcher.get_opcodes()]
    assert [line for old, _ in rows for line in old] == before
    assert [line for _, new in rows for line in new] == after
    assert all((old == new) is (tag == "equal") for tag, (old, new) in zip(tags, rows, strict=True))


@given(LINES, LINES)
def test_a_unified_diff_of_short_texts_is_that_of_difflib(before, after):
    """Line for line, for any two texts."""
    before, after = ("".join(f"{line}\n" for line in lines) for lines in (before, after))
    old, new = before.split("\n")[:-1], after.split("\n")[:-1]
    expected = difflib.unified_diff(old, new, "original", "modified", lineterm="")
    assert unified(before, after).split("\n")[:-1] == list(expected)


def test_a_change_in_a_long_text_is_found_between_its_unique_lines():
    """Two insertions and a deletion in 3,000 lines are told as these three."""
    before = [f"line {n}" for n in range(3000)]
    after = [*before[:10], "new", *before[10:2000], *before[2001:], "end"]
    assert [code for code in LineMatcher(before, after).get_opcodes() if code[0] != "equal"] == [
        ("insert", 10, 10, 10, 11),
        ("delete", 2000, 2001, 2001, 2001),
        ("insert", 3000, 3000, 3000, 3001),
    ]


@pytest.mark.timeout(30)
@pytest.mark.parametrize("kinds", [2, 10, 99, 8000])
def test_8000_lines_in_reverse_order_are_compared_at_once(kinds):
    """With 99 kinds of lines difflib alone took 15 to 45 s."""
    lines = [f"w{n % kinds}" for n in range(8000)]
    before, after = "\n".join(lines), "\n".join(reversed(lines))
    began = time.process_time()
    assert unified(before, after)
    assert list(hunks(before, after))
    assert lines_beyond(before, after, []) > 0
    assert time.process_time() - began < 5
