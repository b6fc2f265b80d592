"""A prompt → the code in it, and what is asked about it. Pure."""

import ast
import re
from dataclasses import dataclass

from pipeline.analysis.code_extraction import code_in
from pipeline.analysis.evidence import language_of
from pipeline.analysis.fences import fences, without_fences
from pipeline.analysis.python_syntax import parse
from pipeline.modes import split_wrappers

# A line of its own around what a frontend attaches; other tags may be the code.
_TAG_LINE = re.compile(
    r"^[ \t]*</?(?:attach\w*|context|documents?|editor_?context|environment_details|files?"
    r"|file_contents?|selected_text|sources?)(?:\s[^<>\n]*)?>[ \t]*\n?",
    re.MULTILINE | re.IGNORECASE,
)
# Before the first line of bare code: a blank one, or it begins as Python does alone.
_GAP = re.compile(
    r"\n[ \t]*\n|\n(?=@\w|(?:async )?def \w+\(|class \w+[(:]|import \w+|from \w[\w.]* import )"
)
_MOST_TRIED = 40  # places where bare code may begin,
_LONGEST_TRIED = 20_000  # in a prompt of so many characters,
_MOST_READ = 100_000  # until so many have been parsed in vain
_SAYS_SOMETHING = (ast.Import, ast.ImportFrom, ast.Assign, ast.FunctionDef, ast.ClassDef, ast.Call)


@dataclass(frozen=True, slots=True)
class Given:
    """`code` is "" where there is none; `language` is None where nothing tells."""

    request: str
    code: str = ""
    language: str | None = None


def split_code(prompt: str) -> Given:
    """The code of fenced blocks, else of what a frontend has attached, else Python that stands
    below a blank line or begins as nothing else does; the request is all the rest."""
    wrappers, words = split_wrappers(prompt)
    attached = _TAG_LINE.sub("", wrappers)  # HTML around a fence would hide it
    for text, asked in ((words, without_fences(words)), (attached, words)):
        code = code_in(text) if any(fences(text)) else None
        if code and code.text != text:
            return _given(asked, code.text, code.language)
    if attached.strip():
        return _given(words, attached.strip("\n"), None)
    return _bare(words)


def _bare(words: str) -> Given:
    if len(words) > _LONGEST_TRIED:
        return Given(words.strip())
    tried = 0
    for gap in list(_GAP.finditer(words))[:_MOST_TRIED]:
        request, code = words[: gap.start()], words[gap.end() :]
        tree = parse(code)
        if tree and any(isinstance(node, _SAYS_SOMETHING) for node in ast.walk(tree)):
            return _given(request, code, "python")
        tried += len(code)
        if tree or tried > _MOST_READ:  # of what says nothing no part does
            break
    return Given(words.strip())


def _given(request: str, code: str, label: str | None) -> Given:
    code = f"{code.strip(chr(10))}\n" if code.strip() else ""
    return Given(request.strip(), code, language_of(code, label, request) if code else None)
