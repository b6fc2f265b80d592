"""Figures of whole runs: the coder alone, and coder → judge → reviewer, executed."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import median

from pipeline.models.starter_note import FACT
from tools.starter import natural_unknown, unknown
from tools.starter.bench import Bench, Outcome, job, percent
from tools.starter.execute import passes
from tools.starter.paths import Figures
from tools.starter.phrasing import Request
from tools.starter.samples import BY_HAND, COMBINED, DETAILED

FAILURES_SHOWN = 10


@dataclass(frozen=True)
class Row:
    """A request of the set `title` and what came of it; whether draft and final code are right is
    False for a task that is not known."""

    title: str
    asked: Request
    outcome: Outcome
    draft_passes: bool = False
    final_passes: bool = False

    @property
    def noted(self) -> bool:
        """Whether the final text says that this is beyond the starter, and what is not."""
        return FACT in self.outcome.final

    @property
    def beyond(self) -> bool:
        """Whether it ended as a run that is out of scope should: low confidence, and the note."""
        return self.noted and self.outcome.doubted


def measure(bench: Bench, title: str, requests: Sequence[Request]) -> list[Row]:
    """Runs the requests and executes what they gave."""
    outcomes = [bench.run(asked) for asked in requests]
    if not all(asked.family for asked in requests):
        return [Row(title, a, outcome) for a, outcome in zip(requests, outcomes, strict=True)]
    pairs = list(zip(requests, outcomes, strict=True))
    drafts = passes(job(asked, outcome.draft) for asked, outcome in pairs)
    finals = passes(job(asked, outcome.final) for asked, outcome in pairs)
    return [
        Row(title, asked, outcome, draft, final)
        for (asked, outcome), draft, final in zip(pairs, drafts, finals, strict=True)
    ]


def known_figures(rows: Sequence[Row]) -> Figures:
    """Of a set of requests for known tasks."""
    wrong = [row for row in rows if not row.draft_passes]
    right = [row for row in rows if row.draft_passes]
    return {
        "requests": len(rows),
        "coder_pass": percent([row.draft_passes for row in rows]),
        "pipeline_pass": percent([row.final_passes for row in rows]),
        "wrong_drafts": len(wrong),
        "wrong_drafts_escalated": sum(row.outcome.escalated for row in wrong),
        "wrong_drafts_mended": sum(row.final_passes for row in wrong),
        "right_drafts_escalated": sum(row.outcome.escalated for row in right),
        "right_drafts_spoilt": sum(not row.final_passes for row in right),
        "refused": percent([row.outcome.draft == unknown.REPLY for row in rows]),
        "beyond": percent([row.beyond for row in rows]),
        "failures": [_failure(row) for row in rows if not row.final_passes][:FAILURES_SHOWN],
    }


def _failure(row: Row) -> Figures:
    family = row.asked.family
    return {
        "prompt": row.asked.text,
        "wanted": f"{family.name} ({row.asked.language})" if family else "",
        "got": row.outcome.final.partition("\n")[0][:100],
    }


def unknown_figures(rows: Sequence[Row]) -> Figures:
    """Of a set of requests for what the model does not know."""
    return {
        "requests": len(rows),
        "refused": percent([row.outcome.draft == unknown.REPLY for row in rows]),
        "doubted": percent([row.outcome.doubted for row in rows]),
        "noted": percent([row.noted for row in rows]),
        "failed": sum(not row.outcome.final for row in rows),
        "beyond": percent([row.beyond for row in rows]),
        "by_kind": _by_kind(rows),
        "failures": [_failure(row) for row in rows if not row.beyond][: 4 * FAILURES_SHOWN],
    }


def _by_kind(rows: Sequence[Row]) -> Figures:
    """Of the requests by hand: how many of each kind ended as they should, worst first."""
    ended = {row.asked.text: row.beyond for row in rows}
    figures = {
        kind: {"requests": len(texts), "beyond": sum(ended[text] for text in texts)}
        for kind, texts in natural_unknown.PROMPTS.items()
        if ended.keys() >= set(texts)
    }
    return dict(sorted(figures.items(), key=lambda p: p[1]["beyond"] / p[1]["requests"]))


def family_figures(rows: Iterable[Row]) -> Figures:
    """Of each family on the sets that are large enough, worst first."""
    by_family: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        if row.title in DETAILED and row.asked.family:
            by_family[row.asked.family.name].append(row)
    figures = {
        name: {
            "requests": len(found),
            "coder_pass": percent([row.draft_passes for row in found]),
            "pipeline_pass": percent([row.final_passes for row in found]),
        }
        for name, found in by_family.items()
    }
    return dict(sorted(figures.items(), key=lambda pair: (pair[1]["pipeline_pass"], pair[0])))


def examples(rows: Iterable[Row]) -> dict[str, str]:
    """A request of each family that was answered well at once, by hand where there is one."""
    found: dict[str, tuple[bool, str]] = {}
    for row in rows:
        by_hand = row.title == BY_HAND
        if not row.asked.family or not (by_hand or row.title == COMBINED):
            continue
        if row.draft_passes and not row.outcome.escalated and not row.asked.history:
            kept = found.get(row.asked.family.name)
            if kept is None or by_hand > kept[0]:
                found[row.asked.family.name] = by_hand, row.asked.text
    return {name: text for name, (_, text) in found.items()}


def speed(rows: Iterable[Row]) -> Figures:
    """Medians in milliseconds, the engine in this process."""
    milliseconds: dict[bool, list[float]] = {False: [], True: []}
    for row in rows:
        milliseconds[row.outcome.escalated].append(row.outcome.milliseconds)
    return {
        name: round(median(found), 1)
        for name, found in (("accepted", milliseconds[False]), ("reviewed", milliseconds[True]))
        if found
    }
