"""What the dashboard's pages are made of: rows, pages, facets, neighbours, numbers, thresholds."""

import random
import re
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest
from history_fakes import make_record, run_id, write_file
from hypothesis import given, settings
from hypothesis import strategies as st
from selection import examples

from dashboard import run_detail
from dashboard.filters import FilterError, parse
from dashboard.numbers import numbers, percentile
from dashboard.thresholds import what_if
from dashboard.timeline_rows import row_view
from history.index_row import Row, row_of
from history.record import decode, encode
from history.run_index import Index

pytestmark = pytest.mark.only_when("dashboard/", "history/")

NOW = datetime(2026, 11, 21, 9, tzinfo=timezone(timedelta(hours=9)))  # a reader far in the east
Runs = list[dict[str, Any]]
Piece = tuple[str, Callable[[dict[str, Any]], bool]]

MODES = ["code_raw", "code_raw_ctx", "code_reviewed", "answer"]
MODELS = ["ollama/qwen2.5:7b", "ollama/qwen2.5:14b", "local/starter", 'evil" mode:raw']
SESSIONS = [None, "work", "home", "a b"]
WORDS = ["sort", "sorted", "list", "matrix", "tree"]
ERRORS = [None, None, None, "model_timeout", "model_failed"]
STRANGE = [
    None,
    True,
    -1,
    0.5,
    10**30,
    1e308,
    [],
    {},
    [[]],
    {"a": 1},
    "",
    "x\ud800",
    "\0",
    [{}],
    "7",
]


def a_run(choose: random.Random, number: int) -> dict[str, Any]:
    """A run of any sort; one in ten has a wrong type somewhere."""
    scores = {"confidence_score": choose.randint(1, 10), "conflict_score": choose.randint(1, 10)}
    judge = choose.choice([None, scores, scores, {"confidence_score": None, "error": "no JSON"}])
    reason = choose.choice(
        [None, None, "confidence 6 < 8", "confidence 6 < 8; conflict 7 > 6", "evidence: cut off"]
    )
    error = choose.choice(ERRORS)
    stages = ["coder", "judge", "reviewer"][: choose.randint(0, 3)]
    record: dict[str, Any] = make_record(
        run_id(number),
        ts=(NOW - timedelta(hours=choose.randint(0, 100))).isoformat(),
        kind=choose.choice(["run", "run", "run", "auxiliary"]),
        mode=choose.choice(MODES),
        session=choose.choice(SESSIONS),
        normalized_prompt=" ".join(choose.choices(WORDS, k=3)),
        original_prompt=None,
        final_output=" ".join(choose.choices(WORDS, k=2)),
        coder_output=None,
        judge=judge,
        reviewer_judge=choose.choice([None, scores]),
        escalated=reason is not None,
        escalation_reason=reason,
        evidence=[{}] if reason and reason.startswith("evidence") else [],
        error={"code": error, "message": "boom"} if error else None,
        duration_ms=choose.choice([100, 500, 29_999.5, 30_000, 30_001, 90_000]),
        steps=[{"stage": s, "model": choose.choice(MODELS), "duration_ms": 9.5} for s in stages],
    )
    if choose.random() < 0.1:
        record[choose.choice([key for key in record if key != "id"])] = choose.choice(STRANGE)
    if record["steps"] and isinstance(record["steps"], list) and choose.random() < 0.1:
        record["steps"] = [*record["steps"], choose.choice(STRANGE)]
    return decode(encode(record))  # type: ignore[return-value]


def text(value: object) -> str | None:
    return value.encode("utf-8", "replace").decode() if isinstance(value, str) else None


def part(record: dict[str, Any], *path: str) -> Any:
    value: Any = record
    for key in path:
        value = value.get(key) if isinstance(value, dict) else None
    return value


def score(record: dict[str, Any], key: str) -> int | None:
    value = part(record, "judge", key)
    return value if type(value) is int and 1 <= value <= 10 else None


def moment(record: dict[str, Any]) -> float | None:
    try:
        return datetime.fromisoformat(record["ts"]).timestamp()
    except (TypeError, ValueError):
        return None


def models(record: dict[str, Any]) -> set[str]:
    steps = record["steps"] if isinstance(record["steps"], list) else []
    return {s["model"] for s in steps if isinstance(s, dict) and s.get("stage") and s.get("model")}


def verdict(record: dict[str, Any]) -> str:
    evidence = record["escalated"] is True and str(record["escalation_reason"]).startswith("evid")
    if not isinstance(record["judge"], dict) or not record["judge"] or evidence:
        return "none"
    if score(record, "confidence_score") is None or score(record, "conflict_score") is None:
        return "unparseable"
    return "escalated" if record["escalated"] is True else "pass"


def has_words(record: dict[str, Any], pattern: str) -> bool:
    texts = [record[key] for key in ("original_prompt", "normalized_prompt", "final_output")]
    texts += [record["coder_output"], record["reviewer_output"], part(record, "error", "message")]
    plain = [" ".join(re.findall(r"[a-z0-9]+", t.lower())) for t in texts if isinstance(t, str)]
    return any(re.search(pattern, t) for t in plain)


def pieces(choose: random.Random, runs: Runs) -> Piece:
    """A part of a filter, and what it means."""
    mode, model, word, other = (choose.choice(of) for of in (MODES, MODELS, WORDS, WORDS))
    number, hours = choose.randint(1, 10), choose.randint(1, 99)
    ago = (NOW - timedelta(hours=hours)).timestamp()
    quoted = '"' + model.replace('"', r"\"") + '"'
    yes = choose.choice([True, False])

    def duration(record: dict[str, Any]) -> float:
        value = record["duration_ms"]
        known = type(value) in (int, float) and 0 <= value < 1e15
        return value if known else float("nan")  # which no comparison fits

    choices: list[Piece] = [
        (f"mode:{mode}", lambda r: r["mode"] == mode),
        ("mode:raw", lambda r: "raw" in (text(r["mode"]) or "")),
        (f"model:{quoted}", lambda r: model in models(r)),
        ("model:QWEN", lambda r: any("qwen" in name for name in models(r))),
        ("session:work", lambda r: r["session"] == "work"),
        ('session:"a b"', lambda r: r["session"] == "a b"),
        ("kind:auxiliary", lambda r: r["kind"] == "auxiliary"),
        (f"escalated:{'yes' if yes else 'no'}", lambda r: (r["escalated"] is True) == yes),
        (f"error:{'yes' if yes else 'no'}", lambda r: bool(text(part(r, "error", "code"))) == yes),
        ("error:timeout", lambda r: part(r, "error", "code") == "model_timeout"),
        ("evidence:yes", lambda r: isinstance(r["evidence"], list) and r["evidence"] != []),
        ("verdict:pass", lambda r: verdict(r) == "pass"),
        ("verdict:unparseable", lambda r: verdict(r) == "unparseable"),
        ("verdict:none", lambda r: verdict(r) == "none"),
        (f"confidence<{number}", lambda r: (score(r, "confidence_score") or 99) < number),
        (f"conflict>={number}", lambda r: (score(r, "conflict_score") or 0) >= number),
        ("latency>30s", lambda r: duration(r) > 30_000),
        ("latency<=30s", lambda r: duration(r) <= 30_000),
        ("latency<500ms", lambda r: duration(r) < 500),
        (f"since:{hours}h", lambda r: (moment(r) or 0) >= ago),
        (f"until:{hours}h", lambda r: (moment(r) or 9e9) < ago),
        ("id:run-0000", lambda r: r["id"].startswith("run-0000")),
        (f'"{word} {other}"', lambda r: has_words(r, rf"\b{word} {other}\b")),
        (f'"{word}"', lambda r: has_words(r, rf"\b{word}\b")),
        (f"{word} kind:all", lambda r: has_words(r, rf"\b{word}")),
    ]
    found, meaning = choose.choice(choices)
    turns = not re.match("since|until|latency|id|.* kind:", found)
    return (
        (f"-{found}", lambda r: not meaning(r))
        if turns and choose.random() < 0.2
        else (found, meaning)
    )


@pytest.fixture
def index(tmp_path: Path) -> Index:
    return Index(tmp_path / "history", tmp_path / "cache")


def filled(index: Index, directory: Path, runs: Runs, per_file: int = 100) -> Index:
    for number, start in enumerate(range(0, len(runs), per_file), 1):
        write_file(directory, number, *runs[start : start + per_file])  # type: ignore[arg-type]
    index.catch_up()
    return index


def walked(index: Index, filter_text: str, limit: int) -> list[str]:
    """Ids of all pages, newest first; the way back shows the same."""
    question = parse(filter_text, NOW)
    page = index.page(question, limit=limit)
    ids = [row.id for row in page.rows]
    while page.older:
        page = index.page(question, before=page.older, limit=limit)
        assert page.rows and page.newer == page.rows[0].id
        ids += [row.id for row in page.rows]
    back = [row.id for row in page.rows]
    while page.newer:
        page = index.page(question, after=page.newer, limit=limit)
        back = [row.id for row in page.rows] + back
    assert back == ids
    return ids


@pytest.mark.parametrize("seed", range(3))
def test_a_filter_finds_what_it_says(
    tmp_path: Path, index: Index, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Any combination of parts, over any records, page by page, against a plain search of them;
    and facets, counts and neighbours are those of the runs that were found."""
    for module in ("index_rows", "index_view"):
        monkeypatch.setattr(f"history.{module}.BLOCK", 16)
    choose = random.Random(seed)
    runs = [a_run(choose, number) for number in range(80)]
    filled(index, tmp_path / "history", runs)
    for _ in range(examples(60)):
        chosen = [pieces(choose, runs) for _ in range(choose.randint(0, 3))]
        if sum(text.startswith("id:") for text, _ in chosen) > 1:
            continue
        text = " ".join(piece for piece, _ in chosen)
        shown = "kind:" in text
        fit = [
            record
            for record in reversed(runs)
            if (shown or record["kind"] != "auxiliary")
            and all(means(record) for _, means in chosen)
        ]
        expected = [record["id"] for record in fit]
        question = parse(text, NOW)

        assert walked(index, text, limit=choose.choice([1, 7, 300])) == expected, text
        facets = index.facets(question)
        assert facets.exact and facets.runs == len(fit)
        assert dict(facets.counts["verdict"]) == Counter(map(verdict, fit)), text
        assert dict(facets.counts["model"]) == Counter(m for r in fit for m in models(r)), text
        counted = index.run_counts(question).counts.runs
        rows = [row_of(record) for record in fit]
        assert sum(n for (key, _), n in counted.items() if key == "day") == sum(
            row.ts is not None for row in rows
        )
        for place in choose.sample(range(len(fit)), min(3, len(fit))):
            newer = expected[place - 1] if place else None
            older = expected[place + 1] if place + 1 < len(fit) else None
            assert index.neighbours(expected[place], question) == (newer, older), text


def test_a_row_is_the_same_from_the_index_and_from_the_record(tmp_path: Path, index: Index) -> None:
    """A live row and a listed one cannot differ."""
    runs = [a_run(random.Random(7), number) for number in range(50)]
    filled(index, tmp_path / "history", runs)
    rows = index.page(parse("kind:all", NOW), limit=100).rows
    assert list(rows) == [row_of(record) for record in reversed(runs)]


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters(), max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["code", "stage", "model", "confidence_score", "duration_ms", "x"]),
            inner,
        )
    ),
    max_leaves=8,
)


@settings(deadline=None)
@given(st.dictionaries(st.sampled_from(list(make_record())), _JSON))
def test_no_record_is_too_strange(
    tmp_path_factory: pytest.TempPathFactory, values: dict[str, Any]
) -> None:
    """Whatever stands in a record, it is taken in, listed and counted."""
    base = tmp_path_factory.mktemp("strange")
    record = make_record(**(values | {"id": "a"}))
    index = filled(Index(base / "history", base / "cache"), base / "history", [record])  # type: ignore[list-item]
    question = parse("kind:all", NOW)
    assert [row.id for row in index.page(question).rows] == ["a"]
    assert index.facets(question).runs == numbers(index, question).runs == 1
    assert what_if(index, question, 7, 6).runs <= 1


@settings(deadline=None)
@given(st.lists(st.text(max_size=9) | st.text(alphabet='"*^()+-:{}<a ', max_size=9), max_size=4))
def test_any_filter_can_be_asked(
    tmp_path_factory: pytest.TempPathFactory, texts: list[str]
) -> None:
    """Whatever is a filter, the index understands: nothing in it is SQL or FTS5."""
    base = tmp_path_factory.getbasetemp() / "asked"
    index = Index(base / "history", base / "cache")
    if not base.exists():
        base.mkdir()
        filled(index, base / "history", [make_record("a")])  # type: ignore[list-item]
    for key in ("", "model:", "session:", "id:", "-mode:"):
        filter_text = " ".join(key + text for text in texts)
        with suppress(FilterError):
            question = parse(filter_text, NOW)
            assert len(index.page(question).rows) == index.facets(question).runs


def test_runs_with_the_same_id_are_all_listed(tmp_path: Path, index: Index) -> None:
    """Ids are told apart where paging needs it: no page comes twice."""
    filled(index, tmp_path / "history", [make_record("same") for _ in range(5)])  # type: ignore[misc]
    page = index.page(parse("", NOW), limit=2)
    assert [row.id for row in page.rows] == ["same", "same"]
    assert page.older
    assert index.page(parse("", NOW), before=page.older, limit=2).rows == []


@pytest.mark.parametrize(
    "text", ["", "-sort", "latency>1s", "error:no", "kind:all", "-mode:raw", "id:x"]
)
def test_nothing_is_found_where_nothing_is(index: Index, text: str) -> None:
    """Every page of an empty history is there, and empty."""
    question = parse(text, NOW)
    assert index.page(question).rows == []
    assert index.facets(question).runs == numbers(index, question).runs == 0
    assert index.session_groups(question).groups == []
    assert what_if(index, question, 8, 6).would_escalate == 0
    assert index.state().complete


def test_a_page_next_to_a_run_that_is_gone_is_empty(index: Index) -> None:
    """An old link leads to nothing, and not to an error."""
    question = parse("", NOW)
    assert index.page(question, before="x").rows == index.page(question, after="x").rows == []
    assert index.neighbours("x", question) == (None, None)
    assert index.get("x") is None


def test_one_run_is_read_by_its_id(tmp_path: Path, index: Index) -> None:
    """The record itself, also when its id is strange."""
    runs = [make_record(id) for id in ("a", "b\ud800", "c")]
    filled(index, tmp_path / "history", runs)  # type: ignore[arg-type]
    assert index.get("b\ud800") == runs[1]
    assert index.get("c") == runs[2]


def test_the_state_tells_how_far_the_index_is(
    tmp_path: Path, index: Index, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before, while and after; pages show what is there meanwhile, and a stop loses nothing."""
    monkeypatch.setattr("history.indexer._BATCH", 4)
    path = write_file(tmp_path / "history", 1, *(make_record(run_id(n)) for n in range(10)))
    size = path.stat().st_size
    assert index.state() == (0, size, 0) and not index.state().complete
    seen = []

    def stop_at_the_second(done: int, total: int) -> None:
        seen.append(len(index.page(parse("", NOW)).rows))
        if len(seen) == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        index.catch_up(stop_at_the_second)
    assert seen == [4, 8]
    assert 0 < index.state().done < size
    assert index.catch_up() == 2
    assert index.state() == (size, size, 0) and index.state().complete
    with path.open("ab") as file:
        file.write(b'{"torn')
    assert index.state().complete


def test_forgotten_runs_are_not_counted(tmp_path: Path, index: Index) -> None:
    """After a prune the counters are those of what is left."""
    choose = random.Random(3)
    runs = [a_run(choose, number) for number in range(60)]
    filled(index, tmp_path / "history", runs, per_file=20)
    (tmp_path / "history" / "history-000001.jsonl").unlink()
    index.catch_up()
    other = filled(Index(tmp_path / "other", tmp_path / "cache"), tmp_path / "other", runs[20:])
    question = parse("kind:all", NOW)
    assert index.facets(question) == other.facets(question)
    counts, fresh = index.run_counts(question), other.run_counts(question)
    assert counts.runs == fresh.runs == 40
    assert counts.counts.runs == fresh.counts.runs


def test_large_findings_are_counted_in_part_and_it_is_said(
    tmp_path: Path, index: Index, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Over the newest that fit; everything is counted whole."""
    monkeypatch.setattr("history.index_view.SAMPLE", 5)
    monkeypatch.setattr("history.index_view.LARGE_SAMPLE", 6)
    filled(index, tmp_path / "history", [make_record(run_id(n)) for n in range(9)])  # type: ignore[misc]
    some, everything = parse("mode:code_reviewed", NOW), parse("", NOW)
    assert (index.facets(some).runs, index.facets(some).exact) == (5, False)
    assert (numbers(index, some).runs, numbers(index, some).exact) == (6, False)
    assert (index.facets(everything).runs, index.facets(everything).exact) == (9, True)
    assert (numbers(index, everything).runs, numbers(index, everything).exact) == (9, True)


def test_runs_are_grouped_by_session(tmp_path: Path, index: Index) -> None:
    """The session with the newest run first, each with its newest runs, and on by pages."""
    sessions = ["a", "b", "a", None, "b", "a"]
    runs = [make_record(run_id(n), session=name) for n, name in enumerate(sessions)]
    filled(index, tmp_path / "history", runs)  # type: ignore[arg-type]
    question = parse("", NOW)
    first = index.session_groups(question, limit=2, rows=2)
    assert [(group.session, group.runs) for group in first.groups] == [("a", 3), ("b", 2)]
    assert [row.id for row in first.groups[0].rows] == [run_id(5), run_id(2)]
    second = index.session_groups(question, before=first.older, limit=2)
    assert [group.session for group in second.groups] == [None]
    assert second.older is None


def reviewed_run(number: int, **values: Any) -> Any:
    judge = {"confidence_score": 6, "conflict_score": 3}
    review = {"confidence_score": 9, "conflict_score": 2}
    steps = [
        {
            "stage": "coder",
            "model": "m",
            "duration_ms": 2100,
            "first_token_ms": 100,
            "output_tokens": 50,
        },
        {"stage": "judge", "model": "j", "duration_ms": 1000, "load_ms": 500, "output_tokens": 10},
    ]
    reason = "confidence 6 < 8"
    known = {"judge": judge, "reviewer_judge": review, "steps": steps, "escalated": True}
    return make_record(run_id(number), **(known | {"escalation_reason": reason} | values))


def test_numbers_add_up(tmp_path: Path, index: Index) -> None:
    """Each number as one would count it by hand, also when a filter narrows it."""
    failed = {"code": "model_timeout", "message": ""}
    runs = [
        reviewed_run(1, ts="2026-11-20T23:59:59Z"),
        reviewed_run(2, escalation_reason="evidence: cut off", judge=None, reviewer_judge=None),
        reviewed_run(3, escalated=False, escalation_reason=None, reviewer_judge=None),
        make_record(run_id(4), mode="code_raw", error=failed),
        make_record(run_id(5), kind="auxiliary", mode="code_raw"),
    ]
    filled(index, tmp_path / "history", runs)  # type: ignore[arg-type]
    for text in ("", "-host:nowhere"):
        found = numbers(index, parse(text, NOW))
        assert [(day.day, day.runs, day.escalated, day.errors) for day in found.days] == [
            ("2026-11-20", 1, 1, 0),
            ("2026-11-21", 3, 1, 1),
        ]
        assert [(bar.label, bar.runs) for bar in found.modes] == [
            ("code_reviewed", 3),
            ("code_raw", 1),
        ]
        assert (found.runs, found.decided, found.escalated.runs) == (4, 3, 2)
        assert found.escalation_rate == pytest.approx(2 / 3)
        assert found.error_rate == pytest.approx(1 / 4)
        assert [(bar.label, bar.runs) for bar in found.reasons] == [
            ("confidence", 1),
            ("evidence", 1),
        ]
        assert [bar.runs for bar in found.confidence] == [0, 0, 0, 0, 0, 2, 0, 0, 0, 0]
        assert found.review
        assert found.review.runs == 1
        assert (found.review.confidence_change, found.review.conflict_change) == (3, -1)
        coder, judge = found.stages
        assert coder.stage == "coder"
        assert coder.p50_ms == pytest.approx(2100, rel=0.05)
        assert judge.p95_ms == pytest.approx(1000, rel=0.05)
        fast, slow = found.models
        assert (fast.model, fast.tokens) == ("m", 150)
        assert fast.tokens_per_s == pytest.approx(25)
        assert slow.tokens_per_s == pytest.approx(20)
    assert numbers(index, parse("mode:nothing", NOW)).escalation_rate == 0


def test_runs_that_stay_undecided_could_escalate(tmp_path: Path, index: Index) -> None:
    """No judge was asked of them, and they count as those that evidence came before; their badge
    says what they are."""
    undecided = "undecided: no two of 3 drafts agree on 20 calls"
    runs = [
        reviewed_run(1, escalation_reason=undecided, judge=None, reviewer_judge=None),
        reviewed_run(2, escalated=False, escalation_reason=None, reviewer_judge=None),
    ]
    filled(index, tmp_path / "history", runs)  # type: ignore[arg-type]
    found = numbers(index, parse("", NOW))
    assert (found.decided, found.escalated.runs, found.escalation_rate) == (2, 1, 0.5)
    assert [bar.label for bar in found.reasons] == ["undecided"]
    assert walked(index, "reason:undecided", limit=5) == [runs[0]["id"]]
    assert row_view(row_of(runs[0])).badge == "undecided"


def bars_of(found: Any) -> list[tuple[int, str]]:
    """Every number of the page that counts runs, with the filter that is to find them."""
    bars = [*found.modes, *found.reasons, *found.confidence, *found.conflict]
    bars += [*found.errors, found.escalated, *([found.review] if found.review else [])]
    return [(bar.runs, bar.filter) for bar in [*bars, *found.days]]


def test_numbers_lead_to_their_runs(tmp_path: Path, index: Index) -> None:
    """A number's filter finds just as many runs as the number says."""
    choose = random.Random(5)
    filled(index, tmp_path / "history", [a_run(choose, number) for number in range(120)])
    for text in ("", "escalated:yes sort"):
        found = numbers(index, parse(text, NOW))
        for runs, link in bars_of(found):
            assert len(walked(index, link, limit=200)) == runs, link
        for speed in (*found.models, *found.stages):
            assert walked(index, speed.filter, limit=200), speed


@pytest.mark.parametrize(("confidence", "conflict"), [(8, 6), (7, 6), (1, 10), (10, 1), (5, 3)])
def test_other_thresholds(tmp_path: Path, index: Index, confidence: int, conflict: int) -> None:
    """What would have escalated, against asking each verdict; the filters find the difference."""
    choose = random.Random(9)
    runs = [a_run(choose, number) for number in range(200)]
    filled(index, tmp_path / "history", runs)
    decided = [
        record
        for record in runs
        if record["kind"] != "auxiliary" and verdict(record) in ("pass", "escalated")
    ]

    def escalates(record: dict[str, Any]) -> bool:
        low, high = score(record, "confidence_score"), score(record, "conflict_score")
        assert low and high
        return low < confidence or high > conflict

    released = [r["id"] for r in decided if verdict(r) == "escalated" and not escalates(r)]
    added = [r["id"] for r in decided if verdict(r) == "pass" and escalates(r)]
    found = what_if(index, parse("", NOW), confidence, conflict)

    assert found.runs == len(decided)
    assert found.would_escalate == sum(map(escalates, decided))
    assert found.escalated == sum(verdict(record) == "escalated" for record in decided)
    assert sorted(walked(index, found.released.filter, 300)) == released
    assert found.released.runs == len(released)
    assert sorted(id for bar in found.added for id in walked(index, bar.filter, 300)) == added
    assert sum(bar.runs for bar in found.added) == len(added)
    assert sum(cell.passed + cell.escalated for cell in found.cells) == len(decided)


@settings(deadline=None)
@given(st.lists(st.floats(1, 1e7), min_size=1, max_size=50), st.sampled_from([0.5, 0.95]))
def test_percentiles_are_close(values: list[float], part: float) -> None:
    """Within the width of a bucket of the exact one."""
    from math import ceil

    from history.counts import FINE
    from history.index_query import bucket_of

    exact = sorted(values)[ceil(len(values) * part) - 1]
    found = percentile(Counter(bucket_of(value, FINE) for value in values), part)
    assert found + 1 == pytest.approx(exact + 1, rel=0.045)


def test_rows_hold_little(tmp_path: Path) -> None:
    """The first line of a long prompt, so much of it as a line shows."""
    row: Row = row_of(make_record(normalized_prompt="\n  " + "x" * 500 + "\nsecond"))
    assert row.prompt == "x" * 200
    assert row_of(make_record(normalized_prompt="one\r\ntwo")).prompt == "one"


def test_a_text_is_in_the_language_on_record() -> None:
    """Only records without the key are judged by the looks of their text."""
    record = {"final_output": "def run(): pass", "normalized_prompt": "x"}
    for more, language in (
        ({}, "python"),
        ({"language": "ruby"}, "ruby"),
        ({"language": None}, None),
    ):
        assert run_detail.code(record | more, "output").language == language
    assert run_detail.code({"original_prompt": "def run()"}, "prompt").language is None
