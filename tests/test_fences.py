"""Fenced blocks in texts of any length: a parser reads short ones, long ones are read line by
line."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from laios.markdown_text import code_span
from pipeline.analysis import fences as module
from pipeline.analysis.code_extraction import extract_code
from pipeline.analysis.fences import fences

PIECES = ["```", "~~~", "````", "```py", "a", " b", "\n", "\r\n", "   ", "x```", "~~~~ x`", "#"]


@given(st.lists(st.sampled_from(PIECES), max_size=14).map("".join))
def test_line_by_line_the_same_blocks_are_found(text):
    """Wherever no block stands inside a list or a quotation."""
    short = list(fences(f"{text}\n#"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_MOST_LINES", 0)
        assert list(fences(f"{text}\n#")) == short


@given(st.text("`a *_<>![](\\&;", min_size=1).filter(str.strip))
def test_a_text_in_a_line_is_shown_as_it_is(text):
    """One span of code, with nothing of Markdown or HTML in it."""
    [token] = [
        each
        for block in MarkdownIt("commonmark").parse(f"x {code_span(text)} y")
        for each in block.children or ()
        if each.type != "text"
    ]
    assert (token.type, token.content) == ("code_inline", text)


def test_a_last_line_that_only_begins_like_a_fence_closes_nothing():
    """It is a line of the code."""
    [block] = fences("```\na = 1\n```` b")
    assert block.raw == block.code == "a = 1\n```` b"


def test_a_very_long_reply_gives_its_code():
    """All twenty thousand lines of it."""
    code = "".join(f"x{n} = {n}\n" for n in range(20_000))
    assert extract_code(f"Here it is:\n\n```python\n{code}```\n\nBye.").text == code


@pytest.mark.timeout(30)
@pytest.mark.parametrize(
    "pump", ["[", "[a]: b\n", ")\n", "```\n", "- ", "> ", "  - a\n", "~~~\n````\n", "<a\n"]
)
def test_no_reply_of_a_megabyte_holds_up_the_search_for_its_code(pump):
    """190,000 brackets took the Markdown parser 2 to 3 s, 500,000 short lines 7 s."""
    text = pump * (1_000_000 // len(pump)) + "\n```\nx\n```\n"
    began = time.process_time()
    list(fences(text))
    assert time.process_time() - began < 5
