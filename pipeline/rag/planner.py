"""The planner: a query → three to eight steps."""

from laios.types.decomposition import DecompositionOutput
from pipeline.model import Message
from pipeline.model_request import ModelRequest
from pipeline.prompts import messages
from pipeline.rag.instructions import DECOMPOSITION, as_data
from pipeline.rag.query_task import QueryTask
from pipeline.rag.reply_reading import check_steps, read_schema
from pipeline.reply_schema import BOOLEAN, INTEGER, listed, table, text
from pipeline.run import Run
from pipeline.structured_output import ask_structured, required

FEWEST, MOST = 3, 8  # steps
PLAN_TOKENS = 3072

_NAMES = listed(text(100), 20)
PLAN_SCHEMA = table(
    understanding=text(400),
    requires_visualization=BOOLEAN,
    libraries_needed=_NAMES,
    data_files=_NAMES,
    steps=listed(
        table(
            step_number=INTEGER,
            description=text(400),
            search_query=text(200),
            focus=text(40),
        ),
        MOST,
        FEWEST,
    ),
)

FORMAT = f"""\
Answer with one JSON object and nothing else:
{{"understanding": "<what the user wants>", "requires_visualization": true | false, \
"libraries_needed": ["<import name>", ...], "data_files": ["<name>", ...], "steps": [
  {{"step_number": 1, "description": "<what the step does>", "search_query": "<words by which its \
documentation is found: library, class and function names>", "focus": "<one word: geometry, \
rendering, io, filtering, ...>"}}, ...]}}
{FEWEST} to {MOST} steps, numbered from 1."""


def write_prompt(task: QueryTask) -> list[Message]:
    material = as_data([("QUERY", task.prompt), ("DATA FILES", task.files)], task.context)
    return messages(f"{DECOMPOSITION}\n{FORMAT}", f"{material}\n\nThe plan as JSON:")


async def decompose(run: Run, task: QueryTask) -> DecompositionOutput:
    """The plan. Raises what the backend raised, and ModelFailed for an answer that is no plan the
    second time either."""
    known = f"{task.request}\n{task.context}"
    question = ModelRequest(
        "planner",
        write_prompt,
        {"task": task},
        max_tokens=PLAN_TOKENS,
        schema=PLAN_SCHEMA,
    )
    answer = await ask_structured(run, question, lambda reply: read_plan(reply, known))
    return required(answer, "plan")


def read_plan(reply: str, known: str) -> DecompositionOutput:
    """Raises Unreadable. Data files that `known` does not name are left out."""
    plan = read_schema(DecompositionOutput, reply)
    check_steps([(step.step_number, step.description) for step in plan.steps], FEWEST, MOST)
    plan.data_files = [name for name in plan.data_files if name.strip() and name in known]
    return plan
