"""Tell prose from code. Pure."""

import re

_SENTENCE = re.compile(r"[^\W\d_][\w'’-]*[,:;!?]?(\s+[\w'’(\"-][\w'’)\"./-]*[,:;!?]?){3,}[.!?:]?")
_LOOKED_AT = 1000  # characters of a line: one match holds up all threads
_MOST_READ = 50_000  # characters of a text


def reads_as_prose(text: str) -> bool:
    """Whether at least half of the lines are sentences, as far as it is read."""
    read = text[:_MOST_READ].splitlines()
    lines = [line.strip()[:_LOOKED_AT] for line in read if line.strip()]
    sentences = sum(_SENTENCE.match(line) is not None and _is_words(line) for line in lines)
    return bool(lines) and 2 * sentences >= len(lines)


def _is_words(line: str) -> bool:
    """No more code in it than a sentence may have, what it quotes not counted."""
    said = re.sub(r"`[^`]*`", "", line)
    return sum(said.count(mark) for mark in "(){}[]=;<>") <= len(said) // 40
