"""Replays the rules of choosing among drafts that were executed. No model is asked: what only it
could name calls for is not compared, and keeps its first sound draft; the tests are those of
`written_tests`."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from statistics import mean
from typing import Any, NamedTuple

from config import Settings
from history.statistics import mcnemar, wilson
from pipeline.models.registry import Registry
from pipeline.review.agreement import Agreement, compare
from pipeline.review.call_writer import find_calls
from pipeline.review.draft_beginning import beginning_of
from pipeline.review.drafting import COMPARED
from pipeline.review.drawing import is_long
from pipeline.task import Task
from pipeline.testcases.behaviour import Behaviour
from pipeline.testcases.entry_point import entry_of
from pipeline.testcases.examples.example_search import find_examples
from server.benchmark.run_settings import with_model
from server.runtime.async_closing import async_closing
from server.terminal.counting import counting
from tools.bench.drafts.executed import Executed, run_of

Row = dict[str, Any]
Held = Mapping[int, Sequence[bool]]
NOBODY = "scripted/nobody.json"  # a model that cannot be had: it names no calls
MORE = 5  # drafts that the default mode compared at most for a while


@dataclass(frozen=True, slots=True)
class Compared:
    """The drafts of one problem, the greedy one first. `did`: what the sound ones, those that no
    evidence speaks against, do on the same `calls`; `after`: which of them agree among the first
    so many drafts, from the first sound one on. Empty where they could not be compared. `held`:
    which of a model's tests each holds, empty where none were written; `is_long`: the first sound
    one is tested before there are others."""

    drafts: Sequence[Executed]
    calls: int = 0
    did: Mapping[int, Behaviour] = field(default_factory=dict)
    after: Mapping[int, Agreement] = field(default_factory=dict)
    held: Held = field(default_factory=dict)
    is_long: bool = False

    def agreement(self, drawn: int, *, tested: bool) -> Agreement:
        """Among the first so many drafts; `tested`: with which tests each holds."""
        found, held = self.after[drawn], self.held if tested else {}
        among = {n: held[n] for each in found.classes for n in each if n in held}
        return replace(found, held=among)

    @property
    def sound(self) -> list[int]:
        return [n for n, each in enumerate(self.drafts) if not each.draft.fault]

    @property
    def first(self) -> int:
        """The first sound one, else the one with the least against it."""
        return max(range(len(self.drafts)), key=lambda n: self.drafts[n].drawn.rank)


async def compare_all(
    settings: Settings,
    problems: Sequence[list[Executed]],
    held: Mapping[str, Held] | None = None,
) -> list[Compared]:
    """`held`: by the problem's id. Raises SandboxUnavailable."""
    nobody = with_model(settings, NOBODY)
    async with async_closing(Registry(nobody)) as models:
        await models.resolve(nobody)
        found = []
        with counting(len(problems)) as advance:
            for drafts in problems:
                compared = await _compared(nobody, models, drafts)
                found.append(replace(compared, held=(held or {}).get(drafts[0].problem, {})))
                advance(drafts[0].problem)
    return found


async def _compared(settings: Settings, models: Registry, drafts: list[Executed]) -> Compared:
    """The calls are made of the drafts that the default mode has when it first compares."""
    compared, prompt = Compared(drafts), drafts[0].prompt
    suite, sound, first = find_examples(prompt), compared.sound, compared.first
    if not sound or suite.program or drafts[first].draft.language != "python":
        return compared
    with run_of(prompt, settings, models) as run:
        two = [drafts[n].draft for n in sound if n <= first + 1]
        function = entry_of(two[0].text, suite.function)
        calls = await find_calls(run, Task(prompt), two, function)
        if not calls:
            return compared
        seen: dict[str, Behaviour] = {}
        after = {}
        for drawn in range(first + 1, len(drafts) + 1):
            among = {n: drafts[n].draft for n in sound if n < drawn}
            after[drawn] = await compare(run, among, calls, function, seen)
        begun = await asyncio.to_thread(beginning_of, two[0], prompt, function)
    did = {n: seen[drafts[n].draft.text] for n in sound}
    return Compared(drafts, len(calls), did, after, is_long=is_long(two[0], begun))


class Choice(NamedTuple):
    """The draft's place, how many were drawn for it, and what speaks for it."""

    at: int
    drawn: int
    told: str = ""


def in_turn(of: Compared, most: int, *, tested: bool = False) -> Choice:
    """One after the other, until what most of `most` sound drafts do is known: the default mode's
    rule where it is also `tested`. Its first sound draft is enough where examples hold."""
    first = of.first
    if not of.sound:
        return Choice(first, len(of.drafts), "evidence speaks against each")
    if decided := of.drafts[first].draft.decided:
        return Choice(first, first + 1, decided)
    end = min(len(of.drafts), first + most)
    if not of.after:
        return Choice(first, min(first + 2, end), "not compared")
    for drawn in range(first + 1, end + 1):
        alone = drawn == first + 1
        found = of.agreement(drawn, tested=tested and (of.is_long or not alone))
        if found.convinces or found.decides_of(end - first) or found.holds_tests:
            break
    return Choice(found.chosen, drawn, _told(found))


def _told(found: Agreement) -> str:
    if found.drafts == 1:
        return "it holds all tests" if found.holds_tests else "no other draft runs"
    if len(found.classes) == 1:
        return "nobody differs"
    alike = len(found.best)
    told = f"{alike} of {found.drafts} alike" if alike > 1 else f"none of {found.drafts} alike"
    return f"{told}, it holds most tests" if found.holds_tests else told


def largest_class(of: Compared) -> Choice:
    """Of all drafts."""
    every = len(of.drafts)
    return Choice(of.after[every].largest[0] if of.after else of.first, every)


def call_by_call(of: Compared) -> Choice:
    """The one that does on most calls what the others do (minimum Bayes risk); of equals the
    first."""

    def likeness(one: int) -> int:
        mine = of.did[one].outcomes
        others = (each.outcomes for n, each in of.did.items() if n != one)
        return sum(a == b for other in others for a, b in zip(mine, other, strict=False))

    return Choice(max(of.did, key=likeness, default=of.first), len(of.drafts))


def any_right(of: Compared) -> Choice:
    """What no rule can know: a right one, if there is one."""
    every = range(len(of.drafts))
    return Choice(max(every, key=lambda n: of.drafts[n].right), len(every))


RULES: Mapping[str, Callable[[Compared], Choice]] = {
    "greedy": lambda of: Choice(0, 1),
    "two; where they differ a third": lambda of: in_turn(of, COMPARED),
    f"two; where they differ up to {MORE}": lambda of: in_turn(of, MORE),
    "two, a third; until one holds most tests": lambda of: in_turn(of, COMPARED, tested=True),
    f"two, up to {MORE}; until one holds most tests": lambda of: in_turn(of, MORE, tested=True),
    "the largest class of all": largest_class,
    "most alike call by call": call_by_call,
    "any right": any_right,
}


def rule_rows(every: Sequence[Compared]) -> list[Row]:
    """Of each rule the problems that are `right`; against the greedy draft those `gained` and
    `lost`, with McNemar's exact `p`; `further`: drafts after the first, a problem. First what one
    draft at 0.8 has right, the mean of those that there are."""
    varied = sum(mean(each.right for each in of.drafts[1:]) for of in every)
    rows: list[Row] = [{"rule": "one at 0.8 (mean)", "right": varied, "further": 0.0}]
    for rule, choose in RULES.items():
        choices = [choose(of) for of in every]
        right = [of.drafts[each.at].right for of, each in zip(every, choices, strict=True)]
        pairs = [(new, of.drafts[0].right) for of, new in zip(every, right, strict=True)]
        gained, lost = pairs.count((True, False)), pairs.count((False, True))
        against = {"gained": gained, "lost": lost, "p": mcnemar(gained, lost)}
        further = mean(each.drawn for each in choices) - 1
        rows.append({"rule": rule, "right": sum(right), **against, "further": further})
    return rows


def trust_rows(every: Sequence[Compared]) -> list[Row]:
    """Of the answers of the default mode's rule of which that is `told`, those that are right, with
    Wilson's 95 % interval."""
    right: dict[str, list[bool]] = {}
    for of in every:
        choice = in_turn(of, COMPARED, tested=True)
        right.setdefault(choice.told, []).append(of.drafts[choice.at].right)
    rows = []
    for told, each in sorted(right.items(), key=lambda item: -len(item[1])):
        low, high = wilson(sum(each), len(each))
        rows.append({"told": told, "right": sum(each), "of": len(each), "low": low, "high": high})
    return rows


def tables(every: Sequence[Compared]) -> str:
    """In Markdown."""
    lines = ["| rule | right | against greedy | further drafts a problem |", "|---|---|---|---|"]
    for row in rule_rows(every):
        against = f"+{row['gained']} −{row['lost']}, p {row['p']:.2g}" if "p" in row else ""
        right = f"{row['right']:g} of {len(every)}"
        lines.append(f"| {row['rule']} | {right} | {against} | {row['further']:.1f} |")
    lines += ["", "| what its drafts do | right | 95 % |", "|---|---|---|"]
    for row in trust_rows(every):
        share = f"{row['low']:.0%}–{row['high']:.0%}"
        lines.append(f"| {row['told']} | {row['right']} of {row['of']} | {share} |")
    return "\n".join(lines)
