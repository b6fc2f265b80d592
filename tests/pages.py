"""Reading pages in tests."""

import re
from html.parser import HTMLParser

_VOID = {"meta", "link", "input", "br", "img", "hr", "col"}


class Element:
    """An element with its attributes, its parts and its text."""

    def __init__(self, tag: str, attributes: dict[str, str]) -> None:
        self.tag = tag
        self.attributes = attributes
        self.parts: list[Element | str] = []

    def __getitem__(self, name: str) -> str:
        return self.attributes[name]

    def get(self, name: str, otherwise: str = "") -> str:
        return self.attributes.get(name, otherwise)

    @property
    def classes(self) -> set[str]:
        return set(self.get("class").split())

    @property
    def text(self) -> str:
        """All text in it, with single blanks."""
        return " ".join(self.raw_text.split())

    @property
    def raw_text(self) -> str:
        return "".join(part if isinstance(part, str) else part.raw_text for part in self.parts)

    def all(self, tag: str = "", of: str = "", **attributes: str) -> list["Element"]:
        """The elements in it with this tag, with this class, with these attributes (`data_x` for
        `data-x`, `class_` is not one: use `of`)."""
        found = []
        for part in self.parts:
            if isinstance(part, Element):
                wanted = {name.replace("_", "-"): value for name, value in attributes.items()}
                fits = all(part.get(name, None) == value for name, value in wanted.items())
                if fits and tag in ("", part.tag) and (not of or of in part.classes):
                    found.append(part)
                found += part.all(tag, of, **attributes)
        return found

    def one(self, tag: str = "", of: str = "", **attributes: str) -> "Element":
        found = self.all(tag, of, **attributes)
        assert len(found) == 1, f"{len(found)} of {tag} {of} {attributes}"
        return found[0]


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.root = Element("", {})
        self._open = [self.root]

    def handle_starttag(self, tag, attrs):
        element = Element(tag, {name: value or "" for name, value in attrs})
        self._open[-1].parts.append(element)
        if tag not in _VOID:
            self._open.append(element)

    def handle_startendtag(self, tag, attrs):
        self._open[-1].parts.append(Element(tag, {name: value or "" for name, value in attrs}))

    def handle_endtag(self, tag):
        assert self._open[-1].tag == tag, f"</{tag}> where <{self._open[-1].tag}> is open"
        self._open.pop()

    def handle_data(self, data):
        self._open[-1].parts.append(data)


def read(text: str) -> Element:
    """The page's tree. Fails on tags that do not match, and on anything inline that the pages'
    Content-Security-Policy would refuse."""
    reader = _Reader()
    reader.feed(text)
    reader.close()
    assert len(reader._open) == 1, [element.tag for element in reader._open]
    for element in reader.root.all():
        names = element.attributes
        assert "style" not in names and not [name for name in names if name.startswith("on")]
        assert element.tag != "style"
        if element.tag == "script":
            assert re.fullmatch(r"/dashboard/static/\w+/\w+\.js", names["src"])
    return reader.root
