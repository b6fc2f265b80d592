"""Repair what the checks found, and nothing else: at most a few rounds, and never to a worse
program."""

import asyncio
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from laios.types.validation import ValidationFix, ValidationOutput
from pipeline.analysis.unified_diff import unified
from pipeline.errors import ContextTooLong, ModelError
from pipeline.rag.edit_scope import is_too_far, lines_beyond
from pipeline.rag.fixer import describe_fix, write_fix
from pipeline.rag.program_checks import Checked, Checks

ErrorKey = tuple[tuple[str, str], ...]

ROUNDS = 3


@dataclass(frozen=True, slots=True)
class Fix:
    """One round: what was to be put right, and what came of it. `output` is None for a repair that
    was not taken; `note` says why, or what else is to be known."""

    round: int
    errors: list[str]
    note: str
    output: ValidationOutput | None

    def as_json(self) -> dict[str, Any]:
        return {
            "round": self.round,
            "errors": self.errors,
            "taken": self.output is not None,
            "note": self.note,
            "output": self.output.to_dict() if self.output else None,
        }


class RepairRounds:
    """The repairs of one run. `fixes` are all of them in order."""

    def __init__(self, checks: Checks, query: str) -> None:
        self._run, self._query = checks.run, query
        self.retrieval, self.checks = checks.retrieval, checks
        self.fixes: list[Fix] = []

    @property
    def remarks(self) -> list[str]:
        """That something was put right, as a sentence."""
        mended = any(fix.output for fix in self.fixes)
        return ["Errors were put right after the code was written (fixes)."] if mended else []

    @property
    def changes(self) -> list[ValidationFix]:
        """What the repairs that were taken put right."""
        return [change for fix in self.fixes if fix.output for change in fix.output.changes_made]

    async def put_right(self, checked: Checked) -> Checked:
        """The best version that there was. A round that brings nothing is the last: the same model
        asked once more gives the same again."""
        best = checked
        met = {_error_key(checked)}
        for round in range(1, ROUNDS + 1):
            if not best.errors:
                break
            try:
                code = await self._fixed(best, round)
            except (ModelError, ContextTooLong) as error:
                self._add(round, best, f"the reviewer failed ({error.code})")
                break
            beyond = await asyncio.to_thread(lines_beyond, best.code, code, best.errors)
            if refusal := _refusal(best.code, code, beyond):
                self._add(round, best, refusal)
                break
            tried = await self.checks.look(code)
            if refusal := _no_better(tried, best, met):
                self._add(round, best, refusal)
                break
            met.add(_error_key(tried))
            note = f"{beyond} lines beyond the errors were changed" if beyond else ""
            diff = await asyncio.to_thread(unified, best.code, code)
            changes = await describe_fix(self._run, best.errors, diff, round)
            output = ValidationOutput(fixed_code=code, changes_made=changes)
            self._add(round, best, note, output)
            best = tried
        return best

    async def _fixed(self, broken: Checked, round: int) -> str:
        words = " ".join(f"{each.message} {each.context}" for each in broken.errors)
        budget = await self.retrieval.room("reviewer", f"{broken.code}{words}")
        chunks = await self.retrieval.offer(words, "fix", budget=budget)
        return await write_fix(self._run, self._query, broken, chunks, self.checks.language, round)

    def _add(
        self, round: int, broken: Checked, note: str, output: ValidationOutput | None = None
    ) -> None:
        errors = [str(each) for each in broken.errors]
        self.fixes.append(Fix(round, errors, note, output))


def _refusal(before: str, after: str, beyond: int) -> str:
    """Why a repair is not even looked at, or ""."""
    if not after.strip():
        return "There was no whole program in it."
    if after.strip() == before.strip():
        return "Nothing was changed."
    if is_too_far(before, beyond):
        return f"It changed {beyond} lines that have nothing to do with the errors."
    return ""


def _no_better(tried: Checked, best: Checked, met: Collection[ErrorKey]) -> str:
    """Why a repair is not taken, or "". `met`: the errors of all versions so far."""
    if tried.score >= best.score and _error_key(tried) in met:
        return f"The errors are still there. {tried.facts}".strip()
    return f"It was worse: {tried.facts}" if tried.score > best.score else ""


def _error_key(checked: Checked) -> ErrorKey:
    return tuple((each.type, each.message) for each in checked.errors)
