"""Whether a code has tests in it. Pure."""

import ast
import re

from pipeline.analysis.python_syntax import Function, parse

# What tests are made of in one language or another: `it(`, `@Test`, `#[test]`, `assert_eq!`,
# `func TestX`, `expect(…)`, a shell's `[ … ] || exit`.
_WORDS = re.compile(r"(?i)test|assert|expect|should|spec\b|\bit\(|\|\|\s*(exit|fail|return)")


def has_tests(language: str, text: str) -> bool:
    """Of Python, functions or methods that its runners take for tests; of other languages, any word
    that tests are made of."""
    tree = parse(text) if language == "python" else None
    if tree is None:
        return bool(_WORDS.search(text))
    return any(
        isinstance(node, Function) and node.name.startswith("test") for node in ast.walk(tree)
    )
