"""Bullets with several texts for one result, or an error: how they are read, and what only looks
like them."""

import pytest

from pipeline.sandbox.testcase import Raises
from pipeline.testcases.examples.listed_pairs import find

pytestmark = pytest.mark.only_when("pipeline/testcases/")

ASKED = "Can someone help with parse_size?\n\n"
ONE = '- "512 B" → 512\n- "1.5 GB" → 1610612736\n'
ERROR = Raises("ValueError")


def read(text):
    return [(each.arguments.args[0], each.expected) for each in find(text).examples]


def test_several_texts_of_one_result():
    """Beside those of one text; errors too, with remarks behind them."""
    text = f"""{ASKED}* "512" → 512
* "10K", "10k" and "10 KB" → 10240
* `"1.5 GB"` → `1610612736`
* "" or None → ValueError (message is up to you)
* "12 parsecs" → ValueError too, NOT 12
* B, K, M, G and T are enough"""
    assert read(text) == [
        ("512", 512),
        *(("10K", 10240), ("10k", 10240), ("10 KB", 10240)),
        ("1.5 GB", 1610612736),
        *(("", ERROR), (None, ERROR), ("12 parsecs", ERROR)),
    ]


@pytest.mark.parametrize(
    "text",
    [
        f'{ASKED}- "K" or "KB" → 1024\n- "M" or "MB" → 1048576\n- "B" → 1',
        f'{ASKED}- "1 K", "1 KB" → 1024\n{ONE}',
        f'{ASKED}- "1 K" and "1 KB" → 1024\n- "2 K" or "2 KB" → 2048',
        f'{ASKED}- "-" → removed\n{ONE}',
        f'{ASKED}- "1 K" or "1 KB" → 1024 (or 1000)\n{ONE}',
        f'{ASKED}- "bad one" → TimeoutError\n{ONE}',
        f'{ASKED}- "bad one" → ValueError, which is wrong\n{ONE}',
        f"{ASKED}It currently gives:\n{ONE}",
        f"Write a function common(a, b) of both.\n{ONE}",
        f"Write size(fn).\n{ONE}",
        f"Write size(*of).\n{ONE}",
        f"Write size(n: int).\n{ONE}",
        f"What are those?\n{ONE}",
    ],
)
def test_what_only_looks_like_several_texts(text):
    """Rules, arguments, words, doubts, other errors, functions of something else."""
    assert read(text) == []
