"""The starter model's training data: code, mutants and phrases are what they claim to be."""

import ast
import itertools
import json
import random
from collections.abc import Callable
from pathlib import Path

import pytest

from tools.starter import natural, unknown, words
from tools.starter.card import render
from tools.starter.examples import ALIKE, Example, judge_example, reviewer_example, stream
from tools.starter.execute import Job, passes
from tools.starter.families import FAMILIES
from tools.starter.mutants import Mutant, mutants, unseen_mutants
from tools.starter.paths import CARD, FIGURES, MODELS
from tools.starter.phrasing import Split, expand, gerund, request, third_person

BY_NAME = {family.name: family for family in FAMILIES}
EVERYTHING_HELD = Split(held_descriptions=True, held_frames=True)


def drawn(make: Callable[[random.Random], Example], count: int = 600) -> list[Example]:
    rng = random.Random(5)
    return [make(rng) for _ in range(count)]


def job(example: Example, code: str) -> Job:
    """The check of code against the example's request; without a requested name any will do."""
    family = example.request.family
    assert family
    defined = [n.name for n in ast.parse(code).body if isinstance(n, ast.FunctionDef)]
    return code, example.request.name or defined[0], family.checks


def test_there_are_enough_families_and_descriptions() -> None:
    """At least 36 families of different names, each with 30 descriptions and more."""
    assert len(BY_NAME) == len(FAMILIES) >= 36
    rng = random.Random(3)
    for family in FAMILIES:
        grammars = (*family.verbs, *family.nouns, *family.asks)
        assert len({expand(g, rng) for g in grammars for _ in range(50)}) >= 30, family.name


def test_gold_code_passes_its_checks_under_any_name() -> None:
    """Every family's code holds its checks, under its own name and under a requested one."""
    jobs = [(f.code(name), name, f.checks) for f in FAMILIES for name in (f.name, "add_all")]
    assert all(passes(jobs))


def test_gold_code_fails_the_checks_of_every_other_family() -> None:
    """The checks tell the families apart: code passes for another task only where that is known."""
    pairs = [(a, b) for a in FAMILIES for b in FAMILIES if a is not b]
    verdicts = passes((a.code(), a.name, b.checks) for a, b in pairs)
    passing = [{a.name, b.name} for (a, b), ok in zip(pairs, verdicts, strict=True) if ok]
    assert all(pair in ALIKE for pair in passing)


@pytest.mark.parametrize("made", [mutants, unseen_mutants])
def test_every_mutant_fails(made: Callable[[], dict[str, tuple[Mutant, ...]]]) -> None:
    """No mutant passes its family's checks, and each has a short summary of its defect."""
    broken = [(BY_NAME[name], mutant) for name, found in made().items() for mutant in found]
    assert len(broken) > 300
    assert all(0 < len(mutant.summary) <= 120 for _, mutant in broken)
    jobs = [(m.source.replace("NAME", f.name), f.name, f.checks) for f, m in broken]
    assert not any(passes(jobs))


def test_every_family_has_mutants() -> None:
    """The judge sees broken code of every family."""
    assert min(len(found) for found in mutants().values()) >= 5
    assert set(mutants()) == set(BY_NAME)


def test_endless_and_crashing_code_fails_alone() -> None:
    """A job that hangs, exits or fills the memory fails, and those after it are still judged."""
    good: Job = ("def f():\n    return 1", "f", (((), 1),))
    bad: list[Job] = [
        ("def f():\n    while True:\n        pass", "f", (((), 1),)),
        ("def f():\n    raise SystemExit", "f", (((), 1),)),
        ("def f():\n    return [0] * 10**12", "f", (((), 1),)),
        ("def f(:", "f", (((), 1),)),
        ("def g():\n    return 1", "f", (((), 1),)),
        ("def f():\n    return True", "f", (((), 1),)),
    ]
    assert passes([*bad, good]) == [False] * len(bad) + [True]


def test_held_out_wordings_are_in_no_training_wording() -> None:
    """Held-out descriptions, frames and name clauses are disjoint from those trained on."""
    assert not set(words.HELD_VERB_FRAMES) & set(words.VERB_FRAMES)
    assert not set(words.HELD_NOUN_FRAMES) & set(words.NOUN_FRAMES)
    assert not set(words.HELD_NAME_CLAUSES) & set(words.NAME_CLAUSES)
    assert not set(unknown.HELD) & set(unknown.TASKS)
    rng = random.Random(1)
    for family in FAMILIES:
        trained = {expand(g, rng) for g in (*family.verbs, *family.nouns) for _ in range(300)}
        for grammar in (*family.held, *family.critic_only):
            held = {expand(grammar, rng) for _ in range(100)}
            assert not held & trained, (family.name, held & trained)


def test_training_streams_hold_no_held_out_request() -> None:
    """No request drawn with everything held out occurs in either training stream."""
    rng = random.Random(2)
    held = {request(rng, rng.choice(FAMILIES), EVERYTHING_HELD).text for _ in range(5000)}
    for model in ("coder", "critic"):
        trained = {example.request.text for example in itertools.islice(stream(model), 20_000)}
        assert not held & trained


def test_streams_repeat_and_differ_from_each_other() -> None:
    """A model's stream is the same at each call; the two models' streams differ."""
    coder = [e.user for e in itertools.islice(stream("coder"), 50)]
    assert coder == [e.user for e in itertools.islice(stream("coder"), 50)]
    assert coder != [e.request.text for e in itertools.islice(stream("critic"), 50)]


def test_coder_replies_pass() -> None:
    """What the coder is taught passes the checks under the requested name."""
    examples = [e for e in itertools.islice(stream("coder"), 1000) if e.request.family]
    assert all(passes(job(e, e.reply) for e in examples))


def test_verdicts_agree_with_execution() -> None:
    """The judge is taught to accept what passes and to reject what does not, as compact JSON."""
    examples = [e for e in drawn(judge_example) if e.request.family]
    jobs = []
    for example in examples:
        verdict = json.loads(example.reply)
        assert list(verdict) == ["confidence_score", "conflict_score", "judgement_summary"]
        confidence, conflict = verdict["confidence_score"], verdict["conflict_score"]
        assert (confidence >= 9 and conflict == 1) is example.accept
        assert (confidence <= 3 and conflict >= 8) is not example.accept
        assert len(verdict["judgement_summary"]) <= 120
        assert "\n" not in example.reply
        jobs.append((example.draft, _name(example), example.request.family.checks))  # type: ignore[union-attr]
    accepted = [e.accept for e in examples]
    assert passes(jobs) == accepted
    assert 0.3 < sum(accepted) / len(accepted) < 0.7


def _name(example: Example) -> str:
    """The function that a caller would call: the requested one, else the one that is defined."""
    return example.request.name or example.draft.partition("def ")[2].partition("(")[0]


def test_reviewer_replies_pass_and_keep_correct_code() -> None:
    """The reviewer is taught code that passes, and to return correct code as it came."""
    examples = [e for e in drawn(reviewer_example) if e.request.family]
    assert all(passes(job(e, e.reply) for e in examples))
    kept = [e for e in examples if e.accept]
    assert kept and all(e.reply == e.draft for e in kept)
    assert {e.kind for e in examples} >= {"mutant", "foreign", "cut", "empty", "correct"}


def test_unknown_tasks_are_refused_in_valid_python() -> None:
    """A request that is not known gets a comment, which the judge never accepts."""
    assert ast.parse(unknown.REPLY).body == []
    examples = [e for e in drawn(judge_example, 3000) if e.request.family is None]
    assert examples and not any(e.accept for e in examples)


@pytest.mark.parametrize(
    ("phrase", "third", "ing"),
    [
        ("add up a list", "adds up a list", "adding up a list"),
        ("multiply two numbers", "multiplies two numbers", "multiplying two numbers"),
        ("compute it", "computes it", "computing it"),
        ("get it", "gets it", "getting it"),
        ("do fizzbuzz", "does fizzbuzz", "doing fizzbuzz"),
        ("take n and return it", "takes n and returns it", "taking n and return it"),
        ("play", "plays", "playing"),
    ],
)
def test_verbs_are_conjugated(phrase: str, third: str, ing: str) -> None:
    """Descriptions fit frames in the third person and in the gerund."""
    assert (third_person(phrase), gerund(phrase)) == (third, ing)


def test_prompts_by_hand_cover_every_family() -> None:
    """The hand-written evaluation requests name every family and no other."""
    assert set(natural.PROMPTS) == set(BY_NAME)
    assert all(len(texts) >= 4 for texts in natural.PROMPTS.values())


def test_model_card_states_the_measured_figures() -> None:
    """The card beside the weights is the one that the figures give, and names every task."""
    folder = Path(__file__).parents[1] / MODELS
    card = (folder / CARD).read_text("utf-8")
    assert card == render(json.loads((folder / FIGURES).read_text("utf-8")))
    assert all(f"`{name}`" in card for name in BY_NAME)


def test_weights_are_small() -> None:
    """Both weight files together stay under 5 MB."""
    folder = Path(__file__).parents[1] / MODELS
    sizes = {path.name: path.stat().st_size for path in folder.glob("*.gguf")}
    assert set(sizes) == {"coder.gguf", "critic.gguf"}
    assert sum(sizes.values()) < 5_000_000
