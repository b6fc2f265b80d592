"""Splitting the blocks of a text file into chunks."""

import re
from collections.abc import Collection, Iterable

from retrieval.sources.block import Block
from retrieval.sources.chunk import Chunk, ContentType, Ids, ParsedPart
from retrieval.sources.data_file_mentions import in_code, in_text
from retrieval.sources.text_split import split_lines, split_text

MAX_TITLE = 200  # characters
MAX_LEAD = 300
MAX_SYMBOLS = 60
MAX_CHUNKS = 5_000  # of one file
SMALL = 2  # lines of code; as few of them stay in the text

_NAME = re.compile(r"[A-Za-z_][\w.]*")
_SENTENCE = re.compile(r"(?<=[.!?]) (?=[A-Z])")


class PageParser:
    """Builds the ParsedPart of one file from its blocks as they come: a section's text in chunks of
    a good size, its code apart from it, each with the path of the headings above. `title` stands
    above them all."""

    def __init__(self, path: str, label: str, ids: Ids, title: str) -> None:
        self.parsed = ParsedPart(path)
        self._label = label
        self._ids = ids
        self._headings: list[tuple[int, str]] = [(0, title)] if title else []
        self._text: list[Block] = []
        self._lead = ""
        self._left_out = False

    def add(self, block: Block) -> None:
        if block.kind == "heading":
            self._flush()
            self._headings = [each for each in self._headings if each[0] < block.level]
            self._headings.append((block.level, block.text))
            self._lead = ""
        elif block.kind == "text":
            self._text.append(block)
            self._lead = block.text
        elif block.kind == "api":
            self._flush()
            for piece in split_text(block.text):
                self._chunk("API_DOC", piece, block.names, block.names[:1])
            self._name_files(block.text)
        elif block.language != "python" and block.text.count("\n") < SMALL:
            self._text.append(Block("text", block.text, names=block.names))
        else:
            self._code(block)

    def finish(self) -> ParsedPart:
        self._flush()
        if self._left_out:
            self.parsed.problems.append(f"only its first {MAX_CHUNKS:,} pieces are taken in")
        return self.parsed

    def _code(self, block: Block) -> None:
        lead = _last_sentence(self._lead)
        for number, piece in enumerate(split_lines(block.text)):
            said = f"{lead}\n\n{piece}" if lead and not number else piece
            self._chunk("CODE", said, block.names)
        self.parsed.data_files += in_code(block.text, lead, self._title())

    def _flush(self) -> None:
        """The text of the section so far as chunks."""
        if self._text:
            text = _joined(self._text)
            names = dict.fromkeys(name for block in self._text for name in block.names)
            for piece in split_text(text):
                self._chunk("CONCEPT", piece, _named(piece, names))
            self._name_files(text)
        self._text = []

    def _name_files(self, text: str) -> None:
        self.parsed.data_files += in_text(text, self._title())

    def _chunk(
        self, kind: ContentType, text: str, names: Iterable[str], titles: Iterable[str] = ()
    ) -> None:
        if len(self.parsed.chunks) >= MAX_CHUNKS:
            self._left_out = True
            return
        symbols = tuple(dict.fromkeys(names))[:MAX_SYMBOLS]
        title = " › ".join([self._title(), *titles])[:MAX_TITLE]
        id = self._ids.new(self._label, kind)
        self.parsed.chunks.append(Chunk(id, kind, title, text, symbols))

    def _title(self) -> str:
        return " › ".join(text for _, text in self._headings) or self._label


def _named(piece: str, names: Collection[str]) -> list[str]:
    """Which of the names a piece of text has."""
    words = dict.fromkeys(word.rstrip(".") for word in _NAME.findall(piece))
    return [word for word in words if word in names]


def _joined(blocks: list[Block]) -> str:
    """Paragraphs with a blank line between them; items and rows of one list without."""
    text = ""
    for before, block in zip([None, *blocks], blocks, strict=False):
        close = before is not None and _is_item(before.text) and _is_item(block.text)
        text += ("\n" if close else "\n\n" if before else "") + block.text
    return text


def _is_item(text: str) -> bool:
    return text.startswith(("- ", "* ")) or " | " in text or text[:1].isdigit()


def _last_sentence(text: str) -> str:
    """What leads over to code: the last sentence before it, on one line."""
    sentences = _SENTENCE.split(" ".join(text.split()))
    return sentences[-1][-MAX_LEAD:]
