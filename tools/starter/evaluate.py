"""Measures the exported files: `python -m tools.starter.evaluate` writes their figures as JSON.

Generated code is executed against the family's checks in a process of its own.
"""

import argparse
import ast
import datetime
import json
import random
import time
from pathlib import Path

import torch

from tools.starter import natural, unknown
from tools.starter.bench import SEED, Bench, accepts, job, load_bench, percent
from tools.starter.evaluate_critic import measure_judge, measure_reviewer
from tools.starter.execute import passes
from tools.starter.families import FAMILIES
from tools.starter.paths import BUILD, FIGURES, MODELS, Figures
from tools.starter.phrasing import Request, Split, unknown_request
from tools.starter.train import PLANS
from tools.starter.verify import equal_texts

FAILURES_SHOWN = 8


def coder_sets() -> dict[str, tuple[Split, bool | None]]:
    """The wordings that the coder and the pipeline are measured on, and whether with a name."""
    both = Split(held_descriptions=True, held_frames=True)
    return {
        "unseen combinations": (Split(), None),
        "unseen combinations, name requested": (Split(), True),
        "held-out sentence frame": (Split(held_frames=True), False),
        "held-out description": (Split(held_descriptions=True), False),
        "both held out": (both, False),
        "both held out, name in a held-out clause": (both, True),
        "description known to the critic only": (Split(critic_only=True), False),
    }


def by_hand() -> list[Request]:
    """The requests of `natural.PROMPTS`."""
    families = {family.name: family for family in FAMILIES}
    return [Request(text, families[n]) for n, texts in natural.PROMPTS.items() for text in texts]


def measure_pipeline(bench: Bench) -> Figures:
    """Per set: the coder alone, and coder -> judge -> reviewer."""
    sets = {title: bench.requests(*split) for title, split in coder_sets().items()}
    sets["written by hand"] = by_hand()
    return {title: measure_set(bench, requests) for title, requests in sets.items()}


def measure_set(bench: Bench, requests: list[Request]) -> Figures:
    """Shares of code that passes, and what became of wrong and of right drafts."""
    drafts = [bench.code(asked) for asked in requests]
    results = [pipeline(bench, a.text, draft) for a, draft in zip(requests, drafts, strict=True)]
    right = passes(job(a, draft) for a, draft in zip(requests, drafts, strict=True))
    final = passes(job(a, code) for a, (code, _) in zip(requests, results, strict=True))
    escalated = [was for _, was in results]
    return {
        "requests": len(requests),
        "seen_in_training": sum(asked.text in bench.seen for asked in requests),
        "coder_pass": percent(right),
        "pipeline_pass": percent(final),
        "wrong_drafts": right.count(False),
        "wrong_drafts_escalated": sum(e > ok for e, ok in zip(escalated, right, strict=True)),
        "right_drafts_escalated": sum(e and ok for e, ok in zip(escalated, right, strict=True)),
        "honest_refusals": drafts.count(unknown.REPLY),
        "failures": [a.text for a, ok in zip(requests, right, strict=True) if not ok][
            :FAILURES_SHOWN
        ],
    }


def pipeline(bench: Bench, prompt: str, draft: str) -> tuple[str, bool]:
    """The final code and whether the draft was escalated: evidence first, then the judge."""
    reason = evidence(draft)
    if not reason:
        reply = bench.verdict(prompt, draft)
        verdict = accepts(reply)
        if verdict:
            return draft, False
        reason = "no verdict" if verdict is None else json.loads(reply)["judgement_summary"]
    return bench.review(prompt, reason, draft) or draft, True


def evidence(code: str) -> str:
    """What is wrong with the code without any opinion: empty, or no Python."""
    if not code.strip():
        return "evidence: the draft is empty"
    try:
        ast.parse(code)
    except SyntaxError as error:
        return f"evidence: syntax error at line {error.lineno}"
    return ""


def measure_unknown(bench: Bench) -> Figures:
    """How often an unknown request gets the honest reply."""
    rng = random.Random(SEED)
    trained = [unknown_request(rng) for _ in range(bench.size)]
    held = [Request(text, None) for text in unknown.HELD]
    return {
        title: {
            "requests": len(requests),
            "refused": percent([bench.code(asked) == unknown.REPLY for asked in requests]),
        }
        for title, requests in (("trained", trained), ("held out", held))
    }


def training(folder: Path) -> Figures:
    """How the checkpoints came about."""
    figures: Figures = {}
    for name, plan in PLANS.items():
        state = torch.load(folder / f"{name}.pt")
        figures[name] = {
            "parameters": sum(t.numel() for t in state["weights"].values()),
            "steps": state["step"],
            "examples": state["step"] * plan.batch,
            "cpu_seconds": round(state["cpu_seconds"]),
            "seed": plan.seed,
        }
    return figures


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path, default=BUILD, help="tokenizer and checkpoints")
    parser.add_argument("--models", type=Path, default=MODELS, help="the GGUF files")
    parser.add_argument("--size", type=int, default=300, help="requests per set")
    options = parser.parse_args()
    began = time.monotonic()
    bench = load_bench(options.models, options.size)
    files = {"coder": bench.coder, "critic": bench.critic}
    figures: Figures = {
        "date": datetime.date.today().isoformat(),
        "families": len(FAMILIES),
        "training": training(options.folder),
        "bytes": {n: (options.models / f"{n}.gguf").stat().st_size for n in files},
        "texts_equal_to_torch": {
            name: f"{equal_texts(name, engine, options.folder, 100)}/100"
            for name, engine in files.items()
        },
        "pipeline": measure_pipeline(bench),
        "judge": measure_judge(bench),
        "reviewer": measure_reviewer(bench),
        "unknown_tasks": measure_unknown(bench),
    }
    (options.models / FIGURES).write_text(json.dumps(figures, indent=2) + "\n", "utf-8")
    print(json.dumps(figures, indent=2))
    print(f"evaluated in {time.monotonic() - began:.0f} s")


if __name__ == "__main__":
    main()
