"""The sets of requests that the models are measured on, none of which is in a training stream."""

import itertools
import random
import re
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace

from pipeline.exchange import Exchange
from tools.starter import natural, words
from tools.starter.bench import SEED
from tools.starter.examples import any_request, coder_prompt, stream, unknown_follow_up
from tools.starter.families import FAMILIES
from tools.starter.family import BASH, JAVASCRIPT, Family
from tools.starter.phrasing import Request, Split, follow_up, request, unknown_request

TRIES = 100  # for a request that is new, before its family is passed over
TRAINED, COMBINED, DESCRIBED = "training distribution", "unseen combinations", "unseen descriptions"
BOTH = "both unseen"
NAME_INSIDE = "name in the middle, unseen clause"
NAMES_BY_HAND = "names written by hand"
NAME_FIRST = "name before the task, unseen clause"
BY_HAND = "written by hand"
UNKNOWN = "written by hand, out of scope"

Draw = Callable[[random.Random, Family], Request | None]
"""A request for the family's task, or None where the task offers none of the kind."""

_BOTH = Split(held_descriptions=True, held_frames=True)


def _plain(split: Split | None = None, named: bool | None = None, language: str = "") -> Draw:
    def draw(rng: random.Random, family: Family) -> Request | None:
        if language and language not in family.languages:
            return None
        return request(rng, family, split, named, language)

    return draw


def _follow(same_language: bool, split: Split | None = None) -> Draw:
    def draw(rng: random.Random, family: Family) -> Request | None:
        if not same_language and len(family.languages) == 1:
            return None
        before = request(rng, family, split)
        asked = follow_up(rng, before, split)
        fits = asked and (asked.language == before.language) is same_language
        return asked if fits else None

    return draw


def _inner(first: bool) -> Draw:
    """A name in the middle of the sentence; or `first`, before the task."""

    def draw(rng: random.Random, family: Family) -> Request | None:
        asked = request(rng, family, Split(held_inner=True), named=True)
        leads = re.search(rf"\b{asked.name}( does)?: ", asked.text)
        return asked if bool(leads) is first else None

    return draw


def _called_by_hand(rng: random.Random, family: Family) -> Request | None:
    """A name as somebody would choose it, none of which is in training."""
    name = rng.choice(words.HELD_NAMES)
    return None if family.is_class else request(rng, family, named=True, name=name)


def _in_an_example(rng: random.Random, family: Family) -> Request | None:
    asked = request(rng, family, Split(held_examples=True), named=True)
    return asked if f"{asked.name}(" in asked.text else None


def _beside_another(rng: random.Random, family: Family) -> Request:
    """The exchange before it has nothing to do with it."""
    before = request(rng, rng.choice(FAMILIES))
    return replace(request(rng, family), history=Exchange(before.text, before.answer))


SETS: dict[str, Draw] = {
    COMBINED: _plain(),
    "unseen combinations, name requested": _plain(named=True),
    "unseen frames": _plain(Split(held_frames=True), named=False),
    DESCRIBED: _plain(Split(held_descriptions=True), named=False),
    BOTH: _plain(_BOTH, named=False),
    NAME_INSIDE: _inner(first=False),
    NAME_FIRST: _inner(first=True),
    "name in an example, unseen form": _in_an_example,
    NAMES_BY_HAND: _called_by_hand,
    "both unseen, name in an unseen clause": _plain(_BOTH, named=True),
    "description known to the critic only": _plain(Split(critic_only=True)),
    "JavaScript": _plain(language=JAVASCRIPT),
    "Bash": _plain(language=BASH),
    "follow-up: another name": _follow(same_language=True),
    "follow-up: the other language": _follow(same_language=False),
    "follow-up, unseen frame": _follow(same_language=True, split=Split(held_frames=True)),
    "after an exchange on something else": _beside_another,
}
DETAILED = (COMBINED, DESCRIBED)  # large enough for a figure of each family


@dataclass(frozen=True)
class Sampler:
    """Draws requests for `families`, evenly and the same at each call. `trained` are all messages
    of the training streams."""

    families: Sequence[Family]
    trained: Collection[str]

    def known(self, size: int, per_family: int) -> dict[str, list[Request]]:
        """Every set with requests for known tasks."""
        rng, split = _rng(TRAINED), Split(families=tuple(self.families))
        drawn = (any_request(rng, split) for _ in itertools.count())
        sets = {TRAINED: _first(size, (asked for asked in drawn if asked.family))}
        for title, draw in SETS.items():
            count = max(size, per_family * len(self.families)) if title in DETAILED else size
            sets[title] = self.draw(title, draw, count)
        by_hand = [asked for asked in natural.known() if asked.family in self.families]
        return {title: found for title, found in (sets | {BY_HAND: by_hand}).items() if found}

    def unknown(self, size: int) -> dict[str, list[Request]]:
        """Every set with requests for what the model does not know."""
        rng = _rng(UNKNOWN)
        return {
            UNKNOWN: natural.unknown(),
            "the same, seen while the near misses were written": natural.unknown_seen(),
            "out of scope as in training": self._new(size, lambda: unknown_request(rng)),
            "changes to earlier code": self._new(size, lambda: unknown_follow_up(rng)),
        }

    def draw(self, title: str, draw: Draw, count: int) -> list[Request]:
        """New requests, of all families that have any equally many."""
        rng = _rng(title)
        found: list[Request] = []
        families = rng.sample(self.families, len(self.families))
        while families and len(found) < count:
            fresh = [self._fresh(rng, draw, family) for family in families]
            families = [f for f, asked in zip(families, fresh, strict=True) if asked]
            found += [asked for asked in fresh if asked]
        return found[:count]

    def _fresh(self, rng: random.Random, draw: Draw, family: Family) -> Request | None:
        tries = (draw(rng, family) for _ in range(TRIES))
        return next((asked for asked in tries if asked and self._is_new(asked)), None)

    def _new(self, count: int, draw: Callable[[], Request]) -> list[Request]:
        return _first(count, (a for _ in itertools.count() if self._is_new(a := draw())))

    def _is_new(self, asked: Request) -> bool:
        return coder_prompt(asked) not in self.trained


def trained_messages(model: str, families: tuple[Family, ...], count: int) -> set[str]:
    """The requests, with the exchange before them, of a model's first `count` training examples."""
    examples = itertools.islice(stream(model, families), count)
    return {coder_prompt(example.request) for example in examples}


def _rng(title: str) -> random.Random:
    return random.Random(f"{SEED} {title}")


def _first(count: int, requests: Iterable[Request]) -> list[Request]:
    return list(itertools.islice(requests, count))
