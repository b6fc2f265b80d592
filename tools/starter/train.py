"""Trains one of the starter's models: `python -m tools.starter.train coder|critic [--steps N]`.

A checkpoint (weights, optimizer, step) is written every few hundred steps; a run that was cut goes
on from it with the same data, and ends with the same weights as an uncut one.
"""

import argparse
import copy
import itertools
import random
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import torch
from tokenizers import Tokenizer
from torch import Tensor
from torch.nn import functional as F

from tools.starter.examples import Example, stream
from tools.starter.family import Family
from tools.starter.model import Decoder, Shape
from tools.starter.options import add_families, add_folder
from tools.starter.tokenizer import encode, load_tokenizer

BATCHES_PER_POOL = 16


@dataclass(frozen=True)
class Part:
    """One part of a training, with data of its own. At its end the weights are a mean of those it
    found, as much as `kept`, and of those it came to: what it adds is learnt, and less of what was
    known is lost (WiSE-FT: Wortsman et al., CVPR 2022)."""

    steps: int
    rate: float
    kept: float = 0.0


@dataclass(frozen=True)
class Plan:
    """How one model is trained, one part after the other."""

    shape: Shape
    seed: int
    batch: int
    parts: tuple[Part, ...]

    @property
    def steps(self) -> int:
        return sum(part.steps for part in self.parts)

    @property
    def ends(self) -> dict[int, Part]:
        """The parts, by the number of steps after which each one ends."""
        return dict(zip(itertools.accumulate(p.steps for p in self.parts), self.parts, strict=True))

    @property
    def starts(self) -> set[int]:
        """The steps before the first step of each part."""
        return {0, *self.ends} - {self.steps}


PLANS = {
    "coder": Plan(
        Shape(layers=7),
        seed=1,
        batch=64,
        parts=(
            Part(6000, 3e-3),
            Part(2000, 1.5e-3),
            Part(1500, 1.2e-3),
            Part(2000, 1.2e-3),
            Part(1000, 8e-4),
            Part(800, 8e-4),
            Part(4500, 1.1e-3, kept=0.25),
            Part(2000, 9e-4, kept=0.25),
            Part(3000, 1.1e-3, kept=0.25),
        ),
    ),
    "critic": Plan(
        Shape(width=160, heads=5, kv_heads=5, hidden=448),
        seed=2,
        batch=48,
        parts=(
            Part(4400, 2.5e-3),
            Part(1500, 1.2e-3),
            Part(1100, 1.2e-3),
            Part(1500, 1.2e-3),
            Part(1000, 8e-4),
            Part(1000, 8e-4),
            Part(4500, 1.1e-3, kept=0.25),
            Part(1500, 9e-4, kept=0.25),
            Part(1800, 1.1e-3, kept=0.5),
        ),
    ),
}


# Enough for a handful of families, at a quarter of the cost, with the data of the first part.
SMALL = Shape(width=96, layers=4, heads=3, kv_heads=3, hidden=256)


def learning_rate(plan: Plan, step: int) -> float:
    """Of each part: short warm-up, constant for the first half, then linear to a fiftieth."""
    for part in plan.parts:
        if step < part.steps:
            break
        step -= part.steps
    warm = min(1.0, (step + 1) / 100)
    left = (part.steps - step) / part.steps
    return part.rate * warm * min(1.0, max(0.02, left / 0.5))


def batches(
    examples: Iterator[Example], tokenizer: Tokenizer, plan: Plan, skip: int
) -> Iterator[tuple[Tensor, Tensor]]:
    """Endless (ids, weights) of shape (batch, time), alike in length; the first `skip` left out."""
    rng = random.Random(plan.seed)
    for number in itertools.count():
        pool = list(itertools.islice(examples, plan.batch * BATCHES_PER_POOL))
        order = list(range(BATCHES_PER_POOL))
        rng.shuffle(order)
        first = number * BATCHES_PER_POOL
        if first + BATCHES_PER_POOL <= skip:
            continue
        encoded = sorted((encode(tokenizer, e) for e in pool), key=lambda pair: len(pair[0]))
        for place, i in enumerate(order):
            if first + place >= skip:
                yield _padded(encoded[i * plan.batch : (i + 1) * plan.batch])


def data(
    name: str, plan: Plan, families: tuple[Family, ...], tokenizer: Tokenizer, step: int
) -> Iterator[tuple[Tensor, Tensor]]:
    """The batches that are left after so many steps."""
    for number, part in enumerate(plan.parts):
        if step < part.steps:
            found = batches(stream(name, families, number), tokenizer, plan, skip=step)
            yield from itertools.islice(found, part.steps - step)
        step = max(0, step - part.steps)


def _padded(rows: list[tuple[list[int], list[float]]]) -> tuple[Tensor, Tensor]:
    length = max(len(ids) for ids, _ in rows)
    ids = torch.zeros(len(rows), length, dtype=torch.long)
    weights = torch.zeros(len(rows), length)
    for i, (row, weight) in enumerate(rows):
        ids[i, : len(row)] = torch.tensor(row)
        weights[i, : len(row)] = torch.tensor(weight)
    return ids, weights


def loss_of(model: Decoder, ids: Tensor, weights: Tensor) -> Tensor:
    """Weighted cross entropy of each reply token given all before it."""
    target_weights = weights[:, 1:]
    chosen = target_weights > 0
    logits = model.logits(model.hidden(ids[:, :-1])[chosen])
    losses = F.cross_entropy(logits, ids[:, 1:][chosen], reduction="none")
    return (losses * target_weights[chosen]).sum() / target_weights.sum()


def optimizers(model: Decoder, plan: Plan) -> list[torch.optim.Optimizer]:
    """Muon for the matrices of the blocks, AdamW for the embedding and the gains."""
    matrices = [p for p in model.blk.parameters() if p.dim() == 2]
    others = [p for n, p in model.named_parameters() if p.dim() == 1 or "token_embd" in n]
    return [
        torch.optim.Muon(
            matrices, lr=plan.parts[0].rate, weight_decay=0.05, adjust_lr_fn="match_rms_adamw"
        ),
        torch.optim.AdamW(others, lr=plan.parts[0].rate, betas=(0.9, 0.95), weight_decay=0.05),
    ]


def train(
    name: str, plan: Plan, folder: Path, save_every: int, families: tuple[Family, ...]
) -> Path:
    """Train to the end of the plan, from the checkpoint if there is one; its path."""
    torch.manual_seed(plan.seed)
    torch.set_num_threads(1)
    tokenizer = load_tokenizer(folder / "tokenizer.json", families)
    model = Decoder(plan.shape)
    steppers = optimizers(model, plan)
    path = folder / f"{name}.pt"
    step, cpu_before, found = resume(path, model, steppers)
    print(f"{name}: {sum(p.numel() for p in model.parameters())} parameters, from step {step}")
    began, smooth, tokens = time.process_time(), 0.0, 0
    for ids, weights in data(name, plan, families, tokenizer, step):
        if step in plan.starts:
            found = copy.deepcopy(model.state_dict())
        for stepper in steppers:
            stepper.param_groups[0]["lr"] = learning_rate(plan, step)
            stepper.zero_grad()
        loss = loss_of(model, ids, weights)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        for stepper in steppers:
            stepper.step()
        step += 1
        if step in plan.ends:
            keep(model, found, plan.ends[step].kept)
        tokens += int(ids.count_nonzero())
        smooth = loss.item() if not smooth else 0.95 * smooth + 0.05 * loss.item()
        cpu = time.process_time() - began
        if step % 50 == 0:
            print(
                f"step {step} loss {smooth:.4f}"
                f" cpu {cpu_before + cpu:.0f} s, {tokens / cpu:.0f} tok/s"
            )
        if step % save_every == 0 or step == plan.steps:
            save(path, model, steppers, step, cpu_before + cpu, found)
    return path


def keep(model: Decoder, found: dict[str, Tensor], share: float) -> None:
    """Move the weights back towards those that the part found."""
    with torch.no_grad():
        for name, weight in model.state_dict().items():
            weight.lerp_(found[name], share)


def save(
    path: Path,
    model: Decoder,
    steppers: list[torch.optim.Optimizer],
    step: int,
    cpu: float,
    found: dict[str, Tensor],
) -> None:
    """Write a checkpoint under another name, then rename it."""
    state: dict[str, Any] = {
        "shape": asdict(model.shape),
        "weights": model.state_dict(),
        "found": found,
        "optimizers": [stepper.state_dict() for stepper in steppers],
        "step": step,
        "cpu_seconds": cpu,
    }
    part = path.with_suffix(".part")
    torch.save(state, part)
    part.rename(path)


def resume(
    path: Path, model: Decoder, steppers: list[torch.optim.Optimizer]
) -> tuple[int, float, dict[str, Tensor]]:
    """Load the checkpoint into model and optimizers; its step, its CPU seconds and the weights that
    its part found; 0 and nothing without one."""
    if not path.exists():
        return 0, 0.0, {}
    state = torch.load(path)
    model.load_state_dict(state["weights"])
    for stepper, saved in zip(steppers, state["optimizers"], strict=True):
        stepper.load_state_dict(saved)
    return state["step"], state["cpu_seconds"], state["found"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model", choices=sorted(PLANS))
    parser.add_argument("--steps", type=int, help="instead of the plan's number of steps")
    parser.add_argument(
        "--small", action="store_true", help="a smaller model and one part, for a few families"
    )
    add_folder(parser)
    add_families(parser)
    parser.add_argument("--save-every", type=int, default=200, help="steps between checkpoints")
    options = parser.parse_args()
    plan = PLANS[options.model]
    if options.small:
        plan = replace(plan, shape=SMALL, parts=plan.parts[:1])
    if options.steps:
        shares = [options.steps * part.steps // plan.steps for part in plan.parts]
        shares[0] += options.steps - sum(shares)
        parts = (replace(part, steps=n) for part, n in zip(plan.parts, shares, strict=True))
        plan = replace(plan, parts=tuple(parts))
    train(options.model, plan, options.folder, options.save_every, options.families)


if __name__ == "__main__":
    main()
