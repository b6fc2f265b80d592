"""Model text → code. Pure.

A reply that already is code stays as it came. Otherwise a Markdown parser takes the fenced blocks
and leaves the narration; what is inside a block is never touched.
"""

import ast
import re
import warnings
from dataclasses import dataclass

from markdown_it import MarkdownIt
from markdown_it.token import Token

MAX_PARSED = 64 * 1024  # characters; longer code is not parsed, to keep every run's cost bounded

_LEADING_THOUGHT = re.compile(r"\s*<think(?:ing)?>.*?(?:</think(?:ing)?>\s*|\Z)", re.DOTALL)
_LATER_THOUGHT = re.compile(r"^<think(?:ing)?>.*?</think(?:ing)?>\s*", re.DOTALL | re.MULTILINE)
_END = re.compile(r"</think(?:ing)?>")
_ORPHAN_END = re.compile(r"</think(?:ing)?>\s*")
_NOTE = re.compile(r"^(?:#|//|--|;|%|/\*|<!--) ?REVIEWER_NOTE:.*$", re.MULTILINE)
_CLOSING_FENCE = re.compile(r" {0,3}(?:`{3,}|~{3,})\s*")
_LABEL = re.compile(r"[A-Za-z][\w+#.-]*")  # also in `{.python}` and `python:src/app.py`
FENCE = re.compile(r"^[ \t>]*(?:[-*+] +|\d+[.)] +)?(?:```|~~~)", re.MULTILINE)
# Blocks in these are what changed, what to type or what is printed, unless nothing else was sent.
_BESIDE = {"console", "diff", "output", "patch", "plaintext", "pycon", "sh-session"}
_BESIDE |= {"shell-session", "terminal", "text"}
_SHELL = {"bash", "bat", "cmd", "powershell", "sh", "shell", "zsh"}

_ALIASES = {
    "c++": "cpp",
    "c#": "csharp",
    "cs": "csharp",
    "golang": "go",
    "js": "javascript",
    "jsx": "javascript",
    "node": "javascript",
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
    """The code in a model's reply. Joins several blocks in their order; keeps the
    `# REVIEWER_NOTE:` lines that stand outside of them."""
    text = drop_thinking(reply)
    if not FENCE.search(text) or is_python(text):
        return Code(text)
    tokens = [
        token
        for token in MarkdownIt("commonmark").parse(text)
        if token.type == "fence" and token.content.strip()
    ]
    if not tokens:
        return Code(text)
    blocks = _programs([Code(token.content, _language(token.info)) for token in tokens])
    code = _fenced_python(text, tokens[0]) or _joined(blocks)
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


def _language(info: str) -> str | None:
    label = _LABEL.search(info)
    return normal_language(label[0] if label else None)


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


def _fenced_python(text: str, first: Token) -> str | None:
    """All between the first fence and the last, if it is Python as a whole: then the fences in
    between are text in its strings, which Markdown cannot know."""
    lines = text.split("\n")
    start = first.map[0] + 1 if first.map else 0
    ends = [n for n in range(start, len(lines)) if _CLOSING_FENCE.fullmatch(lines[n])]
    whole = "".join(f"{line}\n" for line in lines[start : ends[-1]]) if len(ends) > 1 else ""
    return whole if whole.strip() and is_python(whole) else None
