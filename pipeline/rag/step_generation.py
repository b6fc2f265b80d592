"""The steps of a plan, written one after the other: looked up, coded, described, put together."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace

from laios.types.decomposition import DecompositionOutput, DecompositionStep
from laios.types.final_result import StepResult
from pipeline.analysis.code_extraction import extract_code
from pipeline.analysis.evidence import Finding, language_of
from pipeline.errors import ModelFailed
from pipeline.rag.assembly import Assembly
from pipeline.rag.instructions import GENERATION, VTK_RULES
from pipeline.rag.outline import step_result
from pipeline.rag.query_task import QueryTask
from pipeline.rag.reply_reading import read_code
from pipeline.rag.retrieval_context import RetrievalContext
from pipeline.rag.step_writer import StepBrief, describe_step, program_of, write_step
from pipeline.run import Run


class StepGeneration:
    """`results` are the steps that were written so far, `assembly` is their program, `missing` are
    the steps for which there is no code. `language` is the program's: what is given, else Python,
    where the first step is in no other."""

    def __init__(
        self,
        run: Run,
        task: QueryTask,
        plan: DecompositionOutput,
        retrieval: RetrievalContext,
        language: str | None,
    ) -> None:
        self._run, self._task, self._plan, self._retrieval = run, task, plan, retrieval
        self._is_named, self.language = bool(language), language or "python"
        self._instructions = _instructions(plan, self.language)
        self.assembly = Assembly(self.language)
        self.results: list[StepResult] = []
        self._asked: dict[int, StepBrief] = {}
        self.missing: list[Finding] = []

    async def write(self) -> None:
        """Raises ModelError and ContextTooLong; ModelFailed also where no step has any code."""
        for step in self._plan.get_steps():
            self._emit(step, "started")
            written = await self._step(step)
            self._emit(step, "done" if written.code or written.imports else "failed")
        if not self.assembly.final.complete:
            raise ModelFailed(
                "The coder's answers hold no code for any step of the plan. What they hold stands "
                "in the history; use another model."
            )

    async def described_anew(self, steps: Sequence[StepResult]) -> list[StepResult]:
        """The steps of the final program: what they say of code that is another one now is asked
        for again, and left out where no model can say it."""
        before = {each.step_number: each.code for each in self.results}
        told = []
        for each in steps:
            is_new = each.code and each.code != before[each.step_number]
            label = f"step {each.step_number}, final"
            told.append(await self._described(each, each.code, label) if is_new else each)
        return told

    async def _described(self, step: StepResult, code: str, label: str) -> StepResult:
        """The step with what a model says of its code; without, where none can say it."""
        brief = self._asked[step.step_number]
        summary = await describe_step(self._run, brief, code, label)
        cited = self._retrieval.cite(summary.citations, brief.chunks) if summary else []
        return step.model_copy(
            update={
                "understanding": summary.understanding if summary else step.description,
                "citations": cited,
                "chunks_used": self._retrieval.ids(cited),
            }
        )

    def _emit(self, step: DecompositionStep, state: str) -> None:
        self._run.emit("plan_step", step_number=step.step_number, state=state)

    async def _step(self, step: DecompositionStep) -> StepResult:
        label = f"step {step.step_number} of {len(self._plan.steps)}"
        done = tuple(self.results)
        brief = StepBrief(self._task, self._plan, step, done, self._instructions)
        room = await self._room(brief)
        chunks = await self._retrieval.offer(
            step.search_query or step.description, label, budget=room
        )
        brief = replace(brief, chunks=chunks)
        self._asked[step.step_number] = brief
        code = await write_step(self._run, brief, self._read, label)
        part = await asyncio.to_thread(self.assembly.add, code)  # a second, of a hostile one
        written = step_result(step.step_number, step.description, part)
        if code:
            written = await self._described(written, code, label)
        else:
            detail = f"step {step.step_number} has no code ({step.description})"
            self.missing.append(Finding("coder", "lost", detail))
        self.results.append(written)
        return written

    def _read(self, reply: str) -> str:
        """The code of a step. Where nobody names a language, the first step is in the program's."""
        if not self._is_named and not self.assembly.final.complete:
            found = extract_code(reply)
            label = found.language or "python"
            self.language = language_of(found.text, label, self._task.prompt) or label
            self.assembly = Assembly(self.language)
        return read_code(reply, self.language)

    async def _room(self, brief: StepBrief) -> int:
        """The tokens that documentation may take in the writer's prompt."""
        plan = "".join(each.description for each in self._plan.steps)
        return await self._retrieval.room("coder", self._task.material + program_of(brief) + plan)


def _instructions(plan: DecompositionOutput, language: str) -> str:
    is_vtk = any(name.lower().startswith("vtk") for name in plan.libraries_needed)
    style = "pythonic" if language == "python" else "idiomatic"
    more = VTK_RULES if is_vtk else ""
    return GENERATION.format(language=language, more=more, style=style)
