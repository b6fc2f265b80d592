"""The keys of the filter language: what each takes, and what it asks the index for. Pure."""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, timedelta
from difflib import get_close_matches
from operator import eq, ge, gt, le, lt
from typing import NoReturn, cast

from history.index_query import Latency, Match, Operator, Rated

_UNITS = {"s": "seconds", "m": "minutes", "h": "hours", "d": "days", "w": "weeks"}
_MS = {"ms": 1.0, "s": 1e3, "m": 60e3, "h": 3600e3}
_SCORES = range(1, 11)
_MODE_WORDS = {  # of a mode's tag, where it is not a part of its name
    "review-only": "review_only",
    "test": "code_tested",
    "files": "code_files",
    "plan": "code_planned",
    "refine": "code_refined",
    "ask": "answer",
}


class FilterError(Exception):
    """A filter that cannot be understood; the message is a sentence for the person who wrote it."""


@dataclass(frozen=True, slots=True)
class Term:
    """A part of a filter. Words and phrases have neither key nor operator. Its `str` is its text
    in the filter."""

    key: str
    operator: str
    value: str
    negated: bool = False
    quoted: bool = False

    def __str__(self) -> str:
        value = self.value
        if self.quoted or not re.fullmatch(r'[^\s"]+', value):
            value = '"' + re.sub(r'(["\\])', r"\\\1", value) + '"'
        return f"{'-' * self.negated}{self.key}{self.operator}{value}"


@dataclass(slots=True)
class FilterParts:
    """What the terms with a key add up to."""

    now: datetime
    matches: list[Match] = field(default_factory=list)
    latencies: list[Latency] = field(default_factory=list)
    ratings: list[Rated] = field(default_factory=list)
    since: list[float] = field(default_factory=list)
    until: list[float] = field(default_factory=list)
    id: str | None = None
    auxiliary: bool = False


@dataclass(frozen=True, slots=True)
class Key:
    """`read` adds a term to the parts; it raises FilterError for a value that is none. `choices`
    are all values there are (else any text is one). `example` is a term of this key."""

    example: str
    read: Callable[[Term, FilterParts], None]
    choices: tuple[str, ...] = ()
    compares: bool = False
    turns: bool = True

    def checked(self, term: Term) -> Term:
        """The term in its normal form. Raises FilterError for what is wrong whatever the time."""
        if not term.value:
            raise FilterError(f"{term.key}: needs a value, such as {self.example}.")
        if term.operator != ":" and not self.compares:
            raise FilterError(f"{term.key} takes a colon, such as {self.example}, not {term}.")
        if term.negated and not self.turns:
            raise FilterError(f"{term.key} cannot be negated with a minus: {term}.")
        if self.choices:
            return replace(term, value=_choice(term, self.choices))
        return term


def read_terms(terms: Iterable[Term], now: datetime) -> FilterParts:
    """What these terms ask for. Raises FilterError."""
    parts = FilterParts(now)
    for term in terms:
        KEYS[term.key].read(term, parts)
    return parts


def nearest(key: str) -> str | None:
    """The key that was probably meant."""
    return next(iter(get_close_matches(key, KEYS, 1)), None)


def _choice(term: Term, choices: tuple[str, ...]) -> str:
    value = term.value.lower()
    if value in choices:
        return value
    near = get_close_matches(value, choices, 1)
    hint = f" Did you mean {term.key}:{near[0]}?" if near else ""
    *most, last = choices
    raise FilterError(f"{term.key} can be {', '.join(most)} or {last}, not {term.value!r}.{hint}")


def _exact(term: Term, parts: FilterParts) -> None:
    parts.matches.append(Match(term.key, (term.value,), negated=term.negated))


def _loose(term: Term, parts: FilterParts) -> None:
    parts.matches.append(Match(term.key, (term.value,), loose=True, negated=term.negated))


def _mode(term: Term, parts: FilterParts) -> None:
    _loose(replace(term, value=_MODE_WORDS.get(term.value.lower(), term.value)), parts)


def _kind(term: Term, parts: FilterParts) -> None:
    if term.value.lower() == "all" and not term.negated:
        parts.auxiliary = True
    else:
        _loose(term, parts)


def _says_no(term: Term) -> bool:
    """`escalated:no` and `-escalated:yes` are the same."""
    return term.negated != (term.value.lower() == "no")


def _flag(term: Term, parts: FilterParts) -> None:
    parts.matches.append(Match(term.key, ("yes",), negated=_says_no(term)))


def _escalated(term: Term, parts: FilterParts) -> None:
    parts.matches.append(Match("reason", None, negated=_says_no(term)))


def _error(term: Term, parts: FilterParts) -> None:
    if term.value.lower() in _YES_NO:
        parts.matches.append(Match("error", None, negated=_says_no(term)))
    else:
        _loose(term, parts)


def _rating(term: Term, parts: FilterParts) -> None:
    value = None if term.value in _YES_NO else term.value
    parts.ratings.append(Rated(value, negated=_says_no(term)))


def _score(term: Term, parts: FilterParts) -> None:
    if not re.fullmatch(r"\d{1,2}", term.value) or int(term.value) > _SCORES[-1]:
        raise FilterError(
            f"{term.key} takes a whole number up to 10, such as {term.key}<7, not {term}."
        )
    fits = _FITS[term.operator]
    values = tuple(str(score) for score in _SCORES if fits(score, int(term.value)))
    parts.matches.append(Match(term.key, values, negated=term.negated))


_FITS: Mapping[str, Callable[[int, int], bool]]
_FITS = {":": eq, "<": lt, "<=": le, ">": gt, ">=": ge}


def _latency(term: Term, parts: FilterParts) -> None:
    found = re.fullmatch(r"(\d{1,12}(?:\.\d{1,6})?)(ms|s|m|h)", term.value.lower())
    if not found or term.operator == ":":
        raise FilterError(
            "latency takes a comparison with a unit, such as latency>30s or latency<500ms,"
            f" not {term}."
        )
    ms = float(found[1]) * _MS[found[2]]
    parts.latencies.append(Latency(cast(Operator, term.operator), ms))


def _since(term: Term, parts: FilterParts) -> None:
    parts.since.append(_moment(term, parts.now))


def _until(term: Term, parts: FilterParts) -> None:
    """A day is meant whole."""
    parts.until.append(_moment(term, parts.now, days=1))


def moment_of(text: str, now: datetime) -> datetime:
    """What an age (`2h`) or a moment in ISO 8601 stands for, which is in the zone of `now` where it
    names none. Raises ValueError and OverflowError."""
    if age := re.fullmatch(r"(\d+)([smhdw])", text.lower()):
        return now.astimezone(UTC) - timedelta(**{_UNITS[age[2]]: int(age[1])})
    moment = datetime.fromisoformat(text)
    return moment if moment.tzinfo else moment.replace(tzinfo=now.tzinfo)


def _moment(term: Term, now: datetime, days: int = 0) -> float:
    """Seconds since 1970; `days` are added to a date without a time."""
    try:
        moment = moment_of(term.value, now)
        if _is_date(term.value):
            moment += timedelta(days=days)
        return moment.timestamp()
    except (ValueError, OverflowError, OSError):
        _refuse_moment(term, now)


def _refuse_moment(term: Term, now: datetime) -> NoReturn:
    raise FilterError(
        f"{term.value!r} is not a time. Write {term.key}:30m, {term.key}:2h, {term.key}:7d, or a"
        f" date such as {term.key}:{now.date()}."
    )


def _is_date(text: str) -> bool:
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True


def _id(term: Term, parts: FilterParts) -> None:
    if parts.id is not None:
        raise FilterError("A filter can contain id only once.")
    parts.id = term.value


_YES_NO = ("yes", "no")
_VERDICTS = ("pass", "escalated", "unparseable", "none")
_RATINGS = ("up", "down", *_YES_NO)
_REASONS = ("evidence", "undecided", "judge", "confidence", "conflict", "both", "other")

KEYS: Mapping[str, Key] = {
    "mode": Key("mode:raw", _mode),
    "model": Key("model:qwen", _loose),
    "session": Key("session:work", _exact),
    "source": Key("source:openai", _loose),
    "kind": Key("kind:auxiliary", _kind),
    "escalated": Key("escalated:yes", _escalated, _YES_NO),
    "reason": Key("reason:confidence", _exact, _REASONS),
    "verdict": Key("verdict:unparseable", _exact, _VERDICTS),
    "evidence": Key("evidence:yes", _flag, _YES_NO),
    "reviewed": Key("reviewed:yes", _flag, _YES_NO),
    "error": Key("error:yes", _error),
    "rating": Key("rating:up", _rating, _RATINGS),
    "stage": Key("stage:reviewer", _loose),
    "latency": Key("latency>30s", _latency, compares=True, turns=False),
    "confidence": Key("confidence<7", _score, compares=True),
    "conflict": Key("conflict>6", _score, compares=True),
    "since": Key("since:1h", _since, turns=False),
    "until": Key("until:2026-11-01", _until, turns=False),
    "id": Key("id:01H", _id, turns=False),
    "host": Key("host:laptop", _loose),
}
"""Every key, in the order in which help lists them."""
