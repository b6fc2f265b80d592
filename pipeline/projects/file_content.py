"""A model's reply → the text of the file that it was asked for, and whether that parses. Pure.

The reply is the file, raw. What models put around it in spite of that (thinking, one fence, a line
of greeting) is taken away; what is inside is never touched.
"""

import json
import re
from collections.abc import Iterable, Sequence

from pipeline.analysis import ecmascript, grammar
from pipeline.analysis.code_extraction import before_unopened, drop_thinking, extract_code
from pipeline.analysis.fences import Fence, fences
from pipeline.analysis.file_types import ECMASCRIPT, is_prose, language_of_path
from pipeline.analysis.json_wrapped import out_of_json
from pipeline.analysis.languages import normal_language
from pipeline.analysis.python_syntax import python_error
from pipeline.analysis.syntax_process import Unread
from pipeline.analysis.toml_syntax import read_toml

MAX_CHECKED = 256 * 1024  # characters; longer files are not parsed
MAX_SEARCHED = 64 * 1024  # longer replies are not searched for blocks within their text

# Possessive: what does not fit is given up at once, not tried in every other way.
_OPENING = re.compile(r"\s*+(`{3,}+|~{3,}+)[ \t]*+([^\s`]*+)[^\n`]*+\n")
_FENCE_LINE = re.compile(r"^ {0,3}(?:`{3,}|~{3,})", re.MULTILINE)
# A document in a block, by its first heading, and a line that is a sentence: no heading, list,
# quotation, table, block or picture.
_DOCUMENT = re.compile(r"^(?:`{3,}|~{3,})[ \t]*(?:markdown|md)[ \t]*\n\s*#{1,6}[ \t]", re.MULTILINE)
_SENTENCE = re.compile(r"[ \t]{0,3}(?![#>|`~!\[]|[-+*][ \t]|\d+[.)])\S.*")
_LEADS_IN = re.compile(
    r"(?:Here|Sure|Certainly|Of course|Below|This is)\b|.*:[*_ ]*$", re.IGNORECASE
)
_MOST_SENTENCES = 2  # lines, before a document and behind it
_COMMANDS = {"bash", "console", "powershell", "shell-session"}  # labels of what is typed
_PROSE_LABELS = {"", "markdown", "md", "text", "txt", "plaintext", "rst"}


# Settings of TypeScript and of editors: their JSON has comments, and commas before brackets.
_RELAXED = re.compile(r"(?:^|/)(?:[tj]sconfig[\w.-]*|\.?devcontainer|\.vscode/[\w.-]+)\.json$")
_REMARK = re.compile(r'("(?:[^"\\\n]|\\.)*+"?)|//[^\n]*+|/\*(?:.*?\*/|.*+)', re.DOTALL)
_LAST_COMMA = re.compile(r'("(?:[^"\\\n]|\\.)*+"?)|,(?=\s*+[}\]])', re.DOTALL)
_COMMENT = re.compile(r"\s*(?:#|//|--|/\*|<!--)[^\n]*")


def file_text(reply: str, path: str, paths: Iterable[str] = ()) -> str:
    """The file's text in a reply. `paths`: the project's files, which a model may have written as
    well."""
    reply = reply if language_of_path(path) == "json" else out_of_json(reply, path)
    text = drop_thinking(reply)
    whole = _enclosed(_alone(text, path) if is_prose(path) else text, path)
    if whole is not None:
        return whole
    if is_prose(path) or len(text) > MAX_SEARCHED or ("```" not in text and "~~~" not in text):
        return text
    return text if _is_file(text, path) else _fenced(text, path, paths)


def _is_file(text: str, path: str) -> bool:
    """Whether a reply with fence marks in it is the file all the same: it parses, and where a fence
    would parse too (as JavaScript's empty templates), every one stands in a comment."""
    language = language_of_path(path)
    if language in ECMASCRIPT:
        try:
            return not ecmascript.fences_outside_comments(text, path)
        except Unread:
            return False
    return _parses(text, path)


def syntax_error(text: str, path: str) -> str | None:
    """`syntax error at line 3` for a file that does not parse, or not in time; None also for
    languages that are not known here."""
    language = language_of_path(path)
    if len(text) > MAX_CHECKED:
        return None
    if language == "python":
        return python_error(text)
    if language in ECMASCRIPT:
        return _script_error(text, path)
    try:
        if language == "json" and text.strip():
            json.loads(_strict(text) if _RELAXED.search(path) else text)
        if language == "toml":
            read_toml(text)
    except json.JSONDecodeError as error:
        return f"syntax error at line {error.lineno}"
    except (ValueError, RecursionError) as error:
        found = re.search(r"line (\d+)", str(error))
        return f"syntax error at line {found[1] if found else text.count(chr(10)) + 1}"
    return None


def _strict(text: str) -> str:
    """JSON with comments and last commas without them, each line where it was."""
    bare = _REMARK.sub(lambda found: found[1] or "\n" * found[0].count("\n"), text)
    return _LAST_COMMA.sub(lambda found: found[1] or "", bare)


def _script_error(text: str, path: str) -> str | None:
    try:
        line = ecmascript.first_error(text, path)
    except Unread:
        return grammar.GIVEN_UP
    return f"syntax error at line {line}" if line else None


def _enclosed(text: str, path: str) -> str | None:
    """What one fence around the whole reply encloses, fences inside it included."""
    opening = _OPENING.match(text)
    if not opening:
        return None
    body = text.rstrip()
    fence, label = opening[1], normal_language(opening[2]) or ""
    if (
        is_prose(path)
        and opening[2] in ("markdown", "md")
        and _holds_whole_blocks(body[opening.end() :])
    ):
        return body[opening.end() :] + "\n"  # the fence around the document was never closed
    start = body.rfind("\n") + 1
    last = body[start:].strip()
    closes = set(last) == {fence[0]} and len(last) >= len(fence) and start >= opening.end()
    if not closes or (is_prose(path) and label not in _PROSE_LABELS):
        return None
    inner = body[opening.end() : start]
    if is_prose(path) and not label and any(block.end < len(body) for block in fences(body)):
        return None  # a document that begins and ends with blocks of its own
    if not is_prose(path) and _closes_early(inner, fence) and not _parses(inner, path):
        return None  # several blocks, with words between them
    return inner


def _alone(text: str, path: str) -> str:
    """A reply without what stands around its document: a line that leads in ("Here is the file:")
    and one behind it, where the document stands in a block of Markdown; else as it is."""
    opening = _DOCUMENT.search(text)
    if not opening:
        return text if _is_markup(path) else _only_block(text)
    before, document = text[: opening.start()], text[opening.start() :].rstrip()
    lines = _sentences(before)
    if lines is None or (lines and not _LEADS_IN.match(lines[-1])):
        return text
    marks = list(_FENCE_LINE.finditer(document))
    line_end = document.find("\n", marks[-1].end())
    if len(marks) % 2 or line_end < 0 or document[marks[-1].end() : line_end].strip():
        return document  # the block was never closed, or ends with the reply
    return document if _sentences(document[line_end:]) is None else document[:line_end]


def _only_block(text: str) -> str:
    """A plain text's block, where nothing but words that lead to it and follow it stands around."""
    blocks = [*fences(text)] if len(text) <= MAX_SEARCHED else []
    if len(blocks) != 1:
        return text
    before = _sentences(text[: blocks[0].start])
    if not before or not _LEADS_IN.match(before[-1]) or _sentences(text[blocks[0].end :]) is None:
        return text
    return text[blocks[0].start : blocks[0].end]


def _is_markup(path: str) -> bool:
    """Whether blocks are a part of such documents."""
    return language_of_path(path) is not None or path.endswith((".rst", ".adoc"))


def _sentences(text: str) -> list[str] | None:
    """The lines of words that lead to a document or follow it; None where they may be its own."""
    lines = [line for line in text.splitlines() if line.strip()]
    few = len(lines) <= _MOST_SENTENCES
    return lines if few and all(map(_SENTENCE.fullmatch, lines)) else None


def _holds_whole_blocks(document: str) -> bool:
    """Whether every fence in it that opens is closed."""
    return len(_FENCE_LINE.findall(document)) % 2 == 0


def _parses(text: str, path: str) -> bool:
    """Whether it is known to be the file's language."""
    known = language_of_path(path) in ("python", "json", "toml", *ECMASCRIPT)
    return known and syntax_error(text, path) is None


def _closes_early(inner: str, fence: str) -> bool:
    mark = re.escape(fence[0])
    return bool(re.search(rf"^ {{0,3}}{mark}{{{len(fence)},}}[ \t]*$", inner, re.MULTILINE))


def _fenced(text: str, path: str, paths: Iterable[str]) -> str:
    """The file in a reply with words around its block. A block in the file's own language counts,
    else the only one without a label, else the only one that there is; a text without such blocks
    is the file."""
    language = language_of_path(path)
    if code := before_unopened(text):
        return code
    everything = [block for block in fences(text) if block.code.strip()]
    blocks = _of_this_file(text, everything, path, paths)
    if len(blocks) < len(everything):
        text = "\n\n".join(text[block.start : block.end] for block in blocks)
        blocks = [block for block in fences(text) if block.code.strip()]
    names = (language, normal_language(language))
    own = [block for block in blocks if language and block.language in names]
    if len(own) == 1 and language == "python" and not _parses(own[0].raw, path):
        return extract_code(text[own[0].start : own[0].end]).text  # it may not end where it seems
    if own and (len(own) == 1 or language != "python"):
        return max((block.raw for block in own), key=_size)
    if language == "python" and blocks:
        return extract_code(text).text
    unlabelled = [block for block in blocks if not block.language]
    if len(unlabelled) == 1:
        return unlabelled[0].raw
    others = [block for block in blocks if block.language not in _COMMANDS] if not language else []
    return others[0].raw if len(others) == 1 else text


def _size(code: str) -> tuple[bool, int]:
    """The largest of several is the file; a script is rather that than what makes it executable."""
    return code.startswith("#!"), len(code)


def _of_this_file(
    text: str, blocks: Sequence[Fence], path: str, paths: Iterable[str]
) -> Sequence[Fence]:
    """Where a model wrote several files: the blocks that are headed with this one's name, else
    those that are not headed with another's, nor import this one to show how it is used."""
    if len(blocks) < 2:
        return blocks
    own = {path, path.rpartition("/")[2]}
    others = {name for each in paths for name in (each, each.rpartition("/")[2])} - own
    heads = [
        _head(text, before, block)
        for before, block in zip([None, *blocks[:-1]], blocks, strict=True)
    ]
    mine = [block for block, head in zip(blocks, heads, strict=True) if _names(head, own)]
    rest = [block for block, head in zip(blocks, heads, strict=True) if not _names(head, others)]
    blocks = mine or rest or blocks
    return [block for block in blocks if not _imports(block.code, path)] or blocks


def _imports(code: str, path: str) -> bool:
    """Whether Python code imports the module that the file is."""
    folders, _, name = path.removesuffix(".py").rpartition("/")
    if name == path or name.startswith("__"):
        return False
    package = rf"(?:{re.escape(folders.replace('/', '.'))}\.)?" if folders else ""
    return bool(re.search(rf"^(?:from|import) {package}{re.escape(name)}\b(?!\.)", code, re.M))


def _head(text: str, before: Fence | None, block: Fence) -> str:
    """The last line before a block, its first one, and the comment that it begins with."""
    lines = text[before.end if before else 0 : block.start].strip().rsplit("\n", 1)
    info = text[block.start : text.find("\n", block.start)]
    comment = _COMMENT.match(block.code)
    return "\n".join([lines[-1], info, comment[0] if comment else ""])


def _names(head: str, names: Iterable[str]) -> bool:
    said = "|".join(map(re.escape, names))
    return bool(said) and bool(re.search(rf"(?<![\w./-])(?:\./)?(?:{said})(?![\w/-]|\.\w)", head))
