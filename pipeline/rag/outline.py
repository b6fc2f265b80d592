"""The program first, its steps afterwards: what `///plan` is for a small model. Its plans mislead
it: Qwen2.5-Coder 1.5B wrote a right program in two of six runs step by step, in one of seven with
its plan before it, and in 16 of 20 from the request alone (docs/studies/projects.md)."""

from collections.abc import Iterable, Sequence
from functools import partial

from laios.types.decomposition import DecompositionOutput, DecompositionStep
from laios.types.final_result import StepResult
from laios.types.generation import DocumentationChunk
from laios.types.schema import Schema
from pipeline.analysis.undefined_names import words_in
from pipeline.model import Message
from pipeline.model_request import ModelRequest
from pipeline.rag.assembly import Assembly, Part
from pipeline.rag.library_symbols import library_symbols
from pipeline.rag.query_task import QueryTask
from pipeline.rag.registration import EXPLAINER
from pipeline.rag.reply_reading import check_steps, read_schema
from pipeline.reply_schema import BOOLEAN, listed, table, text
from pipeline.review.conversation import write_conversation
from pipeline.run import Run
from pipeline.structured_output import ask_structured

MOST = 5  # steps: with eight a model explains line after line, in twice the time
OUTLINE_TOKENS = 768

OUTLINE_SCHEMA = table(
    requires_visualization=BOOLEAN,
    steps=listed(table(description=text(200), first_line=text(200)), MOST, 1),
)

OUTLINE = f"""\
OUTLINE. Now say in two to {MOST} steps what that program does, in its order. Do not write code.
Answer with one JSON object and nothing else:
{{"requires_visualization": true | false, "steps": [
  {{"description": "<what the step does, in a few words>", "first_line": "<the line of the program \
that it begins with>"}}, ...]}}"""


class OutlineStep(Schema):
    description: str
    first_line: str


class Outline(Schema):
    requires_visualization: bool
    steps: list[OutlineStep]


def write_prompt(task: QueryTask, program: str) -> list[Message]:
    """A later turn of the talk in which the program was written."""
    return write_conversation(task, program, f"{OUTLINE}\nThe outline as JSON:")


async def ask_outline(run: Run, task: QueryTask, program: str, as_said: str) -> Outline:
    """The program's steps; where no model can say them, one that is the request."""
    question = ModelRequest(
        EXPLAINER,  # the coder's model, whose talk it is
        partial(write_prompt, program=as_said or program),
        {"task": task},
        label="outline",
        max_tokens=OUTLINE_TOKENS,
        schema=OUTLINE_SCHEMA,
    )
    said = (await ask_structured(run, question, read_outline)).value
    whole = OutlineStep(description=task.prompt, first_line="")
    return said or Outline(requires_visualization=False, steps=[whole])


def read_outline(reply: str) -> Outline:
    """Raises Unreadable."""
    found = read_schema(Outline, reply)
    check_steps([(n, step.description) for n, step in enumerate(found.steps, 1)], 1, MOST)
    return found


def as_plan(said: Outline, task: QueryTask, program: str) -> DecompositionOutput:
    """The outline in the form of a plan; libraries and files are those that the program uses."""
    libraries = {name.partition(".")[0] for name in library_symbols(program) if "." in name}
    steps = [
        DecompositionStep(step_number=n, description=each.description, search_query="", focus="")
        for n, each in enumerate(said.steps, 1)
    ]
    return DecompositionOutput(
        understanding=task.prompt,
        requires_visualization=said.requires_visualization,
        libraries_needed=sorted(libraries),
        data_files=[file.name for file in task.data_files if file.name in program],
        steps=steps,
    )


def results_of(
    said: Outline, program: str, chunks: Sequence[DocumentationChunk], language: str
) -> list[StepResult]:
    """Each step with its part of the program; it cites the documentation of what that names."""
    parts = code_of_steps(program, [step.first_line for step in said.steps])
    return [
        step_result(n, step.description, Assembly(language).add(code), named_chunks(code, chunks))
        for n, (step, code) in enumerate(zip(said.steps, parts, strict=True), 1)
    ]


def step_result(
    number: int, description: str, part: Part, cited: Sequence[DocumentationChunk] = ()
) -> StepResult:
    """A step of which no more is said than what it was to do."""
    return StepResult(
        step_number=number,
        description=description,
        understanding=description,
        imports=part.imports,
        code=part.code,
        citations=[each.index for each in cited],
        chunks_used=[each.chunk_id for each in cited],
    )


def code_of_steps(program: str, first_lines: Sequence[str]) -> list[str]:
    """The program cut before these lines, in their order and however far they are indented: as
    many parts, "" for one whose line is not there. What stands before the first cut is the first
    step's."""
    parts = [""] * len(first_lines)
    owner = 0
    lines = program.splitlines(keepends=True)
    there = {line.rstrip() for line in lines}
    exact: dict[str, int] = {}
    indented: dict[str, int] = {}  # those that do not stand there as they are
    for n, line in enumerate(first_lines):
        kind = exact if line.rstrip() in there else indented
        kind.setdefault(line.rstrip() if kind is exact else line.strip(), n)
    for line in lines:
        found = exact.get(line.rstrip(), indented.get(line.strip())) if line.strip() else None
        owner = found if found is not None and found > owner else owner
        parts[owner] += line
    return parts


def named_chunks(code: str, chunks: Iterable[DocumentationChunk]) -> list[DocumentationChunk]:
    """Those of an API whose title ends with a name that the code has."""
    words = words_in(code)
    return [each for each in chunks if (each.title or "").split(".")[-1] in words]
