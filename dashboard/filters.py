"""The filter language of the dashboard: text → question to the index.

    mode:raw -model:qwen escalated:yes latency>30s confidence<7 since:2d words "a phrase"

Everything has to fit; `-` in front turns a part round. Plain words and phrases are looked for in
prompts and outputs, the last word may be the beginning of one. Values with blanks stand in quotes,
in which `\\"` and `\\\\` are a quote and a backslash. Runs that no person asked for are hidden
unless a kind is named (`kind:auxiliary`; `kind:all` for every run). For the keys see
`dashboard.filter_keys`.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime

from dashboard.filter_keys import KEYS, Term, nearest, read_terms
from dashboard.filter_keys import FilterError as FilterError  # of this module's functions
from history.index_query import RunQuery, Words, is_open, searchable
from history.index_row import text_of

MAX_CHARACTERS = 2000
MAX_TERMS = 50

_TOKEN = re.compile(
    r"""(?P<minus>-(?!-))?
        (?:(?P<key>[A-Za-z_]+)(?P<operator><=|>=|[:<>=]))?
        (?:"(?P<quoted>(?:\\["\\]|[^"])*)"? | (?P<bare>[^\s"]+) | (?(operator)|(?!)))""",
    re.VERBOSE,
)


@dataclass(frozen=True)
class Filter(RunQuery):
    """A question with the text that it was put in, in its normal form: `parse(text).text` is
    `text` again."""

    text: str = ""
    terms: tuple[Term, ...] = ()


def read_filter(text: str) -> Filter:
    """What a person means now. Raises FilterError."""
    # Without a zone: this machine's, whose summer time is not that of every date.
    return parse(text, datetime.now())


def filter_or_all(text: str) -> tuple[Filter, str | None]:
    """The same; for what cannot be understood the empty filter, and what is wrong."""
    try:
        return read_filter(text), None
    except FilterError as error:
        return Filter(), str(error)


def parse(text: str, now: datetime) -> Filter:
    """The filter that `text` stands for.

    Ages (`since:1h`) count back from `now`; dates without a zone are in that of `now`, in this
    machine's where it has none. Raises FilterError, and nothing else.
    """
    if len(text) > MAX_CHARACTERS:
        raise FilterError(f"The filter is longer than {MAX_CHARACTERS} characters.")
    terms = tuple(_checked(term) for term in _terms(text))
    if len(terms) > MAX_TERMS:
        raise FilterError(f"The filter has more than {MAX_TERMS} parts.")
    plain = [term for term in terms if not term.key]
    parts = read_terms([term for term in terms if term.key], now)
    return Filter(
        words=tuple(_words(term, last=term is plain[-1]) for term in plain),
        matches=tuple(parts.matches),
        latencies=tuple(parts.latencies),
        ratings=tuple(parts.ratings),
        since=max(parts.since, default=None),
        until=min(parts.until, default=None),
        id=parts.id,
        auxiliary=parts.auxiliary,
        text=_text(terms),
        terms=terms,
    )


def and_term(text: str, key: str, value: str) -> str:
    """The text of the filter with one more part. `value` may begin with `<`, `<=`, `>` or `>=`."""
    return _text([*_terms(text), _term(key, value)])


def with_term(text: str, key: str, value: str) -> str:
    """The same, instead of what the filter has on `key`."""
    return and_term(without_term(text, key), key, value)


def without_term(text: str, key: str) -> str:
    """The text of the filter without its parts on `key`."""
    return _text(term for term in _terms(text) if term.key != key)


def _terms(text: str) -> Iterator[Term]:
    """The parts of a text, whether or not they mean anything."""
    for token in _TOKEN.finditer(text_of(text) or ""):
        key, operator = (token["key"] or "").lower(), token["operator"]
        quoted, negated = token["quoted"] is not None, bool(token["minus"])
        value = re.sub(r'\\(["\\])', r"\1", token["quoted"]) if quoted else token["bare"] or ""
        if not key:
            yield Term("", "", value, negated, quoted)
        elif key not in KEYS and operator != ":" and not nearest(key):  # code: `a<b`, `x="y"`
            yield Term("", "", f"{token['key']}{operator}{value}", negated, quoted)
        elif operator in (":", "="):
            yield _term(key, value, negated)
        else:
            yield Term(key, operator, value, negated)


def _term(key: str, value: str, negated: bool = False) -> Term:
    """`value` may begin with an operator, where the key takes one."""
    found = re.match(r"<=?|>=?", value) if key in KEYS and KEYS[key].compares else None
    return Term(key, found[0] if found else ":", value[found.end() if found else 0 :], negated)


def _checked(term: Term) -> Term:
    """The term in its normal form. Raises FilterError."""
    if not term.key:
        if not searchable(term.value):
            raise FilterError(f"{term} contains no letter or digit to search for.")
        return term
    if term.key not in KEYS:
        near = nearest(term.key)
        hint = f"Did you mean {near}?" if near else f"Keys are {', '.join(KEYS)}."
        raise FilterError(
            f"There is no key {term.key}. {hint} To search for the text itself, put it in quotes."
        )
    return KEYS[term.key].checked(term)


def _words(term: Term, *, last: bool) -> Words:
    return Words(term.value, last and not term.quoted and is_open(term.value), term.negated)


def _text(terms: Iterable[Term]) -> str:
    return " ".join(map(str, terms))
