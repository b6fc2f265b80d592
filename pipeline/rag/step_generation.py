"""The steps of a plan, written one after the other: looked up, coded, described, put together."""

import asyncio
from collections.abc import Sequence

from laios.types.decomposition import DecompositionOutput, DecompositionStep
from laios.types.final_result import StepResult
from laios.types.generation import (
    CurrentStepInfo,
    DocumentationChunk,
    GenerationInput,
    GenerationOutput,
    OverallPlan,
    PlannedStep,
    PreviousStepResult,
)
from laios.types.schema import Instructions
from pipeline.analysis.evidence import Finding
from pipeline.errors import ModelFailed
from pipeline.judge_fitness import is_too_small_to_judge
from pipeline.rag.assembly import Assembly
from pipeline.rag.instructions import GENERATION, VTK_STYLE, WHOLE_PROGRAM
from pipeline.rag.query_task import QueryTask
from pipeline.rag.retrieval_context import DOCUMENTATION_TOKENS, RetrievalContext
from pipeline.rag.step_writer import StepSummary, describe_step, program_of, write_step
from pipeline.rag.whole_program import code_of_steps, named_chunks, write_program
from pipeline.run import Run
from pipeline.tokens import estimate

INSTRUCTION_TOKENS = 1024  # of the writer's own words


class StepGeneration:
    """`results` are the steps that were written so far, `assembly` is their program, `missing` are
    the steps for which there is no code."""

    def __init__(
        self,
        run: Run,
        task: QueryTask,
        plan: DecompositionOutput,
        retrieval: RetrievalContext,
        language: str,
    ) -> None:
        self._run, self._task, self._plan, self._shelf = run, task, plan, retrieval
        self._language = language
        self._instructions = _instructions(GENERATION, plan, language)
        self._at_once = is_too_small_to_judge(run.model_name("coder"))
        self.assembly = Assembly(language)
        self.results: list[StepResult] = []
        self._asked: dict[int, GenerationInput] = {}
        self.missing: list[Finding] = []

    async def write(self) -> None:
        """Raises ModelError and ContextTooLong; ModelFailed also where no step has any code."""
        steps = self._plan.get_steps()
        self._run.emit(
            "plan",
            steps=[
                {"step_number": each.step_number, "description": each.description} for each in steps
            ],
        )
        if self._at_once:
            await self._write_at_once(steps)
        else:
            await self._write_one_by_one(steps)
        if not self.assembly.final.complete:
            raise ModelFailed(
                "The coder's answers hold no code for any step of the plan. What they hold stands "
                "in the history; use another model."
            )

    async def _write_one_by_one(self, steps: Sequence[DecompositionStep]) -> None:
        for step in steps:
            self._emit(step, "started")
            written = await self._step(step)
            self._emit(step, "done" if written.code or written.imports else "failed")

    async def _write_at_once(self, steps: Sequence[DecompositionStep]) -> None:
        """One look-up and one answer for all steps."""
        share = await self._room(self._given(steps[0], [])) // len(steps)
        offered: dict[int, DocumentationChunk] = {}
        for step in steps:
            self._emit(step, "started")
            chunks = await self._look_up(step, share)
            self._asked[step.step_number] = self._given(step, chunks)
            offered |= {each.index: each for each in chunks}
        told = _instructions(WHOLE_PROGRAM, self._plan, self._language)
        chunks = [*offered.values()]
        program = await write_program(
            self._run, self._task, self._plan, chunks, told, self._language
        )
        for step, code in zip(steps, code_of_steps(program, len(steps)), strict=True):
            await self._take(step, code)
            self._emit(step, "done" if program else "failed")

    async def described_anew(self, steps: Sequence[StepResult]) -> list[StepResult]:
        """The steps of the final program: what they say of code that is another one now is asked
        for again, and left out where no model can say it."""
        before = {each.step_number: each.code for each in self.results}
        told = []
        for each in steps:
            is_new = each.code != before[each.step_number]
            told.append(await self._described(each) if is_new and each.code else each)
        return told

    async def _described(self, step: StepResult) -> StepResult:
        note = await self._note(step, step.code, f"step {step.step_number}, final")
        offered = self._asked[step.step_number].documentation
        cited = self._shelf.cite(note.citations, offered) if note else []
        return step.model_copy(
            update={
                "understanding": note.understanding if note else step.description,
                "citations": cited,
                "chunks_used": self._shelf.ids(cited),
            }
        )

    def _emit(self, step: DecompositionStep, state: str) -> None:
        self._run.emit("plan_step", step_number=step.step_number, state=state)

    async def _step(self, step: DecompositionStep) -> GenerationOutput:
        given = self._given(step, [])
        chunks = await self._look_up(step, await self._room(given))
        given = given.model_copy(update={"documentation": chunks})
        self._asked[step.step_number] = given
        label = self._label(step)
        code = await write_step(self._run, given, self._task, self._language, label)
        if not code:
            named = step.description if not self._run.request.no_log else "it"
            detail = f"step {step.step_number} has no code ({named})"
            self.missing.append(Finding("coder", "lost", detail))
        return await self._take(step, code)

    async def _look_up(self, step: DecompositionStep, budget: int) -> list[DocumentationChunk]:
        words = step.search_query or step.description
        return await self._shelf.offer(words, self._label(step), budget=budget)

    def _label(self, step: DecompositionStep) -> str:
        return f"step {step.step_number} of {len(self._plan.steps)}"

    async def _take(self, step: DecompositionStep, code: str) -> GenerationOutput:
        """Puts a step's code into the program."""
        part = await asyncio.to_thread(self.assembly.add, code)  # a second, of a hostile one
        note = await self._note(step, code, self._label(step)) if code else None
        offered = self._asked[step.step_number].documentation
        written = GenerationOutput(
            step_number=step.step_number,
            understanding=note.understanding if note else step.description,
            imports=part.imports,
            code=part.code,
            citations=self._shelf.cite(note.citations, offered) if note else [],
        )
        self.results.append(self._result(step, written))
        return written

    async def _note(
        self, step: DecompositionStep | StepResult, code: str, label: str
    ) -> StepSummary | None:
        """What the code of a step does and rests on. Of a program that was written at once: what
        the plan says, and the documentation of what it names."""
        given = self._asked[step.step_number]
        if self._at_once:
            return StepSummary(step.description, named_chunks(code, given.documentation))
        return await describe_step(self._run, given, self._task, code, label)

    def _given(self, step: DecompositionStep, chunks: list[DocumentationChunk]) -> GenerationInput:
        number = step.step_number
        steps = [
            PlannedStep(
                step_number=each.step_number,
                description=each.description,
                status="completed"
                if each.step_number < number
                else ("current" if each.step_number == number else "pending"),
            )
            for each in self._plan.steps
        ]
        before = [
            PreviousStepResult(
                step_number=each.step_number,
                understanding=each.understanding,
                imports=each.imports,
                code=each.code,
            )
            for each in self.results
        ]
        return GenerationInput(
            original_query=self._task.prompt,
            overall_understanding=self._plan.understanding,
            overall_plan=OverallPlan(
                total_steps=len(steps), current_step_number=number, steps=steps
            ),
            current_step=CurrentStepInfo(
                step_number=number, description=step.description, focus=step.focus
            ),
            previous_steps=before,
            documentation=chunks,
            instructions=self._instructions,
        )

    async def _room(self, given: GenerationInput) -> int:
        """The tokens that documentation may take in the writer's prompt."""
        plan = "".join(each.description for each in given.overall_plan.steps)
        asked = estimate(self._task.material + program_of(given) + plan)
        left = await self._run.room("coder") - asked - INSTRUCTION_TOKENS
        return max(0, min(DOCUMENTATION_TOKENS, left))

    def _result(self, step: DecompositionStep, written: GenerationOutput) -> StepResult:
        return StepResult(
            step_number=step.step_number,
            description=step.description,
            understanding=written.understanding,
            imports=written.imports,
            code=written.code,
            citations=written.citations,
            chunks_used=self._shelf.ids(written.citations),
        )


def _instructions(
    instructions: Instructions, plan: DecompositionOutput, language: str
) -> Instructions:
    requirements = list(instructions.requirements or ())
    if any(name.lower().startswith("vtk") for name in plan.libraries_needed):
        requirements += VTK_STYLE
    told = {"task": instructions.task.format(language=language), "requirements": requirements}
    if language != "python":
        told["code_style"] = "idiomatic"
    return instructions.model_copy(update=told)
