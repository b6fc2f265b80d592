"""A file of tests in Python that was cut off, up to the last test that is whole. Small models go on
with tests until they are stopped, and those that they began with are as good as any. Pure."""

import re

from pipeline.analysis.python_syntax import parse

_TEST = re.compile(r"[ \t]*(?:async )?def test")
_BEGINS = re.compile(r"[ \t]*(?:(?:async )?def test|class\b|@)")
_TRIED = 8  # ends from the last on: a class without a test, and a decorator alone, do not parse


def whole_tests(text: str) -> str:
    """ "" where not one is whole."""
    lines = text.split("\n")
    first = next((number for number, line in enumerate(lines) if _TEST.match(line)), len(lines))
    ends = [number for number, line in enumerate(lines) if number > first and _BEGINS.match(line)]
    for end in reversed(ends[-_TRIED:]):
        kept = "\n".join(lines[:end]).rstrip() + "\n"
        if parse(kept) is not None:
            return kept
    return ""
