"""Similarity of two requests: by their words, or by the angle of two vectors. Pure."""

import re
from collections.abc import Collection

Vector = tuple[float, ...]

STEM = 5  # letters: `validate` and `validation` are one word
_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+|[^\W\d_a-zA-Z]+")
# What nearly every request says, and so nothing about what it is.
_COMMON = frozenset(
    _WORD.findall(
        """
        a an and are as at be but by can code create do does each every for from function
        functions give given gets has have how i if implement in into is it its like make me
        method my new no not of on one or please program python javascript typescript rust go java
        ruby php swift kotlin bash shell return returns script should simple so some takes that
        the their them then there these they this to two use uses using want was we what when
        where which will with without write you
        """
    )
)


def words_of(text: str) -> frozenset[str]:
    """The beginnings of the words that say what a request is about. `isPrime` and `is_prime` are
    two words each."""
    words = (word.lower() for word in _WORD.findall(text[:20_000]))
    return frozenset(word[:STEM] for word in words if word not in _COMMON)


def alike(one: Collection[str], other: Collection[str]) -> float:
    """Dice's coefficient: 1 where the words are the same, 0 where none is common."""
    common = sum(word in other for word in one)
    return 2 * common / (len(one) + len(other)) if one and other else 0.0


def cosine(one: Vector, other: Vector) -> float:
    """Of two vectors of length 1."""
    return sum(a * b for a, b in zip(one, other, strict=False))
