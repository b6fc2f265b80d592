"""reStructuredText → blocks."""

import io
from collections.abc import Iterator

from docutils import nodes
from docutils.core import publish_doctree

from retrieval.sources.block import Block
from retrieval.sources.workers import directives
from retrieval.sources.workers.code_blocks import code_block
from retrieval.sources.workers.mentioned_names import mentioned

MAX_DEPTH = 60

# Nothing is read but the text itself, and no complaint is printed.
_SETTINGS = {
    "_disable_config": True,
    "file_insertion_enabled": False,
    "raw_enabled": False,
    "report_level": 5,
    "halt_level": 6,
    "warning_stream": io.StringIO(),
    "syntax_highlight": "none",
    "smart_quotes": False,
    "doctitle_xform": False,
    "docinfo_xform": False,
    "sectsubtitle_xform": False,
    "input_encoding": "unicode",
}
_SILENT = (
    *(nodes.system_message, nodes.comment, nodes.target, nodes.substitution_definition),
    *(nodes.image, nodes.raw, nodes.math_block, nodes.footnote, nodes.citation, nodes.decoration),
)
_LITERALS = (nodes.literal_block, nodes.doctest_block)


def rest_blocks(text: str) -> Iterator[Block]:
    """Headings, paragraphs, lists, tables, code, and Sphinx's definitions."""
    directives.register_for(text)
    document = publish_doctree(text, settings_overrides=_SETTINGS)
    yield from _below(document, 0, "")


def _below(node: nodes.Element, level: int, mark: str) -> Iterator[Block]:
    for child in node.children:
        if isinstance(child, nodes.Element) and not isinstance(child, _SILENT):
            yield from _blocks(child, level, mark)
            mark = ""


def _blocks(node: nodes.Element, level: int, mark: str) -> Iterator[Block]:
    if level > MAX_DEPTH:
        return
    if isinstance(node, nodes.section):
        yield from _below(node, level + 1, "")
    elif isinstance(node, nodes.title | nodes.rubric | nodes.subtitle):
        depth = max(1, min(level, 9)) if isinstance(node, nodes.title) else 9
        yield Block("heading", " ".join(node.astext().split()), level=depth)
    elif isinstance(node, _LITERALS):
        yield from code_block(node.astext(), str(node.get("language", "")))
    elif isinstance(node, directives.api):
        yield from _definition(node, level)
    elif isinstance(node, nodes.list_item):
        yield from _below(node, level, mark or "- ")
    elif isinstance(node, nodes.field):
        name, body = (" ".join(each.astext().split()) for each in node.children)
        name = name.removeprefix("param ")
        if not name.startswith("type "):
            yield Block("text", f"{name}: {body}" if body else name)
    elif isinstance(node, nodes.row):
        cells = (" ".join(cell.astext().split()) for cell in node.children)
        yield Block("text", " | ".join(cells))
    elif isinstance(node, nodes.TextElement) and not isinstance(node, nodes.Admonition):
        said = mark + _said(node)
        names = [name for each in node.findall(nodes.literal) for name in mentioned(each.astext())]
        if said.strip():
            yield Block("text", said, names=names)
    else:
        yield from _below(node, level, mark)


def _definition(node: directives.api, level: int) -> Iterator[Block]:
    """A definition with its text; the code and the definitions in it are blocks of their own."""
    inside = list(_below(node, level + 1, ""))
    plain = [each.text for each in inside if each.kind in ("text", "heading")]
    signatures: list[str] = node["signatures"]
    text = "\n".join(["\n".join(signatures), "", *plain]).strip()
    names = [line.partition("(")[0].split(" ")[-1] for line in signatures]
    yield Block("api", text, names=[name for name in names if name])
    yield from (each for each in inside if each.kind in ("code", "api"))


def _said(node: nodes.TextElement) -> str:
    """The text with the marks of names and the addresses of links."""
    found = []
    for child in node.children:
        if isinstance(child, nodes.literal):
            found.append(f"`{child.astext()}`")
        elif isinstance(child, nodes.reference):
            target = str(child.get("refuri", ""))
            said = child.astext()
            is_web = target.startswith(("http:", "https:")) and target != said
            found.append(f"{said} ({target})" if is_web else said)
        elif not isinstance(child, nodes.system_message | nodes.target | nodes.image):
            found.append(child.astext())
    return "".join(found)
