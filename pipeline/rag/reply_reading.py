"""Models' replies → typed objects and code. Pure."""

from collections.abc import Iterable, Sequence
from typing import TypeVar

from laios.types.generation import DocumentationChunk
from laios.types.schema import Schema
from pipeline.analysis.code_document import is_code_document
from pipeline.analysis.code_extraction import before_unopened, drop_thinking, extract_code
from pipeline.analysis.fences import FENCE
from pipeline.analysis.prose import reads_as_prose
from pipeline.errors import Unreadable
from pipeline.rag.program_checks import error_of_syntax
from pipeline.strict_json import read_object

S = TypeVar("S", bound=Schema)

_CODE_FIELDS = ("code", "fixed_code", "updated_code", "complete")


def read_schema(schema: type[S], text: str) -> S:
    """The typed object of a reply that is one JSON object. Raises Unreadable."""
    try:
        return schema.from_dict(read_object(text))
    except TypeError as error:
        raise Unreadable(str(error)) from None


def check_steps(steps: Sequence[tuple[int, str]], fewest: int, most: int) -> None:
    """The numbers and descriptions of a plan's steps. Raises Unreadable."""
    if not fewest <= len(steps) <= most:
        raise Unreadable(f"there are {len(steps)} steps, not {fewest} to {most}")
    if [number for number, _ in steps] != [*range(1, len(steps) + 1)]:
        raise Unreadable("the steps are not numbered from 1 in their order")
    if not all(description.strip() for _, description in steps):
        raise Unreadable("a step has no description")


def read_code(reply: str, language: str) -> str:
    """The code of a raw reply; "" for prose. Code that came inside JSON is taken out of it."""
    inside = _inside_json(reply) if language != "json" else None
    return _code(inside if inside is not None else extract_code(reply, language).text, language)


def read_changed(reply: str, language: str, before: str) -> str:
    """The code of a raw reply that changes the code `before`: fences and JSON that are the code's
    own stay in it. "" for prose."""
    if language == "markdown" and is_code_document(before):
        return _code(extract_code(reply).text, language)
    text = drop_thinking(reply)
    text = text if FENCE.search(before) else before_unopened(text) or text
    if _begins_or_ends_like(text, before) and (language == "json" or _inside_json(reply) is None):
        return _code(text, language)
    lines = text.split("\n")
    fences = [n for n, line in enumerate(lines) if FENCE.match(line)]
    if FENCE.search(before) and len(fences) > 1:
        return _code("\n".join(lines[fences[0] + 1 : fences[-1]]), language)
    return read_code(reply, language)


def _begins_or_ends_like(text: str, before: str) -> bool:
    """Whether nothing stands around the code: no fence that is not its own either."""
    lines, own = _lines(text), _lines(before)
    if not lines or not own:
        return False
    if lines[0] == own[0]:
        return True
    known = set(own)
    foreign = any(FENCE.match(line) and line not in known for line in lines)
    ends = {line for line in (lines[0], lines[-1]) if not FENCE.match(line)}
    return not foreign and not ends.isdisjoint(known)


def _lines(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines() if line.strip()]


def _code(text: str, language: str) -> str:
    if not text.strip():
        return ""
    if error_of_syntax(language, text) and reads_as_prose(text):
        return ""
    return text.strip("\n") + "\n"


def _inside_json(reply: str) -> str | None:
    """Some models answer with the API's object though they are asked for code alone."""
    try:
        value = read_object(drop_thinking(reply))
    except Unreadable:
        return None
    code = next((value[name] for name in _CODE_FIELDS if isinstance(value.get(name), str)), None)
    if code is None:
        return None
    imports = value.get("imports")
    lines = imports if isinstance(imports, list) else []
    return "\n".join([*(line for line in lines if isinstance(line, str)), code])


def documentation_parts(chunks: Iterable[DocumentationChunk]) -> list[tuple[str, str]]:
    """As a prompt shows them."""
    return [
        (f"DOCUMENTATION [{each.index}] ({each.content_type})", f"{each.title}\n{each.content}")
        for each in chunks
    ]
