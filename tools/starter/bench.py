"""What the evaluations share: both engines, sets of requests, checks of replies."""

import itertools
import json
import random
import re
from dataclasses import dataclass, field
from pathlib import Path

from tools.starter.engine import VERDICT, Engine
from tools.starter.examples import coder_prompt, judge_prompt, reviewer_prompt, stream
from tools.starter.execute import Job
from tools.starter.families import FAMILIES
from tools.starter.phrasing import Request, Split, request
from tools.starter.train import PLANS

SEED = 4711
CONFIDENCE, CONFLICT = 8, 6  # the daemon's default thresholds


@dataclass
class Bench:
    """Both models in the engine; `size` is the number of requests in a set, `seen` the texts of
    all requests that a model was trained on."""

    coder: Engine
    critic: Engine
    size: int
    seen: set[str] = field(default_factory=set)

    def requests(self, split: Split, named: bool | None = None) -> list[Request]:
        """Requests of a split, none of which is in a training stream."""
        rng = random.Random(f"{SEED} {split} {named}")
        found: list[Request] = []
        while len(found) < self.size:
            asked = self.unseen(rng, split, named)
            found.append(asked)
        return found

    def unseen(self, rng: random.Random, split: Split, named: bool | None) -> Request:
        """One request that no model was trained on."""
        while True:
            asked = request(rng, rng.choice(FAMILIES), split, named)
            if asked.text not in self.seen:
                return asked

    def code(self, asked: Request) -> str:
        """The coder's reply."""
        return self.coder.reply(coder_prompt(asked.text))

    def verdict(self, prompt: str, code: str) -> str:
        """The judge's reply."""
        return self.critic.reply(judge_prompt(prompt, code))

    def review(self, prompt: str, note: str, code: str) -> str:
        """The reviewer's reply."""
        return self.critic.reply(reviewer_prompt(prompt, note, code))


def load_bench(models: Path, size: int) -> Bench:
    """The exported models and the requests that they were trained on."""
    seen = {
        example.request.text
        for name, plan in PLANS.items()
        for example in itertools.islice(stream(name), plan.steps * plan.batch)
    }
    return Bench(Engine(models / "coder.gguf"), Engine(models / "critic.gguf"), size, seen)


def accepts(reply: str) -> bool | None:
    """The verdict in a judge's reply, None where it is not one JSON object of the right shape."""
    try:
        verdict = json.loads(reply)
        scores = verdict["confidence_score"], verdict["conflict_score"]
    except (ValueError, KeyError, TypeError):
        return None
    if list(verdict) != VERDICT["required"] or not all(type(s) is int for s in scores):
        return None
    return bool(scores[0] >= CONFIDENCE and scores[1] <= CONFLICT)


def job(asked: Request, code: str) -> Job:
    """The check of code against its request; where no name was asked for, any is right."""
    assert asked.family
    found = re.search(r"def (\w+)\(", code)
    return code, asked.name or (found[1] if found else ""), asked.family.checks


def percent(hits: list[bool]) -> float:
    """The share of true values, in percent."""
    return round(100 * sum(hits) / len(hits), 1)
