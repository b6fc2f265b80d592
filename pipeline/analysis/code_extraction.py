"""Model text → code. Pure.

A reply that already is code stays as it came. Otherwise a Markdown parser takes the fenced blocks
and leaves the narration; what is inside a block is never touched.
"""

import ast
import re
from collections.abc import Iterator, Sequence

from pipeline.analysis.code_document import Code, as_document, lead_of
from pipeline.analysis.fences import FENCE, Fence, fences
from pipeline.analysis.languages import same_language
from pipeline.analysis.prose import reads_as_prose
from pipeline.analysis.python_syntax import MAX_PARSED, is_python, parse, top_level
from pipeline.analysis.shell_session import SESSIONS, SHELLS, commands, python_lines

_LEADING_THOUGHT = re.compile(r"\s*<think(?:ing)?>.*?(?:</think(?:ing)?>\s*|\Z)", re.DOTALL)
_LATER_THOUGHT = re.compile(r"^<think(?:ing)?>.*?</think(?:ing)?>\s*", re.DOTALL | re.MULTILINE)
_END = re.compile(r"</think(?:ing)?>")
_ORPHAN_END = re.compile(r"(?<!['\"])</think(?:ing)?>(?!['\"])\s*")  # none that code looks for
_END_OF_TURN = re.compile(r"<\|\w{1,30}\|>\s*\Z")  # a model's own mark, where a server leaves it
# Of EXAONE, Magistral and their like; before something else only: an XML text may have such a tag.
_OTHER_THOUGHT = re.compile(
    r"\s*(?:<(thought|reasoning)>.*?</\1>|\[THINK\].*?\[/THINK\])\s*(?=\S)", re.DOTALL
)
_NOTE = re.compile(r"^(?:#|//|--|;|%|/\*|<!--) ?REVIEWER_NOTE:.*$", re.MULTILINE)
_CLOSING_FENCE = re.compile(r"^ {0,3}(?:`{3,}|~{3,})[^\S\n]*$", re.MULTILINE)
_FENCE_LINE = re.compile(r"^ {0,3}(?:`{3,}+|~{3,}+)[^\S\n]*+([^\s`]*+)[^`\n]*+$", re.MULTILINE)
_LATE_END = re.compile(r"(?<!`)`{3,}+[^\S\n]*+$", re.MULTILINE)
# Blocks in these are what changed, what to type, when to, what is installed or what is printed,
# unless nothing else was sent.
_BESIDE = {"cron", "crontab", "csv", "diff", "log", "output", "plaintext", "pycon", "requirements"}
_BESIDE |= {"requirements.txt", "stdout", "text", "txt", *SESSIONS}
_TYPED = {None, *SHELLS, *SESSIONS}
_STARTS = re.compile(
    r"(?:\$ )?(?:sudo )?(?:(?:bash|chmod|nano|sh|source|touch|vim?) |\./)|#(?!!)|$"
)
_BEGINS = re.compile(
    r"^(?:<(?:!doctype\b|html\b|\?php|\?xml)|#!/|#include [<\"]|package \w+;?[ \t]*$)",
    re.IGNORECASE | re.MULTILINE,
)
_WORDS = re.compile(r"(?:[\w ,.:!'’-]*\n)*+")
_LABEL_BELOW = re.compile(r"[`~]*+[^\S\n]*+\n\s*+python3?[^\S\n]*+\n", re.IGNORECASE)
_LABEL_ALONE = re.compile(r"\s*+python3?[^\S\n]*+\n", re.IGNORECASE)
_SPAN = re.compile(r"\s*`([^`\n]+)`\s*")
_MOST_BLOCKS = 200  # that are each looked at
_DEFINED = re.compile(r"^(?:async def|def|class)[ \t]+(\w+)", re.MULTILINE)
_OF_PYTHON = (None, "python", "pycon")
_HEADING = re.compile(r"^#{1,6} \S", re.MULTILINE)
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom)


def extract_code(reply: str, language: str | None = None) -> Code:
    """The code in a model's reply, as `code_in` finds it; of a session with a shell or
    with Python what was typed."""
    code = code_in(reply, language)
    typed = commands(code.text) if code.language in _TYPED else None
    if code.language in _OF_PYTHON and (lines := python_lines(code.text)) and is_python(lines):
        typed = lines, "python"
    return Code(*typed, left_out=code.left_out) if typed else code


def code_in(text: str, language: str | None = None) -> Code:
    """The code in a text. Joins several blocks in their order; those in several languages stand in
    a Markdown document, or are those in `language` alone, where it is given and is one of them.
    Keeps the `# REVIEWER_NOTE:` lines that stand outside of them."""
    text = _with_label_beside(_untagged(drop_thinking(text)))
    if span := _SPAN.fullmatch(text):  # a command in a line of prose without prose
        return Code(span[1])
    if is_python(text):
        return Code(text)
    if not FENCE.search(text):
        return Code(_without_greeting(text))
    if code := before_unopened(text):
        return Code(code)
    if text.startswith("#!/"):  # a script, whose fences are its own: it writes a page, perhaps
        return Code(text)
    found = [fence for fence in fences(text) if fence.code.strip()]
    if not found:
        return Code(text)
    replied = [*_blocks(text, found)]
    blocks = _programs(replied)
    if whole := _fenced_python(text, found[0]):
        return Code(_with_notes(whole, text), _language(blocks))
    chosen, used = _put_together(blocks, language)
    known = {*map(id, used)}
    left_out = tuple(block for block in replied if id(block) not in known)
    return Code(_with_notes(chosen.text, text), chosen.language, left_out=left_out)


def _with_notes(code: str, text: str) -> str:
    return "\n".join([*(note for note in _NOTE.findall(text) if note not in code), code])


def _put_together(blocks: Sequence[Code], language: str | None) -> tuple[Code, Sequence[Code]]:
    """The code that the blocks are, and those of them that it is made of."""
    if several := _in_several_languages(blocks):
        own = [block for block in several if same_language(block.language or "", language or "")]
        if not own:
            return as_document(several), several
        blocks = own
    used = _joined(blocks)
    return Code(_text(used), _language(blocks)), used


def _language(blocks: Sequence[Code]) -> str | None:
    labels = [block.language for block in blocks]
    return labels[0] or ("python" if "python" in labels else None)


def _without_greeting(text: str) -> str:
    """Without words before a line that only begins a file, and behind a page's end."""
    begun = _BEGINS.search(text)
    if not begun or not _WORDS.fullmatch(text, 0, begun.start()):
        return text
    if begun[0][0] != "<" and not text[: begun.start()].endswith((":\n", ".\n", "\n\n")):
        return text
    page, end, behind = text[begun.start() :].rpartition("</html>")
    is_page = bool(end) and "<" not in behind and reads_as_prose(behind)
    return f"{page}{end}\n" if is_page else text[begun.start() :]


def _in_several_languages(blocks: Sequence[Code]) -> Sequence[Code]:
    """Those with a label, where these name more than one language, and not too many to be read."""
    if len(blocks) > _MOST_BLOCKS or blocks[0].language == "markdown":
        return ()
    labelled = [block for block in blocks if block.language]
    return labelled if len({block.language for block in labelled}) > 1 else ()


def drop_thinking(text: str) -> str:
    """The text without the thinking at its head (a line of greeting may stand before it); "" when
    it never ends.

    Some chat templates write the opening tag themselves, so that only the closing one arrives. A
    byte order mark before it goes as well.
    """
    text = _END_OF_TURN.sub("", text.removeprefix("\ufeff"))
    if other := _OTHER_THOUGHT.match(text):
        return text[other.end() :]
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


def _untagged(text: str) -> str:
    """What a model has put between tags that say that it is the answer; XML stays as it is."""
    bare = text.strip()
    for tag in ("answer", "solution"):
        inner = bare.removeprefix(f"<{tag}>").removesuffix(f"</{tag}>")
        if len(bare) == len(inner) + 2 * len(tag) + 5 and not inner.lstrip().startswith("<"):
            return inner.strip("\r\n") + "\n"
    return text


def _with_label_beside(text: str) -> str:
    """A label that a small model puts in the line below its fence, where a program would fail by
    it, as if it stood beside it; without a fence it goes."""
    fence = FENCE.search(text)
    if fence and (label := _LABEL_BELOW.match(text, fence.end())):
        return f"{text[: fence.end()]}python\n{text[label.end() :]}"
    alone = None if fence else _LABEL_ALONE.match(text)
    return text[alone.end() :] if alone and is_python(text[alone.end() :]) else text


def before_unopened(text: str) -> str:
    """The code before the first mark, where that closes a block which nothing opened; "" elsewhere.
    In other languages than Python it is one if nothing or prose stands behind it."""
    first = _FENCE_LINE.search(text) if len(text) <= MAX_PARSED else None
    if not first or first[1]:
        return ""
    marks = _FENCE_LINE.findall(text)
    if not len(marks) % 2:
        return ""
    code, behind = text[: first.start()].removeprefix("python\n"), text[first.end() :]
    is_end = len(marks) == 1 and not reads_as_prose(code)
    is_end = is_end and (not behind.strip() or reads_as_prose(behind))
    return code if code.strip() and (is_end or _defines([code])) else ""


def _blocks(text: str, found: Sequence[Fence]) -> Iterator[Code]:
    """What is in the blocks, but of a Markdown document all, its own blocks included, as of a
    script that writes one, where these have an end."""
    looked = len(text) <= MAX_PARSED
    for before, fence in zip([None, *found[:-1]], found, strict=True):
        end = 0
        if fence.language == "markdown":
            end = _end_around(text, fence, len(text))
            if end and not before:
                end = _last_end(text, fence, end) or end
        elif looked and any(mark[1] for mark in _FENCE_LINE.finditer(fence.code)):
            end = _end_around(text, fence, 0)
            looked = bool(end)  # the others would not end either
        if end > fence.end:  # from there on Markdown takes ends for beginnings
            document = text[text.find("\n", fence.start) + 1 : end].replace("\r\n", "\n")
            yield Code(document, fence.language)
            behind = text[end:].partition("\n")[2]
            yield from (Code(f.code, f.language) for f in fences(behind) if f.code.strip())
            return
        yield Code(_until_late_end(text, fence), fence.language, lead_of(text, before, fence))


def _end_around(text: str, fence: Fence, otherwise: int) -> int:
    """Where its block ends, if marks with a label open blocks within it; `otherwise` if nowhere."""
    if not _FENCE_LINE.match(text, fence.start):
        return 0  # in a list
    depth = 0
    for mark in _FENCE_LINE.finditer(text, fence.start):
        depth += 1 if mark[1] or mark.start() == fence.start else -1
        if depth <= 0:
            return mark.start()
    return otherwise


def _last_end(text: str, fence: Fence, after: int) -> int:
    """Where a Markdown document ends whose own blocks have no labels: at the text's last line, if
    headings go on behind what would be its end, and the marks between are pairs; 0 elsewhere."""
    marks = [*_FENCE_LINE.finditer(text, fence.start)][1:]
    is_pairs = len(marks) % 2 == 1 and not marks[-1][1] and not text[marks[-1].end() :].strip()
    return marks[-1].start() if is_pairs and _HEADING.search(text, after) else 0


def _until_late_end(text: str, fence: Fence) -> str:
    """A block's code up to a closing mark that Markdown does not take for one, because it stands
    behind the last line's code or too far to the right."""
    code = fence.code
    late = _LATE_END.search(code) if len(text) <= MAX_PARSED else None
    if not late:
        return code
    cut = code[: late.start()].rstrip() + "\n"
    if fence.language in (None, "python"):
        return cut if is_python(cut) and not is_python(code) else code
    is_open = text[fence.start : fence.end].rstrip().endswith(code.rstrip())
    return cut if is_open and not code[late.end() :].strip() else code


def _programs(found: list[Code]) -> list[Code]:
    """Those that hold code. JSON beside Python is what it reads or prints, as beside any other code
    unless it is a file of a name; and so is what is said to be printed, in another language than
    the first block's."""
    has_python = any(block.language == "python" for block in found)
    code = [block for block in found if block.language not in _BESIDE] or found
    code = [block for block in code if not _is_data(block, has_python)] or code
    code = [block for block in code if not _is_printed(block, code[0])]
    code = _without_first_versions(code) if len(code) > 1 else code
    return (
        [b for b in code if b.language not in SHELLS or b.text.startswith("#!")]
        or [block for block in code if not _is_start(block)]
        or code
    )


def _is_data(block: Code, has_python: bool) -> bool:
    return block.language == "json" and (has_python or not block.path)


def _is_printed(block: Code, first: Code) -> bool:
    return block.language != first.language and block.is_printed


def _without_first_versions(blocks: Sequence[Code]) -> list[Code]:
    """Without code that does not parse and defines nothing but what later blocks define that do:
    what was to be mended, a signature before its body."""
    kept, later = list[Code](), set[str]()
    for block in reversed(blocks):
        names = set(_DEFINED.findall(block.text)) if block.language in (None, "python") else set()
        is_whole = not names or parse(block.text) is not None
        later |= names if is_whole else set()
        kept += [block] if is_whole or not names <= later else []
    return kept[::-1]


def _is_start(block: Code) -> bool:
    """Whether it does nothing but make a script executable and run it: in that script, it would
    run itself for ever."""
    return all(_STARTS.match(line.strip()) for line in block.text.splitlines())


def _joined(blocks: Sequence[Code]) -> Sequence[Code]:
    """Those that make the code, without what a program prints, or a session with it. That is mostly
    a block without a label: in Python one that does nothing, or is none where the rest is; beside
    labelled blocks in another language each."""
    labelled = [block for block in blocks if block.language]
    is_short = len(blocks) <= _MOST_BLOCKS and len(_text(blocks)) <= MAX_PARSED
    if len(blocks) == 1 or not is_short or blocks[0].language == "markdown":
        return blocks
    if blocks[0].language not in (None, "python"):
        return labelled
    silent = [block for block in blocks if not _is_output(block)]
    program = [block for block in silent if _is_program(block)]
    sure = labelled or _defines([block.text for block in program])
    for some in (silent, program if sure else []):
        if some and is_python(_text(some)):
            return some
    return blocks


def _text(blocks: Sequence[Code]) -> str:
    return "\n".join(block.text for block in blocks)


def _is_output(block: Code) -> bool:
    """Whether it does nothing if it is taken for Python: values, or words with a colon."""
    if block.language:
        return block.language == "json"
    tree = parse(block.text)
    return tree is not None and not any(map(_acts, tree.body))


def _acts(node: ast.stmt) -> bool:
    if isinstance(node, ast.Expr):
        return isinstance(node.value, ast.Call | ast.Await)
    return not (isinstance(node, ast.AnnAssign) and node.value is None)


def _is_program(block: Code) -> bool:
    if block.language:
        return not block.text.lstrip().startswith(">>>")
    return parse(block.text) is not None


def _defines(texts: Sequence[str]) -> bool:
    """Whether Python code is there for certain: few other texts parse and define something."""
    return any(isinstance(node, _DEFINITIONS) for text in texts for node in top_level(text))


def _fenced_python(text: str, first: Fence) -> str | None:
    """All between the first fence and the last, if it is Python as a whole: then the fences in
    between are text in its strings, which Markdown cannot know."""
    start = text.find("\n", first.start) + 1
    ends = [*_CLOSING_FENCE.finditer(text, start)]
    whole = text[start : ends[-1].start()] if len(ends) > 1 else ""
    return whole if whole.strip() and is_python(whole) else None
