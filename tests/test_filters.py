"""The filter language: what it means, what it says when it is wrong, and its normal form."""

import time
from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dashboard.filters import (
    FilterError,
    and_term,
    parse,
    read_filter,
    with_term,
    without_term,
)
from history.index_query import Latency, Match, Words

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)


def at(*moment: int) -> float:
    return datetime(*moment, tzinfo=UTC).timestamp()  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "match"),
    [
        ("mode:raw", Match("mode", ("raw",), loose=True)),
        ("MODE:raw", Match("mode", ("raw",), loose=True)),
        ("mode=raw", Match("mode", ("raw",), loose=True)),
        ("-mode:raw", Match("mode", ("raw",), loose=True, negated=True)),
        ("mode:review-only", Match("mode", ("review_only",), loose=True)),
        ('model:"a b"', Match("model", ("a b",), loose=True)),
        ("model:ollama/qwen2.5:7b", Match("model", ("ollama/qwen2.5:7b",), loose=True)),
        ("session:x", Match("session", ("x",))),
        ("escalated:yes", Match("reason", None)),
        ("escalated:NO", Match("reason", None, negated=True)),
        ("-escalated:no", Match("reason", None)),
        ("reason:both", Match("reason", ("both",))),
        ("verdict:pass", Match("verdict", ("pass",))),
        ("evidence:no", Match("evidence", ("yes",), negated=True)),
        ("error:yes", Match("error", None)),
        ("error:no", Match("error", None, negated=True)),
        ("error:model_timeout", Match("error", ("model_timeout",), loose=True)),
        ("confidence<3", Match("confidence", ("1", "2"))),
        ("confidence:<3", Match("confidence", ("1", "2"))),
        ("confidence:7", Match("confidence", ("7",))),
        ("conflict>=9", Match("conflict", ("9", "10"))),
        ("conflict>10", Match("conflict", ())),
        ("kind:auxiliary", Match("kind", ("auxiliary",), loose=True)),
    ],
)
def test_a_key_asks_for_a_value(text: str, match: Match) -> None:
    """Each key with its operators; a minus turns it round; a mode also by the word of its tag."""
    assert parse(text, NOW).matches == (match,)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("sort list", [Words("sort"), Words("list", open_end=True)]),
        ("sort li", [Words("sort"), Words("li")]),
        ('sort "a list"', [Words("sort"), Words("a list")]),
        ("list mode:raw", [Words("list", open_end=True)]),
        ("-sort list", [Words("sort", negated=True), Words("list", open_end=True)]),
        ('-"a b"', [Words("a b", negated=True)]),
        ("--verbose", [Words("--verbose", open_end=True)]),
        ('x="y z"', [Words("x=y z")]),
        ("a<b", [Words("a<b", open_end=True)]),
        ('"mode:raw"', [Words("mode:raw")]),
        (r'"say \"x\" \\ \n"', [Words(r'say "x" \ \n')]),
        ('"not closed', [Words("not closed")]),
        ('a"b c"', [Words("a"), Words("b c")]),
        ("lone\udc80x", [Words("lone?x", open_end=True)]),
    ],
)
def test_words_and_phrases(text: str, words: list[Words]) -> None:
    """Words, phrases, a beginning at the end; quotes make text of anything."""
    assert parse(text, NOW).words == tuple(words)


@pytest.mark.parametrize(
    ("text", "since", "until"),
    [
        ("since:1h", at(2026, 11, 21, 11), None),
        ("since:2d", at(2026, 11, 19, 12), None),
        ("until:30m", None, at(2026, 11, 21, 11, 30)),
        ("since:2026-11-01", at(2026, 11, 1), None),
        ("until:2026-11-01", None, at(2026, 11, 2)),
        ("until:2026-11-01T06:00Z", None, at(2026, 11, 1, 6)),
        ("since:2026-11-01T06:00+02:00", at(2026, 11, 1, 4), None),
        (
            "since:1h since:1d until:9999-12-30 until:1m",
            at(2026, 11, 21, 11),
            at(2026, 11, 21, 11, 59),
        ),
    ],
)
def test_times(text: str, since: float | None, until: float | None) -> None:
    """Ages count back from now; a date is a whole day; of several the narrowest counts."""
    parsed = parse(text, NOW)
    assert (parsed.since, parsed.until) == (since, until)


def test_a_date_has_the_clock_of_its_own_season(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where clocks are changed a date in summer begins by summer time, whatever the time is now;
    ages are of so many hours."""
    monkeypatch.setenv("TZ", "CET-1CEST,M3.5.0,M10.5.0/3")
    time.tzset()
    try:
        winter = datetime(2026, 10, 25, 12)  # the clocks went back at three
        assert parse("since:2026-07-01", winter).since == at(2026, 6, 30, 22)
        assert parse("until:2026-07-01", winter).until == at(2026, 7, 1, 22)
        assert parse("since:2026-12-01", winter).since == at(2026, 11, 30, 23)
        assert parse("since:1d", winter).since == at(2026, 10, 24, 11)
        assert read_filter("since:2026-07-01").since == at(2026, 6, 30, 22)
    finally:
        monkeypatch.undo()
        time.tzset()


def test_a_date_is_one_where_the_reader_is() -> None:
    """A date without a zone is in the zone of now."""
    east = datetime(2026, 11, 21, 12, tzinfo=timezone(timedelta(hours=9)))
    assert parse("since:2026-11-01", east).since == at(2026, 10, 31, 15)


@pytest.mark.parametrize(
    ("text", "latency"),
    [
        ("latency>30s", Latency(">", 30_000)),
        ("latency:>30s", Latency(">", 30_000)),
        ("latency<=1.5m", Latency("<=", 90_000)),
        ("latency<500ms", Latency("<", 500)),
    ],
)
def test_latency_has_a_unit(text: str, latency: Latency) -> None:
    """Milliseconds to hours."""
    assert parse(text, NOW).latencies == (latency,)


def test_auxiliary_runs_are_shown_when_a_kind_is_named() -> None:
    """Hidden otherwise."""
    assert not parse("mode:raw", NOW).shows_auxiliary
    assert parse("kind:auxiliary", NOW).shows_auxiliary
    everything = parse("kind:all", NOW)
    assert everything.shows_auxiliary and everything.unlimited


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("moed:raw", "Did you mean mode?"),
        ("latancy>30s", "Did you mean latency?"),
        ("std::vector", "put it in quotes"),
        ("mode:", "mode: needs a value, such as mode:raw"),
        ('mode:""', "mode: needs a value"),
        ("mode>raw", "mode takes a colon"),
        ("verdict:unparsable", "Did you mean verdict:unparseable?"),
        ("escalated:maybe", "escalated can be yes or no, not 'maybe'"),
        ("confidence<11", "confidence takes a whole number up to 10"),
        ("confidence:high", "confidence takes a whole number up to 10"),
        ("latency>30", "with a unit"),
        ("latency:30s", "latency takes a comparison"),
        ("since:yesterday", "since:2026-11-21"),
        ("until:9999-12-31", "is not a time"),
        ("since:999999w", "is not a time"),
        ("-since:1h", "since cannot be negated with a minus"),
        ("id:a id:b", "only once"),
        ("mode:raw +++", "no letter or digit"),
        ("x " * 51, "more than 50 parts"),
        ("x" * 2001, "longer than 2000 characters"),
    ],
)
def test_a_bad_filter_says_what_is_wrong(text: str, said: str) -> None:
    """The message names the part that is wrong, and the nearest that is right."""
    with pytest.raises(FilterError) as caught:
        parse(text, NOW)
    assert said in str(caught.value)


def test_links_change_a_filter() -> None:
    """A facet sets its part of the filter or takes it out; the others stay as they were."""
    assert with_term("mode:a  sort", "mode", "b") == "sort mode:b"
    assert with_term("", "model", 'x" mode:raw \\') == r'model:"x\" mode:raw \\"'
    assert and_term("confidence<9", "confidence", ">=7") == "confidence<9 confidence>=7"
    assert without_term("mode:a sort -mode:b", "mode") == "sort"
    assert with_term("not: a filter", "mode", "b") == 'not:"" a filter mode:b'


_KEYS = st.sampled_from(
    ["mode", "confidence", "latency", "since", "verdict", "error", "kind", "no"]
)
_PIECES = st.one_of(
    st.text(max_size=8),
    st.text(alphabet='"\\:-<>= a1', max_size=8),
    st.builds(
        "{}{}{}".format, _KEYS, st.sampled_from(":<>="), st.sampled_from(["7", "1h", "x", "3s"])
    ),
)


@settings(deadline=None)
@given(st.lists(_PIECES, max_size=6).map(" ".join))
def test_any_text_is_a_filter_or_an_error_for_people(text: str) -> None:
    """Nothing but FilterError comes out, and a filter's normal form means the same."""
    try:
        parsed = parse(text, NOW)
    except FilterError as error:
        assert str(error)
        return
    assert parse(parsed.text, NOW) == parsed


@settings(deadline=None)
@given(
    st.text(), st.sampled_from(["model", "mode", "session", "error", "host"]), st.text(min_size=1)
)
def test_a_link_means_the_value_that_it_was_made_of(text: str, key: str, value: str) -> None:
    """Whatever a model calls itself, its link is one part of the filter."""
    from history.index_row import text_of

    for link in (with_term(text, key, value), and_term("", key, value)):
        terms = parse(and_term("", key, value), NOW).terms
        assert [(term.key, term.value) for term in terms] == [(key, text_of(value))]
        assert link.endswith(str(terms[0]))
