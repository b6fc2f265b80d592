"""Which drafts agree: what each does on the same calls, run in the sandbox.

Right programs do the same, wrong ones are mostly wrong in ways of their own, so a large class is
right more often than any opinion on its text (CodeT, arXiv 2207.10397; 2507.00057)."""

import ast
import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pipeline import sandbox
from pipeline.analysis.draft import Draft
from pipeline.analysis.python_syntax import parse
from pipeline.run import Run
from pipeline.sandbox import ANY_VALUE, Arguments, Case
from pipeline.testcases.behaviour import Behaviour, classes

AS_PROGRAM = Case(Arguments(), ANY_VALUE, name="run", stdin="")
"""Run from its first line to its last, without input."""


@dataclass(frozen=True, slots=True)
class Agreement:
    """`classes`: numbers of drafts that do the same, the largest class first. `calls`: what they
    were called with, `AS_PROGRAM` alone for programs that were run, () where they could not be
    compared."""

    classes: tuple[tuple[int, ...], ...]
    calls: tuple[Case, ...] = ()

    @property
    def largest(self) -> tuple[int, ...]:
        return self.classes[0]

    @property
    def drafts(self) -> int:
        """How many were compared."""
        return sum(map(len, self.classes))

    @property
    def decides(self) -> bool:
        """More than half of them do the same."""
        return self.decides_of(self.drafts)

    def decides_of(self, drafts: int) -> bool:
        """More than half of so many do the same."""
        return len(self.largest) > 1 and len(self.largest) * 2 > drafts

    def __str__(self) -> str:
        if self.drafts == 1:
            return "no other draft runs"
        alike = f"{len(self.largest)} of {self.drafts} drafts"
        if self.calls == (AS_PROGRAM,):
            return f"{alike} print the same"
        return f"{alike} do the same on {len(self.calls)} calls"

    @property
    def tied(self) -> tuple[int, ...]:
        """The first draft of each class that is as large as the largest."""
        most = len(self.largest)
        return tuple(each[0] for each in self.classes if len(each) == most)

    def as_json(self) -> dict[str, Any]:
        return {
            "calls": [call.input for call in self.calls],
            "classes": [list(each) for each in self.classes],
        }


def is_program(code: str) -> bool:
    """Whether Python code does something by itself: it calls, loops or asks for its own name
    outside of functions."""
    tree = parse(code)
    return any(
        isinstance(node, ast.If | ast.For | ast.While | ast.With)
        or (isinstance(node, ast.Expr) and isinstance(node.value, ast.Call))
        for node in (tree.body if tree else ())
    )


async def compare(
    run: Run,
    drafts: Sequence[Draft],
    calls: Sequence[Case],
    function: str,
    seen: dict[str, Behaviour] | None = None,
) -> Agreement:
    """Runs each program once, all calls in one process; one step of the record. `seen`: what
    programs did on these calls, by their texts; what is there is not run again. Raises
    SandboxUnavailable."""
    with run.step("sandbox", "agreement") as step:
        seen = {} if seen is None else seen
        new = list(dict.fromkeys(draft.text for draft in drafts if draft.text not in seen))
        done = await asyncio.gather(*(_observe(run, text, calls, function) for text in new))
        seen.update(zip(new, done, strict=True))
        found = classes([seen[draft.text] for draft in drafts])
        agreement = Agreement(tuple(map(tuple, found)), tuple(calls))
        step.note = str(agreement)
    return agreement


async def _observe(run: Run, text: str, calls: Sequence[Case], function: str) -> Behaviour:
    try:
        async with asyncio.timeout_at(run.deadline):
            limits = sandbox.Limits.of_calls(run.settings)
            if calls == (AS_PROGRAM,):
                return Behaviour.of_output(await sandbox.run_case(text, AS_PROGRAM, limits))
            return Behaviour.of(await sandbox.run_calls(text, calls, limits, entry=function))
    except TimeoutError:
        return Behaviour()
