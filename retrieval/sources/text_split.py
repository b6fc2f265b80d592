"""Text into pieces of a size that a model can be shown. Pure."""

import re

GOOD = 1_400  # characters: some 350 tokens
MOST = 2_400

_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z(`\"'])")


def split_text(text: str) -> list[str]:
    """Paragraphs together up to the good size; one that is larger alone is cut at its sentences,
    lines or words."""
    paragraphs = [part for part in re.split(r"\n[ \t]*\n", text.strip("\n")) if part.strip()]
    return _packed([piece for paragraph in paragraphs for piece in _cut(paragraph)], "\n\n")


def split_lines(text: str) -> list[str]:
    """The same for code: cut where lines are blank, or between lines, where there are too many."""
    if len(text) <= MOST:
        return [text] if text.strip() else []
    blocks = re.split(r"\n(?=\n*\S)", text)  # at what is not indented
    return _packed([piece for block in blocks for piece in _cut_lines(block)], "\n")


def _packed(pieces: list[str], joint: str) -> list[str]:
    """The pieces in their order, as many together as fit."""
    found: list[str] = []
    for piece in pieces:
        if found and len(found[-1]) + len(joint) + len(piece) <= GOOD:
            found[-1] += joint + piece
        else:
            found.append(piece)
    return found


def _cut(paragraph: str) -> list[str]:
    if len(paragraph) <= GOOD:
        return [paragraph]
    by_line = paragraph.split("\n")
    if max(map(len, by_line)) <= GOOD:
        return _packed(by_line, "\n")
    by_sentence = _SENTENCE.split(paragraph)
    return _packed([each for part in by_sentence for each in _cut_words(part)], " ")


def _cut_lines(block: str) -> list[str]:
    if len(block) <= GOOD:
        return [block]
    return _packed([piece for line in block.split("\n") for piece in _cut_words(line)], "\n")


def _cut_words(text: str) -> list[str]:
    if len(text) <= GOOD:
        return [text]
    found = []
    while len(text) > GOOD:
        space = text.rfind(" ", GOOD // 2, GOOD)
        end = space if space > 0 else GOOD
        found.append(text[:end])
        text = text[end:].lstrip(" ")
    return [*found, text] if text else found
