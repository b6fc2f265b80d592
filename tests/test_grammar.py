"""Syntax trees of hostile texts, within a time that the event loop has."""

import time

import pytest

from pipeline.analysis.definitions import public_names
from pipeline.analysis.grammar import syntax_error
from pipeline.analysis.statements import statements


@pytest.mark.timeout(30)
@pytest.mark.parametrize("language", ["c", "go", "javascript", "java", "swift"])
def test_text_that_a_grammar_recovers_from_slowly_is_given_up_once_for_all(language):
    """2,000 characters took half a second for each of the three questions; one tree answers all."""
    began = time.thread_time()
    for pump in ("<!--", "|-", "->", "/*"):
        text = pump * 500
        syntax_error(language, text)
        public_names(language, text)
        statements(language, text)
    assert time.thread_time() - began < 2


def test_a_long_text_without_errors_is_read_in_time():
    code = "".join(f"function f{n}(a, b) {{ return a + b * {n}; }}\n" for n in range(1300))
    assert len(public_names("javascript", code)) == 1300
