"""Markdown → blocks."""

import re
from collections.abc import Iterator

from markdown_it import MarkdownIt
from markdown_it.token import Token

from retrieval.sources.block import Block
from retrieval.sources.workers.code_blocks import code_block
from retrieval.sources.workers.mentioned_names import mentioned

_FRONT = re.compile(r"\A---[ \t]*\n(.{0,20000}?)\n(?:---|\.\.\.)[ \t]*\n", re.DOTALL)
_TITLE = re.compile(r"^title:[ \t]*(.+)$", re.MULTILINE)
_TAG = re.compile(r"<!--.*?-->|<[^<>]*>", re.DOTALL)
_MYST = re.compile(r"\{([\w:-]+)\}\s*(\S*)")
_ROLE = re.compile(r"\{[a-z][\w:-]*\}`([^`\n<]*?)(?:\s*<[^`\n]*>)?`")
_MARKS = re.compile(r"^(?:\([\w-]+\)=|:::.*)[ \t]*$", re.MULTILINE)
_CODE_DIRECTIVES = frozenset({"code", "code-block", "code-cell", "doctest", "sourcecode"})
_ADMONITION = re.compile(r'^(?:!!!|\?\?\?\+?)[ \t]+(\w+)(?:[ \t]+"(.*)")?[ \t]*$', re.MULTILINE)


def _named(match: re.Match[str]) -> str:
    """`!!! note "Title"` of MkDocs; what it holds is indented, and would be taken for code."""
    return f"{(match[2] or match[1]).capitalize()}:"


def _shown(match: re.Match[str]) -> str:
    """MyST's `` {func}`~pack.load` `` as a name, and what points to a text as its title."""
    return match[1] if match[0].endswith(">`") else f"`{match[1].lstrip('~!')}`"


_parser = MarkdownIt("commonmark").enable("table")


def markdown_blocks(text: str) -> Iterator[Block]:
    """Headings, paragraphs, lists, tables, code; front matter gives the title."""
    front = _FRONT.match(text)
    if front:
        text = text[front.end() :]
        title = _TITLE.search(front[1])
        if title:
            yield Block("heading", title[1].strip().strip("\"'"), level=1)
    text = _ROLE.sub(_shown, _MARKS.sub("", _ADMONITION.sub(_named, text)))
    yield from _blocks(_parser.parse(text))


def _blocks(tokens: list[Token]) -> Iterator[Block]:
    level, mark, in_row = 0, "", False
    row: list[str] = []
    for token in tokens:
        if token.type in ("heading_open", "heading_close"):
            level = int(token.tag[1]) if token.nesting == 1 else 0
        elif token.type == "list_item_open":
            mark = f"{token.info}{token.markup} " if token.info else "- "
        elif token.type in ("tr_open", "tr_close"):
            in_row = token.nesting == 1
            if not in_row:
                yield Block("text", " | ".join(row))
                row = []
        elif token.type in ("fence", "code_block"):
            yield from _code(token)
        elif token.type == "html_block":
            plain = " ".join(_TAG.sub(" ", token.content).split())
            if plain:
                yield Block("text", plain)
        elif token.type == "inline":
            said, names = _inline(token.children or [])
            if in_row:
                row.append(said)
            elif level:
                yield Block("heading", " ".join(said.split()), level=level)
            elif said.strip():
                yield Block("text", mark + said, names=names)
                mark = ""


def _code(token: Token) -> Iterator[Block]:
    info = token.info.strip()
    myst = _MYST.match(info)
    if myst and myst[1] not in _CODE_DIRECTIVES:
        if myst[1] not in ("toctree", "math", "image", "figure", "include"):
            yield from _blocks(_parser.parse(token.content))
        return
    language = myst[2] if myst else info.split()[0] if info else ""
    content = re.sub(r"\A(?::[\w-]+:.*\n)+", "", token.content) if myst else token.content
    yield from code_block(content, language)


def _inline(children: list[Token]) -> tuple[str, list[str]]:
    """The text of a paragraph, with the addresses of its links, and the names in it."""
    text: list[str] = []
    names: list[str] = []
    links: list[str] = []
    for child in children:
        if child.type == "code_inline":
            text.append(f"`{child.content}`")
            names += mentioned(child.content)
        elif child.type in ("softbreak", "hardbreak"):
            text.append("\n")
        elif child.type == "link_open":
            links.append(str(child.attrGet("href") or ""))
        elif child.type == "link_close":
            target = links.pop() if links else ""
            if target.startswith(("http:", "https:")) and text[-1:] != [target]:
                text.append(f" ({target})")
        elif child.type in ("text", "image"):
            text.append(child.content)
    return "".join(text), names
