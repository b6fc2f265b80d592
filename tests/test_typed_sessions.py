"""Sessions in a reply."""

import pytest

from pipeline.analysis.code_extraction import extract_code


@pytest.mark.parametrize(
    ("session", "code"),
    [
        (">>> xs = [1, 2]\n>>> xs[::-1]\n[2, 1]\n", "xs = [1, 2]\nxs[::-1]\n# [2, 1]\n"),
        (">>> for x in xs:\n...     f(x)\n...\n3\n", "for x in xs:\n    f(x)\n\n# 3\n"),
    ],
)
def test_a_session_with_python_is_what_was_typed(session, code):
    """Without its prompts; what was printed stays as comments."""
    for label in ("python", "pycon", ""):
        assert extract_code(f"Like this:\n\n```{label}\n{session}```").text == code
    assert extract_code("```python\n>>> x = (\n```").text == ">>> x = (\n"
