"""Tell whether an agent's text is the code that was asked for or prose about it. Pure."""

from pipeline.analysis.code_extraction import drop_thinking
from pipeline.analysis.evidence import language_of
from pipeline.analysis.fences import fences
from pipeline.analysis.python_syntax import is_python


def is_code_answer(reply: str) -> bool:
    """One block of code with fewer words around it, or nothing but Python. Several blocks are a
    project or an explanation, of which no part may be lost."""
    text = drop_thinking(reply).strip()
    blocks = list(fences(text))
    if not blocks:
        return language_of(text, None, "") == "python" and is_python(text)
    block = blocks[0]
    words = text[: block.start] + text[block.end :]
    return len(blocks) == 1 and _characters(block.code) >= _characters(words)


def _characters(text: str) -> int:
    return len("".join(text.split()))
