"""The files of a small project in one conversation: each is an answer, and all before it are
earlier turns. So a model of 1.5B or less is asked: it reads files better than signatures of them,
and keeps to a request better than to a plan (docs/studies/projects.md). Of a prompt only the last
turn is read anew."""

from laios.markdown_text import fenced
from pipeline.analysis.file_types import language_of_path
from pipeline.model import Message
from pipeline.projects.file_brief import FileBrief, test_tool
from pipeline.prompts import after_earlier_work, conversation, with_preferences

INSTRUCTIONS = """\
You write the files of a small software project, one after the other, for an automated pipeline. \
Each answer is saved as the file that was asked for, as it is.
Output ONLY the complete text of that file, in one code block: no explanations, no placeholders.
The files import each other by their paths. Use only the language's own library unless the request \
says otherwise."""

FEW_TESTS = "Five short tests are enough."


def write_turns(brief: FileBrief) -> list[Message]:
    """The request, the files that are there as answers, and the one that is wanted."""
    request = after_earlier_work(brief.task.context, brief.task.prompt)
    first, *asked = [_ask(brief, path) for path in (*brief.earlier, brief.plan.path)]
    turns = [f"{request}\n\nThe files:\n{_listed(brief)}\n\n{first}"]
    for (path, text), ask in zip(brief.earlier.items(), asked, strict=True):
        turns += [fenced(text, language_of_path(path)), ask]
    return conversation(with_preferences(INSTRUCTIONS, brief.task.preferences), *turns)


def _listed(brief: FileBrief) -> str:
    """The files, each with what belongs in it where the request does not say that itself."""
    said = " ".join(brief.task.prompt.split())
    lines = []
    for path in brief.order:
        about = brief.manifest[path].description
        lines.append(f"- {path}" if about in said else f"- {path}: {about}")
    return "\n".join(lines)


def _ask(brief: FileBrief, path: str) -> str:
    plan = brief.manifest[path]
    told = [f"Write {path}."]
    if plan.requested:
        told.append(f"It defines {', '.join(plan.requested)}.")
    if path in brief.manifest.programs:
        told.append("It is a program: it does its work when it is started.")
        if path.endswith(".py") and path in brief.manifest.given:
            told.append("What it is given stands in sys.argv.")
    elif tool := test_tool(brief.task, brief.manifest, plan):
        told.append(f"It imports what it tests, with {tool} and no package. {FEW_TESTS}")
    return " ".join(told)
