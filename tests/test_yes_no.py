"""A judge that is asked for one word, whose probability counts."""

from contextlib import suppress
from math import log
from typing import Any

import pytest
from fake_answers import Exchange
from fakes import CODE, Answer, FakeOllama, Pulled
from hypothesis import given
from hypothesis import strategies as st

from config import load_settings
from pipeline.errors import Unreadable
from pipeline.review.defect_words import defect_in
from pipeline.review.judge import write_prompt
from pipeline.review.verdict import Verdict
from pipeline.review.yes_no import probability_of_yes, verdict_of, write_question
from pipeline.task import Task

DRAFT = "def add(a, b):\n    return a - b\n"
REVIEW = "def add(a, b):\n    return a + b\n"
CODER = {"role": "coder", "reply": DRAFT}
REVIEWER = {"role": "reviewer", "reply": REVIEW}
RIGHT = '{"confidence_score": 9, "conflict_score": 1, "judgement_summary": "It adds."}'
SCORES = {"role": "judge", "verdict": [9, 1, "It is right."]}
probabilities = st.floats(0, 1)


def word(yes: float, **more: Any) -> dict[str, Any]:
    return {"role": "judge", "yes": yes, **more}


def row(**shares: float) -> list[dict[str, Any]]:
    """A first token as OpenAI, Ollama and llama.cpp tell of it."""
    likely = [{"token": token, "logprob": log(share)} for token, share in shares.items()]
    return [{"token": next(iter(shares)), "top_logprobs": likely}]


async def test_a_yes_is_a_verdict_that_passes(pipeline_with):
    """One call for one token; the record has its probability beside the usual form."""
    async with pipeline_with(CODER, word(0.9), JUDGE_FORM="yes_no") as run:
        assert await run("add") == DRAFT
    judge, steps = run.record["judge"], run.record["steps"]
    assert (judge["confidence_score"], judge["conflict_score"]) == (10, 1)
    assert (judge["p_correct"], judge["raw_response"], judge["error"]) == (0.9, "Yes", None)
    assert "a probability of 0.90" in judge["judgement_summary"]
    assert [step["stage"] for step in steps] == ["coder", "judge"]
    assert steps[1]["finish_reason"] == "stop" and steps[1]["error"] is None


async def test_a_no_escalates(pipeline_with):
    """The reviewer is not told how likely the judge's yes was, which helps nobody, and its review
    is judged the same way."""
    words = (word(0.3, times=1), word(0.8))
    told = {**REVIEWER, "prompt": "a probability|found wrong", "reply": DRAFT}
    async with pipeline_with(CODER, *words, told, REVIEWER, JUDGE_FORM="yes_no") as run:
        assert await run("add") == REVIEW
    assert run.record["escalation_reason"] == "confidence 5 < 8"
    assert run.record["reviewer_judge"]["p_correct"] == 0.8


async def test_the_threshold_is_a_setting(pipeline_with):
    """A yes that is less likely than it has to be is a no."""
    settings = {"JUDGE_FORM": "yes_no", "JUDGE_YES_THRESHOLD": 0.75}
    async with pipeline_with(CODER, word(0.7, times=1), word(0.9), REVIEWER, **settings) as run:
        assert await run("add") == REVIEW
    assert "0.70 to be right; at least 0.75" in run.record["judge"]["judgement_summary"]


async def test_a_review_with_a_less_likely_yes_is_not_taken(pipeline_with):
    """The draft stays, as where a review's scores are lower."""
    words = (word(0.4, times=1), word(0.1))
    async with pipeline_with(CODER, *words, REVIEWER, JUDGE_FORM="yes_no") as run:
        assert await run("add") == DRAFT
    assert "rated lower" in run.record["final_reason"]


async def test_what_is_neither_yes_nor_no_is_asked_as_scores(pipeline_with):
    """A word that cannot be read decides nothing; its step says why."""
    unread = {"role": "judge", "reply": "Perhaps", "times": 1}
    async with pipeline_with(CODER, unread, SCORES, JUDGE_FORM="yes_no") as run:
        assert await run("add") == DRAFT
    steps = run.record["steps"]
    assert [step["stage"] for step in steps] == ["coder", "judge", "judge"]
    assert "neither yes nor no" in steps[1]["error"]["message"]
    assert "p_correct" not in run.record["judge"]
    assert run.record["judge"]["confidence_score"] == 9


async def test_a_judge_without_any_answer_escalates(pipeline_with):
    """It fails closed, however it is asked."""
    mute = {"role": "judge", "fault": "failed"}
    async with pipeline_with(CODER, mute, REVIEWER, JUDGE_FORM="yes_no") as run:
        assert await run("add") == REVIEW
    assert "judge failed" in run.record["escalation_reason"]


@pytest.mark.parametrize(
    ("settings", "prompts"),
    [({}, {}), ({"JUDGE_FORM": "scores"}, {}), ({"JUDGE_FORM": "yes_no"}, {"judge.txt": "Judge."})],
)
async def test_scores_are_asked_of_others(pipeline_with, tmp_path, settings, prompts):
    """Of a model that is not known to be small, where the settings say so, and where a person has
    rules of their own for the judge."""
    for name, text in prompts.items():
        (tmp_path / name).write_text(text)
        settings = {**settings, "PROMPTS_DIR": tmp_path}
    async with pipeline_with(CODER, word(0.1), SCORES, **settings) as run:
        assert await run("add") == DRAFT
    assert "p_correct" not in run.record["judge"]


async def test_a_small_model_is_asked_for_a_word_by_itself(pipeline_with, script):
    """As its name says that it is one."""
    small = script(word(0.7), name="judge-1.5b")
    async with pipeline_with(CODER, JUDGE_MODEL_NAME=small) as run:
        assert await run("add") == DRAFT
    assert run.record["judge"]["p_correct"] == 0.7


@pytest.mark.parametrize("is_old", [False, True])
async def test_ollama_gives_the_probability(daemon_with, monkeypatch, is_old):
    """An Ollama of before 2025-11 has none: it is asked for scores as well, and the run goes on."""
    if is_old:
        monkeypatch.setattr(Exchange, "scores", lambda exchange, piece: {})
    models = (Pulled("qwen2.5-coder:7b"), Pulled("qwen2.5-coder:1.5b"))
    answers = Answer(CODE, times=1), Answer("Yes", times=1), Answer(RIGHT)
    settings = {
        "CODER_MODEL_NAME": "ollama/qwen2.5-coder:7b",
        "JUDGE_MODEL_NAME": "ollama/qwen2.5-coder:1.5b",
        "JUDGE_WHEN": "always",
        "MAX_DRAFTS": 1,
        "EVIDENCE_RUN": "off",
    }
    with FakeOllama(*answers, models=models) as fake:
        async with daemon_with(OLLAMA_HOST=fake.url, **settings) as (_, http):
            answer = await http.post("/prompt", json={"prompt": "add", "details": True})
    verdict = answer.json()["details"]["verdict"]
    asked = fake.requests[1]
    assert (asked["logprobs"], asked["options"]["num_predict"]) == (True, 1)
    assert verdict.get("p_correct") == (None if is_old else 1.0)
    assert len(fake.requests) == (3 if is_old else 2)


@given(probabilities, probabilities, probabilities)
def test_a_larger_probability_is_never_a_worse_verdict(one, other, least):
    """By the usual thresholds what is as likely as it has to be passes, and nothing else."""
    less, more = (verdict_of(each, least, "") for each in sorted((one, other)))
    assert not more.worse_than(less)
    assert 1 <= less.confidence_score <= more.confidence_score <= 10
    assert 1 <= more.conflict_score <= less.conflict_score <= 10
    for yes in (one, other):
        verdict = verdict_of(yes, least, "")
        assert (verdict.escalation(load_settings()) is None) == (yes >= least)
        assert not defect_in(verdict.judgement_summary or "")


def test_all_ways_to_write_the_words_count_together():
    """Blanks and capitals are the tokenizer's; other words take nothing from either."""
    found = probability_of_yes(row(Yes=0.3, **{" yes": 0.1, "NO": 0.2, "no": 0.2, "Maybe": 0.2}))
    assert found == pytest.approx(0.5)


@given(st.dictionaries(st.text(), st.floats(min_value=1e-9, max_value=1), max_size=5))
def test_any_words_are_a_probability_or_unreadable(shares):
    """Whatever a backend has among its likely tokens."""
    try:
        found = probability_of_yes(row(**{"x": 0.5} | shares))
    except Unreadable:
        assert not {"yes", "no"} & {each.strip().lower() for each in shares}
    else:
        assert 0 <= found <= 1


anything = st.recursive(
    st.none() | st.booleans() | st.floats() | st.text() | st.sampled_from(["yes", "no"]),
    lambda inner: st.lists(inner) | st.dictionaries(st.sampled_from(["token", "logprob"]), inner),
    max_leaves=12,
)


@given(anything)
def test_probabilities_in_any_form_are_read_or_refused(likely):
    """A backend that sends something else costs no run."""
    with suppress(Unreadable):
        assert 0 <= probability_of_yes([{"top_logprobs": likely}]) <= 1


@pytest.mark.parametrize("rows", [[], [{}], [{"top_logprobs": None}], row(Maybe=0.9)])
def test_no_words_are_unreadable(rows):
    """As from a backend that gives no probabilities."""
    with pytest.raises(Unreadable):
        probability_of_yes(rows)


def test_it_reads_on_where_scores_would():
    """The conversation up to the last turn is the same, so that a backend has it read; facts stand
    between marks."""
    task = Task("Write add.")
    *head, last = write_question(task, DRAFT, facts="add(1, 2) gives -1")
    *same, _ = write_prompt(task, DRAFT)
    assert head == same
    assert "add(1, 2) gives -1" in last["content"] and "FACTS" in last["content"]
    assert last["content"].endswith("Yes or no:")


def test_a_verdict_in_scores_is_recorded_as_ever():
    """Nothing is added to it."""
    assert "p_correct" not in Verdict(9, 1, "", "{}").as_json()
