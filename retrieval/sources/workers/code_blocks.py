"""A piece of code in a text → its block."""

import textwrap
from collections.abc import Iterator

from pipeline.analysis.python_syntax import parse
from retrieval.sources.block import Block
from retrieval.sources.workers.mentioned_names import used, without_prompts

_PYTHON = frozenset(
    {"default", "doctest", "ipython", "ipython3", "py", "pycon", "py3", "python", "python3"}
)


def code_block(text: str, language: str) -> Iterator[Block]:
    """Nothing where it is blank. What has no language and parses as Python, with a name that it
    imports or calls, is Python."""
    text = textwrap.dedent(text).strip("\n")
    language = language.strip("{}.").lower()
    if language in _PYTHON or not language:
        text = without_prompts(text)
        names = used(text)
        is_python = bool(language) or (parse(text) is not None and "(" in text)
        language = "python" if is_python else ""
    else:
        names = []
    if text.strip():
        yield Block("code", text, language=language, names=names)
