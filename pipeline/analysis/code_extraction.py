"""Model text → code. Pure.

A reply that already is code stays as it came. Otherwise a Markdown parser takes the fenced blocks
and leaves the narration; what is inside a block is never touched.
"""

import re
from dataclasses import dataclass

from pipeline.analysis.fences import FENCE, Fence, fences
from pipeline.analysis.python_syntax import is_python

_LEADING_THOUGHT = re.compile(r"\s*<think(?:ing)?>.*?(?:</think(?:ing)?>\s*|\Z)", re.DOTALL)
_LATER_THOUGHT = re.compile(r"^<think(?:ing)?>.*?</think(?:ing)?>\s*", re.DOTALL | re.MULTILINE)
_END = re.compile(r"</think(?:ing)?>")
_ORPHAN_END = re.compile(r"</think(?:ing)?>\s*")
_NOTE = re.compile(r"^(?:#|//|--|;|%|/\*|<!--) ?REVIEWER_NOTE:.*$", re.MULTILINE)
_CLOSING_FENCE = re.compile(r"^ {0,3}(?:`{3,}|~{3,})[^\S\n]*$", re.MULTILINE)
# Blocks in these are what changed, what to type or what is printed, unless nothing else was sent.
_BESIDE = {"console", "diff", "output", "patch", "plaintext", "pycon", "sh-session"}
_BESIDE |= {"shell-session", "terminal", "text"}
_SHELL = {"bash", "bat", "cmd", "powershell", "sh", "shell", "zsh"}


@dataclass(frozen=True, slots=True)
class Code:
    """Extracted code and the language that its fence names (None: no fence, or no label)."""

    text: str
    language: str | None = None


def extract_code(reply: str) -> Code:
    """The code in a model's reply. Joins several blocks in their order; keeps the
    `# REVIEWER_NOTE:` lines that stand outside of them."""
    text = drop_thinking(reply)
    if not FENCE.search(text) or is_python(text):
        return Code(text)
    found = [fence for fence in fences(text) if fence.code.strip()]
    if not found:
        return Code(text)
    blocks = _programs([Code(fence.code, fence.language) for fence in found])
    code = _fenced_python(text, found[0]) or _joined(blocks)
    notes = [note for note in _NOTE.findall(text) if note not in code]
    return Code("\n".join([*notes, code]), blocks[0].language)


def drop_thinking(text: str) -> str:
    """The text without the thinking at its head (a line of greeting may stand before it); "" when
    it never ends.

    Some chat templates write the opening tag themselves, so that only the closing one arrives.
    """
    if "</think" not in text and "<think" not in text:
        return text
    thought = _LEADING_THOUGHT.match(text)
    if thought:
        return text[thought.end() :]
    last = max((end.end() for end in _END.finditer(text)), default=0)
    later = _LATER_THOUGHT.search(text, 0, last)  # beyond, none ends: no use to look for it
    if later and not FENCE.search(text, 0, later.start()) and not is_python(text):
        return text[: later.start()] + text[later.end() :]
    end = _ORPHAN_END.search(text)
    if end and "<think" not in text[: end.start()] and not is_python(text):
        return text[end.end() :]
    return text


def _programs(found: list[Code]) -> list[Code]:
    code = [block for block in found if block.language not in _BESIDE] or found
    return [block for block in code if block.language not in _SHELL] or code


def _joined(blocks: list[Code]) -> str:
    """The blocks in order. What a Python program prints (a block without a label), or a session
    with it, is left out where it is no Python and the rest is."""
    code = "\n".join(block.text for block in blocks)
    if len(blocks) > 1 and not is_python(code):
        program = "\n".join(
            block.text
            for block in blocks
            if block.language and not block.text.lstrip().startswith(">>>")
        )
        if program and is_python(program):
            return program
    return code


def _fenced_python(text: str, first: Fence) -> str | None:
    """All between the first fence and the last, if it is Python as a whole: then the fences in
    between are text in its strings, which Markdown cannot know."""
    start = text.find("\n", first.start) + 1
    ends = [*_CLOSING_FENCE.finditer(text, start)]
    whole = text[start : ends[-1].start()] if len(ends) > 1 else ""
    return whole if whole.strip() and is_python(whole) else None
