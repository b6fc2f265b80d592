"""Text into pieces of a size that a model can be shown. Pure."""

import re

GOOD = 1_400  # characters: some 350 tokens
MOST = 2_400

_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z(`\"'])")


def split_text(text: str, good: int = GOOD) -> list[str]:
    """Paragraphs together up to the good size; one that is larger alone is cut at its sentences,
    lines or words."""
    paragraphs = [part for part in re.split(r"\n[ \t]*\n", text.strip("\n")) if part.strip()]
    pieces = [piece for paragraph in paragraphs for piece in _cut(paragraph, good)]
    return packed(pieces, good, "\n\n")


def split_lines(text: str, good: int = GOOD) -> list[str]:
    """The same for code: cut where lines are blank, or between lines, where there are too many."""
    if len(text) <= MOST:
        return [text] if text.strip() else []
    blocks = re.split(r"\n(?=\n*\S)", text)  # at what is not indented
    pieces = [piece for block in blocks for piece in _cut_lines(block, good)]
    return packed(pieces, good, "\n")


def packed(pieces: list[str], good: int, joint: str) -> list[str]:
    """The pieces in their order, as many together as fit."""
    found: list[str] = []
    for piece in pieces:
        if found and len(found[-1]) + len(joint) + len(piece) <= good:
            found[-1] += joint + piece
        else:
            found.append(piece)
    return found


def _cut(paragraph: str, good: int) -> list[str]:
    if len(paragraph) <= good:
        return [paragraph]
    by_line = paragraph.split("\n")
    if max(map(len, by_line)) <= good:
        return packed(by_line, good, "\n")
    by_sentence = _SENTENCE.split(paragraph)
    return packed([each for part in by_sentence for each in _cut_words(part, good)], good, " ")


def _cut_lines(block: str, good: int) -> list[str]:
    if len(block) <= good:
        return [block]
    return packed([p for line in block.split("\n") for p in _cut_words(line, good)], good, "\n")


def _cut_words(text: str, good: int) -> list[str]:
    if len(text) <= good:
        return [text]
    found = []
    while len(text) > good:
        space = text.rfind(" ", good // 2, good)
        end = space if space > 0 else good
        found.append(text[:end])
        text = text[end:].lstrip(" ")
    return [*found, text] if text else found
