"""Requests in English for a task: description x sentence frame x requested name x small talk."""

import random
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from pipeline.exchange import Exchange
from tools.starter import frames, naming, near, outliers, unknown, words
from tools.starter.families import FAMILIES
from tools.starter.family import BASH, JAVASCRIPT, PYTHON, Family
from tools.starter.grammar import either, expand

_NAMES = {family.name for family in FAMILIES}
_FUNCTIONS = tuple(
    family for family in FAMILIES if family.language == PYTHON and not family.is_class
)
_DOUBLED = {
    "get",
    "put",
    "sum",
    "drop",
    "strip",
    "flip",
    "map",
    "run",
    "set",
    "zip",
    "swap",
    "rid",
    "output",
    "trim",
    "chop",
    "cut",
    "split",
    "format",
    "step",
    "dot",
}
_VOWELS = "aeiou"
BARE = 0.25  # of the later requests: nothing but what is to be done
OPEN = 0.6  # of the others in the last parts: in a frame of a grammar
THINGS = 0.15  # of the unknown requests of the last parts: they name a thing that is wanted
OUTLIERS = 0.45  # of the unknown requests of the last three parts: they look like nothing else
BESIDE = 0.07  # of the known requests there: with something beside the point
ODD_FRAMES = 0.12  # of their frames for a noun
INNER_NAMES = 0.5  # of the requested names of the last two parts: in the middle of the sentence
SIGNED = 0.25  # of those for a Python function: as a signature
EXAMPLES = 0.3  # of the requests with a name there: with an example of a call
NAME_BY_EXAMPLE = 0.4  # of those: with the name nowhere else
NAMED_UNKNOWN = 0.25  # of the unknown requests there: with a name as well
NAMED, NAMED_AT_LAST = 0.3, 0.55  # of the requests: with a name; in the very last part
ANY_NAMES = 0.85  # of the names there: made of any words


@dataclass(frozen=True)
class Split:
    """Which tasks a request may be for and which wordings it may use; the defaults are the training
    wordings of the coder."""

    held_descriptions: bool = False
    held_frames: bool = False
    critic_only: bool = False  # nothing but the wordings kept from the coder
    critic: bool = False  # the training wordings of the critic
    part: int = 0  # of the training
    held_inner: bool = False  # names in the middle of the sentence, in clauses of no training
    held_examples: bool = False  # names in examples, in forms of no training

    families: tuple[Family, ...] = FAMILIES

    @property
    def later(self) -> bool:
        """With the frames and clauses that the first part does not have."""
        return self.part > 0

    @property
    def open(self) -> bool:
        """With the grammars of `frames` as well."""
        return self.part > 2

    @property
    def odd(self) -> bool:
        """With what `outliers` has."""
        return self.part > 5

    @property
    def inner(self) -> bool:
        """With names and examples as in `naming`."""
        return self.part > 6

    @property
    def copied(self) -> bool:
        """With any names, which can only be copied."""
        return self.part > 7


@dataclass(frozen=True)
class Request:
    """A request and what it asks for: `family` is None for a task that the model does not know
    (`like` is then the known one that it is easily taken for), `name` is empty where none was
    requested, `history` is the exchange before it."""

    text: str
    family: Family | None
    name: str = ""
    language: str = PYTHON
    history: Exchange | None = None
    like: Family | None = None

    @property
    def answer(self) -> str:
        """The code that the coder is to reply."""
        return self.family.code(self.name, self.language) if self.family else unknown.REPLY


_SECOND_VERB = re.compile(r"(?<= and )(return|print|give|count|greet|say|add|repeat|sum)\b(?! of)")


def third_person(phrase: str) -> str:
    """`add up a list and return it` -> `adds up a list and returns it`."""
    verb, _, rest = phrase.partition(" ")
    return f"{_third(verb)} {_SECOND_VERB.sub(lambda m: _third(m[1]), rest)}".rstrip()


def _third(verb: str) -> str:
    if verb[-1:] == "y" and verb[-2:-1] not in _VOWELS:
        return verb[:-1] + "ies"
    return verb + ("es" if verb.endswith(("do", "go", "s", "x", "ch", "sh", "z")) else "s")


def gerund(phrase: str) -> str:
    """`compute the sum` -> `computing the sum`."""
    verb, _, rest = phrase.partition(" ")
    return f"{_gerund(verb)} {_SECOND_VERB.sub(lambda m: _gerund(m[1]), rest)}".rstrip()


def _gerund(verb: str) -> str:
    if verb in _DOUBLED:
        verb += verb[-1]
    elif verb.endswith("e") and not verb.endswith("ee"):
        verb = verb[:-1]
    return f"{verb}ing"


def random_name(rng: random.Random, for_class: bool = False) -> str:
    """A function name: mostly words in snake case, some camel case, some that are no words. A
    class's name: words in capitals."""
    if for_class:
        parts = rng.sample(words.NAME_WORDS, rng.choice((1, 1, 2)))
        return "".join(part.title() for part in parts)
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
    rng: random.Random,
    family: Family,
    split: Split | None = None,
    named: bool | None = None,
    language: str = "",
    name: str = "",
) -> Request:
    """A request for the family's task; `named` forces (or forbids) a requested name, `name` is one
    that it has."""
    split = split or Split()
    language = language or _any_language(rng, family)
    text = _sentence(rng, family, split, language)
    asked = text.endswith("?")
    calls = naming.Calls()
    if rng.random() < _named_share(split) if named is None else named:
        name = name or _new_name(rng, split, family.is_class)
        calls = _calls(rng, family, split, language)
        text = text.rstrip("?")
        if not calls or rng.random() > NAME_BY_EXAMPLE:
            text = _named(rng, text, name, family, split, language)
    if split.odd and rng.random() < BESIDE:
        text = outliers.beside(rng, text)
    if calls:
        text = naming.example(rng, text, name, calls, split.held_examples)
        return Request(text, family, name, language)
    dressed = _dress(rng, text, name, asked)
    kept = name in dressed or not (split.inner or split.held_inner)
    return Request(dressed if kept else text, family, name, language)


def _named_share(split: Split) -> float:
    return NAMED_AT_LAST if split.copied else NAMED


def _new_name(rng: random.Random, split: Split | None, for_class: bool = False) -> str:
    if split and split.copied and rng.random() < ANY_NAMES:
        return naming.any_name(rng, for_class)
    return random_name(rng, for_class)


def _calls(rng: random.Random, family: Family, split: Split, language: str) -> naming.Calls:
    """The calls that an example is taken from; none for a request without one."""
    if not split.held_examples and (not split.inner or rng.random() > EXAMPLES):
        return []
    return naming.short_calls(family.checks) if _is_function(family, language) else []


def _named(
    rng: random.Random, text: str, name: str, family: Family, split: Split, language: str
) -> str:
    """The request for the task, with a name for its code."""
    if split.held_inner or (split.inner and rng.random() < INNER_NAMES):
        if split.inner and rng.random() < SIGNED and _is_function(family, language):
            return naming.signed(rng, text, name, family.code())
        return naming.inner(rng, text, name, split.held_inner)
    clause = either(rng.choice(_name_clauses(split, rng)), rng)
    clause = _for_kind(family, clause).format(f=name)
    if language != PYTHON and "def" in clause:
        clause = f" called {name}"
    return text + clause


def _is_function(family: Family, language: str) -> bool:
    """Whether a call with the arguments of a check shows what the code does."""
    return language == family.language == PYTHON and not (family.is_class or family.driver)


def _any_language(rng: random.Random, family: Family) -> str:
    """The family's own language, or at times its other one."""
    return family.languages[-1] if rng.random() < 0.3 else family.language


def follow_up(rng: random.Random, before: Request, split: Split | None = None) -> Request | None:
    """A request that only makes sense after `before`: another name, or the other language.

    None where the task offers nothing of the kind.
    """
    family = before.family
    assert family
    history = Exchange(before.text, before.answer)
    held = bool(split and split.held_frames)
    other = next((each for each in family.languages if each != before.language), "")
    if other and rng.random() < 0.5:
        again = words.HELD_AGAIN_FRAMES if held else words.AGAIN_FRAMES
        frame = either(rng.choice(_opened(again, frames.AGAIN, split, rng)), rng)
        text = frame.format(l=rng.choice(LANGUAGE_WORDS[other]))
        return Request(_dress(rng, text, "x", False), family, before.name, other, history)
    rename = words.HELD_RENAME_FRAMES if held else words.RENAME_FRAMES
    name = _new_name(rng, split, family.is_class)
    frame = either(rng.choice(_opened(rename, frames.RENAME, split, rng)), rng)
    text = _for_kind(family, frame).format(f=name)
    dressed = _dress(rng, text, name, False)
    kept = name in dressed or not (split and split.copied)
    return Request(dressed if kept else text, family, name, before.language, history)


def unknown_request(rng: random.Random, part: int = 0) -> Request:
    """A request for something that the model does not know; in the later parts of the training in
    the same frames as one that it knows."""
    split = Split(part=part)
    if split.odd and rng.random() < OUTLIERS:
        return _outlier(rng)
    asked = _plain_unknown(rng, part)
    if split.inner and rng.random() < NAMED_UNKNOWN:
        return _named_unknown(rng, asked, split)
    return asked


def _named_unknown(rng: random.Random, asked: Request, split: Split) -> Request:
    """The same with a name, and at times with an example of what some other function returns."""
    name, family = _new_name(rng, split), rng.choice(_FUNCTIONS)
    text, calls = asked.text.rstrip("?."), _calls(rng, family, split, PYTHON)
    if not calls or rng.random() > NAME_BY_EXAMPLE:
        text = _named(rng, text, name, family, split, PYTHON)
    if calls:
        text = naming.example(rng, text, name, calls)
    return replace(asked, text=text, name=name)


def _plain_unknown(rng: random.Random, part: int) -> Request:
    kind = rng.choices(("far", "near", "around", "elsewhere", "foreign"), (35, 22, 18, 20, 5))[0]
    if kind in ("far", "near"):
        grammars = unknown.TASKS if kind == "far" else near.TASKS
        return (
            _in_any_frame(rng, grammars, Split(part=part)) if part else _mostly_bare(rng, grammars)
        )
    return {"around": _around, "elsewhere": _elsewhere, "foreign": _foreign}[kind](rng)


def _outlier(rng: random.Random) -> Request:
    """A request that looks like nothing else in the training data."""
    kind = rng.choices((*_OUTLIERS, "twist"), (20, 15, 15, 22, 8, 20))[0]
    if kind == "twist":
        family = rng.choice(_FUNCTIONS)
        sentence = _sentence(rng, family, Split(part=1), PYTHON).rstrip("?")
        verb = expand(rng.choice(family.verbs), rng)
        text = outliers.twist(rng, sentence, verb)
        return Request(_dress(rng, text, "x", False), None, like=family)
    text = _OUTLIERS[kind](rng)
    if kind not in ("paste", "story"):
        text = _dress(rng, text, "x", False)
    name = random_name(rng) if rng.random() < 0.5 else ""  # of a draft that is no answer to it
    return Request(text, None, name)


_OUTLIERS: dict[str, Callable[[random.Random], str]] = {
    "paste": outliers.paste,
    "story": outliers.story,
    "shell": outliers.shell,
    "aside": outliers.aside,
    "salad": outliers.salad,
}


def unknown_change(rng: random.Random) -> Request:
    """A change to earlier code that the model cannot make."""
    return Request(_dress(rng, expand(rng.choice(unknown.CHANGES), rng), "", False), None)


def _mostly_bare(rng: random.Random, grammars: Sequence[str]) -> Request:
    framed = 0.35 if grammars is unknown.TASKS else 0.65
    leads = words.VERB_FRAMES if rng.random() < framed else ("{v}",)
    phrase = expand(rng.choice(grammars), rng)
    return Request(_dress(rng, _in_frame(rng, rng.choice(leads), phrase), "", False), None)


def _in_any_frame(rng: random.Random, grammars: Sequence[str], split: Split) -> Request:
    if split.open and rng.random() < THINGS:
        thing = expand(rng.choice(unknown.THINGS), rng)
        text = _noun_frame(rng, split).format(n=thing)
        return Request(_dress(rng, text, "", False), None)
    phrase = expand(rng.choice(grammars), rng)
    frame = "{v}" if rng.random() < BARE else _verb_frame(rng, split)
    return Request(_dress(rng, _in_frame(rng, frame, phrase), "", False), None)


def _around(rng: random.Random) -> Request:
    """A known task's own wording, with something more to it."""
    family, second = rng.sample(_FUNCTIONS, 2)
    parts = {
        "{k}": _sentence(rng, family, Split(), PYTHON).rstrip("?"),
        "{v}": expand(rng.choice(family.verbs), rng),
        "{w}": expand(rng.choice(second.verbs), rng),
    }
    return Request(_dress(rng, _filled(rng, near.AROUND, parts), "x", False), None, like=family)


def _elsewhere(rng: random.Random) -> Request:
    """A known task in a language that it is not known in."""
    family = rng.choice(_FUNCTIONS)
    kind = rng.random()
    if f"{family.name}_bash" not in _NAMES and kind < 0.12:
        text = _sentence(rng, family, Split(), BASH)
    elif not family.javascript and kind < 0.3:
        text = _sentence(rng, family, Split(), JAVASCRIPT)
    elif kind < 0.6:
        text = _sentence(rng, family, Split(), rng.choice(near.SLOTS["m_language"]))
    else:
        text = _filled(rng, near.ELSEWHERE, {"{x}": _bare(rng, family)})
    return Request(_dress(rng, text, "x", False), None, like=family)


def _bare(rng: random.Random, family: Family) -> str:
    """The task without any language: its name, a description or a whole sentence."""
    kind = rng.random()
    if kind < 0.2:
        return family.name if kind < 0.1 else family.name.replace("_", " ")
    if kind < 0.6:
        return expand(rng.choice(family.verbs if kind < 0.4 else family.nouns), rng)
    text = _without_python(_sentence(rng, family, Split(), PYTHON), "any")
    return re.sub(r",? ?\b(in|with|using) python\b,?|python:? ", "", text).rstrip("?")


def _foreign(rng: random.Random) -> Request:
    """A request that is not in English."""
    return Request(_dress(rng, expand(rng.choice(near.FOREIGN), rng), "", False), None)


def _filled(rng: random.Random, grammars: Sequence[str], parts: dict[str, str]) -> str:
    """One of the grammars with the parts in their places, as they are."""
    text = expand(re.sub(r"\{([a-z])\}", r"<\1>", rng.choice(grammars)), rng)
    for place, part in parts.items():
        text = text.replace(f"<{place[1]}>", part)
    return text


# How people name a language; the first word is also put in the place of "python" in a frame.
LANGUAGE_WORDS = {
    PYTHON: ("python", "Python", "python3"),
    JAVASCRIPT: ("javascript", "JavaScript", "js", "node", "javascript"),
    BASH: ("bash", "Bash", "shell", "bash"),
}
_ADDED = ("{x} in {l}", "{x} in {l}", "{x} using {l}", "in {l}, {x}", "{l}: {x}", "{l} {x}")
_ADDED_TO_NOUN = (*_ADDED, "{l} {x}", "{x} {l}")


def _in_language(rng: random.Random, frame: str, language: str, noun: bool = False) -> str:
    """The frame for another language than Python, which has to be named."""
    if language == PYTHON:
        return frame
    word = rng.choice(LANGUAGE_WORDS.get(language, (language,)))
    if "python" in frame:
        return frame.replace("python", word)
    return rng.choice(_ADDED_TO_NOUN if noun else _ADDED[:5]).format(x=frame, l=word)


def _for_kind(family: Family, frame: str) -> str:
    """A frame about a function, for a class where the code is one."""
    if not family.is_class:
        return frame
    return re.sub(r"\b(function|method)\b", "class", frame.replace("def {f}", "class {f}"))


def _without_python(text: str, language: str) -> str:
    return text if language == PYTHON else re.sub(r"\b[Pp]ython ", "", text)


def _sentence(rng: random.Random, family: Family, split: Split, language: str) -> str:
    if split.held_descriptions or split.critic_only:
        verbs = family.held if split.held_descriptions else family.critic_only
        kind = 0.0
    else:
        verbs = family.verbs + family.critic_only * split.critic
        kind = rng.random() if not split.held_frames else rng.random() * 0.85

    def phrase(grammars: Sequence[str]) -> str:
        return _without_python(expand(rng.choice(grammars), rng), language)

    asks = kind >= 0.85 and bool(family.asks)
    bare = not asks and split.later and rng.random() < BARE
    if kind < 0.6:
        frame = rng.choice(("{v}",)) if bare else _verb_frame(rng, split)
        frame = _for_kind(family, _in_language(rng, frame, language))
        return _in_frame(rng, frame, phrase(verbs))
    if not asks:
        frame = rng.choice(("{n}",)) if bare else _noun_frame(rng, split)
        frame = _for_kind(family, _in_language(rng, frame, language, noun=True))
        return frame.format(n=phrase(family.nouns))
    frame = _in_language(rng, rng.choice(words.ASK_FRAMES), language, noun=True)
    text = _for_kind(family, frame).format(q=phrase(family.asks))
    return text + "?" * (rng.random() < 0.3)


def _verb_frame(rng: random.Random, split: Split) -> str:
    if split.held_frames:
        return rng.choice(words.HELD_VERB_FRAMES)
    plain = words.VERB_FRAMES + words.LATER_VERB_FRAMES * split.later
    return either(rng.choice(_opened(plain, frames.VERB_FRAMES, split, rng)), rng)


def _noun_frame(rng: random.Random, split: Split) -> str:
    if split.held_frames:
        return rng.choice(words.HELD_NOUN_FRAMES)
    if split.odd and rng.random() < ODD_FRAMES:
        return outliers.noun_frame(rng)
    plain = words.NOUN_FRAMES + words.LATER_NOUN_FRAMES * split.later
    return either(rng.choice(_opened(plain, frames.NOUN_FRAMES, split, rng)), rng)


def _name_clauses(split: Split, rng: random.Random) -> Sequence[str]:
    if split.held_frames:
        return words.HELD_NAME_CLAUSES
    plain = words.NAME_CLAUSES + words.LATER_NAME_CLAUSES * (split.part > 1)
    return _opened(plain, frames.NAME_CLAUSES, split, rng)


def _opened(
    plain: Sequence[str], grammars: Sequence[str], split: Split | None, rng: random.Random
) -> Sequence[str]:
    """The plain frames or clauses, or in the last parts of the training mostly the grammars."""
    return grammars if split and split.open and rng.random() < OPEN else plain


def _in_frame(rng: random.Random, frame: str, phrase: str) -> str:
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
