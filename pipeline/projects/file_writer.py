"""The writer of one file of a project: plan and signatures → the file's text, raw."""

from pipeline.model import Message
from pipeline.model_request import ModelRequest
from pipeline.projects.file_brief import FileBrief, test_tool
from pipeline.projects.file_turns import write_turns
from pipeline.prompts import EARLIER_WORK, messages, sections, with_preferences
from pipeline.sampling import GREEDY, VARIED

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

# Tokens of a small model's file: what is longer than these small projects need has lost its way.
MOST_TESTS, MOST_CODE = 1024, 3072


def write_prompt(brief: FileBrief) -> list[Message]:
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
    if tool := test_tool(task, brief.manifest, plan):
        ask += f"\nTests use {tool}, and no package."
    preferences = task.shared_preferences if brief.review else task.preferences
    rules = with_preferences(REVIEW if brief.review else INSTRUCTIONS, preferences)
    return messages(rules, f"{ask}\n\nThe complete text of {plan.path}:")


def file_question(brief: FileBrief, label: str, round: int, most: int) -> ModelRequest:
    """Asks the coder for the file, or the reviewer; `most` tokens may come. Models with prompts of
    their own for single programs cannot answer it."""
    in_turn, is_test = bool(brief.order), brief.plan.file_type == "test"
    return ModelRequest(
        "reviewer" if brief.review else "coder",
        write_turns if in_turn else write_prompt,
        {"brief": brief},
        label=label,
        round=round,
        temperature=VARIED if brief.varied else GREEDY,
        max_tokens=min(most, MOST_TESTS if is_test else MOST_CODE) if in_turn else most,
        general=True,
    )
