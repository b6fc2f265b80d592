"""Figures of the judge and the reviewer on drafts whose defects are known."""

import random
from dataclasses import dataclass

from tools.starter.bench import SEED, Bench, job, percent
from tools.starter.examples import judge_example, judge_prompt, reviewer_example
from tools.starter.execute import passes
from tools.starter.family import Family
from tools.starter.mutants import unseen_mutants
from tools.starter.paths import Figures
from tools.starter.phrasing import Request, Split, request
from tools.starter.samples import BOTH, COMBINED, Draw, Sampler

KINDS = ("correct", "mutant", "foreign", "cut", "misnamed", "language", "refused", "empty")
UNTRAINED = "untrained"  # a defect of a kind that no training example has
JUDGED = (*KINDS[:-1], UNTRAINED)  # evidence speaks before a judge sees an empty draft
SPLITS = {
    COMBINED: Split(critic=True),
    BOTH: Split(held_descriptions=True, held_frames=True),
}


@dataclass(frozen=True)
class Question:
    """A set of requests for one role, each to be put with a draft of the kind."""

    role: str
    split: str
    kind: str
    requests: list[Request]


def questions(sampler: Sampler, size: int) -> list[Question]:
    """Everything that judge and reviewer are asked; `size` is the number of drafts of a kind."""
    found = []
    for role, kinds in (("judge", JUDGED), ("reviewer", KINDS)):
        for title, split in SPLITS.items():
            for kind in kinds:
                drawn = sampler.draw(f"{role} {title} {kind}", _draw(split, kind), size)
                found.append(Question(role, title, kind, drawn))
    return [question for question in found if question.requests]


def _draw(split: Split, kind: str) -> Draw:
    """Requests that the kind fits: one with a name, one for a task in two languages."""

    def draw(rng: random.Random, family: Family) -> Request | None:
        if kind == "language" and len(family.languages) == 1:
            return None
        named = kind == "misnamed" or (kind != UNTRAINED and rng.random() < 0.5)
        language = family.language if kind == UNTRAINED else ""
        return request(rng, family, split, named, language)

    return draw


def answer(bench: Bench, question: Question) -> Figures:
    """The figures of one question."""
    return _ROLES[question.role](bench, question)


def _judge(bench: Bench, question: Question) -> Figures:
    """How many drafts were let through, and how many should have been."""
    rng = random.Random(f"{SEED} judge")
    cases = [_judged(rng, question.kind, asked) for asked in question.requests]
    said = [(wanted, bench.accepts(message)) for message, wanted in cases if message]
    return {
        "drafts": len(said),
        "right": percent([wanted is accepted for wanted, accepted in said]),
        "false_accepts": sum(not wanted and accepted is True for wanted, accepted in said),
        "false_rejects": sum(wanted and accepted is False for wanted, accepted in said),
        "unreadable": sum(accepted is None for _, accepted in said),
    }


def _judged(rng: random.Random, kind: str, asked: Request) -> tuple[str, bool]:
    """The judge's message and whether the draft in it is right; no message where the task has no
    draft of the kind."""
    if kind != UNTRAINED:
        case = judge_example(rng, kind=kind, asked=asked)
        return case.user, case.accept
    assert asked.family
    broken = unseen_mutants().get((asked.family.name, asked.language))
    if not broken:
        return "", False
    name = asked.family.name_in(asked.language)
    return judge_prompt(asked, rng.choice(broken).source.replace("NAME", name)), False


def _reviewer(bench: Bench, question: Question) -> Figures:
    """How often the reviewer's code passes, and how often it left the draft as it was."""
    rng = random.Random(f"{SEED} reviewer")
    cases = [reviewer_example(rng, kind=question.kind, asked=asked) for asked in question.requests]
    codes = [bench.reply("reviewer", case.user) for case in cases]
    pairs = list(zip(cases, codes, strict=True))
    return {
        "drafts": len(pairs),
        "passes": percent(passes(job(case.request, code) for case, code in pairs)),
        "unchanged": percent([code == case.draft for case, code in pairs]),
    }


_ROLES = {"judge": _judge, "reviewer": _reviewer}
