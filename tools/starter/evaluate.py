"""Measures the exported files: `python -m tools.starter.evaluate [--quick] [--json]`.

Each request goes through the daemon's own pipeline, with the weights in place of the daemon's
engine; generated code is executed against the family's checks in a process of its own. Prints the
whole table and writes the figures beside the weights.
"""

import argparse
import datetime
import json
import os
import platform
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import torch

from tools.starter import evaluate_critic as critic
from tools.starter import evaluate_pipeline as pipeline
from tools.starter.bench import Bench
from tools.starter.evaluate_pipeline import Row
from tools.starter.family import Family
from tools.starter.options import add_families, add_folder, add_models
from tools.starter.paths import FIGURES, Figures
from tools.starter.phrasing import Request
from tools.starter.recipe import facts
from tools.starter.samples import BY_HAND, Sampler, trained_messages
from tools.starter.table import render
from tools.starter.targets import judged
from tools.starter.topics import TOPIC_OF
from tools.starter.train import PLANS
from tools.starter.verify import equal_texts
from tools.starter.workers import bench, collect, workers

CHUNK = 24  # requests that a worker takes at a time


@dataclass(frozen=True)
class Sizes:
    """Requests per set; per family in the sets that have figures of each family; drafts per kind;
    prompts that are compared with torch."""

    set: int = 300
    family: int = 6
    kind: int = 100
    texts: int = 100


QUICK = Sizes(set=48, family=1, kind=16, texts=16)


def training(folder: Path) -> Figures:
    """How the checkpoints came about."""
    figures: Figures = {}
    for name, plan in PLANS.items():
        state = torch.load(folder / f"{name}.pt")
        figures[name] = {
            "parameters": sum(t.numel() for t in state["weights"].values()),
            "shape": state["shape"],
            "steps": state["step"],
            "examples": state["step"] * plan.batch,
            "cpu_seconds": round(state["cpu_seconds"]),
            "seed": plan.seed,
        }
    return figures


def hardware() -> str:
    """The processor of this machine, in words."""
    lines = Path("/proc/cpuinfo").read_text().splitlines() if sys.platform == "linux" else []
    names = (line.partition(": ")[2] for line in lines if line.startswith("model name"))
    return f"{os.cpu_count()} cores, {next(names, platform.processor() or platform.machine())}"


def tasks(families: tuple[Family, ...], examples: dict[str, str]) -> list[Figures]:
    """What `laios models starter` shows, by topic; `example` is None where none passed."""
    order = {name: place for place, name in enumerate(TOPIC_OF)}
    return [
        {
            "name": family.name,
            "does": family.does,
            "topic": TOPIC_OF[family.name],
            "languages": list(family.languages),
            "example": examples.get(family.name),
        }
        for family in sorted(families, key=lambda family: order[family.name])
    ]


def first_answer_ms(models: Path) -> float:
    """The time from nothing loaded to a first run's end."""
    began = time.perf_counter()
    Bench(models).run(Request("add up a list of numbers", None))
    return round((time.perf_counter() - began) * 1000)


def trained(
    pool: ProcessPoolExecutor, families: tuple[Family, ...], figures: Figures
) -> frozenset[str]:
    """All messages that a model was trained on."""
    futures = [
        pool.submit(trained_messages, name, families, made["examples"])
        for name, made in figures.items()
    ]
    return frozenset().union(*collect("training data", futures))


def measure(
    pool: ProcessPoolExecutor, title: str, sets: dict[str, list[Request]]
) -> dict[str, list[Row]]:
    """The rows of each set."""
    futures = [
        pool.submit(_measure, name, requests[start : start + CHUNK])
        for name, requests in sets.items()
        for start in range(0, len(requests), CHUNK)
    ]
    rows: dict[str, list[Row]] = {name: [] for name in sets}
    for found in collect(title, futures):
        rows[found[0].title] += found
    return rows


def _measure(title: str, requests: Sequence[Request]) -> list[Row]:
    return pipeline.measure(bench(), title, requests)


def measure_critic(pool: ProcessPoolExecutor, asked: list[critic.Question]) -> Figures:
    """By role, split and kind of draft."""
    futures = [pool.submit(_answer, question) for question in asked]
    answers = {(q.role, q.split, q.kind): f for q, f in collect("judge and reviewer", futures)}
    figures: Figures = {}
    for q in asked:
        kinds = figures.setdefault(q.role, {}).setdefault(q.split, {})
        kinds[q.kind] = answers[q.role, q.split, q.kind]
    return figures


def _answer(question: critic.Question) -> tuple[critic.Question, Figures]:
    return question, critic.answer(bench(), question)


def evaluate(
    folder: Path, models: Path, families: tuple[Family, ...], sizes: Sizes, processes: int
) -> Figures:
    """Everything that is measured."""
    made = training(folder)
    first = first_answer_ms(models)
    with workers(models, processes) as pool:
        texts = {
            name: pool.submit(_equal, name, folder.absolute(), sizes.texts, families)
            for name in made
        }
        seen = trained(pool, families, made)
        sampler = Sampler(families, seen)
        known = measure(pool, "known tasks", sampler.known(sizes.set, sizes.family))
        unknown = measure(pool, "out of scope", sampler.unknown(sizes.kind))
        roles = measure_critic(pool, critic.questions(sampler, sizes.kind))
        recipe = pool.submit(facts, families)
        equal = {name: [future.result(), sizes.texts] for name, future in texts.items()}
        recipe_facts = recipe.result()
    rows = [row for found in known.values() for row in found]
    return {
        "date": datetime.date.today().isoformat(),
        "hardware": hardware(),
        "recipe": recipe_facts,
        "training": made,
        "bytes": {name: (models / f"{name}.gguf").stat().st_size for name in made},
        "texts_equal_to_torch": equal,
        "milliseconds": {"first_answer": first, **pipeline.speed(rows)},
        "known": {title: pipeline.known_figures(found) for title, found in known.items()},
        "all_known": pipeline.known_figures(rows),
        "unknown": {title: pipeline.unknown_figures(found) for title, found in unknown.items()},
        **roles,
        "by_family": pipeline.family_figures(rows),
        "by_hand_seen_in_training": sum(row.asked.text in seen for row in known[BY_HAND]),
        "tasks": tasks(families, pipeline.examples(rows)),
    }


def _equal(name: str, folder: Path, count: int, families: tuple[Family, ...]) -> int:
    return equal_texts(name, bench(), folder, count, families)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    add_folder(parser)
    add_models(parser)
    add_families(parser)
    parser.add_argument("--quick", action="store_true", help="a sixth of the requests")
    parser.add_argument("--json", action="store_true", help="print the figures, not the table")
    parser.add_argument("--processes", type=int, default=2, help="at a time")
    options = parser.parse_args()
    began = time.monotonic()
    sizes = QUICK if options.quick else Sizes()
    figures = evaluate(options.folder, options.models, options.families, sizes, options.processes)
    figures["evaluation_seconds"] = round(time.monotonic() - began)
    figures["targets"] = judged(figures)
    text = json.dumps(figures, indent=1, ensure_ascii=False)
    (options.models / FIGURES).write_text(text + "\n", "utf-8")
    print(text if options.json else render(figures))


if __name__ == "__main__":
    main()
