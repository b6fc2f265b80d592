"""Figures of the judge and the reviewer on drafts whose defects are known."""

import random
from collections.abc import Callable

from tools.starter.bench import SEED, Bench, accepts, job, percent
from tools.starter.engine import VERDICT
from tools.starter.examples import Example, judge_example, reviewer_example
from tools.starter.execute import passes
from tools.starter.families import FAMILIES
from tools.starter.mutants import unseen_mutants
from tools.starter.paths import Figures
from tools.starter.phrasing import Split, request

KINDS = ("correct", "mutant", "foreign", "cut", "misnamed")
SPLITS = {
    "unseen combinations": Split(critic=True),
    "both held out": Split(held_descriptions=True, held_frames=True),
}


def drafts(make: Callable[..., Example], bench: Bench, split: Split, kind: str) -> list[Example]:
    """Examples of one kind of draft; half of the requests have a name ("misnamed": all)."""
    rng = random.Random(f"{SEED} {split} {kind}")
    found = []
    for _ in range(bench.size // 3):
        named = kind == "misnamed" or rng.random() < 0.5
        found.append(make(rng, kind=kind, asked=bench.unseen(rng, split, named)))
    return found


def measure_judge(bench: Bench) -> Figures:
    """Right verdicts by kind of draft, on training and on held-out wordings."""
    figures: Figures = {}
    for title, split in SPLITS.items():
        rows: dict[str, float] = {}
        verdicts: list[tuple[bool, bool | None]] = []
        for kind in KINDS:
            cases = drafts(judge_example, bench, split, kind)
            got = [(case.accept, accepts(bench.critic.reply(case.user))) for case in cases]
            rows[kind] = percent([want is said for want, said in got])
            verdicts += got
        rows["defect of an untrained kind"] = percent(_unseen_defects(bench, split))
        figures[title] = {
            "drafts": len(verdicts),
            "right": percent([want is said for want, said in verdicts]),
            "right_by_kind": rows,
            "false_accepts": sum(not want and said is True for want, said in verdicts),
            "false_rejects": sum(want and said is False for want, said in verdicts),
            "unreadable": sum(said is None for _, said in verdicts),
        }
    figures["with the JSON schema"] = _constrained(bench)
    return figures


def _constrained(bench: Bench) -> Figures:
    split = Split(critic=True)
    cases = drafts(judge_example, bench, split, "correct")[:50]
    cases += drafts(judge_example, bench, split, "mutant")[:50]
    said = [accepts(bench.critic.reply(case.user, VERDICT)) for case in cases]
    return {
        "drafts": len(cases),
        "right": percent([case.accept is s for case, s in zip(cases, said, strict=True)]),
        "unreadable": said.count(None),
    }


def _unseen_defects(bench: Bench, split: Split) -> list[bool]:
    """Whether the judge rejects defects by edits that the training data does not have."""
    rng = random.Random(SEED)
    families = [family for family in FAMILIES if unseen_mutants()[family.name]]
    rejected = []
    for _ in range(bench.size // 3):
        family = rng.choice(families)
        code = rng.choice(unseen_mutants()[family.name]).source.replace("NAME", family.name)
        asked = request(rng, family, split, named=False)
        rejected.append(accepts(bench.verdict(asked.text, code)) is False)
    return rejected


def measure_reviewer(bench: Bench) -> Figures:
    """How often the reviewer's code passes, by kind of draft."""
    figures: Figures = {}
    for title, split in SPLITS.items():
        rows: dict[str, float] = {}
        for kind in (*KINDS, "empty"):
            cases = drafts(reviewer_example, bench, split, kind)
            codes = [bench.critic.reply(case.user) for case in cases]
            pairs = list(zip(cases, codes, strict=True))
            rows[kind] = percent(passes(job(case.request, code) for case, code in pairs))
            if kind == "correct":
                rows["correct, unchanged"] = percent([code == case.draft for case, code in pairs])
        figures[title] = {"drafts_per_kind": bench.size // 3, "pass_by_kind": rows}
    return figures
