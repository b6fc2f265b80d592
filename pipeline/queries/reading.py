"""Models' replies → typed objects and code. Pure."""

from collections.abc import Iterable
from typing import TypeVar

from pipeline.code import drop_thinking, extract_code
from pipeline.codework.findings import reads_as_prose
from pipeline.errors import Unreadable
from pipeline.queries.checks import error_of_syntax
from pipeline.queries.generation import DocumentationChunk
from pipeline.queries.schema import Schema
from pipeline.strict_json import read_object

GLANCE = 600  # characters of a chunk

S = TypeVar("S", bound=Schema)

_CODE_FIELDS = ("code", "fixed_code", "updated_code", "complete")


def read_schema(schema: type[S], text: str) -> S:
    """The typed object of a reply that is one JSON object. Raises Unreadable."""
    try:
        return schema.from_dict(read_object(text))
    except TypeError as error:
        raise Unreadable(str(error)) from None


def read_code(reply: str, language: str) -> str:
    """The code of a raw reply; "" for prose. Code that came inside JSON is taken out of it."""
    inside = _inside_json(reply)
    text = inside if inside is not None else extract_code(reply).text
    if not text.strip():
        return ""
    if error_of_syntax(language, text) and reads_as_prose(text):
        return ""
    return text.strip("\n") + "\n"


def _inside_json(reply: str) -> str | None:
    """Some models answer with the seed's object though they are asked for code alone."""
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


def glances(chunks: Iterable[DocumentationChunk]) -> list[DocumentationChunk]:
    """How they begin, where that is enough to tell what they are about."""
    return [each.model_copy(update={"content": each.content[:GLANCE]}) for each in chunks]
