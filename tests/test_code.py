"""Model text → code (DESIGN A5)."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.code import Code, extract_code, is_python

ADD = "def add(a, b):\n    return a + b\n"


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        (ADD, Code(ADD)),
        ("SELECT 1;\n\n", Code("SELECT 1;\n\n")),
        (f"```python\n{ADD}```", Code(ADD, "python")),
        (f"Sure! Here it is:\n\n```py\n{ADD}```\n\nHope it helps.", Code(ADD, "python")),
        (f"~~~\n{ADD}~~~\n", Code(ADD)),
        (f"````python\n{ADD}````", Code(ADD, "python")),
        (f"```python\n{ADD}", Code(ADD, "python")),
        ("```js\na()\n```\ntext\n```js\nb()\n```", Code("a()\n\nb()\n", "javascript")),
        (f"```bash\npip install x\n```\n```python\n{ADD}```", Code(ADD, "python")),
        ("```bash\nls\n```", Code("ls\n", "bash")),
        (f"1. Do this:\n\n   ```python\n   {ADD.splitlines()[0]}\n       pass\n   ```", None),
        (f"<think>hm ```x```</think>\n{ADD}", Code(ADD)),
        (f"hm, let me see\n</think>\n\n{ADD}", Code(ADD)),
        ("<think>it never ends\n```python\nx\n```", Code("")),
        (f'x = """\n```\n{ADD}```\n"""\n', Code(f'x = """\n```\n{ADD}```\n"""\n')),
        (
            f"# REVIEWER_NOTE: no key\n```python\n{ADD}```",
            Code(f"# REVIEWER_NOTE: no key\n{ADD}", "python"),
        ),
        ("``` \n\n```", Code("``` \n\n```")),
    ],
)
def test_code_is_taken_out_of_a_reply_and_not_touched(reply, expected):
    """Fences, narration and thinking go; the code inside stays to the letter."""
    if expected is None:
        expected = Code("def add(a, b):\n    pass\n", "python")
    assert extract_code(reply) == expected


def test_a_nested_fence_inside_a_longer_one_belongs_to_the_code():
    """A Markdown file in four backticks keeps its own three."""
    inner = "# Title\n```sh\nls\n```\n"
    assert extract_code(f"````markdown\n{inner}````").text == inner


@given(st.text())
def test_python_survives_extraction_to_the_letter(text):
    """Whatever parses as Python is untouched, even when it is full of fences."""
    if is_python(text) and "think" not in text:
        assert extract_code(text).text == text


@given(st.text(alphabet="`~ \n>-x<think/", max_size=200))
def test_no_reply_breaks_the_extraction(reply):
    """Any soup of marks gives some text."""
    assert isinstance(extract_code(reply).text, str)


@pytest.mark.parametrize(
    "reply", ["```\n" * 20_000, "> " * 30_000 + "```\nx", "<think>" * 20_000, "(" * 100_000]
)
def test_hostile_replies_are_read_in_bounded_time(reply):
    """Pathological Markdown or nesting of the size of the longest answer costs no more than 5 s."""
    started = time.perf_counter()
    extract_code(reply)
    assert time.perf_counter() - started < 5
