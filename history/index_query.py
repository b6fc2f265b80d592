"""Queries of the index, and their SQL and FTS5 expressions. Pure."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import lru_cache
from hashlib import blake2b
from math import floor, log2
from typing import Literal, NamedTuple, Self

from history.index_row import text_of

Operator = Literal["<", "<=", ">", ">="]

_MIN_PREFIX = 3  # beginnings shorter than this are those of too many words


@dataclass(frozen=True, slots=True)
class Words:
    """A word, or a phrase of several, in the prompt, an output or the error's message.

    `open_end`: the last word may be the beginning of one. Case and accents make no difference.
    """

    text: str
    open_end: bool = False
    negated: bool = False


@dataclass(frozen=True, slots=True)
class Match:
    """The run's value (or one of its values) of `key` is one of `values`; None: there is one.

    `loose`: where a run of the history has just that value, it is meant; else every value that
    contains it, whatever the case.
    """

    key: str
    values: tuple[str, ...] | None
    loose: bool = False
    negated: bool = False


@dataclass(frozen=True, slots=True)
class Latency:
    """The run's own duration, waiting not included, against so many milliseconds."""

    operator: Operator
    ms: float


@dataclass(frozen=True, slots=True)
class Rated:
    """What a person said of the run: `up` or `down`; None: anything."""

    rating: str | None
    negated: bool = False


@dataclass(frozen=True)
class RunQuery:
    """Which runs are meant: those that fit everything. `since` and `until` are seconds since 1970,
    `until` is the first moment that is too late; `id` is the beginning of one. Auxiliary runs are
    meant only with `auxiliary`, or where a match names a kind."""

    words: tuple[Words, ...] = ()
    matches: tuple[Match, ...] = ()
    latencies: tuple[Latency, ...] = ()
    ratings: tuple[Rated, ...] = ()
    since: float | None = None
    until: float | None = None
    id: str | None = None
    auxiliary: bool = False

    @property
    def shows_auxiliary(self) -> bool:
        return self.auxiliary or any(match.key == "kind" for match in self.matches)

    @property
    def unlimited(self) -> bool:
        """Everything is meant, but for the auxiliary runs perhaps."""
        narrow = self.words or self.matches or self.latencies or self.ratings or self.id is not None
        return not narrow and self.since is None and self.until is None

    def narrowed(self, since: datetime | None = None, **tags: str | None) -> Self:
        """The same with just these values of keys, too, and not before that moment (None: any)."""
        exact = [
            Match(key, (tag,)) for key, each in tags.items() if (tag := text_of(each)) is not None
        ]
        moments = [self.since, since.timestamp() if since else None]
        latest = max((each for each in moments if each is not None), default=None)
        return replace(self, matches=(*self.matches, *exact), since=latest)


class Rows(NamedTuple):
    """A range of rows, both ends included."""

    first: int
    last: int


class Selection(NamedTuple):
    """The runs that are meant: from FROM to before ORDER BY, the values for it, and what to order
    by."""

    sql: str
    values: tuple[object, ...]
    key: str


def select(
    question: RunQuery, values_of: Callable[[str], Sequence[str]], rows: Rows
) -> Selection | None:
    """How to find the runs that fit; None if none can.

    `values_of` gives all values of a key that are in the index, `rows` the rows to look at.
    """
    if rows.first > rows.last:
        return None
    expression = _expression(question, values_of)
    if expression is None:
        return None
    key = "words.rowid" if expression else "row"
    checks = [f"{key} BETWEEN ? AND ?"]
    values: list[object] = [*rows]
    if expression:
        checks.insert(0, "words MATCH ?")
        values.insert(0, expression)
    elif not question.shows_auxiliary:
        checks.append("kind IS NOT 'auxiliary'")
    for check, value in _checks(question):
        checks.append(check)
        values.append(value)
    table = "words CROSS JOIN runs ON row = words.rowid" if expression else "runs"
    return Selection(f"FROM {table} WHERE {' AND '.join(checks)}", tuple(values), key)


def _checks(question: RunQuery) -> Iterator[tuple[str, object]]:
    """What the words of the index cannot tell exactly."""
    if question.since is not None:
        yield "ts >= ?", question.since
    if question.until is not None:
        yield "ts < ?", question.until
    for latency in question.latencies:
        yield f"duration_ms {latency.operator} ?", latency.ms
    for rated in question.ratings:
        said = "NOT IN" if rated.negated else "IN"
        yield f"id {said} (SELECT id FROM ratings WHERE rating = coalesce(?, rating))", rated.rating
    if question.id is not None:
        first, beyond = id_range(question.id)
        yield "id >= ?", first
        yield "id < ?", beyond


def id_range(beginning: str) -> tuple[str, str]:
    """The first id with this beginning, and what is beyond the last."""
    first = text_of(beginning) or ""
    return first, first + "\U0010ffff"


def _expression(question: RunQuery, values_of: Callable[[str], Sequence[str]]) -> str | None:
    """The FTS5 expression: empty if there is nothing to ask, None if nothing can fit."""
    wanted = [_words(words) for words in question.words if not words.negated]
    unwanted = [_words(words) for words in question.words if words.negated]
    for match in question.matches:
        values = _meant(match, values_of)
        if values:
            (unwanted if match.negated else wanted).append(_tags(match.key, values))
        elif not match.negated:
            return None
    for latency in question.latencies:
        buckets = _buckets(latency, values_of("latency"))
        if not buckets:
            return None
        wanted.append(_tags("latency", buckets))
    if not wanted and not unwanted:
        return ""
    if not question.shows_auxiliary:
        unwanted.append(_tags("kind", ["auxiliary"]))
    # NOT needs something to be taken from; every run has exactly one kind.
    wanted = wanted or [_tags("kind", values_of("kind"))]
    expression = " AND ".join(wanted)
    return f"({expression}) NOT ({' OR '.join(unwanted)})" if unwanted else expression


def _meant(match: Match, values_of: Callable[[str], Sequence[str]]) -> Sequence[str]:
    if match.values is None:
        return values_of(match.key)
    if not match.loose:
        return match.values
    present = values_of(match.key)
    return [found for value in match.values for found in _resolve(value, present)]


def _resolve(value: str, present: Sequence[str]) -> Sequence[str]:
    if value in present:
        return [value]
    part = value.casefold()
    return [found for found in present if part in found.casefold()]


def _words(words: Words) -> str:
    """An FTS5 string, in which nothing is syntax."""
    text = (text_of(words.text) or "").replace('"', " ").replace("\0", " ")
    return f'text : "{text}"{" *" if words.open_end else ""}'


def _tags(key: str, values: Iterable[str]) -> str:
    return f"tags : ({' OR '.join(tag(key, value) for value in values)})"


@lru_cache(1 << 14)
def tag(key: str, value: str) -> str:
    """The word of the index that stands for a value of a key."""
    digest = blake2b(value.encode("utf-8", "surrogatepass"), digest_size=8)
    return f"{key}{digest.hexdigest()}"


# --- words ---------------------------------------------------------------------------------------


def searchable(text: str) -> bool:
    """There is a letter or a digit in it: the index holds nothing else."""
    return any(character.isalnum() for character in text)


def is_open(word: str) -> bool:
    """The word is long enough to stand for all words that begin with it."""
    return len(word) >= _MIN_PREFIX


# --- latency -------------------------------------------------------------------------------------


def bucket_of(ms: float, per_octave: int = 4) -> int:
    """The number of the bucket that a duration falls into: so many for each doubling."""
    return floor(log2(ms + 1) * per_octave)


def _buckets(latency: Latency, present: Sequence[str]) -> list[str]:
    edge = bucket_of(latency.ms)
    if latency.operator in ("<", "<="):
        return [bucket for bucket in present if int(bucket) <= edge]
    return [bucket for bucket in present if int(bucket) >= edge]
