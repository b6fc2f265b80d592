"""Requests in English for a task: description x sentence frame x requested name x small talk."""

import random
import re
from collections.abc import Sequence
from dataclasses import dataclass

from tools.starter import unknown, words
from tools.starter.family import Family

_ALTERNATIVES = re.compile(r"\[([^\[\]]*)\]")
_SLOT = re.compile(r"\{(\w+)\}")
_DOUBLED = {"get", "put", "sum", "drop", "strip", "flip", "map", "run", "set", "zip", "swap", "rid"}
_VOWELS = "aeiou"


@dataclass(frozen=True)
class Split:
    """Which wordings a request may use; the defaults are the training wordings of the coder."""

    held_descriptions: bool = False
    held_frames: bool = False
    critic_only: bool = False  # nothing but the wordings kept from the coder
    critic: bool = False  # the training wordings of the critic


@dataclass(frozen=True)
class Request:
    """A request and what it asks for: `family` is None for a task that the model does not know,
    `name` is empty where none was requested."""

    text: str
    family: Family | None
    name: str = ""

    @property
    def answer(self) -> str:
        """The code that the coder is to reply."""
        return self.family.code(self.name) if self.family else unknown.REPLY


def expand(grammar: str, rng: random.Random) -> str:
    """One sentence of a phrase grammar: `[a|b]` is either, `{slot}` is a word of `words.SLOTS`."""
    while True:
        text = _ALTERNATIVES.sub(lambda m: rng.choice(m[1].split("|")), grammar)
        text = _SLOT.sub(lambda m: rng.choice(words.SLOTS[m[1]]), text)
        if text == grammar:
            return re.sub(r"(?<=-) | +(?= )|^ | $", "", text)
        grammar = text


def third_person(phrase: str) -> str:
    """`add up a list` -> `adds up a list`."""
    verb, _, rest = phrase.partition(" ")
    if verb[-1:] == "y" and verb[-2:-1] not in _VOWELS:
        verb = verb[:-1] + "ies"
    elif verb == "do" or verb.endswith(("s", "x", "ch", "sh", "z")):
        verb += "es"
    else:
        verb += "s"
    rest = rest.replace(" and return ", " and returns ").replace(
        " and give back", " and gives back"
    )
    return f"{verb} {rest}".rstrip()


def gerund(phrase: str) -> str:
    """`compute the sum` -> `computing the sum`."""
    verb, _, rest = phrase.partition(" ")
    if verb in _DOUBLED:
        verb += verb[-1]
    elif verb.endswith("e") and not verb.endswith("ee"):
        verb = verb[:-1]
    return f"{verb}ing {rest}".rstrip()


def random_name(rng: random.Random) -> str:
    """A function name: mostly words in snake case, some camel case, some that are no words."""
    kind = rng.random()
    if kind < 0.15:
        return "".join(rng.choice("bcdfghklmnprstvz") + rng.choice(_VOWELS) for _ in range(3))
    if kind < 0.2:
        return rng.choice("fghpqrst")
    parts = rng.sample(words.NAME_WORDS, rng.choice((1, 2, 2, 3)))
    if kind < 0.35:
        return parts[0] + "".join(part.title() for part in parts[1:])
    return "_".join(parts) + (str(rng.randint(1, 99)) if kind > 0.93 else "")


def request(
    rng: random.Random, family: Family, split: Split | None = None, named: bool | None = None
) -> Request:
    """A request for the family's task; `named` forces (or forbids) a requested name."""
    split = split or Split()
    text = _sentence(rng, family, split)
    asked = text.endswith("?")
    name = ""
    if rng.random() < 0.3 if named is None else named:
        name = random_name(rng)
        clauses = words.HELD_NAME_CLAUSES if split.held_frames else words.NAME_CLAUSES
        text = text.rstrip("?") + rng.choice(clauses).format(f=name)
    return Request(_dress(rng, text, name, asked), family, name)


def unknown_request(rng: random.Random, held: bool = False) -> Request:
    """A request for something that the model does not know."""
    phrase = expand(rng.choice(unknown.HELD if held else unknown.TASKS), rng)
    frames = ("{v}",) if rng.random() < 0.3 else words.VERB_FRAMES
    return Request(_dress(rng, _in_frame(rng, frames, phrase), "", False), None)


def _sentence(rng: random.Random, family: Family, split: Split) -> str:
    if split.held_descriptions or split.critic_only:
        verbs = family.held if split.held_descriptions else family.critic_only
        kind = 0.0
    else:
        verbs = family.verbs + family.critic_only * split.critic
        kind = rng.random() if not split.held_frames else rng.random() * 0.85
    if kind < 0.6:
        verb_frames = words.HELD_VERB_FRAMES if split.held_frames else words.VERB_FRAMES
        return _in_frame(rng, verb_frames, expand(rng.choice(verbs), rng))
    if kind < 0.85 or not family.asks:
        noun_frames = words.HELD_NOUN_FRAMES if split.held_frames else words.NOUN_FRAMES
        return rng.choice(noun_frames).format(n=expand(rng.choice(family.nouns), rng))
    text = rng.choice(words.ASK_FRAMES).format(q=expand(rng.choice(family.asks), rng))
    return text + "?" * (rng.random() < 0.3)


def _in_frame(rng: random.Random, frames: Sequence[str], phrase: str) -> str:
    frame = rng.choice(frames)
    text = frame.format(v=phrase, s=third_person(phrase), g=gerund(phrase))
    question = frame.startswith(("how", "can", "could", "would", "what"))
    return text + "?" * (question and rng.random() < 0.6)


def _dress(rng: random.Random, text: str, name: str, asked: bool) -> str:
    """Small talk, dropped articles, capitals and punctuation; a requested name stays as it is."""
    if rng.random() < 0.12:
        text = re.sub(r"\b(the|an?) (?=\w)", "", text)
    elif rng.random() < 0.08:
        text = _drop_word(rng, text, name)
    if rng.random() < 0.1:
        text = rng.choice(words.OPENERS) + text
    if rng.random() < 0.12 and not name:
        text = text.rstrip("?") + rng.choice(words.CLOSERS) + "?" * text.endswith("?")
    if rng.random() < 0.35:
        text = text[0].upper() + text[1:]
    elif not name and rng.random() < 0.1:
        text = text.lower()
    if asked and not text.endswith("?"):
        text += rng.choice(("?", ""))
    elif not text.endswith("?") and rng.random() < 0.3:
        text += "."
    return text


_OPTIONAL = {"python", "given", "please", "simple", "me", "some", "new", "all", "of", "in", "for"}


def _drop_word(rng: random.Random, text: str, name: str) -> str:
    """Without one word that carries no meaning, where there is one."""
    parts = text.split(" ")
    spots = [i for i, part in enumerate(parts) if part in _OPTIONAL and part != name]
    if spots:
        del parts[rng.choice(spots)]
    return " ".join(parts)
