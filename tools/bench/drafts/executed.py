"""A draft whose hidden tests were run: a line of a file of drafts, written by `draw`, read by the
others."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pipeline
import pipeline.capabilities  # fills MODES
from config import Settings
from history.bench_results import ResultFile
from history.bench_summary import latest, models_of
from pipeline.analysis.draft import Draft
from pipeline.analysis.evidence import Finding
from pipeline.modes import DEFAULT_MODE, MODES
from pipeline.request import Request
from pipeline.review.drawing import Drawn
from pipeline.roles import Models
from pipeline.run import Run
from server.benchmark.run_settings import revision, run_settings


@dataclass(frozen=True, slots=True)
class Executed:
    """`prompt` is what was asked, `drawn` the draft with what evidence says of it: number 1 is the
    greedy one. `right`: the hidden tests hold."""

    model: str
    problem: str
    prompt: str
    drawn: Drawn
    right: bool

    @property
    def draft(self) -> Draft:
        return self.drawn.draft

    def as_json(self) -> dict[str, Any]:
        """Without what a result is told by (`conditions`, its problem and its arm)."""
        return {
            "prompt": self.prompt,
            "right": self.right,
            "number": self.drawn.number,
            "temperature": self.drawn.temperature,
            "seconds": round(self.drawn.seconds, 3),
            "tokens": self.drawn.tokens,
            "text": self.draft.text,
            "as_said": self.draft.as_said,
            "language": self.draft.language,
            "findings": [finding.as_json() for finding in self.draft.findings],
            "decided": self.draft.decided,
        }

    @classmethod
    def read(cls, row: Mapping[str, Any]) -> "Executed":
        """Raises KeyError and TypeError for what `draw` did not write."""
        draft = Draft(
            row["text"],
            row["language"],
            tuple(Finding(**each) for each in row["findings"]),
            decided=row["decided"],
            as_said=row["as_said"],
        )
        cost = row["temperature"], row["seconds"], row["tokens"]
        drawn = Drawn(row["number"], draft, *cost)
        return cls(models_of(row), row["problem"], row["prompt"], drawn, row["right"])


def read_executed(path: Path) -> dict[str, list[list[Executed]]]:
    """By the name of the model that wrote them: the drafts of each problem, in their order, those
    of the newest revision. Raises OSError, KeyError and TypeError."""
    found: dict[str, dict[str, dict[int, Executed]]] = {}
    for each in map(Executed.read, latest([*ResultFile(path)])):
        of_problem = found.setdefault(each.model, {}).setdefault(each.problem, {})
        of_problem[each.drawn.number] = each
    return {model: [*map(_in_order, by_id.values())] for model, by_id in found.items()}


def _in_order(drafts: Mapping[int, Executed]) -> list[Executed]:
    return [drafts[number] for number in sorted(drafts)]


def same_length(problems: Iterable[list[Executed]]) -> list[list[Executed]]:
    """Those of which as many drafts are there as of any: the last one may be unfinished."""
    every = list(problems)
    most = max(map(len, every), default=0)
    return [drafts for drafts in every if len(drafts) == most]


def conditions(role: str, model: str, settings: Settings) -> dict[str, Any]:
    """What a result is of, beside its problem and its arm."""
    return {
        "revision": revision(Path(pipeline.__path__[0])),
        "models": {role: model},
        "settings": run_settings(settings),
        "seed": None,
    }


@contextmanager
def run_of(prompt: str, settings: Settings, models: Models) -> Iterator[Run]:
    """A run of the default mode, whose time counts from now, for its stages one by one."""
    run = Run(Request(prompt), MODES[DEFAULT_MODE], prompt, settings, models)
    run.begin()
    try:
        yield run
    finally:
        run.finish(None, None)
