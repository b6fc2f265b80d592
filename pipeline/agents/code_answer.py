"""Whether an agent's text is the code that was asked for, or a word about it. Pure."""

from pipeline.analysis.code_extraction import drop_thinking
from pipeline.analysis.evidence import language_of
from pipeline.analysis.fences import fences
from pipeline.analysis.python_syntax import is_python

LEAST_PART = 0.5  # of the text's characters, blanks not counted, that are code


def is_code_answer(reply: str) -> bool:
    """One block of code with few words around it, or nothing but Python. Several blocks are a
    project or an explanation, of which no part may be lost."""
    text = drop_thinking(reply).strip()
    blocks = list(fences(text))
    if not blocks:
        return language_of(text, None, "") == "python" and is_python(text)
    code = sum(_characters(block.code) for block in blocks)
    return len(blocks) == 1 and code >= LEAST_PART * _characters(text)


def _characters(text: str) -> int:
    return len("".join(text.split()))
