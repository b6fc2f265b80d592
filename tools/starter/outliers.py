"""Requests that look like nothing else in the training data: pasted code, error messages, whole
stories, words at random. None of them is for a task that the model knows.

A model that has only seen short sentences takes the first long one for whatever it resembles least
badly. Showing it much that is odd is the remedy (outlier exposure: Hendrycks, Mazeika, Dietterich,
ICLR 2019).
"""

import random
import re
from collections.abc import Sequence

from tools.starter import near, odd, unknown
from tools.starter.families import FAMILIES
from tools.starter.grammar import expand

_PLACE = re.compile(r"\{(x|y|p|i|I|n|l|v|d|lib|file|code|error|message|cmd)\}")


def paste(rng: random.Random) -> str:
    """A piece of code or an error message and, mostly, what is asked about it."""
    pasted = _error(rng) if rng.random() < 0.4 else _code(rng)
    question = _filled(rng, rng.choice(odd.ASKED))
    question += rng.choice(("", "", "?", ".", "??", ":", "!")) if question else ""
    if not question:
        return pasted
    between = rng.choice(("\n", "\n", "\n\n", "\n\n", " "))
    if rng.random() < 0.2:
        pasted, between = f"```\n{pasted}\n```", "\n"
    return between.join((question, pasted) if rng.random() < 0.6 else (pasted, question))


def _code(rng: random.Random) -> str:
    if rng.random() < 0.35:
        family = rng.choice(FAMILIES)
        lines = family.code("", rng.choice(family.languages)).splitlines()
        if rng.random() < 0.5:
            del lines[rng.randrange(len(lines))]
        if rng.random() < 0.5:
            lines.insert(rng.randint(0, len(lines)), _line(rng, rng.choice(odd.LINES)))
        return "\n".join(lines)
    language = rng.choice(odd.LINES)
    count = rng.choice((1, 1, 2, 2, 3, 4, 5, 6))
    return "\n".join(_line(rng, language) for _ in range(count))


def _line(rng: random.Random, language: Sequence[str]) -> str:
    line = rng.choice(language)
    indent = "    " if line.startswith("  ") else ""
    return indent + _places(rng, line.lstrip())


def _error(rng: random.Random) -> str:
    return _places(rng, rng.choice(odd.ERRORS))


def story(rng: random.Random) -> str:
    """A problem in several sentences."""
    said = [_filled(rng, rng.choice(odd.STORY)) for _ in range(rng.choice((2, 2, 3, 3, 4, 5)))]
    return " ".join(each[:1].upper() + each[1:] + rng.choice("....?,;") for each in said)


def shell(rng: random.Random) -> str:
    """A request for the command line of tools that the model has never heard of."""
    return _filled(rng, rng.choice(odd.SHELL))


def aside(rng: random.Random) -> str:
    """A question or a remark about anything."""
    return _filled(rng, rng.choice(odd.ASIDE))


def salad(rng: random.Random) -> str:
    """Words at random, most of them from a dictionary, some that do not exist."""
    found = [
        _word(rng) if rng.random() < 0.5 else rng.choice(odd.PLAIN)
        for _ in range(rng.randint(1, 14))
    ]
    for _ in range(rng.choice((0, 0, 1, 2))):
        found.insert(
            rng.randint(0, len(found)),
            rng.choice((",", "-", ":", "/", "(", ")", "'", '"', "+", "=", "#", "@", "...")),
        )
    return " ".join(found) + rng.choice(("", "", "?", "!", "."))


def twist(rng: random.Random, sentence: str, verb: str) -> str:
    """A known task's request, or its description, made another one."""
    frame = _filled(rng, rng.choice(odd.TWISTS).replace("{k}", "<k>").replace("{v}", "<v>"))
    return frame.replace("<k>", sentence).replace("<v>", verb)


def beside(rng: random.Random, sentence: str) -> str:
    """A known task's request and something that changes nothing."""
    return _filled(rng, rng.choice(odd.BESIDE)).replace("<k>", sentence)


def noun_frame(rng: random.Random) -> str:
    """A frame, `{n}` in it, out of words at random: the task alone says what is asked."""
    return _filled(rng, rng.choice(odd.NOUN_FRAMES)).replace("<n>", "{n}")


def _filled(rng: random.Random, grammar: str) -> str:
    """One sentence of a grammar with the places of this file."""
    text = expand(_PLACE.sub(lambda m: f"<<{m[1]}>>", grammar), rng)
    return _places(rng, re.sub(r"<<(\w+)>>", r"{\1}", text))


def _places(rng: random.Random, text: str) -> str:
    return _PLACE.sub(lambda m: _place(rng, m[1]), text)


def _place(rng: random.Random, name: str) -> str:
    match name:
        case "x":
            return _word(rng)
        case "y":
            return rng.choice(odd.WORDS)
        case "v" | "d":
            return rng.choice(odd.DOING)
        case "p":
            return made_up(rng)
        case "i":
            return _identifier(rng)
        case "I":
            return _identifier(rng).title().replace("_", "")
        case "n":
            return expand(odd.NUMBER, rng)
        case "l":
            return rng.choice("abcdefghiklmnoprstvxz")
        case "code":
            return _places(rng, rng.choice(odd.CODES))
        case "message":
            return _filled(rng, rng.choice(odd.MESSAGES))
    grammar = {"lib": odd.LIBRARY, "file": odd.FILE, "error": odd.ERROR, "cmd": odd.COMMAND}[name]
    return _filled(rng, grammar)


def _word(rng: random.Random) -> str:
    kind = rng.random()
    if kind < 0.5:
        return rng.choice(odd.WORDS)
    if kind < 0.6:
        return rng.choice(odd.DOING)
    if kind < 0.7:
        return made_up(rng)
    slot = rng.choice(
        ("u_thing", "u_subject", "u_topic", "u_tool", "u_keyword", "m_some", "m_counted", "m_class")
    )
    words = (near.SLOTS | unknown.SLOTS)[slot]
    return expand(rng.choice(words), rng)


def made_up(rng: random.Random) -> str:
    """A word that does not exist, a product's name, say."""
    parts = [rng.choice(odd.ONSETS) + rng.choice(odd.NUCLEI) for _ in range(rng.randint(1, 3))]
    text = "".join(parts) + rng.choice(odd.CODAS)
    return rng.choice((text, text, text.title(), text.upper(), f"{text}{rng.randint(1, 99)}"))


def _identifier(rng: random.Random) -> str:
    kind = rng.random()
    if kind < 0.25:
        return rng.choice("abcdefgijklmnopqrstuvwxyz")
    if kind < 0.35:
        return made_up(rng).lower()
    parts = [
        rng.choice(odd.WORDS if rng.random() < 0.6 else odd.DOING)
        for _ in range(rng.choice((1, 1, 2)))
    ]
    return "_".join(parts) if kind < 0.8 else parts[0] + "".join(p.title() for p in parts[1:])
