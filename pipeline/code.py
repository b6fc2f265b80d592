"""Model text → code. Pure.

A reply that already is code stays as it came. Otherwise a Markdown parser takes the fenced blocks
and leaves the narration; what is inside a block is never touched.
"""

import ast
import re
import warnings
from dataclasses import dataclass

from markdown_it import MarkdownIt

MAX_PARSED = (
    256 * 1024
)  # characters; beyond it code is not parsed, to keep every run's cost bounded

_LEADING_THOUGHT = re.compile(r"\s*<think(?:ing)?>.*?(?:</think(?:ing)?>\s*|\Z)", re.DOTALL)
_ORPHAN_END = re.compile(r"</think(?:ing)?>\s*")
_NOTE = re.compile(r"^# REVIEWER_NOTE:.*$", re.MULTILINE)
_FENCE = re.compile(r"^[ \t>]*(?:[-*+] +|\d+[.)] +)?(?:```|~~~)", re.MULTILINE)
# Blocks in these are what to type or what is printed, unless nothing else was sent.
_TERMINAL = {"console", "output", "plaintext", "sh-session", "shell-session", "terminal", "text"}
_SHELL = {"bash", "sh", "shell", "zsh"}

_ALIASES = {
    "c++": "cpp",
    "c#": "csharp",
    "cs": "csharp",
    "golang": "go",
    "js": "javascript",
    "jsx": "javascript",
    "py": "python",
    "py3": "python",
    "python3": "python",
    "rb": "ruby",
    "rs": "rust",
    "sh": "bash",
    "shell": "bash",
    "ts": "typescript",
    "tsx": "typescript",
    "yml": "yaml",
    "zsh": "bash",
}


@dataclass(frozen=True, slots=True)
class Code:
    """Extracted code and the language that its fence names (None: no fence, or no label)."""

    text: str
    language: str | None = None


def extract_code(reply: str) -> Code:
    """The code in a model's reply. Joins several blocks in their order; keeps a
    `# REVIEWER_NOTE:` line that stands outside of them."""
    text = drop_thinking(reply)
    if not _FENCE.search(text) or is_python(text):
        return Code(text)
    blocks = _blocks(text)
    if not blocks:
        return Code(text)
    code = "\n".join(block.text for block in blocks)
    outside = _NOTE.search(text)
    if outside and outside[0] not in code:
        code = f"{outside[0]}\n{code}"
    return Code(code, blocks[0].language)


def drop_thinking(text: str) -> str:
    """The text without the thinking at its head; "" when it never ends.

    Some chat templates write the opening tag themselves, so that only the closing one arrives.
    """
    if "</think" not in text and "<think" not in text:
        return text
    thought = _LEADING_THOUGHT.match(text)
    if thought:
        return text[thought.end() :]
    end = _ORPHAN_END.search(text)
    if end and "<think" not in text[: end.start()] and not is_python(text):
        return text[end.end() :]
    return text


def is_python(text: str) -> bool:
    """Whether the text as a whole parses as Python."""
    return len(text) <= MAX_PARSED and python_error(text) is None


def python_error(text: str) -> str | None:
    """What Python's compiler says against the text: `syntax error at line 3`, or None.

    The compiler runs with its own guards against hostile nesting; nothing is executed.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(
                text, "<draft>", "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT, dont_inherit=True
            )
    except SyntaxError as error:
        return f"syntax error at line {error.lineno or 1}"
    except (ValueError, RecursionError, MemoryError, OverflowError):
        return "syntax error: it cannot be parsed"
    return None


def normal_language(label: str | None) -> str | None:
    """A language's usual name in lower case: `Py` → `python`."""
    if not label:
        return None
    return _ALIASES.get(label.lower(), label.lower())


def _blocks(text: str) -> list[Code]:
    tokens = MarkdownIt("commonmark").parse(text)
    found = [
        Code(token.content, normal_language(token.info.split()[0] if token.info.split() else None))
        for token in tokens
        if token.type == "fence" and token.content.strip()
    ]
    code = [block for block in found if block.language not in _TERMINAL] or found
    programs = [block for block in code if block.language not in _SHELL]
    return programs or code
