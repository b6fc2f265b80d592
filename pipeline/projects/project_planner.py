"""The planner of a project: request → manifest."""

import asyncio

from pipeline.model import Message
from pipeline.model_request import ModelRequest
from pipeline.projects.manifest import MANIFEST_SCHEMA, MAX_FILES, Manifest, read_manifest
from pipeline.projects.plan_completion import completed, named_plan
from pipeline.prompts import after_earlier_work, messages
from pipeline.run import Run
from pipeline.small_models import is_small
from pipeline.structured_output import ask_structured, required
from pipeline.task import Task

NAMED = "named"  # how the plan was had: the request names the files
MANIFEST_TOKENS = 8192  # 40 files with a few lines each

INSTRUCTIONS = f"""\
You plan a small software project for an automated pipeline. Other calls write its files, one call \
a file, from your plan. You write no code.
Answer with one JSON object:
{{"task_id": "<short id>", "project_id": "<short name>", "files": [
  {{"file_path": "<relative path>", "file_type": "source" | "test" | "config" | "documentation" | \
"data",
   "description": "<what belongs in it, so precisely that it can be written from this alone>",
   "semantic_unit_id": "<id of the feature>", "component_id": "<id of the part>",
   "depends_on": ["<paths of the files that it imports>"],
   "exports": ["<each function, class or constant that others use, with its parameters>"]}}],
 "dependencies": ["<package of others, with its version>"],
 "setup_instructions": "<commands that install and start it>", "total_files": <number>}}
Plan as few files as the request needs, at most {MAX_FILES}; for a Python package also its \
__init__.py. Paths are relative, with / between plain names.
exports and depends_on have to fit together: what a file takes from another is in that one's \
exports. No two files depend on each other in a circle.
Use the language's own library where it is enough. Tests use what the language has itself \
(Python: unittest, JavaScript: node:test) unless the request says otherwise; a test depends on \
what it tests.
total_files is the number of files in the list."""


def write_prompt(task: Task) -> list[Message]:
    request = after_earlier_work(task.context, task.prompt)
    return messages(INSTRUCTIONS, f"{request}\n\nThe plan as JSON:")


async def plan_project(run: Run, task: Task) -> tuple[Manifest, str | None]:
    """The plan, with what the request names besides, and how it was had. Where the planner is a
    small model and the request names its files, these are the plan: such a model's own is worse,
    and takes half of the time. Raises what the backend raised, and ModelFailed for an answer that
    is no plan the second time either."""
    named = None
    if is_small(run.model_name("manifest")):
        named = await asyncio.to_thread(named_plan, task.prompt, run.id)
    if named:
        with run.step("manifest", NAMED) as step:
            step.note = f"the {len(named.files)} files that the request names"
        return named, NAMED
    question = ModelRequest(
        "manifest",
        write_prompt,
        {"task": task},
        max_tokens=MANIFEST_TOKENS,
        schema=MANIFEST_SCHEMA,
    )
    answer = await ask_structured(
        run,
        question,
        lambda text: read_manifest(text, run.id),
        lambda text: read_manifest(text, run.id, counted=True),
    )
    plan = required(answer, "plan of the project")
    return await asyncio.to_thread(completed, plan, task.prompt), answer.level
