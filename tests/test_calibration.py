"""`laios calibrate`: a judge's scores against executed labels."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from measured import result
from processes import invoke

from server.benchmark.calibration import Scored, calibrate, scored_drafts

IN_FORCE = (8, 6)


def row(confidence, conflict, right, judge="ollama/j", n=0):
    models = {"coder": "ollama/c", "judge": judge}
    scores = {"confidence": confidence, "conflict": conflict}
    return result(f"p/{n}", "reviewed", right, models=models, **scores)


def drafts(right, wrong):
    """Scores of right and of wrong drafts: pairs of confidence and conflict."""
    return [Scored(*each, True) for each in right] + [Scored(*each, False) for each in wrong]


def test_a_judge_that_knows_is_told_its_thresholds():
    """All wrong drafts get 5 or less here, all right ones 6 or more: thresholds between cost
    nothing, also when they are chosen without the draft in question."""
    found = calibrate("j", drafts([(6, 2), (9, 1)] * 10, [(5, 3), (2, 8)] * 10), IN_FORCE, 0.5, 3)
    assert (found.accepted_right.k, found.rejected_wrong.k) == (10, 20)
    assert found.auroc == found.auroc_high == 1.0 and found.auroc_low > 0.9
    assert found.best[0] == 6 and found.cost_of_best == 0 and found.enough and found.pays
    assert {level: share.k / share.of for level, share in found.reliability.items()} == {
        9: 1.0,
        6: 1.0,
        5: 0.0,
        2: 0.0,
    }


def test_a_judge_that_always_says_the_same_does_not_pay():
    """Ten out of ten for everything: no threshold is better than not asking."""
    found = calibrate("j", drafts([(10, 1)] * 20, [(10, 1)] * 10), IN_FORCE, 0.5, 3)
    assert found.auroc == 0.5 and not found.pays
    assert (found.cost_of_always, found.cost_of_never) == (30, 20)


def test_few_drafts_say_nothing():
    """Under twenty, or under five of a kind."""
    assert not calibrate("j", drafts([(9, 1)] * 10, [(1, 9)] * 5), IN_FORCE, 0.5, 3).enough
    assert not calibrate("j", drafts([(9, 1)] * 40, [(1, 9)] * 4), IN_FORCE, 0.5, 3).enough


@given(
    st.lists(st.tuples(st.integers(1, 10), st.integers(1, 10), st.booleans()), max_size=30),
    st.floats(0.1, 10),
)
def test_any_scores_are_calibrated(scores, cost):
    """The best thresholds cost no more on their own drafts than what is always said, and are ones
    that a setting can have."""
    found = calibrate("j", [Scored(*each) for each in scores], IN_FORCE, 0.5, cost)
    assert 1 <= found.best[0] <= 10 and 1 <= found.best[1] <= 10
    assert found.auroc is None or 0 <= found.auroc_low <= found.auroc <= found.auroc_high <= 1
    json.dumps(found.as_json())


@given(
    st.lists(st.tuples(st.floats(0, 1), st.booleans()), min_size=1, max_size=30),
    st.floats(0.1, 10),
)
def test_any_probabilities_are_calibrated(words, cost):
    """One threshold, that a setting can have; on its own drafts it costs no more than what is
    always said, but for a yes of exactly one."""
    judged = [Scored(9, 2, right, yes) for yes, right in words]
    found = calibrate("j", judged, IN_FORCE, 0.5, cost)
    assert isinstance(found.best, float) and 0 <= found.best <= 1
    assert found.accepted_right.k == sum(right and yes >= 0.5 for yes, right in words)
    assert set(found.as_json()["best"]) == {"p_correct"}


def test_words_are_told_apart_between_the_levels():
    """All have the same scores; what the probabilities tell apart, a threshold does."""
    judged = [Scored(9, 2, True, 0.8)] * 20 + [Scored(9, 2, False, 0.7)] * 20
    found = calibrate("j", judged, IN_FORCE, 0.5, 3)
    assert (found.best, found.auroc, found.cost_of_best, found.pays) == (0.75, 1.0, 0, True)
    assert (found.rejected_wrong.k, found.accepted_right.k) == (0, 20)


def test_a_judge_is_measured_as_it_is_asked_now():
    """Of one that gave scores before it gave words, or the other way round, the later ones."""
    scores, word = row(9, 1, True), row(9, 2, True) | {"p_correct": 0.8}
    assert scored_drafts([scores, word]) == {"ollama/j": [Scored(9, 2, True, 0.8)]}
    assert scored_drafts([word, scores]) == {"ollama/j": [Scored(9, 1, True)]}


def test_a_draft_counts_once_however_often_it_was_judged(tmp_path):
    """The same problems in other modes, settings and versions are no more drafts, and not enough to
    say anything; another coder's are others."""
    path = tmp_path / "r.jsonl"
    said = [
        row(9, n, bool(n % 2), n=n) | {"arm": arm, "revision": revision}
        for revision in "ab"
        for arm in ("reviewed", "best")
        for n in range(8)
    ]
    path.write_text("\n".join(map(json.dumps, said)) + "\n")
    done = invoke("calibrate", "--results", str(path))
    assert "ollama/j, 8 drafts that" in done.stdout and "Too few drafts" in done.stdout
    other = said[0] | {"models": {"coder": "ollama/d", "judge": "ollama/j"}}
    assert len(scored_drafts([*said, other])["ollama/j"]) == 9


def test_the_command_writes_the_threshold_of_a_word(tmp_path, monkeypatch):
    """The setting that counts there, and no other."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    said = [row(9, 2, bool(n % 2), n=n) | {"p_correct": 0.7 + 0.1 * (n % 2)} for n in range(40)]
    path = tmp_path / "results.jsonl"
    path.write_text("\n".join(map(json.dumps, said)) + "\n")
    done = invoke("calibrate", "--results", str(path), "--write")
    assert "JUDGE_YES_THRESHOLD = 0.75" in done.stdout
    config = (tmp_path / "config" / "laios" / "config.toml").read_text()
    assert "judge_yes_threshold = 0.75" in config and "escalation" not in config


def test_verdicts_are_kept_apart_by_judge():
    """What was not judged is no verdict."""
    found = scored_drafts([row(9, 1, True), row(None, None, True), row(3, 2, False, judge="x")])
    assert found == {"ollama/j": [Scored(9, 1, True)], "x": [Scored(3, 2, False)]}


def test_what_was_measured_without_a_verdict_says_why(tmp_path):
    """Facts that reject a draft leave nothing to judge, however often it is measured so."""
    rows = [
        result("p/1", "reviewed", False, evidence=["coder:example", "reviewer:example"]),
        result("p/2", "reviewed", True),
        result("p/3", "raw", True),
    ]
    path = tmp_path / "r.jsonl"
    path.write_text("".join(json.dumps(each) + "\n" for each in rows))
    for judge in ("ollama/m:1", "auto"):
        done = invoke("calibrate", "--results", str(path), "-m", judge)
        assert done.returncode == 2
        assert "2 answers were measured without one: facts rejected 1 of their" in done.stderr
        assert "1 were decided without it" in done.stderr
        assert done.stderr.endswith(f"-m {judge} --without-examples\n")
    other = invoke("calibrate", "--results", str(path), "-m", "ollama/other")
    assert "Measure some first" in other.stderr


@pytest.fixture
def results(tmp_path):
    """Measured verdicts of a judge that knows."""
    rows = [row(9 if n % 2 else 4, 2, bool(n % 2), n=n) for n in range(40)]
    path = tmp_path / "results.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)) + "\n")
    return str(path)


def test_the_command_shows_and_writes(results, tmp_path, monkeypatch):
    """Rates with intervals, the reliability table, the advice; `--write` changes config.toml."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    shown = invoke("calibrate", "--results", results)
    assert shown.returncode == 0, shown.stderr
    assert "accepts right drafts   20 of 20 (84%-100%)" in shown.stdout
    assert "AUROC                  1.00" in shown.stdout
    assert "ESCALATION_CONFIDENCE_THRESHOLD = 9" in shown.stdout
    written = invoke("calibrate", "--results", results, "-m", "ollama/j", "--write", "--json")
    assert json.loads(written.stdout)["best"] == {"confidence": 9, "conflict": 2}
    config = (tmp_path / "config" / "laios" / "config.toml").read_text()
    assert "escalation_confidence_threshold = 9" in config


def test_of_several_judges_one_is_to_be_named(tmp_path):
    """What it says helps: with the name, the same command answers."""
    path = tmp_path / "results.jsonl"
    several = [row(9, 1, True, judge=f"ollama/{name}") for name in "ab"]
    path.write_text("".join(f"{json.dumps(each)}\n" for each in several))
    done = invoke("calibrate", "--results", str(path))
    assert done.returncode == 2 and "ollama/a, ollama/b. Choose one: -m" in done.stderr
    assert invoke("calibrate", "--results", str(path), "-m", "ollama/a").returncode == 0


def test_what_cannot_be_said_is_not_written(tmp_path, monkeypatch):
    """Nothing measured, another judge, too few drafts: an error with what to do, no file."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    path = tmp_path / "r.jsonl"
    nothing = invoke("calibrate", "--results", str(path), "-m", "ollama/j")
    assert nothing.returncode == 2 and "laios bench" in nothing.stderr
    path.write_text("print(1)\n")
    foreign = invoke("calibrate", "--results", str(path), "-m", "ollama/j")
    assert foreign.returncode == 2 and "not a results file of laios bench" in foreign.stderr
    path.write_text(json.dumps(row(9, 1, True)) + "\n")
    other = invoke("calibrate", "--results", str(path), "-m", "ollama/x")
    assert other.returncode == 2 and "There are verdicts of: ollama/j" in other.stderr
    few = invoke("calibrate", "--results", str(path), "--write")
    assert few.returncode == 1 and "Too few drafts" in few.stdout
    assert not (tmp_path / "config" / "laios").exists()
