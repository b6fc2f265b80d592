"""The writer of one file of a project: plan and signatures → the file's text, raw (seed 001)."""

import re
from dataclasses import dataclass

from pipeline.model import Message
from pipeline.model_request import ModelRequest
from pipeline.projects.manifest import Manifest, PlannedFile
from pipeline.prompts import EARLIER_WORK, messages, sections, with_preferences
from pipeline.sampling import GREEDY, VARIED
from pipeline.task import Task

INSTRUCTIONS = """\
You write one file of a project for an automated pipeline. Your answer is saved as the file, as it \
is.
Output ONLY the complete text of that file: no explanations, no Markdown fences around it, no \
other files.
Keep to the plan: the paths, names and parameters in it are what the other files go by. Import \
only from the project's own files, the packages of the plan and the language's own library. Write \
no placeholders."""

REVIEW = """\
You review one file of a project for an automated pipeline. Your answer is saved as the file, as \
it is.
Correct what was found wrong, then logic errors, then safety. Change nothing that is right, and \
none of the names and parameters that other files go by.
Output ONLY the complete text of that file: no explanations, no Markdown fences around it."""


_TEST_TOOLS = {".py": "unittest"} | dict.fromkeys((".js", ".mjs", ".cjs"), "node:test")
_TEST_PACKAGES = re.compile(r"\b(pytest|nose2?|jest|mocha|vitest|jasmine)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Brief:
    """What the writer of a file is told. `offered` are the signatures of the files that it uses,
    `whole` is the project as a reviewer sees it, with what is known of it; `before` the file's
    present text, `complaint` what is wrong with that or with the last answer."""

    task: Task
    manifest: Manifest
    plan: PlannedFile
    offered: str = ""
    whole: str = ""
    before: str | None = None
    complaint: str = ""


def write_prompt(brief: Brief, instructions: str = INSTRUCTIONS) -> list[Message]:
    task, plan = brief.task, brief.plan
    parts = [
        (EARLIER_WORK, task.context),
        ("The user's request for the whole project", task.prompt),
        ("The plan", brief.manifest.outline()),
        ("What the files that this one uses offer", brief.offered),
        ("The whole project as it is", brief.whole),
        (f"The present text of {plan.path}", brief.before),
        ("What was found wrong with it", brief.complaint),
    ]
    ask = f"{sections(parts)}\n\nThe file to write: {plan.path} ({plan.description})"
    if plan.exports:
        ask += f"\nIt has to define: {', '.join(plan.exports)}"
    if plan.path in brief.manifest.programs:
        ask += "\nIt is a program: when it is started, it does what the request says of it."
    if tool := _test_tool(brief):
        ask += f"\nTests use {tool}, and no package."
    preferences = task.shared_preferences if instructions is REVIEW else task.preferences
    rules = with_preferences(instructions, preferences)
    return messages(rules, f"{ask}\n\nThe complete text of {plan.path}:")


def _test_tool(brief: Brief) -> str | None:
    """What the language itself has for tests, unless others are wanted: these could not be run."""
    task, plan, path = brief.task, brief.manifest, brief.plan.path
    said = (task.material, plan.setup_instructions, brief.plan.description, *plan.dependencies)
    if brief.plan.file_type != "test" or _TEST_PACKAGES.search("\n".join(said)):
        return None
    return _TEST_TOOLS.get(path[path.rfind(".") :])


def write_review_prompt(brief: Brief) -> list[Message]:
    return write_prompt(brief, REVIEW)


def file_question(brief: Brief, label: str, round: int, *, review: bool = False) -> ModelRequest:
    """Asks the coder for the file, or the reviewer. One that is written again, without a word on
    what was wrong, is varied. Models with prompts of their own for single programs cannot answer
    it."""
    anew = round > 1 and not brief.complaint
    return ModelRequest(
        "reviewer" if review else "coder",
        write_review_prompt if review else write_prompt,
        {"brief": brief},
        label=label,
        round=round,
        temperature=VARIED if anew else GREEDY,
        general=True,
    )
