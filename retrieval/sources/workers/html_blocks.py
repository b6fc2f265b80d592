"""HTML pages → blocks."""

import re
import warnings
from collections.abc import Iterator

from bs4 import BeautifulSoup, MarkupResemblesLocatorWarning
from bs4.element import NavigableString, PreformattedString, Tag

from retrieval.sources.block import Block
from retrieval.sources.workers.code_blocks import code_block
from retrieval.sources.workers.mentioned_names import mentioned

MAX_DEPTH = 120

_NO_TEXT = (
    *("aside", "button", "canvas", "footer", "form", "header", "iframe", "nav", "noscript"),
    *("object", "script", "select", "style", "svg", "template"),
)
_MAIN = ("main", "[role=main]", "article", "div.body", "div.document", "div.contents", "body")
_PARAGRAPHS = frozenset(
    {"address", "article", "blockquote", "body", "caption", "dd", "details", "div", "dl", "dt"}
    | {"figcaption", "figure", "li", "main", "ol", "p", "section", "summary", "table", "tbody"}
    | {"tfoot", "thead", "tr", "ul", "hr"}
)
_LANGUAGE = re.compile(r"(?:highlight|language|lang|sourceCode)-(\w[\w+#-]*)")


def html_blocks(text: str) -> Iterator[Block]:
    """Headings, paragraphs, code and definitions of the page's main part."""
    soup = _parsed(text)
    title = soup.title.get_text(" ", strip=True) if soup.title else ""
    main = next((found for each in _MAIN if (found := soup.select_one(each))), soup)
    for tag in main.find_all(_NO_TEXT):
        if not tag.decomposed:
            tag.decompose()
    for tag in main.select("a.headerlink"):  # the ¶ behind headings
        tag.decompose()
    if title and not main.find("h1"):
        yield Block("heading", title, level=1)
    page = _Page()
    yield from page.blocks(main, 0)
    yield from page.flushed()


def _parsed(text: str) -> BeautifulSoup:
    with warnings.catch_warnings():  # a page whose whole text is "index.html" is a page
        warnings.simplefilter("ignore", MarkupResemblesLocatorWarning)
        return BeautifulSoup(text, "html.parser")


class _Page:
    """Collects what stands in a line until something else than text begins."""

    def __init__(self) -> None:
        self._text: list[str] = []
        self._names: list[str] = []

    def blocks(self, tag: Tag, depth: int) -> Iterator[Block]:
        for child in tag.children:
            if isinstance(child, NavigableString):
                if not isinstance(child, PreformattedString):  # comments, doctypes
                    self._text.append(str(child))
            elif isinstance(child, Tag):
                yield from self._tag(child, depth)

    def flushed(self) -> Iterator[Block]:
        said = " ".join("".join(self._text).split())
        if said == "-":  # of an item whose text stands in a paragraph of its own
            return
        names, self._text, self._names = self._names, [], []
        if said:
            yield Block("text", said, names=names)

    def _tag(self, tag: Tag, depth: int) -> Iterator[Block]:
        if depth >= MAX_DEPTH:
            self._text.append(tag.get_text(" "))
        elif re.fullmatch("h[1-6]", tag.name):
            yield from self.flushed()
            said = " ".join(tag.get_text().split())
            if said:
                yield Block("heading", said, level=int(tag.name[1]))
        elif tag.name == "pre":
            yield from self.flushed()
            yield from code_block(tag.get_text(), _language(tag))
        elif tag.name == "dl" and _is_api(tag):
            yield from self.flushed()
            yield from self._definitions(tag, depth)
        elif tag.name in _PARAGRAPHS:
            yield from self.flushed()
            self._text += ["- "] if tag.name == "li" else []
            yield from self.blocks(tag, depth + 1)
            yield from self.flushed()
        elif tag.name in ("td", "th"):
            yield from self.blocks(tag, depth + 1)
            self._text.append(" | ")
        else:
            yield from self._inline(tag, depth)

    def _inline(self, tag: Tag, depth: int) -> Iterator[Block]:
        if tag.name in ("code", "tt", "samp"):
            said = " ".join(tag.get_text().split())
            self._text.append(f"`{said}`" if said else "")
            self._names += mentioned(said)
            return
        self._text += [" "] if tag.name == "br" else []
        yield from self.blocks(tag, depth + 1)
        target = str(tag.get("href") or "")
        if tag.name == "a" and target.startswith(("http:", "https:")):
            self._text.append(f" ({target})")

    def _definitions(self, tag: Tag, depth: int) -> Iterator[Block]:
        """Sphinx's `dl.py`: signatures with what is said about them."""
        signatures: list[str] = []
        names: list[str] = []
        for child in tag.find_all(["dt", "dd"], recursive=False):
            if child.name == "dt":
                signatures.append(" ".join(child.get_text().split()))
                names += [str(child["id"])] if child.get("id") else []
                continue
            inside = list(self.blocks(child, depth + 2))
            inside += self.flushed()
            plain = [each for each in inside if each.kind in ("text", "heading")]
            text = "\n".join(["\n".join(signatures), "", *(each.text for each in plain)]).strip()
            yield Block("api", text, names=names)
            yield from (each for each in inside if each.kind in ("code", "api"))
            signatures, names = [], []
        if signatures:
            yield Block("api", "\n".join(signatures), names=names)


def _is_api(tag: Tag) -> bool:
    classes = set(tag.get("class") or ())
    return bool(classes & {"py", "function", "class", "method", "cpp", "c"})


def _language(tag: Tag) -> str:
    for each in (tag, tag.parent, tag.parent.parent if tag.parent else None, tag.code):
        match = _LANGUAGE.search(" ".join(each.get("class") or [])) if each else None
        if match:
            return match[1]
    return ""
