"""The default mode where the request states examples in words that no rule reads."""

import shutil

import pytest

from history.open_questions import open_questions
from pipeline.review.held_examples import AT_MOST, HOLD, MOSTLY, UNHELD
from pipeline.run_record import without_texts
from pipeline.sandbox import SandboxUnavailable
from pipeline.testcases.examples.example_search import find_examples
from server.runtime.stage_labels import stage_label
from server.terminal.record_sections import sections

pytestmark = pytest.mark.skipif(
    shutil.which("bwrap") is None, reason="the sandbox needs bubblewrap"
)
PROMPT = "Write merge(a, b). Merging [1, 3] and [2] gives [1, 2, 3]."
RIGHT = "def merge(a, b):\n    return sorted(a + b)\n"
ALSO_RIGHT = "def merge(a, b):\n    both = a + b\n    return sorted(both)\n"
WRONG = "def merge(a, b):\n    return a + b\n"
ALSO_WRONG = "def merge(a, b):\n    return [*a, *b, 0]\n"
THIRD_WRONG = "def merge(a, b):\n    return [*b, *a]\n"
JUDGED = {"role": "judge", "verdict": [9, 1, "It is right."]}
READ = "1. assert merge([1, 3], [2]) == [1, 2, 3]"
READ_AS = "merge([1, 3], [2]) → [1, 2, 3]"


HEAD = "(a: list[int], b: list[int])"


def typed(draft):
    """With kinds of arguments that it takes, so that drafts are called with lists."""
    return draft.replace("(a, b)", HEAD)


def reads(reply):
    """What the coder's model answers where it is to copy the examples; before its other replies."""
    return {"role": "coder", "prompt": "Copy the examples", "reply": reply}


def coder(*replies):
    return {"role": "coder", "reply": list(replies)}


def reading(pipeline_with, *rules, **settings):
    mine = {"EVIDENCE_RUN": "auto", "COMPARE_DRAFTS": "auto", "JUDGE_WHEN": "undecided"}
    tests = {"role": "coder", "prompt": "tests of it, a line each", "reply": "NONE"}
    return pipeline_with(tests, *rules, JUDGED, **{"MAX_DRAFTS": 5} | mine | settings)


def labels(record):
    return [step["label"] or step["stage"] for step in record["steps"]]


async def test_a_draft_that_holds_them_is_the_answer(pipeline_with):
    """Nobody is asked of it, and no other draft is drawn; the record has the examples."""
    assert not find_examples(PROMPT).cases
    async with reading(pipeline_with, reads(READ), coder(RIGHT)) as run:
        assert await run(PROMPT) == RIGHT
    record = run.record
    assert record["final_reason"] == f"not judged: {HOLD}"
    assert record["artefact"]["chosen_because"] == HOLD
    assert record["artefact"]["read_examples"] == [{"test": READ_AS, "held_by": [1]}]
    assert [each["chosen"] for each in record["artefact"]["drafts"]] == [True]
    assert open_questions(record) == []


async def test_one_that_does_not_is_drawn_again(pipeline_with):
    """Until one holds them, which then is the answer."""
    async with reading(pipeline_with, reads(READ), coder(WRONG, ALSO_WRONG, RIGHT)) as run:
        assert await run(PROMPT) == RIGHT
    made = run.record["artefact"]
    assert [each["chosen"] for each in made["drafts"]] == [False, False, True]
    assert made["read_examples"][0]["held_by"] == [3]
    assert ("examples that a model found", f"{READ_AS}, passed by 3") in sections(run.record)
    assert run.record["final_reason"] == f"not judged: {HOLD}"


async def test_where_no_draft_holds_them_that_is_told(pipeline_with):
    """The model may have read them wrong: drafts are compared as those without examples, but their
    agreement decides nothing."""
    drafts = coder(WRONG, ALSO_WRONG, WRONG)
    async with reading(pipeline_with, reads(READ), drafts, MAX_DRAFTS=3) as run:
        assert await run(PROMPT) == WRONG
    made = run.record["artefact"]
    assert [each["chosen"] for each in made["drafts"]] == [True, False, False]
    assert made["agreement"]["classes"] == [[0, 2], [1]]
    assert made["read_examples"][0]["held_by"] == []
    assert open_questions(run.record)[0] == (
        f"{READ_AS}, an example that a model found in the request, fails"
    )
    assert HOLD not in str(run.record)
    asked = [step["stage"] for step in run.record["steps"] if step["model"]]
    assert asked[-1] == "judge"


async def test_of_drafts_that_hold_some_the_one_that_holds_most_is_the_answer(pipeline_with):
    """And nothing is said of those that it holds."""
    prompt = f"{PROMPT} Merging [4] and [] gives [4]."
    read = f"{READ}\n2. assert merge([4], []) == [4]"
    drafts = coder(ALSO_WRONG, WRONG, ALSO_WRONG)
    async with reading(pipeline_with, reads(read), drafts, MAX_DRAFTS=3) as run:
        assert await run(prompt) == WRONG
    made = run.record["artefact"]
    assert [each["chosen"] for each in made["drafts"]] == [False, True, False]
    assert [each["held_by"] for each in made["read_examples"]] == [[], [2]]
    told = [each for each in open_questions(run.record) if each.endswith("fails")]
    assert told == [f"{READ_AS}, an example that a model found in the request, fails"]
    assert labels(run.record).count("examples that a model read") == 2  # two programs


async def test_each_draft_is_called_by_its_own_name(pipeline_with):
    """Where the request names none."""
    prompt = PROMPT.replace("Write merge(a, b).", "A function for lists, please.")
    drafts = coder(WRONG, RIGHT.replace("merge", "join"))
    async with reading(pipeline_with, reads(READ), drafts) as run:
        assert "def join" in await run(prompt)
    assert run.record["final_reason"] == f"not judged: {HOLD}"


async def test_best_of_several_draws_until_two_of_those_that_hold_them_agree(pipeline_with):
    """More agree on what does not hold; it ends before all drafts are drawn."""
    drafts = coder(*map(typed, (WRONG, RIGHT, WRONG, ALSO_RIGHT)))
    async with reading(pipeline_with, reads(READ), drafts) as run:
        assert await run(f"///best=8 {PROMPT}") == typed(RIGHT)
    made = run.record["artefact"]
    assert [each["chosen"] for each in made["drafts"]] == [False, True, False, False]
    assert made["read_examples"] == [{"test": READ_AS, "held_by": [2, 4]}]
    assert (made["chosen_because"], run.record["escalated"]) == (HOLD, False)


async def test_best_of_several_tells_where_none_holds_them(pipeline_with):
    """However many agree."""
    async with reading(pipeline_with, reads(READ), coder(WRONG)) as run:
        assert await run(f"///best=3 {PROMPT}") == WRONG
    assert len(run.record["artefact"]["drafts"]) == 3
    told = f"{READ_AS}, an example that a model found in the request"
    assert told in open_questions(run.record)[0]


async def test_of_drafts_that_hold_them_the_larger_class_is_the_answer(pipeline_with):
    """Not the first, which may do what the examples say alone."""
    alone = f"def merge{HEAD}:\n    return [1, 2, 3]\n"
    drafts = coder(*map(typed, (WRONG, alone, RIGHT, WRONG, ALSO_RIGHT)))
    async with reading(pipeline_with, reads(READ), drafts) as run:
        assert await run(f"///best=5 {PROMPT}") == typed(RIGHT)
    assert run.record["artefact"]["read_examples"][0]["held_by"] == [2, 3, 5]


async def test_plans_follow_five_drafts_that_do_not_run(pipeline_with):
    """As where no example is read: `///best` draws no more from the bare request."""
    plans = {"role": "coder", "prompt": "approaches", "reply": "1. Sort both.\n2. Merge them."}
    async with reading(pipeline_with, plans, coder("def merge(:\n")) as run:
        await run(f"///best=8 {PROMPT}")
    drawn = [each for each in labels(run.record) if each in ("coder", "plans") or "draft" in each]
    assert drawn[:6] == ["coder", "draft 2", "draft 3", "draft 4", "draft 5", "plans"]


@pytest.mark.parametrize(("others", "why"), [(((4, 2),), AT_MOST), (((4, 2), (5, 1)), MOSTLY)])
async def test_what_most_drafts_do_says_nothing_of_one_that_does_otherwise(
    pipeline_with, others, why
):
    """Where it is the answer because it holds more examples, that is why, and "most" are more than
    half of them; the others are told."""
    said = [f"Merging [{a}] and [{b}] gives [{a}, {b}]." for a, b in others]
    prompt = " ".join([PROMPT, *said])
    read = "\n".join([READ, *(f"2. assert merge([{a}], [{b}]) == [{a}, {b}]" for a, b in others)])
    drafts = coder(*map(typed, (THIRD_WRONG, THIRD_WRONG, WRONG)))
    async with reading(pipeline_with, reads(read), drafts, MAX_DRAFTS=3) as run:
        assert await run(prompt) == typed(WRONG)
    made = run.record["artefact"]
    assert made["chosen_because"] == why
    assert made["differences"]


async def test_the_request_says_how_many_arguments_a_call_has(pipeline_with):
    """A draft that takes others does not hold its examples."""
    three = "def merge(a, b, c):\n    return a + b\n"
    async with reading(pipeline_with, reads(READ), coder(three, RIGHT)) as run:
        assert await run(PROMPT) == RIGHT
    assert run.record["final_reason"] == f"not judged: {HOLD}"


async def test_what_was_not_run_is_not_said_to_fail(pipeline_with, monkeypatch):
    """Where the sandbox cannot be had any more, as where the time is up."""

    async def unavailable(*_):
        raise SandboxUnavailable("It is gone.")

    monkeypatch.setattr("pipeline.review.held_examples.results_of", unavailable)
    async with reading(pipeline_with, reads(READ), coder(WRONG), MAX_DRAFTS=2) as run:
        assert await run(PROMPT) == WRONG
    assert "read_examples" not in (run.record["artefact"] or {})
    assert not any("that a model found" in each for each in open_questions(run.record))
    notes = [s["note"] for s in run.record["steps"] if s["label"] == "examples that a model read"]
    assert notes == ["not run"]  # the same program, twice


@pytest.mark.parametrize(
    "draft",
    ["def merge():\n    return []\n", "def merge(a):\n    return sorted(a[0] + a[1])\n"],
    ids=["takes nothing", "takes another number"],
)
async def test_a_draft_that_cannot_be_called_so_shows_that_nothing_was_read(pipeline_with, draft):
    """One that takes nothing has no examples, and what gives others is none of its own."""
    prompt = "Write merge. Merging [1, 3] and [2] gives [1, 2, 3]."
    async with reading(pipeline_with, reads(READ), coder(draft, draft)) as run:
        assert await run(prompt) == draft
    assert "read_examples" not in (run.record["artefact"] or {})


@pytest.mark.parametrize(
    ("drafts", "reason"),
    [
        ((RIGHT,), f"not judged: {HOLD}"),
        ((WRONG, ALSO_WRONG, WRONG), f"undecided: {UNHELD}"),
    ],
)
async def test_reasons_stay_where_texts_are_not_kept(pipeline_with, drafts, reason):
    """They are laios' own words; the example is not."""
    async with reading(pipeline_with, reads(READ), coder(*drafts)) as run:
        await run(PROMPT)
    record = {**run.record, "final_reason": f"{reason}: {READ_AS}"}
    assert without_texts(record)["final_reason"] == reason


@pytest.mark.parametrize(
    "reply",
    ["NONE", "1. assert merge([5], [4]) == [4, 5]", "1. assert join([1, 3], [2]) == [1, 2, 3]"],
)
async def test_what_the_model_makes_up_is_no_example(pipeline_with, reply):
    """Neither other values nor another function: two drafts that do the same decide."""
    async with reading(pipeline_with, reads(reply), coder(RIGHT, RIGHT)) as run:
        assert await run(PROMPT) == RIGHT
    assert "drafts agree" in run.record["final_reason"]


@pytest.mark.parametrize(
    "prompt",
    [
        "Write merge(a, b), which merges two sorted lists.",
        "Write merge(a, b). merge([1, 3], [2]) == [1, 2, 3]",
        "Why does merge(a, b) make [1, 3, 2] of [1, 3] and [2]? Write it anew.",
        "Fix merge(a, b): of [1, 3] and [2] it makes [1, 3, 2].",
    ],
)
async def test_it_is_asked_only_where_something_may_be_read(pipeline_with, prompt):
    """Not without values, not where rules read them, not of what goes wrong."""
    async with reading(pipeline_with, coder(RIGHT, RIGHT)) as run:
        assert await run(prompt) == RIGHT
    assert "examples" not in labels(run.record)


@pytest.mark.parametrize("settings", [{"MAX_DRAFTS": 1}, {"COMPARE_DRAFTS": "off"}])
async def test_who_wants_one_draft_pays_for_one(pipeline_with, settings):
    """The settings that spare further drafts spare this too."""
    async with reading(pipeline_with, coder(RIGHT), **settings) as run:
        assert await run(PROMPT) == RIGHT
    assert "examples" not in labels(run.record)


async def test_a_model_that_cannot_be_had_reads_none(pipeline_with):
    """The run goes on as without examples."""
    rules = {**reads(""), "fault": "failed"}, coder(RIGHT, RIGHT)
    async with reading(pipeline_with, *rules) as run:
        assert await run(PROMPT) == RIGHT
    assert "drafts agree" in run.record["final_reason"]


def test_the_stage_has_a_word():
    """Terminals and chat apps say what goes on."""
    said = stage_label({"stage": "coder", "label": "examples"})
    ran = stage_label({"stage": "sandbox", "label": "examples that a model read"})
    assert (said, ran) == ("reading examples", "running examples")


async def test_an_example_may_be_of_another_function_of_the_draft(pipeline_with):
    """Where the request names none, the model that reads it may take the wrong one of two."""
    draft = "def number_of(s):\n    return int(s, 16)\n\n\ndef to_text(n):\n    return hex(n)\n"
    read = "1. assert to_text('ff') == 255"
    async with reading(pipeline_with, reads(read), coder(draft)) as run:
        assert await run("numbers of base 16 to int and back. ff is 255, ee is 238") == draft
    assert run.record["final_reason"] == f"not judged: {HOLD}"
