"""The code block of an answer that shows how something is used. Pure."""

import re
from textwrap import dedent

from pipeline.analysis.fences import Fence, fences
from pipeline.analysis.python_syntax import is_python

_PYTHON = ("python", "pycon")  # and a session in it
_PROMPT = re.compile(r"^(?:>>>|\.\.\.)(?: |$)")
_COMMAND = re.compile(r"^[ \t]*[$%!] ?\w", re.MULTILINE)


def example_in(text: str) -> Fence | None:
    """The first block with a program that says it is Python, or else that could be; where there is
    none, the first."""
    first = unsaid = None
    for fence in fences(text):
        if fence.language in _PYTHON and program_of(fence):
            return fence
        first = first or fence
        if not unsaid and fence.language is None and program_of(fence):
            unsaid = fence
    return unsaid or first


def program_of(example: Fence | None) -> str:
    """The example as a program, without its margin or a session's prompts and output; "" for what
    was never meant as one: another language, a command, a line alone, as of a signature."""
    if example is None or example.language not in (*_PYTHON, None):
        return ""
    code = dedent(example.code)
    lines = code.splitlines()
    if example.language == "pycon" or code.lstrip().startswith(">>>"):
        lines = [_PROMPT.sub("", line) for line in lines if _PROMPT.match(line)]
        code = "\n".join(lines)
    is_line = len([line for line in lines if line.strip()]) < 2
    if (is_line or example.language is None or _COMMAND.search(code)) and not is_python(code):
        return ""
    return code
