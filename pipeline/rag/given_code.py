"""A prompt → the code in it, and what is asked about it. Pure."""

import ast
import re
from dataclasses import dataclass, replace

from pipeline.analysis.code_extraction import code_in, extract_code
from pipeline.analysis.evidence import language_of
from pipeline.analysis.fences import fences, without_fences
from pipeline.analysis.prose import reads_as_prose
from pipeline.analysis.python_syntax import is_python, parse
from pipeline.errors import BadRequest
from pipeline.modes import split_wrappers
from pipeline.rag.query_task import QueryTask

UNKNOWN_LANGUAGE = "text"

# A line of its own around what a frontend attaches; other tags may be the code.
_TAG_LINE = re.compile(
    r"^[ \t]*</?(?:attach\w*|context|documents?|editor_?context|environment_details|files?"
    r"|file_contents?|selected_text|sources?)(?:\s[^<>\n]*)?>[ \t]*\n?",
    re.MULTILINE | re.IGNORECASE,
)
_BLANK = re.compile(r"\n[ \t]*\n")
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
    below a blank line; the request is all the rest."""
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
    for gap in list(_BLANK.finditer(words))[:_MOST_TRIED]:
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


def code_to_refine(query: QueryTask, last_answer: str) -> QueryTask:
    """The query with its code: its own, else the prompt's, else what the last run or the chat's
    last answer gave. Raises BadRequest."""
    if query.code.strip():
        return query
    given = split_code(query.prompt)
    if given.code and not given.request:
        raise BadRequest("Say what is to be changed in the code.")
    if given.code:
        return replace(query, prompt=given.request, code=given.code, language=given.language)
    last = extract_code(query.previous_output or last_answer)
    if not last.text.strip() or reads_as_prose(last.text):
        raise BadRequest(
            "There is no code to refine. Put it into the prompt as a fenced block, or begin with "
            "///ctx ///refine to change what the last run gave."
        )
    return replace(query, code=last.text, language=query.language or last.language)


def code_in_question(query: QueryTask) -> QueryTask:
    """Code that stands in the prompt is the code in question."""
    if query.code:
        return query
    given = split_code(query.prompt)
    if not (given.code and given.request):
        return query
    return replace(query, prompt=given.request, code=given.code, language=given.language)


def language_of_code(query: QueryTask) -> str:
    """The query's own, else what the code looks like."""
    spoken = query.language or language_of(query.code, None, "")
    return spoken or ("python" if is_python(query.code) else UNKNOWN_LANGUAGE)
