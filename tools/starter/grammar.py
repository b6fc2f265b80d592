"""Phrase grammars: every sentence that one stands for, one at a time."""

import random
import re

from tools.starter import near, unknown, words
from tools.starter.families import TOPIC_SLOTS

SLOTS = words.SLOTS | unknown.SLOTS | near.SLOTS | TOPIC_SLOTS
_ALTERNATIVES = re.compile(r"\[([^\[\]]*)\]")
_SLOT = re.compile(r"\{(\w+)\}")


def expand(grammar: str, rng: random.Random) -> str:
    """One sentence of a phrase grammar: `[a|b]` is either, `{slot}` is one of its words."""
    while True:
        text = _ALTERNATIVES.sub(lambda m: rng.choice(m[1].split("|")), grammar)
        text = _SLOT.sub(lambda m: rng.choice(SLOTS[m[1]]), text)
        if text == grammar:
            return re.sub(r"(?<=-) | +(?= )|^ | $", "", text)
        grammar = text


def either(frame: str, rng: random.Random) -> str:
    """A frame or clause of a grammar, its places still empty; a plain one as it is."""
    if "[" not in frame:
        return frame
    while "[" in frame:
        frame = _ALTERNATIVES.sub(lambda m: rng.choice(m[1].split("|")), frame)
    return re.sub(r"\b([Aa])(?= [aeiou])", r"\1n", re.sub(r" +(?= )", "", frame))
